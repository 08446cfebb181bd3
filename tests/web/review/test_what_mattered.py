"""The head of a review: what mattered, in sentences that say how they were found."""

from __future__ import annotations

import pytest
from chosen_games import having
from reading_room import Room, one, words

from referee.games import GAMES
from referee.games.simulation import resuming, room_of
from referee.insight.chances import AGAIN, turning_point
from referee.insight.review import review


def over(room: Room) -> Room:
    """Five seats whose first deal is over; みどり子 was proven to have revoked in it."""
    return room.revoke().play_out(seed=1)


def test_the_page_comes_at_once_and_fetches_what_takes_longer(room: Room) -> None:
    page = over(room).get("review/1")
    section = one(page, "#mattered")
    assert section["hx-get"].endswith("/review/1?mattered=1")
    assert section["hx-trigger"] == "load"
    assert one(section, "p.note a")["href"] == section["hx-get"]  # without scripts
    assert "hx-get" not in one(room.get("review/1?mattered=1"), "#mattered").attrs
    assert "hx-get" not in one(room.get("review/1"), "#mattered").attrs  # it is known now


@pytest.mark.parametrize(
    ("lang", "about", "estimate"),
    [("ja", "見込みは約", "見積もりです"), ("en", "moved from about", "An estimate")],
)
def test_the_turning_point_is_said_as_an_estimate(
    room: Room, lang: str, about: str, estimate: str
) -> None:
    over(room)
    found = turning_point(review(room.log, 1))
    assert found
    section = one(room.get("review/1?mattered=1", **{"Accept-Language": lang}), "#mattered")
    said = words(section)
    assert about in said
    assert f"{round(found.before * 100)}%" in said
    assert f"{round(found.after * 100)}%" in said
    assert all(name in said for name in found.winners)
    assert estimate in said
    assert str(AGAIN) in said
    assert section.select(f"a[href*='entry={found.read.seq}']")


def test_a_proven_foul_is_named_with_the_entry_that_proved_it(room: Room) -> None:
    section = one(over(room).get("review/1?mattered=1"), "#mattered")
    assert "記録10で反則が確定しました。" in words(section)


@pytest.mark.parametrize("game", [n for n, g in GAMES.items() if resuming(room_of(g))])
def test_every_game_says_something_or_that_there_is_nothing(room: Room, game: str) -> None:
    seats = "A B C" if 3 in GAMES[game].SEATS else "A B"
    room.open(game, seats).play_out(seed=2)
    section = one(room.get("review/1?mattered=1"), "#mattered")
    assert section.select("li") or section.select("p.note")
    assert not section.select("p.note a")


def test_draws_are_listed_with_their_risk_and_the_other_choice(room: Room) -> None:
    for name in having("luck"):
        room.open(name, "A B").play_out(seed=6)
        found = 0
        for deal in range(1, room.view.state.deal + 1):
            page = room.get(f"review/{deal}")
            for row in page.select(".draws tbody tr"):
                assert "%" in words(row)
                found += 1
        assert found
