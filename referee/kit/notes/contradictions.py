"""Rules of one table that contradict each other, and keys that another key makes idle."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from referee.kit.chapters.deck import listed, table
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame
from referee.kit.notes.words import words_in
from referee.kit.notes.written import at_file
from referee.kit.table import wrong
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.formula import walk
from referee.kit.text.source import RulesSource


def of_table(rules: Rules, state: State) -> Iterator[Wrong]:
    """Rules that contradict each other."""
    yield from _about_the_holder(rules, state)
    yield from _about_trumps(rules)
    if rules.deal.turn_up == "dealer":
        at: Path = ("deal", "turn_up")
        if rules.passing.ways:
            yield wrong(rules, "kit_turn_passed", at)
        if rules.play.cannot == "down":
            yield wrong(rules, "kit_turn_down", at)
    if "across" in rules.passing.ways and rules.n % 2:
        yield wrong(rules, "kit_across", ("pass", "to"), n=rules.n)
    if rules.bidding.at_once and rules.source.at("bid", "forbid") is not None:
        forbid = rules.source.text("condition", "bid", "forbid")
        if forbid is not None and {"last", "bids"} & {node.word for node in walk(forbid.node)}:
            yield wrong(rules, "kit_last_at_once", ("bid", "forbid"))
    for name, row in table(rules.source.at("score")).items():
        values = table(row)
        if values.get("to") == "team" and values.get("per") in ("card", "trick"):
            yield wrong(rules, "kit_to_team", ("score", name, "to"))


def _about_the_holder(rules: Rules, state: State) -> Iterator[Wrong]:
    if rules.deal.first != "holder":
        return
    card = str(rules.deal.holder)
    if rules.bidding.made and (not rules.bidding.at_once or rules.bidding.decide_leader):
        yield wrong(rules, "kit_bids_holder", ("bid",), card=card)
    if rules.deal.turn_up == "dealer":
        yield wrong(rules, "kit_turn_holder", ("deal", "turn_up"))
    if rules.call.by:
        yield wrong(rules, "kit_named_holder", ("call", "by"), card=card, key="call.by")
    if rules.trump.source == "named" and (
        rules.trump.by != "highest_bid" or not rules.bidding.made
    ):
        yield wrong(rules, "kit_named_holder", ("trump", "by"), card=card, key="trump.by")
    if rules.play.climb(state._replace(deal=1), rules.cards.bits[card])[2]:
        yield wrong(rules, "kit_holder_denied", ("play", "lead"), card=card)


def _about_trumps(rules: Rules) -> Iterator[Wrong]:
    at: Path = ("trump",)
    if rules.trump.any and not rules.cards.suits:
        yield wrong(rules, "kit_no_suits", at)
    if rules.trump.source == "named" and rules.trump.by == "highest_bid" and not rules.bidding.made:
        yield wrong(rules, "kit_no_bids", ("trump", "by"), word="highest_bid")
    if rules.call.by == "highest_bid" and not rules.bidding.made:
        yield wrong(rules, "kit_no_bids", ("call", "by"), word="highest_bid")
    late = (
        rules.trump.source == "named"
        and rules.trump.by != "highest_bid"
        and rules.trump.none_by_bids
    )
    if late and rules.bidding.may_change:
        yield wrong(rules, "kit_named_again", ("bid", "change"))
    if rules.trump.source == "turn_up" and rules.deal.turn_up == "none":
        yield wrong(rules, "kit_not_turned", at)
    for card in rules.trump.special:
        if card not in rules.cards.known:
            yield wrong(rules, "kit_no_card", (*at, "special", card), card=card)
    if rules.deal.turn_up != "none" and rules.trump.source == "turn_up":
        unsaid = {*rules.cards.kinds(rules.cards.special)} - {*rules.trump.special}
        if unsaid:
            yield wrong(rules, "kit_turned_special", at, cards=sorted(unsaid))


def _lets_name(source: RulesSource) -> bool:
    """Whether a card lets its player name the trump suit."""
    rows = listed(source.at("trump", "change"))
    return any(table(row).get("suit") == "named" for row in rows)


def idle_keys(game: KitGame, sources: Collection[RulesSource]) -> Iterator[Wrong]:
    """Keys that only count with a certain value of another key, which no house rule has either."""
    needs: dict[Path, tuple[Path, tuple[str, ...]]] = {
        ("trump", "suit"): (("trump", "from"), ("fixed",)),
        ("trump", "suits"): (("trump", "from"), ("cycle", "named")),
        ("trump", "by"): (("trump", "from"), ("named",)),
        ("deal", "holder"): (("deal", "leader"), ("holder",)),
        ("trick", "equal_by"): (("trick", "equal"), ("cancel", "turn_down")),
    }
    for path, (other, words) in needs.items():
        written = [source for source in sources if source.at(*path) is not None]
        named = any("dealer" in table(each.at("trump", "special")).values() for each in written)
        named = named or any(_lets_name(each) for each in written)
        if not written or (path == ("trump", "suits") and named):
            continue
        if not any(source.at(*other) in words for source in sources):
            values = {"key": dotted(other), "words": words}
            yield Wrong("kit_idle_key", written[0].place(path), dotted(path), **values)
    used = {k: part for k, part in game.document.values.items() if k not in ("text", "example")}
    if "call" in used and not words_in(used)["called"]:
        yield at_file(game, "kit_call_unused", ("call",))
