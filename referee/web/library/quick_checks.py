"""Pages of the quick checks. The address contains the whole question; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import quote_plus

from flask import Blueprint, abort, render_template, request, url_for

from referee.core.game import clash
from referee.core.situation import ImpossibleSituation
from referee.games import GAMES
from referee.http import current, forms, language
from referee.http.current import BOOKS
from referee.http.language import gettext as _
from referee.http.shelf import has_game
from referee.kit import shipped
from referee.screens import quick_check, screen
from referee.screens.quick_check import (
    CheckAnswers,
    CheckFault,
    CheckField,
    CheckInput,
    CheckSetting,
    QuickCheck,
)

bp = Blueprint("checks", __name__)


MOST_TAPS = 40  # in one address: nobody taps more often while a page loads


class CheckKey(NamedTuple):
    """A key of the pad, and the address to which it leads."""

    text: str
    href: str


class CheckRow(NamedTuple):
    """A field on the page. ``href`` selects it for the pad, ``back`` removes its last word."""

    field: CheckField
    words: tuple[str, ...]
    href: str
    back: str
    fault: str


class CheckPage(NamedTuple):
    """A quick check as the page shows it.

    ``at``: the field that taps fill. ``keys``: the words that its pad offers. ``said``: parameter →
    its encoded part of the address, without defaults. It is encoded once, since the page of a
    hundred seats contains the address five hundred times.
    """

    entered: CheckInput
    settings: tuple[CheckSetting, ...]
    fields: tuple[CheckField, ...]
    at: CheckField
    keys: tuple[str, ...]
    said: Mapping[str, str]

    def address(self, **changes: str) -> str:
        """The address of the question with ``changes``."""
        said = {**self.said, **{key: _encoded(key, text) for key, text in changes.items()}}
        return f"{request.path}?{'&'.join(filter(None, said.values()))}"

    def addresses(self, key: str, texts: Iterable[str]) -> Iterator[str]:
        """The address of the question with each of ``texts`` in the field ``key``."""
        rest = self.address(**{key: "", "at": key})
        return (f"{rest}&{_encoded(key, text)}" for text in texts)


@bp.get("/check")
def index() -> str:
    """Page of the games that have quick checks, each with its questions."""
    games = (*GAMES, *shipped.games())
    checks = {game: screen(game).checks for game in games if screen(game).checks}
    return render_template(
        "library/check_index.html", checks=checks, books={g: BOOKS[g] for g in checks}
    )


@bp.get("/check/<game>")
def check(game: str) -> tuple[str, int]:
    """Page of one question about ``game`` with, once everything is entered, its answer."""
    checks = screen(game).checks if has_game(game) else ()
    if not checks:
        abort(404)
    name = request.args.get("ask", checks[0].name)
    question = next((each for each in checks if each.name == name), None) or abort(404)
    page, faults = _read(game, question)
    answer: CheckAnswers = ()
    if not faults:
        try:
            answer = question.answer(page.entered)
        except ImpossibleSituation as impossible:
            faults = {impossible.field: quick_check.refusal(game, impossible)}
        except CheckFault as fault:
            faults = {fault.key: str(fault)}
    html = render_template(
        "library/check.html",
        book=BOOKS[game],
        questions=[(each, url_for(".check", game=game, ask=each.name)) for each in checks],
        question=question,
        asked=page.entered,
        settings=page.settings,
        varied=any(
            page.entered.chosen[setting.key] != setting.choices[0][0]
            for setting in page.settings
            if setting.key in question.options
        ),
        rows=[_row(page, field, faults.get(field.key, "")) for field in page.fields],
        at=page.at,
        keys=_keys(page),
        faults=faults,
        answer=answer,
        tapping="at" in request.args,
        address=page.address(),
        empty=url_for(".check", game=game, ask=question.name, n=len(page.entered.seats)),
    )
    return html, 400 if faults else 200


def _read(game: str, question: QuickCheck) -> tuple[CheckPage, dict[str, str]]:
    """The question in the address of this request, and its faults by field or setting."""
    faults: dict[str, str] = {}
    n = _seats(question, faults)
    options = tuple(_option(game, key) for key in question.options)
    chosen = _chosen(options, faults)
    if pair := clash(chosen, current.game(game).OPTIONS):
        faults[pair[0]] = _("ほかの選択と同時には選べません。")
        chosen = {setting.key: setting.choices[0][0] for setting in options}
    seats = quick_check.seat_names(n)
    others = question.settings(CheckInput(game, seats, chosen))
    settings = (*others, *options)
    chosen |= _chosen(others, faults)
    entered = CheckInput(game, seats, chosen)
    fields = question.fields(entered)
    texts = {}
    for field in fields:
        typed = request.args.get(field.key, "")
        if len(typed) > quick_check.TEXT_LENGTH:
            most = quick_check.TEXT_LENGTH
            faults[field.key] = _("長すぎます。%(most)s文字までです。", most=most)
        texts[field.key] = field.read(typed)
    entered = CheckInput(game, entered.seats, chosen, texts)
    at = request.args.get("at", "")
    for tap in request.args.getlist("tap")[:MOST_TAPS]:
        entered, at = _tapped(question, entered, fields, at, tap)
    turned_to, keys = _pad(question, entered, fields, at)
    said = _said(question, entered, settings)
    return CheckPage(entered, settings, fields, turned_to, keys, said), faults


def _chosen(settings: Iterable[CheckSetting], faults: dict[str, str]) -> dict[str, str]:
    """The values of settings in the address; a wrong one is a fault, and the default counts."""
    chosen = {}
    for setting in settings:
        value = request.args.get(setting.key, setting.choices[0][0])
        if value not in dict(setting.choices):
            faults[setting.key] = _("「%(value)s」は選べません。", value=value[:40])
            value = setting.choices[0][0]
        chosen[setting.key] = value
    return chosen


def _seats(question: QuickCheck, faults: dict[str, str]) -> int:
    usual = 5 if 5 in question.seats and len(question.seats) > 6 else question.seats[0]
    typed = forms.digits(request.args.get("n", str(usual)))
    if typed is not None and typed in question.seats:
        return typed
    if len(question.seats) == 1:
        return usual
    few, many = question.seats[0], question.seats[-1]
    faults["n"] = _("このゲームは%(few)s人から%(many)s人までです。", few=few, many=many)
    return usual


def _option(game: str, key: str) -> CheckSetting:
    """The house rule ``key`` of the ruling book as a setting; its default comes first."""
    option, tongue = BOOKS[game].option(key), language.current()
    choices = tuple((choice.value, choice.text.in_(tongue)) for choice in option.choices)
    return CheckSetting(key, option.title.in_(tongue), choices)


def _tapped(
    question: QuickCheck, entered: CheckInput, fields: tuple[CheckField, ...], at: str, tap: str
) -> tuple[CheckInput, str]:
    """The question after ``tap``, and the field that the pad is then for.

    Taps on a page that has not yet been replaced are appended to the address of the first one (see
    ``static/js/check.js``): ``+word`` adds a word to the present field, ``@field`` selects a field,
    and ``-field`` removes its last word.
    """
    kind, what = tap[:1], tap[1:]
    if kind == "+":
        at = _pad(question, entered, fields, at)[0].key
        return entered.adding(at, quick_check.plain(what)), at
    if what not in entered.texts:
        return entered, at
    if kind == "-":
        entered = entered.saying(what, " ".join(entered.texts[what].split()[:-1]))
    return entered, what


def _pad(
    question: QuickCheck, entered: CheckInput, fields: tuple[CheckField, ...], named: str
) -> tuple[CheckField, tuple[str, ...]]:
    """The field that taps fill, and the words that its pad offers.

    It is the field ``named``, or the next one to which a word can be added.
    """
    i = next((i for i, field in enumerate(fields) if field.key == named), 0)
    for field in (*fields[i:], *fields[:i]):
        if len(entered.texts[field.key].split()) < field.most:
            keys = _offered(question, entered, field)
            if keys:
                return field, keys
    return fields[i], ()


def _offered(question: QuickCheck, entered: CheckInput, field: CheckField) -> tuple[str, ...]:
    """The words that can be added to ``field``; none while something else is wrong."""
    try:
        return tuple(question.offers(entered, field))
    except (CheckFault, ImpossibleSituation):
        return ()


def _keys(page: CheckPage) -> list[CheckKey]:
    """The keys of the pad: each leads to the same question with one more word."""
    text = page.entered.texts[page.at.key]
    more = page.addresses(page.at.key, (f"{text} {word}".strip() for word in page.keys))
    return [CheckKey(word, address) for word, address in zip(page.keys, more, strict=True)]


def _row(page: CheckPage, field: CheckField, fault: str) -> CheckRow:
    words = tuple(page.entered.texts[field.key].split())
    back = page.address(**{field.key: " ".join(words[:-1]), "at": field.key})
    return CheckRow(field, words, page.address(at=field.key), back, fault)


def _said(
    question: QuickCheck, entered: CheckInput, settings: tuple[CheckSetting, ...]
) -> dict[str, str]:
    said = {"ask": question.name}
    if len(question.seats) > 1:
        said["n"] = str(len(entered.seats))
    usual = {setting.key: setting.choices[0][0] for setting in settings}
    said |= {key: value for key, value in entered.chosen.items() if value != usual[key]}
    said |= entered.texts
    return {key: _encoded(key, text) for key, text in said.items()}


def _encoded(key: str, text: str) -> str:
    return f"{quote_plus(key)}={quote_plus(text)}" if text else ""
