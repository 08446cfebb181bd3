"""熟語ライン on a phone: a whole match, tapped by a script that sees both hands and keeps its own
count.
"""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, expect
from serving import at, played_at, there

from referee.jukugo import library
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import Formation, Lexicon, best, lexicon
from referee.jukugo.proofs import check

pytestmark = pytest.mark.browser

# What of the pad is not in sight as a whole.
OUTSIDE = """() => {
  const pad = document.querySelector(".pad").getBoundingClientRect();
  return [...document.querySelectorAll(".pad > .strip, .pick13 button, .acts .key")]
    .filter((part) => {
      const at = part.getBoundingClientRect();
      return at.top < pad.top - 1 || at.bottom > pad.bottom + 1 || !at.height;
    }).map((part) => part.outerHTML.slice(0, 80));
}"""

SEATS = ("あかね", "北大路源五郎左衛門尉")
GOAL = 2.0  # taps for each recorded play
NARROW, USUAL = {"width": 360, "height": 740}, {"width": 390, "height": 844}


class Evening:
    """Real cards, and a finger that taps the plays; ``taps`` counts the taps for plays.

    The owners of flags are computed independently: full columns are compared, and for open ones the
    small check of exported proofs tries every hand.
    """

    def __init__(self, page: Page, address: str, seed: int) -> None:
        self.page, self.rng = page, Random(seed)
        self.taps = self.plays = 0
        self.words: Lexicon = lexicon(library.open_deck(), library.words())
        self.stock = [card.kanji for card in self.words.deck.cards]
        self.rng.shuffle(self.stock)
        self.hands = {seat: [JOKER, *(self.stock.pop() for _ in range(4))] for seat in SEATS}
        self.columns: dict[tuple[str, int], list[str]] = {
            (seat, flag): [] for seat in SEATS for flag in range(1, 10)
        }
        self.filled: list[tuple[str, int]] = []
        self.owners: dict[int, str] = {}
        self.lines = [f"table deal leader={SEATS[0]}"]
        page.goto(f"{address}/new?game=jukugo_line&name={SEATS[0]}&name={SEATS[1]}")
        page.locator(f".radios label:has-text('{SEATS[0]}')").click()
        page.locator(".foot .btn.go").click()
        there(page, ".flags")

    def tap(self, selector: str) -> None:
        self.taps += 1
        self.page.locator(selector).first.click()

    def recorded(self, line: str) -> None:
        self.plays += 1
        self.lines.append(line)
        at(self.page, len(self.lines))

    def play(self, most: int = 10_000) -> str:
        """To the end, or at most ``most`` turns; returns the winner."""
        seat, rival = SEATS
        for _ in range(most):
            self.places(seat)
            for flag in range(1, 10):
                if self.can_claim(seat, rival, flag):
                    self.claims(seat, flag)
                    if self.has_won(seat):
                        return seat
            if self.stock:
                self.hands[seat].append(self.stock.pop())
            seat, rival = rival, seat
        return ""

    def places(self, seat: str) -> None:
        """The third card is the best one; the other cards go to the first flags."""
        own = {flag: self.columns[seat, flag] for flag in range(1, 10) if flag not in self.owners}
        free = [flag for flag, cards in own.items() if len(cards) < 3]
        if not free:
            self.tap(".acts .key:has-text('置けない')")
            self.recorded(f"{seat} pass")
            return
        flag = self.rng.choice(free[:3])
        card = max(self.hands[seat], key=lambda card: self.worth([*own[flag], card]))
        self.tap(f"#play [name=card][value='{card}']")
        line = f"{seat} place {flag} {card}"
        there(self.page, f".flags [value='{line}']")
        self.tap(f".flags [value='{line}']")
        self.recorded(line)
        self.hands[seat].remove(card)
        own[flag].append(card)
        if len(own[flag]) == 3:
            self.filled.append((seat, flag))

    def worth(self, cards: list[str]) -> tuple[float, ...]:
        if len(cards) == 3:
            return best(self.words, tuple(cards)).strength
        spelled = sum("".join(pair) in self.words.words for pair in permutations(cards, 2))
        return (spelled, self.rng.random())

    def can_claim(self, seat: str, rival: str, flag: int) -> bool:
        own, theirs = self.columns[seat, flag], self.columns[rival, flag]
        if len(own) < 3 or flag in self.owners or not theirs:
            return False
        if len(theirs) == 3:
            a, b = (best(self.words, tuple(cards)).strength for cards in (own, theirs))
            first = self.filled.index((seat, flag)) < self.filled.index((rival, flag))
            return a > b or (a == b and first)
        laid = [card for cards in self.columns.values() for card in cards]
        jokers = 0 if any(JOKER in self.columns[rival, f] for f in range(1, 10)) else 1
        proof: dict[str, Any] = {
            "deck": {card.kanji: [card.rank, card.value] for card in self.words.deck.cards},
            "words": sorted(self.words.words),
            "three_with_noma": True,
            "same_pair_counts": False,
            "own": own,
            "other": theirs,
            "gone": [card for card in laid if card not in (*own, *theirs, JOKER)],
            "jokers": jokers,
            "proven": True,
            "witness": None,
        }
        return "would win" not in check(proof)

    def claims(self, seat: str, flag: int) -> None:
        """The flag opens its column, and the key of its words claims."""
        self.tap(f".flags [name=flag][value='{flag}']")
        there(self.page, ".opened")
        shown: Formation = best(self.words, tuple(self.columns[seat, flag]))
        line = " ".join((seat, "claim", str(flag), *shown.words))
        self.tap(f"#play [value='{line}']")
        self.recorded(line)
        self.owners[flag] = seat

    def has_won(self, seat: str) -> bool:
        own = {flag for flag, owner in self.owners.items() if owner == seat}
        return len(own) >= 5 or any({f, f + 1, f + 2} <= own for f in own)

    def record(self) -> list[str]:
        """The entries as the app hands them out."""
        answer = self.page.request.get(self.page.url.partition("?")[0] + "/record.txt")
        return answer.text().partition("\n\n")[2].splitlines()

    def fits(self) -> bool:
        """Check that nothing scrolls, not by a pixel, and that the cards are above the pad."""
        return bool(
            self.page.evaluate(
                "() => { const d = document.documentElement, b = s => document.querySelector(s)"
                ".getBoundingClientRect(); return d.scrollWidth <= innerWidth"
                " && d.scrollHeight <= innerHeight"
                " && b('.board .in, .board').bottom <= b('.pad').top + 1 }"
            )
        )


def evening(chromium: Browser, address: str, seed: int, size: Any) -> Evening:
    context = chromium.new_context(viewport=size, locale="ja-JP")
    return Evening(context.new_page(), address, seed)


def test_a_whole_match_ends_as_the_cards_say_within_its_taps(
    chromium: Browser, site: Any, record_property: Any
) -> None:
    table = evening(chromium, site.url, 1, USUAL)
    winner = table.play()
    assert table.record() == table.lines
    table.page.wait_for_selector(".table.in-end")
    owned = [list(table.owners.values()).count(seat) for seat in SEATS]
    plates = [int(b.inner_text()) for b in table.page.locator(".side .r b").all()]
    assert plates == owned[::-1]
    assert table.page.locator(".frame").count() >= 1
    expect(table.page.locator(".pad")).to_contain_text(winner)
    record_property("taps", ("jukugo_line", table.taps, table.plays, GOAL))
    assert table.taps / table.plays <= GOAL, (table.taps, table.plays)
    assert table.fits()
    table.page.get_by_role("button", name="戻す").first.click()
    there(table.page, ".in-trick .flags")
    assert table.page.eval_on_selector(".board", "at => at.scrollHeight - at.clientHeight") <= 0


def test_nothing_overlaps_when_a_claim_fails(chromium: Browser, site: Any) -> None:
    table = evening(chromium, site.url, 7, NARROW)
    page = table.page
    expect(page.locator(".pick13 .h").last).to_be_in_viewport()  # the letter of a column
    for card, flag, rival in (("電", 1, "古"), ("話", 1, "代"), ("機", 1, "")):
        for seat, kanji, column in ((SEATS[0], card, flag), (SEATS[1], rival, 2)):
            if kanji:
                page.locator(f"#play [name=card][value='{kanji}']").click()
                page.locator(f".flags [value='{seat} place {column} {kanji}']").click()
                table.recorded(f"{seat} place {column} {kanji}")
    page.locator(".acts .key:has-text('宣言する')").click()
    page.locator(".acts .key:has-text('役だけで宣言')").click()
    page.wait_for_selector(".strip.refused")
    expect(page.locator(".strip.refused")).not_to_contain_text("多元的")
    assert table.fits()
    page.get_by_text("反例を見る").click()  # the same line
    page.wait_for_selector(".strip.refused:has-text('多元的')")
    assert table.fits()
    assert table.record() == table.lines


def test_without_javascript_every_step_of_a_turn_is_a_page(chromium: Browser, site: Any) -> None:
    context = chromium.new_context(java_script_enabled=False, locale="ja-JP")
    page = context.new_page()
    page.goto(f"{site.url}/new?game=jukugo_line&name=A&name=B")
    page.locator(".radios label:has-text('A')").click()
    page.locator(".foot .btn.go").click()
    page.locator("#play [name=card][value='車']").click()
    page.locator(".flags [value='A place 9 車']").click()
    at(page, 2)
    page.locator(".key:has-text('絞り込む')").click()
    page.locator(".few .key:has-text('K')").click()
    page.locator(".few [name=card][value='大']").click()
    page.locator(".flags [value='B place 9 大']").click()
    at(page, 3)


@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 568), (844, 390), (568, 320)])
def test_a_refusal_leaves_deck_and_keys_in_sight(
    chromium: Browser, site: Any, width: int, height: int
) -> None:
    match = played_at(site, introduced(site.ledger.store), "jukugo_line", 26)
    context = chromium.new_context(viewport={"width": width, "height": height}, locale="en")
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}/t/{match}")
    assert page.evaluate(OUTSIDE) == []
    page.locator(".pick13 [name=card]:visible").nth(6).click()
    full = page.locator(".flag.put.not").first
    full.click()
    page.wait_for_selector(".strip.refused")
    assert page.evaluate(OUTSIDE) == []
    seen = site.ledger.view(match).seq
    page.locator(".flag.put:not(.not)").last.click()
    page.wait_for_selector(".strip:not(.refused)")
    assert site.ledger.view(match).seq == seen + 1


@pytest.mark.parametrize(("width", "height"), [(320, 568), (568, 320)])
def test_every_flag_can_be_hit_on_the_lowest_phones(
    chromium: Browser, site: Any, width: int, height: int
) -> None:
    page = chromium.new_context(viewport={"width": width, "height": height}).new_page()
    page.goto(f"{site.url}/t/{played_at(site, '', 'jukugo_line', 26)}")
    boxes = [flag.bounding_box() for flag in page.locator("button.flag").all()]
    assert len(boxes) == 9
    assert all(box and min(box["width"], box["height"]) >= 24 for box in boxes), boxes
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_half_entered_play_has_one_undo(chromium: Browser, site: Any) -> None:
    """A second one was beside it, and the bar in two rows covered the keys of low phones."""
    match = played_at(site, "", "jukugo_line", 26)
    page = chromium.new_context(viewport=USUAL, locale="ja-JP").new_page()
    page.goto(f"{site.url}/t/{match}?do=claim")
    keys = page.locator(".bar > :visible")
    undo = keys.filter(has_text="戻す")
    expect(undo).to_have_count(1)
    expect(undo).to_have_attribute("rel", "prev")
    tops = keys.evaluate_all("keys => keys.map(key => key.offsetTop)")
    assert len(tops) == 4
    assert len(set(tops)) == 1
