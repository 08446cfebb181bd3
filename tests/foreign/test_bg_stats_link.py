"""The link that adds a match to BG Stats."""

from __future__ import annotations

import json
from urllib.parse import unquote

from referee.foreign.bg_stats_link import ADDRESS, MOST_LINK, SatOut, Told, link, play
from referee.games.simulation import WIDEST
from referee.store.played import Placing, PlayedMatch

NOTED = "2026-11-28T12:41:07.123+00:00"
TOLD = Told("g", ("UNO", "k:uno"), NOTED, points=True, fewest=False, first=1)


def played(*placings: Placing, over: bool = True) -> PlayedMatch:
    opened = "2026-11-28T10:00:00.000+00:00"
    head = ("m", 1, opened, WIDEST, over, 9, 0, 0, 90_000, "points", not over, False, False, False)
    return PlayedMatch(*head, placings)


TWO = played(Placing(2, 2, "シホ", -3, 2, False), Placing(1, 1, "あかね", 12, 1, True))


def test_a_play_has_what_the_format_asks_for() -> None:
    found = play(TWO, TOLD)
    assert found["sourceName"] == "Fudami"
    assert found["sourcePlayId"] == "m"
    assert found["playDate"] == "2026-11-28 12:41:07"
    assert found["game"] == {
        "name": "UNO",
        "sourceGameId": "k:uno",
        "highestWins": True,
        "noPoints": False,
    }
    assert found["durationMin"] == 2
    first, second = found["players"]  # type: ignore[misc]
    assert (first["name"], first["score"], first["rank"], first["winner"]) == (
        "あかね",
        12,
        1,
        True,
    )
    assert (first["startPlayer"], second["startPlayer"], second["winner"]) == (True, False, False)
    assert first["sourcePlayerId"] == first["sourcePlayerId"].lower() != second["sourcePlayerId"]


def test_who_left_has_no_place_and_games_without_points_no_score() -> None:
    found = play(TWO, TOLD._replace(points=False, left=(SatOut(3, "ミナ", 7),)))
    first, _second, left = found["players"]  # type: ignore[misc]
    assert "score" not in first
    assert "rank" not in left
    assert "score" not in left
    assert (left["winner"], left["startPlayer"]) == (False, False)


def test_who_left_is_the_same_person_with_the_points_so_far() -> None:
    told = TOLD._replace(people={**TOLD.people, 3: 77}, left=(SatOut(3, "ミナ", 7),))
    _first, _second, left = play(TWO, told)["players"]  # type: ignore[misc]
    seated = told._replace(people={**TOLD.people, 1: 77}, left=())
    assert left["sourcePlayerId"] == play(TWO, seated)["players"][0]["sourcePlayerId"]  # type: ignore[index]
    assert left["score"] == 7


def test_the_link_is_the_play_as_encode_uri_component_writes_it() -> None:
    found = play(TWO, TOLD._replace(comments="a b/c+d(e)*", place="家"))
    address = link(found)
    assert address.startswith(ADDRESS)
    data = address.removeprefix(ADDRESS)
    assert json.loads(unquote(data)) == found
    assert "a%20b%2Fc%2Bd(e)*" in data


def test_a_long_play_loses_its_comments_then_its_roles_then_its_link() -> None:
    seats = [Placing(n, n, f"シホ{n}", n, 1, True) for n in range(1, 21)]
    roles = dict.fromkeys(range(1, 21), "あ" * 30)
    long = play(played(*seats), TOLD._replace(comments="あ" * 500, teams=roles))
    address = link(long)
    assert len(address) <= MOST_LINK
    text = unquote(address)
    assert "comments" not in text
    assert "role" not in text
    names = [Placing(n, n, "あ" * 40, n, 1, True) for n in range(1, 21)]
    assert link(play(played(*names), TOLD)) == ""
