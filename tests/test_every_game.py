"""What holds for every game of the registry; a new one learns here what it still lacks."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from string import Formatter
from types import ModuleType
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.core.corrections import CORRECTIONS
from referee.core.game import COMMON_OPTIONS, Game, options
from referee.core.log import Log
from referee.core.record import (
    Grammar,
    Header,
    Record,
    Unreadable,
    parse_header,
    print_header,
    read,
    write,
)
from referee.core.verdict import Facts, Illegal, Unprovable
from referee.games import GAMES
from referee.games.simulation import played, player, table
from referee.rulings import Book, book

TESTS = Path(__file__).parent
ROOT = TESTS.parent
EVERY = pytest.mark.parametrize("name", list(GAMES))
CLAUSE = re.compile(r"[a-z]+\.[1-9][0-9]*")


def own(name: str) -> list[Path]:
    """The code of a game."""
    return sorted((ROOT / "referee" / "games" / name).glob("*.py"))


@cache
def families(name: str) -> tuple[str, ...]:
    """The families that a game belongs to."""
    named = {
        alias.name
        for node in nodes(own(name))
        if isinstance(node, ast.ImportFrom) and node.module == "referee.games.families"
        for alias in node.names
    }
    return tuple(sorted(named))


@cache
def shared(name: str) -> list[Path]:
    """The code of the families that a game belongs to."""
    rooms = ROOT / "referee" / "games" / "families"
    return [file for family in families(name) for file in sorted((rooms / family).glob("*.py"))]


def nodes(files: list[Path]) -> Iterator[ast.AST]:
    for file in files:
        yield from ast.walk(parsed(file))


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def cited(files: list[Path]) -> set[str]:
    """Clause ids that stand in the code."""
    return {
        node.value
        for node in nodes(files)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and CLAUSE.fullmatch(node.value)
    }


def facts(files: list[Path]) -> Iterator[tuple[str, set[str]]]:
    """Facts that the code names, with the values that it gives, where both are literal."""
    for node in nodes(files):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        fact = node.args[0]
        if not isinstance(fact, ast.Constant) or not isinstance(fact.value, str):
            continue
        if called == "Evidence" and isinstance(node.args[1], ast.Dict):
            keys = [key.value for key in node.args[1].keys if isinstance(key, ast.Constant)]
            yield fact.value, set(keys)
        elif called in ("evidence", "Unreadable"):
            yield fact.value, {str(word.arg) for word in node.keywords} - {"line"}


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


# ------------------------------------------------------------------ what a game consists of


@EVERY
def test_a_game_has_a_ruling_book_a_playthrough_and_somebody_who_plays_it(name: str) -> None:
    rules = book(name)
    assert rules.title.ja
    assert rules.clauses
    assert list((TESTS / "games" / name / "playthroughs").glob("*.txt")), "no playthrough"
    assert player(name), "no player.py"


@EVERY
def test_a_game_has_tests_of_its_own(name: str) -> None:
    assert (TESTS / "games" / name / f"test_{name}.py").is_file()


@EVERY
def test_names_and_numbers(name: str) -> None:
    game = GAMES[name]
    assert isinstance(game, ModuleType)
    assert name == game.NAME == game.__name__.rpartition(".")[2]
    assert game.SEATS[0] >= 1
    assert game.VERSION
    verbs = [(play.SUBJECT, play.FORM.split()[0]) for play in (*game.PLAYS, *CORRECTIONS)]
    assert len(set(verbs)) == len(verbs)


@EVERY
def test_options_are_those_of_the_book_in_its_order(name: str) -> None:
    told = {o.key: tuple(choice.value for choice in o.choices) for o in book(name).options}
    assert list(told) == list(GAMES[name].OPTIONS)
    assert told == {key: option.values for key, option in GAMES[name].OPTIONS.items()}


def test_common_options_are_those_of_the_common_book_in_its_order() -> None:
    told = {o.key: tuple(choice.value for choice in o.choices) for o in book("common").options}
    assert list(told) == list(COMMON_OPTIONS)
    assert told == {key: option.values for key, option in COMMON_OPTIONS.items()}


@EVERY
def test_clauses_cited_in_the_code_stand_in_the_book(name: str) -> None:
    for clause in cited(own(name)):
        assert book(name).clause(clause)
    for clause in cited(shared(name)):
        assert any(clause in clauses(other) for other in sharing(name)), clause


def sharing(name: str) -> list[str]:
    """The games that rest on code which ``name`` rests on, too."""
    return [other for other in GAMES if set(families(other)) & set(families(name))]


def clauses(name: str) -> set[str]:
    return {clause.id for rules in (book(name), book("common")) for clause in rules.clauses}


@EVERY
def test_clauses_cited_in_the_games_own_file_are_told_in_a_test(name: str) -> None:
    files = [TESTS / "games" / name / f"test_{name}.py"]
    files += [TESTS / "games" / "families" / f"test_{family}.py" for family in families(name)]
    files += (TESTS / "games" / name / "playthroughs").glob("*.txt")
    told = " ".join(file.read_text(encoding="utf-8") for file in files)
    assert cited(own(name)) <= set(CLAUSE.findall(told))


@EVERY
def test_facts_are_given_exactly_what_their_sentences_ask_for(name: str) -> None:
    core = [ROOT / "referee" / "core" / file for file in ("ending.py", "log.py")]
    core += (ROOT / "referee" / "core" / "record").glob("*.py")
    found = 0
    for files, names in (([*own(name), *core], [name]), (shared(name), sharing(name))):
        known = {key: text for other in names for key, text in book(other).facts.items()}
        for fact, given_values in facts(files):
            asked = placeholders(known[fact].en)
            # ``key`` may only say which line of the header is at fault
            assert asked in (given_values, given_values - {"key"}), fact
            found += 1
    assert found > 20


# ------------------------------------------------------------------ laws


@st.composite
def matches(draw: Any, lies: bool = False) -> tuple[Game, Header, int]:
    """A game, a table for it, and the seed of a deal."""
    game = GAMES[draw(st.sampled_from(list(GAMES)))]
    most = min(game.SEATS[-1], 5)
    seats = "ABCDE"[: draw(st.integers(game.SEATS[0], most))]
    chosen = {}
    for key, option in {**COMMON_OPTIONS, **game.OPTIONS}.items():
        value = draw(st.sampled_from(option.values))
        chosen[key] = value if key != "rounds" else draw(st.sampled_from(("1", "2")))
    header = Header(game.NAME, tuple(seats), chosen)
    try:
        parse_header("\n".join(print_header(header)), GAMES)
    except Unreadable:
        assume(False)  # two house rules that exclude each other
    return game, header, draw(st.integers(0, 10**6))


def log_of(at: tuple[Game, Header, int], lies: float = 0, shows: float = 0.01) -> Log:
    game, header, seed = at
    return played(game, header.seats, seed, lies, shows, 150, header.options)


@given(matches())
@settings(max_examples=40)
def test_honest_players_are_never_refused_and_never_found_guilty(at: Any) -> None:
    log = log_of(at)
    assert not any(isinstance(step.verdict, Illegal) for step in log.steps())
    assert log.findings() == ()


@given(matches())
@settings(max_examples=25)
def test_replaying_is_stepping_and_nothing_is_ever_changed(at: Any) -> None:
    log = log_of(at, lies=0.3)
    game = log.game
    kept = [log.start, *(step.state for step in log.steps())]
    for state in kept:
        list(options(game, state))
        game.score(state), game.outcome(state), game.audit(state), game.public(state)
        game.to_act(state)
        for play in log.entries[:: max(1, len(log) // 5)]:
            game.judge(state, play)
            game.let_stand(state, play)
    state = game.setup(log.table)
    assert kept[0] == state
    for step, reached in zip(log.steps(), kept[1:], strict=True):
        legal = not isinstance(step.verdict, Illegal)
        act = game.apply if legal else game.HOOKS.refused
        state = act(state, step.play)
        assert state == reached


@given(matches())
@settings(max_examples=25)
def test_options_hold_nothing_illegal_and_all_that_is_played(at: Any) -> None:
    log = log_of(at, shows=0)
    game = log.game
    for step in log.steps():
        before = step.before.state if step.before else log.start
        offered = list(options(game, before))
        assert not any(isinstance(game.judge(before, play), Illegal) for play in offered)
        if game.candidates(before) and step.play.SUBJECT == "seat":
            assert game.to_act(before)
        if game.NAME in ("fancy", "perite"):
            assert step.play in offered
    if game.outcome(log.state):
        assert list(options(game, log.state)) == []
        assert game.to_act(log.state) == ()


@given(matches())
@settings(max_examples=25)
def test_totals_are_the_sum_of_their_lines_and_winners_sit_at_the_table(at: Any) -> None:
    log = log_of(at)
    for state in [log.start, *(step.state for step in log.steps()[::7]), log.state]:
        sheet = log.game.score(state)
        totals = dict.fromkeys(log.table.seats, 0)
        for line in sheet.lines:
            totals[line.seat] += line.points
        assert totals == dict(sheet.totals)
        assert list(sheet.totals) == list(log.table.seats)
        ended = log.game.outcome(state)
        if ended:
            order = [seat for seat in log.table.seats if seat in ended.winners]
            assert ended.winners == tuple(order)


@given(matches())
@settings(max_examples=25)
def test_a_match_reads_as_it_was_written(at: Any) -> None:
    log = log_of(at, lies=0.2, shows=0.05)
    grammar = Grammar(log.game, log.table.seats)
    found = read(write(at[1], map(grammar.print, log.entries)).encode(), GAMES)
    assert isinstance(found, Record)
    assert found.header == at[1]
    assert [written.entry for written in found.entries] == log.entries


@given(matches())
@settings(max_examples=25)
def test_what_everybody_sees_is_json_and_tells_no_hidden_card(at: Any) -> None:
    log = log_of(at)
    for state in (log.start, *(step.state for step in log.steps()[::5])):
        public = log.game.public(state)
        assert isinstance(public, dict)
        assert json.loads(json.dumps(public, allow_nan=False)).keys() == public.keys()
        assert all(isinstance(key, str) for key in keys(public))


def keys(value: object) -> Iterator[object]:
    if isinstance(value, Mapping):
        yield from value
        for inner in value.values():
            yield from keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from keys(inner)


@given(matches())
@settings(max_examples=40)
def test_every_answer_cites_the_book_and_can_be_said_in_both_languages(at: Any) -> None:
    log = log_of(at, lies=0.5, shows=0.03)
    game, rules, rng = log.game, book(at[0].NAME), Random(at[2])
    for step in log.steps():
        said(rules, step.verdict.clause, step.verdict.evidence)
        for play in rng.sample(log.entries, min(4, len(log))):
            verdict = game.judge(step.state, play)
            said(rules, verdict.clause, verdict.evidence)
            if isinstance(verdict, Unprovable):
                assert verdict.premise
    for finding in log.findings():
        said(rules, finding.clause, finding.evidence)
        assert finding.proof[-1] > finding.at or finding.proof[-1] == finding.at
        assert list(finding.proof) == sorted(set(finding.proof))
    for line in game.score(log.state).lines:
        said(rules, line.clause, line.evidence)
    ended = game.outcome(log.state)
    if ended:
        said(rules, ended.clause, ended.evidence)


def said(rules: Book, clause: str, evidence: Facts) -> None:
    assert rules.clause(clause).text.ja
    for fact in evidence:
        for lang in ("ja", "en"):
            assert rules.says(fact.fact, fact.values, lang)


@pytest.mark.parametrize("name", [name for name in ("fancy", "perite") if name in GAMES])
def test_cards_are_conserved(name: str) -> None:
    """What was laid and what is held add up to what was dealt, and to no more than exists."""
    for seed in range(6):
        log = played(GAMES[name], "ABCD", seed, lies=0.2, shows=0.03, options={"rounds": "2"})
        size = 8
        laid = dict.fromkeys("ABCD", 0)
        for step in log.steps():
            hands = step.state.hands
            if step.play.SUBJECT == "table":
                laid = dict.fromkeys("ABCD", 0)
            elif hasattr(step.play, "rank"):
                laid[step.play.seat] += 1
            for seat in "ABCD":
                held = hands.hidden[seat] + sum(hands.shown.get(seat, ()))
                assert held + laid[seat] == size
            assert all(
                0 <= here <= copies
                for here, copies in zip(hands.located, hands.deck.copies, strict=True)
            )
            seen = sum(laid.values()) + sum(map(sum, hands.shown.values()))
            assert sum(hands.located) == seen


@pytest.mark.parametrize("name", list(GAMES))
def test_before_the_first_deal_nobody_is_to_act_and_nothing_is_decided(name: str) -> None:
    game = GAMES[name]
    start = game.setup(table(game, [f"s{i}" for i in range(game.SEATS[0])]))
    assert game.to_act(start) == ()
    assert game.outcome(start) is None
    assert game.audit(start) == ()
    assert set(game.score(start).totals.values()) == {0}
