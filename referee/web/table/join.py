"""Joining a table, by its link or by a code; taking and leaving a seat."""

from __future__ import annotations

import io
import re
import secrets
from typing import NamedTuple
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, request, url_for
from markupsafe import Markup

from referee.core.verdict import Seat
from referee.http import access, errors, forms, htmx, language, reach, sure, wanted_page
from referee.http.current import book_at, ledger
from referee.http.language import gettext as _
from referee.ledger import View
from referee.store import Invite, Seating, SeatTaken

bp = Blueprint("join", __name__)

PREVIEWS = re.compile(
    "facebookexternalhit|facebot|whatsapp|line-poker|skypeuripreview"
    "|(twitter|slack|discord|telegram|linkedin)bot",
    re.IGNORECASE,
)
"""Messengers that open a link for a preview: they never join."""
KNOCKING = 6  # phones that may wait at one table
SIGNS = [f"{number}" for number in range(10, 100)]
"""Signs by which a table distinguishes the phones that knock."""
UNSAID = re.compile(r"[1-9][0-9]{3}")
"""Signs of phones that must not learn whether their code was right."""


class Chair(NamedTuple):
    """A seat on the join page. ``phone``: the phone with this seat; ``mine``: it is this one."""

    place: int
    name: Seat
    phone: Seating | None
    mine: bool


@bp.get("/j/<secret>")
def by_link(secret: str) -> Response:
    """Use a link: join the table; the redirect has no secret in its address."""
    invite = access.keeper().opens(secret)
    if invite is None or invite.kind != "table":
        return private(
            errors.page(404, _("この招待はもう使えません。新しい招待をもらってください。"))
        )
    if only_looks():
        view = ledger().view(invite.match)
        return private(htmx.fragment("table/invited.html", view=view, book=book_at(view)))
    phone = access.introduce()
    if not access.way(invite.match).role():
        access.doors().seat(invite.match, phone, "watching")
    return private(htmx.go_to(url_for("join.table", match=invite.match)))


@bp.get("/t/<match>/join")
def table(match: str) -> Response:
    """Page of the invitation, the seats, and the phones at the table."""
    view = ledger().view(match)
    there = access.way(match)
    invites = there.role() in ("host", "seated", "member")
    circle = there.circle
    invitation = access.keeper().invitation("table", circle, match) if invites else None
    url = reach.link(".by_link", invitation.text) if invitation else ""
    return htmx.fragment(
        "table/_join.html" if htmx.wants_partial() else "table/join.html",
        view=view,
        title=book_at(view).title.in_(language.current()),
        role=there.role(),
        chairs=chairs(view),
        others=[s for s in there.inside() if not s.place],
        phones=len(there.inside()),
        door=there.knocking(),
        me=access.phone(),
        url=url,
        qr=qr_code(url) if url else None,
        at=urlsplit(url).netloc,
        reach=reach.addresses(),
        code=access.keeper().invitation("code", circle, match) if invites else None,
        hosting=there.hosts(),
    )


@bp.post("/t/<match>/sit")
def sit(match: str) -> Response:
    """Take a seat with this phone; place 0: watch without a seat."""
    view = ledger().view(match)
    place = _place(view)
    role = access.way(match).role()
    if role != "host":
        role = "seated" if place else "watching"
    try:
        access.doors().seat(match, access.introduce(), role, place)
    except SeatTaken:
        name = view.header.seats[place - 1]
        return errors.page(409, _("%(name)sの席には、すでに別のスマホが着いています。", name=name))
    here = url_for("tables.table", match=match)
    return wanted_page.go(here, within=f"{here}/")


@bp.post("/t/<match>/door")
def answer(match: str) -> Response:
    """Admit or refuse a knocking phone."""
    knocking = _named(match)
    if knocking and knocking.role == "knocking":
        if request.form.get("do") == "in":
            access.doors().seat(match, knocking.phone, "watching", sign=knocking.sign)
        else:
            access.doors().leave(match, knocking.phone)
    return htmx.go_to(_next(match))


@bp.get("/t/<match>/door")
def door(match: str) -> Response:
    """The knocking phones, requested by the table page while a code is valid."""
    there = access.way(match)
    knocking, code_out = there.knocking(), there.code_is_out()
    return htmx.fragment("table/_door.html", door=knocking, code_out=code_out, match=match)


@bp.get("/t/<match>/expel")
def before_expelling(match: str) -> Response:
    """Page that asks before a phone is removed from the table."""
    return sure.ask(
        _("このスマホを外しますか"),
        _("外したスマホからは、この卓を見ることも記録することもできなくなります。"),
        _("外す"),
        url_for(".expel", match=match),
        url_for(".table", match=match),
        phone=request.args.get("phone", ""),
    )


@bp.post("/t/<match>/expel")
def expel(match: str) -> Response:
    """Remove a phone from this table and from all others of the circle."""
    found = _named(match)
    if found:
        access.doors().expel(match, found.phone)
    return htmx.go_to(url_for(".table", match=match))


@bp.get("/t/<match>/free")
def before_freeing(match: str) -> Response:
    """Page that asks before a seat is taken from its phone."""
    view = ledger().view(match)
    place, back = _place(view), url_for("tables.table", match=match)
    if not _at(match, place):
        return htmx.go_to(back)
    return sure.ask(
        _("%(seat)sの席を空けますか", seat=view.header.seats[place - 1]),
        _("その席のスマホは、卓に残って観戦になります。席の手札は、ほかのスマホから申告できます。"),
        _("席を空ける"),
        url_for(".free", match=match),
        back,
        place=str(place),
    )


@bp.post("/t/<match>/free")
def free(match: str) -> Response:
    """Take a seat from its phone, which stays at the table."""
    found = _at(match, _place(ledger().view(match)))
    if found:
        role = "host" if found.role == "host" else "watching"
        access.doors().seat(match, found.phone, role)
    return htmx.go_to(url_for("tables.table", match=match))


@bp.post("/t/<match>/renew")
def renew(match: str) -> Response:
    """Make the link and the code of this table invalid; the page shows new ones."""
    access.keeper().renew(access.way(match).circle, match)
    return htmx.go_to(url_for(".table", match=match))


@bp.get("/join")
def code() -> Response:
    """Page for typing a code."""
    return htmx.fragment("table/code.html", fault="", typed="")


@bp.get("/t/<match>/onward")
def onward(match: str) -> Response:
    """The link to the next table of this phone; requested repeatedly once a match is over."""
    found = access.doors().onward(match, access.phone())
    return htmx.part("table/_onward.html", match=match, onward=found)


@bp.post("/join")
def knock() -> Response:
    """Knock at the table of the typed code."""
    typed, guesses = request.form.get("code", "")[:40], access.guesses()
    guess = guesses.begin(request.remote_addr or "")
    if guess is None:
        return _unsaid(access.keeper().answers(typed))
    invite = access.keeper().answers(typed)
    if invite is None:
        return _typed_wrong(
            404, _("そのコードの卓は見つかりません。コードは10分ごとに変わります。")
        )
    guesses.right(guess)
    phone, there = access.introduce(), access.way(invite.match)
    if there.role():
        return htmx.go_to(url_for(".table", match=invite.match))
    if there.own is None:
        waiting = [seating.sign for seating in there.knocking()]
        if len(waiting) >= KNOCKING:
            return _typed_wrong(429, _("この卓の承認を待っているスマホが多すぎます。"))
        sign = secrets.choice([sign for sign in SIGNS if sign not in waiting])
        access.doors().seat(invite.match, phone, "knocking", sign=sign)
    return htmx.go_to(url_for(".wait", match=invite.match))


@bp.get("/wait/<match>")
def wait(match: str) -> Response:
    """Page of a phone that has knocked; it requests its state every few seconds."""
    own = access.way(match).own
    if (own is None or own.role != "knocking") and htmx.wants_partial():
        return htmx.go_to(url_for(".wait", match=match))
    if own is None:
        return errors.page(
            403, _("参加が承認されませんでした。間違いなら、もう一度コードを入力してください。")
        )
    if own.role != "knocking":
        return htmx.go_to(url_for(".table", match=match))
    return htmx.fragment("table/wait.html", sign=own.sign, unsaid=False)


@bp.get("/wait")
def unsaid() -> Response:
    """The waiting page of a phone that must not learn whether its code was right."""
    sign = request.args.get("sign", "")
    if not UNSAID.fullmatch(sign):
        return htmx.go_to(url_for(".code"))
    match = access.doors().let_in(access.phone(), sign)
    if match:
        return htmx.go_to(url_for(".table", match=match))
    return htmx.fragment("table/wait.html", sign=sign, unsaid=True)


def _unsaid(invite: Invite | None) -> Response:
    """The answer to a code after too many wrong ones: equal for all codes; a right one still
    knocks.

    So a guesser learns nothing, and a phone with the right code can be admitted.
    """
    sign = f"{1000 + secrets.randbelow(9000)}"
    if invite is None:
        access.pretend()
    else:
        phone, there = access.introduce(), access.way(invite.match)
        own, waiting = there.own, there.knocking()
        if (own is None and len(waiting) < KNOCKING) or own in waiting:
            access.doors().seat(invite.match, phone, "knocking", sign=sign)
    return htmx.go_to(url_for(".unsaid", sign=sign))


def chairs(view: View) -> list[Chair]:
    """The seats of a table with the phones on them."""
    there = access.way(view.match)
    phones, own = {s.place: s for s in there.phones if s.place}, there.own
    return [
        Chair(place, name, phones.get(place), own is not None and own.place == place)
        for place, name in enumerate(view.header.seats, 1)
    ]


def qr_code(text: str, error: str = "m") -> Markup:
    """``text`` as an SVG drawing; ``error``: the error correction level, see segno."""
    drawing = io.BytesIO()
    code = segno.make(text, micro=False, error=error)
    code.save(drawing, kind="svg", xmldecl=False, omitsize=True, border=0, svgclass=None)
    return Markup(drawing.getvalue().decode())


def only_looks() -> bool:
    """Whether a link is opened for a preview, not by somebody who joins."""
    preview = PREVIEWS.search(request.user_agent.string) and "in" not in request.args
    return bool(preview) or request.method == "HEAD"


def private(response: Response) -> Response:
    """``response`` with headers that keep the secret in its address from others."""
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def unlisted(response: Response) -> Response:
    """As ``private``; search engines are asked not to list the page."""
    response.headers["X-Robots-Tag"] = "noindex"
    return private(response)


def _named(match: str) -> Seating | None:
    """The phone of this table that the form names, if it is still there."""
    named = request.form.get("phone", "")
    return next((s for s in access.way(match).phones if s.phone == named), None)


def _at(match: str, place: int) -> Seating | None:
    """The phone at ``place``; None without one, and for 0."""
    return next((s for s in access.way(match).phones if s.place == place != 0), None)


def _place(view: View) -> int:
    place = forms.digits(request.values.get("place", ""))
    if place is None or place > len(view.header.seats):
        raise forms.BadForm(_("その席はありません。"))
    return place


def _next(match: str) -> str:
    at_join = request.form.get("next") == "join"
    return url_for(".table" if at_join else "tables.table", match=match)


def _typed_wrong(status: int, fault: str) -> Response:
    typed = request.form.get("code", "")[:40]
    return htmx.fragment("table/code.html", status_code=status, fault=fault, typed=typed)
