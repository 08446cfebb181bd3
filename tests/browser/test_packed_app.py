"""The app in a browser tab: what `referee pack` writes, behind a plain web server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import PHONE

from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.pack.folder import pack
from torture.packed import PLAY, READ, entries, inside, killed, match_of, opened, served

pytestmark = pytest.mark.browser
ENSURE = Path(__file__).parent / "ensure_pyodide.sh"
KILLS = 3


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


@pytest.fixture
def tab(packed: Path, chromium: Browser) -> Iterator[Page]:
    with served(packed) as url:
        context = chromium.new_context(viewport=PHONE, locale="ja-JP", has_touch=True)
        page = context.new_page()
        page.goto(url)
        yield page
        context.close()


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


def test_nothing_acknowledged_is_lost_when_the_page_ends(tab: Page) -> None:
    """``make torture-pack`` does this a thousand times."""
    assert killed(tab, KILLS, Random(1)) == []


def test_a_second_tab_says_so_and_goes_on_when_the_first_is_closed(tab: Page) -> None:
    inside(tab)
    second = tab.context.new_page()
    second.goto(tab.url)
    expect(second.get_by_role("status")).to_contain_text("別のタブで開いています")
    expect(second.locator("iframe")).to_have_count(0)
    tab.close()
    inside(second)
    expect(second.get_by_role("status")).to_be_hidden()
