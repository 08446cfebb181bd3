"""Plays of other programs come into a group once, with its people."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from referee.foreign import pasted
from referee.foreign.plays import (
    ANONYMOUS,
    AllTogether,
    ByPlaces,
    ByPoints,
    ForeignPlay,
    ForeignPlayer,
    told_apart,
)
from referee.foreign.taking import SamePerson, When, matched, matches, people, require_different
from referee.history import exchange
from referee.history.records import export
from referee.store import Circles, Doors, People, Store
from referee.store.archive import Archive
from referee.store.foreign import ForeignPlays

TOKYO = When("Asia/Tokyo", utc=False)
KEN, MEI, NOBODY = ForeignPlayer("Ken", "k"), ForeignPlayer("Mei", "m"), ForeignPlayer("x", "")


def play(
    outcome: ByPoints | ByPlaces | AllTogether, *players: ForeignPlayer, **more: object
) -> ForeignPlay:
    found = ForeignPlay(
        1, ("u1",), "UNO", datetime(2026, 11, 28, 19, 3, 7), told_apart(players), outcome
    )
    return found._replace(**more)  # type: ignore[arg-type]


@pytest.fixture
def group(tmp_path: Path) -> Iterator[tuple[Store, str]]:
    store = Store(tmp_path / "referee.db")
    Doors(store).greet("phone")
    yield store, Circles(store).create("phone")
    store.close()


def taken(store: Store, circle: str, plays: list[ForeignPlay], **who: str) -> int:
    found = matched(people(plays), {}, []) | who
    return ForeignPlays(store, circle).add(list(matches(plays, found, TOKYO, "en")), found)


def test_a_play_is_a_match_of_its_time_with_its_people(group: tuple[Store, str]) -> None:
    store, circle = group
    assert taken(store, circle, [play(ByPoints((3, 5)), KEN, NOBODY)]) == 1
    [listed] = store.matches()
    assert listed.opened == "2026-11-28T10:03:00.000+00:00"
    assert [person.name for person in People(store).of(circle)] == ["Ken"]
    assert export(store, listed.id).endswith(
        f'called: UNO\ndate: 2026-11-28\n\ntable round Ken=3 "{ANONYMOUS} 1"=5\ntable end\n'
    )


def test_a_play_that_came_in_elsewhere_is_known_after_export_and_import(
    group: tuple[Store, str], tmp_path: Path
) -> None:
    store, circle = group
    plays = [play(ByPoints((3, 5)), KEN, MEI), play(ByPlaces((1, 2)), KEN, MEI, keys=("u2", "u3"))]
    assert taken(store, circle, plays) == 2
    file = "".join(exchange.write(Archive(store, circle), None, "")).encode()
    away = Store(tmp_path / "away.db")
    for fresh in (2, 0):
        assert exchange.take_in(Archive(away, ""), exchange.read(file)) == fresh
    assert ForeignPlays(away, "").taken(["u1", "u2", "u3", "u4"]) == {"u1", "u2", "u3"}
    assert taken(away, "", plays) == 0
    assert "".join(exchange.write(Archive(away, ""), None, "")).encode() == file
    away.close()


def test_the_same_play_comes_in_once(group: tuple[Store, str]) -> None:
    store, circle = group
    one = play(ByPoints((3, 5)), KEN, MEI)
    assert taken(store, circle, [one, one]) == 1
    assert taken(store, circle, [one._replace(outcome=ByPoints((9, 9)))]) == 0
    assert ForeignPlays(store, circle).taken(["u1", "u2"]) == {"u1"}


def test_who_somebody_is_is_remembered(group: tuple[Store, str]) -> None:
    store, circle = group
    taken(store, circle, [play(ByPoints((3, 5)), KEN, MEI)], k="Kenji")
    assert {person.name for person in People(store).of(circle)} == {"Kenji", "Mei"}
    assert ForeignPlays(store, circle).people(["k", "m", "z"]) == {"k": "Kenji", "m": "Mei"}


def test_two_people_of_a_play_cannot_be_one_person() -> None:
    plays = [play(ByPoints((3, 5)), KEN, MEI)]
    require_different(plays, {"k": "Ken", "m": "Mei"})
    with pytest.raises(SamePerson):
        require_different(plays, {"k": "Mei", "m": "Mei"})


def test_a_person_is_found_by_name_and_by_the_choice_of_last_time() -> None:
    assert matched([KEN, MEI], {"m": "Mei Ito"}, ["ＫＥＮ"]) == {"k": "ＫＥＮ", "m": "Mei Ito"}


def test_utc_and_local_times() -> None:
    clock = datetime(2026, 11, 28, 19, 3, 7)
    assert When("Asia/Tokyo", utc=True).opened(clock) == "2026-11-28T19:03:00.000+00:00"
    assert str(When("Asia/Tokyo", utc=True).shown(clock).date()) == "2026-11-29"


@pytest.mark.parametrize(
    "one",
    [
        play(ByPlaces((1, 2)), KEN, MEI),
        play(AllTogether(True, 3), KEN, MEI),
        play(AllTogether(False), KEN, NOBODY),
        play(ByPoints((1,), least=True), KEN, stopped=True),
        play(ByPlaces((1, 1)), KEN, MEI, stopped=True),
        play(ByPoints((1, 2)), *(ForeignPlayer(name, name) for name in "abcd"), teams="alternate"),
        play(
            ByPoints((1, 2, 2)), *(ForeignPlayer(name, name) for name in "abcdef"), teams="opposite"
        ),
        play(ByPoints((1, 2)), ForeignPlayer("a=b", "a"), ForeignPlayer("because", "b")),
        play(
            ByPoints((1, 2)),
            ForeignPlayer("A B", "a"),
            ForeignPlayer("#x", "b"),
            note="# no comment",
            place="a#b",
        ),
        play(ByPoints((1, 2)), KEN, MEI, called="say “yes” # 2"),
    ],
)
def test_every_play_is_a_record_that_replays(group: tuple[Store, str], one: ForeignPlay) -> None:
    assert taken(*group, [one]) == 1


def test_a_table_comes_in_once(group: tuple[Store, str]) -> None:
    found = pasted.read(
        "date\tgame\tKen\tMei\n2026-11-28\tUNO\t120\t80\n2026-11-28\tUNO\t120\t80\n"
    )
    assert taken(*group, list(found.plays)) == 2
    assert taken(*group, list(found.plays)) == 0
