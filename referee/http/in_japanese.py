"""Japanese on English pages is marked as Japanese, so that it is drawn and read aloud as such.

Names of players, kanji of a deck and words of the sources stand in texts of every template. One
place marks them all, after a page has been made.
"""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Template

from referee.http import language

WRITTEN = "々\u3041-\u30fa\u30fc\u3400-\u9fff"
RUN = re.compile(rf"[{WRITTEN}](?:[{WRITTEN}・、。「」（）]*[{WRITTEN}])?")
TEXT = re.compile(
    rf"<(/?[a-z][a-z0-9]*+)([^<>]*+)>([^<{WRITTEN}]*+[{WRITTEN}][^<]*+)(?=<(/?[a-z][a-z0-9]*+))"
)
PLAIN = frozenset(("title", "option", "textarea", "script", "style"))
"""Elements that hold text alone."""
DRAWN = frozenset(("text", "tspan", "desc", "/tspan"))
"""Tags of pictures before a text, in which no element of a page may stand."""


class MarkedTemplate(Template):
    """A template whose result is marked where the person reads English."""

    def render(self, *args: Any, **context: Any) -> str:
        made = super().render(*args, **context)
        return made if language.current() == "ja" else marked(made)


def marked(html: str) -> str:
    """``html`` of an English page with ``lang="ja"`` at each text that is Japanese.

    The element has it where all of its text is Japanese, otherwise a ``bdi`` around the words: no
    style sheet draws one as a box. Marking twice changes nothing.
    """
    return TEXT.sub(_marked, html)


def _marked(found: re.Match[str]) -> str:
    tag, attributes, text, after = found.groups()
    whole = RUN.fullmatch(text.strip())
    if "lang=" in attributes or tag in ("script", "style"):
        return found[0]
    if whole and after == f"/{tag}":
        return f'<{tag}{attributes} lang="ja">{text}'
    if tag in PLAIN or tag in DRAWN:
        return found[0]
    return f"<{tag}{attributes}>" + RUN.sub(r'<bdi lang="ja">\g<0></bdi>', text)
