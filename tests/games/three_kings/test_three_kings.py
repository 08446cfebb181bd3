"""Three Kings, heading by heading of its source, and the rulings where that is silent."""

from __future__ import annotations

from typing import Any

import pytest
from table_talk import check

from referee.core.game import options
from referee.core.record import Grammar, Unreadable, read
from referee.core.steps import steps
from referee.core.verdict import Evidence, Finding, Illegal, Legal
from referee.games import GAMES, three_kings
from referee.games.simulation import played, table
from referee.games.three_kings import (
    OPTIONS,
    Capture,
    Deal,
    Declare,
    Discard,
    King,
    Pass,
    Refill,
    deck_for,
    is_set,
    prompt,
    sets_with,
)
from referee.rulings.report import replay, report


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "three_kings", three_kings)  # type: ignore[arg-type]


def head(seats: str = "A B", **house: str) -> str:
    rules = "".join(f"option: {key}={value}\n" for key, value in house.items())
    return f"referee: 1\ngame: three_kings\nseats: {seats}\n{rules}\n"


def judged(text: str, seats: str = "A B", tableau: str = "5,J,9,K", **house: str) -> dict[str, Any]:
    """Answers to a record whose deal gives the first turn to the first seat."""
    dealer = seats.split()[-1]
    lines = "\n".join(map(str.strip, text.strip().split("\n")))
    return check(f"{head(seats, **house)}table deal dealer={dealer} tableau={tableau}\n{lines}\n")


def discards(count: int, used: str) -> str:
    """``count`` discards in turn, A first, of all numbers that the tableau ``used`` leaves."""
    ranks = [rank for rank in three_kings.NUMBERS for _ in range(4)]
    for card in used.split(","):
        if card in ranks:
            ranks.remove(card)
    return "\n".join(f"{'AB'[i % 2]} discard {card}" for i, card in enumerate(ranks[:count]))


def state_of(text: str, seats: str = "A B", tableau: str = "5,J,9,K", **house: str) -> Any:
    """The state after entries that are all in force, and legal unless a ruling says otherwise."""
    dealer = seats.split()[-1]
    source = f"{head(seats, **house)}table deal dealer={dealer} tableau={tableau}\n{text}\n"
    log = replay(read("\n".join(map(str.strip, source.split("\n"))).encode(), GAMES))
    assert not [s for s in steps(log.now.step) if isinstance(s.verdict, Illegal) and not s.ruled]
    return log.state


def tally(text: str, seats: str = "A B", **house: str) -> dict[str, Any]:
    rules = "".join(f"option: {key}={value}\n" for key, value in house.items())
    sheet = f"referee: 1\ntally: three_kings\nseats: {seats}\n{rules}\n{text}\n"
    return report(read(sheet.encode(), GAMES), "en")


def says(answer: dict[str, Any], seq: int) -> str:
    return str(answer["entries"][seq - 1]["says"])


# ---------------------------------------------------------------- 使用する道具、カードの数値


@pytest.mark.parametrize(("n", "cards", "stock"), [(2, 53, 41), (3, 79, 63), (4, 105, 85)])
def test_shiyou_suru_dougu(n: int, cards: int, stock: int) -> None:
    """The deck for n (K1, K33): 26n + 1 cards, 2n + 1 kings among them."""
    deck = deck_for(n)
    assert len(deck) == cards
    assert deck.copies == (2 * n,) * 12 + (2 * n + 1,)
    answer = judged("", " ".join("ABCD"[:n]))
    assert answer["public"]["stock"] == stock
    assert answer["public"]["hands"] == dict.fromkeys("ABCD"[:n], 4)


@pytest.mark.parametrize(
    ("cards", "good"),
    [
        (("4", "8", "Q"), True),  # the seed's examples
        (("A", "5", "6"), True),
        (("6", "5", "J"), True),
        (("2", "2", "4"), True),
        (("5", "6", "10"), False),
        (("Q", "Q", "A"), False),
        (("K", "K", "K"), False),
        (("K", "5", "5"), False),
    ],
)
def test_card_no_suuchi(cards: tuple[str, str, str], good: bool) -> None:
    """K-G1: two of the three add up to the third, and kings have no number (K7)."""
    for rank, *pair in {(a, b, c) for a in cards for b in cards for c in cards}:
        if sorted((rank, *pair)) == sorted(cards):
            assert is_set((rank, *pair)) is good


def test_there_are_36_sets_and_each_scores_twice_its_largest_card() -> None:
    names = three_kings.NUMBERS
    found = [
        (a, b, c)
        for i, a in enumerate(names)
        for j, b in enumerate(names[i:], i)
        for c in names[j:]
        if is_set((a, b, c))
    ]
    assert len(found) == 36
    for cards in found:
        values = [three_kings.VALUE[card] for card in cards]
        assert sum(values) == 2 * max(values)


# ---------------------------------------------------------------- 開始の準備


def test_kaishi_no_junbi() -> None:
    """Four each, four on the table, the non-dealer begins."""
    answer = judged("# to act A", tableau="5,J,9,K")
    assert answer["public"] == {
        "tableau": ["5", "J", "9", "K"],
        "piles": {"A": 0, "B": 0},
        "hands": {"A": 4, "B": 4},
        "stock": 41,
        "kings_known": {"A": 0, "B": 0},
    }


def test_before_the_deal_nobody_acts_and_nothing_is_legal_but_a_deal() -> None:
    text = head() + "A discard 4  # illegal deal.1\nA declare  # illegal deal.1\n"
    text += "table refill 4 4 4 4  # illegal deal.1\n# to act\n"
    answer = check(text)
    assert answer["public"]["hands"] == {"A": 0, "B": 0}
    assert answer["public"]["stock"] == 53


def test_a_second_deal_in_an_unfinished_one_is_illegal() -> None:
    judged("table deal dealer=A tableau=2,2,2,3  # illegal deal.2")


@pytest.mark.parametrize("tableau", ["5,J,9", "5,J,9,K,2", "5*5"])
def test_the_tableau_is_four_cards(tableau: str) -> None:
    check(head() + f"table deal dealer=B tableau={tableau}  # illegal setup.3\n")


def test_four_of_a_kind_may_be_entered_with_a_factor() -> None:
    answer = check(head() + "table deal dealer=B tableau=5*3,K  # legal turn.2\n")
    assert answer["public"]["tableau"] == ["5", "5", "5", "K"]


def test_the_seat_to_the_dealers_left_begins_and_play_goes_clockwise() -> None:
    text = head("A B C") + "table deal dealer=B tableau=2,2,2,2\n# to act C\n"
    text += "C discard 5  # unprovable discard.1\n# to act A\nA discard 5\n# to act B\n"
    check(text + "B discard 5\n# to act C\n")


def test_only_the_turn_player_plays() -> None:
    judged("B discard 3  # illegal turn.1\nB pass  # illegal turn.1\nB king  # illegal turn.1")


def test_kings_on_the_first_tableau_stay() -> None:
    """K2, the default."""
    answer = judged("A king  # legal king.2", tableau="5,J,K,K")
    assert answer["public"]["tableau"] == ["5", "J", "K"]


def test_kings_on_the_first_tableau_replaced() -> None:
    """K2: the recorded tableau is the one after replacing."""
    house = {"initial_table_kings": "replace"}
    text = "table deal dealer=B tableau=5,J,9,K  # illegal setup.4\n"
    check(head(**house) + text + "table deal dealer=B tableau=5,J,9,9  # legal turn.2\n")


def test_kings_on_the_first_tableau_to_the_first_player() -> None:
    """K2: they are known from then on."""
    answer = judged("", tableau="5,K,9,K", initial_table_kings="to_first_player")
    assert answer["public"]["tableau"] == ["5", "9"]
    assert answer["public"]["hands"] == {"A": 6, "B": 4}
    assert answer["public"]["kings_known"] == {"A": 2, "B": 0}
    assert answer["public"]["stock"] == 41


# ---------------------------------------------------------------- プレイの手順 1


def test_k_g3() -> None:
    """Bookkeeping for two: 40, 39, hand 5; 38, hand 4; 37, king, hand 7."""
    answer = judged(
        """
        A capture 6 with 5 J  # legal set.1
        # public {"tableau": ["9", "K"], "piles": {"A": 22, "B": 0}, "hands": {"A": 5, "B": 4}, \
"stock": 39, "kings_known": {"A": 0, "B": 0}}
        B discard 2  # legal discard.1
        # public {"tableau": ["9", "K", "2"], "piles": {"A": 22, "B": 0}, \
"hands": {"A": 5, "B": 4}, "stock": 38, "kings_known": {"A": 0, "B": 0}}
        A king  # legal king.2
        # to act B
        """
    )
    assert answer["public"]["stock"] == 37
    assert answer["public"]["hands"] == {"A": 7, "B": 4}
    assert answer["public"]["kings_known"] == {"A": 2, "B": 0}


def test_without_a_stock_the_draw_is_skipped() -> None:
    """K5, K20: ``continue`` is the default."""
    lines = discards(42, "5,J,9,K").split("\n")
    answer = judged("\n".join([*lines[:41], "# to act B", lines[41]]), set_compulsory="off")
    assert answer["public"]["stock"] == 0
    assert answer["public"]["hands"] == {"A": 4, "B": 3}
    assert {row["verdict"] for row in answer["entries"]} == {"legal"}


# ---------------------------------------------------------------- セットを作る


def test_set_wo_tsukuru() -> None:
    """4 + 8 = Q and A + 5 = 6, whichever of them comes from the hand and in either order (K7)."""
    for play in ("4 with 8 Q", "8 with Q 4", "Q with 4 8", "A with 5 6", "6 with A 5"):
        tableau = ",".join([*play.partition(" with ")[2].split(), "K", "K"])
        answer = judged(f"A capture {play}  # legal set.1\n# to act B", tableau=tableau)
        assert answer["score"] == {"A": 24 if "Q" in play else 12, "B": 0}


def test_two_equal_cards_of_the_tableau() -> None:
    judged("A capture 4 with 2 2  # legal set.1", tableau="2,2,3,K")
    judged("A capture 4 with 2*2  # legal set.1", tableau="2,2,3,K")
    judged("A capture 4 with 2 2  # illegal set.1", tableau="2,3,3,K")


@pytest.mark.parametrize(
    ("play", "clause", "tableau"),
    [
        ("5 with 6 10", "set.1", "6,10,K,K"),
        ("Q with Q A", "set.1", "Q,A,K,K"),
        ("K with 5 5", "king.1", "5,5,K,K"),
        ("5 with 5 K", "king.1", "5,5,K,K"),
        ("4 with 8 Q", "set.1", "Q,5,5,K"),  # the 8 is in the hand, too
        ("4 with 8 Q", "set.1", "2,5,5,K"),
    ],
)
def test_no_set(play: str, clause: str, tableau: str) -> None:
    """K-G1: wrong sums, kings, and two cards from the hand."""
    answer = judged(f"A capture {play}  # illegal {clause}\n# to act A", tableau=tableau)
    assert answer["public"]["stock"] == 41


def test_a_set_is_followed_by_another_card() -> None:
    answer = judged("A capture 4 with 9 5  # legal set.1")
    assert answer["public"]["stock"] == 39
    assert answer["public"]["hands"]["A"] == 5


def test_one_action_a_turn() -> None:
    """K6."""
    judged("A capture 6 with 5 J\nA capture 9 with 9 K  # illegal turn.1\nA king  # illegal turn.1")


def test_a_card_of_which_every_copy_is_seen_is_in_no_hand() -> None:
    answer = judged("A discard 5  # illegal deck.2", tableau="5*4")
    assert says(answer, 2).startswith("The deck has only four 5s, and all have been seen.")
    turned_up = {"fact": "Dealt to the table: a 5.", "seq": 1}
    assert answer["entries"][1]["evidence"][1:] == [turned_up] * 4
    text = "A discard 2\nB discard 5\nA capture 5 with 5 10  # illegal deck.2"
    judged(text, tableau="5,5,5,10", set_compulsory="off")


# ---------------------------------------------------------------- 捨て札


def test_sutefuda() -> None:
    """The card joins the table and nothing is drawn after it."""
    answer = judged("A discard 3  # unprovable discard.1")
    assert answer["public"]["tableau"] == ["5", "J", "9", "K", "3"]
    assert answer["public"]["stock"] == 40
    assert answer["public"]["hands"]["A"] == 4
    assert says(answer, 2) == "A declared holding no 2, 4 or 6."


def test_k_g8() -> None:
    """The very card discarded made a set (K8)."""
    answer = judged("A discard 3  # illegal discard.1\n# to act A", tableau="4,7,Q,K")
    assert says(answer, 2) == "That card makes the set 3 + 4 = 7."
    judged("A discard 3  # legal discard.2", tableau="4,7,Q,K", set_compulsory="off")


def test_the_table_may_let_a_breach_stand_and_it_says_nothing_about_the_hand() -> None:
    """K8 and X4: 5 = 9 − 4 would make a set, too; nobody is convicted by a play that was ruled."""
    text = "A discard 3  # illegal discard.1\ntable rule 2 stands  # legal log.3\n# to act B\n"
    answer = judged(text + "B discard 6\nA discard 8", tableau="4,7,Q,K", set_compulsory="on")
    assert answer["public"]["tableau"][:5] == ["4", "7", "Q", "K", "3"]


def test_with_one_number_on_the_table_no_set_is_possible() -> None:
    answer = judged("A discard 3  # legal discard.1", tableau="4,K,K,K")
    assert says(answer, 2) == "With these table cards no card makes a set."


# So long as there is a stock every turn draws a card, so what is played may have been drawn since.
# These begin with no stock, B to play and four cards each; the tableau was brought to 2 3.

NO_KINGS_LEFT = "K,K,K,K"


def late(unseen: str, **house: str) -> Any:
    """No stock, and B's turn: of the hidden cards one is a king, the other seven ``unseen``."""
    ranks = [rank for rank in three_kings.NUMBERS for _ in range(4)]
    for card in unseen.split():
        ranks.remove(card)
    assert len(ranks) == 41
    text = "\n".join(f"{'AB'[i % 2]} discard {card}" for i, card in enumerate(ranks))
    state = state_of(text, tableau=NO_KINGS_LEFT, set_compulsory="off")
    assert state.stock == 0
    return state._replace(table=table(three_kings, "AB", **house), tableau=("2", "3"))


def after(state: Any, *plays: Any) -> Any:
    for play in plays:
        assert not isinstance(three_kings.judge(state, play), Illegal), play
        state = three_kings.apply(state, play)
    return state


def test_a_discard_that_counting_forbids() -> None:
    """B has four cards; only the Q and a king are neither A nor 5."""
    verdict = three_kings.judge(late("5 5 5 5 A A Q"), Discard("B", "Q"))
    assert isinstance(verdict, Illegal)
    assert verdict.clause == "discard.1"
    values = {"seat": "B", "held": 4, "ranks": ("A", "5"), "unseen": 2, "rest": 2}
    assert verdict.evidence[0] == Evidence("must_hold", values)


def test_a_discard_whose_declaration_must_be_true() -> None:
    """Every A and 5 is seen, or the card is the last one."""
    verdict = three_kings.judge(late("6 6 7 7 8 8 Q"), Discard("B", "Q"))
    assert isinstance(verdict, Legal)
    assert verdict.evidence == (Evidence("takers_seen", {"ranks": ("A", "5")}),)
    state = after(late("5 6 8 8 8 8 Q"), *(Discard(seat, "8") for seat in "BABA"))
    state = after(state, Discard("B", "Q"))._replace(tableau=("K", "2", "4"))
    verdict = three_kings.judge(after(state, King("A")), Discard("B", "5"))
    assert isinstance(verdict, Legal)
    assert verdict.evidence == (Evidence("one_number", {"seat": "B"}),)


def test_a_card_of_the_same_hand_proves_that_a_set_was_possible() -> None:
    """K8, M-late: the five was in hand when the eight was discarded."""
    state = after(late("5 5 8 8 Q Q Q"), Discard("B", "8"), Discard("A", "Q"))
    assert three_kings.audit(state) == ()
    state = after(state, Capture("B", "5", ("2", "3")))
    [found] = three_kings.audit(state)
    assert (found.clause, found.seat) == ("discard.1", "B")
    assert found.at == 43
    assert found.proof == (45,)
    facts = [fact.fact for fact in found.evidence]
    assert facts == ["declares_none", "held_then", "more_than_drawn"]


def test_a_card_drawn_since_proves_nothing() -> None:
    answer = judged("A discard 3  # unprovable discard.1\nB discard 10\nA capture 2 with 9 J")
    assert answer["findings"] == []


def test_a_discard_that_the_table_let_stand_is_no_declaration() -> None:
    """The eight was ruled: the five laid next is held against nobody."""
    state = late("5 5 8 8 Q Q Q")._replace(tableau=("2", "3", "5"))
    assert isinstance(three_kings.judge(state, Discard("B", "8")), Illegal)
    state = three_kings.let_stand(state, Discard("B", "8"))
    state = after(state, Discard("A", "Q"), Capture("B", "5", ("2", "3")))
    assert three_kings.audit(state) == ()


def test_king_wo_suteru() -> None:
    """上記の「セットを作る」「捨て札」、どちらの場合も: a king is not discarded (king.1)."""
    judged("A discard K  # illegal king.1")


def test_with_the_option_off_a_possible_set_may_be_left() -> None:
    """K8: ``set_compulsory=off``; no declaration is made."""
    answer = judged(
        "A discard 3  # legal discard.2\nB discard 2  # legal discard.2\n"
        "A capture 2 with 3 5  # legal set.1\nB discard Q  # legal discard.2",
        set_compulsory="off",
    )
    assert answer["findings"] == []


# ---------------------------------------------------------------- キングを出す


def test_king_wo_dasu() -> None:
    """One king of the table and one of the hand are taken; nothing is drawn (K11–K13)."""
    answer = judged("A king  # legal king.2\n# to act B", tableau="5,J,K,K")
    assert answer["public"]["tableau"] == ["5", "J", "K"]
    assert answer["public"]["hands"]["A"] == 6
    assert answer["public"]["stock"] == 40
    assert answer["public"]["kings_known"] == {"A": 2, "B": 0}


def test_a_king_needs_one_on_the_table() -> None:
    judged("A king  # illegal king.2", tableau="5,J,9,9")


def test_a_king_may_be_played_although_a_set_is_possible_and_need_not_be() -> None:
    """K9, K10: nothing is said about the hand, so a set taken later proves nothing."""
    answer = judged("A king  # legal king.2\nB discard 3\nA capture 6 with 5 J")
    assert answer["findings"] == []


def test_a_known_king_plays_again_and_counts_once() -> None:
    """The king played may be one that was seen before: 2, then 3."""
    answer = judged("A king\nB discard 3\nA king  # legal king.2", tableau="5,J,K,K")
    assert answer["public"]["kings_known"] == {"A": 3, "B": 0}


def test_a_king_is_impossible_when_all_others_are_seen() -> None:
    answer = judged("A king\nB king  # illegal deck.2", tableau="K*4")
    assert answer["public"]["kings_known"] == {"A": 2, "B": 0}


# ---------------------------------------------------------------- 場札がなくなったら


SWEPT = "A capture 6 with 5 J\nB capture 3 with 6 9\n"
"""Empties the tableau 5 J 6 9; B has to turn up four cards."""


def test_bafuda_ga_nakunattara() -> None:
    """The turn player turns up four, after the extra card, and takes the kings (K15, K16)."""
    answer = judged(
        SWEPT
        + """
        # to act B
        # public {"tableau": [], "piles": {"A": 22, "B": 18}, "hands": {"A": 5, "B": 5}, \
"stock": 37, "kings_known": {"A": 0, "B": 0}}
        table refill 3 3 Q K  # legal refill.2
        # to act A
        """,
        tableau="5,J,6,9",
    )
    assert answer["public"] == {
        "tableau": ["3", "3", "Q"],
        "piles": {"A": 22, "B": 18},
        "hands": {"A": 5, "B": 6},
        "stock": 33,
        "kings_known": {"A": 0, "B": 1},
    }


def test_while_a_refill_is_due_nothing_else_is_legal_but_declaring() -> None:
    judged(
        SWEPT
        + """
        A discard 4  # illegal refill.1
        B discard 4  # illegal refill.1
        B pass  # illegal refill.1
        table refill 3 3 Q  # illegal refill.1
        table refill 3 3 Q Q 4  # illegal refill.1
        table refill 9 9 9 9  # illegal deck.2
        table deal dealer=A tableau=2,2,2,3  # illegal deal.2
        # to act B
        B declare  # legal declare.1
        # outcome B method.2
        """,
        tableau="5,J,6,9",
    )


def test_a_refill_that_is_not_due() -> None:
    judged("table refill 3 3 Q Q  # illegal refill.1")


def test_refill_kings_are_replaced_where_the_table_says_so() -> None:
    """K17: all at once, or the rest in a second entry."""
    house = {"tableau": "5,J,6,9", "replace_refill_kings": "on"}
    judged(SWEPT + "table refill 3 3 Q K 7  # legal refill.2\n# to act A", **house)
    answer = judged(
        SWEPT
        + """
        table refill 3 3 Q K  # legal refill.2
        # to act B
        A discard 2  # illegal refill.1
        table refill 7  # legal refill.1
        # to act A
        """,
        **house,
    )
    assert answer["public"]["tableau"] == ["3", "3", "Q", "7"]
    judged(SWEPT + "table refill 3 3 Q 4 7  # illegal refill.1", **house)
    judged(SWEPT + "table refill 3 3 Q K K 7 7 8  # illegal refill.1", **house)


def test_refill_kings_may_be_left_where_the_table_says_so() -> None:
    """K16: the text says that they can be taken; by default all of them are."""
    house = {"tableau": "5,J,6,9", "refill_kings": "may"}
    answer = judged(SWEPT + "table refill 3 K Q K left=1  # legal refill.2\n# to act A", **house)
    assert answer["entries"][-1]["says"] == "B takes 1 of the new kings and leaves 1 on the table."
    assert answer["public"]["tableau"] == ["3", "Q", "K"]
    assert answer["public"]["kings_known"]["B"] == 1
    answer = judged(SWEPT + "table refill 3 K Q K  # legal refill.2", **house)
    assert answer["public"]["kings_known"]["B"] == 2
    answer = judged(SWEPT + "table refill K K Q K left=3  # legal refill.2", **house)
    assert answer["public"]["tableau"] == ["K", "K", "Q", "K"]
    judged(SWEPT + "table refill 3 3 Q K left=2  # illegal refill.2", **house)
    judged(SWEPT + "table refill 3 3 Q K left=1  # illegal refill.2", tableau="5,J,6,9")
    replaced = judged(
        SWEPT + "table refill 3 K Q K left=1  # legal refill.2\ntable refill 7  # legal refill.1",
        **house,
        replace_refill_kings="on",
    )
    assert replaced["public"]["tableau"] == ["3", "Q", "K", "7"]


def test_refill_kings_are_not_replaced() -> None:
    judged(SWEPT + "table refill 3 3 Q K 7  # illegal refill.1", tableau="5,J,6,9")


def test_a_refill_of_kings_alone_is_repeated() -> None:
    """K18: four kings in a row, and nobody declares (K24)."""
    text = SWEPT + "table refill K K K K  # legal refill.2\n# to act B\n"
    answer = judged(text + "table refill 2 2 3 4  # legal refill.1\n# to act A", tableau="5,J,6,9")
    assert answer["public"]["kings_known"] == {"A": 0, "B": 4}


SHORT = """
A capture 3 with A 2
B capture 9 with 4 5
table refill A 6 8 2
A capture 7 with A 6
B capture 10 with 8 2
table refill 5 6 A 2
A capture J with 5 6
B capture 3 with A 2
table refill 4 5 A 6
A capture 9 with 4 5
B capture 7 with A 6
table refill 8 2 K K
A capture 10 with 8 2
table refill 5 6 K K
B capture J with 5 6
"""
"""Empties the tableau A 2 4 5 for the sixth time; the stock has one card left."""


def short(text: str, **house: str) -> dict[str, Any]:
    return judged(SHORT + text, tableau="A,2,4,5", **house)


def test_a_short_stock_is_turned_up_as_far_as_it_goes() -> None:
    """K19: one card; then the next player draws nothing and takes the table as it is."""
    answer = short(
        """
        # to act B
        table refill 4 4  # illegal refill.1
        table refill 4  # legal refill.1
        # to act A
        A discard 4  # legal discard.1
        """
    )
    assert answer["public"]["tableau"] == ["4", "4"]
    assert answer["public"]["stock"] == 0
    assert answer["public"]["hands"] == {"A": 10, "B": 11}


def test_without_a_stock_the_table_stays_empty() -> None:
    """K18, K19: the last card is the fifth king, and nothing is left to turn up after it."""
    answer = short(
        """
        table refill K  # legal refill.2
        # to act A
        table refill 4  # illegal refill.1
        A capture 9 with 4 5  # illegal set.1
        A king  # illegal king.2
        A discard 4  # legal discard.1
        """
    )
    assert answer["public"]["kings_known"] == {"A": 2, "B": 3}
    assert answer["public"]["tableau"] == ["4"]


def test_who_passed_at_the_end_of_a_deal_shows_no_kings_later() -> None:
    """K20, K22: only the card that empties the stock may be a third king that nobody could show."""
    text = "A pass\nB pass\n# outcome A, B tie.1\n# to act\nB declare  # illegal end.1"
    judged(text, tableau="5,J,9,9", stock_out="stop")


def test_the_last_card_turned_up_may_end_the_deal() -> None:
    """K20 ``stop``, K30 ``stock_empty``: after the refill, whose kings count."""
    end = "table refill K\n# score A 80, B 80\n# outcome A, B tie.1\n# to act\n"
    late = "A declare  # illegal end.1\nB declare  # legal declare.1\n# outcome B method.2"
    short(end + late, stock_out="stop")
    holds = "table refill K\n# score A 80, B 95\n# outcome B method.2\n# to act\n"
    short(holds, end="all_cards", all_cards_end="stock_empty")


# ---------------------------------------------------------------- ゲームの終了


def test_geemu_no_shuuryou() -> None:
    """Three kings shown end the game at once, by any seat at any time (K23, K24)."""
    judged("A discard 3\nA declare  # legal declare.1\n# outcome A method.2\n# to act")
    answer = judged("B declare 4  # legal declare.1\nA discard 3  # illegal end.1")
    assert answer["public"]["kings_known"] == {"A": 0, "B": 4}
    assert answer["score"] == {"A": 0, "B": 15}
    judged(
        "B declare 4\nA declare  # illegal end.1\n"
        "table deal dealer=A tableau=2,2,3,4  # illegal end.1"
    )


def test_three_kings_in_a_dealt_hand_end_the_game() -> None:
    """K3, K4: the default; the first to declare counts."""
    judged("C declare  # legal declare.1\n# outcome C method.1", "A B C", method="1")


def test_a_new_deal_for_three_dealt_kings() -> None:
    """K3: ``redeal`` until somebody has made an entry."""
    answer = judged(
        """
        table deal dealer=A tableau=2,2,3,4  # legal turn.2
        # to act B
        B discard K  # illegal king.1
        table deal dealer=A tableau=2,3,3,4  # legal turn.2
        B discard 9
        table deal dealer=A tableau=2,2,3,4  # illegal deal.2
        """,
        dealt_three_kings="redeal",
    )
    assert answer["public"]["tableau"] == ["2", "3", "3", "4", "9"]


@pytest.mark.parametrize("count", ["0", "1", "2"])
def test_declaring_takes_three_kings(count: str) -> None:
    judged(f"A declare {count}  # illegal declare.1")


def test_declaring_is_legal_unless_counting_forbids_it() -> None:
    """Kings on the table, kings known in other hands, and the size of the hand."""
    answer = judged("A declare 5  # illegal declare.1", tableau="5,J,9,K")
    assert says(answer, 2).startswith(
        "A holds 5 cards, and 1 of the 5 kings is seen elsewhere: A can hold 4 at most."
    )
    judged("A declare 99999999999999999999  # illegal declare.1")
    judged("B declare 4  # illegal declare.1\nB declare 3  # legal declare.1", tableau="5,J,K,K")
    judged("A declare  # illegal declare.1", tableau="K,K,K,5")
    judged("A king\nB declare 4  # illegal declare.1\nB declare  # legal declare.1")
    judged("A king\nB discard 3\nA king\nB declare  # illegal declare.1", tableau="5,J,K,K")
    answer = judged("A king\nB discard 3\nA declare 5  # illegal declare.1", tableau="5,J,K,K")
    assert "and 1 of the 5 kings is seen elsewhere: A can hold 4 at most." in says(answer, 4)


def test_the_declarer_whose_turn_it_is_may_count_the_card_drawn() -> None:
    """Four dealt cards and the draw: five kings, for the turn player alone."""
    judged("B declare 5  # illegal declare.1", tableau="5,J,9,9")
    answer = judged("A declare 5  # legal declare.1", tableau="5,J,9,9")
    assert answer["public"]["kings_known"]["A"] == answer["public"]["hands"]["A"] == 5
    assert answer["public"]["stock"] == 40
    answer = judged("A declare 4  # legal declare.1", tableau="5,J,9,9")
    assert answer["public"]["stock"] == 41


def test_the_extra_card_is_the_third_king() -> None:
    """K14: the end comes before the refill."""
    answer = judged(SWEPT + "B declare  # legal declare.1", tableau="5,J,6,9")
    assert answer["public"]["tableau"] == []
    assert answer["outcome"]["winners"] == ["B"]


def test_the_lower_bound_of_kings_comes_from_counting_too() -> None:
    """No stock, no king on the table: of eight cards three are numbers, then two, then one."""
    state = state_of(discards(41, "5,J,9,9"), tableau="5,J,9,9", set_compulsory="off")
    known = []
    for card, seat in zip("QQQ", "BAB", strict=True):
        known.append(three_kings.public(state)["kings_known"])
        state = after(state, Discard(seat, card))
    assert known == [{"A": 1, "B": 1}, {"A": 2, "B": 1}, {"A": 2, "B": 2}]
    assert three_kings.public(state)["kings_known"] == {"A": 3, "B": 2}


def test_k_g9() -> None:
    """Five kings in two hands: somebody has three. With one on the table nobody must."""
    state = state_of(discards(41, "5,J,9,9"), tableau="5,J,9,9", set_compulsory="off")
    assert state.stock == 0
    assert prompt(state) == Evidence("somebody_holds_three", {})
    state = state_of(discards(41, "5,J,9,K"), tableau="5,J,9,K", set_compulsory="off")
    assert prompt(state) is None


def test_the_table_is_asked_when_the_lower_bound_reaches_three() -> None:
    """K24."""
    state = state_of("A king\nB discard 3\nA king", tableau="5,J,K,K")
    assert prompt(state) == Evidence("must_hold_three", {"seats": ("A",)})
    assert prompt(after(state, Declare("A"))) is None
    assert prompt(state_of("A king\nB discard 3", tableau="5,J,K,K")) is None


# ---------------------------------------------------------------- パス (K21, K22)


def test_a_pass_says_that_the_hand_is_kings_alone() -> None:
    answer = judged("A pass  # illegal pass.1", tableau="5,J,9,K")
    assert "5 cards in A's hand had not been seen, and only 4 kings: at least 5 − 4 = 1" in says(
        answer, 2
    )
    judged("A pass  # unprovable pass.1\n# to act B", tableau="5,J,9,9")


def test_a_pass_is_refuted_by_kings_seen_elsewhere() -> None:
    """Five cards and five kings; then one of them turns up with B."""
    text = "A pass  # unprovable pass.1\nB declare\n# finding 2 A pass.1 by 3"
    answer = judged(text, tableau="5,J,9,9")
    assert answer["findings"][0]["says"].startswith("A declared holding no A, 2–")


def test_a_finding_names_all_table_cards_that_it_counts_in_one_sentence() -> None:
    """Entries 9 and 14 left only fours and kings for five cards; four of them are elsewhere."""
    text = """
        B capture A with 8 9
        A capture 3 with 4 7
        table refill Q J 5 Q
        B capture A with J Q
        A capture 7 with 5 Q
        table refill J 5 9 3
        B capture 2 with 9 J
        A discard 9
        B capture 6 with 3 9
        A discard 6
        B capture A with 5 6
        table refill J 4 A 10
        A discard 2
        B capture J with A 10
        A discard 5
        B declare 3
        # finding 14 A discard.1 by 1 9 13 17
    """
    says = judged(text, seats="B A", tableau="7,9,4,8")["findings"][0]["says"]
    assert "Dealt to the table: two 4s, a 7, an 8, a 9, an A, a 10 and a J. A played" in says
    assert "entries 9 and 14 cannot both have been true" in says


def test_two_declarations_with_as_many_draws_between_them_are_not_refuted_by_a_difference() -> None:
    """A held nine cards and had drawn twelve in between: no number of cards is left to fit both."""
    text = """
        C capture 3 with 6 9
        A discard 2
        B discard 2
        C discard A
        A discard J
        B capture 8 with 2 6
        C capture 3 with A 2
        A discard 8
        B capture 3 with 8 J
        C discard J
        A discard 9
        B capture 2 with 9 J
        C discard 7
        A discard Q
        B capture A with J Q
        C discard 9
        A discard 7
        B capture 2 with 7 9
        C discard Q
        A discard 8
        B capture 5 with 7 Q
        C discard 7
        A capture A with 7 8
        table refill 4 K 6 J
        B capture 10 with 4 6
        C discard 10
        A capture A with 10 J
        table refill A 2 9 10
        B capture 8 with 2 10
        C discard 6
        A capture 5 with A 6
        B discard Q
        C capture 3 with 9 Q
        table refill 7 10 5 4
        A discard 4
        B capture J with 4 7
        C capture 9 with 4 5
        C declare
        # finding 36 A discard.1 by 6 9 12 15 18 21 24 25 28 32 39
    """
    says = judged(text, seats="C A B", tableau="6,9,J,6")["findings"][0]["says"]
    assert "5 more cards of A can only have been K; with the 3 that were seen" in says
    assert "5 + 3 = 8; the deck has 7" in says
    assert "must fit both" not in says
    assert "entries 6 and 36 cannot both have been true" in says


def test_a_pass_is_refuted_by_a_number_of_the_same_hand() -> None:
    """No stock: whoever passed can't have a five later."""
    text = discards(41, "5,J,9,9") + "\nB discard Q"
    state = state_of(text, tableau="5,J,9,9", set_compulsory="off")
    state = after(state, Pass("A"))
    assert three_kings.audit(state) == ()
    state = after(state, Discard("B", "Q"))
    [found] = three_kings.audit(after(state, Discard("A", "Q")))
    assert (found.clause, found.at, found.proof) == ("pass.1", 44, (46,))


def test_a_pass_that_must_be_true() -> None:
    """All numbers are seen, or the hand is empty, or its kings are known one by one."""
    state = state_of(discards(41, "5,J,9,9"), tableau="5,J,9,9", set_compulsory="off")
    state = after(state, *(Discard(seat, "Q") for seat in "BAB"))
    assert three_kings.judge(state, Pass("A")) == Legal("pass.1", (Evidence("numbers_seen", {}),))
    assert isinstance(three_kings.judge(state, Discard("A", "Q")), Illegal)
    state = after(late("8 8 8 8 Q Q Q"), *(Discard("AB"[i % 2], "8") for i in (1, 2, 3, 4)))
    state = after(state, Discard("B", "Q"), Discard("A", "Q"), Discard("B", "Q"), Pass("A"))
    assert state.hands.size("B") == 0
    empty = (Evidence("hand_empty", {"seat": "B"}),)
    assert three_kings.judge(state, Pass("B")) == Legal("pass.1", empty)
    assert three_kings.judge(state, Discard("B", "7")).clause == "deck.2"
    assert three_kings.judge(state._replace(tableau=("K",)), King("B")) == Illegal("king.2", empty)


def test_when_all_pass_in_a_row_the_game_ends() -> None:
    """K22: no ±15."""
    judged("A pass\n# outcome open\nB pass\n# outcome A, B tie.1\n# to act", tableau="5,J,9,9")
    answer = judged("A pass\nB pass", tableau="5,J,9,9", method="1")
    assert answer["outcome"]["winners"] == []
    assert answer["outcome"]["clause"] == "close.1"
    assert "No one showed three kings." in answer["outcome"]["says"]
    assert answer["score"] == {"A": 0, "B": 0}


def test_a_play_in_between_starts_the_count_of_passes_again() -> None:
    text = "A pass\nB pass\nC discard 3\nA pass\nB pass\n# outcome open\nC pass\n"
    answer = judged(text + "# outcome A, B, C tie.1", "A B C", tableau="5,J,9,9")
    assert answer["score"] == {"A": 0, "B": 0, "C": 0}


def test_a_deal_of_another_size_can_be_let_stand() -> None:
    """Also by two, who have fewer copies of each number than cards were laid out."""
    for tableau in ("5,J,6,9,9", "5,J,6"):
        answer = check(
            f"{head()}table deal dealer=B tableau={tableau}  # illegal setup.3\n"
            "table rule 1 stands\n# to act A\n"
        )
        assert answer["public"]["tableau"] == tableau.split(",")
    check(
        head() + "table deal dealer=B tableau=9,9,9,9,9  # illegal setup.3\n"
        "table rule 1 stands  # illegal log.3\n"
    )


def test_passing_twice_does_not_count_for_another_seat() -> None:
    judged(
        """
        A pass
        C pass      # illegal turn.1
        table rule 3 stands
        A pass
        # outcome open
        B discard 8
        """,
        "A B C",
        tableau="2,3,4,9",
    )


# ---------------------------------------------------------------- 勝者の決定

PILES = "A: 4+8=Q A+5=6\nB: 5+6=J 3+3=6 2+10=Q\ndeclarer: A"


@pytest.mark.parametrize(
    ("method", "score", "winners"),
    [
        ("1", {"A": 1, "B": 0}, ["A"]),
        ("2", {"A": 51, "B": 58}, ["B"]),
        ("3", {"A": 21, "B": 58}, ["A"]),
    ],
)
def test_shousha_no_kettei(method: str, score: dict[str, int], winners: list[str]) -> None:
    """K-G2: one pair of piles, three methods."""
    answer = tally(PILES, method=method)
    assert answer["score"] == score
    assert answer["outcome"]["winners"] == winners
    assert answer["outcome"]["clause"] == f"method.{method}"
    assert answer["entries"] == []


@pytest.mark.parametrize(
    ("method", "score", "winner"),
    [("1", {"A": 0, "B": 1}, "B"), ("2", {"A": 22, "B": 15}, "A"), ("3", {"A": 22, "B": -15}, "B")],
)
def test_the_methods_at_the_table(method: str, score: dict[str, int], winner: str) -> None:
    """A has the points, B the kings; a score may be negative (K27)."""
    answer = judged("A capture 6 with 5 J\nB declare", method=method)
    assert answer["score"] == score
    assert answer["outcome"]["winners"] == [winner]
    assert answer["outcome"]["clause"] == f"method.{method}"


def test_the_arithmetic_is_shown() -> None:
    state = state_of("A capture 6 with 5 J\nB declare")
    lines = [(line.seat, line.points, line.clause) for line in three_kings.score(state).lines]
    assert lines == [("A", 22, "score.1"), ("B", 15, "method.2")]
    values = {"low": "5", "middle": "6", "high": "J", "points": 22}
    assert three_kings.score(state).lines[0].evidence == (Evidence("adds_up", values, 2),)


def test_while_the_game_runs_the_score_is_the_piles() -> None:
    assert judged("A capture 6 with 5 J")["score"] == {"A": 22, "B": 0}
    answer = judged("A capture 6 with 5 J", method="1")
    assert answer["score"] == {"A": 0, "B": 0}
    assert answer["public"]["piles"] == {"A": 22, "B": 0}


LEVEL = "A pass\nB pass\n"


def test_equal_scores_are_shared() -> None:
    """K26 and the other values of ``final_tie``."""
    judged(LEVEL + "# outcome A, B tie.1", tableau="5,J,9,9")
    judged(LEVEL + "# outcome A tie.1", tableau="5,J,9,9", final_tie="first_in_seat")


def test_a_tie_is_played_again() -> None:
    """``final_tie=replay``: another deal, in which only those who were level can win."""
    level = """
        A capture 6 with 5 J
        B capture 6 with 5 J
        table refill 9 9 9 9
        C pass
        A pass
        B pass
        # score A 22, B 22, C 0
        # outcome open
        # to act
        A declare  # illegal deal.1
        table deal dealer=A tableau=5,J,9,9  # legal turn.2
        # to act B
        """
    house = {"tableau": "5,J,5,J", "final_tie": "replay"}
    answer = judged(level + "B declare\n# outcome B method.2", "A B C", **house)
    assert answer["score"] == {"A": 22, "B": 37, "C": 0}
    assert "A and B" in answer["outcome"]["says"]
    third = "B discard 3\nC capture 6 with 5 J\nC declare  # legal declare.1\n"
    judged(level + third + "# score A 22, B 22, C 37\n# outcome open", "A B C", **house)


# ---------------------------------------------------------------- バリアント

USED_UP = discards(41, "5,J,9,9") + "\nB discard Q\nA discard Q\nB discard Q\n"
"""All numbers are on the table; A has three kings and B two."""


def used_up(text: str, **house: str) -> dict[str, Any]:
    rules = {"end": "all_cards", "set_compulsory": "off", **house}
    return judged(USED_UP + text, tableau="5,J,9,9", **rules)


def test_baarianto() -> None:
    """K30–K32: it ends when all have passed in a row without a stock; holders get the 15."""
    text = "A pass  # legal pass.1\n# outcome open\nB pass\n# outcome A method.2\n# to act"
    assert used_up(text)["score"] == {"A": 15, "B": 0}
    answer = used_up("A pass\nB pass\n# outcome A method.3", method="3")
    assert answer["score"] == {"A": -15, "B": 0}


def test_nobody_declares_in_the_variant() -> None:
    judged("A declare  # illegal variant.1", end="all_cards")
    used_up("A declare  # illegal variant.1\nA pass\nB pass\nA declare  # illegal end.1")


def test_a_pass_that_was_let_stand_says_nothing_about_kings() -> None:
    """K30, K31: hands of nine, of which five can be kings."""
    answer = judged(
        """
        A capture 4 with A 5
        B discard 10
        A capture 3 with 7 10
        B discard 6
        A capture A with 7 6
        table refill 8 Q 5 J
        B capture 3 with 8 5
        A capture A with Q J
        table refill 4 3 7 4
        B capture 8 with 4 4
        A capture 4 with 3 7
        table refill J 2 J 6
        B capture 8 with 2 6
        A discard 10
        B capture A with J 10
        A discard 9
        B capture 2 with J 9
        table refill 9 6 Q 7
        A capture 5 with Q 7
        B pass    # illegal pass.1
        table rule 21 stands
        A pass    # illegal pass.1
        table rule 23 stands
        # outcome A method.2
        """,
        tableau="7,7,A,5",
        end="all_cards",
    )
    assert answer["score"] == {"A": 106, "B": 92}


def test_who_passes_with_exactly_three_cards_gets_the_15_points() -> None:
    """K30, K31: one Q is unseen, so only the passes say what is held; either may be true."""
    text = """
        B discard Q
        A discard Q
        B pass  # unprovable pass.1
        A pass  # unprovable pass.1
        # outcome A, B tie.1
        # score A 15, B 15
        """
    house = {"tableau": "5,J,9,9", "end": "all_cards", "set_compulsory": "off"}
    judged(discards(41, "5,J,9,9") + text, **house)


def test_the_variant_without_the_15_points() -> None:
    """K31."""
    used_up("A pass\nB pass\n# score A 0, B 0\n# outcome A, B tie.1", all_cards_bonus="none")


def test_two_holders_in_the_variant() -> None:
    """K31: three players have seven kings."""
    sheet = "A: 4+8=Q\nB:\nC: 2+2=4\ndeclarer: A B"
    answer = tally(sheet, "A B C", end="all_cards")
    assert answer["score"] == {"A": 39, "B": 15, "C": 8}
    answer = tally(sheet, "A B C", end="all_cards", all_cards_bonus="none")
    assert answer["score"] == {"A": 24, "B": 0, "C": 8}


def test_passing_with_a_stock_does_not_end_the_variant() -> None:
    judged("A pass\nB pass\n# outcome open\n# to act A", tableau="5,J,9,9", end="all_cards")


def test_the_variant_that_ends_with_the_stock() -> None:
    """K30: ``stock_empty``; after the end each seat may show its kings (K31)."""
    house = {"tableau": "5,J,9,9", "end": "all_cards", "all_cards_end": "stock_empty"}
    judged("A declare  # illegal variant.1", **house)
    house["set_compulsory"] = "off"
    lines = discards(41, "5,J,9,9") + "\n# to act\n# outcome A, B tie.1\n"
    answer = judged(
        lines
        + """
        B discard Q  # illegal end.1
        A declare 2  # illegal declare.1
        A declare 5  # illegal declare.1
        A declare 4  # legal declare.1
        B declare  # illegal declare.1
        # outcome A method.2
        # score A 15, B 0
        """,
        **house,
    )
    assert answer["public"]["kings_known"] == {"A": 4, "B": 1}


def test_kings_that_everybody_has_seen_need_not_be_shown() -> None:
    """K31: every holder of three kings; A took two from the table with one of its own."""
    lines = discards(41, "9,9").split("\n")
    lines[0] = lines[2] = "A king  # legal king.2"
    answer = judged(
        "\n".join(lines) + "\n# to act\n# score A 15, B 0\n# outcome A method.2",
        tableau="K,K,9,9",
        end="all_cards",
        all_cards_end="stock_empty",
        set_compulsory="off",
    )
    assert answer["public"]["kings_known"] == {"A": 3, "B": 0}


def test_the_deal_may_end_with_the_stock() -> None:
    """K20 ``stop``: like K22; the last one to draw may still show three kings."""
    house = {"tableau": "5,J,9,9", "set_compulsory": "off", "stock_out": "stop"}
    lines = discards(41, "5,J,9,9")
    answer = judged(lines + "\n# outcome A, B tie.1\n# to act\nB declare  # illegal end.1", **house)
    assert answer["score"] == {"A": 0, "B": 0}
    judged(lines + "\nA declare  # legal declare.1\n# outcome A method.2", **house)


def test_method_1_does_not_go_with_the_variant() -> None:
    for rules in (
        "option: method=1\noption: end=all_cards",
        "option: end=all_cards\noption: method=1",
    ):
        with pytest.raises(Unreadable) as caught:
            read(f"referee: 1\ngame: three_kings\nseats: A B\n{rules}\n".encode(), GAMES)
        assert caught.value.fact == "read_option_clash"
        assert caught.value.line == 5


# ---------------------------------------------------------------- tally sheets


def test_without_a_declarer_the_piles_decide() -> None:
    sheet = "A: 4+8=Q\nB: A+5=6"
    assert tally(sheet)["score"] == {"A": 24, "B": 12}
    assert tally(sheet)["outcome"]["winners"] == ["A"]
    assert tally(sheet, method="3")["outcome"]["winners"] == ["B"]
    assert tally(sheet + "\ndeclarer:", method="1")["outcome"]["winners"] == []


@pytest.mark.parametrize(
    ("sheet", "line", "fact"),
    [
        ("A: 4+8=J\nB:", 5, "read_tally_set"),
        ("A: 4+8\nB:", 5, "read_tally_set"),
        ("A: 4+4+4=Q\nB:", 5, "read_tally_set"),
        ("A: Q=4+8\nB:", 5, "read_tally_set"),
        ("A: K+A=K\nB:", 5, "king_in_set"),
        ("A: 4*1+8=Q\nB:", 5, "read_tally_set"),
        ("A: 4+7=11\nB:", 5, "read_tally_set"),
        ("A: 2+2=4 2+2=4\nB: 2+3=5", 6, "sheet_copies"),
        ("A: 4+8=Q", 4, "read_missing"),
        ("A:\nB:\nA:", 7, "read_repeated"),
        ("A:\nB:\nC:", 7, "read_tally_key"),
        ("A:\nB:\ndeclarer: C", 7, "read_seat"),
        ("A:\nB:\ndeclarer: A B", 7, "read_tally_declarers"),
        ("A:\nB:\ndeclarer: A A", 7, "read_repeated"),
    ],
)
def test_a_sheet_that_cannot_be_read(sheet: str, line: int, fact: str) -> None:
    with pytest.raises(Unreadable) as caught:
        tally(sheet)
    assert (caught.value.line, caught.value.fact) == (line, fact)


def test_two_players_cannot_both_hold_three_of_five_kings() -> None:
    with pytest.raises(Unreadable):
        tally("A:\nB:\ndeclarer: A B", end="all_cards")


# ---------------------------------------------------------------- 卓の裁定 (X4)


@pytest.mark.parametrize(
    ("entries", "tableau", "turn"),
    [
        ("B discard 3", ["5", "J", "9", "K", "3"], "A"),  # out of turn: then it is A's
        ("B king", ["5", "J", "9"], "A"),
        ("A capture 5 with 5 J", ["9", "K"], "B"),  # 5, 5, J do not add up
        ("A discard 6", ["5", "J", "9", "K", "6"], "B"),
        ("A discard K", ["5", "J", "9", "K", "K"], "B"),
        ("A pass", ["5", "J", "9", "K"], "B"),
    ],
)
def test_what_the_table_can_let_stand(entries: str, tableau: list[str], turn: str) -> None:
    answer = judged(f"{entries}\ntable rule 2 stands  # legal log.3")
    assert answer["entries"][1]["verdict"] == "illegal"
    assert answer["public"]["tableau"] == tableau
    assert answer["to_act"] == [turn]


@pytest.mark.parametrize(
    "entry",
    [
        "A capture 4 with 8 Q",
        "A capture K with 5 J",
        "A capture 6 with 6 K",
        "A declare 2",
        "A declare 5",
        "table refill 3 3 3 3",
        "table deal dealer=B tableau=2,2,3,3",
    ],
)
def test_what_has_no_effect_if_it_stood(entry: str) -> None:
    judged(f"{entry}\ntable rule 2 stands  # illegal log.3")


def test_a_set_that_did_not_add_up_counts_its_cards() -> None:
    answer = judged("A capture 5 with 5 J  # illegal set.1\ntable rule 2 stands")
    assert answer["score"] == {"A": 21, "B": 0}


def test_a_refill_of_the_wrong_size_may_stand() -> None:
    text = SWEPT + "table refill 3 3 Q  # illegal refill.1\ntable rule 4 stands\n# to act A"
    answer = judged(text, tableau="5,J,6,9")
    assert answer["public"]["stock"] == 34


def test_a_forgotten_refill_may_stand() -> None:
    text = SWEPT + "A discard 4  # illegal refill.1\ntable rule 4 stands\n# to act B"
    answer = judged(text, tableau="5,J,6,9")
    assert answer["public"]["tableau"] == ["4"]


def test_a_king_that_was_discarded_is_not_known_in_that_hand_any_more() -> None:
    answer = judged("A king\nB discard 3\nA discard K  # illegal king.1\ntable rule 4 stands")
    assert answer["public"]["kings_known"] == {"A": 1, "B": 0}
    assert answer["public"]["hands"] == {"A": 6, "B": 4}


# ---------------------------------------------------------------- the record


@pytest.mark.parametrize(
    "line",
    [
        "table deal dealer=A",
        "table deal tableau=5,J,9,K",
        "table deal dealer=A tableau=5,J,9,",
        "table deal dealer=A tableau=5,J,9,11",
        "table deal dealer=C tableau=5,J,9,K",
        "A capture 6",
        "A capture 6 with 5",
        "A capture 6 with 5 J 9",
        "A capture 6 5 with J",
        "A capture 11 with 5 6",
        "A discard 1",
        "A discard q",
        "A discard 6 6",
        "A king K",
        "A declare three",
        "A refill 3 3 Q K",
        "table refill",
        "A lay 5",
    ],
)
def test_what_cannot_be_read(line: str) -> None:
    with pytest.raises(Unreadable):
        Grammar(three_kings, ["A", "B"]).parse(line)


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("table deal dealer=A tableau=5,J,9,K", Deal("A", ("5", "J", "9", "K"))),
        ("A capture 6 with 5 J", Capture("A", "6", ("5", "J"))),
        ("A discard 10", Discard("A", "10")),
        ("A king", King("A")),
        ("A pass", Pass("A")),
        ("table refill 3 3 Q K", Refill(("3", "3", "Q", "K"))),
        ("table refill 3 K Q K left=1", Refill(("3", "K", "Q", "K"), 1)),
        ("A declare", Declare("A")),
        ("A declare 4", Declare("A", 4)),
    ],
)
def test_each_entry_is_written_as_it_is_read(line: str, entry: Any) -> None:
    grammar = Grammar(three_kings, ["A", "B"])
    assert grammar.parse(line) == entry
    assert grammar.print(entry) == line


# ---------------------------------------------------------------- laws

HOUSES: list[dict[str, str]] = [
    {},
    {"method": "1", "initial_table_kings": "replace", "fifth_king": "king"},
    {"method": "3", "set_compulsory": "off"},
    {"replace_refill_kings": "on", "initial_table_kings": "to_first_player"},
    {"refill_kings": "may"},
    {"refill_kings": "may", "replace_refill_kings": "on"},
    {"stock_out": "stop", "method": "1", "dealt_three_kings": "redeal"},
    {"end": "all_cards"},
    {"end": "all_cards", "all_cards_end": "stock_empty", "method": "3"},
    {"end": "all_cards", "all_cards_bonus": "none", "final_tie": "replay"},
]


def test_the_houses_have_every_value_of_every_option() -> None:
    played_here = {item for house in HOUSES for item in house.items()}
    for key, option in OPTIONS.items():
        assert {(key, value) for value in option.values[1:]} <= played_here


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: ",".join(house.values()) or "default")
@pytest.mark.parametrize("seats", ["AB", "ABC", "ABCD"])
def test_honest_players_are_never_found_guilty(seats: str, house: dict[str, str]) -> None:
    """Real cards, real hands: everything is legal or unprovable, and no card is ever lost."""
    for seed in range(4):
        log = played(three_kings, seats, seed, options=house)
        assert log.findings() == ()
        assert three_kings.outcome(log.state)
        before = -1
        for step in log.steps():
            assert not isinstance(step.verdict, Illegal), step
            state = step.state
            public = three_kings.public(state)
            taken = [card for pile in state.sets if pile.deal == state.deal for card in pile.cards]
            in_hands = sum(public["hands"].values())  # type: ignore[attr-defined]
            cards = len(taken) + len(public["tableau"]) + in_hands
            assert cards + public["stock"] == len(state.deck)
            assert 0 <= public["stock"] <= 41 + 22 * (len(seats) - 2)
            piles = sum(public["piles"].values())  # type: ignore[attr-defined]
            assert piles == sum(three_kings.VALUE[c] for c in taken)
            for seat, kings in public["kings_known"].items():  # type: ignore[attr-defined]
                assert kings <= public["hands"][seat]
            assert state.at > before
            before = state.at


@pytest.mark.parametrize("seats", ["AB", "ABC"])
def test_the_referee_knows_no_more_kings_than_there_are(seats: str) -> None:
    """``kings_known`` never exceeds what the hands really hold: honest declarations stay legal."""
    for seed in range(20):
        log = played(three_kings, seats, seed)
        last = log.steps()[-1]
        if isinstance(last.play, Declare):
            before = last.before
            assert before is not None
            shown = last.play.kings
            bound = three_kings.kings_known(before.state, last.play.seat)
            assert last.play.count is None or bound <= shown


def test_liars_are_found_out_and_nobody_else() -> None:
    """A discards with sets in hand, B never does."""
    found = list[Finding]()
    for seed in range(8):
        log = played(three_kings, "AB", seed, lies=0.6, options={"end": "all_cards"})
        found += log.findings()
    assert found
    assert {(finding.seat, finding.clause) for finding in found} == {("A", "discard.1")}
    assert all(finding.proof[-1] >= finding.at for finding in found)


def test_options_holds_nothing_illegal() -> None:
    state = state_of("A discard 3")
    plays = list(options(three_kings, state))
    assert King("B") in plays
    assert Declare("A") in plays
    assert Capture("B", "6", ("5", "J")) in plays
    assert not any(isinstance(play, Discard) and play.rank == "K" for play in plays)
    assert not any(isinstance(three_kings.judge(state, play), Illegal) for play in plays)
    state = state_of(SWEPT, tableau="5,J,6,9")
    assert Refill(("3", "3", "Q", "K")) in list(options(three_kings, state))
    assert Deal("A", ("2", "2", "3", "K")) in list(
        options(three_kings, three_kings.setup(table(three_kings, "AB")))
    )


def test_the_pairs_that_make_a_set_with_a_card() -> None:
    """What the pad lights up: 6 with 2 4, 5 J and not twice the same."""
    assert sets_with(("2", "9", "5", "4", "K", "J"), "6") == (("2", "4"), ("5", "J"))
    assert sets_with(("2", "2", "2"), "4") == (("2", "2"),)
    assert sets_with(("2", "2", "2"), "K") == ()


def test_the_house_rules_are_those_that_records_name_the_default_first() -> None:
    values = {key: option.values for key, option in three_kings.OPTIONS.items()}
    assert values == {
        "method": ("2", "1", "3"),
        "fifth_king": ("joker", "king"),
        "initial_table_kings": ("stay", "replace", "to_first_player"),
        "dealt_three_kings": ("end", "redeal"),
        "set_compulsory": ("on", "off"),
        "refill_kings": ("must", "may"),
        "replace_refill_kings": ("off", "on"),
        "stock_out": ("continue", "stop"),
        "end": ("three_kings", "all_cards"),
        "all_cards_end": ("hands_empty", "stock_empty"),
        "all_cards_bonus": ("holders", "none"),
    }
