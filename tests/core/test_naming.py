"""Entries with renamed seats, for every kind of entry of every game."""

from __future__ import annotations

import pytest

from referee.core.naming import Script, renamed, unnamed
from referee.core.record import Grammar
from referee.games import GAMES
from referee.games.simulation import WIDEST, played

NAMES_THEN = ("A", "B C", "deal", "7", "E")
TODAY = {"A": "あかね", "B C": "leader", "deal": "A", "7": "B C", "E": "lay 7"}


@pytest.mark.parametrize("name", GAMES)
def test_every_entry_of_a_match_comes_and_goes_under_other_names(name: str) -> None:
    game = GAMES[name]
    then = NAMES_THEN[: min(len(NAMES_THEN), game.SEATS[-1])]
    now = tuple(TODAY[seat] for seat in then)
    names = dict(zip(then, now, strict=True))
    before, after = Grammar(game, then), Grammar(game, now)
    script = Script(game, then, names)
    lines = [before.print(entry) for entry in played(game, then, seed=1).entries]
    lines += [f"table amend 2 {lines[-1]}", f"table insert 2 {lines[-1]}", "table rewind 1"]
    for line in lines:
        entry = script.parse(line)
        assert after.parse(after.print(entry)) == entry
        assert script.print(entry) == line
        if entry.SUBJECT != "table":
            assert entry.seat in now  # type: ignore[attr-defined]


def test_without_other_names_nothing_is_touched() -> None:
    entry = Grammar(GAMES[WIDEST], NAMES_THEN).parse("A lay 4")
    assert renamed(entry, {}) is entry


@pytest.mark.parametrize(
    ("text", "names", "left"),
    [
        ("All saw A; Aさん", "A", "All saw だれか; だれかさん"),
        ("1 of 21, 1.", "1", "だれか of 21, だれか."),
        ("健一と健", "健", "だれか一とだれか"),
        ("Ζωή, Ζ", "Ζ", "Ζωή, だれか"),
        ("れ", "れ", "だれか"),
    ],
)
def test_a_name_is_taken_out_as_a_whole_word(text: str, names: str, left: str) -> None:
    assert unnamed(text, names, "だれか") == left


def test_names_are_taken_out_in_one_go() -> None:
    assert unnamed("健太 れ", ["健太", "れ", "健"], "だれか") == "だれか だれか"
