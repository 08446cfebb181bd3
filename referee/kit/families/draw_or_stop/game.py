"""A game of this family: what ``core.game.Game`` requires, from the parts of the family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from referee.core.book import Text
from referee.core.game import Dealing, Hooks, Table
from referee.core.hidden import HiddenPlace, Knowledge, placed
from referee.core.verdict import Evidence, Facts, Finding, evidence
from referee.kit import scored
from referee.kit.families.draw_or_stop import effects, feats, judging, sheets
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
from referee.kit.families.draw_or_stop.rules import RowRules
from referee.kit.families.draw_or_stop.starting import next_leader
from referee.kit.families.draw_or_stop.state import BETWEEN, TURN, RowRound, State, Stock
from referee.kit.families.draw_or_stop.stock import burned, rules_of, shuffled, size_of
from referee.kit.game import KitGame


class DrawOrStopGame(KitGame[State, Play, RowRules]):
    """A game of open cards: one more, or stop?"""

    FAMILY = FOLDER = "draw_or_stop"
    WORDS: ClassVar[Mapping[str, Text]] = {"cards": Text("列の枚数", "cards in the row")}

    def plays(self) -> Iterator[type[Play]]:
        yield from (Deal, Reveal, Hit, Stay, Fold, Aim, Shuffle, Starter)

    def hooks(self) -> Hooks[State, Play]:
        return Hooks(
            sheet=sheets.sheet(self.source({}).word("deal", "leader", default="") == "lowest"),
            counted=feats.counted,
            stopped=effects.stopped,
            dealing=dealing,
            knowledge=knowledge,
            starter=lambda state: state.round.starter,
            brought_about=brought_about,
            carried=any(
                each.word("deal", "stock", default="") == "match" for each in self.sources()
            ),
        )

    def setup(self, table: Table) -> State:
        rules = self.rules(table)
        deck = rules.cards.deck
        state = State(
            table=table,
            rules=rules,
            deck=deck,
            deal=0,
            score=scored.at_start(rules),
            round=RowRound(0, None, ((),) * rules.n, (), (False,) * rules.n),
            phase=BETWEEN,
            order=(),
            due=(),
            stock=Stock(deck.copies, 0),
            at=0,
        )
        return state._replace(stock=shuffled(state))

    compile = staticmethod(RowRules)
    to_act = staticmethod(judging.to_act)
    candidates = staticmethod(judging.candidates)
    judge = staticmethod(judging.judge)
    apply = staticmethod(effects.apply)
    let_stand = staticmethod(effects.let_stand)

    def audit(self, state: State) -> tuple[Finding, ...]:
        """No findings: entries declare nothing that later ones could refute."""
        return ()

    def public(self, state: State) -> dict[str, object]:
        """What everybody can see, as JSON data."""
        seats, round_, stock = state.table.seats, state.round, state.stock
        rows = zip(seats, round_.rows, strict=True)
        leader = next_leader(state) if state.phase == BETWEEN else round_.starter
        shown: dict[str, object] = {
            "phase": state.phase,
            "leader": None if state.score.ended else leader,
            "rows": {seat: [card.card for card in row] for seat, row in rows},
            "playing": list(round_.playing),
            "bust": [seat for seat, bust in zip(seats, round_.busts, strict=True) if bust],
            "kept": {s: [card.card for card in stock.kept if card.seat == s] for s in seats},
            "stock": stock.left,
            "unseen": dict(zip(map(str, state.deck.cards), stock.unseen, strict=True)),
            "totals": dict(state.score.totals),
        }
        for name, numbers in state.score.counters.items():
            shown[f"counter.{name}"] = dict(zip(seats, numbers, strict=True))
        return shown

    def rests(self, first: State, state: State) -> bool:
        return state.phase != first.phase or (state.phase == TURN and not state.due)


def dealing(state: State) -> Dealing:
    """How to deal the next round, or the one under way: as ``Hooks.dealing``."""
    rules, between = rules_of(state), state.phase == BETWEEN
    size = size_of(rules, state) if between else state.round.size
    facts: list[Evidence] = []
    if rules.deal.reshuffles or state.deal + between == 1:
        facts += evidence("deal_all", left=len(state.deck))
        if away := burned(state):
            facts += evidence("kit_deal_burn", count=away)
    else:
        facts += evidence("kit_deal_from_stock")
    if size:
        facts += evidence("kit_deal_open", count=size)
    return Dealing(rules.cards.deck, (), tuple(facts))


def knowledge(state: State) -> Knowledge | None:
    """Where cards are hidden: in the stock, and among the burned cards.

    None after a round that was entered by its sheet, until the next shuffle: which cards it used is
    not known.
    """
    if not state.deal or state.stock.uncounted:
        return None
    one, stock = state.deck.one, state.stock
    unseen = sum(n * one[card] for card, n in zip(state.deck.cards, stock.unseen, strict=True))
    found = placed(unseen, (HiddenPlace("stock", None, 0, stock.left),), "aside")
    return Knowledge(state.deck, (found,) if found else ())


def brought_about(before: State, after: State) -> Facts:
    """What a play has brought about: who is out of the round, what the round gave, who begins."""
    if after.deal != before.deal:
        return ()
    facts: list[Evidence] = []
    for i, seat in enumerate(after.table.seats):
        if after.round.busts[i] and not before.round.busts[i]:
            facts.append(Evidence("kit_busts", {"seat": seat}))
        elif seat in before.round.playing and seat not in after.round.playing:
            facts.append(Evidence("kit_out_of_round", {"seat": seat}))
    if before.phase != BETWEEN and after.phase == BETWEEN and not after.score.ended:
        facts.append(Evidence("kit_round_over", {}))
    if before.phase != TURN and after.phase == TURN:
        facts.append(Evidence("kit_begins", {"seat": after.order[0]}))
    return tuple(facts)
