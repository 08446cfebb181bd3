"""The laws of every game hold for games that are files, in random matches with every house rule.

Run this file as a program for many matches: ``python tests/games/kit/test_laws.py 100000``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from random import Random

import pytest
from kit_files import FILES, OF_TRICKS

from referee.core.game import Table
from referee.core.generic import Entry
from referee.core.log import Log
from referee.core.record import Grammar, Header, Unreadable
from referee.core.verdict import Illegal
from referee.games.simulation import player, room_of
from referee.kit.families.trick_taking.plays import (
    Bid,
    Call,
    Cover,
    Deal,
    GrantRest,
    Lay,
    NameTrump,
    Passed,
    Play,
    Rest,
    Show,
)
from referee.kit.families.trick_taking.state import PLAY
from referee.kit.game import KitGame
from referee.kit.load import load
from referee.kit.text.faults import Wrong
from referee.kit.variants import pairs, tables
from referee.rulings import COMMON, book, book_of
from tools import laws

LAWS, match = laws.OF_FILES, laws.of_file


def assert_can_be_said(log: Log) -> None:
    """Every verdict on an offered play, every finding and every line of the score has words."""
    common = book(COMMON)
    facts = [fact for found in log.findings() for fact in found.evidence]
    facts += [fact for line in log.game.score(log.state).lines for fact in line.evidence]
    for step in log.steps()[::7]:
        for play in log.game.candidates(step.state):
            facts += log.game.judge(step.state, play).evidence
    for fact in facts:
        for lang in ("ja", "en"):
            assert common.says(fact.fact, fact.values, lang)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_laws_of_every_game(file: Path) -> None:
    game = load(file.read_bytes())
    for seed in range(3):
        found = match(game, seed, lies=0.3, most=150)
        for law in LAWS:
            assert list(law(found)) == []
        if not seed:
            assert list(laws.a_corrected_match_reads_as_if_played_so(found, at=2)) == []
        assert_can_be_said(found.log)
        grammar = Grammar(game, found.header.seats)
        for entry in found.log.entries:
            assert grammar.parse(grammar.print(entry)) == entry


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_honest_players_end_their_matches_and_are_never_found_guilty(file: Path) -> None:
    game = load(file.read_bytes())
    for seed in range(4):
        found = match(game, seed, lies=0)
        assert list(laws.honest_players_are_never_found_guilty(found)) == []
        assert game.outcome(found.log.state)


@pytest.mark.parametrize("file", OF_TRICKS, ids=lambda file: file.stem)
def test_the_cards_that_may_honestly_be_played_are_those_that_climb_finds(file: Path) -> None:
    """``honest`` against ``climb`` of ``PlayRules``: every card of random hands, at every card."""
    game = load(file.read_bytes())
    rng = Random(file.stem)
    compared = refused = 0
    for seed in range(3):
        log = match(game, seed, lies=0.1, most=200).log
        rules = game.rules(log.table)
        bits = rules.cards.bits
        for step in log.steps():
            if step.state.phase != PLAY or not step.state.due:
                continue
            hand = rng.sample([*bits], rng.randint(1, min(12, len(bits))))
            held = sum(bits[card] for card in hand)
            honest = rules.play.honest(step.state, held)
            free = [card for card in hand if not rules.play.climb(step.state, bits[card])[2] & held]
            assert honest == sum(bits[card] for card in free)
            compared += len(hand)
            refused += len(hand) - len(free)
    assert compared > 500
    assert refused or not (rules.play.follow or rules.play.lead)


OTHERS = (
    *("table deal", "table deal leader=A", "table deal leader=B from=B", "table exchanged"),
    *("table kitty", "table kitty {0}", "table kitty {0} {1} {2}", "table shuffle"),
    *("table starter A", "A bid 0", "A bid 99", "B bid 1", "A pass", "B pass"),
    *("A lay {0}", "B lay {1}", "A lay {0} {0} {0} {0} {0}", "A lay {0} {1}", "A lay Z9"),
    *("A give 1", "A give 0", "B give 99", "A discard {0}", "B discard {1} Z9", "A name {0}"),
    *("A drop {0}", "B drop Z9", "A reveal {0}", "B reveal Z9", "A hit {0}", "B hit {1}"),
    *("A hit Z9", "A stay", "B stay", "A fold", "A fold Z9", "A aim A", "A aim B"),
)
"""Lines of games without tricks; ``{0}`` and so on are cards of the deck."""


def claims(game: KitGame, one: Table) -> Iterator[Entry]:
    """Entries of every kind that the game can have: sensible, and as nobody should enter them."""
    if game.FAMILY == "trick_taking":
        yield from claims_of_tricks(game, one)
        return
    grammar, cards = Grammar(game, one.seats), game.setup(one).deck.cards
    kinds = set[type[Entry]]()
    for line in OTHERS:
        with suppress(Unreadable):
            entry = grammar.parse(line.format(*cards))
            kinds.add(type(entry))
            yield entry
    assert kinds >= set(game.PLAYS)


def claims_of_tricks(game: KitGame, one: Table) -> Iterator[Play]:
    seat, rules = one.seats[0], game.rules(one)
    cards = [next(iter(rules.cards.bits)), "Z9"]
    entries: dict[type[Play], list[Play]] = {
        Deal: [Deal(), Deal(seat), *(Deal(seat, card) for card in cards)],
        Passed: [Passed()],
        Bid: [*(Bid(each, f"{n}") for each in one.seats for n in range(3)), Bid(seat, "nothing")],
        NameTrump: [NameTrump(seat, suit) for suit in (*rules.trump.nameable, "Q9")],
        Call: [Call(seat, card) for card in cards],
        Lay: [Lay(each, card) for each in one.seats for card in cards],
        Cover: [Cover(seat)],
        Show: [Show(seat, tuple(cards)), Show(seat, ())],
        Rest: [Rest(seat)],
        GrantRest: [GrantRest(seat)],
    }
    for kind in game.PLAYS:
        yield from entries[kind]


def tables_of(game: KitGame) -> Iterator[Table]:
    """Tables with each house rule and number of seats, and with two house rules at once."""
    for one in chain(tables(game), islice(pairs(game), 60)):
        try:
            game.rules(one)
        except Wrong:
            continue  # the file makes no game for it: no table can be opened
        yield one


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_house_rule_brings_a_clause_that_the_book_lacks(file: Path) -> None:
    game = load(file.read_bytes())
    rng, all_tables = Random(file.stem), [*tables_of(game)]
    for one in rng.sample(all_tables, min(4, len(all_tables))):
        log = Log(game, one)
        for entry in islice(player(room_of(game))(log, rng, 0.3, 0.005), 60):
            log.push(entry)
        found = laws.Match(Header(game.KEY, one.seats, dict(one.chosen)), 0, log)
        faults = laws.every_clause_is_in_the_book(found, [*claims(game, one)])
        assert list(dict.fromkeys(faults)) == [], (one.seats, one.chosen)
        assert list(laws.every_answer_can_be_said(found)) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_book_has_the_rules_of_every_table(file: Path) -> None:
    game = load(file.read_bytes())
    rules = book_of(game)
    for one in tables_of(game):
        compiled = game.rules(one)
        named = [f"score.{name}" for name in compiled.scoring.terms]
        if game.FAMILY == "trick_taking":
            named += [f"lead.{k}" for k in range(1, len(compiled.play.lead) + 1)]
            named += [f"follow.{k}" for k in range(1, len(compiled.play.follow) + 1)]
        else:
            named += [f"effect.{row.name}" for row in compiled.effects]
        for id_ in named:
            assert rules.clause(id_).text.ja, (id_, one)


def soaked(matches: int) -> None:
    """Play ``matches`` honest matches of every file; print how long they are and who wins."""
    for file in FILES:
        game = load(file.read_bytes())
        ends: Counter[int] = Counter()
        for seed in range(matches):
            found = match(game, seed, lies=0)
            log = found.log
            faults = list(laws.honest_players_are_never_found_guilty(found))
            last = log.now.step
            if faults or last is None or isinstance(last.verdict, Illegal):
                print(file.stem, seed, found.header, faults)
                return
            ended = game.outcome(log.state)
            ends[len(ended.winners) if ended else 0] += 1
        print(file.stem, dict(ends))


if __name__ == "__main__":
    soaked(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
