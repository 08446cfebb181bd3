"""The form of a new table on a phone: the first minute."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from chosen_games import NEEDS_MOST
from playwright.sync_api import Page, expect
from serving import Site

from referee.games import GAMES

pytestmark = pytest.mark.browser

FOCUSED = "() => document.activeElement.id"


def test_names_are_typed_one_after_the_other_with_the_keyboard_open(
    site: Site, phone: Callable[..., Page]
) -> None:
    """The button beside the field closed the keyboard for every name."""
    page = phone(f"{site.url}/new?game={NEEDS_MOST}", still=True)
    field = page.locator("#typed")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
    for count, name in enumerate(("A", "B", "C"), start=1):
        field.fill(name)
        page.locator(".write [value=write]").tap()
        expect(page.locator("input[name=name]")).to_have_count(count)
        assert page.evaluate(FOCUSED) == "typed"
        expect(field).to_have_value("")


def test_a_tap_on_the_start_that_is_not_possible_yet_leads_to_the_names(
    site: Site, phone: Callable[..., Page]
) -> None:
    page = phone(f"{site.url}/new?game={NEEDS_MOST}", still=True)
    few = GAMES[NEEDS_MOST].SEATS[0]
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 9999); }")
    start = page.locator(".foot .btn")
    expect(start).to_have_attribute("aria-disabled", "true")
    start.tap(force=True)
    assert page.evaluate(FOCUSED) == "typed"
    expect(page.locator("#typed")).to_be_in_viewport()
    page.locator("#typed").fill(" ".join("ABCDEFGH"[:few]))
    start.tap()
    page.wait_for_url("**/t/*")


def test_the_line_of_house_rules_follows_a_choice_at_once(
    site: Site, phone: Callable[..., Page]
) -> None:
    page = phone(f"{site.url}/new?game={NEEDS_MOST}", still=True)
    line = page.locator("#house-rules summary small")
    expect(line).to_have_text("標準ルールのまま")
    page.locator("#house-rules summary").tap()
    rule = page.locator("#house-rules fieldset:has(input)").first
    rule.locator("label").nth(1).tap()
    expect(line).to_have_text("1件変更")
    rule.locator("label").nth(0).tap()
    expect(line).to_have_text("標準ルールのまま")
