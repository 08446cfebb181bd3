"""What a deal of a game of a file costs in taps, counted on its pages."""

from __future__ import annotations

import html
import re
import secrets
from collections.abc import Callable
from random import Random

import pytest
from kit_deals import GAMES, SEATS, recorded_deal
from phones import Phone

from referee.core.log import Log
from referee.games.simulation import table
from referee.kit.families.trick_taking.player import entries as chosen
from referee.kit.families.trick_taking.plays import Bid, Lay, NameTrump

A_CARD, ALL = 1.0, 1.25  # taps for each card; with bids, deals and what is turned up
SHORT = {"loo": 1.5}
"""Games in which a deal has few cards: hands of three, and half of the players fold."""
KEY = re.compile(r'<button[^>]*\bname="line"[^>]*\bvalue="([^"]*)"')


@pytest.mark.parametrize(
    ("key", "seats", "deals"),
    [
        ("whist", 4, 1),
        ("oh_hell", 3, 4),
        ("oh_hell", 4, 6),
        ("oh_hell", 7, 4),
        ("spades", 4, 1),
        ("hearts", 4, 1),
        ("magi", 4, 5),
        ("magi", 6, 4),
        ("callers", 4, 1),  # an auction, a card that is called, cards that are drawn
        ("napoleon", 5, 1),  # an auction up to 20, a trump suit and a card that are named
        ("schafkopf", 4, 2),  # one of three cards is called
        ("king", 4, 1),  # the dealer alone bids
        ("knockout", 4, 2),  # a seat that is out gets none
        ("loo", 6, 4),  # each seat stays or folds
    ],
)
def test_a_recorded_deal_costs_a_tap_an_entry(
    phone: Phone, record_property: Callable[[str, object], None], key: str, seats: int, deals: int
) -> None:
    ledger = phone.client.application.extensions["ledger"]
    log, lines, view, leader = recorded_deal(ledger, key, seats, deals)
    phone.match, taps, seen = view.match, 0, 0
    while seen < len(lines):
        page = phone.get(f"/t/{view.match}?leader={leader}").text
        assert lines[seen] in [html.unescape(value) for value in KEY.findall(page)]
        data = {"line": lines[seen], "seen": str(seen), "key": secrets.token_urlsafe(9)}
        assert phone.post(f"/t/{view.match}/play", data).status_code == 303
        taps, seen = taps + 1, seen + 1
    assert phone.log() == lines
    cards = sum(isinstance(entry, Lay) for entry in log.entries)
    others = len(lines) - cards
    assert (taps - others) / cards <= A_CARD
    said = sum(isinstance(entry, Bid) for entry in log.entries)
    assert taps == taps_for(log) + said
    for entry in chosen(log, Random(4), 0, 0):
        log.push(entry)
    laid = sum(isinstance(entry, Lay) for entry in log.entries)
    most = SHORT.get(key, ALL)
    record_property("taps", (f"{key} for {seats} (a file)", taps_for(log), laid, most))
    assert taps_for(log) / laid <= most


def test_the_trump_suit_is_seen_while_another_one_is_named(phone: Phone) -> None:
    ledger = phone.client.application.extensions["ledger"]
    log, lines, view, _leader = recorded_deal(ledger, "zeroes", 4, 3)
    phone.match = view.match
    named = next(i for i, play in enumerate(log.entries) if isinstance(play, NameTrump))
    assert isinstance(log.entries[named - 1], Lay)
    phone.lays(*lines[: named - 1])
    before = phone.page().select_one(".midrow b")
    phone.lays(lines[named - 1])
    asked = phone.page()
    assert lines[named] in [key["value"] for key in asked.select("#play [name=line]")]
    now = asked.select_one(".midrow b")
    assert before
    assert now
    assert now.text == before.text == "A 赤"


def test_the_review_of_a_deal_names_cards_by_their_signs(phone: Phone) -> None:
    ledger = phone.client.application.extensions["ledger"]
    _log, lines, view, _leader = recorded_deal(ledger, "whist", 4, 1)
    for seq, line in enumerate(lines):
        assert ledger.declare(view.match, line, seq, secrets.token_urlsafe(9)).seq, line
    deal = phone.get(f"/t/{view.match}/review/1?entry=8").text
    assert '<option value="S2">♠2</option>' in deal
    assert "♥10" in deal
    assert not re.search(r"<th[^>]*>[SHDC][2-9AKQJ1]", deal)


def taps_for(log: Log) -> int:
    """A tap an entry, without bids: keys for those of several seats come only when asked for."""
    return sum(not isinstance(step.play, Bid) for step in log.steps())


@pytest.mark.parametrize(
    "key", [key for key, game in GAMES.items() if game.FAMILY == "trick_taking"]
)
def test_no_table_needs_more_taps_than_allowed(key: str) -> None:
    for seats in GAMES[key].SEATS:
        log = Log(GAMES[key], table(GAMES[key], SEATS[:seats]))
        for entry in chosen(log, Random(5), 0, 0):
            log.push(entry)
        laid = sum(isinstance(entry, Lay) for entry in log.entries)
        assert taps_for(log) / laid <= ALL, seats
