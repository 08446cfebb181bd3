"""A deal can be looked back at when it is over, by whoever is at the table, and never before."""

from __future__ import annotations

import re
from pathlib import Path

import kit_deals
import pytest
from flask import Flask
from phones import Phone, one, soup
from reading_room import Room

from referee.core.record import Record, read
from referee.games import GAMES, ON_CARDS
from referee.insight import review as module
from referee.insight.report import percent
from referee.insight.review import finished, review

# Looked for in the text: reading hundreds of pages as trees takes most of the time.
LINK = re.compile(r'<a\b[^>]* href="([^"]*)"')
COUNTED = re.compile(r'<table class="tbl\b|<p class="(?:[^"]* )?note\b')
FOLDER = Path(__file__).parents[2] / "games"
FILES = [sorted((FOLDER / game / "playthroughs").glob("*.txt"))[0] for game in ON_CARDS]


def pages(room: Room, deal: int) -> list[str]:
    """Every address that could say something of a deal, with and without an entry."""
    start = f"/t/{room.match}/review/{deal}"
    return [start, *(f"{start}?entry={seq}" for seq in range(1, room.view.seq + 1))]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parents[1].name)
def test_a_deal_while_it_goes_on_and_when_it_is_over(room: Room, file: Path) -> None:
    record = read(file.read_bytes(), GAMES, lambda name: None)
    assert isinstance(record, Record)
    header = record.header
    room.match = room.ledger.open(header).match
    shown = 0
    for written in record.entries:
        answer = room.ledger.declare(
            room.match, written.text, room.view.seq, f"entry-{room.view.seq:06}"
        )
        view = room.view
        if answer.seq is None or not view.state.deal:
            continue
        over = finished(view.log, view.moment)
        deal = view.state.deal
        path = f"/t/{room.match}/review/{deal}"
        linked = LINK.findall(room.phone.get(f"/t/{room.match}/score").text)
        running = view.to_act and not view.outcome
        if running:
            assert deal not in over
        if deal not in over:
            assert {room.phone.get(page).status_code for page in pages(room, deal)[-3:]} == {403}
            assert path not in linked
            refused = room.phone.get(path)
            assert "<table" not in refused.text
        else:
            assert path in linked
            shown += 1
            answer_page = room.phone.get(path)
            assert answer_page.status_code == 200
    if finished(room.view.log):
        assert shown
        for deal in finished(room.view.log):
            path = f"/t/{room.match}/review/{deal}"
            for step in room.view.log.steps():
                if step.state.deal == deal:
                    for lang in ("ja", "en"):
                        page = room.phone.get(
                            f"{path}?entry={step.seq}", headers={"Accept-Language": lang}
                        )
                        assert page.status_code == 200
                        assert COUNTED.search(page.text)
                        last = f"{path}?entry={step.seq}&whole=1"
            assert room.phone.get(last).status_code == 200  # nobody holds a card any more
            assert room.phone.get(f"{path}?entry=99999").status_code == 404


@pytest.mark.parametrize(
    "key", sorted(key for key, game in kit_deals.GAMES.items() if not game.HOOKS.carried)
)
@pytest.mark.parametrize("fewest", [True, False])
def test_every_entry_of_a_deal_by_a_game_file(room: Room, key: str, fewest: bool) -> None:
    """In the language of the phone, up to the entry after which no card is out of sight."""
    room.phone.get("/history")
    seats = kit_deals.GAMES[key].SEATS
    wanted = seats[0 if fewest else -1]
    deal = kit_deals.recorded_deal(room.ledger, key, min(wanted, 7), 1)
    room.match = deal.view.match
    for line in deal.lines:
        room.declare(line)
    entries = review(room.log, 1).entries
    assert len(entries) > 5
    for place in (1, 2, len(entries) // 2, len(entries) - 1, len(entries)):
        for query in ("", "&whole=1"):
            page = room.get(f"review/1?at={place}{query}")
            assert page.select(".who-held, .note")
    left = entries[-1].grid
    assert left is None or bool(room.get("review/1").select(".who-held")) == any(
        row.cards for row in left.rows
    )


def test_a_deal_that_a_rewind_opens_again_is_shut_again(room: Room) -> None:
    room.revoke()
    room.play_out()
    path = f"/t/{room.match}/review/1"
    assert room.phone.get(path).status_code == 200
    room.declare("table rewind 5")
    assert room.view.to_act
    assert room.phone.get(path).status_code == 403


def test_a_stop_opens_only_the_deals_that_were_over_before_it(room: Room) -> None:
    """The match can go on at any time: nobody stops it, looks, and takes the stop back."""
    room.revoke()
    while room.view.state.deal == 1:
        room.play_out(1)
    room.play_out(6)
    assert room.view.to_act
    over, running = (f"/t/{room.match}/review/{deal}" for deal in (1, 2))
    for line in ("table stop", f"table rewind {room.view.seq}"):
        room.declare(line)
        assert room.phone.get(over).status_code == 200
        for page in (running, *pages(room, 2)[-3:], f"{running}?at=1&seat=あかね&card=3"):
            assert room.phone.get(page).status_code == 403
        assert running not in room.phone.get(f"/t/{room.match}/score").text
    room.declare("table stop")
    room.declare(f"table strike {room.view.seq}")
    assert room.phone.get(running).status_code == 403


def test_a_deal_is_shut_again_when_a_correction_opens_it(room: Room) -> None:
    room.revoke()
    room.play_out()
    last = max(step.seq for step in room.view.log.steps() if step.state.deal == 1)
    room.declare(f"table rewind {last}")
    path = f"/t/{room.match}/review/1"
    assert room.phone.get(path).status_code == 200
    room.declare(f"table strike {last}")
    assert room.view.to_act
    assert room.phone.get(path).status_code == 403


def test_a_stranger_sees_nothing(room: Room, app: Flask) -> None:
    room.revoke()
    room.play_out()
    stranger = Phone(app.test_client(), room.match)
    path = f"/t/{room.match}/review/1"
    remote = stranger.get(path, environ_base={"REMOTE_ADDR": "203.0.113.9"})
    assert remote.status_code != 200
    assert "review" not in remote.get_data(as_text=True) or not soup(remote).select("table")


def test_a_revoke_and_what_was_declared_stand_on_the_page(room: Room) -> None:
    room.revoke()
    room.play_out()
    findings = room.view.findings()
    assert findings
    path = f"/t/{room.match}/review/1?entry={findings[0].at}"
    text = soup(room.phone.get(path)).get_text()
    assert f"記録{findings[0].proof[-1]}で証明" in text
    assert "正しい確率" in text
    page = room.get(path, **{"Accept-Language": "en"})
    assert re.search(r"Entries 1–\d+", one(page, "h1 ~ .lead").text)


def test_in_hindsight_the_hand_that_denied_a_card_held_it(room: Room) -> None:
    room.revoke()
    room.play_out()
    path = f"/t/{room.match}/review/1?entry=5"

    def cell(address: str) -> str:
        """What the grid says of みどり子 and the 6, which she laid with entry 10."""
        table = soup(room.phone.get(address)).select("table.tbl")[0]
        heads = [head.get_text() for head in table.select("thead th")]
        column = next(i for i, head in enumerate(heads) if head.startswith("みどり子"))
        row = next(r for r in table.select("tbody tr") if r.select("th")[0].get_text() == "6")
        return str(row.select("th, td")[column].get_text())

    assert cell(path).endswith("%")
    assert cell(f"{path}&whole=1") == "1枚以上"
    assert cell(f"{path}&believed=1") == "–"  # she declared that she had none
    switch = soup(room.phone.get(f"{path}&whole=1")).select(".seg a")
    assert [link.get("aria-current") for link in switch] == [None, None, "true"]
    assert "whole" not in str(switch[0]["href"])
    trusting = soup(room.phone.get(f"{path}&believed=1"))
    assert [link.get("aria-current") for link in trusting.select(".seg a")] == [None, "true", None]
    assert "believed=1" in str(trusting.select(".scrub a.btn")[-1]["href"])
    assert "申告がどれも正しい" in trusting.get_text()
    before = soup(room.phone.get(f"/t/{room.match}/review/1?entry=2&believed=1"))
    assert len(before.select(".seg a")) == 2  # nobody has declared anything yet


def test_the_timeline_leads_to_every_entry_and_shows_offence_and_proof(room: Room) -> None:
    room.revoke()
    room.play_out()
    path = f"/t/{room.match}/review/1"
    page = soup(room.phone.get(f"{path}?entry=5"))
    slider = one(page, ".scrub [name=at]")
    reviewed = room.view.log.steps()
    deal = [step for step in reviewed if step.state.deal == 1]
    assert int(slider["max"]) == len(deal)
    for place in (1, 4, len(deal)):
        there = soup(room.phone.get(f"{path}?at={place}"))
        assert f"記録 {deal[place - 1].seq}" in one(there, ".verdict .at").get_text()
    assert room.phone.get(f"{path}?at={len(deal) + 1}").status_code == 404
    assert "証明できるようになったのは記録10" in one(page, ".warn").get_text()
    assert len(page.select(".scrub svg .no")) == 2  # the offence, and the line to its proof
    steps = [str(a["href"]) for a in page.select(".scrub > a")]
    assert [re.search(r"entry=(\d+)", each)[1] for each in steps] == ["4", "6"]  # type: ignore[index]


def test_the_odds_of_a_card_and_of_a_lie_from_entry_to_entry(room: Room) -> None:
    room.revoke()
    room.play_out()
    path = f"/t/{room.match}/review/1?entry=5"
    lie = soup(room.phone.get(path)).select("details table")[0]
    shown = [[cell.get_text() for cell in row.select("th, td")] for row in lie.select("tbody tr")]
    assert [row[0] for row in shown] == ["5", "6", "7", "8", "9", "10"]
    assert shown[-1][2] == "100%"
    page = soup(room.phone.get(f"{path}&seat=みどり子&card=6"))
    rows = page.select("details table")[-1].select("tbody tr")
    found = review(room.view.log, 1).held("みどり子", 6)
    assert [row.select("th")[0].get_text() for row in rows] == [str(read.seq) for read, _ in found]
    for row, (_, odds) in zip(rows, found, strict=True):
        assert percent(odds) in row.select("td")[-1].get_text()
    assert len(page.select("svg.ch")) == 2
    assert not soup(room.phone.get(f"{path}&seat=だれか&card=6")).select("svg.ch")[1:]


def test_the_player_of_a_seat_in_a_deal_is_named(room: Room) -> None:
    """The seat passes on in the second deal: the first names the player of that time."""
    room.revoke()
    while room.view.state.deal == 1:
        room.play_out(1)
    path = f"/t/{room.match}/review/1?entry=5"
    counted = [
        (read.grid.ways, read.grid.rows) for read in review(room.log, 1).entries if read.grid
    ]
    fields = {"name": "とおる", "seen": str(room.view.seq)}
    replaced = room.phone.post(f"/t/{room.match}/seats/4/from-here", data=fields)
    assert replaced.status_code == 303
    page = soup(room.phone.get(path))
    assert f"とおるの席：記録{room.view.seq}までみどり子" in page.get_text()
    assert one(page, ".verdict h2").get_text().startswith("みどり子")
    after = [(read.grid.ways, read.grid.rows) for read in review(room.log, 1).entries if read.grid]
    for (ways, rows), (again, others) in zip(counted, after, strict=True):
        assert ways == again
        assert [row[2:] for row in rows] == [row[2:] for row in others]


def test_a_page_counts_one_entry_and_the_next_asks_for_nothing_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.revoke()
    room.play_out()
    counted = []
    real = module.grid
    monkeypatch.setattr(module, "grid", lambda known: counted.append(known) or real(known))
    for _ in range(2):
        for entry in (12, 13):
            room.get(f"review/1?entry={entry}")
    assert len(counted) <= 4  # the first entry, whose cards can be chosen from, and these


def _whole(room: Room, game: str) -> None:
    """Open a match of ``game`` and play its last deal to the end."""
    room.phone.get("/history")
    if game in kit_deals.GAMES:
        seats = kit_deals.GAMES[game].SEATS[0]
        deal = kit_deals.recorded_deal(room.ledger, game, seats, 1)
        room.match, lines = deal.view.match, deal.lines
    else:
        [file] = (file for file in FILES if file.parents[1].name == game)
        record = read(file.read_bytes(), GAMES, lambda name: None)
        assert isinstance(record, Record)
        room.match = room.ledger.open(record.header).match
        lines = [written.text for written in record.entries]
    for line in lines:
        seen = room.view.seq
        room.ledger.declare(room.match, line, seen, f"entry-{seen:06}")
    room.play_out()


def _marked(room: Room) -> bool:
    """Whether the table says that a review of this deal was opened."""
    return "振り返りが開かれました" in room.phone.get(f"/t/{room.match}").text


@pytest.mark.parametrize("game", sorted({*ON_CARDS, *kit_deals.GAMES}))
def test_the_table_says_that_a_deal_that_goes_on_was_reviewed(room: Room, game: str) -> None:
    """Its end is undone, as after an untrue entry: with the match, and as long as it goes on."""
    _whole(room, game)
    deal = finished(room.view.log)[-1]
    of_it = [step.seq for step in room.view.log.steps() if step.state.deal == deal]
    middle = of_it[len(of_it) // 2]
    ended = room.view.seq
    room.declare(f"table rewind {middle}")
    assert not _marked(room)  # nobody has read anything
    room.declare(f"table rewind {ended}")
    assert room.phone.get(f"/t/{room.match}/review/{deal}").status_code == 200
    assert not _marked(room)
    room.declare(f"table rewind {middle}")
    assert deal not in finished(room.view.log)
    assert _marked(room)
    reopened = room.view.seq
    room.declare(f"table rewind {of_it[0] - 1}")
    # cards that are dealt now were in no review, unless one deck lasts for the whole match
    assert _marked(room) == room.view.game.HOOKS.carried
    room.declare(f"table rewind {reopened}")
    assert _marked(room)
    room.play_out()
    assert not _marked(room)


def test_the_review_of_an_earlier_deal_hides_no_mark(room: Room) -> None:
    room.revoke()
    while room.view.state.deal == 1:
        room.play_out(1)
    assert room.phone.get(f"/t/{room.match}/review/1").status_code == 200
    assert not _marked(room)  # the second deal goes on, and nobody has read of it
    while room.view.to_act:
        room.play_out(1)
    assert room.phone.get(f"/t/{room.match}/review/2").status_code == 200
    room.declare(f"table rewind {room.view.seq - 1}")
    assert _marked(room)
    assert room.phone.get(f"/t/{room.match}/review/1").status_code == 200
    assert _marked(room)
