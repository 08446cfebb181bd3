"""The ruling book of a game file: sentences generated from its chapters, or its own texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TypeGuard

from referee.core.book import Book, Clause, OptionChoice, OptionText, Ruling, Section, Text
from referee.core.game import Game, Table
from referee.core.verdict import Term
from referee.kit.chapters.deck import table
from referee.kit.family import FAMILIES
from referee.kit.game import KitGame
from referee.kit.saying import FileWords, spelling, text_of
from referee.kit.text.faults import FilePosition, Wrong
from referee.kit.text.parsing import parse
from referee.kit.variants import tables
from referee.kit.words import amount
from referee.rulings import COMMON, book

EXCEPT = {"ja": "{0}（{1}以外）", "en": "{0} other than {1}"}

BOTH = {"ja": "・", "en": " and "}

SPELT = frozenset(
    [
        *("card", "cards", "rank", "ranks", "others", "suit", "suits", "shown", "bid", "bids"),
        *("combo", "under"),
    ]
)
"""The values of facts that are cards, suits, bids or combinations."""

BY_REST = {"declares_none": "declares_only", "legal_if_none": "kit_legal_if_only"}
"""Facts about cards that a hand lacks → the same about those that it may have instead."""


@dataclass(frozen=True, slots=True)
class FileBook(Book):
    """The book of a game file.

    ``named``: for each language, the displayed names of cards, suits, bids and sums, by their form
    in the file and in records. ``suits``: the cards of each suit, by its displayed sign.
    """

    named: Mapping[str, Mapping[str, str]]
    suits: Mapping[str, tuple[str, ...]]

    def says(self, evidence_fact: str, values: Mapping[str, object], lang: str) -> str:
        """The sentence of a fact; a suit has its sign, even if a few cards are missing from it.

        If the fact has ``others`` beside the cards of ``ranks``, the two are the deck: a card that
        is in neither is not missing. Whichever is said in fewer words is said.
        """
        ranks, others = values.get("ranks"), values.get("others")
        deck = {*ranks, *others} if _are_cards(ranks) and _are_cards(others) else None
        spelt = {key: self._spelt(key, value, lang, deck) for key, value in values.items()}
        lacked, rest = spelt.get("ranks"), spelt.get("others")
        shorter = _are_cards(lacked) and _are_cards(rest) and len(rest) < len(lacked)
        if shorter and evidence_fact in BY_REST:
            evidence_fact, spelt = BY_REST[evidence_fact], {**spelt, "ranks": rest}
        return super(FileBook, self).says(evidence_fact, spelt, lang)

    def _spelt(self, key: str, value: object, lang: str, deck: Collection[object] | None) -> object:
        """The value ``key`` of a fact as it is displayed; most cards of a suit become its sign, and
        the id of a clause its text. ``deck``: the cards of the table, if the fact has them.
        """
        named = self.named[lang]
        if key == "sum" and isinstance(value, str):
            return amount(parse(value, FilePosition(1, 1), "", "sum").node, lang, named)
        if key == "rule" and isinstance(value, str):
            return self.clause(value).text.in_(lang)
        if key not in SPELT or isinstance(value, Term):
            return value
        if isinstance(value, str):
            return named.get(value, value)
        if not isinstance(value, tuple | list):
            return value
        left = [str(each) for each in value]
        whole: list[str] = []
        most: list[str] = []
        for sign, suit in self.suits.items():
            cards = suit if deck is None else [card for card in suit if card in deck]
            missing = [named.get(card, card) for card in cards if card not in left]
            if len(cards) - len(missing) > 1 + 3 * len(missing):
                if missing:
                    most.append(EXCEPT[lang].format(sign, BOTH[lang].join(missing)))
                else:
                    whole.append(sign)
                left = [card for card in left if card not in cards]
        return (*whole, *(named.get(card, card) for card in left), *most)


def _are_cards(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, tuple | list) and bool(value)


def book_of_file(game: Game) -> Book:
    """The ruling book of a game that is a file."""
    assert isinstance(game, KitGame)
    return _made(game)


@lru_cache(maxsize=128)
def _made(game: KitGame) -> FileBook:
    common, values = book(COMMON), game.document.values
    parts = FAMILIES[game.FAMILY].book
    seats = game.SEATS
    few, many = seats[0], seats[-1]
    number = f"{few}" if few == many else f"{few}–{many}"
    minutes = values.get("minutes")
    title, author = text_of(values.get("title")), text_of(values.get("author"))
    people = Text(f"{number}人", f"{number} players")
    _, suits = spelling(game)
    made = FileWords(game, next(tables(game)))
    clauses = tuple(_clauses(made))
    varied = tuple(_varied(game, clauses))
    used = {clause.section for clause in (*clauses, *varied)}
    return FileBook(
        name=game.NAME,
        title=title,
        label=title,
        author=author,
        url=str(values["url"]) if values.get("url") else None,
        about=text_of(values.get("about")),
        seats=people,
        minutes=Text(f"{minutes}分", f"{minutes} min") if minutes else Text("–", "–"),
        timed=True,
        age=None,
        deck=next((clause.text for clause in clauses if clause.id == "setup.deck"), people),
        sections=tuple(Section(id_, Text(ja, en)) for id_, ja, en in parts.sections if id_ in used),
        clauses=clauses,
        varied=varied,
        unlisted=tuple(_unlisted(parts.absent, (*clauses, *varied))),
        options=tuple(_options(game)),
        examples=(),
        remarks=(),
        # a plural in "s" fits numbers, not the signs of suits
        facts=MappingProxyType(
            {**common.facts, "declares_only": common.facts["kit_declares_only"]}
        ),
        sources=common.sources,
        common=common,
        named=made.named,
        suits=suits,
    )


def _options(game: KitGame) -> Iterator[OptionText]:
    for key, option in game.OPTIONS.items():
        row = table(table(game.document.values["option"])[key])
        numbers = table(row.get("numbers"))
        choices = []
        for value in option.values:
            text = text_of(row.get(value))
            if value not in row:
                each = text_of(numbers)
                text = Text(each.ja.replace("{n}", value), each.en.replace("{n}", value))
            choices.append(OptionChoice(value, text if text.ja else Text(value, value), None))
        yield OptionText(key, text_of(row), tuple(choices), key, None)


def _varied(game: KitGame, own: Sequence[Clause]) -> Iterator[Clause]:
    """The clauses that the default table, with its clauses ``own``, does not have.

    Each has the note for which house rule or how many players it was made.
    """
    known = {clause.id for clause in own}
    for one in tables(game):
        try:
            made = FileWords(game, one)
        except Wrong:
            continue  # no game: nobody plays at such a table
        for clause in _clauses(made, _where(game, one)):
            if clause.id not in known:
                known.add(clause.id)
                yield clause


def _where(game: KitGame, one: Table) -> Ruling:
    """The note on a clause that only tables like ``one`` have."""
    for key, value in one.chosen.items():
        option = next(each for each in _options(game) if each.key == key)
        said = next(each.text for each in option.choices if each.value == value)
        ja = f"ハウスルール「{option.title.ja}：{said.ja}」のときのルール。"
        en = f"Only with the house rule “{option.title.en}: {said.en}”."
        return Ruling(key, Text(ja, en), Text("", ""), key)
    n = len(one.seats)
    return Ruling("", Text(f"{n}人のときのルール。", f"Only with {n} players."), Text("", ""), None)


def _unlisted(absent: Mapping[str, Text], known: Sequence[Clause]) -> Iterator[Clause]:
    """Clauses for an entry of which the rules say nothing: they are cited, but not listed."""
    found = {clause.id for clause in known}
    for id_, text in absent.items():
        if id_ not in found:
            yield Clause(id_, id_.partition(".")[0], "", text, ())


def _clauses(file: FileWords, only: Ruling | None = None) -> Iterator[Clause]:
    """The clauses; ``only``: a note that each of them gets, on where it holds."""
    parts = FAMILIES[file.game.FAMILY].book
    for id_, made in (each for part in parts.clauses for each in part(file)):
        row = table(file.own.get(id_))
        own = text_of(row)
        text = Text(own.ja or made.ja, own.en or made.en)
        gap, why = text_of(row.get("gap")), text_of(row.get("why"))
        rulings = [Ruling(id_, gap, why, None)] if gap.ja or why.ja else []
        rulings += [replace(only, id=id_)] if only else []
        section = id_.partition(".")[0]
        yield Clause(
            id_, parts.within.get(section, section), str(row.get("source", "")), text, (*rulings,)
        )
