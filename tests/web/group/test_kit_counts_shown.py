"""The pages of a person show what the history counts of games from files."""

from __future__ import annotations

import pytest
from flask import Flask

from referee.kit import shipped
from referee.screens import screen

NAMES = {game.KEY: name for name, game in shipped.games().items()}


@pytest.mark.parametrize(
    ("key", "times", "rows"),
    [
        (
            "daifugo",
            {"1": 2, "3": 1, "revolution": 4, "foul": 1},
            [("1位", 2), ("2位", 0), ("3位", 1), ("革命", 4), ("反則上がり", 1)],
        ),
        (
            "seven_apart",
            {"round": 3, "drawn": 9, "bust": 1},
            [("ラウンド", 3), ("引いた枚数", 9), ("バースト", 1)],
        ),
    ],
)
def test_events_are_rows(
    app: Flask, key: str, times: dict[str, int], rows: list[tuple[str, int]]
) -> None:
    with app.test_request_context(headers={"Accept-Language": "ja"}):
        count = screen(NAMES[key]).counted(times)
        assert [(name, number) for name, _short, number in count.rows] == rows
