"""The facts that verdicts on cards, places and the order of ranks rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.copies import Copies
from referee.core.hidden import HiddenPlace, Knowledge, placed
from referee.core.moves import Drew, Fact, Played, Turned
from referee.core.pyramid import POSITIONS, Pyramid, covers
from referee.core.verdict import Evidence, Facts, Illegal, Seat, evidence
from referee.games.pairs_daifugo.plays import Deal, Lay, Play, Row, Turn
from referee.games.pairs_daifugo.state import DECK, PAIR, State, high


def copies_short(state: State, counts: Mapping[int, int]) -> Illegal | None:
    """Why ``counts`` more copies, by rank, can't turn up; None if they can."""
    for rank, count in counts.items():
        if rank not in DECK:
            return not_in_deck(rank)
        left = state.copies.unseen(rank)
        if count > left:
            values = {"rank": rank, "copies": DECK.copies[rank - 1], "left": left, "count": count}
            fact = Evidence("copies_short" if left else "copies_gone", values)
            return Illegal("deck.2", (fact, *_where(state.copies, rank)))
    return None


def _where(copies: Copies, rank: int) -> Iterator[Evidence]:
    """The entries that show the copies of ``rank``."""
    for found in copies.where(rank):
        values = {"seat": found.seat, "rank": rank, "copies": found.copies}
        yield Evidence(found.how, values, found.at)


def order(state: State) -> Evidence:
    """The fact which rank is strongest now, and the entry that decided it."""
    pair = next((laid for laid in state.trick if laid.size == PAIR), None)
    strongest = high(state)
    if pair and (strongest == 10) != state.reversed:
        return Evidence("order_pairs", {"high": strongest}, pair.at)
    if pair and state.reversed:
        return Evidence("order_stays", {"high": strongest}, state.revolution)
    if state.revolution:
        return Evidence("order_revolution", {"high": strongest}, state.revolution)
    return Evidence("order_usual", {"high": strongest})


def covered(pyramid: Pyramid, seat: Seat, place: str) -> Facts:
    """Why a card under other cards can't be used, or turned up, now."""
    on_it = covers(pyramid, place)
    return there("still_covered" if on_it else "not_yet_turned", seat, place, places=on_it)


def there(fact: str, seat: Seat, place: str, **values: object) -> Facts:
    """A fact about a pyramid card, with its place as people find it."""
    row, card = POSITIONS[place]
    return evidence(fact, seat=seat, place=place, row=row, card=card, **values)


def not_in_deck(rank: int) -> Illegal:
    return Illegal("deck.1", evidence("not_in_deck", rank=rank, top=DECK.cards[-1]))


def knowledge(state: State) -> Knowledge | None:
    """What is known of hands, of face-down cards of pyramids, and of cards not dealt."""
    if not state.deal:
        return None
    hands = [HiddenPlace("hand", seat, 0, count) for seat, count in state.hands.items()]
    down = {seat: sum(card is None for card in p.values()) for seat, p in state.pyramids.items()}
    pyramids = [HiddenPlace("pyramid", seat, 0, count) for seat, count in down.items() if count]
    unseen = sum(state.copies.unseen(card) * one for card, one in DECK.one.items())
    found = placed(unseen, (*hands, *pyramids), "rest")
    return Knowledge(DECK, (found,) if found else ())


def happened(before: State, play: Play, after: State) -> tuple[Fact, ...]:
    """How a play moved cards; cards of a pyramid are in no hand."""
    match play:
        case Deal():
            return tuple(Drew(seat, count) for seat, count in after.hands.items())
        case Row(_, ranks):
            return (Turned(ranks, after.at),)
        case Turn(_, _, rank):
            return (Turned((rank,), after.at),)
        case Lay(seat, ranks, using):
            hidden = [place for place in using if before.pyramids[seat].get(place) is None]
            held = ranks[len(using) :]
            facts: list[Fact] = [Turned((ranks[0],) * len(hidden), after.at)] if hidden else []
            return (*facts, Played(seat, held, after.at)) if held else tuple(facts)
    return ()
