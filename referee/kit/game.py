"""A game that is a file: its house rules, its entries, its hash."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import sha256
from typing import ClassVar, Generic, cast

from referee.core.book import Book, Text
from referee.core.game import COMMON_OPTIONS, Game, Hooks, Option, Options, Table, Unit
from referee.core.generic import P
from referee.core.verdict import Finding, Outcome, Seat, Verdict
from referee.kit import scored
from referee.kit.chapters.deck import table as table_of
from referee.kit.scored import Q
from referee.kit.table import R, TableRules
from referee.kit.text.faults import Path
from referee.kit.text.form import seats
from referee.kit.text.formula import Node
from referee.kit.text.source import RulesSource
from referee.kit.text.toml import Document, Value

KEPT = 128  # tables of any games whose rules are cached, some 50 kB each


def name_in_records(game: Game) -> str:
    """The name under which headers have ``game``: files with one key are versions of one game."""
    return game.KEY if isinstance(game, KitGame) else game.NAME


class KitGame(ABC, Generic[Q, P, R]):
    """A game from a file, with all that ``core.game.Game`` requires. Each family has its own class.

    ``hash``: SHA-256 of the text, hexadecimal. ``KEY``: the game's name in records. ``NAME`` is
    unique among files with the same key and among built-in games. ``book``: makes its ruling book.
    ``FAMILY``: the name of the family, which is that of its package in ``families``, too.
    """

    FAMILY: ClassVar[str]
    FOLDER: ClassVar[str] = "kit"
    """The folder of its templates and its style sheet."""
    WORDS: ClassVar[Mapping[str, Text]] = {}
    """What its rules call the names of sums that mean something else in other families."""

    def __init__(self, text: str, document: Document, book: Callable[[Game[Q, P]], Book]) -> None:
        self.text, self.document = text, document
        self.hash = sha256(text.encode()).hexdigest()
        values = document.values
        self.KEY = str(values["key"])
        self.NAME = f"{self.KEY}-{self.hash[:12]}"
        self.VERSION = str(values.get("version", "1"))
        count = seats(table_of(values["seats"])["count"])
        assert count
        self.SEATS = count
        self.OPTIONS: Options = {
            name: _option(table_of(row)) for name, row in table_of(values.get("option")).items()
        }
        self.PLAYS: tuple[type[P], ...] = tuple(self.plays())
        self.HOOKS: Hooks[Q, P] = replace(
            self.hooks(),
            adjusted=scored.adjusted,
            feats=scored.feats,
            teams=scored.teams,
            book=book,
            unit=partial(_unit, document, self.OPTIONS),  # of parts, so that no circle is left
        )

    @abstractmethod
    def plays(self) -> Iterator[type[P]]:
        """The entries that the game can have, with any of its house rules."""

    @abstractmethod
    def hooks(self) -> Hooks[Q, P]:
        """The optional functions of the family, but for those that all families share."""

    @abstractmethod
    def compile(self, source: RulesSource, seats: tuple[Seat, ...], key: object) -> R:
        """The rules of a table; raises ``Wrong`` if the file makes no game for it."""

    @abstractmethod
    def setup(self, table: Table) -> Q: ...
    @abstractmethod
    def to_act(self, state: Q) -> tuple[Seat, ...]: ...
    @abstractmethod
    def candidates(self, state: Q) -> Iterator[P]: ...
    @abstractmethod
    def judge(self, state: Q, play: P) -> Verdict: ...
    @abstractmethod
    def apply(self, state: Q, play: P) -> Q: ...
    @abstractmethod
    def let_stand(self, state: Q, play: P) -> Q | None: ...
    @abstractmethod
    def audit(self, state: Q) -> tuple[Finding, ...]: ...
    @abstractmethod
    def public(self, state: Q) -> dict[str, object]: ...
    @abstractmethod
    def rests(self, first: Q, state: Q) -> bool:
        """Whether random entries that began at ``first`` pause here, to be looked at."""

    def dealt_out(self, state: Q) -> bool:
        """Whether a deal has been played and the next one has not begun."""
        return state.phase == scored.BETWEEN and state.deal > 0

    score = staticmethod(scored.score)

    def outcome(self, state: Q) -> Outcome | None:
        return state.score.ended

    def reworded(self, node: Node) -> Node:
        """A sum as the rules of the family say it."""
        return node

    def sources(self) -> list[RulesSource]:
        """The values of the file as they are, then as each choice of a house rule changes them.

        The choices of a number are not among them: they change no other value.
        """
        rows = table_of(self.document.values.get("option"))
        changed = (
            {name: choice}
            for name, option in self.OPTIONS.items()
            for choice in option.values
            if choice in table_of(rows[name])
        )
        return [self.source(chosen) for chosen in ({}, *changed)]

    def source(self, chosen: Mapping[str, str]) -> RulesSource:
        """The values of the file, changed by these house rules."""
        return _source(self.document, self.OPTIONS, chosen)

    def plain_table(self, count: int) -> Table:
        """A table with so many seats and the default rules."""
        return Table(seat_names(count), {}, {**COMMON_OPTIONS, **self.OPTIONS})

    def rules(self, table: Table) -> R:
        """The rules of a table; raises ``Wrong`` if the file makes no game for it."""
        chosen = {
            name: value
            for name, value in table.chosen.items()
            if name in self.OPTIONS and value != self.OPTIONS[name].default
        }
        return cast(R, compiled(self, table.seats, tuple(sorted(chosen.items()))))


@lru_cache(maxsize=KEPT)
def compiled(
    game: KitGame, seats: tuple[Seat, ...], chosen: tuple[tuple[str, str], ...]
) -> TableRules:
    """The rules of a table of ``game``; ``chosen``: house rules that are not the default.

    All games share one cache: a group may bring any number of files.
    """
    rules: TableRules = game.compile(game.source(dict(chosen)), seats, (game.hash, seats, chosen))
    return rules


def seat_names(count: int) -> tuple[str, ...]:
    """Names for the seats of a table: A, B, C …"""
    return tuple(chr(ord("A") + i) if count <= 26 else f"S{i + 1}" for i in range(count))


def _source(document: Document, options: Options, chosen: Mapping[str, str]) -> RulesSource:
    """The values of the file, changed by these house rules."""
    values: dict[str, Value] = dict(document.values)
    origin: dict[Path, Path] = {}
    for name, row in table_of(values.get("option")).items():
        choice = chosen.get(name)
        if choice is None or name not in options:
            continue
        option = table_of(row)
        if choice in option:
            start: Path = ("option", name, choice, "set")
            new = table_of(table_of(option[choice]).get("set"))
            values = _laid_over(values, new, (), start, origin)
        elif choice.isdigit():
            numbers = table_of(option.get("numbers"))
            path = tuple(str(numbers["set"]).split("."))
            new_value: Value = int(choice)
            for key in reversed(path):
                new_value = {key: new_value}
            at: Path = ("option", name, "numbers", "set")
            values = _laid_over(values, table_of(new_value), (), at, {})
            origin[path] = at
    return RulesSource(values, document, origin)


def _unit(document: Document, options: Options, table: Table) -> Unit:
    """What the score of a match counts: points, of which the most or the fewest are best."""
    source = _source(document, options, table.chosen)
    loser = source.word("match", "loser", default="")
    fewest = loser == "most" or source.word("match", "winner", default="most") == "least"
    return "fewest" if fewest else "points"


def _option(row: Mapping[str, Value]) -> Option:
    words = [key for key in row if key not in ("ja", "en", "why", "numbers")]
    barred: dict[str, Mapping[str, str]] = {}
    for word in words:
        if other := table_of(table_of(row[word]).get("not_with")):
            barred[word] = {key: str(value) for key, value in other.items()}
    if numbers := table_of(row.get("numbers")):
        few, many = int(str(numbers["from"])), int(str(numbers["to"]))
        words += [str(n) for n in range(few, many + 1) if str(n) not in words]
    return Option(tuple(words), barred)


def _laid_over(
    old: Mapping[str, Value],
    new: Mapping[str, Value],
    path: Path,
    start: Path,
    origin: dict[Path, Path],
) -> dict[str, Value]:
    """``old`` updated with ``new``, table by table; lists and values by seats are replaced.

    ``path``: the path of both in the game's values; ``start``: the path of ``new`` in the file.
    ``origin`` gets, for the path of each value that is set, its path in the file.
    """
    made = dict(old)
    for key, value in new.items():
        at = (*path, key)
        before = made.get(key)
        whole = not isinstance(value, dict) or not isinstance(before, dict) or _by_seats(before)
        if whole:
            made[key] = value
            origin[at] = (*start, key)
        else:
            made[key] = _laid_over(table_of(before), table_of(value), at, (*start, key), origin)
    return made


def _by_seats(value: Mapping[str, Value]) -> bool:
    """Whether a table has a value for each number of seats, such as ``{ "3-4" = 8, else = 6 }``."""
    return all(key == "else" or key[:1].isdigit() for key in value)
