"""How numbers are written for people, on screen and in sentences."""

from __future__ import annotations


def written(number: float, form: str = "") -> str:
    """``number`` with the minus sign "−", which is as wide as "+" and never ends a line.

    ``form``: a format of Python, such as "+d" or ".1f". Records, JSON and CSV keep the hyphen.
    """
    return format(number, form).replace("-", "−")
