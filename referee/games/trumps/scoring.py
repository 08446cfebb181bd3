"""The points A and B of the score piles, and the winners (rulings T28–T34)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from referee.core.adjusting import added
from referee.core.ending import best, most_points, tie
from referee.core.game import Line, ScoreSheet, Table
from referee.core.verdict import Evidence, Outcome, Seat, evidence
from referee.core.written import whole
from referee.games.trumps.state import TOP, Pile, State

END = (TOP[3] + 1, 0)  # marks the end of a score pile; in a tie the longer pile wins


def score(state: State) -> ScoreSheet:
    sheet = sheet_of(state.table, state.piles, max(state.deal, 1))
    return ScoreSheet((*state.earlier, *sheet.lines), added(sheet.totals, before(state)))


def before(state: State) -> dict[Seat, int]:
    """The points of every seat besides its score pile: of earlier deals, and by agreement."""
    return added(points_of(state.table, state.earlier), state.adjusted)


def points_of(table: Table, lines: Iterable[Line]) -> dict[Seat, int]:
    """The points of every seat by ``lines``."""
    found = dict.fromkeys(table.seats, 0)
    for line in lines:
        found[line.seat] += whole(line.points)
    return found


def sheet_of(table: Table, piles: Mapping[Seat, Pile], deal: int) -> ScoreSheet:
    """The score of these piles; ``deal``: the number of the deal in its lines."""
    lines = []
    totals = dict.fromkeys(table.seats, 0)
    for seat in table.seats:
        for points, clause, fact in _points(piles[seat]):
            lines.append(Line(seat, points, clause, (fact,), deal, None))
            totals[seat] += points
    return ScoreSheet(tuple(lines), totals)


def _points(pile: Pile) -> Iterator[tuple[int, str, Evidence]]:
    """A and B with their arithmetic; a single line for an empty pile."""
    if not pile:
        yield 0, "score.4", Evidence("pile_empty", {})
        return
    most = max(pile.values())
    ranks = sorted((rank for rank, n in pile.items() if n == most), reverse=True)
    shared = {"ranks": tuple(ranks), "copies": most}
    single = {"rank": ranks[0], "copies": most}
    yield (
        most,
        "score.2",
        Evidence("most_shared", shared) if ranks[1:] else Evidence("most", single),
    )
    run = longest_run(pile)
    values = {"run": "-".join(map(str, run)), "length": len(run)}
    yield len(run), "score.3", Evidence("longest", values)


def longest_run(pile: Pile) -> tuple[int, ...]:
    """The longest run of consecutive numbers, ascending; of equal ones the highest."""
    longest, run = list[int](), list[int]()
    for rank in sorted(pile):
        run = [*run, rank] if rank - 1 in pile else [rank]
        if len(run) >= len(longest):
            longest = run
    return tuple(longest)


def _totals(piles: Mapping[Seat, Pile], more: Mapping[Seat, int]) -> dict[Seat, int]:
    """A + B of every seat, as ``sheet_of`` adds them up, and the points in ``more``."""
    return {
        seat: more.get(seat, 0) + (max(pile.values()) + len(longest_run(pile)) if pile else 0)
        for seat, pile in piles.items()
    }


def outcome(state: State) -> Outcome | None:
    return state.ended


def decided(
    table: Table,
    piles: Mapping[Seat, Pile],
    tied: tuple[Seat, ...],
    more: Mapping[Seat, int],
) -> Outcome | None:
    """The outcome; None if a tie asks for another deal.

    ``tied``: the seats that were tied before this one; ``more``: points besides those of the piles.
    """
    totals = _totals(piles, more)
    level = best(totals, tied or table.seats)
    points = totals[level[0]]
    if len(level) == 1:
        return Outcome("outcome.1", level, most_points(level[0], points, tied))
    facts = [*evidence("tie_replayed", seats=tied)] if tied else []
    first = best_of(table, piles, tied, more)
    facts += evidence("tied", seats=level, points=points)
    smallest = {seat: min(piles[seat]) for seat in level if piles[seat]}
    if len(set(smallest.values())) > 1:
        facts += evidence("smallest", cards=tuple(f"{s} {rank}" for s, rank in smallest.items()))
    rank = min(smallest.values(), default=0)
    copies = {seat: piles[seat][rank] for seat in smallest if smallest[seat] == rank}
    if len(copies) == 1:
        facts += evidence("smallest_wins", seat=first[0])
        return Outcome("outcome.2", first, tuple(facts))
    if copies:
        counted = tuple(f"{seat} {n}" for seat, n in copies.items())
        facts += evidence("smallest_copies", rank=rank, copies=counted)
    if len(first) == 1 and smallest:
        if list(copies.values()).count(max(copies.values())) > 1:
            cards = _deciding(piles, [s for s, n in copies.items() if n == max(copies.values())])
            facts += evidence("next_smallest", seat=first[0], cards=cards)
        else:
            facts += evidence("more_copies", seat=first[0])
        return Outcome("outcome.3", first, tuple(facts))
    return tie(table, first, tuple(facts))


def _deciding(piles: Mapping[Seat, Pile], level: list[Seat]) -> tuple[str, ...]:
    """What separates the winner from the other seats: number and copies for each, "A 5×2"."""
    sequences = {seat: iter(sorted(piles[seat].items())) for seat in level}
    while True:
        cards = {seat: next(sequences[seat], None) for seat in level}
        keys = {seat: (card[0], -card[1]) if card else END for seat, card in cards.items()}
        found = [seat for seat in level if keys[seat] == min(keys.values())]
        if len(found) == 1:
            return tuple(
                f"{s} {card[0]}×{card[1]}" if card else f"{s} –" for s, card in cards.items()
            )
        level = found


def best_of(
    table: Table,
    piles: Mapping[Seat, Pile],
    among: tuple[Seat, ...],
    more: Mapping[Seat, int],
) -> tuple[Seat, ...]:
    """The seats with most points; ties are broken by their smallest numbers (rulings T32–T34).

    ``more``: as for ``decided``.
    """
    totals = _totals(piles, more)
    steps = 1 if table.option("tie_chain") == "two_steps" else None
    keys = {
        seat: (-totals[seat], [*sorted((r, -n) for r, n in piles[seat].items()), END][:steps])
        for seat in among or table.seats
    }
    return tuple(seat for seat, key in keys.items() if key == min(keys.values()))
