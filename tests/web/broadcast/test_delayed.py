"""With a delay, what was undone meanwhile is never seen, and nothing is seen early."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from time import process_time

import pytest
from flask import Flask
from parsed import parsed

from referee.core.game import Game
from referee.core.log import Log
from referee.core.record import Grammar, Header
from referee.core.verdict import word_of
from referee.games import GAMES
from referee.games.simulation import WIDEST, table
from referee.ledger import Ledger, View
from referee.ledger.replayed import new_entry
from referee.store import Stored
from referee.store.broadcasts import Broadcast, Broadcasts
from referee.web.broadcast.released import FeedLine, Released, released
from tools import leaks

START = datetime(2026, 1, 1, tzinfo=UTC)
SEATS = ("A", "B", "C")
MATCHES = 8 * len(leaks.ALL)


def known(delay: int, now: int, *made: tuple[int, str]) -> Released:
    """What is known after ``now`` seconds of lines with the seconds at which they were made."""
    game = GAMES[WIDEST]
    log, grammar = Log(game, table(game, SEATS)), Grammar(game, SEATS)
    there = [(second, line) for second, line in made if second <= now]
    for _, line in there:
        log.push(grammar.parse(line))
    stored = stored_as(there)
    view = View("", Header(WIDEST, SEATS), log, grammar, len(log), log.now)
    return released(view, stored, delay, START + timedelta(seconds=now))


def stored_as(made: Sequence[tuple[int, str]]) -> list[Stored]:
    """Lines as they are stored, made at these seconds."""
    times = ((START + timedelta(seconds=second)).isoformat() for second, _ in made)
    return [Stored(seq, "", "", "", "", "", at) for seq, at in enumerate(times, 1)]


def lines(found: Released, after: int = 0) -> list[str]:
    return [f"{row.number} {row.line}" for row in found.feed(after)]


DEAL, FIRST, UNDO = (0, "table deal leader=A"), (10, "A lay 4"), (15, "table rewind 1")


def test_an_entry_comes_when_its_time_has_come() -> None:
    assert known(30, 29, DEAL, FIRST).last == 0
    found = known(30, 30, DEAL, FIRST)
    assert (found.last, found.view.seq, found.due) == (1, 1, 10)
    assert known(30, 40, DEAL, FIRST).due is None
    assert lines(known(30, 40, DEAL, FIRST)) == ["1 table deal leader=A", "2 A lay 4"]


def test_what_was_undone_in_time_is_never_said() -> None:
    found = known(30, 40, DEAL, FIRST, UNDO)
    assert lines(found) == ["1 table deal leader=A", "2 table rewind 1"]
    assert found.view.seq == 1
    later = known(30, 60, DEAL, FIRST, UNDO)
    assert list(later.lines()) == ["table deal leader=A", "table rewind 1", "table rewind 1"]


def test_what_was_undone_too_late_is_seen_to_be_undone_later() -> None:
    late = (50, "table rewind 1")
    assert known(30, 55, DEAL, FIRST, late).view.seq == 2
    assert known(30, 80, DEAL, FIRST, late).view.seq == 3


def test_what_comes_back_is_heard_again_before_what_brought_it_back() -> None:
    redo = (100, "table rewind 2")
    found = known(30, 130, DEAL, FIRST, UNDO, redo)
    assert lines(found, after=3) == ["2 A lay 4", "4 table rewind 2"]
    assert [row.again for row in found.feed(3)] == [True, False]
    assert list(found.lines())[1] == "A lay 4"


def test_without_a_delay_everything_is_known_at_once() -> None:
    found = known(0, 15, DEAL, FIRST, UNDO)
    assert found.view is found.whole
    assert next(iter(found.feed(1))) == FeedLine(2, "A lay 4", "legal", "follow.1", again=False)


def test_a_match_that_was_undone_and_redone_all_the_time_costs_little() -> None:
    """Each entry of a long match is undone and redone within the delay."""
    made = [(0, "table deal leader=A")]
    while len(made) < 3_000:
        last = len(made)
        made += [
            (last, "A lay 4"),
            (last, f"table rewind {last}"),
            (last, f"table rewind {last + 1}"),
        ]
        made += [(last, f"table rewind {last}")]
    found = known(300, 3_400, *made)
    began = process_time()
    again = released(found.whole, stored_as(made), 300, START + timedelta(seconds=3_400))
    assert process_time() - began < 1
    assert again.last == len(made)


def test_onlookers_of_random_matches_learn_only_what_the_log_says() -> None:
    """Matches in which people err, undo, correct and object; `python -m tools.leaks` plays more."""
    for number in range(MATCHES):
        game = leaks.ALL[number % len(leaks.ALL)]
        match = leaks.recorded(game, number, 20)
        delay = leaks.DELAYS[number % len(leaks.DELAYS)]
        assert list(leaks.leaks(match, delay, Random(number))) == [], (game.NAME, number)


@pytest.mark.parametrize("game", leaks.ALL, ids=lambda game: game.NAME)
def test_a_delayed_page_is_the_page_of_what_was_released(app: Flask, game: Game) -> None:
    """At another table, without a delay, on which nothing else was entered."""
    ledger: Ledger = app.extensions["ledger"]
    store, made = ledger.store, leaks.recorded(game, 3, 25)
    late = Stored(0, "", "", "", "", "", (datetime.now(UTC) - timedelta(hours=2)).isoformat())
    whole, part = (ledger.open(made.header).match for _ in range(2))
    for match in (whole, part):
        replayed = ledger._replayed(match)
        for entry in made.log.entries:
            verdict = replayed.log.consider(entry).verdict
            row = new_entry(replayed, entry, verdict, f"{len(replayed.log):08}")
            assert row.verdict == word_of(verdict)
            store.append(match, len(replayed.log), [row], 0)
            ledger.view(match)
            if match == part and len(replayed.log) == 12:
                break
    with store._transaction() as db:
        db.execute("UPDATE entries SET at = ? WHERE seq <= 12", (late.at,))
    Broadcasts(store).begin("w" * 22, Broadcast(whole, "w", 300))
    Broadcasts(store).begin("p" * 22, Broadcast(part, "p", 0))
    client = app.test_client()
    shown = [_shown(client.get(f"/live/{secret * 22}").text) for secret in "wp"]
    assert shown[0] == shown[1]


def _shown(page: str) -> str:
    """The page without the sign that says how late it is."""
    live = parsed(page).select_one("#live")
    assert live is not None
    return re.sub(r'<span class="lamp on">[^<]*</span>', "", live.decode_contents())
