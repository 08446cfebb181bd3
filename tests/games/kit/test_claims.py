"""Claims of the rest of a deal: proven, refuted, open, granted, and what they change."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest
from test_single_rules import DEAL, SUITS, game

from referee.core.corrections import Strike
from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.verdict import Illegal, Legal, Seat, Unprovable, Verdict, word_of
from referee.games.simulation import table
from referee.kit import shipped
from referee.kit.families.trick_taking.claims import proven
from referee.kit.families.trick_taking.effects import apply
from referee.kit.families.trick_taking.judging import judge
from referee.kit.families.trick_taking.plays import Lay, Show
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame

FOUR = {
    "deal": "hand = 4",
    "trump": 'from = "fixed"\nsuit = "B"',
    "match": "deals = 2\nwinner = 'most'",
}
SHIPPED = {one.KEY: one for one in shipped.games().values() if one.FAMILY == "trick_taking"}


def say(log: Log, line: str) -> Verdict:
    return log.push(Grammar(log.game, log.table.seats).parse(line))


def at(one: KitGame, lines: str, seats: str = "A B C") -> Log:
    """The match of ``lines``, separated by semicolons; none of them is illegal."""
    log = Log(one, table(one, seats.split()))
    for line in lines.split("; "):
        verdict = say(log, line)
        assert not isinstance(verdict, Illegal), (line, verdict)
    return log


def answer(log: Log, line: str) -> object:
    """What the answer of the record says of the claim in ``line``, which is not recorded."""
    play = Grammar(log.game, log.table.seats).parse(line)
    return log.game.HOOKS.answered(log.state, play).get("claim")


def test_cards_that_nothing_beats_prove_a_claim() -> None:
    log = at(game(**FOUR), "table deal leader=A; A lay B9; B lay B1; C lay B2")
    assert answer(log, "A rest") == "open"
    say(log, "A show B8 B7 R9")  # a trump outside beats the red nine
    assert answer(log, "A rest") == "open"
    log = at(game(**FOUR), "table deal leader=A; A lay B9; B lay B1; C lay B2; A show B8 B7 B6")
    assert answer(log, "A rest") == "proven"
    verdict = say(log, "A rest")
    assert isinstance(verdict, Legal)
    assert verdict.clause == "rest.1"
    assert log.game.public(log.state) == {
        "phase": "between",
        "trick": [],
        "leader": "B",
        "hands": {"A": 0, "B": 0, "C": 0},
        "tricks": {"A": 4, "B": 0, "C": 0},
        "trump": "B",
        "totals": {"A": 4, "B": 0, "C": 0},
    }
    assert log.game.to_act(log.state) == ()
    assert isinstance(say(log, "table deal leader=B"), Legal)


def test_the_turn_is_not_asked_for_but_the_trick_must_be_ones_own() -> None:
    one = game(**FOUR)
    log = at(one, "table deal leader=A; A show B9 B8 B7 B6; B show R9 R8 R7 R6")
    assert answer(log, "A rest") == "proven"
    assert answer(log, "B rest") == "open"  # it is led by A
    say(log, "A lay B9")
    assert answer(log, "A rest") == "proven"
    assert answer(log, "B rest") == "open"
    log = at(one, "table deal leader=A; A show B8 B7 B6 B5; A lay B8")
    assert answer(log, "A rest") == "open"  # the nine of the trump suit may come


def test_who_can_no_longer_win_the_trick_is_refuted() -> None:
    log = at(game(**FOUR), "table deal leader=A; A lay R5")
    assert answer(log, "A rest") == "open"
    say(log, "B lay R7")
    assert answer(log, "A rest") == {"refuted_by": ["R7"]}
    verdict = say(log, "A rest")
    assert isinstance(verdict, Illegal)
    assert verdict.clause == "rest.2"
    assert log.state.claim is None
    assert answer(log, "C rest") == "open"
    assert answer(log, "B rest") == "open"
    assert isinstance(say(log, f"table rule {len(log)} stands"), Legal)
    assert log.state.round.tricks == (4, 0, 0)


def test_a_partner_who_is_still_to_play_can_win_the_trick() -> None:
    log = at(SHIPPED["whist"], "table deal leader=A turn=H5; A lay S5; B lay S7", "A B C D")
    assert answer(log, "A rest") == "open"
    assert answer(log, "C rest") == "open"
    say(log, "C lay S6")
    assert answer(log, "A rest") == {"refuted_by": ["S7"]}
    assert answer(log, "C rest") == {"refuted_by": ["S7"]}
    assert answer(log, "B rest") == "open"


def test_an_open_claim_takes_effect_when_every_other_side_has_agreed() -> None:
    log = at(game(**FOUR), "table deal leader=A; A lay R5")
    assert isinstance(say(log, "B grant rest"), Illegal)
    claimed = say(log, "C rest")
    assert isinstance(claimed, Unprovable)
    assert log.game.to_act(log.state) == ("B",)
    for line, clause in (("C grant rest", "rest.3"), ("A rest", "rest.1"), ("B rest", "rest.1")):
        assert (
            clause in (verdict := log.consider(Grammar(log.game, "ABC").parse(line)).verdict).clause
        )
        assert isinstance(verdict, Illegal) == (line == "C grant rest")
    assert isinstance(say(log, "A grant rest"), Legal)
    assert log.game.public(log.state)["rest"] == {"seat": "C", "tricks": 4, "granted": ["A"]}
    assert isinstance(say(log, "A grant rest"), Illegal)
    say(log, 'table adjust A=1 because "so"')
    say(log, "B show R9 R8 R7 R6")
    assert isinstance(say(log, "B grant rest"), Legal)
    assert log.state.round.tricks == (0, 0, 4)
    assert "rest" not in log.game.public(log.state)
    assert isinstance(say(log, "B grant rest"), Illegal)


def test_one_player_speaks_for_a_team() -> None:
    log = at(SHIPPED["whist"], "table deal leader=A turn=H5; A lay S5; B lay S7", "A B C D")
    say(log, "D rest")
    verdict = say(log, "B grant rest")
    assert isinstance(verdict, Illegal)
    assert isinstance(say(log, "C grant rest"), Legal)
    assert log.game.public(log.state)["tricks"] == {"A": 0, "B": 0, "C": 0, "D": 13}
    assert dict(log.game.score(log.state).totals) == {"A": 0, "B": 7, "C": 0, "D": 7}


def test_the_next_card_is_the_refusal_and_a_new_claim_begins_without_consent() -> None:
    log = at(game(**FOUR), "table deal leader=A; A lay R5; C rest; A grant rest; B lay R6")
    assert log.state.claim is None
    assert isinstance(say(log, "B grant rest"), Illegal)
    say(log, "C rest")
    say(log, "A grant rest")
    say(log, "B rest")
    assert log.game.public(log.state)["rest"] == {"seat": "B", "tricks": 4, "granted": []}


def test_when_a_claim_can_be_made() -> None:
    bids = game(
        deal="hand = 4",
        bid='values = "0..hand"',
        score_made='per = "deal"\npoints = "tricks - bid"',
    )
    log = Log(bids, table(bids, "ABC"))
    clauses = []
    for line in ("", DEAL, "A bid 1", "B bid 2", "C bid 0"):
        if line:
            say(log, line)
        verdict = log.consider(Grammar(bids, "ABC").parse("B rest")).verdict
        clauses.append((word_of(verdict), verdict.clause))
    assert clauses == [
        ("illegal", "deal.1"),
        ("illegal", "bid.1"),
        ("illegal", "bid.1"),
        ("illegal", "bid.1"),
        ("unprovable", "rest.1"),
    ]
    say(log, "table stop")
    for line, clause in (("B rest", "end.1"), ("B grant rest", "end.1")):
        verdict = log.consider(Grammar(bids, "ABC").parse(line)).verdict
        assert (word_of(verdict), verdict.clause) == ("illegal", clause)


@pytest.mark.parametrize(
    "parts",
    [
        {"score_made": 'per = "deal"\npoints = "taken(suit R)"'},
        {"score_made": 'per = "trick"\npoints = "1"'},
        {"leave": 'when = "tricks > 2"'},
        {"trump": 'from = "last_trick"'},
        {"deal": 'hand = 4\nturn_up = "stock"\ndraw = "after_trick"'},
    ],
)
def test_games_in_which_cards_count_have_no_claims(parts: dict[str, str]) -> None:
    one = game(**{**FOUR, **parts})
    log = at(one, f"{DEAL} turn=R1" if "turn_up" in parts.get("deal", "") else DEAL)
    verdict = say(log, "A rest")
    assert isinstance(verdict, Illegal)
    assert verdict.clause == "rest.1"


def test_which_of_the_files_have_claims() -> None:
    has = {key for key, one in SHIPPED.items() if one.rules(table(one, "ABCD")).claims.possible}
    assert has == {"whist", "oh_hell", "spades", "zimbabwe", "magi"}
    plain = {key for key in has if SHIPPED[key].rules(table(SHIPPED[key], "ABCD")).claims.plain}
    assert plain == {"whist", "oh_hell", "spades"}


def test_a_correction_opens_a_deal_again_that_a_claim_had_ended() -> None:
    log = at(game(**FOUR), "table deal leader=A; A lay B9; B lay B1; C lay B2; A show B8 B7 B6")
    say(log, "A rest")
    claim = len(log)
    say(log, "table deal leader=B")
    assert isinstance(log.push(Strike(5)), Legal)  # the hand was not shown
    assert log.game.to_act(log.state) == ("A",)
    verdicts = {step.seq: step.verdict for step in log.steps()}
    assert isinstance(verdicts[claim], Unprovable)
    assert isinstance(verdicts[claim + 1], Illegal)


def test_the_winner_of_the_last_trick_leads_after_a_claim() -> None:
    one = game(**{**FOUR, "deal": 'hand = 4\nleader = "winner"'})
    log = at(one, "table deal leader=A; A lay R5; C rest; A grant rest; B grant rest")
    assert log.game.public(log.state)["leader"] == "C"


def test_a_revoke_that_a_card_had_proven_stays_and_a_claim_proves_none() -> None:
    one = game(**{**FOUR, "deal": "hand = 4"})
    lines = "table deal leader=A; A lay R5; B lay B1; C lay R6; B lay R7; C lay R8; A lay R4"
    log = at(one, lines)
    [found] = log.findings()
    assert (found.seat, found.at) == ("B", 3)
    say(log, "C rest")
    say(log, "A grant rest")
    say(log, "B grant rest")
    assert log.findings() == (found,)
    untold = at(
        one, "table deal leader=A; A lay R5; B lay B1; C lay R6; B rest; A grant rest; C grant rest"
    )
    assert untold.findings() == ()


# ---------------------------------------------------------------- proofs against every distribution


TINY = {
    "deck": SUITS + 'ranks = "1..4"',
    "deal": "hand = 2",
    "match": "deals = 2\nwinner = 'most'",
}
KINDS = {
    "a trump suit": {},
    "no trump suit": {"trump": 'from = "none"', "trick": 'best = ["suit led"]'},
    "lowest wins": {"trick": 'best = [{ cards = "suit led", order = "low" }]'},
    "equal cards, the last wins": {
        "deck": SUITS + 'ranks = "1..2"\ncopies = 2',
        "trick": 'best = ["suit trump", "suit led"]\nequal = "last"',
    },
    "equal cards, the first wins": {"deck": SUITS + 'ranks = "1..2"\ncopies = 2'},
    "the leader leads again": {"trick": 'best = ["suit led"]\nnext = "same"'},
    "the lead moves to the left": {"trick": 'best = ["suit led"]\nnext = "left"'},
    "nobody may win": {"trick": 'best = ["suit trump"]'},
}


def outcomes(state: State, hands: dict[Seat, tuple[str, ...]]) -> Iterator[set[Seat | None]]:
    """The winners of the tricks that are left, for each order in which any cards can be played."""
    if not state.due:
        return
    seat = state.due[0]
    for card in sorted({*hands[seat]}):
        left = list(hands[seat])
        left.remove(card)
        after = laid(state, seat, card)
        done = after.round.number > state.round.number or after.phase != state.phase
        won = {after.round.last.winner} if done and after.round.last else set[Seat | None]()
        rest = {**hands, seat: tuple(left)}
        if not any(rest.values()):
            yield won
        else:
            yield from (won | later for later in outcomes(after, rest))


def laid(state: State, seat: Seat, card: str) -> State:
    return apply(state, Lay(seat, card))


def surely(log: Log, seat: Seat) -> bool:
    """Whether ``seat`` wins all that is left, however the unseen cards lie and are played."""
    state: State = log.state
    hands, deck = state.hands, state.deck
    known = {
        each: [card for card, n in zip(deck.cards, hands.sure(each), strict=True) for _ in range(n)]
        for each in log.table.seats
    }
    unseen = [
        card
        for card, n in zip(deck.cards, deck.counts(hands.unturned), strict=True)  # type: ignore[attr-defined]
        for _ in range(n)
    ]
    sizes = [hands.held(each) - len(known[each]) for each in log.table.seats]
    for cards in {*permutations(unseen, sum(sizes))}:
        dealt, start = {}, 0
        for each, size in zip(log.table.seats, sizes, strict=True):
            dealt[each] = tuple(map(str, (*known[each], *cards[start : start + size])))
            start += size
        if any(won != {seat} for won in outcomes(state, dealt)):
            return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_a_proof_holds_in_every_distribution_and_every_play(kind: str) -> None:
    """Also the other way round, for a seat whose cards are known and that has the trick."""
    one, rng, proofs = game(**{**TINY, **KINDS[kind]}), Random(kind), 0
    for _ in range(60):
        log = Log(one, table(one, "ABC"))
        say(log, f"table deal leader={rng.choice('ABC')}")
        cards = [str(card) for card in log.state.deck.cards for _ in range(copies(log, card))]
        rng.shuffle(cards)
        hands = {seat: [cards.pop(), cards.pop()] for seat in "ABC"}
        for _ in range(rng.randint(0, 4)):
            seat = log.game.to_act(log.state)[0]
            fitting = [
                c for c in hands[seat] if not isinstance(judge(log.state, Lay(seat, c)), Illegal)
            ]
            card = rng.choice(fitting or hands[seat])
            if fitting:
                hands[seat].remove(card)
                log.push(Lay(seat, card))
            if rng.random() < 0.4 and (shown := rng.choice("ABC")):
                log.push(Show(shown, tuple(hands[shown])))
        for seat in "ABC":
            if not log.game.to_act(log.state):
                continue
            found = proven(log.state, seat)
            proofs += found
            if found:
                assert surely(log, seat), (seat, log.entries)
    assert proofs or kind == "the lead moves to the left"


def copies(log: Log, card: Any) -> int:
    return int(log.state.deck.copies[log.state.deck.place[card]])
