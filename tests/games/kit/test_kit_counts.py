"""What the history counts of shedding games and games of open cards, against the entries."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.games.simulation import player, room_of
from referee.history.digest import digest
from referee.kit import shipped
from referee.kit.families.draw_or_stop.plays import Fold, Hit, Stay
from referee.kit.families.shedding.plays import Lay
from referee.kit.game import KitGame

GAMES = {game.KEY: game for game in shipped.games().values()}
JOKERS = {"XB", "XR"}

Counts = Counter[tuple[int, str]]
"""How often, by the place of a seat in turn order (1-based) and the label."""


def match(game: KitGame, seats: int, seed: int, **chosen: str) -> Log:
    log = Log(game, Table(tuple("ABCDEF"[:seats]), chosen, {**COMMON_OPTIONS, **game.OPTIONS}))
    for entry in player(room_of(game))(log, Random(seed), 0, 0):
        log.push(entry)
    return log


def counts(log: Log) -> Counts:
    """The events of the digest."""
    found = digest(log, ["2026-01-01T00:00:00+00:00"] * len(log))
    assert found.over
    return Counter({(f.place, f.label): f.value for f in found.feats if f.kind == "event"})


def ends(log: Log) -> list[dict[str, object]]:
    """What everybody saw at the end of each deal."""
    public = [log.game.public(step.state) for step in log.steps()]
    before = [{"phase": "between"}, *public]
    return [
        after
        for old, after in zip(before, public, strict=False)
        if after["phase"] == "between" != old["phase"]
    ]


@pytest.mark.parametrize(("seats", "seed"), [(3, 1), (4, 2), (6, 3)])
def test_daifugo_counts_places_revolutions_and_tricks_cleared(seats: int, seed: int) -> None:
    log = match(GAMES["daifugo"], seats, seed, runs="off")
    place = {seat: i for i, seat in enumerate(log.table.seats, 1)}
    expected: Counts = Counter()
    for step in log.steps():
        if isinstance(step.play, Lay):
            cards, beneath = step.play.cards, log.before(step).trick.plays
            joker_beneath = bool(beneath) and {*beneath[-1].cards} <= JOKERS
            eight = any(card[1:] == "8" for card in cards)
            returned = cards == ("S3",) and joker_beneath
            expected[place[step.play.seat], "revolution"] += len(cards) >= 4
            expected[place[step.play.seat], "clear"] += eight or returned
    for end in ends(log):
        places = end["places"]
        assert isinstance(places, dict)
        expected.update((place[seat], str(n)) for seat, n in places.items())
        for key, label in (("fouls", "foul"), ("fallen", "fall")):
            gone = end[key]
            assert isinstance(gone, list)
            expected.update((place[seat], label) for seat in gone)
    assert counts(log) == +expected
    assert len(ends(log)) == 4
    assert sum(n for (_, label), n in expected.items() if label.isdigit()) == 4 * seats


@pytest.mark.parametrize(("seats", "seed"), [(3, 1), (5, 2)])
def test_seven_apart_counts_cards_stops_and_busts(seats: int, seed: int) -> None:
    log = match(GAMES["seven_apart"], seats, seed)
    place = {seat: i for i, seat in enumerate(log.table.seats, 1)}
    labels = {Hit: "drawn", Stay: "stay", Fold: "fold"}
    expected: Counts = Counter()
    for step in log.steps():
        if label := labels.get(type(step.play)):
            expected[place[step.play.seat], label] += 1
    for end in ends(log):
        expected.update((seat, "round") for seat in place.values())
        bust = end["bust"]
        assert isinstance(bust, list)
        expected.update((place[seat], "bust") for seat in bust)
    assert counts(log) == expected
    assert sum(n for (_, label), n in expected.items() if label == "bust") > 0


@pytest.mark.parametrize("key", ["president", "big_two", "dou_dizhu"])
def test_each_deal_gives_everybody_a_place(key: str) -> None:
    log = match(GAMES[key], GAMES[key].SEATS[0], 5)
    deals = log.state.deal
    for i in range(1, len(log.table.seats) + 1):
        own = [n for (place, label), n in counts(log).items() if place == i and label.isdigit()]
        assert sum(own) == deals
