"""Decodes JSON to a dataclass, whose fields name the parts that are read.

Uses msgspec if it is installed: it builds only what a field names, so hostile files cost little
memory. It has no wheels for some machines; there the standard library is used, which builds
everything, and therefore gets less at once.
"""

from __future__ import annotations

import json
import types
from dataclasses import MISSING, fields
from functools import cache
from typing import TypeVar, Union, get_args, get_origin, get_type_hints

try:
    import msgspec
except ImportError:
    msgspec = None  # type: ignore[assignment]

MOST_AT_ONCE = (8 if msgspec else 1) * 1024 * 1024
"""Bytes that may be parsed at once: in a history, a match or the head before the matches; else a
whole file that does not have one match per line.
"""

Kind = TypeVar("Kind")


class NotJson(ValueError):
    """The text is not JSON."""


class Misfit(ValueError):
    """A value is of another kind than its field, or a field is missing.

    Its text says where: "… - at `$.people[0].name`".
    """


def decode(kind: type[Kind], text: bytes) -> Kind:
    """``text`` decoded as ``kind``.

    ``kind`` is a dataclass of ``str``, ``bool``, ``int``, ``float``, ``None``, their unions, and
    lists, tuples of fixed length, dictionaries with ``str`` keys and dataclasses of them. Raises
    ``NotJson`` and ``Misfit``.
    """
    if not msgspec:
        return decoded_plainly(kind, text)
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as fault:
        raise Misfit(str(fault)) from fault
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise NotJson from fault


def decoded_plainly(kind: type[Kind], text: bytes) -> Kind:
    """As ``decode``, with the standard library only."""
    try:
        value = json.loads(text.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as fault:
        raise NotJson from fault
    made: Kind = _made(kind, value, "$")  # type: ignore[assignment]
    return made


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _made(kind: object, value: object, at: str) -> object:
    """``value`` of the JSON parser, converted to ``kind``; ``at``: its path in the text."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if type(value) in (type(None) if part is None else part for part in parts):
            return value
        built = [part for part in parts if hasattr(part, "__dataclass_fields__")]
        if len(built) == 1 and isinstance(value, dict):
            return _made(built[0], value, at)
    elif origin is list and isinstance(value, list):
        return [_made(parts[0], each, f"{at}[{i}]") for i, each in enumerate(value)]
    elif origin is tuple and isinstance(value, list) and len(value) == len(parts):
        pairs = zip(parts, value, strict=True)
        return tuple(_made(part, each, f"{at}[{i}]") for i, (part, each) in enumerate(pairs))
    elif origin is dict and isinstance(value, dict):
        return {key: _made(parts[1], each, f"{at}[...]") for key, each in value.items()}
    elif isinstance(kind, type) and origin is None:
        if kind is type(value):
            return value
        if hasattr(kind, "__dataclass_fields__") and isinstance(value, dict):
            return _built(kind, value, at)
    raise _misfit(f"Expected `{kind}`", at)


def _built(kind: type, value: dict[str, object], at: str) -> object:
    given = {}
    for name, part, needed in _fields(kind):
        if name in value:
            given[name] = _made(part, value[name], f"{at}.{name}")
        elif needed:
            raise _misfit(f"Object missing required field `{name}`", at)
    return kind(**given)


def _misfit(said: str, at: str) -> Misfit:
    return Misfit(said if at == "$" else f"{said} - at `{at}`")


@cache
def _fields(kind: type) -> tuple[tuple[str, object, bool], ...]:
    """The fields of a dataclass: name, type, and whether it has no default."""
    hints = get_type_hints(kind)
    return tuple(
        (each.name, hints[each.name], each.default is each.default_factory is MISSING)
        for each in fields(kind)
    )
