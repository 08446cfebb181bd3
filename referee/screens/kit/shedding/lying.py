"""The cards as the pad has them: by rank or by suit, with how many of each have not been seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referee.core.cards import copies_in, size
from referee.kit.families.shedding.evidence import rules_of
from referee.kit.families.shedding.holding import in_bag_of_rank
from referee.kit.families.shedding.state import State
from referee.screens.kit.names import Face, KitNames

JOKER = "JK"


class Kind(NamedTuple):
    """Cards that one key stands for: a card, a rank, or special cards of one strength.

    ``cards``: those that have not been seen, as an entry has them; there are ``copies``. ``wild``:
    they are jokers.
    """

    name: str
    face: Face
    cards: tuple[str, ...]
    copies: int
    wild: bool = False

    def some(self, number: int) -> tuple[str, ...]:
        """So many of them, even if there are not so many left."""
        return (*self.cards, *(self.name,) * number)[:number]


def has_rows(state: State) -> bool:
    """Whether a card is entered with its suit, so that the pad has a row for each suit."""
    rules = rules_of(state)
    return bool(rules.cards.suits) and not rules.open


def of_ranks(state: State) -> Iterator[Kind]:
    """The ranks, from low to high."""
    rules = rules_of(state)
    for rank in rules.cards.order:
        copies = size(rules.cards.deck.full & rules.cards.ranks.get(rank, 0))
        if copies:
            left = copies - in_bag_of_rank(state, state.round.gone, rank)
            yield Kind(rank, Face("", rank), (rank,) * left, copies)


def of_suit(state: State, suit: str, names: KitNames) -> Iterator[Kind | None]:
    """The cards of a suit from low to high; None where the deck has none."""
    rules = rules_of(state)
    for rank in rules.cards.order:
        card = suit + rank
        yield _kind(state, (card,), names.face(card)) if card in rules.cards.deck else None


def specials(state: State, names: KitNames) -> Iterator[Kind]:
    """Special cards; where cards are entered by rank, those of one strength together."""
    rules, alone = rules_of(state), has_rows(state)
    order = rules.order
    alike: dict[tuple[bool, int | str | None], list[str]] = {}
    for card in rules.cards.kinds(rules.cards.special):
        strength = card if alone else order.beyond.get(card)
        alike.setdefault((card in order.wild, strength), []).append(card)
    for (wild, _strength), cards in alike.items():
        face = Face("", JOKER, word=True) if wild else names.face(cards[0])
        yield _kind(state, cards, face)._replace(wild=wild)


def _kind(state: State, cards: Iterable[str], face: Face) -> Kind:
    rules, name, copies = rules_of(state), "", 0
    deck, left = rules.cards.deck, list[str]()
    for card in cards:
        name, many = name or card, deck.copies[deck.place[card]]
        copies += many
        left += (card,) * (many - copies_in(state.round.gone, rules.one(card)))
    return Kind(name, face, tuple(left), copies)
