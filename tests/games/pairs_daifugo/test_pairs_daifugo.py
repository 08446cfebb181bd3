"""ペアーズ大富豪, heading by heading of its source, and the rulings where that is silent."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from table_talk import check

from referee.core.game import options
from referee.core.pyramid import built, covers, rows, uncovered, without
from referee.core.record import Grammar, Unreadable, read
from referee.core.verdict import Illegal, Legal
from referee.games import GAMES, pairs_daifugo
from referee.games.pairs_daifugo import HAND, ROWS, Lay, Pass
from referee.games.simulation import played, table
from referee.rulings.report import replay

ROWS_OF_THREE = "A row 7 7 9\nB row 8 9 10\nC row 10 10 6\nD row 5 8 10\n"
OPEN = "A row 9 9 9 9\nB row 10 10 10 10\nC row 7 7 7 7\n"
OF_FOUR = "A row 7 7 9 8\nB row 8 9 10 10\nC row 10 10 6 5\n"


def record(seats: str, text: str, **house: str) -> str:
    """A record that begins with a deal led by the first seat."""
    rules = "".join(f"option: {key}={value}\n" for key, value in house.items())
    lines = "\n".join(map(str.strip, text.strip().split("\n")))
    head = f"referee: 1\ngame: pairs_daifugo\nseats: {seats}\n{rules}\n"
    return f"{head}table deal leader={seats.split()[0]}\n{lines}\n"


def judged(seats: str, text: str, **house: str) -> dict[str, Any]:
    """Answers to such a record."""
    return check(record(seats, text, **house))


def three(text: str, **house: str) -> dict[str, Any]:
    """Three seats with four rows each."""
    return judged("A B C", OF_FOUR + text, **house)


def four(text: str, **house: str) -> dict[str, Any]:
    """Four seats with three rows each; A has 7 7 9 at d e f."""
    return judged("A B C D", ROWS_OF_THREE + text, **house)


def says(answer: dict[str, Any], seq: int) -> str:
    return str(answer["entries"][seq - 1]["says"])


# ---------------------------------------------------------------- ゲームの準備


@pytest.mark.parametrize(
    ("seats", "cards", "pyramid", "hand", "left"),
    [(2, 27, 21, 6, 1), (3, 18, 10, 8, 1), (4, 13, 6, 7, 3), (5, 11, 6, 5, 0), (6, 9, 6, 3, 1)],
)
def test_haifu_maisuu(seats: int, cards: int, pyramid: int, hand: int, left: int) -> None:
    """The two tables of ゲームの準備 (D-G2)."""
    assert len("".join(rows(ROWS[seats]))) == pyramid
    assert HAND[seats] == hand
    assert pyramid + hand == cards
    assert 55 - seats * cards == left


@pytest.mark.parametrize("seats", ["A B", "A B C", "A B C D", "A B C D E", "A B C D E F"])
def test_a_deal_lies_as_the_table_says(seats: str) -> None:
    answer = judged(seats, f"# to act {seats}")
    n = len(seats.split())
    assert answer["public"]["hands"] == dict.fromkeys(seats.split(), HAND[n])
    for pyramid in answer["public"]["pyramids"].values():
        assert pyramid == dict.fromkeys("".join(rows(ROWS[n])))


@pytest.mark.parametrize("seats", ["A", "A B C D E F G"])
def test_other_numbers_of_players_are_unreadable(seats: str) -> None:
    with pytest.raises(Unreadable) as fault:
        judged(seats, "")
    assert fault.value.fact == "read_seat_count"


def test_rows_come_in_any_order_and_lie_open() -> None:
    answer = judged("A B C D", "C row 10 10 6 # legal pyramid.2\n# to act A B D")
    assert answer["public"]["pyramids"]["C"] == {
        **dict.fromkeys("abc"),
        **dict(zip("def", (10, 10, 6), strict=True)),
    }


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("A row 7 7", "pyramid.1"),
        ("A row 7 7 9 1", "pyramid.1"),
        ("A row 7 7 11", "deck.1"),
        ("A row 2 2 2", "deck.2"),
        ("A lay 7", "pyramid.2"),
        ("A pass", "pyramid.2"),
        ("A turn a 7", "pyramid.2"),
        ("table deal leader=A", "game.2"),
    ],
)
def test_before_the_rows_are_known(line: str, clause: str) -> None:
    judged("A B C D", f"{line}  # illegal {clause}\n# to act A B C D")


def test_each_row_once_and_before_the_first_lay() -> None:
    four("A row 7 7 9 # illegal pyramid.2\nA lay 1\nB row 1 2 3 # illegal pyramid.2\n# to act B")


def test_the_copies_in_rows_count() -> None:
    """Three 2s can't lie in two rows; the entry that shows the first ones is the evidence."""
    answer = judged("A B C D", "A row 2 2 9\nB row 8 2 10 # illegal deck.2\n# to act B C D")
    assert [fact["seq"] for fact in answer["entries"][2]["evidence"]] == [None, 2]


def test_the_table_says_who_leads_the_first_game() -> None:
    """D3."""
    head = "referee: 1\ngame: pairs_daifugo\nseats: A B C\n\n"
    answer = check(
        f"{head}A lay 4 # illegal game.1\n"
        "A row 1 # illegal game.1\n"
        "table deal # illegal starter.1\n"
        "table deal leader=C # legal starter.1\n"
        "# to act C A B\n"
    )
    assert answer["public"]["leader"] == "C"


# ---------------------------------------------------------------- 【1】


def test_rei_8_wo_3mai() -> None:
    """The example of 【1】 (D-G1): 8 8 from the hand and a face-up 8. No order turns (D15)."""
    answer = three("A lay 8 8 8 using j # legal lead.1\n# to act B")
    assert answer["public"]["high"] == 1
    assert answer["public"]["hands"]["A"] == 6
    assert answer["public"]["trick"] == [["A", [8, 8, 8]]]
    assert "j" not in answer["public"]["pyramids"]["A"]


def test_the_pyramid_flips() -> None:
    """D-G6: rows a / b c / d e f with 7 7 9."""
    answer = four(
        """
        A lay 7 7 7 using d e b # illegal cards.3
        A lay 7 7 using d e  # legal lead.1
        # to act A
        """
    )
    assert answer["public"]["high"] == 10
    assert answer["public"]["pyramids"]["A"] == {"a": None, "b": None, "c": None, "f": 9}
    answer = four(
        """
        A lay 7 7 using d e
        B lay 8 8 using d # illegal turning.1
        A lay 9           # illegal turning.1
        A turn c 7        # illegal turning.1
        A turn a 7        # illegal turning.1
        A turn f 9        # illegal turning.1
        A turn d 7        # illegal turning.1
        B turn b 7        # illegal turning.1
        A turn b 11       # illegal deck.1
        A turn b 7        # legal turning.1
        # to act B
        """
    )
    assert answer["public"]["pyramids"]["A"] == {"a": None, "b": 7, "c": None, "f": 9}
    answer = four(
        """
        A lay 7 7 using d e
        A turn b 7
        B pass
        C pass
        D pass
        A lay 7 7 using b b # illegal cards.2
        A lay 7 7 using b   # legal lead.1
        # to act B
        B pass
        C pass
        D pass
        A lay 9 using f     # legal lead.1
        # to act A
        A turn c 5
        B pass
        C pass
        D pass
        A lay 5 using c
        A turn a 6          # legal turning.1
        # to act B
        """
    )
    assert answer["public"]["pyramids"]["A"] == {"a": 6}
    assert answer["public"]["hands"]["A"] == 6


def test_several_cards_uncovered_at_once_in_any_order() -> None:
    judged(
        "A B C D",
        """
        A row 7 7 7
        B row 8 9 10
        C row 10 10 6
        D row 5 8 10
        A lay 7 7 7 using d e f
        # to act A
        A turn c 4 # legal turning.1
        D turn c 4 # illegal turning.1
        A turn b 3 # legal turning.1
        # to act B
        """,
    )


def test_only_the_last_cover_uncovers() -> None:
    answer = four("A lay 7 using e\n# to act B")
    assert answer["public"]["pyramids"]["A"]["b"] is None


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("A lay 7 8", "cards.1"),
        ("A lay 11 11", "deck.1"),
        ("A lay 7 using f", "cards.2"),
        ("A lay 9 using f f", "cards.2"),
        ("A lay 7 using d e", "cards.2"),
        ("A lay 7 7 using d d", "cards.2"),
        ("A lay 7 using g", "cards.2"),
        ("A lay 7 using u", "cards.2"),
        ("A lay 7 using b", "cards.3"),
        ("A lay 10*8", "cards.2"),
        ("A lay 2 2 2", "deck.2"),
        ("A lay 1*2", "deck.2"),
        ("A pass", "lead.1"),
        ("B lay 1", "turn.1"),
        ("B pass", "turn.1"),
    ],
)
def test_refused_leads(line: str, clause: str) -> None:
    """D4, D5, D6, X6."""
    four(f"{line} # illegal {clause}\n# to act A")


def test_a_lead_from_several_places_and_the_hand() -> None:
    """D5."""
    answer = four("A lay 7*4 using e d # legal lead.1")
    assert answer["entries"][5]["text"] == "A lay 7*4 using e d"
    assert answer["public"]["hands"]["A"] == 5


def test_a_hand_has_no_more_cards_than_were_dealt() -> None:
    """Six seats hold three each; what comes from the pyramid is not in the hand."""
    rows = "A row 9 9 9\nB row 8 8 8\nC row 7 7 7\nD row 6 6 6\nE row 5 5 5\nF row 10 10 10\n"
    judged(
        "A B C D E F", rows + "A lay 9*4 # illegal cards.2\nA lay 9*6 using d e f # legal lead.1"
    )


def test_a_third_2_is_refused_with_the_entries_that_show_the_copies() -> None:
    answer = four(
        """
        A lay 2
        B lay 1
        C pass
        D pass
        A pass
        B lay 10 using f
        B turn c 2  # illegal turning.1
        C lay 9
        D pass
        A pass
        B lay 2     # legal follow.2
        C lay 2     # illegal deck.2
        """
    )
    found = answer["entries"][16]
    assert [fact["seq"] for fact in found["evidence"]] == [None, 6, 16]


def test_open_pyramid_cards_count_as_seen() -> None:
    """Two 7s lie open with A: six can't come from the hand of B, who may hold five."""
    answer = four("A lay 5\nB lay 7*6 # illegal deck.2")
    assert answer["entries"][6]["evidence"][1] == {
        "fact": "A's bottom row has two 7s.",
        "seq": 2,
    }


# ---------------------------------------------------------------- 【2】 【3】


def test_a_follower_lays_as_many_and_stronger() -> None:
    """D9: neither equal nor fewer nor more; 1 > 2 > … > 10."""
    answer = four(
        """
        A lay 6
        B lay 6     # illegal follow.2
        B lay 8 using d # illegal follow.2
        B lay 5 5   # illegal follow.1
        B lay 5     # legal follow.2
        C lay 4     # legal follow.2
        D lay 1     # legal follow.2
        # to act A
        """
    )
    assert says(answer, 7).startswith("A 6 is no stronger than a 6")
    assert [fact["seq"] for fact in answer["entries"][6]["evidence"]] == [6, None]


@pytest.mark.parametrize(("start", "high"), [("A lay 8 8 8 8\nB pass\nC pass\n", 10), ("", 1)])
@pytest.mark.parametrize("led", range(1, 11))
def test_kaado_no_tsuyosa(start: str, high: int, led: int) -> None:
    """1 > 2 > … > 10, in a revolution the other way round: all that beats each number."""
    log = replay(read(record("A B C", OPEN + start + f"A lay {led}").encode(), GAMES))
    stronger = [
        rank
        for rank in range(1, 11)
        if not isinstance(pairs_daifugo.judge(log.state, Lay("B", (rank,))), Illegal)
    ]
    assert stronger == (list(range(led + 1, 11)) if high == 10 else list(range(1, led)))


def test_fewer_cards_are_refused_too() -> None:
    four("A lay 6 6 6\nB lay 4 # illegal follow.1\nB lay 4 4 # illegal follow.1\nB lay 4*3")


def test_pass_lock() -> None:
    """D-G7: B passed and stays out, although B holds the 1."""
    three(
        """
        A lay 6
        B pass     # legal pass.1
        C lay 5
        A lay 4
        B lay 1    # illegal pass.2
        B pass     # illegal pass.2
        # to act C
        C pass
        # to act A
        """
    )


def test_a_pass_needs_no_reason() -> None:
    """D8: with a stronger card open in the own pyramid."""
    four("A lay 10\nB pass # legal pass.1\n# to act C")


def test_the_trick_ends_when_all_but_one_have_passed() -> None:
    """D22: whoever laid last leads, and everybody is in again."""
    answer = four("A lay 6\nB lay 5\nC pass\nD pass\nA pass # legal pass.1\n# to act B")
    assert answer["public"]["trick"] == []
    assert answer["public"]["leader"] == "B"
    assert answer["public"]["passed"] == []


def test_those_who_have_passed_are_public() -> None:
    assert four("A lay 6\nB pass\nC pass")["public"]["passed"] == ["B", "C"]


def test_two_players_one_pass_ends_the_trick() -> None:
    """D29."""
    judged("A B", "A row 1 2 3 4 5 6\nB row 7 7 8 8 9 9\nA lay 6 using u\nB pass\n# to act A")


def test_nobody_passes_when_everybody_follows_round_and_round() -> None:
    lays = [f"{seat} lay {rank}" for seat, rank in zip("ABC" * 3, range(9, 0, -1), strict=True)]
    three("\n".join([*lays, "# to act A"]))


# ---------------------------------------------------------------- 革命


def test_four_equal_cards_turn_the_order_for_good() -> None:
    """D17, D20: 6666 has turned the order, so 7777 may answer it and 5555 may not."""
    answer = four(
        """
        A lay 6*4   # legal lead.1
        B lay 5*4   # illegal follow.2
        B lay 7*4   # legal follow.2
        C pass
        D pass
        A pass
        B lay 2     # legal lead.1
        C lay 1     # legal follow.2
        """
    )
    assert answer["public"]["high"] == 1


def test_before_the_revolution_the_old_order_holds() -> None:
    """D20: after the trick of the revolution 10 is still strongest."""
    answer = four("A lay 6*4\nB pass\nC pass\nD pass\nA lay 9\nB lay 10 # legal follow.2")
    assert answer["public"]["high"] == 10
    answer = four("A lay 4*4\nB lay 6*4 # legal follow.2\n")
    assert answer["public"]["high"] == 1
    four("A lay 4*4\nB lay 6*4\nC lay 7*4 # illegal follow.2\nC lay 5*4 # legal follow.2")


def test_each_revolution_turns_and_each_only_once() -> None:
    """D18, D19: five, six and eight cards."""
    for count in (4, 5, 6, 8):
        using = " ".join("pqrstu"[:count])
        lead = f"A row 8*6\nB row 9*6\nA lay 8*{count} using {using}"
        answer = judged("A B", f"{lead} # legal lead.1")
        assert answer["public"]["high"] == 10


def test_a_revolution_is_over_with_the_deal() -> None:
    """D20, D26: out with four 9s; the next deal is led from the left, 1 strongest again."""
    answer = judged(
        "A B C D E F",
        """
        A row 9 9 9
        B row 8 8 8
        C row 7 7 7
        D row 6 6 6
        E row 5 5 5
        F row 10 10 10
        A lay 9*6 using d e f # legal lead.1
        A turn b 10
        A turn c 10
        B pass
        C pass
        D pass
        E pass
        F pass
        A lay 10 10 using b c # legal lead.1
        A turn a 4
        B pass
        C pass
        D pass
        E pass
        F pass
        A lay 4 using a       # legal lead.1
        # to act
        # score A 1, B 0, C 0, D 0, E 0, F 0
        # outcome open
        """,
    )
    assert answer["public"]["high"] == 10
    assert answer["public"]["leader"] == "B"
    assert answer["public"]["hands"] == {"A": 0, "B": 3, "C": 3, "D": 3, "E": 3, "F": 3}
    assert answer["public"]["pyramids"]["A"] == {}
    assert answer["public"]["pyramids"]["B"] == {
        **dict.fromkeys("abc"),
        **dict.fromkeys("def", 8),
    }


def test_three_cards_are_no_revolution() -> None:
    assert four("A lay 6*3")["public"]["high"] == 1


# ---------------------------------------------------------------- ペアーズバック


def test_a_pair_round() -> None:
    """D-G3: 10-high for its followers, no second flip, 1-high again afterwards."""
    answer = three(
        """
        A lay 8 8 using j # legal lead.1
        A turn f 1        # illegal turning.1
        B lay 7 7         # illegal follow.2
        B lay 8 8 using g # illegal follow.2
        B lay 9 9 using h # legal follow.2
        C lay 8 8         # illegal follow.2
        C lay 10 10 using g h # legal follow.2
        C turn d 3
        A pass
        B pass
        # to act C
        """
    )
    assert answer["public"]["high"] == 1
    three("A lay 8 8 using j\nB pass\nC pass\nA lay 8\nB lay 7 # legal follow.2")


def test_the_state_of_the_round_is_public() -> None:
    assert three("A lay 8 8 using j")["public"]["high"] == 10
    assert three("A lay 8 8 using j\nB lay 9 9 using h")["public"]["high"] == 10


def test_pairs_in_a_trick_of_three_do_not_count() -> None:
    """D15."""
    assert three("A lay 8 8 8 using j")["public"]["high"] == 1


IN_REVOLUTION = "A lay 6*4\nB pass\nC pass\nD pass\nA lay 8 8\n"


def test_pair_in_revolution_stays() -> None:
    """D12, as written: the state of revolution already holds."""
    answer = four(IN_REVOLUTION + "B lay 7 7 # illegal follow.2\nB lay 9 9 # legal follow.2")
    assert answer["public"]["high"] == 10


def test_pair_in_revolution_toggles_where_the_table_says_so() -> None:
    answer = four(
        IN_REVOLUTION
        + """
        B lay 9 9 using e # illegal follow.2
        B lay 7 7 # legal follow.2
        C lay 5 5 # legal follow.2
        """,
        pairs_back_in_revolution="toggle",
    )
    assert answer["public"]["high"] == 1
    answer = four(
        IN_REVOLUTION + "B pass\nC pass\nD pass",
        pairs_back_in_revolution="toggle",
    )
    assert answer["public"]["high"] == 10


def test_toggle_changes_nothing_without_a_revolution() -> None:
    answer = three("A lay 8 8 using j", pairs_back_in_revolution="toggle")
    assert answer["public"]["high"] == 10


@pytest.mark.parametrize(
    ("setting", "cards", "fact"),
    [
        ("stay", "9*2", "A pair led during a revolution changes nothing: 10 stays strongest."),
        ("toggle", "7*2", "Because of Pairs Back, 1 is strongest in this trick."),
    ],
)
def test_the_verdict_says_why_the_order_is_so(setting: str, cards: str, fact: str) -> None:
    answer = four(IN_REVOLUTION + f"B lay {cards}", pairs_back_in_revolution=setting)
    assert fact in says(answer, 11)


# ---------------------------------------------------------------- D11


def passes(text: str, seats: str = "ABCD", rows: str = ROWS_OF_THREE) -> tuple[str, ...]:
    """Who could be passed for after ``text``."""
    head = f"referee: 1\ngame: pairs_daifugo\nseats: {' '.join(seats)}\n\ntable deal leader=A\n"
    record: Any = read((head + rows + text + "\n").encode(), GAMES)
    log = replay(record)
    assert not any(isinstance(step.verdict, Illegal) for step in log.steps())
    return pairs_daifugo.sure_passes(log.state)


def test_nobody_can_beat_it() -> None:
    """D-G11."""
    assert passes("A lay 1") == ("B", "C", "D")
    assert passes("A lay 3*3") == ("B", "C", "D")
    assert passes("A lay 10*2") == ("B", "C", "D")
    assert passes("A lay 4*4") == ()
    assert passes("A lay 3*2") == ()
    assert passes("A lay 2") == ()


def test_only_those_still_in_are_passed_for() -> None:
    assert passes("A lay 5\nB pass\nC lay 1") == ("D", "A")
    assert passes("A lay 1\nB pass") == ("C", "D")


def test_cards_already_seen_prove_it_too() -> None:
    """The only 1 has been laid, so nothing beats a 2."""
    assert passes("A lay 1\nB pass\nC pass\nD pass\nA lay 2") == ("B", "C", "D")
    assert passes("A lay 2") == ()


def test_in_a_revolution_nothing_beats_a_10() -> None:
    ready = "A lay 6*4\nB pass\nC pass\nD pass\n"
    assert passes(ready + "A lay 10") == ("B", "C", "D")
    assert passes(ready + "A lay 9") == ()


def test_the_size_of_a_hand_proves_it_too() -> None:
    """After four 9s nobody's three cards make four 10s, though one more lies open with F."""
    rows = "A row 9 9 9\nB row 8 8 8\nC row 7 7 7\nD row 6 6 6\nE row 5 5 5\nF row 10 8 8\n"
    assert passes("A lay 9*4 using d e f\nA turn b 1\nA turn c 2", "ABCDEF", rows) == ()
    rows = rows.replace("10 8 8", "7 8 8")
    assert passes("A lay 9*4 using d e f\nA turn b 1\nA turn c 2", "ABCDEF", rows) == tuple("BCDEF")


def test_nobody_is_passed_for_while_a_card_is_to_be_turned_up() -> None:
    assert passes("A lay 7*4 using d e") == ()


def test_suggest_and_off_ask_for_every_pass() -> None:
    for setting in ("suggest", "off"):
        four("A lay 1\n# to act B", auto_close_round=setting)


def test_auto_ends_the_trick_by_itself() -> None:
    answer = four(
        """
        A lay 1  # legal lead.1
        B pass   # illegal trick.2
        A pass   # illegal lead.1
        # to act A
        """,
        auto_close_round="auto",
    )
    assert answer["public"]["trick"] == []
    assert answer["public"]["leader"] == "A"
    assert answer["entries"][6]["evidence"][0]["seq"] == 6


@pytest.mark.parametrize(
    ("lead", "closes"),
    [
        ("1", True),
        ("2", False),
        ("2 2", False),  # 10-high
        ("3 3 3", True),
        ("10 10", True),
        ("9 9", False),
        ("4*4", False),
        ("10*5", True),  # turns the order, and nothing is above 10
    ],
)
def test_auto_counts_the_copies_of_the_deck(lead: str, closes: bool) -> None:
    answer = four(f"A lay {lead}", auto_close_round="auto")
    assert (answer["to_act"] == ["A"]) == closes


def test_auto_does_not_count_what_has_been_laid() -> None:
    """After the 1 a 2 is safe, but as the deck goes it is not."""
    four("A lay 1\nA lay 2\n# to act B", auto_close_round="auto")


def test_auto_lets_the_cards_be_turned_up_first() -> None:
    four(
        """
        A lay 7 7 using d e
        A turn b 10
        B pass
        C pass
        D pass
        A lay 10 10 using b
        # to act A
        """,
        auto_close_round="auto",
    )
    judged(
        "A B C D",
        """
        A row 10 10 9
        B row 8 9 10
        C row 10 10 6
        D row 5 8 7
        A lay 10 10 using d e
        A lay 3     # illegal turning.1
        B pass      # illegal turning.1
        A turn b 4  # legal turning.1
        B pass      # illegal trick.2
        A lay 3     # legal lead.1
        """,
        auto_close_round="auto",
    )


# ---------------------------------------------------------------- 【4】 【5】

SIX_ROWS = """
A row 9 9 9
B row 8 8 8
C row 7 7 7
D row 6 6 6
E row 5 5 5
F row 10 10 10
"""


def all_pass(*seats: str) -> str:
    return "".join(f"{seat} pass\n" for seat in seats)


NEARLY_OUT = (
    SIX_ROWS
    + "A lay 9*6 using d e f\nA turn b 10\nA turn c 10\n"
    + all_pass(*"BCDEF")
    + "A lay 10 10 using b c\nA turn a 4\n"
    + all_pass(*"BCDEF")
)


def test_an_empty_hand_is_not_enough() -> None:
    """D23: the hand is gone after six 9s, pyramid cards are left, some of them newly turned."""
    judged("A B C D E F", NEARLY_OUT + "# to act A\n# score A 0, B 0, C 0, D 0, E 0, F 0")


def test_cards_in_hand_are_not_enough_either() -> None:
    answer = judged(
        "A B C D E F",
        SIX_ROWS
        + "A lay 9*3 using d e f\nA turn b 10\nA turn c 10\n"
        + all_pass(*"BCDEF")
        + "A lay 10 10 using b c\nA turn a 4\n"
        + all_pass(*"BCDEF")
        + "A lay 4 using a\n# to act B\n# score A 0, B 0, C 0, D 0, E 0, F 0",
    )
    assert answer["public"]["hands"]["A"] == 3
    assert answer["public"]["pyramids"]["A"] == {}


def test_going_out_ends_the_game_at_once() -> None:
    """D24, D25: in mid-trick, whatever could still follow."""
    answer = judged(
        "A B C D E F",
        NEARLY_OUT
        + """
        A lay 4 using a     # legal lead.1
        B lay 10            # illegal game.1
        B pass              # illegal game.1
        B turn a 3          # illegal game.1
        B row 1 2 3         # illegal game.1
        table deal leader=A # illegal starter.2
        table deal          # legal starter.2
        # to act B C D E F A
        """,
    )
    assert "wins this deal" in says(answer, 23)
    assert answer["public"]["high"] == 1
    assert answer["public"]["wins"] == {"A": 1, "B": 0, "C": 0, "D": 0, "E": 0, "F": 0}


def test_the_winners_left_may_be_named() -> None:
    judged("A B C D E F", NEARLY_OUT + "A lay 4 using a\ntable deal leader=B # legal starter.2")


def test_going_out_with_a_revolution() -> None:
    """D24: no play is forbidden as the last."""
    judged(
        "A B C D E F",
        SIX_ROWS
        + "A lay 9*3 using d e f\nA turn b 10\nA turn c 10\n"
        + all_pass(*"BCDEF")
        + "A lay 10 10 using b c\nA turn a 9\n"
        + all_pass(*"BCDEF")
        + """
        A lay 9*4 using a # legal lead.1
        # score A 1, B 0, C 0, D 0, E 0, F 0
        # to act
        """,
    )


def won(seats: str, by: str) -> str:
    """A deal of six in which ``by``, the leader, lays everything."""
    others = seats[seats.index(by) + 1 :] + seats[: seats.index(by)]
    given = iter(("8 8 8", "7 7 7", "6 6 6", "5 5 5", "10 10 10"))
    lines = [f"{by} row 9 9 9", *(f"{seat} row {next(given)}" for seat in others)]
    lines += [f"{by} lay 9*6 using d e f", f"{by} turn b 10", f"{by} turn c 10"]
    lines += [f"{seat} pass" for seat in others]
    lines += [f"{by} lay 10 10 using b c", f"{by} turn a 4"]
    lines += [f"{seat} pass" for seat in others]
    return "\n".join([*lines, f"{by} lay 4 using a"]) + "\n"


@pytest.mark.parametrize("needed", ["1", "2", "3", "4", "5"])
def test_as_many_wins_are_needed_as_agreed(needed: str) -> None:
    """D27. The leader moves to the winner's left, so the seats win one after the other."""
    seats, text = "ABCDEF", ""
    for deal in range(6 * (int(needed) - 1)):
        text += ("" if deal == 0 else "table deal\n") + won(seats, seats[deal % 6])
    head = "" if needed == "1" else "table deal\n"
    standing = ", ".join(f"{seat} {int(needed) - (seat != 'A')}" for seat in seats)
    answer = judged(
        " ".join(seats),
        f"{text}{head}{won(seats, 'A')}# outcome A outcome.1\n# score {standing}\n# to act\n"
        "table deal # illegal end.1\nA lay 5 # illegal end.1\nB row 1 # illegal end.1\n"
        "A pass # illegal end.1\nA turn b 3 # illegal end.1",
        **({} if needed == "2" else {"wins_needed": needed}),
    )
    assert answer["public"]["leader"] is None


def test_the_arithmetic_is_a_line_a_win() -> None:
    log = played(pairs_daifugo, "ABC", seed=5)
    sheet = pairs_daifugo.score(log.state)
    totals = Counter(line.seat for line in sheet.lines)
    assert {seat: totals[seat] for seat in "ABC"} == dict(sheet.totals)
    assert [line.deal for line in sheet.lines] == list(range(1, len(sheet.lines) + 1))
    for line in sheet.lines:
        assert (line.points, line.clause) == (1, "win.1")
        [step] = [s for s in log.steps() if s.depth == line.evidence[0].at]
        assert step.play.seat == line.seat
        assert step.state.hands[line.seat] == 0
        assert not step.state.pyramids[line.seat]


def test_a_line_names_the_trick_in_which_the_seat_went_out() -> None:
    log = replay(read(record("A B C D E F", won("ABCDEF", "A")).encode(), GAMES))
    [line] = pairs_daifugo.score(log.state).lines
    assert (line.seat, line.deal, line.trick) == ("A", 1, 3)


def test_there_is_no_tally_sheet() -> None:
    source = b"referee: 1\ntally: pairs_daifugo\nseats: A B\n\nA: 2\n"
    with pytest.raises(Unreadable) as fault:
        read(source, GAMES)
    assert (fault.value.fact, fault.value.line) == ("read_tally_none", 2)


# ---------------------------------------------------------------- house rules for the page alone


@pytest.mark.parametrize(("key", "value"), [("pyramid_build", "chosen"), ("show_counts", "off")])
def test_settings_that_change_no_verdict(key: str, value: str) -> None:
    text = "A lay 7 7 using d e\nA turn b 7\nB lay 9*9 using e # illegal cards.2\nB lay 9 9"
    assert four(text)["public"] == four(text, **{key: value})["public"]


# ---------------------------------------------------------------- the table rules otherwise


@pytest.mark.parametrize(
    ("illegal", "after"),
    [
        ("A pass # illegal lead.1", "B"),  # the lead moves on
        ("A lay 9 using b # illegal cards.3", "B"),  # a card from under two others
        ("B lay 9 # illegal turn.1", "C"),  # a lead out of turn
        ("A turn b 7 # illegal turning.1", "A"),  # a covered card looked at
    ],
)
def test_what_the_table_may_let_stand_before_a_lead(illegal: str, after: str) -> None:
    four(f"{illegal}\ntable rule 6 stands # legal log.3\n# to act {after}")


@pytest.mark.parametrize(
    ("illegal", "after"),
    [
        ("B lay 6 # illegal follow.2", "C"),
        ("B lay 9 9 # illegal follow.1", "C"),
        ("D lay 4 # illegal turn.1", "A"),
        ("C pass # illegal turn.1", "B"),  # early
    ],
)
def test_what_the_table_may_let_stand_in_a_trick(illegal: str, after: str) -> None:
    four(f"A lay 6\n{illegal}\ntable rule 7 stands # legal log.3\n# to act {after}")


@pytest.mark.parametrize(
    "illegal",
    [
        "A row 7 7 9 # illegal pyramid.2",
        "B pass # illegal turn.1",
        "A turn f 9 # illegal turning.1",
        "A turn b 11 # illegal turning.1",
        "A turn u 1 # illegal turning.1",
        "A lay 7 8 # illegal cards.1",
        "A lay 11 # illegal deck.1",
        "A lay 2 2 2 # illegal deck.2",
        "A lay 10*8 # illegal cards.2",
        "A lay 7 using f # illegal cards.2",
        "A lay 7 7 using d d # illegal cards.2",
        "A lay 7 using d e # illegal cards.2",
        "table deal leader=B # illegal game.2",
    ],
)
def test_what_has_no_sensible_effect(illegal: str) -> None:
    four(f"{illegal}\ntable rule 6 stands # illegal log.3\n# to act A")


def test_passes_that_change_nothing_cannot_be_ruled() -> None:
    four("A lay 6\nA pass # illegal turn.1\ntable rule 7 stands # illegal log.3\n# to act B")
    four("A lay 6\nB pass\nB pass # illegal pass.2\ntable rule 8 stands # illegal log.3")


def test_before_and_after_a_game_nothing_can_be_ruled() -> None:
    judged("A B C D", "A lay 6 # illegal pyramid.2\ntable rule 2 stands # illegal log.3")
    judged(
        "A B C D E F",
        NEARLY_OUT
        + "A lay 4 using a\nB lay 3 # illegal game.1\ntable rule 24 stands # illegal log.3\n"
        + "table deal leader=D # illegal starter.2\ntable rule 26 stands # legal log.3\n"
        + "# to act D E F A B C",
    )


def test_a_match_that_is_over_cannot_be_ruled_on() -> None:
    judged(
        "A B C D E F",
        NEARLY_OUT
        + "A lay 4 using a\nB pass # illegal end.1\ntable rule 24 stands # illegal log.3",
        wins_needed="1",
    )


def test_a_count_let_stand_is_the_count_to_follow() -> None:
    """What lies on top is what has to be beaten, and a pair turns the order."""
    answer = four(
        """
        A lay 6
        B lay 5 5  # illegal follow.1
        table rule 7 stands
        C lay 7    # illegal follow.1
        C lay 4 4  # illegal follow.2
        C lay 6 6  # legal follow.2
        """
    )
    assert answer["public"]["high"] == 10


def test_a_seat_that_is_let_in_again_is_in() -> None:
    answer = four(
        """
        A lay 6
        B pass
        C pass
        B lay 3    # illegal pass.2
        table rule 9 stands
        # to act D
        """
    )
    assert answer["public"]["passed"] == ["C"]


def test_a_covered_card_let_stand_leaves_the_pyramid_as_it_is() -> None:
    answer = four("A lay 3 using b # illegal cards.3\ntable rule 6 stands\n# to act B")
    assert answer["public"]["pyramids"]["A"] == {"a": None, "c": None, "d": 7, "e": 7, "f": 9}
    assert answer["public"]["hands"]["A"] == 7
    covered = "b (row 2 from the top, card 1 from the left) is still covered by"
    assert f"A's pyramid card {covered}" in says(answer, 6)
    four(
        "A lay 3 using b\ntable rule 6 stands\nB pass\nC pass\nD pass\nA lay 9 using f\n# to act B"
    )


def test_a_pass_let_stand_can_end_the_trick() -> None:
    four("A lay 6\nB pass\nD pass # illegal turn.1\ntable rule 8 stands\nC pass\n# to act A")
    four(
        "A lay 6\nB lay 5\nC pass\nA pass # illegal turn.1\ntable rule 9 stands\nD pass\n# to act B"
    )


def test_plays_while_a_card_is_due_can_be_let_stand() -> None:
    four(
        """
        A lay 7 7 using d e
        B lay 9 9 using e # illegal turning.1
        table rule 7 stands
        # to act A
        C pass            # illegal turning.1
        A turn b 3        # legal turning.1
        C pass            # legal pass.1
        """
    )


# ---------------------------------------------------------------- corrections


def test_an_amended_row_changes_what_may_be_laid() -> None:
    answer = four(
        """
        A lay 9 using f        # illegal cards.2
        table amend 2 A row 7 7 8
        # to act A
        """
    )
    assert answer["public"]["pyramids"]["A"]["f"] == 8


def test_a_forgotten_card_can_be_inserted() -> None:
    four(
        """
        A lay 7 7 using d e
        B lay 9 9 using e # legal follow.2
        table insert 7 A turn b 3
        # to act C
        """
    )


# ---------------------------------------------------------------- the line


@pytest.mark.parametrize(
    "line",
    [
        "table deal",
        "table deal leader=B",
        "A row 7 7 9",
        "A lay 8",
        "A lay 8 8 8",
        "A lay 8 8 8 using d e",
        "B turn u 10",
        "A pass",
        "table amend 7 A lay 8 using d",
        "table insert 7 A pass",
    ],
)
def test_lines_come_back_as_they_were(line: str) -> None:
    grammar = Grammar(pairs_daifugo, "AB")
    assert grammar.print(grammar.parse(line)) == line


@pytest.mark.parametrize(
    "line",
    [
        "A lay",
        "A lay using d",
        "A lay 8 using",
        "A lay 8 using v",
        "A lay 8 using D",
        "A lay 8 using dd",
        "A lay 8 using 1",
        "A lay Q",
        "A lay 0",
        "A row",
        "A turn b",
        "A turn 7 b",
        "A turn b 7 7",
        "A turn v 7",
        "A pass 3",
        "A show 3",
        "table deal A",
        "table deal dealer=A",
        "table pass",
    ],
)
def test_lines_that_say_nothing(line: str) -> None:
    with pytest.raises(Unreadable):
        Grammar(pairs_daifugo, "AB").parse(line)


# ---------------------------------------------------------------- geometry


def test_a_pyramid_is_covered_from_below() -> None:
    whole = built(3)
    assert list(whole) == list("abcdef")
    assert rows(6)[-1] == "pqrstu"
    assert covers(whole, "a") == ("b", "c")
    assert covers(whole, "c") == ("e", "f")
    assert covers(built(6), "f") == ("i", "j")
    assert covers(built(6), "p") == ()
    open_row = {**whole, "d": 7, "e": 7, "f": 9}
    assert uncovered(open_row) == ()
    assert uncovered(without(open_row, "de")) == ("b",)
    assert uncovered(without(open_row, "def")) == ("b", "c")
    assert covers(without(open_row, "d"), "b") == ("e",)


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize("seats", ["AB", "ABC", "ABCD", "ABCDE", "ABCDEF"])
@pytest.mark.parametrize("setting", [{}, {"auto_close_round": "auto"}])
def test_a_game_played_from_real_hands(seats: str, setting: dict[str, str]) -> None:
    """Whoever plays fairly is never refused, and no card appears or vanishes."""
    for seed in range(4):
        log = played(pairs_daifugo, seats, seed=seed, options=setting)
        assert all(isinstance(step.verdict, Legal) for step in log.steps())
        assert pairs_daifugo.audit(log.state) == ()
        assert pairs_daifugo.outcome(log.state) is not None
        for step in log.steps():
            state = step.state
            open_cards = Counter(
                card for pyramid in state.pyramids.values() for card in pyramid.values() if card
            )
            for rank in range(1, 11):
                assert open_cards[rank] <= state.copies.located[rank - 1] <= rank
            hidden = sum(state.hands.values()) + sum(
                list(pyramid.values()).count(None) for pyramid in state.pyramids.values()
            )
            left = 55 - sum(state.copies.located) - hidden
            assert left == {2: 1, 3: 1, 4: 3, 5: 0, 6: 1}[len(seats)]


def test_random_plays_that_are_not_refused_lead_to_an_end() -> None:
    """Whatever is legal leaves a table that can go on."""
    for seed in range(12):
        rng, seats = Random(seed), "ABCDEF"[: 2 + seed % 5]
        state = pairs_daifugo.setup(table(pairs_daifugo, seats))
        for _ in range(2_000):
            if pairs_daifugo.outcome(state):
                break
            plays = list(pairs_daifugo.candidates(state))
            rng.shuffle(plays)
            legal = (p for p in plays if isinstance(pairs_daifugo.judge(state, p), Legal))
            state = pairs_daifugo.apply(state, next(legal))
        assert pairs_daifugo.outcome(state)


def test_every_seat_in_turn_has_something_to_do() -> None:
    log = played(pairs_daifugo, "ABC", seed=3)
    for step in log.steps():
        due = pairs_daifugo.to_act(step.state)
        if due and step.state.trick and not step.state.turning:
            assert isinstance(pairs_daifugo.judge(step.state, Pass(due[0])), Legal)
        if pairs_daifugo.sure_passes(step.state):
            assert not any(isinstance(play, Lay) for play in options(pairs_daifugo, step.state))


def test_the_house_rules_are_those_that_records_name_the_default_first() -> None:
    values = {key: option.values for key, option in pairs_daifugo.OPTIONS.items()}
    assert values == {
        "pyramid_build": ("unseen", "chosen"),
        "pairs_back_in_revolution": ("stay", "toggle"),
        "auto_close_round": ("suggest", "auto", "off"),
        "wins_needed": ("2", "1", "3", "4", "5"),
        "show_counts": ("on", "off"),
    }


def test_who_sees_a_hand_is_offered_what_it_holds_of_what_it_may_hold() -> None:
    """For every number and every count in the hand: the same groups in the same order."""
    checked = 0
    for seats in ("AB", "ABCD"):
        for step in played(pairs_daifugo, seats, 4, most=120).steps():
            state = step.state
            for rank in range(1, 11) if state.due and not state.unknown_rows else ():
                may = list(pairs_daifugo.groups(state, state.due, rank))
                most = min(state.hands[state.due], state.copies.unseen(rank))
                for held in range(most + 1):
                    has = [group for group in may if len(group[0]) - len(group[1]) <= held]
                    assert list(pairs_daifugo.groups(state, state.due, rank, held)) == has
                    checked += bool(has)
    assert checked > 1000
