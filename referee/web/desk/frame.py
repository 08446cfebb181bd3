"""What all pages of a desk share: who may see it and direct it, and how a press is recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from flask import Response, abort, request

from referee.core.naming import clean_name
from referee.desk import DeskView
from referee.games import GAMES
from referee.http import access, errors, forms, htmx
from referee.http.current import BOOKS, desks
from referee.http.language import current as tongue
from referee.http.language import gettext as _
from referee.http.local_time import clock, day_of, local_time
from referee.kit import shipped
from referee.tonight.entries import DeskEntry
from referee.tonight.evening import DeskState, EveningRound, RoundTable
from referee.web.table.tables import form_key

SEQ = "X-Seq"
"""Response header: the number of the last entry that the page knows."""
LONGEST = 12
"""Characters of the name of a table."""


def shown(desk: int) -> DeskView:
    """The desk with everything that its matches have said; 404 for phones of other groups."""
    _require_own(desk)
    return desks().caught_up(desk)


def _require_own(desk: int) -> None:
    own = {circle.id for circle in access.circles().of(access.phone())}
    if desks().store.circle(desk) not in own:
        abort(404)


def directs(evening: DeskState) -> bool:
    """Whether this phone may direct the evening; any may while nobody does."""
    return not evening.directors or access.phone() in evening.directors


def require_director(evening: DeskState) -> None:
    """Refuse a press of a phone that does not direct."""
    if not directs(evening):
        abort(errors.page(403, _("これはディレクターのスマホだけができます。")))


def press(
    desk: int, decide: Callable[[DeskView], Sequence[DeskEntry]], *, anybody: bool = False
) -> DeskView:
    """Record what ``decide`` makes of the desk; a press that comes twice is recorded once.

    ``anybody``: phones that do not direct may do it, too.
    """
    _require_own(desk)
    fields = "\n".join(f"{name}={value}" for name, value in request.form.items(multi=True))
    pressed = f"{forms.key()}\n{request.path}\n{fields}"
    key = sha256(pressed.encode("utf-8", "replace")).hexdigest()[:32]

    if is_over(desk):
        says = _("このデスクのゲーム会は終わりました。読むだけで、書き込めません。")
        abort(errors.page(409, says))

    def allowed(found: DeskView) -> Sequence[DeskEntry]:
        if not anybody:
            require_director(found.evening)
        return decide(found)

    return desks().write(desk, access.phone(), key, allowed)


def page(template: str, found: DeskView, fault: str = "", **context: Any) -> Response:
    """A page of the desk, or its ``main`` alone for a script, which follows what others do.

    ``fault``: why a press was refused.
    """
    over = is_over(found.desk)
    response = htmx.fragment(
        template,
        partial=htmx.wants_partial(),
        found=found,
        fault=fault,
        evening=found.evening,
        desk=found.desk,
        over=over,
        day=day_of(local_time(desks().store.opened(found.desk)).date()) if over else "",
        directs=directs(found.evening) and not over,
        me=found.evening.phones.get(access.phone()),
        who=lambda person: name_of(found, person),
        game_title=title,
        time=said_time,
        left=found.evening.clock.seconds_left(datetime.now(UTC)) if found.evening.clock else 0,
        key=form_key(),
        streams=request.environ.get("referee.streams", False),
        **context,
    )
    response.headers[SEQ] = str(found.seq)
    return response


def is_over(desk: int) -> bool:
    """Whether the evening of a desk is past: it can only be read."""
    return desks().store.current(desks().store.circle(desk)) != desk


def name_of(found: DeskView, person: int) -> str:
    """The present name of a person at the desk."""
    return found.people[person][1] or _("だれか")


def names_of(found: DeskView) -> list[str]:
    """The names of all people at the desk by number; those of deleted people are told apart."""
    return [name or f"{_('だれか')} {person + 1}" for person, name in enumerate(found.names)]


def title(game: str) -> str:
    """The title of a game, "" for none or one that is not here any more."""
    return BOOKS[game].title.in_(tongue()) if known_game(game) else ""


def known_game(game: str) -> bool:
    """Whether this is the name of a game that a table of the desk can have."""
    return game in GAMES or game in shipped.games()


def said_time(stored: str) -> str:
    """The time of day of ``stored`` (UTC, ISO 8601)."""
    return clock(local_time(stored)) if stored else ""


def number(name: str, least: int, most: int) -> int:
    """The whole number in a field of the form; raises ``BadForm``."""
    found = forms.digits(request.form.get(name, "").strip())
    if found is None or not least <= found <= most:
        raise forms.BadForm(
            _("%(least)sから%(most)sまでの整数を入れてください。", least=least, most=most)
        )
    return found


def person(found: DeskView, name: str = "person") -> int:
    """The person whom a field of the form names; raises ``BadForm``."""
    number = forms.digits(request.form.get(name, ""))
    if number is None or number not in found.evening.guests:
        raise forms.BadForm(_("その人はこのデスクにいません。"))
    return number


def table_name(text: str) -> str:
    """The cleaned name of a table; raises ``BadForm``."""
    name = clean_name(text).replace("/", "／")
    if not name or len(name) > LONGEST:
        raise forms.BadForm(_("卓の名前は1文字から%(most)s文字までです。", most=LONGEST))
    return name


def round_of(found: DeskView, number: int) -> EveningRound:
    """A published round; 404 if there is none."""
    round_ = found.evening.round(number)
    if round_ is None or not round_.published:
        abort(404)
    return round_


def table_of(found: DeskView, round_number: int, name: str) -> RoundTable:
    """A table of a published round; 404 if there is none."""
    return round_of(found, round_number).at(name) or abort(404)
