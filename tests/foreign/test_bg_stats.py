"""The export of BG Stats: each play becomes a match of the score pad."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from referee.foreign import bg_stats
from referee.foreign.plays import PAD, AllTogether, ByPlaces, ByPoints, NoPlays, added_up

DAY = date(2026, 11, 28)
KEN, MEI, AKI, BO = "K-1", "m-2", "a-3", "b-4"
GAMES = [
    {"id": 1, "name": "UNO", "highestWins": False},
    {"id": 2, "name": "Catan", "highestWins": True},
    {"id": 3, "name": "Pandemic", "cooperative": True, "highestWins": True},
    {"id": 4, "name": "Codenames", "noPoints": True},
]
PLAYERS = [
    {"id": 1, "uuid": KEN, "name": "Ken"},
    {"id": 2, "uuid": MEI, "name": "Mei"},
    {"id": 3, "uuid": AKI, "name": "Aki"},
    {"id": 4, "uuid": BO, "name": "Bo"},
    {"id": 5, "uuid": "x", "name": "Anonymous player", "isAnonymous": True},
    {"id": 6, "uuid": "y", "name": "Ken"},
]


def score(player: int, points: object = "", **more: object) -> dict[str, object]:
    return {"playerRefId": player, "score": points, **more}


def export(game: int, *scores: dict[str, object], **more: object) -> bg_stats.Export:
    play = {"uuid": "U", "playDate": "2026-11-28 12:41:07", "gameRefId": game}
    return whole([{**play, "playerScores": list(scores), **more}])


def whole(plays: list[Any], zone: str = "Asia/Tokyo") -> bg_stats.Export:
    content = {"players": PLAYERS, "games": GAMES, "locations": [{"id": 9, "name": "Home"}]}
    return bg_stats.read(json.dumps({**content, "plays": plays}).encode(), zone)


def names(found: bg_stats.Export) -> list[str]:
    [play] = found.plays
    return [player.name for player in play.players]


def text(found: bg_stats.Export) -> str:
    return found.plays[0].record(names(found), DAY)


def test_points_are_one_round() -> None:
    found = export(2, score(1, "3+20+5", winner=True), score(2, "10-3"), locationRefId=9)
    assert text(found) == (
        f'referee: 1\ngame: {PAD}\ncalled: "Catan"\nseats: Ken Mei\ndate: 2026-11-28\n'
        "place: Home\n\ntable round Ken=28 Mei=7\ntable end\n"
    )
    assert found.plays[0].keys == ("u",)


def test_the_fewest_win_where_the_game_says_so() -> None:
    found = export(1, score(1, 7.5, winner=True), score(2, "+ 12"))
    assert found.plays[0].outcome == ByPoints((added_up("7.5"), 12), least=True)
    assert "option: wins=least\n" in text(found)


@pytest.mark.parametrize(
    ("said", "points"),
    [("3+20+5", 28), ("10-3", 7), ("-3", -3), ("+4", 4), (" 1 2 ", 12), ("１０", 10), ("007", 7)],
)
def test_sums(said: str, points: int) -> None:
    assert added_up(said) == points


@pytest.mark.parametrize("said", ["7,5", "7.5", "5+2,5"])
def test_decimals_with_a_point_or_a_comma(said: str) -> None:
    assert str(added_up(said)) == "7.5"


@pytest.mark.parametrize("said", ["won", "1.234", "", "-", "3+", "1e3", "12345678", "5 x 2"])
def test_other_texts_are_no_points(said: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 as it says
        added_up(said)


def test_all_won_or_all_lost_together() -> None:
    assert export(3, score(1, winner=True), score(2)).plays[0].outcome == AllTogether(True)
    lost = export(3, score(1, "21", winner=False), score(2, "21", winner=False))
    assert lost.plays[0].outcome == AllTogether(False, 21)
    assert "\ntable lost points=21\n" in text(lost)


@pytest.mark.parametrize(
    ("lines", "places"),
    [
        ([{"rank": 1}, {"rank": 2}, {"rank": 2}], (1, 2, 2)),
        ([{"rank": 0, "winner": True}, {"rank": 0}, {"rank": 0}], (1, 2, 2)),
        ([{"rank": 2, "winner": True}, {"winner": True}, {"rank": 3}], (1, 1, 3)),
        ([{}, {}, {}], (1, 1, 1)),
    ],
)
def test_without_points_places_count(lines: list[dict[str, object]], places: object) -> None:
    scores = [score(i, **line) for i, line in enumerate(lines, 1)]
    assert export(4, *scores).plays[0].outcome == ByPlaces(places)  # type: ignore[arg-type]


def test_what_is_no_number_goes_into_the_note() -> None:
    found = export(2, score(1, "won", winner=True), score(2, "12"))
    assert found.plays[0].outcome == ByPlaces((1, 2))
    assert "note: Ken: won · Mei: 12\n" in text(found)


def test_winners_against_the_points_count() -> None:
    found = export(2, score(1, "3", winner=True), score(2, "12"), manualWinner=True)
    assert found.plays[0].outcome == ByPlaces((1, 2))
    assert "Ken: 3 · Mei: 12" in text(found)


def test_two_teams_sit_alternately() -> None:
    scores = [score(n, "30" if n < 3 else "20", team="a" if n < 3 else "b") for n in (1, 2, 3, 4)]
    for line in scores[:2]:
        line["winner"] = True
    found = export(2, *scores, usesTeams=True)
    assert names(found) == ["Ken", "Aki", "Mei", "Bo"]
    assert "option: teams=alternate\n" in text(found)
    assert "table round Ken=30 Aki=20\n" in text(found)


def test_three_teams_of_two_sit_opposite() -> None:
    players = [*PLAYERS, {"id": 7, "uuid": "c", "name": "Cy"}, {"id": 8, "uuid": "d", "name": "Di"}]
    teams = {1: "a", 2: "a", 3: "b", 4: "b", 7: "c", 8: "c"}
    scores = [score(n, "9", team=team, winner=True) for n, team in teams.items()]
    play = {"uuid": "U", "playDate": "2026-11-28 12:41:07", "gameRefId": 2, "playerScores": scores}
    source = json.dumps({"players": players, "games": GAMES, "plays": [play]})
    found = bg_stats.read(source.encode(), "")
    assert names(found) == ["Ken", "Aki", "Cy", "Mei", "Bo", "Di"]
    assert "table round Ken=9 Aki=9 Cy=9\n" in text(found)


def test_teams_that_fell_apart_are_single_players() -> None:
    scores = [score(n, str(n), team="a" if n < 3 else "b", winner=n == 4) for n in (1, 2, 3, 4)]
    found = export(2, *scores, usesTeams=True)
    assert found.plays[0].teams == ""
    assert found.plays[0].outcome == ByPlaces((2, 2, 2, 1))
    assert "note: Ken: 1 · Mei: 2 · Aki: 3 · Bo: 4" in text(found)


def test_an_ignored_play_was_stopped() -> None:
    found = export(2, score(1, "3", winner=True), score(2, "1"), ignored=True)
    assert text(found).endswith("table round Ken=3 Mei=1\ntable stop\n")


def test_people_without_a_name_and_namesakes() -> None:
    found = export(2, score(5, "1"), score(99, "2"), score(1, "3", winner=True), score(6, "0"))
    assert names(found) == ["匿名 1", "匿名 2", "Ken", "Ken 2"]
    assert [player.known for player in found.plays[0].players] == ["", "", "k-1", "y"]


def test_the_order_of_seats() -> None:
    found = export(2, score(1, "3", seatOrder=2, winner=True), score(2, "1", seatOrder=1))
    assert names(found) == ["Mei", "Ken"]
    found = export(2, score(1, "3", seatOrder=1, winner=True), score(2, "1", seatOrder=1))
    assert names(found) == ["Ken", "Mei"]


@pytest.mark.parametrize(
    ("more", "fact"),
    [
        ({"gameRefId": 77}, "foreign_game"),
        ({"playDate": "yesterday"}, "foreign_date"),
        ({"playerScores": []}, "foreign_players"),
        ({"playerScores": [score(1)] * 21}, "foreign_players"),
        ({"playerScores": {"a": 1}}, "foreign_players"),
    ],
)
def test_a_play_that_cannot_come_in_is_refused_alone(more: dict[str, Any], fact: str) -> None:
    good = {"playDate": "2026-11-28 12:41:07", "gameRefId": 2, "playerScores": [score(1, 3)]}
    found = whole([good, {**good, **more}])
    assert len(found.plays) == 1
    [refused] = found.faults
    assert (refused.number, refused.fact) == (2, fact)


@pytest.mark.parametrize(
    ("source", "fact"),
    [
        (b"no json", "foreign_json"),
        (b"[]", "foreign_no_plays"),
        (b'{"plays": {}}', "foreign_no_plays"),
        (b'{"plays": ' + b"[" * 100_000, "foreign_json"),
        (b" " * (bg_stats.MOST_BYTES + 1), "foreign_size"),
    ],
)
def test_no_export(source: bytes, fact: str) -> None:
    with pytest.raises(NoPlays) as caught:
        bg_stats.read(source, "")
    assert caught.value.fact == fact


def test_times_are_utc_unless_the_days_say_otherwise() -> None:
    def play(clock: str, day: int) -> dict[str, object]:
        scores = [score(1, 3)]
        more = {"playDate": clock, "playDateYmd": day, "gameRefId": 2}
        return {**more, "playerScores": scores}

    assert not whole([play("2026-11-28 20:00:00", 20261129)]).local
    assert whole([play("2026-11-28 20:00:00", 20261128)]).local
    assert not whole([play("2026-11-28 10:00:00", 20261128)]).local


def test_a_play_without_a_name_of_its_own_is_known_by_what_was_played() -> None:
    play = {"playDate": "2026-11-28 12:41:07", "gameRefId": 2}
    scores = [score(1, 3), score(2, 5)]
    one, other = (
        whole([{**play, "playerScores": order}]).plays[0].keys for order in (scores, scores[::-1])
    )
    assert one == other
    assert whole([{**play, "playerScores": [score(1, 4)]}]).plays[0].keys != one
