"""What a screen reader finds on the tables of all games: numbers say what they count, and whose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser
from serving import PHONE, Site, begun

from referee.games import GAMES

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

STOPS = (1, 5, 9, 14, 23, 45, 5000)
NODE = re.compile(
    r"""^(?P<deep> *)- '?(?P<role>\w+)(?: "(?P<name>(?:[^"\\]|\\.)*)")?[^:]*:?(?P<rest>.*)$"""
)
BARE = re.compile(r"[\dAJQK♠♥♦♣♡♢ ]*[\dAJQK][\dAJQK♠♥♦♣♡♢ ]*")
OF_FILES = ("hearts", "oh_hell", "spades", "whist")
GROUPS = ("img", "group", "button", "link", "row", "list", "table")


class Node(NamedTuple):
    """A line of the accessibility tree, with the names of the groups around it."""

    role: str
    name: str
    text: str
    around: tuple[str, ...]


def nodes(snapshot: str) -> Iterator[Node]:
    above: list[tuple[int, str]] = []
    for line in snapshot.splitlines():
        if "/url:" in line:
            continue
        found = NODE.match(line)
        assert found, line
        deep, role, name = len(found["deep"]), found["role"], found["name"] or ""
        above = [each for each in above if each[0] < deep]
        yield Node(role, name, found["rest"].strip(" \"'"), tuple(said for _deep, said in above))
        if role in GROUPS and name:
            above.append((deep, name))


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("game", [*GAMES, *OF_FILES])
def test_numbers_of_a_board_say_what_they_are(
    chromium: Browser, site: Site, game: str, language: str
) -> None:
    page = chromium.new_context(viewport=PHONE, locale=language).new_page()
    page.context.add_cookies([{"name": "phone", "value": TOKEN, "url": site.url}])
    circle, faults, heard = introduced(site.ledger.store), [], 0
    for stop in STOPS:
        page.goto(f"{site.url}/t/{begun(site, circle, game, stop)}")
        lines = page.locator("#table [name=line]").evaluate_all(
            "(keys) => keys.map((k) => k.value)"
        )
        for part in (".board", "#play"):
            for node in nodes(page.locator(f"#table {part}").aria_snapshot()):
                here = f"{stop} {part}: {node}"
                heard += bool(node.name)
                said = node.name and node.role != "group"  # which says it of each card
                cell = node.role in ("cell", "columnheader", "rowheader")
                if BARE.fullmatch(node.text) and not (said or node.around or cell):
                    faults.append(f"a number alone, {here}")
                drawn = node.role in ("img", "button", "link") and part == ".board"
                if drawn and BARE.fullmatch(node.name):
                    faults.append(f"a number for a name, {here}")
                if node.name in lines or "=" in node.name.replace(" = ", ""):
                    faults.append(f"record grammar, {here}")
                unsaid = {*re.findall(r"\d+", node.text)} - {*re.findall(r"\d+", node.name)}
                if node.name and node.role != "group" and unsaid:
                    faults.append(f"seen and not said: {unsaid}, {here}")
    assert heard > 20
    assert not faults, "\n".join(faults)
