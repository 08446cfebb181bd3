"""Deals entered by their sheets, and matches that stop: the same in every game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from runpy import run_path
from typing import Any

import pytest
from chosen_games import having
from examples import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from table_talk import GAMES_OF_TEXT

from referee.core.corrections import Rewind, Strike
from referee.core.log import Log
from referee.core.record import Grammar, Header, Unreadable, read, write
from referee.core.sheets import Stop, TableSheet, stopped
from referee.core.verdict import Illegal, Legal, Outcome
from referee.games import GAMES
from referee.rulings.report import report
from tools import laws

MOST_SEATS = 4


@st.composite
def matches(draw: st.DrawFn, names: list[str]) -> laws.Match:
    """A match to its end, at a table of one of the games with some house rules."""
    game = GAMES[draw(st.sampled_from(names))]
    most = max(min(game.SEATS[-1], MOST_SEATS), game.SEATS[0])
    seats = tuple("ABCD"[: draw(st.integers(game.SEATS[0], most))])
    rules = laws.house_rules(game)
    header = Header(
        game.NAME, seats, {key: draw(st.sampled_from(values)) for key, values in rules.items()}
    )
    assume(laws.can_be_chosen(game, header))
    return laws.match(header, draw(st.integers(0, 10**6)), most=400)


@cache
def sheet_of(game: str) -> Callable[[Log, int, Any], TableSheet]:
    """The sheet of a finished deal, from the log and the state after it.

    It is computed by ``sheet`` of the file ``games/<game>/<game>_sheet.py``.
    """
    file = GAMES_OF_TEXT / game / f"{game}_sheet.py"
    assert file.exists(), f"write {file}: what the sheet of a deal that was played says"
    found: Callable[[Log, int, Any], TableSheet] = run_path(str(file))["sheet"]
    return found


def decided(outcome: Outcome | None) -> tuple[object, ...] | None:
    return outcome and (outcome.clause, outcome.winners, outcome.losers)


@given(matches(having("sheet")), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_a_sheet_stands_for_the_plays_of_its_deal(found: laws.Match, seed: int) -> None:
    """Score, outcome, next leader and all later verdicts are those of the deal that was played."""
    rng, played = Random(seed), found.log
    game = played.game
    grammar = Grammar(game, played.table.seats)
    by_sheets = Log(game, played.table)
    deals: dict[int, list[Any]] = {}
    for step in played.steps():
        deals.setdefault(step.state.deal, []).append(step)
    for deal, steps in sorted(deals.items()):
        after = steps[-1].state
        if deal == 0 or game.to_act(after) or rng.random() < 0.3:
            for step in steps:
                assert type(by_sheets.push(step.play)) is type(step.verdict)
            continue
        entry = sheet_of(game.NAME)(played, deal, after)
        assert grammar.parse(grammar.print(entry)) == entry
        verdict = by_sheets.push(entry)
        assert isinstance(verdict, Legal), verdict
        assert verdict.clause == "sheet.1"
        assert game.score(by_sheets.state).totals == game.score(after).totals
        assert decided(game.outcome(by_sheets.state)) == decided(game.outcome(after))
        assert by_sheets.state.deal == deal
        assert not game.to_act(by_sheets.state)
        public = game.public(by_sheets.state)
        assert public.keys() == game.public(after).keys()
        if "leader" in public and not game.outcome(after):
            assert public["leader"] == game.public(after)["leader"]
        if "wins" in public:
            assert public["wins"] == game.public(after)["wins"]
        totals = dict.fromkeys(by_sheets.table.seats, 0)
        for line in game.score(by_sheets.state).lines:
            totals[line.seat] += line.points
        assert totals == game.score(by_sheets.state).totals


@given(matches(having("stopped")), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_match_can_stop_anywhere(found: laws.Match, seed: int) -> None:
    """No seat is to act, nobody has won, the score stays, and every later play is refused by
    end.1.
    """
    rng = Random(seed)
    log = Log(found.log.game, found.log.table)
    entries = found.log.entries
    for entry in entries[: rng.randint(0, len(entries))]:
        log.push(entry)
    game, before = log.game, log.state
    stop = Stop(rng.choice([None, "the last train"]))
    grammar = Grammar(game, log.table.seats)
    assert grammar.parse(grammar.print(stop)) == stop
    if game.outcome(before):
        assert log.push(stop) == log.consider(stop).verdict
        assert (log.moments[-1].verdict.clause, type(log.moments[-1].verdict)) == ("end.1", Illegal)
        return
    assert isinstance(log.push(stop), Legal)
    assert game.to_act(log.state) == ()
    ended = game.outcome(log.state)
    assert stopped(ended)
    assert ended is not None
    assert ended.winners == ended.losers == ()
    assert game.score(log.state).totals == game.score(before).totals
    assert game.public(log.state).keys() == game.public(before).keys()
    lines = [grammar.print(entry) for entry in (*entries[: len(log) - 1], stop)]
    answer = report(read(write(found.header, lines).encode(), GAMES), "en")
    assert answer["entries"][-1]["clause"] == answer["outcome"]["clause"] == "leave.1"
    for entry in (*rng.sample(entries, min(8, len(entries))), stop, TableSheet()):
        verdict = log.consider(entry).verdict
        assert (type(verdict), verdict.clause) == (Illegal, "end.1"), entry
    number = len(log)
    log.push(Strike(number))
    assert game.outcome(log.state) is None
    assert game.to_act(log.state) == game.to_act(before)
    log.push(Rewind(number))
    assert stopped(game.outcome(log.state))


VALUES = st.text("ABCDabc 0123456789*/+=JQK日々\"'#;", max_size=12)


@given(
    st.sampled_from(having("sheet")),
    st.lists(
        st.tuples(st.sampled_from(["A", "B", "C", "leader", "dealer", "trick", "winner"]), VALUES)
    ),
)
@settings(max_examples=300, deadline=None)
def test_whatever_a_sheet_says_is_judged_or_unreadable(
    name: str, lines: list[tuple[str, str]]
) -> None:
    game = GAMES[name]
    seats = tuple("ABC")[: max(2, game.SEATS[0])]
    log = Log(game, Header(name, seats).table(game))
    grammar = Grammar(game, seats)
    text = "table sheet " + " ".join(f'{key}="{value}"' for key, value in lines)
    try:
        entry = grammar.parse(text)
    except Unreadable:
        return
    assert grammar.parse(grammar.print(entry)) == entry
    assert log.push(entry).clause
    game.score(log.state), game.public(log.state), game.outcome(log.state)


@pytest.mark.parametrize(("game", "text"), each("unreadable_sheet"))
def test_a_sheet_that_cannot_be_read(game: str, text: str) -> None:
    with pytest.raises(Unreadable):
        Grammar(GAMES[game], "ABC").parse(text)
