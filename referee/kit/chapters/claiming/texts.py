"""What the rules of a game say of claiming the rest of a deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.saying import FileWords

CLAUSES: Mapping[str, Text] = {
    "rest.1": Text(
        "最初のリードからラウンドの終わりまで、残りのトリックは全部自分のものだと宣言できる。カードで証明できれば、ラウンドはそこで終わる。"
        "証明できなければ、ほかの全員（チームからは1人）が了承したときに終わる。次のカードが出ると、宣言は取り消される。",
        "From the first lead to the end of the deal a player may claim all tricks that are left. "
        "If the cards prove it, the deal is over. Otherwise it is over when all others agree, one "
        "player for a team. The next card ends the claim.",
    ),
    "rest.2": Text(
        "いまのトリックをほかの人が取ることが決まっていれば、宣言は成り立たない。",
        "A claim fails if another player is sure to take the present trick.",
    ),
    "rest.3": Text(
        "了承できるのは、カードで決まらない宣言が出ている間、宣言した側でない人だけ。それぞれの側が1回ずつ。",
        "While a claim is open, each other side agrees once; the claimant's own side does not.",
    ),
}


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    claims = file.rules.claims
    if claims.possible:
        yield from ((id_, text) for id_, text in CLAUSES.items() if id_ != "rest.2" or claims.plain)
