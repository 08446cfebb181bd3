"""A foul that has just become provable: the sentence on the table, and what the table can do."""

from __future__ import annotations

from typing import NamedTuple

from referee.core.corrections import Rule
from referee.core.infractions import just_proven, undecided
from referee.core.record import form
from referee.core.standing import barred
from referee.core.verdict import Card, Finding
from referee.http import access, language
from referee.http.current import book_at
from referee.ledger import View
from referee.ledger.view import left_by
from referee.rulings.sentences import accusation
from referee.screens import screen
from referee.web.review.reading import Reading
from referee.web.table import seats

POLICIES = {"let_stand": "rule", "rewind": "rewind", "void_deal": "void"}
"""The corrections by which a table answers a proven foul, by the house rule ``revoke_policy``."""


class Proven(NamedTuple):
    """A foul in entry ``number``; ``more``: how many others await a decision.

    ``choices``: the corrections that this phone may make, each with the entry that it aims at.
    """

    says: str
    number: int
    more: int
    choices: tuple[tuple[str, int], ...]


def proven(view: View) -> Proven | None:
    """The foul that the last entry has proven; between deals and at the end, any undecided one."""
    last = left_by(view.log, view.seq)
    if not last:
        return None
    waiting = undecided(view.log, view.moment)
    found = just_proven(view.log, last) if view.to_act else waiting
    if not found:
        return None
    accused = seats.finding_then(seats.former(view), found[0])
    said = accusation(accused, _card(view, accused), book_at(view), language.current())
    return Proven(said, found[0].at, len(waiting) - 1, _choices(view, found[0]))


def _card(view: View, found: Finding) -> Card | None:
    """The card that was played illegally; None if it was another kind of entry."""
    step = view.step(found.at)
    if step is None or form(step.play.FORM).verb != "lay":
        return None
    return screen(view.game.NAME).card(step.play)


def _choices(view: View, found: Finding) -> tuple[tuple[str, int], ...]:
    """What this phone may do about a foul, the house rule of the table first."""
    entry = Rule(found.at)
    if barred(access.standing(view), view.log, entry, view.log.consider(entry)):
        return ()
    reading = Reading(view)
    possible = {*reading.actions(reading.entry(found.at)), "rewind"}
    policy = POLICIES.get(view.log.table.option("revoke_policy"))
    verbs = sorted(POLICIES.values(), key=lambda verb: verb != policy)
    return tuple((verb, found.at - (verb == "rewind")) for verb in verbs if verb in possible)
