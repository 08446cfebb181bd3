"""Fancy, heading by heading of its source, and the rulings where that is silent."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from table_talk import check, head, tricks

from referee.core.verdict import Evidence
from referee.games import fancy
from referee.games.simulation import played, table
from referee.rulings import book

# Four seats; before the last trick everybody holds one card, and A has the lead.
SEVEN_TRICKS = """
A1 B9 C8 D7
A2 B9 C8 D7
A2 B9 C8 D7
A3 B9 C8 D7
A3 B9 C8 D7
A3 B9 C8 D7
A4 B9 C8 D6
"""


def judged(seats: str, text: str, **options: str) -> dict[str, Any]:
    return check(head("fancy", seats, **options) + tricks(text))


def test_tokuten_no_rei() -> None:
    """得点の例 (F-G1): A 1, B 2, C 2, D 0, E 4, and B leads."""
    judged(
        "A B C D E",
        """
        A lay 5  # legal follow.1
        B lay 2  # legal follow.1
        C lay 4  # legal follow.1
        D lay 5  # unprovable follow.2
        E lay 9  # legal follow.1
        # score A 1, B 2, C 2, D 0, E 4
        # to act B
        """,
    )


def test_everyone_stuck_in_the_last_trick() -> None:
    """F-G2 and F8: 10, 0, 0, 0. A last card is certainly all there is."""
    answer = judged(
        "A B C D",
        SEVEN_TRICKS
        + """
        # score A 18, B 7, C 8, D 30
        # to act A
        A lay 10  # legal follow.1
        B lay 10  # legal follow.2
        C lay 10  # legal follow.2
        D lay 10  # legal follow.2
        # score A 28, B 7, C 8, D 30
        # to act
        """,
    )
    assert "This was B's last card." in answer["entries"][-3]["says"]


def test_a_leader_with_the_lowest_number_leads_again() -> None:
    judged("A B C", "A9 B9 C10\nA10\n# to act B\n# score A 9, B 0, C 1")


def test_the_first_player_of_the_lowest_number_leads_whoever_repeats_it() -> None:
    """F9."""
    judged("A B C", "A9 B8 C8\n# to act B\n# score A 1, B 8, C 0")


def test_abstainers_cards_never_matter_and_their_number_stays_forbidden() -> None:
    """F4, F6, F7: two abstain on different numbers; nobody else scores otherwise."""
    judged(
        "A B C D E F",
        """
        A7 B9
        C lay 9   # unprovable follow.2
        D lay 7   # unprovable follow.2
        E lay 10  # legal follow.1
        F lay 9   # unprovable follow.2
        # score A 7, B 2, C 0, D 0, E 1, F 0
        # to act A
        """,
    )


def test_a_repeat_that_the_cards_forbid() -> None:
    """Eight cards can't be of a number that exists only twice."""
    answer = judged(
        "A B C",
        """
        A2
        B lay 2  # illegal follow.2
        B lay 1  # legal follow.1
        """,
    )
    said = answer["entries"][2]["says"]
    why = "8 cards in hand and 1 seen elsewhere make 8 + 1 = 9; the deck has only 2 of them."
    assert why in said


def test_input_guard() -> None:
    """F-G7: a number on the table is never taken without its declaration."""
    log = played(fancy, "ABC", seed=1, most=1)
    state = fancy.apply(log.state, fancy.PLAYS[1](log.state.due[0], 9))  # type: ignore[call-arg]
    verdict = fancy.judge(state, fancy.PLAYS[1](state.due[0], 9))  # type: ignore[call-arg]
    assert verdict.premise.cards == (1, 2, 3, 4, 5, 6, 7, 8, 10)


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("A lay 11", "deck.1"),
        ("B lay 3", "turn.1"),
        ("table deal leader=A", "deal.2"),
    ],
)
def test_refused_at_the_first_card(line: str, clause: str) -> None:
    judged("A B C", f"{line}  # illegal {clause}\n# to act A")


def test_a_seat_that_has_laid_waits_for_the_next_trick() -> None:
    judged("A B C", "A5\nA lay 6  # illegal turn.1\n# to act B")


def test_no_more_copies_than_there_are() -> None:
    """X6."""
    judged(
        "A B C",
        """
        A1 B3 C4
        A lay 1  # illegal deck.2
        A2 B3 C9
        A2 B3 C9
        A lay 2  # illegal deck.2
        """,
    )


def test_a_revoke_is_proven_by_a_card_of_the_same_hand() -> None:
    """F5: C said that nothing but 8 and 9 was left, and then had a 5."""
    judged(
        "A B C",
        """
        A8 B9
        C lay 9  # unprovable follow.2
        A7 B9
        C lay 5  # legal follow.1
        # finding 4 C follow.2 by 7
        """,
    )


def test_a_revoke_is_proven_by_counting_what_the_others_lay() -> None:
    """All eight cards of B were to be 9s; with two elsewhere only seven are left."""
    judged(
        "A B C",
        """
        A9
        B lay 9  # unprovable follow.2
        C8
        C10
        A lay 9  # legal follow.1
        # finding 3 B follow.2 by 2 6
        """,
    )


def test_a_deal_has_eight_tricks_and_the_next_is_dealt_anew() -> None:
    """F11: the 1 and all the 9s are there again."""
    judged(
        "A B C D",
        SEVEN_TRICKS
        + """
        A10 B10 C10 D10
        A lay 1     # illegal deal.1
        table deal  # legal starter.1
        B1 C9 D8 A10
        # score A 29, B 8, C 9, D 37
        # to act B
        """,
    )


def test_between_deals_nobody_is_to_act() -> None:
    answer = judged("A B C D", SEVEN_TRICKS + "A10 B10 C10 D10\n# to act")
    assert answer["public"] == {
        "trick": [],
        "leader": "B",
        "tricks": {"A": 8, "B": 0, "C": 0, "D": 0},
        "totals": {"A": 28, "B": 7, "C": 8, "D": 30},
    }


def test_what_everybody_sees_during_a_trick() -> None:
    answer = judged("A B C", "A8 B9 C9\nA7 B9")
    assert answer["public"] == {
        "trick": [["A", 7], ["B", 9]],
        "leader": "A",
        "tricks": {"A": 1, "B": 0, "C": 0},
        "totals": {"A": 8, "B": 1, "C": 0},
    }


def test_all_plays_are_illegal_after_the_end() -> None:
    judged(
        "A B C D",
        SEVEN_TRICKS
        + """
        A10 B10 C10 D10
        table deal   # illegal end.1
        A lay 3      # illegal end.1
        A show 3     # illegal end.1
        # outcome D outcome.1
        # to act
        """,
        rounds="1",
    )


def test_the_points_of_a_trick_add_up_to_its_highest_number() -> None:
    """F-G8, for every four-card trick that the deck allows."""
    at = table(fancy, "ABCD")
    count = 0
    for ranks in product(range(1, 11), repeat=4):
        if any(ranks.count(rank) > rank for rank in ranks):
            continue
        line = " ".join(f"{seat}{rank}" for seat, rank in zip("ABCD", ranks, strict=True))
        totals = fancy.tally(at, {"trick": [(1, line)]}, 1, {}).sheet.totals
        assert sum(totals.values()) == max(ranks)
        different = sorted({*ranks})
        assert totals["ABCD"[ranks.index(different[0])]] == different[0]
        count += 1
    assert count == 10**4 - (6 * 81 + 4 * 9 + 1) - (4 * 9 + 1) - 1


@pytest.mark.parametrize("seats", ["ABC", "ABCD", "ABCDE", "ABCDEF"])
def test_the_arithmetic_of_whole_matches(seats: str) -> None:
    log = played(fancy, seats, seed=len(seats))
    sheet = fancy.score(log.state)
    for deal, trick in {(line.deal, line.trick) for line in sheet.lines}:
        lines = [line for line in sheet.lines if (line.deal, line.trick) == (deal, trick)]
        cards = [s.play.rank for s in log.steps() if trick_of(s, lines)]
        assert sum(line.points for line in lines) == max(cards)
    assert max(line.deal for line in sheet.lines) == len(seats)
    assert {line.clause for line in sheet.lines} <= {"score.1", "score.2", "score.3"}


def trick_of(step: Any, lines: list[Any]) -> bool:
    return step.depth in {fact.at for line in lines for fact in line.evidence}


def test_the_lines_of_arithmetic_of_the_example() -> None:
    sheet = fancy.tally(table(fancy, "ABCDE"), {"trick": [(1, "A5 B2 C4 D5 E9")]}, 1, {}).sheet
    assert [(line.seat, line.points, line.clause, line.evidence[0]) for line in sheet.lines] == [
        ("A", 1, "score.2", Evidence("difference", {"rank": 5, "lower": 4, "points": 1})),
        ("B", 2, "score.1", Evidence("lowest", {"rank": 2})),
        ("C", 2, "score.2", Evidence("difference", {"rank": 4, "lower": 2, "points": 2})),
        ("D", 0, "score.3", Evidence("abstained", {})),
        ("E", 4, "score.2", Evidence("difference", {"rank": 9, "lower": 5, "points": 4})),
    ]


def test_the_house_rules_are_those_that_records_name_the_default_first() -> None:
    values = {key: option.values for key, option in fancy.OPTIONS.items()}
    assert values == {
        "rounds": ("players", *map(str, range(1, 11))),
        "round_starter": ("rotate", "pick", "lowest_total"),
    }


def test_its_title_says_where_the_rules_come_from() -> None:
    assert book("fancy").label.ja == "ファンシー（紹介記事のルール）"


def test_the_last_card_of_a_trick_says_what_everybody_scored_and_who_leads() -> None:
    """F-G1: D forfeits, B's 2 is the lowest."""
    answer = judged("A B C D E", "A5 B2 C4 D5 E9")
    forfeits = "D repeats the 5 and forfeits this trick: 0 points."
    assert answer["entries"][4]["says"].endswith(forfeits)
    assert answer["entries"][5]["says"] == (
        "No 9 is showing in this trick."
        " The trick gives A 5 − 4 = 1, B 2, C 4 − 2 = 2, D 0 and E 9 − 5 = 4."
        " B leads the next trick."
    )
