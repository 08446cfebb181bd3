"""What the rules of a game say of the end of a match."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.book import Text
from referee.kit.saying import FileWords


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    yield from _end(file, file.source.word("match", "winner", default="most"))


def _end(file: FileWords, winner: str) -> Iterator[tuple[str, Text]]:
    deals, until = file.text("sum", "match", "deals"), file.text("condition", "match", "until")
    ja, en = list[str](), list[str]()
    if deals.ja.isdecimal():
        ja.append(f"{deals.ja}ラウンド遊ぶ")
        en.append("1 deal" if deals.en == "1" else f"{deals.en} deals")
    elif deals.en == "players":
        ja.append("人数と同じ数のラウンドを遊ぶ")
        en.append("As many deals as players")
    elif deals.ja:
        ja.append(f"ラウンド数は{deals.ja}")
        en.append(f"The number of deals is: {deals.en}")
    if until.ja:
        ja.append(f"{until.ja}になったら終わる")
        en.append(f"{'u' if en else 'The game goes on u'}ntil {until.en}")
    yield "deals.1", Text("、または".join(ja) + "。", ", or ".join(en) + ".")
    if loser := file.source.word("match", "loser", default=""):
        more = loser == "most"
        yield (
            "outcome.1",
            Text(
                f"合計点がいちばん{'多い' if more else '少ない'}人の負け。勝ちはない。",
                f"The {'most' if more else 'fewest'} points lose; nobody wins.",
            ),
        )
        return
    most = winner == "most"
    yield (
        "outcome.1",
        Text(
            f"合計点がいちばん{'多い' if most else '少ない'}人の勝ち。",
            f"The {'most' if most else 'fewest'} points win.",
        ),
    )
