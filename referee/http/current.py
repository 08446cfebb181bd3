"""The ledger, games and ruling books of the app that answers the current request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flask import current_app, g

from referee.core.book import Book
from referee.core.game import Game
from referee.core.record import CALLED
from referee.desk import Desk
from referee.games import GAMES, KIND, room
from referee.headers import game_named, spelled
from referee.http import access
from referee.kit.game import KitGame
from referee.ledger import Ledger, View
from referee.rulings import book_of, called
from referee.store.past import Past


def ledger() -> Ledger:
    """The ledger of this app."""
    found: Ledger = current_app.extensions["ledger"]
    return found


def desks() -> Desk:
    """Tonight's desks of this app."""
    found: Desk = current_app.extensions["desk"]
    return found


def game(name: str) -> Game:
    """The game with this name, built in or from a file; KeyError if there is none."""
    held: Game | None = g.get("held_game")
    if held is not None and name == held.NAME:
        return held
    return game_named(ledger().store, name)


def folder(name: str) -> str:
    """The folder with the templates and the style sheet of the game with this name."""
    own = room(name)
    found = game(name) if own not in GAMES else None
    return found.FOLDER if isinstance(found, KitGame) else own


def hold(game: Game) -> None:
    """Let ``game()`` find ``game`` during this request, although no file of it is stored."""
    g.held_game = game


def book_at(view: View) -> Book:
    """The ruling book of the game of a match; its title is what the people call that game."""
    return called(book_of(view.game), view.header.named.get(CALLED))


def _spelled(name: str) -> str:
    """The latest spelling of what people call a game that counts as ``name``."""
    known: dict[str, str] = g.setdefault("spelled", {})
    if name not in known:
        latest = Past(ledger().store, access.circle()).latest_header(name)
        known[name] = spelled(name, latest)
    return known[name]


class Books(Mapping[str, Book]):
    """The ruling books of all games by name; iteration is over the built-in games alone."""

    def __getitem__(self, name: str) -> Book:
        return called(book_of(game(name)), _spelled(name) if KIND in name else None)

    def __iter__(self) -> Iterator[str]:
        return iter(GAMES)

    def __len__(self) -> int:
        return len(GAMES)


BOOKS = Books()
