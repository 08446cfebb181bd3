"""White space of templates: they are indented to be read, and pages have none of it.

The rule is that of JSX. White space with a line break in it is nothing beside a tag, an expression
or a statement; between two words it is a space. Where a page needs a space at the end of a line,
``{{ " " }}`` writes it. In a tag, a line break is a space before the next attribute or word.

One line break stays before the tag of an element that begins a line of the page anyway: what a
phone keeps of a fragment is counted in lines, see delta.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import TOKEN_DATA, TOKEN_VARIABLE_BEGIN, Token, TokenStream

SIGN = re.compile(r"""[<>"']|\n\s*""")
BEGINS_A_LINE = re.compile(
    r"<(?:article|aside|details|div|dl|fieldset|figure|footer|form|h[1-6]|header|li|main|nav|ol"
    r"|p|button|section|table|tr|ul)\b"
)
TEXT, TAG = "", "<"
"""Places in a template; a third one is an attribute, whose place is its quote."""


class WhiteSpace(Extension):
    """Leaves the white space out once, when a template is compiled: see the module's docstring."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        place = TEXT
        for token in stream:
            if token.type == TOKEN_DATA:
                before_word = stream.current.type == TOKEN_VARIABLE_BEGIN
                data, place = _short(token.value, place, before_word=before_word)
                if data:
                    yield Token(token.lineno, TOKEN_DATA, data)
            else:
                yield token


def _short(data: str, place: str, *, before_word: bool) -> tuple[str, str]:
    """``data``, which begins at ``place``, without its indentation, and the place where it ends.

    ``before_word``: an expression follows.
    """
    parts, at = list[str](), 0
    for sign in SIGN.finditer(data):
        parts.append(data[at : sign.start()])
        at = sign.end()
        if sign[0].startswith("\n"):
            parts.append(_break(data, sign, place, before_word=before_word))
        else:
            parts.append(sign[0])
            place = _after(sign[0], place)
    return "".join((*parts, data[at:])), place


def _break(data: str, sign: re.Match[str], place: str, *, before_word: bool) -> str:
    """What the page has for the line break ``sign`` in ``data``."""
    after = data[sign.end() : sign.end() + 1]
    if place != TEXT:
        ends = after in (("", ">", "/") if place == TAG else ("", place))
        return " " if (before_word and not after) or not ends else ""
    if BEGINS_A_LINE.match(data, sign.end()):
        return "\n"
    words = sign.start() > 0 and data[sign.start() - 1] != ">" and after not in ("", "<")
    return " " if words else ""


def _after(sign: str, place: str) -> str:
    """The place after ``sign``: an angle bracket or a quote."""
    if place == TEXT:
        return TAG if sign == "<" else TEXT
    if place == TAG:
        return TEXT if sign == ">" else TAG if sign == "<" else sign
    return TAG if sign == place else place
