"""The families of games that a file can describe: what each gives, everything else is common.

A new family is a package in ``families`` and a line in ``FAMILIES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from referee.kit.families.draw_or_stop import checking as rows_checked
from referee.kit.families.draw_or_stop import keys as row_keys
from referee.kit.families.draw_or_stop import texts as row_texts
from referee.kit.families.draw_or_stop.game import DrawOrStopGame
from referee.kit.families.shedding import checking as shedding_checked
from referee.kit.families.shedding import keys as shedding_keys
from referee.kit.families.shedding import simulation as shedding_played
from referee.kit.families.shedding import texts as shedding_texts
from referee.kit.families.shedding.game import SheddingGame
from referee.kit.families.trick_taking import checking as tricks_checked
from referee.kit.families.trick_taking import keys as trick_keys
from referee.kit.families.trick_taking import texts as trick_texts
from referee.kit.families.trick_taking.game import TrickTakingGame
from referee.kit.game import KitGame
from referee.kit.notes.written import Note
from referee.kit.saying import BookParts
from referee.kit.text.faults import Wrong
from referee.kit.text.form import Shape
from referee.kit.text.source import RulesSource


class Family(NamedTuple):
    """What a family gives.

    ``keys``: the keys of its files beside those of every file, ``needed`` those that none lacks.
    ``game``: the class of its games, with rules, verdicts, scores. ``book``: the parts of a ruling
    book; ``ruled``: the rules that ``[text]`` can name. ``faults``, ``remarks``: what is wrong with
    a file, quickly if asked; ``played``: what shows when it is played at random.
    """

    keys: Mapping[str, Shape]
    needed: tuple[str, ...]
    game: type[KitGame]
    book: BookParts
    ruled: Callable[[RulesSource], Iterator[str]]
    faults: Callable[[KitGame, bool], Iterator[Wrong]]
    remarks: Callable[[KitGame, bool], Iterator[Note]]
    played: Callable[[KitGame], Iterator[Note]]


FAMILIES: Mapping[str, Family] = {
    TrickTakingGame.FAMILY: Family(
        keys=trick_keys.KEYS,
        needed=trick_keys.NEEDED,
        game=TrickTakingGame,
        book=trick_texts.BOOK,
        ruled=trick_texts.ruled,
        faults=tricks_checked.faults,
        remarks=tricks_checked.remarks,
        played=tricks_checked.played,
    ),
    DrawOrStopGame.FAMILY: Family(
        keys=row_keys.KEYS,
        needed=row_keys.NEEDED,
        game=DrawOrStopGame,
        book=row_texts.BOOK,
        ruled=row_texts.ruled,
        faults=rows_checked.faults,
        remarks=rows_checked.remarks,
        played=rows_checked.played,
    ),
    SheddingGame.FAMILY: Family(
        keys=shedding_keys.KEYS,
        needed=shedding_keys.NEEDED,
        game=SheddingGame,
        book=shedding_texts.BOOK,
        ruled=shedding_texts.ruled,
        faults=shedding_checked.faults,
        remarks=shedding_checked.remarks,
        played=shedding_played.played,
    ),
}

USUAL = TrickTakingGame.FAMILY
"""The family of a file that names none: its other faults are found, too."""
