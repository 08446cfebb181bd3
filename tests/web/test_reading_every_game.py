"""The pages that are read, over random matches of every game."""

from urllib.parse import urlsplit

import pytest
from reading_room import Room

from referee.games import GAMES

PAGES = ("log", "score", "result", "record.txt", "rules")


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("most", [1, 15, 10_000])
@pytest.mark.parametrize("game", list(GAMES))
def test_every_page_and_everything_linked_from_it(
    room: Room, game: str, most: int, lang: str
) -> None:
    seats = " ".join("ABCDEF"[: max(2, GAMES[game].SEATS[0])])
    room.open(game, seats).play_out(most, seed=5)
    seen: set[str] = set()
    waiting = [room.address(page) for page in PAGES]
    while waiting and len(seen) < 60:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        page = room.get(path, **{"Accept-Language": lang})
        assert "</" not in page.get_text(), path
        waiting += [
            urlsplit(link["href"])._replace(fragment="").geturl()
            for link in page.select("main a[href^='/t/']")
        ]
