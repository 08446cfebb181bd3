"""Pages of the people at a table: pass a seat to another person, correct a name or the order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response, abort, request, url_for

from referee.core import naming
from referee.core.generic import Entry
from referee.core.naming import skeleton
from referee.core.verdict import Facts, Finding, Seat
from referee.http import access, errors, forms, htmx, sure
from referee.http.current import book_at, ledger
from referee.http.language import gettext as _
from referee.ledger import View
from referee.store import Clash, Former, NameInUse

bp = Blueprint("seats", __name__)

KNOWN = 12  # people that are offered, at most, the latest players first
FROM_HERE, ALWAYS = "from-here", "always"


@bp.get("/t/<match>/seats")
def seats(match: str) -> Response:
    """Page of the seats in turn order."""
    return _listed(ledger().view(match))


@bp.get("/t/<match>/seats/<int(max=999):place>")
def seat(match: str, place: int) -> Response:
    """Page of the possible changes of one seat."""
    return _page(ledger().view(match), place)


@bp.get("/t/<match>/seats/<int(max=999):place>/<do>")
def before_naming(match: str, place: int, do: str) -> Response:
    """Page that shows what giving the seat to another person would change."""
    _require(do, FROM_HERE, ALWAYS)
    view = ledger().view(match)
    old = _name_at(view, place)
    try:
        new = _name(view, old)
    except forms.BadForm as fault:
        return _page(view, place, str(fault))
    if new == old:
        return htmx.go_to(url_for(".seat", match=match, place=place))
    said = {"old": old, "new": new, "n": str(view.seq)}
    if do == FROM_HERE:
        question = _("ここから%(new)sに交代しますか", **said)
        effect = _(
            "記録%(n)sまでは%(old)s、このあとは%(new)sの席です。得点と結果は%(new)sに付きます。"
            "この席のスマホは席を離れます。",
            **said,
        )
    elif new in view.header.seats:
        question = _("%(old)sと%(new)sを入れ替えますか", **said)
        effect = _(
            "この卓の最初から、%(old)sの記録は%(new)sのもの、%(new)sの記録は%(old)sのものになります。"
            "判定は変わりません。",
            **said,
        )
    else:
        question = _("%(old)sを%(new)sに直しますか", **said)
        effect = _(
            "この卓の最初から、%(old)sの記録はすべて%(new)sのものになります。"
            "履歴と成績も変わります。判定は変わりません。",
            **said,
        )
    return sure.ask(
        question,
        effect,
        _("交代する") if do == FROM_HERE else _("直す"),
        url_for(".name", match=match, place=place, do=do),
        url_for(".seat", match=match, place=place),
        name=new,
        seen=str(view.seq),
    )


@bp.post("/t/<match>/seats/<int(max=999):place>/<do>")
def name(match: str, place: int, do: str) -> Response:
    """Give the seat to another person, from now on or from the beginning."""
    _require(do, FROM_HERE, ALWAYS)
    view = ledger().view(match)
    old = _name_at(view, place)
    try:
        new = _name(view, old)
        if do == FROM_HERE:
            access.seats().replace(match, place, forms.seen(), new)
        elif new in view.header.seats:
            other = view.header.seats.index(new) + 1
            access.seats().call(match, {place: new, other: old})
        else:
            access.seats().call(match, {place: new})
    except forms.BadForm as fault:
        return _page(view, place, str(fault))
    except NameInUse:
        text = _("%(name)sは、すでにこの卓にいます。", name=new)
        return _page(view, place, text, 409)
    except Clash:
        return errors.page(409, _("卓の席が変わりました。もう一度、卓から開いてください。"))
    ledger().reseated(match)
    return htmx.go_to(url_for("tables.table", match=match))


@bp.get("/t/<match>/order/<int(max=999):place>/<way>")
def before_moving(match: str, place: int, way: str) -> Response:
    """Page that shows the effect of another order; if it changes a verdict, the alternatives."""
    view = ledger().view(match)
    order, other = _moved(view, place, way)
    after = ledger().in_order(match, order)
    if isinstance(after, int):
        return _listed(view, (place, other), after)
    return sure.ask(
        _("席順を変えますか"),
        _("時計回りに：%(names)s。記録の判定と得点は変わりません。", names=_("・").join(order)),
        _("変える"),
        url_for(".move", match=match, place=place, way=way),
        url_for(".seats", match=match),
        seen=str(view.seq),
        order="\n".join(view.header.seats),
    )


@bp.post("/t/<match>/order/<int(max=999):place>/<way>")
def move(match: str, place: int, way: str) -> Response:
    """Exchange a seat with its neighbour, if the table has no newer entries than the phone saw."""
    view = ledger().view(match)
    if request.form.get("order", "").split("\n") != [*view.header.seats]:
        return htmx.go_to(url_for(".seats", match=match))  # moved already
    order, other = _moved(view, place, way)
    if not ledger().reorder(match, order, forms.seen()):
        return _listed(view, (place, other), 0)
    return htmx.go_to(url_for(".seats", match=match))


def offered(view: View, seated: Sequence[Seat]) -> list[str]:
    """People of the group who have none of the seats, for phones of the group."""
    there = access.way(view.match)
    known = access.people().playing(there.circle, KNOWN + len(seated)) if there.member else []
    return [name for name in known if name not in seated][:KNOWN]


def former(view: View) -> dict[Seat, list[Former]]:
    """The former players of the seats of a match."""
    found: dict[Seat, list[Former]] = {}
    for row in access.seats().former([view.match]):
        found.setdefault(view.header.seats[row.place - 1], []).append(row)
    return found


def as_then(gone: Mapping[Seat, list[Former]], entry: Entry, seq: int) -> Entry:
    """``entry`` number ``seq`` under the names of those who had the seats then."""
    return naming.renamed(entry, naming.names_then(gone, seq, _("だれか")))


def facts_then(gone: Mapping[Seat, list[Former]], facts: Facts, seq: int) -> Facts:
    """``facts`` of entry ``seq`` with the names of those who had the seats then."""
    return naming.facts_then(gone, facts, seq, _("だれか"))


def finding_then(gone: Mapping[Seat, list[Former]], found: Finding) -> Finding:
    """``found`` with the names of those who had the seats at its entry."""
    names = naming.names_then(gone, found.at, _("だれか"))
    evidence = facts_then(gone, found.evidence, found.at)
    return found._replace(seat=names.get(found.seat, found.seat), evidence=evidence)


def _moved(view: View, place: int, way: str) -> tuple[list[Seat], int]:
    """The seats with the one at ``place`` moved by one, and its new place."""
    _name_at(view, place)
    _require(way, "up", "down")
    order = [*view.header.seats]
    other = (place - 1 + (1 if way == "down" else -1)) % len(order)
    order[place - 1], order[other] = order[other], order[place - 1]
    return order, other + 1


def _require(word: str, *known: str) -> None:
    if word not in known:
        abort(404)


def _name(view: View, old: Seat) -> str:
    """The name in the request, for the seat ``old``; raises ``BadForm``.

    One that looks like the name of another seat is that name: nobody could tell them apart.
    """
    found = forms.names([request.values.get("name", "")])
    if not found:
        raise forms.BadForm(_("名前がありません。"))
    others = (seat for seat in view.header.seats if seat != old)
    return next((seat for seat in others if skeleton(seat) == skeleton(found[0])), found[0])


def _name_at(view: View, place: int) -> Seat:
    if not 0 < place <= len(view.header.seats):
        abort(404)
    return view.header.seats[place - 1]


def _listed(view: View, exchanged: tuple[int, int] | None = None, at: int = 0) -> Response:
    """The page of the seats; ``exchanged`` cannot change places, because of entry ``at``."""
    return htmx.fragment(
        "table/seats.html",
        view=view,
        book=book_at(view),
        former=former(view),
        exchanged=exchanged,
        at=at,
    )


def _page(view: View, place: int, fault: str = "", status: int = 0) -> Response:
    old = _name_at(view, place)
    return htmx.fragment(
        "table/seat.html",
        view=view,
        place=place,
        seat=old,
        former=former(view).get(old, []),
        known=offered(view, view.header.seats),
        fault=fault,
        typed=request.values.get("name", "") if fault else "",
        here_on=bool(view.seq) and view.outcome is None,
        status_code=status,
    )
