"""The help and the usage errors of commands in Japanese, for a Japanese locale."""

from __future__ import annotations

import gettext
import re
from copy import copy
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeVar

import click

from referee.upkeep.language import columns, speaks_only_japanese

CATALOGUES = Path(__file__).parents[1] / "translations"
DOMAIN = "commands"
HELP_COLUMNS, OPTION_COLUMNS = 76, 44  # what click leaves of a line of 80
Spoken = TypeVar("Spoken", bound=click.Command)
UNBROKEN = re.compile(r"(?:[!-~]+ ?|.)[、。：）」]*")


class LocalGroup(click.Group):
    """A group whose help is in Japanese where the locale is; its texts in the code are English."""

    def main(self, *args: Any, **settings: Any) -> Any:
        if not speaks_only_japanese():
            gettext.textdomain("messages")  # that of Python, where nothing is bound
            return super().main(*args, **settings)
        # click asks gettext of the process for its own sentences.
        gettext.bindtextdomain(DOMAIN, str(CATALOGUES))
        gettext.textdomain(DOMAIN)
        return super(LocalGroup, in_japanese(self)).main(*args, **settings)


def in_japanese(command: Spoken) -> Spoken:
    """A copy of ``command``, and of the commands below it, whose help is in Japanese."""
    spoken = copy(command)
    spoken._help_option = None  # click keeps it in the language of its first use
    if command.help:
        text = _japanese(cleandoc(command.help))
        spoken.help = _wrapped(text, HELP_COLUMNS)
        spoken.short_help = text.partition("\n")[0]
    spoken.params = [_option(param) for param in command.params]
    if isinstance(spoken, click.Group):
        spoken.commands = {name: in_japanese(each) for name, each in spoken.commands.items()}
    return spoken


def _option(param: click.Parameter) -> click.Parameter:
    spoken = copy(param)
    if isinstance(spoken, click.Option) and spoken.help:
        spoken.help = _wrapped(_japanese(spoken.help), OPTION_COLUMNS)
    return spoken


def _japanese(english: str) -> str:
    return gettext.translation(DOMAIN, CATALOGUES, ["ja"]).gettext(english)


def _wrapped(text: str, most: int) -> str:
    """``text`` in lines of at most ``most`` columns, marked so that click leaves them alone."""
    paragraphs = (_lines(each, most) for each in text.split("\n\n"))
    return "\n\n".join("\n".join(["\b", *lines]) for lines in paragraphs)


def _lines(paragraph: str, most: int) -> list[str]:
    lines = [""]
    for piece in UNBROKEN.findall(paragraph):
        if columns(lines[-1] + piece.rstrip()) > most:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]
