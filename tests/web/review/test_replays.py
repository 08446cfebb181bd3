"""A match is watched again: every frame of every game, with and without corrections."""

from __future__ import annotations

import pytest
from bs4 import Tag
from kit_deals import recorded_deal
from reading_room import Room, words

from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.web.review.replays import AT_ONCE


def film(room: Room, query: str = "") -> list[Tag]:
    """All frames, as the script fetches them."""
    frames: list[Tag] = []
    last = len(room.view.log.steps()) if "recorded" not in query else room.view.seq
    while len(frames) < last:
        page = room.get(room.address(f"replay/frames?at={len(frames) + 1}{query}"))
        found = page.select(".film")
        assert 0 < len(found) <= AT_ONCE
        frames += found
    return frames


@pytest.mark.parametrize("game", list(GAMES))
def test_every_play_is_shown_once_with_its_table(room: Room, game: str) -> None:
    seats = " ".join("ABCDEF"[: max(2, GAMES[game].SEATS[0])])
    room.open(game, seats).play_out(90, seed=5)
    frames = film(room)
    assert [frame["data-at"] for frame in frames] == [
        str(at) for at in range(1, len(room.view.log.steps()) + 1)
    ]
    for frame, step in zip(frames, room.view.log.steps(), strict=True):
        assert frame.select_one(".table.then[inert]"), frame["data-at"]
        assert frame["data-says"].split()[-1] == str(step.seq)
        assert frame.select_one(f"a[href$='/e/{step.seq}']")
        assert not frame.select("form, .table.then a, .table.then button")


def test_a_game_of_a_file_is_watched_with_its_own_table(room: Room) -> None:
    deal = recorded_deal(room.ledger, "oh_hell", 4, 2)
    room.match = deal.view.match
    for line in deal.lines:
        room.declare(line)
    frames = film(room)
    assert len(frames) == len(deal.lines)
    assert all(frame.select_one(".table.then") for frame in frames)
    page = room.get(room.address("replay?at=1"))
    assert [link["data-deal"] for link in page.select(".deals a")] == ["1", "2"]
    assert page.select(".deals a")[1]["data-to"] == next(
        frame["data-at"] for frame in frames if frame["data-deal"] == "2"
    )


def test_one_page_has_the_frame_that_a_link_or_the_slider_names(room: Room) -> None:
    room.revoke()
    page = room.get(room.address("replay?at=4"))
    assert [frame["data-at"] for frame in page.select(".film")] == ["4"]
    assert page.select_one("input[type=range]")["value"] == "4"
    assert page.select_one("a[rel=prev]")["href"].endswith("replay?at=3")
    assert page.select_one("a[rel=next]")["href"].endswith("replay?at=5")
    assert room.get(room.address("replay?entry=7")).select_one(".film")["data-at"] == "7"
    for far in ("at=0", "at=99999", "at=x", "entry=77"):
        assert room.get(room.address(f"replay?{far}")).select_one(".film")
    assert room.phone.get(room.address("replay/frames?at=999")).status_code == 404


def test_a_table_without_entries_says_so(room: Room) -> None:
    room.open(WIDEST, "A B C D E")
    page = room.get(room.address("replay"))
    assert not page.select(".film, input")
    assert page.select_one(".void")


def test_a_corrected_card_is_shown_as_recorded_and_as_it_counts(room: Room) -> None:
    room.open(WIDEST, "A B C D E", "table deal leader=A\nA lay 4\nB lay 9\nC lay 5\n")
    assert not room.get(room.address("replay")).select(".seg")
    room.ledger.correct(room.match, "table amend 3 B lay 8", 4, "amended-1", along=False)
    frame = film(room)[2]
    table = frame.select(".table.then")[-1]
    assert "r8" in str(table)
    assert "r9" not in str(table)
    first = frame.select_one("details .table.then")
    assert first
    assert "r9" in str(first)
    assert frame.select_one(".fate del")
    recorded = film(room, "&recorded=1")
    assert [frame["data-at"] for frame in recorded] == ["1", "2", "3", "4", "5"]
    assert "r9" in str(recorded[2].select(".table.then")[-1])
    before, after = recorded[4].select(".table.then")
    assert "r9" in str(before)
    assert "r8" in str(after)
    assert len(room.get(room.address("replay?recorded=1")).select(".seg a")) == 2


def test_what_was_undone_is_seen_only_in_the_order_of_the_record(room: Room) -> None:
    room.open(WIDEST, "A B C D E", "table deal leader=A\nA lay 4\nB lay 9\n")
    room.ledger.undo(room.match, 3, "undone-01")
    assert len(film(room)) == 2
    undone = film(room, "&recorded=1")[2]
    assert "past" in undone["class"]
    assert words(undone.select_one(".fate"))


def test_a_page_that_is_open_keeps_its_frames_when_the_match_goes_on(room: Room) -> None:
    room.open(WIDEST, "A B C D E", "table deal leader=A\nA lay 4\nB lay 9\n")
    address = room.get(room.address("replay")).select_one("#replay")["data-frames"]
    room.ledger.correct(room.match, "table amend 2 A lay 3", 3, "amended-1", along=False)
    page = room.get(f"{address}&at=1")
    assert "r4" in str(page.select(".film")[1])


@pytest.mark.parametrize("place", ["log", "score", "result"])
def test_the_replay_is_linked(room: Room, place: str) -> None:
    room.open(WIDEST, "A B").play_out(seed=3)
    assert room.view.outcome
    assert room.get(room.address(place)).select("a[href$='/replay']")
