"""The state of a match between two entries, and what everybody can see of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from referee.core.cards import Deck
from referee.core.game import Dealing, Table
from referee.core.persistent import PersistentMap
from referee.core.verdict import Outcome, Seat, evidence
from referee.jukugo.decks import JOKER
from referee.jukugo.equipment import Kit, equip
from referee.jukugo.formations import NOTHING_AGREED, Formation, Lexicon, best, lexicon

FLAGS = 9
HAND = 5  # a joker and four cards
JOKERS = 2


class Side(NamedTuple):
    """One seat's cards at a flag, in the order in which they came.

    ``full``: the position of the play that brought the third.
    """

    cards: tuple[str, ...] = ()
    full: int | None = None


class OpenClaim(NamedTuple):
    """A claim that the cards do not decide; ``at``: its position.

    ``words``: the words that it reads in the column of ``seat``.
    """

    seat: Seat
    words: tuple[str, ...]
    at: int


class State(NamedTuple):
    """The state between two entries.

    ``sides`` has a pair of sides for each flag, in seat order; ``owners`` and ``claimed`` (the
    claim's position) have one item for each flag. ``laid``: the position at which each kanji was
    placed; ``jokers``: how many each seat has placed. ``done``: the turn's card is placed, or
    passed; ``dry``: the turn ends without a draw; ``forfeits``: seats whose next turn will end so
    (J36). ``agreed``: the words on which the table has agreed, ``learned``: those agreed since the
    deal. ``claims``: the last open claim on each flag. ``stopped``: the outcome if the match was
    stopped before it was decided.
    """

    table: Table
    words: Lexicon | None
    at: int
    turn: Seat | None
    done: bool
    dry: bool
    forfeits: frozenset[Seat]
    sides: tuple[tuple[Side, Side], ...]
    owners: tuple[Seat | None, ...]
    claimed: tuple[int | None, ...]
    laid: Mapping[str, int]
    jokers: Mapping[Seat, int]
    hands: Mapping[Seat, int]
    stock: int
    agreed: PersistentMap[bool]
    learned: PersistentMap[bool]
    claims: Mapping[int, OpenClaim] = {}
    stopped: Outcome | None = None

    @property
    def deal(self) -> int:
        """A match is one deal: 1 after the deal, 0 before."""
        return int(bool(self.stock or self.laid or any(self.hands.values()) or any(self.owners)))

    @property
    def deck(self) -> Deck:
        """The deck; empty if the table's deck is not registered (J37)."""
        kanji = tuple(self.words.deck.by_kanji) if self.words else ()
        return Deck((*kanji, JOKER), (1,) * len(kanji) + (JOKERS,)) if kanji else Deck((), ())


def setup(table: Table) -> State:
    return State(
        table,
        lexicon_of(table),
        0,
        None,
        False,
        False,
        frozenset(),
        ((Side(), Side()),) * FLAGS,
        (None,) * FLAGS,
        (None,) * FLAGS,
        {},
        dict.fromkeys(table.seats, 0),
        dict.fromkeys(table.seats, 0),
        0,
        NOTHING_AGREED,
        NOTHING_AGREED,
    )


def kit_of(table: Table) -> Kit | None:
    """The deck and the words of ``table``; None if it has no equipment."""
    kit = table.kit
    assert kit is None or isinstance(kit, Kit)
    return kit


def lexicon_of(table: Table) -> Lexicon | None:
    """The values of words and formations at ``table``; None without a registered deck."""
    kit = kit_of(table) or equip({}, table.option, lambda name: None)
    on = {key: table.option(key) == "on" for key in ("three_with_noma", "same_pair_counts")}
    return _lexicon(kit, on["three_with_noma"], on["same_pair_counts"])


@lru_cache(maxsize=32)
def _lexicon(kit: Kit, three_with_noma: bool, same_pair_counts: bool) -> Lexicon | None:
    if kit.deck is None:
        return None
    return lexicon(
        kit.deck, kit.words, three_with_noma=three_with_noma, same_pair_counts=same_pair_counts
    )


def to_act(state: State) -> tuple[Seat, ...]:
    return (state.turn,) if state.turn is not None else ()


def other(state: State, seat: Seat) -> Seat:
    """The opponent of ``seat``."""
    first, second = state.table.seats
    return second if seat == first else first


def side_of(state: State, seat: Seat, flag: int) -> Side:
    """The side of ``seat`` at ``flag``, which is 1-based."""
    return state.sides[flag - 1][state.table.seats.index(seat)]


def column(state: State, seat: Seat, flag: int) -> tuple[str, ...]:
    """The cards of ``seat`` at ``flag``, in the order in which they came."""
    return side_of(state, seat, flag).cards


def formation(state: State, seat: Seat, flag: int) -> Formation | None:
    """The formation of the full column of ``seat`` at ``flag``; None while it is not full."""
    side = side_of(state, seat, flag)
    return best(state.words, side.cards) if state.words and side.full is not None else None


def is_open(state: State, seat: Seat, flag: int) -> bool:
    """Whether ``seat`` can still place a card at ``flag``."""
    return state.owners[flag - 1] is None and side_of(state, seat, flag).full is None


def jokers_left(state: State, seat: Seat) -> int:
    """How many jokers ``seat`` may still place, by the cards on the table (J2, J14)."""
    if state.table.option("joker_deal") == "shuffled":
        return JOKERS - sum(state.jokers.values())
    return 1 - state.jokers[seat]


def unseen(state: State, seat: Seat) -> list[str]:
    """Kanji that ``seat`` could still place, by what everybody can see; none without a deck."""
    kanji = state.words.deck.by_kanji if state.words else ()
    joker = [JOKER] if jokers_left(state, seat) else []
    return [card for card in kanji if card not in state.laid] + joker


def stock_dealt(state: State) -> int:
    """The number of cards in the stock right after the deal; an unregistered deck has 52 kanji."""
    kanji = len(state.words.deck.cards) if state.words else 52
    return kanji + JOKERS - HAND * len(state.table.seats)


def dealing(state: State) -> Dealing:
    """How to deal: a joker and four cards each, or five after shuffling the jokers in."""
    if state.table.option("joker_deal") == "shuffled":
        hands = (*evidence("deal_jokers_in"), *evidence("deal_each", count=HAND))
    else:
        hands = (*evidence("deal_joker_each"), *evidence("deal_each", count=HAND - 1))
    stock = evidence("deal_stock", count=stock_dealt(state))
    return Dealing(state.deck, (), (*evidence("deal_flags", count=FLAGS), *hands, *stock))


def public(state: State) -> dict[str, object]:
    seats = state.table.seats
    flags = [
        {**{seat: list(side.cards) for seat, side in zip(seats, pair, strict=True)}, "owner": owner}
        for pair, owner in zip(state.sides, state.owners, strict=True)
    ]
    return {"flags": flags, "stock": state.stock, "hands": dict(state.hands)}
