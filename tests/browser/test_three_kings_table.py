"""Three Kings on a phone: whole games, tapped card by card by somebody who sees all the hands."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, expect
from serving import at, there

from referee.core.record import Header
from referee.games.simulation import played
from referee.games.three_kings import KING, VALUE, deck_for, sets_with
from referee.store import NewEntry

pytestmark = pytest.mark.browser

SEATS = ("あかね", "源五郎")
GOAL = 1.8  # taps for each recorded play


class Evening:
    """Real cards, and a finger that taps the plays; ``taps`` counts the taps for plays."""

    def __init__(self, page: Page, address: str, seed: int) -> None:
        self.page, self.rng = page, Random(seed)
        self.taps = self.plays = 0
        deck = deck_for(2)
        self.stock = [c for c, n in zip(deck.cards, deck.copies, strict=True) for _ in range(n)]
        self.rng.shuffle(self.stock)
        self.hands = {seat: [self.stock.pop() for _ in range(4)] for seat in SEATS}
        self.tableau = [self.stock.pop() for _ in range(4)]
        self.points = dict.fromkeys(SEATS, 0)
        self.lines: list[str] = []
        page.goto(f"{address}/new?game=three_kings&name={SEATS[0]}&name={SEATS[1]}")
        page.get_by_text("高い人").click()
        page.locator(f"label.chip:has-text('{SEATS[0]}') input").check(force=True)
        page.locator(".foot .btn.go").click()
        there(page, "#play")

    def tap(self, selector: str) -> None:
        self.taps += 1
        self.page.locator(selector).first.click()

    def recorded(self, line: str) -> None:
        self.plays += 1
        self.lines.append(line)
        at(self.page, len(self.lines))

    def opened(self, part: str) -> None:
        there(self.page, part)

    def enters(self, cards: list[str], line: str) -> None:
        """Table cards, one key each."""
        for i, card in enumerate(cards, 1):
            self.tap(f"#k{card}")
            if i < len(cards):
                expect(self.page.locator(".tableau .card")).to_have_count(i)
        self.recorded(line)

    def play(self) -> str:
        """To the end; returns the seat that declares."""
        self.enters(self.tableau, f"table deal dealer={SEATS[1]} tableau={','.join(self.tableau)}")
        while True:
            for seat in SEATS:
                if self.turn(seat):
                    return seat

    def turn(self, seat: str) -> bool:
        hand = self.hands[seat]
        self.draw(seat)
        if hand.count(KING) >= 3:
            return self.declares(seat)
        sets = [(c, p) for c in hand if c != KING for p in sets_with(tuple(self.tableau), c)]
        if KING in hand and KING in self.tableau:
            self.tap(f"#k{KING}")
            self.tableau.remove(KING)
            hand.append(KING)
            self.recorded(f"{seat} king")
        elif sets:
            card, pair = self.rng.choice(sets)
            self.captures(seat, card, pair)
            self.draw(seat)
        elif numbers := [card for card in hand if card != KING]:
            card = self.rng.choice(numbers)
            self.discards(seat, card)
            hand.remove(card)
            self.tableau.append(card)
        else:
            self.tap("button.key:has-text('パス')")
            self.recorded(f"{seat} pass")
        if hand.count(KING) >= 3:
            return self.declares(seat)
        if not self.tableau and self.stock:
            self.refills(seat)
        return hand.count(KING) >= 3 and self.declares(seat)

    def draw(self, seat: str) -> None:
        self.hands[seat] += [self.stock.pop()] if self.stock else []

    def captures(self, seat: str, card: str, pair: tuple[str, str]) -> None:
        low, middle, high = sorted((card, *pair), key=VALUE.__getitem__)
        whole = self.page.locator(f"button#k{card}").count()  # it can make this set alone
        self.tap(f"#k{card}")
        if not whole:
            self.tap(f".pick:has-text('{low}+{middle}={high}')")
        self.recorded(f"{seat} capture {card} with {pair[0]} {pair[1]}")
        self.hands[seat].remove(card)
        for taken in pair:
            self.tableau.remove(taken)
        self.points[seat] += sum(VALUE[taken] for taken in (card, *pair))

    def discards(self, seat: str, card: str) -> None:
        if self.page.locator(f"a#k{card}").count():  # it could make a set
            self.tap(f"a#k{card}")
            self.opened(f"#k{card}.on")
            self.tap("button.key:has-text('捨て札'):not([id])")
        else:
            self.tap(f"#k{card}.drop")
        self.recorded(f"{seat} discard {card}")

    def refills(self, seat: str) -> None:
        cards = [self.stock.pop() for _ in range(min(4, len(self.stock)))]
        self.enters(cards, f"table refill {' '.join(cards)}")
        self.hands[seat] += [card for card in cards if card == KING]
        self.tableau += [card for card in cards if card != KING]

    def declares(self, seat: str) -> bool:
        """Also while new table cards are due: then the key is the turn player's own."""
        if self.page.locator("a.key:has-text('宣言')").count():
            self.tap("a.key:has-text('宣言')")
            self.tap(f".pick:has-text('{seat}')")
        else:
            self.tap("button.key:has-text('宣言')")
        self.recorded(f"{seat} declare")
        self.points[seat] += 15
        return True

    def record(self) -> list[str]:
        """The entries as the app hands them out."""
        answer = self.page.request.get(self.page.url.partition("?")[0] + "/record.txt")
        return answer.text().partition("\n\n")[2].splitlines()

    def ranking(self) -> dict[str, int]:
        rows = self.page.locator(".ranking li").all()
        return {r.locator(".one").inner_text(): int(r.locator("b").inner_text()) for r in rows}

    def fits(self) -> bool:
        """Nothing scrolls, not by a pixel."""
        return bool(
            self.page.evaluate(
                "() => { const d = document.documentElement;"
                " return d.scrollWidth <= innerWidth && d.scrollHeight <= innerHeight }"
            )
        )


def evening(chromium: Browser, address: str, seed: int) -> Evening:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="ja-JP")
    return Evening(context.new_page(), address, seed)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_ends_as_the_cards_say_within_its_taps(
    chromium: Browser, site: Any, seed: int, record_property: Any
) -> None:
    table = evening(chromium, site.url, seed)
    table.play()
    assert table.record() == table.lines
    assert table.ranking() == table.points
    record_property("taps", ("three_kings", table.taps, table.plays, GOAL))
    assert table.taps / table.plays <= GOAL, (table.taps, table.plays)
    assert table.fits()


def test_a_slip_is_undone_with_one_tap(chromium: Browser, site: Any) -> None:
    table = evening(chromium, site.url, 5)
    table.enters(table.tableau, "deal")
    free = next(card for card in VALUE if not sets_with(tuple(table.tableau), card))
    table.discards(SEATS[0], free)
    expect(table.page.locator(".tableau .card")).to_have_count(5)
    table.taps = 0
    table.tap("#undo button")
    at(table.page, 3)
    assert table.taps == 1
    expect(table.page.locator(".tableau .card")).to_have_count(4)
    expect(table.page.locator("h1 .nm")).to_have_text(SEATS[0])
    assert table.fits()


def test_a_card_that_made_a_set_is_refused_with_its_reason(chromium: Browser, site: Any) -> None:
    """K8: nothing is recorded, and the table may let it stand."""
    table = evening(chromium, site.url, 6)
    table.enters(["2", "4", "5", "J"], "deal")
    page = table.page
    page.locator("#k6").click()
    table.opened(".choose")
    expect(page.locator(".lit")).to_have_count(4)
    expect(page.locator(".pick b")).to_have_text(["2+4=6", "5+6=J"])
    page.locator("button.key.off:has-text('捨て札'):not([id])").click()
    table.opened(".strip.refused")
    expect(page.locator(".strip.refused")).to_contain_text("セットになります")
    assert page.locator("#play [name=seen]").input_value() == "1"
    page.get_by_text("了承で有効にする").click()  # the same line
    at(page, 3)
    expect(page.locator("h1 .nm")).to_have_text(SEATS[1])


def test_without_javascript_every_step_is_a_page(chromium: Browser, site: Any) -> None:
    context = chromium.new_context(java_script_enabled=False, locale="ja-JP")
    page = context.new_page()
    page.goto(f"{site.url}/new?game=three_kings&name=A&name=B")
    page.locator(".foot .btn.go").click()
    for number, face in enumerate("5J9K", 1):
        page.locator(f"#k{face}").click()
        expect(page.locator(".tableau .card")).to_have_count(number)
    page.locator("#k3").click()
    at(page, 2)
    expect(page.locator(".tableau .card")).to_have_count(5)
    page.locator("#k2").click()
    expect(page.locator(".pick b")).to_have_text(["2+3=5", "2+9=J"])
    page.locator(".pick").first.click()
    at(page, 3)
    expect(page.locator(".tableau .card")).to_have_count(3)


@pytest.mark.parametrize("width", [360, 390, 844])
def test_four_plates_stand_two_by_two(chromium: Browser, site: Any, width: int) -> None:
    seats = ("あかね", "源五郎", "みどり子", "ほしの")
    match = site.ledger.open(Header("three_kings", seats)).match
    page = chromium.new_context(viewport={"width": width, "height": 844}).new_page()
    page.goto(f"{site.url}/t/{match}")
    tops = page.eval_on_selector_all(".tag", "(tags) => tags.map((tag) => tag.offsetTop)")
    assert [tops.count(top) for top in sorted(set(tops))] == [2, 2]


@pytest.mark.parametrize("language", ["ja-JP", "en"])
def test_all_keys_are_seen_on_a_phone_on_its_side(chromium: Any, site: Any, language: str) -> None:
    seats = ("あかね", "北大路ロマネスク三世閣下", "シホ", "Anna Bellamy", "ほしの", "源五郎")
    view = site.ledger.open(Header("three_kings", seats), introduced(site.ledger.store))
    for seq, entry in enumerate(played(view.game, seats, 3, most=11).entries):
        site.ledger.declare(view.match, view.grammar.print(entry), seq, f"before-{seq:06}")
    context = chromium.new_context(viewport={"width": 844, "height": 390}, locale=language)
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}/t/{view.match}")
    at(page, 11)
    more = page.locator(".pad").evaluate("pad => pad.scrollHeight - pad.clientHeight")
    assert more <= 0


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568), (568, 320)])
def test_the_marks_of_small_table_cards_take_no_tap(
    chromium: Browser, site: Any, width: int, height: int
) -> None:
    """The letters of sets cover much of the cards when there are many."""
    circle = introduced(site.ledger.store)
    match = site.ledger.open(Header("three_kings", SEATS), circle).match
    lines = [f"table deal dealer={SEATS[1]} tableau=A,2,3,4"]
    discards = ("6", "J", "8", "9", "10", "Q", "6", "J")
    lines += [f"{SEATS[i % 2]} discard {card}" for i, card in enumerate(discards)]
    rows = [NewEntry(line, f"k{i}", "legal", "-", "-") for i, line in enumerate(lines)]
    site.ledger.store.append(match, 0, rows)
    page = chromium.new_page(viewport={"width": width, "height": height}, bypass_csp=True)
    page.context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page.goto(f"{site.url}/t/{match}")
    page.locator("#k5").click()
    marked = page.locator(".lit button")
    marked.first.wait_for()
    over = marked.evaluate_all(
        """(cards) => cards.filter((card) => {
          const { left, right, top, bottom } = card.getBoundingClientRect();
          const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return at.matches("i") || !at.closest("button");
        }).length"""
    )
    assert not over
