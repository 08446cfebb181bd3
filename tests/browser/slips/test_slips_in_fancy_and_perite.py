"""Slips in Fancy and ペリテ, each put right in four taps."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect
from put_right import Opens, other_rank


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


def test_a_card_entered_twice(opens: Opens) -> None:
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
    expect(table.page.locator("main")).to_contain_text("卓の了承で有効にしました")
    table.start()
    table.page.goto(f"{table.site.url}/t/{table.match}/e/{finding.at}")
    table.act("void")
    table.confirm()
    assert not any(f.at == finding.at for f in table.view.findings())


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
    key = page.locator(".decide [name=key]")
    page.locator("[name=reason]").fill("三人とも見ていた")
    page.locator(".contest h2").click()  # the field has no focus any more
    expect(key).not_to_have_value(key.input_value())  # the votes have come again
    expect(page.locator("[name=reason]")).to_have_value("三人とも見ていた")
    yes.click()
    page.wait_for_url(f"{table.site.url}/t/{table.match}")  # the game goes on
    expect(page.locator(".strip")).to_contain_text("認めました")
    assert table.view.step(3).play != step.play
    page.goto(f"{table.site.url}/t/{table.match}/e/3")
    expect(page.locator("main")).to_contain_text("三人とも見ていた")
    page.get_by_role("button", name="次のゲームから、この卓のルールにする").first.click()
    expect(page.locator(".decided")).to_contain_text("三人とも見ていた")
    page.goto(f"{table.site.url}/new?game=perite&name=A&name=B&name=C")
    expect(page.locator("[name=agreed]")).to_be_checked()
