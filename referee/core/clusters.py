"""What people see as one character: an emoji of a family, a flag, a letter with its marks.

The extended grapheme clusters of Unicode Standard Annex 29, as far as names need them. The standard
library does not have them, and a package of every rule would be larger than this program.
"""

from __future__ import annotations

import re
import unicodedata

EMOJI = "\u2190-\u27ff\u2900-\u2bff\U0001f000-\U0001faff"  # without the Braille patterns
JOINED = re.compile(
    f"((?<=[{EMOJI}\ufe0f])\u200d(?=[{EMOJI}])"  # a family, a profession
    "|\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]+\U000e007f)"  # the flag of a region
)
"""The characters that nobody sees alone, but that make one emoji of several characters."""
_EMOJI = re.compile(f"[{EMOJI}]")
_FLAG = "[\U0001f1e6-\U0001f1ff]"  # two letters of a country
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\u200d]")
_PAIR = re.compile(_FLAG + "{2}")


def clusters(text: str) -> list[str]:
    """``text`` in pieces that nobody would cut."""
    found: list[str] = []
    for sign in text:
        last = found[-1] if found else ""
        pair = bool(_PAIR.fullmatch(last[-1:] + sign)) and len(last) == 1
        joined = last.endswith("\u200d") and _EMOJI.match(sign)
        if last and (pair or joined or _extends(sign)):
            found[-1] = last + sign
        else:
            found.append(sign)
    return found


def _extends(sign: str) -> bool:
    """Whether ``sign`` belongs to the character before it."""
    return unicodedata.category(sign) in ("Mn", "Me", "Mc") or bool(_SKIN.match(sign))


def cut(text: str, most: int) -> str:
    """The beginning of ``text`` of at most ``most`` code points, in whole characters."""
    if len(text) <= most:
        return text
    kept = ""
    for piece in clusters(text[: most + 1]):
        if len(kept + piece) > most:
            break
        kept += piece
    return kept
