"""The result card of every game draws what decided its match."""

from __future__ import annotations

import pytest
from decided import result_card
from flask import Flask
from phones import Phone

from referee.games import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_the_card_draws_what_decided_the_match(app: Flask, phone: Phone, name: str) -> None:
    assert result_card(app, phone, name).drawn.select("rect, text")
