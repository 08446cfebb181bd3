"""A deal read again after it is over: what everybody could see at each entry, and what it proves.

Nothing here answers for a deal that goes on: not even from public facts, which a player would have
to count in the head.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from referee.core.drawn import DrawnHands
from referee.core.draws import Draws
from referee.core.hands import Hands
from referee.core.hidden import SURE, DeclarationOdds, Knowledge, held_then
from referee.core.log import Log, Moment, Step, steps
from referee.core.sheets import TableSheet
from referee.core.verdict import Card, Finding, Seat
from referee.insight.grid import Cell, Grid, grid


class NotOver(Exception):
    """The deal goes on, or it has not begun: there is no review of it."""

    def __init__(self, deal: int) -> None:
        super().__init__(deal)
        self.deal = deal


class Declaration(NamedTuple):
    """A declaration by an entry: ``seat`` holds nothing but ``only``.

    ``odds``: how likely it was by what everybody saw with this entry, before it is believed;
    ``known``: the same after the last entry of the deal. None where it is not counted.
    """

    seat: Seat
    only: tuple[Card, ...]
    odds: Fraction | None
    known: Fraction | None


class Read(NamedTuple):
    """An entry in force, read again. ``grid``: after it; None where it is not counted.

    ``hands``: what is known of hands after it, ``end``: after the last entry of the deal; None
    where it is not followed. ``could_beat``: see ``Hooks.could_beat``.
    """

    step: Step
    hands: Hands | Draws | None
    end: Hands | Draws | None
    knowledge: Knowledge | None
    declarations: tuple[Declaration, ...]
    could_beat: dict[str, object] | None

    @property
    def grid(self) -> Grid | None:
        return grid(self.knowledge) if self.knowledge else None

    @property
    def hindsight(self) -> Grid | None:
        """The hands after this entry by all that the deal has shown; None where not counted."""
        then, end, seen = self.hands, self.end, self.grid
        if then is None or end is None or not seen or not seen.rows:
            return None
        rows = []
        for row in seen.rows:
            if row.kind != "hand" or row.seat is None:
                continue
            cells = []
            for card in end.deck.cards:
                odds = held_then(then, end, row.seat, card, self.step.depth)
                if odds is None:
                    return None
                cells.append(Cell(card, int(odds == SURE), row.cards if odds else 0, odds))
            rows.append(row._replace(cells=tuple(cells)))
        return Grid(seen.ways, tuple(rows))


class Revoke(NamedTuple):
    """An infraction with the entry that completed its proof.

    ``doubt``: from the offence to the proof, each entry with the odds that the declaration was
    false; empty where this is not counted.
    """

    finding: Finding
    provable: int
    doubt: tuple[tuple[int, Fraction], ...]


class Review(NamedTuple):
    """A finished deal, 1-based."""

    deal: int
    entries: tuple[Read, ...]
    revokes: tuple[Revoke, ...]


def finished(log: Log, moment: Moment | None = None) -> tuple[int, ...]:
    """The deals that are over at ``moment`` (now), 1-based.

    Where cards of one deal stay in the next, none is over before the match.
    """
    state = log.state_at(moment or log.now)
    last = int(state.deal)
    if log.game.outcome(state):
        return tuple(range(1, last + 1))
    if log.game.HOOKS.carried:
        return ()
    return tuple(range(1, last + (not log.game.to_act(state))))


def review(log: Log, deal: int, moment: Moment | None = None) -> Review:
    """Deal number ``deal`` as it stands at ``moment`` (now); raises ``NotOver``.

    Nothing is known of the cards of a deal that was entered as a sheet.
    """
    moment = moment or log.now
    if deal not in finished(log, moment):
        raise NotOver(deal)
    played = [step for step in reversed(list(steps(moment.step))) if step.state.deal == deal]
    by_sheet = any(isinstance(step.play, TableSheet) and _took_effect(step) for step in played)
    known = [None if by_sheet else log.game.HOOKS.knowledge(step.state) for step in played]
    end = {said.claim: said.odds for said in (known[-1].said if known and known[-1] else ())}
    hands = list(_hands(log, played, known))
    entries = tuple(
        Read(
            step,
            then,
            hands[-1],
            knowledge,
            _declared(step, knowledge, end),
            log.game.HOOKS.could_beat(step.before.state if step.before else log.start, step.play),
        )
        for step, then, knowledge in zip(played, hands, known, strict=True)
    )
    found = [f for f in log.findings(moment) if any(f.at == step.seq for step in played)]
    return Review(deal, entries, tuple(_revoke(finding, entries) for finding in found))


def _hands(
    log: Log, played: list[Step], known: list[Knowledge | None]
) -> Iterator[Hands | Draws | None]:
    """What is known of hands after each entry: from the state, or followed play by play.

    None from an entry on that the table let stand against the cards, and while cards are handed on.
    """
    happened, followed = log.game.HOOKS.happened, True
    draws: Draws | None = None
    for step, knowledge in zip(played, known, strict=True):
        if log.game.HOOKS.exchanging(step.state):
            yield None
            continue
        hands = getattr(step.state, "hands", None)
        if isinstance(hands, DrawnHands):
            hands = hands.draws
        if isinstance(hands, Hands | Draws):
            yield hands
            continue
        if knowledge and happened and followed and _took_effect(step):
            draws = draws or Draws.dealt(knowledge.deck, log.table.seats, 0)
            before = step.before.state if step.before else log.start
            facts = happened(before, step.play, step.state)
            followed = draws.allows(*facts)
            draws = draws.add(*facts) if followed else None
        yield draws


def _took_effect(step: Step) -> bool:
    return step.depth > (step.before.depth if step.before else 0)


def _declared(
    step: Step, knowledge: Knowledge | None, end: dict[Any, Fraction | None]
) -> tuple[Declaration, ...]:
    if knowledge is None or not _took_effect(step):
        return ()
    deck = knowledge.deck
    return tuple(
        Declaration(
            said.claim.seat,
            tuple(card for card in deck.cards if card in said.claim.only),
            said.odds,
            end.get(said.claim),
        )
        for said in knowledge.said
        if said.claim.at == step.depth
    )


def _revoke(finding: Finding, entries: tuple[Read, ...]) -> Revoke:
    provable = finding.proof[-1] if finding.proof else finding.at
    offence = next(read for read in entries if read.step.seq == finding.at)
    doubt = []
    for read in entries[entries.index(offence) :]:
        odds = next((s.odds for s in _said(read) if s.claim.at == offence.step.depth), None)
        if odds is not None and (read is offence or _took_effect(read.step)):
            doubt.append((read.step.seq, 1 - odds))
        if read.step.seq == provable:
            break
    return Revoke(finding, provable, tuple(doubt))


def _said(read: Read) -> tuple[DeclarationOdds, ...]:
    return read.knowledge.said if read.knowledge else ()
