"""A match that is recorded with a slip, and corrected on the pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from chosen_games import head
from playwright.sync_api import Locator, Page, expect
from serving import Site, there

from referee.core.log import Log
from referee.core.steps import depth, steps
from referee.core.verdict import Illegal
from referee.ledger import View

ASKED = "links => links.map(a => new URL(a.href).searchParams.get('line'))"
TAPS = 4  # from the table's page to the repaired log


class Table:
    """A match in progress: a phone records the plays, and its pages correct them."""

    def __init__(self, site: Site, page: Page, truth: list[Any], game: str, seats: str) -> None:
        self.site, self.page, self.truth, self.taps = site, page, truth, 0
        self.match = site.ledger.open(head(game, tuple(seats))).match

    @property
    def view(self) -> View:
        return self.site.ledger.view(self.match)

    def take(self, entries: list[Any], blind: bool = True) -> int:
        """Record ``entries`` until one is refused; returns how many were recorded.

        A blind phone trusts its own table: the seat whose turn it is there plays the card.
        """
        for count, entry in enumerate(entries):
            view = self.view
            due = view.game.to_act(view.state)
            if blind and entry.SUBJECT == "seat" and due and entry.seat not in due:
                entry = replace(entry, seat=due[0])
            line = view.grammar.print(entry)
            if (
                self.site.ledger.declare(self.match, line, view.seq, f"take-{view.seq:06}").seq
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
        """The rest of the true game is entered, and it ends as it really ended."""
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


Opens = Callable[..., Table]


def other_rank(table: Table, entry: Any, ranks: Sequence[Any] = range(10, 0, -1)) -> Any:
    """The same entry with another card that goes there, too."""
    wrong = (replace(entry, rank=rank) for rank in ranks if rank != entry.rank)
    return next(e for e in wrong if not isinstance(table.view.log.consider(e).verdict, Illegal))
