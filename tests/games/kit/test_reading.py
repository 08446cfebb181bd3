"""The text of a game file: read as TOML reads it, in little time, and with the place of a fault."""

from __future__ import annotations

import sys
import tomllib
import tracemalloc
from pathlib import Path
from random import Random

import pytest
from kit_files import FILES

from referee.kit.load import Misread, load
from referee.kit.text.faults import FilePosition, Wrong
from referee.kit.text.parsing import parse
from referee.kit.text.toml import SIZE, normal, read

TOML_1_1 = sys.version_info >= (3, 15)
"""Whether Python's own reader takes what TOML 1.1 added."""
HOSTILE = [
    "a." * 30_000,
    "[" * 60_000,
    "a=" + "[" * 60_000,
    "a=" + "{a=" * 20_000,
    'a="' + "\\" * 60_000,
    "a='''" + "'" * 59_000,
    'a="' + '\\"' * 30_000,
    "\n".join(f"[a{i}]" for i in range(9000)),
    "\n".join(f"a{i}=1" for i in range(6000)),
    "a=[" + "1," * 30_000,
    "a=" + "9" * 60_000,
    'a="' + "\\u0041" * 10_000 + '"',
    "[[a]]\n" * 10_000,
    "a={" + "a.b.c.d=1," * 6000,
    "a=1\x00",
    'a="\u202e"',
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_file_reads_as_toml_reads_it(file: Path) -> None:
    text = normal(file.read_bytes())
    assert read(text).values == tomllib.loads(text)


def test_damaged_texts_read_as_toml_reads_them() -> None:
    rng = Random(1)
    texts = [normal(file.read_bytes()) for file in FILES]
    read_well = 0
    for _ in range(2000):
        lines = rng.choice(texts).split("\n")
        start = rng.randrange(len(lines))
        signs = list("\n".join(lines[start : start + rng.randrange(1, 12)]))
        for _ in range(rng.randrange(3) if signs else 0):
            signs[rng.randrange(len(signs))] = rng.choice("[]{}=\"'.,\n #a1\\-")
        text = normal("".join(signs).encode())
        try:
            found = read(text).values
        except Wrong as wrong:
            if wrong.fact in ("kit_deep", "kit_control"):
                continue
            found = None
        try:
            right = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            right = None
        if TOML_1_1 and found is None:
            continue  # 1.1 allows more in inline tables; a game file is read by 1.0
        assert found == right, text
        read_well += found is not None
    assert 200 < read_well < 1900


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8])
def test_a_hostile_file_is_refused_with_little_memory(text: str) -> None:
    source = text.encode()[:SIZE]
    tracemalloc.start()
    try:
        with pytest.raises(Misread) as found:
            load(source)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert found.value.faults[0].line >= 1


def test_a_file_that_is_too_long_is_not_read() -> None:
    with pytest.raises(Misread, match="kit_too_long"):
        load(b"#" * (SIZE + 1))


@pytest.mark.parametrize(
    ("text", "fact", "line", "column"),
    [
        ("a = 1\nb = [1, 2", "kit_expected", 3, 1),
        ('a = 1\nb = "x', "kit_open", 2, 5),
        ("a = 1\n  a = 2", "kit_twice_value", 2, 3),
        ("a = {}\na.b = 2", "kit_twice", 2, 1),
        ("a = { b = 1, b = 2 }", "kit_twice_value", 1, 14),
        ("a = tricks", "kit_unquoted", 1, 5),
        ("a = 10*bid + tricks", "kit_unquoted", 1, 5),
        ("a = { b = 10 + bid, c = 2 }", "kit_unquoted", 1, 11),
        ("a = 1..8", "kit_unquoted", 1, 5),
        ("a = [suit led]", "kit_unquoted", 1, 6),
        ("a = わたし", "kit_unquoted", 1, 5),
        ("a = 13 cards # each", "kit_unquoted", 1, 5),
        ('a = "b", "c"', "kit_list_signs", 1, 8),
        ("a = 1.5", "kit_value", 1, 5),
        ('a = "\\q"', "kit_escape", 1, 6),
        ("a = 1 b = 2", "kit_line_end", 1, 6),
        ("[a]\nx = 1\n[a]", "kit_twice", 3, 2),
        ("a.b.c.d.e.f.g = 1", "kit_deep", 1, 13),
    ],
)
def test_a_fault_has_its_line_and_column(text: str, fact: str, line: int, column: int) -> None:
    with pytest.raises(Wrong) as found:
        read(normal(text.encode()))
    assert (found.value.fact, found.value.line, found.value.column) == (fact, line, column)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("tricks != bid", 8, "not a = b"),
        ("tricks ≠ bid", 8, "not a = b"),
        ("tricks == bid", 8, "="),
        ("tricks ≥ bid", 8, ">="),
        ("tricks => bid", 8, ">="),
        ("bid = 1 && tricks = 2", 9, "and"),
        ("bid = 1 | tricks = 2", 9, "or"),
        ("tricks ＝ bid", 8, "="),
        ("tricks = １", 10, "1"),
        ("tricks^2 > 9", 7, "a*a"),
        ("tricks**2 > 9", 7, "a*a"),
        ("5 if tricks = 3 else 0", 3, "if … then … else …"),
        ("if bid = 1 then 2 elif bid = 2 then 3 else 4", 19, "else if"),
        ("tricks mod 2 = 1", 8, "a - a/b*b"),
        ("(tricks) mod 2 = 1", 10, "a - a/b*b"),
        ("tricks between 3 and 5", 8, "a >= 3 and a <= 5"),
        ("sum(tricks) = 3", 1, "every( )"),
        ("lying(10) > 0", 7, "rank 10"),
        ("lying(rank 1, rank 2) > 0", 13, "or"),
    ],
)
def test_a_sign_from_elsewhere_is_answered_with_ours(text: str, column: int, words: str) -> None:
    with pytest.raises(Wrong) as found:
        parse(text, FilePosition(1, 1), "score.a.when", "condition")
    wrong = found.value
    assert (wrong.fact, wrong.column, wrong.values["words"]) == ("kit_sign_instead", column, words)


@pytest.mark.parametrize(
    ("text", "fact", "column"),
    [
        ("3 <= tricks <= 5", "kit_one_comparison", 13),
        ("tricks > 3 and < 6", "kit_half_comparison", 16),
        ("if tricks = 3 then 5", "kit_if_expected", 21),
        ("card SQ", "kit_cards_here", 1),
        ("tricks = 3 and suit H", "kit_cards_here", 16),
    ],
)
def test_a_condition_as_people_say_it(text: str, fact: str, column: int) -> None:
    with pytest.raises(Wrong) as found:
        parse(text, FilePosition(1, 1), "score.a.when", "condition")
    assert (found.value.fact, found.value.column) == (fact, column)


def test_a_comparison_in_a_row_is_written_out() -> None:
    with pytest.raises(Wrong) as found:
        parse("3 <= tricks + 1 < 5", FilePosition(1, 1), "score.a.when", "condition")
    assert found.value.values["words"] == "… <= tricks + 1 and tricks + 1 < …"


def test_signs_of_a_sum_are_not_taken_for_those_from_elsewhere() -> None:
    for text in ("a <= b", "a >= b", "a < b", "a > b", "a = -b", "1 - 2 * 3 / 4 = 5"):
        parse(text, FilePosition(1, 1), "score.a.when", "condition")
