"""The word list: what it says about a form, and what a table counts."""

from __future__ import annotations

import gzip
import tracemalloc
from importlib.resources import files

import pytest

from referee.jukugo import library
from referee.jukugo.words import Strictness, WordList, Words, clean_form

ROWS = """\
先々月\tせんせんげつ\t2\tJ\tmonth before last
十四\tじゅうし|じゅうよん\t2\tJcp\t14; fourteen
日々\tひび|にちにち\t1\tJUIc\tevery day; daily
日本\tにほん|にっぽん\t1\tJcpw\tJapan
本日\tほんじつ\t1\tJUIc\ttoday; this day
東京\tとうきょう\t2\tJcp\tTokyo
生口\tせいこう\t3\tJp\tprisoner of war; slaves
行先\tいきさき\t2\tJUI\tdestination
"""
LIST = WordList("test", ROWS.encode())


def counted(strictness: Strictness) -> frozenset[str]:
    return Words(LIST, strictness).made_of("先々月十四日本東京生口行")


@pytest.mark.parametrize(
    ("strictness", "out"),
    [
        (Strictness("strict"), {"先々月", "十四", "東京", "生口", "行先"}),
        (Strictness("standard"), {"生口"}),
        (Strictness("liberal"), set()),
        (Strictness("standard", two_witnesses=True), {"先々月", "生口"}),
        # 日本 is a word of the source text, whatever a table asks for
        (Strictness("liberal", proper_nouns="none"), {"東京"}),
        (Strictness("strict", proper_nouns="any"), {"先々月", "十四", "生口", "行先"}),
    ],
)
def test_strictness(strictness: Strictness, out: set[str]) -> None:
    assert counted(strictness) == counted(Strictness("liberal")) - out


def test_a_list_of_the_tables_own() -> None:
    words = Words(own=frozenset({"風流人", "風流"}))
    assert words.made_of("風流人") == {"風流", "風流人"}
    assert "日本" not in words


def test_an_entry() -> None:
    entry = LIST.entry("日本")
    assert entry is not None
    assert entry.readings == ("にほん", "にっぽん")
    assert (entry.tier, entry.gloss, entry.sources) == (1, "Japan", ("JMdict",))
    assert LIST.entry("本日") is not None


@pytest.mark.parametrize("form", ["本本", "日", "日本\t", "", "龠龠", "\ud800", "日本\tにほん"])
def test_no_entry(form: str) -> None:
    assert LIST.entry(form) is None
    assert form not in Words(LIST)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("日本", "日本"),
        (" 日本人　", "日本人"),
        ("人々", "人々"),
        ("先々月", "先々月"),
        ("⽇本", "日本"),
    ]
    + [(text, "") for text in ("々人", "日", "日本語学", "にほん", "日本1", "日 本", "")],
)
def test_clean_form(text: str, form: str) -> None:
    assert clean_form(text) == form


@pytest.mark.parametrize("edition", library.EDITIONS)
def test_an_edition_never_changes(edition: str) -> None:
    assert library.is_intact(edition)


def test_the_list_takes_little_memory() -> None:
    packed = (files("referee.jukugo") / "data" / f"words-{library.NEWEST}.tsv.gz").read_bytes()
    tracemalloc.start()
    try:
        listed = WordList(library.NEWEST, gzip.decompress(packed))
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(listed) > 80_000
    assert held < 12e6
    assert peak < 40e6


def test_every_row_of_the_newest_list_can_be_found() -> None:
    newest = library.word_list()
    rows = list(newest.made_of({c for row in newest._rows for c in row.decode()}))
    assert len(rows) == len(newest) == 86_296
    assert all(newest.entry(row.form) == row for row in rows[::500])
    assert all(clean_form(row.form) == row.form and row.tier in (1, 2, 3) for row in rows[::50])


def test_words_of_the_source_text() -> None:
    words = library.words()
    for form in ["日本", "本音", "本意", "用意", "人々", "日本人", "行先", "中人", "立場"]:
        assert form in words, form
    for form in ["意用", "意本", "用本", "本用", "歩人", "牛面", "日音", "意人"]:
        assert form not in words, form


def test_a_pinned_name_means_the_same_list_for_ever() -> None:
    assert library.pinned("liberal") == f"liberal@{library.NEWEST}"
    assert library.pinned("strict@2021-04") == "strict@2021-04"
    assert library.words("strict@2021-04").listed is library.word_list("2021-04")


@pytest.mark.parametrize("name", ["", "odd", "standard@1999", "standard@../x", "@2021-04"])
def test_an_unknown_list(name: str) -> None:
    with pytest.raises(KeyError):
        library.words(name)
