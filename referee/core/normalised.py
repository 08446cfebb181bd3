"""Unicode normal forms of texts that strangers send."""

from __future__ import annotations

import unicodedata
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["NFC", "NFKC"]

SHORT = 200
"""Characters that are normalised without a look at them."""
MOST_MARKS = 30
"""Marks on one character, as in the Stream-Safe Text Format (Unicode Standard Annex 15)."""


def normalised(text: str, form: Form = "NFKC") -> str:
    """``text`` in a normal form; of more than ``MOST_MARKS`` marks on a character the first ones.

    The standard library sorts them in a time that grows with the square of their number, and no
    other thread runs meanwhile: 64 kB of marks would stop the server for five seconds.
    """
    if text.isascii():
        return text
    return unicodedata.normalize(form, text if len(text) <= SHORT else _with_few_marks(text))


def compared(name: str) -> str:
    """``name`` of a game or a person as it is compared: width, case and blanks do not count."""
    return " ".join(normalised(normalised(name).casefold()).split())


def _with_few_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for sign in text:
        parts = unicodedata.normalize("NFKD", sign) if sign > "\x7f" else sign
        marks = marks + len(parts) if unicodedata.combining(parts[0]) else 0
        if marks <= MOST_MARKS:
            kept.append(sign)
    return "".join(kept)
