"""Which phone may see and enter what. Every request is decided here, before its view runs.

A phone is a token of 128 bits in a cookie; nobody signs up. It belongs to circles, and sits at or
watches single tables. A page of a table (an address with ``match``) is for phones that are in its
circle or at the table; all other access is in ``RULES`` (admission.py), and what is not listed
is refused.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, request

from referee.core.standing import Standing
from referee.http import errors, htmx, wanted_page
from referee.http.admission import RULES, Admission
from referee.http.invites import Guesses, Keeper, digest
from referee.http.language import gettext as _
from referee.http.replies import Reply, replying
from referee.ledger import Ledger, View
from referee.store import (
    NOBODYS,
    Circles,
    Doors,
    Hidden,
    NoSuchMatch,
    People,
    Pictures,
    Seating,
    Seats,
)
from referee.store.gathering import now
from referee.store.revisions import Revisions

COOKIE, COOKIE_SECONDS = "phone", 400 * 24 * 60 * 60  # the longest lifetime that browsers accept
TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
HERE = ("127.0.0.1", "::1", "localhost")
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
REMOVING = ("join.expel", "circle.dismiss")
"""Endpoints that remove phones from tables and circles."""


class Way(NamedTuple):
    """How a phone has access to a table: by the circle, by its own place there, or both.

    ``code``: until when a code of the table is valid (UTC, ISO 8601), or "". ``own``: the role and
    seat of this phone at the table, or None.
    """

    circle: str
    member: bool
    code: str
    phones: list[Seating]
    own: Seating | None

    def inside(self) -> list[Seating]:
        """The phones at the table."""
        return [s for s in self.phones if s.role != "knocking"]

    def knocking(self) -> list[Seating]:
        """The phones that wait for admission."""
        return [s for s in self.phones if s.role == "knocking"]

    def code_is_out(self) -> bool:
        """Whether a valid code exists, so that somebody may be about to knock."""
        return self.code >= now()

    def person(self) -> str:
        """Who uses this phone at the table, for entries that it sends later: a sign that is
        another one if the phone comes again, and its seat.
        """
        if self.own is None or self.own.role == "knocking":
            return " 0"
        return f"{digest(self.own.since)[:6]} {self.own.place}"

    def is_person(self, said: str) -> bool:
        """Whether the phone is still used by the ``person`` that it was, as far as one can know.

        It is not if it has come again since, or has another seat. Taking or leaving a seat, and a
        first seat of a phone of the circle, change nothing.
        """
        sign, _, place = self.person().rpartition(" ")
        was_sign, _, was_place = said.rpartition(" ")
        here = was_sign == sign or (not was_sign and self.member)
        return here and (was_place == place or "0" in (was_place, place))

    def role(self) -> str:
        """The role of this phone, see ``Standing``; "" without access."""
        if self.own and self.own.role != "knocking":
            return self.own.role
        return "member" if self.member else ""

    def hosts(self) -> bool:
        """Whether this phone decides about the phones of the table."""
        return self.role() == "host" or self.member


def register(app: Flask) -> None:
    """Let ``decide`` answer the requests to ``app`` that are refused; set the phone's cookie."""
    app.before_request(decide)
    app.after_request(_remember)
    app.after_request(_announce_departures)


def open_doors(app: Flask, key: bytes) -> None:
    """Check the phones and invitations in the store of ``app``; ``key`` signs the invitations."""
    doors = Doors(app.extensions["ledger"].store)
    app.extensions["keeper"], app.extensions["guesses"] = Keeper(doors, key), Guesses(doors, key)


def decide() -> Response | None:
    """None to let the request in, else the answer that refuses it."""
    endpoint = request.endpoint
    if endpoint is None:
        return None  # no such address: the error page answers
    match = (request.view_args or {}).get("match")
    rule = rule_of(endpoint, at_table=match is not None)
    if rule is None:
        abort(404)
    if rule is Admission.PUBLIC:
        return None
    if match is None:
        return None if circle() else no_circle()
    return _at_table(rule, match)


def rule_of(endpoint: str, *, at_table: bool) -> Admission | None:
    """The rule for an endpoint; None: refused.

    By default, reading at a table requires any access to it, and everything else a role there.
    """
    shut = None
    if at_table:
        shut = Admission.THERE if request.method in errors.READS else Admission.PLAYING
    return RULES.get(endpoint, shut)


def phone() -> str:
    """The id of this phone, the SHA-256 of its cookie; "" without one."""
    if "phone" not in g:
        token = request.cookies.get(_cookie(), "")
        before = request.cookies.get(COOKIE, "")
        if not token and current_app.config.get("SECURE") and TOKEN.fullmatch(before):
            token = g.token = before  # the same phone, known at this server's plain HTTP address
        g.phone = digest(token) if TOKEN.fullmatch(token) else ""
    found: str = g.phone
    return found


def introduce() -> str:
    """The id of this phone; gives it a cookie and stores it if it is unknown."""
    if not phone() or not doors().knows(phone()):
        g.token = secrets.token_urlsafe(16)
        g.phone = digest(g.token)
        doors().greet(g.phone)
    return phone()


def pretend() -> None:
    """Give an unknown phone a cookie that looks like any other, but store nothing."""
    if "token" not in g and (not phone() or not doors().knows(phone())):
        g.token = secrets.token_urlsafe(16)


def circle() -> str:
    """The circle that this phone uses now, or ""; pages list only this circle."""
    if "circle" not in g:
        own = circles().of(phone()) if phone() else []
        g.circle = own[0].id if own else NOBODYS
    found: str = g.circle
    return found


def own_circle() -> str:
    """``circle()``; creates one if this phone has none."""
    if not circle():
        g.circle = circles().create(introduce())
    return circle()


def way(match: str) -> Way:
    """The access of this phone to a table; raises ``NoSuchMatch``."""
    ways: dict[str, Way] = g.setdefault("ways", {})
    if match not in ways:
        this = phone()
        found = doors().standing(match, this)
        if found is None:
            raise NoSuchMatch(match)
        own = next((seating for seating in found[-1] if seating.phone == this), None)
        ways[match] = Way(*found, own)
    return ways[match]


def standing(view: View) -> Standing:
    """This phone at a table: its role, its seat or "", and the seats with a phone.

    The ledger decides by it what the phone may enter.
    """
    there, seats = way(view.match), view.header.seats
    own = there.own
    taken = frozenset(seats[s.place - 1] for s in there.phones if s.place)
    return Standing(there.role(), seats[own.place - 1] if own and own.place else "", taken)


def mark_plates(seated: Iterable[str], you: str = "") -> None:
    """Mark the plates of the seats with a phone on this page, and that of this phone's seat."""
    g.plates = {seat: " here you" if seat == you else " here" for seat in seated}


def plates() -> Mapping[str, str]:
    """The CSS classes of the marked plates by their seats: " here", or " here you"."""
    found: Mapping[str, str] = g.get("plates", {})
    return found


def sits(seat: str) -> str:
    """The CSS classes by which the plate of ``seat`` is marked, or ""."""
    return plates().get(seat, "")


def adopt() -> None:
    """Adopt matches that no circle has, if this is a browser on the server's own computer."""
    if at_this_computer() and circles().unclaimed():
        circles().adopt(own_circle())
        g.pop("ways", None)


def at_this_computer() -> bool:
    """Whether the request comes from a browser on the server's computer, not through a proxy
    on it.
    """
    if current_app.config["PUBLIC"]:
        return False  # behind a proxy, all requests seem to come from this computer
    direct = request.remote_addr in HERE and not any(map(request.headers.get, FORWARDED))
    # Not for an image on a page of another site: matches would be adopted for a new phone, whose
    # cookie the browser does not keep. Forms of such pages are refused before.
    opened = request.headers.get("Sec-Fetch-Dest", "document") == "document"
    return direct and host() in HERE and (opened or request.method not in errors.READS)


def circles() -> Circles:
    """The circles of this app."""
    return Circles(_ledger().store)


def people() -> People:
    """The people of this app."""
    return People(_ledger().store)


def doors() -> Doors:
    """The phones and invitations of this app."""
    return Doors(_ledger().store)


def hidden() -> Hidden:
    """The hidden matches of this app."""
    return Hidden(_ledger().store)


def revisions() -> Revisions:
    """The matches of this app with two results."""
    return Revisions(_ledger().store)


def seats() -> Seats:
    """The seats of the matches of this app, with their present and former players."""
    return Seats(_ledger().store)


def pictures() -> Pictures:
    """The stored pictures of results."""
    return Pictures(_ledger().store)


def keeper() -> Keeper:
    """The keeper of this app's invitations."""
    found: Keeper = current_app.extensions["keeper"]
    return found


def guesses() -> Guesses:
    """The counter of recently typed codes."""
    found: Guesses = current_app.extensions["guesses"]
    return found


def _ledger() -> Ledger:
    found: Ledger = current_app.extensions["ledger"]
    return found


def _announce_departures(response: Response) -> Response:
    """Call the listeners of the ledger after a phone was removed: its streams have to end."""
    if request.endpoint in REMOVING and response.status_code < 400:
        for listener in _ledger().departures:
            listener()
    return response


def _at_table(rule: Admission, match: str) -> Response | None:
    if way(match).circle == NOBODYS:
        adopt()
    there = way(match)
    role = there.role()
    if not role:
        return stranger()
    if rule is Admission.PLAYING and role == "watching":
        return errors.page(403, _("このスマホは観戦中です。席に着くと記録できます。"))
    # forms that are sent at once do not say who tapped
    said = "" if request.method in errors.READS else request.form.get("person")
    if said and not there.is_person(said):
        return errors.page(
            403, _("このスマホの席が替わりました。前の人が入力した分は記録しません。")
        )
    if rule is Admission.HOSTING and not there.hosts():
        return errors.page(403, _("卓を開いたスマホか、サークルのスマホからできます。"))
    return None


def stranger() -> Response:
    """The page for a phone without access to a table: how to join."""
    if htmx.wants_partial():
        return errors.page(
            403, _("このスマホはこの卓に参加していません。招待のQRコードを読み取ってください。")
        )
    response = htmx.fragment("stranger.html", status_code=403)
    return wanted_page.remember(replying(response, Reply.NEVER))


def no_circle() -> Response:
    """The page for a phone without a circle: how to get one."""
    text = _(
        "このスマホはまだサークルに入っていません。卓を開くか、サークルのリンクを開いてください。"
    )
    return wanted_page.remember(errors.page(403, text))


def host() -> str:
    """The name in the request's address, without the port."""
    with suppress(ValueError):
        return urlsplit(f"//{request.host}").hostname or ""
    return ""


def _cookie() -> str:
    return f"__Host-{COOKIE}" if _secured() else COOKIE


def _secured() -> bool:
    return request.is_secure or bool(current_app.config["PUBLIC"])


def _remember(response: Response) -> Response:
    """Set the cookie of a phone that got a token during this request."""
    if "token" in g:
        response.set_cookie(
            _cookie(),
            g.token,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=_secured(),
        )
    return response
