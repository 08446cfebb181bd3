"""Normal forms: the same as the standard library's, for whatever a stranger sends."""

from __future__ import annotations

import ast
import unicodedata
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.core.naming import clean_name
from referee.core.normalised import MOST_MARKS, normalised

ABOVE, BELOW = "\u0301", "\u0316"  # marks of different classes, which are sorted
HALF_WIDE = "ﾞ"  # becomes a mark only in NFKC


@given(st.text(max_size=400))
def test_texts_of_people_are_normalised_as_ever(text: str) -> None:
    assert normalised(text) == unicodedata.normalize("NFKC", text)
    assert normalised(text * 3, "NFC") == unicodedata.normalize("NFC", text * 3)


def test_a_letter_keeps_a_few_of_a_thousand_marks() -> None:
    text = normalised("a" + (ABOVE + BELOW) * 500 + "b" + ABOVE)
    assert text == unicodedata.normalize("NFKC", "a" + (ABOVE + BELOW) * (MOST_MARKS // 2)) + "b́"
    assert len(normalised(("a" + HALF_WIDE * 100) * 10)) <= 10 * (MOST_MARKS + 1)


@pytest.mark.parametrize("pump", [(ABOVE, BELOW), (ABOVE * 25 + HALF_WIDE, BELOW), ("가", BELOW)])
def test_marks_are_sorted_by_linear_work(pump: tuple[str, str]) -> None:
    def seconds(times: int) -> float:
        text = "a" + "".join(part * times for part in pump)
        began = process_time()
        clean_name(text)
        return process_time() - began

    short, long = (min(seconds(times) for _ in range(5)) for times in (1_000, 8_000))
    assert long < 24 * max(short, 0.0005)  # eight times, not sixty-four


def test_nothing_normalises_without_that_limit() -> None:
    root = Path(referee.__file__).parent
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute | ast.alias)
        and "normalize" in (getattr(node, "attr", ""), getattr(node, "name", ""))
    }
    assert found == {"core/normalised.py"}
