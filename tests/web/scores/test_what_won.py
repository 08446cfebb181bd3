"""What a result says of any game, and what counts of its revokes."""

from __future__ import annotations

import pytest
from kept import began, kept
from phones import Phone, soup, text
from reading_room import Room, one, words

from referee.games.simulation import WIDEST
from referee.history import counting, digest, records


def test_a_stopped_match_says_so_on_its_card(phone: Phone) -> None:
    phone.opens().lays("A lay 3", "table stop")
    assert "決着の前に" in text(soup(phone.get(f"/t/{phone.match}/result")), ".scroll")


@pytest.mark.parametrize("how", ["rule 5 stands", "rewind 4", "void 5"])
def test_a_revoke_counts_however_the_table_has_settled_it(room: Room, how: str) -> None:
    store = room.ledger.store

    def revokes() -> list[tuple[int]]:
        counting.catch_up(store)
        query = "SELECT revokes FROM results WHERE match = ? ORDER BY place"
        return [tuple(row) for row in store._rows(query, (room.match,))]

    room.revoke()
    before = revokes()
    assert before == [(0,), (0,), (0,), (1,), (0,)]
    room.declare(f"table {how}")
    assert not [found for found in room.view.findings() if found.at == 5 and "rule" not in how]
    assert revokes() == before


def test_a_revoke_that_the_table_let_stand_is_one_event_on_the_result(room: Room) -> None:
    room.revoke().declare("table rule 5 stands")
    room.declare("table stop")
    card = words(one(room.get("result"), ".scroll"))
    assert "反則が確定し、卓の了承で有効にした記録：1件" in card
    assert card.count("卓の了承で有効にした記録") == 1
    listed = [str(link["href"]) for link in room.get("score").select(".rulings a")]
    assert listed == [f"/t/{room.match}/e/11"]


def test_an_objection_a_vote_an_undo_and_a_rejection_are_no_corrections(room: Room) -> None:
    def corrections() -> int:
        return counting.uncounted(room.ledger.store, room.match).corrections

    room.revoke()
    for line in ("あかね contest 5", "みどり子 vote 11 no", "table decide 11 no", "ほしの lay 9"):
        room.declare(line)
    room.declare("table rewind 13")
    assert corrections() == 0
    room.declare("table amend 4 北大路 lay 10")
    assert corrections() == 1


def test_bg_stats_gets_who_began(phone: Phone) -> None:
    kept(phone, WIDEST, "two_players")
    assert began(phone) == ["B"]


def test_a_refused_entry_begins_nothing(room: Room) -> None:
    source = f"referee: 1\ngame: {WIDEST}\nseats: A B\n\nB lay 4\ntable deal leader=A\nA lay 4\n"
    record = records.load(source.encode(), "ja", keep_illegal=True)
    match = records.add(room.ledger.store, record)
    assert digest.starter(room.ledger.view(match).log) == "A"
