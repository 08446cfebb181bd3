"""The live page and the overlays of a game of a file."""

from __future__ import annotations

from kit_deals import GAMES
from phones import Phone, one, soup

SEATS = ("Ann", "Ben", "Cat", "Dan")


def test_onlookers_see_bids_and_the_trick(phone: Phone, guest: Phone) -> None:
    phone.opens(GAMES["spades"].NAME, SEATS, "Ben")
    phone.post(f"/t/{phone.match}/broadcast", {"do": "begin", "delay": "0"})
    page = soup(phone.get(f"/t/{phone.match}/broadcast"))
    address = str(one(page, "a[data-share]")["href"]).removeprefix("http://localhost")
    phone.lays("Ben bid 3", "Cat bid 2", "Dan bid 4", "Ann bid 3", "Ben lay H5", "Cat lay HK")
    page = soup(guest.get(address))
    assert [row.get_text("", strip=True)[:3] for row in page.select(".tot4 li")] == ["Ann", "Ben"]
    assert len(page.select("#live .board .card")) == 2
    overlay = soup(guest.get(f"{address}?overlay=lower"))
    assert len(overlay.select(".tr .cd")) == 4
    assert len(overlay.select(".tr .card.win")) == 1
    assert [cell.get_text() for cell in overlay.select(".tr .one")] == list(SEATS)
