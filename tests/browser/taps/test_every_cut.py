"""The network is cut before a tap and restored up to five taps later: no play is lost or invented.

At the end the record is that of the match, as far as it was tapped, or the page asks. The usual run
cuts at some places of each game; ``--every-cell`` before every tap of whole matches, for up to five
taps (``make torture`` does so, too). A whole match with two cuts is played in the shortest game;
with ``--every-cell`` in all of them, and the first deals of a game of a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import pytest
from bs4 import BeautifulSoup, Tag
from introduced import TOKEN, introduced
from kit_deals import game_of
from parsed import parsed
from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as KeyNotThere
from serving import SEATS, UNSENT, Site, at, entries, settled

from referee.core.log import Log
from referee.core.record import Header
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import played, player, room_of, table

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

TAPS = 5  # at most without network
STEPS = 7  # that one play takes, at most
SHORT = 700  # milliseconds to wait for a key that may not be there without network
SETTLED = f"""() => {{
    const asks = document.querySelector('.clash, .strip.refused');
    return (asks || !{UNSENT}.some((item) => !item.asked))
        && !document.querySelector('#table.asks, #table.waits'); }}"""
OF_A_FILE = 170  # entries: three deals; a whole match has hundreds more of the same
CUTS = ((1, 5), (2, 5), (8, 4))
"""Entries before which the network is cut, and for how many taps."""


class Tapped(NamedTuple):
    """An entry, and the keys that make it; none if the pad has no way to it."""

    line: str
    keys: tuple[str, ...]


def routes(site: Site, opened: Callable[..., str], game: str, most: int) -> list[Tapped]:
    """The first entries of a match of ``game``, and how they are tapped on pages of the server."""
    seats = seats_of(game)
    return routes_of(site, opened(game=game, seats=seats), seats, most)


def seats_of(game: str) -> tuple[str, ...]:
    return SEATS[: min(3, GAMES[game].SEATS[-1])]


def routes_of(site: Site, match: str, seats: Sequence[str], most: int) -> list[Tapped]:
    """As ``routes``, of the match that is played here, at the empty table ``match``."""
    found = list[Tapped]()
    view = site.ledger.view(match)
    client = site.app.test_client()
    client.set_cookie("phone", TOKEN)

    def page(query: str) -> BeautifulSoup:
        return parsed(client.get(f"/t/{match}{query}").text)

    for seq, entry in enumerate(match_of(view.game, seats, most)):
        line = view.grammar.print(entry)
        found.append(Tapped(line, tuple(whole_way(page, line))))
        assert site.ledger.declare(match, line, seq, f"route-{seq:06}").seq, line
    return found


def match_of(game: Any, seats: Sequence[str], most: int) -> list[Any]:
    """The first entries of a match; of a game file, too."""
    if game.NAME in GAMES:
        return list(played(game, seats, 5, most=most).entries)
    log = Log(game, table(game, seats))
    for entry in player(room_of(log.game))(log, Random(3), 0, 0):
        if len(log) == most:
            break
        log.push(entry)
    return list(log.entries)


def whole_way(page: Callable[[str], BeautifulSoup], line: str) -> list[str]:
    """The keys to ``line``, also of a seat that is not due; none if the pad has no way to it."""
    found = way(page, line, "", set(), STEPS)
    seat, rest = line.split()[0], line.partition(" ")[2]
    for tag in page("").select("#table .board a") if not found else []:
        query = str(tag["href"]).partition("?")[2]
        more = dict(parse_qsl(query)) == {"seat": seat} and way(
            page, line, f"?{query}", set(), STEPS
        )
        if more and rest:
            return [f'#table .board a[href$="?{query}"]', *more]
    return found or []


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
    said = set(re.split(r"[ ,=]", line)) | ({"on"} if "using" not in words else set())
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
    kept = page.evaluate(f"{UNSENT}.filter((item) => !item.asked).length")
    if kept:
        yield f"a queue of {kept} that nobody sends"


@pytest.mark.parametrize("game", ON_CARDS)
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
    seats = seats_of(game)
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
        page.evaluate("localStorage.clear()")
    assert not wrong, "\n".join(wrong)


def answered(page: Page, play: Tapped) -> None:
    """What is asked about is said to be so, after the play that was begun before it is finished."""
    begun = page.locator("#table [aria-current=true], #table [aria-pressed=true]").count()
    if begun:
        place(page, play.keys[-1], play).tap()
        settled(page)
    page.locator("[data-unsent=again]").tap()
    page.wait_for_function(SETTLED)


def header_of(site: Site, game: str) -> Header:
    """A table of ``game``, which may be the key of a game file."""
    if game in GAMES:
        return Header(game, seats_of(game))
    file = game_of(game)
    site.ledger.store.game_files.keep((file.hash, file.KEY, file.text))
    return Header(file.KEY, SEATS[: min(4, file.SEATS[-1])], named={"kit": file.hash})


def tapped_offline(page: Page, route: Sequence[Tapped], first: int) -> int:
    """Tap entries from ``first`` on without network, ``TAPS`` taps or a little more; how many taps.

    Where the table waits for who is due, the key of a number is tapped that stands there: it is
    held. A play that was begun is finished with the network.
    """
    page.context.set_offline(True)
    done, rest = 0, list[str]()
    for play in route[first:]:
        waits = page.locator("#table.waits").count()
        if done >= TAPS or not play.keys or (waits and play.keys[1:]):
            break
        for i, key in enumerate(play.keys):
            try:
                place(page, key, play).tap(timeout=SHORT)
            except KeyNotThere:
                rest = list(play.keys[i:]) if i else []
                break
            done += 1
        else:
            continue
        break
    page.context.set_offline(False)
    page.wait_for_function(SETTLED)
    for key in rest:
        place(page, key, play).tap()
    return done


def place(page: Page, key: str, play: Tapped) -> Locator:
    """Where ``key`` of ``play`` is tapped: for the seat of its line.

    While the table waits for who is due, keys stand there for another seat, and nobody taps one
    that speaks for that seat alone.
    """
    if key != play.keys[-1]:
        return page.locator(key).first
    own = page.locator(f'#table [name=line][value="{play.line}"]')
    if own.count() or play.line.endswith(" declare"):
        return own.first
    return page.locator(f"{key}, {held_key(page, play)}").first


def held_key(page: Page, play: Tapped) -> str:
    """The key of the only number of ``play`` while the table waits; else none."""
    number = re.fullmatch(r"\S+ lay (\d+)( using \S)?", play.line)
    waits = page.locator("#table.waits").count() and number and len(play.keys) == 1
    return f"#table.waits #k{number[1]}" if waits and number else "#none"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "whole" in metafunc.fixturenames:
        every = metafunc.config.getoption("--every-cell")
        metafunc.parametrize("whole", [*GAMES, "hearts"] if every else [shortest()])


def shortest() -> str:
    """The game whose match of this file has the fewest entries."""
    return min(ON_CARDS, key=lambda name: len(match_of(GAMES[name], seats_of(name), 10_000)))


def test_a_whole_match_with_two_cuts_is_recorded_as_without(
    live_site: Site, phone: Callable[..., Page], whole: str
) -> None:
    circle, header = introduced(live_site.ledger.store), header_of(live_site, whole)
    most = 10_000 if whole in GAMES else OF_A_FILE
    route = routes_of(live_site, live_site.ledger.open(header, circle).match, header.seats, most)
    match = live_site.ledger.open(header, circle).match
    page = phone(f"{live_site.url}/t/{match}", still=True)
    cuts, asked, alone = [len(route) // 3, 2 * len(route) // 3], list[str](), list[int]()
    while (seq := live_site.ledger.view(match).seq) < len(route):
        at(page, seq)
        if len(alone) < 2 and seq >= cuts[len(alone)] and all(p.keys for p in route[seq : seq + 3]):
            alone.append(tapped_offline(page, route, seq))
        elif questions := page.locator(".clash").all_inner_texts():
            asked += questions
            answered(page, route[seq])
        elif route[seq].keys:
            for key in route[seq].keys:
                place(page, key, route[seq]).tap()
            at(page, seq + 1)
        else:  # the pad has another way to say it
            live_site.ledger.declare(match, route[seq].line, seq, f"other-{seq:06}")
    print(f"{whole}: {len(route)} entries, taps without network {alone}, asked {asked}")
    assert entries(live_site, match) == [play.line for play in route]
    assert not page.evaluate(UNSENT)
    assert all(alone)
