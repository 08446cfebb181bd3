"""Strict parsing of forms; anything unexpected raises ``BadForm``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from flask import request

from referee.core.clusters import cut
from referee.core.game import TABLE
from referee.core.naming import NAME_LENGTH, clean_name, skeleton
from referee.core.record import Unreadable, normal
from referee.core.verdict import Seat
from referee.http import language
from referee.http.language import gettext as _
from referee.rulings import COMMON, book

LINE_LENGTH = 2000
MOST_NAMES = 200  # in a form; the largest tables have 100 seats
LINES = 60  # plays that one tap can record, at most
_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
_BETWEEN = re.compile(r"[\s,、，・]+")  # separators of cards in a typed hand
_NUMBER = re.compile(r"[0-9]{1,9}")
_SIGNS = str.maketrans({"−": "-", "+": None})


class BadForm(Exception):
    """What is wrong with a form, in the language of the person."""


class Declared(NamedTuple):
    """The entries in a form, as lines of the record. ``seen``: the last entry on its page.

    ``key``: see ``key()``. ``overrule``: record the entry although it is illegal.
    ``undeclared``: the tapped key showed no declaration, so its player has declared nothing about
    the hand.
    """

    lines: tuple[str, ...]
    seen: int
    key: str
    overrule: bool
    undeclared: bool


def number(name: str) -> int | None:
    """The number in a parameter of the address; None if it is missing or out of range."""
    return digits(request.args.get(name, ""))


def digits(text: str) -> int | None:
    """The number that ``text`` is, of nine digits at most; None if it is none."""
    return int(text) if _NUMBER.fullmatch(text) else None


def points(text: str) -> str:
    """Typed points as the record writes them: half-width, with a hyphen as minus and no plus."""
    return normal(text).translate(_SIGNS).strip()


def skipped() -> int:
    """The parameter ``skip``: how many items of a list to skip."""
    return number("skip") or 0


def declared() -> Declared:
    """The entries in this request; raises ``BadForm``.

    A typed field completes each line: ``rank`` has cards with any separators, ``rest`` has words as
    in the record.
    """
    # its own ``get`` raises an exception for every missing field, which is slow
    form = request.form.to_dict()
    lines = lines_in(form)
    overrule, undeclared = (form.get(name) == "1" for name in ("overrule", "undeclared"))
    return Declared(tuple(lines), seen(), key(), overrule, undeclared)


def lines_in(form: Mapping[str, str]) -> list[str]:
    """The lines of the entries in ``form``, with what was typed; raises ``BadForm``."""
    lines = form.get("line", "").splitlines()
    rank = _BETWEEN.sub(" ", form.get("rank", "")).strip()
    rest = rank or form.get("rest", "").strip()
    if rest:
        lines = [f"{line} {rest}" for line in lines]
    if not lines or len(lines) > LINES or max(map(len, lines)) > LINE_LENGTH:
        raise BadForm(_("何も送られていません。卓に戻って、もう一度タップしてください。"))
    return lines


def seen() -> int:
    """The number of the last entry that the page has shown (0: none); raises ``BadForm``."""
    found = digits(request.form.get("seen", ""))
    if found is None:
        raise BadForm(_("画面の情報が足りません。卓を開き直してください。"))
    return found


def key() -> str:
    """The idempotency key of the form, equal in repeated requests; raises ``BadForm``."""
    text = request.form.get("key", "")
    if not _KEY.fullmatch(text):
        raise BadForm(_("この画面は古くなりました。卓を開き直してください。"))
    return text


def sentence(fault: Unreadable) -> str:
    """What is wrong with a line, in the language of the person."""
    return book(fault.game or COMMON).says(fault.fact, fault.values, language.current())


def clean_note(text: str, most: int) -> str:
    """``text`` without control characters; raises ``BadForm`` above ``most`` characters."""
    text = "\n".join(text.splitlines()).strip()
    text = "".join(c for c in text if c == "\n" or unicodedata.category(c) not in ("Cc", "Cs"))
    if len(text) > most:
        raise BadForm(
            _("%(most)s文字までです。いまは%(count)s文字あります。", most=most, count=len(text))
        )
    return text


def names(texts: Iterable[str]) -> tuple[Seat, ...]:
    """The names in ``texts``, cleaned, without empty ones; raises ``BadForm``.

    They are different, no more than ``MOST_NAMES``, and none is too long or the word for the table
    in a record.
    """
    found: list[Seat] = []
    for text in texts:
        name = clean_name(text)
        if text.strip() and not skeleton(name):
            raise BadForm(_("見える文字のない名前は使えません。別の名前を入れてください。"))
        if not name:
            continue
        if len(found) == MOST_NAMES:
            raise BadForm(_("名前は%(most)s人までです。", most=MOST_NAMES))
        if len(name) > NAME_LENGTH:
            raise BadForm(
                _("名前は%(most)s文字までです：%(name)s…", most=NAME_LENGTH, name=cut(name, 12))
            )
        if name == TABLE:
            raise BadForm(_("「%(name)s」は名前に使えません。", name=name))
        if skeleton(name) in map(skeleton, found):
            raise BadForm(_("「%(name)s」が2人います。名前を変えて区別してください。", name=name))
        found.append(name)
    return tuple(found)
