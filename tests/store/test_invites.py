"""Invitations: what they are made of, how long they hold, how seldom a guess is right."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.http.invites import (
    CODE_LENGTH,
    LETTERS,
    WINDOW_SECONDS,
    WRONG_HERE,
    WRONG_IN_ALL,
    Guesses,
    Keeper,
    digest,
    key_in,
    plain,
)
from referee.store import NOBODYS, Doors, Invite, Store


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    store = Store(tmp_path / "referee.db")
    yield Doors(store)
    store.close()


def test_a_guess_hits_a_table_less_often_than_once_in_a_million_evenings() -> None:
    evening_seconds = 8 * 60 * 60
    guesses = evening_seconds / WINDOW_SECONDS * WRONG_IN_ALL
    assert guesses / len(LETTERS) ** CODE_LENGTH <= 1e-6


def test_codes_have_no_letter_that_is_read_as_another() -> None:
    assert not set("0O1IL") & set(LETTERS)
    assert len(LETTERS) == len(set(LETTERS)) == 31


def test_an_invitation_is_shown_again_until_it_runs_out(doors: Doors) -> None:
    keeper = Keeper(doors, b"k" * 32)
    first = keeper.invitation("table", NOBODYS, "m")
    assert keeper.invitation("table", NOBODYS, "m").text == first.text
    assert keeper.invitation("table", NOBODYS, "n").text != first.text
    found = keeper.opens(first.text)
    assert found is not None
    assert (found.kind, found.match) == ("table", "m")
    keeper.renew(NOBODYS, "m")
    assert keeper.opens(first.text) is None


def test_a_code_knocks_and_opens_nothing(doors: Doors) -> None:
    keeper = Keeper(doors, b"k" * 32)
    code = keeper.invitation("code", NOBODYS, "m")
    assert len(code.text) == CODE_LENGTH
    assert 9 <= code.minutes() <= 10
    assert keeper.opens(code.text) is None
    assert keeper.answers(f" {code.text[:3].lower()} - {code.text[3:]}") is not None
    assert keeper.answers(keeper.invitation("table", NOBODYS, "m").text) is None


def test_a_claim_opens_once(doors: Doors) -> None:
    keeper = Keeper(doors, b"k" * 32)
    claim = keeper.invitation("claim", NOBODYS)
    found = keeper.opens(claim.text)
    assert found is not None
    assert keeper.opens(claim.text) == found  # looking at it is not using it
    keeper.used(found)
    assert keeper.opens(claim.text) is None


def test_with_another_key_there_is_another_invitation(doors: Doors) -> None:
    """As after a backup was brought back, which holds no key."""
    old = Keeper(doors, b"k" * 32).invitation("table", NOBODYS, "m")
    new = Keeper(doors, b"l" * 32).invitation("table", NOBODYS, "m")
    assert new.text != old.text
    assert Keeper(doors, b"l" * 32).opens(new.text) is not None


def test_what_has_run_out_is_forgotten(doors: Doors) -> None:
    past, later = "2024-01-01T00:00:00.000+00:00", "2999-01-01T00:00:00.000+00:00"
    doors.invite(digest("old"), Invite("table", NOBODYS, "m", "n", past))
    assert doors.invitation(digest("old")) is None
    doors.invite(digest("new"), Invite("table", NOBODYS, "m", "o", later))
    assert doors._store._rows("SELECT count(*) FROM invites", ()) == [(1,)]


EIGHT = datetime(2026, 7, 4, 20, 0, tzinfo=UTC)
KEY_OF_TESTS = b"k" * 32


def test_wrong_codes_are_forgiven_after_ten_minutes(doors: Doors) -> None:
    time = [EIGHT]
    guesses = Guesses(doors, KEY_OF_TESTS, clock=lambda: time[0])
    for host in range(WRONG_IN_ALL):
        assert guesses.begin(f"10.0.0.{host}") is not None
    assert guesses.begin("10.0.1.1") is None
    time[0] += timedelta(seconds=WINDOW_SECONDS + 1)
    assert guesses.begin("10.0.1.1") is not None
    assert doors._store._rows("SELECT count(*) FROM guesses", ()) == [(1,)]


def test_a_clock_that_was_days_ahead_locks_nobody_out(doors: Doors) -> None:
    time = [datetime.now(UTC) + timedelta(days=3)]
    guesses = Guesses(doors, KEY_OF_TESTS, clock=lambda: time[0])
    for number in range(WRONG_IN_ALL):
        guesses.begin(f"10.0.0.{number}")
    assert guesses.begin("10.0.1.1") is None
    time[0] -= timedelta(days=3)
    assert guesses.begin("10.0.1.1") is not None
    for number in range(WRONG_IN_ALL - 1):
        assert guesses.begin(f"10.0.2.{number}") is not None
    assert guesses.begin("10.0.1.2") is None


def test_one_address_alone_does_not_use_up_the_guesses_of_others(doors: Doors) -> None:
    guesses = Guesses(doors, KEY_OF_TESTS)
    tries = [guesses.begin("10.0.0.1") for _ in range(WRONG_HERE + 3)]
    assert tries[WRONG_HERE:] == [None] * 3
    assert guesses.begin("10.0.0.2") is not None


def test_a_right_code_is_not_counted(doors: Doors) -> None:
    guesses = Guesses(doors, KEY_OF_TESTS)
    for _ in range(3 * WRONG_IN_ALL):
        guess = guesses.begin("10.0.0.1")
        assert guess is not None
        guesses.right(guess)


@pytest.mark.parametrize(
    ("address", "neighbour", "stranger"),
    [
        ("2001:db8:1:2::7", "2001:db8:1:2:ffff::1", "2001:db8:1:3::7"),
        ("::ffff:10.0.0.1", "10.0.0.1", "::ffff:10.0.0.2"),
        ("unknown", "unknown", ""),
    ],
)
def test_guesses_of_one_network_count_together(
    doors: Doors, address: str, neighbour: str, stranger: str
) -> None:
    guesses = Guesses(doors, KEY_OF_TESTS)
    tries = [guesses.begin((address, neighbour)[n % 2]) for n in range(WRONG_HERE + 1)]
    assert tries.count(None) == 1
    assert guesses.begin(stranger) is not None


def test_refusing_guesses_writes_nothing(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    guesses = Guesses(doors, KEY_OF_TESTS)
    for host in range(WRONG_IN_ALL):
        guesses.begin(f"10.0.0.{host}")
    monkeypatch.delattr(doors._store, "_transaction")
    assert [guesses.begin(f"10.0.1.{host}") for host in range(50)] == [None] * 50


def test_several_servers_give_no_more_guesses_than_one(tmp_path: Path) -> None:
    """Each thread has a store of its own, as processes have; all begin at once."""
    stores = [Store(tmp_path / "referee.db") for _ in range(4)]
    together = Barrier(len(stores))

    def guessed(number: int) -> int:
        guesses = Guesses(Doors(stores[number]), KEY_OF_TESTS)
        together.wait()
        tries = (guesses.begin(f"10.{number}.0.{host}") for host in range(WRONG_IN_ALL))
        return sum(guess is not None for guess in tries)

    with ThreadPoolExecutor(len(stores)) as threads:
        assert sum(threads.map(guessed, range(len(stores)))) == WRONG_IN_ALL
    for store in stores:
        store.close()


def test_one_address_gets_no_more_guesses_from_several_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each looks before any of them writes."""
    stores = [Store(tmp_path / "referee.db") for _ in range(WRONG_HERE + 3)]
    together, look = Barrier(len(stores)), Doors.guesses

    def looked(doors: Doors, since: str, until: str) -> list[str]:
        found = look(doors, since, until)
        together.wait()
        return found

    monkeypatch.setattr(Doors, "guesses", looked)
    with ThreadPoolExecutor(len(stores)) as threads:
        guesses = [Guesses(Doors(store), KEY_OF_TESTS) for store in stores]
        found = list(threads.map(lambda each: each.begin("10.0.0.1"), guesses))
    assert sum(guess is not None for guess in found) == WRONG_HERE
    for store in stores:
        store.close()


def test_addresses_of_guessers_are_not_in_the_file(doors: Doors) -> None:
    Guesses(doors, KEY_OF_TESTS).begin("203.0.113.66")
    [(stored,)] = doors._store._rows("SELECT who FROM guesses", ())
    assert "203.0.113.66" not in stored
    assert stored != digest("203.0.113.66")


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    key = key_in(tmp_path)
    assert len(key) == 32
    assert key_in(tmp_path) == key
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "secret.key").write_bytes(b"")  # cut short by a full disk
    assert len(key_in(tmp_path)) == 32


def test_a_key_is_made_where_files_have_one_name_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system without hard links."""

    def refused(*_names: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refused)
    assert key_in(tmp_path) == key_in(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]


def test_servers_that_begin_at_once_have_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second one comes whenever the first has put something into the folder."""
    found = []
    opened = os.open

    def interrupted(*args: Any) -> int:
        handle = opened(*args)
        monkeypatch.setattr(os, "open", opened)
        assert not (tmp_path / "secret.key").exists()  # nobody finds it before it is whole
        found.append(key_in(tmp_path))
        return handle

    monkeypatch.setattr(os, "open", interrupted)
    found.append(key_in(tmp_path))
    assert len({*found, key_in(tmp_path)}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]


@pytest.mark.parametrize("typed", ["7K4M2Q", "7k4-m2q", " 7K4–M2Q ", "７Ｋ４Ｍ２Ｑ"])
def test_a_code_may_be_typed_as_people_type(typed: str) -> None:
    assert plain(typed) == "7K4M2Q"


def test_servers_that_share_a_database_get_their_key_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_KEY", "0123456789abcdef0123456789abcdef")
    assert key_in(tmp_path / "one") == key_in(tmp_path / "other")
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("REFEREE_KEY", "secret")
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    answer = CliRunner().invoke(main, ["circles", "-"])
    assert answer.exit_code == 1
    assert "openssl rand" in answer.output
