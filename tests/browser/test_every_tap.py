"""Every tap is a play of the seat that was due on the screen when the finger came down.

Fingers tap every 300 ms and wait for nothing but to see what they tap, while answers take their
time. The usual run plays Fancy at every latency, on a quick and a slow processor, and the other
games at some; ``make test ARGS="tests/browser/test_every_tap.py --every-cell"`` plays all of them
at all.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, Route, expect
from serving import PATIENCE, SEATS, Site, at, entries

pytestmark = pytest.mark.browser

PACE, AT_ONCE = 0.3, 0.1  # seconds between the taps of one finger
LATENCIES = (0, 100, 300, 600, 2_000)  # milliseconds
QUICK, SLOW = 1, 6  # how many times slower the processor is

# What is tapped, and the line that it makes: a key by its id, a kanji on the card that shows it, ✓
# the key or the flag that says just what the line says, of whatever seat. Tricks end on the way,
# and the next seat is not the one that follows.
MATCHES = {
    "fancy": (
        SEATS,
        "table deal leader=あかね",
        """
        #k4 : あかね lay 4
        #k2 : 源五郎 lay 2
        #k7 : みどり子 lay 7
        #k5 : ほしの lay 5
        #k9 : 六郎 lay 9
        #k3 : 源五郎 lay 3
        #k6 : みどり子 lay 6
        #k8 : ほしの lay 8
        #k10 : 六郎 lay 10
        #k1 : あかね lay 1
        """,
    ),
    "perite": (
        SEATS,
        "table deal leader=あかね",
        """
        #k8 : あかね lay 8
        #k4 : 源五郎 lay 4
        #k6 : みどり子 lay 6
        #k10 : ほしの lay 10
        #k7 : 六郎 lay 7
        #k5 : 源五郎 lay 5
        #k9 : みどり子 lay 9
        #k7 : ほしの lay 7
        #k10 : 六郎 lay 10
        #k4 : あかね lay 4
        """,
    ),
    "trumps": (
        SEATS[:3],
        "table deal",
        """
        #k6 : あかね reveal 6
        #k2 : 源五郎 reveal 2
        #k4 : みどり子 reveal 4
        #p8 : 源五郎 lay 8 8
        #k5 : みどり子 lay 5
        #p10 : あかね lay 10 10
        #t4 : 源五郎 take 4
        #t6 : あかね take 6
        ✓ : みどり子 draw
        #k6 : 源五郎 lay 6
        """,
    ),
    "pairs_daifugo": (
        SEATS[:3],
        """
        table deal leader=源五郎
        源五郎 row 9 5 4 5
        みどり子 row 8 6 3 8
        あかね row 9 7 2 3
        """,
        """
        #k10 ✓ : 源五郎 lay 10
        #k8 ✓ : みどり子 lay 8 using j
        #k7 : あかね lay 7 using h
        #k5 ✓ : 源五郎 lay 5 using j
        ✓ : みどり子 pass
        #k2 : あかね lay 2 using i
        #k9 : あかね turn e 9
        #k1 : 源五郎 lay 1
        ✓ : あかね pass
        #k6 ✓ : 源五郎 lay 6
        """,
    ),
    "three_kings": (
        SEATS[:2],
        "",
        """
        .sums>li:last-child>a #kA #k2 #kK #k6 : table deal dealer=源五郎 tableau=A,2,K,6
        #k5 : あかね capture 5 with A 6
        #k10 ✓ : 源五郎 discard 10
        #kQ : あかね capture Q with 2 10
        #k9 ✓ : 源五郎 discard 9
        #kJ ✓ : あかね discard J
        #k8 ✓ : 源五郎 discard 8
        #kA : あかね capture A with 8 9
        #kK : 源五郎 king
        #kA ✓ : あかね discard A
        """,
    ),
    "jukugo_line": (
        SEATS[:2],
        "table deal leader=あかね",
        """
        有 ✓ : あかね place 1 有
        ✓ : あかね draw
        々 ✓ : 源五郎 place 4 々
        ✓ : 源五郎 draw
        開 ✓ : あかね place 1 開
        ✓ : あかね draw
        者 ✓ : 源五郎 place 2 者
        出 ✓ : あかね place 4 出
        力 ✓ : 源五郎 place 4 力
        国 ✓ : あかね place 3 国
        """,
    ),
}

# Where a key can be seen: not before it has been painted.
MIDDLE = """async (selector) => {
    const box = (key) => key.getBoundingClientRect();
    const look = () => [...document.querySelectorAll(selector)].find((key) => box(key).width);
    const key = look();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    if (!key || look() !== key) return null;
    return [box(key).x + box(key).width / 2, box(key).y + box(key).height / 2]; }"""


class Play(NamedTuple):
    """What is tapped, and the line that it makes."""

    keys: tuple[str, ...]
    line: str


class Cell(NamedTuple):
    """A game, and how slow the network and the processor are."""

    game: str
    latency: int
    processor: int


USUAL = [
    [
        *(Cell("fancy", latency, QUICK) for latency in LATENCIES),
        Cell("fancy", 600, SLOW),
        Cell("perite", 2_000, QUICK),
    ],
    [
        Cell("fancy", 2_000, SLOW),
        Cell("trumps", 600, QUICK),
        Cell("pairs_daifugo", 600, QUICK),
        Cell("three_kings", 300, QUICK),
        Cell("jukugo_line", 600, QUICK),
    ],
    *([Cell("fancy", latency, SLOW)] for latency in (0, 100, 300)),
    [Cell("trumps", 300, SLOW)],
]
"""Cells that are played at the same time; two slow processors would take it from each other."""


def every_cell() -> list[list[Cell]]:
    together = [[Cell(game, latency, QUICK) for latency in LATENCIES] for game in MATCHES]
    alone = [[Cell(*cell, SLOW)] for cell in product(MATCHES, LATENCIES)]
    return together + alone


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "cells" in metafunc.fixturenames:
        cells = every_cell() if metafunc.config.getoption("--every-cell") else USUAL
        metafunc.parametrize("cells", cells, ids=[named(of) for of in cells])


def named(cells: Iterable[Cell]) -> str:
    return "+".join(f"{c.game}-{c.latency}{'-slow' * (c.processor == SLOW)}" for c in cells)


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


def tap_all(*thumbs: Thumb) -> None:
    """To the last key of everybody, as if at the same time."""
    while busy := [thumb for thumb in thumbs if thumb.left]:
        thumb = min(busy, key=lambda thumb: thumb.next)
        time.sleep(max(0, thumb.next - time.monotonic()))
        thumb.tap()


def tap(page: Page, *keys: str, pace: float = PACE) -> None:
    tap_all(Thumb(page, keys, pace))


def slow(page: Page, latency: int, processor: int = QUICK) -> None:
    """From now on answers take ``latency`` milliseconds longer."""
    session = page.context.new_cdp_session(page)
    everything = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", {**everything, "latency": latency})
    session.send("Emulation.setCPUThrottlingRate", {"rate": processor})


# ------------------------------------------------------------------ tables


def ready(opened: Callable[..., str], game: str) -> str:
    """A match of ``game`` in which its plays follow."""
    seats, before, _plays = MATCHES[game]
    return opened(*told(before), game=game, seats=seats)


def told(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def plays(game: str) -> list[Play]:
    found = []
    for text in told(MATCHES[game][2]):
        keys, _colon, line = text.partition(" : ")
        said = f':is(.pad button,.flag)[name=line][value$=" {line.partition(" ")[2]}"]'
        found.append(Play(tuple(selector(key, said) for key in keys.split()), line))
    return found


def selector(key: str, said: str) -> str:
    if key == "✓":
        return said
    return key if key[0] in "#." else f'#play [name=card][value="{key}"]'


def arrived(site: Site, match: str, seq: int) -> None:
    """Wait for entry ``seq``, or for as long as anybody would."""
    until = time.monotonic() + 2 * PATIENCE / 1000
    while site.desk.view(match).seq < seq and time.monotonic() < until:
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


def test_every_tap_is_recorded(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page], cells: list[Cell]
) -> None:
    matches = {cell: ready(opened, cell.game) for cell in cells}
    meant = {cell: entries(live_site, match) for cell, match in matches.items()}
    thumbs = {}
    for cell, match in matches.items():
        page = phone(f"{live_site.url}/t/{match}")
        slow(page, cell.latency, cell.processor)
        told = plays(cell.game)
        thumbs[cell] = Thumb(page, [key for play in told for key in play.keys])
        meant[cell] += [play.line for play in told]
    tap_all(*thumbs.values())
    for cell, match in matches.items():
        arrived(live_site, match, len(meant[cell]))
    got = {cell: entries(live_site, match) for cell, match in matches.items()}
    wrong = [
        f"{named([cell])}: {', '.join(got[cell])}" for cell in cells if got[cell] != meant[cell]
    ]
    assert not wrong, "\n".join(wrong)
    for cell, match in matches.items():
        recorded(live_site, match, thumbs[cell].page, meant[cell])


# ------------------------------------------------------------------ the same key again


def without_tens() -> list[str]:
    """Six tricks of Fancy; whoever plays last wins and leads the next one."""
    lines, leader = [MATCHES["fancy"][1]], 0
    for lowest in (4, 5, 5, 5, 5, 5):
        for i, rank in enumerate((9, 8, 7, 6, lowest)):
            lines.append(f"{SEATS[(leader + i) % 5]} lay {rank}")
        leader = (leader + 4) % 5
    return lines


def test_the_same_number_of_one_seat_after_the_other_is_as_many_plays(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """As many tens as there are, in hands that hold nothing else or may."""
    before = without_tens()
    match = opened(*before)
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 300)
    tap(page, *["#k10"] * 6)
    seats = ("六郎", "あかね", "源五郎", "みどり子", "ほしの", "六郎")
    recorded(live_site, match, page, before + [f"{seat} lay 10" for seat in seats])


def test_the_same_number_ten_times_is_ten_cards(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The rows of two pyramids, told card by card: only the sixth of each is recorded."""
    before = [f"table deal leader={SEATS[0]}"]
    match = opened(before[0], game="pairs_daifugo", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 300)
    tap(page, *["#k10"] * 10, "#k9", "#k9")
    rows = [f"{SEATS[0]} row 10 10 10 10 10 10", f"{SEATS[1]} row 10 10 10 10 9 9"]
    recorded(live_site, match, page, before + rows)


def test_the_same_number_at_once_is_a_play_of_the_next_seat(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#k10", "#k10", pace=AT_ONCE)
    recorded(live_site, match, page, [MATCHES["fancy"][1], "あかね lay 10", "源五郎 lay 10"])


def test_a_key_that_bounces_is_one_play(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Twice within one frame: nobody has seen another seat in between."""
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 300)
    page.evaluate("() => { const key = document.querySelector('#k10'); key.click(); key.click(); }")
    tap(page, "#k6")
    recorded(live_site, match, page, [MATCHES["fancy"][1], "あかね lay 10", "源五郎 lay 6"])


def test_two_undos_at_once_are_two(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    before = [MATCHES["fancy"][1], "あかね lay 4", "源五郎 lay 2", "みどり子 lay 7"]
    match = opened(*before)
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#undo button", "#undo button", pace=AT_ONCE)
    recorded(live_site, match, page, [*before, "table rewind 3", "table rewind 2"])


# ------------------------------------------------------------------ another phone


def seen(page: Page, seq: int) -> None:
    """Wait until entry ``seq`` is on the screen, not a moment longer."""
    page.evaluate(
        """async (seq) => {
        const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        do await frame(); while (document.querySelector("#play [name=seen]").value !== seq);
        await frame(); }""",
        str(seq),
    )


def test_an_undo_right_after_the_play_of_another_phone_undoes_it(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    live_site.desk.declare(match, "あかね lay 4", 1, "key-000001")
    seen(page, 2)
    tap(page, "#undo button")
    recorded(live_site, match, page, [MATCHES["fancy"][1], "あかね lay 4", "table rewind 1"])


def test_a_card_can_be_chosen_right_after_the_play_of_another_phone(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "jukugo_line")
    page = phone(f"{live_site.url}/t/{match}")
    live_site.desk.declare(match, "あかね place 1 有", 1, "key-000001")
    seen(page, 2)
    tap(page, '#play [name=card][value="開"]', '.flag[value="源五郎 place 4 開"]')
    lines = [MATCHES["jukugo_line"][1], "あかね place 1 有", "源五郎 place 4 開"]
    recorded(live_site, match, page, lines)


def test_a_card_is_chosen_in_the_moment_of_the_play_of_another_phone(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The table has been exchanged and not been painted: the tap is about the one before."""
    match = ready(opened, "jukugo_line")
    page = phone(f"{live_site.url}/t/{match}")
    page.evaluate("""() => new MutationObserver((_changes, observer) => {
        if (document.querySelector("#play [name=seen]").value !== "2") return;
        observer.disconnect();
        document.querySelector('#play [name=card][value="開"]').click();
    }).observe(document, { childList: true, subtree: true })""")
    live_site.desk.declare(match, "あかね place 1 有", 1, "key-000001")
    expect(page.locator(".strip.chosen")).to_contain_text("開")


def test_a_card_is_told_in_the_moment_in_which_the_one_before_it_is_shown(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Its key is a link inside the form of the plays, on a table that has been exchanged."""
    match = opened(game="three_kings", seats=SEATS[:2])
    page = phone(f"{live_site.url}/t/{match}")
    tap(page, ".sums>li:last-child>a")
    expect(page.locator("#kA")).to_be_visible()
    page.evaluate("""() => new MutationObserver((_changes, observer) => {
        if (document.querySelectorAll(".tableau .card").length !== 1) return;
        observer.disconnect();
        setTimeout(() => document.querySelector("#k2").click());
    }).observe(document, { childList: true, subtree: true })""")
    tap(page, "#kA")
    expect(page.locator(".tableau .card b")).to_have_text(["A", "2"])


def test_two_phones_that_play_in_turn_lose_nothing(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """Each as soon as its screen shows that its seat is due."""
    match = ready(opened, "fancy")
    phones = [phone(f"{live_site.url}/t/{match}") for _ in range(2)]
    for page in phones:
        slow(page, 300)
    for number, play in enumerate(plays("fancy")):
        page = phones[number % 2]
        page.wait_for_function(
            "seat => document.querySelector('.who h1 .nm')?.textContent === seat",
            arg=play.line.partition(" ")[0],
            timeout=PATIENCE,
        )
        tap(page, *play.keys)
    recorded(live_site, match, page, [MATCHES["fancy"][1], *(play.line for play in plays("fancy"))])


def test_two_phones_that_play_at_once_for_one_seat_get_a_question(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "fancy")
    phones = [phone(f"{live_site.url}/t/{match}") for _ in range(2)]
    for page in phones:
        slow(page, 300)
    tap_all(Thumb(phones[0], ["#k9"]), Thumb(phones[1], ["#k8"]))
    arrived(live_site, match, 2)
    first = entries(live_site, match)[1]
    late, number = (phones[1], 8) if first == "あかね lay 9" else (phones[0], 9)
    expect(late.locator(".clash")).to_contain_text(str(number))
    for page in phones:
        recorded(live_site, match, page, [MATCHES["fancy"][1], f"あかね lay {17 - number}"])


# ------------------------------------------------------------------ on the way


def test_what_follows_a_refusal_comes_back_with_it(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """There is one 1, and it has been laid: the 5 was meant for who follows on it."""
    before = [MATCHES["fancy"][1], "あかね lay 1"]
    match = opened(*before)
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 600)
    tap(page, "#k7", "#k1", "#k5")
    question = page.locator(".clash, .strip.refused")
    for told in ("みどり子 1", "ほしの 5"):
        expect(question).to_contain_text(told)
    recorded(live_site, match, page, [*before, "源五郎 lay 7"])


@pytest.mark.parametrize("pointer", ["finger", "mouse"])
def test_a_table_exchanged_under_the_finger_takes_no_tap(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page], pointer: str
) -> None:
    """It counts for the seat that was due when the finger came down."""
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    session, held = page.context.new_cdp_session(page), list[Route]()
    page.route("**/play", lambda route: held.append(route), times=1)
    tap(page, "#k4")
    while not held:
        page.wait_for_timeout(10)
    answer = held[0].fetch()
    x, y = page.evaluate(MIDDLE, "#k7")
    if pointer == "finger":
        touch = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        session.send("Input.dispatchTouchEvent", touch)
    else:
        page.mouse.move(x, y)
        page.mouse.down()
    with page.expect_event("requestfinished"):
        held[0].fulfill(response=answer)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    if pointer == "finger":
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    else:
        page.mouse.up()
    recorded(live_site, match, page, [MATCHES["fancy"][1], "あかね lay 4", "源五郎 lay 7"])


def test_plays_on_their_way_outlast_the_page(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 2_000)
    tap(page, "#k4", "#k2", "#k7")
    expect(page.locator(".strip .mk.wait")).to_be_visible()
    page.reload()
    lines = [MATCHES["fancy"][1], "あかね lay 4", "源五郎 lay 2", "みどり子 lay 7"]
    recorded(live_site, match, page, lines)


def test_where_only_the_answer_tells_who_is_next_the_keys_wait_and_take_taps(
    live_site: Site, opened: Callable[..., str], phone: Callable[..., Page]
) -> None:
    """The trick is over on the phone, and who leads is not known there."""
    match = ready(opened, "fancy")
    page = phone(f"{live_site.url}/t/{match}")
    slow(page, 2_000)
    lines = [MATCHES["fancy"][1], *(play.line for play in plays("fancy")[:6])]
    tap(page, *(key for play in plays("fancy")[:6] for key in play.keys), pace=AT_ONCE)
    expect(page.locator("#table.waits .key").first).to_have_css("opacity", "0.5")
    expect(page.locator("#table .turn")).to_have_count(0)
    assert page.evaluate("getComputedStyle(document.querySelector('h1'), '::after').content") == (
        '"次の手番…"'
    )
    expect(page.locator(".unsent-strip")).to_contain_text("？ 3")
    recorded(live_site, match, page, lines)
