"""The result card of Trumps draws the score pile of the winner."""

from __future__ import annotations

from decided import result_card
from flask import Flask
from phones import Phone


def test_every_card_of_the_pile_is_drawn(app: Flask, phone: Phone) -> None:
    log, winner, drawn = result_card(app, phone, "trumps")
    held = sum(log.state.piles[winner].values())
    assert len(drawn.select("rect[fill^='url(']")) == held
