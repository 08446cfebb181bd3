"""The ruling book of a game file: sentences generated from its declarations, or its own texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from referee.core.book import Book, Clause, OptionChoice, OptionText, Ruling, Section, Text
from referee.core.game import Game, Table
from referee.core.verdict import Term
from referee.core.written import written
from referee.kit.cards import SIGNS, special_cards, table
from referee.kit.chapters.trick import Class
from referee.kit.chapters.trump import TrumpChange
from referee.kit.families.trick_taking.plays import Play
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame, seat_names
from referee.kit.shape import span
from referee.kit.text.compiler import DEAL
from referee.kit.text.faults import FilePosition, Wrong
from referee.kit.text.formula import FormulaText as Sum
from referee.kit.text.formula import Node, of_one_suit, parse, walk
from referee.kit.text.source import RulesSource
from referee.kit.text.toml import Value
from referee.kit.variants import counts, tables
from referee.kit.words import amount, of_any_card, phrase
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
    ("score", "得点", "Scoring"),
    ("deals", "ラウンド", "The deals"),
    ("outcome", "勝敗", "Winning"),
)

EXCEPT = {"ja": "{0}（{1}以外）", "en": "{0} other than {1}"}
BOTH = {"ja": "・", "en": " and "}

MANY_RANKS = 6
"""From so many on, ranks are written as "1–9", and cards of equal points together."""

NUMBER = re.compile(r"−?\d+")
"""Points that are a plain number, as ``phrase`` writes it."""

SPELT = frozenset(("card", "cards", "rank", "ranks", "suit", "shown", "bid", "bids"))
"""The values of facts that are cards, suits or bids."""


@dataclass(frozen=True, slots=True)
class FileBook(Book):
    """The book of a game file.

    ``named``: for each language, the displayed names of cards, suits, bids and sums, by their form
    in the file and in records. ``suits``: the cards of each suit, by its displayed sign.
    """

    named: Mapping[str, Mapping[str, str]]
    suits: Mapping[str, tuple[str, ...]]

    def says(self, evidence_fact: str, values: Mapping[str, object], lang: str) -> str:
        """The sentence of a fact; a suit has its sign, even if a few cards are missing from it."""
        spelt = {key: self._spelt(key, value, lang) for key, value in values.items()}
        return super(FileBook, self).says(evidence_fact, spelt, lang)

    def _spelt(self, key: str, value: object, lang: str) -> object:
        """The value ``key`` of a fact as it is displayed; most cards of a suit become its sign, and
        the id of a clause its text.
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
        for sign, cards in self.suits.items():
            missing = [named.get(card, card) for card in cards if card not in left]
            if len(cards) - len(missing) > 1 + 3 * len(missing):
                if missing:
                    most.append(EXCEPT[lang].format(sign, BOTH[lang].join(missing)))
                else:
                    whole.append(sign)
                left = [card for card in left if card not in cards]
        return (*whole, *(named.get(card, card) for card in left), *most)


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
    title, author = _text(values.get("title")), _text(values.get("author"))
    people = Text(f"{number}人", f"{number} players")
    _, suits = spelling(game)
    made = _Clauses(game, next(tables(game)))
    clauses = tuple(made.clauses())
    varied = tuple(_varied(game, clauses))
    used = {clause.section for clause in (*clauses, *varied)}
    return FileBook(
        name=game.NAME,
        title=title,
        label=title,
        author=author,
        url=str(values["url"]) if values.get("url") else None,
        about=_text(values.get("about")),
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
        facts=MappingProxyType(common.facts),
        sources=common.sources,
        common=common,
        named=made.named,
        suits=suits,
    )


def spelling(game: KitGame) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Each card and suit → how it is displayed; each suit's sign → its cards.

    The deck can differ by the number of seats: these are the cards of all numbers.
    """
    own = table(table(game.document.values["deck"]).get("suits"))
    signs = {suit: str(table(own.get(suit)).get("sign") or suit) for suit in own} or dict(SIGNS)
    spelled: dict[str, str] = {}
    suits: dict[str, tuple[str, ...]] = {}
    for count in counts(game):
        try:
            cards = game.rules(Table(seat_names(count), {}, game.OPTIONS)).cards
        except Wrong:
            continue
        for card in map(str, cards.deck.cards):
            rank = cards.rank[card]
            spelled.setdefault(card, signs.get(cards.suit[card], "") + rank if rank else card)
        for suit, mask in cards.suits.items():
            sign = signs.get(suit, suit)
            suits[sign] = tuple(dict.fromkeys((*suits.get(sign, ()), *cards.kinds(mask))))
    return {**signs, **spelled}, suits


def suits_without_sign(source: RulesSource) -> dict[str, Text]:
    """The names of the file's own suits that have no sign: they are said, but not on cards."""
    own = table(source.at("deck", "suits"))
    named = {suit: _text(row) for suit, row in own.items() if "sign" not in table(row)}
    return {suit: text for suit, text in named.items() if text.ja}


def _text(value: Value | Mapping[str, Value] | None) -> Text:
    """A text of the file; if one language is missing, the other one is used."""
    row: Mapping[str, Value] = value if isinstance(value, Mapping) else {}
    ja, en = str(row.get("ja") or ""), str(row.get("en") or "")
    return Text(ja or en, en or ja)


def _own(row: Value | None, made: Text) -> Text:
    """The row's own text if it has one, else ``made``."""
    own = _text(row)
    return own if own.ja else made


def _options(game: KitGame) -> Iterator[OptionText]:
    for key, option in game.OPTIONS.items():
        row = table(table(game.document.values["option"])[key])
        numbers = table(row.get("numbers"))
        choices = []
        for value in option.values:
            text = _text(row.get(value))
            if value not in row:
                each = _text(numbers)
                text = Text(each.ja.replace("{n}", value), each.en.replace("{n}", value))
            choices.append(OptionChoice(value, text if text.ja else Text(value, value), None))
        yield OptionText(key, _text(row), tuple(choices), key, None)


def _varied(game: KitGame, own: Sequence[Clause]) -> Iterator[Clause]:
    """The clauses that the default table, with its clauses ``own``, does not have.

    Each has the note for which house rule or how many players it was made.
    """
    known = {clause.id for clause in own}
    for one in tables(game):
        try:
            made = _Clauses(game, one)
        except Wrong:
            continue  # no game: nobody plays at such a table
        for clause in made.clauses(_where(game, one)):
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


class _Clauses:
    """The clauses of a file, in the order of its rules; ``[text."ID"]`` replaces generated ones."""

    def __init__(self, game: KitGame, at: Table) -> None:
        """The clauses at the table ``at``; raises ``Wrong`` if the file makes no game for it."""
        self.game, self.source = game, game.source(at.chosen)
        self.rules = game.rules(at)
        self.own = table(game.document.values.get("text"))
        self.named = {lang: {**spelling(game)[0], **self._names(lang)} for lang in ("ja", "en")}
        self.spoken = {
            lang: {**named, **self._suit_names(lang)} for lang, named in self.named.items()
        }

    def _suit_names(self, lang: str) -> dict[str, str]:
        return {suit: text.in_(lang) for suit, text in suits_without_sign(self.source).items()}

    def _names(self, lang: str) -> dict[str, str]:
        """The names of special cards, special bids, and named sums and sets in ``lang``."""
        cards = special_cards(table(self.source.at("deck")))
        rows = (cards, self.source.at("bid", "special"), self.own)
        named = {
            key: _text(said)
            for row in rows
            if isinstance(row, Mapping)
            for key, said in row.items()
        }
        # a name of the file's own is not a name of the format: a value may be called "last"
        keys = ("values", "groups", "counters")
        own = {name: name for key in keys for name in table(self.source.at(key))}
        said = {key: text.in_(lang) for key, text in named.items() if text.ja and "." not in key}
        return {**own, **said}

    def clauses(self, only: Ruling | None = None) -> Iterator[Clause]:
        """The clauses; ``only``: a note that each of them gets, on where it holds."""
        for id_, made in self._all():
            row = table(self.own.get(id_))
            own = _text(row)
            text = Text(own.ja or made.ja, own.en or made.en)
            gap, why = _text(row.get("gap")), _text(row.get("why"))
            rulings = [Ruling(id_, gap, why, None)] if gap.ja or why.ja else []
            rulings += [replace(only, id=id_)] if only else []
            section = id_.partition(".")[0]
            yield Clause(
                id_, WITHIN.get(section, section), str(row.get("source", "")), text, (*rulings,)
            )

    def _sum(self, kind: str, *path: str | int) -> Text:
        """The sum, condition or set at ``path`` in words; empty if there is none."""
        value = self.source.at(*path)
        if isinstance(value, dict):
            parts = [(str(seats), str(each)) for seats, each in value.items()]
            return Text(
                "、".join(f"{n}人なら{v}" if n != "else" else f"ほかは{v}" for n, v in parts),
                ", ".join(f"{v} with {n}" if n != "else" else f"otherwise {v}" for n, v in parts),
            )
        found = self.source.text(kind, *path)
        if found is None:
            return Text("", "")
        return self._words(found, amount if kind == "sum" else phrase)

    def _words(
        self, text: Sum | Node, say: Callable[[Node, str, Mapping[str, str]], str] = phrase
    ) -> Text:
        node = text if isinstance(text, Node) else text.node
        return Text(*(say(node, lang, self.spoken[lang]) for lang in ("ja", "en")))

    def _all(self) -> Iterator[tuple[str, Text]]:
        """The id and the generated text of each clause."""
        rules, at, word = self.rules, self.source.at, self.source.word
        yield "setup.deck", self._deck()
        if (teams := self._teams()).ja:
            yield "setup.teams", teams
        hand = self._sum("sum", "deal", "hand")
        ja = f"手札：{hand.ja}枚。" if hand.ja.isdecimal() else f"手札の枚数：{hand.ja}。"
        yield "setup.hand", Text(ja, f"Cards in each hand: {hand.en}.")
        if rules.deal.turn_up != "none":
            yield "setup.turn_up", TURN_UP[rules.deal.turn_up]
        starter = (
            FIRST_BIDDER if rules.bidding.highest_leads and not rules.bidding.at_once else STARTER
        )
        yield (
            "starter.1",
            self._holder() if rules.deal.first == "holder" else starter[rules.deal.first],
        )
        if rules.passing.ways:
            yield "pass.1", self._passing()
        if rules.bidding.made:
            yield from self._bids()
        if rules.trump.any:
            yield "trump.1", self._trump()
        if rules.call.by:
            yield "call.1", self._call(CALLS[rules.call.by])
        *freely, (id_, lead) = self._ladder("lead")
        yield from freely
        yield id_, self._after_special_leads(lead)
        yield from self._ladder("follow")
        if rules.play.always is not None:
            cards = self._sum("cards", "play", "always")
            yield (
                "always.1",
                Text(f"{cards.ja}は、いつでも出せる。", f"Always allowed: {cards.en}."),
            )
        yield from self._wins()
        across = any(map(self._has_equals, rules.trick.classes))
        asked = (
            rules.trick.equals.how != "first" and not rules.trick.leads
        )  # a list for the next lead says it
        if max(rules.cards.deck.copies) > 1 or asked or across:
            by_rank = rules.source.word("trick", "equal_by", default="card") == "rank"
            by_rank = by_rank or (across and rules.trick.equals.how in ("first", "last"))
            yield "equal.1", (EQUAL_NUMBERS if by_rank else EQUAL)[rules.trick.equals.how]
        yield from self._after_trick()
        if rules.deal.draws:
            yield "draw.1", DRAW
        yield from self._leaving()
        for name in table(at("score")):
            yield f"score.{name}", self._term(name)
        both = table(at("score")).keys() & {id_.removeprefix("score.") for id_ in self.own}
        for kind, key in (("sum", "values"), ("cards", "groups")):
            for name in table(at(key)):
                if name in both:
                    continue  # the author's text is about both
                made, says = self._sum(kind, key, name), self._words(Node("group", word=name))
                yield f"score.{name}", Text(f"{says.ja}：{made.ja}", f"{says.en}: {made.en}")
        named = {*both, *table(at("values")), *table(at("groups"))}
        for name in table(at("counters")):
            if name not in named:
                yield f"score.{name}", self._counter(name)
        yield from self._end(word("match", "winner", default="most"))

    def _teams(self) -> Text:
        """Who plays together, for each number of players; empty if nobody does."""
        teams = self.source.at("seats", "teams") or "none"
        if not isinstance(teams, dict):
            return TEAMS[str(teams)]
        rows = [(n, TEAMS[str(row)]) for n, row in teams.items() if row != "none"]
        numbers = [
            Text(f"{n}人なら、", f"With {n} players: ")
            if n != "else"
            else Text("ほかの人数なら、", "With other numbers of players: ")
            for n, _ in rows
        ]
        made = [*zip(numbers, (text for _, text in rows), strict=True)]
        return Text(
            "".join(when.ja + text.ja for when, text in made),
            " ".join(when.en + text.en[:1].lower() + text.en[1:] for when, text in made),
        )

    def _holder(self) -> Text:
        """Which card is led first, by whoever has it."""
        cards = [*map(str, _list(self.source.at("deal", "holder")))]
        (ja, *others_ja), (en, *others_en) = (
            [self.named[lang].get(card, card) for card in cards] for lang in ("ja", "en")
        )
        if others_ja:
            ja = f"{ja}（デッキになければ{'、'.join(others_ja)}）"
            en = f"{en} (if it is not in the deck, {', '.join(others_en)})"
        return Text(f"{ja}を持つ人が、それをリードする。", f"The player with {en} leads it.")

    def _counter(self, name: str) -> Text:
        """What a counter counts, and when it begins anew."""
        at = self.source.at("counters", name)
        row = table(at)
        of, per = str(row.get("of")), str(row.get("per") or "deal")
        text = self.source.text("sum", "counters", name, "add")
        assert text is not None
        node = of_any_card(text.node) if of == "table" else text.node
        add, says = self._words(node, amount), self._words(Node("group", word=name))
        when = COUNTED[per, of == "table"]
        again = Text("", "")
        if row.get("keep") == "deal":
            again = Text("ラウンドごとに0から始める。", " It begins anew with each deal.")
        return _own(
            at,
            Text(
                f"{says.ja}：{COUNTS[of].ja}。{when.ja}{add.ja}を足す。{again.ja}",
                f"{says.en}: {COUNTS[of].en}. {when.en}, add {add.en}.{again.en}",
            ),
        )

    def _passing(self) -> Text:
        """How many cards are handed on before play, and to whom."""
        cards = self._sum("sum", "pass", "cards")
        many = "1 card" if cards.en == "1" else f"{cards.en} cards"
        ja = "、".join(DIRECTIONS[each].ja for each in self.rules.passing.ways)
        en = ", ".join(DIRECTIONS[each].en for each in self.rules.passing.ways)
        if self.rules.passing.ways == ("aside",):
            return Text(
                f"手札から{cards.ja}枚を裏向きで場の外に置く。",
                f"Put {many} aside face down, out of play.",
            )
        if self.rules.passing.ways == ("each",):
            return Text(
                f"手札からほかの人に{cards.ja}枚ずつ裏向きで渡す。",
                f"Pass {many} face down to each of the others.",
            )
        if len(self.rules.passing.ways) == 1:
            return Text(
                f"手札から{cards.ja}枚を裏向きで{ja}へ渡す。", f"Pass {many} face down {en}."
            )
        return Text(
            f"手札から{cards.ja}枚を裏向きで渡す。相手はラウンドごとに：{ja}。",
            f"Pass {many} face down, deal by deal: {en}.",
        )

    def _wins(self) -> Iterator[tuple[str, Text]]:
        """Which card takes a trick: a clause for each class of cards."""
        for i, best in enumerate(self.rules.trick.classes, 1):
            cards, only_if = self._cards_of(best)
            these = _best_card(best, cards)
            made = Text(
                f"{these.ja}が勝つ。", f"{these.en[:1].upper()}{these.en[1:]} wins{only_if}."
            )
            unless = Text("", "") if i == 1 else _unless(self.rules.trick.classes[i - 2])
            if best.nobody and best.condition is not None:
                when = self._words(best.condition)
                nobody = "Nobody" if i == 1 else "nobody"
                made = Text(
                    f"{unless.ja}{when.ja}なら、だれも勝たない。",
                    f"{unless.en}{nobody} wins if {when.en}.",
                )
            elif i > 1:
                made = Text(f"{unless.ja}{these.ja}。", f"{unless.en}{these.en}{only_if}.")
            yield f"win.{i}", _own(self.source.at("trick", "best", i - 1), made)

    def _cards_of(self, best: Class) -> tuple[Text, str]:
        """The cards of a class in words; in English its condition stands after the verb."""
        cards = self._words(best.text)
        if best.when is None or best.condition is None:
            return cards, ""
        when = self._words(best.condition)
        return Text(f"{when.ja}なら、{cards.ja}", cards.en), f" (if {when.en})"

    def _leads(self) -> Iterator[tuple[str, Text]]:
        """Who leads the next trick: a clause for each class of ``trick.next``."""
        classes = self.rules.trick.leads
        many = max(self.rules.cards.deck.copies) > 1
        for i, best in enumerate(classes, 1):
            cards, only_if = self._cards_of(best)
            these = _best_card(best, cards)
            if best.by_turn:
                turn = _turn(best)
                these = Text(f"{cards.ja}のうち{turn.ja}のカード", f"the {turn.en} of {cards.en}")
            elif self._has_equals(best) or many:
                of = EQUALS_LEAD[self.rules.trick.equals.how == "last"]
                these = Text(f"{these.ja}{of.ja}", f"{these.en}{of.en}")
            made = Text(
                f"次のリードは、{these.ja}を出した人。",
                f"The player of {these.en} leads next{only_if}.",
            )
            if i > 1:
                unless = _unless(classes[i - 2])
                made = Text(
                    f"{unless.ja}{these.ja}を出した人。",
                    f"{unless.en}the player of {these.en}{only_if}.",
                )
            yield f"next.{i}", _own(self.source.at("trick", "next", i - 1), made)
        if not classes:
            yield "next.1", NEXT[self.rules.trick.next]
        elif not self.rules.trick.somebody_leads:
            unless = _unless(classes[-1])
            won = Text(f"{unless.ja}勝った人。", f"{unless.en}the winner.")
            yield f"next.{len(classes) + 1}", won

    def _has_equals(self, best: Class) -> bool:
        """Whether different cards of this class can be equally high."""
        cards = self.rules.cards
        if best.by_row or best.by_turn:
            return False
        if best.fixed is None:
            return not of_one_suit(best.text.node, self.rules.compiler.groups)
        high = [cards.strength[kind] for kind in cards.kinds(best.fixed & ~cards.special)]
        return len(set(high)) < len(high)

    def _after_trick(self) -> Iterator[tuple[str, Text]]:
        """What happens to a trick that nobody wins, and who leads the next one."""
        rules, at = self.rules, self.source.at
        if at("trick", "none") is not None or at("trick", "next_none") is not None:
            yield "none.1", NONE[self.source.word("trick", "none", default="nobody")]
        leads = [*self._leads()]
        yield from leads
        if at("trick", "next_none") is not None and not rules.trick.somebody_leads:
            ja, en = ("同じ人が", "the same player leads again")
            if rules.trick.next_none == "left":
                ja, en = ("リードした人の左どなりの人が", "the player left of its leader leads")
            left_or_same = Text(
                f"だれも勝たなければ、{ja}リードする。", f"If nobody wins it, {en}."
            )
            yield f"next.{len(leads) + 1}", left_or_same

    def _call(self, by: Text) -> Text:
        """Who calls a card, and which may be called."""
        if self.rules.call.cards is None:
            return by
        cards = self._sum("cards", "call", "cards")
        return Text(
            f"{by.ja}指名できるのは、{cards.ja}。", f"{by.en} These may be called: {cards.en}."
        )

    def _leaving(self) -> Iterator[tuple[str, Text]]:
        """Which seats do not play, leave a deal, or are out of the match."""
        ja, en = list[str](), list[str]()
        if self.rules.leaving.first is not None:
            when = self._sum("condition", "leave", "first")
            ja.append(f"最初のトリックの前に、{when.ja}の人はこのラウンドを休む。")
            en.append(f"Before the first trick, players sit this deal out if: {when.en}.")
        if self.rules.leaving.when is not None:
            when = self._sum("condition", "leave", "when")
            if self._is_of_all("leave", "when"):
                ja.append(f"{when.ja}になったら、そのトリックでラウンドが終わる。")
                en.append(f"After a trick, the deal ends if: {when.en}.")
            else:
                ja.append(f"{when.ja}になった人はこのラウンドを抜ける。")
                en.append(f"After a trick, players leave the deal if: {when.en}.")
        if self.rules.match.out is not None:
            when = self._sum("condition", "match", "out")
            ja.append(f"ラウンドのあと、{when.ja}の人は脱落する。最後の1人になったら終わる。")
            en.append(
                f"After a deal, players are out of the game if: {when.en}. The last one ends it."
            )
        if ja:
            yield "leave.1", Text("".join(ja), " ".join(en))

    def _is_of_all(self, *path: str) -> bool:
        """Whether the condition at ``path`` is the same for all players."""
        text = self.source.text("condition", *path)
        try:
            return text is not None and bool(self.rules.compiler.condition(text, DEAL))
        except Wrong:
            return False

    def _deck(self) -> Text:
        """The cards: how many, from low to high, special ones, their values."""
        cards = self.rules.cards
        count = len(cards.deck)
        ja, en = [f"カードは{count}枚。"], [f"{count} cards."]
        signs = [self.named["ja"].get(suit, suit) for suit in cards.suits]
        own = table(self.source.at("deck", "suits"))
        texts = [
            (_text(own.get(suit)), sign) for suit, sign in zip(cards.suits, signs, strict=True)
        ]
        if cards.order:
            ranks = _ranks(cards.order)
            if signs:
                each = self._suits(ranks)
                named = [
                    sign if text.ja in ("", sign) else f"{text.ja}（{sign}）"
                    for text, sign in texts
                ]
                ja.append(f"スートは{'・'.join(named)}、数字は弱い順に {each.ja}。")
                named = [
                    sign if text.en in ("", sign) else f"{text.en} ({sign})" for text, sign in texts
                ]
                listed = (", " if own else " ").join(named)
                en.append(f"Suits: {listed}. From low to high: {each.en}.")
            else:
                ja.append(f"数字は弱い順に {ranks}。")
                en.append(f"From low to high: {ranks}.")
        if removed := self.source.at("deck", "remove"):
            gone = self._removed(removed)
            ja.append(f"抜くカード：{gone.ja}。")
            en.append(f"Taken out: {gone.en}.")
        for card in cards.kinds(cards.special):
            many = cards.deck.copies[cards.deck.place[card]]
            ja.append(f"{self.named['ja'].get(card, card)}は{many}枚。")
            en.append(f"{many} × {self.named['en'].get(card, card)}.")
        worth = table(self.source.at("deck", "worth"))
        if worth and "worth" in self.rules.compiler.uses:
            points = _card_points(worth, cards.order)
            ja.append(f"カード点：{points.ja}。")
            en.append(f"Card points: {points.en}.")
        return Text("".join(ja), " ".join(en))

    def _removed(self, cards: Value) -> Text:
        """The cards that are taken out of the deck, by the number of players if it matters."""
        if isinstance(cards, dict):
            rows = [(n, self._removed(row)) for n, row in cards.items() if row]
            return Text(
                "、".join(f"{n}人なら{row.ja}" for n, row in rows),
                ", ".join(f"with {n} players {row.en}" for n, row in rows),
            )
        kinds = [str(kind) for kind in cards] if isinstance(cards, list) else []
        ja, en = self.named["ja"], self.named["en"]
        listed = {kind: ja.get(kind[0], kind[0]) + kind[1:] for kind in kinds}
        return Text(
            "・".join(ja.get(kind, listed[kind]) for kind in kinds),
            ", ".join(en.get(kind, listed[kind]) for kind in kinds),
        )

    def _suits(self, ranks: str) -> Text:
        """The ranks of each suit if they differ; else ``ranks``."""
        cards, rows = self.rules.cards, dict[str, list[str]]()
        own = table(self.source.at("deck", "suits"))
        if not any("ranks" in table(row) for row in own.values()):
            return Text(ranks, ranks)
        for suit, mask in cards.suits.items():
            ranks = _ranks([cards.rank[card] for card in cards.kinds(mask)])
            rows.setdefault(ranks, []).append(self.named["ja"].get(suit, suit))
        rows_named = [("・".join(suits), " ".join(suits), ranks) for ranks, suits in rows.items()]
        return Text(
            "、".join(f"{ja}は {ranks}" for ja, _, ranks in rows_named),
            "; ".join(f"{en} {ranks}" for _, en, ranks in rows_named),
        )

    def _trump(self) -> Text:
        rules = self.rules
        made = TRUMP[rules.trump.source]
        spoken = {lang: {"none": none, **self.spoken[lang]} for lang, none in NO_SUIT.items()}
        ja, en = ([spoken[lang].get(each, each) for each in rules.trump.cycle] for lang in spoken)
        if rules.trump.source == "fixed":
            suit = Text(*(spoken[lang].get(rules.trump.suit, rules.trump.suit) for lang in spoken))
            made = Text(f"切り札はいつも{suit.ja}。", f"The trump suit is always {suit.en}.")
            if rules.trump.at_once or rules.trump.after_trick:
                made = Text(
                    f"最初の切り札は{suit.ja}。", f"A deal begins with the trump suit {suit.en}."
                )
        elif rules.trump.source == "named":
            made = NAMES_IT[rules.trump.by]
            if rules.trump.by == "highest_bid":
                first = OF_EQUAL_BIDS[rules.bidding.at_once]
                made = Text(f"{made.ja}。{first.ja}", f"{made.en}; {first.en}")
            if rules.trump.cycle:
                made = Text(
                    f"{made.ja}選べるのは{'、'.join(ja)}。",
                    f"{made.en} The choice: {', '.join(en)}.",
                )
        elif rules.trump.source == "cycle":
            made = Text(
                f"切り札はラウンドごとに変わる：{'、'.join(ja)}。",
                f"The trump suit changes deal by deal: {', '.join(en)}.",
            )
        for where, says in TURNED.items():
            turned = [card for card, to in rules.trump.special.items() if to == where]
            if turned and rules.trump.source == "turn_up":
                one = Text(*(_either(self.named[lang], turned, lang) for lang in ("ja", "en")))
                made = Text(f"{made.ja}{one.ja}{says.ja}", f"{made.en} If {one.en} {says.en}")
        if rules.trump.none_when is not None:
            when = self._sum("condition", "trump", "none_when")
            none = f"{when.ja}なら切り札はない。"
            made = Text(f"{made.ja}{none}", f"{made.en} No trump suit if {when.en}.")
        for changes, says in (
            (rules.trump.at_once, AT_ONCE),
            (rules.trump.after_trick, AFTERWARDS),
        ):
            for change in changes:
                then = self._change(change, says)
                made = Text(made.ja + then.ja, f"{made.en} {then.en}")
        return made

    def _change(self, change: TrumpChange, says: Text) -> Text:
        """Which cards change the trump suit, and to what; ``says``: when they do."""
        cards = self._words(change.text)
        when = Text("", "")
        if change.when is not None and change.condition is not None:
            only = self._words(change.condition)
            when = Text(f"（{only.ja}なら）", f" (if {only.en})")
        suit = Text(*(self.spoken[lang].get(change.suit, change.suit) for lang in NO_SUIT))
        becomes = BECOMES.get(change.suit) or Text(
            f"{suit.ja}が切り札になる", f"{suit.en} becomes the trump suit"
        )
        named = cards.en[:1].upper() + cards.en[1:]
        made = Text(
            says.ja.format(cards=cards.ja, when=when.ja, becomes=becomes.ja),
            says.en.format(cards=named, when=when.en, becomes=becomes.en),
        )
        asked = walk(change.condition.node) if change.condition else ()
        alone = says is AT_ONCE or any(node.word == "won" for node in asked)
        if alone or change.suit not in ("", "named"):
            return made
        return Text(made.ja + LAST_DECIDES.ja, made.en + LAST_DECIDES.en)

    def _bids(self) -> Iterator[tuple[str, Text]]:
        values = str(self.source.at("bid", "values") or "0..hand")
        ends = span(values) or ("0", "hand")
        few, many = (
            self._words(parse(end, FilePosition(1, 1), "bid.values", "sum"), amount) for end in ends
        )
        if ends[1] == "hand":
            many = Text("手札の枚数", "the size of the hand")
        numbers = Text(f"（{few.ja}から{many.ja}まで）", f", from {few.en} to {many.en}")
        if values == "none":
            numbers = Text("", "")
        bidder = BIDDER[self.rules.bidding.by]
        ja = [f"{bidder.ja}ビッドする{numbers.ja}。"]
        en = [f"{bidder.en} bids{numbers.en}."]
        if self.rules.bidding.at_once:
            ja = [f"全員が同時にビッドする{numbers.ja}。"]
            en = [f"Everybody bids at the same time{numbers.en}."]
        if words := [self._special_bid(key) for key in self.rules.bidding.words.worth]:
            ja.append("、".join(word.ja for word in words) + "と数える。")
            en.append(f"What bids count: {', '.join(word.en for word in words)}.")
        if self.rules.bidding.auction:
            ja = [
                f"順番に、前より大きいビッドを言うか、パスする{numbers.ja}。パスした人は戻れない。"
                "1人を残して全員がパスするまで続ける。",
                *ja[1:],
            ]
            en = [
                f"In turn everybody bids more than before or passes{numbers.en}, until all but one "
                "have passed. A pass is final.",
                *en[1:],
            ]
        if self.rules.bidding.highest_leads:
            first = OF_EQUAL_BIDS[self.rules.bidding.at_once]
            ja.append(f"ビッドがいちばん大きい人が最初にリードする。{first.ja}")
            en.append(f"The highest bidder leads first; {first.en}")
        if self.rules.bidding.passed_over:
            ja.append("全員のビッドが0なら、遊ばずに次を配る。")
            en.append("If everybody bids 0, the deal ends without play.")
        if self.rules.bidding.may_change:
            ja.append("最初のカードが出るまで、言い直せる。")
            en.append("A bid may be changed until a card is played.")
        yield "bid.1", Text("".join(ja), " ".join(en))
        barred = [HIGHER] if self.rules.bidding.auction else []
        if self.rules.bidding.forbid is not None:
            said = self._sum("condition", "bid", "forbid")
            barred.append(
                Text(f"言えない数がある：{said.ja}。", f"Some bids are barred: {said.en}.")
            )
        if barred:
            yield (
                "bid.2",
                Text("".join(each.ja for each in barred), " ".join(each.en for each in barred)),
            )

    def _special_bid(self, key: str) -> Text:
        """A bid that is a word: what it counts, and the trump suit that it makes."""
        rules, named = self.rules, self.named["ja"]
        made, worth = Text("", ""), rules.bidding.words.worth[key]
        if rules.trump.source == "bid" and worth > 0:
            suit = rules.bidding.words.suits.get(key, "none")
            ja, en = (self.spoken[lang].get(suit, suit) for lang in ("ja", "en"))
            made = Text(f"（切り札{ja}）", f" (trump suit {en})")
            if suit == "none":
                made = Text("（切り札なし）", " (no trump suit)")
        elif rules.play.own_suits and key in rules.bidding.words.suits:
            suit = rules.bidding.words.suits[key]
            ja, en = (self.spoken[lang].get(suit, suit) for lang in ("ja", "en"))
            made = Text(f"（スートは{ja}）", f" (suit {en})")
        return Text(
            f"「{named.get(key, key)}」は{worth}{made.ja}",
            f"“{self.named['en'].get(key, key)}” {worth}{made.en}",
        )

    def _ladder(self, name: str) -> Iterator[tuple[str, Text]]:
        ladder = self.rules.play.lead if name == "lead" else self.rules.play.follow
        if not ladder:
            free = "リードは自由。" if name == "lead" else "どのカードを出してもよい。"
            en = "Lead any card." if name == "lead" else "Play any card."
            yield f"{name}.1", Text(free, en)
            return
        for i, step in enumerate(ladder, 1):
            cards = self._words(step.text)
            at = self.source.at("play", name, i - 1)
            when = Text("", "")
            if isinstance(at, dict) and "when" in at:
                when = self._sum("condition", "play", name, i - 1, "when")
                no = "" if when.ja.endswith(("い", "る", "た")) else "の"
                when = Text(f"（{when.ja}{no}とき）", f" (when {when.en})")
            if step.order:
                cards = LOWEST_OR_HIGHEST[step.order](cards)
            first = Text("", "") if i == 1 else Text("なければ、", "Otherwise, ")
            made = Text(
                f"{first.ja}{cards.ja}があれば、それを出す{when.ja}。",
                f"{first.en}{'play' if i > 1 else 'Play'} one of these if you can: "
                f"{cards.en}{when.en}.",
            )
            if i == 1 and step.text.source == "suit led" and not when.ja:
                made = Text(made.ja, "Follow the suit led if you can.")
            yield f"{name}.{i}", _own(at, made)
        yield f"{name}.{len(ladder) + 1}", CANNOT[self.rules.play.cannot]

    def _after_special_leads(self, lead: Text) -> Text:
        """The rule ``lead``, and what has to be followed after a special card was led."""
        asked = {node.op for step in self.rules.play.follow for node in walk(step.text.node)}
        for word, says in LED.items() if {"suit", "rank", "colour"} & asked else ():
            cards = [card for card, led in self.rules.cards.led.items() if led == word]
            if cards and not (word == "none" and self._asks_the_card_led()):
                ja, en = (_either(self.named[lang], cards, lang) for lang in ("ja", "en"))
                lead = Text(f"{lead.ja}{ja}{says.ja}", f"{lead.en} If {en} {says.en}")
        return lead

    def _asks_the_card_led(self) -> bool:
        """Whether a step of following has a condition on the card led, special cards included."""
        texts = (step.condition for step in self.rules.play.follow)
        return any(node.op == "led()" for text in texts if text for node in walk(text.node))

    def _term(self, name: str) -> Text:
        points = self._sum("sum", "score", name, "points")
        if NUMBER.fullmatch(points.ja):
            points = Text(
                f"{points.ja}点", f"{points.en} point{'s' * (points.en not in ('1', '−1'))}"
            )
        else:
            points = Text(f"{points.ja}を得点とする", points.en)
        when = self.source.at("score", name, "when")
        per = PER[self.source.word("score", name, "per", default="deal")]
        if self.source.at("score", name, "to") == "team":
            per = Text(f"{per.ja}チームに", f"{per.en}, to a team")
        made = Text(f"{per.ja}、{points.ja}。", f"{per.en}: {points.en}.")
        if when is not None:
            said = self._sum("condition", "score", name, "when")
            made = Text(
                f"{per.ja}、{said.ja}なら、{points.ja}。", f"{per.en}, if {said.en}: {points.en}."
            )
        return _own(self.source.at("score", name), made)

    def _end(self, winner: str) -> Iterator[tuple[str, Text]]:
        deals, until = self._sum("sum", "match", "deals"), self._sum("condition", "match", "until")
        ja, en = list[str](), list[str]()
        if deals.ja.isdecimal():
            ja.append(f"{deals.ja}ラウンド遊ぶ")
            en.append("1 deal" if deals.en == "1" else f"{deals.en} deals")
        elif deals.en == "players":
            ja.append("人数と同じ数のラウンドを遊ぶ")
            en.append("As many deals as players")
        elif deals.ja:
            ja.append(f"ラウンド数は{deals.ja}")
            en.append(f"The number of deals is: {deals.en}")
        if until.ja:
            ja.append(f"{until.ja}になったら終わる")
            en.append(f"{'u' if en else 'The game goes on u'}ntil {until.en}")
        yield "deals.1", Text("、または".join(ja) + "。", ", or ".join(en) + ".")
        most = winner == "most"
        yield (
            "outcome.1",
            Text(
                f"合計点がいちばん{'多い' if most else '少ない'}人の勝ち。",
                f"The {'most' if most else 'fewest'} points win.",
            ),
        )


def _list(value: Value | None) -> list[Value]:
    return value if isinstance(value, list) else []


WITHIN = {"always": "follow", "draw": "next", "equal": "win", "none": "win"}
"""Clauses without a section of their own → the section in which they are listed."""

BIDDER: Mapping[str, Text] = {
    "all": Text("全員が順番に", "In turn everybody"),
    "dealer": Text("ディーラーだけが", "Only the dealer"),
    "leader": Text("最初にリードする人だけが", "Only the first leader"),
}
ABSENT: Mapping[str, Text] = {
    "setup.turn_up": Text("カードを表にしない。", "No card is turned up."),
    "pass.1": Text("カードを渡さない。", "No cards are passed."),
    "bid.1": Text("ビッドをしない。", "There are no bids."),
    "trump.1": Text("切り札を指名しない。", "Nobody names a trump suit."),
    "call.1": Text("カードを指名しない。", "No card is called."),
}
"""What is not in a game whose rules do not mention it, although an entry can claim it."""

HIGHER = Text(
    "前のビッドより大きくないビッドは言えない。",
    "A bid has to be higher than all bids before it.",
)
"""What every auction bars."""

TURN_UP: Mapping[str, Text] = {
    "stock": Text("残りのカードがあれば、1枚を表にする。", "If cards are left over, turn one up."),
    "dealer": Text(
        "ディーラーのカード1枚を見せてから、手札に戻す。",
        "One card of the dealer is shown and stays in the dealer's hand.",
    ),
}
STARTER: Mapping[str, Text] = {
    "rotate": Text(
        "スタートプレイヤーは、ラウンドごとに左どなりへ移る。",
        "The first lead moves to the left each deal.",
    ),
    "pick": Text("スタートプレイヤーは毎回決める。", "The first leader is named every time."),
    "lowest_total": Text("合計点がいちばん少ない人から。", "The lowest total leads first."),
    "winner": Text(
        "前のラウンドの最後のトリックを取った人から。", "The last trick's winner leads."
    ),
}
FIRST_BIDDER: Mapping[str, Text] = {
    "rotate": Text(
        "最初にビッドする人は、ラウンドごとに左どなりへ移る。",
        "The first bid moves to the left each deal.",
    ),
    "pick": Text("最初にビッドする人は毎回決める。", "The first bidder is named every time."),
    "lowest_total": Text(
        "合計点がいちばん少ない人からビッドする。", "The lowest total bids first."
    ),
    "winner": Text(
        "前のラウンドの最後のトリックを取った人からビッドする。",
        "The last trick's winner bids first.",
    ),
}
"""Who bids first where the highest bidder leads."""
DIRECTIONS: Mapping[str, Text] = {
    "left": Text("左どなり", "to the left"),
    "right": Text("右どなり", "to the right"),
    "across": Text("正面", "across"),
    "each": Text("ほかの全員に1人ずつ", "to each of the others"),
    "none": Text("渡さない", "no passing"),
    "aside": Text("場の外", "out of play"),
}
TURNED: Mapping[str, Text] = {
    "dealer": Text(
        "が表になったら、ディーラーが決める。", "is turned up, the dealer names the trump suit."
    ),
    "none": Text("が表になったら、切り札はない。", "is turned up, there is no trump suit."),
}
"""What decides the trump suit if special cards are turned up."""
LED: Mapping[str, Text] = {
    "skip": Text(
        "がリードされたら、次のカードがリードのスートを決める。",
        "is led, the next card decides the suit led.",
    ),
    "none": Text(
        "がリードされたら、どのスートにも従わなくてよい。", "is led, no suit has to be followed."
    ),
}
"""What has to be followed if special cards are led."""
AT_ONCE = Text(
    "{cards}：出ると{when}、すぐに{becomes}。",
    "{cards}: as soon as such a card is played{when}, {becomes}.",
)
AFTERWARDS = Text(
    "{cards}：出たトリックのあと{when}、{becomes}。",
    "{cards}: after a trick with such a card{when}, {becomes}.",
)
"""When a card changes the trump suit: at once, or after the trick."""
LAST_DECIDES = Text(
    "何枚もあれば、最後に出たカードで決まる。", " Of several, the last one decides."
)
BECOMES: Mapping[str, Text] = {
    "": Text("そのスートが切り札になる", "its suit becomes the trump suit"),
    "none": Text("切り札がなくなる", "there is no trump suit any more"),
    "named": Text("出した人が切り札を決める", "its player names the trump suit"),
}
TRUMP: Mapping[str, Text] = {
    "none": Text("最初は切り札がない。", "A deal begins without a trump suit."),
    "fixed": Text("切り札のスートは決まっている。", "The trump suit is always the same."),
    "turn_up": Text(
        "表にしたカードのスートが切り札。", "The suit of the card turned up is the trump suit."
    ),
    "named": Text("切り札を1人が決める。", "One player names the trump suit."),
    "bid": Text(
        "いちばん大きいビッドのスートが切り札。", "The suit of the highest bid is the trump suit."
    ),
    "first_discard": Text(
        "リードと違うスートが最初に出たら、そのスートが切り札になる。",
        "The first card of another suit than the one led makes its suit the trump suit.",
    ),
    "last_trick": Text(
        "前のトリックに勝ったカードのスートが切り札。最初のトリックには切り札がない。",
        "The suit of the card that won the last trick is the trump suit; the first trick has none.",
    ),
    "cycle": Text("切り札はラウンドごとに順に変わる。", "The trump suit changes deal by deal."),
}
TEAMS: Mapping[str, Text] = {
    "none": Text("", ""),
    "opposite": Text(
        "向かい合う2人がチームになり、点を一緒に数える。",
        "Players who sit opposite are a team and share their points.",
    ),
    "alternate": Text(
        "1人おきに座る人がチームになり、点を一緒に数える。",
        "Every second player is of the same team and shares its points.",
    ),
}
NAMES_IT: Mapping[str, Text] = {
    "dealer": Text("ディーラーが切り札を決める。", "The dealer names the trump suit."),
    "leader": Text(
        "最初にリードする人が切り札を決める。", "The first leader names the trump suit."
    ),
    "highest_bid": Text(
        "ビッドがいちばん大きい人が切り札を決める", "The highest bidder names the trump suit"
    ),
}
OF_EQUAL_BIDS = (
    Text("同じなら先に言った人。", "of equal ones the first."),
    Text(
        "同じなら、ディーラーの左どなりから数えて先の人。",
        "of equal ones the first to the left of the dealer.",
    ),
)
"""Which of equally high bidders is the highest, if they bid in turn, and if they bid at once."""
CALLS: Mapping[str, Text] = {
    "dealer": Text("ディーラーが1枚のカードを指名する。", "The dealer calls a card."),
    "leader": Text("最初にリードする人が1枚のカードを指名する。", "The first leader calls a card."),
    "highest_bid": Text(
        "ビッドがいちばん大きい人が1枚のカードを指名する。", "The highest bidder calls a card."
    ),
}
DRAW = Text(
    "トリックのあと、リードする人から順に、全員が山札から1枚ずつ引く。表にしたカードは最後に引く。"
    "全員の分がなくなったら、引かずに続ける。",
    "After a trick everybody draws a card from the stock, the next leader first; a card that was "
    "turned up is the last. Once there are not enough for all, play goes on without drawing.",
)
EQUAL: Mapping[str, Text] = {
    "first": Text("同じカードなら先に出した方が勝つ。", "Of equal cards the first wins."),
    "last": Text("同じカードなら後に出した方が勝つ。", "Of equal cards the last wins."),
    "cancel": Text("同じカードは、どれも勝てない。", "Equal cards cannot win."),
    "turn_down": Text(
        "同じカードが出たら、両方をすぐ裏返す。裏のカードは勝てない。",
        "Two equal cards are turned face down at once and cannot win.",
    ),
}
EQUAL_NUMBERS: Mapping[str, Text] = {
    "first": Text(
        "同じ数字のカードなら先に出した方が勝つ。", "Of cards of the same number the first wins."
    ),
    "last": Text(
        "同じ数字のカードなら後に出した方が勝つ。", "Of cards of the same number the last wins."
    ),
    "cancel": Text("同じ数字のカードは、どれも勝てない。", "Cards of the same number cannot win."),
    "turn_down": Text(
        "同じ数字のカードが出たら、両方をすぐ裏返す。裏のカードは勝てない。",
        "Two cards of the same number are turned face down at once and cannot win.",
    ),
}
NONE: Mapping[str, Text] = {
    "nobody": Text(
        "勝てるカードがなければ、だれも取らない。", "If no card can win, nobody takes it."
    ),
    "last": Text(
        "勝てるカードがなければ、最後に出した人が取る。",
        "If no card can win, the last to play takes it.",
    ),
}
NEXT: Mapping[str, Text] = {
    "winner": Text("勝った人が次のリードをする。", "The winner leads next."),
    "same": Text("同じ人が次のリードをする。", "The same player leads next."),
    "left": Text(
        "リードした人の左どなりの人が次のリードをする。",
        "The player left of the leader leads next.",
    ),
}
EQUALS_LEAD = (
    Text("（同じなら先のカード）", " (the first of equals)"),
    Text("（同じなら後のカード）", " (the last of equals)"),
)
LOWEST_OR_HIGHEST: Mapping[str, Callable[[Text], Text]] = {
    "low": lambda of: Text(f"{of.ja}のうちいちばん弱いもの", f"the lowest of {of.en}"),
    "high": lambda of: Text(f"{of.ja}のうちいちばん強いもの", f"the highest of {of.en}"),
}
CANNOT: Mapping[str, Text] = {
    "counts": Text("なければ、どのカードでもよい。", "If you cannot, play any card."),
    "out": Text(
        "なければ、どれか1枚を出して棄権する。", "If you cannot, play any card; it cannot win."
    ),
    "down": Text(
        "なければ、どれか1枚を裏向きに出す。",
        "If you cannot, play a card face down; it cannot win.",
    ),
}
NO_SUIT = {"ja": "なし", "en": "none"}
COUNTS: Mapping[str, Text] = {
    "seat": Text("1人ずつ数える", "a count of each player"),
    "team": Text("チームごとに数える", "a count of each team"),
    "table": Text("全員で1つ数える", "one count for all"),
}
COUNTED: Mapping[tuple[str, bool], Text] = {
    ("trick", False): Text("トリックのあと、勝者に", "After a trick, for its winner"),
    ("trick", True): Text("トリックのあと、", "After each trick"),
    ("deal", False): Text("ラウンドのあと、", "After each deal"),
    ("deal", True): Text("ラウンドのあと、", "After each deal"),
}
"""When a counter grows, by ``per`` and whether it counts for the table."""
PER: Mapping[str, Text] = {
    "card": Text("カードごとに出した人へ", "For each card, to its player"),
    "trick": Text("トリックごとに勝者へ", "For each trick, to its winner"),
    "deal": Text("ラウンドごとに", "For each deal"),
    "match": Text("最後に", "At the end"),
}


def _ranks(ranks: Sequence[str]) -> str:
    """Ranks from low to high; whole numbers in a row as "1–54"."""
    if len(ranks) >= MANY_RANKS and all(map(str.isdecimal, ranks)):
        first, last = int(ranks[0]), int(ranks[-1])
        if list(map(str, range(first, last + 1))) == list(ranks):
            return f"{first}–{last}"
    return " ".join(ranks)


def _card_points(worth: Mapping[str, Value], ranks: Sequence[str]) -> Text:
    """The card points of ranks and cards, by their points if many have the same."""
    points_of = {name: written(points) for name, points in worth.items() if isinstance(points, int)}
    numbers = {rank: rank for rank in ranks if rank != "0" or rank in worth}
    if len(worth) >= MANY_RANKS and points_of == numbers:
        return Text("数字と同じ", "the number of each card")
    same: dict[str, list[str]] = {}
    for name, points in points_of.items():
        same.setdefault(points, []).append(name)
    few = len(worth) < MANY_RANKS or len(worth) < 2 * len(same)
    if few and not any(map(str.isdecimal, worth)):  # "10 5" would be two numbers
        each = [f"{name} {points}" for name, points in points_of.items()]
        return Text("、".join(each), ", ".join(each))
    return Text(
        "、".join(f"{'・'.join(names)}は{points}点" for points, names in same.items()),
        "; ".join(f"{points} for {', '.join(names)}" for points, names in same.items()),
    )


def _best_card(best: Class, cards: Text) -> Text:
    """The card of a class that wins or leads; ``cards``: those of the class in words."""
    node = best.text.node
    if best.plain and (node.op == "card" or (node.op, node.word) == ("group", "called")):
        return cards
    if best.by_turn:
        turn = _turn(best)
        return Text(
            f"{cards.ja}のうち{turn.ja}に出たカード", f"of {cards.en}, the one played {turn.en}"
        )
    how = Text("いちばん弱い", "lowest") if best.low else Text("いちばん強い", "highest")
    if best.pick > 1:
        place = _place(best)
        how = Text(f"{place.ja}に{how.ja[4:]}", f"{place.en} {how.en}")
    if best.by_row:
        how = Text("列の数がいちばん大きい人の", "card with the highest row")
    of = "" if _one_rank(best.text.node) else "of "
    return Text(f"{cards.ja}のうち{how.ja}カード", f"the {how.en} {of}{cards.en}")


def _unless(before: Class) -> Text:
    """The words between two classes of cards."""
    if before.when is None:
        return Text("それがなければ、", "If there is none, ")
    return Text("そうでなければ、", "Otherwise ")


def _turn(best: Class) -> Text:
    """The place of a card in the order of play, such as "last" or "second to last"."""
    if best.pick == 1:
        return Text("最初", "first") if best.low else Text("最後", "last")
    place = _place(best)
    return place if best.low else Text(f"最後から{place.ja}", f"{place.en} to last")


def _place(best: Class) -> Text:
    """Which card of its order a class takes, if not the first one."""
    return Text(f"{best.pick}番目", {2: "second", 3: "third"}.get(best.pick, f"{best.pick}th"))


def _one_rank(node: Node) -> bool:
    """Whether a set is the cards of one rank, of all suits or of one: "the highest 2"."""
    if node.op == "cards_and" and len(node.parts) == 2:
        suit, rank = sorted(node.parts, key=lambda part: part.op != "suit")
        return suit.op == "suit" and _one_rank(rank)
    return node.op == "rank" and node.word not in ("led", "showing", "this", "called")


def _either(named: Mapping[str, str], cards: list[str], lang: str) -> str:
    """One of several special cards."""
    words = [named.get(card, card) for card in cards]
    if lang == "ja":
        return "か".join(words)
    return " or ".join((*((", ".join(words[:-1]),) if words[1:] else ()), words[-1]))
