"""What holds for every game of the registry; a new one learns here what it still lacks.

The checks are those of `make check-game` and `make soak`, which also say what to do.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.core.game import COMMON_OPTIONS
from referee.core.record import Header
from referee.games import GAMES
from referee.rulings import book
from tools import conventions, laws
from tools.conventions import Check
from tools.laws import Law

MOST_SEATS = 5


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("check", conventions.NEEDED, ids=lambda check: check.__name__)
def test_a_game_has_what_it_needs(check: Check, name: str) -> None:
    missing = list(check(name))
    assert not missing, "\n".join(missing)


def test_the_code_is_read_for_clauses_facts_and_endings() -> None:
    """Else the checks would find nothing wrong because they find nothing."""
    assert len(list(conventions.facts(conventions.core_files()))) > 20
    for name in GAMES:
        assert conventions.cited([*conventions.own(name), *conventions.shared(name)])
        assert conventions.endings(name) <= {
            clause.id for rules in (book(name), book("common")) for clause in rules.clauses
        }


def test_common_options_are_those_of_the_common_book_in_its_order() -> None:
    written = {o.key: tuple(choice.value for choice in o.choices) for o in book("common").options}
    coded = {key: option.values for key, option in COMMON_OPTIONS.items()}
    assert list(written.items()) == list(coded.items()), (
        "let COMMON_OPTIONS (referee/core/game.py) and common.toml have the same options, values "
        "and order"
    )


@st.composite
def tables(draw: st.DrawFn) -> tuple[Header, int]:
    """A table for some game, and the seed of a deal."""
    game = GAMES[draw(st.sampled_from(list(GAMES)))]
    most = max(min(game.SEATS[-1], MOST_SEATS), game.SEATS[0])
    seats = [f"P{i}" for i in range(draw(st.integers(game.SEATS[0], most)))]
    rules = laws.house_rules(game)
    chosen = {key: draw(st.sampled_from(values)) for key, values in rules.items()}
    header = laws.headed(game, seats, chosen)
    assume(laws.can_be_chosen(game, header))
    return header, draw(st.integers(0, 10**6))


@given(tables())
@settings(max_examples=40)
def test_honest_players_are_never_refused_and_never_found_guilty(at: tuple[Header, int]) -> None:
    assert list(laws.honest_players_are_never_found_guilty(laws.match(*at))) == []


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@given(at=tables(), lies=st.sampled_from((0, 0.3)))
@settings(max_examples=30)
def test_every_match_keeps(law: Law, at: tuple[Header, int], lies: float) -> None:
    assert list(law(laws.match(*at, lies=lies))) == []


@pytest.mark.parametrize("name", list(GAMES))
def test_before_the_first_deal_nobody_is_to_act_and_nothing_is_decided(name: str) -> None:
    assert list(laws.nothing_is_decided_before_the_first_deal(GAMES[name])) == []
