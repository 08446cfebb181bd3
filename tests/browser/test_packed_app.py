"""The app in a browser tab: what `referee pack` writes, behind a plain web server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from serving import PHONE

from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.history.pieces import cut, gather
from referee.pack.folder import pack
from torture.packed import PLAY, PREPARED, READ, entries, inside, killed, match_of, opened, served

pytestmark = pytest.mark.browser
ENSURE = Path(__file__).parent / "ensure_pyodide.sh"
KILLS = 3
CACHES = "async () => (await caches.keys()).filter((name) => name.startsWith('fudami-'))"
DAMAGE = """async (name) => {
  await (await caches.open("memories")).put(name, new Response(new Uint8Array(4)));
}"""
SIZES = """async () => {
  const memories = await caches.open("memories"), found = await memories.matchAll();
  return Promise.all(found.map(async (each) => (await each.arrayBuffer()).byteLength));
}"""
COPY = """async (match) => {
  const body = new URLSearchParams({ address: location.origin, next: `/t/${match}/copy` });
  const text = await (await fetch("/copy/address", { method: "POST", body })).text();
  const page = new DOMParser().parseFromString(text, "text/html");
  return page.querySelector("a.go[target]").hash.slice(1);
}"""
SILENT = """if (!sessionStorage.getItem("began")) {
  sessionStorage.setItem("began", "yes");
  window.Worker = class {};
}"""
"""A worker of which nothing is ever heard, at the first load only."""
WAITING = """async () => {
  const known = await navigator.serviceWorker.ready;
  while (!known.waiting) await new Promise((resolve) => setTimeout(resolve, 50));
}"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = subprocess.run(["sh", ENSURE], capture_output=True, text=True)
    tarball = found.stdout.strip()
    if not tarball:
        if os.environ.get("CI") == "true":
            pytest.fail(found.stderr)
        pytest.skip(found.stderr.strip())
    folder = tmp_path_factory.mktemp("packed")
    pack(Path(tarball), folder)
    return folder


def test_the_download_is_small(packed: Path) -> None:
    files = [file for file in packed.rglob("*") if file.is_file()]
    assert len(files) > 10
    assert sum(file.stat().st_size for file in files) <= 11_000_000


class Begun(NamedTuple):
    """The browser of all tests, and what its first start has recorded."""

    context: BrowserContext
    match: str
    lines: list[str]


@pytest.fixture(scope="module")
def begun(packed: Path, chromium: Browser) -> Iterator[Begun]:
    """One browser for all tests: it downloads the app once. It has a memory that cannot be used,
    so the first start is from nothing, and makes the one that the others go on from."""
    [bundle] = packed.glob("app-*.bin.gz")
    with served(packed) as url:
        context = chromium.new_context(base_url=url, viewport=PHONE, locale="ja-JP", has_touch=True)
        page = context.new_page()
        page.goto("/manifest.webmanifest")
        page.evaluate(DAMAGE, f"/{bundle.stem}.memory")
        page.goto("/")
        frame = inside(page)
        seats, lines = match_of(WIDEST, 9)
        match, opening = opened(frame, WIDEST, seats, lines)
        assert frame.evaluate(PLAY, [match, lines[opening : opening + 2], opening]) == opening + 2
        page.evaluate(PREPARED)
        page.close()
        yield Begun(context, match, lines[: opening + 2])
        context.close()


@pytest.fixture
def tab(begun: Begun) -> Iterator[Page]:
    page = begun.context.new_page()
    page.goto("/")
    yield page
    for each in begun.context.pages:
        each.close()


@pytest.fixture
def games(request: pytest.FixtureRequest) -> list[str]:
    return list(GAMES) if request.config.getoption("--every-cell") else [WIDEST]


def test_a_whole_match_with_a_reload_and_without_network(tab: Page, games: list[str]) -> None:
    for game in games:
        frame = inside(tab)
        seats, lines = match_of(game, 3)
        match, begun = opened(frame, game, seats, lines)
        half = len(lines) // 2
        assert frame.evaluate(PLAY, [match, lines[begun:half], begun]) == half
        tab.reload()
        frame = inside(tab)
        assert entries(frame.evaluate(READ, match)) == lines[:half]
        tab.context.set_offline(True)
        assert frame.evaluate(PLAY, [match, lines[half:], half]) == len(lines)
        tab.reload()
        frame = inside(tab)
        assert entries(frame.evaluate(READ, match)) == lines
        tab.context.set_offline(False)


def test_a_tap_is_recorded_without_network_and_starts_draw_different_numbers(tab: Page) -> None:
    """What draws the names of matches must not be part of the memory."""
    frame = inside(tab)
    seats, lines = match_of(WIDEST, 7)
    match, begun = opened(frame, WIDEST, seats, lines)
    frame.goto(f"/t/{match}")
    tab.context.set_offline(True)
    shown = tab.frame_locator("iframe")
    shown.locator(f'#play button[value="{lines[begun]}"]').tap()
    expect(shown.locator(f'#play [name=seen][value="{begun + 1}"]')).to_be_attached()
    expect(shown.get_by_text("このスマホだけに保存")).to_be_visible()
    tab.reload()
    frame = inside(tab)
    assert opened(frame, WIDEST, seats, lines)[0] != match
    assert entries(frame.evaluate(READ, match)) == lines[: begun + 1]
    tab.context.set_offline(False)


def test_plays_go_to_the_worker_itself_and_wait_for_no_dead_one(tab: Page) -> None:
    """The service worker, whose requests a channel carries, takes part in other requests alone."""
    frame = inside(tab)
    tab.wait_for_function("() => !String(frames[0].fetch).includes('native code')")
    tab.evaluate(
        """() => {
        window.asked = 0;
        new BroadcastChannel("asked").onmessage = () => { window.asked += 1; }; }"""
    )
    seats, lines = match_of(WIDEST, 8)
    match, begun = opened(frame, WIDEST, seats, lines)
    tab.wait_for_function("() => asked === 3")  # opening it, going there, and reading it
    assert frame.evaluate(PLAY, [match, lines[begun : begun + 5], begun]) == begun + 5
    assert len(entries(frame.evaluate(READ, match))) == begun + 5
    tab.wait_for_function("() => asked > 3")
    assert tab.evaluate("asked") == 4  # reading it again, after all plays
    (worker,) = (each for each in tab.workers if each.url.endswith("/worker.js"))
    worker.evaluate("() => { self.onmessage = null; }")
    reason = frame.evaluate(
        """() => fetch("/", { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(50) })
        .catch((reason) => reason.name)"""
    )
    assert reason == "TimeoutError"


def test_a_memory_that_cannot_be_used_costs_time_and_nothing_else(tab: Page, begun: Begun) -> None:
    assert entries(inside(tab).evaluate(READ, begun.match)) == begun.lines
    (size,) = tab.evaluate(SIZES)  # of the one that was made in its place
    assert size > 1 << 20


def test_nothing_acknowledged_is_lost_when_the_page_ends(tab: Page) -> None:
    """``make torture-pack`` does this a thousand times."""
    assert killed(tab, KILLS, Random(1)) == (KILLS, [])


def test_a_start_that_hangs_says_so_and_is_begun_again(tab: Page) -> None:
    inside(tab)
    tab.close()
    page = tab.context.new_page()
    page.add_init_script(SILENT)
    page.clock.install()
    page.goto("/")
    status = page.get_by_role("status")
    expect(status).to_have_text("起動しています…")
    page.clock.fast_forward(60_000)
    expect(status).to_contain_text("時間がかかっています")
    page.get_by_role("button", name="やり直す").tap()
    inside(page)
    expect(status).to_be_hidden()


def test_the_end_of_a_worker_is_reported_and_another_one_started(tab: Page, begun: Begun) -> None:
    inside(tab)
    (worker,) = (each for each in tab.workers if each.url.endswith("/worker.js"))
    worker.evaluate("close()")
    status = tab.get_by_role("status")
    expect(status).to_have_text("ブラウザーがアプリを終了しました。保存済みの記録は残っています。")
    tab.get_by_role("button", name="やり直す").tap()
    frame = inside(tab)
    expect(status).to_be_hidden()
    assert entries(frame.evaluate(READ, begun.match))[: len(begun.lines)] == begun.lines


def test_after_what_could_not_be_stored_nothing_is_acknowledged(tab: Page) -> None:
    """The second play waits when storing the first one fails; it could be stored by itself."""
    frame = inside(tab)
    seats, lines = match_of(WIDEST, 12)
    match, begun = opened(frame, WIDEST, seats, lines)
    (worker,) = (each for each in tab.workers if each.url.endswith("/worker.js"))
    worker.evaluate(
        """() => {
        const { transaction } = IDBDatabase.prototype;
        IDBDatabase.prototype.transaction = function (...asked) {
          if (asked[1] !== "readwrite") return transaction.apply(this, asked);
          IDBDatabase.prototype.transaction = transaction;
          throw new Error("no room"); } }"""
    )
    frame.evaluate(
        """([match, lines, seen, play]) => {
        parent.acknowledged = 0;
        const sends = eval(play), count = () => { parent.acknowledged += 1; };
        lines.forEach((line, i) => sends([match, [line], seen + i]).then(count, () => {})); }""",
        [match, lines[begun : begun + 2], begun, PLAY],
    )
    expect(tab.get_by_text("保存できませんでした")).to_be_visible()
    tab.wait_for_timeout(300)  # a play takes a tenth of it
    assert tab.evaluate("acknowledged") == 0
    tab.reload()
    assert entries(inside(tab).evaluate(READ, match)) == lines[:begun]


def test_a_second_tab_says_so_and_goes_on_when_the_first_is_closed(tab: Page) -> None:
    inside(tab)
    second = tab.context.new_page()
    second.goto(tab.url)
    expect(second.get_by_role("status")).to_contain_text("別のタブで開いています")
    expect(second.locator("iframe")).to_have_count(0)
    tab.close()
    inside(second)
    expect(second.get_by_role("status")).to_be_hidden()
    gathers(second)


def gathers(tab: Page) -> None:
    """A camera opens a tab for each code: the worker of ``tab`` answers in all of them."""
    frame = inside(tab)
    seats, lines = match_of(WIDEST, 5)
    match, _begun = opened(frame, WIDEST, seats, lines)
    content = gather([frame.evaluate(COPY, match)]).content
    first, last = cut(content, len(content))
    for piece, said in ((last, "2枚のうち1枚"), (first, "全部そろいました")):
        other = tab.context.new_page()
        other.goto(f"/in/#{piece}")
        expect(other.frame_locator("iframe").get_by_text(said)).to_be_visible()
    shown = other.frame_locator("iframe")
    shown.get_by_role("button", name="取り込む").tap()
    expect(shown.get_by_text("すでにここにあります")).to_be_visible()


def test_a_new_version_is_changed_to_at_home_and_reads_what_the_old_one_wrote(
    tab: Page, packed: Path
) -> None:
    frame = inside(tab)
    seats, lines = match_of(WIDEST, 5)
    match, begun = opened(frame, WIDEST, seats, lines)
    assert frame.evaluate(PLAY, [match, lines[begun:4], begun]) == 4
    before = tab.evaluate(CACHES)
    worker = packed / "sw.js"
    worker.write_text(
        worker.read_text("utf-8").replace('"VERSION": "', '"VERSION": "new-'), "utf-8"
    )
    tab.goto(f"/t/{match}")
    inside(tab, "#table")
    tab.evaluate(WAITING)
    tab.goto(f"/t/{match}")
    inside(tab, "#table")
    assert len(tab.evaluate(CACHES)) == 2  # the new one lies ready
    while before[0] in tab.evaluate(CACHES):  # the page before may take a moment to end
        tab.goto("/")
        inside(tab)
    frame = inside(tab)
    assert entries(frame.evaluate(READ, match)) == lines[:4]
