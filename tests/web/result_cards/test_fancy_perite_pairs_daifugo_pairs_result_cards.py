"""The result cards of games whose figure is the cards that decided."""

from __future__ import annotations

import pytest
from decided import result_card
from flask import Flask
from phones import Phone


@pytest.mark.parametrize("name", ["fancy", "perite", "pairs_daifugo", "pairs"])
def test_the_deciding_cards_are_drawn(app: Flask, phone: Phone, name: str) -> None:
    assert result_card(app, phone, name).drawn.select("rect[fill^='url(']")
