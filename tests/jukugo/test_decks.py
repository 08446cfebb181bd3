"""Deck files: what is read, what is refused and why; the deck that comes with the package."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.core.record import Unreadable
from referee.jukugo import library
from referee.jukugo.decks import JOKER, MOST, RANKS, SUITS, read_deck, write_deck

SMALL = "日本音意用人国学先"
ROWS = [f"{kanji},S,{rank},1" for rank, kanji in enumerate(SMALL, 1)]


def fault(*rows: str) -> tuple[int, str]:
    with pytest.raises(Unreadable) as raised:
        read_deck("\n".join(["kanji,suit,rank,value", *rows]))
    return raised.value.line, raised.value.fact


def test_a_small_deck() -> None:
    deck = read_deck("\n".join(ROWS))
    assert deck.by_kanji["音"] == ("音", "S", 3, 1)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffkanji,suit,rank,value\r\n" + "\r\n".join(ROWS) + "\r\n",
        "\n".join(reversed(ROWS)),
        "\n".join(row.replace(",", "\t") for row in ROWS),
        "\n\n".join(row.replace("S", "♠\ufe0f") for row in ROWS),
        "\n".join(f'"{row[0]}", s ,{"Ａ" if row[4] == "1" else row[4]},１' for row in ROWS),
    ],
)
def test_the_same_deck_written_otherwise(text: str) -> None:
    assert read_deck(text) == read_deck("\n".join(ROWS))


@pytest.mark.parametrize(
    ("row", "fact"),
    [
        ("生,S,10", "read_deck_columns"),
        ("生,S,10,1,1", "read_deck_columns"),
        ("々,S,10,1", "read_deck_joker"),
        ("あ,S,10,1", "read_deck_kanji"),
        ("先生,S,10,1", "read_deck_kanji"),
        (",S,10,1", "read_deck_kanji"),
        ("生,X,10,1", "read_deck_suit"),
        ("生,SH,10,1", "read_deck_suit"),
        ("生,,10,1", "read_deck_suit"),
        ("生,S,14,1", "read_deck_rank"),
        ("生,S,0,1", "read_deck_rank"),
        ("生,S,010,1", "read_deck_rank"),
        ("生,S,10,6", "read_deck_value"),
        ("生,S,10,", "read_deck_value"),
        ("日,S,10,1", "read_deck_kanji_twice"),
        ("生,S,9,1", "read_deck_place_twice"),
    ],
)
def test_a_card_that_can_not_be(row: str, fact: str) -> None:
    assert fault(*ROWS, row) == (len(ROWS) + 2, fact)


def test_too_few_cards() -> None:
    assert fault(*ROWS[:8]) == (9, "read_deck_size")
    assert fault() == (0, "read_deck_size")


def test_the_open_deck() -> None:
    deck = library.open_deck()
    assert read_deck(write_deck(deck)) == deck
    assert deck.id == "deck-b4039e8ebfa4.csv"  # matches name it "open": it never changes
    assert len(deck.cards) == MOST
    assert JOKER not in deck.by_kanji
    words = library.words()
    assert all(
        a.kanji + b.kanji in words or b.kanji + a.kanji in words
        for a, b in zip(deck.cards, deck.cards[1:], strict=False)
        if a.suit == b.suit
    )


def test_the_school_years() -> None:
    years = library.school_years()
    assert Counter(years.values()) == {1: 80, 2: 160, 3: 200, 4: 200, 5: 185, 6: 181}
    # 22 kanji of decks that are sold, with the values that people reported
    attested = "日1本1音1意3用2人1行2先1歩2中1場2立1車1風2理2科2面3牛2王1和3流3新2"
    assert {k: years[k] for k in attested[::2]} == {
        k: int(v) for k, v in zip(attested[::2], attested[1::2], strict=True)
    }
    assert "阪" not in years  # of the table of 2020
    assert years["士"] == 4  # there in year 5


def test_every_place_once() -> None:
    places = [card.place for card in library.open_deck().cards]
    assert places == [(suit, rank) for suit in SUITS for rank in RANKS]
