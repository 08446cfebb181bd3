"""Formations: the source text's examples and the golden tests, one ruling each."""

from __future__ import annotations

from itertools import permutations

import pytest
from fixture_deck import DECK, LEXICON, WORDS

from referee.jukugo.formations import FormationKind, Lexicon, best


@pytest.mark.parametrize(
    ("cards", "kind", "primary", "secondary", "words"),
    [
        pytest.param(
            "日本音", FormationKind.CHAIN, 3, 0, {"日本", "本音"}, id="the source's 日本音 (J22)"
        ),
        pytest.param(
            "本意用",
            FormationKind.TWO_WORDS,
            6,
            0,
            {"本意", "用意"},
            id="the source's 本意用 (J24)",
        ),
        pytest.param(
            "人々本", FormationKind.CHAIN, 2, 0, {"本人", "人々"}, id="the source's 人々 (J28)"
        ),
        pytest.param(
            "日本面", FormationKind.ONE_WORD, 2, 3, None, id="both ways is one word (J23)"
        ),
        pytest.param("日本人", FormationKind.THREE_KANJI, 3, 0, {"日本人"}, id="three-kanji word"),
        pytest.param(
            "立流行", FormationKind.THREE_OF_A_KIND, 6, 0, set(), id="equal ranks, whatever words"
        ),
        pytest.param("面場牛", FormationKind.NOTHING, 7, 0, set(), id="nothing (J27)"),
        pytest.param("和風流", FormationKind.CHAIN, 8, 0, {"和風", "風流"}, id="和風流"),
        pytest.param(
            "学先生", FormationKind.TWO_WORDS, 3, 0, {"学生", "先生"}, id="both end with the same"
        ),
        pytest.param(
            "先人日", FormationKind.TWO_WORDS, 3, 0, {"先人", "先日"}, id="both begin with the same"
        ),
        pytest.param(
            "日立々", FormationKind.ONE_WORD, 1, 1, {"日々"}, id="々 is no wild card (J21)"
        ),
    ],
)
def test_the_best_over_all_orders(
    cards: str, kind: FormationKind, primary: int, secondary: int, words: set[str] | None
) -> None:
    for order in permutations(cards):
        formation = best(LEXICON, order)
        assert formation[:3] == (kind, primary, secondary)
        assert sorted(formation.order) == sorted(cards)
        assert words is None or set(formation.words) == words


def test_the_order_shown_reads_as_the_words() -> None:
    assert "".join(best(LEXICON, "音日本").order) == "日本音"
    assert "".join(best(LEXICON, "人日本").order) == "日本人"


def test_kinds_are_compared_before_sums() -> None:
    """J-G5: 日本人 (3) beats three of a kind (6)."""
    assert best(LEXICON, "日本人").strength > best(LEXICON, "立流行").strength


def test_one_word_is_compared_by_its_pair_and_then_by_the_third_card() -> None:
    """J26: 立場＋面 and 立場＋日 differ in the third card alone, 風車＋日 in the pair."""
    higher, lower = best(LEXICON, "立場面"), best(LEXICON, "立場日")
    assert (higher.primary, higher.secondary, lower.secondary) == (3, 3, 1)
    assert higher.strength > lower.strength


def test_same_pair_counts() -> None:
    """J23: with the option 日本/本日 are two words, of all three cards."""
    option = Lexicon(DECK, WORDS, same_pair_counts=True)
    assert best(option, "日本面")[:3] == (FormationKind.TWO_WORDS, 5, 0)
    assert best(option, "国王面")[0] is FormationKind.TWO_WORDS
    assert best(option, "先人面")[0] is FormationKind.ONE_WORD


def test_noma_in_three_kanji() -> None:
    """J20: 々 is a character; J28: it never stands first, nor after a kanji it does not repeat."""
    words = WORDS | {"先々日", "々日", "々人"}
    assert best(Lexicon(DECK, words), "日先々")[:2] == (FormationKind.THREE_KANJI, 2)
    off = best(Lexicon(DECK, words, three_with_noma=False), "日先々")
    assert off.kind is FormationKind.CHAIN
    assert off.words == ("先日", "日々")
    assert best(Lexicon(DECK, frozenset({"々日"})), "日先々").kind is FormationKind.NOTHING


def test_a_card_that_the_deck_lacks_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        best(LEXICON, "日本龍")
