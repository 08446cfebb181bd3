"""A game that only asks who loses: every page says so, and nobody is shown as winner."""

from __future__ import annotations

import pytest
from flask import Flask
from phones import Phone, one, soup, text

from referee.core.log import Log
from referee.core.record import Header
from referee.games.simulation import WIDEST, played
from referee.history.counting import catch_up
from referee.store import NewEntry
from referee.store.past import Past

SEATS = ("あかね", "北大路", "シホ")


def records(app: Flask, game: str, seed: int) -> tuple[str, Log]:
    """A match that is over, and its log."""
    ledger = app.extensions["ledger"]
    view = ledger.open(Header(game, SEATS))
    log = played(view.game, SEATS, seed)
    lines = map(view.grammar.print, log.entries)
    rows = [NewEntry(line, f"key {i}", "legal", "-", "-") for i, line in enumerate(lines)]
    ledger.store.append(view.match, 0, rows)
    return view.match, log


@pytest.fixture
def lost(app: Flask, phone: Phone) -> tuple[Phone, str]:
    """A match on a phone, and who has lost it."""
    phone.match, log = records(app, "pairs", 1)
    [loser] = log.game.outcome(log.state).losers
    return phone, loser


@pytest.mark.parametrize(
    ("tongue", "says", "lost_it", "won_it"),
    [("ja", "{}の負け", "の負け", "の勝ち"), ("en", "{} loses", "loses", "wins")],
)
def test_every_page_names_the_loser_and_no_winner(
    lost: tuple[Phone, str], tongue: str, says: str, lost_it: str, won_it: str
) -> None:
    phone, loser = lost
    phone.client.set_cookie("lang", tongue)
    said = says.format(loser)
    for page in ("", "/score"):
        assert text(soup(phone.get(f"/t/{phone.match}{page}")), "h1") == said
    card = soup(phone.get(f"/t/{phone.match}/result"))
    assert text(card, ".win-n .names").split() == [loser, lost_it]
    assert not card.select("b.g")
    assert not soup(phone.get(f"/t/{phone.match}/score")).select(".standing .w")
    picture = phone.get(f"/t/{phone.match}/card.svg").text
    assert f">{loser}</text>" in picture
    assert f">{lost_it}</text>" in picture
    assert won_it not in picture
    for path in ("/", "/history"):
        row = one(soup(phone.get(path)), ".rows .row")
        assert said in row.get_text(), path


def test_a_match_with_a_loser_counts_as_lost_and_as_no_win(
    app: Flask, lost: tuple[Phone, str]
) -> None:
    """The first match of two has a winner; a streak goes on over the one with a loser."""
    _phone, loser = lost
    _match, log = records(app, WIDEST, 1)
    [winner] = log.game.outcome(log.state).winners
    store = app.extensions["ledger"].store
    catch_up(store)
    past = Past(store, "")
    played_last = past.get(lost[0].match)
    assert [(p.name, p.rank) for p in played_last.placings if p.lost] == [(loser, 3)]
    assert not any(p.won for p in played_last.placings)
    play = lost[0].get(f"/t/{lost[0].match}/bgstats.json").json
    assert play["game"]["highestWins"] is False
    for one_of in past.standings():
        assert (one_of.matches, one_of.winnable) == (2, 1)
        assert one_of.won == (one_of.name == winner)
        assert one_of.lost == (one_of.name == loser)
        assert past.career(one_of.person).wins() == ("1" if one_of.name == winner else "0")
        lines = {line.game: line for line in past.career(one_of.person).lines()}
        assert lines["pairs"].lost == (one_of.name == loser)
        assert lines[WIDEST].lost == 0


@pytest.mark.parametrize(("tongue", "low"), [("ja", "最小"), ("en", "lowest")])
def test_the_lowest_card_is_spoken_as_the_lowest_and_not_as_winning(
    phone: Phone, tongue: str, low: str
) -> None:
    """It is the card that a fold takes as points."""
    phone.opens("pairs", SEATS)
    phone.lays("table deal", *(f"{s} reveal {n}" for s, n in zip(SEATS, (7, 3, 9), strict=True)))
    phone.client.set_cookie("lang", tongue)
    spoken = [str(row["aria-label"]).split()[1:] for row in phone.page().select(".rows .lying")]
    assert spoken == [["7"], ["3", low], ["9"]]
