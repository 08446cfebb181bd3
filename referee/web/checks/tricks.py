"""Quick checks of Fancy and ペリテ: a trick as it lies, the points of the tricks won."""

from __future__ import annotations

from referee.core.cards import pairs_deck
from referee.core.hands import Hands
from referee.core.verdict import Illegal
from referee.games import GAMES, fancy, perite
from referee.games.must_not_follow import Deal, Lay, State
from referee.web.checks import asking
from referee.web.checks.asking import Answer, Asked, Column, Fault, Field, Part, Question, Sum
from referee.web.lang import gettext as _
from referee.web.scores import won


def _trick(top: int, asked: Asked) -> tuple[Field, ...]:
    hint = _("出た順に。はじめの札が親の %(seat)s です。", seat=asked.seats[0])
    ranks = tuple(map(str, range(1, top + 1)))
    return (Field("cards", _("このトリックの札"), ranks, len(asked.seats), hint),)


def _laid(asked: Asked) -> State:
    """The trick in the question, laid from hands of one card each.

    It may be the last of a deal, where any repeat can be right, so only the copies are counted.
    """
    game = GAMES[asked.game]
    state: State = game.setup(asked.table())
    state = game.apply(state, Deal(asked.seats[0]))
    state = state._replace(hands=Hands.dealt(state.deck, asked.seats, 1))
    ranks = asked.ranks("cards")
    if len(ranks) > len(asked.seats):
        most = len(asked.seats)
        raise Fault("cards", _("トリックには一人一枚、%(most)s 枚までです。", most=most))
    for seat, rank in zip(asked.seats, ranks, strict=False):
        verdict = game.judge(state, Lay(seat, rank))
        if isinstance(verdict, Illegal):
            raise Fault("cards", asking.line(asked.game, verdict.evidence))
        state = game.apply(state, Lay(seat, rank))
    return state


def _so_far(state: State) -> Answer:
    """A trick that goes on: what the next seat may lay."""
    if not state.trick:
        return ()
    free = [rank for rank in state.deck.cards if rank not in state.showing]
    title = _("次は %(seat)s", seat=state.due[0])
    told = _("出せる数：%(ranks)s", ranks=_("・").join(map(str, free)))
    return (Part(title, "follow.1", (told,)),)


def _leads(state: State) -> str:
    return _("次のリードは %(seat)s", seat=state.leader)


def _fancy_answer(asked: Asked) -> Answer:
    state = _laid(asked)
    if state.last is None:
        return _so_far(state)
    sheet = fancy.score(state)
    # the lowest card's line carries the clause of the lead
    lowest = next(line for line in sheet.lines if line.clause == "score.1")
    title = _("%(seat)s が最小", seat=lowest.seat)
    why = (_leads(state),)
    return (Part(title, "lead.1", why, asking.columns("fancy", sheet, (lowest.seat,))),)


def _perite_answer(asked: Asked) -> Answer:
    state = _laid(asked)
    trick = state.last
    if trick is None:
        return _so_far(state)
    down = [card for card in trick.cards if card.out]
    why = []
    if down:
        told = _("、").join(f"{card.seat} {card.rank}" for card in down)
        why.append(_("ペアで伏せ：%(cards)s", cards=told))
    why.append(_leads(state))
    if trick.winner is None:
        return (Part(_("勝つ人なし"), "none.1", tuple(why)),)
    [line] = perite.score(state).lines
    text = asking.line("perite", line.evidence)
    points = str(line.points)
    clause = "win.1" if len(down) < len(trick.cards) else "none.1"
    taken = Column(trick.winner, (Sum(text, line.clause, points),), points, True)
    return (Part(won((trick.winner,)), clause, tuple(why), (taken,)),)


def _wins(asked: Asked) -> tuple[Field, ...]:
    """A 1 is told with the cards of its trick."""
    n = len(asked.seats)
    ones = tuple(f"1/{cards}" for cards in range(1, n + 1))
    ranks = tuple(str(card) for card in pairs_deck(2 * n).cards[1:])
    hint = _("勝った札の数。1 で勝ったら、そのトリックの枚数と一緒に。")
    return tuple(Field(seat, seat, (*ones, *ranks), perite.WINS, hint) for seat in asked.seats)


def _wins_answer(asked: Asked) -> Answer:
    if not any(asked.texts.values()):
        return ()
    told = {seat: asked.texts[seat] for seat in asked.seats}
    sheet, ended = asking.tallied(asked, told)
    assert ended is not None  # ties are shared here
    why = asking.says("perite", ended.evidence)
    parts = asking.columns("perite", sheet, ended.winners)
    return (Part(won(ended.winners), ended.clause, why, parts),)


FANCY = (
    Question(
        "trick",
        lambda: _("このトリックは何点"),
        fancy.SEATS,
        lambda asked: _trick(10, asked),
        _fancy_answer,
    ),
)

PERITE = (
    Question(
        "trick",
        lambda: _("このトリックはだれの勝ち"),
        perite.SEATS,
        lambda asked: _trick(2 * len(asked.seats), asked),
        _perite_answer,
        ("lead", "no_winner", "no_winner_lead"),
    ),
    Question("wins", lambda: _("勝った札で何点"), perite.SEATS, _wins, _wins_answer),
)
