"""Deals of shipped game files that pages play again, key by key."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

from referee.core.log import Log
from referee.core.record import Header
from referee.games.simulation import player, room_of, table
from referee.kit import shipped
from referee.kit.game import KitGame
from referee.kit.load import load
from referee.ledger import Ledger, View

SEATS = ("あかね", "源五郎", "みどり子", "ほしの", "Ren", "ちはる", "Jo")
GAMES = {game.KEY: game for game in shipped.games().values()}
FILES = Path(__file__).parent / "games" / "kit"


def game_of(key: str) -> KitGame:
    """The shipped game with this key, or that of a file of the tests."""
    if key in GAMES:
        return GAMES[key]
    [file] = FILES.glob(f"*/{key}.toml")
    return load(file.read_bytes())


class RecordedDeal(NamedTuple):
    """``log``: the plays; ``lines``: the same as in a record.

    ``view``: an empty table of the game, on which the page of a ``leader`` asks for the turn-up.
    """

    log: Log
    lines: list[str]
    view: View
    leader: str


def opened(ledger: Ledger, game: KitGame, seats: tuple[str, ...], circle: str = "") -> View:
    """An empty table of the game of a file, with the file."""
    ledger.store.game_files.keep((game.hash, game.KEY, game.text))
    return ledger.open(Header(game.KEY, seats, named={"kit": game.hash}), circle)


def recorded_deal(
    ledger: Ledger, key: str, seats: int, deals: int, circle: str = ""
) -> RecordedDeal:
    """The first ``deals`` deals of a match, and an empty table of ``circle`` for them."""
    game, names = game_of(key), SEATS[:seats]
    log = Log(game, table(game, names))
    for entry in player(room_of(game))(log, Random(3), 0, 0):
        log.push(entry)
        if log.state.deal == deals and game.dealt_out(log.state):
            break
    view = opened(ledger, game, names, circle)
    leader = next(entry.leader for entry in log.entries)  # type: ignore[attr-defined]
    return RecordedDeal(log, [view.grammar.print(e) for e in log.entries], view, leader or "")
