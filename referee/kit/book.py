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
from referee.kit.chapters.bidding import texts as bidding
from referee.kit.chapters.calling import texts as calling
from referee.kit.chapters.claiming import texts as claiming
from referee.kit.chapters.deal import texts as deal
from referee.kit.chapters.deck import table
from referee.kit.chapters.deck import texts as deck
from referee.kit.chapters.leaving import texts as leaving
from referee.kit.chapters.match import texts as match
from referee.kit.chapters.passing import texts as passing
from referee.kit.chapters.play import texts as play
from referee.kit.chapters.scoring import texts as scoring
from referee.kit.chapters.trick import texts as trick
from referee.kit.chapters.trump import texts as trump
from referee.kit.families.trick_taking.plays import Play
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame
from referee.kit.saying import FileWords, spelling, text_of
from referee.kit.text.faults import FilePosition, Wrong
from referee.kit.text.parsing import parse
from referee.kit.variants import tables
from referee.kit.words import amount
from referee.rulings import COMMON, book

SECTIONS = (
    ("setup", "準備", "Setting up"),
    ("starter", "スタートプレイヤー", "Who leads first"),
    ("pass", "カードを渡す", "Passing"),
    ("bid", "ビッド", "Bids"),
    ("trump", "切り札", "The trump suit"),
    ("call", "カードの指名", "Calling a card"),
    ("lead", "リード", "Leading"),
    ("follow", "フォロー", "Following"),
    ("win", "トリックの勝者", "Who wins a trick"),
    ("next", "次のトリック", "The next trick"),
    ("leave", "抜ける", "Leaving a deal"),
    ("rest", "残りの宣言", "Claiming the rest"),
    ("score", "得点", "Scoring"),
    ("deals", "ラウンド", "The deals"),
    ("outcome", "勝敗", "Winning"),
)

EXCEPT = {"ja": "{0}（{1}以外）", "en": "{0} other than {1}"}

BOTH = {"ja": "・", "en": " and "}

SPELT = frozenset(("card", "cards", "rank", "ranks", "others", "suit", "shown", "bid", "bids"))
"""The values of facts that are cards, suits or bids."""

BY_REST = {"declares_none": "declares_only", "legal_if_none": "kit_legal_if_only"}
"""Facts about cards that a hand lacks → the same about those that it may have instead."""

WITHIN = {"always": "follow", "draw": "next", "equal": "win", "none": "win"}
"""Clauses without a section of their own → the section in which they are listed."""

ABSENT: Mapping[str, Text] = {
    "setup.turn_up": Text("カードを表にしない。", "No card is turned up."),
    "pass.1": Text("カードを渡さない。", "No cards are passed."),
    "bid.1": Text("ビッドをしない。", "There are no bids."),
    "trump.1": Text("切り札を指名しない。", "Nobody names a trump suit."),
    "call.1": Text("カードを指名しない。", "No card is called."),
    "rest.1": Text("残りをまとめて取る宣言はない。", "The rest of a deal cannot be claimed."),
    "rest.3": Text("了承する宣言はない。", "There is no claim to agree to."),
}
"""What is not in a game whose rules do not mention it, although an entry can claim it."""


PARTS = (
    *(deck.clauses, deal.clauses, passing.clauses, bidding.clauses, trump.clauses),
    *(calling.clauses, play.clauses, trick.clauses, deal.drawing, leaving.clauses),
    *(claiming.clauses, scoring.clauses, match.clauses),
)
"""What makes the clauses, in the order of the rules."""


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


def book_of_file(game: Game[State, Play]) -> Book:
    """The ruling book of a game that is a file."""
    assert isinstance(game, KitGame)
    return _made(game)


@lru_cache(maxsize=128)
def _made(game: KitGame) -> FileBook:
    common, values = book(COMMON), game.document.values
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
        sections=tuple(Section(id_, Text(ja, en)) for id_, ja, en in SECTIONS if id_ in used),
        clauses=clauses,
        varied=varied,
        unlisted=tuple(_unlisted((*clauses, *varied))),
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


def _unlisted(known: Sequence[Clause]) -> Iterator[Clause]:
    """Clauses for an entry of which the rules say nothing: they are cited, but not listed."""
    found = {clause.id for clause in known}
    for id_, text in ABSENT.items():
        if id_ not in found:
            yield Clause(id_, id_.partition(".")[0], "", text, ())


def _clauses(file: FileWords, only: Ruling | None = None) -> Iterator[Clause]:
    """The clauses; ``only``: a note that each of them gets, on where it holds."""
    for id_, made in _all(file):
        row = table(file.own.get(id_))
        own = text_of(row)
        text = Text(own.ja or made.ja, own.en or made.en)
        gap, why = text_of(row.get("gap")), text_of(row.get("why"))
        rulings = [Ruling(id_, gap, why, None)] if gap.ja or why.ja else []
        rulings += [replace(only, id=id_)] if only else []
        section = id_.partition(".")[0]
        yield Clause(
            id_, WITHIN.get(section, section), str(row.get("source", "")), text, (*rulings,)
        )


def _all(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the generated text of each clause."""
    for part in PARTS:
        yield from part(file)
