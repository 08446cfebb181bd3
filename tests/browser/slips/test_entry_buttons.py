"""Every button that the page of an entry has."""

from __future__ import annotations

import pytest
from chosen_games import some_seats
from put_right import Opens

from referee.games import ON_CARDS

KINDS = """links => links.map(a => a.pathname.replace(/[0-9]+$/, "")
    + new URLSearchParams(a.search).get("do")
    + (a.closest(".picks, .chips, .acts-l, .beside") || {className: ""}).className)"""


@pytest.mark.parametrize("game", list(ON_CARDS))
def test_every_button_of_an_entry(opens: Opens, game: str) -> None:
    """One of each kind can be hit, and leads to a page. Keys of fouls: once they are unfolded."""
    table = opens(game, some_seats(game, "ABC"))
    table.take(table.truth[:9])
    entry = f"{table.site.url}/t/{table.match}/e/8"
    table.page.goto(entry)
    for fold in table.page.locator(".illegal > summary").all():
        fold.click()
    kinds: dict[str, int] = {}
    links = table.page.locator(':is(header, main, .foot) a[href]:not([href^="#"], [inert] a)')
    for i, kind in enumerate(links.evaluate_all(KINDS)):
        kinds.setdefault(kind, i)
    assert len(kinds) >= 12
    for i in kinds.values():
        links.nth(i).click(trial=True)
        address = table.site.url + (links.nth(i).get_attribute("href") or "")
        answer = table.page.request.get(address)
        assert answer.status == 200, address
        assert "<h1" in answer.text(), address
