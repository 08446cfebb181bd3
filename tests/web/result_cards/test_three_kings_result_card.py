"""The result card of Three Kings draws the best sets of the winner."""

from __future__ import annotations

from decided import result_card
from flask import Flask
from phones import Phone


def test_the_best_sets_are_drawn_with_their_points(app: Flask, phone: Phone) -> None:
    log, winner, drawn = result_card(app, phone, "three_kings")
    points = [taken.points for taken in log.state.sets if taken.seat == winner]
    said = [text.get_text() for text in drawn.select("text") if "点" in text.get_text()]
    assert said == [f"{n}点" for n in sorted(points, reverse=True)[:3]]
