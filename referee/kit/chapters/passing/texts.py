"""What the rules of a game say of passing cards on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.saying import FileWords

DIRECTIONS: Mapping[str, Text] = {
    "left": Text("左どなり", "to the left"),
    "right": Text("右どなり", "to the right"),
    "across": Text("正面", "across"),
    "each": Text("ほかの全員に1人ずつ", "to each of the others"),
    "none": Text("渡さない", "no passing"),
    "aside": Text("場の外", "out of play"),
}


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    if file.rules.passing.ways:
        yield "pass.1", _passing(file)


def _passing(file: FileWords) -> Text:
    """How many cards are handed on before play, and to whom."""
    cards = file.text("sum", "pass", "cards")
    many = "1 card" if cards.en == "1" else f"{cards.en} cards"
    ja = "、".join(DIRECTIONS[each].ja for each in file.rules.passing.ways)
    en = ", ".join(DIRECTIONS[each].en for each in file.rules.passing.ways)
    if file.rules.passing.ways == ("aside",):
        return Text(
            f"手札から{cards.ja}枚を裏向きで場の外に置く。",
            f"Put {many} aside face down, out of play.",
        )
    if file.rules.passing.ways == ("each",):
        return Text(
            f"手札からほかの人に{cards.ja}枚ずつ裏向きで渡す。",
            f"Pass {many} face down to each of the others.",
        )
    if len(file.rules.passing.ways) == 1:
        return Text(f"手札から{cards.ja}枚を裏向きで{ja}へ渡す。", f"Pass {many} face down {en}.")
    return Text(
        f"手札から{cards.ja}枚を裏向きで渡す。相手はラウンドごとに：{ja}。",
        f"Pass {many} face down, deal by deal: {en}.",
    )
