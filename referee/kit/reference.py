"""The reference of game files, for the pages, ``referee game docs`` and the tutorial."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from referee.core.book import Text


class ReferenceRow(NamedTuple):
    """Something that can be written in a game file, and its meaning."""

    code: str
    text: Text


class ReferencePart(NamedTuple):
    """A part of the reference; ``heads``: the column headings of the meanings, and of what is
    written.
    """

    id: str
    title: Text
    lead: Text
    heads: tuple[Text, Text]
    rows: tuple[ReferenceRow, ...]


@lru_cache(maxsize=1)
def reference() -> tuple[ReferencePart, ...]:
    """The reference, from the ladders to the limits."""
    source = Path(__file__).with_name("reference.toml").read_text(encoding="utf-8")
    return tuple(
        ReferencePart(
            part["id"],
            Text(**part["title"]),
            Text(**part["lead"]),
            (Text(**part["heads"][0]), Text(**part["heads"][1])),
            tuple(ReferenceRow(row["code"], Text(row["ja"], row["en"])) for row in part["rows"]),
        )
        for part in tomllib.loads(source)["sections"]
    )


def markdown(lang: str) -> str:
    """The reference as Markdown, for the tutorial."""
    return "\n".join(line for part in reference() for line in _part(part, lang))


def _part(part: ReferencePart, lang: str) -> list[str]:
    meaning, written = (head.in_(lang) for head in part.heads)
    return [
        f"## {part.title.in_(lang)}",
        "",
        part.lead.in_(lang),
        "",
        f"| {written} | {meaning} |",
        "|---|---|",
        *(f"| `{row.code}` | {row.text.in_(lang)} |" for row in part.rows),
        "",
    ]
