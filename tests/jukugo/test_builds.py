"""The word list and the school years are what their build scripts make of the dictionaries.

`WORD_SOURCES` names the folder where the packages lie unpacked (see tools/build_words.py).
"""

from __future__ import annotations

import os
import runpy
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from referee.jukugo import library

TOOLS = Path(__file__).parents[2] / "tools"
SOURCES = Path(os.environ.get("WORD_SOURCES", "nowhere"))
needs_sources = pytest.mark.skipif(not SOURCES.is_dir(), reason="WORD_SOURCES is not set")


def tool(name: str) -> dict[str, Any]:
    return runpy.run_path(str(TOOLS / name))


@needs_sources
def test_the_word_list() -> None:
    content = tool("build_words.py")["build"](SOURCES)
    assert sha256(content).hexdigest() == library.EDITIONS["2021-04"]


@needs_sources
def test_the_school_years() -> None:
    build = tool("build_school_years.py")["build"]
    shipped = files("referee.jukugo") / "data" / "school_years_1989.txt"
    made = build(SOURCES / "jamdict_data-1.5" / "jamdict_data" / "jamdict.db")
    assert made == shipped.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("form", "meanings", "witnesses", "row"),
    [
        ("本音", [{}], {"U": "noun", "I": "noun"}, (1, "JUIc")),
        ("本音", [{}], {}, (2, "Jc")),
        ("日本人", [{}], {}, (1, "Jc")),  # the others hardly list words of three kanji
        ("東京", [{}], {"U": "name"}, (2, "Jcp")),
        ("生口", [{"common": False}], {"U": "name"}, (3, "Jp")),
        ("日本", [{}], {"U": "name"}, (1, "Jcpw")),
        ("行先", [{"common": False}], {"U": "noun", "I": "noun"}, (2, "JUI")),
        ("行先", [{"common": False, "irregular": True}], {"U": "noun"}, (3, "JUi")),
        ("中間", [{"old": True}, {}], {"U": "noun"}, (1, "JUc")),
        ("中間", [{"old": True}], {"U": "noun"}, (3, "JUca")),
        ("的中", [{"bound": True}], {"U": "noun"}, (3, "JUc")),
    ],
)
def test_tiers_and_marks(
    form: str, meanings: list[dict[str, Any]], witnesses: dict[str, str], row: tuple[int, str]
) -> None:
    made = tool("build_words.py")
    usual = {"readings": ["よみ"], "common": True, "irregular": False, "old": False}
    usual |= {"bound": False, "glosses": ["gloss"], "frequency": 99}
    found = made["_row"](
        form,
        [made["Meaning"](**usual | meaning) for meaning in meanings],
        {mark: {form: made["Known"]({kind}, [])} for mark, kind in witnesses.items()},
    )
    assert (found.tier, found.marks) == row


def test_a_repeated_kanji_is_also_written_with_its_mark() -> None:
    made = tool("build_words.py")
    row = made["Row"]
    rows = {
        "日日": row(["ひび"], 1, "JUIc", "every day"),
        "女性性": row(["じょせいせい"], 2, "J", "femininity"),
        "人人": row(["ひとびと"], 1, "J", "people"),
        "人々": row(["ひとびと"], 2, "JU", "people"),
    }
    made["_repeat"](rows)
    assert rows["日々"] == (["ひび"], 1, "JUIcr", "every day")
    assert rows["人々"] == (["ひとびと"], 1, "JU", "people")
    assert "女性々" not in rows
