"""Trumps on a phone: whole matches from hidden hands that only this script knows.

The script keeps its own count of places, piles and points, so that page and rules are checked
against an independent computation; it counts every tap that records something.
"""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, ViewportSize, expect
from serving import Site, at, exchanged, played_at, sent_with, there

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 360, "height": 740}
TAPS_PER_PLAY = 1.0
THREE = ("シュンスケ", "ジュリア", "シホ")
TWO = ("みどり子", "Anna B")
COVERS = 572  # a deal in which two cards are played face down from hands that are looked at

# What sticks out of its band or can't be tapped with a thumb, anywhere on the page.
MISFITS = """() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) found.push("page scrolls");
  for (const band of document.querySelectorAll(".who, .board, .pad")) {
    const box = band.getBoundingClientRect();
    for (const part of band.querySelectorAll(".key, .card, .tag, .piles, .strip, .grp")) {
      const at = part.getBoundingClientRect();
      if (!at.width) continue;
      if (at.right > box.right + 1 || at.left < box.left - 1 || at.bottom > box.bottom + 1)
        found.push(`${part.className} leaves ${band.className}`);
    }
  }
  for (const key of document.querySelectorAll(".pad .key")) {
    const at = key.getBoundingClientRect();
    if (at.height < 48 || at.width < 48) found.push(`${key.id} ${at.width}×${at.height}`);
  }
  return found;
}"""


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def phone(chromium: Browser, request: pytest.FixtureRequest) -> Page:
    context = chromium.new_context(
        viewport=PHONE, locale="ja", java_script_enabled=request.param, service_workers="block"
    )
    return context.new_page()


class Match:
    """The real cards, the script's own opinion of the rules, and the phone that is tapped."""

    def __init__(self, site: Site, page: Page, seats: tuple[str, ...], seed: int) -> None:
        self.site, self.page, self.seats, self.rng = site, page, seats, Random(seed)
        self.taps = self.plays = self.undone = self.shown = self.covered = 0
        top = 10 if len(seats) == 3 else 9
        self.stock = [rank for rank in range(1, top + 1) for _ in range(rank)]
        self.rng.shuffle(self.stock)
        self.hands = {seat: [self.stock.pop() for _ in range(7)] for seat in seats}
        self.aside = [self.stock.pop() for _ in range(3 if len(seats) == 3 else 4)]
        self.table: Counter[int] = Counter()
        self.piles: dict[str, Counter[int]] = {seat: Counter() for seat in seats}
        self.match = ""

    # ---- the phone

    def opens(self) -> None:
        names = "&".join(f"name={seat}" for seat in self.seats)
        self.page.goto(f"{self.site.url}/new?game=trumps&{names}")
        assert not self.page.get_by_text("ランダムに決める").count()
        self.page.locator(".foot .btn.go").click()
        there(self.page, "#play")
        self.match = self.page.url.rpartition("/")[2].partition("?")[0]

    def tap(self, selector: str) -> None:
        """One tap on the element found; it leads to another table, or to other keys."""
        key = sent_with(self.page)
        target = self.page.locator(selector).first
        step = target.evaluate("key => key.localName") == "a"
        target.click()
        exchanged(self.page, key, ".shows" if step else "")
        self.taps += 1

    def play(self, selector: str) -> None:
        """A tap that records one play; now and then it was the wrong moment and is taken back."""
        self.fits()
        self.plays += 1
        self.tap(selector)
        if self.rng.random() < 0.05:
            self.undone += 1
            self.tap(".strip .undo")
            self.tap(selector)
            self.taps -= 2

    def fits(self) -> None:
        if self.plays % 5 == 0:
            assert self.page.evaluate(MISFITS) == []

    def whose(self) -> str:
        return self.page.locator(".who h1 .nm").inner_text()

    # ---- the game

    def played_out(self) -> None:
        starter = self.starts()
        final = over = False
        while not over:
            order = self.around(starter)
            places = self.places(order, self.played(order))
            self.takes(places)
            over, starter = final, places[0]
            for cards in self.down.values():
                self.table.update(cards)
            if not over:
                final = self.refilled(self.around(starter))
        expect(self.page.locator(".who h1")).to_have_text(re.compile(r"(の勝ち|の同点優勝)\s*$"))

    def starts(self) -> str:
        contest = list(self.seats)
        while True:
            shown = {}
            for seat in contest:
                assert self.whose() == seat
                shown[seat] = min(self.hands[seat])
                self.hands[seat].remove(shown[seat])
                self.table[shown[seat]] += 1
                self.play(f"#k{shown[seat]}")
            contest = [seat for seat in contest if shown[seat] == min(shown.values())]
            if len(contest) == 1:
                return contest[0]

    def around(self, seat: str) -> tuple[str, ...]:
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]

    def played(self, order: tuple[str, ...]) -> dict[str, tuple[int, ...] | None]:
        """The cards that all seats play; None for a face-down card. ``down`` collects all cards."""
        laid: dict[str, tuple[int, ...] | None] = {}
        self.down: dict[str, tuple[int, ...]] = {}
        for i, seat in enumerate(order):
            assert self.whose() == seat
            hand = self.hands[seat]
            used = {cards[0] for cards in laid.values() if cards}
            free = sorted(set(hand) - used)
            later = [set(self.hands[other]) for other in order[i + 1 :]]
            stops = [rank for rank in free if any(other <= {*used, rank} for other in later)]
            if not free:
                laid[seat], self.down[seat] = None, (hand[0],)
                self.covers(seat, hand[0])
            else:
                rank = self.rng.choice(stops or free)
                pair = hand.count(rank) > 1 and self.rng.random() < 0.9
                laid[seat] = self.down[seat] = (rank,) * (2 if pair else 1)
                self.play(f"#{'p' if pair else 'k'}{rank}")
            for rank in self.down[seat]:
                hand.remove(rank)
        return laid

    def covers(self, seat: str, rank: int) -> None:
        self.covered += 1
        self.plays += 1
        self.tap(f"#c{rank}")
        label = " ".join(map(str, sorted(self.hands[seat])))
        hand = f'.strip button[aria-label="見せた手札 {label}"]'
        if self.page.locator(hand).count():
            self.shown += 1
            self.plays += 1  # an entry of its own
            self.tap(hand)

    def places(self, order: tuple[str, ...], laid: dict[str, tuple[int, ...] | None]) -> list[str]:
        pairs = [seat for seat in order if laid[seat] and len(laid[seat] or ()) == 2]
        singles = [seat for seat in order if laid[seat] and len(laid[seat] or ()) == 1]
        pairs.sort(key=lambda seat: (laid[seat] or (0,))[0])
        singles.sort(key=lambda seat: -(laid[seat] or (0,))[0])
        return pairs + singles + [seat for seat in order if laid[seat] is None]

    def takes(self, places: list[str]) -> None:
        for seat in places:
            last = seat == places[-1]
            if not self.table and not (last and self.stock):
                continue
            assert self.whose() == seat
            if last and self.stock and (not self.table or self.rng.random() < 0.3):
                self.play(self.rng.choice([".stock button", ".takes button"]))
                self.hands[seat].append(self.stock.pop())
                continue
            rank = self.rng.choice(sorted(self.table))
            copies = 1 if last else self.table[rank]
            self.table[rank] -= copies
            self.table += Counter()
            self.piles[seat][rank] += copies
            on_table = f'.field button[aria-label^="場札の{rank}、"]'
            self.play(self.rng.choice([on_table, f"#t{rank}"]))

    def refilled(self, order: tuple[str, ...]) -> bool:
        """Everybody draws; whether the stock is used up."""
        for seat in order:
            self.hands[seat].append(self.stock.pop() if self.stock else self.aside.pop())
        return not self.stock

    # ---- the count

    def points(self, seat: str) -> int:
        pile = self.piles[seat]
        runs = [0]
        for rank in range(1, 11):
            runs.append(runs[-1] + 1 if pile[rank] else 0)
        return max(pile.values(), default=0) + max(runs)

    def winners(self) -> list[str]:
        def key(seat: str) -> tuple[int, int, int]:
            least = min(self.piles[seat], default=99)
            return self.points(seat), -least, self.piles[seat][least]

        return [seat for seat in self.seats if key(seat) == max(map(key, self.seats))]


@pytest.mark.parametrize(
    ("phone", "seats", "seed"),
    [
        pytest.param(True, THREE, COVERS, id="three"),
        pytest.param(False, THREE, COVERS, id="three-without-scripts", marks=pytest.mark.rare),
        pytest.param(True, TWO, 4, id="two", marks=pytest.mark.rare),
        pytest.param(False, TWO, 4, id="two-without-scripts"),
    ],
    indirect=["phone"],
)
def test_a_match_from_hidden_hands(
    site: Site, phone: Page, seats: tuple[str, ...], seed: int, record_property: Any
) -> None:
    match = Match(site, phone, seats, seed)
    match.opens()
    match.played_out()
    if seed == COVERS:
        assert match.covered >= 2
        assert match.shown
    view = site.ledger.view(match.match)
    public = view.game.public(view.state)
    assert view.findings() == ()
    assert public["hands"] == {seat: len(match.hands[seat]) for seat in seats}
    assert public["tableau"] == {str(r): n for r, n in sorted(match.table.items()) if n}
    piles = {seat: {str(r): n for r, n in sorted(match.piles[seat].items())} for seat in seats}
    assert public["piles"] == piles
    assert public["stock"] == len(match.stock)
    assert list(view.outcome.winners) == match.winners()
    shown = {
        row.locator(".one").inner_text(): int(row.locator("b").inner_text())
        for row in phone.locator(".ranking li").all()
    }
    assert shown == {seat: match.points(seat) for seat in seats}
    best = phone.locator(".ranking .best .one").all_inner_texts()
    assert sorted(best) == sorted(match.winners())
    record_property("taps", ("trumps", match.taps, match.plays, TAPS_PER_PLAY))
    assert match.taps <= TAPS_PER_PLAY * match.plays, (match.taps, match.plays)


def test_piles_are_seen_and_an_entry_is_amended_with_four_taps(site: Site, phone: Page) -> None:
    match = Match(site, phone, THREE, 1)
    match.opens()
    match.starts()
    for width, height in ((320, 568), (568, 320), (844, 390)):
        phone.set_viewport_size({"width": width, "height": height})
        for part in (".piles tbody tr:last-child", ".at b"):
            expect(phone.locator(part).first).to_be_in_viewport()
    phone.set_viewport_size(PHONE)
    wrong, seq = match.whose(), site.ledger.view(match.match).seq + 1
    phone.locator(".blk:not(.twos) .key:not(.off)").first.click()
    at(phone, seq)
    phone.goto(f"{site.url}/t/{match.match}/e/{seq}")
    phone.get_by_text("この記録を訂正").click()
    phone.locator("a.key", has=phone.locator(".both .r7 + .r7")).click()
    phone.locator(".btns .btn.go").click()
    there(phone, "#play")
    after = site.ledger.view(match.match)
    assert after.state.played[0].ranks == (7, 7)
    assert after.state.played[0].seat == wrong


def test_the_smallest_phone_shows_numbers_of_groups_and_of_the_stock(
    chromium: Browser, site: Site
) -> None:
    """The mark of a pair leaves its number free, and the number of the stock is whole."""
    page = chromium.new_context(viewport={"width": 320, "height": 568}).new_page()
    page.goto(f"{site.url}/t/{played_at(site, '', 'trumps', 17)}")
    assert box(page.locator(".stock b"))["width"] <= box(page.locator(".stock .card"))["width"]
    marks = page.locator(".field .grp:has(.times)").all()
    assert marks
    for group in marks:
        card, mark = box(group.locator(".card").last), box(group.locator(".times"))
        assert mark["x"] >= card["x"] + card["width"] / 2
        assert mark["y"] >= card["y"] + card["height"] / 2


def box(part: Locator) -> FloatRect:
    found = part.bounding_box()
    assert found
    return found
