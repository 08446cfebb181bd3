"""Makes a game from the bytes of a file."""

from __future__ import annotations

from collections.abc import Iterable

from referee.kit.book import book_of_file
from referee.kit.family import FAMILIES
from referee.kit.game import KitGame
from referee.kit.shape import checked
from referee.kit.text.faults import Wrong
from referee.kit.text.form import FileFaults
from referee.kit.text.toml import normal, read


class Misread(Exception):
    """A file that makes no game; ``faults`` are in the order of the file."""

    def __init__(self, faults: Iterable[Wrong]) -> None:
        self.faults = sorted(faults, key=lambda fault: (fault.line, fault.column))
        super().__init__(*(f"{each.line}:{each.column} {each.fact}" for each in self.faults))


def load(source: bytes) -> KitGame:
    """The game in the bytes of a file; raises ``Misread``.

    ``checking`` examines whether it works for every number of seats.
    """
    try:
        text = normal(source)
        document = read(text)
    except Wrong as wrong:
        raise Misread([wrong]) from None
    faults: FileFaults = checked(document)
    if faults.found:
        raise Misread(faults.found)
    game = FAMILIES[str(document.values["family"])].game(text, document, book_of_file)
    try:
        game.rules(game.plain_table(game.SEATS[0]))
    except Wrong as wrong:
        raise Misread([wrong]) from None
    return game
