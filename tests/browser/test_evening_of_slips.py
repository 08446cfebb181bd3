"""An evening of slips, each put right in four taps; and every button that an entry's page has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from serving import Site, there

from referee.core.log import Log, depth, steps
from referee.core.record import Header
from referee.core.verdict import Illegal
from referee.desk import View
from referee.games import GAMES
from referee.games import pairs_daifugo as climbing
from referee.games import three_kings as fishing
from referee.games.simulation import played

KINDS = """links => links.map(a => a.pathname.replace(/[0-9]+$/, "")
    + new URLSearchParams(a.search).get("do")
    + (a.closest(".picks, .chips, .acts-l, .beside") || {className: ""}).className)"""
ASKED = "links => links.map(a => new URL(a.href).searchParams.get('line'))"
TAPS = 4  # from the table's page to the repaired log


class Table:
    """A match on the way: a phone that takes down what is laid, and the page that repairs it."""

    def __init__(self, site: Site, page: Page, truth: list[Any], game: str, seats: str) -> None:
        self.site, self.page, self.truth, self.taps = site, page, truth, 0
        self.match = site.desk.open(Header(game, tuple(seats))).match

    @property
    def view(self) -> View:
        return self.site.desk.view(self.match)

    def take(self, entries: list[Any], blind: bool = True) -> int:
        """Record ``entries`` until one is refused; how many went in.

        A blind phone believes its own table: whose turn it is there laid the card.
        """
        for count, entry in enumerate(entries):
            view = self.view
            due = view.game.to_act(view.state)
            if blind and entry.SUBJECT == "seat" and due and entry.seat not in due:
                entry = replace(entry, seat=due[0])
            line = view.grammar.print(entry)
            if (
                self.site.desk.declare(self.match, line, view.seq, f"take-{view.seq:06}").seq
                is None
            ):
                return count
        return len(entries)

    def start(self) -> None:
        self.taps = 0
        self.page.goto(f"{self.site.url}/t/{self.match}")

    def tap(self, what: Locator) -> None:
        what.first.click()
        self.taps += 1

    def open(self, number: int) -> None:
        """From the table to the page of an entry: two taps."""
        self.start()
        self.tap(self.page.locator("nav.bar a", has_text="記録"))
        self.tap(self.page.locator(f"#e{number} a"))
        self.page.wait_for_url(f"**/e/{number}")

    def key(self, do: str, play: Any) -> None:
        """The key by which the entry was really ``play``, or ``play`` is missing before it."""
        line = self.view.grammar.print(play)
        keys = f".picks a[href*='do={do}'], .chips a[href*='do={do}']"
        there(self.page, keys)
        asked = self.page.locator(keys).evaluate_all(ASKED)
        assert line in asked
        self.tap(self.page.locator(keys).nth(asked.index(line)))
        self.page.wait_for_url("**/correct/*")

    def act(self, do: str) -> None:
        self.tap(self.page.locator(f".acts-l a[href*='do={do}']"))

    def confirm(self, along: bool = False) -> None:
        self.tap(self.page.locator("[name=along]:is(button)" if along else ".foot .btn.go"))
        expect(self.page.locator("#table")).to_be_visible()
        assert self.taps <= TAPS

    def stands(self) -> list[Any]:
        """The plays that count."""
        found = [s.play for s in steps(self.view.moment.step) if s.depth > depth(s.before)]
        return found[::-1]

    def finish(self) -> None:
        """The rest of the true game is told, and it ends as it really ended."""
        right = self.stands()
        assert right == self.truth[: len(right)]
        rest = self.truth[len(right) :]
        assert self.take(rest, blind=False) == len(rest)
        game, state = self.view.game, self.view.state
        true = Log(game, self.view.log.table)
        for entry in self.truth:
            true.push(entry)
        assert game.score(state).totals == game.score(true.state).totals
        assert game.outcome(state) == game.outcome(true.state)


@pytest.fixture
def page(chromium: Browser) -> Page:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="ja-JP")
    return context.new_page()


Opens = Callable[..., Table]


@pytest.fixture
def opens(site: Site, page: Page) -> Opens:
    def opened(game: str, seats: str, seed: int = 1, **told: Any) -> Table:
        truth = played(GAMES[game], seats, seed, **told).entries
        return Table(site, page, truth, game, seats)

    return opened


def other_rank(table: Table, entry: Any, ranks: Sequence[Any] = range(10, 0, -1)) -> Any:
    """The same entry with another card that goes there, too."""
    wrong = (replace(entry, rank=rank) for rank in ranks if rank != entry.rank)
    return next(e for e in wrong if not isinstance(table.view.log.consider(e).verdict, Illegal))


@pytest.mark.parametrize("game", ["perite", "fancy"])
def test_a_wrong_card_that_moves_the_lead(opens: Opens, game: str) -> None:
    table = opens(game, "ABC")
    at = min(range(1, 4), key=lambda i: table.truth[i].rank)  # it takes the trick
    table.take(table.truth[:at])
    wrong = other_rank(table, table.truth[at])
    table.take([wrong, *table.truth[at + 1 : at + 6]])
    table.open(at + 1)
    table.key("amend", table.truth[at])
    table.confirm(along=table.page.locator("button[name=along]").count() > 0)
    table.finish()


def test_a_missing_card(opens: Opens) -> None:
    table = opens("fancy", "ABCD")
    table.take(table.truth[:4])
    table.take(table.truth[5:9])
    table.open(5)
    table.key("insert", table.truth[4])
    table.confirm()
    table.finish()


def test_a_card_told_twice(opens: Opens) -> None:
    table = opens("fancy", "ABCD", seed=4)
    table.take(table.truth[:3])
    table.take([table.truth[2], *table.truth[3:7]])
    table.open(4)
    table.act("strike")
    table.confirm()
    table.finish()


def test_the_wrong_leader(opens: Opens) -> None:
    table = opens("perite", "ABCD")
    dealt = table.truth[0]
    wrong = next(seat for seat in "ABCD" if seat != dealt.leader)
    table.take([replace(dealt, leader=wrong), *table.truth[1:7]])
    table.open(1)
    table.key("amend", dealt)
    table.confirm()
    table.finish()


def test_two_seats_mixed_up(opens: Opens) -> None:
    table = opens("trumps", "ABC", seed=6)
    first, second = table.truth[1:3]
    table.take(table.truth[:1])
    swapped = [replace(first, seat=second.seat), replace(second, seat=first.seat)]
    table.take([*swapped, *table.truth[3:4]])
    table.open(2)
    table.key("amend", first)
    table.confirm()
    plays = table.stands()
    assert {p.seat: p.rank for p in plays[1:4]} == {p.seat: p.rank for p in table.truth[1:4]}


def test_a_revoke_found_two_deals_later(opens: Opens) -> None:
    table = opens("perite", "ABC", seed=3, lies=0.5)
    while not table.view.findings():
        assert table.take(table.truth[table.view.seq : table.view.seq + 1]) == 1
    [finding, *_] = table.view.findings()
    deal = table.view.state.deal
    table.take(table.truth[table.view.seq :])
    assert table.view.state.deal >= deal + 1
    totals = dict(table.view.game.score(table.view.state).totals)
    table.start()
    table.tap(table.page.locator("nav.bar a", has_text="記録"))
    table.tap(table.page.locator(".found a").first)
    table.act("rule")
    table.confirm()
    assert dict(table.view.game.score(table.view.state).totals) == totals
    table.page.goto(f"{table.site.url}/t/{table.match}/score")
    expect(table.page.locator("main")).to_contain_text("卓の了承で有効にした")
    table.start()
    table.page.goto(f"{table.site.url}/t/{table.match}/e/{finding.at}")
    table.act("void")
    table.confirm()
    assert not any(f.at == finding.at for f in table.view.findings())


def test_a_wrong_card_of_a_pyramid(opens: Opens) -> None:
    table = opens("pairs_daifugo", "ABC")
    at = next(i for i, e in enumerate(table.truth) if isinstance(e, climbing.Row))
    row = table.truth[at]
    table.take(table.truth[:at])
    wrong = (row.ranks[0] % 10 + 1, *row.ranks[1:])
    table.take([replace(row, ranks=wrong), *table.truth[at + 1 : at + 5]])
    table.open(at + 1)
    table.key("amend", row)
    table.confirm()
    table.finish()


def test_a_wrong_card_turned_up(opens: Opens) -> None:
    table = opens("pairs_daifugo", "ABC")
    at = next(i for i, e in enumerate(table.truth) if isinstance(e, climbing.Turn))
    turn = table.truth[at]
    table.take(table.truth[:at])
    table.take([replace(turn, rank=9 if turn.rank != 9 else 10), *table.truth[at + 1 : at + 3]])
    table.open(at + 1)
    table.key("amend", turn)
    table.confirm()
    table.finish()


def test_a_wrong_table_card(opens: Opens) -> None:
    table = opens("three_kings", "AB")
    deal = table.truth[0]
    others = [c for c in fishing.NUMBERS if c not in deal.tableau]
    table.take([replace(deal, tableau=(others[0], *deal.tableau[1:])), *table.truth[1:3]])
    table.open(1)
    table.key("amend", deal)
    table.confirm()
    table.finish()


def test_a_discard_that_was_another_card(opens: Opens) -> None:
    table = opens("three_kings", "AB")
    at = next(i for i, e in enumerate(table.truth) if isinstance(e, fishing.Discard))
    table.take(table.truth[:at])
    wrong = other_rank(table, table.truth[at], fishing.NUMBERS)
    table.take([wrong])
    table.open(at + 1)
    table.key("amend", table.truth[at])
    table.confirm()
    table.finish()


def test_a_copy_too_many(opens: Opens) -> None:
    """The second 1 is refused, though it lies there: the other one was never laid."""
    table = opens("fancy", "ABC", seed=9)
    at = next(i for i, e in enumerate(table.truth) if getattr(e, "rank", 0) == 1)
    before = at - 3
    table.take(table.truth[:before])
    table.take([replace(table.truth[before], rank=1), *table.truth[before + 1 : at]])
    line = table.view.grammar.print(replace(table.truth[at], seat=table.view.to_act[0]))
    table.start()
    table.page.locator(f"#play [value='{line}']").click()
    table.taps = 0
    table.tap(table.page.get_by_text("どの記録が違う？"))
    table.tap(table.page.locator(".ents a"))
    table.key("amend", table.truth[before])
    table.confirm(along=table.page.locator("button[name=along]").count() > 0)
    table.finish()


def test_gone_back_too_far(opens: Opens) -> None:
    table = opens("perite", "ABC")
    table.take(table.truth[:9])
    table.open(4)
    table.act("rewind")
    table.confirm()
    assert len(table.stands()) == 4
    table.open(9)  # still there to be read
    expect(table.page.locator(".fate")).to_contain_text("いまは無効です")
    table.act("rewind")
    table.confirm()
    table.finish()


@pytest.mark.parametrize("game", list(GAMES))
def test_every_button_of_an_entry(opens: Opens, game: str) -> None:
    """One of each kind is pressed: no two keys lead to different pages."""
    table = opens(game, "AB" if game in ("three_kings", "jukugo_line") else "ABC")
    table.take(table.truth[:9])
    entry = f"{table.site.url}/t/{table.match}/e/8"
    table.page.goto(entry)
    kinds: dict[str, int] = {}
    links = table.page.locator(':is(header, main, .foot) a[href]:not([href^="#"], [inert] a)')
    for i, kind in enumerate(links.evaluate_all(KINDS)):
        kinds.setdefault(kind, i)
    assert len(kinds) >= 12
    for i in kinds.values():
        table.page.goto(entry)
        with table.page.expect_response(lambda r: r.request.is_navigation_request()) as answer:
            links.nth(i).click()
        assert answer.value.status == 200, answer.value.url
        expect(table.page.locator("h1").first).to_be_visible()


def test_a_contest_from_the_entry_to_the_decision(opens: Opens) -> None:
    table = opens("perite", "ABC")
    table.take(table.truth[:5])
    page, step = table.page, table.view.step(3)
    page.goto(f"{table.site.url}/t/{table.match}/e/3")
    page.locator(".acts-l a[href*='/contest/']").click()
    page.wait_for_url("**/contest/3*")
    page.locator(".chips a", has_text="C").first.click()
    page.wait_for_url("**seat=C*")
    page.locator(".picks button:not([disabled])").nth(2).click()
    expect(page.locator("#votes")).to_contain_text("賛成1・反対0")
    assert table.view.step(3) == step
    yes = page.locator(".decide .go")
    for seat in range(2):
        expect(yes).to_be_disabled()
        page.locator(".votes li").nth(seat).locator("button", has_text="賛成").click()
        expect(page.locator("#votes")).to_contain_text(f"賛成{seat + 2}・反対0")
    page.locator("[name=reason]").fill("三人とも見ていた")
    yes.click()
    expect(page.locator("main")).to_contain_text("三人とも見ていた")
    assert table.view.step(3).play != step.play
    page.get_by_role("button", name="次のゲームから、この卓のルールにする").first.click()
    expect(page.locator(".decided")).to_contain_text("三人とも見ていた")
    page.goto(f"{table.site.url}/new?game=perite&name=A&name=B&name=C")
    expect(page.locator("[name=agreed]")).to_be_checked()
