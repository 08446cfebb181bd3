"""Any address of the page of scores is a page: what cannot be read there is left out."""

from __future__ import annotations

from random import Random

import pytest
from phones import Phone

from referee.games import GAMES

WORDS = (
    *("0", "1", "2", "10", "11", "-", "-1", "9" * 5000, "1/3", "1/", "/", "9*3", "9*", "*"),
    *("4+", "4+5=9", "4+4", "+", "=", "K", "A", "水", "²", "①", "0x1", "\0", "<b>", ";", " "),
)
TRIED = 40


def part(chance: Random) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(0, 4)))


@pytest.mark.parametrize("name", [name for name in GAMES if GAMES[name].HOOKS.sheet])
def test_no_address_is_too_much(phone: Phone, name: str) -> None:
    phone.opens(name, "ABCDEF"[: max(seats for seats in GAMES[name].SEATS if seats <= 6)])
    chance, match = Random(name), phone.match.partition("?")[0]
    for _ in range(TRIED):
        wish = {
            "sheet": ";".join(part(chance) for _ in range(chance.randint(0, 6))),
            "at": chance.choice([*WORDS, "3", "7"]),
            "edit": chance.choice(["", "1"]),
            "no": part(chance),
        }
        answer = phone.client.get(f"/t/{match}/sheet", query_string=wish)
        assert answer.status_code == 200, wish
