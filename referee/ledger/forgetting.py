"""Removing the name of a deleted person from the stored matches of a group."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count

from referee.core.adjusting import Adjust
from referee.core.corrections import Decide
from referee.core.naming import renamed, unnamed
from referee.core.record import Grammar, Unreadable, print_header, quoted
from referee.core.sheets import Stop
from referee.core.verdict import Seat
from referee.games import game_of
from referee.headers import header_of
from referee.store import Clash, People, Rewritten, Store

FORGETTING = 5  # attempts to rewrite matches without a name while their tables play on


def forget(store: Store, circle: str, person: int, somebody: str) -> None:
    """Remove a person's name from everything that is stored of ``circle``.

    In the records ``somebody`` takes its place, with a number where that name is taken. Raises
    ``NoSuchCircle``, and ``Clash`` if one of their tables has new entries at every attempt.
    """
    people = People(store)
    for attempt in range(FORGETTING):
        forgotten = people.get(circle, person)
        rewritten = [
            _rewritten(store, match, seats, forgotten.name, somebody)
            for match, seats in people.named(forgotten.id).items()
        ]
        try:
            people.remove(circle, person, rewritten)
            break
        except Clash:  # new entries since the match was read
            if attempt == FORGETTING - 1:
                raise


def _rewritten(
    store: Store, match: str, seats: Sequence[Seat], gone: str, somebody: str
) -> Rewritten:
    """The stored form of ``match`` without the name ``gone``; ``seats`` become ``somebody``."""
    header = header_of(store, match)
    today = People(store).names(match)
    taken = {*header.seats, *today.values()}
    candidates = (f"{somebody} {n}" if n > 1 else somebody for n in count(1))
    free = (candidate for candidate in candidates if candidate not in taken)
    renaming = {seat: next(free) for seat in seats}
    now = tuple(renaming.get(seat, seat) for seat in header.seats)

    instead = next(iter(renaming.values()), somebody)
    said = partial(unnamed, names={gone, *seats}, instead=instead)
    game = game_of(header)
    before, after = Grammar(game, header.seats), Grammar(game, now)
    entries = store.read(match)
    lines = {
        stored.seq: line
        for stored in entries
        if (line := _without(stored.line, renaming, said, before, after)) != stored.line
    }
    texts = {key: text if key == "date" else said(text) for key, text in header.texts.items()}
    header = replace(header, seats=now, texts=texts)
    return Rewritten(match, "\n".join(print_header(header)), renaming, lines, said, len(entries))


def _without(
    line: str,
    renaming: Mapping[Seat, Seat],
    said: Callable[[str], str],
    before: Grammar,
    after: Grammar,
) -> str:
    """A stored line, read with ``before`` and written with ``after``, with its seats renamed.

    ``said``: returns a text of a person without the name.
    """
    try:
        entry = before.parse(line)
        before.hear(entry)
        entry = renamed(entry, renaming)
        if isinstance(entry, Decide | Stop | Adjust) and entry.reason:
            entry = replace(entry, reason=said(entry.reason))
        return after.print(entry)
    except Unreadable:  # today's rules cannot read the line; the name is removed all the same
        for seat, name in renaming.items():
            word = rf"(?<![^\s=]){re.escape(quoted(seat))}(?!\S)"
            line = re.sub(word, quoted(name), line)
        return line
