"""Several phones and servers in one second: a play counts once, or is refused with a reason."""

from __future__ import annotations

import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from threading import Barrier
from typing import NamedTuple
from urllib.parse import urlencode

import pytest
from flask import Flask
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from introduced import TOKEN, introduced
from phones import FIVE, Phone
from sockets import ask, stopped

from referee.app import create_app
from referee.core.record import Header
from referee.core.verdict import Illegal
from referee.games.simulation import WIDEST
from referee.http.invites import digest
from referee.ledger import Ledger
from referee.paths import DATABASE
from referee.store import Circles, Store
from torture.ports import free

PHONES, ROUNDS = 6, 12
KNOWN = {"Cookie": f"phone={TOKEN}", "Content-Type": "application/x-www-form-urlencoded"}
OFFERED = re.compile(r'<button[^>]*name="line" value="([^"]+)"')


def legal(ledger: Ledger, match: str, line: str) -> bool:
    return not isinstance(ledger.preview(match, line).verdict, Illegal)


class Servers(NamedTuple):
    """Two servers on one folder: their ports, a match, and the store beside them."""

    ports: Sequence[int]
    match: str
    store: Store

    def tap(self, phone: int, line: str, seen: int, key: str) -> int:
        """The answer of the phone's server."""
        body = urlencode({"line": line, "seen": seen, "key": key}).encode()
        port = self.ports[phone % len(self.ports)]
        return ask(port, "POST", f"/t/{self.match}/play", body, KNOWN)[0].status

    def at_once(self, taps: Sequence[tuple[str, int, str]]) -> list[int]:
        """The answers to phones that tap at the same instant."""
        together = Barrier(len(taps))

        def one(phone: int) -> int:
            together.wait()
            return self.tap(phone, *taps[phone])

        with ThreadPoolExecutor(len(taps)) as pool:
            return list(pool.map(one, range(len(taps))))

    def offered(self) -> list[str]:
        """The plays that the table page offers now."""
        answer, body = ask(self.ports[0], "GET", f"/t/{self.match}", headers=KNOWN)
        assert answer.status == 200
        return [unescape(line) for line in OFFERED.findall(body.decode())]

    def legal(self) -> str:
        """One of them that is legal."""
        ledger = Ledger(self.store)
        return next(line for line in self.offered() if legal(ledger, self.match, line))

    def log(self) -> list[str]:
        return [entry.line for entry in self.store.read(self.match)]


@pytest.fixture(scope="module")
def _running(
    tmp_path_factory: pytest.TempPathFactory, environment: Callable[[Path], dict[str, str]]
) -> Iterator[Servers]:
    folder = tmp_path_factory.mktemp("shared")
    store = Store(folder / DATABASE)
    introduced(store)
    first, second = free(), free()
    env = environment(folder / DATABASE)
    with (
        stopped(_server(folder, first, env), first),
        stopped(_server(folder, second, env), second),
    ):
        yield Servers((first, second), "", store)
    store.close()


@pytest.fixture
def servers(_running: Servers) -> Servers:
    """With a match of the test's own."""
    ledger = Ledger(_running.store)
    circle = Circles(_running.store).of(digest(TOKEN))[0].id
    match = ledger.open(Header(WIDEST, FIVE), circle).match
    ledger.declare(match, "table deal leader=A", 0, "the-first-deal")
    return _running._replace(match=match)


def _server(folder: Path, port: int, env: dict[str, str]) -> subprocess.Popen[bytes]:
    run = [sys.executable, "-m", "referee", "serve", "--host", "127.0.0.1", "--backup-every", "0"]
    command = [*run, "--port", str(port), "--data", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, env=env)


def test_of_six_different_plays_in_one_instant_one_counts(servers: Servers) -> None:
    for _ in range(ROUNDS):
        before = servers.log()
        lines = dict.fromkeys((servers.legal(), *servers.offered()))  # of six cards none might fit
        taps = [(line, len(before), secrets.token_urlsafe(9)) for line in lines][:PHONES]
        assert len(taps) > 1
        answers = servers.at_once(taps)
        assert answers.count(303) == 1
        assert set(answers) <= {200, 303, 409}  # 200: an illegal card, said to be one
        won = taps[answers.index(303)]
        assert servers.log() == [*before, won[0]]
        # the answer was lost: the phone says it again, and reaches the other server
        assert [servers.tap(phone, *won) for phone in range(2)] == [303, 303]
        lost = next(tap for tap in taps if tap is not won)
        assert servers.tap(0, lost[0], won[1], won[2]) == 409  # a used key with other content
        assert servers.log() == [*before, won[0]]


def test_one_play_that_is_sent_six_times_in_one_instant_counts_once(servers: Servers) -> None:
    """A key whose first request is still being answered."""
    for _ in range(ROUNDS):
        before = servers.log()
        tap = (servers.legal(), len(before), secrets.token_urlsafe(9))
        assert servers.at_once([tap] * PHONES) == [303] * PHONES
        assert servers.log() == [*before, tap[0]]


def test_undo_in_one_instant_goes_back_once(servers: Servers) -> None:
    assert servers.tap(0, servers.legal(), 1, secrets.token_urlsafe(9)) == 303
    before = servers.log()
    together = Barrier(PHONES)

    def undo(phone: int) -> int:
        body = urlencode({"seen": len(before), "key": secrets.token_urlsafe(9)}).encode()
        together.wait()
        path = f"/t/{servers.match}/undo"
        return ask(servers.ports[phone % 2], "POST", path, body, KNOWN)[0].status

    with ThreadPoolExecutor(PHONES) as pool:
        answers = list(pool.map(undo, range(PHONES)))
    assert 303 in answers
    assert set(answers) <= {303, 409}
    assert servers.log() == [*before, f"table rewind {len(before) - 1}"]


class Tapped(NamedTuple):
    """What a phone sent, so that it can send it again."""

    line: str
    seen: int
    key: str


class Table(RuleBasedStateMachine):
    """Phones on two servers with one file. The model is the list of lines that must be recorded."""

    def __init__(self, apps: Sequence[Flask]) -> None:
        super().__init__()
        self.apps = apps
        self.phones = [Phone(self.apps[number % 2].test_client()) for number in range(3)]
        first = self.phones[0].opens()
        known = first.client.get_cookie("phone")
        assert known
        for phone in self.phones:
            phone.match = first.match
            phone.client.set_cookie("phone", known.value)
        self.lines = ["table deal leader=A"]
        self.in_force: list[frozenset[int]] = [frozenset(), frozenset({1})]
        self.seen = [1, 1, 1]
        self.offers: list[list[str]] = [["A lay 1"]] * 3
        self.accepted: list[Tapped] = []

    def send(self, phone: int, tap: Tapped) -> int:
        path = f"/t/{self.phones[0].match}/play"
        return self.phones[phone].post(path, tap._asdict()).status_code

    def grown(self, line: str, in_force: frozenset[int]) -> None:
        self.lines.append(line)
        self.in_force.append(in_force | {len(self.lines)})

    @rule(phone=st.integers(0, 2))
    def look(self, phone: int) -> None:
        answer = self.phones[phone].get(f"/t/{self.phones[0].match}")
        assert answer.status_code == 200
        self.seen[phone] = len(self.lines)
        self.offers[phone] = [unescape(line) for line in OFFERED.findall(answer.text)]

    @rule(phone=st.integers(0, 2), choice=st.integers(0, 99))
    def tap(self, phone: int, choice: int) -> None:
        if not self.offers[phone]:
            return
        line = self.offers[phone][choice % len(self.offers[phone])]
        seen = self.seen[phone]
        tap = Tapped(line, seen, secrets.token_urlsafe(9))
        fresh = seen == len(self.lines)
        takes = fresh and legal(self.apps[0].extensions["ledger"], self.phones[0].match, line)
        status = self.send(phone, tap)
        if fresh and not takes:
            assert status == 200
        elif fresh:
            assert status == 303
            self.grown(line, self.in_force[-1])
            self.accepted.append(tap)
        else:  # somebody was faster: fine if they said the same and it stands
            same = self.lines[seen] == line and seen + 1 in self.in_force[-1]
            assert status == (303 if same else 409)

    @precondition(lambda self: self.accepted)
    @rule(phone=st.integers(0, 2), choice=st.integers(0, 99))
    def send_again(self, phone: int, choice: int) -> None:
        assert self.send(phone, self.accepted[choice % len(self.accepted)]) == 303

    @precondition(lambda self: self.accepted)
    @rule(phone=st.integers(0, 2), choice=st.integers(0, 99), card=st.integers(1, 15))
    def other_content_under_a_used_key(self, phone: int, choice: int, card: int) -> None:
        earlier = self.accepted[choice % len(self.accepted)]
        line = f"A lay {card}"
        assert self.send(phone, earlier._replace(line=line)) == (
            303 if line == earlier.line else 409
        )

    @rule(phone=st.integers(0, 2))
    def nonsense(self, phone: int) -> None:
        tap = Tapped("A lay a card", self.seen[phone], secrets.token_urlsafe(9))
        assert self.send(phone, tap) in (400, 409)

    @rule(phone=st.integers(0, 2))
    def undo(self, phone: int) -> None:
        path, seen = f"/t/{self.phones[0].match}/undo", self.seen[phone]
        data = {"seen": seen, "key": secrets.token_urlsafe(9)}
        status = self.phones[phone].post(path, data).status_code
        if seen != len(self.lines):
            assert status == 409
            return
        assert status == 303
        last = seen
        while last and self.lines[last - 1].startswith("table rewind"):
            last = int(self.lines[last - 1].rpartition(" ")[2])
        if last:  # otherwise there is nothing left to take back
            self.grown(f"table rewind {last - 1}", self.in_force[last - 1])

    @invariant()
    def both_servers_tell_the_same_log(self) -> None:
        for app in self.apps:
            view = app.extensions["ledger"].view(self.phones[0].match)
            assert [view.grammar.print(entry) for entry in view.log.entries] == self.lines


def test_the_table_is_what_the_answers_to_its_phones_said(tmp_path: Path) -> None:
    apps = [create_app(tmp_path, TESTING=True) for _ in range(2)]
    quick = settings(max_examples=8, stateful_step_count=20, phases=(Phase.generate,))
    wanted = settings() if settings().max_examples > 100 else quick  # as many as `explore` asks
    try:
        run_state_machine_as_test(lambda: Table(apps), settings=wanted)  # type: ignore[no-untyped-call]
    finally:
        for app in apps:
            app.extensions["ledger"].store.close()
