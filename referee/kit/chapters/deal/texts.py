"""What the rules of a game say of the deal: hands, the turn-up, who leads first, drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.chapters.deck import words
from referee.kit.saying import FileWords

TURN_UP: Mapping[str, Text] = {
    "stock": Text("残りのカードがあれば、1枚を表にする。", "If cards are left over, turn one up."),
    "dealer": Text(
        "ディーラーのカード1枚を見せてから、手札に戻す。",
        "One card of the dealer is shown and stays in the dealer's hand.",
    ),
}

STARTER: Mapping[str, Text] = {
    "rotate": Text(
        "スタートプレイヤーは、ラウンドごとに左どなりへ移る。",
        "The first lead moves to the left each deal.",
    ),
    "pick": Text("スタートプレイヤーは毎回決める。", "The first leader is named every time."),
    "lowest_total": Text("合計点がいちばん少ない人から。", "The lowest total leads first."),
    "winner": Text(
        "前のラウンドの最後のトリックを取った人から。", "The last trick's winner leads."
    ),
}

FIRST_BIDDER: Mapping[str, Text] = {
    "rotate": Text(
        "最初にビッドする人は、ラウンドごとに左どなりへ移る。",
        "The first bid moves to the left each deal.",
    ),
    "pick": Text("最初にビッドする人は毎回決める。", "The first bidder is named every time."),
    "lowest_total": Text(
        "合計点がいちばん少ない人からビッドする。", "The lowest total bids first."
    ),
    "winner": Text(
        "前のラウンドの最後のトリックを取った人からビッドする。",
        "The last trick's winner bids first.",
    ),
}
"""Who bids first where the highest bidder leads."""

DRAW = Text(
    "トリックのあと、リードする人から順に、全員が山札から1枚ずつ引く。表にしたカードは最後に引く。"
    "全員の分がなくなったら、引かずに続ける。",
    "After a trick everybody draws a card from the stock, the next leader first; a card that was "
    "turned up is the last. Once there are not enough for all, play goes on without drawing.",
)


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter, but for drawing."""
    rules = file.rules
    hand = file.text("sum", "deal", "hand")
    ja = f"手札：{hand.ja}枚。" if hand.ja.isdecimal() else f"手札の枚数：{hand.ja}。"
    yield "setup.hand", Text(ja, f"Cards in each hand: {hand.en}.")
    if rules.deal.turn_up != "none":
        yield "setup.turn_up", TURN_UP[rules.deal.turn_up]
    bids, first = rules.bidding, rules.deal.first
    starter = FIRST_BIDDER if bids.decide_leader and not bids.at_once else STARTER
    yield "starter.1", _holder(file) if first == "holder" else starter[first]


def drawing(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The clause on drawing, which stands after that on the next trick."""
    if file.rules.deal.draws:
        yield "draw.1", DRAW


def _holder(file: FileWords) -> Text:
    """Which card is led first, by whoever has it."""
    cards = words(file.source.at("deal", "holder"))
    (ja, *others_ja), (en, *others_en) = (
        [file.named[lang].get(card, card) for card in cards] for lang in ("ja", "en")
    )
    if others_ja:
        ja = f"{ja}（デッキになければ{'、'.join(others_ja)}）"
        en = f"{en} (if it is not in the deck, {', '.join(others_en)})"
    return Text(f"{ja}を持つ人が、それをリードする。", f"The player with {en} leads it.")
