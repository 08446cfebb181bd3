"""The mapping that states share, against dicts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from referee.core.persistent import PersistentMap

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
