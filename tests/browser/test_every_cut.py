"""The network is cut before a tap and restored up to five taps later: no play is lost or invented.

At the end the record is that of the match, as far as it was tapped, or the page asks a question.
The usual run cuts at some places of each game; ``--every-cell`` before every tap of whole matches,
for up to five taps (``make torture`` does so, too).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

import pytest
from bs4 import BeautifulSoup, Tag
from introduced import TOKEN
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as KeyNotThere
from serving import SEATS, Site, entries

from referee.games import GAMES
from referee.games.simulation import played

pytestmark = pytest.mark.browser

TAPS = 5  # at most without network
STEPS = 7  # that one play takes, at most
SHORT = 700  # milliseconds to wait for a key that may not be there without network
SETTLED = """() => {
    const asks = document.querySelector('.clash, .strip.refused');
    const kept = JSON.parse(localStorage.unsent || '[]');
    return (asks || !kept.some((item) => !item.asked))
        && !document.querySelector('#table.asks, #table.waits'); }"""
CUTS = ((2, 5), (8, 4))
"""Entries before which the network is cut, and for how many taps."""


class Tapped(NamedTuple):
    """An entry, and the keys that make it; none if the pad has no way to it."""

    line: str
    keys: tuple[str, ...]


def routes(site: Site, opened: Callable[..., str], game: str, most: int) -> list[Tapped]:
    """The first entries of a match of ``game``, and how they are tapped on pages of the server."""
    seats = SEATS[: min(3, GAMES[game].SEATS[-1])]
    match, found = opened(game=game, seats=seats), list[Tapped]()
    view = site.desk.view(match)
    client = site.app.test_client()
    client.set_cookie("phone", TOKEN)
    for seq, entry in enumerate(played(view.game, seats, 5, most=most).entries):
        line = view.grammar.print(entry)

        def page(query: str) -> BeautifulSoup:
            return BeautifulSoup(client.get(f"/t/{match}{query}").text, "html.parser")

        found.append(Tapped(line, tuple(way(page, line, "", set(), STEPS) or ())))
        site.desk.declare(match, line, seq, f"route-{seq:06}")
    return found


def way(
    page: Callable[[str], BeautifulSoup], line: str, query: str, seen: set[str], most: int
) -> list[str] | None:
    """The keys from the page ``query`` to ``line``; None if there is no way in ``most`` taps."""
    if query in seen or not most:
        return None
    seen.add(query)
    table = page(query).select_one("#table")
    assert table
    words = line.split()
    for _key in table.select(f'[name=line][value="{line}"]'):
        rest = line.removeprefix(f"{words[0]} ")  # whose it is, only the table tells
        of_any = ",".join(f'[value="{seat} {rest}"]' for seat in ("table", *SEATS))
        return [f"#table [name=line]:is({of_any})"]
    steps = [step for key in table.select(".board a, .pad a, [form=pick]") if (step := leads(key))]
    said = set(re.split(r"[ ,=]", line))
    for selector, to, word in sorted(steps, key=lambda step: step[2] not in said):
        more = way(page, line, f"?{urlencode(to)}", seen, most - 1) if word in said else None
        if more:
            return [selector, *more]
    return None


def leads(key: Tag) -> tuple[str, list[tuple[str, str]], str] | None:
    """How a step of a play is tapped, its query, and its text."""
    if key.name == "a":
        query = str(key.get("href", "")).partition("?")[2]
        to = parse_qsl(query)
        selector = f"#{key['id']}" if key.get("id") else f'#table a[href$="?{query}"]'
        word = str(key.get("id", ""))[1:] or (to[-1][1] if to else "")
        if [name for name, _value in to] == ["seat"]:
            return None
        return (selector, to, "cover" if selector == "#cover" else word) if to else None
    name, value = str(key.get("name", "")), str(key.get("value", ""))
    if not value or name not in ("card", "flag", "say", "do"):
        return None
    return f'#table [name={name}][value="{value}"]', [(name, value)], value


def cut(site: Site, page: Page, match: str, route: Sequence[Tapped], first: int, taps: int) -> int:
    """Cut the network before entry ``first``, for ``taps`` taps; how many entries were tapped.

    It is also restored in the middle of a play, which records nothing; and if a key is not there,
    it cannot be tapped.
    """
    page.goto(f"{site.url}/t/{match}")
    page.wait_for_load_state()
    page.context.set_offline(True)
    done = tapped = 0
    for play in route[first:]:
        if not play.keys or done >= taps:
            break
        try:
            for key in play.keys[: taps - done]:
                page.locator(key).first.tap(timeout=SHORT)
        except KeyNotThere:
            break
        done += len(play.keys)
        tapped += done <= taps
    page.context.set_offline(False)
    page.wait_for_function(SETTLED)
    return tapped


def faults(
    site: Site, page: Page, match: str, route: Sequence[Tapped], first: int
) -> Iterator[str]:
    got, meant = entries(site, match), [play.line for play in route]
    if got != meant[: len(got)]:
        yield f"made up: {got[first:]}, not {meant[first : len(got)]}"
    kept = page.evaluate("JSON.parse(localStorage.unsent || '[]').filter((i) => !i.asked).length")
    if kept:
        yield f"a queue of {kept} that nobody sends"


@pytest.mark.parametrize("game", GAMES)
def test_a_match_outlasts_every_cut(
    live_site: Site,
    opened: Callable[..., str],
    phone: Callable[..., Page],
    game: str,
    request: pytest.FixtureRequest,
) -> None:
    every = request.config.getoption("--every-cell")
    last = max(first + taps for first, taps in CUTS)
    route = routes(live_site, opened, game, 10_000 if every else last + 1)
    places = [(i, n) for i in range(len(route)) for n in range(1, TAPS + 1)] if every else CUTS
    seats = SEATS[: min(3, GAMES[game].SEATS[-1])]
    page, wrong = phone(f"{live_site.url}/"), list[str]()
    for first, taps in places:
        if not route[first].keys:
            continue
        lines = [play.line for play in route]
        match = opened(*lines[:first], game=game, seats=seats)
        tapped = cut(live_site, page, match, route, first, taps)
        here = f"{game} {first}+{taps}"
        wrong += [f"{here}: {fault}" for fault in faults(live_site, page, match, route, first)]
        asks = page.locator(".clash, .strip.refused").all_inner_texts()
        got = entries(live_site, match)
        if len(got) < first + tapped and not asks:
            wrong.append(f"{here}: lost {lines[len(got) : first + tapped]}")
        elif asks and every:
            print(here, lines[first : first + tapped], asks)
        page.evaluate("localStorage.removeItem('unsent')")
    assert not wrong, "\n".join(wrong)
