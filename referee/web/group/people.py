"""Pages about the people of the circle: rename, merge, retire, delete."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from referee.core.naming import skeleton, usable
from referee.history.mentions import Mentions
from referee.http import access, forms, htmx
from referee.http.current import ledger
from referee.http.language import gettext as _
from referee.http.local_time import local_time
from referee.ledger import forgetting
from referee.store import Clash, NameInUse, Person, SatTogether
from referee.store.people import MANY

bp = Blueprint("people", __name__)

PEOPLE = 100  # on a page
CHOICE = 1000  # people to choose from when merging, the latest players first


@bp.get("/people")
def people() -> Response:
    """Page of all people, the latest players first, a hundred at a time."""
    skip = forms.skipped()
    found = access.people().of(access.circle(), PEOPLE + 1, skip)
    more = skip + PEOPLE if len(found) > PEOPLE else None
    found = found[:PEOPLE]
    return htmx.fragment(
        "group/people.html",
        playing=[(p, local_time(p.played)) for p in found if not p.retired],
        retired=[(p, local_time(p.played)) for p in found if p.retired],
        more=more,
        many=MANY,
    )


@bp.get("/people/<int(max=999999999):person>")
def person(person: int) -> Response:
    """Page with all actions for one person."""
    return _page(access.people().get(access.circle(), person))


@bp.post("/people/<int(max=999999999):person>/name")
def rename(person: int) -> Response:
    """Rename a person, in old matches, too."""
    found = access.people().get(access.circle(), person)
    try:
        names = forms.names([request.form.get("name", "")])
        if not names:
            raise forms.BadForm(_("名前がありません。"))
        if _looks_taken(found.id, names[0]):
            raise NameInUse(names[0])
        access.people().rename(access.circle(), found.id, names[0])
    except forms.BadForm as fault:
        return _page(found, str(fault))
    except NameInUse:
        refusal = _("「%(name)s」はすでにいます。同じ人なら、まとめてください。", name=names[0])
        return _page(found, refusal, 409)
    return htmx.go_to(url_for(".person", person=found.id))


def _looks_taken(person: int, name: str) -> bool:
    """Whether somebody else of the group has a name that looks like ``name``."""
    circle = access.circle()
    people = access.people().names_of(circle, access.people().count(circle))
    return skeleton(name) in {skeleton(other) for each, other in people.items() if each != person}


@bp.post("/people/<int(max=999999999):person>/merge")
def merge(person: int) -> Response:
    """Merge two people, if both names are of one person and the form confirms it."""
    found = access.people().get(access.circle(), person)
    other = forms.digits(request.form.get("into", ""))
    if other is None:
        return _page(found, _("まとめる相手を選んでください。"))
    if request.form.get("sure") != "1":
        refusal = _("まとめるには、確認のチェックを入れてください。何も変更していません。")
        return _page(found, refusal)
    into = access.people().get(access.circle(), other)
    try:
        access.people().merge(access.circle(), found.id, into.id)
    except SatTogether:
        refusal = _(
            "%(one)sと%(other)sは同じ卓に着いたことがあるので、まとめられません。",
            one=found.name,
            other=into.name,
        )
        return _page(found, refusal, 409)
    return htmx.go_to(url_for(".person", person=into.id))


@bp.post("/people/<int(max=999999999):person>/retire")
def retire(person: int) -> Response:
    """Retire a person, so that new tables do not offer the name, or undo it."""
    found = access.people().get(access.circle(), person)
    access.people().retire(access.circle(), found.id, request.form.get("retired") == "1")
    return htmx.go_to(url_for(".person", person=found.id))


@bp.post("/people/<int(max=999999999):person>/forget")
def forget(person: int) -> Response:
    """Delete a person's name everywhere; the games stay, with "someone" in that seat.

    Texts of the group that still contain the name are shown, to be cleaned together.
    """
    found = access.people().get(access.circle(), person)
    if request.form.get("sure") != "1":
        refusal = _("消すには、確認のチェックを入れてください。何も消していません。")
        return _page(found, refusal)
    try:
        forgetting.forget(ledger().store, access.circle(), person, _("だれか"))
    except Clash:
        refusal = _("この人の卓でゲームが進行中です。少し待って、もう一度お試しください。")
        return _page(found, refusal, 409)
    left = _mentions(found.name).all()
    if not left:
        return htmx.go_to(url_for(".people"))
    shown = [(each, local_time(each.at) if each.at else None) for each in left]
    return htmx.fragment("group/still_named.html", name=found.name, left=shown)


@bp.post("/people/clean")
def clean() -> Response:
    """Remove a deleted name from the texts of the group that contain it."""
    name = request.form.get("name", "")
    if not usable(name):
        raise forms.BadForm(_("名前がありません。"))
    _mentions(name).clean(_("だれか"))
    return htmx.go_to(url_for(".people"))


def _mentions(name: str) -> Mentions:
    return Mentions(ledger().store, access.circle(), name)


def _page(found: Person, fault: str = "", status: int = 0) -> Response:
    """The page of a person; ``fault``: why a change was refused, with the name as typed."""
    others = access.people().names_of(access.circle(), CHOICE)
    others.pop(found.id, None)
    return htmx.fragment(
        "group/person.html",
        person=found,
        others=others,
        played=local_time(found.played),
        fault=fault,
        typed=request.form.get("name", found.name),
        into=request.form.get("into", ""),
        status_code=status,
    )
