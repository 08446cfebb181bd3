"""A game of this family: what ``core.game.Game`` requires, from the parts of the family."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.core.game import Game, Hooks, Table
from referee.core.generic import Entry
from referee.core.record import Unreadable
from referee.kit import scored
from referee.kit.chapters.deck import table as table_of
from referee.kit.chapters.deck import words as words_of
from referee.kit.families.shedding import effects, feats, judging, sheets, words
from referee.kit.families.shedding.candidates import candidates
from referee.kit.families.shedding.dealing import dealing
from referee.kit.families.shedding.evidence import audit, brought_about, locked_suits, rules_of
from referee.kit.families.shedding.plays import (
    Bid,
    Deal,
    Discard,
    Drop,
    Give,
    HandsExchanged,
    Kitty,
    Lay,
    NameRanks,
    Pass,
    Play,
)
from referee.kit.families.shedding.rules import SheddingRules
from referee.kit.families.shedding.state import BETWEEN, EXCHANGE, KITTY, PLAY, State, undealt
from referee.kit.game import KitGame


class SheddingGame(KitGame[State, Play, SheddingRules]):
    """A game in which players shed their hands."""

    FAMILY = FOLDER = "shedding"
    WORDS = words.NAMES

    def plays(self) -> Iterator[type[Play]]:
        sources = self.sources()
        done = {
            verb
            for source in sources
            for row in table_of(source.at("effect")).values()
            for verb in words_of(table_of(row).get("do"))
        }
        yield Deal
        if any(source.at("exchange") is not None for source in sources):
            yield HandsExchanged
        if any(source.at("bid") is not None for source in sources):
            yield Bid
        if any(source.at("deal", "kitty") is not None for source in sources):
            yield Kitty
        yield Lay
        yield Pass
        if "give" in done:
            yield Give
        if "discard" in done:
            yield Discard
        if "name" in done:
            yield NameRanks
            yield Drop

    def hooks(self) -> Hooks[State, Play]:
        return Hooks(
            readable=_readable,
            sheet=sheets.sheet(self.document.values),
            counted=feats.counted,
            stopped=effects.stopped,
            dealing=dealing,
            brought_about=brought_about,
            exchanging=lambda state: state.phase in (EXCHANGE, KITTY),
        )

    def setup(self, table: Table) -> State:
        rules = self.rules(table)
        return State(
            table=table,
            rules=rules,
            deck=rules.cards.deck,
            deal=0,
            score=scored.at_start(rules),
            round=undealt(rules.n),
            phase=BETWEEN,
        )

    compile = staticmethod(SheddingRules)
    to_act = staticmethod(judging.to_act)
    candidates = staticmethod(candidates)
    judge = staticmethod(judging.judge)
    apply = staticmethod(effects.apply)
    reworded = staticmethod(words.reworded)
    let_stand = staticmethod(effects.let_stand)
    audit = staticmethod(audit)

    def public(self, state: State) -> dict[str, object]:
        """What everybody can see, as JSON data."""
        rules, seats = rules_of(state), state.table.seats
        round_, trick, due = state.round, state.trick, state.due
        shown: dict[str, object] = {
            "phase": state.phase,
            "turn": state.turn,
            "trick": [[top.seat, list(top.cards), top.reading.combo.name] for top in trick.plays],
            "passed": [seat for seat in seats if seat in trick.passed],
            "hands": dict(zip(seats, round_.held, strict=True)),
            "turned": rules.is_turned(state),
            "turned_by": [at for at in (round_.turned, trick.turned) if at],
            "locked": {"suits": list(locked_suits(state)), "rank": trick.rank_at > 0},
            "direction": round_.step,
            "out": list(round_.outs),
            "fouls": list(round_.fouls),
            "fallen": list(round_.fallen),
            "places": dict(zip(seats, round_.finish, strict=True)),
            "was": dict(zip(seats, round_.was, strict=True)),
            "due": [due.seat, due.verb, getattr(due, due.verb)] if due else None,
        }
        if state.naming is not None:
            shown["named"] = list(state.naming.ranks)
        if rules.bidding.made:
            shown["bids"] = dict(zip(seats, round_.bids, strict=True))
        for name, numbers in state.score.counters.items():
            shown[f"counter.{name}"] = dict(zip(seats, numbers, strict=True))
        shown["totals"] = dict(state.score.totals)
        return shown

    def rests(self, first: State, state: State) -> bool:
        return state.phase != first.phase or (state.phase == PLAY and not state.trick.plays)


def _readable(game: Game[State, Play], table: Table) -> Callable[[Entry], None]:
    """Refuses a rank alone, which says too little where a rule looks at suits."""
    assert isinstance(game, SheddingGame)
    rules = game.rules(table)
    alone = frozenset(rules.cards.ranks).difference(map(str, rules.kinds.place))

    def read(entry: Entry) -> None:
        if isinstance(entry, Lay | Kitty | Discard | Drop):
            for word in entry.cards:
                if word in alone:
                    raise Unreadable("read_rank_alone", text=word)

    return read
