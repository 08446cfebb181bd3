"""Which sentences this phone reads aloud, and how fast; stored in one of its cookies."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from flask import request

COOKIE = "voice"
RATES = ("slow", "fast")
ON = "on"


class SentenceKind(StrEnum):
    """A kind of sentences, in the order in which they are read."""

    FOUL = "foul"
    REFUSED = "refused"
    TRICK = "trick"
    POINTS = "points"
    CLOCK = "clock"
    TURN = "turn"


class Voice(NamedTuple):
    """``on``: whether the phone reads aloud at all. ``rate``: one of ``RATES``, "" for neither."""

    on: bool
    kinds: tuple[SentenceKind, ...]
    rate: str = ""

    def text(self) -> str:
        """The value of the cookie."""
        return "-".join(filter(None, (ON * self.on, *self.kinds, self.rate)))


UNCHANGED = Voice(False, tuple(kind for kind in SentenceKind if kind is not SentenceKind.TURN))
"""Of a phone that has chosen nothing; whose turn it is would be said all the time."""


def chosen() -> Voice:
    """The setting of this phone."""
    if COOKIE not in request.cookies:
        return UNCHANGED
    words = request.cookies[COOKIE].split("-")
    rate = next((rate for rate in RATES if rate in words), "")
    return Voice(ON in words, tuple(kind for kind in SentenceKind if kind in words), rate)


def heard() -> Voice | None:
    """The setting of this phone if it reads aloud, for pages that have something to say."""
    voice = chosen()
    return voice if voice.on else None
