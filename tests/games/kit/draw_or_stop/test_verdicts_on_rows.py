"""Entries of games of open cards: what is refused, by which clause, and what they change."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.verdict import Illegal, word_of
from referee.kit.check import check
from referee.kit.families.draw_or_stop.state import State
from referee.kit.game import KitGame
from referee.kit.load import load

HERE = Path(__file__).parent
PAIRS = "pairs_deck"
SEVEN = "seven_apart"


def written(name: str) -> KitGame:
    return load((HERE / f"{name}.toml").read_bytes())


def at(game: KitGame, lines: str, seats: str = "A B C") -> Log:
    """The log after these entries, all of which are legal."""
    names = tuple(seats.split())
    log, grammar = (
        Log(game, Table(names, {}, {**COMMON_OPTIONS, **game.OPTIONS})),
        Grammar(game, names),
    )
    for line in filter(None, map(str.strip, lines.split(","))):
        verdict = log.push(grammar.parse(line))
        assert not isinstance(verdict, Illegal), (line, verdict)
    return log


def clause(log: Log, line: str) -> str:
    """The clause by which an entry is refused; "legal" and the clause if it is not."""
    play = Grammar(log.game, log.table.seats).parse(line)
    verdict = log.game.judge(log.state, play)
    return (
        verdict.clause if isinstance(verdict, Illegal) else f"{word_of(verdict)} {verdict.clause}"
    )


@pytest.mark.parametrize("name", [PAIRS, "seven_apart", "twenty_one"])
def test_every_example_of_the_files_comes_out(name: str) -> None:
    game, notes = check((HERE / f"{name}.toml").read_bytes())
    assert game is not None
    assert [note.wrong for note in notes if not note.only_note] == []


DEALT = "table deal leader=A, A reveal 5, B reveal 7, C reveal 9"


@pytest.mark.parametrize(
    ("before", "line", "refused"),
    [
        ("", "A hit 5", "deal.1"),
        ("", "table deal", "starter.1"),
        (DEALT, "table deal leader=A", "deal.2"),
        (DEALT, "table shuffle", "shuffle.1"),
        (DEALT, "table starter A", "start.4"),
        (DEALT, "A reveal 5", "order.1"),
        ("table deal leader=A", "B reveal 5", "turn.1"),
        ("table deal leader=A, A reveal F", "B reveal 5", "turn.1"),
        (DEALT, "A aim B", "aim.1"),
        (f"{DEALT}, A hit F", "B aim A", "aim.1"),
        ("table deal leader=A, A reveal 5", "A hit 5", "order.1"),
        ("table deal leader=A, A reveal 5", "A stay", "order.1"),
        (DEALT, "B hit 5", "turn.1"),
        (f"{DEALT}, A hit F", "A hit 6", "aim.1"),
        (f"{DEALT}, A hit T, A aim B", "A hit 6", "draw.1"),
        (f"{DEALT}, A hit T, A aim B", "C hit 6", "turn.1"),
        (DEALT, "A hit 13", "deck.1"),
        ("table deal leader=A, A reveal 1, B reveal 7, C reveal 9", "A hit 1", "deck.2"),
        (DEALT, "A fold", "fold.1"),
        ("table deal leader=A, A reveal F, A aim B", "C reveal 1", "legal setup.hand"),
        (DEALT, "A hit 5", "legal effect.bust"),
        (DEALT, "A hit 6", "legal hit.1"),
        (f"{DEALT}, A hit F", "A aim A", "legal effect.freeze"),
        (f"{DEALT}, A hit T, A aim B", "B hit 6", "legal hit.1"),
    ],
)
def test_the_first_clause_that_applies_decides(before: str, line: str, refused: str) -> None:
    assert clause(at(written(SEVEN), before), line) == refused


def test_whoever_has_only_freezes_cannot_stay() -> None:
    log = at(written(SEVEN), "table deal leader=A, A reveal F, A aim B, C reveal 4")
    assert log.game.to_act(log.state) == ("A",)
    assert clause(log, "A stay") == "stay.1"


def test_a_second_life_is_paid_with_the_card_that_it_saves_from() -> None:
    log = at(written(SEVEN), f"{DEALT}, A hit S, B hit 8, C hit 4, A hit 5")
    state: State = log.state
    assert [shown.card for shown in state.round.rows[0]] == ["5"]
    assert state.round.busts == (False, False, False)


def test_another_second_life_goes_to_a_player_without_one() -> None:
    log = at(written(SEVEN), f"{DEALT}, A hit S, B hit 8, C hit S, A hit S")
    # only B has none, so nobody is asked
    rows = [[shown.card for shown in row] for row in log.state.round.rows]
    assert rows == [["5", "S"], ["7", "8", "S"], ["9", "S"]]
    assert log.game.to_act(log.state) == ("B",)


def test_effects_of_three_cards_wait_until_the_last_one() -> None:
    log = at(written(SEVEN), f"{DEALT}, A hit T, A aim B, B hit F, B hit 8")
    assert log.game.to_act(log.state) == ("B",)
    log = at(written(SEVEN), f"{DEALT}, A hit T, A aim B, B hit F, B hit 8, B hit 3, B aim C")
    assert log.state.round.playing == ("A", "B")
    assert log.game.to_act(log.state) == ("B",)


def test_effects_that_wait_lapse_if_their_player_is_bust() -> None:
    log = at(written(SEVEN), f"{DEALT}, A hit T, A aim B, B hit F, B hit 7")
    assert log.state.round.playing == ("A", "C")
    assert log.game.to_act(log.state) == ("C",)


def test_the_seventh_number_ends_the_round() -> None:
    game, seats = written(SEVEN), "A B C"
    lines = "table deal leader=A, A reveal 1, B reveal 12, C reveal 12, A hit 2, B stay, C stay"
    more = ", A hit 3, A hit 4, A hit 5, A hit 6, A hit 7"
    log = at(game, lines + more, seats)
    assert log.state.phase == "between"
    assert game.score(log.state).totals == {"A": 43, "B": 12, "C": 12}


def test_the_round_goes_on_with_those_who_are_left() -> None:
    log = at(written(SEVEN), f"{DEALT}, A stay, B hit 7, C hit 3")
    assert log.game.to_act(log.state) == ("C",)
    assert log.game.score(at(written(SEVEN), f"{DEALT}, A stay, B hit 7, C stay").state).totals == {
        "A": 5,
        "B": 0,
        "C": 9,
    }


def test_with_go_on_a_player_draws_until_out_or_staying() -> None:
    dealt = "table deal leader=A, A reveal S2, B reveal H9, A reveal S6, B reveal D9"
    log = at(written("twenty_one"), f"{dealt}, A hit C3", "A B")
    assert log.game.to_act(log.state) == ("A",)
    assert at(written("twenty_one"), f"{dealt}, A stay", "A B").game.to_act(log.state) == ("A",)


def test_points_of_a_round_are_entered_by_its_sheet() -> None:
    game = written(SEVEN)
    log = at(game, f"{DEALT}, A stay, B stay, C stay, table sheet leader=B A=12 B=0 C=7")
    assert game.score(log.state).totals == {"A": 17, "B": 7, "C": 16}
    # which cards came is not known now, so a shuffle may be entered at any time
    log = at(
        game,
        f"{DEALT}, A stay, B stay, C stay, table sheet leader=B A=12 B=0 C=7, table deal leader=C",
    )
    assert clause(log, "table shuffle") == "legal shuffle.1"


@pytest.mark.parametrize(
    ("name", "old", "new", "fact"),
    [
        (SEVEN, "[stay]\nwhen = ", "[other]\nwhen = ", "kit_no_key"),
        ("twenty_one", "[stay]\n", "", "kit_no_stop"),
        (PAIRS, "cards = 1\n", "cards = 2\n", "kit_lowest_cards"),
        (PAIRS, "burn = 5", "burn = 55", "kit_burns_all"),
        ("twenty_one", "cards = 2\n", "cards = 9\n", "kit_deals_more"),
        (
            PAIRS,
            'do = ["keep", "over"] }\nfold',
            'do = ["keep", "drop"] }\nfold',
            "kit_verbs_clash",
        ),
        (SEVEN, "same > 0 and row(card S) > 0", "same > 0", "kit_cost_unasked"),
        (SEVEN, 'who = "row(card S) = 0"', 'who = "no"', "kit_nobody_aimed"),
        (SEVEN, 'do = "over" }', 'do = "over", to = "any" }', "kit_verb_lacks"),
        (PAIRS, 'loser = "most"', 'loser = "most"\nwinner = "least"', "kit_won_and_lost"),
        (PAIRS, 'loser = "most"', "", "kit_missing"),
        (PAIRS, "[fold]", "[trick]\nbest = []\n\n[fold]", "kit_other_family"),
        (PAIRS, "stock = ", "turn_up = ", "kit_other_family"),
        (PAIRS, '"draw_or_stop"', '"draughts"', "kit_one_of"),
        (SEVEN, "row(card S) = 0", "row(card Q) = 0", "kit_no_card"),
        (SEVEN, "kinds = 6", "tricks = 6", "kit_unknown"),
        (SEVEN, "row_sum * twice", "taken(all) * twice", "kit_no_function"),
        (SEVEN, 'when = "not bust"', 'when = "same > 0"', "kit_not_here"),
    ],
)
def test_the_check_finds_the_hole(name: str, old: str, new: str, fact: str) -> None:
    text = (HERE / f"{name}.toml").read_text(encoding="utf-8")
    assert old in text
    _game, notes = check(text.replace(old, new, 1).encode(), quick=True)
    found = [note.wrong.fact for note in notes if not note.only_note]
    assert fact in found, found


def test_a_key_of_another_family_is_named_with_its_family() -> None:
    text = (
        (HERE / f"{PAIRS}.toml").read_text(encoding="utf-8").replace("burn = 5", 'turn_up = "none"')
    )
    [fault] = [note.wrong for note in check(text.encode())[1] if not note.only_note]
    assert (fault.fact, fault.values["key"], fault.values["family"]) == (
        "kit_other_family",
        "deal.turn_up",
        "trick_taking",
    )
    assert (fault.line, fault.column) == (24, 1)
