"""What the pads of Three Kings' quick checks offer."""

from __future__ import annotations

from asking import ask, offered
from flask import Flask
from reading_room import words


def test_sets_that_were_typed_and_sets_that_were_tapped_are_one_pile(app: Flask) -> None:
    page = ask(app, "three_kings", ask="totals", n="2", A="4+8=Q 5 6", at="A")
    assert offered(page) == ["A", "J"]
    page = ask(app, "three_kings", ask="totals", n="2", A="4+8=Q 5 6 J")
    points = [words(each) for each in page.select(".answer .pt")]
    assert points == ["46", "0", "46", "0"]
