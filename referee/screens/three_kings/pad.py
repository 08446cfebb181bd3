"""The keys of Three Kings, at the step that the address describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from referee.core.verdict import Seat
from referee.games import three_kings as game
from referee.games.three_kings import (
    KING,
    NUMBERS,
    TABLEAU,
    VALUE,
    Capture,
    Deal,
    Declare,
    Discard,
    King,
    Pass,
    Play,
    Refill,
    State,
)
from referee.http.language import gettext as _
from referee.http.language import pgettext
from referee.ledger import View
from referee.screens.pad import UNTAPPED, CardKey, query, verdict_word
from referee.screens.wording import cards, short

KingsView: TypeAlias = View[State, Play]

FACES = (*NUMBERS, KING)


class SetPick(NamedTuple):
    """A set that can be made with the card that was tapped, or a seat that declares."""

    mark: str
    text: str
    small: str
    line: str


class KingsAct(NamedTuple):
    """A key that is no card; without ``line`` and ``to`` it is only a text."""

    text: str
    line: str = ""
    to: str = ""
    word: str = "legal"


class KingsPad(NamedTuple):
    """Keys. ``stage``: "card", "set", "declare", "turned" (table cards are entered), "kings" (which
    of them stay) or "dealer".
    """

    stage: str
    keys: Sequence[CardKey] = ()
    picks: Sequence[SetPick] = ()
    acts: Sequence[KingsAct] = ()


def pad_of(view: KingsView, seat: Seat, params: Mapping[str, str]) -> KingsPad:
    """The keys for ``seat``; ``?rank=6`` once its card is known, ``?do=declare``."""
    if params is UNTAPPED:
        return KingsPad("card")
    rank = params.get("rank", "")
    rank = rank if rank in NUMBERS and game.sets_with(view.state.tableau, rank) else ""
    keys = [_number_key(view, seat, face, face == rank) for face in NUMBERS]
    king, copies = King(seat), _copies(view.state, KING)
    keys.append(CardKey(KING, view.grammar.print(king), "", verdict_word(view, king), *copies))
    if rank:
        return set_pad(view, seat, rank)._replace(keys=keys)
    acts = [_act(view, _("パス"), Pass(seat))]
    if view.log.table.option("end") == "three_kings":
        if params.get("do") == "declare":
            order = view.log.table.starting(seat)
            lines = [(s, view.grammar.print(Declare(s))) for s in order]
            picks = [SetPick("", short(s), "", line) for s, line in lines]
            return KingsPad("declare", keys, picks, [KingsAct(_("戻る"), to=query(seat=seat))])
        acts.append(KingsAct(_("宣言"), to=query(seat=seat, do="declare")))
    return KingsPad("card", keys, acts=acts)


def set_pad(view: KingsView, seat: Seat, rank: str) -> KingsPad:
    """The possible plays with the card ``rank``, without the keys of the cards."""
    captures = [Capture(seat, rank, pair) for pair in game.sets_with(view.state.tableau, rank)]
    picks = [
        SetPick(mark, sum_of((rank, *c.pair)), _points((rank, *c.pair)), view.grammar.print(c))
        for mark, c in zip(set_marks(), captures, strict=False)
    ]
    return KingsPad("set", picks=picks, acts=[_act(view, _("捨て札"), Discard(seat, rank))])


def _number_key(view: KingsView, seat: Seat, face: str, on: bool) -> CardKey:
    """The key of a number: it records if at most one set is possible, else leads to a choice."""
    state = view.state
    copies = _copies(state, face)
    captures = [Capture(seat, face, pair) for pair in game.sets_with(state.tableau, face)]
    discard = Discard(seat, face)
    word = verdict_word(view, discard)
    if not captures:
        line = view.grammar.print(discard)
        return CardKey(face, line, "", word, *copies, on=on, note=_("捨て札"))
    if word == "illegal" and len(captures) == 1:
        line = view.grammar.print(captures[0])
        return CardKey(face, line, "", verdict_word(view, captures[0]), *copies, on=on)
    if word == "illegal" and any(verdict_word(view, each) != "illegal" for each in captures):
        word = "legal"
    to = query(seat=seat) if on else query(seat=seat, rank=face)
    return CardKey(face, "", to, word, *copies, on=on)


def turned_pad(view: KingsView, params: Mapping[str, str]) -> KingsPad:
    """Keys for the new table cards; the last one records them."""
    state = view.state
    turned = entered(params.get("turned", ""), _most_entered(state))
    if len(turned) == state.due:
        back = KingsAct(_("1枚戻す"), to=query(turned="-".join(turned[:-1])))
        return KingsPad("kings", picks=_left_kings(view, turned), acts=[back])
    keys = [_turned_key(view, turned, face, state.due, Refill) for face in FACES]
    acts = [KingsAct(_("%(n)s枚目", n=len(turned) + 1))]
    if turned:
        acts.append(KingsAct(_("1枚戻す"), to=query(turned="-".join(turned[:-1])) or "?"))
    elif view.log.table.option("end") == "three_kings":
        acts.append(_act(view, _("宣言"), Declare(view.to_act[0])))
    return KingsPad("turned", keys, acts=acts)


def deal_pad(view: KingsView, params: Mapping[str, str]) -> KingsPad:
    """Who deals, unless the address says who begins; then the first table cards."""
    seats = view.header.seats
    first, turned = params.get("leader", ""), entered(params.get("turned", ""), TABLEAU - 1)
    if first not in seats:
        first = view.game.HOOKS.begins_next(view.state) or ""
    if not first:
        lines = [(seat, view.log.table.from_left_of(seat)[0]) for seat in seats]
        picks = [SetPick("", seat, "", query(leader=left)) for seat, left in lines]
        return KingsPad("dealer", picks=picks)
    dealer = view.log.table.from_left_of(first)[-2]

    def deal(tableau: tuple[str, ...]) -> Deal:
        return Deal(dealer, tableau)

    keys = [_turned_key(view, turned, face, TABLEAU, deal, first) for face in FACES]
    acts = [KingsAct(_("%(n)s枚目", n=len(turned) + 1))]
    if turned:
        acts.append(KingsAct(_("1枚戻す"), to=query(leader=first, turned="-".join(turned[:-1]))))
    return KingsPad("turned", keys, acts=acts)


def _turned_key(
    view: KingsView,
    turned: tuple[str, ...],
    face: str,
    size: int,
    play: Callable[[tuple[str, ...]], Refill | Deal],
    leader: str = "",
) -> CardKey:
    """A key for the card after those in ``turned``; the last of ``size`` records ``play``."""
    shown = (*turned, face)
    entry = play(shown)
    unseen, copies = _copies(view.state, face)
    unseen = max(0, unseen - turned.count(face))
    fault = isinstance(entry, Refill) and game.turned_fault(view.state, shown)
    if (len(shown) < size or _chooses(view.state, entry)) and not fault:
        to = query(leader=leader, turned="-".join(shown))
        return CardKey(face, "", to, "legal", unseen, copies)
    word = "illegal" if fault else verdict_word(view, entry)
    return CardKey(face, view.grammar.print(entry), "", word, unseen, copies)


def entered(text: str, most: int) -> tuple[str, ...]:
    """The cards entered so far, at most ``most``."""
    return tuple(face for face in text.split("-") if face in FACES)[:most]


def _most_entered(state: State) -> int:
    """How many new table cards can be entered: all of them only if a choice of kings is left."""
    return state.due if game.may_leave_kings(state.table) else state.due - 1


def _chooses(state: State, entry: Refill | Deal) -> bool:
    """Whether the player may leave kings that are among the new table cards."""
    return isinstance(entry, Refill) and entry.kings > 0 and game.may_leave_kings(state.table)


def _left_kings(view: KingsView, turned: tuple[str, ...]) -> list[SetPick]:
    """How many of the new kings stay on the table."""
    picks = [SetPick("", _("キングを取る"), "", view.grammar.print(Refill(turned)))]
    for left in range(1, turned.count(KING) + 1):
        line = view.grammar.print(Refill(turned, left))
        picks.append(SetPick("", _("%(n)s枚残す", n=left), "", line))
    return picks


def set_marks() -> str:
    """Signs that distinguish sets; no card can make more than eleven."""
    return str(_("いろはにほへとちりぬる"))


def sum_of(ranks: tuple[str, ...]) -> str:
    """``2+4=6``, smaller cards first; cards that do not add up keep their order."""
    if not game.is_set(ranks):
        return cards(ranks)
    low, middle, high = sorted(ranks, key=lambda card: VALUE[card])
    return f"{low}+{middle}={high}"


def _act(view: KingsView, text: str, play: Play) -> KingsAct:
    return KingsAct(text, view.grammar.print(play), "", verdict_word(view, play))


def _copies(state: State, face: str) -> tuple[int, int]:
    """Copies of ``face`` that have not turned up, and in all; before a deal all are hidden."""
    copies = state.deck.copies[state.deck.place[face]]
    return (state.hands.unseen((face,)) if state.turn else copies), copies


def _points(ranks: tuple[str, ...]) -> str:
    return pgettext("short", "%(n)s点", n=sum(VALUE[card] for card in ranks))
