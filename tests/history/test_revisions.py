"""A result that other rules make of the same entries is listed, and the group may keep it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from waiting import wait_for

from referee.cli import main
from referee.core.generic import GameState
from referee.core.record import Header, Unreadable
from referee.core.verdict import Outcome
from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.history import counting, exchange, exports
from referee.ledger import Ledger
from referee.store import Hidden, Seats, Store
from referee.store.archive import Archive
from referee.store.past import Past
from referee.store.revisions import Changed, Revision, Revisions
from referee.upkeep.rereading import rereading

SHEET = 'table sheet leader=A A="3 3" B="2"'
NONE = Changed(0, 0, "")


class Program:
    """The program in another version: ``strict`` lets the other seat win; ``open``: nobody yet."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rules, self._usual = "loose", GAMES[WIDEST].outcome
        monkeypatch.setattr(counting, "edition", lambda: self.rules)
        monkeypatch.setattr(GAMES[WIDEST], "outcome", self._outcome)

    def _outcome(self, state: GameState) -> Outcome | None:
        ended = self._usual(state)
        if ended is None or self.rules.startswith("loose"):
            return ended
        if self.rules == "open":
            return None
        return ended._replace(winners=tuple({"A": "B", "B": "A"}[name] for name in ended.winners))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Store(tmp_path / "referee.db")) as store:
        yield Ledger(store)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Program:
    return Program(monkeypatch)


def finished(ledger: Ledger) -> str:
    match = ledger.open(Header(WIDEST, ("A", "B"), {"rounds": "1"})).match
    assert ledger.declare(match, SHEET, 0, "the sheet").seq == 1
    return match


def updated(program: Program, store: Store, rules: str) -> None:
    """The program of ``rules`` has looked at everything."""
    program.rules = rules
    for _matches in counting.reread(store):
        pass
    assert not counting.catch_up(store)


def winners(store: Store) -> list[list[str]]:
    return [[seat.name for seat in one.placings if seat.won] for one in Past(store, "").each()]


def rating_leader(store: Store) -> str:
    return Past(store, "").standings()[0].name


@pytest.fixture
def changed(ledger: Ledger, program: Program) -> str:
    """A match that A won until an update; now B has won it."""
    match = finished(ledger)
    assert not counting.catch_up(ledger.store)
    assert winners(ledger.store) == [["A"]]
    updated(program, ledger.store, "strict")
    return match


def test_a_changed_result_is_listed_with_both(ledger: Ledger, changed: str) -> None:
    store = ledger.store
    assert winners(store) == [["B"]]
    assert rating_leader(store) == "B"
    revisions = Revisions(store)
    [found] = revisions.of("", 9)
    assert found == revisions.get(changed)
    assert [place.won for place in found.earlier.places] == [True, False]
    assert [place.won for place in found.present.places] == [False, True]
    assert (found.kept, found.seen) == (False, False)
    assert revisions.count("") == Changed(1, 1, found.at)
    revisions.see("")
    assert revisions.count("") == Changed(1, 0, "")


def test_what_is_counted_the_same_is_not_listed(ledger: Ledger, program: Program) -> None:
    finished(ledger)
    ledger.open(Header(WIDEST, ("A", "B")))  # a match under way has no result
    counting.catch_up(ledger.store)
    updated(program, ledger.store, "loose, a second edition")
    assert Revisions(ledger.store).count("") == NONE
    assert not list(counting.reread(ledger.store))  # and nothing is counted twice


def test_a_kept_result_counts_everywhere(ledger: Ledger, program: Program, changed: str) -> None:
    store = ledger.store
    Revisions(store).keep(changed, True)
    counting.catch_up(store)
    assert winners(store) == [["A"]]
    assert rating_leader(store) == "A"
    [duel, _other] = Past(store, "").duels()
    assert (duel.above, duel.below) == (1, 0)
    past, archive = Past(store, ""), Archive(store, "")
    table = csv.DictReader(io.StringIO(exports.as_csv(past.each(), "UTC").removeprefix("\ufeff")))
    assert [(row["name"], row["won"], row["kept"]) for row in table] == [
        ("A", "1", "1"),
        ("B", "0", "1"),
    ]
    [written] = json.loads("".join(exchange.write(archive, past, "")))["matches"]
    assert written["result"]["kept"] is True
    assert [place["won"] for place in written["result"]["places"]] == [True, False]
    for rules in ("open", "strict"):  # a later update asks nobody again
        updated(program, store, rules)
        assert winners(store) == [["A"]]
        assert Revisions(store).count("") == Changed(1, 0, "")
    Revisions(store).keep(changed, False)
    counting.catch_up(store)
    assert winners(store) == [["B"]]


def test_of_two_updates_the_first_result_is_the_earlier_one(
    ledger: Ledger, program: Program, changed: str
) -> None:
    updated(program, ledger.store, "open")
    [found] = Revisions(ledger.store).of("", 9)
    assert [place.won for place in found.earlier.places] == [True, False]
    assert found.present.over is False
    updated(program, ledger.store, "loose again")
    assert Revisions(ledger.store).count("") == NONE  # as it was: there is nothing to say
    assert winners(ledger.store) == [["A"]]


def test_once_known_a_further_change_is_listed_anew(
    ledger: Ledger, program: Program, changed: str
) -> None:
    revisions = Revisions(ledger.store)
    revisions.see("")
    updated(program, ledger.store, "loose again")
    [found] = revisions.of("", 9)
    assert [place.won for place in found.earlier.places] == [False, True]
    assert (found.seen, found.kept) == (False, False)


def test_new_entries_end_what_was_kept(ledger: Ledger, changed: str) -> None:
    Revisions(ledger.store).keep(changed, True)
    counting.catch_up(ledger.store)
    assert ledger.undo(changed, 1, "the table goes on").seq == 2
    counting.catch_up(ledger.store)
    assert Revisions(ledger.store).get(changed) is None
    [found] = Past(ledger.store, "").each()
    assert (found.over, found.kept) == (False, False)


def test_a_hidden_match_is_not_listed(ledger: Ledger, changed: str) -> None:
    Hidden(ledger.store).put_away(changed)
    counting.catch_up(ledger.store)
    assert Revisions(ledger.store).count("") == NONE
    assert Revisions(ledger.store).of("", 9) == []


def test_seats_in_another_order_keep_their_results(ledger: Ledger, changed: str) -> None:
    store = ledger.store
    Revisions(store).keep(changed, True)
    header = store.header(changed).replace("seats: A B", "seats: B A")
    Seats(store).reorder(changed, (2, 1), header, 1)
    counting.catch_up(store)
    assert winners(store) == [["A"]]
    found = Revisions(store).get(changed)
    assert found is not None
    assert [place.won for place in found.earlier.places] == [False, True]


def test_a_kept_result_goes_to_another_server(ledger: Ledger, changed: str, tmp_path: Path) -> None:
    Revisions(ledger.store).keep(changed, True)
    counting.catch_up(ledger.store)
    text = "".join(exchange.write(Archive(ledger.store, ""), Past(ledger.store, ""), ""))
    with closing(Store(tmp_path / "other.db")) as other:
        exchange.take_in(Archive(other, ""), exchange.read(text.encode()))
        counting.catch_up(other)
        assert winners(other) == [["A"]]
        [found] = Revisions(other).of("", 9)
        assert found.kept
        assert [place.won for place in found.present.places] == [False, True]
        again = "".join(exchange.write(Archive(other, ""), Past(other, ""), ""))
        assert again == text


@pytest.mark.parametrize(
    "kept",
    [
        {"over": False},
        {"places": []},
        {"places": [[1, 1, True]]},
        {"places": [[1, 1, True], [0, 3, False]]},
        {"places": [[10**30, 1, True], [0, 2, False]]},
        {"places": [[1, 1, True], [0, 2, "no"]]},
        {"at": "yesterday"},
    ],
)
def test_a_kept_result_that_cannot_be_is_refused(
    ledger: Ledger, changed: str, kept: dict[str, object]
) -> None:
    Revisions(ledger.store).keep(changed, True)
    whole = json.loads("".join(exchange.write(Archive(ledger.store, ""), None, "")))
    whole["matches"][0]["kept"] |= kept
    with pytest.raises(Unreadable):
        exchange.read(json.dumps(whole).encode())


@pytest.mark.file("a command opens it")
def test_recounting_everything_compares_first(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    with closing(Store(folder / "referee.db")) as store:
        match = finished(Ledger(store))
        counting.catch_up(store)
    program.rules = "strict"
    monkeypatch.setenv("REFEREE_DATA", str(folder))
    monkeypatch.delenv("REFEREE_DATABASE", raising=False)
    assert CliRunner().invoke(main, ["rebuild"]).exit_code == 0
    with closing(Store(folder / "referee.db")) as store:
        found: Revision | None = Revisions(store).get(match)
        assert found is not None
        assert [place.won for place in found.earlier.places] == [True, False]


@pytest.mark.file("the server opens it once more")
def test_while_a_server_runs_matches_are_counted_again(tmp_path: Path, program: Program) -> None:
    path = tmp_path / "referee.db"
    with closing(Store(path)) as store:
        for _match in range(10):
            finished(Ledger(store))
        counting.catch_up(store)
        program.rules = "strict"
        with rereading(path, start=0):
            wait_for(lambda: Revisions(store).count("").unseen == 10)
    with rereading(tmp_path / "nothing.db", start=0):
        pass
    assert not (tmp_path / "nothing.db").exists()


def test_the_edition_of_the_rules_is_that_of_their_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from referee.history import edition

    before = edition.edition.__wrapped__()
    assert edition.edition.__wrapped__() == before
    for room in edition.ROOMS:
        (tmp_path / room).mkdir()
    monkeypatch.setattr(edition, "HOME", tmp_path)
    seen = {before, edition.edition.__wrapped__()}
    for name, text in (("a.py", "1"), ("a.py", "2"), ("words.txt", "2"), ("note.md", "2")):
        (tmp_path / "games" / name).write_text(text)
        seen.add(edition.edition.__wrapped__())
    assert len(seen) == 5  # a note decides nothing
