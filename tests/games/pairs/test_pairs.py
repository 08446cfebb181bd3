"""Pairs: ties for the start, pairs, folding, shuffles, the loser."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.game import COMMON_OPTIONS, SheetLine, Table
from referee.core.ranking import ranking
from referee.core.record import Unreadable, read
from referee.core.sheets import Impossible
from referee.core.verdict import Illegal, Legal
from referee.games import GAMES, pairs
from referee.games.pairs import (
    BURNED,
    DECK,
    Deal,
    Fold,
    Hit,
    PairsStage,
    Reveal,
    Shuffle,
    Starter,
    State,
)
from referee.games.pairs.state import ShownCard, stuck
from referee.games.pairs.tallying import entered_as_sheet
from referee.games.simulation import played
from referee.rulings.report import report

HEAD = "referee: 1\ngame: pairs\nseats: A B\n\n"


def at(seats: str = "ABC", **chosen: str) -> Table:
    return Table(tuple(seats), chosen, {**COMMON_OPTIONS, **pairs.OPTIONS})


def after(state: State, *plays: Any) -> State:
    """``state`` after plays that are all legal."""
    for play in plays:
        assert isinstance(pairs.judge(state, play), Legal), play
        state = pairs.apply(state, play)
    return state


def begun(seats: str, ranks: str, **chosen: str) -> State:
    """The first round with these first cards."""
    cards = map(Reveal, seats, map(int, ranks.split()))
    return after(pairs.setup(at(seats, **chosen)), Deal(), *cards)


def verdict(state: State, play: Any) -> tuple[str, str]:
    found = pairs.judge(state, play)
    return type(found).__name__, found.clause


def holding(rows: dict[str, list[int]], **changed: Any) -> State:
    """A tie among all seats: ``rows`` lie there, every other card has been discarded."""
    state = pairs.apply(pairs.setup(at("".join(rows))), Deal())
    shown = {seat: tuple(ShownCard(seat, rank, 1) for rank in row) for seat, row in rows.items()}
    return state._replace(rows=shown, stock=0, **changed)


@pytest.mark.parametrize(
    ("seats", "formula", "printed"),
    [(2, 31, 31), (3, 21, 21), (4, 16, 16), (5, 13, 13), (6, 11, 11), (7, 9, 11), (8, 8, 11)],
)
def test_the_points_that_lose(seats: int, formula: int, printed: int) -> None:
    """lose.1, ruling B9: the two printed limits differ for seven and eight."""
    names = "ABCDEFGH"[:seats]
    assert pairs.setup(at(names)).limit == formula
    assert pairs.setup(at(names, limit="printed")).limit == printed


def test_the_lowest_card_starts_and_the_turn_passes_to_the_left() -> None:
    state = begun("ABC", "7 3 9")
    assert pairs.to_act(state) == ("B",)
    state = after(state, Hit("B", 9), Hit("C", 8))
    assert pairs.to_act(state) == ("A",)
    assert verdict(state, Fold("B")) == ("Illegal", "turn.1")


def test_a_tie_is_broken_by_the_extra_cards_alone() -> None:
    """start.2: B has the lower row, C the lower extra card."""
    state = begun("ABC", "9 4 4")
    assert pairs.to_act(state) == ("B", "C")
    assert verdict(state, Hit("B", 5)) == ("Illegal", "order.1")
    state = after(state, Reveal("C", 6), Reveal("B", 7))
    assert pairs.to_act(state) == ("C",)
    assert pairs.public(state)["rows"] == {"A": [9], "B": [4, 7], "C": [4, 6]}


def test_a_pair_that_breaks_no_tie_costs_nothing_and_is_replaced() -> None:
    """start.3: the new card is discarded, the old one stays."""
    state = begun("AB", "4 4")
    assert verdict(state, Reveal("A", 4)) == ("Legal", "start.3")
    state = after(state, Reveal("A", 4))
    assert pairs.to_act(state) == ("A", "B")
    assert pairs.public(state)["rows"]["A"] == [4]
    assert pairs.score(state).totals == {"A": 0, "B": 0}
    assert state.unseen[3] == 1


def test_a_pair_costs_its_number_and_one_card_is_kept() -> None:
    state = after(begun("ABC", "7 3 9"), Hit("B", 8), Hit("C", 9))
    assert pairs.score(state).totals == {"A": 0, "B": 0, "C": 9}
    assert pairs.public(state)["points"] == {"A": [], "B": [], "C": [9]}
    assert not any(pairs.public(state)["rows"].values())  # type: ignore[attr-defined]
    [line] = pairs.score(state).lines
    assert (line.clause, line.points) == ("score.1", 9)
    assert pairs.to_act(state) == ()


def test_folding_takes_the_lowest_card_of_anybody() -> None:
    """fold.1, score.2."""
    state = after(begun("ABC", "7 3 9"), Hit("B", 8))
    assert verdict(state, Fold("C", 7)) == ("Illegal", "fold.1")
    assert verdict(state, Fold("C", 1)) == ("Illegal", "fold.1")
    assert verdict(state, Fold("C", 3)) == ("Legal", "fold.1")
    [line] = pairs.score(after(state, Fold("C"))).lines
    assert (line.seat, line.clause, line.points) == ("C", "score.2", 3)
    assert line.evidence[0].values["source"] == "B"


def test_a_card_of_which_all_copies_were_seen_since_the_shuffle_cannot_turn_up() -> None:
    """deck.2 names where they were; markers count, and a shuffle forgets discards alone."""
    state = after(begun("AB", "2 3"), Hit("A", 3), Hit("B", 2))
    state = after(state, Hit("A", 10), Hit("B", 9))
    refused = pairs.judge(state, Hit("A", 2))
    assert isinstance(refused, Illegal)
    assert refused.clause == "deck.2"
    assert [fact.at for fact in refused.evidence] == [None, 2, 5]
    state = after(state, Fold("A"))._replace(stock=0)
    state = after(state, Deal(), Shuffle())
    assert state.unseen == (1, 1, 3, 4, 5, 6, 7, 8, 9, 10)
    assert state.stock == 54 - BURNED


def test_an_empty_deck_is_shuffled_before_the_next_card_and_not_earlier() -> None:
    """shuffle.1: folding needs no card."""
    state = begun("AB", "5 6")
    assert verdict(state, Shuffle()) == ("Illegal", "shuffle.1")
    empty = state._replace(stock=0)
    assert verdict(empty, Hit("A", 7)) == ("Illegal", "shuffle.1")
    assert verdict(empty, Fold("A")) == ("Legal", "fold.1")
    assert next(iter(pairs.candidates(empty))) == Shuffle()
    full = after(empty, Shuffle())
    assert (full.stock, full.shuffles) == (55 - 2 - BURNED, 1)
    assert isinstance(pairs.judge(full, Hit("A", 7)), Legal)


def test_with_five_cards_left_nobody_can_draw() -> None:
    """shuffle.2, ruling B3."""
    rows = {seat: list(range(1, 11)) for seat in "ABCDEFGH"}
    held = Counter[int]()
    for row in rows.values():
        row[:] = [rank for rank in row if held[rank] < rank]
        held.update(row)
    state = holding(rows)._replace(step=PairsStage.PLAY, due=tuple(rows))
    assert sum(pairs.outside(state)) == 3
    assert not pairs.can_draw(state)
    assert verdict(state, Hit("A", 9)) == ("Illegal", "shuffle.2")
    assert verdict(state, Shuffle()) == ("Illegal", "shuffle.2")
    assert [type(play) for play in pairs.candidates(state) if legal(state, play)] == [Fold]


def legal(state: State, play: Any) -> bool:
    return isinstance(pairs.judge(state, play), Legal)


def test_a_tie_that_no_card_can_break_is_decided_by_lot() -> None:
    """start.4, ruling B6: B has every number that is left but one, which then turns up with A."""
    state = holding({"A": list(range(2, 10)), "B": list(range(2, 11))})
    state = after(state, Shuffle(), Reveal("A", 1))
    assert state.step is PairsStage.LOT
    assert pairs.to_act(state) == ("A", "B")
    assert verdict(state, Reveal("B", 10)) == ("Illegal", "order.1")
    assert verdict(state, Hit("B", 10)) == ("Illegal", "order.1")
    assert pairs.judge(state, Hit("B", 10)).evidence[0].fact == "lot_first"
    dealing = after(pairs.setup(at()), Deal(), Reveal("A", 4))
    assert pairs.judge(dealing, Hit("A", 10)).evidence[0].fact == "cards_first"
    assert verdict(state, Starter("B")) == ("Legal", "start.4")
    assert pairs.to_act(after(state, Starter("B"))) == ("B",)
    three = begun("ABC", "4 4 9")
    assert verdict(three, Starter("A")) == ("Illegal", "start.4")
    stranger = three._replace(step=PairsStage.LOT)
    assert verdict(stranger, Starter("C")) == ("Illegal", "start.4")


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_a_tie_is_stuck_exactly_if_no_shuffle_helps(seed: int) -> None:
    """Every choice of burned cards is tried: is there one that leaves a card that is no pair?"""
    rng = Random(seed)
    cards = [rank for rank in DECK.cards for _ in range(int(rank))]
    rng.shuffle(cards)
    rows: dict[str, list[int]] = {seat: [] for seat in "ABCDEFGH"}
    keep = rng.randint(3, 9)
    while len(cards) > keep:
        card = int(cards.pop())
        takers = [row for row in rows.values() if card not in row]
        if not takers:
            cards.append(card)
            break
        rng.choice(takers).append(card)
    state = holding(rows)
    state = state._replace(due=tuple(rng.sample(list(rows), rng.randint(2, 4))))
    left = [rank for rank, n in enumerate(pairs.outside(state), 1) for _ in range(n)]
    if len(left) > 12:
        return

    def helped(seat: str) -> bool:
        places = range(len(left))
        return any(
            left[i] not in rows[seat]
            for burned in combinations(places, min(BURNED, len(left)))
            for i in set(places) - set(burned)
        )

    assert stuck(state) == (not all(map(helped, state.due)))


def test_what_the_table_may_let_stand() -> None:
    state = begun("ABC", "7 3 9")
    turned = pairs.let_stand(state, Hit("A", 8))
    assert turned is not None
    assert pairs.to_act(turned) == ("B",)
    dear = pairs.let_stand(state, Fold("B", 7))
    assert dear is not None
    assert dear.totals == {"A": 0, "B": 7, "C": 0}
    early = pairs.let_stand(state, Shuffle())
    assert early is not None
    assert early.stock == 55 - 3 - BURNED
    tied = begun("ABC", "4 4 9")
    chosen = pairs.let_stand(tied, Starter("C"))
    assert chosen is not None
    assert pairs.to_act(chosen) == ("C",)
    gone = state._replace(unseen=(0, *state.unseen[1:]))
    for nonsense in (Hit("B", 1), Hit("B", 11), Fold("B", 1), Deal(), Reveal("B", 5)):
        assert pairs.let_stand(gone, nonsense) is None


def test_all_others_are_level_above_the_loser() -> None:
    """Ruling B11."""
    log = played(GAMES["pairs"], "ABCD", seed=3)
    ended = pairs.outcome(log.state)
    assert ended is not None
    assert ended.winners == ()
    [loser] = ended.losers
    ranks = ranking("ABCD", pairs.score(log.state), ended)
    assert [(rank.place, rank.lost) for rank in ranks] == [(1, False)] * 3 + [(4, True)]
    assert ranks[-1].seat == loser
    assert ranks[-1].points == max(log.state.totals.values())


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("limit", ["formula", "printed"])
def test_honest_matches_end_with_one_loser_who_alone_has_reached_the_limit(
    seats: int, limit: str
) -> None:
    for seed in range(4):
        log = played(GAMES["pairs"], "ABCDEFGH"[:seats], seed, options={"limit": limit})
        assert not any(isinstance(step.verdict, Illegal) for step in log.steps())
        state = log.state
        reached = [seat for seat, total in state.totals.items() if total >= state.limit]
        assert pairs.outcome(state).losers == tuple(reached)  # type: ignore[union-attr]
        assert len(reached) == 1
        assert sum(state.unseen) == state.stock + BURNED


def answer(sheet: str, seats: str = "A B C", option: str = "") -> dict[str, Any]:
    head = f"referee: 1\ntally: pairs\nseats: {seats}\n{option}\n"
    return report(read((head + sheet).encode(), GAMES), "en")


def test_a_tally_sheet_says_who_loses() -> None:
    """score.3."""
    found = answer("A: 9 7 5\nB: 10\nC:\n")
    assert found["score"] == {"A": 21, "B": 10, "C": 0}
    assert found["outcome"]["losers"] == ["A"]
    assert found["outcome"]["winners"] == []
    assert found["arithmetic"][0]["clause"] == "score.3"
    assert answer("A: 9 7\nB: 10\nC:\n")["outcome"] is None
    eight = "A: 8\nB:\nC:\nD:\nE:\nF:\nG:\nH:\n"
    seats = "A B C D E F G H"
    assert answer(eight, seats)["outcome"]["losers"] == ["A"]
    assert answer(eight, seats, "option: limit=printed\n")["outcome"] is None


@pytest.mark.parametrize(
    "sheet",
    ["A: 10 10 1\nB: 9 9 3\nC:", "A: 10*3\nB:\nC: 1*2", "A: 10*4\nB:\nC:", "A: 11\nB:\nC:"],
)
def test_a_tally_sheet_that_cannot_have_happened(sheet: str) -> None:
    with pytest.raises(Unreadable) as fault:
        answer(sheet)
    assert fault.value.fact in ("read_tally_limit", "read_too_many")


@pytest.mark.parametrize(("rank", "copies"), [("1", 1), ("11", 0)])
def test_a_round_entered_by_sheet_keeps_a_card_that_is_there(rank: str, copies: int) -> None:
    """B took the only 1 in the round before."""
    state = after(begun("AB", "2 1"), Fold("B"), Deal())
    lines = (SheetLine("A", "", ((None, rank),)), SheetLine("B", "", ()))
    with pytest.raises(Impossible) as fault:
        entered_as_sheet(state, lines)
    assert fault.value.values == {"card": int(rank), "entered": copies + 1, "copies": copies}


def test_the_options_of_the_ruling_book() -> None:
    assert pairs.OPTIONS["limit"].values == ("formula", "printed")
