"""Files that somebody wrote to do harm: read and checked in little time and memory.

Run this file as a program for many damaged files: ``python test_hostile_files.py 10000``.
"""

from __future__ import annotations

import gc
import re
import sys
import tracemalloc
from random import Random
from time import process_time
from types import FrameType
from weakref import ref

import pytest
from kit_files import FILES

from referee.core.game import Table
from referee.kit.chapters.deck import PAIRS
from referee.kit.check import check
from referee.kit.game import KEPT
from referee.kit.load import load

CALLS, BYTES = 300_000, 10_000_000  # this number of calls takes some 40 ms
VALUES = [
    '"1-100"', "100", "20100", "999999999", '"deck"', '"hand*hand*hand"', "[]", "true", "-1", "0",
    '"1..999"', f'"{PAIRS}"', '"beats"', '{ "3" = 1, else = 2 }', '["suit led", "beats"]',
    f'"{"9" * 190}"', f'"{"(" * 99}1{")" * 99}"', f'"{"-" * 190}1"', f'"{"not " * 40}all"',
    f'"{"1+" * 99}1"', '"every(most(least(total)))"', f'"{" or ".join(["beats"] * 15)}"',
    f'"every({"+".join(["taken(beats)"] * 12)})"', '"0..9999"',
    '"suit called"', '"seats(winning) > 0"', '"number > trick_sum"', '"auction"', '"alternate"',
    '"bid = most(bid)"', '{ by = "dealer", cards = "called" }', '"last_trick"', '"after_trick"',
    '["beats"]', '[{ per = "trick", cards = "number > trick_sum", suit = "named" }]',
]  # fmt: skip
WORDS = ["n", "total", "beats", "laid", "copies", "count", "hand", "most", "every"]
TEXTS = [file.read_text(encoding="utf-8") for file in FILES]

HEAD = """kit = 1
family = "trick_taking"
key = "a"
title = { en = "a" }
score.a = { per = "deal", points = "tricks" }
match = { deals = 2, winner = "most" }
seats = { count = "2-100" }
"""
PLAIN = 'deck.pack = "french"\ndeal.hand = 1\nplay.follow = []\ntrick.best = ["all"]\n'
SUITS = "".join(f'suits.{sign} = {{ en = "a" }}\n' for sign in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
STEPS = ", ".join(f'{{ cards = "all", when = "a > {i}" }}' for i in range(12))
NUMBERS = 'a = { en = "a" }\nnumbers = { from = 1, to = 100, set = "match.deals" }\n'
LONG = "+".join(["1"] * 95)
TEAMS = "+".join(["team(tricks)"] * 15)
SCORE = 'score.b{} = {{ per = "deal", points = "{}" }}\n'
NAMED = "".join(f'values.v{i} = "{LONG}"\ngroups.g{i} = "{"all or " * 20}all"\n' for i in range(40))
CLASSES = ", ".join(f'{{ cards = "number > trick_sum + {i}", pick = 3 }}' for i in range(12))
SHED = HEAD.replace("trick_taking", "shedding").replace("tricks", "finish")
JOKERS = 'deck = { pack = "french", special.X = { copies = 4, en = "a" } }\n'
SHAPES = "".join(
    f'combo.c{i} = {{ same = "1..", run = "2..", with = {1 + i % 4}, over = "all" }}\n'
    for i in range(23)
)
FEW = 8  # more rows are refused for the length of their sums
LAID = "+".join(["laid(suit S or rank 3)"] * 8)
EFFECTS = "".join(f'effect.e{i} = {{ when = "{LAID} > {i}", do = "clear" }}\n' for i in range(FEW))
BEATS = "".join(
    f'beat.b{i} = {{ cards = "{" or ".join(["rank 3"] * 12)}", on = "all" }}\n' for i in range(12)
)
OPEN = HEAD.replace("trick_taking", "draw_or_stop").replace("tricks", "row_sum") + "stay = {}\n"
ROWS = "+".join(["every(row(all))"] * 8)
DRAWN = "".join(
    f'effect.e{i} = {{ when = "{ROWS} > {i}", do = "draw", times = 99, to = "any" }}\n'
    for i in range(FEW)
)
OTHER_FAMILIES = {
    "shapes with jokers": SHED
    + JOKERS
    + 'deal.hand = 9\ncombo.set = { same = "1.." }\n'
    + SHAPES
    + 'order = { top = ["special"], wild = "special" }\n',
    "shapes without jokers": SHED
    + 'deck = { ranks = "1..99", copies = 9 }\ndeal.hand = 8\ncombo.set = { same = 1 }\n'
    + SHAPES,
    "effects": SHED
    + 'deck.pack = "french"\ndeal.hand = 1\ncombo.set = { same = "1.." }\n'
    + EFFECTS,
    "beats": SHED
    + 'deck = { pack = "french", copies = 20 }\ndeal.hand = 9\ncombo.set = { same = "1.." }\n'
    + BEATS,
    "draws": OPEN + 'deck = { ranks = "0..999", copies = 20 }\n' + DRAWN,
    "draws that make all draw": OPEN
    + 'deck = { ranks = "0..12", copies = 90 }\ndeal.cards = 10\n'
    + DRAWN,
}
DEAR = {
    "many kinds": f'{HEAD}[deck]\n{SUITS}ranks = "1..38"\n[deal]\nhand = 1\n[play]\n'
    'follow = ["beats"]\n[trick]\nbest = [{ cards = "all", pick = 4 }]\n',
    "rows": f'{HEAD}deck = {{ ranks = "1..999", copies = 20 }}\ndeal.hand = 9\n'
    'play = { follow = ["beats"], always = "beats" }\n'
    'trick = { best = [{ cards = "all", by = "row" }], equal = "cancel" }\n',
    "bids": HEAD
    + 'bid = { values = "0..399", forbid = "every(every(tricks)) > 9999 and this < 0" }\n'
    + PLAIN,
    "fewer bids": HEAD
    + 'bid = { values = "0..199", forbid = "every(every(tricks)) > 9999 and this < 0" }\n'
    + PLAIN,
    "steps": HEAD
    + PLAIN.replace("follow = []", f"follow = [{STEPS}]")
    + '[values]\na = "every(every(tricks))"\n',
    "sums": HEAD + PLAIN + "".join(SCORE.format(i, LONG) for i in range(39)) + NAMED,
    "sums that are just not too many": HEAD
    + PLAIN
    + "".join(SCORE.format(i, f"a{i}") for i in range(19))
    + "[values]\n"
    + "".join(f'a{i} = "{LONG}"\n' for i in range(19)),
    "teams": HEAD + PLAIN + "".join(SCORE.format(i, TEAMS) for i in range(19)),
    "classes": f'{HEAD}[deck]\n{SUITS}ranks = "1..12"\n[deal]\nhand = 1\n[play]\n'
    f'follow = ["beats"]\n[trick]\nbest = [{CLASSES}]\nnext = [{CLASSES}]\n',
    "names that nobody uses": HEAD
    + PLAIN
    + "".join(f'values.va{i} = "n"\ngroups.g{i} = "all"\n' for i in range(40))
    + "".join(f'text."t{i}" = {{ en = "{"b" * 550}" }}\n' for i in range(90)),
    "numbers": HEAD + PLAIN + "".join(f"[option.o{i}]\n{NUMBERS}" for i in range(32)),
}


def damaged(seed: int) -> bytes:
    """A good file with a few lines changed, doubled, left out or taken from another file."""
    rng = Random(seed)
    lines = rng.choice(TEXTS).split("\n")
    for _ in range(rng.randrange(1, 5)):
        i, kind = rng.randrange(len(lines)), rng.random()
        found = list(re.finditer(r'= *("[^"]*"|[0-9]+|\[[^\]]*\]|\{[^}]*\})', lines[i]))
        words = re.findall("[a-z_]+", lines[i])
        if kind < 0.6 and found:
            start, end = rng.choice(found).span(1)
            lines[i] = lines[i][:start] + rng.choice(VALUES) + lines[i][end:]
        elif kind < 0.7:
            lines.insert(i, rng.choice(lines))
        elif kind < 0.8 and len(lines) > 1:
            del lines[i]
        elif kind < 0.9:
            other = rng.choice(TEXTS).split("\n")
            j = rng.randrange(len(other))
            lines[i:i] = other[j : j + rng.randrange(1, 10)]
        elif words:
            lines[i] = lines[i].replace(rng.choice(words), rng.choice(WORDS))
    return "\n".join(lines).encode()


def calls(source: bytes) -> int:
    """How many functions a check calls as the app makes it: the same on every machine."""
    counted = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        check(source, quick=True)
    finally:
        sys.setprofile(None)
    return counted


def peak(source: bytes) -> int:
    """The most memory of such a check."""
    tracemalloc.start()
    try:
        check(source, quick=True)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_damaged_files_cost_little() -> None:
    damages = [damaged(seed) for seed in range(300)]
    assert [seed for seed, source in enumerate(damages) if calls(source) > CALLS] == []
    fine = sum(check(source, quick=True)[0] is not None for source in damages)
    assert 10 < fine < 280
    assert max(peak(source) for source in damages[::20]) < BYTES


@pytest.mark.parametrize("name", DEAR)
def test_a_file_made_to_be_slow_costs_little(name: str) -> None:
    source = DEAR[name].encode()
    assert calls(source) < CALLS
    assert peak(source) < BYTES


@pytest.mark.parametrize("name", OTHER_FAMILIES)
def test_slow_files_of_other_families_cost_little(name: str) -> None:
    """They are games, or are refused for what they cost; 0.4 s and 100 MB are far away."""
    source = OTHER_FAMILIES[name].encode()
    game, notes = check(source, quick=True)
    faults = {note.wrong.fact for note in notes if not note.only_note}
    assert game is not None or faults == {"kit_shed_dear"}
    assert calls(source) < 3 * CALLS
    assert peak(source) < 3 * BYTES


def test_the_tables_of_many_files_share_one_cache() -> None:
    """Many files, each at several tables with other players."""
    rules = []
    for n in range(KEPT // 8 + 2):
        game = load(f"{TEXTS[0]}\n# {n}".encode())
        for table in range(8):
            seats = tuple(f"{table}-{seat}" for seat in range(game.SEATS[0]))
            rules.append(ref(game.rules(Table(seats, {}, {}))))
    gc.collect()
    assert sum(each() is not None for each in rules) <= KEPT < len(rules)


def test_what_decides_a_trick_cannot_ask_who_wins_it() -> None:
    for best in (
        '"beats"',
        '{ cards = "all", when = "v > 0" }',
        '"g", "all"',
        '"all"]\ntrick.next = ["g"',
    ):
        text = HEAD + PLAIN.replace('["all"]', f"[{best}]")
        text += 'values.v = "seats(winning)"\ngroups.g = "suit H and beats"\n'
        game, notes = check(text.encode(), quick=True)
        assert game is None
        assert [note.wrong.fact for note in notes] == ["kit_wins_by_itself"]
        assert notes[0].wrong.line == 11 + best.count("\n")


def seconds(source: bytes) -> float:
    """Processor time of a check as the app makes it."""
    start = process_time()
    check(source, quick=True)
    return process_time() - start


if __name__ == "__main__":
    every = sorted((seconds(damaged(seed)), seed) for seed in range(int(sys.argv[1])))
    print(f"{len(every):,} files; the slowest in ms:", [round(1000 * t) for t, _ in every[-5:]])
