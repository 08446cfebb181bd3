"""The review of games of files against a second opinion, for every entry of whole deals."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from counted_again import COVERED, Line, Lying, followed, known_at_the_end, reviewed, written
from kit_files import OF_TRICKS, named

from referee.core.log import Log
from referee.core.record import Header
from referee.games.simulation import table
from referee.insight.review import review
from referee.kit.families.trick_taking.player import entries
from referee.kit.load import load

MOST = 100
# Those in ``written`` are variants of the others: usually every second one is reviewed.
DEALS = [
    pytest.param(
        file,
        id=f"{file.parent.name}-{file.stem}",
        marks=[pytest.mark.rare] if file.parent.name == "written" and i % 2 else [],
    )
    for i, file in enumerate(OF_TRICKS)
]


@pytest.mark.thorough
@pytest.mark.parametrize("file", DEALS)
def test_whole_deals(file: Path, tmp_path: Path) -> None:
    """How many cards a hand gets is taken from the answer; where they can be is not."""
    game = load(file.read_bytes())
    (tmp_path / file.name).write_bytes(file.read_bytes())
    seats = tuple("ABCDEFGH"[: 4 if 4 in game.SEATS else game.SEATS[0]])
    here = table(game, seats)
    deck = game.setup(here).deck
    draws = game.rules(here).deal.draws
    stock, laid, turned = ("stock" if draws else "rest", None), 0, list[str]()
    pack = [c for c, n in zip(deck.cards, deck.copies, strict=True) for _ in range(n)]

    def dealt(line: Line) -> Lying:
        lying = Lying(pack)
        rows = {row["seat"]: row["cards"] for row in line.entry["grid"] if row["place"] == "hand"}
        lying.hidden.update({("hand", seat): cards for seat, cards in rows.items()})
        lying.rest(stock[0])
        for word in line.words:
            if word.startswith("turn="):
                card = word.removeprefix("turn=")
                if lying.unseen.total() - sum(rows.values()):
                    lying.turned(card, stock)
                    turned[:] = [card] * draws  # it lies open until it is drawn, the last one
                else:  # all cards are dealt: it is the dealer's last
                    [leader] = (w for w in line.words if w.startswith("leader="))
                    at = seats.index(leader.removeprefix("leader="))
                    lying.shown(seats[at - 1], [card])
        return lying

    def drawn(lying: Lying, line: Line) -> None:
        """Everybody draws a card, the next leader first; the one turned up is the last."""
        [leader] = {row["seat"] for row in line.entry["grid"]} & {line.next[0]} or {seats[0]}
        last = seats[seats.index(leader) - 1]
        for seat in (*(each for each in seats if each != last), last):
            if seat == last and turned and lying.hidden[stock] < 1:
                lying.fresh[seat] = [turned.pop()]
                lying.hand(seat).update(lying.fresh[seat])
            else:
                lying.drawn(("hand", seat), 1, stock)
                lying.fresh[seat] = [""]

    def follow(lying: Lying | None, line: Line) -> Lying:
        nonlocal laid
        if line.words[:2] == ["table", "deal"]:
            laid = 0
            return dealt(line)
        assert lying is not None
        match line.words:
            case ["table", "passed"]:
                for row in line.entry["grid"]:
                    if row["place"] == "hand":
                        hand = ("hand", row["seat"])
                        gone = lying.hidden[hand] - row["cards"]
                        lying.drawn(("rest", None), gone, hand)
            case [seat, "lay", card]:
                lying.laid(seat, card)
                laid += 1
                left = lying.hidden[stock] + len(turned)
                if draws and laid % len(seats) == 0 and left >= len(seats):
                    drawn(lying, line)
            case [seat, "show", *cards]:
                lying.shown(seat, cards)
            case [seat, "cover"]:
                lying.drawn(COVERED, 1, ("hand", seat))
        return lying

    grids = 0
    for seed, lies in enumerate((0, 0.3)):
        log = Log(game, here)
        for entry in entries(log, Random(seed), lies, 0.02 * seed):
            log.push(entry)
            if len(log) > MOST and not game.to_act(log.state):
                break
        header = Header(game.KEY, seats, named={"kit": game.hash}, own=game)
        for deal in reviewed(written(log, header), tmp_path):
            count, end = followed(deal, follow)
            grids += count
            # a card that is drawn later does not refute what was said; test_every_deal has that
            if not end.hidden[COVERED] and not draws:
                known_at_the_end(deal, end)
    assert grids > 60


@pytest.mark.parametrize("name", ["hearts", "ninety_nine"])
def test_a_hand_before_cards_are_handed_on_is_not_read_from_what_is_laid_later(name: str) -> None:
    """A card that a seat lays later can have come from another hand."""
    game = load(named(name).read_bytes())
    here = table(game, tuple("ABCD"[: 4 if 4 in game.SEATS else game.SEATS[0]]))
    log = Log(game, here)
    for entry in entries(log, Random(1), 0, 0):
        log.push(entry)
        if log.state.deal == 2:
            break
    deal, passed, *others = review(log, 1).entries
    assert deal.hindsight is None
    assert passed.hindsight is not None
    assert all(read.hindsight is not None for read in others)
