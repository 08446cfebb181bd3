"""NEW_TITLE: the rules that only this game has."""

from __future__ import annotations

from table_talk import check

HEAD = "referee: 1\ngame: NEW_GAME\nseats: A B C\n\n"


def test_of_equal_cards_the_first_takes_the_trick() -> None:
    """score.1"""
    check(
        HEAD
        + """table deal leader=B  # legal deal.3
B lay 9  # legal play.1
C lay 9  # legal play.1
A lay 8  # legal play.1
# score A 0, B 1, C 0
# to act B
"""
    )


def test_the_left_neighbour_leads_the_deal_that_plays_a_tie_off() -> None:
    """start.1"""
    check(
        HEAD.replace("\n\n", "\noption: final_tie=replay\n\n")
        + """table deal leader=A  # legal deal.3
A lay 9
B lay 8
C lay 7
A lay 8
B lay 9
C lay 7
B lay 8
C lay 9
A lay 7
# score A 1, B 1, C 1
# to act
table deal leader=A  # illegal start.1
table deal leader=B  # legal start.1
# to act B
"""
    )


def test_deals_begin_and_end() -> None:
    check(
        HEAD
        + """A lay 1           # illegal deal.1
table deal           # illegal deal.3
table deal leader=A  # legal deal.3
table deal leader=B  # illegal deal.2
"""
    )


def test_a_card_that_is_not_there() -> None:
    check(
        HEAD
        + """table deal leader=A  # legal deal.3
A lay 1   # legal play.1
B lay 1   # illegal deck.2
B lay 11  # illegal deck.1
C lay 2   # illegal turn.1
B lay 2   # legal play.1
"""
    )
