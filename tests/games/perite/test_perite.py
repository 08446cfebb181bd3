"""ペリテ（仮）, heading by heading of its source, and the rulings where that is silent."""

from __future__ import annotations

from typing import Any

import pytest
from table_talk import check, head, tricks

from referee.core.record import Unreadable
from referee.core.verdict import Evidence
from referee.games import perite
from referee.games.simulation import played, table
from referee.rulings import book

FIVE = "A B C D E"


def judged(seats: str, text: str, **options: str) -> dict[str, Any]:
    return check(head("perite", seats, **options) + tricks(text))


def points(seats: str, *columns: str) -> list[int]:
    """The points of a tally sheet."""
    lines = {seat: [(i, wins)] for i, (seat, wins) in enumerate(zip(seats, columns, strict=True))}
    return list(perite.tally(table(perite, seats), lines, 4, {}).sheet.totals.values())


# ------------------------------------------------------------------ the source's examples


def test_tokuten_no_rei() -> None:
    """得点の例 (P-G1): 16, 8, 24, 10 (a 6 and a 4), 13 in one of four ways (P23)."""
    for last in ("3 10", "4 9", "5 8", "6 7"):
        columns = ("3 3", "1/3 5", "7 7", "6 4", last)
        if last == "3 10":  # the three 3s would do, there are three
            assert points("ABCDE", *columns)[4] == 13
        assert points("ABCDE", *columns) == [16, 8, 24, 10, 13]


def test_pair_rule_no_rei() -> None:
    """ペアルールの例 (P-G2): D pairs the 7 of B, E may lay a 7 again, A wins with the 4."""
    answer = judged(
        FIVE,
        """
        A lay 4  # legal follow.1
        B lay 7  # legal follow.1
        C lay 9  # legal follow.1
        D lay 7  # unprovable follow.2
        """,
    )
    assert answer["public"]["trick"] == [["A", 4], ["B", 7, "down"], ["C", 9], ["D", 7, "down"]]
    answer = judged(
        FIVE, "A4 B7 C9 D7\nE lay 7  # legal follow.1\n# to act A\n# score A 4, B 0, C 0, D 0, E 0"
    )
    assert answer["public"]["tricks"] == {"A": 1, "B": 0, "C": 0, "D": 0, "E": 0}


@pytest.mark.parametrize(("cards", "worth"), [(5, 1), (4, 2), (3, 3), (2, 4), (1, 5)])
def test_the_one_counts_by_the_cards_in_the_trick(cards: int, worth: int) -> None:
    """特別ルールB (P-G6) with five players."""
    assert points("ABCDE", f"1/{cards}", "", "", "", "")[0] == worth


def test_other_sizes() -> None:
    """プレイ人数 (P-G9): four, three, two players and one."""
    assert points("ABCD", "1/4 8", "", "", "") == [9, 0, 0, 0]
    assert points("ABCD", "8 8", "", "", "") == [24, 0, 0, 0]
    assert points("ABC", "6 6", "1/2 6", "") == [18, 8, 0]
    assert points("AB", "4 4", "1/1 3") == [12, 5]
    assert points("A", "1/1 2") == [3]
    assert points("A", "2 2") == [6]


def test_one_player() -> None:
    """1 and 2 are three points; two 2s are six."""
    judged("A", "A1\nA2\n# score A 3\n# outcome A outcome.1")
    judged("A", "A2\nA2\n# score A 6\n# outcome A outcome.1")
    judged("A", "A2\nA lay 3  # illegal deck.1\n# to act A")


@pytest.mark.parametrize(("seats", "top"), [(5, 10), (4, 8), (3, 6), (2, 4), (1, 2), (6, 12)])
def test_the_deck_follows_the_number_of_players(seats: int, top: int) -> None:
    names = " ".join("ABCDEF"[:seats])
    judged(names, f"A lay {top + 1}  # illegal deck.1\nA lay {top}  # legal follow.1")


# ------------------------------------------------------------------ pairs


def test_the_third_card_of_a_number_may_win() -> None:
    """P5."""
    judged(
        FIVE,
        """
        A8 B9
        C lay 8  # unprovable follow.2
        D lay 8  # legal follow.1
        E10
        # score A 0, B 0, C 0, D 8, E 0
        # to act D
        """,
    )


def test_a_third_and_a_fourth_card_pair_again() -> None:
    """P6, P7: the visible 7 of D forbids 7 again; E meets it, and all four are down."""
    answer = judged(
        FIVE,
        """
        A7 B10
        C lay 7  # unprovable follow.2
        D lay 7  # legal follow.1
        E lay 7  # unprovable follow.2
        # score A 0, B 10, C 0, D 0, E 0
        # to act B
        """,
    )
    assert answer["public"]["tricks"]["B"] == 1


@pytest.mark.parametrize(("rank", "winner"), [(5, "B"), (6, "A")])
def test_the_forced_player_chooses_whom_to_hit(rank: int, winner: str) -> None:
    """P9."""
    judged("A B C", f"A5 B6\nC lay {rank}  # unprovable follow.2\n# to act {winner}")


def test_whoever_lays_the_one_wins_and_turned_cards_count_for_its_value() -> None:
    """P11, and the theorem that the 1 can't be paired."""
    judged(FIVE, "A9 B10 C9 D9 E1\n# score A 0, B 0, C 0, D 0, E 1\n# to act E")


def test_pairing_on_purpose_is_illegal_where_counting_shows_it() -> None:
    """P8: no hand of ten is of a number of which there are four."""
    answer = judged(FIVE, "A4\nB lay 4  # illegal follow.2")
    assert [fact["seq"] for fact in answer["entries"][2]["evidence"]] == [2, None]


# ------------------------------------------------------------------ winning and leading

# A wins twice with the 1 and a 2; B leads the third trick.
A_IS_OUT = "A1 B5 C6\nA2 B5 C6\n"


def test_two_wins_and_out() -> None:
    """P2: the lead passes to the next seat on the left that is still in."""
    assert judged("A B C", A_IS_OUT)["public"]["leader"] == "B"
    judged(
        "A B C",
        A_IS_OUT
        + """
        # score A 3, B 0, C 0
        # to act B
        A lay 3  # illegal win.2
        B3 C5
        """,
    )


def test_the_lead_skips_all_that_are_out() -> None:
    judged(
        "A B C D",
        "A1 B7 C8 D6\nA2 B7 C8 D6\nB3 C8 D6\nB2 C8 D7\n# to act C\n# score A 3, B 5, C 0, D 0",
    )


def test_n_is_the_number_of_players_of_the_match() -> None:
    """P17: after A is out a 1 wins 4 − 2 cards."""
    judged("A B C", "A2 B5 C6\nA2 B5 C6\nB1 C6\n# score A 10, B 2, C 0\n# to act B")


def test_the_last_player_goes_on_alone_and_wins_every_trick() -> None:
    """P13 and P15: a card a trick until the second win ends the deal."""
    judged(
        "A B C",
        A_IS_OUT
        + """
        B3 C5
        B3 C6
        # score A 3, B 12, C 0
        # to act C
        C lay 4   # legal follow.1
        C lay 4   # legal follow.1
        # score A 3, B 12, C 14
        # to act
        C lay 4   # illegal deal.1
        """,
    )


VOID = "A1 B3\nA4 B4\n"


def test_a_trick_in_which_every_card_is_turned_down() -> None:
    """P3, P4: nobody wins, the trick counts, the same seat leads again; P14: one win counts."""
    judged(
        "A B",
        """
        A1 B3
        A lay 4   # legal follow.1
        B lay 4   # unprovable follow.2
        # score A 1, B 0
        # to act A
        A2 B4
        B lay 4   # legal follow.1
        # score A 3, B 4
        # to act
        # outcome B outcome.1
        """,
        rounds="1",
    )


def test_the_last_player_to_lay_wins_a_trick_without_a_visible_card() -> None:
    """`no_winner=last_player`: with the number laid, and the lead follows P1 and P2."""
    judged("A B", VOID + "# score A 1, B 4\n# to act B\nB4 A2", no_winner="last_player")
    # A has won twice then, and B goes on alone
    text = "A1 B3\nB4 A4\n# score A 5, B 0\n# to act B\nB3\n# to act B\nB2\n# score A 5, B 5"
    judged("A B", text, no_winner="last_player", lead="left_of_leader")


def test_the_seat_to_the_left_leads_after_a_void_trick() -> None:
    """`no_winner_lead=left`, whatever `lead` says."""
    judged("A B", VOID + "# to act B", no_winner_lead="left")
    judged("A B", "A1 B3\nB4 A4\n# to act A", no_winner_lead="left", lead="left_of_leader")


def test_the_same_seat_leads_after_a_void_trick_whatever_the_lead() -> None:
    judged("A B", "A1 B3\nB4 A4\n# to act B", lead="left_of_leader")


def test_the_seat_to_the_left_of_the_leader_leads() -> None:
    """`lead=left_of_leader`; seats that are out are skipped."""
    judged(
        "A B C",
        """
        A4 B3 C5
        # to act B
        B3 C5 A4
        # to act C
        C4 A5
        # to act A
        """,
        lead="left_of_leader",
    )


# ------------------------------------------------------------------ scoring


def test_the_pair_bonus_comes_with_the_second_win() -> None:
    judged("A B C", "A2 B5 C6\n# score A 2, B 0, C 0\nA2 B5 C6\n# score A 10, B 0, C 0")


def test_the_lines_of_arithmetic() -> None:
    lines = {"A": [(1, "3 3")], "B": [(2, "1/3 5")], "C": [(3, "")]}
    sheet = perite.tally(table(perite, "ABC"), lines, 0, {}).sheet
    assert [(line.seat, line.points, line.clause, line.evidence[0]) for line in sheet.lines] == [
        ("A", 3, "score.1", Evidence("won_with", {"rank": 3})),
        ("A", 3, "score.1", Evidence("won_with", {"rank": 3})),
        ("A", 6, "score.2", Evidence("pair_bonus", {"rank": 3, "n": 3, "points": 6})),
        ("B", 1, "score.3", Evidence("won_with_one", {"n": 3, "cards": 3, "points": 1})),
        ("B", 5, "score.1", Evidence("won_with", {"rank": 5})),
    ]


def test_one_win_makes_no_pair_and_a_new_deal_forgets_it() -> None:
    """P14, P16: a number won in two deals is no pair."""
    log = played(perite, "ABC", seed=3)
    wins: dict[tuple[int, str], list[int]] = {}
    for line in perite.score(log.state).lines:
        if line.clause != "score.2":
            rank = line.evidence[0].values.get("rank", 1)
            wins.setdefault((line.deal, line.seat), []).append(rank)
    bonus = {(s.deal, s.seat) for s in perite.score(log.state).lines if s.clause == "score.2"}
    assert bonus == {at for at, ranks in wins.items() if len(ranks) == 2 and len({*ranks}) == 1}


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6, 12])
def test_whole_matches_of_every_size(seats: int) -> None:
    """P19, P20: n deals; nobody has more than two wins; without a void trick all have two."""
    names = "ABCDEFGHIJKL"[:seats]
    log = played(perite, names, seed=seats)
    assert log.state.ended
    for deal in range(1, seats + 1):
        lines = [
            s for s in perite.score(log.state).lines if s.deal == deal and s.clause != "score.2"
        ]
        wins = [sum(line.seat == seat for line in lines) for seat in names]
        assert max(wins) <= 2
        assert sum(wins) == len({line.trick for line in lines}) <= 2 * seats
    assert max(line.deal for line in perite.score(log.state).lines) == seats


# ------------------------------------------------------------------ revokes


def test_a_revoke_shows_when_the_same_hand_lays_another_number() -> None:
    """P-G10."""
    judged(
        FIVE,
        """
        A4 B9 C10
        D lay 9  # unprovable follow.2
        E10
        A8 B9 C8
        D lay 7  # legal follow.1
        # finding 5 D follow.2 by 10
        """,
    )


def test_a_revoke_is_refused_at_once_by_counting() -> None:
    judged("A B", "A2\nB lay 2  # illegal follow.2\nB lay 4  # legal follow.1")


def test_a_hand_put_aside_proves_nothing() -> None:
    """P12: D wins twice with 6s after the pair, and nobody sees what else there was."""
    judged(
        "A B C D",
        """
        A7 B8 C6
        D lay 8  # unprovable follow.2
        C8 D6 A7
        B lay 7  # unprovable follow.2
        D6 A7 B8 C8
        # score A 0, B 0, C 6, D 20
        # to act A
        D lay 5  # illegal win.2
        """,
    )


def test_a_hand_shown_is_a_fact() -> None:
    answer = judged(
        "A B C",
        """
        B show 3 4 4 5 6 6  # legal hand.3
        B show 3 4 4 5 6 6  # legal hand.3
        B show 3 4 4 5 6    # illegal hand.3
        C show 1 2          # illegal hand.3
        C show 1 2 2 3 3 3  # illegal deck.2
        C show 1 2 2 3 3 7  # illegal deck.1
        A6
        B lay 2             # illegal hand.3
        B lay 6             # illegal follow.2
        B lay 3             # legal follow.1
        C4
        """,
    )
    [refused] = [row for row in answer["entries"] if row["text"] == "B lay 6"]
    assert "B showed this hand: 3, 4, 4, 5, 6, 6." in refused["says"]


def test_a_hand_shown_refutes_as_what_it_is() -> None:
    """Nothing of it was laid; and each number is named once, however many copies there are."""
    answer = judged(
        "A B C",
        """
        A6 B5
        C lay 5             # unprovable follow.2
        C show 3 3 4 4 6    # legal hand.3
        # finding 4 C follow.2 by 5
        """,
    )
    assert answer["findings"][0]["says"] == (
        "C declared holding only 5s and 6s."
        " C later showed a 3 and a 4 in the same hand."
        " No card was drawn in between, so C already held a 3 and a 4 then:"
        " the declaration was not true."
    )


def test_a_hand_shown_to_hold_nothing_else_makes_the_pair_legal() -> None:
    """And nothing else is unseen: the table knows it of C without looking."""
    judged(
        "A B C",
        """
        A show 1 2 2 3 3 6  # legal hand.3
        B show 3 4 4 4 4 5  # legal hand.3
        A6 B5
        C lay 5             # legal follow.2
        """,
    )
    answer = judged(
        "A B C",
        """
        A5 B6
        C show 5 5 6 6 6 6  # legal hand.3
        C lay 6             # legal follow.2
        """,
    )
    assert "C showed this hand: 5, 5, 6, 6, 6, 6" in answer["entries"][-1]["says"]


@pytest.mark.parametrize("repeated", ["1/1 1/1", "1*2/3", "3/2", "1/2*1", "1/ 3"])
def test_a_one_is_entered_with_its_trick_and_nothing_else_is(repeated: str) -> None:
    with pytest.raises(Unreadable):
        points("ABC", repeated, "", "")


def test_the_house_rules_are_those_that_records_name_the_default_first() -> None:
    values = {key: option.values for key, option in perite.OPTIONS.items()}
    assert values == {
        "rounds": ("players", *map(str, range(1, 11))),
        "round_starter": ("rotate", "pick", "lowest_total"),
        "lead": ("winner", "left_of_leader"),
        "no_winner": ("void", "last_player"),
        "no_winner_lead": ("same", "left"),
    }


def test_its_title_says_where_the_rules_come_from() -> None:
    assert book("perite").label.en == "Perite (working title)"


def test_a_pair_says_that_both_cards_are_face_down_and_the_trick_what_it_is_worth() -> None:
    """P-G2: D's 7 meets B's, E plays a third one, A wins with the 4."""
    answer = judged("A B C D E", "A4 B7 C9 D7 E7")
    assert answer["entries"][4]["says"].endswith(
        "D's 7 and B's 7 are a pair: both go face down and cannot win."
    )
    assert answer["entries"][5]["says"] == (
        "No 7 is showing in this trick. A wins the trick with a 4: 4 points."
        " A leads the next trick."
    )


def test_the_1_says_its_sum_and_a_second_win_names_the_seat_that_is_out() -> None:
    answer = judged("A B C", "A2 B3 C4\nA1 B5 C6")
    assert answer["entries"][6]["says"] == (
        "No 6 is showing in this trick."
        " A wins the trick with the 1: 3 players + 1 − 3 cards in the trick = 1 point."
        " A has two wins and is out of this round. B leads the next trick."
    )
