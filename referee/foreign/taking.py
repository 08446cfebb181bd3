"""From plays of other programs to matches of a group: who is who, when it was, and each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from referee import zones
from referee.core.normalised import compared
from referee.foreign.plays import ForeignPlay, ForeignPlayer, told_apart
from referee.history import records
from referee.store import new_id
from referee.store.foreign import ForeignMatch


class SamePerson(Exception):
    """Two people of one play would be the same person here: the play's number and the name."""

    def __init__(self, number: int, name: str) -> None:
        super().__init__(number, name)
        self.number, self.name = number, name


class When(NamedTuple):
    """How the times of a file are read: in ``zone``, or as UTC."""

    zone: str
    utc: bool

    def opened(self, clock: datetime) -> str:
        """The moment at which a match of this time counts as opened, as it is stored.

        It has no seconds: that marks a match whose entries were made on another day. Raises
        ``OverflowError`` at either end of the calendar.
        """
        sharp = clock.replace(second=0, microsecond=0)
        return zones.stored(
            sharp.replace(tzinfo=UTC) if self.utc else zones.instant(sharp, self.zone)
        )

    def shown(self, clock: datetime) -> datetime:
        """The time that the group will see."""
        return zones.local(self.opened(clock), self.zone)


def people(plays: Iterable[ForeignPlay]) -> list[ForeignPlayer]:
    """Each person of these plays once, in the order in which they first appear."""
    found: dict[str, ForeignPlayer] = {}
    for play in plays:
        for player in play.players:
            if player.known:
                found.setdefault(player.known, player)
    return list(found.values())


def matched(
    players: Iterable[ForeignPlayer], chosen: Mapping[str, str], here: Iterable[str]
) -> dict[str, str]:
    """Who each of ``players`` most likely is, by what the file calls the person.

    The choice of last time, else one of the names ``here`` that is the same but for width, case
    and blanks, else a new person with the name in the file.
    """
    same = {compared(name): name for name in here}
    return {
        player.known: chosen.get(player.known) or same.get(compared(player.name), player.name)
        for player in players
    }


def matches(
    plays: Sequence[ForeignPlay], who: Mapping[str, str], when: When, language: str
) -> Iterator[ForeignMatch]:
    """The matches that these plays are; ``who``: the name here of each person of the file."""
    for play in plays:
        yield _match(play, who, when, language)


def require_different(plays: Iterable[ForeignPlay], who: Mapping[str, str]) -> None:
    """Raise ``SamePerson`` if two people of one play would be the same one."""
    for play in plays:
        names = [who[player.known] for player in play.players if player.known]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise SamePerson(play.number, name)


def _match(play: ForeignPlay, who: Mapping[str, str], when: When, language: str) -> ForeignMatch:
    renamed = [
        ForeignPlayer(who[player.known], player.known) if player.known else player
        for player in play.players
    ]
    players = told_apart(renamed)
    text = play.record([player.name for player in players], when.shown(play.clock).date())
    ready = records.ready(records.load(text.encode(), language))
    return ForeignMatch(
        new_id(),
        play.keys,
        ready.header,
        ready.seats,
        frozenset(player.name for player in players if not player.known),
        ready.entries,
        when.opened(play.clock),
    )
