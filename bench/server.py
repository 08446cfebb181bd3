"""Server time of a play, compared with a bare Flask route that makes one durable SQLite commit."""

from __future__ import annotations

import secrets
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import flask
from sqlite_utils.utils import sqlite3

from bench.timing import seconds
from referee.app import create_app
from referee.core.log import Log
from referee.core.record import Header
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import WIDEST, played, player, room_of
from referee.kit.game import KitGame
from referee.kit.shipped import games as files
from referee.ledger import Ledger, View
from referee.server.serve import rarely_collect
from referee.store import NewEntry

TIMES = 400
PLAYS = 200
NAMES = ("A", "B", "C", "D", "E", "F", "G")


def run() -> None:
    """Print the bare route and a play at entry 5 and at entry 500, interleaved."""
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare(Path(folder))
        app = create_app(Path(folder))
        rarely_collect()  # as the server does
        client, ledger = app.test_client(), app.extensions["ledger"]
        works = {"bare Flask route, one durable commit": bare}
        for entry in (5, 501):
            works[f"play at entry {entry - entry % 5}"] = _player(
                client, ledger, entry, partial=True
            )
        works["play at entry 5, whole page"] = _player(client, ledger, 5, partial=False)
        taken: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(TIMES):
            for name, work in works.items():
                taken[name].append(work())
    print("\nServer time of a play (form in, durable, fragment out), milliseconds")
    base = statistics.median(taken["bare Flask route, one durable commit"])
    for name, times in taken.items():
        middle, worst = statistics.median(times), statistics.quantiles(times, n=100)[98]
        ratio = middle / base
        print(f"  {name:40} p50 {middle * 1e3:6.3f}   p99 {worst * 1e3:7.3f}   {ratio:4.2f} × bare")


def games() -> None:
    """Print the processor time of a play at a table of every game, game files included."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Path(folder))
        client, ledger = app.test_client(), app.extensions["ledger"]
        every = {name: _match_of(ledger, name) for name in ON_CARDS}
        every |= {f"{game.KEY} (a file)": _match_of_file(ledger, game) for game in files().values()}
        taken: dict[str, list[float]] = {name: [] for name in every}
        for turn in range(PLAYS):
            for name, (match, lines) in every.items():
                if turn < len(lines):
                    taken[name].append(_play(client, match, lines[turn], turn))
    print("\nProcessor time of a play at a table (form in, durable, fragment out), milliseconds")
    for name, times in sorted(taken.items(), key=lambda row: statistics.median(row[1])):
        print(f"  {name:24} p50 {statistics.median(times) * 1e3:6.2f}   {len(times)} plays")


def _match_of(ledger: Ledger, name: str) -> tuple[str, list[str]]:
    """A new match of a built-in game, and the lines of an honest one."""
    seats = GAMES[name].SEATS
    names = NAMES[: 4 if 4 in seats else seats[0]]
    view = ledger.open(Header(name, names))
    return view.match, [
        view.grammar.print(entry) for entry in played(view.game, names, 1, most=PLAYS).entries
    ]


def _match_of_file(ledger: Ledger, game: KitGame) -> tuple[str, list[str]]:
    """As ``_match_of``, for a game file."""
    names = NAMES[: 4 if 4 in game.SEATS else game.SEATS[0]]
    ledger.store.game_files.keep((game.hash, game.KEY, game.text))
    view = ledger.open(Header(game.KEY, names, named={"kit": game.hash}))
    log = Log(game, view.log.table)
    for entry in player(room_of(game))(log, Random(1), 0, 0):
        log.push(entry)
        if len(log) >= PLAYS:
            break
    return view.match, [view.grammar.print(entry) for entry in log.entries]


def _play(client: flask.testing.FlaskClient, match: str, line: str, seen: int) -> float:
    """Processor time of one line from a phone that has the page open, in seconds."""
    data = {"line": line, "seen": seen, "key": secrets.token_urlsafe(8)}
    headers = {"HX-Request": "true", "Sec-Fetch-Site": "same-origin"}
    began = time.process_time()
    answer = client.post(f"/t/{match}/play", data=data, headers=headers)
    taken = time.process_time() - began
    assert answer.status_code == 200, (line, answer.status_code)
    return taken


def _bare(folder: Path) -> Callable[[], float]:
    app = flask.Flask("bare")
    db = sqlite3.connect(folder / "bare.db", isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE entries (id INTEGER PRIMARY KEY, line TEXT)")

    @app.post("/play")
    def play() -> str:
        db.execute("INSERT INTO entries (line) VALUES (?)", (flask.request.form["line"],))
        return "<p>ok</p>"

    client = app.test_client()
    return lambda: seconds(lambda: client.post("/play", data={"line": "A lay 4"}))


def _player(
    client: flask.testing.FlaskClient, ledger: Ledger, entry: int, *, partial: bool
) -> Callable[[], float]:
    """Plays at ``entry``, each on a table of its own that has got there by plays and undos.

    Before each one a play is made and undone at another table, as phones do all the time: the
    replay that loads a table leaves the caches of the processor full of it.
    """
    other, *tables = (_table(ledger, entry, seed) for seed in range(TIMES + 1))
    headers = {"HX-Request": "true"} if partial else {}
    headers["Sec-Fetch-Site"] = "same-origin"
    seen = other[0].seq

    def play(match: str, line: str, seen: int) -> float:
        data = {"line": line, "seen": seen, "key": secrets.token_urlsafe(8)}
        url = f"/t/{match}/play"
        return seconds(lambda: client.post(url, data=data, headers=headers))

    def once() -> float:
        nonlocal seen
        view, line = tables.pop()
        client.get(f"/t/{view.match}")  # loads the match into memory
        play(other[0].match, other[1], seen)
        play(other[0].match, f"table rewind {seen}", seen + 1)
        seen += 2
        return play(view.match, line, view.seq)

    return once


def _table(ledger: Ledger, entry: int, seed: int) -> tuple[View, str]:
    """A table of five after ``entry`` − 1 entries, and the next line to play."""
    names = ("A", "B", "C", "D", "E")
    view = ledger.open(Header(WIDEST, names))
    log = played(view.game, names, seed, most=5)
    *lines, line = map(view.grammar.print, log.entries)
    while len(lines) < entry - 1:  # undone and redone, as at real tables
        lines.append(f"table rewind {len(lines) - 1}")
        lines.append(f"table rewind {len(lines) - 1}")
    rows = [NewEntry(text, f"k{i}", "legal", "-", "-") for i, text in enumerate(lines)]
    ledger.store.append(view.match, 0, rows)
    return ledger.view(view.match), line
