"""ペアーズ大富豪 on a phone: whole matches from hidden hands that only this script knows.

The script keeps its own count of turns, order and wins, so that page and rules are checked against
an independent computation; it counts every tap that records something.
"""

from __future__ import annotations

import json
import re
from itertools import combinations
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from serving import exchanged, fill, sent_with, there

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
TAPS_PER_PLAY = 1.25
ROWS = {2: 6, 3: 4, 4: 3, 5: 3, 6: 3}
HANDS = {2: 6, 3: 8, 4: 7, 5: 5, 6: 3}
# Of two a short match, in whose first deal come pairs, triples, a reversal and cards that are laid
# from the hand although the pyramid has them.
SEEDS = {2: 2013, 3: 3, 6: 6}
NAMES = ("みどり子", "北大路ロマネスク三世閣下", "源五郎", "Anna B", "ほしの", "シホ")


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def page(chromium: Any, request: pytest.FixtureRequest) -> Any:
    context = chromium.new_context(
        viewport=PHONE, locale="ja", java_script_enabled=request.param, service_workers="block"
    )
    page = context.new_page()
    page.scripted = request.param
    return page


class Match:
    """The real cards, the script's own opinion of the rules, and the phone that is tapped."""

    def __init__(self, page: Any, seats: tuple[str, ...], seed: int) -> None:
        self.page, self.seats, self.rng = page, seats, Random(seed)
        self.wins = dict.fromkeys(seats, 0)
        self.taps = self.plays = self.deals = 0

    # ---- the phone

    def opens(self, address: str, leader: str) -> None:
        names = [("name", seat) for seat in self.seats]
        self.page.goto(f"{address}/new?{urlencode([('game', 'pairs_daifugo'), *names])}")
        # asks about what the source text leaves open (D12)
        assert self.there(".opts:has([value=toggle])")
        self.page.click(f'.radios .chip:has([value="{leader}"])')
        self.page.click(".foot .btn.go")
        there(self.page, "#play")

    def tap(self, selector: str, counts: bool = True, step: str = "") -> None:
        """Tap, until there is another table or the ``step``."""
        key = sent_with(self.page)
        target = self.page.locator(selector).first
        assert target.evaluate("key => key.getBoundingClientRect().height") >= 24, selector
        target.click()
        self.taps += counts
        exchanged(self.page, key, step)

    def there(self, selector: str) -> bool:
        return self.page.locator(selector).count() > 0

    def looks_right(self) -> None:
        """Nothing scrolls, and the head line names whose turn it is."""
        if not self.page.scripted:
            return
        tall = self.page.evaluate(
            "[document.documentElement.scrollHeight - innerHeight,"
            " document.documentElement.scrollWidth - innerWidth,"
            " ...[...document.querySelectorAll('.board,.in,.pad')].map("
            "e => Math.max(e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth))]"
        )
        assert max(tall) <= 1, tall

    def turn_of(self, seat: str) -> None:
        expect(self.page.locator(".who h1")).to_have_text(re.compile(rf"^\s*{re.escape(seat)}"))
        self.looks_right()

    # ---- a deal

    def deals_cards(self, leader: str) -> None:
        n = len(self.seats)
        cards = [rank for rank in range(1, 11) for _ in range(rank)]
        self.rng.shuffle(cards)
        letters = "abcdefghijklmnopqrstu"
        self.places = letters[: ROWS[n] * (ROWS[n] + 1) // 2]
        self.hands = {s: [cards.pop() for _ in range(HANDS[n])] for s in self.seats}
        self.hidden = {s: {p: cards.pop() for p in self.places} for s in self.seats}
        self.open: dict[str, dict[str, int]] = {s: {} for s in self.seats}
        self.turned, self.trick, self.passed = False, list[object](), set[str]()
        self.leader = self.due = leader
        self.deals += 1
        i = self.seats.index(leader)
        for seat in (*self.seats[i:], *self.seats[:i]):
            row = self.places[-ROWS[n] :]
            self.turn_of(seat)
            for number, place in enumerate(row, 1):
                rank = self.hidden[seat].pop(place)
                self.open[seat][place] = rank
                place_on_page = f".pyr>p:last-child>.card:nth-child({number})"
                self.tap(f"#k{rank}", step=place_on_page if place != row[-1] else "")
            self.plays += 1

    def covers(self, place: str) -> str:
        """The two places below ``place``."""
        letters = "abcdefghijklmnopqrstu"
        i, row = letters.index(place), 0
        while i > row:
            i, row = i - row - 1, row + 1
        start = (row + 1) * (row + 2) // 2
        return letters[start + i : start + i + 2]

    def high(self) -> int:
        pairs = bool(self.trick) and len(self.trick[0][1]) == 2
        return 10 if self.turned or pairs else 1

    def can_lay(self, seat: str) -> list[tuple[int, int]]:
        """Rank and number of all cards that ``seat`` can play, from its real cards."""
        held = [*self.hands[seat], *self.open[seat].values()]
        found = []
        for rank in set(held):
            for count in range(1, held.count(rank) + 1):
                if self.trick:
                    top = self.trick[-1][1]
                    better = rank > top[0] if self.high() == 10 else rank < top[0]
                    if count != len(top) or not better:
                        continue
                found.append((rank, count))
        return sorted(found)

    def plays_deal(self, leader: str) -> str:
        """Play one deal to its end; returns who won it."""
        self.deals_cards(leader)
        while True:
            seat = self.due
            self.turn_of(seat)
            shown = self.page.inner_text(".lastplay")
            assert f"{self.high()}が最強" in shown
            choices = self.can_lay(seat)
            if not choices or (self.trick and self.rng.random() < 0.25):
                self.passes(seat)
                continue
            rank, count = self.rng.choice(choices)
            if self.lays(seat, rank, count):
                self.wins[seat] += 1
                return seat

    def lays(self, seat: str, rank: int, count: int) -> bool:
        own = [place for place, card in self.open[seat].items() if card == rank]
        least = max(0, count - self.hands[seat].count(rank))
        most = min(count, len(own))
        by_hand = least < most and self.rng.random() < 0.2
        using = self.rng.choice(list(combinations(sorted(own), least if by_hand else most)))
        self.records(seat, rank, count, using, by_hand)
        for place in using:
            del self.open[seat][place]
        for _ in range(count - len(using)):
            self.hands[seat].remove(rank)
        self.trick.append((seat, (rank,) * count))
        self.turned ^= count >= 4
        self.plays += 1
        if not (self.hands[seat] or self.open[seat] or self.hidden[seat]):
            return True
        for place in sorted(self.hidden[seat]):
            gone = [p for p in self.covers(place) if p in self.open[seat] or p in self.hidden[seat]]
            if not gone:
                card = self.hidden[seat].pop(place)
                self.turn_of(seat)
                self.tap(f"#k{card}")
                self.open[seat][place] = card
                self.plays += 1
        self.passes_turn(seat)
        return False

    def records(
        self, seat: str, rank: int, count: int, using: tuple[str, ...], by_hand: bool
    ) -> None:
        """Tap until the line that says all this is recorded."""
        line = " ".join([named(seat), "lay", *[str(rank)] * count])
        line += f" using {' '.join(using)}" if using else ""
        button = f"button[name=line][value={quoted(line)}]"
        if not self.there(button) and by_hand and self.trick:
            self.tap(".key.half", step=".key.half.on")
        if not self.there(button):
            self.tap(f"#k{rank}", step=".choices")
        own = [place for place, card in self.open[seat].items() if card == rank]
        for place in own if not self.trick and not self.there(button) else []:
            if place not in using:
                self.tap(f"#of-{place}", step=f"#of-{place}:not(.on)")
        self.looks_right()
        self.tap(button)

    def passes(self, seat: str) -> None:
        top = self.trick[-1][0]
        left = [s for s in self.seats if s not in self.passed and s != top]
        everybody = not any(self.can_lay(other) for other in left)
        at_once = '.key:has-text("全員パス")'
        if len(left) > 1 and everybody and self.there(at_once):
            self.tap(at_once)
        else:
            left = [seat]
            self.tap(f"button[value={quoted(f'{named(seat)} pass')}]")
        self.plays += len(left)
        self.passed.update(left)
        if len(self.passed) == len(self.seats) - 1:
            self.trick, self.passed, self.due = [], set(), top
        else:
            self.passes_turn(seat)

    def passes_turn(self, seat: str) -> None:
        i = self.seats.index(seat)
        after = (*self.seats[i + 1 :], *self.seats[: i + 1])
        self.due = next(s for s in after if s not in self.passed)

    def next_leader(self, winner: str) -> str:
        return self.seats[(self.seats.index(winner) + 1) % len(self.seats)]


def named(seat: str) -> str:
    """``seat`` as a record writes it."""
    return f'"{seat}"' if " " in seat else seat


def quoted(text: str) -> str:
    """``text`` as a string of a selector."""
    return json.dumps(text, ensure_ascii=False)


def entries(site: Any) -> Any:
    """The only match of the ledger."""
    return site.ledger.view(site.ledger.store.matches(1)[0].id)


@pytest.mark.parametrize(
    ("page", "seats"),
    [pytest.param(True, 2, marks=pytest.mark.rare), (True, 6), (False, 3)],
    indirect=["page"],
)
def test_a_whole_match(site: Any, page: Any, seats: int, record_property: Any) -> None:
    match = Match(page, NAMES[:seats], SEEDS[seats])
    needed = 2 if page.scripted and seats == 2 else 1  # hundreds of taps take their time
    leader = match.seats[-1]
    match.opens(site.url, leader)
    while max(match.wins.values()) < needed:
        leader = match.next_leader(match.plays_deal(leader))
        if max(match.wins.values()) < needed:
            match.tap(".btn.next")
            match.plays += 1
    view = entries(site)
    assert view.seq == match.plays + 1  # the first deal came with the table
    assert dict(view.state.wins) == match.wins
    if needed == 2:
        winner = max(match.wins, key=lambda seat: match.wins[seat])
        assert view.outcome.winners == (winner,)
        expect(match.page.locator(".ranking li").first).to_have_text(re.compile(rf"^\s*{winner}"))
    record_property("taps", ("pairs_daifugo", match.taps, match.plays, TAPS_PER_PLAY))
    assert match.taps / match.plays <= TAPS_PER_PLAY, (match.taps, match.plays)


def test_mistakes_on_the_way(site: Any, page: Any) -> None:
    """A row entered wrongly is amended, a refusal records nothing, an undo takes one tap."""
    match = Match(page, NAMES[:3], seed=8)
    leader = match.seats[0]
    match.opens(site.url, leader)
    match.deals_cards(leader)
    row = list(match.open[leader].values())
    wrong = f"{leader} row {' '.join(map(str, [9 if row[0] == 10 else 10, *row[1:]]))}"
    right = f"{leader} row {' '.join(map(str, row))}"
    for line in (wrong, right):
        page.goto(f"{site.url}/t/{entries(site).match}/e/2")
        page.click('.acts-l a[href*="do=amend"]')
        page.wait_for_url("**/correct/2*")
        if not page.is_visible("#line"):
            page.click(".words summary")
        page.fill("#line", line)
        page.click(".words .btn")
        page.click(".foot .btn.go")
        page.wait_for_selector("#table")
    # a lead, a refused follower, and everything back to before the lead
    seen = entries(site).seq
    rank, count = next(c for c in match.can_lay(leader) if c[0] > 1)
    match.lays(leader, rank, count)
    laid = entries(site).seq
    match.turn_of(match.due)
    page.locator(".key.off").first.click()
    page.wait_for_selector(".strip.refused")
    expect(page.locator(".strip")).to_contain_text("記録していません")
    assert entries(site).seq == laid
    while entries(site).undo_target() >= seen:
        match.tap("#undo button")
    assert entries(site).seq > laid
    assert entries(site).state == entries(site).log.state_at(entries(site).log.moment(seen))


SIZES = (((320, 568), 24), ((360, 640), 24), ((360, 740), 24), ((390, 844), 44))
"""Of a phone, and the least size of a card that can be tapped there; in pixels."""


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_cards_of_the_pyramid_are_large_enough_for_a_thumb(
    chromium: Any, site: Any, seats: int
) -> None:
    page = chromium.new_context(viewport={"width": 390, "height": 844}, locale="ja").new_page()
    for stop in range(2 * seats, 60):
        page.goto(f"{site.url}/t/{table_after(site, NAMES[:seats], stop)}")
        if page.locator("#play .key.off").count() and page.locator(".pyr button").count():
            break
    for refused in (False, True):
        if refused:
            page.locator("#play .key.off").first.click()
            page.wait_for_selector(".strip.refused")
        for size, least in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            boxes = [card.bounding_box() for card in page.locator(".pyr button").all()]
            assert boxes
            assert all(min(box["width"], box["height"]) >= least for box in boxes), (size, boxes)
    assert page.eval_on_selector(".board", "at => at.scrollHeight - at.clientHeight") <= 0
    board, last = (page.locator(part).bounding_box() for part in (".board", ".pyr"))
    assert last["y"] + last["height"] <= board["y"] + board["height"]


def table_after(site: Any, seats: tuple[str, ...], stop: int) -> str:
    """A match after ``stop`` entries; its id."""
    match = site.ledger.open(Header("pairs_daifugo", seats)).match
    fill(site, match, played(GAMES["pairs_daifugo"], seats, 3, most=stop))
    return str(match)
