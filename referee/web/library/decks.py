"""Pages of decks for 熟語ライン, registered ones and the open one: view, correct, print."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from functools import lru_cache

from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.datastructures import FileStorage

from referee.core.record import Unreadable
from referee.http import access, forms, htmx, shelf
from referee.http.downloads import attached
from referee.http.language import gettext as _
from referee.jukugo import library
from referee.jukugo.decks import FACES, JOKER, SIGNS, VALUES, Card, KanjiDeck, read_deck, write_deck
from referee.store import NameTaken
from referee.web.library import deck_form as sheets
from referee.web.library.deck_form import DeckDraft, DeckFault

bp = Blueprint("decks", __name__)

A_PAGE = 9  # cards of 63 × 88 mm on A4
JOKERS = 2
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f]")


@bp.get("/decks")
def index() -> str:
    """Page of the open deck and the registered ones."""
    decks = [(row, read_deck(row.csv)) for row in shelf.decks()]
    return render_template("library/decks.html", open=library.open_deck(), decks=decks)


@bp.get("/decks/new")
def new() -> Response:
    """Page with an empty form."""
    return _sheet(DeckDraft())


@bp.post("/decks/new")
def write() -> Response:
    """Buttons of the form: fill a text in, check, or register the deck."""
    sheet, do = sheets.read(request.form), request.form.get("do", "check")
    text = request.form.get("text", "")[:4000]
    try:
        if do == "pour":
            sheet = sheets.pour(sheet, text)
        elif do == "file":
            sheet = sheets.pour(sheet, _text_of(request.files.get("file")))
    except Unreadable as fault:
        return _sheet(sheet, [DeckFault(sheets.sentence(fault))], text=text)
    except forms.BadForm as fault:
        return _sheet(sheet, [DeckFault(str(fault))], text=text)
    sheet = sheets.offer_values(sheet)
    faults = sheets.faults(sheet) if do in ("check", "save") else []
    if do != "save" or faults or sheet.offered:
        return _sheet(sheet, faults, checked=do in ("check", "save"))
    return _keep(sheet)


@bp.get("/decks/<name>")
def deck(name: str) -> str | Response:
    """Page of a deck; with ``.csv`` after its name, the file."""
    found = _find(name.removesuffix(".csv"))
    if name.endswith(".csv"):
        return attached(write_deck(found), name, "text/csv")
    counts = Counter(card.value for card in found.cards)
    return render_template(
        "library/deck.html",
        deck=found,
        name=name,
        title=_title(name),
        spelt=_spelt(found),
        counts=[(value, counts[value]) for value in VALUES],
        at={card.place: card for card in found.cards},
        signs=SIGNS,
        faces=FACES,
    )


@bp.get("/decks/<name>/edit")
def edit(name: str) -> Response:
    """Page for correcting a registered deck; the open one, or one put away, becomes a new deck."""
    title = _title(name)
    registered = title if name != library.OPEN else ""
    return _sheet(sheets.of_deck(_find(name), registered, f"{name}.csv" if registered else ""))


@bp.post("/decks/<name>/away")
def put_away(name: str) -> Response:
    """Remove a registered deck from the list."""
    _find(name)
    if access.circle():
        shelf.shelf().put_away(f"{name}.csv", access.circle())
    return htmx.go_to(url_for(".index"))


@bp.get("/decks/<name>/print")
def printed(name: str) -> str:
    """Page for printing on A4, nine cards a page with cut marks; ``?back=1``: with backs."""
    cards: list[Card | None] = [*_find(name).cards, *[None] * JOKERS]
    return render_template(
        "library/deck_print.html",
        name=name,
        title=_title(name),
        pages=[cards[i : i + A_PAGE] for i in range(0, len(cards), A_PAGE)],
        back=request.args.get("back") == "1",
        joker=JOKER,
        signs=SIGNS,
        faces=FACES,
    )


def _keep(sheet: DeckDraft) -> Response:
    found = sheets.deck(sheet)
    try:
        shelf.shelf().keep_deck(
            found.id, write_deck(found), sheet.name, access.own_circle(), sheet.instead
        )
    except NameTaken:
        return _sheet(
            sheet, [DeckFault(_("その名前のデッキはすでにあります。別の名前にしてください。"))]
        )
    return htmx.go_to(url_for(".deck", name=found.id.removesuffix(".csv")))


def _sheet(
    sheet: DeckDraft, faults: list[DeckFault] | None = None, checked: bool = False, text: str = ""
) -> Response:
    """The page with the form; ``checked``: whether it says that there are no faults.

    ``text``: kanji or a deck file that could not be filled in, to be corrected.
    """
    return htmx.fragment(
        "library/_deck_sheet.html" if htmx.wants_partial() else "library/deck_sheet.html",
        sheet=sheet,
        faults=faults or [],
        wrong={fault.place for fault in faults or [] if fault.place},
        checked=checked,
        text=text,
        places=sheets.PLACES,
        signs=SIGNS,
        faces=FACES,
        field=sheets.field_name,
        place_name=sheets.place_name,
        years=_years(),
        name_length=sheets.NAME_LENGTH,
        status_code=400 if faults else 200,
    )


def _find(name: str) -> KanjiDeck:
    """The open deck, or one that this phone may see; otherwise 404."""
    if name == library.OPEN:
        return library.open_deck()
    csv = shelf.deck(f"{name}.csv")
    return read_deck(csv) if csv else abort(404)


def _title(name: str) -> str:
    """The name of a registered deck, or "" if it has none (any more)."""
    if name == library.OPEN:
        return _("札見のデッキ")
    return next((row.name for row in shelf.decks() if row.id == f"{name}.csv"), "")


def _text_of(file: FileStorage | None) -> str:
    """The text of an uploaded deck file, in UTF-8 or an older Japanese encoding."""
    content = file.read() if file else b""
    for encoding in ("utf-8-sig", "cp932"):
        with suppress(UnicodeDecodeError):
            text = content.decode(encoding)
            if not _NO_TEXT.search(text):
                return text
    raise forms.BadForm(_("ファイルを読み取れません。UTF-8のCSVにしてください。"))


@lru_cache(maxsize=32)
def _spelt(deck: KanjiDeck) -> tuple[int, int]:
    """The number of words of two and of three kanji that the deck and its jokers spell."""
    sizes = Counter(map(len, library.words().made_of([*deck.by_kanji, JOKER])))
    return sizes[2], sizes[3]


def _years() -> list[str]:
    """The kanji of every school year that gives a value, one text per year."""
    years = library.school_years()
    return ["".join(k for k, year in years.items() if year == value) for value in VALUES]
