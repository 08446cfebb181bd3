"""The server sleeps or has another address: what a phone says, and how its entries come along."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
import segno
from flask import Flask
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page, Route, expect
from serving import PHONE, SEATS, UNSENT, Site, at, entries
from sockets import running

from referee.app import create_app
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.server import serve
from referee.server.bridge import Bridge
from referee.server.live import Streams

pytestmark = pytest.mark.browser

STATIC = Path(__file__).parents[3] / "static"
SILENT = "EventSource = class { static OPEN = 1; readyState = 0; close() {} };"
TAPPED = ["あかね lay 7", "源五郎 lay 4", "みどり子 lay 9"]


class Moving(NamedTuple):
    """An app whose server can stop, and start at another port."""

    app: Flask
    running: ExitStack

    def start(self) -> str:
        bridge = Bridge(self.app, Streams(self.app.extensions["ledger"]))
        return f"http://127.0.0.1:{self.running.enter_context(running(bridge))}"

    def stop(self) -> None:
        self.running.close()

    def recorded(self, match: str) -> list[str]:
        return entries(Site("", self.app.extensions["ledger"], self.app), match)[1:]


@pytest.fixture
def moving(tmp_path: Path, chromium: Browser) -> Iterator[Moving]:
    app = create_app(tmp_path)
    with ExitStack() as stack:
        yield Moving(app, stack)
        for context in chromium.contexts:
            context.close()
    app.extensions["ledger"].store.close()


@pytest.fixture
def match(moving: Moving) -> str:
    ledger = moving.app.extensions["ledger"]
    found = ledger.open(Header(WIDEST, SEATS), introduced(ledger.store)).match
    ledger.declare(found, "table deal leader=あかね", 0, "key-000000")
    return str(found)


def in_time(page: Page) -> None:
    """What helps without a server has been loaded."""
    page.wait_for_selector("link[data-rescue]", state="attached")


def cut(moving: Moving, match: str, phone: Callable[..., Page]) -> Page:
    """A table whose server has stopped, after which three cards were tapped."""
    page = phone(f"{moving.start()}/t/{match}")
    at(page, 1)
    in_time(page)
    moving.stop()
    page.wait_for_selector("[data-net=off]", state="attached")
    for key in ("#k7", "#k4", "#k9"):
        page.locator(key).tap()
    expect(page.locator(".strip [data-n]")).to_contain_text("未送信3件")
    return page


def moved(page: Page) -> None:
    page.locator(".lamp.net").tap()
    page.locator("dialog [data-do=move]").tap()
    expect(page.locator("dialog h1")).to_have_text("未送信の3件を移す")


def test_the_page_says_that_the_server_gives_no_answer(
    moving: Moving, match: str, phone: Callable[..., Page]
) -> None:
    page = cut(moving, match, phone)
    expect(page.locator(".lamp.net")).to_have_text("応答なし")
    page.locator(".unsent-strip summary").tap()
    page.get_by_text("つながらないとき").tap()
    view = page.locator("dialog")
    expect(view.locator("h1")).to_have_text("サーバーが応答しません")
    expect(view.locator(".unsent b")).to_have_text(["あかね 7", "源五郎 4", "みどり子 9"])
    expect(view.locator(".deal")).to_contain_text("記録 1")
    expect(view.locator(".deal .ex4")).to_contain_text("あかねの手番")
    expect(view.locator("[data-tried]")).to_contain_text("10秒ごと")
    view.get_by_text("卓の記録を続ける").tap()
    expect(view).to_have_count(0)
    page.locator("#k3").tap()
    expect(page.locator(".strip [data-n]")).to_contain_text("未送信4件")


def test_a_server_that_wakes_up_brings_the_table_back(
    moving: Moving, match: str, phone: Callable[..., Page]
) -> None:
    page = cut(moving, match, phone)
    page.locator(".lamp.net").tap()
    expect(page.locator("dialog")).to_be_visible()
    address = page.url.partition("/t/")[0]
    port = int(address.rpartition(":")[2])
    bridge = Bridge(moving.app, Streams(moving.app.extensions["ledger"]))
    moving.running.enter_context(running(bridge, serve.listen("127.0.0.1", port)))
    page.locator("dialog [data-do=look]").tap()
    expect(page.locator("dialog")).to_have_count(0)
    at(page, 4)
    assert moving.recorded(match) == TAPPED
    assert not page.evaluate(UNSENT)


def test_entries_come_along_to_the_new_address_and_stay_until_they_are_recorded(
    moving: Moving, match: str, phone: Callable[..., Page]
) -> None:
    page = cut(moving, match, phone)
    moved(page)
    new = moving.start()
    expect(page.locator("[data-do=open]")).not_to_have_attribute("href", "")
    page.locator("[name=address]").fill(new)
    with page.context.expect_page() as opened:
        page.locator("[data-do=open]").tap()
    there = opened.value
    rows = there.locator("#take .unsent .t")
    expect(rows).to_have_text(["合法", "合法", "合法"])
    sign = there.locator("[data-sign]").inner_text().split()[-1]
    expect(page.locator("dialog [data-sign]")).to_contain_text(sign)
    assert moving.recorded(match) == []
    there.get_by_text("3件を記録する").tap()
    expect(there.locator("h1")).to_have_text("記録しました")
    assert moving.recorded(match) == TAPPED
    assert not there.evaluate(UNSENT)
    assert len(page.evaluate(UNSENT)) == 3
    receipt = there.locator(".sign.big").inner_text()
    page.locator("[name=receipt]").fill("0000")
    page.get_by_text("ここから消す", exact=True).tap()
    expect(page.locator("[data-wrong]")).to_be_visible()
    assert len(page.evaluate(UNSENT)) == 3
    page.locator("[name=receipt]").fill(receipt)
    page.get_by_text("ここから消す", exact=True).tap()
    expect(page.locator("dialog [data-part=moving]")).to_have_count(0)
    assert not page.evaluate(UNSENT)


def test_a_phone_that_is_not_at_the_table_keeps_them_until_it_is(
    moving: Moving, match: str, phone: Callable[..., Page], chromium: Browser
) -> None:
    page = cut(moving, match, phone)
    moved(page)
    new = moving.start()
    page.locator("[name=address]").fill(new)
    carried = page.locator("[data-do=open]").get_attribute("href")
    assert carried
    context = chromium.new_context(viewport=PHONE, locale="ja-JP", has_touch=True)
    other = context.new_page()
    other.goto(carried)
    expect(other.locator("h1")).to_have_text("先に卓に入ってください")
    assert "#" not in other.url
    context.add_cookies([{"name": "phone", "value": TOKEN, "url": new}])
    other.get_by_text("続ける").tap()
    other.get_by_text("3件を記録する").tap()
    expect(other.locator("h1")).to_have_text("記録しました")
    assert moving.recorded(match) == TAPPED


def test_what_was_recorded_meanwhile_is_asked_about_and_nothing_is_doubled(
    moving: Moving, match: str, phone: Callable[..., Page]
) -> None:
    page = cut(moving, match, phone)
    moved(page)
    sent = page.evaluate(UNSENT)
    first = next(item for item in sent if item["label"] == "あかね 7")
    ledger = moving.app.extensions["ledger"]
    ledger.declare(match, "あかね lay 7", 1, first["key"])  # it had arrived, its answer had not
    ledger.declare(match, "源五郎 lay 3", 2, "key-000001")  # another phone
    new = moving.start()
    page.locator("[name=address]").fill(new)
    with page.context.expect_page() as opened:
        page.locator("[data-do=open]").tap()
    there = opened.value
    expect(there.locator("#take .unsent .t").first).to_have_text("記録済み")
    expect(there.locator("#take .unsent .mk.no")).to_have_count(1)  # 源五郎 has played
    there.get_by_text("2件を記録する").tap()
    expect(there.locator("h1")).to_have_text("続きは卓で決めてください")
    assert moving.recorded(match) == ["あかね lay 7", "源五郎 lay 3"]
    assert len(there.evaluate(UNSENT)) == 2


def test_a_file_takes_them_along_and_a_torn_one_says_so(
    moving: Moving, match: str, phone: Callable[..., Page], tmp_path: Path
) -> None:
    page = cut(moving, match, phone)
    moved(page)
    with page.expect_download() as saved:
        page.locator("[data-do=file]").tap()
    file = tmp_path / "unsent.txt"
    saved.value.save_as(file)
    new = moving.start()
    there = phone(f"{new}/take")
    torn = tmp_path / "torn.txt"
    torn.write_text(file.read_text()[:-9])
    there.locator("[type=file]").set_input_files(torn)
    expect(there.locator("h1")).to_have_text("受け取れません")
    there.locator("[type=file]").set_input_files(file)
    there.get_by_text("入れない").tap()
    expect(there.locator("h1")).to_have_text("入れていません")
    assert moving.recorded(match) == []
    assert len(page.evaluate(UNSENT)) == 3


@pytest.mark.parametrize("version", range(1, 26))
def test_the_qr_code_is_that_of_the_standard(chromium: Browser, version: int) -> None:
    """Full codes: segno pads others by a byte more than the standard does."""
    page = chromium.new_page()
    page.add_script_tag(content=(STATIC / "js/qr.js").read_text())
    size = page.evaluate("(v) => room(v) - (v < 10 ? 2 : 3)", version)
    text = ("http://192.168.1.23:8000/take#z" + "aB3-_" * size)[:size]
    for mask in range(8):
        theirs = segno.make(text, "l", mode="byte", mask=mask, boost_error=False, micro=False)
        assert theirs.version == version
        mine = page.evaluate("([text, mask]) => qr(text, mask)", [text, mask])
        assert mine == [list(row) for row in theirs.matrix]


def test_a_code_that_is_too_long_is_none(chromium: Browser) -> None:
    page = chromium.new_page()
    page.add_script_tag(content=(STATIC / "js/qr.js").read_text())
    assert page.evaluate("qr('x'.repeat(1273)).length") == 117
    assert page.evaluate("qr('x'.repeat(1274))") is None


def full(route: Route) -> None:
    route.fulfill(status=503, body="", headers={"X-Fudami": "1"})


def login(route: Route) -> None:
    route.fulfill(body="<h1>Welcome to our Wi-Fi</h1>", content_type="text/html")


@pytest.mark.parametrize(
    ("answer", "paths", "said"),
    [
        (full, "**/{play,healthz}", "保存できません"),
        (login, "**/*", "札見ではない応答"),
        (lambda route: route.fulfill(status=502, body="Bad Gateway"), "**/*", "応答なし"),
        (lambda route: route.abort(), "**/*", "応答なし"),
    ],
)
def test_each_cause_has_its_own_words(
    moving: Moving,
    match: str,
    phone: Callable[..., Page],
    answer: Callable[[Route], None],
    paths: str,
    said: str,
) -> None:
    page = phone(f"{moving.start()}/t/{match}", SILENT)
    at(page, 1)
    in_time(page)
    page.route(paths, answer)
    page.locator("#k7").tap()
    expect(page.locator(".lamp.net")).to_have_text(said)
    expect(page.locator(".strip [data-n]")).to_contain_text(f"{said}　未送信1件")
    page.unroute(paths)
    at(page, 2)
    expect(page.locator(".lamp.net")).to_be_hidden()
    assert moving.recorded(match) == TAPPED[:1]
