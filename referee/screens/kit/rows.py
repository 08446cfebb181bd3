"""The table page of a game of open cards: the rows are the table, and one key is one card.

Nothing is decided here: the look of a key is the verdict on the line that it records.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

from referee.core.ranking import Rank
from referee.core.steps import Step, number_of
from referee.core.verdict import Card, Outcome, Seat
from referee.http import current
from referee.http.language import gettext as _
from referee.http.language import pgettext
from referee.kit.families.draw_or_stop import feats
from referee.kit.families.draw_or_stop.effects import apply, targets
from referee.kit.families.draw_or_stop.game import DrawOrStopGame
from referee.kit.families.draw_or_stop.plays import (
    Aim,
    Deal,
    Fold,
    Hit,
    Play,
    Reveal,
    Shuffle,
    Starter,
    Stay,
)
from referee.kit.families.draw_or_stop.state import BETWEEN, LOT, TURN, DrawsDue, EffectDue, State
from referee.kit.families.draw_or_stop.stock import must_shuffle, rules_of, to_fold
from referee.ledger import View
from referee.screens import plain
from referee.screens.band import TableBand
from referee.screens.base import Count, Screen, Strip
from referee.screens.kit.names import Face, KitNames
from referee.screens.kit.row_checks import questions
from referee.screens.kit.sheet import PointsSheet
from referee.screens.pad import UNTAPPED, pad_seat, plate_query, verdict_word
from referee.screens.wording import is_long, short

RowView: TypeAlias = View[State, Play]


class LyingCard(NamedTuple):
    """A card in a row; ``twin``: another one there has its number; ``seq``: its entry."""

    face: Face
    spoken: str
    twin: bool
    newest: bool
    seq: int


class OpenRow(NamedTuple):
    """A seat with its cards. ``status``: "bust", "out" or "". ``aim``: the line that names it.

    ``sum``: of the numbers in the row, ``kinds``: how many different ones.
    """

    name: Seat
    long: bool
    turn: bool
    chosen: bool
    status: str
    total: int
    cards: tuple[LyingCard, ...]
    kept: tuple[Face, ...]
    sum: int
    kinds: int
    query: str
    aim: str


class DrawKey(NamedTuple):
    """A key that draws a card: ``left`` copies can come; ``bust``: its player would be out."""

    id: str
    face: Face
    spoken: str
    line: str
    word: str
    left: int
    bust: bool


class StopKey(NamedTuple):
    """A key beside the cards: to stay, to fold, to shuffle."""

    id: str
    text: str
    note: str
    line: str
    word: str


class DrawPad(NamedTuple):
    """The keys for ``seat``. ``numbers`` and ``specials``: cards; ``stops``: the other keys.

    ``lots``: (seat, line) pairs, the first drawn at random.
    """

    seat: Seat
    aiming: str
    numbers: tuple[DrawKey, ...]
    specials: tuple[DrawKey, ...]
    stops: tuple[StopKey, ...]
    lots: tuple[tuple[Seat, str], ...]


@dataclass(frozen=True, kw_only=True)
class RowBand(TableBand):
    """What the table shows. ``deals``: who may begin the next deal, each with its line."""

    rows: list[OpenRow]
    need: str = ""
    pad: DrawPad | None = None
    deals: Sequence[tuple[Seat, str]] = ()
    ranks: Sequence[Rank] = ()


class RowScreen(Screen[State, Play]):
    """The table page of a game of open cards."""

    sheet_pad = PointsSheet[State, Play]()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        game = cast(DrawOrStopGame, current.game(name))
        self.names = KitNames(name, game)
        self.checks = questions(game, self.names)

    def opening(self, view: RowView, leader: Seat) -> Deal:
        return Deal(None if rules_of(view.state).deal.first == "lowest" else leader)

    def places(self, view: RowView) -> list[tuple[str, object, int | None]]:
        state = view.state
        if not state.deal:
            return []
        return [(_("ラウンド"), state.deal, None), (_("山札"), state.stock.left, None)]

    def progress(self, view: RowView) -> str:
        return self.deal(view.state.deal)

    def trick(self, view: RowView, params: Mapping[str, str]) -> RowBand:
        due = view.to_act
        seat = pad_seat(view, params, due[0])
        return RowBand(
            due=seat if seat in due else due[0],
            seat=seat,
            need=self._need(view),
            rows=self._rows(view, seat, aims=params is not UNTAPPED),
            pad=self._pad(view, seat) if params is not UNTAPPED else None,
        )

    def between_deals(self, view: RowView, params: Mapping[str, str]) -> RowBand:
        plays = [play for play in view.game.candidates(view.state) if isinstance(play, Deal)]
        deals = [(play.leader or "", view.grammar.print(play)) for play in plays]
        return RowBand(rows=self._rows(view, ""), deals=deals)

    def end(self, view: RowView, outcome: Outcome) -> RowBand:
        return RowBand(rows=self._rows(view, ""), ranks=plain.ranks(view, outcome))

    def _need(self, view: RowView) -> str:
        """What the seat due has to do, as text."""
        state = view.state
        task = state.due[0] if state.due else None
        if isinstance(task, EffectDue):
            return _("%(card)sをだれに使うか", card=self.names.called(task.card.card))
        if isinstance(task, DrawsDue):
            return _("あと%(n)s枚引く", n=task.left)
        if state.phase == LOT:
            return _("ランダムに決める")
        return _("引くか、やめるか") if state.phase == TURN else _("配られたカード")

    def _rows(self, view: RowView, chosen: Seat, *, aims: bool = False) -> list[OpenRow]:
        """The seats in turn order with the cards before them, and their points."""
        state, rules = view.state, rules_of(view.state)
        task = state.due[0] if state.due else None
        aimed = targets(state, task) if aims and isinstance(task, EffectDue) else ()
        found = []
        for i, seat in enumerate(state.table.seats):
            cards = state.round.rows[i]
            value, rank = rules.cards.value, rules.cards.rank
            numbers = [value[shown.card] for shown in cards if rank[shown.card]]
            lying = []
            for shown in cards:
                face = self.names.face(shown.card)
                twin = bool(rank[shown.card]) and numbers.count(value[shown.card]) > 1
                seq = number_of(view.moment.step, shown.at)
                newest = shown.at == state.at
                lying.append(LyingCard(face, self.names.spoken(face), twin, newest, seq))
            begun = state.phase != BETWEEN
            out = begun and state.deal > 0 and seat not in state.round.playing
            turn = seat in view.to_act and (seat == chosen or chosen not in view.to_act)
            line = ""
            if isinstance(task, EffectDue) and seat in aimed:
                line = view.grammar.print(Aim(task.card.seat, seat))
            kept = [shown.card for shown in state.stock.kept if shown.seat == seat]
            found.append(
                OpenRow(
                    name=seat,
                    long=is_long(seat),
                    turn=turn,
                    chosen=seat == chosen,
                    status="bust" if state.round.busts[i] else "out" if out else "",
                    total=state.score.totals[seat],
                    cards=tuple(lying),
                    kept=tuple(map(self.names.face, kept)),
                    sum=sum(numbers),
                    kinds=len({*numbers}),
                    query=plate_query(view, seat, chosen),
                    aim=line,
                )
            )
        return found

    def _pad(self, view: RowView, seat: Seat) -> DrawPad:
        """The keys for ``seat``."""
        state, aiming = view.state, ""
        task = state.due[0] if state.due else None
        if isinstance(task, EffectDue):
            aiming = self.names.called(task.card.card)
        if state.phase == LOT:
            lots = tuple((other, view.grammar.print(Starter(other))) for other in state.order)
            return DrawPad(seat, "", (), (), (), (secrets.choice(lots), *lots))
        keys = [self._key(view, seat, card) for card in map(str, state.deck.cards)]
        special = rules_of(state).cards.rank
        numbers = tuple(key for key in keys if special[key.id.removeprefix("k")])
        specials = tuple(key for key in keys if not special[key.id.removeprefix("k")])
        return DrawPad(seat, aiming, numbers, specials, tuple(self._stops(view, seat)), ())

    def _key(self, view: RowView, seat: Seat, card: str) -> DrawKey:
        state = view.state
        drawing = state.phase == TURN or (state.due and isinstance(state.due[0], DrawsDue))
        play: Play = Hit(seat, card) if drawing else Reveal(seat, card)
        word, face = verdict_word(view, play), self.names.face(card)
        place = rules_of(state).index[seat]
        bust = word == "legal" and apply(state, play).round.busts[place]
        left = state.stock.unseen[state.deck.place[card]]
        unseen = _("残り%(n)s枚", n=left)
        name, seen = self.names.spoken(face), _("バースト") if bust else unseen
        said = [f"{name} {seen}"]  # as it is seen, for those who say what they see
        said += [unseen] if bust else [_("反則")] if word == "illegal" else []
        line = view.grammar.print(play)
        return DrawKey(f"k{card}", face, _("、").join(said), line, word, left, bust)

    def _stops(self, view: RowView, seat: Seat) -> list[StopKey]:
        """The keys beside the cards."""
        state, rules = view.state, rules_of(view.state)
        made: list[tuple[str, Play, str, str]] = []
        if must_shuffle(state):
            made.append(("shuffle", Shuffle(), _("切り直す"), _("山札がなくなりました")))
        if state.phase == TURN and (rules.stops.stays or not rules.stops.folds):
            row = next(row for row in self._rows(view, seat) if row.name == seat)
            note = _("列の合計 %(n)s", n=row.sum)
            made.append(("stay", Stay(seat), pgettext("draw", "やめる"), note))
        if state.phase == TURN and rules.stops.folds:
            taken = to_fold(state)
            card = self.names.called(taken.card) if taken else ""
            note = _("%(card)sを取る", card=card) if card else ""
            made.append(("fold", Fold(seat), _("おりる"), note))
        return [
            StopKey(id_, text, note, view.grammar.print(play), verdict_word(view, play))
            for id_, play, text, note in made
        ]

    def what(self, entry: Play) -> str:
        match entry:
            case Hit(seat=seat, card=card) | Reveal(seat=seat, card=card):
                return f"{seat} {self.names.called(card)}"
            case Stay(seat=seat):
                return _("%(seat)sがやめた", seat=seat)
            case Fold(seat=seat):
                return _("%(seat)sがおりた", seat=seat)
            case Aim(seat=seat, target=target):
                return f"{seat} → {target}"
            case Starter(named=seat):
                return _("抽選で%(seat)s", seat=seat)
            case Shuffle():
                return _("切り直した")
            case _:
                return _("配った")

    def named(self, card: Card) -> str:
        return self.names.called(str(card))

    def card(self, entry: Play) -> str | None:
        return self.names.called(entry.card) if isinstance(entry, Hit | Reveal) else None

    def feat(self, kind: str, label: str, value: int) -> str:
        return _("1回の配札の最高：%(n)s点", n=value)

    def counted(self, times: Mapping[str, int]) -> Count:
        """Rounds, cards drawn, stops and busts."""
        named = (
            (feats.ROUND, _("ラウンド")),
            (feats.DRAWN, _("引いた枚数")),
            (feats.STAYED, _("やめた")),
            (feats.FOLDED, _("おりた")),
            (feats.BUST, _("バースト")),
        )
        rows = [(name, name, times[label]) for label, name in named if label in times]
        return Count(_("引いた回数とやめた回数"), _("種類ごとの回数"), _("種類"), rows)

    def done(self, view: RowView, step: Step[State, Play], strip: Strip) -> Strip:
        state, before = step.state, view.log.before(step)
        seats = enumerate(state.table.seats) if state.deal == before.deal else ()
        bust = [seat for i, seat in seats if state.round.busts[i] and not before.round.busts[i]]
        parts = [_("%(seat)sはバースト", seat=short(seat)) for seat in bust]
        heard = _("　").join(_("%(seat)sはバースト", seat=seat) for seat in bust)
        if before.phase != BETWEEN and state.phase == BETWEEN:
            parts.append(_("ラウンドの終わり"))
        elif before.phase not in (TURN, BETWEEN) and state.phase == TURN:
            parts.append(_("%(seat)sから", seat=short(state.order[0])))
        return strip._replace(text=_("、").join(parts), trick=heard)
