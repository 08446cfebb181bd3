"""The start page, and the form that opens a table."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from flask import Blueprint, Response, request, url_for
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from referee import store
from referee.core.book import Book
from referee.core.game import Game, Option, clash
from referee.core.generic import GameState
from referee.core.naming import clean_name
from referee.core.normalised import compared
from referee.core.record import CALLED, FILE_KEY, Header, Unreadable, normal
from referee.core.verdict import Seat
from referee.games import GAMES, ON_CARDS
from referee.history.records import noon_of
from referee.http import access, forms, guarded, htmx, language
from referee.http.current import BOOKS, book_at, ledger
from referee.http.current import game as game_named
from referee.http.language import gettext as _
from referee.http.local_time import local_time, today, zone
from referee.http.machine import machine
from referee.http.shelf import has_game
from referee.kit import shipped
from referee.kit.game import KitGame
from referee.kit.text.faults import Wrong
from referee.ledger import View
from referee.screens import screen
from referee.screens.pad import UNTAPPED
from referee.web.desk import running
from referee.web.group import evening_pages
from referee.web.site import house_rules
from referee.web.site.house_rules import choices
from referee.web.site.keeping import copy_due
from referee.web.site.last_time import (
    called_before,
    latest,
    latest_names,
    line_up,
    line_ups,
    own_matches,
    played,
)
from referee.web.site.take_along import packed_app
from referee.web.table import equipment, scores, tables

bp = Blueprint("home", __name__)

IDLE = timedelta(weeks=2)
"""After this time without entries, a table moves to a folded list."""
OVER = 5  # finished ones in its list
FILES = 4  # games of files on the start page, at most; all are in the form of a new table
GROUPS = 3  # line-ups that are offered again, at most
_APART = re.compile(r"[\s,、，;；/／]+")  # separators of names that were typed together
OF_A_SEAT = ("up", "down", "out")  # buttons of a seat
PEOPLE = 60  # known names in the form, the latest players first


class StartPageMatch(NamedTuple):
    """A match on the start page: its game, and its line as it is drawn."""

    game: str
    over: bool
    line: Markup


class Draft(NamedTuple):
    """A table that is being set up.

    ``leader``: "" for a random one; ``options``: the chosen ones only. ``named``: the table's own
    equipment, by header key.
    """

    game: str
    names: tuple[Seat, ...]
    leader: str
    options: Mapping[str, str]
    named: Mapping[str, str] = {}


@bp.get("/")
def home() -> Response:
    access.adopt()
    rows = own_matches()
    listed = guarded.each([row.id for row in rows], _listed)
    going = {match: item.line for match, item in listed.items() if not item.over}
    idle = _idle(rows)
    over = [row for row in rows if row.id in listed and listed[row.id].over]
    return htmx.fragment(
        "site/home.html",
        circle=access.circles().get(access.circle()),
        going=[line for match, line in going.items() if match not in idle],
        idle=[line for match, line in going.items() if match in idle],
        over=[item.line for item in listed.values() if item.over][:OVER],
        unshown=[row.id for row in rows if row.id not in listed],
        games={name: BOOKS[name] for name in (*GAMES, *_files_played(listed.values()))},
        others=[BOOKS[name] for name in list(shipped.games())[:3]],
        hidden=access.hidden().count(access.circle()) if access.circle() else 0,
        tonight=evening_pages.tonight(language.current()),
        copy_due=copy_due(over),
        alone=len(over) == 1 and _is_alone(),
        packed_app=packed_app(),
    )


def _is_alone() -> bool:
    """Whether no other phone can open this phone's group. The start page says it after the first
    game; later it would only be in the way.
    """
    circle = access.circle()
    return machine().phones and bool(circle) and len(access.circles().members(circle)) == 1


def _files_played(items: Iterable[StartPageMatch]) -> list[str]:
    """The games of files among the matches, the latest first."""
    played = dict.fromkeys(item.game for item in items)
    return [name for name in played if name not in GAMES][:FILES]


def _idle(rows: Sequence[store.Listed]) -> set[str]:
    """The matches of ``rows`` without entries for ``IDLE``."""
    touched = ledger().store.touched([row.id for row in rows])
    since = datetime.now(UTC) - IDLE
    return {
        row.id for row in rows if datetime.fromisoformat(touched.get(row.id, row.opened)) < since
    }


@bp.get("/new")
def new() -> Response:
    """Page of the form for a new table.

    It is filled in like the match ``?like=``, or with ``?game=`` and the names in ``?name=``;
    without names with those of the latest match. ``?all=``: the list of games is open, as it is
    on a phone that has not played yet.
    """
    params = request.args
    if "like" in params:
        draft = _like(params["like"])
        return _form(draft, filled=compared(draft.named.get(CALLED, "")))
    last = latest(1)
    game, names = params.get("game", ""), _usable(params)
    if last and "name" not in params:
        [(match, names)] = line_ups([last[0].id])
        game = game or ledger().view(match).game.NAME
    known = has_game(game)
    draft = Draft(game if known else next(iter(GAMES)), names, "", {})
    return _form(draft, choosing="all" in params or not known)


def _like(match: str) -> Draft:
    """The settings of another match; who begins only if the rules say it."""
    names, view = line_up(match), ledger().view(match)
    header, kinds = view.header, view.game.HOOKS.equipment
    # the edition of the word list is left out, so that the new match uses the present one
    named = {key: name.partition("@")[0] for key, name in header.named.items() if key in kinds}
    first = view.game.HOOKS.begins_next(view.state)
    leader = first if first in names else ""
    return Draft(view.game.NAME, names, leader or "", dict(header.options), named)


@bp.post("/new")
def open_table() -> Response:
    """Open the table, or apply a button of the form to the draft."""
    form = request.form
    do, _blank, value = form.get("do", "").partition(" ")
    try:
        names = forms.names([*form.getlist("name"), *_typed(do)])
    except forms.BadForm as fault:
        return _form(_draft(form, _usable(form)), str(fault), form.get("typed", ""))
    draft = _draft(form, names)
    if do in ("", "write") and (before := _last_time(draft)):
        return _form(before, filled=compared(draft.named[CALLED]))
    if do:
        typed = form.get("typed", "") if do in OF_A_SEAT else ""
        return _form(_changed(draft, do, value), typed=typed, filled=form.get("filled", ""))
    missing = _missing(draft) or scores.wrong_day(draft.game)
    return _form(draft, missing, filled=form.get("filled", "")) if missing else _open(draft)


def _last_time(draft: Draft) -> Draft | None:
    """``draft`` with the settings and people with whom a game of its name was played before.

    None without such a game, if the form was filled with it already, or if nothing would change.
    Settings and people that were chosen in the form stay.
    """
    key = compared(draft.named.get(CALLED, ""))
    if not key or request.form.get("filled", key) == key:
        return None
    match = called_before(game_named(draft.game), key)
    if match is None:
        return None
    last = _like(match)
    names = last.names if draft.names in ((), latest_names()) else draft.names
    options = draft.options or _meant(game_named(draft.game), names, last.options)
    filled = draft._replace(names=names, options=options)
    return None if filled == draft else filled


def _open(draft: Draft) -> Response:
    """Open the match, and record its first deal if no cards have to be entered for that.

    Redirects to the table, or to the first sheet of a table that records scores alone.
    """
    before = scores.past(request.form) if scores.chosen(draft.game) else {}
    texts = {"date": today().isoformat()} | before
    agreed = house_rules.agreed(draft.game, request.form)
    if agreed:
        texts["note"] = " / ".join(agreed)
    named, game = equipment.pinned(draft.named), game_named(draft.game)
    header = Header(draft.game, draft.names, draft.options, texts, named=named)
    if isinstance(game, KitGame):
        ledger().store.game_files.keep((game.hash, game.KEY, game.text))
        header = replace(header, game=game.KEY, named={FILE_KEY: game.hash})
    view = ledger().open(header, access.own_circle(), noon_of(before.get("date", ""), zone()))
    if "place" in before:
        access.circles().set_place(view.match, before["place"])
    access.doors().seat(view.match, access.phone(), "host")
    access.doors().bring_along(view.match)
    if faster := running.begun(request.form.get("desk", ""), view.match):
        return htmx.go_to(url_for("tables.table", match=faster))
    leader = draft.leader or secrets.choice(draft.names)
    if scores.chosen(draft.game):
        return scores.begin(view, leader)
    deal = screen(draft.game).opening(view, leader)
    if deal is None:  # the table page asks for the cards; the address says who leads
        asked = leader if view.game.HOOKS.cards else None
        return htmx.go_to(url_for("tables.table", match=view.match, leader=asked))
    for seen, entry in enumerate((*equipment.brought_along(view), deal)):
        ledger().declare(view.match, view.grammar.print(entry), seen, tables.form_key())
    return htmx.go_to(url_for("tables.table", match=view.match))


def _draft(form: MultiDict[str, str], names: tuple[Seat, ...]) -> Draft:
    """The draft in the form; raises ``BadForm`` for values that the page never sends."""
    game = form.get("game", "")
    if not has_game(game):
        raise forms.BadForm(_("そのゲームはありません。"))
    leader = clean_name(form.get("leader", ""))
    chosen = {}
    for key, option in choices(game_named(game)).items():
        try:
            value = option.read(normal(form.get(f"option.{key}", "").strip()) or option.default)
        except ValueError:
            raise _no_choice(game, key, option) from None
        if value != option.default:
            chosen[key] = value
    leader = leader if leader in names else ""
    fitting = _meant(game_named(game), names, chosen)
    return Draft(game, names, leader, fitting, equipment.chosen(game_named(game), form))


def _no_choice(game: str, key: str, option: Option) -> forms.BadForm:
    """The error for a value of a house rule that can't be chosen."""
    if option.number is None:
        return forms.BadForm(_("そのハウスルールはありません。"))
    return forms.BadForm(_("「%(rule)s」は、数で書いてください。", rule=_title(BOOKS[game], key)))


def _meant(game: Game, names: tuple[Seat, ...], chosen: Mapping[str, str]) -> dict[str, str]:
    """The house rules without those that mean nothing beside the others."""
    kept = dict(chosen)
    for key in chosen:
        try:
            game.HOOKS.fits(names, kept)
        except Unreadable as fault:
            if fault.fact == "read_option_left_out":
                kept.pop(str(fault.values["key"]), key)
    return kept


def _typed(do: str) -> list[str]:
    """Names in the text field, separated by blanks or commas; buttons of a seat ignore the field.

    A name with a blank can only come from the people of the group.
    """
    return [] if do in OF_A_SEAT else _APART.split(request.form.get("typed", ""))


def _usable(form: MultiDict[str, str]) -> tuple[Seat, ...]:
    """The names that stay in the form while another one is refused."""
    names: list[Seat] = []
    for text in form.getlist("name")[: forms.MOST_NAMES]:
        with suppress(forms.BadForm):
            names += (name for name in forms.names([text]) if name not in names)
    return tuple(names)


def _changed(draft: Draft, do: str, value: str) -> Draft:
    """``draft`` after a button: "game KEY", "in NAME", "out NAME", "up N", "down N", "group ID",
    "ours", "standard" (house rules).

    N: a place in the list of names (0-based); ID: a match whose line-up is taken. Raises
    ``BadForm``.
    """
    names = list(draft.names)
    match do:
        case "game" if has_game(value):
            return draft._replace(game=value, options={}, named={})
        case "in" if clean_name(value) not in names:
            return draft._replace(names=forms.names([*names, value]))
        case "out" if value in names:
            names.remove(value)
        case "up" | "down" if value.isdecimal() and int(value) < len(names):
            place = int(value)
            other = (place + (1 if do == "down" else -1)) % len(names)
            names[place], names[other] = names[other], names[place]
        case "ours" if ours := house_rules.ours(game_named(draft.game)):
            return draft._replace(options=ours.options)
        case "standard":
            return draft._replace(options={})
        case "group":
            names = list(line_up(value))
    leader = draft.leader if draft.leader in names else ""
    return draft._replace(names=tuple(names), leader=leader)


def _missing(draft: Draft) -> str:
    """What is missing before the table can be opened, as text, or ""."""
    seats, count = game_named(draft.game).SEATS, len(draft.names)
    if CALLED in game_named(draft.game).HOOKS.equipment and not draft.named.get(CALLED):
        return _("何のゲームか、名前を書いてください。")
    if count in seats:
        return _clash(draft) or _unfit(draft)
    few, most = seats[0], seats[-1]
    title = BOOKS[draft.game].title.in_(language.current())
    if few == most:
        return _(
            "%(game)sは%(few)s人用です。いまは%(count)s人です。", game=title, few=few, count=count
        )
    return _(
        "%(game)sは%(few)s人から%(most)s人までです。いまは%(count)s人です。",
        game=title,
        few=few,
        most=most,
        count=count,
    )


def _clash(draft: Draft) -> str:
    """A sentence about two house rules of the draft that exclude each other, or ""."""
    pair = clash(draft.options, choices(game_named(draft.game)))
    if pair is None:
        return ""
    rules, (key, other) = BOOKS[draft.game], pair
    said = {"key": _title(rules, key), "value": _choice(rules, key, draft.options[key])}
    said |= {"other": _title(rules, other), "barred": _choice(rules, other, draft.options[other])}
    return rules.says("read_option_clash", said, language.current())


def _unfit(draft: Draft) -> str:
    """A sentence about house rules that do not fit these seats or each other, or ""."""
    rules = BOOKS[draft.game]
    try:
        game_named(draft.game).HOOKS.fits(draft.names, draft.options)
    except Unreadable as fault:
        key = str(fault.values["key"])
        said = {**fault.values, "key": _title(rules, key) if key in draft.options else key}
        return rules.says(fault.fact, said, language.current())
    return ""


def _title(rules: Book, key: str) -> str:
    return rules.option(key).title.in_(language.current())


def _choice(rules: Book, key: str, value: str) -> str:
    found = next(choice for choice in rules.option(key).choices if choice.value == value)
    return found.text.in_(language.current())


def _form(
    draft: Draft, fault: str = "", typed: str = "", choosing: bool = False, filled: str = ""
) -> Response:
    """The form with ``draft``; ``choosing``: the list of games is open.

    ``filled``: the name of the game with whose last settings the form was filled.
    """
    game, offered, state = game_named(draft.game), _offered(draft.game), _first_state(draft)
    return htmx.fragment(
        "site/_new.html" if htmx.wants_partial() else "site/new.html",
        draft=draft,
        game=game,
        played=played(game)[:FILES],
        filled=filled,
        fault=fault,
        missing="" if fault else _missing(draft),
        choosing=choosing,
        typed=typed,
        books={name: BOOKS[name] for names in offered.values() for name in names},
        offered=offered,
        seats=game.SEATS,
        known=_known(draft.names),
        groups=_groups(draft.names),
        choices=choices(game),
        cards=len(state.deck) if state else 0,
        teams=game.HOOKS.teams(state) if state else (),
        own=draft.game not in GAMES,
        led=_is_led(game),
        equipment=equipment.equipment(game),
        agreed=house_rules.decisions(draft.game),
        ours=house_rules.ours(game),
        by_sheet=scores.chosen(draft.game),
        today=today().isoformat(),
    )


def _known(names: tuple[Seat, ...]) -> list[Seat]:
    """People of the circle who are not seated yet."""
    circle = access.circle()
    known = access.people().playing(circle, PEOPLE) if circle else []
    return [name for name in known if name not in names]


def _is_led(game: Game) -> bool:
    """Whether a deal names a seat; in other games the cards decide who begins."""
    deals = [play.FORM for play in game.PLAYS if play.FORM.split()[0] == "deal"]
    return any(":seat}" in deal for deal in deals)


def _offered(chosen: str) -> dict[str, list[str]]:
    """The games to choose from, by heading: built-in games, game files of the program, the group's
    own.

    The chosen one is always included.
    """
    files = ledger().store.game_files.of(access.circle()) if access.circle() else []
    own = [f"{row.key}-{row.hash[:12]}" for row in files]
    known = [name for name in (*own, chosen) if name not in GAMES and name not in shipped.games()]
    own = list(dict.fromkeys(known))
    found = {
        "": list(ON_CARDS),
        _("ほかのゲーム"): list(shipped.games()),
        _("自分のゲーム"): own,
        _("どのゲームでも、点だけ"): [name for name in GAMES if name not in ON_CARDS],
    }
    return {heading: names for heading, names in found.items() if names}


def _groups(names: tuple[Seat, ...]) -> list[tuple[str, tuple[Seat, ...]]]:
    """Line-ups of recent matches that differ from ``names``, each with one of its matches."""
    found: dict[tuple[Seat, ...], str] = {}
    for match, seats in line_ups([row.id for row in latest()]):
        if seats and seats != names:
            found.setdefault(seats, match)
    return [(match, seats) for seats, match in found.items()][:GROUPS]


def _first_state(draft: Draft) -> GameState | None:
    """The state with which the match would begin; None while the draft makes no game."""
    game = game_named(draft.game)
    if len(draft.names) not in game.SEATS:
        return None
    with suppress(Wrong):  # the file makes no game for this number of players
        state: GameState = game.setup(Header(draft.game, draft.names).table(game))
        return state
    return None


def _listed(view: View) -> StartPageMatch:
    name, over = view.game.NAME, view.outcome is not None
    drawn = htmx.drawn(
        "site/_table_over.html" if over else "site/_table_going.html",
        view=view,
        book=book_at(view),
        opened=local_time(ledger().store.opened_at(view.match)),
        # nothing between deals and at the end
        band=screen(name).band(view, UNTAPPED),
    )
    return StartPageMatch(name, over, drawn)
