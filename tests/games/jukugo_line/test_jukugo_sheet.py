"""Tally sheets of 熟語ライン."""

from __future__ import annotations

from typing import Any

import pytest
from jukugo_table import DECK, judged

from referee.core.record import Unreadable


def sheet(*lines: str, **options: str) -> dict[str, Any]:
    return judged(*lines, kind="tally", **options)


def test_two_columns_are_compared() -> None:
    """claim.4."""
    answer = sheet("A: 日本音", "B: 和風流")
    assert answer["formations"] == {
        "A": {"name": "chain", "primary": 3, "secondary": 0, "words": ["日本", "本音"]},
        "B": {"name": "chain", "primary": 8, "secondary": 0, "words": ["和風", "風流"]},
    }
    assert answer["winner"] == "B"
    assert answer["outcome"]["winners"] == ["B"]
    assert answer["score"] == {"A": 0, "B": 1}


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (("日本音", "先人"), "A wins with a chain against one word."),
        (("日本音", "和風流"), "Both formations are the same kind, so B wins with more points."),
    ],
)
def test_the_outcome_says_why_a_formation_wins(columns: tuple[str, str], why: str) -> None:
    a, b = columns
    answer = sheet(f"A: {a}", f"B: {b}{'車' * (3 - len(b))}")
    assert answer["outcome"]["says"].endswith(why)


def test_a_full_tie_needs_to_know_who_was_first() -> None:
    """claim.5 (J17)."""
    assert sheet("A: 先人生", "B: 日本音")["winner"] is None
    first = sheet("A: 先人生", "B: 日本音", "first: B")
    assert (first["winner"], first["outcome"]["clause"]) == ("B", "claim.5")
    assert sheet("A: 和風流", "B: 日本音", "first: B")["winner"] == "A"


def test_a_claim_is_proven_or_refuted() -> None:
    """claim.6."""
    proven = sheet("A: 日本人", "B: 風流")
    assert proven["claim"] == "proven"
    assert list(proven["formations"]) == ["A"]
    refuted = sheet("A: 日本音", "B: 和風")["claim"]
    assert refuted["refuted_by"] == ["和", "風", "流"]
    assert refuted["formation"]["primary"] == 8
    assert sheet("A: 日本音", "B: 和風", "seen: 流 車")["claim"] == "proven"
    assert sheet("B: 日本人", "A:")["claim"] == "proven"


def test_the_jokers() -> None:
    """joker.2 (J14, J15): by default both are still to come."""
    table = ("A: 本意面", "B: 先日", "seen: 音用人国学生理科立場風車王行和流新中牛")
    assert "々" in sheet(*table)["claim"]["refuted_by"]
    assert sheet(*table, "joker: A")["claim"] == "proven"
    assert "々" in sheet(*table, "joker: A B")["claim"]["refuted_by"]
    assert sheet(*table, "joker:")["claim"] == "proven"
    own = sheet("A: 日々面", "B: 人", "joker: B")
    assert own["formations"]["A"]["name"] == "one_word"


def test_options_reach_the_sheet() -> None:
    """kinds.4 (J23)."""
    assert sheet("A: 日本面", "B: 先人生")["formations"]["A"]["name"] == "one_word"
    both = sheet("A: 日本面", "B: 先人生", same_pair_counts="on")
    assert both["formations"]["A"]["name"] == "two_words"


def test_values_that_a_sheet_does_not_need_change_nothing() -> None:
    full = ("A: 日本音", "B: 和風流")
    assert sheet(*full, "seen: 車 々", "joker: A") == sheet(*full)
    open_ = ("A: 日本音", "B: 和風")
    assert sheet(*open_, "first: A") == sheet(*open_)


def test_shuffled_jokers() -> None:
    """J2: both may come to one seat; who has one is not known, how many are left is."""
    shuffled = {"joker_deal": "shuffled"}
    assert sheet("A: 人々々", "B: 日本音", **shuffled)["formations"]["A"]["name"] == "two_words"
    others = "".join(card for card in DECK.by_kanji if card not in "面科車本人")
    for laid, claim in (("", "々"), ("々", "々"), ("々々", "proven")):
        answer = sheet("A: 面科車", "B: 本人", f"seen: {others}{laid}", **shuffled)
        assert claim in str(answer["claim"])
    for refused in (("A: 日本音", "B: 人", "joker: B"), ("A: 人々々", "B: 日々音")):
        with pytest.raises(Unreadable):
            sheet(*refused, **shuffled)


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (("A: 日本", "B: 和風"), 6),
        (("A: 日本音",), 6),
        (("A: 日本音", "B: 日風流"), 8),
        (("A: 日本音", "B: 和風流車"), 8),
        (("A: 日本音", "B: 和龍"), 8),
        (("A: 日本音", "B: 和風", "seen: 々"), 9),
        (("A: 日本音", "B: 和風", "seen: 々々", "joker: B"), 10),
        (("A: 日本音", "B: 和風", "first: B"), 9),
        (("A: 日本音", "B: 和風流", "first: C"), 9),
        (("A: 日本音", "B: 和風流", "seen: 流"), 9),
        (("A: 日本音", "B: 和風流", "joker: C"), 9),
        (("A: 日々音", "B: 和風", "joker: A"), 9),
        (("A: 日本音", "B: 和風", "C: 車"), 9),
        (("A: 日々々", "B: 和風"), 7),
        (("A: ab", "B: 和風流"), 7),
    ],
)
def test_sheets_that_can_t_be_read(lines: tuple[str, ...], line: int) -> None:
    with pytest.raises(Unreadable) as fault:
        sheet(*lines)
    assert fault.value.line == line
