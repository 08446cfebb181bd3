"""Bids that nobody can make or that nothing asks for, and who bids as high as another."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import product

from referee.kit.chapters.bidding import MOST_BIDS
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import PLAY, State
from referee.kit.game import KitGame
from referee.kit.notes.words import words_in
from referee.kit.notes.written import at_file, conditions, formula_at
from referee.kit.scored import if_it_ended
from referee.kit.table import wrong
from referee.kit.text.card_sets import COMPARED
from referee.kit.text.faults import Wrong
from referee.kit.text.formula import FUNCTIONS, Node, placeless, walk, walk_named
from referee.kit.text.scope import Number, Scope
from referee.kit.text.source import RulesSource
from referee.kit.text.vocabulary import wrong as wrong_in

PLAIN = frozenset(("tricks", "bid", "bids", "hand", "turn", "n", "deck", "deal", "trump"))
"""Names in scores whose numbers follow from bids and tricks."""
MOST_TRICKS = 30  # tricks of a deal in which every result of a bid is looked at
BIDS = 400  # bids of a seat, and sums of bids, that are looked at


def bids_left(rules: Rules, state: State, steps: int) -> Iterator[Wrong]:
    """Sums of the other bids after which a seat has no legal bid.

    ``steps``: the cost limit.
    """
    if not rules.bidding.made:
        return
    if not state.deal and _all_may_pass(rules, state):
        of_bids = rules.bidding.decide_leader or rules.call.by or rules.trump.source == "bid"
        by = ("bid",) if of_bids else ("trump", "by")
        yield wrong(rules, "kit_all_pass", by)
    if rules.bidding.auction and not _somebody_may_pass(rules, state):
        yield wrong(rules, "kit_auction_pass", ("bid", "order"))
    tried = 0
    for deal in (1, 2, 3):
        scope = rules.deal.at_deal(state, deal)
        few, many = max(0, rules.bidding.few(scope)), rules.bidding.many(scope)
        worths = {*range(few, min(BIDS, many) + 1), *rules.bidding.words.worth.values()}
        if many - few >= MOST_BIDS:
            yield wrong(rules, "kit_many_bids", ("bid", "values"), most=MOST_BIDS, deal=deal)
            return
        if not worths:
            yield wrong(rules, "kit_no_bid", ("bid", "values"), few=few, many=many, deal=deal)
            return
        sums = {0}
        starter = rules.seats[0]
        scope.state = state._replace(round=state.round._replace(starter=starter))
        speaking = {"all": range(rules.n), "dealer": range(rules.n - 1, rules.n)}
        for place in (
            speaking.get(rules.bidding.by, range(1)) if rules.bidding.forbid is not None else ()
        ):
            scope.seat = place
            scope.last = int(place == rules.n - 1 or rules.bidding.by != "all")
            after: set[int] = set()
            for scope.others in sorted(sums)[:BIDS]:
                tried += len(worths) * rules.bidding.forbid_steps
                if tried > steps:
                    return
                assert rules.bidding.forbid is not None
                left = [worth for worth in worths if _may_say(rules.bidding.forbid, scope, worth)]
                if not left:
                    values = {"n": rules.n, "number": place + 1, "total": scope.others}
                    yield wrong(rules, "kit_no_bid_left", ("bid", "forbid"), **values)
                    return
                after.update(scope.others + worth for worth in left)
            sums = after


def at_the_beginning(rules: Rules, state: State, steps: int) -> Iterator[Wrong]:
    """Remarks on conditions: an end that is reached before anything is played, and bids that nobody
    can ever make.

    ``steps``: the cost limit.
    """
    if (
        rules.match.until is not None
        and rules.match.until(Scope(state))
        and not _starts_counters(rules)
    ):
        yield wrong(rules, "kit_until_begun", ("match", "until"))
    if not rules.bidding.made:
        return
    if steps:
        yield from _equal_bids(rules, state)
        yield from _equal_trumps(rules, state)
    numbers, said = set[int](), set[int]()
    for deal in (1, 2, 3):
        scope = rules.deal.at_deal(state, deal)
        few, many = max(0, rules.bidding.few(scope)), rules.bidding.many(scope)
        worths = range(few, min(BIDS, many) + 1)
        steps -= 3 * len(worths) * rules.bidding.forbid_steps
        if steps < 0:
            return
        numbers.update(worths)
        starter = rules.seats[0]
        scope.state = state._replace(round=state.round._replace(starter=starter))
        for last, others in ((0, 0), (1, 0), (1, scope.size)):
            scope.last, scope.others, scope.seat = last, others, last * (rules.n - 1)
            said.update(
                w
                for w in worths
                if not rules.bidding.forbid or _may_say(rules.bidding.forbid, scope, w)
            )
    never = sorted(numbers - said)
    if not numbers and rules.bidding.words.worth and rules.source.at("bid", "values") != "none":
        yield wrong(rules, "kit_only_words", ("bid", "values"))
    elif never:
        yield wrong(rules, "kit_never_bid", ("bid", "forbid"), bids=never[:8])


def _starts_counters(rules: Rules) -> bool:
    """Whether the end of the match asks for a counter that the first deal sets: "if deal = 1"."""
    until = rules.source.text("condition", "match", "until")
    assert until is not None
    asked = {node.word for node in walk_named(until.node, rules.compiler.values)}
    counters = [each.name for each in rules.scoring.counters if each.name in asked]
    added = (rules.source.text("sum", "counters", name, "add") for name in counters)
    nodes = [
        node for text in added if text for node in walk_named(text.node, rules.compiler.values)
    ]
    return any((node.op, node.word) == ("name", "deal") for node in nodes)


def _somebody_may_pass(rules: Rules, state: State) -> bool:
    """Whether a bid counts 0: without one no auction ends before the highest bid."""
    few = rules.bidding.few(rules.deal.at_deal(state, 1))
    return few <= 0 or 0 in rules.bidding.words.worth.values()


def _all_may_pass(rules: Rules, state: State) -> bool:
    """Whether there can be no highest bidder, and the file does not say what happens then."""
    asked = rules.bidding.decide_leader or rules.call.by == "highest_bid"
    asked = asked or rules.trump.source == "bid"
    asked = asked or (rules.trump.source, rules.trump.by) == ("named", "highest_bid")
    if not asked or rules.source.at("bid", "passed") is not None:
        return False
    scope = rules.deal.at_deal(state, 1)
    scope.last = 1
    passes = [worth for worth in rules.bidding.words.worth.values() if worth <= 0]
    if rules.bidding.auction:
        return _somebody_may_pass(rules, state)
    barred = rules.bidding.forbid is not None and not _may_say(rules.bidding.forbid, scope, 0)
    return bool(passes) and rules.bidding.few(scope) > 0 and not barred


def _may_say(forbid: Number, scope: Scope, worth: int) -> bool:
    """Whether a bid that counts ``worth`` is allowed in ``scope``."""
    scope.said = worth
    return not forbid(scope)


def unused(game: KitGame, rules: Rules, sources: Collection[RulesSource]) -> Iterator[Wrong]:
    """Bids that no rule asks for, and a condition that asks for a bid before it is made."""
    if not rules.bidding.made:
        return
    values = game.document.values
    used = {k: part for k, part in values.items() if k not in ("bid", "text", "example")}
    words = words_in(used)
    ways = [(each.at("bid", "leads"), each.at("bid", "passed")) for each in sources]
    if not (words["bid"] or words["bids"] or words["highest_bid"]) and all(
        leads in (None, "leader") and passed != "over" for leads, passed in ways
    ):
        yield at_file(game, "kit_bids_unused", ("bid",))
    asked = set(re.findall(r"\bis +(\w+)", repr(values)))
    met: dict[tuple[int, str | None], str] = {}
    for name, worth in rules.bidding.words.worth.items():
        other = met.setdefault((worth, rules.bidding.words.suits.get(name)), name)
        if other != name and not {name, other} & asked:
            both = {"one": other, "other": name, "points": worth}
            yield at_file(game, "kit_bids_alike", ("bid", "special", name), **both)
    yield from _unasked(game, rules)
    yield from _suitless(game, rules)
    forbid = rules.source.text("condition", "bid", "forbid")
    own = _own_bid(rules, forbid.node) if forbid is not None else None
    if (
        forbid is not None
        and own is not None
        and not (rules.bidding.auction or rules.bidding.may_change)
    ):
        yield wrong_in(forbid, own, "kit_own_bid")


def _unasked(game: KitGame, rules: Rules) -> Iterator[Wrong]:
    """The words for bids that no rule asks for, where rules ask for others by ``bid is``, and for
    no bid in any other way.
    """
    asked, names = set[str](), 0
    for text in conditions(rules):
        for node in walk(text.node):
            if node.op in ("not", "if") and any(each.op == "is" for each in walk(node)):
                return  # what is left out may be meant
            if node.op == "is" and node.parts[0].word == "bid":
                asked.add(node.word)
            names += (node.op == "name" and node.word in ("bid", "bids")) - (
                node.op == "is" and node.parts[0].word == "bid"
            )
    if names or rules.one_bids_highest or not asked:
        return
    for name, worth in rules.bidding.words.worth.items():
        if name not in asked and worth:
            yield at_file(game, "kit_bid_unasked", ("bid", "special", name), bid=name)


def _suitless(game: KitGame, rules: Rules) -> Iterator[Wrong]:
    """The one bid without a suit where two or more others have one that counts."""
    if len(rules.bidding.words.suits) < 2 or not (
        rules.trump.source == "bid" or rules.play.own_suits
    ):
        return
    bids = rules.bidding.words.worth.items()
    bare = [name for name, worth in bids if worth > 0 and name not in rules.bidding.words.suits]
    if len(bare) == 1:
        yield at_file(game, "kit_bid_no_suit", ("bid", "special", bare[0]), bid=bare[0])


def unscored(rules: Rules, state: State) -> set[str]:
    """The highest bids with which the tricks can fall so that nobody gets any points.

    Looks at every number of tricks of the bidder, with all others taken by one player; only where
    scores ask for bids and tricks alone. Random deals (``simulation``) show some of the others.
    """
    early = rules.leaving.when is not None or rules.leaving.first is not None
    if not rules.one_bids_highest or early or not _of_bids_and_tricks(rules):
        return set()
    size = rules.deal.at_deal(state, 1).size
    if size > MOST_TRICKS or rules.deal.draws or rules.passing.ways:
        return set()
    place = rules.n - 1 if rules.bidding.by == "dealer" else 0
    dealt = state.round._replace(size=size, starter=rules.seats[0])
    begun = state._replace(deal=1, phase=PLAY, round=dealt)
    said = rules.bidding.possible(begun)
    passes = next((each for each in said if not rules.bidding.worth(each)), None)
    others: list[str | None] = [None if rules.bidding.by != "all" else passes] * rules.n
    found = set[str]()
    for bid in said:
        if rules.bidding.worth(bid) <= 0:
            continue
        made = (*others[:place], bid, *others[place + 1 :])
        for won, other in product(range(size + 1), range(rules.n)):
            tricks = [0] * rules.n
            tricks[other] += size - won
            tricks[place] += won
            after = dealt._replace(bids=made, tricks=tuple(tricks), number=size + 1)
            if not any(if_it_ended(begun._replace(round=after)).values()):
                found.add(bid)
                break
    return found


def _of_bids_and_tricks(rules: Rules) -> bool:
    """Whether the scores of a deal ask for nothing but bids, tricks, and who is who."""
    if rules.scoring.card or rules.scoring.trick:
        return False
    source, values = rules.source, rules.compiler.values
    for term in rules.scoring.deal:
        for key in ("when", "points"):
            text = formula_at(rules, ("score", term.name, key))
            if text is None and source.at("score", term.name, key) is not None:
                return False
            for node in walk_named(text.node, values) if text is not None else ():
                known = node.word in (*PLAIN, *values) or node.op != "name"
                if not known or FUNCTIONS.get(node.op[:-2]) in ("cards", "lying", "this"):
                    return False
                if node.op == "is" and node.parts[0].word == "trump":
                    return False
    return True


def _own_bid(rules: Rules, node: Node) -> Node | None:
    """Where a condition asks for the bid of the player alone, not of others or of a team."""
    if node.op.endswith("()") and FUNCTIONS[node.op[:-2]] in ("all", "seat"):
        return None
    if node.op == "name":
        value = rules.compiler.values.get(node.word)
        found = node.word == "bid" or (value is not None and _own_bid(rules, value.node))
        return node if found else None
    return next(filter(None, (_own_bid(rules, part) for part in node.parts)), None)


def _equal_bids(rules: Rules, state: State) -> Iterator[Wrong]:
    """The first condition for the highest bidder that holds for all who have bid the same."""
    if rules.bidding.by != "all" or rules.bidding.auction or not _may_bid_equal(rules, state):
        return
    highest = {Node("name", word="bid"), Node("most()", (Node("name", word="bid"),))}
    for text in conditions(rules):
        nodes = [*walk(text.node)]
        if any(node.op in ("same()", "place()") for node in nodes):
            continue
        for node in nodes:
            if node.op in COMPARED and {*map(placeless, node.parts)} == highest:
                yield wrong_in(text, node, "kit_equal_bids")
                return


def _equal_trumps(rules: Rules, state: State) -> Iterator[Wrong]:
    """The first two equally high bids that make different trump suits and can both be made."""
    if rules.trump.source != "bid" or rules.bidding.by != "all" or rules.bidding.auction:
        return
    met: dict[int, str] = {}
    for said, worth in rules.bidding.words.worth.items():
        other = met.setdefault(worth, said)
        suits = {rules.bidding.words.suits.get(each, "none") for each in (said, other)}
        if worth > 0 and len(suits) == 2 and _may_follow(rules, state, other, worth):
            both = {"one": other, "other": said, "points": worth}
            yield wrong(rules, "kit_equal_trumps", ("bid", "special", said), **both)
            return


def _may_bid_equal(rules: Rules, state: State) -> bool:
    """Whether the second player can bid as high as the first, and more than 0."""
    scope = rules.deal.at_deal(state, 1)
    few, many = max(1, rules.bidding.few(scope)), rules.bidding.many(scope)
    words = {str(few): few, str(many): many} if few <= many else {}
    words |= {name: worth for name, worth in rules.bidding.words.worth.items() if worth > 0}
    return any(_may_follow(rules, state, said, worth) for said, worth in words.items())


def _may_follow(rules: Rules, state: State, said: str, worth: int) -> bool:
    """Whether the second player can make a bid that counts ``worth`` after the first has ``said``
    one that counts as much.
    """
    scope = rules.deal.at_deal(state, 1)
    scope.seat, scope.others, scope.last = min(1, rules.n - 1), worth, int(rules.n == 2)
    bids = (said, *(None,) * (rules.n - 1))
    dealt = state.round._replace(starter=rules.seats[0], bids=bids, size=scope.size)
    scope.state = state._replace(round=dealt, deal=1)
    return rules.bidding.forbid is None or _may_say(rules.bidding.forbid, scope, worth)
