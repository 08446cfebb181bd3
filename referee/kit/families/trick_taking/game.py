"""A game of this family: what ``core.game.Game`` requires, from the parts of the family."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.game import Hooks, Table
from referee.core.hands import Hands
from referee.core.verdict import Card
from referee.kit import scored
from referee.kit.chapters.deck import listed
from referee.kit.chapters.deck import table as table_of
from referee.kit.families.trick_taking import claims, dealt, effects, judging, sheets
from referee.kit.families.trick_taking.evidence import audit, brought_about, rules_of
from referee.kit.families.trick_taking.plays import (
    Bid,
    Call,
    Cover,
    Deal,
    GrantRest,
    Lay,
    NameTrump,
    Passed,
    Play,
    Rest,
    Show,
)
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import BETWEEN, PASS, PLAY, State, undealt
from referee.kit.game import KitGame


class TrickTakingGame(KitGame[State, Play, Rules]):
    """A game of tricks."""

    FAMILY = "trick_taking"

    def plays(self) -> Iterator[type[Play]]:
        sources = self.sources()
        yield Deal
        if any(source.at("pass") is not None for source in sources):
            yield Passed
        if any(source.at("bid") is not None for source in sources):
            yield Bid
        named = any(source.word("trump", "from", default="") == "named" for source in sources)
        rows = [row for s in sources for row in listed(s.at("trump", "change"))]
        named |= any(table_of(row).get("suit") == "named" for row in rows)
        if named or any("dealer" in table_of(s.at("trump", "special")).values() for s in sources):
            yield NameTrump
        if any(source.at("call") is not None for source in sources):
            yield Call
        yield Lay
        if any(source.word("play", "cannot", default="") == "down" for source in sources):
            yield Cover
        yield Show
        yield Rest
        yield GrantRest

    def hooks(self) -> Hooks[State, Play]:
        return Hooks(
            sheet=sheets.sheet(self.document.values),
            led=_led,
            stopped=effects.stopped,
            dealing=dealt.dealing,
            knowledge=dealt.knowledge,
            hands=dealt.hands,
            scored=lambda state: state.round,
            starter=lambda state: state.starter,
            brought_about=brought_about,
            answered=claims.answered,
            grounds=claims.grounds,
            exchanging=lambda state: state.phase == PASS,
        )

    def setup(self, table: Table) -> State:
        rules = self.rules(table)
        deck = rules.cards.deck
        return State(
            table=table,
            rules=rules,
            deck=deck,
            deal=0,
            score=scored.at_start(rules),
            round=undealt(rules.n),
            phase=BETWEEN,
            hands=Hands.dealt(deck, table.seats, 0),
            own=(0,) * rules.n,
            rows=((),) * rules.n,
        )

    compile = staticmethod(Rules)
    to_act = staticmethod(judging.to_act)
    candidates = staticmethod(judging.candidates)
    judge = staticmethod(judging.judge)
    apply = staticmethod(effects.apply)
    let_stand = staticmethod(effects.let_stand)
    audit = staticmethod(audit)

    def public(self, state: State) -> dict[str, object]:
        """What everybody can see, as JSON data."""
        rules, seats = rules_of(state), state.table.seats
        dealt = state.round
        leader = state.leader
        if state.phase == BETWEEN and not state.score.ended:
            leader = judging.next_leader(state)
        # in a deal that a claim has ended there are cards left
        over = state.phase == BETWEEN and dealt.number > dealt.size
        shown: dict[str, object] = {
            "phase": state.phase,
            "trick": [
                [laid.seat, laid.card or None, *(["down"] if laid.down else ["out"] * laid.out)]
                for laid in state.trick
            ],
            "leader": leader,
            "hands": {seat: 0 if over else state.hands.held(seat) for seat in seats},
            "tricks": dict(zip(seats, dealt.tricks, strict=True)),
        }
        if rules.trump.any:
            shown["trump"] = state.trump
        if rules.deal.turn_up != "none":
            shown["turn_up"] = dealt.turn_up
        if rules.deal.draws:
            shown["stock"] = dealt.stock
        if rules.call.by:
            shown["called"] = dealt.called
        if rules.bidding.made:
            shown["bids"] = dict(zip(seats, dealt.bids, strict=True))
        if {"taken", "worth", "kinds"} & rules.compiler.uses:
            bags = zip(seats, dealt.taken, strict=True)
            shown["taken"] = {seat: list(state.deck.listed(bag)) for seat, bag in bags}
        if rules.trick.keeps.rows:
            shown["rows"] = {seat: list(row) for seat, row in zip(seats, state.rows, strict=True)}
        if (
            rules.leaving.when is not None
            or rules.leaving.first is not None
            or rules.match.out is not None
        ):
            shown["left"] = list(dealt.left)
        for name, numbers in state.score.counters.items():
            shown[f"counter.{name}"] = dict(zip(seats, numbers, strict=True))
        shown["totals"] = dict(state.score.totals)
        if claim := state.claim:
            granted = [seat for seat in seats if seat in claim.granted]
            tricks = claims.tricks_left(state)
            shown["rest"] = {"seat": claim.seat, "tricks": tricks, "granted": granted}
        return shown

    def rests(self, first: State, state: State) -> bool:
        return state.stage != first.stage or (state.phase == PLAY and not state.trick)


def _led(state: State, play: Play) -> Card | None:
    """The card of a play that leads a trick; None for any other play."""
    return play.card if isinstance(play, Lay) and not state.trick else None
