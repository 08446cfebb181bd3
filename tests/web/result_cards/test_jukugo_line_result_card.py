"""The result card of 熟語ライン draws the flags of the winner."""

from __future__ import annotations

from decided import result_card
from flask import Flask
from phones import Phone


def test_every_flag_is_drawn_with_its_three_cards(app: Flask, phone: Phone) -> None:
    log, winner, drawn = result_card(app, phone, "jukugo_line")
    flags = [str(n) for n, owner in enumerate(log.state.owners, 1) if owner == winner]
    assert drawn["aria-label"] == "".join(flags)
    assert len(drawn.select("text[font-size='36']")) == 3 * len(flags)
