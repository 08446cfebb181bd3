"""A mapping and a list for states: one more item costs little, however many there are.

A dict or a tuple that grows with the match must not be in a state. Every state would hold a copy of
its own, and the match would take memory with the square of its length.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from operator import eq
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")
V = TypeVar("V")

BITS = 4  # of the hash of a key: they choose the branch at one level of the tree
WIDTH = 1 << BITS
LEAF = 8  # items of a leaf, at most
DEEPEST = 56  # bits after which leaves are not split: their keys have the same hash

Node: TypeAlias = "dict[str, V] | tuple[Node[V], ...]"


class PersistentMap(Mapping[str, V], Generic[V]):
    """An immutable mapping, as a tree: a new item copies only the nodes on its way.

    Its items are in no particular order.
    """

    __slots__ = ("_hash", "_size", "root")

    def __init__(self) -> None:
        self.root: Node[V] = {}
        self._size = self._hash = 0

    def with_item(self, key: str, value: V) -> PersistentMap[V]:
        """This mapping with ``value`` for ``key``."""
        more = PersistentMap[V]()
        more.root = _put(self.root, 0, key, value)
        more._size, more._hash = self._size + 1, self._hash ^ hash((key, value))
        if key in self:
            more._size, more._hash = self._size, more._hash ^ hash((key, self[key]))
        return more

    def __getitem__(self, key: str) -> V:
        node, place = self.root, hash(key)
        while isinstance(node, tuple):
            node, place = node[place % WIDTH], place >> BITS
        return node[key]

    def __iter__(self) -> Iterator[str]:
        return _keys(self.root)

    def __len__(self) -> int:
        return self._size

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        # equal items make equal trees, however they came; shared parts are not compared
        if isinstance(other, PersistentMap):
            return self._hash == other._hash and bool(self.root == other.root)
        return super().__eq__(other)

    def __repr__(self) -> str:
        return f"PersistentMap({dict(self)})"


def _put(node: Node[V], used: int, key: str, value: V) -> Node[V]:
    """``node`` with one more item; ``used``: the bits of the hash that have led to it."""
    if isinstance(node, tuple):
        at = hash(key) >> used & (WIDTH - 1)
        return (*node[:at], _put(node[at], used + BITS, key, value), *node[at + 1 :])
    leaf = {**node, key: value}
    if len(leaf) <= LEAF or used > DEEPEST:
        return leaf
    split: Node[V] = ({},) * WIDTH
    for each, its in leaf.items():
        split = _put(split, used, each, its)
    return split


def _keys(node: Node[V]) -> Iterator[str]:
    if isinstance(node, tuple):
        for branch in node:
            yield from _keys(branch)
    else:
        yield from node


class PersistentList(Collection[T]):
    """An immutable list: more items are a new list on top of the old one.

    ``newest``: the items that were added last, on top of ``before``.
    """

    __slots__ = ("_size", "before", "newest")

    def __init__(self, before: PersistentList[T] | None = None, newest: tuple[T, ...] = ()) -> None:
        self.before, self.newest = before, newest
        self._size: int = len(newest) + (len(before) if before is not None else 0)

    def with_items(self, items: Iterable[T]) -> PersistentList[T]:
        """This list with ``items`` after its own."""
        more = tuple(items)
        return PersistentList(self, more) if more else self

    def __iter__(self) -> Iterator[T]:
        parts, part = [], self
        while part.before is not None:
            parts.append(part.newest)
            part = part.before
        return chain(part.newest, *reversed(parts))

    def __contains__(self, item: object) -> bool:
        return any(each == item for each in self)

    def __len__(self) -> int:
        return self._size

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PersistentList):
            return NotImplemented
        return self is other or (len(self) == len(other) and all(map(eq, self, other)))

    def __repr__(self) -> str:
        return f"PersistentList({list(self)})"
