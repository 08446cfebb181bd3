"""Copies matches from one installation to another without a file: in a link, or in QR codes.

The servers need not reach each other: a phone that opens the link, or scans the codes, opens
``gather`` at the other one. The content of a link is behind its ``#``, which browsers do not send;
``pieces.js`` puts it into the form, and keeps pieces until all are there.
"""

from __future__ import annotations

import gzip
from collections import OrderedDict
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, current_app, request, url_for

from referee.history import exchange, pieces
from referee.http import access, errors, htmx, language
from referee.http.assets import YEAR_SECONDS
from referee.http.current import ledger
from referee.http.language import gettext as _
from referee.rulings import book_of
from referee.store.archive import Archive
from referee.web.group import files
from referee.web.site.settings import own_page
from referee.web.site.take_along import packed_app
from referee.web.table.join import qr_code

bp = Blueprint("copying", __name__)

ADDRESS = "copies_to"  # the cookie with the address of the other installation
LONGEST_NAME = 253  # letters of a server's name in the DNS
IN_A_CODE = 600
"""Characters of the file in one code. With an address of 50 characters the code has 89 × 89
modules, of four pixels each on a phone.
"""
MOST_CODES = 24
IN_A_LINK = 60_000
"""Characters of a file in a link: what fits an ordinary form, about forty matches."""
MOST_MATCHES = 200
"""Matches of a group that may fit into a link; those of a larger group are not even read."""
MOST_KEPT = 16
"""Files kept in memory while their codes are requested one by one; some 30 kB each."""
KEY = "copied files"


@bp.get("/t/<match>/copy")
def match(match: str) -> Response:
    """Page that copies a match to another installation."""
    if access.way(match).circle != access.circle():
        abort(404)
    title = book_of(ledger().view(match).game).title.in_(language.current())
    return _page(title, url_for("scores.score", match=match), match)


@bp.get("/history/copy")
def history() -> Response:
    """Page that copies the history of this phone's circle to another installation."""
    return _page(_("すべてのゲーム"), url_for("transfers.transfers"))


@bp.post("/copy/address")
def address() -> Response:
    """Store the address of the other installation."""
    found = origin(request.form.get("address", ""))
    if not found:
        return errors.page(400, _("アドレスを読み取れません。"))
    response = htmx.go_to(own_page(request.form.get("next", "")) or url_for("transfers.transfers"))
    response.set_cookie(ADDRESS, found, max_age=YEAR_SECONDS, samesite="Lax", httponly=True)
    return response


@bp.get("/in/")
def gather() -> Response:
    """Page to which links and codes of another installation lead."""
    return htmx.fragment("group/copy_in.html", pieces="", damaged=False, found=None)


@bp.post("/in/")
def take_in() -> Response:
    """Receive pieces of a file: show which are missing, or import it once the person confirms."""
    text = request.form.get("pieces", "")
    try:
        found = pieces.gather(each.rpartition("#")[2] for each in text.split())
    except pieces.DamagedPieces:
        return htmx.fragment(
            "group/copy_in.html", status_code=400, pieces=text, damaged=True, found=None
        )
    if found.content and "take" in request.form:
        return files.take(files.as_form(found.content))
    return htmx.fragment("group/copy_in.html", pieces=text, damaged=False, found=found)


def origin(text: str) -> str:
    """The address of a server from typed text such as ``192.168.1.5:8321``; "" if it is none."""
    text = text.strip()
    try:
        if "://" not in text:
            host = urlsplit(f"//{text}").hostname or ""
            text = f"{'http' if _is_ip_address(host) else 'https'}://{text}"
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    named = 0 < len(host) <= LONGEST_NAME and host.isascii() and " " not in host
    if parts.scheme not in ("http", "https") or not named:
        return ""
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}:{port}" if port else f"{parts.scheme}://{host}"


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _page(title: str, back: str, match: str | None = None) -> Response:
    to = origin(request.cookies.get(ADDRESS, "")) or packed_app()
    found = _file(match) if to else File("", [], [])
    number = request.args.get("code", 1, int)
    if found.codes and not 1 <= number <= len(found.codes):
        abort(404)
    here = f"{to}{url_for('.gather')}#"
    return htmx.fragment(
        "group/copy_out.html",
        title=title,
        back=back,
        to=to,
        link=here + found.links[0] if len(found.links) == 1 else "",
        file=found.name,
        number=number,
        of=len(found.codes),
        code=qr_code(here + found.codes[number - 1], error="l") if found.codes else "",
    )


class File(NamedTuple):
    """A file to copy, as link and codes; no codes if there would be too many."""

    name: str
    links: list[str]
    codes: list[str]


def _file(match: str | None) -> File:
    """The file of the page: the one that the address names, if it is kept, or a new one.

    So all codes are of one file, even if an entry is recorded between two of them.
    """
    kept: OrderedDict[tuple[str, ...], File] = current_app.extensions.setdefault(KEY, OrderedDict())
    whose = (access.circle(), match or "")
    found = kept.get((*whose, request.args.get("file", "")))
    if found is None:
        content = _content(match)
        codes = pieces.cut(content, IN_A_CODE)
        codes = codes if len(codes) <= MOST_CODES else []
        found = File(pieces.name_of(content), pieces.cut(content, IN_A_LINK), codes)
        if len(codes) > 1:
            kept[(*whose, found.name)] = found
        if len(kept) > MOST_KEPT:
            kept.popitem(last=False)
    return found


def _content(match: str | None) -> bytes:
    """The compressed file to copy; empty if it is too large."""
    store, circle = ledger().store, access.circle()
    if match is None and access.circles().count(circle) > MOST_MATCHES:
        return b""
    name = access.circles().get(circle).name
    written = exchange.write(Archive(store, circle), None, name, match=match)
    return gzip.compress("".join(written).encode(), 9, mtime=0)
