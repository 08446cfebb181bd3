"""The page on which words are looked up: what the list says, and what people have agreed on."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from flask import Blueprint, Response, render_template, request, url_for

from referee.core.normalised import normalised
from referee.core.verdict import Seat
from referee.headers import header_of
from referee.http import access, forms, htmx, language, shelf
from referee.http.current import ledger
from referee.http.language import gettext as _
from referee.http.local_time import local_time
from referee.jukugo import library
from referee.jukugo.words import SOURCES, TIERS, Strictness, WordEntry, clean_form
from referee.store.shelf import WordAgreement

bp = Blueprint("words", __name__)

MOST = 6  # words per query
FOUND = 24  # words shown for one reading
QUESTION = 60  # characters
COUNTS = {"yes": True, "no": False, "dictionary": None}
_TO_HIRAGANA = {ord("ァ") + i: ord("ぁ") + i for i in range(ord("ヶ") - ord("ァ") + 1)}
_KANA = re.compile(r"[ぁ-ゖー]{2,}")


class Looked(NamedTuple):
    """A word and all that is known about it; ``agreed``: agreements, the newest first."""

    form: str
    entry: WordEntry | None
    agreed: tuple[WordAgreement, ...]

    @property
    def held(self) -> bool | None:
        """Whether people have agreed that it counts; None if the list decides."""
        return self.agreed[0].counts if self.agreed else None

    @property
    def counts(self) -> bool:
        """Whether it counts at a table with default rules."""
        return self.admitted(Strictness()) if self.held is None else self.held

    def admitted(self, strictness: Strictness) -> bool:
        """Whether it counts by the list alone."""
        return self.entry is not None and strictness.admits(self.entry)


@bp.get("/words")
def look_up() -> str:
    """Page of the words in ``?q=``; without it, of the agreements."""
    question = request.args.get("q", "").strip()[:QUESTION]
    asked = [clean_form(part) for part in re.split(r"[\s・、,]+", question)][:MOST]
    looked = [_looked(form) for form in dict.fromkeys(filter(None, asked))]
    return render_template(
        "library/words.html",
        question=question,
        looked=looked,
        read_so=_read_so(question),
        agreed=[] if question else list(shelf.agreed().values()),
        tiers=TIERS,
        sources=SOURCES,
        strictness=Strictness,
        marks=_marks(),
        edition=library.NEWEST,
        size=len(library.word_list()),
        parts=_parts,
    )


@bp.post("/words")
def agree() -> Response:
    """Store an agreement about a word."""
    form, said = clean_form(request.form.get("form", "")), request.form.get("counts", "")
    if not form:
        raise forms.BadForm(_("2字か3字の漢字で入力してください。「々」は先頭に置けません。"))
    if said not in COUNTS:
        raise forms.BadForm(_("使えるか使えないかを、もう一度選んでください。"))
    if COUNTS[said] is not _looked(form).held:
        shelf.shelf().agree(form, COUNTS[said], access.own_circle())
    return htmx.go_to(url_for(".look_up", q=form))


@bp.app_template_filter()
def people(match: str) -> tuple[Seat, ...]:
    """The seats of the table of ``match``."""
    return header_of(ledger().store, match).seats


@bp.app_template_filter()
def full_date(at: str) -> str:
    """The day of ``at`` (ISO 8601) with its year, in local time."""
    return language.full_date(local_time(at))


def _looked(form: str) -> Looked:
    return Looked(form, library.word_list().entry(form), tuple(shelf.agreements(form)))


def _parts(form: str) -> list[Looked]:
    """The words of two kanji in a form of three that count (see ``Looked``)."""
    if len(form) < 3:
        return []
    found = [_looked(clean_form(a + b)) for a, b in pairwise(form)]
    return [looked for looked in found if looked.counts]


def _read_so(question: str) -> list[WordEntry]:
    """The words with this reading, if ``question`` is written in kana."""
    reading = normalised(question).translate(_TO_HIRAGANA)
    if not _KANA.fullmatch(reading):
        return []
    return library.word_list().read_as(reading)[:FOUND]


def _marks() -> dict[str, str]:
    """The meanings of the marks of an entry."""
    return {
        "w": _("このゲームのルールに出てくる語"),
        "c": _("よく使われる語"),
        "a": _("古い語、まれな語"),
        "i": _("特殊な表記"),
        "p": _("UniDic・IPADICでは名前など、普通名詞でない語"),
        "r": _("同じ字の繰り返しを「々」で書いた形"),
    }
