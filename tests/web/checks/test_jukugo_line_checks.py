"""Quick checks of 熟語ライン: columns, claims and words, with the open deck and another one."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from introduced import TOKEN, introduced
from phones import one, soup
from reading_room import words

from referee.jukugo import library
from referee.jukugo.decks import JOKER, read_deck, write_deck
from referee.jukugo.formations import best, lexicon
from referee.jukugo.prover import FlagClaim, prove
from tests.jukugo.fixture_deck import DECK

GAME = "/check/jukugo_line"


@pytest.fixture
def deck(app: Flask) -> str:
    """The deck of the golden tests, on the shelf of the circle that asks."""
    store = app.extensions["ledger"].store
    shelf, circle = store.shelf, introduced(store)
    shelf.keep_deck(DECK.id, write_deck(DECK), "ためしのデッキ", circle)
    assert read_deck(shelf.deck(DECK.id)) == DECK
    return DECK.id


def ask(app: Flask, status: int = 200, lang: str = "ja", **fields: str) -> BeautifulSoup:
    headers = {"Accept-Language": lang}
    client = app.test_client()
    client.set_cookie("phone", TOKEN)
    answer = client.get(GAME, query_string=fields, headers=headers)
    assert answer.status_code == status, answer.text
    return soup(answer)


def head(page: BeautifulSoup) -> str:
    return " ".join(map(words, page.select(".answer h2")))


def answered(page: BeautifulSoup) -> str:
    return words(one(page, ".answer"))


def test_two_columns_are_compared(app: Flask, deck: str) -> None:
    page = ask(app, deck=deck, A="日本人", B="立 流 行")  # J-G5: the kind before the sum
    assert head(page) == "Aの勝ち"
    assert "三文字熟語" in answered(page)
    assert "スリーカード" in answered(page)
    assert "読み：日本人 にほんじん・にっぽんじん" in answered(page)
    assert head(ask(app, deck=deck, A="意用音", B="人々本", lang="en")) == "B wins"  # J-G3
    assert head(ask(app, deck=deck, A="日本人", B="立流")) == ""


def test_a_full_tie_goes_to_the_seat_that_completed_first(app: Flask, deck: str) -> None:
    of_deck = lexicon(DECK, library.words())
    hands = list(combinations(DECK.by_kanji, 3))
    a, b = next(
        (a, b)
        for a, b in combinations(hands, 2)
        if not set(a) & set(b) and best(of_deck, a).strength == best(of_deck, b).strength
    )
    for first in "AB":
        page = ask(app, deck=deck, A="".join(a), B=" ".join(b), first=first)
        assert head(page) == f"{first}の勝ち"
        assert f"先にそろえた{first}の勝ち" in answered(page)


def test_a_claim_is_proven_or_refuted(app: Flask, deck: str) -> None:
    def claim(**more: str) -> BeautifulSoup:
        return ask(app, ask="claim", deck=deck, **more)

    page = claim(own="日本人", other="風流")  # J-G8
    assert head(page) == "フラッグを取れる"
    assert page.select(".answer .mk:not(.no, .un)")
    page = claim(own="日本音", other="和風")  # J-G9, and J36: no free hint
    assert head(page) == "まだ取れない"
    assert "本音 ほんね" in answered(page)
    assert "流" not in answered(page)
    assert "勝てる3枚が残っています" in answered(page)
    page = claim(own="日本音", other="和風", witness="show")
    assert "和風流" in answered(page)
    page = claim(own="日本音", other="和風", gone="流", witness="show")
    assert "和国風" in answered(page)
    gone = "".join(set(DECK.by_kanji) - set("日本音和風牛"))
    assert head(claim(own="日本音", other="和風", gone=gone)) == "フラッグを取れる"


def test_a_word_that_the_dictionary_lacks_is_the_premise(app: Flask, deck: str) -> None:
    asked = {"ask": "claim", "deck": deck, "own": "日本人", "other": "風", "word": "人本日"}
    page = ask(app, **asked)
    assert head(page) == "2人が認めれば取れる"
    assert page.select(".answer .mk.un")
    assert head(ask(app, **asked, dispute="dictionary_only")) == "まだ取れない"
    page = ask(app, **{**asked, "word": "国立"})
    assert "足りません" in answered(page)


def test_the_opponents_joker_counts_until_it_is_placed(app: Flask, deck: str) -> None:
    gone = "".join(set(DECK.by_kanji) - set("面場牛先日"))
    asked = {"ask": "claim", "deck": deck, "own": "面場牛", "other": "先日", "gone": gone}
    assert head(ask(app, **asked)) == "まだ取れない"
    page = ask(app, **asked, joker="placed")
    assert head(page) == "フラッグを取れる"


def test_the_page_says_what_the_prover_says(app: Flask) -> None:
    of_deck = lexicon(library.open_deck(), library.words())
    kanji, rng, answers = list(of_deck.deck.by_kanji), Random(5), set()
    for _time in range(25):
        rng.shuffle(kanji)
        own, other = kanji[:3], kanji[3 : 3 + rng.randrange(3)]
        gone = kanji[5 : rng.randrange(40, 53)]
        proven = prove(of_deck, FlagClaim(tuple(own), tuple(other), frozenset(gone), 1)).proven
        page = ask(app, ask="claim", own="".join(own), other="".join(other), gone=" ".join(gone))
        assert head(page) == ("フラッグを取れる" if proven else "まだ取れない")
        answers.add(proven)
    assert answers == {True, False}


def test_a_word_is_looked_up(app: Flask) -> None:
    page = ask(app, ask="word", word="日 本")
    assert head(page) == "「日本」は熟語"
    assert "にほん" in answered(page)
    page = ask(app, ask="word", word="本々本", lang="en")
    assert head(page) == "本々本 does not count"
    assert "Not in the dictionary" in answered(page)
    assert head(ask(app, ask="word", word="日")) == ""


def test_cards_that_were_entered_vanish_from_the_pad(app: Flask) -> None:
    def keys(**fields: str) -> set[str]:
        return {one(key, ".kj").contents[0] for key in ask(app, **fields).select(".keys .key")}

    kanji = set(library.open_deck().by_kanji)
    assert keys() == kanji | {JOKER}
    a, b, *_rest = sorted(kanji)
    assert keys(A=a, B=b) == (kanji - {a, b}) | {JOKER}
    assert keys(ask="word", word=a) == kanji | {JOKER}


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"A": "日日", "B": "本"}, "A"),
        ({"A": "日本人", "B": "日"}, "B"),
        ({"A": "々々", "B": ""}, "A"),
        ({"A": "日本人中", "B": ""}, "A"),
        ({"A": "z", "B": ""}, "A"),
        ({"ask": "claim", "own": "日", "gone": "々"}, "gone"),
        ({"ask": "claim", "own": "日", "other": "本人中"}, "other"),
        ({"ask": "word", "word": "々日"}, "word"),
        ({"ask": "word", "word": "abc"}, "word"),
    ],
)
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_wrong_input_is_said_at_its_field(
    app: Flask, asked: dict[str, str], field: str, lang: str
) -> None:
    page = ask(app, 400, lang, **asked)
    assert words(one(page, f"#fault-{field}"))
    assert not head(page)


def test_a_deck_that_nobody_registered_can_not_be_chosen(app: Flask) -> None:
    page = ask(app, 400, deck="deck-000000000000.csv")
    assert page.select(".fault")
