"""What the rules of a game say of calling a card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.saying import FileWords

CALLS: Mapping[str, Text] = {
    "dealer": Text("ディーラーが1枚のカードを指名する。", "The dealer calls a card."),
    "leader": Text("最初にリードする人が1枚のカードを指名する。", "The first leader calls a card."),
    "highest_bid": Text(
        "ビッドがいちばん大きい人が1枚のカードを指名する。", "The highest bidder calls a card."
    ),
}


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    if file.rules.call.by:
        yield "call.1", _call(file, CALLS[file.rules.call.by])


def _call(file: FileWords, by: Text) -> Text:
    """Who calls a card, and which may be called."""
    if file.rules.call.cards is None:
        return by
    cards = file.text("cards", "call", "cards")
    return Text(f"{by.ja}指名できるのは、{cards.ja}。", f"{by.en} These may be called: {cards.en}.")
