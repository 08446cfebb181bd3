"""The mapping and the list that states share, against dicts and tuples."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from referee.core.persistent import PersistentList, PersistentMap

words = st.text(alphabet="日本人", min_size=1, max_size=3)


class Alike(str):
    """Keys with one and the same hash, which no branch can tell apart."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 7


def built(items: Mapping[str, bool]) -> PersistentMap[bool]:
    found = PersistentMap[bool]()
    for key, value in items.items():
        found = found.with_item(key, value)
    return found


@given(st.lists(st.tuples(words, st.booleans()), max_size=60))
def test_it_holds_what_a_dict_holds_and_older_ones_stay(items: list[tuple[str, bool]]) -> None:
    versions, plain = [(PersistentMap[bool](), dict[str, bool]())], dict[str, bool]()
    for key, value in items:
        plain = {**plain, key: value}
        versions.append((versions[-1][0].with_item(key, value), plain))
    for found, expected in versions:
        assert dict(found) == expected
        assert found == expected
        assert len(found) == len(expected)
        assert all(found[key] is value for key, value in expected.items())
        assert "none" not in found


@given(st.dictionaries(words, st.booleans(), min_size=1), st.randoms())
def test_equal_items_are_equal_in_whatever_order_they_came(items, rng) -> None:  # type: ignore[no-untyped-def]
    order = list(items)
    rng.shuffle(order)
    first, second = built(items), built({key: items[key] for key in order})
    assert first == second
    assert hash(first) == hash(second)
    assert first != first.with_item(order[0], not items[order[0]])


def test_keys_with_the_same_hash_are_told_apart() -> None:
    keys = [Alike("".join(each)) for each in product("日本人", repeat=3)]
    found = built(dict.fromkeys(keys, True)).with_item(keys[4], False)
    assert sorted(found) == sorted(keys)
    assert [key for key in keys if not found[key]] == [keys[4]]


@given(st.lists(st.lists(st.integers(0, 3), max_size=3), max_size=30))
def test_a_list_holds_its_items_in_order_and_older_ones_stay(parts: list[list[int]]) -> None:
    versions, plain = [(PersistentList[int](), ())], ()
    for part in parts:
        plain = (*plain, *part)
        versions.append((versions[-1][0].with_items(part), plain))
    for found, expected in versions:
        assert tuple(found) == expected
        assert len(found) == len(expected)
        assert [item in found for item in range(4)] == [item in expected for item in range(4)]
        at_once = PersistentList[int]().with_items(expected)
        assert (found, hash(found)) == (at_once, hash(at_once))
        assert found != at_once.with_items((4,))


def test_a_list_of_many_small_parts_is_read_and_compared() -> None:
    found, other = PersistentList[int](), PersistentList[int]()
    for number in range(20_000):
        found, other = found.with_items((number,)), other.with_items((number,))
    assert found == other
    assert list(found) == list(range(20_000))
