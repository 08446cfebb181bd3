"""The result card of 熟語ライン draws the flags of the winner."""

from __future__ import annotations

from decided import result_card
from flask import Flask
from phones import Phone

from referee.games import jukugo_line


def test_every_flag_is_drawn_with_its_three_cards(app: Flask, phone: Phone) -> None:
    log, winner, drawn = result_card(app, phone, "jukugo_line")
    flags = [str(n) for n, owner in enumerate(log.state.owners, 1) if owner == winner]
    assert drawn["aria-label"] == "".join(flags)
    assert len(drawn.select("text[font-size='36']")) == 3 * len(flags)


def test_a_word_is_drawn_as_it_reads(app: Flask, phone: Phone) -> None:
    """中古車, not 古中車, in which order its cards were played."""
    log, winner, drawn = result_card(app, phone, "jukugo_line")
    kanji = [text.get_text() for text in drawn.select("text[font-size='36']")]
    won = [n for n, owner in enumerate(log.state.owners, 1) if owner == winner]
    shown = [jukugo_line.formation(log.state, winner, flag) for flag in won]
    assert kanji == [card for each in shown if each for card in each.order]
    placed = [jukugo_line.column(log.state, winner, flag) for flag in won]
    assert kanji != [card for cards in placed for card in cards]
