"""Trumps, heading by heading of its source, and the rulings where that is silent."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from table_talk import check

from referee.core.game import options
from referee.core.record import Unreadable, read
from referee.core.verdict import Evidence, Illegal
from referee.games import GAMES, trumps
from referee.games.simulation import played, player, table
from referee.games.trumps import (
    OPTIONS,
    Cover,
    Deal,
    Draw,
    Laid,
    Lay,
    Reveal,
    Take,
    TrumpsStage,
    longest_run,
    weakness,
)
from referee.games.trumps.plays import Play
from referee.games.trumps.state import State
from referee.insight.playing import SimulatedMatch
from referee.rulings import book
from referee.rulings.report import replay, report

# The start of many a record: A 2, B 5, C 7, and A begins. Tableau 2 5 7, hands 6, stock 31.
START = """
A reveal 2  # legal start.1
B reveal 5  # legal start.1
C reveal 7  # legal start.1
"""
TWO = """
A reveal 2
B reveal 5
"""


def record(text: str, seats: str = "A B C", **house: str) -> str:
    rules = "".join(f"option: {key}={value}\n" for key, value in house.items())
    lines = "\n".join(map(str.strip, text.strip().split("\n")))
    return f"referee: 1\ngame: trumps\nseats: {seats}\n{rules}\ntable deal\n{lines}\n"


def judged(text: str, seats: str = "A B C", **house: str) -> dict[str, Any]:
    return check(record(text, seats, **house))


def public(text: str, seats: str = "A B C", **house: str) -> dict[str, Any]:
    seen: dict[str, Any] = judged(text, seats, **house)["public"]
    return seen


def tally(text: str, seats: str = "A B C", **house: str) -> dict[str, Any]:
    rules = "".join(f"option: {key}={value}\n" for key, value in house.items())
    sheet = f"referee: 1\ntally: trumps\nseats: {seats}\n{rules}\n{text}\n"
    return report(read(sheet.encode(), GAMES), "en")


def says(answer: dict[str, Any], seq: int) -> str:
    return str(answer["entries"][seq - 1]["says"])


# ---------------------------------------------------------------- ゲームの準備


@pytest.mark.parametrize(
    ("seats", "cards", "stock", "widow"), [("A B C", 55, 31, 3), ("A B", 45, 27, 4)]
)
def test_game_no_junbi(seats: str, cards: int, stock: int, widow: int) -> None:
    answer = judged("", seats)
    assert answer["public"] == {
        "tableau": {},
        "played": [],
        "piles": {seat: {} for seat in seats.split()},
        "hands": dict.fromkeys(seats.split(), 7),
        "stock": stock,
        "widow": widow,
        "starter": None,
        "final_round": False,
    }
    assert answer["to_act"] == seats.split()
    assert stock + widow + 7 * len(seats.split()) == cards
    assert answer["entries"][0]["clause"] == "setup.2"


def test_before_the_deal_nothing_can_be_done() -> None:
    text = "referee: 1\ngame: trumps\nseats: A B C\n\nA reveal 3  # illegal deal.1\n"
    answer = check(text)
    assert answer["to_act"] == []
    assert answer["public"]["hands"] == {"A": 0, "B": 0, "C": 0}


def test_a_second_deal_in_a_running_one() -> None:
    judged(
        "table deal  # illegal deal.2\nA reveal 3  # legal start.1\ntable deal  # illegal deal.2"
    )


def test_two_players_have_no_tens() -> None:
    judged("A reveal 10  # illegal deck.1\nB reveal 9  # legal start.1", "A B")


# ---------------------------------------------------------------- スタートプレイヤーの決定


def test_ichiban_chiisai_suuji() -> None:
    """The lowest card starts, in whatever order the cards are entered."""
    answer = judged("C reveal 7\nA reveal 3\n# to act B\nB reveal 4\n# to act A")
    assert answer["public"]["starter"] == "A"
    assert answer["public"]["tableau"] == {"3": 1, "4": 1, "7": 1}
    assert answer["public"]["played"] == []
    assert answer["public"]["hands"] == {"A": 6, "B": 6, "C": 6}


def test_revealed_cards_lie_in_the_tableau_at_once() -> None:
    assert public("B reveal 4")["tableau"] == {"4": 1}
    assert public("B reveal 4")["starter"] is None


def test_saishou_no_suuji_ga_fukusuu() -> None:
    """T-G5: A and B tie at 2, again at 7, then A 1 beats 10; T1, T2, T4."""
    answer = judged(
        """
        A reveal 2  # legal start.1
        B reveal 2  # legal start.1
        C reveal 5  # legal start.1
        # to act A B
        C reveal 1  # illegal turn.1
        B reveal 7
        B reveal 6  # illegal turn.1
        A reveal 7
        # to act A B
        A reveal 1
        B reveal 10
        # to act A
        """
    )
    assert answer["public"]["starter"] == "A"
    assert answer["public"]["tableau"] == {"1": 1, "2": 2, "5": 1, "7": 2, "10": 1}
    assert answer["public"]["hands"] == {"A": 4, "B": 4, "C": 6}


def test_a_higher_second_card_does_not_hand_the_start_to_somebody_else() -> None:
    """T2: C showed a 3 in the first place and is not asked again."""
    seen = public("A reveal 2\nB reveal 2\nC reveal 3\nA reveal 9\nB reveal 10")
    assert seen["starter"] == "A"


SEVEN_TIES = "\n".join(f"A reveal {n}\nB reveal {n}" for n in range(2, 9))


def test_a_tie_until_the_hands_are_empty() -> None:
    """T3, T11 for two: the lot decides, nobody can play, and the starter has the first place."""
    answer = judged(
        f"""
        {SEVEN_TIES}
        # to act A B
        A reveal 9  # illegal order.1
        table starter B  # legal start.3
        # to act B
        A take 3  # illegal turn.1
        B take 3  # legal take.1
        A take 4  # legal take.3
        # to act B
        B lay 9  # legal play.2
        """,
        "A B",
    )
    assert answer["public"]["hands"] == {"A": 1, "B": 0}
    assert answer["public"]["stock"] == 25


def test_an_empty_hand_ranks_below_everything() -> None:
    """T3, T11 for three: the lot is among the tied; C alone plays, and nothing forbids it."""
    first = "A reveal 2\nB reveal 2\nC reveal 9\n"
    rest = "\n".join(f"A reveal {n}\nB reveal {n}" for n in range(3, 9))
    judged(
        f"""
        {first}{rest}
        table starter C  # illegal start.3
        table starter B  # legal start.3
        # to act C
        C cover 9  # illegal cover.3
        C lay 9 9  # legal play.2
        # to act C
        C take 8
        # to act B
        B take 7  # legal take.2
        A draw  # legal take.3
        # to act C
        """
    )


def test_a_lot_is_drawn_only_when_nothing_else_is_left() -> None:
    judged("A reveal 2\nB reveal 2\nC reveal 9\ntable starter B  # illegal order.1")


# ---------------------------------------------------------------- ①手札カードの選択・公開


def test_single_ka_pair_ka() -> None:
    """T5: singles and pairs mix."""
    answer = judged(
        f"{START}A lay 9  # legal play.2\nB lay 3 3  # legal play.2\nC lay 10*2\n# to act B"
    )
    assert answer["public"]["played"] == [["A", [9]], ["B", [3, 3]], ["C", [10, 10]]]
    assert answer["public"]["hands"] == {"A": 5, "B": 4, "C": 4}


def test_refusals() -> None:
    """T-G9: a number used, three of a kind (T6), a pair of 1, a pair that has been seen."""
    answer = judged(
        f"""
        {START}
        A lay 6 6
        B lay 6  # illegal play.2
        B lay 5 5 5  # illegal play.1
        B lay 5 4  # illegal play.1
        B lay 1 1  # illegal deck.2
        B lay 2 2  # illegal deck.2
        B lay 11  # illegal deck.1
        A lay 9  # illegal turn.1
        C lay 9  # illegal turn.1
        B take 5  # illegal order.1
        B reveal 3  # illegal order.1
        # to act B
        """
    )
    assert says(answer, 6) == "A 6 has already been played in this round, by A."
    assert answer["entries"][5]["evidence"][0]["seq"] == 5
    assert says(answer, 9).startswith("The deck has only one 1, of which 1 is still unseen: 2 ")
    assert says(answer, 10).startswith("The deck has only two 2s, of which 1 is still unseen: 2 ")
    assert answer["entries"][9]["evidence"][1] == {"fact": "A played a 2.", "seq": 2}
    assert says(answer, 12) == "A has already played."
    assert says(answer, 13) == "It is B's turn, not C's."


def test_a_pair_of_threes_while_two_lie_open() -> None:
    """T-G9: one copy can't be two (X6)."""
    start = "A reveal 3\nB reveal 4\nC reveal 3\nA reveal 5\nC reveal 6\n"
    judged(
        f"{start}A lay 3 3  # illegal deck.2\nA lay 3  # legal play.2\nB lay 3  # illegal play.2"
    )


def test_more_cards_than_in_the_hand() -> None:
    """After a lot A holds the one card of ⑤ (play.3)."""
    judged(
        f"""
        {SEVEN_TIES}
        table starter A
        A take 3
        B take 4
        A lay 9 9  # illegal play.3
        A lay 9
        """,
        "A B",
    )


def test_dasenai_toki_no_uramuki() -> None:
    """Face down without a look at the hand is a declaration; 1s are too few for six cards."""
    answer = judged(
        f"""
        {START}
        A lay 1
        B cover 1  # illegal deck.2
        B cover 9  # illegal cover.1
        B cover  # illegal cover.2
        B lay 9
        C cover 9  # unprovable cover.1
        # to act B
        """
    )
    assert answer["public"]["played"] == [["A", [1]], ["B", [9]], ["C", "down"]]
    assert answer["entries"][9]["evidence"][-1]["fact"].startswith(
        "C declared holding no 2–8 or 10."
    )


def test_counting_refuses_a_declaration() -> None:
    """Six cards can't all be 3s: only three exist."""
    answer = judged(f"{START}A lay 3\nB cover 3  # illegal cover.1")
    why = "6 cards in hand and 1 seen elsewhere make 6 + 1 = 7; the deck has only 3 of them."
    assert why in says(answer, 6)


def test_the_start_player_never_covers() -> None:
    """T10."""
    judged(f"{START}A cover 5  # illegal cover.3\nA cover 5 shows 5 5 5 5 5 5  # illegal cover.3")


def test_a_hand_shown() -> None:
    """T8, T9: the hand is laid open; a legal card in it, or a wrong size, refuses the cover."""
    judged(
        f"""
        {START}
        A lay 9
        B cover 9 shows 9 9 9 9 9 8  # illegal cover.1
        B cover 9 shows 9 9 9 9 9  # illegal hand.3
        B cover 9 shows 8 8 8 8 8 8  # illegal hand.3
        B cover 9 shows 9*9  # illegal hand.3
        B cover 9 shows 9 9 9 9 9 11  # illegal deck.1
        B cover 9 shows 9 9 9 9 9 9  # legal cover.1
        # to act C
        """
    )


def test_copies_that_do_not_exist_can_not_be_shown() -> None:
    judged(f"{START}A lay 5\nB cover 5 shows 5 5 5 5 5 5  # illegal deck.2")


def test_a_hand_shown_is_a_fact() -> None:
    """The next card of B is a 9, or the one drawn since."""
    answer = judged(
        f"""
        {START}
        A lay 9 9
        B cover 9 shows 9 9 9 9 9 9  # legal cover.1
        C lay 10
        A take 2
        C take 5
        B take 7  # legal take.3
        A lay 8
        B lay 7 7  # illegal hand.3
        B cover 8  # illegal cover.1
        B lay 7  # legal play.2
        C lay 3
        A take 10
        B take 9
        C draw
        A lay 8
        B lay 6 6  # illegal hand.3
        B lay 9 9  # legal play.2
        """
    )
    assert "B is known to hold 9, 9, 9, 9, 9 and 1 other card." in says(answer, 12)


def test_the_last_card_needs_no_declaration() -> None:
    """A hand of one card: whoever covers it holds nothing else."""
    text = f"""
        {SEVEN_TIES}
        table starter A
        A take 3
        B take 4
        A lay 9
        B cover 9  # legal cover.1
        """
    answer = judged(text, "A B")
    assert says(answer, 20).endswith("This was B's last card.")


# ---------------------------------------------------------------- ②順位の決定


@pytest.mark.parametrize(
    ("plays", "order"),
    [
        (("10", "9 9", "2 2"), "C B A"),  # T-G2
        (("1", "9", "10 10"), "C B A"),
        (("3 3", "4 4", "10"), "A B C"),
        (("1", "8", "6"), "B C A"),
        (("9", "10", "8 8"), "C B A"),
    ],
)
def test_juni_no_kettei(plays: tuple[str, ...], order: str) -> None:
    start = "A reveal 4\nB reveal 5\nC reveal 6\n"
    cards = "\n".join(f"{seat} lay {play}" for seat, play in zip("ABC", plays, strict=True))
    assert _places(f"{start}{cards}") == order


def test_kaado_no_tsuyosa() -> None:
    """The whole list of the text: pairs from 2 to 10, then singles from 10 to 1."""
    pairs = [Laid("A", (rank, rank), 0) for rank in range(2, 11)]
    singles = [Laid("A", (rank,), 0) for rank in range(10, 0, -1)]
    down = Laid("A", (10,), 0, down=True)
    ladder = [*pairs, *singles, down, None]
    keys = [weakness(laid) for laid in ladder]
    assert keys == sorted(set(keys))


def test_uramuki_no_kaado_no_tsuyosa() -> None:
    """Face down is last; of two the nearer to the starter is stronger (T13)."""
    cards = "A lay 10\nB cover 10\nC cover 10"
    assert _places(f"{START}{cards}") == "A B C"
    assert (
        _places("A reveal 4\nB reveal 2\nC reveal 6\nB lay 10\nC cover 10\nA cover 10") == "B C A"
    )
    assert _places(f"{START}A lay 10\nB cover 10\nC lay 1") == "A C B"


def test_two_players_are_first_and_last() -> None:
    """T35: the second of two takes one card only."""
    seen = public("A reveal 2\nB reveal 2\nA reveal 5\nB reveal 5\nA reveal 1\nB reveal 9\n", "A B")
    assert seen["tableau"] == {"1": 1, "2": 2, "5": 2, "9": 1}
    answer = judged(
        """
        A reveal 2
        B reveal 2
        A reveal 5
        B reveal 5
        A reveal 1
        B reveal 9
        A lay 8
        B lay 7
        A take 2  # legal take.1
        B take 5  # legal take.3
        """,
        "A B",
    )
    assert answer["public"]["piles"] == {"A": {"2": 2}, "B": {"5": 1}}


def _places(text: str) -> str:
    answer = judged(text)
    log = played_log(text)
    assert answer["to_act"] == [log.state.ranking[0]]
    return " ".join(log.state.ranking)


def played_log(text: str, seats: str = "A B C", **house: str) -> Any:
    source = read(record(text, seats, **house).encode(), GAMES)
    return replay(source)  # type: ignore[arg-type]


# ---------------------------------------------------------------- ③場札の獲得


def test_fuda_no_kakutoku() -> None:
    """The first place takes a group, so does the second, the last one card (T-G10)."""
    answer = judged(
        """
        A reveal 7
        B reveal 7
        C reveal 9
        A reveal 7
        B reveal 8
        # to act A
        A lay 2 2
        B lay 10
        C lay 1
        B take 7  # illegal turn.1
        A take 9  # legal take.1
        A take 8  # illegal turn.1
        B take 2  # illegal back.1
        B take 3  # illegal take.2
        B draw  # illegal take.2
        B take 8  # legal take.2
        C take 7  # legal take.3
        # to act A
        """
    )
    seen = answer["public"]
    assert seen["tableau"] == {"1": 1, "2": 2, "7": 2, "10": 1}
    assert seen["piles"] == {"A": {"9": 1}, "B": {"8": 1}, "C": {"7": 1}}
    assert seen["played"] == []
    assert seen["starter"] == "A"
    assert seen["stock"] == 28
    assert seen["hands"] == {"A": 4, "B": 5, "C": 6}


def test_the_first_place_must_take() -> None:
    """T15."""
    start = f"{TWO}A lay 9\nB lay 8\n"
    answer = judged(f"{start}A draw  # illegal take.1\nA pass  # illegal take.1\nA take 5", "A B")
    assert says(answer, 6) == "There are table cards left, so one must be taken."


def test_the_last_place_chooses_between_table_and_stock() -> None:
    """T18: no third way."""
    start = f"{TWO}A lay 9\nB lay 8\nA take 5\n"
    answer = judged(
        f"{start}B pass  # illegal take.3\nB take 5  # illegal take.3\nB draw  # legal take.3",
        "A B",
    )
    assert says(answer, 7) == "Last place takes one table card or draws one."


def test_the_old_starter_stays_until_the_cards_join_the_table() -> None:
    assert public(f"{TWO}A lay 8\nB lay 9\n", "A B")["starter"] == "A"
    assert public(f"{TWO}A lay 8\nB lay 9\nB take 2\n", "A B")["starter"] == "A"
    seen = public(f"{TWO}A lay 8\nB lay 9\nB take 2\nA draw", "A B")
    assert seen["starter"] == "B"
    assert seen["hands"] == {"A": 7, "B": 6}
    assert seen["stock"] == 24


# After one round the tableau is 8 9 10, and the next first place takes one of three groups.
BARE = """
A reveal 5
B reveal 6
C reveal 7
A lay 10
B lay 9
C lay 8
A take 5
B take 6
C take 7
"""


def test_nothing_left_for_the_last_place() -> None:
    """T19: three groups, and the last place takes the last card of them or draws."""
    seen = public(BARE)
    assert seen["tableau"] == {"8": 1, "9": 1, "10": 1}
    judged(f"{BARE}A lay 1\nB lay 4\nC lay 3\nB take 8\nC take 9\nA take 10\n# to act B")


# Two covered 10s join the one played: in the next round the table holds a single group.
ONE_GROUP = f"""
{START}
A lay 10
B cover 10
C cover 10
A take 2
B take 5
C take 7
A lay 8
B lay 9
C lay 6
B take 10
"""


def test_nothing_left_for_the_second_place() -> None:
    """T17, T19: it is skipped, and the last place can only draw."""
    answer = judged(
        f"""
        {ONE_GROUP}
        # to act C
        C pass  # illegal take.3
        C take 8  # illegal back.1
        C draw  # legal take.3
        """
    )
    assert answer["public"]["stock"] == 24


def test_the_second_place_draws_where_the_table_says_so() -> None:
    """T17 ``draw``: compulsory while there is a stock."""
    text = f"{ONE_GROUP}# to act A\nA pass  # illegal take.2\nA draw  # legal take.2\nC draw"
    assert public(text, second_empty="draw")["stock"] == 23


@pytest.mark.parametrize("second", ["none", "draw"])
def test_nothing_left_anywhere(second: str) -> None:
    """T17, T21, T26: without a stock nobody is asked, and ⑤ comes from the aside."""
    before = played_log(ONE_GROUP.removesuffix("B take 10\n"), second_empty=second).state
    state = trumps.apply(before._replace(stock=0), Take("B", 10))
    assert state.step is TrumpsStage.PLAY
    assert (state.final, state.widow, state.served) == (True, 0, 3)


# ---------------------------------------------------------------- ④場札の補充、⑤手札の補充


def test_a_covered_card_is_turned_up() -> None:
    """T22 open: it joins the table after everybody has taken (back.2)."""
    text = f"{START}A lay 10\nB cover 10\nC lay 9\nA take 2\nC take 5\nB take 7\n"
    assert public(text)["tableau"] == {"9": 1, "10": 2}


def test_a_covered_card_may_leave_play_unseen() -> None:
    """T22 remove: the number need not be entered, and the card is gone."""
    text = (
        f"{START}A lay 10\nB cover  # unprovable cover.1\nC lay 9\nA take 2\nC take 5\nB take 7\n"
    )
    seen = public(text, facedown_to_field="remove")
    assert seen["tableau"] == {"9": 1, "10": 1}
    assert seen["hands"] == {"A": 6, "B": 6, "C": 6}


def test_a_number_entered_of_a_card_nobody_sees_is_no_evidence_against_others() -> None:
    """B says that it was a 5; all five turn up elsewhere, so B is found out, A is not refused."""
    judged(
        f"""
        {SEVEN_TIES}
        table starter A
        A take 3
        B take 4
        A lay 5
        B cover 5  # unprovable cover.1
        A take 2
        B draw
        A lay 5
        B lay 8
        B take 6
        A take 7
        B lay 9
        A lay 5  # legal play.2
        # finding 20 B cover.1 by 8 9 19 23 28
        """,
        "A B",
        facedown_to_field="remove",
    )


@pytest.mark.parametrize("shows", ["  # unprovable cover.1", " shows 2 9 9 9 9 9  # legal cover.1"])
def test_a_number_entered_of_a_card_nobody_sees_accuses_nobody(shows: str) -> None:
    """Nothing but 2 and 9 in hand: true with six 9, and that no 2 was among them is no revoke."""
    answer = judged(
        f"""
        A reveal 1
        B reveal 5
        C reveal 7
        A lay 2
        B lay 9
        C cover 2{shows}
        B take 1
        A take 5
        C draw
        B lay 10
        C lay 2     # legal play.2
        """,
        facedown_to_field="remove",
    )
    assert answer["findings"] == []


def test_a_shown_hand_less_a_card_nobody_sees() -> None:
    """Two kinds were shown and one card is gone: 9 9 8 8 8 8 less one."""
    judged(
        """
        A reveal 5
        B reveal 6
        C reveal 7
        A lay 9
        B lay 8
        C cover shows 9 9 8 8 8 8  # legal cover.1
        A take 5
        B take 6
        C take 7
        A lay 4
        B lay 3
        C lay 9 9  # legal play.2
        """,
        facedown_to_field="remove",
    )


def test_refills_are_counted() -> None:
    """T23, T24: one card each, also after a pair; then the next round begins at once."""
    answer = judged(f"{START}A lay 4 4\nB lay 9\nC lay 8\nA take 2\nB take 5\nC take 7\n# to act A")
    assert answer["public"]["hands"] == {"A": 5, "B": 6, "C": 6}
    assert answer["public"]["stock"] == 28


# ---------------------------------------------------------------- ゲームの終了


def honest_end(seats: str, seed: int, draws: bool, **house: str) -> tuple[Any, list[Any]]:
    """A match in which the last place always draws if it can, or never; and its states."""
    log = played(trumps, seats, seed, options=house)
    return log, [step.state for step in log.steps()]


def clock(seats: str, draw: bool, **house: str) -> tuple[int, int]:
    """The final round and the cards that came from the aside, when the last place always does."""
    state = trumps.apply(trumps.setup(table(trumps, seats, **house)), Deal())
    deck = {card: card for card in state.deck.cards}
    del deck
    for seat in state.table.seats:
        state = trumps.apply(state, Reveal(seat, list(seats).index(seat) + 4))
    while not state.ended:
        plays = list(options(trumps, state))
        lay = [play for play in plays if isinstance(play, Lay) and len(play.ranks) == 1]
        if lay:
            # cards that the stock would hold are played as if they had been drawn
            state = trumps.apply(state, max(lay, key=lambda p: state.hands.unseen(p.ranks)))
            continue
        draws = [play for play in plays if isinstance(play, Draw)]
        takes = [play for play in plays if not isinstance(play, Draw)]
        state = trumps.apply(state, draws[0] if draw and draws else (takes or draws)[0])
    return state.round, trumps.ASIDE[len(seats)] - state.widow


@pytest.mark.parametrize(
    ("seats", "draw", "final", "aside"),
    [("ABC", False, 12, 2), ("ABC", True, 9, 1), ("AB", False, 15, 1), ("AB", True, 10, 0)],
)
def test_game_no_shuuryou(seats: str, draw: bool, final: int, aside: int) -> None:
    """The stock's clock for a last place that never draws, and for one that always does."""
    assert clock(seats, draw) == (final, aside)


def test_exact_zero() -> None:
    """T25: with ``off`` the two players of the exact clock go on until somebody can't draw."""
    assert clock("AB", True) == (10, 0)
    assert clock("AB", True, exact_zero_triggers="off") == (11, 2)


def test_in_the_final_round_nobody_draws_from_the_aside() -> None:
    """T20, T26, T27: the stock is gone, a card must be taken unless the table lets it be."""
    for seats in ("AB", "ABC"):
        for house in ({}, {"last_may_pass": "on"}):
            found = 0
            for seed in range(12):
                log, states = honest_end(seats, seed, False, **house)
                for state in states:
                    if (
                        state.step is not TrumpsStage.TAKE
                        or trumps.place_of(state, state.due[0]) < 3
                    ):
                        continue
                    verbs = {type(play).__name__ for play in options(trumps, state)}
                    if state.stock:
                        assert "Draw" in verbs
                        assert "Pass" not in verbs
                    else:
                        found += 1
                        assert ("Pass" in verbs) == bool(house)
                        assert "Draw" not in verbs
                assert log.state.final
                assert sum(map(sum, (p.values() for p in log.state.piles.values()))) > 0
            assert found


# ---------------------------------------------------------------- 得点計算


def test_tokuten_no_rei() -> None:
    """得点の例 (T-G1): 10, 9, 10, and シホ wins with the smaller smallest card."""
    answer = tally(
        "シュンスケ: 9*5 8*3 7*2 6 5*2 3\nジュリア: 10*6 9*3 8*2 6*3 5 1\n"
        "シホ: 10*3 7*4 6 5 4*4 3*2 2",
        "シュンスケ ジュリア シホ",
    )
    assert answer["score"] == {"シュンスケ": 10, "ジュリア": 9, "シホ": 10}
    assert answer["outcome"]["winners"] == ["シホ"]
    assert answer["outcome"]["clause"] == "outcome.2"
    assert "シュンスケ 3, シホ 2. シホ, who has the lower one, wins" in answer["outcome"]["says"]
    lines = [(row["seat"], row["points"], row["clause"]) for row in answer["arithmetic"]]
    assert lines == [
        ("シュンスケ", 5, "score.2"),
        ("シュンスケ", 5, "score.3"),
        ("ジュリア", 6, "score.2"),
        ("ジュリア", 3, "score.3"),
        ("シホ", 4, "score.2"),
        ("シホ", 6, "score.3"),
    ]
    assert (
        answer["arithmetic"][4]["says"]
        == "Most of a kind (A): 4 each of 7 and 4, counted once, 4 points."
    )
    assert answer["arithmetic"][5]["says"] == "Longest run (B): 2-3-4-5-6-7, 6 points."


def test_no_wrap_and_empty_piles() -> None:
    """T-G8, T30, T31: {10, 1, 2} is 1 + 2; nothing is 0 (score.4)."""
    answer = tally("A: 10 1 2\nB:\nC: 5")
    assert answer["score"] == {"A": 3, "B": 0, "C": 2}
    assert [row["clause"] for row in answer["arithmetic"] if row["seat"] == "B"] == ["score.4"]
    assert longest_run({1: 1, 2: 1, 10: 1}) == (1, 2)
    assert longest_run({5: 3}) == (5,)
    assert longest_run({1: 1, 2: 2, 4: 1, 5: 1}) == (4, 5)


def test_the_highest_sum_wins() -> None:
    answer = tally("A: 9*5\nB: 8*3 7\nC: 1")
    assert answer["outcome"]["winners"] == ["A"]
    assert answer["outcome"]["clause"] == "outcome.1"


# ---------------------------------------------------------------- 同点の場合


@pytest.mark.parametrize(
    ("sheet", "house", "winners", "clause"),
    [
        ("A: 5 4\nB: 9 3 8\nC: 7*2", {}, ["B"], "outcome.2"),  # 3 each (T34)
        ("A: 9*2 5 4\nB: 8*3 5\nC:", {}, ["A"], "outcome.2"),
        ("A: 9*3 4\nB: 8*2 4*2 5\nC: 10", {}, ["B"], "outcome.3"),
        ("A: 9*3 4\nB: 8*3 4\nC: 10", {}, ["A", "B"], "tie.1"),  # T33
        ("A: 9*3 4\nB: 8*3 4\nC: 10", {"tie_chain": "lexicographic"}, ["B"], "outcome.3"),
        ("A: 9*3 4\nB: 8*3 4\nC: 10", {"final_tie": "first_in_seat"}, ["A"], "tie.1"),
        ("A: 4 5\nB: 4 5\nC:", {"tie_chain": "lexicographic"}, ["A", "B"], "tie.1"),
        ("A: 9*2 4\nB: 7*2 4 9\nC:", {"tie_chain": "lexicographic"}, ["B"], "outcome.3"),
        ("A: 6 4 9\nB: 7 4 8\nC: 4 5", {"tie_chain": "lexicographic"}, ["C"], "outcome.3"),
        ("A:\nB:\nC:", {}, ["A", "B", "C"], "tie.1"),
    ],
)
def test_douten_no_baai(sheet: str, house: dict[str, str], winners: list[str], clause: str) -> None:
    answer = tally(sheet, **house)
    assert (answer["outcome"]["winners"], answer["outcome"]["clause"]) == (winners, clause)


def test_the_reason_of_a_decision_by_the_smallest_card_counts_its_copies() -> None:
    said = tally("A: 9*3 4\nB: 8*2 4*2 5\nC: 10")["outcome"]["says"]
    assert "Copies of the smallest card, the 4: A 1, B 2." in said


def test_the_longer_pile_wins_where_one_list_ends() -> None:
    """T33 lexicographic: 4 5 against 4 5 9, both worth 3... the longer one wins."""
    sheet = "A: 4 5\nB: 4 5 9\nC: 10"
    assert tally(sheet)["outcome"]["winners"] == ["A", "B"]
    assert tally(sheet, tie_chain="lexicographic")["outcome"]["winners"] == ["B"]


def test_a_tie_to_be_replayed_is_not_decided() -> None:
    assert tally("A: 4 5\nB: 4 5\nC:", final_tie="replay")["outcome"] is None


@pytest.mark.parametrize(
    ("sheet", "line"),
    [
        ("A: 9*5\nB: 9*5\nC:", 6),
        ("A: 11\nB:\nC:", 5),
        ("A: 9 x\nB:\nC:", 5),
        ("A: 9\nB:", 4),
        ("A: 9\nA: 8\nB:\nC:", 6),
        ("A: 9\nB:\nC:\nD: 3", 8),
        ("A: 9*99999\nB:\nC:", 5),
    ],
)
def test_tally_sheets_that_can_not_be_read(sheet: str, line: int) -> None:
    with pytest.raises(Unreadable) as fault:
        tally(sheet)
    assert fault.value.line == line


def test_two_players_tally_has_no_tens() -> None:
    with pytest.raises(Unreadable):
        tally("A: 10\nB: 9", "A B")


# ---------------------------------------------------------------- declarations found out


def test_a_cover_refuted_by_cards_played_later() -> None:
    """B has drawn two cards since the cover and then shows a third that was not forbidden."""
    answer = judged(
        f"""
        {START}
        A lay 10
        B cover 10  # unprovable cover.1
        C lay 9
        A take 2
        C take 5
        B take 7
        A lay 8
        B lay 9  # legal play.2
        C lay 6
        B take 9
        A take 10
        C draw
        B lay 4 4  # legal play.2
        # finding 6 B cover.1 by 12 17
        """
    )
    [found] = answer["findings"]
    assert "B declared holding only 10s." in found["says"]
    said = "B drew 2 cards after the declaration but played 3 such cards: 3 − 2 = 1 was"
    assert said in found["says"]


def test_a_cover_refuted_at_once() -> None:
    """One card drawn, a pair shown: at least one of the two was there."""
    start = f"{START}A lay 10\nB cover 10\nC lay 9\nA take 2\nC take 5\nB take 7\n"
    judged(f"{start}A lay 8\nB lay 3 3  # legal play.2\n# finding 6 B cover.1 by 12")


def test_two_declarations_of_one_seat_exclude_each_other() -> None:
    """Six 10s, then with one card drawn six 9s: the later one is held against B."""
    judged(
        f"""
        {START}
        A lay 10
        B cover 10  # unprovable cover.1
        C lay 8
        A take 2
        C take 5
        B take 7
        A lay 9
        B cover 9  # unprovable cover.1
        # finding 12 B cover.1 by 6 12
        """
    )


def test_cards_drawn_since_explain_what_is_played() -> None:
    """One draw, one card: nobody is accused."""
    judged(
        f"""
        {START}
        A lay 10
        B cover 10  # unprovable cover.1
        C lay 9
        A take 2
        C take 5
        B take 7
        A lay 8
        B lay 3
        """
    )


def test_a_declaration_is_no_evidence_against_somebody_else() -> None:
    """Both say that they hold nothing but 10s: thirteen of ten, and nobody is accused."""
    judged(f"{START}A lay 10\nB cover 10  # unprovable cover.1\nC cover 10  # unprovable cover.1")


# ---------------------------------------------------------------- the table lets it stand


def test_a_cover_that_the_table_lets_stand_says_nothing() -> None:
    judged(
        f"""
        {START}
        A lay 3
        B cover 3  # illegal cover.1
        table rule 6 stands
        C lay 9
        # to act C
        """
    )


@pytest.mark.parametrize(
    "play",
    ["A lay 9 9 9", "A lay 9 8", "A lay 1 1", "A lay 11", "table deal", "A reveal 3", "A take 2"],
)
def test_what_the_table_can_not_let_stand(play: str) -> None:
    judged(
        f"{START}{play}  # illegal\ntable rule 5 stands  # illegal log.3".replace(
            "# illegal\n", "\n"
        )
    )


def test_a_card_out_of_turn_and_a_number_twice_can_stand() -> None:
    """Equal cards: the one nearer to the starter is stronger (T12)."""
    assert (
        _places(
            f"""
            {START}
            C lay 9  # illegal turn.1
            table rule 5 stands
            A lay 8
            B lay 9  # illegal play.2
            table rule 8 stands
            """
        )
        == "B C A"
    )


def test_taking_out_of_turn_and_drawing_instead_can_stand() -> None:
    text = f"{START}A lay 8\nB lay 9\nC lay 10\nB take 5\ntable rule 8 stands\n"
    seen = public(f"{text}C draw\ntable rule 10 stands\nA pass\ntable rule 12 stands\n")
    assert seen["piles"] == {"A": {}, "B": {"5": 1}, "C": {}}
    assert seen["stock"] == 27


def test_a_lot_before_the_hands_are_empty_can_stand() -> None:
    text = "A reveal 2\nB reveal 2\nC reveal 9\ntable starter B\ntable rule 5 stands\n"
    assert judged(text)["to_act"] == ["B"]


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize("seats", ["AB", "ABC"])
@pytest.mark.parametrize(
    "house",
    [
        {},
        {"facedown_to_field": "remove", "second_empty": "draw", "last_may_pass": "on"},
        {"exact_zero_triggers": "off", "tie_chain": "lexicographic", "final_tie": "replay"},
    ],
)
def test_cards_are_conserved_and_the_honest_never_found_guilty(
    seats: str, house: dict[str, str]
) -> None:
    covered = 0
    for seed in range(25):
        log = played(trumps, seats, seed, options=house)
        assert not log.findings()
        removed = 0
        for step in log.steps():
            assert not isinstance(step.verdict, Illegal)
            state = step.state
            covered += isinstance(step.play, Cover)
            if isinstance(step.play, Deal):
                removed = 0
            removed += isinstance(step.play, Cover) and "facedown_to_field" in house
            cards = sum(state.tableau.values()) + state.stock + state.widow + removed
            cards += sum(sum(pile.values()) for pile in state.piles.values())
            cards += sum(state.hands.size(seat) for seat in seats)
            if state.step is not TrumpsStage.START:
                cards += sum(
                    len(laid.ranks) for laid in state.played if not (laid.down and removed)
                )
            assert cards == len(state.deck)
        assert log.state.ended
    assert covered


def test_the_deal_that_a_tie_asks_for() -> None:
    """final_tie=replay: all play another deal, the tied seats alone can win it."""
    for seed in range(400):
        log = played(trumps, "ABC", seed, options={"final_tie": "replay"})
        if log.state.deal > 1:
            assert Evidence("tie_replayed", {"seats": log.state.tied}) in log.state.ended.evidence
            assert set(log.state.ended.winners) <= set(log.state.tied)
            return
    pytest.fail("no tie")


def test_after_the_end_nothing_is_played() -> None:
    log = played(trumps, "AB", 1)
    for play in (Deal(), Lay("A", (9,)), Draw("A")):
        verdict = trumps.judge(log.state, play)
        assert isinstance(verdict, Illegal)
        assert verdict.clause == "end.1"
        assert trumps.let_stand(log.state, play) is None


def test_the_house_rules_are_those_that_records_name_the_default_first() -> None:
    values = {key: option.values for key, option in OPTIONS.items()}
    assert values == {
        "second_empty": ("none", "draw"),
        "last_may_pass": ("off", "on"),
        "facedown_to_field": ("open", "remove"),
        "exact_zero_triggers": ("on", "off"),
        "tie_chain": ("two_steps", "lexicographic"),
    }


def test_a_taking_says_its_place_and_how_many_cards_there_were() -> None:
    rules = book("trumps")
    values = {"place": 1, "rank": 4, "copies": 1}
    assert rules.says("takes_all", values, "en") == "1st place takes every 4 (1 card)."
    assert rules.says("takes_all", values, "ja") == "1位が4をすべて取ります（1枚）。"
    values = {"place": 2, "rank": 8, "copies": 3}
    assert rules.says("takes_all", values, "en") == "2nd place takes every 8 (3 cards)."


def test_who_takes_chooses_among_all_that_is_legal() -> None:
    """The simulated player asks the judge about the numbers on the table alone."""
    offered, rng = 0, Random(3)

    def choose(state: State, plays: Sequence[Play]) -> Play:
        nonlocal offered
        if state.step is TrumpsStage.TAKE:
            assert list(plays) == list(options(trumps, state))
            offered += len(plays) > 1
        return rng.choice(plays)

    for house in ({}, {"last_may_pass": "on"}):
        course = SimulatedMatch(trumps, at := table(trumps, "ABC", **house), trumps.setup(at))
        for entry in player("trumps")(course, rng, 0, 0, choose):
            course.state = trumps.apply(course.state, entry)
    assert offered > 10
