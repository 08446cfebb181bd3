"""What the sheets of deals share in every family: words of the lines, points that are entered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from referee.core.game import Impossible, SheetLine
from referee.core.record import Unreadable
from referee.core.sheets import seat_words
from referee.core.verdict import Seat
from referee.kit.scored import SHEET, Given
from referee.kit.table import TableRules


def reader(pattern: re.Pattern[str]) -> Callable[[str], str]:
    """Reads a word of a line; raises ``Unreadable`` unless it matches ``pattern``."""

    def word(text: str) -> str:
        if not pattern.fullmatch(text):
            raise Unreadable("read_sheet_line", text=text)
        return text

    return word


def lacks(seat: Seat) -> Impossible:
    """The fault of a seat's line that does not have what the game asks for."""
    return Impossible("sheet.1", "sheet_lacks", seat, key=seat)


def number(seat: Seat, word: str, few: int) -> int:
    """The number that ``word`` is; raises ``Impossible`` if it is none or lower than ``few``."""
    if not word.lstrip("-").isdigit() or int(word) < few:
        raise lacks(seat)
    return int(word)


def one_word(lines: Iterable[SheetLine], seats: Sequence[Seat]) -> Iterator[tuple[Seat, str]]:
    """The word of each seat, in turn order; raises ``Impossible`` if a line has not just one."""
    for seat, words in seat_words(lines, seats).items():
        if len(words) != 1:
            raise lacks(seat)
        yield seat, words[0]


def points(words: Iterable[tuple[Seat, str]]) -> list[int]:
    """The points that each seat's word says; raises ``Impossible``."""
    return [number(seat, word, -99_999) for seat, word in words]


def entered(rules: TableRules, points: Sequence[int]) -> list[Given]:
    """These points of all seats as they are scored: those of a team once."""
    return [Given(i, each, SHEET, None) for i, each in enumerate(points) if rules.teams[i][0] == i]
