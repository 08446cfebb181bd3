"""Rules of the format that no shipped game has, each in a match of a few lines."""

from __future__ import annotations

from typing import Any

import pytest
from kit_files import named

from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.verdict import Illegal, Legal, Unprovable, Verdict
from referee.games.simulation import table
from referee.kit.chapters.trick import of_last_state
from referee.kit.families.trick_taking.evidence import brought_about
from referee.kit.families.trick_taking.judging import bids_add_up
from referee.kit.families.trick_taking.player import _to_each
from referee.kit.families.trick_taking.state import BETWEEN, State
from referee.kit.game import KitGame
from referee.kit.load import Misread, load
from referee.rulings import book_of

BEGIN = """kit = 1
family = "trick_taking"
key = "small"
title = { ja = "小さい", en = "small" }
"""
SUITS = """suits.R = { ja = "赤", en = "red" }
suits.B = { ja = "青", en = "blue" }
"""
PLAIN = {
    "seats": "count = 3",
    "deck": SUITS + 'ranks = "1..9"',
    "deal": "hand = 2",
    "play": 'follow = ["suit led"]',
    "trick": 'best = ["suit trump", "suit led"]',
    "trump": 'from = "fixed"\nsuit = "B"',
    "score.made": 'per = "deal"\npoints = "tricks"',
    "match": 'deals = 2\nwinner = "most"',
}
DEAL = "table deal leader=A"


def game(**parts: str) -> KitGame:
    """The plain game, with these parts instead of its own; "" leaves one out."""
    sections = {**PLAIN, **{key.replace("_", "."): part for key, part in parts.items()}}
    return load(
        (
            BEGIN + "".join(f"[{key}]\n{sections[key]}\n" for key in sections if sections[key])
        ).encode()
    )


def played(one: KitGame, lines: list[str], seats: str = "A B C", **options: str) -> Log:
    """The match of ``lines``, of which none is illegal."""
    log = Log(one, table(one, seats.split(), **options))
    grammar = Grammar(one, tuple(seats.split()))
    for line in lines:
        play = grammar.parse(line)
        assert not isinstance(one.judge(log.state, play), Illegal), line
        log.push(play)
    return log


def says(log: Log, line: str) -> type[Verdict]:
    """The verdict on one more line."""
    play = Grammar(log.game, log.state.table.seats).parse(line)
    return type(log.game.judge(log.state, play))


def state(log: Log) -> State:
    found: State = log.state
    return found


def totals(log: Log) -> dict[str, int]:
    return dict(log.game.score(log.state).totals)


def test_a_card_face_down_denies_what_was_asked_and_cannot_win() -> None:
    one = game(play='follow = ["suit led"]\ncannot = "down"')
    log = played(one, [DEAL, "A lay R3"])
    assert says(log, "B lay B4") is Illegal  # below the last step a card lies face down
    assert says(log, "B cover") is Unprovable
    log = played(one, [DEAL, "A lay R3", "B cover", "C cover"])
    assert state(log).round.tricks == (1, 0, 0)
    assert [laid.card for laid in state(log).round.last.cards] == ["R3", "", ""]  # type: ignore[union-attr]
    # a red card in the second trick refutes what B said in the first, and so does a second denial
    log = played(one, [DEAL, "A lay R3", "B cover", "C cover", "A lay B1", "B cover"])
    assert [(found.seat, found.proof) for found in log.findings()] == [("B", (3, 6))]
    log = played(one, [DEAL, "A lay R3", "B cover", "C cover", "A lay R1", "B lay R2"])
    assert [(found.seat, found.at) for found in log.findings()] == [("B", 3)]


def test_cards_passed_aside_shorten_the_hands_and_are_never_seen() -> None:
    one = game(**{"deal": "hand = 3", "pass": 'cards = 1\nto = ["aside", "none"]'})
    log = played(one, [DEAL])
    assert says(log, "A lay R1") is Illegal
    log = played(one, [DEAL, "table passed"])
    assert set(state(log).hands.hidden.values()) == {2}
    assert state(log).round.size == 2
    log = played(one, [DEAL, "table passed", "A lay R1", "B lay R2", "C lay R3"])
    log = played(one, [*log_lines(log), "C lay B1", "A lay B2", "B lay B3", "table deal"])
    assert state(log).phase == "play"  # nothing is passed in the second deal
    assert state(log).round.size == 3


def log_lines(log: Log) -> list[str]:
    grammar = Grammar(log.game, log.state.table.seats)
    return [grammar.print(entry) for entry in log.entries]


def test_a_card_that_is_always_free_is_allowed_by_that_rule() -> None:
    """Not by the rule for players without the suit led: B may hold red cards."""
    one = game(play='follow = ["suit led", "not suit trump"]\nalways = "suit trump and beats"')
    log = played(one, [DEAL, "A lay R3"])
    grammar = Grammar(one, ("A", "B", "C"))
    verdicts = [one.judge(log.state, grammar.parse(f"B lay {card}")) for card in ("R1", "B2")]
    assert [(type(each), each.clause) for each in verdicts] == [
        (Legal, "follow.1"),
        (Legal, "always.1"),
    ]


def test_a_bid_can_be_changed_until_a_card_lies() -> None:
    forbid = 'values = "0..hand"\nforbid = "last and bids + this = hand"\n'
    once, again = game(bid=forbid), game(bid=forbid + 'change = "until_lead"')
    lines = [DEAL, "A bid 1", "B bid 0", "C bid 2"]
    assert says(played(once, lines), "A bid 0") is Illegal
    log = played(again, lines)
    assert says(log, "A bid 0") is Illegal  # the sum would come out even
    assert says(log, "A bid 2") is Legal
    log = played(again, [*lines, "A bid 2"])
    assert state(log).round.bids == ("2", "0", "2")
    assert state(log).phase == "play"
    assert says(played(again, [*lines, "A lay R1"]), "A bid 2") is Illegal
    assert says(played(again, lines[:3]), "B bid 1") is Legal  # before the others have spoken


def test_the_trump_suit_goes_round_and_is_none_in_its_turn() -> None:
    one = game(trump='from = "cycle"\nsuits = ["R", "none"]', deal="hand = 1")
    first = [DEAL, "A lay B9", "B lay R1", "C lay B1"]
    log = played(one, first)
    assert state(log).round.tricks == (0, 1, 0)
    log = played(one, [*first, "table deal", "B lay B9", "C lay R1", "A lay B1"])
    assert state(log).trump is None
    assert state(log).round.tricks == (0, 1, 0)


def test_the_highest_bid_names_the_trump_suit_and_the_first_of_equal_ones_does() -> None:
    one = game(trump='from = "named"\nby = "highest_bid"', bid='values = "0..hand"')
    log = played(one, [DEAL, "A bid 0", "B bid 2", "C bid 2"])
    assert one.to_act(log.state) == ("B",)
    assert says(log, "C trump R") is Illegal
    assert says(log, "B lay R1") is Illegal
    log = played(one, [DEAL, "A bid 0", "B bid 2", "C bid 2", "B trump R", "A lay B9", "B lay R1"])
    assert state(log).trump == "R"


SUIT_BIDS = """values = "0..1"
special.red = { worth = 2, suit = "R", ja = "赤", en = "red" }
special.blue = { worth = 3, suit = "B", ja = "青", en = "blue" }
special.grand = { worth = 4, suit = "none", ja = "グラン", en = "grand" }
"""


@pytest.mark.parametrize(
    ("bids", "trump"),
    [
        ("red 0 1", "R"),
        ("red blue 0", "B"),
        ("red blue grand", None),
        ("1 0 0", None),
    ],
)
def test_the_highest_bid_makes_the_trump_suit(bids: str, trump: str | None) -> None:
    one = game(trump='from = "bid"', bid=SUIT_BIDS)
    lines = [DEAL, *(f"{seat} bid {said}" for seat, said in zip("ABC", bids.split(), strict=True))]
    log = played(one, lines)
    assert (state(log).phase, state(log).trump) == ("play", trump)
    log = played(one, [*lines, "A lay R9", "B lay R1", "C lay B1"])
    assert state(log).round.tricks == ((0, 0, 1) if trump == "B" else (1, 0, 0))


def test_a_bid_that_is_changed_changes_the_trump_suit_with_it() -> None:
    one = game(
        trump='from = "bid"\nnone_when = "bids = 3"', bid=f'{SUIT_BIDS}change = "until_lead"'
    )
    lines = [DEAL, "A bid red", "B bid 0", "C bid 0"]
    assert state(played(one, lines)).trump == "R"
    assert state(played(one, [*lines, "B bid blue"])).trump == "B"
    assert state(played(one, [*lines, "B bid blue", "B bid 0"])).trump == "R"
    assert state(played(one, [*lines, "C bid 1"])).trump is None  # the bids are 3 together
    assert state(played(one, [*lines, "C bid 1", "C bid 0"])).trump == "R"


def test_a_bid_must_beat_the_highest_one_so_far() -> None:
    one = game(bid='values = "0..hand"\nforbid = "this > 0 and this <= most(bid)"')
    log = played(one, [DEAL, "A bid 1"])
    assert [says(log, f"B bid {n}") for n in (0, 1, 2)] == [Legal, Illegal, Legal]


@pytest.mark.parametrize(("equal", "winner"), [("first", "A"), ("last", "C")])
def test_of_equal_cards_the_first_or_the_last_wins(equal: str, winner: str) -> None:
    trick = f'best = ["all"]\nequal = "{equal}"'
    one = game(deck='ranks = "1..5"\ncopies = 4', play="follow = []", trick=trick, trump="")
    log = played(one, [DEAL, "A lay 5", "B lay 2", "C lay 5"])
    assert one.to_act(log.state) == (winner,)


def test_the_later_of_equal_cards_beats_the_earlier_one() -> None:
    one = game(
        deck='ranks = "1..3"\ncopies = 4',
        play='follow = ["beats"]',
        trick='best = ["all"]\nequal = "last"',
        trump="",
    )
    log = played(one, [DEAL, "A lay 2"])
    assert [says(log, f"B lay {n}") for n in (1, 2, 3)] == [Unprovable, Legal, Legal]


def test_points_of_the_match_come_once_at_its_end() -> None:
    bonus = 'per = "match"\nwhen = "place(total) = 1"\npoints = "10*same(total)"'
    one = game(**{"score.bonus": bonus, "deal": "hand = 1"})
    first = [DEAL, "A lay R9", "B lay R1", "C lay R2"]
    assert totals(played(one, first)) == {"A": 1, "B": 0, "C": 0}
    log = played(one, [*first, "table deal", "B lay R9", "C lay R1", "A lay R2"])
    assert totals(log) == {"A": 21, "B": 21, "C": 0}
    assert one.outcome(log.state).winners == ("A", "B")  # type: ignore[union-attr]
    lines = [line for line in one.score(log.state).lines if line.clause == "score.bonus"]
    assert [(line.seat, line.points) for line in lines] == [("A", 20), ("B", 20)]


def test_points_of_the_match_for_a_team_come_once() -> None:
    bonus = 'per = "match"\nto = "team"\nwhen = "place(total) = 1"\npoints = 10'
    seats = 'count = 4\nteams = "opposite"'
    one = game(**{"seats": seats, "score.bonus": bonus, "match": 'deals = 1\nwinner = "most"'})
    lines = [DEAL, "A lay R9", "B lay R1", "C lay R2", "D lay R3"]
    lines += ["A lay R8", "B lay R4", "C lay R5", "D lay R6"]
    log = played(one, lines, "A B C D")
    assert totals(log) == {"A": 12, "B": 0, "C": 12, "D": 0}


def test_the_first_card_of_another_suit_makes_it_the_trump_suit() -> None:
    one = game(trump='from = "first_discard"')
    log = played(one, [DEAL, "A lay R9", "B lay B1", "C lay R8"])
    assert state(log).trump == "B"
    assert one.to_act(log.state) == ("B",)


def test_no_trump_suit_where_a_condition_says_so() -> None:
    one = game(trump='from = "fixed"\nsuit = "B"\nnone_when = "deal = 1"', deal="hand = 1")
    log = played(one, [DEAL, "A lay R9", "B lay B1", "C lay R8", "table deal"])
    assert state(log).round.tricks == (0, 0, 0)
    assert totals(log) == {"A": 1, "B": 0, "C": 0}
    assert state(log).trump == "B"


def test_cards_that_may_always_be_played_can_change_from_card_to_card() -> None:
    one = game(play='always = "suit trump and beats"\nfollow = ["suit led", "not suit trump"]')
    log = played(one, [DEAL, "A lay R9", "B lay B4"])
    assert says(log, "C lay B5") is Legal  # a higher trump says nothing about the hand
    assert says(log, "C lay B3") is Unprovable  # a lower one says that there is nothing else
    assert says(log, "C lay R1") is Legal


def test_a_rank_reads_as_another_digit_in_a_row() -> None:
    one = game(
        deck='ranks = "1..10"\ncopies = 3',
        play="follow = []",
        trick='best = [{ cards = "all", by = "row" }]\nrow = "sorted"\ndigits = { "10" = "0" }',
        trump="",
    )
    log = played(one, [DEAL, "A lay 10", "B lay 1", "C lay 2"])
    assert one.to_act(log.state) == ("C",)  # a ten reads as 0
    log = played(one, [*log_lines(log), "C lay 9", "A lay 9", "B lay 9"])
    assert state(log).round.last.winner == "C"  # type: ignore[union-attr]  # 92, 90 and 91


def test_house_rules_that_bar_each_other() -> None:
    options = """[option.length]
ja = "長さ"
en = "length"
two = { ja = "二", en = "two" }
three = { ja = "三", en = "three", set = { match.deals = 3 } }
[option.ending]
ja = "終わり"
en = "end"
deals = { ja = "数", en = "deals" }
points = { ja = "点", en = "points", set = { match.deals = 9 }, not_with = { length = "three" } }
"""
    one = load((game().text + options).encode())
    assert one.OPTIONS["ending"].barred == {"points": {"length": "three"}}
    assert one.rules(table(one, ["A", "B", "C"], ending="points")).source.at("match", "deals") == 9


def test_the_highest_bidder_leads_and_a_deal_that_all_pass_is_not_played() -> None:
    bids = 'values = "1..hand"\nspecial.pass = { worth = 0, en = "pass" }\n'
    one = game(bid=bids + 'leads = "highest"\npassed = "over"\nchange = "until_lead"')
    log = played(one, [DEAL, "A bid 1", "B bid pass", "C bid 2"])
    assert one.to_act(log.state) == ("C",)
    changed = played(one, [*log_lines(log), "B bid 2"])
    assert one.to_act(changed.state) == ("B",)  # of equal bids the first
    log = played(one, [*log_lines(log), "C lay R1", "A lay R2", "B lay R3"])
    log = played(one, [*log_lines(log), "B lay R4", "C lay R5", "A lay R6"])
    assert totals(log) == {"A": 1, "B": 1, "C": 0}
    passed = [f"{seat} bid pass" for seat in "BCA"]
    log = played(one, [*log_lines(log), "table deal", *passed])  # B led first by its place
    assert one.outcome(log.state) is not None
    assert totals(log) == {"A": 1, "B": 1, "C": 0}


def test_a_suit_can_have_ranks_of_its_own() -> None:
    one = game(deck=SUITS.replace('en = "blue"', 'en = "blue", ranks = "1..12"') + 'ranks = "1..9"')
    log = played(one, [DEAL, "A lay B9", "B lay B12", "C lay B10"])
    assert len(log.state.deck) == 21
    assert state(log).round.tricks == (0, 1, 0)
    assert says(log, "B lay R10") is Illegal
    assert says(log, "B lay R9") is Legal


def test_a_score_can_count_what_the_neighbours_did() -> None:
    one = game(**{"score.made": 'per = "deal"\npoints = "10*left(tricks) + right(tricks)"'})
    log = played(one, [DEAL, "A lay R9", "B lay R1", "C lay R2"])
    log = played(one, [*log_lines(log), "A lay R8", "B lay R3", "C lay R4"])
    assert totals(log) == {"A": 0, "B": 2, "C": 20}


def test_no_state_gets_the_answer_to_another_that_was_asked_meanwhile() -> None:
    asked: list[str] = []

    def said(rules: Any, state: Any) -> str:
        asked.append(state)
        if state == "this":
            assert answer(rules, "that") == "answer to that"  # as another thread may ask
        return f"answer to {state}"

    answer: Any = of_last_state(said)
    assert answer(None, "this") == "answer to this"
    assert answer(None, "this") == "answer to this"
    assert answer(None, "that") == "answer to that"
    assert asked == ["this", "that", "that"]


AUCTION = 'values = "1..9"\nspecial.pass = { worth = 0, en = "pass" }\norder = "auction"\n'


def test_an_auction_goes_round_until_all_but_one_have_passed() -> None:
    one = game(bid=f'{AUCTION}leads = "highest"\npassed = "over"')
    lines = [DEAL, "A bid 1", "B bid 3", "C bid pass"]
    log = played(one, lines)
    assert one.to_act(log.state) == ("A",)
    assert [says(log, f"A bid {n}") for n in ("3", "4", "pass")] == [Illegal, Legal, Legal]
    log = played(one, [*lines, "A bid 4"])
    assert [says(log, f"{seat} bid 9") for seat in "ABC"] == [Illegal, Legal, Illegal]  # C is out
    log = played(one, [*lines, "A bid 4", "B bid pass"])
    assert (state(log).phase, one.to_act(log.state)) == ("play", ("A",))
    assert state(log).round.bids == ("4", "pass", "pass")
    assert says(log, "B bid 9") is Illegal
    over = played(one, [DEAL, *(f"{seat} bid pass" for seat in "ABC")])
    assert state(over).phase == "between"
    last = played(one, [DEAL, "A bid pass", "B bid pass"])
    assert state(last).phase == "bid"  # the last one may still bid
    assert state(played(one, [DEAL, "A bid pass", "B bid pass", "C bid 1"])).phase == "play"


def test_the_holder_of_the_card_that_was_called_shares_the_points_of_the_highest_bidder() -> None:
    points = "every(if side then tricks else 0)"
    one = game(
        bid=f'{AUCTION}leads = "highest"\npassed = "over"',
        call='by = "highest_bid"',
        values='side = "bid > 0 or own(called) > 0"',
        **{"score.made": f'per = "deal"\nwhen = "side"\npoints = "{points}"'},
    )
    begun = [DEAL, "A bid pass", "B bid 2", "C bid pass"]
    log = played(one, begun)
    assert [says(log, line) for line in ("B lay R1", "A call R9", "B call X1")] == [Illegal] * 3
    tricks = ["B lay R1", "C lay R9", "A lay R2", "C lay R3", "A lay R4", "B lay R5"]
    assert totals(played(one, [*begun, "B call R9", *tricks])) == {"A": 0, "B": 2, "C": 2}
    assert totals(played(one, [*begun, "B call R8", *tricks])) == {"A": 0, "B": 1, "C": 0}


def test_a_seat_that_draws_after_a_trick_may_hold_then_what_was_denied_before() -> None:
    one = game(
        seats="count = 2",
        deck=SUITS + 'ranks = "1..4"',
        deal='hand = 2\nturn_up = "stock"\ndraw = "after_trick"',
        trump="",
        trick='best = ["suit led"]',
    )
    begun = ["table deal leader=A turn=B4", "A lay R3", "B lay B1"]
    log = played(one, begun, "A B")
    assert (state(log).round.stock, one.to_act(log.state)) == (2, ("A",))
    # B has drawn one card since: it can be this red one
    log = played(one, [*begun, "A lay R1", "B lay R2"], "A B")
    assert log.findings() == ()
    assert says(log, "A lay B4") is Illegal  # it was turned up and drawn by A, but B leads
    # but not this red one, and no blue one left beside it, as the other was no red one then
    log = played(one, [*begun, "A lay B2", "B lay R2"], "A B")
    assert [(found.seat, found.at, found.proof) for found in log.findings()] == [("B", 5, (3, 5))]
    log = played(one, [*begun, "A lay R1", "B lay R2", "B lay R4", "A lay B2"], "A B")
    assert [state(log).hands.held(seat) for seat in "AB"] == [1, 1]


def test_the_suit_that_won_the_last_trick_is_the_trump_suit_of_the_next() -> None:
    one = game(trump='from = "last_trick"')
    log = played(one, [DEAL, "A lay R3", "B lay B1", "C lay R5"])
    assert (state(log).trump, one.to_act(log.state)) == ("R", ("C",))
    lines = [DEAL, "A lay R3", "B lay B1", "C lay R5", "C lay B9", "A lay R1", "B lay B8"]
    log = played(one, lines)
    assert state(log).round.tricks == (1, 0, 1)
    assert state(played(one, [*lines, "table deal"])).trump is None


OWN_SUITS = (
    'values = "none"\nspecial.r = { worth = 1, suit = "R" }\nspecial.b = { worth = 2, suit = "B" }'
)


def test_each_player_has_the_trump_suit_of_the_own_bid() -> None:
    one = game(trump="", bid=OWN_SUITS, trick='best = ["suit bid", "suit led"]')
    bids = [DEAL, "A bid r", "B bid b", "C bid r"]
    log = played(one, [*bids, "A lay R3", "B lay B2", "C lay B9"])
    assert state(log).leader == "A"  # the blue suit is trump for B alone
    log = played(one, [*bids, "A lay B3", "B lay B5", "C lay R1"])
    assert state(log).leader == "B"
    log = played(one, [*bids, "A lay B3", "B lay R5", "C lay B9"])
    assert state(log).leader == "C"  # R is no trump suit of B


def test_a_ladder_asks_for_the_own_suit_of_each_player() -> None:
    one = game(trump="", bid=OWN_SUITS, trick='best = ["suit bid", "suit led"]',
               play='follow = ["suit led", "suit bid and beats", "suit bid"]')  # fmt: skip
    bids = [DEAL, "A bid r", "B bid b", "C bid r"]
    log = played(one, [*bids, "A lay R3"])
    assert [says(log, f"B lay {card}") for card in ("R1", "B4")] == [Legal, Unprovable]
    log = played(one, [*bids, "A lay R3", "B lay B4"])
    climbed = one.rules(log.table).play.climb
    bits = one.rules(log.table).cards.bits
    assert climbed(state(log), bits["B9"])[1] == 4  # no trump suit for C
    assert climbed(state(log), bits["B9"], "B")[1] == 2


def test_only_bids_of_tricks_are_added_up() -> None:
    lines = [DEAL, "A bid 2", "B bid 0", "C bid 1"]
    assert bids_add_up(played(game(bid='values = "0..hand"'), lines).state)
    assert not bids_add_up(played(game(bid='values = "0..hand*10"'), lines).state)


def test_the_score_counts_cards_of_the_own_suit() -> None:
    one = game(trump="", bid=OWN_SUITS, deal="hand = 1", trick='best = ["suit bid", "suit led"]',
               score_made='per = "deal"\npoints = "taken(suit bid)"')  # fmt: skip
    bids = [DEAL, "A bid r", "B bid b", "C bid r"]
    assert totals(played(one, [*bids, "A lay B3", "B lay B5", "C lay B1"])) == {
        "A": 0, "B": 3, "C": 0
    }  # fmt: skip


def test_a_card_to_each_of_the_others_leaves_the_hands_as_large() -> None:
    one = game(**{"deal": "hand = 4", "pass": 'cards = 2\nto = ["each"]'})
    log = played(one, [DEAL, "table passed"])
    assert [state(log).hands.held(seat) for seat in "ABC"] == [4, 4, 4]
    hands = {"A": ["R1", "R2", "R3", "R4"], "B": ["B1", "B2", "B3", "B4"], "C": [*"5678"]}
    _to_each(1, hands)
    assert hands == {
        "A": ["R3", "R4", "B1", "5"], "B": ["B3", "B4", "R1", "6"], "C": ["7", "8", "R2", "B2"]
    }  # fmt: skip


def test_a_card_makes_its_suit_the_trump_suit_at_once() -> None:
    one = game(trump='change = ["rank 1"]')
    log = played(one, [DEAL, "A lay R3", "B lay B9"])
    assert state(log).trump is None
    log = played(one, [DEAL, "A lay R3", "B lay B1"])
    assert state(log).trump == "B"
    log = played(one, [DEAL, "A lay R3", "B lay B1", "C lay B9"])
    assert (state(log).round.tricks, state(log).leader) == ((0, 0, 1), "C")
    assert state(played(one, [DEAL, "A lay R3", "B lay B1", "C lay R1"])).trump == "R"


def test_a_changed_trump_suit_decides_what_beats_the_trick() -> None:
    one = game(trump='change = ["rank 1"]', play='follow = ["beats"]')
    log = played(one, [DEAL, "A lay R3"])
    assert [says(log, f"B lay {card}") for card in ("R4", "B1", "B9", "R2")] == [
        Legal, Legal, Unprovable, Unprovable
    ]  # fmt: skip


def test_the_condition_of_a_change_sees_the_card_in_the_trick() -> None:
    one = game(trump='change = [{ cards = "not suit led", when = "trump is none" }]')
    log = played(one, [DEAL, "A lay R3", "B lay B1"])
    assert state(log).trump == "B"
    second = 'change = [{ cards = "rank 1", when = "laid(rank 1) = 2" }]'
    log = played(game(trump=second), [DEAL, "A lay R1"])
    assert state(log).trump is None
    assert played(game(trump=second), [DEAL, "A lay R1", "B lay B1"]).state.trump == "B"


def test_the_first_row_that_a_card_is_in_counts() -> None:
    rows = '["rank 1", { cards = "rank 1..2", suit = "none" }, { cards = "rank 3", suit = "R" }]'
    one = game(trump=f'from = "fixed"\nsuit = "R"\nchange = {rows}')
    made = [state(played(one, [DEAL, f"A lay {card}"])).trump for card in ("B1", "B2", "B3")]
    assert made == ["B", None, "R"]


def test_a_card_lets_its_player_name_the_trump_suit() -> None:
    special = 'special.W = { ja = "魔女", en = "witch" }'
    one = game(
        deck=f'{SUITS}ranks = "1..9"\n{special}',
        play='follow = ["suit led"]\nalways = "special"',
        trump='change = [{ cards = "special", suit = "named" }]',
    )
    log = played(one, [DEAL, "A lay R3", "B lay W"])
    assert one.to_act(log.state) == ("B",)
    assert says(log, "C lay R4") is Illegal
    assert says(log, "C trump R") is Illegal
    assert (says(log, "B trump B"), says(log, "B trump none")) == (Legal, Legal)
    log = played(one, [DEAL, "A lay R3", "B lay W", "B trump B"])
    assert one.to_act(log.state) == ("C",)
    log = played(one, [DEAL, "A lay R3", "B lay W", "B trump B", "C lay B2"])
    assert state(log).leader == "C"
    last = played(one, [DEAL, "A lay R3", "B lay B2", "C lay W"])
    assert (last.state.trick[-1].card, last.state.round.number) == ("W", 1)
    assert last.game.apply(last.state, Grammar(one, ("A", "B", "C")).parse("C trump B")).leader == (
        "B"
    )


def test_the_card_that_won_changes_the_trump_suit_after_the_trick() -> None:
    row = '{ per = "trick", cards = "rank 5..9", when = "won" }'
    one = game(trump=f'from = "fixed"\nsuit = "B"\nchange = [{row}]')
    lines = [DEAL, "A lay R3", "B lay R4", "C lay R5"]
    assert state(played(one, lines[:-1])).trump == "B"
    assert state(played(one, lines)).trump == "R"
    assert state(played(one, [*lines[:-1], "C lay R2"])).trump == "B"
    assert state(played(one, [*lines, "C lay R9", "A lay R1", "B lay B1", "table deal"])).trump == (
        "B"
    )


def test_of_several_cards_the_last_one_changes_the_trump_suit_after_the_trick() -> None:
    one = game(trump='change = [{ per = "trick", cards = "rank 1" }]')
    assert state(played(one, [DEAL, "A lay R1", "B lay B1", "C lay R5"])).trump == "B"


def test_the_winner_of_a_trick_names_the_trump_suit_of_the_next() -> None:
    one = game(trump='change = [{ per = "trick", cards = "all", when = "won", suit = "named" }]')
    lines = [DEAL, "A lay R1", "B lay R2", "C lay R5"]
    log = played(one, lines)
    assert one.to_act(log.state) == ("C",)
    assert says(log, "C lay R6") is Illegal
    log = played(one, [*lines, "C trump B", "C lay R6", "A lay B1", "B lay R9"])
    assert (state(log).phase, state(log).round.tricks) == (BETWEEN, (1, 0, 1))


def test_a_condition_for_no_trumps_holds_for_cards_that_change_them() -> None:
    one = game(
        trump='none_when = "deal = 1"\nchange = ["rank 1", { per = "trick", cards = "all" }]'
    )
    assert state(played(one, [DEAL, "A lay R1", "B lay B1", "C lay R5"])).trump is None


def test_an_answer_says_which_trump_suit_a_card_makes() -> None:
    one = game(trump='change = ["rank 1", { cards = "rank 2", suit = "none" }]')
    log = played(one, [DEAL, "A lay R1"])
    facts = brought_about(played(one, [DEAL]).state, log.state)
    assert [(each.fact, each.values) for each in facts] == [("kit_trump_becomes", {"suit": "R"})]
    after = played(one, [DEAL, "A lay R1", "B lay R2"]).state
    assert [each.fact for each in brought_about(log.state, after)] == ["kit_trump_gone"]


def test_who_wins_cannot_decide_the_trump_suit_at_once() -> None:
    with pytest.raises(Misread, match="kit_wins_by_itself"):
        game(trump='change = ["beats"]')
    with pytest.raises(Misread, match="kit_one_of"):
        game(trump='change = [{ cards = "all", suit = "X" }]')


def test_a_card_that_makes_the_suit_led_beats_what_asks_for_none() -> None:
    special = 'special.N = { copies = 2, led = "skip" }'
    one = game(
        deck=f'{SUITS}ranks = "1..9"\n{special}',
        play='follow = ["beats"]',
        trick='best = ["suit led", "special"]',
        trump="",
    )
    log = played(one, [DEAL, "A lay N"])
    assert [says(log, f"B lay {card}") for card in ("R1", "B9", "N")] == [Legal, Legal, Illegal]
    log = played(one, [DEAL, "A lay N", "B lay R5"])
    assert [says(log, f"C lay {card}") for card in ("R6", "R4", "B9")] == [
        Legal, Unprovable, Unprovable
    ]  # fmt: skip


def test_the_highest_number_below_a_price_wins_and_becomes_the_price() -> None:
    below = "[values]\nprice = '7 - drop'\n[groups]\nbelow = 'number < price'\n"
    add = "if this(below) then price - value else 0"
    one = game(
        trick='best = ["below", "all"]',
        trump=f'from = "none"\n{below}[counters.drop]\nof = "table"\nper = "trick"\nadd = "{add}"',
    )
    log = played(one, [DEAL, "A lay R8", "B lay R4", "C lay R6"])
    assert log.state.leader == "C"  # 6 is the highest below 7
    log = played(
        one, [DEAL, "A lay R8", "B lay R4", "C lay R6", "C lay B6", "A lay B9", "B lay B5"]
    )
    assert log.state.round.last.winner == "B"  # the price is 6 now


def test_a_card_can_score_for_being_the_lowest_of_its_trick() -> None:
    one = game(score_made='per = "card"\nwhen = "lying(number < value) = 0"\npoints = "-1"')
    log = played(one, [DEAL, "A lay R8", "B lay R4", "C lay R6"])
    assert dict(log.state.score.totals) == {"A": 0, "B": -1, "C": 0}


def test_points_can_hang_on_the_place_in_turn() -> None:
    one = game(score_made='per = "deal"\npoints = "10 * turn"')
    lines = [DEAL.replace("A", "B"), "B lay R8", "C lay R4", "A lay R6"]
    log = played(one, [*lines, "B lay R9", "C lay R1", "A lay R2"])
    assert dict(log.state.score.totals) == {"A": 30, "B": 10, "C": 20}


def test_the_dealer_alone_bids_and_each_word_once_only() -> None:
    words = 'special.high = { worth = 1, en = "high" }\nspecial.low = { worth = 2, en = "low" }'
    used = '[counters.highs]\nof = "seat"\nadd = "bid = 1"'
    one = game(
        bid=f'values = "none"\nby = "dealer"\nforbid = "this = 1 and highs > 0"\n{words}\n{used}',
        deal='hand = 1\nleader = "pick"',
        match='deals = 3\nwinner = "most"',
    )
    log = played(one, [DEAL])
    assert log.game.to_act(log.state) == ("C",)
    assert says(log, "A bid high") is Illegal
    first = [DEAL, "C bid high", "A lay R8", "B lay R4", "C lay R6"]
    assert says(played(one, [*first, DEAL]), "C bid high") is Illegal
    assert says(played(one, [*first, DEAL]), "C bid low") is Legal
    assert says(played(one, [*first, "table deal leader=B"]), "A bid high") is Legal


def test_a_seat_that_does_not_play_leaves_before_the_first_trick() -> None:
    one = game(bid='values = "0..1"', leave='first = "bid = 0"')
    log = played(one, [DEAL, "A bid 0", "B bid 1", "C bid 1"])
    assert log.state.leader == "B"
    assert says(log, "A lay R8") is Illegal
    log = played(one, [DEAL, "A bid 0", "B bid 1", "C bid 1", "B lay R4", "C lay R6"])
    assert log.state.due == ("C", "B")
    log = played(one, [DEAL, "A bid 0", "B bid 0", "C bid 0"])
    assert log.state.phase == "between"


def test_a_seat_that_is_out_of_the_match_gets_no_cards_and_the_last_one_ends_it() -> None:
    one = game(deal="hand = 1", match='deals = 9\nout = "tricks = 0 and deal < 3"\nwinner = "most"')
    log = played(one, [DEAL, "A lay R8", "B lay R4", "C lay R6"])
    assert log.state.score.out == ("B", "C")
    assert log.state.score.ended.winners == ("A",)
    out = '[counters.lost]\nof = "seat"\nadd = "tricks = 0 and turn = 2"'
    match = f'deals = 9\nout = "lost > 0"\nwinner = "most"\n{out}'
    first = [DEAL, "A lay R8", "B lay R4", "C lay R6", "table deal leader=C"]
    log = played(game(deal="hand = 1", match=match), first)
    assert log.state.due == ("C", "A")
    assert log.state.hands.hidden == {"A": 1, "B": 0, "C": 1}
    assert says(log, "B lay R1") is Illegal


def test_teams_can_depend_on_the_number_of_players() -> None:
    teams = 'teams = { "4" = "opposite", else = "none" }'
    one = game(seats=f'count = "3-4"\n{teams}', deal="hand = 1")
    first = [DEAL, "A lay R8", "B lay R4", "C lay R6"]
    assert totals(played(one, first)) == {"A": 1, "B": 0, "C": 0}
    log = played(one, [*first, "D lay R5"], "A B C D")
    assert totals(log) == {"A": 1, "B": 0, "C": 1, "D": 0}


def test_teams_of_every_second_seat_and_the_suits_that_may_be_named() -> None:
    one = game(
        seats='count = 4\nteams = "alternate"',
        trump='from = "named"\nby = "leader"\nsuits = ["R"]',
        deal="hand = 1",
    )
    log = played(one, [DEAL], "A B C D")
    assert says(log, "A trump B") is Illegal
    assert says(log, "A trump none") is Illegal
    lines = [DEAL, "A trump R", "A lay B8", "B lay R4", "C lay B6", "D lay B1"]
    log = played(one, lines, "A B C D")
    assert dict(log.state.score.totals) == {"A": 0, "B": 1, "C": 0, "D": 1}


SPECIAL = SUITS + 'ranks = "1..9"\nspecial.J = { led = "none", en = "joker" }'


def test_a_joker_that_is_led_may_ask_for_trumps() -> None:
    follow = '[{ cards = "suit trump", when = "led(card J)" }, "suit led"]'
    one = game(
        deck=SPECIAL,
        play=f'follow = {follow}\nalways = "card J"',
        trick='best = ["card J", "suit trump", "suit led"]',
    )
    led = [DEAL, "A lay J"]
    assert says(played(one, led), "B lay B4") is Legal
    assert says(played(one, led), "B lay R4") is Unprovable
    log = played(one, [*led, "B lay R4", "C lay B5", "A lay R1", "B lay B7"])
    assert [(each.clause, each.at) for each in one.audit(log.state)] == [("follow.3", 3)]


CALLS = {
    "bid": 'values = "0..1"\npassed = "over"',
    "deck": SUITS + 'ranks = "1..9"',
    "trump": 'from = "fixed"\nsuit = "B"',
}


def test_the_card_that_is_called_has_to_be_played_when_its_suit_is_led() -> None:
    one = game(
        **CALLS,
        call='by = "highest_bid"\ncards = "rank 9 and not suit trump"',
        play='follow = [{ cards = "called", when = "led(suit called)" }, "suit led"]',
    )
    bids = [DEAL, "A bid 1", "B bid 0", "C bid 0"]
    assert says(played(one, bids), "A call B9") is Illegal
    assert says(played(one, bids), "A call R8") is Illegal
    called = [*bids, "A call R9", "A lay R1"]
    assert says(played(one, called), "B lay R9") is Legal
    assert says(played(one, called), "B lay R5") is Unprovable
    log = played(one, [*called, "B lay R5", "C lay R6", "C lay B1", "A lay B2", "B lay R9"])
    assert [(each.clause, each.at) for each in one.audit(log.state)] == [("follow.2", 7)]


def test_whether_there_are_trumps_is_asked_after_the_bids_where_it_hangs_on_them() -> None:
    words = 'special.misere = { worth = 2, en = "misere" }'
    one = game(
        bid=f'values = "0..1"\n{words}\nchange = "until_lead"',
        trump='from = "fixed"\nsuit = "B"\nnone_when = "lost = 2"',
        values='lost = "most(bid)"',
    )
    bids = [DEAL, "A bid 1", "B bid misere", "C bid 0"]
    assert played(one, bids[:-1]).state.trump == "B"
    assert played(one, bids).state.trump is None
    assert played(one, [*bids, "B bid 0"]).state.trump == "B"
    assert played(one, [*bids, "B bid 0", "A bid misere"]).state.trump is None


def test_a_condition_for_no_trumps_holds_for_a_suit_that_cards_make() -> None:
    lines = [DEAL, "A lay R1", "B lay B4", "C lay R6"]
    for kind in ("first_discard", "last_trick"):
        some, none = (
            played(game(trump=f'from = "{kind}"\nnone_when = "deal = {deal}"'), lines)
            for deal in (2, 1)
        )
        assert some.state.trump in ("B", "R")
        assert none.state.trump is None


def test_the_cards_of_a_trick_that_nobody_wins_count_for_the_winner_of_the_next() -> None:
    pot = '[counters.pot]\nof = "table"\nper = "trick"\nkeep = "deal"'
    one = game(
        deck=SUITS + 'ranks = "1..9"\ncopies = 3',
        trump="",
        trick='best = ["suit led"]\nequal = "cancel"\nnext_none = "same"\n'
        + f'{pot}\nadd = "if won then 0 - pot else lying(suit R)"',
        score_made='per = "trick"\npoints = "lying(suit R) + pot"',
    )
    assert one.rules(table(one, ["A", "B", "C"])).scoring.counters
    first = [DEAL, "A lay R2", "B lay R2", "C lay R2"]
    assert dict(played(one, first).state.score.totals) == {"A": 0, "B": 0, "C": 0}
    log = played(one, [*first, "A lay R1", "B lay B9", "C lay R5"])
    assert dict(log.state.score.totals) == {"A": 0, "B": 0, "C": 5}


def test_the_suit_of_the_trick_before_is_led_only_without_another_one() -> None:
    was = '[counters.was]\nof = "table"\nper = "trick"\nkeep = "deal"\n'
    first = '{ cards = "not suit R", when = "was = 1" }'
    second = '{ cards = "not suit B", when = "was = 2" }'
    one = game(
        deal="hand = 4",
        play=f'follow = ["suit led"]\nlead = [{first}, {second}]',
        trick='best = ["suit led"]\n' + f'{was}add = "(if led(suit R) then 1 else 2) - was"',
    )
    log = played(one, [DEAL, "A lay R3", "B lay R5", "C lay R4"])
    assert says(log, "B lay B1") is Legal
    assert says(log, "B lay R6") is Unprovable
    log = played(
        one, [DEAL, "A lay R3", "B lay R5", "C lay R4", "B lay B6", "C lay B7", "A lay B2"]
    )
    assert says(log, "C lay R1") is Legal
    assert says(log, "C lay B1") is Unprovable


def test_a_condition_that_always_holds_is_not_left_out() -> None:
    """``yes`` is the same as no condition only where a rule applies without one."""
    cards = ["A lay R3", "B lay B1", "C lay R5"]
    fixed = 'from = "fixed"\nsuit = "B"\n'
    assert state(played(game(), [DEAL, *cards])).leader == "B"
    assert state(played(game(trump=fixed + 'none_when = "yes"'), [DEAL, *cards])).leader == "C"
    assert state(played(game(leave='when = "yes"'), [DEAL, *cards])).phase == BETWEEN
    assert state(played(game(leave='first = "yes"'), [DEAL])).phase == BETWEEN
    forbidden = game(bid='values = "0..2"\nforbid = "yes"')
    assert says(played(forbidden, [DEAL]), "A bid 0") is Illegal
    once = game(deal="hand = 1", match='deals = 2\nwinner = "most"\nout = "yes"')
    assert once.outcome(played(once, [DEAL, *cards]).state)


def test_cards_of_suits_with_other_ranks_compare_by_number() -> None:
    """A blue 17 is above a yellow 12, which stands higher among its own."""
    one = load(named("bottle").read_bytes())
    log = played(one, [DEAL, "A lay B17", "B lay Y12", "C lay R37"])
    assert state(log).leader == "A"
    turned = SUITS.replace('en = "red"', 'en = "red", ranks = ["3", "2", "1"]')
    own = game(deck=turned + 'ranks = ["1", "2", "3"]', trick='best = ["all"]', trump="")
    log = played(own, [DEAL, "A lay R1", "B lay B2", "C lay B1"])
    assert state(log).leader == "A"  # the numbers of a suit fall: the place in the suit counts


def test_ranks_from_one_to_another_go_by_number_where_suits_have_their_own() -> None:
    """The ranks of R stand first in the file; yet 1..3 are the three lowest."""
    one = game(
        deck='suits.R = { ranks = "5..8" }\nsuits.Y = { ranks = "1..6" }',
        trump="",
        trick='best = [{ cards = "rank 1..3", when = "lying(rank 7..8) > 0" }, "all"]',
    )
    assert state(played(one, [DEAL, "A lay R8", "B lay Y2", "C lay Y6"])).leader == "B"
    assert state(played(one, [DEAL, "A lay R6", "B lay Y2", "C lay R5"])).leader == "A"


def test_a_file_may_say_that_nobody_wins_a_trick() -> None:
    """The cards after the one that spoils the trick do not have to beat anything."""
    one = game(
        deck=SUITS + 'ranks = "1..9"\nspecial.K = { copies = 1, led = "skip" }',
        play='follow = ["suit led and beats", "suit led"]\nalways = "special"',
        trick='best = [{ cards = "none", when = "lying(card K) > 0" }, "suit trump", "suit led"]\n'
        'next_none = "left"',
    )
    log = played(one, [DEAL, "A lay R5", "B lay K"])
    assert says(log, "C lay R2") is Legal
    log = played(one, [DEAL, "A lay R5", "B lay K", "C lay B2"])
    assert (state(log).round.tricks, state(log).leader) == ((0, 0, 0), "B")
    log = played(one, [DEAL, "A lay R5", "B lay R7", "C lay B2"])
    assert (state(log).round.tricks, state(log).leader) == ((0, 0, 1), "C")


def test_the_rank_of_the_card_that_is_called_can_be_the_highest() -> None:
    one = game(
        deck=SUITS + 'ranks = "1..9"',
        call='by = "dealer"',
        trick='best = ["rank called and suit trump", "rank called", "suit trump", "suit led"]',
    )
    begun = [DEAL, "C call R3", "A lay R9", "B lay R3"]
    assert state(played(one, [*begun, "C lay B9"])).leader == "B"
    assert state(played(one, [*begun, "C lay B3"])).leader == "C"


def test_who_played_the_highest_and_the_lowest_of_a_set() -> None:
    one = game(
        score_made="",
        score_high='per = "deal"\npoints = "highest(suit R)"',
        score_low='per = "match"\npoints = "lowest(suit R)"',
        match='deals = 1\nwinner = "most"',
    )
    lines = [DEAL, "A lay R3", "B lay R5", "C lay B2", "C lay B3", "A lay B1", "B lay R9"]
    log = played(one, lines)
    assert totals(log) == {"A": 3 + 3, "B": 9 + 5, "C": 0 + 10}


def test_a_rank_takes_all_its_cards_out_of_the_deck() -> None:
    one = game(deck=SUITS + 'ranks = "1..9"\ncopies = 2\nremove = ["9", "R1"]')
    cards = one.rules(table(one, ["A", "B", "C"])).cards
    assert len(cards.deck) == 2 * 16 - 1
    assert not {"R9", "B9"} & set(cards.deck.cards)
    again = SUITS + 'ranks = "1..9"\nremove = ["9", "9"]'
    with pytest.raises(Misread, match="kit_no_card"):
        game(deck=again)


@pytest.mark.parametrize(
    ("best", "leads"),
    [
        ('{ cards = "suit led or rank 7", order = "last" }', "C"),
        ('{ cards = "suit led or rank 7", order = "first" }', "A"),
        ('{ cards = "suit led or rank 7", order = "last", pick = 2 }', "B"),
        ('{ cards = "suit led or rank 7", order = "first", pick = 2 }', "B"),
        ('{ cards = "rank 7", order = "last" }', "C"),
        ('{ cards = "suit led or rank 7" }', "A"),
    ],
)
def test_the_card_that_is_played_last_or_first_of_a_set_wins(best: str, leads: str) -> None:
    one = game(trump="", trick=f'best = [{best}, "all"]')
    log = played(one, [DEAL, "A lay R9", "B lay R2", "C lay B7"])
    assert state(log).leader == leads


LOWEST = '{ cards = "all", order = "low" }'


@pytest.mark.parametrize(
    ("following", "cards", "leads"),
    [
        (LOWEST, "R9 R2 R5", "B"),
        (LOWEST, "R9 R5 B2", "C"),  # a trump, which wins
        (LOWEST, "R9 R4 B4", "B"),  # equally low: the first one
        ('{ cards = "all", order = "last" }', "R9 R2 R5", "C"),
        ('{ cards = "all", pick = 2 }', "R9 R2 R5", "C"),
        ('{ cards = "rank 2", when = "trick = 2" }, "rank 5"', "R9 R2 R5", "C"),
        ('"rank 1"', "R9 R2 R5", "A"),  # no such card: the winner
    ],
)
def test_a_list_of_cards_decides_who_leads_next(following: str, cards: str, leads: str) -> None:
    one = game(trick=f'best = ["suit trump", "suit led"]\nnext = [{following}]')
    lines = [f"{seat} lay {card}" for seat, card in zip("ABC", cards.split(), strict=True)]
    log = played(one, [DEAL, *lines])
    assert state(log).leader == leads
    assert state(log).due[0] == leads


def test_the_last_of_equally_low_cards_leads_if_the_file_says_so() -> None:
    trick = f'best = ["suit trump", "suit led"]\nnext = [{LOWEST}]'
    log = played(game(trick=f'{trick}\nequal = "last"'), [DEAL, "A lay R9", "B lay R4", "C lay B4"])
    assert state(log).leader == "C"
    assert log.state.round.tricks == (0, 0, 1)


def test_who_cannot_win_may_lead_but_not_with_a_card_face_down() -> None:
    for cannot, leads in (("out", "C"), ("down", "B")):
        trick = f'best = ["suit led"]\nnext = [{LOWEST}]'
        one = game(trump="", play=f'follow = ["suit led"]\ncannot = "{cannot}"', trick=trick)
        last = "C lay B1" if cannot == "out" else "C cover"
        log = played(one, [DEAL, "A lay R9", "B lay R4", last])
        assert state(log).leader == leads


def test_the_second_and_the_last_card_of_a_trick_have_numbers() -> None:
    best = [
        '{ cards = "suit B", when = "second_value = 4 and last_value = 7" }',
        '{ cards = "all", order = "low", when = "second_value < led_value and last_value = 0" }',
        '"suit led"',
    ]
    deck = SUITS + 'ranks = "1..9"\nspecial.W = { led = "none" }'
    one = game(deck=deck, trump="", trick=f"best = [{', '.join(best)}]", play="follow = []")
    for cards, leads in {"R9 B4 R7": "B", "R9 B4 R6": "A", "R9 B4 W": "C", "R2 B4 W": "A"}.items():
        lines = [f"{seat} lay {card}" for seat, card in zip("ABC", cards.split(), strict=True)]
        assert state(played(one, [DEAL, *lines])).leader == leads, cards


def test_before_a_card_lies_there_the_second_and_the_last_number_are_0() -> None:
    score = 'per = "trick"\nwhen = "second_value > led_value"\npoints = "last_value"'
    one = game(
        trump="",
        play='follow = [{ cards = "number = 5", when = "second_value = 0 and last_value > 0" }]',
        score_made=score,
    )
    log = played(one, [DEAL, "A lay R9"])
    assert says(log, "B lay R6") is Unprovable  # has no five
    assert says(log, "B lay R5") is Legal
    log = played(one, [DEAL, "A lay R3", "B lay R5", "C lay R2"])
    assert totals(log) == {"A": 0, "B": 2, "C": 0}


def test_a_file_may_call_its_own_sums_like_the_newer_names() -> None:
    one = game(
        values='last_value = "tricks"\nturn = 3',
        score_made='per = "deal"\npoints = "10*last_value + turn"',
        trump="",
    )
    log = played(
        one, [DEAL, "A lay R9", "B lay R5", "C lay R2", "A lay R8", "B lay R4", "C lay R1"]
    )
    assert totals(log) == {"A": 23, "B": 3, "C": 3}


def test_every_card_of_a_set_beats_the_trick_if_the_last_one_wins() -> None:
    one = game(
        trump="",
        play='follow = ["beats"]',
        trick='best = [{ cards = "rank led or rank 7", order = "last" }]\nnext_none = "same"',
    )
    log = played(one, [DEAL, "A lay R9", "B lay B7"])
    assert says(log, "C lay R7") is Legal
    assert says(log, "C lay B9") is Legal
    assert says(log, "C lay R8") is Unprovable  # no seven, and no nine
    with pytest.raises(Misread, match="kit_row_by_turn"):
        game(trump="", trick='best = [{ cards = "all", order = "last", by = "row" }]')


def test_a_pack_has_its_ranks_in_another_order() -> None:
    tens = '["7", "8", "9", "J", "Q", "K", "10", "A"]'
    one = game(deck=f'pack = "french32"\nranks = {tens}', trump="", deal="hand = 3")
    cards = one.rules(table(one, ["A", "B", "C"])).cards
    assert len(cards.deck) == 32
    assert (cards.value["SJ"], cards.value["S10"]) == (11, 10)
    log = played(one, [DEAL, "A lay SK", "B lay S10", "C lay SQ"])
    assert state(log).leader == "B"


def test_ranks_that_a_pack_does_not_list_are_not_in_it() -> None:
    forty = game(
        trump="",
        trick='best = ["suit led"]',
        deck='pack = "french"\nranks = ["2", "3", "4", "5", "6", "Q", "J", "K", "7", "A"]',
    )
    assert len(forty.rules(table(forty, ["A", "B", "C"])).cards.deck) == 40
    for wrong, fact in (
        ('pack = "french32"\nranks = ["6", "7"]', "kit_no_rank"),
        ('pack = "french"\nranks = ["7", "7"]', "kit_alike"),
        ('pack = "pairs"\ntop = 9\nranks = ["7"]', "kit_pairs_ranks"),
        ('pack = "french"\n' + SUITS, "kit_two_decks"),
    ):
        with pytest.raises(Misread, match=fact):
            game(deck=wrong, trump="", trick='best = ["suit led"]')


def test_a_quotient_is_rounded_down_also_below_0() -> None:
    """As the reference says; so a remainder of a sum below 0 is not below 0."""
    points = "(tricks - 3)/2 + 100*((tricks - 3) - (tricks - 3)/2*2)"
    one = game(score_made=f'per = "deal"\npoints = "{points}"')
    lines = [DEAL, "A lay R9", "B lay R1", "C lay R2", "A lay R8", "B lay R3", "C lay R4"]
    assert totals(played(one, lines)) == {"A": 99, "B": 98, "C": 98}


def test_how_many_bids_were_right_can_decide_the_next_deal() -> None:
    one = game(
        deal="hand = 1",
        bid='values = "0..hand"',
        trump="",
        trick='best = [{ cards = "suit B", when = "hits = 2" }, "suit led"]',
        counters_hits='of = "table"\nper = "deal"\nadd = "seats(tricks = bid) - hits"',
    )
    second = ["table deal", "B bid 0", "C bid 0", "A bid 0", "B lay R9", "C lay B1", "A lay R1"]
    for bids, winner in (((1, 0, 1), 2), ((1, 0, 0), 1)):
        first = [DEAL, *(f"{seat} bid {bid}" for seat, bid in zip("ABC", bids, strict=True))]
        log = played(one, [*first, "A lay R8", "B lay R4", "C lay R6", *second])
        assert state(log).round.tricks.index(1) == winner


def test_the_numbers_that_a_player_has_taken_are_counted_once_each() -> None:
    one = game(score_made='per = "deal"\npoints = "kinds(all) + 10 * kinds(suit R)"')
    lines = [DEAL, "A lay R1", "B lay R3", "C lay R5", "C lay B3", "A lay B5", "B lay B1"]
    log = played(one, lines[:-2])
    assert one.public(log.state)["taken"] == {"A": [], "B": [], "C": ["R1", "R3", "R5"]}
    log = played(one, lines)
    # A has the trick with B5: 1, 3 and 5 of blue. C has 1, 3 and 5 of red.
    assert one.score(log.state).totals == {"A": 3, "B": 0, "C": 33}
    again = played(
        one, [DEAL, "A lay R1", "B lay R3", "C lay R5", "C lay B5", "A lay B3", "B lay B1"]
    )
    assert one.score(again.state).totals == {"A": 0, "B": 0, "C": 33}, "5, 3 and 1 count once"


def test_a_trick_is_worth_the_card_points_of_its_cards() -> None:
    worth = "\nworth = { 5 = 10, 3 = -1 }"
    per_trick = 'per = "trick"\npoints = "trick_worth"'
    one = game(deck=SUITS + 'ranks = "1..9"' + worth, score_made=per_trick)
    log = played(one, [DEAL, "A lay R1", "B lay R3", "C lay R5"])
    assert one.score(log.state).totals == {"A": 0, "B": 0, "C": 9}
    best = '[{ cards = "all", when = "trick_worth > 5", order = "low" }, "suit led"]'
    one = game(deck=SUITS + 'ranks = "1..9"' + worth, trick=f"best = {best}", trump='from = "none"')
    rich = played(one, [DEAL, "A lay R2", "B lay R4", "C lay R5"])
    assert state(rich).leader == "A", "the lowest card wins a trick worth more than 5"
    poor = played(one, [DEAL, "A lay R2", "B lay R4", "C lay R7"])
    assert state(poor).leader == "C"


def test_a_counter_of_cards_grows_for_every_player_of_a_trick() -> None:
    """Each counts the reds that it played; the table, all of them."""
    reds = """[counters.reds]
of = "seat"
per = "card"
keep = "deal"
add = "this(suit R)"
[counters.all_reds]
of = "table"
per = "card"
keep = "deal"
add = "this(suit R)"
[counters.won_here]
of = "seat"
per = "card"
keep = "deal"
add = "if won then 100 else 0"
"""
    one = game(score_made=f'per = "deal"\npoints = "reds + 10*all_reds + won_here"\n{reds}')
    log = played(
        one, [DEAL, "A lay R1", "B lay R2", "C lay B3", "C lay R4", "A lay R5", "B lay B6"]
    )
    # A played two reds, B and C one each; C won the first trick by its trump, B the second.
    assert log.state.score.totals == {"A": 2 + 40, "B": 1 + 40 + 100, "C": 1 + 40 + 100}


@pytest.mark.parametrize(
    ("leads", "bids", "leader"),
    [
        ("highest", ("1", "2", "0"), "B"),
        ("left_of_highest", ("1", "2", "0"), "C"),
        ("left_of_highest", ("1", "0", "1"), "B"),  # of equal ones the first in turn
        ("left_of_highest", ("0", "0", "0"), "A"),  # nobody has bid anything
    ],
)
def test_who_leads_can_follow_from_the_highest_bid(
    leads: str, bids: tuple[str, ...], leader: str
) -> None:
    one = game(bid=f'values = "0..hand"\nleads = "{leads}"')
    said = [f"{seat} bid {bid}" for seat, bid in zip("ABC", bids, strict=True)]
    assert one.to_act(played(one, [DEAL, *said]).state) == (leader,)


@pytest.mark.parametrize(
    ("bids", "totals"),
    [
        (("1", "2", "0"), {"A": -1, "B": 10, "C": -1}),
        (("2", "0", "2"), {"A": 10, "B": -1, "C": -1}),
        (("0", "0", "0"), {"A": -1, "B": -1, "C": -1}),
    ],
)
def test_a_sum_can_ask_who_bid_highest(bids: tuple[str, ...], totals: dict[str, int]) -> None:
    one = game(
        bid='values = "0..hand"',
        score_made='per = "deal"\npoints = "if highest_bidder then 10 else -1"',
    )
    said = [f"{seat} bid {bid}" for seat, bid in zip("ABC", bids, strict=True)]
    cards = ["A lay R1", "B lay R2", "C lay R3", "C lay R4", "A lay R5", "B lay R6"]
    log = played(one, [DEAL, *said, *cards])
    assert log.state.score.totals == totals
    assert "the highest bidder" in book_of(one).clause("score.made").text.in_("en")


def test_only_a_game_with_bids_has_a_highest_bidder() -> None:
    with pytest.raises(Misread) as found:
        game(score_made='per = "deal"\npoints = "if highest_bidder then 10 else -1"')
    assert [fault.fact for fault in found.value.faults] == ["kit_no_bids"]
