"""Points as people write them, whole or exact decimals, and how numbers stand on screen."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TypeAlias

Points: TypeAlias = int | Decimal
"""A whole number is an ``int``. A float never is one: 0.1 + 0.2 must be 0.3."""

TENTH, HUNDREDTH = Decimal("0.1"), Decimal("0.01")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,2})?")


def points_of(text: str) -> Points:
    """The points that ``text`` stands for, such as ``-3`` or ``7.5``; else raises ValueError."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return plain(Decimal(text)) if "." in text else int(text)


def plain(points: Points) -> Points:
    """``points`` without needless digits: a whole number is an ``int``."""
    if isinstance(points, int):
        return points
    tenths = points.quantize(TENTH)
    if tenths == points:
        return int(points) if points == points.to_integral_value() else tenths
    return points.quantize(HUNDREDTH)


def points_text(points: Points) -> str:
    """``points`` as a record has them."""
    exact = plain(points)
    return str(exact) if isinstance(exact, int) else format(exact, "f")


def as_json(points: Points) -> int | float:
    """``points`` as JSON writes them: ``7``, ``7.5``.

    The shortest decimal that stands for the float is the exact one, up to 15 digits.
    """
    exact = plain(points)
    return exact if isinstance(exact, int) else float(exact)


def whole(points: Points) -> int:
    """``points`` in a game whose points are whole numbers."""
    assert isinstance(points, int)
    return points


def written(number: float | Decimal, form: str = "") -> str:
    """``number`` with the minus sign "−", which is as wide as "+" and never ends a line.

    ``form``: a format of Python, such as "+d" or ".1f". Records, JSON and CSV keep the hyphen.
    """
    return format(number, form).replace("-", "−")
