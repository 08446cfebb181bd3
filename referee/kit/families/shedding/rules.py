"""The rules of one table of a shedding game: a game file with its house rules, compiled.

``SheddingRules`` is made once for a table and never changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.core.cards import BITS, Deck
from referee.core.verdict import Evidence, Seat
from referee.kit.chapters import bidding, effect, match, scoring
from referee.kit.chapters.deck import table, words
from referee.kit.families.shedding.combinations import (
    MOST_CARDS,
    MOST_JOKERS,
    MOST_READINGS,
    Combination,
    CountSpan,
    PlayReading,
    ReadingRules,
    in_precedence,
    readings,
    span,
)
from referee.kit.families.shedding.compiler import FAMILY, Fits, PlayScope, SheddingCompiler
from referee.kit.families.shedding.order import StrengthOrder
from referee.kit.families.shedding.state import State
from referee.kit.table import TableRules, wrong
from referee.kit.text.faults import Path
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import CARD, DEAL, SEAT, TABLE, Number, Scope
from referee.kit.text.source import RulesSource

KEPT = 4096  # plays whose readings are cached at a table


class SheddingDeal(NamedTuple):
    """How a deal begins. ``holder``: the card whose holder leads, if a deal can need it."""

    hand: Number
    dealt_on: bool
    leader: str
    first: str
    holder: str | None
    kitty: Number | None


class ExchangeRow(NamedTuple):
    """The seats with these two places of the last deal exchange so many cards."""

    name: str
    between: tuple[Number, Number]
    cards: Number


class BeatRow(NamedTuple):
    """Cards that beat others of the same shape whatever the order and the locks."""

    name: str
    cards: Fits
    on: Fits
    when: Number | None


class FinishRules(NamedTuple):
    """How players leave a deal. ``titles``: the condition and the words of each."""

    until: Number | None
    foul: Number | None
    falls: Number | None
    clears: bool
    titles: tuple[tuple[Number | None, Mapping[str, str]], ...]


class FaultOfCards(NamedTuple):
    """Why cards cannot be read at all: the clause, and the fact."""

    clause: str
    fact: Evidence


class CardsShown(NamedTuple):
    """The cards of an entry: each of them, what is said for jokers, how many of each kind, and the
    fault that makes them unreadable.
    """

    cards: tuple[str, ...]
    named: tuple[tuple[str, str] | None, ...]
    counts: Mapping[str, int]
    fault: FaultOfCards | None


class SheddingRules(TableRules):
    """The compiled rules for a table with these seats and house rules, a field for each chapter.

    Raises ``Wrong`` if the file makes no game for it. ``open``: no rule looks at a suit, so that a
    card may be written by its rank alone. ``kinds``: the deck with a kind for each such rank.
    """

    compiler: SheddingCompiler

    def __init__(self, source: RulesSource, seats: tuple[Seat, ...], key: object) -> None:
        super().__init__(source, seats, key)
        said = bidding.words(source)
        has_bids = source.at("bid") is not None
        vocabulary = self.vocabulary(FAMILY)._replace(bids=said.worth, has_bids=has_bids)
        self.compiler = SheddingCompiler(vocabulary)
        formulas = TableFormulas(source, self.compiler)
        self.bidding = bidding.compiled(formulas, said)
        self.deal = _deal(self, formulas)
        self.exchange = tuple(_exchange(formulas))
        self.order = _order(self, formulas)
        combos = tuple(_combos(self, formulas))
        self.compiler.combos = frozenset(table(source.at("combo")))
        self.reading = ReadingRules(
            order=self.order,
            combos=in_precedence(combos),
            rank=dict(self.cards.rank),
            suit=dict(self.cards.suit),
            bits={str(card): bit for card, bit in self.cards.bits.items()},
            ranks=self.cards.ranks,
            suits=self.cards.suits,
            standing=tuple(rank for rank in self.cards.order if self.cards.ranks.get(rank)),
        )
        self.beat = tuple(_beats(self, formulas))
        self.pass_again = source.word("play", "pass", default="out") == "again"
        self.equal = source.word("play", "equal", default="no") == "yes"
        self.must = source.word("play", "must", default="no") == "yes"
        self.effects = tuple(
            row for row in effect.compiled(formulas, "play") if not _is_off(formulas, row.name)
        )
        self.finish = _finish(formulas)
        self.scoring = scoring.compiled(formulas)
        self.match = match.compiled(formulas)
        self.steps = formulas.steps
        self.open = bool(self.cards.suits) and not self._looks_at_suits(combos)
        self.kinds = self._kinds()
        self._check_cost(combos)
        self._shown: dict[tuple[str, ...], CardsShown] = {}
        self._readings: dict[tuple[tuple[str, ...], str | None], tuple[PlayReading, ...]] = {}

    def is_turned(self, state: State) -> bool:
        """Whether the order in force is turned."""
        return self.order.turned(state.round.turned > 0, state.trick.turned > 0)

    def _looks_at_suits(self, combos: tuple[Combination, ...]) -> bool:
        cards, uses = self.cards, self.compiler.uses
        suited = any(
            combo.suited or "suit" in combo.by or any(cards.suit.get(c) for c in combo.cards)
            for combo in combos
        )
        locks = any("lock suits" in row.do for row in self.effects)
        holder = self.deal.holder
        held = holder is not None and bool(cards.suit.get(holder))
        return suited or locks or held or "matched" in uses or self.compiler.looks_at_suits

    def _kinds(self) -> Deck:
        deck = self.cards.deck
        if not self.open:
            return deck
        ranks = self.cards.order
        return Deck((*deck.cards, *ranks), (*deck.copies, *(0 for _ in ranks)))

    def _check_cost(self, combos: tuple[Combination, ...]) -> None:
        """Raise ``Wrong`` if reading a play could take too many steps."""
        copies = dict(zip(map(str, self.cards.deck.cards), self.cards.deck.copies, strict=True))
        jokers = sum(copies[card] for card in self.order.wild)
        at: Path = ("order", "wild")
        if jokers > MOST_JOKERS:
            raise wrong(self, "kit_shed_jokers", at, jokers=jokers, most=MOST_JOKERS)
        steps = len(self.reading.standing) ** jokers * len(combos)
        if jokers and steps > MOST_READINGS:
            raise wrong(self, "kit_shed_dear", at, steps=steps, most=MOST_READINGS)

    # what is read of entries

    def shown(self, words: tuple[str, ...]) -> CardsShown:
        """The cards that these words of an entry name; cached."""
        found = self._shown.get(words)
        if found is None:
            if len(self._shown) >= KEPT:
                self._shown.clear()
            found = self._shown[words] = self._read(words)
        return found

    def _read(self, words: tuple[str, ...]) -> CardsShown:
        cards, named = list[str](), list[tuple[str, str] | None]()
        faults = list[FaultOfCards]()
        for word in words:
            card, sign, said = word.partition("=")
            cards.append(card)
            stood = self._stands_for(said) if sign else None
            named.append(stood)
            if card not in self.kinds:
                faults.append(_fault("deck.1", "kit_no_such_card", card=card))
            elif sign and card not in self.order.wild:
                faults.append(_fault("wild.1", "kit_shed_no_joker", card=card))
            elif sign and len(words) == 1:
                faults.append(_fault("wild.1", "kit_shed_joker_alone", card=card))
            elif sign and stood is None:
                faults.append(_fault("wild.1", "kit_shed_joker_no_card", card=card, named=said))
        counts = Counter(cards)
        faults.sort(key=lambda fault: fault.clause)
        if not faults and (often := self._too_often(counts, named)):
            faults.append(_fault("wild.2", "kit_shed_shown_often", card=often))
        return CardsShown(tuple(cards), tuple(named), counts, next(iter(faults), None))

    def _stands_for(self, said: str) -> tuple[str, str] | None:
        """The rank and the suit that are said for a joker; None if there is no such card."""
        if said in self.reading.standing:
            return said, ""
        if said in self.cards.deck and self.cards.rank[said]:
            return self.cards.rank[said], self.cards.suit[said]
        return None

    def _too_often(self, counts: Counter[str], named: list[tuple[str, str] | None]) -> str:
        """A card that a joker's name shows more often than the deck has it; "" if there is none."""
        shown = Counter(counts)
        for name in named:
            if name is not None and name[1]:
                shown[name[1] + name[0]] += 1
        deck = self.cards.deck
        return next(
            (
                card
                for card, many in shown.items()
                if many > counts[card] and many > deck.copies[deck.place[card]]
            ),
            "",
        )

    def readings(self, words: tuple[str, ...], combo: str | None) -> tuple[PlayReading, ...]:
        """All ways to read the cards of an entry, as ``combo`` if it says so; cached."""
        found = self._readings.get((words, combo))
        if found is None:
            if len(self._readings) >= KEPT:
                self._readings.clear()
            shown = self.shown(words)
            made: Iterator[PlayReading] = iter(())
            if shown.fault is None and len(words) <= MOST_CARDS:
                rules = self.reading
                if combo is not None:
                    only = tuple(each for each in rules.combos if each.name == combo)
                    rules = rules._replace(combos=only)
                made = readings(self._with_open(rules), shown.cards, shown.named)
            found = self._readings[words, combo] = tuple(made)
        return found

    def _with_open(self, rules: ReadingRules) -> ReadingRules:
        if not self.open:
            return rules
        ranks = {rank: rank for rank in self.cards.order}
        return rules._replace(
            rank={**ranks, **rules.rank}, suit={**dict.fromkeys(ranks, ""), **rules.suit}
        )

    def one(self, card: str) -> int:
        """The bag with one copy of a card, or of a rank alone."""
        return 1 << BITS * self.kinds.place[card]

    def rank_of(self, card: str) -> str:
        """The rank of a card as it is written; "" for a special card."""
        return self.cards.rank.get(card, card)


def _fault(clause: str, fact: str, **values: object) -> FaultOfCards:
    return FaultOfCards(clause, Evidence(fact, values))


def _deal(rules: SheddingRules, formulas: TableFormulas) -> SheddingDeal:
    source, deck = formulas.source, rules.cards.deck
    listed = source.at("deal", "holder")
    leader = source.word("deal", "leader", default="rotate")
    first = source.word("deal", "first_leader", default="pick")
    holder = next((card for card in words(listed) if card in deck), None)
    if "holder" in (leader, first):
        at: Path = ("deal", "leader" if leader == "holder" else "first_leader")
        if listed is None:
            raise wrong(rules, "kit_missing", at, key="deal.holder")
        if holder is None:
            raise wrong(rules, "kit_no_holder", ("deal", "holder"))
        if rules.bidding.made:
            raise wrong(rules, "kit_shed_holder_bids", at)
    kitty = formulas.number(TABLE, "deal", "kitty") if source.at("deal", "kitty") else None
    if kitty is not None and not rules.bidding.made:
        raise wrong(rules, "kit_shed_kitty_no_bids", ("deal", "kitty"))
    return SheddingDeal(
        hand=formulas.number(TABLE, "deal", "hand"),
        dealt_on=source.word("deal", "rest", default="out") == "dealt",
        leader=leader,
        first=first,
        holder=holder if "holder" in (leader, first) else None,
        kitty=kitty,
    )


def _exchange(formulas: TableFormulas) -> Iterator[ExchangeRow]:
    for name in table(formulas.source.at("exchange")):
        at: Path = ("exchange", name)
        one, other = (formulas.number(TABLE, *at, "between", i) for i in (0, 1))
        yield ExchangeRow(name, (one, other), formulas.number(TABLE, *at, "cards"))


def _constant(formulas: TableFormulas, *path: str | int) -> int:
    """The mask of a set that the table alone decides."""
    mask = formulas.mask(TABLE, *path)
    return mask(_NO_STATE, _NO_SCOPE) if mask is not None else 0


class _NoScope(Scope):
    """What sums see that the table alone decides."""

    def __init__(self) -> None:
        self.seat = self.deal = self.size = 0


_NO_SCOPE = _NoScope()
_NO_STATE: State = None  # type: ignore[assignment]


def _order(rules: SheddingRules, formulas: TableFormulas) -> StrengthOrder:
    source, cards = formulas.source, rules.cards
    beyond: dict[str, int] = {}
    for key, level, step in (("top", len(cards.order), 1), ("bottom", -1, -1)):
        value = source.at("order", key)
        paths: list[Path] = (
            [("order", key)]
            if isinstance(value, str)
            else [("order", key, i) for i in formulas.rows("order", key)]
        )
        for path in paths:
            mask = _constant(formulas, *path)
            if mask & ~cards.special:
                raise wrong(rules, "kit_shed_only_special", path)
            beyond |= dict.fromkeys(cards.kinds(mask), level)
            level += step
    wild = _constant(formulas, "order", "wild")
    if wild & ~cards.special:
        raise wrong(rules, "kit_shed_only_special", ("order", "wild"))
    listed = words(source.at("order", "suits"))
    for i, suit in enumerate(listed):
        if suit not in cards.suits:
            known = tuple(cards.suits)
            raise wrong(rules, "kit_no_suit", ("order", "suits", i), word=suit, suits=known)
    return StrengthOrder(
        ranks=cards.order,
        place={rank: i for i, rank in enumerate(cards.order)},
        beyond=beyond,
        wild=frozenset(cards.kinds(wild)),
        suits={suit: i for i, suit in enumerate(listed)},
        stays=source.word("order", "both", default="cancel") == "stays",
    )


def _combos(rules: SheddingRules, formulas: TableFormulas) -> Iterator[Combination]:
    """The combinations of this table."""
    rows = {name: table(row) for name, row in table(formulas.source.at("combo")).items()}
    in_game = [name for name in rows if _counts(formulas, name)]
    over = {name: frozenset(words(rows[name].get("over"))) for name in rows}
    for name in in_game:
        row, at = rows[name], ("combo", name)
        every = {other for other in in_game if other != name and name not in over[other]}
        beaten = over[name] | (every if "all" in over[name] else set())
        listed = tuple(words(row.get("cards")))
        for i, card in enumerate(listed):
            if card not in rules.cards.known:
                raise wrong(rules, "kit_no_card", (*at, "cards", i), card=card)
        text = formulas.source.text("cards", *at, "from")
        if text is not None:
            rules.compiler.fits(text.node, text, CARD)  # whether it looks at suits
        yield Combination(
            name=name,
            same=span(row.get("same", 1)) or CountSpan(1, 1),
            run=span(row.get("run", 1)) or CountSpan(1, 1),
            runs="run" in row,
            any=int(str(row.get("any", 0))),
            cards=listed,
            kicked=int(str(row.get("with", 0))),
            kickers=int(str(row.get("with_count", 0))),
            suited=row.get("suit") == "same",
            start=None if text is None else _constant(formulas, *at, "from"),
            by=tuple(words(row.get("by"))) or ("rank",),
            over=frozenset(beaten - {"all"}),
            any_time=row.get("any_time") == "yes",
        )


def _counts(formulas: TableFormulas, name: str) -> bool:
    """Whether a combination is one at this table."""
    when = formulas.only_when(TABLE, "combo", name, "when")
    return when is None or bool(when(_NO_SCOPE))


def _beats(rules: SheddingRules, formulas: TableFormulas) -> Iterator[BeatRow]:
    for name in table(formulas.source.at("beat")):
        text = formulas.source.text("condition", "beat", name, "when")
        when = formulas.only_when(CARD, "beat", name, "when")
        sets = []
        for key in ("cards", "on"):
            found = formulas.source.text("cards", "beat", name, key)
            assert found is not None
            looked = rules.compiler.looks_at_suits
            sets.append(rules.compiler.fits(formulas.bounded(found).node, found, CARD))
            if text is not None and text.node.op == "no":
                rules.compiler.looks_at_suits = looked  # a row that never acts looks at nothing
        if text is None or text.node.op != "no":
            yield BeatRow(name, sets[0], sets[1], when)


def _is_off(formulas: TableFormulas, effect: str) -> bool:
    """Whether an effect never acts at this table."""
    text = formulas.source.text("condition", "effect", effect, "when")
    return text is not None and text.node.op == "no"


def _finish(formulas: TableFormulas) -> FinishRules:
    source = formulas.source
    titles = []
    for i in formulas.rows("finish", "titles"):
        row = table(source.at("finish", "titles", i))
        when = formulas.only_when(SEAT, "finish", "titles", i, "when")
        ja, en = str(row.get("ja") or ""), str(row.get("en") or "")
        titles.append((when, {"ja": ja or en, "en": en or ja}))
    return FinishRules(
        until=formulas.condition(DEAL, "finish", "until"),
        foul=formulas.condition(CARD, "finish", "foul"),
        falls=formulas.condition(SEAT, "finish", "falls"),
        clears=source.word("finish", "clears", default="no") == "yes",
        titles=tuple(titles),
    )


def scope_of(rules: SheddingRules, state: State, seat: Seat, play: PlayReading | None) -> PlayScope:
    """What sums about a play of ``seat`` refer to, at the state before it."""
    scope = PlayScope(state, rules.index[seat], play)
    scope.turned = rules.is_turned(state)
    return scope
