"""Records out of the store and into another one."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from referee.app import create_app
from referee.cli import main
from referee.core.record import Header, Unreadable, print_header
from referee.games.simulation import WIDEST
from referee.history.records import NotARecord, add, export, export_all, load
from referee.ledger import Ledger
from referee.store import NOBODYS, Circles, Doors, People, Store, new_id

RECORD = (
    f'referee: 1\ngame: {WIDEST}\nseats: A B "C D"\noption: rounds=1\nnote: 3 # of us\n\n'
    'table deal leader="C D"\n"C D" lay 3\nA lay 5\ntable amend 2 "C D" lay 4\n'
)


@pytest.fixture
def store(tmp_path: Path):
    opened = Store(tmp_path / "referee.db")
    yield opened
    opened.close()


def test_export_gives_back_what_was_imported(store: Store) -> None:
    match = add(store, load(RECORD.encode(), "en"))
    assert export(store, match) == RECORD


def test_an_imported_match_can_be_played_on(store: Store) -> None:
    match = add(store, load(RECORD.encode(), "en"))
    ledger = Ledger(store)
    assert ledger.declare(match, "B lay 1", 4, "k").seq == 5


def test_export_of_a_match_from_the_ledger_replays_elsewhere(store: Store, tmp_path: Path) -> None:
    ledger = Ledger(store)
    match = ledger.open(Header(WIDEST, ("A", "B", "C"))).match
    for seen, line in enumerate(["table deal leader=A", "A lay 4", "B lay 6", "table rewind 2"]):
        ledger.declare(match, line, seen, f"k{seen}")
    other = Store(tmp_path / "other.db")
    try:
        copy = add(other, load(export(store, match).encode(), "en"))
        assert export(other, copy) == export(store, match)
        assert Ledger(other).view(copy).state.trick == ledger.view(match).state.trick
    finally:
        other.close()


def test_what_does_not_replay_is_named_with_its_line() -> None:
    with pytest.raises(NotARecord) as found:
        load((RECORD + "B lay 77\n").encode(), "en")
    assert [fault.line for fault in found.value.faults] == [11]
    assert "77" in found.value.faults[0].text


def test_illegal_entries_are_taken_when_asked_for() -> None:
    assert len(load((RECORD + "B lay 77\n").encode(), "en", keep_illegal=True).entries) == 5


def test_every_match_becomes_a_file(store: Store, tmp_path: Path) -> None:
    add(store, load(RECORD.encode(), "en"))
    add(store, load(RECORD.encode(), "en"))
    paths = export_all(store, tmp_path / "out")
    assert len(paths) == 2
    assert all(path.read_text(encoding="utf-8") == RECORD for path in paths)


def test_the_command_imports_all_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(RECORD)
    bad.write_text(RECORD + "B lay 77\n")
    run = CliRunner().invoke
    refused = run(main, ["import", str(good), str(bad), "--lang", "en"])
    assert refused.exit_code == 1
    assert f"{bad}:11: " in refused.stderr
    assert run(main, ["export"]).stdout == ""
    taken = run(main, ["import", str(good)])
    assert taken.exit_code == 0
    match = taken.stdout.split()[-1]
    assert run(main, ["export", match]).stdout == RECORD
    assert run(main, ["import", str(good)]).stdout.split(": ")[1:] == ["here already", f"{match}\n"]
    assert run(main, ["export"]).stdout.count(match) == 1
    assert run(main, ["export", "nothing"]).exit_code == 1


def test_the_command_imports_archives_of_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    run, made = CliRunner().invoke, tmp_path / "records.zip"
    with ZipFile(made, "w") as archive:
        archive.writestr("1.txt", RECORD)
        archive.writestr("2.txt", RECORD.replace("A lay 5", "A lay 6"))
    lines = run(main, ["import", str(made)]).stdout.splitlines()
    assert [line.rpartition("/")[2].partition(":")[0] for line in lines] == ["1.txt", "2.txt"]
    assert run(main, ["export", lines[0].split()[-1]]).stdout == RECORD
    assert run(main, ["import", str(made)]).stdout.count("here already") == 2
    made.write_bytes(made.read_bytes()[:-9])
    damaged = run(main, ["import", str(made), "--lang", "en"])
    assert damaged.exit_code == 1
    assert "damaged" in damaged.stderr


@pytest.mark.parametrize("name", ["x" * 41, "\u202eB", "e\u200d\u0301"])
def test_a_name_that_no_form_takes_is_not_taken_in_from_a_record(name: str) -> None:
    with pytest.raises(Unreadable) as fault:
        load(RECORD.replace("A B", f"A {name}", 1).encode(), "en")
    assert (fault.value.fact, fault.value.line) == ("read_seat_name", 3)


def test_a_tally_sheet_is_no_match() -> None:
    result = CliRunner().invoke(
        main, ["import", "-"], input=f"referee: 1\ntally: {WIDEST}\nseats: A B\n\nA: 1\nB: 2\n"
    )
    assert result.exit_code == 1
    assert "tally" in result.stderr.lower() or "得点表" in result.stderr


def test_the_operator_lists_circles_and_opens_one_whose_phones_are_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    app = create_app(tmp_path, TESTING=True)
    run, circles = CliRunner().invoke, Circles(app.extensions["ledger"].store)
    app.extensions["ledger"].open(Header(WIDEST, ("A",)))
    assert run(main, ["circles"]).stdout.startswith("-  1 matches wait")
    app.test_client().get("/")
    listed = run(main, ["circles"]).stdout
    assert listed.startswith(circles.only())
    assert "1 phone  1 game" in listed
    link = run(main, ["circles", circles.only()]).stdout.strip()
    phone = app.test_client()
    phone.get(link)
    assert phone.get("/circle").status_code == 200
    assert run(main, ["circles", "nothing"]).exit_code == 1
    app.extensions["ledger"].store.close()


def test_no_id_begins_like_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(("-begins-with-a-dash-16", "begins-with-a-letter16"))
    monkeypatch.setattr("secrets.token_urlsafe", lambda length: next(drawn))
    assert new_id() == "begins-with-a-letter16"


def test_an_id_that_begins_like_an_option_is_taken_for_an_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    run, old, whole = CliRunner().invoke, "-begins-with-a-dash-16", tmp_path / "all.json"
    monkeypatch.setattr("referee.store.circles.new_id", lambda: old)
    store = create_app(tmp_path, TESTING=True).extensions["ledger"].store
    Doors(store).greet("a" * 22)
    header = "\n".join(print_header(Header(WIDEST, ("A",))))
    store.open(old, header, "A", Circles(store).create("a" * 22))
    assert run(main, ["export", old]).stdout.startswith("referee: 1")
    assert run(main, ["circles", old]).stdout.startswith("/c/")
    assert run(main, ["export", "--history", str(whole), "--circle", old]).exit_code == 0
    assert old in whole.read_text("utf-8")
    store.close()


def test_imports_are_sorted_in_by_the_day_on_which_they_were_played(store: Store) -> None:
    for day in ("2024-05-01", "2024-05-01", "2019-12-31", "a day in May", "0001-01-01"):
        add(store, load(RECORD.replace("note:", f"date: {day}\nnote:").encode(), "en"))
    evenings = Circles(store).sessions(NOBODYS)
    assert [evening.matches for evening in evenings] == [2, 2, 1]
    assert [evening.began[:4] for evening in evenings[1:]] == ["2024", "2019"]


def test_an_export_shows_the_names_of_today(store: Store) -> None:
    match = add(store, load(RECORD.encode(), "en"))
    people = People(store)
    [found] = [person for person in people.of() if person.name == "C D"]
    people.rename(NOBODYS, found.id, "シー")
    assert export(store, match) == RECORD.replace('"C D"', "シー")
    people.rename(NOBODYS, found.id, "C D")
    assert export(store, match) == RECORD
