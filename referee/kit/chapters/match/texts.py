"""What the rules of a game say of the end of a match."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.book import Text
from referee.kit.saying import FileWords


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
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
    loser = file.source.word("match", "loser", default="")
    decides = loser or file.source.word("match", "winner", default="most")
    points = Text("多い", "most") if decides == "most" else Text("少ない", "fewest")
    ends = Text("負け。勝ちはない", "lose; nobody wins") if loser else Text("勝ち", "win")
    yield (
        "outcome.1",
        Text(f"合計点がいちばん{points.ja}人の{ends.ja}。", f"The {points.en} points {ends.en}."),
    )
