"""What the history remembers of a match of 熟語ライン."""

from __future__ import annotations

from pathlib import Path

from table_talk import playthrough

from referee.app import create_app
from referee.core.game import Feat
from referee.games import GAMES
from referee.games.jukugo_line import Word
from referee.screens import screen


def test_formations_and_the_rarity_of_their_words_are_remembered() -> None:
    log = playthrough("jukugo_line", "words-that-are-disputed")
    assert list(log.game.HOOKS.feats(log.state)) == [
        Feat("A", "formation", "chain", 1),
        Feat("A", "word", "機電", 128),
        Feat("A", "word", "電力", 7),
        Feat("A", "formation", "nothing", 1),
        Feat("A", "formation", "one_word", 1),
        Feat("A", "word", "学生", 7),
        Feat("B", "formation", "two_words", 1),
        Feat("B", "word", "古代", 7),
        Feat("B", "word", "時代", 7),
        Feat("B", "formation", "nothing", 1),
    ]


def test_nothing_is_remembered_of_cards_that_are_not_registered() -> None:
    log = playthrough("jukugo_line", "by-agreement")
    assert log.game.outcome(log.state)
    assert list(log.game.HOOKS.feats(log.state)) == []


def test_a_table_learns_the_words_of_its_own_and_none_that_it_brought() -> None:
    log = playthrough("jukugo_line", "words-that-are-disputed")
    assert log.game.HOOKS.learned(log.state) == {"機電": True, "一学": False}
    before = log.game.apply(log.start, Word("機電", True))
    assert before.agreed == {"機電": True}
    assert log.game.HOOKS.learned(before) == {}


def test_a_new_table_takes_over_the_words_that_its_deck_can_spell() -> None:
    log = playthrough("jukugo_line", "words-that-are-disputed")
    agreed = {"電力": True, "一学": False, "犬猫": True}
    brought = list(log.game.HOOKS.brought_along(log.table, agreed))
    assert brought == [Word("一学", False), Word("電力", True)]
    bare = playthrough("jukugo_line", "by-agreement").table
    assert list(GAMES["jukugo_line"].HOOKS.brought_along(bare, agreed)) == []


def test_a_page_names_the_formations_from_weak_to_strong_and_shows_the_word(tmp_path: Path) -> None:
    app = create_app(tmp_path, TESTING=True)
    with app.test_request_context("/"):
        rows = screen("jukugo_line").counted({"chain": 3, "nothing": 1}).rows
        assert rows[0][1:] == ("ブタ", 1)
        assert rows[3] == ("二字熟語連続", "連続", 3)
        assert [times for _, _, times in rows] == [1, 0, 0, 3, 0, 0]
        said = screen("jukugo_line").feat("word", "<送信者>", 119)
        assert said == 'いちばん珍しい熟語：<b lang="ja">&lt;送信者&gt;</b>'
    app.extensions["ledger"].store.close()
