"""Quick checks of games of open cards: what does this card bring about, and may one stop?"""

from __future__ import annotations

from typing import cast

from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal
from referee.core.written import written
from referee.http.language import gettext as _
from referee.kit.families.draw_or_stop.game import DrawOrStopGame, brought_about
from referee.kit.families.draw_or_stop.plays import Fold, Hit, Play, Stay
from referee.kit.families.draw_or_stop.rules import RowRules
from referee.kit.families.draw_or_stop.situation import CARDS, if_all_stopped, situation
from referee.kit.families.draw_or_stop.state import State
from referee.screens import quick_check
from referee.screens.kit import checks
from referee.screens.kit.names import KitNames
from referee.screens.quick_check import (
    CheckAnswer,
    CheckAnswers,
    CheckField,
    CheckInput,
    QuickCheck,
    SeatPoints,
)

CHAPTERS = ("deck", "groups", "values", "effect", "stay", "fold", "turn", "score")


def questions(game: DrawOrStopGame, names: KitNames) -> tuple[QuickCheck, ...]:
    """The quick checks of a game."""

    def rows(entered: CheckInput) -> tuple[CheckField, ...]:
        return _rows(entered, names)

    def rows_and_card(entered: CheckInput) -> tuple[CheckField, ...]:
        found = rows(entered)
        card = found[0]._replace(key="card", title=_("引いたカード"), most=1, hint="")
        return (*found, card)

    seats, options = range(game.SEATS[0], game.SEATS[-1] + 1), checks.options(game, CHAPTERS)
    existing = quick_check.possible(_situation)
    return (
        QuickCheck(
            "draw",
            lambda: _("このカードを引くとどうなるか"),
            seats,
            rows_and_card,
            existing,
            _drawn,
            options,
        ),
        QuickCheck(
            "stop", lambda: _("ここでやめられるか"), seats, rows, existing, _stopped, options
        ),
    )


def _game(entered: CheckInput) -> DrawOrStopGame:
    return cast(DrawOrStopGame, checks.game_of(entered))


def _rules(entered: CheckInput) -> RowRules:
    return _game(entered).rules(entered.table())


def _rows(entered: CheckInput, names: KitNames) -> tuple[CheckField, ...]:
    keys = tuple(map(str, _rules(entered).cards.deck.cards))
    drawn = checks.faces(names, keys)
    first = entered.seats[0]
    hint = _("%(seat)sの手番。ほかの人の列は、分かるものだけ。", seat=first)
    return tuple(
        CheckField(seat, seat, keys, hint=hint, faces=True, spelled=drawn) for seat in entered.seats
    )


def _situation(entered: CheckInput) -> State:
    """The rows as entered; raises at the field with a card that cannot be there."""
    game, known = _game(entered), [*map(str, _rules(entered).cards.deck.cards)]
    rows = {seat: checks.cards(entered, seat, known) for seat in entered.seats}
    state = situation(game, entered.table(), rows)
    for card in checks.cards(entered, "card", known) if "card" in entered.texts else ():
        verdict = game.judge(state, Hit(entered.seats[0], card))
        if isinstance(verdict, Illegal) and verdict.clause.startswith(CARDS):
            raise ImpossibleSituation("card", verdict)
    return state


def _drawn(entered: CheckInput) -> CheckAnswers:
    state = _situation(entered)
    known = map(str, _rules(entered).cards.deck.cards)
    cards = checks.cards(entered, "card", known)
    if not cards:
        return ()
    if len(cards) > 1:
        raise quick_check.CheckFault("card", _("1枚だけ入力してください。"))
    return (_judged(entered, state, Hit(entered.seats[0], cards[0])),)


def _stopped(entered: CheckInput) -> CheckAnswers:
    state, rules, seat = _situation(entered), _rules(entered), entered.seats[0]
    if not any(entered.texts.values()):
        return ()
    found = [_judged(entered, state, Stay(seat))] if rules.stops.stays else []
    found += [_judged(entered, state, Fold(seat))] if rules.stops.folds else []
    return tuple(found)


def _judged(entered: CheckInput, state: State, play: Play) -> CheckAnswer:
    """The verdict on a play, what it brings about, and the points of the row after it."""
    game, seat = _game(entered), entered.seats[0]
    verdict = game.judge(state, play)
    if isinstance(verdict, Illegal):
        return quick_check.judged(entered.game, _titles(play)[1], verdict)
    after = game.apply(state, play)
    bust = after.round.busts[0] and not state.round.busts[0]
    title = _("バーストです") if bust else _titles(play)[0]
    answer = quick_check.judged(entered.game, title, verdict)
    facts = brought_about(state, after)
    why = (*answer.why, *quick_check.says(entered.game, facts))
    sheet = if_all_stopped(game, after)
    columns = quick_check.columns(entered.game, sheet, ())
    own = next(column for column in columns if column.title == seat)
    total = _("%(n)s点", n=written(sheet.totals[seat]))
    points = SeatPoints(_("この列で終わると"), own.sums, total, False)
    return answer._replace(why=why, columns=(points,))


def _titles(play: Play) -> tuple[str, str]:
    """What is said of a play that is allowed, and of one that is not."""
    match play:
        case Stay():
            return _("やめられます"), _("やめられません")
        case Fold():
            return _("おりられます"), _("おりられません")
        case _:
            return _("引けます"), _("引けません")
