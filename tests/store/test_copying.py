"""`referee copy`: there and back again, whole or not at all."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
import years
from click.testing import CliRunner, Result
from cluster import Schemas
from introduced import introduced
from waiting import PATIENCE

from referee.cli import main
from referee.games.simulation import WIDEST
from referee.store import NOBODYS, Circles, NewEntry, People, Store
from referee.upkeep import copying

pytestmark = pytest.mark.file("moves between both engines, in the run on SQLite")


@pytest.fixture
def address(schemas: Schemas) -> Iterator[str]:
    schema = schemas.take()
    yield schemas.cluster.address(schema)
    schemas.give_back(schema)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A file with a circle, its people and evenings, a deck, and words agreed on."""
    path = tmp_path / "home.db"
    store = Store(path)
    circle = introduced(store)
    years.keep(store, circle, 6)
    store.shelf.keep_deck("id", "csv,\n", "うちの札", circle)
    store.shelf.agree("一期一会", True, circle)
    store.close()
    return path


def copied(source: str, target: str) -> Result:
    return CliRunner().invoke(main, ["copy", "--from", source, "--to", target])


def test_there_and_back_nothing_is_different(home: Path, address: str, tmp_path: Path) -> None:
    for source, target in ((f"sqlite:{home}", address), (address, f"sqlite:{tmp_path / 'b.db'}")):
        done = copied(source, target)
        assert done.exit_code == 0, done.output
        assert "tables and the exports of all groups are equal" in done.output
    ours, theirs = Store(home), Store(tmp_path / "b.db")
    for table in ("results", "feats", "ratings", "duels"):  # counted anew, to the same end
        query = f"SELECT * FROM {table}"
        assert sorted(ours._rows(query), key=repr) == sorted(theirs._rows(query), key=repr)
    ours.close()
    theirs.close()


def test_what_was_copied_goes_on(home: Path, address: str) -> None:
    copied(f"sqlite:{home}", address)
    store = Store(address)
    [circle] = Circles(store).all()
    people = {person.id for person in People(store).of(circle.id)}
    store.open("new", f"referee: 1\ngame: {WIDEST}\nseats: 新人 B", ["新人", "B"], circle.id)
    assert {person.id for person in People(store).of(circle.id)} > people
    store.append("new", 0, [NewEntry("table deal leader=B", "k", "legal", "-", "-")])
    store.close()


def test_a_target_that_holds_something_is_left_alone(home: Path, address: str) -> None:
    store = Store(address)
    store.open("m", f"referee: 1\ngame: {WIDEST}\nseats: A B")
    store.close()
    done = copied(f"sqlite:{home}", address)
    assert done.exit_code == 1
    assert "not empty" in done.output
    store = Store(address)
    assert [match.id for match in store.matches()] == ["m"]
    store.close()


def test_a_copy_that_was_killed_after_its_commit_is_taken_up_again(
    home: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(copying, "_count", killed)
        assert copied(f"sqlite:{home}", address).exit_code != 0
    again = copied(f"sqlite:{home}", address)
    assert again.exit_code == 0, again.output
    assert "has these rows already" in again.output
    assert "tables and the exports of all groups are equal" in again.output
    store = Store(address)
    assert store._rows("SELECT count(*) FROM digests") == [(6,)]
    store.open("one more", "referee: 1\ngame: x\nseats: A", ["A"], NOBODYS)
    store.close()
    refused = copied(f"sqlite:{home}", address)
    assert refused.exit_code != 0
    assert "holds other data" in refused.output


def test_beside_a_program_that_has_either_open_nothing_is_copied(
    home: Path, address: str, tmp_path: Path
) -> None:
    file, empty = f"sqlite:{home}", tmp_path / "empty.db"
    for source, target, open_one, named in (
        (file, address, home, "the source"),
        (file, address, address, "the target"),
        (file, f"sqlite:{empty}", empty, "the target"),
        (address, f"sqlite:{empty}", address, "the source"),
    ):
        with closing(Store(open_one)):
            refused = copied(source, target)
        assert refused.exit_code == 1
        assert f"another referee uses {named}; nothing was changed" in refused.output
    done = copied(file, address)
    assert done.exit_code == 0, done.output


def test_a_program_that_has_just_ended_is_not_in_the_way(address: str) -> None:
    """The server lists a connection until the process that worked for it has ended."""
    from referee.store import postgres

    other = Store(address)
    ending = threading.Timer(0.3, other.close)
    ending.start()
    assert not postgres.in_use(address)
    ending.join()


def test_a_program_that_has_just_begun_is_seen(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connections are made in a thread, and get their name there."""
    from referee.store import postgres  # not in the tests without extras

    named = postgres._named

    def slowly(connection: postgres.Speaker) -> None:
        time.sleep(0.3)
        named(connection)

    monkeypatch.setattr(postgres, "_named", slowly)
    with closing(Store(address)):
        assert postgres.in_use(address)


def test_a_program_in_another_schema_of_the_database_is_not_in_the_way(
    home: Path, address: str, schemas: Schemas
) -> None:
    beside = schemas.take()
    neighbour = Store(schemas.cluster.address(beside))
    done = copied(f"sqlite:{home}", address)
    neighbour.close()
    schemas.give_back(beside)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("engine", ["file", "server"])
def test_copies_that_are_killed_anywhere_are_taken_up_again(
    home: Path, address: str, tmp_path: Path, engine: str
) -> None:
    target = address if engine == "server" else f"sqlite:{tmp_path / 'there.db'}"
    copy = [sys.executable, "-m", "referee", "copy", "--from", f"sqlite:{home}", "--to"]
    command = [*copy, target]
    began = time.monotonic()  # how fast the machine is
    subprocess.run([*copy, f"sqlite:{tmp_path / 'timed.db'}"], check=True, stdout=subprocess.PIPE)
    whole, kills = time.monotonic() - began, 0
    for part in (0.75, 0.2, 0.6, 0.7, 0.8, 0.9):
        copying = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with suppress(subprocess.TimeoutExpired):
            copying.wait(whole * part)
        kills += copying.poll() is None
        copying.kill()
        copying.communicate()
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert "tables and the exports of all groups are equal" in done.stdout
    assert kills


@pytest.mark.parametrize("source", ["sqlite:/nowhere/at/all.db", "mysql://secret@host/db", "x"])
def test_an_address_that_leads_nowhere(source: str, tmp_path: Path) -> None:
    done = copied(source, f"sqlite:{tmp_path / 'new.db'}")
    assert done.exit_code == 1
    assert "secret" not in done.output
