"""The pad: a row for each seat, and digits for the row that is being filled.

The numbers that are not recorded yet stand in the address: ``v`` has those of the rows in order,
``at`` the row that the digits belong to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from referee.core.ranking import Rank, ranking
from referee.core.verdict import Illegal, Outcome, Seat, evidence
from referee.core.written import Points, plain, points_of, points_text, written
from referee.games import score_pad as game
from referee.games.score_pad import (
    AllLost,
    AllWon,
    End,
    Join,
    Play,
    Ranked,
    Return,
    Round,
    SetEnd,
    SitOut,
    State,
)
from referee.http import language
from referee.http.current import book_at
from referee.http.language import gettext as _
from referee.ledger import View
from referee.rulings import sentences
from referee.screens.band import TableBand
from referee.screens.base import Screen
from referee.screens.pad import UNTAPPED, query
from referee.screens.wording import together

PadView: TypeAlias = View[State, Play]

LONGEST = 8  # characters of a number without its sign, as the pad takes them
LATEST = 2  # rounds that a row shows
FEW = 5  # rows with room for these rounds below the name; with more they are columns


class SeatLine(NamedTuple):
    """A line of the pad. ``entered``: what is typed so far; ``to``: the query that chooses it.

    ``side``: its name in the record. ``place``: None before the first round. ``latest``: round →
    points, of the last rounds. ``filled``: how much of the way to the target lies behind it, in
    percent; None without a target.
    """

    name: Seat
    side: str
    partners: tuple[Seat, ...]
    place: int | None
    total: Points
    entered: str
    current: bool
    to: str
    latest: Mapping[int, Points]
    filled: int | None


class TypedRound(NamedTuple):
    """What the strip says of the numbers typed so far; ``wrong``: they cannot be the round."""

    head: str
    text: str
    wrong: bool = False


class Key(NamedTuple):
    """A key of the pad; a tap follows the query ``to``, "" for a key that does nothing now.

    ``id``: of a key that does something else than its sign says (static/js/taps).
    """

    text: str
    to: str
    note: str = ""
    label: str = ""
    id: str = ""


class TypedNumbers(NamedTuple):
    """The numbers typed so far, one text for each side, and the row at which the digits arrive."""

    texts: tuple[str, ...]
    at: int

    def query(self) -> str:
        return query(v=",".join(self.texts), at=str(self.at))

    def put(self, text: str) -> TypedNumbers:
        """These numbers with ``text`` in the current row."""
        return self._replace(texts=(*self.texts[: self.at], text, *self.texts[self.at + 1 :]))

    def moved(self) -> TypedNumbers:
        """The next row without a number is the current one."""
        rows = [*range(self.at + 1, len(self.texts)), *range(self.at + 1)]
        return self._replace(at=next((row for row in rows if not self.texts[row]), self.at))

    def back(self) -> str:
        """The query without the last character or, in an empty row, of the row typed before it."""
        if text := self.texts[self.at]:
            return self.put(text[:-1]).query()
        rows = [*range(self.at - 1, -1, -1), *range(len(self.texts) - 1, self.at, -1)]
        typed = next((row for row in rows if self.texts[row]), None)
        return "" if typed is None else self._replace(at=typed).query()

    @property
    def missing(self) -> int:
        """How many rows have no whole number yet."""
        return sum(_number(text) is None for text in self.texts)


def _number(text: str) -> Points | None:
    try:
        return points_of(text)
    except ValueError:
        return None


@dataclass(frozen=True, kw_only=True)
class PadBand(TableBand):
    """What the pad shows. ``called``: the name of what is played. ``wins``, ``target``, ``sum``: as
    in the rules. ``tied``: who decide a tie. ``out``: who sits out, with the total. ``asked``: the
    heading, with … for a name. ``results``: the lines of a win and of a loss of all. ``columns``:
    the rounds that are columns. ``next``: the query of the next row; ``left``: rows without a
    number; ``end``: the line that ends the match; ``begun``: something is typed.
    """

    called: str
    wins: str
    target: Points | None = None
    sum: Points | None = None
    rows: Sequence[SeatLine] = ()
    tied: str = ""
    out: Sequence[tuple[Seat, Points]] = ()
    asked: str = ""
    results: Sequence[str] = ()
    columns: Sequence[int] = ()
    keys: Sequence[Key] = ()
    next: str = ""
    line: str = ""
    counted: TypedRound | None = None
    never: TypedRound | None = None
    left: int = 0
    end: str = ""
    begun: bool = False
    ranks: Sequence[Rank] = ()


class PadScreen(Screen[State, Play]):
    """Rows and digits; the questions that are rare have a page of their own."""

    def opening(self, view: PadView, leader: Seat) -> Play | None:
        return None

    def places(self, view: PadView) -> list[tuple[str, object, int | None]]:
        state = view.state
        if not state.rules.by_points:
            return []
        going = int(state.ended is None)
        return [(_("ラウンド"), state.deal + going, state.rounds)]

    def between_deals(self, view: PadView, params: Mapping[str, str]) -> PadBand:
        state = view.state
        wins = state.rules.wins
        numbers = _numbers(state, params)
        rows = _rows(view, numbers)

        def asked(name: str) -> str:
            places = wins == "places"
            return _("%(name)sの順位", name=name) if places else _("%(name)sの点", name=name)

        out = [(seat, state.totals[seat]) for seat in state.seats if seat not in state.present]
        latest = range(max(1, state.deal - LATEST + 1), state.deal + 1)
        shown = PadBand(
            called=view.header.named.get("called", ""),
            wins=wins,
            rows=rows,
            target=state.target,
            sum=state.rules.sum,
            tied=together(state.seats_of(state.rivals)) if state.tied else "",
            out=out if state.rules.joinable else (),
            heading=asked(rows[numbers.at].name),
            asked=asked("…"),
            columns=latest if len(rows) > FEW else (),
            never=_never(view),
        )
        if wins == "together":
            lines = [view.grammar.print(play) for play in (AllWon(), AllLost())]
            return replace(shown, heading=_("結果は？"), results=lines)
        if params is UNTAPPED:
            return shown
        end = view.grammar.print(End()) if state.deal and state.rules.by_points else ""
        entry = _entry(state, numbers)
        return replace(
            shown,
            keys=_keys(state, numbers),
            next=numbers.moved().query() if numbers.missing else "",
            line=view.grammar.print(entry) if entry else "",
            counted=_counted(view, numbers, entry) if any(numbers.texts) else None,
            left=numbers.missing,
            end=end,
            begun=any(numbers.texts),
        )

    def end(self, view: PadView, outcome: Outcome) -> PadBand:
        state = view.state
        ranks = ranking(view.present, game.score(state), outcome, state.rules.teams)
        out = [seat for seat in state.seats if seat not in state.present]
        totals = game.score(state).totals
        return PadBand(
            called=view.header.named.get("called", ""),
            wins=state.rules.wins,
            ranks=ranks,
            out=[(seat, totals[seat]) for seat in out],
        )

    def what(self, entry: Play) -> str:
        """An entry in a few words."""
        dot = _("・")
        match entry:
            case Round(points=given):
                return dot.join(f"{seat} {written(points)}" for seat, points in given)
            case Ranked(places=places):
                return dot.join(f"{seat} {place}" for seat, place in places)
            case AllWon(points=points) | AllLost(points=points):
                said = _("全員の勝ち") if isinstance(entry, AllWon) else _("全員の負け")
                return said if points is None else f"{said} {written(points)}"
            case End():
                return _("終わりにする")
            case Join(named=seat, points=points):
                if points is None:
                    return _("%(name)sが参加", name=seat)
                return _("%(name)sが%(n)s点で参加", name=seat, n=written(points))
            case SitOut(named=seat):
                return _("%(name)sが休む", name=seat)
            case Return(named=seat):
                return _("%(name)sが戻る", name=seat)
            case SetEnd(limits=limits):
                return dot.join(_limit(key, to) for key, to in limits)

    def progress(self, view: PadView) -> str:
        return _("ラウンド %(n)s", n=view.state.deal) if view.state.deal else _("記録なし")

    def pause(self, view: PadView) -> str:
        return _("次のラウンド待ち")


def _limit(key: str, to: Points | None) -> str:
    if key == "target":
        if to is None:
            return _("終わりの点なし")
        return _("%(n)s点で終わり", n=written(to))
    return _("ラウンド数なし") if to is None else _("%(n)sラウンドで終わり", n=to)


def _numbers(state: State, params: Mapping[str, str]) -> TypedNumbers:
    """The numbers in the address, as far as they fit the rows."""
    count = len(state.sides)
    texts = [text if _typed(text) else "" for text in params.get("v", "").split(",")[:count]]
    texts += [""] * (count - len(texts))
    at = params.get("at", "0")
    row = int(at) if at.isdecimal() and len(at) < 3 and int(at) < count else 0
    return TypedNumbers(tuple(texts), row)


def _typed(text: str) -> bool:
    """Whether ``text`` is a number, or the beginning of one."""
    return text == "-" or _number(text) is not None or _number(f"{text}0") is not None


def _rows(view: PadView, numbers: TypedNumbers) -> list[SeatLine]:
    state = view.state
    ranked = game.places(state) if state.deal else {}
    teams = {team[0]: team[1:] for team in state.rules.teams}
    scored = list(state.scored)[-LATEST:]
    first = state.deal - len(scored) + 1
    given = [{state.side(seat): points for seat, points in one.points} for one in scored]
    return [
        SeatLine(
            name=side,
            side=view.grammar.quoted[side],
            partners=teams.get(side, ()),
            place=ranked.get(side),
            total=plain(state.totals[side]),
            entered=text.replace("-", "−"),
            current=row == numbers.at,
            to=numbers._replace(at=row).query(),
            latest={first + i: plain(one[side]) for i, one in enumerate(given) if side in one},
            filled=_filled(state, side),
        )
        for row, (side, text) in enumerate(zip(state.sides, numbers.texts, strict=True))
    ]


def _filled(state: State, side: Seat) -> int | None:
    if state.target is None:
        return None
    start = state.rules.start
    way = (state.totals[side] - start) / (state.target - start)
    return round(100 * min(max(way, 0), 1))


def _keys(state: State, numbers: TypedNumbers) -> list[Key]:
    """The keys in rows of four, without the one that goes on or records."""
    text = numbers.texts[numbers.at]

    def digit(sign: str) -> Key:
        return Key(sign, _to(numbers, "" if text == "0" else "-" if text == "-0" else text, sign))

    back = Key("⌫", numbers.back(), label=_("1文字消す"), id="kback")
    if state.rules.wins == "places":
        others: Sequence[Key] = (back, Key("", ""), Key("", ""))
        rest = Key("", "")
    else:
        turned = text[1:] if text.startswith("-") else f"-{text}"
        minus = Key("−", numbers.put(turned).query(), label=_("マイナス"))
        half = Key(".5", _to(numbers, text or "0", ".5") if "." not in text else "")
        others, rest = (back, minus, half), _rest(state, numbers)
    keys = []
    for row, beside in zip(("123", "456", "789"), others, strict=True):
        keys += [*map(digit, row), beside]
    return [*keys, rest, digit("0")]


def _to(numbers: TypedNumbers, text: str, more: str) -> str:
    """The query after typing ``more`` behind ``text``; "" if that is no number any more."""
    typed = text + more
    fits = len(typed.lstrip("-")) <= LONGEST and _typed(typed)
    return numbers.put(typed).query() if fits else ""


def _rest(state: State, numbers: TypedNumbers) -> Key:
    """The key that fills in what follows: the rest of the usual sum, or 0 for all others."""
    due = state.rules.sum
    if due is None:
        texts = tuple(text if _number(text) is not None else "0" for text in numbers.texts)
        note = _("%(n)s人", n=numbers.missing) if numbers.missing else ""
        to = numbers._replace(texts=texts).query() if numbers.missing else ""
        return Key(_("ほかは0"), to, note)
    others = [text for row, text in enumerate(numbers.texts) if row != numbers.at]
    left = plain(due - sum(_number(text) or 0 for text in others))
    return Key(_("残り"), numbers.put(points_text(left)).query(), written(left))


def _counted(view: PadView, numbers: TypedNumbers, entry: Round | Ranked | None) -> TypedRound:
    """How many numbers are missing or, of all of them, whether the round can be recorded."""
    head, due = _("ラウンド %(n)s", n=view.state.deal + 1), view.state.rules.sum
    if entry is None:
        said = _("あと%(n)s人", n=numbers.missing)
        if due is not None:
            left = plain(due - sum(_number(text) or 0 for text in numbers.texts))
            said += _("、") + _("残り %(n)s", n=written(left))
        return TypedRound(head, said)
    verdict = game.judge(view.state, entry)
    if isinstance(verdict, Illegal):
        return _wrong(view, verdict)
    return TypedRound(head, _("全員の分がそろいました"))


def _never(view: PadView) -> TypedRound:
    """What the strip says of a round of a wrong sum, with … for its sum: the phone fills it in."""
    fact = evidence("adds_up_to", points="…", sum=view.state.rules.sum or 0)
    return _wrong(view, Illegal("round.2", fact))


def _wrong(view: PadView, verdict: Illegal) -> TypedRound:
    facts = sentences.evidence(verdict, view.moment.step, book_at(view), language.current())
    head = _("ラウンド %(n)s", n=view.state.deal + 1)
    return TypedRound(head, sentences.says(facts, language.current()), wrong=True)


def _entry(state: State, numbers: TypedNumbers) -> Round | Ranked | None:
    """The entry that records the numbers; None while one is missing."""
    found = [_number(text) for text in numbers.texts]
    values = [value for value in found if value is not None]
    if len(values) < len(found):
        return None
    pairs = tuple(zip(state.sides, values, strict=True))
    if state.rules.wins != "places":
        return Round(pairs)
    if not all(isinstance(value, int) and value > 0 for value in values):
        return None
    return Ranked(tuple((seat, int(value)) for seat, value in pairs))
