"""Pages of the circle that this phone uses: its name, its phones, its link, its evenings."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from markupsafe import Markup

from referee import zones
from referee.core.naming import NAME_LENGTH, clean_name
from referee.http import access, errors, forms, guarded, htmx, local_time, reach, sure, wanted_page
from referee.http.current import book_at
from referee.http.language import gettext as _
from referee.ledger import View
from referee.store import LastPhone
from referee.store.circles import Session
from referee.web.group import results_out
from referee.web.table.join import only_looks, private, qr_code

bp = Blueprint("circle", __name__)

HELD = 24  # matches listed at a time on the page of an evening
EVENINGS = 30  # on the page of the circle; the history page has all
NOTE_LENGTH = 400


@bp.get("/c/<secret>")
def by_link(secret: str) -> Response:
    """Use a link: become a member of its circle, or adopt matches that no circle has."""
    invite = access.keeper().opens(secret)
    if invite is None or invite.kind == "table":
        text = _("このリンクはもう使えません。新しいリンクをもらってください。")
        return private(errors.page(404, text))
    if only_looks():
        return private(htmx.fragment("table/invited.html", view=None))
    if invite.kind == "claim":
        access.keeper().used(invite)
        access.circles().adopt(access.own_circle())
        return private(htmx.go_to(url_for("home.home")))
    access.circles().join(invite.circle, access.introduce())
    return private(wanted_page.go(url_for(".circle")))


@bp.get("/circle")
def circle() -> Response:
    """Page of the circle, with a link for other phones."""
    own = access.circle()
    url = reach.link(".by_link", access.keeper().invitation("circle", own).text)
    return htmx.fragment(
        "group/circle.html",
        circle=access.circles().get(own),
        others=[other for other in access.circles().of(access.phone()) if other.id != own],
        members=access.circles().members(own),
        me=access.phone(),
        url=url,
        qr=qr_code(url),
        reach=reach.addresses(),
        evenings=[
            (held, local_time.local_time(held.began))
            for held in access.circles().sessions(own, EVENINGS)
            if held.matches
        ],
        people=access.people().count(own),
        zone=local_time.zone(),
        zones=bool(zones.offered()),
        sent_to=results_out.host_of(own),
    )


@bp.post("/circle/name")
def call() -> Response:
    """Name the circle."""
    access.circles().call(access.circle(), _text("name", "", NAME_LENGTH))
    return htmx.go_to(url_for(".circle"))


@bp.get("/circle/zone")
def before_zoning() -> Response:
    """Page with the time zones to choose from."""
    return _zones()


@bp.post("/circle/zone")
def set_zone() -> Response:
    """Set the time zone of the circle: how its times are shown and cut into days."""
    name = request.form.get("zone", "")
    if not zones.exists(name):
        return _zones(_("このタイムゾーンは使えません。一覧から選んでください。"))
    access.circles().set_zone(access.circle(), name)
    return htmx.go_to(url_for(".circle"))


def _zones(fault: str = "") -> Response:
    return htmx.fragment(
        "group/zone.html",
        zone=local_time.zone(),
        of_phone=local_time.of_phone() if zones.exists(local_time.of_phone()) else "",
        offered=zones.offered(),
        fault=fault,
    )


@bp.post("/circle/use")
def choose() -> Response:
    """Use another circle of this phone."""
    access.circles().choose(request.form.get("circle", ""), access.phone())
    return htmx.go_to(url_for("home.home"))


@bp.post("/circle/link")
def renew() -> Response:
    """Make the present link invalid; the page shows a new one."""
    access.keeper().renew(access.circle())
    return htmx.go_to(url_for(".circle"))


@bp.get("/circle/phones")
def before_dismissing() -> Response:
    """Page that asks before a phone is removed from the circle."""
    named = request.args.get("phone", "")
    own = named == access.phone()
    if own:
        question, button = _("サークルを抜けますか"), _("サークルを抜ける")
        effect = _("抜けると、このスマホからサークルの記録が見えなくなります。")
    else:
        question, button = _("このスマホを外しますか"), _("外す")
        effect = _("外したスマホからは、サークルの記録が見えなくなります。")
    return sure.ask(question, effect, button, url_for(".dismiss"), url_for(".circle"), phone=named)


@bp.post("/circle/phones")
def dismiss() -> Response:
    """Remove a phone from the circle; the last one can't be removed."""
    own, named = access.circle(), request.form.get("phone", "")
    try:
        access.circles().dismiss(own, named)
    except LastPhone:
        last = _("サークルの最後のスマホは外せません。先に、ほかのスマホを入れてください。")
        return errors.page(409, last)
    return htmx.go_to(url_for("home.home" if named == access.phone() else ".circle"))


@bp.get("/session/<int(max=999999999):session>")
def session(session: int) -> Response:
    """Page of an evening: its matches, its place, and its note."""
    return _evening(access.circles().session(access.circle(), session))


@bp.post("/session/<int(max=999999999):session>")
def describe(session: int) -> Response:
    """Store place and note of an evening."""
    found = access.circles().session(access.circle(), session)
    try:
        place = _text("place", found.place, NAME_LENGTH)
        note = forms.clean_note(request.form.get("note", found.note), NOTE_LENGTH)
    except forms.BadForm as fault:
        return _evening(found, str(fault))
    access.circles().describe(found.circle, found.id, place, note)
    return htmx.go_to(url_for(".session", session=found.id))


def _evening(found: Session, fault: str = "") -> Response:
    """The page of an evening; ``fault``: why the typed place and note were not stored.

    The fields show what was typed, so that it can be corrected.
    """
    skip = forms.skipped()
    held = access.circles().held(found.id, HELD, skip)
    lines = guarded.each(held, _held)
    return htmx.fragment(
        "group/session.html",
        session=found,
        began=local_time.local_time(found.began),
        hidden=access.hidden().count(found.circle),
        held=[(match, lines.get(match)) for match in held],
        later=skip + HELD if skip + HELD < found.matches else None,
        fault=fault,
        place=request.form.get("place", found.place),
        note=request.form.get("note", found.note),
        note_length=NOTE_LENGTH,
    )


def _held(view: View) -> Markup:
    """The line of a match of an evening."""
    return htmx.drawn("group/_held.html", view=view, book=book_at(view))


def _text(field: str, was: str, most: int) -> str:
    """The text in a form field, else ``was``; ``BadForm`` above ``most`` characters."""
    text = clean_name(request.form.get(field, was))
    if len(text) > most:
        raise forms.BadForm(_("%(most)s文字までです。", most=most))
    return text
