"""JSON as dataclasses: the standard library reads and refuses what msgspec reads and refuses."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from referee.history.parts import Misfit, NotJson, decode, decoded_plainly


@dataclass
class Person:
    name: str
    retired: bool | int | None = None


@dataclass
class Group:
    people: list[Person]
    seats: dict[str, str | None] = field(default_factory=dict)
    entries: list[tuple[str, str]] = field(default_factory=list)


@pytest.mark.parametrize(
    "text",
    [
        '{"people": []}',
        '{"people": [{"name": "葵", "retired": true, "more": [1]}], "more": {}}',
        '{"people": [{"name": "葵", "retired": 1}], "seats": {"A": "葵", "B": null}}',
        '{"people": [], "entries": [["a", "b"], ["c", "d"]]}',
    ],
)
def test_the_same_values_are_read(text: str) -> None:
    assert decoded_plainly(Group, text.encode()) == decode(Group, text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"people": {}}',
        '{"people": [{"name": 1}]}',
        '{"people": [{"name": "a", "retired": "no"}]}',
        '{"people": [{}]}',
        '{"people": [], "seats": {"A": 1}}',
        '{"people": [], "entries": [["a"]]}',
        "[]",
    ],
)
def test_the_same_parts_are_refused_with_the_same_place(text: str) -> None:
    with pytest.raises(Misfit) as plain:
        decoded_plainly(Group, text.encode())
    with pytest.raises(Misfit) as other:
        decode(Group, text.encode())
    for said in ("missing required field", " - at "):
        found, same = (str(fault.value).partition(said)[1:] for fault in (plain, other))
        assert found == same


@pytest.mark.parametrize(
    "source", [b"", b"{", b"\xff", b'{"people": NaN}', b"[" * 100_000, b'{"a": 1} 2']
)
def test_what_is_no_json_is_refused(source: bytes) -> None:
    for read in (decoded_plainly, decode):
        with pytest.raises((NotJson, Misfit)):
            read(Group, source)
