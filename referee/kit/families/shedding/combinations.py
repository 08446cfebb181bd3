"""``combo``: the shapes in which cards are played, and all ways to read cards as one of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from typing import NamedTuple

from referee.kit.families.shedding.order import StrengthOrder
from referee.kit.text.faults import Path
from referee.kit.text.form import (
    CARDS,
    CONDITION,
    NAMES,
    NUMBER,
    WORDED,
    FileFaults,
    Leaf,
    Shape,
    is_whole,
    one_of,
)
from referee.kit.text.toml import Value

MOST_COMBOS = 24
MOST_CARDS = 30  # in a play
MOST_JOKERS = 4
MOST_READINGS = 50_000  # steps that reading a play may take

_SPAN = re.compile(r"([0-9]{1,3})(?:(\.\.)([0-9]{0,3}))?")
BY = ("rank", "ranks", "suit", "length")


class CountSpan(NamedTuple):
    """A number from ``few`` to ``many``, both included."""

    few: int
    many: int

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.few <= number <= self.many


def span(value: Value) -> CountSpan | None:
    """The numbers of ``2``, ``"1..4"`` or ``"1.."``; None for another value."""
    found = _SPAN.fullmatch(str(value)) if isinstance(value, str) or is_whole(value) else None
    if not found:
        return None
    few = int(found[1])
    many = int(found[3]) if found[3] else MOST_CARDS if found[2] else few
    return CountSpan(few, many) if 1 <= few <= many else None


def _span(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    if span(value) is None:
        faults.add("kit_shed_span", path)


def _words(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    """A list of words, or one; if the leaf has ``words``, of these alone."""
    listed = value if isinstance(value, list) else [value]
    for i, each in enumerate(listed):
        at = (*path, i) if isinstance(value, list) else path
        if not isinstance(each, str) or (leaf.words and each not in leaf.words):
            faults.add("kit_one_of" if leaf.words else "kit_text", at, value=each, words=leaf.words)


SPAN = Leaf(_span)
COMBO: Mapping[str, Shape] = {
    **WORDED,
    "same": SPAN,
    "run": SPAN,
    "any": NUMBER,
    "cards": NAMES,
    "with": NUMBER,
    "with_count": NUMBER,
    "suit": one_of("any", "same"),
    "from": CARDS,
    "by": Leaf(_words, BY),
    "over": Leaf(_words),
    "any_time": one_of("no", "yes"),
    "when": CONDITION,
}


class PlayedFace(NamedTuple):
    """A card of a play: the card itself, and the rank and suit that it counts as.

    ``rank``: "" for a special card that is itself; ``suit``: "" if it has none, or none was said.
    """

    card: str
    rank: str
    suit: str


class Combination(NamedTuple):
    """A shape of cards. ``same``, ``run``: cards of each rank, ranks; ``runs``: it is a run.

    ``any``: so many cards with a rank, 0 if it is no such shape; ``cards``: exactly these cards.
    ``kicked``, ``kickers``: cards in a group of kickers (0: none), and how many groups (0: one for
    each rank). ``suited``: all cards have one suit. ``start``: the mask of the cards that may be in
    the main part, as what they stand for. ``over``: names of the combinations that it beats.
    """

    name: str
    same: CountSpan = CountSpan(1, 1)
    run: CountSpan = CountSpan(1, 1)
    runs: bool = False
    any: int = 0
    cards: tuple[str, ...] = ()
    kicked: int = 0
    kickers: int = 0
    suited: bool = False
    start: int | None = None
    by: tuple[str, ...] = ()
    over: frozenset[str] = frozenset()
    any_time: bool = False


class PlayReading:
    """Cards read as a combination.

    ``main``: the faces of the main part. ``low``, ``high``: the places of its lowest and highest
    rank; None for cards above or below all ranks. ``suits``: how many cards have each suit;
    ``loose``: how many jokers fit any suit. ``jokers``: it is unnamed jokers alone. ``counted``
    caches how many of its cards are in a set of the file.
    """

    __slots__ = (
        "combo",
        "counted",
        "faces",
        "high",
        "jokers",
        "keys",
        "length",
        "loose",
        "low",
        "main",
        "size",
        "suits",
    )

    def __init__(
        self,
        order: StrengthOrder,
        combo: Combination,
        size: int,
        length: int,
        faces: tuple[PlayedFace, ...],
        main: tuple[PlayedFace, ...],
    ) -> None:
        self.combo, self.size, self.length, self.faces = combo, size, length, faces
        self.main = main
        places = [order.place[face.rank] for face in main if face.rank]
        ranked = len(places) == len(main)
        self.low: int | None = min(places) if ranked else None
        self.high: int | None = max(places) if ranked else None
        self.suits: Mapping[str, int] = Counter(face.suit for face in faces if face.suit)
        wild = [face for face in faces if face.card in order.wild]
        self.loose = sum(not face.suit for face in wild)
        self.jokers = len(wild) == len(faces) and not any(face.rank for face in wild)
        self.counted: dict[int, int] = {}
        self.keys = tuple(self._key(order, turned) for turned in (False, True))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        same = isinstance(other, PlayReading) and self.combo.name == other.combo.name
        return same and isinstance(other, PlayReading) and self.faces == other.faces

    def __hash__(self) -> int:
        return hash((self.combo.name, self.faces))

    @property
    def count(self) -> int:
        """The number of its cards."""
        return len(self.faces)

    def _key(self, order: StrengthOrder, turned: bool) -> tuple[object, ...]:
        """What decides between two readings of one shape: the stronger one has the higher key."""

        def level(face: PlayedFace) -> int:
            if face.rank:
                return order.level(face.rank, turned=turned)
            return order.beyond.get(face.card, -1)

        best = max(map(level, self.main))
        of: Mapping[str, object] = {
            "rank": best,
            "ranks": tuple(sorted(map(level, self.faces), reverse=True)),
            "suit": max(order.suits.get(f.suit, -1) for f in self.main if level(f) == best),
            "length": self.length,
        }
        return tuple(of[each] for each in self.combo.by)


class ReadingRules(NamedTuple):
    """What is needed to read cards. ``suit``, ``rank``: of each card, "" where it has none.

    ``bits``, ``ranks``, ``suits``: masks, see ``chapters.deck.Cards``. ``standing``: the ranks that
    a joker can stand for.
    """

    order: StrengthOrder
    combos: tuple[Combination, ...]
    rank: Mapping[str, str]
    suit: Mapping[str, str]
    bits: Mapping[str, int]
    ranks: Mapping[str, int]
    suits: Mapping[str, int]
    standing: tuple[str, ...]


def readings(
    rules: ReadingRules, cards: tuple[str, ...], named: tuple[tuple[str, str] | None, ...]
) -> Iterator[PlayReading]:
    """All ways to read ``cards``; ``named``: the rank and suit that a player says for a joker."""
    wild = rules.order.wild
    themselves = tuple(PlayedFace(card, rules.rank[card], rules.suit[card]) for card in cards)
    free = [i for i, card in enumerate(cards) if card in wild and named[i] is None]
    if not any(named):
        exact = Counter(cards)
        for combo in rules.combos:
            if combo.cards and Counter(combo.cards) == exact:
                yield PlayReading(rules.order, combo, len(cards), 1, themselves, themselves)
    if len(cards) == 1 or len(free) == len(cards):
        yield from _shaped(rules, themselves)
        return
    faces = [
        face if name is None else PlayedFace(face.card, *name)
        for face, name in zip(themselves, named, strict=True)
    ]
    for standing in combinations_with_replacement(rules.standing, len(free)):
        for i, rank in zip(free, standing, strict=True):
            faces[i] = PlayedFace(cards[i], rank, "")
        yield from _shaped(rules, tuple(faces))


def _shaped(rules: ReadingRules, faces: tuple[PlayedFace, ...]) -> Iterator[PlayReading]:
    """The readings of cards each of which counts as one face."""
    of_rank = Counter(face.rank for face in faces if face.rank)
    special = [face for face in faces if not face.rank]
    for combo in rules.combos:
        if combo.cards:
            continue
        if combo.any:
            found = [(1, len(faces), faces)] if combo.any == len(faces) and not special else []
        else:
            found = list(_mains(rules, combo, faces, of_rank, special))
        for size, length, main in found:
            if _suited(rules, combo, faces) and _from(rules, combo, main):
                yield PlayReading(rules.order, combo, size, length, faces, main)


def _mains(
    rules: ReadingRules,
    combo: Combination,
    faces: tuple[PlayedFace, ...],
    of_rank: Mapping[str, int],
    special: list[PlayedFace],
) -> Iterator[tuple[int, int, tuple[PlayedFace, ...]]]:
    """Size, length and cards of each main part that the cards can have."""
    number, order = len(faces), rules.order
    for length in range(combo.run.few, min(combo.run.many, number, len(order.ranks)) + 1):
        kicking = combo.kicked * (combo.kickers or length) if combo.kicked else 0
        size, rest = divmod(number - kicking, length)
        if rest or size not in combo.same:
            continue
        starts = [
            place
            for rank, many in of_rank.items()
            if many == size
            for place in (order.place[rank],)
        ]
        for start in sorted(starts):
            ranks = order.ranks[start : start + length]
            if len(ranks) < length or any(of_rank.get(rank) != size for rank in ranks):
                continue
            others = [many for rank, many in of_rank.items() if rank not in ranks]
            if _kick(combo, others, special):
                yield size, length, tuple(face for face in faces if face.rank in ranks)
        if not combo.runs and special:
            steps = {order.beyond.get(face.card) for face in special}
            alike = len(special) == size and len(steps) == 1 and None not in steps
            if alike and _kick(combo, list(of_rank.values()), []):
                yield size, length, tuple(special)


def _kick(combo: Combination, others: list[int], special: list[PlayedFace]) -> bool:
    """Whether so many other cards of each rank, and these special ones, are groups of kickers."""
    if not combo.kicked:
        return not others and not special
    return all(many % combo.kicked == 0 for many in others) and (not special or combo.kicked == 1)


def _suited(rules: ReadingRules, combo: Combination, faces: tuple[PlayedFace, ...]) -> bool:
    """Whether all cards have one suit, if the combination asks for it."""
    if not combo.suited:
        return True
    suits = {face.suit for face in faces if face.suit}
    loose = all(face.suit or (face.rank and face.card in rules.order.wild) for face in faces)
    return loose and len(suits) <= 1


def _from(rules: ReadingRules, combo: Combination, main: tuple[PlayedFace, ...]) -> bool:
    """Whether all cards of the main part, as what they stand for, are in the set of the shape."""
    if combo.start is None:
        return True
    for face in main:
        kinds = rules.bits.get(face.card, 0)
        if face.rank and (face.card in rules.order.wild or not kinds):  # a suit may be left open
            kinds = rules.ranks[face.rank] & rules.suits.get(face.suit, -1)
        if not kinds & combo.start:
            return False
    return True


def in_precedence(combos: tuple[Combination, ...]) -> tuple[Combination, ...]:
    """The combinations in the order in which they are read: those over others first, else as in
    the file.
    """
    left, ordered = list(combos), list[Combination]()
    while left:
        free = [one for one in left if not any(one.name in other.over for other in left)]
        chosen = (free or left)[0]
        ordered.append(chosen)
        left.remove(chosen)
    return tuple(ordered)
