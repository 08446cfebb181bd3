"""What everybody could see in each deal: moves of cards, with the entries that show them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.core.cards import Deck
from referee.core.draws import Draws
from referee.core.game import ClaimGrounds
from referee.core.hands import HandClaim, Hands, Refutation
from referee.core.log import Log
from referee.core.moves import Drew, Fact, Gained, Lost, Played, Turned
from referee.core.steps import Step
from referee.core.verdict import Card, Seat


class Move(NamedTuple):
    """A move of cards that entry ``entry``, at position ``at``, shows.

    ``kind``: ``draws``, ``loses`` and ``claims`` have a ``number``; ``turns``, ``takes``,
    ``plays``, ``shows`` and ``says_only`` have ``cards``. Only ``turns`` has no seat.
    """

    at: int
    entry: int
    kind: str
    seat: Seat | None = None
    cards: tuple[Card, ...] = ()
    number: int = 0


class Claimed(NamedTuple):
    """A claim of the rest in entry ``entry``, which cards prove or refute."""

    entry: int
    seat: Seat
    grounds: ClaimGrounds


class DealMoves(NamedTuple):
    """The moves of one deal; ``refuted``: declarations that they exclude, at its end."""

    deck: Deck
    moves: list[Move]
    claims: list[Claimed]
    refuted: tuple[Refutation, ...]


def deals(log: Log) -> list[DealMoves]:
    """The moves of every deal in force in which cards were played."""
    found: list[DealMoves] = []
    number, before = 0, None
    for step in log.steps():
        hands = log.game.HOOKS.hands(step.state)
        if step.state.deal != number:
            number, before = step.state.deal, None
            if hands is not None and not step.by_sheet:
                found.append(DealMoves(step.state.deck, [], [], ()))
        if not found or hands is None or step.by_sheet:
            continue
        deal = found[-1]
        _note_claim(log, step, deal)
        if step.took_effect:
            deal.moves.extend(_moved(step, before, hands, log.table.seats))
            found[-1] = deal._replace(refuted=hands.refutations())
            before = hands
    return found


def _note_claim(log: Log, step: Step, deal: DealMoves) -> None:
    """Add the claim of ``step`` to ``deal``, if the cards have decided it."""
    grounds = log.game.HOOKS.grounds(log.before(step), step.play)
    if grounds is not None:
        deal.moves.append(Move(step.depth, step.seq, "claims", step.play.seat, (), grounds.tricks))
        deal.claims.append(Claimed(step.seq, step.play.seat, grounds))


def _moved(
    step: Step, before: Hands | Draws | None, after: Hands | Draws, seats: tuple[Seat, ...]
) -> Iterator[Move]:
    """The moves by which the hands ``before`` the step became those ``after`` it."""
    if isinstance(after, Draws):
        old = len(before.facts()) if isinstance(before, Draws) else 0
        for fact in after.facts()[old:]:
            yield _of_fact(step, fact)
        return
    assert not isinstance(before, Draws)
    at, entry = step.depth, step.seq
    for claim in {*after.claims, *(each.claim for each in after.refuted)}:
        if claim.at == at:
            yield _of_fact(step, claim)
    turned = [seen for seen in after.where(frozenset(after.deck.cards)) if seen.at == at]
    for seen in turned:
        if seen.seat not in seats:
            yield Move(at, entry, "turns", None, (seen.card,))
    for seat in seats:
        yield from _of_hand(step, seat, before, after)


def _of_fact(step: Step, fact: Fact) -> Move:
    """A fact of hands that draw, as a move."""
    at, entry = step.depth, step.seq
    match fact:
        case Drew(seat, size):
            return Move(at, entry, "draws", seat, (), size)
        case Gained(seat, card):
            return Move(at, entry, "takes", seat, (card,))
        case Turned(cards):
            return Move(at, entry, "turns", None, cards)
        case Played(seat, cards):
            return Move(at, entry, "plays", seat, cards)
        case Lost(seat):
            return Move(at, entry, "loses", seat, (), 1)
        case HandClaim(seat, _, only):
            listed = tuple(card for card in step.state.deck.cards if card in only)
            return Move(at, entry, "says_only", seat, listed)
        case _:
            return Move(at, entry, "shows", fact.seat, fact.cards)


def _of_hand(step: Step, seat: Seat, before: Hands | None, after: Hands) -> Iterator[Move]:
    """The moves of the hand of ``seat`` in a game in which no hand grows."""
    at, entry, cards = step.depth, step.seq, after.deck.cards
    had = before.held(seat) if before else 0
    if before is None and after.held(seat):
        yield Move(at, entry, "draws", seat, (), after.held(seat))
    if seat in after.kept and (before is None or seat not in before.kept):
        yield Move(at, entry, "shows", seat, (after.kept[seat],))
    if seat in after.shown and (before is None or seat not in before.shown):
        listed = after.deck.listed(after.deck.bag(after.shown[seat]))
        yield Move(at, entry, "shows", seat, listed)
    if before is None or after.held(seat) == had:
        return
    if after.seen is not before.seen and after.seen and after.seen.seat == seat:
        yield Move(at, entry, "plays", seat, (after.seen.card,))
        return
    rows = zip(cards, before.sure(seat), after.sure(seat), strict=True)
    known = tuple(card for card, old, new in rows if old > new)
    if known:
        yield Move(at, entry, "plays", seat, known)
    else:
        yield Move(at, entry, "loses", seat, (), had - after.held(seat))
