"""What the check finds in a game file: each hole that is left in it, and nothing in a good one."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from kit_files import FILES

from referee.games.kit.checking import check
from referee.rulings import COMMON, book

GOOD = """kit = 1
family = "trick_taking"
key = "good"
title = { ja = "よい", en = "good" }
about = { ja = "見本。", en = "A sample." }
seats = { count = "3-4" }
deck = { pack = "french" }
deal = { hand = 13 }
play = { follow = ["suit led"] }
trick = { best = ["suit led"] }
score.made = { per = "deal", points = "tricks" }
match = { deals = 2, winner = "most" }
"""
BARRED = 'kit = 1\nbid = { values = "1..2", forbid = "this > 0" }\n'
HOLES = [
    ('count = "3-4"', 'count = "3-5"', "kit_few_cards", 8),
    ("hand = 13", 'hand = "13 - 7*deal"', "kit_no_hand", 8),
    ('"french"', '"french", remove = ["XX"]', "kit_no_card", 7),
    ('follow = ["suit led"]', 'folow = ["suit led"]', "kit_no_key_near", 9),
    ('"tricks"', '"trick + gapp"', "kit_unknown", 11),
    ('"tricks"', '"tricks + bid"', "kit_no_bids", 11),
    ('"tricks"', '"value"', "kit_not_here", 11),
    ('best = ["suit led"]', 'best = ["suit trump", "suit led"]', "kit_no_trump", 10),
    ('best = ["suit led"]', 'best = ["suit H"]', "kit_nobody_leads", 10),
    ('best = ["suit led"]', 'best = ["suit X"]', "kit_no_suit", 10),
    ('follow = ["suit led"]', 'lead = ["suit led"], follow = []', "kit_led_in_lead", 9),
    ('follow = ["suit led"]', 'follow = ["suit H", "card H2"]', "kit_covered_step", 9),
    ('follow = ["suit led"]', 'follow = [], cannot = "out"', "kit_cannot_unused", 9),
    ("hand = 13", 'hand = 12, leader = "holder", holder = ["C2"]', "kit_holder_out", 8),
    ('winner = "most"', 'winner = "best"', "kit_one_of", 12),
    ('count = "3-4"', 'count = "3-4", teams = "opposite"', "kit_teams", 6),
    (
        "kit = 1\n",
        'kit = 1\nbid = { values = "1..2", forbid = "this > 0" }\n',
        "kit_no_bid_left",
        2,
    ),
    ("kit = 1\n", 'kit = 1\npass = { cards = 1, to = ["across"] }\n', "kit_across", 2),
    ("kit = 1\n", 'kit = 1\nvalues = { a = "b", b = "a" }\n', "kit_circle", 2),
]


def found(text: str) -> list[tuple[str, int]]:
    notes = check(text.encode())[1]
    for note in notes:
        for lang in ("ja", "en"):
            assert book(COMMON).says(note.wrong.fact, note.wrong.values, lang)
    return [(note.wrong.fact, note.wrong.line) for note in notes if not note.only_note]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_is_wrong_with_a_good_file(file: Path) -> None:
    assert found(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(("old", "new", "fact", "line"), HOLES, ids=[hole[2] for hole in HOLES])
def test_a_hole_is_found_in_its_line(old: str, new: str, fact: str, line: int) -> None:
    assert found(GOOD) == []
    assert GOOD.count(old) == 1
    assert (fact, line) in found(GOOD.replace(old, new))


def test_values_that_double_again_and_again_are_counted_and_not_worked_out() -> None:
    names = [f"a{i}" for i in range(40)]
    sums = ['a0 = "tricks"'] + [f'{name} = "{old} + {old}"' for old, name in pairwise(names)]
    text = GOOD.replace('"tricks"', '"a39"') + "[values]\n" + "\n".join(sums)
    assert [fact for fact, _ in found(text)] == ["kit_dear"]


def test_card_sets_that_double_again_and_again_are_counted_too() -> None:
    sets = ['g0 = "suit H"'] + [f'g{i} = "g{i - 1} or g{i - 1}"' for i in range(1, 40)]
    text = GOOD.replace('follow = ["suit led"]', 'follow = ["suit led"], always = "g39"')
    text += "[groups]\n" + "\n".join(sets)
    assert [fact for fact, _ in found(text)] == ["kit_dear"]


def test_what_never_comes_up_and_what_never_ends_is_found() -> None:
    never = GOOD + 'score.all = { per = "deal", when = "tricks > hand", points = 5 }\n'
    notes = check(never.encode())[1]
    said = [(note.wrong.fact, note.wrong.line) for note in notes if note.only_note]
    assert ("kit_never", 13) in said
    assert not any(note.wrong.fact == "kit_never" for note in check(GOOD.encode())[1])
    step = GOOD.replace('["suit led"] }\ntrick', '["suit led", "rank led and suit led"] }\ntrick')
    found_keys = [note.wrong.path for note in check(step.encode())[1]]
    assert "play.follow.1" in found_keys
    endless = GOOD.replace("deals = 2", 'until = "most(total) < 0"')
    assert ("kit_endless", 12) in found(endless)


def test_choices_that_change_one_value_must_bar_each_other() -> None:
    option = '[option.{}]\nja = "長さ"\nen = "length"\na = {{ ja = "二", en = "two" }}\n'
    choice = 'b = {{ ja = "一", en = "one", set = {{ match.deals = {} }}{} }}\n'
    one = option.format("one") + choice.format(1, "")
    two = option.format("two") + choice.format(3, "")
    barred = option.format("two") + choice.format(3, ', not_with = { one = "b" }')
    same = option.format("two") + choice.format(2, ', not_with = { one = "b" }')
    assert [fact for fact, _ in found(GOOD + one + two)] == ["kit_same_value"]
    assert found(GOOD + one + barred) == []
    assert [fact for fact, _ in found(GOOD + one + same)] == ["kit_no_change"]


def test_an_example_that_comes_out_otherwise_is_a_fault() -> None:
    example = """[[example]]
seats = "A B C"
lines = ["table deal leader=A", "A lay S2", "B lay S3", "C lay H4"]
says = { "4" = "unprovable" }
next = "B"
"""
    assert found(GOOD + example) == []
    assert found(GOOD + example.replace('next = "B"', 'next = "C"')) == [("kit_example", 15)]
    assert found(GOOD + example.replace('"unprovable"', '"legal"')) == [("kit_refused", 15)]
