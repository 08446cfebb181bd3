"""Histories into another installation and out again, and results for other programs."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import pytest
import years
from waiting import PATIENCE

from referee.core.record import Header, Unreadable
from referee.games.simulation import WIDEST
from referee.history import counting, exchange, exports, records
from referee.jukugo.decks import KanjiDeck, write_deck
from referee.jukugo.library import open_deck
from referee.ledger import Ledger
from referee.ledger.forgetting import forget
from referee.store import Circles, Clash, Doors, People, Store, archive
from referee.store.archive import AgreedWord, Archive
from referee.store.past import Past
from referee.store.played import Placing, PlayedMatch

MATCHES = 24


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store(tmp_path_factory.mktemp("home") / "referee.db")
    years.keep(store, "", MATCHES, seed=1)
    session = Circles(store).sessions("")[0].id
    Circles(store).describe("", session, "公民館", "雨, and “quotes”")
    shiho = next(person for person in People(store).of() if person.name == "シホ")
    People(store).rename("", shiho.id, "しほ")
    counting.catch_up(store)
    yield store
    store.close()


@pytest.fixture
def away(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "referee.db")
    yield store
    store.close()


def test_a_deck_that_a_note_only_speaks_of_stays_here(tmp_path: Path) -> None:
    first, *others = open_deck().cards
    deck = KanjiDeck((first._replace(value=5), *others))
    store = Store(tmp_path / "library.db")
    store.shelf.keep_deck(deck.id, write_deck(deck), "theirs", "another circle")
    Ledger(store).open(Header(WIDEST, ("A", "B"), texts={"note": f"deck: {deck.id}"}))
    assert Archive(store, "").decks() == []
    session = Circles(store).sessions("")[0].id
    whole = exchange.read("".join(exchange.write(*_of(store), "", session)).encode())
    assert (len(whole.matches), whole.decks) == (1, [])
    store.close()


def test_a_word_names_no_match_of_another_circle(home: Store, away: Store) -> None:
    whole = exchange.read(written(home))
    exchange.take_in(Archive(away, ""), whole)
    Doors(away).greet("a phone")
    circle = Circles(away).create("a phone")
    word = AgreedWord("学校", True, whole.matches[0].opened, whole.matches[0].id)
    Archive(away, circle).agree([word])
    assert Archive(away, circle).words() == [word._replace(match=None)]


def _of(store: Store) -> tuple[Archive, Past]:
    return Archive(store, ""), Past(store, "")


def written(store: Store) -> bytes:
    counting.catch_up(store)
    return "".join(exchange.write(*_of(store), "水曜会")).encode()


def test_out_in_and_out_again_gives_the_same_bytes(home: Store, away: Store) -> None:
    source = b"".join(exchange.packed(iter([written(home).decode()])))
    steps: list[int] = []
    whole = exchange.read(source)
    assert exchange.take_in(Archive(away, ""), whole, steps.append) == MATCHES == sum(steps)
    assert written(away) == written(home)
    assert b"".join(exchange.packed(iter([written(away).decode()]))) == source
    assert exports.as_csv(Past(away, "").each(), "") == exports.as_csv(Past(home, "").each(), "")
    assert "しほ" in written(away).decode()
    assert [s[:2] for s in Past(away, "").standings()] != []
    numbers = [s[1:] for s in Past(home, "").standings()]
    assert [s[1:] for s in Past(away, "").standings()] == numbers


def test_what_is_there_already_is_not_doubled_and_goes_on_where_it_ends(
    home: Store, away: Store
) -> None:
    whole = exchange.read(written(home))
    shorter = [match._replace(entries=match.entries[:5]) for match in whole.matches]
    archive = Archive(away, "")
    assert exchange.take_in(archive, whole._replace(matches=shorter)) == MATCHES
    grown = sum(len(match.entries) > 5 for match in whole.matches)
    assert exchange.take_in(archive, whole) == grown > 0
    assert exchange.take_in(archive, whole) == 0
    assert exchange.take_in(archive, whole._replace(matches=shorter)) == 0
    assert written(away) == written(home)


def test_another_log_under_the_same_id_is_refused(home: Store, away: Store) -> None:
    whole = exchange.read(written(home))
    exchange.take_in(Archive(away, ""), whole)
    entries = list(whole.matches[3].entries)
    entries[2] = entries[2]._replace(line="table rewind 0")
    other = whole.matches[3]._replace(entries=entries)
    with pytest.raises(Clash, match=other.id):
        exchange.take_in(Archive(away, ""), whole._replace(matches=[other]))
    assert written(away) == written(home)


def test_a_match_of_another_circle_is_out_of_reach(home: Store, away: Store) -> None:
    whole = exchange.read(written(home))
    exchange.take_in(Archive(away, ""), whole)
    Doors(away).greet("a phone")
    circle = Circles(away).create("a phone")
    with pytest.raises(exchange.Elsewhere):
        exchange.take_in(Archive(away, circle), whole)
    assert not any(Archive(away, circle).contents())  # nobody, no evening, no match
    with pytest.raises(IndexError):
        Archive(away, circle).get(whole.matches[0].id, Archive(away, circle).contents())


def test_a_file_of_an_evening_begins_before_its_matches_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "long.db")
    Ledger(store).open(Header(WIDEST, ("A", "B")))
    session = Circles(store).sessions("")[0].id
    pieces = exchange.write(Archive(store, ""), Past(store, ""), "", session)
    with monkeypatch.context() as patched:
        patched.delattr(Archive, "some")
        text = next(pieces)
    assert exchange.read("".join((text, *pieces)).encode()).matches
    store.close()


@pytest.mark.parametrize("alone", [False, True])
def test_a_person_renamed_merged_or_forgotten_meanwhile_spoils_no_file(
    tmp_path: Path, away: Store, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a new evening: where all goes on while a long history is on its way."""
    for module in (archive, exchange):
        monkeypatch.setattr(module, "SOME", 1)  # match by match
    store = Store(tmp_path / "busy.db")
    ledger, people = Ledger(store), People(store)
    for seats in (("A", "B"), ("C", "D"), ("E", "B")):
        ledger.open(Header(WIDEST, seats))
    known = {person.name: person.id for person in people.of()}
    session = Circles(store).sessions("")[0].id if alone else None
    pieces = exchange.write(Archive(store, ""), Past(store, ""), "", session)
    text = next(pieces)
    people.rename("", known["A"], "Anna")
    people.merge("", known["E"], known["C"])
    with store._transaction() as db:
        db.execute("INSERT INTO sessions VALUES (99, '', '2001-01-01T00:00:00.000+00:00', '', '')")
        db.execute("UPDATE matches SET session = 99")
    while '"C":"C"' not in text:
        text += next(pieces)
    forget(ledger.store, "", known["B"], "somebody")
    people.rename("", known["C"], "Chris")
    whole = exchange.read("".join((text, *pieces)).encode())
    assert exchange.take_in(Archive(away, ""), whole) == 3
    assert [set(match.seats.values()) for match in whole.matches][:2] == [{"A", "B"}, {"C", "D"}]
    assert {match.session for match in whole.matches} == {e.began for e in whole.sessions}
    if not alone:
        assert list(whole.matches[2].seats.values()) == ["C", None]
        assert "B" not in whole.matches[2].header.partition("seats:")[2].split()
    store.close()


def test_a_history_is_read_while_somebody_writes(home: Store) -> None:
    before = written(home)
    with ThreadPoolExecutor(1) as reader, home._transaction() as db:
        db.execute("UPDATE people SET name = 'nobody yet' WHERE name = 'しほ'")
        assert reader.submit(written, home).result(timeout=PATIENCE) == before
        db.execute("UPDATE people SET name = 'しほ' WHERE name = 'nobody yet'")


def test_an_evening_alone_names_only_its_players(home: Store) -> None:
    session = Circles(home).sessions("")[-1]
    text = "".join(exchange.write(Archive(home, ""), Past(home, ""), "", session.id))
    whole = exchange.read(text.encode())
    assert [match.id for match in whole.matches] == Circles(home).held(session.id)
    assert {evening.began for evening in whole.sessions} == {session.began}
    assert {m.name for m in whole.people} == {n for m in whole.matches for n in m.seats.values()}


BEGINNING = b'{"format": "referee-history", "version": 1, "matches": ['


def test_what_is_no_history_is_not_even_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("referee.history.exchange.decode")
    for source in (
        gzip.compress(BEGINNING + b"[]," * 1_000_000, mtime=0),
        gzip.compress(b"[" + b"[]," * 1000, mtime=0),
        b'{"a": [' + b"[]," * 1000,
    ):
        with pytest.raises(Unreadable, match=r"read_(history|sent_size)"):
            exchange.read(source)


def test_what_a_history_does_not_need_costs_no_memory() -> None:
    nested = BEGINNING.replace(b'"version": 2', b'"version": 1') + b"[]," * 2_000_000 + b"0]}"
    tracemalloc.start()
    with pytest.raises(Unreadable):
        exchange.read(nested)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * len(nested)  # lists of Python take thirty times as much


def test_a_history_laid_out_in_another_way_can_be_read(home: Store) -> None:
    plain = written(home)
    wide = json.dumps(json.loads(plain), indent=2).encode()
    assert exchange.read(wide) == exchange.read(plain)


def test_the_matches_of_a_file_are_read_one_by_one(home: Store, tmp_path: Path) -> None:
    path = tmp_path / "history.json.gz"
    path.write_bytes(gzip.compress(written(home)))
    with path.open("rb") as file:
        whole = exchange.scan(file)
        assert not isinstance(whole.matches, list)
        assert list(whole.matches) == list(whole.matches) == exchange.read(written(home)).matches


def test_a_history_that_ends_early_is_refused(home: Store) -> None:
    lines = written(home).splitlines(keepends=True)
    for cut in (b"".join(lines[:-1]), b"".join([*lines, lines[-2]])):
        with pytest.raises(Unreadable):
            exchange.read(cut)


def test_a_real_history_is_far_from_a_bomb(home: Store) -> None:
    plain = written(home)
    source = b"".join(exchange.packed(iter([plain.decode()])))
    assert len(plain) < records.MOST_TIMES / 4 * len(source)


def broken(home: Store, change: Any) -> bytes:
    found = json.loads(written(home))
    change(found)
    return json.dumps(found).encode()


@pytest.mark.parametrize(
    "name", ["", "table", 'a\\"b', "a\\nb", "a\\u0000b", "a\\u202eb", " a", "a  b", "Z" * 41]
)
def test_names_that_no_form_takes_are_not_taken_in(home: Store, name: str) -> None:
    source = written(home).decode().replace(':"しほ"', f':"{name}"')  # in people and at seats
    with pytest.raises(Unreadable) as fault:
        exchange.read(source.encode())
    assert fault.value.fact == "read_history_part"


def test_seats_that_no_form_takes_are_not_taken_in(home: Store) -> None:
    match = json.loads(written(home))["matches"][0]
    seat = next(iter(match["seats"]))

    def change(found: Any) -> None:
        changed = json.dumps(match, ensure_ascii=False).replace(seat, "Z" * 41)
        found["matches"][0] = json.loads(changed)
        found["matches"][0]["seats"]["Z" * 41] = None

    with pytest.raises(Unreadable) as fault:
        exchange.read(broken(home, change))
    assert (fault.value.fact, fault.value.values["text"]) == ("read_history_match", "seats")


@pytest.mark.parametrize("day", ["1899-12-30", "3000-01-02", "9999-12-31", "0001-01-01"])
@pytest.mark.parametrize(
    "put",
    [
        lambda found, at: found["people"][0].update(played=at),
        lambda found, at: found["sessions"][0].update(began=at),
        lambda found, at: found["matches"][0].update(opened=at),
        lambda found, at: found["matches"][0]["entries"][0].__setitem__(4, at),
        lambda found, at: found["words"].append(
            {"form": "学校", "counts": True, "at": at, "match": None}
        ),
    ],
    ids=["people", "sessions", "matches", "entries", "words"],
)
def test_times_of_no_calendar_are_not_taken_in(home: Store, put: Any, day: str) -> None:
    with pytest.raises(Unreadable) as fault:
        exchange.read(broken(home, lambda found: put(found, f"{day}T23:59:59+00:00")))
    assert fault.value.fact == "read_history_part"


@pytest.mark.parametrize(
    ("fact", "change"),
    [
        ("read_history", lambda f: f.update(format="something")),
        ("read_history_version", lambda f: f.update(version=2)),
        ("read_history_part", lambda f: f.update(people=[1])),
        ("read_history_part", lambda f: f["people"][0].update(played="yesterday")),
        ("read_history_part", lambda f: f["matches"][0].update(entries="none")),
        ("read_history_match", lambda f: f["matches"][0].update(id="../../etc")),
        ("read_history_match", lambda f: f["matches"][0].update(header=7)),
        ("read_history_match", lambda f: f["matches"][0].update(seats={"A": "A"})),
        ("read_history_match", lambda f: f["matches"][0].update(session="2001-01-01T00:00:00Z")),
        ("read_history_part", lambda f: f["matches"][0].update(session=None)),
        ("read_history_match", lambda f: f["matches"][0]["entries"][0].pop()),
        ("read_history_match", lambda f: f["matches"][0]["entries"][0].__setitem__(1, "maybe")),
        ("read_verb", lambda f: f["matches"][0]["entries"][0].__setitem__(0, "table dances")),
    ],
)
def test_what_can_not_be_read_is_named(home: Store, fact: str, change: Any) -> None:
    with pytest.raises(Unreadable) as fault:
        exchange.read(broken(home, change))
    assert fault.value.fact == fact


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"{",
        b"[]",
        b"\x1f\x8b",
        b"\x1f\x8bzzzz",
        b"\xff\xfe",
        gzip.compress(b"{}", mtime=0)[:-4],
        gzip.compress(b"{}" * 99, mtime=0)[:10] + b"\xff" * 30,
    ],
)
def test_files_of_another_kind_are_reported(source: bytes) -> None:
    with pytest.raises(Unreadable):
        exchange.read(source)


def played(name: str) -> PlayedMatch:
    seats = (Placing(2, 2, name, -3, 2, False), Placing(1, 1, "あかね", 12, 1, True))
    opened = "2025-01-08T10:00:00.000+00:00"
    return PlayedMatch(  # type: ignore[call-arg]
        *("m", 1, opened, WIDEST, True, 9, 0, 0, 90_000, "points", *[False] * 4), seats
    )


def test_rows_for_a_spreadsheet_carry_no_formula() -> None:
    text = exports.as_csv([played("=HYPERLINK(1)")], "")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert [row["name"] for row in rows] == ["あかね", "'=HYPERLINK(1)"]
    assert rows[1]["points"] == "-3"
    assert rows[0]["minutes"] == "1.5"


def _written(path: Path, store: Store) -> int:
    """The file for datasette is written; returns in how many steps."""
    return sum(1 for _step in exports.as_database(path, *_of(store)))


def test_a_file_for_datasette_that_can_not_be_filled_is_closed(
    home: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []

    def fail(db: exports.Database, *args: object) -> NoReturn:
        opened.append(db)
        raise OSError("the disk is full")

    monkeypatch.setattr(exports, "_fill", fail)
    with pytest.raises(OSError, match="full"):
        _written(tmp_path / "history.db", home)
    with pytest.raises(Exception, match="closed"):
        opened[0].conn.execute("SELECT 1")


def test_a_circle_without_a_match_has_a_file_for_datasette_too(away: Store, tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    _written(path, away)
    with closing(sqlite3.connect(path)) as db:
        tables = ("sessions", "people", "matches", "entries", "results")
        assert all(db.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,) for name in tables)


def test_the_file_for_datasette_has_keys_and_whole_tables(home: Store, tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    _written(path, home)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        won = dict(db.execute("SELECT name, sum(won) FROM standings GROUP BY name"))
        assert won == {s.name: s.won for s in Past(home, "").standings()}
        entries = db.execute("SELECT count(*) FROM entries").fetchone()[0]
        assert entries == home._rows("SELECT count(*) FROM entries", ())[0][0]
        linked = db.execute("SELECT count(*) FROM pragma_foreign_key_list('results')").fetchone()
        assert linked == (2,)
