"""What a phone says aloud of the first deal of games of files, word for word as in ``read_aloud/``.

Under each entry that is spoken of stands what is said. To write the files anew:
``TRANSCRIPTS=write pytest tests/web/table/test_families_read_aloud.py``.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from bs4 import BeautifulSoup
from kit_deals import GAMES, opened
from phones import Phone, one

from referee.core.log import Log
from referee.games.simulation import player, room_of, table
from referee.ledger import Ledger

TRANSCRIPTS = Path(__file__).parent / "read_aloud"
SEATS = {
    "ja": ("あかね", "源五郎", "みどり子", "北大路ロマネスク三世閣下"),
    "en": ("Ann", "Ben", "Chie", "Old Tom Bombadil"),
}


def heard(page: BeautifulSoup) -> list[str]:
    """The sentences of a page."""
    news = one(page, "#aloud")
    return [f"    {line.text}" for line in news.select("[data-kind]")]


@pytest.mark.parametrize("key", ["daifugo", "seven_apart"])
@pytest.mark.parametrize("tongue", ["ja", "en"])
def test_a_match_is_read_aloud(phone: Phone, key: str, tongue: str) -> None:
    game, seats = GAMES[key], SEATS[tongue]
    phone.client.set_cookie("lang", tongue)
    phone.client.set_cookie("voice", "on-foul-refused-trick-points")
    ledger: Ledger = phone.client.application.extensions["ledger"]
    view = opened(ledger, game, seats)
    phone.match = view.match
    log, said = Log(game, table(game, seats)), list[str]()
    for entry in player(room_of(game))(log, Random(3), 0, 0):
        log.push(entry)
        line = view.grammar.print(entry)
        ledger.declare(phone.match, line, len(log) - 1, f"key-{len(log):06}")
        if sentences := heard(phone.page()):
            said += [line, *sentences]
        if log.state.deal == 2:
            break
    file = TRANSCRIPTS / f"{key}.{tongue}.txt"
    if os.environ.get("TRANSCRIPTS") == "write":
        file.write_text("\n".join(said) + "\n", encoding="utf-8")
    assert said == file.read_text(encoding="utf-8").splitlines()
    phone.undoes()
    assert heard(phone.page()) == []
