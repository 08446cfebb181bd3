"""Deals of game files entered by their sheets: the same points as those of the cards."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.core import sheets
from referee.core.game import SheetLine
from referee.core.log import Log
from referee.core.record import Grammar
from referee.core.sheets import Stop, TableSheet
from referee.core.verdict import Illegal, Legal, Verdict
from referee.games.simulation import table
from referee.kit import shipped
from referee.kit.chapters.scoring.counted import by_points
from referee.kit.families.trick_taking.player import entries
from referee.kit.families.trick_taking.plays import Deal
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame
from referee.kit.load import load
from referee.rulings import book_of

GAMES = {g.KEY: g for g in shipped.games().values() if g.FAMILY == "trick_taking"}


PER_TRICK = """kit = 1
family = "trick_taking"
key = "small"
title = { ja = "小さい", en = "small" }
seats = { count = 3 }
deck = { suits.R = { ja = "赤", en = "red" }, ranks = "1..9" }
deal = { hand = 2 }
play = { follow = ["suit led"] }
trick = { best = ["suit led"] }
score.made = { per = "trick", points = "2*value" }
match = { deals = 2, winner = "most" }
"""


def sheet_of(game: KitGame, before: State, after: State, leader: str | None) -> TableSheet:
    """The sheet of the deal that lies between the states."""
    lines = []
    if leader:
        lines.append(SheetLine(None, "leader", ((leader, ""),)))
    for i, seat in enumerate(after.table.seats):
        points = str(after.score.totals[seat] - before.score.totals[seat])
        bid = after.round.bids[i] if after.round.bids else None
        words = [bid or "", str(after.round.tricks[i])]
        said = [points] if by_points(game.document.values) else [word for word in words if word]
        lines.append(SheetLine(seat, "", tuple((None, word) for word in said)))
    return TableSheet(tuple(lines))


@pytest.mark.parametrize("key", GAMES)
def test_a_match_entered_by_sheets_has_the_points_of_its_cards(key: str) -> None:
    game = GAMES[key]
    seats = tuple("ABCD")
    log = Log(game, table(game, seats))
    grammar = Grammar(game, seats)
    state = game.setup(log.table)
    before, leader = log.start, None
    for entry in entries(log, Random(5), 0, 0):
        if isinstance(entry, Deal):
            before, leader = log.state, entry.leader
        log.push(entry)
        if log.state.phase != "between":
            continue
        sheet = grammar.parse(grammar.print(sheet_of(game, before, log.state, leader)))
        assert isinstance(sheets.judge(game, log.table, state, sheet), Legal)
        state = sheets.apply(game, log.table, state, sheet)
        assert state.score.totals == log.state.score.totals
        assert state.score.counters == log.state.score.counters or by_points(game.document.values)
    assert game.outcome(state)
    assert game.outcome(state) == game.outcome(log.state)


@pytest.mark.parametrize("key", ["whist", "spades", "hearts"])
def test_a_sheet_that_cannot_be_is_refused(key: str) -> None:
    game = GAMES[key]
    seats = tuple("ABCD")
    state = game.setup(table(game, seats))
    words = {"whist": ("9", "9"), "spades": ("nil", "14"), "hearts": ("x", "")}[key]
    lines = [] if key == "hearts" else [SheetLine(None, "leader", (("A", ""),))]
    lines += [SheetLine(seat, "", tuple((None, word) for word in words if word)) for seat in seats]
    verdict = sheets.judge(game, state.table, state, TableSheet(tuple(lines)))
    assert isinstance(verdict, Illegal)


def points_sheet(key: str, points: tuple[int, ...], **options: str) -> Verdict:
    """The verdict on a sheet with these points as the first deal."""
    seats = tuple("ABCDE"[: len(points)])
    at = table(GAMES[key], seats, **options)
    lines = [
        SheetLine(seat, "", ((None, str(each)),)) for seat, each in zip(seats, points, strict=True)
    ]
    return sheets.judge(GAMES[key], at, GAMES[key].setup(at), TableSheet(tuple(lines)))


@pytest.mark.parametrize(
    ("points", "options", "says"),
    [
        ((25, 0, 0, 0), {}, "The points add up to 25; with these cards they add up to 26 or 78."),
        ((26, 0, 0, 0), {}, "With these cards a deal never gives 0, 0, 0, 26."),
        ((10, 10, 6), {}, "With these cards a deal never gives 6, 10, 10."),
        ((5, 5, 5, 5, 6), {}, "With these cards a deal never gives 5, 5, 5, 5, 6."),
        (
            (0, 26, 26, 26),
            {"moon": "self"},
            "The points add up to 78; with these cards they add up to −26 or 26.",
        ),
        ((0, 26, 26, 26), {}, ""),
        ((-26, 0, 0, 0), {"moon": "self"}, ""),
        ((13, 13, 0, 0), {}, ""),
        ((20, 3, 2, 1), {}, ""),
        ((26, 26, 0), {}, ""),
        ((0, 26, 26, 26, 26), {}, ""),
    ],
)
def test_points_that_the_cards_of_a_deal_cannot_give_are_refused(
    points: tuple[int, ...], options: dict[str, str], says: str
) -> None:
    """Hearts: thirteen points on hearts, thirteen on one card, or all of them turned round."""
    verdict = points_sheet("hearts", points, **options)
    assert isinstance(verdict, Illegal) == bool(says)
    if says:
        [fact] = verdict.evidence
        assert verdict.clause == "sheet.1"
        assert book_of(GAMES["hearts"]).says(fact.fact, fact.values, "en") == says


def test_every_way_to_take_the_cards_is_known() -> None:
    """The points of random deals of cards, whoever takes them, are never refused."""
    random = Random(4)
    at = table(GAMES["hearts"], tuple("ABCD"))
    rules = GAMES["hearts"].rules(at)
    for _ in range(200):
        cards = [*map(str, rules.cards.deck.cards)]
        random.shuffle(cards)
        cuts = sorted(random.choice(range(14)) for _ in range(3))
        tricks = [b - a for a, b in zip((0, *cuts), (*cuts, 13), strict=True)]
        hurt = []
        for count in tricks:
            mine, cards = cards[: 4 * count], cards[4 * count :]
            hurt.append(sum((card[0] == "H") + 13 * (card == "SQ") for card in mine))
        given = [26 - each for each in hurt] if max(hurt) == 26 else hurt
        assert isinstance(points_sheet("hearts", tuple(given)), Legal), given


def test_points_beyond_all_sums_of_a_file_are_refused() -> None:
    """The points of this game depend on single tricks, so only their bounds are known."""
    game = load(PER_TRICK.encode())
    at = table(game, tuple("ABC"))
    for points, legal in ((36, True), (38, False), (-1, False)):
        lines = (
            SheetLine(seat, "", ((None, str(n)),))
            for seat, n in zip("ABC", (points, 0, 0), strict=True)
        )
        sheet = TableSheet((SheetLine(None, "leader", (("A", ""),)), *lines))
        verdict = sheets.judge(game, at, game.setup(at), sheet)
        assert isinstance(verdict, Legal) == legal
        assert legal or verdict.evidence[0].fact == "kit_sheet_beyond"


def test_a_bid_that_could_not_be_made_in_its_turn_is_refused_on_a_sheet() -> None:
    """The hook: the last seat in turn order may not let the bids add up to the hand."""
    at = table(GAMES["magi"], tuple("ABC"), hook="on")
    for bids, clause in ((("0", "0", "1"), "bid.2"), (("0", "1", "1"), "sheet.1")):
        lines = [SheetLine(None, "leader", (("A", ""),))]
        tricks = ("1", "0", "0")
        rows = zip("ABC", bids, tricks, strict=True)
        lines += [SheetLine(seat, "", ((None, bid), (None, won))) for seat, bid, won in rows]
        verdict = sheets.judge(GAMES["magi"], at, GAMES["magi"].setup(at), TableSheet(tuple(lines)))
        assert verdict.clause == clause


def test_a_match_is_stopped() -> None:
    game = GAMES["whist"]
    log = Log(game, table(game, tuple("ABCD")))
    for entry in entries(log, Random(1), 0, 0):
        log.push(entry)
        if len(log) == 20:
            break
    log.push(Stop("late"))
    ended = game.outcome(log.state)
    assert ended is not None
    assert ended.winners == ()
    assert game.to_act(log.state) == ()


@pytest.mark.parametrize("key", GAMES)
def test_every_deal_says_how_to_deal_and_what_is_hidden(key: str) -> None:
    game = GAMES[key]
    log = Log(game, table(game, tuple("ABCD")))
    for entry in entries(log, Random(2), 0.2, 0.02):
        dealing = game.HOOKS.dealing(log.state)
        assert dealing is not None
        assert dealing.steps
        log.push(entry)
        known = game.HOOKS.knowledge(log.state)
        assert known is not None
        [found] = known.placements
        held = Counter({p.seat: p.hidden for p in found.places if p.kind == "hand"})
        kept = log.state.hands.kept
        for seat in log.table.seats:
            if seat not in log.state.hands.shown:
                assert held[seat] + (seat in kept) == log.state.hands.held(seat)
        if len(log) > 130:
            break
