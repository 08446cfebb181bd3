"""Circles, evenings, people: grouped by themselves, and kept apart."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier

import pytest

from referee.games.simulation import WIDEST
from referee.store import NOBODYS, Circles, Doors, LastPhone, NewEntry, NoSuchCircle, People, Store
from referee.store.gathering import of_earlier_day

HEADER = f'referee: 1\ngame: {WIDEST}\nseats: A "B C"'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "referee.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path)
    yield store
    store.close()


def at(hour: int, minute: int = 0, day: int = 1) -> str:
    return f"2024-03-{day:02}T{hour:02}:{minute:02}:00.000+00:00"


def phone(store: Store, name: str) -> str:
    Doors(store).greet(name)
    return name


def held(store: Store, circle: str) -> list[tuple[str, ...]]:
    circles = Circles(store)
    return [tuple(circles.held(session.id)) for session in circles.sessions(circle)]


def test_matches_of_an_evening_come_together_by_themselves(store: Store) -> None:
    circles = Circles(store)
    mine, theirs = circles.create(phone(store, "p")), circles.create(phone(store, "q"))
    for match, opened, circle in (
        ("a", at(18), mine),
        ("b", at(23, 30), mine),
        ("x", at(23, 40), theirs),
        ("c", at(5, 31, day=2), mine),
        ("d", at(12, 0, day=2), mine),
        ("late", at(13, 0, day=1), mine),  # brought in afterwards
    ):
        store.add(match, HEADER, [], ["A", "B C"], circle, opened)
    assert held(store, mine) == [("d",), ("c",), ("late", "a", "b")]
    assert held(store, theirs) == [("x",)]
    assert circles.sessions(mine)[-1].began == at(13)


def test_a_long_match_keeps_its_evening_going(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = at(12).replace(":00.000", ":07.512")
    store.add("a", HEADER, [], ["A"], NOBODYS, begun)
    monkeypatch.setattr("referee.store.log.now", lambda: at(19))
    store.append("a", 0, [NewEntry("A lay 1", "k", "legal", "x", "1")])
    store.add("b", HEADER, [], ["A"], NOBODYS, at(23))
    assert held(store, NOBODYS) == [("a", "b")]


def test_a_match_of_yesterday_that_is_entered_in_the_morning_begins_no_evening_of_today(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add("yesterday", HEADER, [], ["A"], NOBODYS, at(12))
    monkeypatch.setattr("referee.store.log.now", lambda: at(9, day=2))
    store.append("yesterday", 0, [NewEntry("A lay 1", "k", "legal", "x", "1")])
    store.add("today", HEADER, [], ["A"], NOBODYS, at(9, 30, day=2))
    assert held(store, NOBODYS) == [("today",), ("yesterday",)]


def test_an_evening_belongs_to_its_circle(store: Store) -> None:
    circles = Circles(store)
    mine, theirs = circles.create(phone(store, "p")), circles.create(phone(store, "q"))
    store.open("a", HEADER, ["A"], mine)
    [session] = circles.sessions(mine)
    with pytest.raises(NoSuchCircle):
        circles.session(theirs, session.id)
    circles.describe(theirs, session.id, "elsewhere", "")
    assert circles.session(mine, session.id).place == ""


def test_people_of_two_circles_may_share_a_name(store: Store) -> None:
    circles, people = Circles(store), People(store)
    mine, theirs = circles.create(phone(store, "p")), circles.create(phone(store, "q"))
    store.open("a", HEADER, ["Ken"], mine)
    store.open("b", HEADER, ["Ken"], theirs)
    [ken] = people.of(mine)
    people.rename(mine, ken.id, "Ken T")
    assert [p.name for p in people.of(theirs)] == ["Ken"]
    assert (people.names("a"), people.names("b")) == ({"Ken": "Ken T"}, {})
    with pytest.raises(NoSuchCircle):
        people.get(theirs, ken.id)


def test_a_circle_adopts_the_matches_that_are_nobodys(store: Store) -> None:
    circles = Circles(store)
    for match, opened in (("a", at(18)), ("b", at(20)), ("c", at(9, day=3))):
        store.add(match, HEADER, [], ["A", "B C"], NOBODYS, opened)
    assert circles.unclaimed()
    assert held(store, NOBODYS) == [("c",), ("a", "b")]
    assert [(p.name, p.matches) for p in People(store).of()] == [("A", 3), ("B C", 3)]
    own = circles.create(phone(store, "p"))
    store.open("new", HEADER, ["A"], own)
    circles.adopt(own)
    assert not circles.unclaimed()
    assert {match.id for match in circles.matches(own)} == {"a", "b", "c", "new"}
    assert sorted((p.name, p.matches) for p in People(store).of(own)) == [("A", 4), ("B C", 3)]


def test_imports_go_to_the_only_circle_there_is(store: Store) -> None:
    circles = Circles(store)
    assert circles.only() == NOBODYS
    own = circles.create(phone(store, "p"))
    assert circles.only() == own
    circles.create(phone(store, "q"))
    assert circles.only() == NOBODYS


def test_a_phone_is_called_by_the_seat_that_it_took_in_the_same_circle(store: Store) -> None:
    """A guest elsewhere brings no name from there."""
    circles, doors, guest = Circles(store), Doors(store), phone(store, "p")
    mine, theirs = circles.create(guest), circles.create(phone(store, "q"))
    store.open("away", HEADER, ["Ken"], theirs)
    doors.seat("away", guest, "seated", 1)
    assert [member.seat for member in circles.members(mine)] == [""]
    store.open("home", HEADER, ["A"], mine)
    doors.seat("home", guest, "host", 1)
    [person] = People(store).of(mine)
    People(store).rename(mine, person.id, "Anna")
    assert [member.seat for member in circles.members(mine)] == ["Anna"]


def test_phones_that_remove_each_other_at_once_leave_one(path: Path) -> None:
    """Each has a store of its own, as server processes have."""
    stores = [Store(path) for _ in range(2)]
    pair = [phone(stores[0], name) for name in "pq"]
    together = Barrier(2)

    def dismiss(number: int, circle: str) -> None:
        together.wait()
        with suppress(LastPhone):
            Circles(stores[number]).dismiss(circle, pair[1 - number])

    with ThreadPoolExecutor(2) as threads:
        for _round in range(20):
            circle = Circles(stores[0]).create(pair[0])
            Circles(stores[0]).join(circle, pair[1])
            list(threads.map(dismiss, range(2), [circle] * 2))
            assert len(Circles(stores[0]).members(circle)) == 1
    for each in stores:
        each.close()


def test_people_who_become_one_another_at_once_are_one_or_nobody(path: Path) -> None:
    stores = [Store(path) for _ in range(2)]
    circle = Circles(stores[0]).create(phone(stores[0], "p"))
    together = Barrier(2)

    def merge(number: int, pair: list[int]) -> None:
        together.wait()
        with suppress(NoSuchCircle):
            People(stores[number]).merge(circle, pair[number], pair[1 - number])

    with ThreadPoolExecutor(2) as threads:
        for n in range(10):
            for name in ("A", "B"):
                match = f"{name}{n}"
                stores[0].open(
                    match, f"referee: 1\ngame: {WIDEST}\nseats: {match}", [match], circle
                )
            pair = [p.id for p in People(stores[0]).of(circle) if p.name in (f"A{n}", f"B{n}")]
            list(threads.map(merge, range(2), [pair] * 2))
            [kept] = [p for p in People(stores[0]).of(circle) if p.id in pair]
            assert kept.matches == 2
    for each in stores:
        each.close()


def test_the_last_phone_of_a_circle_stays(store: Store) -> None:
    circles = Circles(store)
    mine = circles.create(phone(store, "p"))
    circles.dismiss(mine, phone(store, "q"))  # never was a member
    with pytest.raises(LastPhone):
        circles.dismiss(mine, "p")
    assert [member.phone for member in circles.members(mine)] == ["p"]


def test_a_match_that_is_opened_on_a_minute_sharp_is_one_of_today(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert of_earlier_day(at(12))
    monkeypatch.setattr("referee.store.log.now", lambda: at(12))
    store.open("a", HEADER, ["A"])
    assert store.opened_at("a") == at(12).replace(":00.000", ":00.001")
