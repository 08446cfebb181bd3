"""Files with random rules, played with real hands: only liars are accused, and they are.

The witness is the hands themselves: who denies a card that is in the hand lies. Every lie is
proven in the end, unless a card was face down, drawn later, or left in a hand.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest

from referee.core.log import Log
from referee.core.verdict import Illegal
from referee.games.simulation import table
from referee.kit.families.trick_taking import player
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.plays import Cover, Deal, Lay
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame
from referee.kit.load import Misread, load

FOLLOW = (
    *("suit led", "rank led", "suit trump", "beats", "suit led and beats", "not suit led"),
    *("not rank showing", "suit showing", "number > led_value", "number < led_value", "suit A"),
    *("special", "colour led", "suit trump and beats", "suit led or rank led", "number = trick"),
    *("rank led or suit A", "not suit showing and beats", "number > last_value"),
)
FOLLOW_WHEN = (
    *("trick > 1", "team(winning) = 0", "led(suit A)", "trick_sum > 9", "lying(rank 2) > 0"),
    *("laid(suit A) = 0", "stock = 0", "tricks < 2", "turn = 1", "second_value > led_value"),
)
LEAD = ("suit A", "not suit A", "suit trump", "not suit trump", "rank 2", "number > trick")
BEST = ("suit trump", "suit led", "all", "rank 2", "rank led", "special", "suit showing")
BEST_WHEN = (
    "second_value > last_value",
    "trick > 1",
    "trick_sum > 9",
    "lying(rank 2) > 0",
    "trick - trick/2*2 = 1",
)
TRUMPS = (
    'from = "none"',
    'from = "fixed", suit = "B"',
    'from = "named", by = "leader"',
    'from = "first_discard"',
    'from = "cycle", suits = ["A", "none", "B"]',
    'from = "last_trick"',
    'change = ["rank 1", { per = "trick", cards = "rank 2..3", when = "won" }]',
    'from = "fixed", suit = "B", change = [{ cards = "special", suit = "named" }, "not suit led"]',
    'change = [{ per = "trick", cards = "all", when = "won and trick > 1", suit = "named" }]',
)
LIES = (0, 0.25)  # the chance of a lie: honest players, and liars


class Chosen(NamedTuple):
    """A file, and why a lie may stay open in it."""

    text: str
    draws: bool
    down: bool
    leave: bool


def row(rng: Random, cards: tuple[str, ...], when: tuple[str, ...], orders: str) -> str:
    """A step of a ladder or a winning set."""
    parts = [f'cards = "{rng.choice(cards)}"']
    if rng.random() < 0.4:
        parts.append(f'when = "{rng.choice(when)}"')
    if rng.random() < 0.4:
        parts.append(f'order = "{rng.choice(orders.split())}"')
    return f"{{ {', '.join(parts)} }}"


def file_of(rng: Random) -> Chosen:
    n, copies, suits = rng.choice((2, 3, 4, 4)), rng.choice((1, 1, 2)), "ABCD"[: rng.randint(2, 4)]
    ranks = rng.randint(3, 7)
    hand = max(2, min(7, (len(suits) * ranks * copies + 3) // n - rng.randint(0, 1)))
    draws = rng.random() < 0.25 and len(suits) * ranks * copies + 3 >= (hand + 1) * n
    down, leave = not draws and rng.random() < 0.3, rng.random() < 0.2
    turned = not draws and not down and rng.random() < 0.3
    teams = "opposite" if n == 4 and rng.random() < 0.5 else "none"
    lines = [
        'kit = 1\nfamily = "trick_taking"\nkey = "any"\ntitle = { ja = "任意", en = "any" }',
        f'seats = {{ count = {n}, teams = "{teams}" }}',
        f'deck.ranks = "1..{ranks}"\ndeck.copies = {copies}',
        *(f'deck.suits.{s} = {{ colour = "{"red" if s in "AC" else "blue"}" }}' for s in suits),
        f'deck.special.W = {{ copies = 2, led = "{rng.choice(("none", "skip"))}" }}',
        "deck.special.V = {}",
        f"deal.hand = {hand}",
        'deal.turn_up = "dealer"' if turned else "",
        'deal.draw = "after_trick"' if draws else "",
        f"trump = {{ {rng.choice(TRUMPS)} }}",
    ]
    if not turned and not draws and rng.random() < 0.25:
        lines.append(f'pass = {{ cards = 1, to = ["{rng.choice(("left", "right", "aside"))}"] }}')
    if rng.random() < 0.4:
        lines.append(f"play.lead = [{row(rng, LEAD, FOLLOW_WHEN[:1], 'low high')}]")
    steps = [row(rng, FOLLOW, FOLLOW_WHEN, "low high") for _ in range(rng.randint(1, 3))]
    lines.append(f"play.follow = [{', '.join(steps)}]")
    if rng.random() < 0.3:
        lines.append(f'play.always = "{rng.choice(("special", "rank 3", "suit A and beats"))}"')
    lines.append(f'play.cannot = "{"down" if down else rng.choice(("counts", "out"))}"')
    classes = [row(rng, BEST, BEST_WHEN, "low high first last") for _ in range(rng.randint(1, 3))]
    lines.append(f"trick.best = [{', '.join(classes)}]")
    lines.append(f'trick.equal = "{rng.choice(("first", "last", "cancel", "turn_down"))}"')
    following = [f'"{word}"' for word in ("winner", "left", "same")]
    following.append(f"[{row(rng, BEST, BEST_WHEN, 'low high first last')}]")
    lines.append(f"trick.next = {rng.choice(following)}")
    lines.append('trick.next_none = "same"')
    lines.append('leave.when = "trick > 2 and tricks = 0"' if leave else "")
    lines.append('score.a = { per = "deal", points = "tricks" }')
    lines.append('match = { deals = 2, winner = "most" }')
    return Chosen("\n".join(lines) + "\n", draws, down, leave)


def lied(state: State, play: object, hand: list[str]) -> bool:
    """Whether the play denies a card of ``hand``, what is left of the seat's hand after it."""
    if not isinstance(play, Lay | Cover) or state.leader is None:
        return False
    rules = rules_of(state)
    card = rules.cards.bits[play.card] if isinstance(play, Lay) else 0
    above = rules.play.climb(state, card, play.seat)[2]
    return any(rules.cards.bits[each] & above for each in hand)


def accused_and_lied(
    game: KitGame, seed: int, lies: float, monkeypatch: pytest.MonkeyPatch
) -> tuple[set[tuple[int, str]], set[tuple[int, str]], int]:
    """The accused and the liars of a match, each as (deal, seat), and how many plays it has."""
    hands: list[dict[str, list[str]]] = []
    dealt = player._dealt

    def watched(state: State, rng: Random) -> tuple[Deal, dict[str, list[str]], list[str]]:
        found = dealt(state, rng)
        hands.append(found[1])
        return found

    log = Log(game, table(game, tuple("ABCD"[: game.SEATS[0]])))
    liars, deal_at = set[tuple[int, str]](), dict[int, int]()
    with monkeypatch.context() as patch:
        patch.setattr(player, "_dealt", watched)
        for play in player.entries(log, Random(seed), lies, 0):
            if isinstance(play, Lay | Cover) and lied(log.state, play, hands[-1][play.seat]):
                liars.add((len(hands), play.seat))
            assert not isinstance(log.push(play), Illegal)
            deal_at[len(log)] = len(hands)
    return {(deal_at[f.at], f.seat) for f in log.findings()}, liars, len(log)


def test_only_liars_are_accused_whatever_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counter[str]()
    for seed in range(200):
        file = file_of(Random(seed))
        try:
            game = load(file.text.encode())
            game.rules(table(game, tuple("ABCD"[: game.SEATS[0]])))
        except Misread:
            counted["refused"] += 1
            continue
        for lies in LIES:
            accused, liars, plays = accused_and_lied(game, seed, lies, monkeypatch)
            assert accused <= liars, (seed, file.text)
            assert lies or not liars
            if not (file.draws or file.down or file.leave):
                assert accused == liars, (seed, file.text)
            counted["plays"] += plays
            counted["accused"] += len(accused)
            counted["open"] += len(liars - accused)
    assert counted["plays"] > 8000
    assert counted["accused"] > 150
    assert counted["open"] > 0
    assert counted["refused"] < 20
