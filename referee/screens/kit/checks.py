"""Quick checks of games from files: what those of every family share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from referee.http import current
from referee.http.language import gettext as _
from referee.kit.chapters.deck import table
from referee.kit.game import KitGame
from referee.kit.text.toml import Value
from referee.screens.kit.names import KitNames
from referee.screens.quick_check import CheckFault, CheckInput

MOST_CARDS = 60  # in one field
TAKEN = frozenset(
    ("n", "ask", "at", "tap", "lies", "locked", "lay", "card", "order", "rank", "passed", "last")
)
"""Keys of the address of a check; a house rule with such a key is as the rules are."""


def game_of(entered: CheckInput) -> KitGame:
    """The game that is asked about."""
    return cast(KitGame, current.game(entered.game))


def options(game: KitGame, chapters: Iterable[str]) -> tuple[str, ...]:
    """The house rules that change one of these chapters of the file."""
    rows, wanted = table(game.document.values.get("option")), {*chapters}
    return tuple(
        name
        for name, option in game.OPTIONS.items()
        if name not in TAKEN
        and any(
            wanted & {key.partition(".")[0] for key in _changed(rows[name], value)}
            for value in option.values
        )
    )


def _changed(row: Value, value: str) -> Iterable[str]:
    """The chapters that a choice of a house rule changes."""
    return table(table(table(row).get(value)).get("set"))


def cards(entered: CheckInput, key: str, names: Iterable[str]) -> tuple[str, ...]:
    """The cards in a field: names as the file writes them, ``8*3`` is three times 8.

    ``names``: the cards of the game. Other words stay as they are; the game says what is wrong.
    """
    known = {name.upper(): name for name in names}
    found: list[str] = []
    for word in entered.texts[key].split():
        card, _times, number = word.partition("*")
        plain, sign, stands = card.partition("=")
        if _times and not (number.isascii() and number.isdigit() and len(number) < 3):
            raise CheckFault(key, _("「%(word)s」はカードではありません。", word=word[:40]))
        name = known.get(plain, plain) + sign + known.get(stands, stands)
        found += [name] * (int(number) if number else 1)
    if len(found) > MOST_CARDS:
        most = MOST_CARDS
        raise CheckFault(key, _("カードが多すぎます。%(most)s枚までです。", most=most))
    return tuple(found)


def faces(names: KitNames, keys: Iterable[str]) -> dict[str, str]:
    """How these cards are drawn, by the words that stand for them."""
    drawn = {}
    for key in keys:
        face = names.face(key)
        drawn[key.upper()] = face.sign + face.rank
    return drawn
