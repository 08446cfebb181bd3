"""Help and usage errors of the commands in Japanese, for a Japanese locale."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable
from copy import copy
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeVar

import click
from click.formatting import wrap_text

from referee.upkeep.language import columns, speaks_only_japanese

CATALOGUES = Path(__file__).parents[1] / "translations"
DOMAIN = "commands"
HELP_COLUMNS, OPTION_COLUMNS = 76, 44  # what click uses of a line of 80 columns
Spoken = TypeVar("Spoken", bound=click.Command)
UNBROKEN = re.compile(r"(?:[!-~]+ ?|.)[、。：）」]*")


MISSING = "Missing argument"
"""Click's own message, whose Japanese ends before the name of what is missing."""

PLACEHOLDERS = {
    "ADDRESS": "アドレス",
    "ADDRESSES": "アドレス",
    "CIRCLE": "サークル",
    "FILE": "ファイル",
    "FILES": "ファイル",
    "FLOAT RANGE": "数",
    "FOLDER": "フォルダー",
    "FOLDER|ADDRESS": "フォルダー|アドレス",
    "GAME": "ゲーム",
    "HOURS": "時間",
    "INTEGER": "整数",
    "INTEGER RANGE": "整数",
    "KEY=VALUE": "キー=値",
    "MATCH": "ゲーム",
    "PATH": "パス",
    "TEXT": "文字列",
}
"""Japanese words for the placeholders of values in the help."""


class JapaneseHelp(click.HelpFormatter):
    """A click formatter for Japanese: full-width colons, and two columns for a kanji."""

    def write_heading(self, heading: str) -> None:
        """The heading of a list of options or commands."""
        self.write(f"{'':>{self.current_indent}}{heading}：\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Options or commands and their descriptions, in two columns."""
        rows = list(rows)
        wide = min(max(columns(first) for first, _ in rows), col_max) + col_spacing
        margin = " " * (self.current_indent + wide)
        for first, second in rows:
            text = wrap_text(second, max(self.width - len(margin), 10), preserve_paragraphs=True)
            gap = " " * (wide - columns(first))
            between = gap if len(gap) >= col_spacing else f"\n{margin}"
            said = f"\n{margin}".join(text.splitlines())
            self.write(f"{' ' * self.current_indent}{first}{between}{said}\n")


class JapaneseContext(click.Context):
    """The click context of commands with Japanese help."""

    formatter_class = JapaneseHelp


class LocalGroup(click.Group):
    """A group whose help is Japanese in a Japanese locale; its texts in the code are English."""

    def main(self, *args: Any, **settings: Any) -> Any:
        if not speaks_only_japanese():
            gettext.textdomain("messages")  # Python's own domain, if nothing else is bound
            return super().main(*args, **settings)
        # click translates its own sentences with the gettext domain of the process
        gettext.bindtextdomain(DOMAIN, str(CATALOGUES))
        gettext.textdomain(DOMAIN)
        return super(LocalGroup, in_japanese(self)).main(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; in Japanese what is missing is named as the help names it."""
        try:
            return super().invoke(ctx)
        except click.MissingParameter as fault:
            if not isinstance(ctx, JapaneseContext) or fault.param is None:
                raise
            named = fault.param.get_error_hint(fault.ctx or ctx).strip("'")
            raise click.UsageError(f"{_japanese(MISSING)}：{named}", fault.ctx) from fault


def in_japanese(command: Spoken) -> Spoken:
    """A copy of ``command``, and of the commands below it, whose help is in Japanese."""
    spoken = copy(command)
    spoken._help_option = None  # click caches it in the language of its first use
    if command.help:
        text = _japanese(cleandoc(command.help))
        spoken.help = _wrapped(text, HELP_COLUMNS)
        spoken.short_help = text.partition("\n")[0]
    spoken.params = [_param(param) for param in command.params]
    spoken.context_class = JapaneseContext
    spoken.options_metavar = "[オプション]"
    if isinstance(spoken, click.Group):
        spoken.subcommand_metavar = "コマンド [引数]..."
        spoken.commands = {name: in_japanese(each) for name, each in spoken.commands.items()}
    return spoken


def _param(param: click.Parameter) -> click.Parameter:
    spoken = copy(param)
    if isinstance(spoken, click.Argument):
        word = PLACEHOLDERS[str(spoken.name).upper()]
        spoken.metavar = (word if spoken.required else f"[{word}]") + "..." * (spoken.nargs != 1)
    elif not isinstance(spoken.type, click.Choice):
        spoken.metavar = PLACEHOLDERS.get(spoken.metavar or spoken.type.name.upper())
    if isinstance(spoken, click.Option) and spoken.help:
        spoken.help = _wrapped(_japanese(spoken.help), OPTION_COLUMNS)
    return spoken


def _japanese(english: str) -> str:
    return gettext.translation(DOMAIN, CATALOGUES, ["ja"]).gettext(english)


def _wrapped(text: str, most: int) -> str:
    """``text`` in lines of at most ``most`` columns, marked so that click does not wrap it
    again.
    """
    paragraphs = (_lines(each, most) for each in text.split("\n\n"))
    return "\n\n".join("\n".join(["\b", *lines]) for lines in paragraphs)


def _lines(paragraph: str, most: int) -> list[str]:
    lines = [""]
    for piece in UNBROKEN.findall(paragraph):
        if columns(lines[-1] + piece.rstrip()) > most:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]
