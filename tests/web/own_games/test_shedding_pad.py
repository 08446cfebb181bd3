"""The pad of shedding games: how many taps a play takes, what keys say, what addresses can hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from kit_deals import game_of, opened
from phones import Phone

from referee.core.log import Log
from referee.games.simulation import player
from referee.http import current
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.plays import Deal, Discard, Drop, HandsExchanged, Lay, Pass, Play
from referee.kit.families.shedding.rules import SheddingRules
from referee.ledger import View
from referee.screens.kit.names import KitNames
from referee.screens.kit.shedding.keys import ShedPad, Taps, tapped
from referee.screens.kit.shedding.pad import pad_of

FILES = [
    ("daifugo", 3),
    ("daifugo", 6),
    ("president", 4),
    ("big_two", 3),
    ("big_two", 4),
    ("dou_dizhu", 3),
    ("lords", 8),
    ("partners_climb", 4),
]
SEATS = ("あかね", "源五郎", "みどり子", "ほしの", "Ren", "ちはる", "Jo", "Kai")
ENTRIES = 120
LINK = re.compile(r'href="[^"]*(\?[^"]*taps=[^"]*)"')


def joker(card: str) -> str:
    """All jokers are one key, which plays the first that is left."""
    return "X" if card.startswith("X") else card


def cards_of(rules: SheddingRules, cards: tuple[str, ...]) -> Counter[str]:
    bare = [card.partition("=")[0] for card in cards]
    if rules.open:
        bare = [rules.rank_of(card) or card for card in bare]
    return Counter(map(joker, bare))


def taps(view: View, entry: Play, names: KitNames) -> int:
    """The fewest taps on the pad of the seat of ``entry`` that record it."""
    rules, seat = rules_of(view.state), getattr(entry, "seat", "")
    wanted = cards_of(rules, entry.cards) if isinstance(entry, Lay | Discard | Drop) else None
    waiting, done = [(Taps("", ()), 0)], set[Taps]()
    for now, count in waiting:
        if now in done:
            continue
        done.add(now)
        for line, to in keys(pad_of(view, seat, now, names)):
            if line and "\n" not in line:
                play = view.grammar.parse(line)
                same = wanted is not None and type(play) is type(entry)
                if play == entry or (same and cards_of(rules, play.cards) == wanted):  # type: ignore[attr-defined]
                    return count + 1
            elif to:
                step = tapped(dict(parse_qsl(to[1:])))
                chosen = cards_of(rules, step.cards)
                if wanted is None or chosen.keys() <= wanted.keys():
                    waiting.append((step, count + 1))
    raise AssertionError(f"{view.grammar.print(entry)} cannot be tapped")


def keys(pad: ShedPad) -> Iterator[tuple[str, str]]:
    rows = [key for row in pad.rows for key in row.keys]
    alone = [pad.play, pad.passing, pad.single]
    for key in (*pad.ranks, *rows, *pad.extra, *pad.choices, *alone, *pad.tabs):
        if key is not None:
            yield key.line, key.to


@pytest.mark.parametrize(("key", "seats"), FILES)
def test_a_play_takes_one_tap_and_a_half_at_most(app: Flask, key: str, seats: int) -> None:
    game, names = game_of(key), SEATS[:seats]
    ledger = app.extensions["ledger"]
    view = opened(ledger, game, names)
    log = Log(game, view.log.table)
    entries = list[Play]()
    for entry in islice(player("shedding")(log, Random(7), 0, 0), ENTRIES):
        log.push(entry)
        entries.append(entry)
    lines = [view.grammar.print(entry) for entry in entries]
    made, at = 0, 0
    with app.test_request_context("/"):
        current.hold(game)
        face = KitNames(game.NAME, game)
        while at < len(entries):
            before, entry = ledger.view(view.match), entries[at]
            together = all_pass(before, entry, face)
            many = len(together) if together == lines[at : at + len(together)] else 0
            by_table = isinstance(entry, Deal | HandsExchanged)
            made += 1 if many or by_table else taps(before, entry, face)
            for line in lines[at : at + max(1, many)]:
                ledger.declare(view.match, line, at, f"key-{at:06}")
                at += 1
    assert made / len(entries) <= 1.5


def all_pass(view: View, entry: Play, names: KitNames) -> list[str]:
    """The lines of the passes that one tap enters now."""
    if not isinstance(entry, Pass):
        return []
    key = pad_of(view, entry.seat, Taps("", ()), names).all_passing
    return key.line.split("\n") if key is not None else []


@pytest.mark.parametrize("key", ["daifugo", "big_two", "dou_dizhu", "president"])
def test_the_sheet_of_a_table_asks_what_its_score_counts(app: Flask, key: str) -> None:
    game = game_of(key)
    view = opened(app.extensions["ledger"], game, SEATS[: max(3, game.SEATS[0])])
    asked = {"daifugo": "順位", "big_two": "順位、残った枚数", "president": "順位"}
    page = app.test_client().get(f"/t/{view.match}/sheet?sheet=0;;;&at=1").get_data(as_text=True)
    assert asked.get(key, "ラウンドの点") in page


@pytest.mark.parametrize("key", ["daifugo", "dou_dizhu"])
def test_how_to_deal_says_what_becomes_of_the_cards_left_over(app: Flask, key: str) -> None:
    game = game_of(key)
    view = opened(app.extensions["ledger"], game, SEATS[: 4 if key == "daifugo" else 3])
    page = app.test_client().get(f"/t/{view.match}").get_data(as_text=True)
    said = "余り2枚は、決めた人から1枚ずつ配る" if key == "daifugo" else "だれも見ずに脇へ（3枚）"
    assert said in page
    assert "余りはだれも見ない" not in page


@pytest.mark.parametrize(("key", "seats"), [("daifugo", 4), ("big_two", 4), ("dou_dizhu", 3)])
def test_every_page_that_taps_lead_to_opens(app: Flask, key: str, seats: int) -> None:
    game, random = game_of(key), Random(3)
    ledger = app.extensions["ledger"]
    view = opened(ledger, game, SEATS[:seats])
    phone, log = Phone(app.test_client(), view.match), Log(game, view.log.table)
    for number, entry in enumerate(islice(player("shedding")(log, Random(4), 0, 0), 60)):
        log.push(entry)
        line = view.grammar.print(entry)
        ledger.declare(view.match, line, number, f"key-{number:06}")
        query = ""
        for _hop in range(4 if number % 5 == 0 else 0):
            answer = phone.client.get(f"/t/{view.match}{query}")
            assert answer.status_code == 200
            links = LINK.findall(answer.get_data(as_text=True))
            query = random.choice(links).replace("&amp;", "&") if links else ""


@pytest.mark.parametrize(
    "query",
    ["zz-99", "run-2-2", "9", "each-S99-XB", "drop", "free--", "2-XB-XB-XB", "-", "run-S3-S2"],
)
@pytest.mark.parametrize("key", ["daifugo", "dou_dizhu"])
def test_an_address_with_taps_that_make_no_sense_still_opens(
    app: Flask, key: str, query: str
) -> None:
    game = game_of(key)
    ledger = app.extensions["ledger"]
    view = opened(ledger, game, SEATS[:3])
    log = Log(game, view.log.table)
    for number, entry in enumerate(islice(player("shedding")(log, Random(4), 0, 0), 8)):
        log.push(entry)
        ledger.declare(view.match, view.grammar.print(entry), number, f"key-{number:06}")
    answer = app.test_client().get(f"/t/{view.match}?taps={query}")
    assert answer.status_code == 200
