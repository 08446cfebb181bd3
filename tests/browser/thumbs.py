"""Fingers that tap every 300 ms and wait only until they see their target."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

import pytest
from examples import examples
from playwright.sync_api import Page, Route, expect
from serving import PATIENCE, SEATS, UNSENT, Site, at, entries

PACE, AT_ONCE = 0.3, 0.1  # seconds between the taps of one finger
QUICK, SLOW = 1, 6  # how many times slower the processor is

# Where a key can be seen: not before it has been painted.
MIDDLE = """async (selector) => {
    const box = (key) => key.getBoundingClientRect();
    const look = () => [...document.querySelectorAll(selector)].find((key) => box(key).width);
    const key = look();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    if (!key || look() !== key) return null;
    return [box(key).x + box(key).width / 2, box(key).y + box(key).height / 2]; }"""


class Play(NamedTuple):
    """What is tapped, and the line that it records."""

    keys: tuple[str, ...]
    line: str


# ------------------------------------------------------------------ fingers


class Thumb:
    """Taps one key after the other; one that is not to be seen yet, as soon as it is."""

    def __init__(self, page: Page, keys: Iterable[str], pace: float = PACE) -> None:
        self.page, self.left, self.pace = page, deque(keys), pace
        self.next = self.looking = time.monotonic()

    def tap(self) -> None:
        """Tap the next key, if it is time and it can be seen."""
        place, now = self.page.evaluate(MIDDLE, self.left[0]), time.monotonic()
        if place:
            self.page.touchscreen.tap(*place)
            self.left.popleft()
            self.next, self.looking = max(now, self.next + self.pace), now + self.pace
        else:
            self.next = now + 0.05
            if now > self.looking + PATIENCE / 1000:
                pytest.fail(f"{self.left[0]} is not there, with {len(self.left) - 1} more to tap")


def tap_all(*thumbs: Thumb, then: Callable[[Page], None] | None = None) -> None:
    """To the last key of everybody, as if at the same time; ``then`` gets each page at its last
    key.
    """
    while busy := [thumb for thumb in thumbs if thumb.left]:
        thumb = min(busy, key=lambda thumb: thumb.next)
        time.sleep(max(0, thumb.next - time.monotonic()))
        thumb.tap()
        if then and not thumb.left:
            then(thumb.page)


def tap(page: Page, *keys: str, pace: float = PACE) -> None:
    tap_all(Thumb(page, keys, pace))


def slow(page: Page, latency: int, processor: int = QUICK) -> None:
    """From now on answers take ``latency`` milliseconds longer."""
    session = page.context.new_cdp_session(page)
    everything = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", {**everything, "latency": latency})
    session.send("Emulation.setCPUThrottlingRate", {"rate": processor})


def quick(page: Page) -> None:
    """From now on the processor is as quick as it is: slowing it costs as much as working, also
    while the page only waits.
    """
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": QUICK})


# ------------------------------------------------------------------ tables


def ready(opened: Callable[..., str], game: str) -> str:
    """The match of ``game`` in its examples, in which its plays follow."""
    table = examples("table_by_taps")[game]
    return opened(*table["before"], game=game, seats=SEATS[: table["seats"]])


def plays(game: str) -> list[Play]:
    """The plays with which fingers continue the match of ``ready``.

    Its example has a play per line: what is tapped, and the line that it records. A key is given by
    its id, a kanji stands for the card that shows it, ✓ for the key or the flag with exactly this
    line, of any seat, that is not the key tapped before it.
    """
    found = list[Play]()
    for text in examples("table_by_taps")[game]["plays"].splitlines():
        words, _colon, line = text.partition(" : ")
        said = f':is(.pad button,.flag)[name=line][value$=" {line.partition(" ")[2]}"]'
        steps = "".join(f":not({key})" for key in words.split() if key[0] == "#")
        keys = [selector(key, said + steps) for key in words.split()]
        if found and found[-1].line.startswith("table deal"):  # its keys stand in other places
            keys[0] = f".in-trick {keys[0]}"
        found.append(Play(tuple(keys), line))
    return found


def selector(key: str, said: str) -> str:
    if key == "✓":
        return said
    return key if key[0] in "#." else f'#play [name=card][value="{key}"]'


def arrived(site: Site, match: str, seq: int) -> None:
    """Wait for entry ``seq``, or for as long as anybody would."""
    until = time.monotonic() + 2 * PATIENCE / 1000
    while site.ledger.view(match).seq < seq and time.monotonic() < until:
        time.sleep(0.02)


def recorded(site: Site, match: str, page: Page, lines: list[str]) -> None:
    """Wait for as many entries as there are ``lines``, and until the page shows the last of them.

    They are these, and no more of them.
    """
    arrived(site, match, len(lines))
    assert entries(site, match) == lines
    at(page, len(lines))
    expect(page.locator(".mk.wait")).to_have_count(0)
    assert entries(site, match) == lines


def unsent(page: Page) -> str:
    """What the phone has not sent yet, as it keeps it: for the message of a test that failed."""
    return str(page.evaluate(UNSENT))


def seen(page: Page, seq: int) -> None:
    """Wait until entry ``seq`` is on the screen, not a moment longer."""
    page.evaluate(
        """async ([seq, patience]) => {
        const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const until = performance.now() + patience, field = "#play [name=seen]";
        do await frame();
        while (document.querySelector(field).value !== seq && performance.now() < until);
        await frame(); }""",
        [str(seq), PATIENCE],
    )


def held_back(page: Page, address: str) -> list[Route]:
    """Requests to ``address`` that wait here for their answer."""
    routes: list[Route] = []
    page.route(address, lambda route: routes.append(route), times=1)
    return routes


def the_one(page: Page, routes: list[Route]) -> Route:
    """The request that was held back, as soon as it has been made."""
    while not routes:
        page.wait_for_timeout(10)
    return routes[0]


def listening(page: Page) -> None:
    """The driver has begun to listen for what the test expects.

    For what another phone causes: the driver could learn of it first, if it is not asked before.
    """
    page.evaluate("0")


def declared(site: Site, match: str, seq: int, line: str) -> None:
    """Another phone enters ``line``."""
    assert site.ledger.declare(match, line, seq, f"other-{seq:06}").seq, line
