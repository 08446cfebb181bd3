"""The page of a year on paper: one A4 sheet, however much the group has played."""

from __future__ import annotations

import re
from typing import Literal

import pytest
import years
from playwright.sync_api import Browser, expect
from serving import Site

from referee.store import Circles
from referee.store.archive import Archive

pytestmark = pytest.mark.browser

GROUPS = (years.SIX, *([f"とても長い名前の人その{n}{m}" for m in range(6)] for n in range(2)))
PAGE = re.compile(rb"/Type\s*/Page\b")
BOX = re.compile(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]")


@pytest.mark.parametrize(("lang", "scheme"), [("ja", "light"), ("en", "dark")])
def test_it_prints_on_one_sheet(
    site: Site, chromium: Browser, lang: str, scheme: Literal["light", "dark"]
) -> None:
    store = site.ledger.store
    archive = Archive(store, "")
    for number, names in enumerate(GROUPS):
        people, evenings, played = years.year(40, names, seed=number)
        noted = [e._replace(place="公民館" * 8, note="おぼえておきたい。" * 30) for e in evenings]
        archive.settle(people, noted)
        archive.put([match._replace(id=f"group-{number}-{match.id}") for match in played])
    context = chromium.new_context(locale=lang, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{site.url}/history")
    Circles(store).call(Circles(store).only(), "木曜日に集まって遊ぶカードゲームの会")
    while page.locator(".warn.plainly").count():  # the statistics are counted page by page
        page.goto(f"{site.url}/history/year/2025")
    page.goto(f"{site.url}/history/year/2025")
    expect(page.locator(".stats.six > a")).to_have_count(6)
    expect(page.locator(".said .note")).to_have_count(4)
    expect(page.locator(".num tbody th a")).to_have_count(12)
    sheet = page.pdf(prefer_css_page_size=True)
    assert len(PAGE.findall(sheet)) == 1
    width, height = map(float, BOX.findall(sheet)[0])
    assert (round(width), round(height)) == (595, 842)  # A4 in points
