"""Games of files in which partners play together: who they are, what they have, how they win."""

from __future__ import annotations

import re
from random import Random

import pytest
from bs4 import BeautifulSoup
from kit_deals import GAMES
from phones import Phone, one, soup

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.kit.families.trick_taking.player import entries
from referee.kit.game import KitGame
from referee.kit.load import load

SEATS = ("Ben", "Cat", "Eve", "Dan")
ENGLISH = {"Accept-Language": "en"}


def cells(page: BeautifulSoup, row: str) -> list[list[str]]:
    """The texts of the cells of each row."""
    return [
        [" ".join(cell.get_text().split()) for cell in each.select("th,td")]
        for each in page.select(row)
    ]


def played(phone: Phone, game: KitGame, lines: int | None = None, seed: int = 5) -> None:
    """A table of ``game`` with the first ``lines`` entries of a random match, or with all."""
    log = Log(game, Table(SEATS, {}, {**COMMON_OPTIONS, **game.OPTIONS}))
    for entry in entries(log, Random(seed), 0, 0):
        log.push(entry)
        if game.outcome(log.state):
            break
    phone.opens(game.NAME, SEATS, log.entries[0].leader)  # type: ignore[attr-defined]
    grammar = phone.client.application.extensions["ledger"].view(phone.match).grammar
    assert grammar.print(log.entries[0]) == phone.log()[0]
    for entry in log.entries[1:lines]:
        phone.lays(grammar.print(entry))


def test_a_row_for_each_team_says_what_it_bid_won_and_has(phone: Phone) -> None:
    phone.headers = ENGLISH
    phone.opens(GAMES["spades"].NAME, SEATS, "Ben")
    for line in ("Ben bid 3", "Cat bid nil", "Eve bid 4"):
        phone.lays(line)
    assert cells(phone.page(), ".teams tbody tr") == [
        ["◆Ben, Eve", "7", "0", "0", "0"],
        ["◇Cat, Dan", "0", "0", "0", "0"],
    ]
    assert not phone.page().select(".tag .pts b")  # the total is that of the team


def test_whoever_opens_the_table_sees_who_is_whose_partner(phone: Phone) -> None:
    names = "&".join(f"name={name}" for name in SEATS)
    page = soup(phone.get(f"/new?game={GAMES['spades'].NAME}&{names}"))
    assert [row.get_text(" ", strip=True) for row in page.select(".across li")] == [
        "Ben Eve",
        "Cat Dan",
    ]
    assert not soup(phone.get(f"/new?game={GAMES['hearts'].NAME}&{names}")).select(".across")


def test_a_team_wins_in_the_plural_on_the_score_page_and_on_the_picture(phone: Phone) -> None:
    phone.headers = ENGLISH
    played(phone, GAMES["spades"])
    score = soup(phone.get(f"/t/{phone.match}/score"))
    winners = one(score, ".standing .w b").get_text()
    names = winners.replace(", ", " and ")
    assert one(score, "h1").get_text() == f"{names} win"
    assert f"{names} win with the highest total" in score.get_text()
    assert len(score.select(".standing li")) == 2
    picture = phone.get(f"/t/{phone.match}/card.svg").get_data(as_text=True)
    assert f">{names}</text>" in picture
    assert ">win</text>" in picture
    assert "share the win" not in picture


def test_the_score_of_a_deal_has_a_column_for_each_team_and_sums_in_numbers(phone: Phone) -> None:
    phone.headers = ENGLISH
    played(phone, GAMES["spades"])
    score = soup(phone.get(f"/t/{phone.match}/score"))
    first = score.select("section.deal")[-1]
    table = cells(first, ".by-team tr")
    assert [row[0] for row in table] == [
        "",
        "Bid",
        "Tricks taken",
        "This deal",
        "bags so far",
        "Total",
    ]
    assert table[0][1:] == ["Ben, Eve", "Cat, Dan"]
    assert sum(map(int, table[2][1:])) == 13
    assert table[3][1:] == table[5][1:]  # the first deal is the total
    sums = [row.get_text() for row in first.select(".calc-l li span")]
    made = [found for row in sums if (found := re.search(r": (−?)10 × (\d+) = (−?)(\d+)", row))]
    assert len(made) == 2
    for found in made:
        assert found[1] == found[3]
        assert int(found[4]) == 10 * int(found[2])


CHANGED = """kit = 1
family = "trick_taking"
key = "branches"
title = { ja = "枝", en = "Branches" }
seats = { count = 4, teams = "opposite" }
deck = { ranks = "1..8", suits.R = { ja = "赤", en = "red" } }
deal = { hand = 2 }
play = { follow = ["suit led"] }
trick = { best = ["suit led"] }
score.made = { per = "deal", points = "SUM" }
match = { deals = 1, winner = "most" }
"""


@pytest.mark.parametrize(
    ("sum_", "said"),
    [
        ("if tricks = 2 then 10*tricks + 1 else -3", {"Ben: 10 × 2 + 1 = 21", "Cat: −3 points"}),
        ("5 - (tricks - 3)", {"Ben: 5 − (2 − 3) = 6", "Cat: 5 − (0 − 3) = 8"}),
        ("2*(tricks - 3)", {"Ben: 2 × (2 − 3) = −2", "Cat: 2 × (0 − 3) = −6"}),
        ("-(tricks + 1)", {"Ben: −(2 + 1) = −3", "Cat: −(0 + 1) = −1"}),
        ("1 - -tricks", {"Ben: 1 − (−2) = 3", "Cat: 1 − 0 = 1"}),
        ("tricks", {"Ben: tricks taken = 2", "Cat: tricks taken = 0"}),
        ("max(tricks, 1)/2 + 7", {"Ben: 1 + 7 = 8", "Cat: 0 + 7 = 7"}),
    ],
)
def test_a_sum_is_written_with_its_numbers_and_the_branch_that_applied(
    phone: Phone, sum_: str, said: set[str]
) -> None:
    phone.headers = ENGLISH
    game = load(CHANGED.replace("SUM", sum_).encode())
    store = phone.client.application.extensions["ledger"].store
    store.game_files.register((game.hash, game.KEY, game.text), "")
    phone.opens(game.NAME, SEATS, "Ben")
    for number, card in enumerate(["8", "1", "2", "3", "7", "4", "5", "6"]):
        phone.lays(f"{SEATS[number % 4]} lay R{card}")
    lines = soup(phone.get(f"/t/{phone.match}/score")).select(".calc-l li span")
    found = {line.get_text().partition(" score.")[0] for line in lines}
    assert said <= found
