"""The page on which a host switches the live page on and off, and says how late it is."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from referee.http import access, forms, htmx, reach
from referee.http.current import book_at, ledger
from referee.http.language import current as tongue
from referee.http.language import gettext as _
from referee.store.broadcasts import Broadcast, Broadcasts
from referee.web.table.join import qr_code

bp = Blueprint("broadcasts", __name__)

DELAYS = (0, 30, 60, 300)
"""Seconds by which onlookers may be behind."""


@bp.get("/t/<match>/broadcast")
def page(match: str) -> Response:
    """Whether the table has a live page, and for hosts its addresses and keys."""
    view, there = ledger().view(match), access.way(match)
    known = Broadcasts(ledger().store)
    found = known.of(match)
    secret = access.keeper().aired(found.nonce) if found else ""
    if known.with_secret(secret) is None:
        found = None  # it was made with another key: its address is lost
    address = reach.link("live.page", secret) if found and there.hosts() else ""
    return htmx.fragment(
        "broadcast/switch.html",
        view=view,
        title=book_at(view).title.in_(tongue()),
        found=found,
        hosting=there.hosts(),
        delays_offered=DELAYS,
        onlookers=ledger().contacts.onlookers(match),
        url=address,
        qr=qr_code(address) if address else None,
    )


@bp.post("/t/<match>/broadcast")
def switch(match: str) -> Response:
    """Do what the pressed key says: "begin", "delay", "renew" or "end"."""
    known = Broadcasts(ledger().store)
    found = known.of(match)
    match request.form.get("do"):
        case "end":
            known.end(match)
        case "delay" if found:
            known.delay(match, _delay())
        case "begin" | "delay":
            _begin(known, match, _delay())
        case "renew" if found:
            _begin(known, match, found.delay)
        case _:
            raise forms.BadForm(_("もう一度選んでください。"))
    ledger().reseated(match)  # the streams of onlookers look again, and end if they may not go on
    return htmx.go_to(url_for(".page", match=match))


def _begin(known: Broadcasts, match: str, delay: int) -> None:
    nonce = access.keeper().nonce()
    known.begin(access.keeper().aired(nonce), Broadcast(match, nonce, delay))


def _delay() -> int:
    text = request.form.get("delay", "0")
    if text not in map(str, DELAYS):
        raise forms.BadForm(_("もう一度選んでください。"))
    return int(text)
