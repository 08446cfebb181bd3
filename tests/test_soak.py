"""The laws of tools/laws.py find what is wrong, and `make soak` names the match."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from table_talk import check

from referee.core.game import ScoreSheet
from referee.core.record import Header
from referee.core.verdict import Finding, Illegal, evidence
from referee.games import GAMES
from tools import laws, soak

NAME = next(iter(GAMES))


@pytest.fixture
def game() -> ModuleType:
    found = GAMES[NAME]
    assert isinstance(found, ModuleType)
    return found


def guilty(state: Any) -> tuple[Finding, ...]:
    return (Finding("follow.2", "P0", 1, (2,), evidence("free", rank=1)),)


def no_points(state: Any) -> ScoreSheet:
    return ScoreSheet((), {"P0": 1, "P1": 0, "P2": 0})


@pytest.mark.parametrize(
    ("law", "hook", "broken"),
    [
        (laws.honest_players_are_never_found_guilty, "audit", guilty),
        (laws.totals_are_the_sum_of_their_lines, "score", no_points),
        (laws.what_everybody_sees_is_json, "public", lambda state: {"cards": {1: 2}}),
        (laws.plays_are_offered_while_somebody_is_due, "to_act", lambda state: ()),
        (
            laws.every_answer_can_be_said,
            "judge",
            lambda state, play: Illegal("no.1", evidence("no_such_fact")),
        ),
    ],
)
def test_a_law_finds_what_is_wrong(
    game: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    law: laws.Law,
    hook: str,
    broken: Callable[..., object],
) -> None:
    found = laws.match(Header(NAME, ("P0", "P1", "P2"), {"rounds": "1"}), 3, shows=0)
    assert list(law(found)) == []
    monkeypatch.setattr(game, hook, broken)
    assert list(law(found))


def test_a_match_is_drawn_again_by_its_number() -> None:
    tables = [laws.drawn(GAMES[NAME], number) for number in range(40)]
    assert tables == [laws.drawn(GAMES[NAME], number) for number in range(40)]
    assert {len(header.seats) for header in tables} == set(GAMES[NAME].SEATS)
    match, faults = soak.dealt(GAMES[NAME], 2)
    assert faults == []
    assert soak.dealt(GAMES[NAME], 2)[0].log.entries == match.log.entries


def test_a_fault_is_shown_with_its_number_and_its_record(
    game: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(game, "audit", guilty)
    assert not soak.soak(NAME, 0)
    shown = capsys.readouterr().out
    assert f"make soak GAME={NAME} MATCH=0" in shown
    assert "\ntable deal" in shown


@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_printed_as_a_playthrough(name: str) -> None:
    for number in (1, 2):
        found, faults = soak.dealt(GAMES[name], number)
        assert faults == []
        answer = check(soak.answered(found))
        assert answer["outcome"]


def test_a_match_that_does_not_end_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "longest", lambda seats: 5)
    assert "not over after 5 entries" in soak.dealt(GAMES[NAME], 0)[1]


def test_a_second_without_a_fault_counts_its_endings(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.soak(NAME, 0)
    assert capsys.readouterr().out.startswith(f"{NAME}: 1 matches")


def test_a_refused_entry_is_a_fault(game: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = Illegal("turn.1", evidence("match_over"))
    monkeypatch.setattr(game, "judge", lambda state, play: refused)
    [fault] = soak.dealt(GAMES[NAME], 0)[1]
    assert fault.startswith("entry 1 is refused")
