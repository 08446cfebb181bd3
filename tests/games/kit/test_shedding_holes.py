"""What the check finds in files of shedding games: each hole with the place and what to write."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from referee.kit.check import check
from referee.rulings import COMMON, book

RANKS = '["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]'
GOOD = """kit = 1
family = "shedding"
key = "good"
title = { ja = "よい", en = "good" }
about = { ja = "見本。", en = "A sample." }
seats.count = "3-4"
deck = { pack = "french", ranks = RANKS }
deal = { hand = 12, leader = "winner", first_leader = "pick" }
order = { suits = ["D", "C", "H", "S"] }
combo.set = { same = "1..4", by = ["rank", "suit"], ja = "同じ数字", en = "equal cards" }
combo.run = { run = "3..", suit = "same", ja = "階段", en = "run" }
exchange.top = { between = [1, "n"], cards = 1 }
effect.eight = { when = "this(rank 8) > 0", do = "clear" }
score.place = { per = "deal", points = "n - finish" }
match = { deals = 4, winner = "most" }
example = [{ name = { ja = "a", en = "a" }, seats = "A B C", lines = ["table deal leader=A"] }]
""".replace("RANKS", RANKS)
SUITLESS = ('pack = "french", ranks', "copies = 4, ranks")
HOLES = [
    ('same = "1..4", by', "same = 2, by", "kit_shed_no_single", 10),
    ('run = "3.."', 'run = "14.."', "kit_shed_no_hand", 11),
    ('same = "1..4", by', 'same = "5..6", by', "kit_shed_no_hand", 10),
    ('suit = "same",', 'suit = "same", over = ["run"],', "kit_shed_over_itself", 11),
    ('suit = "same",', 'suit = "same", over = ["bomb"],', "kit_shed_over_nothing", 11),
    ('suit = "same",', 'suit = "same", any_time = "yes",', "kit_shed_any_time", 11),
    ('["D", "C", "H", "S"]', '["D", "C", "H"]', "kit_shed_suit_order", 10),
    ("order = {", 'order = { both = "stays",', "kit_shed_unused", 9),
    ('leader = "winner"', 'leader = "pick"', "kit_shed_unused", 8),
    (', first_leader = "pick"', "", "kit_shed_first_leader", 8),
    ("hand = 12", 'hand = "deck/n"', "kit_shed_rest_over", 8),
    ("hand = 12", "hand = 18", "kit_few_cards", 8),
    ('[1, "n"]', '[1, "n + 1"]', "kit_shed_no_place", 12),
    ('[1, "n"]', '["n - 2", 1]', "kit_shed_place_twice", 12),
    ("cards = 1 }", "cards = 14 }", "kit_shed_exchange_many", 12),
    ('when = "this(rank 8) > 0", do', 'when = "count > 0", do', "kit_shed_all_clear", 13),
    ('do = "clear"', 'do = "turn", times = 2', "kit_shed_even", 13),
    ('do = "clear"', 'do = "give", times = 14', "kit_shed_give_many", 13),
    ('do = "clear"', 'do = "lock rank"', "", 13),
    ("score.place", 'play.must = "yes"\nscore.place', "kit_shed_must", 14),
    ("score.place", 'finish.foul = "count > 0"\nscore.place', "kit_shed_all_foul", 14),
    ("score.place", 'finish.falls = "held > 0"\nscore.place', "kit_shed_all_fall", 14),
    ("score.place", 'finish.until = "outs = n"\nscore.place', "kit_shed_until_never", 14),
    ('"n - finish"', '"if finish = n then 1 else 0"', "", 14),
    ("deals = 4", "deals = 1", "", 15),
    ("score.place", "combo.pair = { same = 2 }\nscore.place", "kit_shed_hidden", 14),
]


def found(text: str) -> list[tuple[str, int | None]]:
    return [(note.wrong.fact, note.wrong.line) for note in check(text.encode())[1]]


def test_nothing_is_wrong_with_a_good_file() -> None:
    assert [fact for fact, _ in found(GOOD) if fact != "kit_shed_rest_over"] == []


@pytest.mark.parametrize(
    ("old", "new", "fact", "line"),
    [hole for hole in HOLES if hole[2]],
    ids=lambda each: str(each)[:30],
)
def test_a_hole_is_found_in_its_line(old: str, new: str, fact: str, line: int) -> None:
    assert GOOD.count(old) == 1
    assert (fact, line) in found(GOOD.replace(old, new))


def test_more_holes() -> None:
    until = GOOD.replace(
        "score.place",
        'finish.until = "outs = 1"\n'
        'score.third = { per = "deal", when = "finish = 3", points = 1 }\n'
        "score.place",
    )
    assert ("kit_shed_no_such_place", 15) in found(until)
    foul = GOOD.replace(
        "score.place", 'finish = { until = "outs < 2", foul = "this(rank 2) > 0" }\nscore.place'
    )
    assert ("kit_shed_until_foul", 14) in found(foul)
    ring = GOOD.replace('suit = "same",', 'suit = "same", over = ["set"],').replace(
        'by = ["rank", "suit"],', 'by = ["rank", "suit"], over = ["run"],'
    )
    assert "kit_shed_over_circle" in [fact for fact, _ in found(ring)]
    suitless = GOOD.replace(*SUITLESS).replace('order = { suits = ["D", "C", "H", "S"] }\n', "")
    assert ("kit_shed_no_suits", 9) in found(suitless)
    jokers = GOOD.replace('pack = "french", ranks', 'pack = "french54", ranks')
    assert ("kit_shed_never_played", 7) in found(jokers)
    wild = jokers.replace("order = {", 'order = { wild = "special",')
    assert ("kit_shed_joker_stays", 9) in found(wild)
    turned = GOOD.replace(
        "score.place",
        'effect.turn = { when = "count = 4", do = "reverse deal" }\n'
        'effect.back = { when = "this(rank J) > 0", do = "reverse trick" }\nscore.place',
    )
    assert ("kit_shed_undone", 15) in found(turned)
    none_left = GOOD.replace('"3-4"', "4").replace("hand = 12", 'hand = 13, rest = "dealt"')
    assert ("kit_shed_none_left_over", 8) in found(none_left)
    was = GOOD.replace("deals = 4", "deals = 1").replace('"n - finish"', '"n - finish - was"')
    assert ("kit_shed_no_last_deal", 14) in found(was)
    clash = GOOD + (
        'option.runs.on = { en = "on", ja = "on" }\n'
        'option.runs.off = { en = "off", ja = "off", set = { combo.run.when = "no" } }\n'
        'option.stairs.off = { en = "off", ja = "off" }\n'
        'option.stairs.on = { en = "on", ja = "on",'
        ' set = { effect.eight.when = "combo is run" } }\n'
    )
    assert "kit_shed_clash" in [fact for fact, _ in found(clash)]


def test_each_hole_has_a_sentence_in_both_languages() -> None:
    facts = book(COMMON).facts
    code = Path(__file__).parents[3] / "referee/kit/families/shedding"
    named = {
        word
        for file in code.glob("*.py")
        for word in file.read_text(encoding="utf-8").split('"')
        if word.startswith("kit_shed_") and "{" not in word
    }
    assert len(named) > 80
    assert {name for name in named if name not in facts} == set()


def test_a_hostile_file_is_read_quickly() -> None:
    many = ", ".join(f'"{i}"' for i in range(1, 190))
    combos = "\n".join(
        f'combo.c{i} = {{ same = "1..", run = "{1 + i}..", with = 1 }}' for i in range(20)
    )
    text = GOOD.replace(
        f'pack = "french", ranks = {RANKS}',
        f'ranks = [{many}], copies = 90, special.X = {{ copies = 4, ja = "x", en = "x" }}',
    ).replace(
        'order = { suits = ["D", "C", "H", "S"] }', 'order = { top = "special", wild = "special" }'
    )
    before = process_time()
    notes = check((text + combos).encode(), quick=True)[1]
    assert process_time() - before < 2
    assert "kit_shed_dear" in [note.wrong.fact for note in notes]
    before = process_time()
    check((text.replace(', wild = "special"', "") + combos).encode(), quick=True)
    assert process_time() - before < 2


OF_TWO = """effect.big = { when = "WHEN", do = "clear" }
[option.back]
ja = "バック"
en = "Back"
off = { ja = "なし", en = "off" }
on = { ja = "あり", en = "on", set.effect.back = BACK }
[option.pairs]
ja = "ペア"
en = "Pairs"
off = { ja = "なし", en = "off" }
on = { ja = "あり", en = "on", set.combo.twice = TWICE }
"""
OF_TWO = OF_TWO.replace("BACK", '{ when = "this(rank J) > 0", do = "reverse trick" }').replace(
    "TWICE", '{ same = 2, run = "2..", ja = "ペア続き", en = "pairs in a row" }'
)


def never_met(when: str) -> list[str]:
    """The rules that no random deal of the sample, with two house rules, has met."""
    text = GOOD.replace('suit = "same",', 'suit = "same", from = "all",')
    game, notes = check((text + OF_TWO.replace("WHEN", when)).encode())
    assert game is not None
    return [str(note.wrong.values["key"]) for note in notes if note.wrong.fact == "kit_never"]


def test_rules_that_come_up_only_with_two_choices_are_played() -> None:
    assert never_met("turned_trick and size = 2 and length > 1") == []
    assert never_met("turned_trick and size = 3 and length > 1") == ["effect.big"]
