"""`referee game new` and `referee game docs`: files begun by questions, and the reference."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.kit import recipes
from referee.kit.beginning import QUESTIONS, written
from referee.kit.chapters.scoring import TRICK_WORDS
from referee.kit.check import check
from referee.kit.reference import markdown, reference
from referee.kit.shape import shape_of
from referee.kit.text import formula
from referee.kit.text.form import Leaf, Shape

TOP = Path(__file__).parents[3]
TEXTS = {"key": "mine", "ja": "題", "en": "title", "count": "2-4", "deals": "3"}


def answers() -> list[dict[str, str]]:
    """Every choice with every other one."""
    asked = [question for question in QUESTIONS if question.choices]
    found = []
    for choice in product(*([each.value for each in question.choices] for question in asked)):
        said = TEXTS | {question.key: value for question, value in zip(asked, choice, strict=True)}
        for question in asked:
            if question.only_if and said[question.only_if[0]] not in question.only_if[1]:
                del said[question.key]
        if said not in found:
            found.append(said)
    return found


def test_whatever_is_answered_begins_a_game_without_a_fault() -> None:
    made = answers()
    assert len(made) > 100
    for said in made:
        found, notes = check(written(said).encode(), quick=True)
        assert found is not None
        assert [note.wrong.fact for note in notes if not note.only_note] == [], said


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_file_is_begun_by_questions(tmp_path: Path, lang: str) -> None:
    file = tmp_path / "mine.toml"
    typed = "mine\n題\nTitle\nthree\n3\n1\n2\n1\n2\n2\n4\n"
    answer = CliRunner().invoke(main, ["game", "new", str(file), "--lang", lang], input=typed)
    assert answer.exit_code == 0, answer.output
    text = file.read_text(encoding="utf-8")
    for part in ('key = "mine"', 'count = "3"', "[bid]", 'suit = "S"', "deals = 4"):
        assert part in text, part
    checked = CliRunner().invoke(main, ["game", "check", str(file), "--lang", lang])
    assert checked.exit_code == 0, checked.output
    again = CliRunner().invoke(main, ["game", "new", str(file)], input=typed)
    assert again.exit_code == 2
    assert file.read_text(encoding="utf-8") == text


def keys(shape: Shape, path: str = "") -> list[str]:
    """Every key that a file can have, with dots."""
    if isinstance(shape, Leaf):
        return [path]
    return [key for name, each in shape.items() for key in keys(each, f"{path}.{name}".strip("."))]


def test_the_reference_names_every_key_and_every_word_of_sums() -> None:
    codes = " ".join(row.code for part in reference() for row in part.rows)
    words = set(re.findall(r"[a-z_]+(?:\.[a-z_]+)?", codes))
    tables = {
        "deck.suits",
        "deck.special",
        "bid.special",
        "effect",
        "score",
        "counters",
        "fold",
        "stay",
    }
    for family in ("trick_taking", "draw_or_stop"):  # the guide has a table for the others
        for key in keys(shape_of(family)):
            assert key in words | tables, key
    assert TRICK_WORDS - words - {"rank", "suit", "card"} == set()
    assert {name.removesuffix("()") for name in formula.FUNCTIONS} - {"under"} <= words


@pytest.mark.parametrize(("lang", "page"), [("ja", "own-game.ja.md"), ("en", "own-game.md")])
def test_the_tutorial_ends_with_the_reference_that_the_command_prints(lang: str, page: str) -> None:
    text = (TOP / "docs" / page).read_text(encoding="utf-8")
    assert text.endswith(markdown(lang))
    assert recipes.markdown(lang) in text
    printed = CliRunner().invoke(main, ["game", "docs", "--lang", lang])
    assert printed.output == markdown(lang)
