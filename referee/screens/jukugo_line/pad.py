"""The deck to choose from, and the keys of 熟語ライン."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from referee.core.record import is_kanji
from referee.core.verdict import Seat
from referee.games import jukugo_line as game
from referee.games.jukugo_line import FLAGS, Draw, Pass, Place, State
from referee.http.language import gettext as _
from referee.jukugo.decks import FACES, JOKER, RANKS, SIGNS, SUITS, VALUES
from referee.jukugo.formations import COLUMN
from referee.screens.jukugo_line import column
from referee.screens.jukugo_line.column import FlagAct, FlagView, KanjiTile
from referee.screens.pad import verdict_word


class DeckCell(NamedTuple):
    """A card of the deck that was not placed; ``on``: it is chosen.

    ``word``: the verdict on placing it at a flag where there is room.
    """

    tile: KanjiTile
    word: str
    on: bool


Filters: TypeAlias = tuple[str, list[tuple[str, str, int]]]
"""A kind of filter, and each one's name, label and number of remaining cards."""


class FlagPad(NamedTuple):
    """Keys. ``stage``: "card", "put" (a card is chosen), "few" (those of a number or a value),
    "filter" (which ones), "claim" (which flag) or "column" (one is open: ``naming``).
    """

    stage: str
    chosen: KanjiTile | None
    rows: list[tuple[str, list[DeckCell | None]]]
    few: list[DeckCell]
    filters: list[Filters]
    acts: list[FlagAct]
    naming: column.Naming | None = None


def expected(state: State, params: Mapping[str, str]) -> Seat:
    """The seat whose entry probably comes next.

    When the seat on turn has placed its card and can claim nothing, the other seat may place its
    own: that implies the draw.
    """
    assert state.turn is not None
    if not state.done:
        return state.turn
    may_claim = any(column.may(state, flag) for flag in range(1, FLAGS + 1))
    return game.other(state, state.turn) if params.get("card") or not may_claim else state.turn


def pad_of(view: FlagView, seat: Seat, params: Mapping[str, str]) -> FlagPad:
    state = view.state
    naming = column.opened(view, params)
    if naming:
        return FlagPad("column", None, [], [], [], naming.acts, naming)
    layer = game.other(state, state.turn) if state.done and seat == state.turn else seat
    chosen = params.get("card", "")
    chosen = chosen if len(chosen) == 1 and is_kanji(chosen) else ""
    cells = _cells(view, layer, chosen)
    only = params.get("only", "")
    few = [cell for cell in cells.values() if only in _marks_of(state, cell.tile)]
    if chosen:
        stage = "put"
    elif params.get("do") == "claim":
        stage = "claim"
    else:
        stage = "few" if few else "filter" if params.get("do") == "filter" else "card"
    return FlagPad(
        stage,
        column.tile(state, chosen) if chosen else None,
        _rows(state, cells),
        few if stage == "few" else [],
        _filters(state, cells) if stage == "filter" else [],
        list(_acts(view, seat, layer, stage, chosen)),
    )


def _cells(view: FlagView, seat: Seat, chosen: str) -> dict[str, DeckCell]:
    """The kanji of the deck that were not placed; none without a deck."""
    state = view.state
    kanji = [card for card in game.unseen(state, seat) if card != JOKER]
    flag = _free(state, seat)
    return {
        card: DeckCell(
            column.tile(state, card), verdict_word(view, Place(seat, flag, card)), card == chosen
        )
        for card in kanji
    }


def _rows(state: State, cells: Mapping[str, DeckCell]) -> list[tuple[str, list[DeckCell | None]]]:
    """Four suits of thirteen ranks; None for a card that was placed or does not exist."""
    if not state.words:
        return []
    at = {card.place: cells.get(card.kanji) for card in state.words.deck.cards}
    return [(SIGNS[suit], [at.get((suit, rank)) for rank in RANKS]) for suit in SUITS]


def _marks_of(state: State, tile: KanjiTile) -> tuple[str, str]:
    """The filters that match a card: its rank, its value."""
    assert state.words is not None
    card = state.words.deck.by_kanji[tile.kanji]
    return str(card.rank), f"v{card.value}"


def _filters(state: State, cells: Mapping[str, DeckCell]) -> list[Filters]:
    """Ranks, then values."""
    left = [mark for cell in cells.values() for mark in _marks_of(state, cell.tile)]
    ranks = [(str(rank), FACES.get(rank, str(rank))) for rank in RANKS]
    values = [(f"v{value}", str(value)) for value in VALUES]
    return [
        (kind, [(mark, text, left.count(mark)) for mark, text in marks])
        for kind, marks in (("ranks", ranks), ("values", values))
    ]


def _acts(view: FlagView, seat: Seat, layer: Seat, stage: str, chosen: str) -> Iterable[FlagAct]:
    """The keys below the deck."""
    state, back = view.state, FlagAct(_("戻る"), "seat", "")
    if stage in ("few", "filter", "claim"):
        yield back
        return
    stuck = Pass(layer)
    if verdict_word(view, stuck) != "illegal":
        yield FlagAct(_("置けない"), "line", view.grammar.print(stuck))
    else:
        word = verdict_word(view, Place(layer, _free(state, layer), JOKER))
        on = chosen == JOKER
        yield FlagAct(_("ジョーカー"), "card", "" if on else JOKER, word, on=on, sign=JOKER)
    if state.words:
        yield FlagAct(_("絞り込む"), "do", "filter")
    flags = [flag for flag in range(1, FLAGS + 1) if column.may(state, flag)]
    if len(flags) == 1:
        yield FlagAct(_("宣言する"), "flag", str(flags[0]))
    else:
        yield FlagAct(_("宣言する"), "do", "claim", "legal" if flags else "illegal")
    draw = Draw((state.turn if state.done else None) or seat)
    yield FlagAct(_("引いて手番終了"), "line", view.grammar.print(draw), verdict_word(view, draw))


def _free(state: State, seat: Seat) -> int:
    """A flag at which ``seat`` has room; the first flag if there is none."""
    flags = range(1, FLAGS + 1)
    return next(
        (f for f in flags if not state.owners[f - 1] and len(game.column(state, seat, f)) < COLUMN),
        1,
    )


def need(state: State, seat: Seat, pad: FlagPad) -> str:
    """What the seat has to do, as text."""
    match pad.stage:
        case "column":
            return _("フラッグ %(n)s", n=pad.naming.flag) if pad.naming else ""
        case "claim":
            return _("取るフラッグを選ぶ")
        case "put":
            return _("フラッグを選ぶ")
        case _ if state.done and seat == state.turn:
            return _("宣言するか、引いて手番を終える")
        case _:
            return _("1枚置く")
