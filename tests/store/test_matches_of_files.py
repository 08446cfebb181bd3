"""Matches of a game that is a file: the store keeps the file, and exports take it along."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.record import Header, Unreadable
from referee.core.verdict import Unprovable
from referee.history import counting, exchange, exports, records
from referee.kit.game import KitGame
from referee.kit.load import load
from referee.ledger import Ledger
from referee.ledger.forgetting import forget
from referee.store import Circles, People, Store, moving
from referee.store.archive import Archive
from referee.store.past import Past

FILE = Path(__file__).parents[2] / "referee" / "kit" / "shipped" / "whist.toml"
SEATS = ("あかね", "B", "C", "D")
LINES = ("table deal leader=あかね turn=H5", "あかね lay S10", "B lay S2", "C lay D3", "D lay S4")


@pytest.fixture
def game() -> KitGame:
    return load(FILE.read_bytes())


@pytest.fixture
def store(tmp_path: Path, game: KitGame) -> Iterator[Store]:
    store = Store(tmp_path / "referee.db")
    store.game_files.register((game.hash, game.KEY, game.text), "")
    yield store
    store.close()


def played(store: Store, game: KitGame) -> str:
    """A match with the ``LINES``; C has declared that there are no spades."""
    ledger = Ledger(store)
    header = Header(game.KEY, SEATS, named={"kit": game.hash})
    match = ledger.open(header).match
    for seen, line in enumerate(LINES):
        answer = ledger.declare(match, line, seen, f"key {seen}")
    assert answer.seq == len(LINES)
    assert isinstance(ledger.view(match).log.moments[4].verdict, Unprovable)
    return match


def test_another_ledger_plays_on_by_the_stored_file(store: Store, game: KitGame) -> None:
    match = played(store, game)
    store.game_files.put_away(game.hash, "")
    ledger = Ledger(store)
    ledger.declare(match, "あかね lay D4", 5, "more")
    for seen, line in enumerate(("B lay D5", "C lay S3"), 6):
        ledger.declare(match, line, seen, f"more {seen}")
    assert [(found.seat, found.at) for found in ledger.view(match).findings()] == [("C", 4)]
    assert store.game_files.of("") == []


def test_a_table_needs_a_file_that_is_here(store: Store) -> None:
    with pytest.raises(Unreadable):
        Ledger(store).open(Header("whist", SEATS, named={"kit": "0" * 64}))


def test_a_name_is_taken_out_of_a_match_of_a_file(store: Store, game: KitGame) -> None:
    match = played(store, game)
    person = next(person for person in People(store).of("") if person.name == "あかね")
    forget(store, "", person.id, "X")
    assert Ledger(store).view(match).header.seats == ("X", "B", "C", "D")


def test_records_take_their_file_along(store: Store, game: KitGame, tmp_path: Path) -> None:
    match = played(store, game)
    [path] = records.export_all(store, tmp_path / "out")
    assert (path.parent / f"{game.NAME}.toml").read_text() == game.text

    def find(name: str) -> str | None:
        file = path.parent / name
        return file.read_text() if file.is_file() else None

    other = Store(tmp_path / "other.db")
    taken = records.add(other, records.load(path.read_bytes(), "en", find))
    assert records.export(other, taken) == records.export(store, match)
    other.close()


def test_a_history_takes_its_files_along(store: Store, game: KitGame, tmp_path: Path) -> None:
    played(store, game)
    written = "".join(exchange.write(Archive(store, ""), Past(store, ""), ""))
    other = Store(tmp_path / "other.db")
    assert exchange.take_in(Archive(other, ""), exchange.read(written.encode())) == 1
    assert [row.hash for row in other.game_files.of("")] == [game.hash]
    assert "".join(exchange.write(Archive(other, ""), Past(other, ""), "")) == written
    other.close()
    spoilt = json.loads(written)
    spoilt["games"][0]["text"] = "kit = 2"
    with pytest.raises(Unreadable):
        exchange.read(json.dumps(spoilt).encode())


def test_a_copy_has_the_files(store: Store, game: KitGame, tmp_path: Path) -> None:
    match = played(store, game)
    other = Store(tmp_path / "other.db")
    moving.copy(store, other, lambda count: None)
    assert Ledger(other).view(match).seq == len(LINES)
    assert other.game_files.of("")[0].text == game.text
    other.close()


def test_the_list_of_nobody_goes_to_the_circle_that_adopts_it(store: Store, game: KitGame) -> None:
    match = played(store, game)
    circle = Circles(store).only()
    assert [row.key for row in store.game_files.of(circle)] == ["whist"]
    assert Circles(store).of_match(match) == circle


def test_a_match_of_a_file_counts_under_its_edition(
    store: Store, game: KitGame, tmp_path: Path
) -> None:
    played(store, game)
    counting.catch_up(store)
    [match] = Past(store, "").each()
    assert match.game == game.NAME
    exports.as_database(tmp_path / "x.db", Archive(store, ""), Past(store, ""))
