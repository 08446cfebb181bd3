"""The pages of the quick checks. The address holds the whole question; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import quote_plus

from flask import Blueprint, abort, render_template, request, url_for

from referee.games import GAMES
from referee.rulings import book
from referee.screens import quick_check, screen
from referee.screens.quick_check import Answer, Asked, Fault, Field, Question, Setting
from referee.web.http import language
from referee.web.http.language import gettext as _

bp = Blueprint("checks", __name__)


class Key(NamedTuple):
    text: str
    href: str


class Row(NamedTuple):
    """A field on the page; ``href`` turns the pad to it, ``back`` takes its last word away."""

    field: Field
    words: tuple[str, ...]
    href: str
    back: str
    fault: str


class Sheet(NamedTuple):
    """A question as the page shows it.

    ``said`` is its address, without what needs no mention: each key with its ``key=value``, encoded
    once, since the page of a hundred seats names the address five hundred times.
    """

    asked: Asked
    settings: tuple[Setting, ...]
    fields: tuple[Field, ...]
    at: Field
    said: Mapping[str, str]

    def address(self, **changes: str) -> str:
        """The address of the question with ``changes``."""
        said = {**self.said, **{key: _encoded(key, text) for key, text in changes.items()}}
        return f"{request.path}?{'&'.join(filter(None, said.values()))}"

    def addresses(self, key: str, texts: Iterable[str]) -> Iterator[str]:
        """The address of the question with each of ``texts`` in the field ``key``."""
        rest = self.address(**{key: "", "at": key})
        return (f"{rest}&{_encoded(key, text)}" for text in texts)


def _checks() -> dict[str, tuple[Question, ...]]:
    """The questions of every game that has some, in the order of the games."""
    return {game: screen(game).checks for game in GAMES if screen(game).checks}


@bp.get("/check")
def index() -> str:
    """The games, each with its questions."""
    return render_template(
        "check_index.html", checks=_checks(), books={g: book(g) for g in _checks()}
    )


@bp.get("/check/<game>")
def check(game: str) -> tuple[str, int]:
    """One question about ``game`` and, once everything is told, its answer."""
    questions = _checks().get(game)
    if not questions:
        abort(404)
    name = request.args.get("ask", questions[0].name)
    question = next((each for each in questions if each.name == name), None)
    if question is None:
        abort(404)
    sheet, faults = _read(game, question)
    answer: Answer = ()
    if not faults:
        try:
            answer = question.answer(sheet.asked)
        except Fault as fault:
            faults = {fault.key: str(fault)}
    page = render_template(
        "check.html",
        book=book(game),
        questions=[(each, url_for(".check", game=game, ask=each.name)) for each in questions],
        question=question,
        asked=sheet.asked,
        settings=sheet.settings,
        rows=[_row(sheet, field, faults.get(field.key, "")) for field in sheet.fields],
        at=sheet.at,
        keys=_keys(sheet),
        faults=faults,
        answer=answer,
        tapping="at" in request.args,
        address=sheet.address(),
        empty=url_for(".check", game=game, ask=question.name, n=len(sheet.asked.seats)),
    )
    return page, 400 if faults else 200


def _read(game: str, question: Question) -> tuple[Sheet, dict[str, str]]:
    """The address of this request, and what is wrong with it by field or setting."""
    faults: dict[str, str] = {}
    n = _seats(question, faults)
    asked = Asked(game, quick_check.seat_names(n), {})
    settings = (*(_option(game, key) for key in question.options), *question.settings(asked))
    chosen = {}
    for setting in settings:
        value = request.args.get(setting.key, setting.choices[0][0])
        if value not in dict(setting.choices):
            faults[setting.key] = _("「%(value)s」は選べません。", value=value[:40])
            value = setting.choices[0][0]
        chosen[setting.key] = value
    asked = Asked(game, asked.seats, chosen)
    fields = question.fields(asked)
    texts = {}
    for field in fields:
        typed = request.args.get(field.key, "")
        if len(typed) > quick_check.TEXT_LENGTH:
            most = quick_check.TEXT_LENGTH
            faults[field.key] = _("長すぎます。%(most)s 文字までです。", most=most)
        texts[field.key] = field.read(typed)
    asked = Asked(game, asked.seats, chosen, texts)
    said = _said(question, asked, settings)
    return Sheet(asked, settings, fields, _turned_to(fields, texts), said), faults


def _seats(question: Question, faults: dict[str, str]) -> int:
    usual = 5 if 5 in question.seats and len(question.seats) > 6 else question.seats[0]
    told = request.args.get("n", str(usual))
    if told.isascii() and told.isdigit() and len(told) < 4 and int(told) in question.seats:
        return int(told)
    if len(question.seats) == 1:
        return usual
    few, many = question.seats[0], question.seats[-1]
    faults["n"] = _("このゲームは %(few)s 人から %(many)s 人までです。", few=few, many=many)
    return usual


def _option(game: str, key: str) -> Setting:
    """A house rule from the ruling book."""
    option, tongue = book(game).option(key), language.current()
    choices = tuple((choice.value, choice.text.in_(tongue)) for choice in option.choices)
    return Setting(key, option.title.in_(tongue), choices)


def _turned_to(fields: tuple[Field, ...], texts: Mapping[str, str]) -> Field:
    """The field that taps fill: the one that the address names, while there is room in it."""
    named = request.args.get("at", "")
    i = next((i for i, field in enumerate(fields) if field.key == named), 0)
    for field in (*fields[i:], *fields[:i]):
        if len(texts[field.key].split()) < field.most:
            return field
    return fields[i]


def _keys(sheet: Sheet) -> list[Key]:
    """The pad: each key leads to the same question with one word more."""
    at = sheet.at
    texts = sheet.asked.texts
    text = texts[at.key]
    if len(text.split()) >= at.most:
        return []
    told = [word for field in sheet.fields if field.single for word in texts[field.key].split()]
    gone = at.single.intersection(told)
    left = [word for word in at.keys if word not in gone]
    more = sheet.addresses(at.key, (f"{text} {word}".strip() for word in left))
    return [Key(word, address) for word, address in zip(left, more, strict=True)]


def _row(sheet: Sheet, field: Field, fault: str) -> Row:
    words = tuple(sheet.asked.texts[field.key].split())
    back = sheet.address(**{field.key: " ".join(words[:-1]), "at": field.key})
    return Row(field, words, sheet.address(at=field.key), back, fault)


def _said(question: Question, asked: Asked, settings: tuple[Setting, ...]) -> dict[str, str]:
    said = {"ask": question.name}
    if len(question.seats) > 1:
        said["n"] = str(len(asked.seats))
    usual = {setting.key: setting.choices[0][0] for setting in settings}
    said |= {key: value for key, value in asked.chosen.items() if value != usual[key]}
    said |= asked.texts
    return {key: _encoded(key, text) for key, text in said.items()}


def _encoded(key: str, text: str) -> str:
    return f"{quote_plus(key)}={quote_plus(text)}" if text else ""
