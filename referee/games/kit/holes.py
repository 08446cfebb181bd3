"""Rules of one table that contradict each other, or that never have an effect.

This is the static part of ``checking``; it plays nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches

from referee.games.kit import borders
from referee.games.kit.cards import FRENCH, FROM, table
from referee.games.kit.effects import direction
from referee.games.kit.faults import Path, Wrong, dotted
from referee.games.kit.loading import KitGame
from referee.games.kit.reading import Value
from referee.games.kit.rules import Class, Rules, RulesSource, wrong
from referee.games.kit.scope import CARD, COMPARED, DEAL, Number, Scope
from referee.games.kit.shape import MOST_BIDS, MOST_STEPS, seats
from referee.games.kit.state import Laid, State
from referee.games.kit.sums import (
    FUNCTIONS,
    FormulaText,
    Node,
    placeless,
    walk,
    walk_named,
)

DEALS = 24  # deals of a match that are looked at
BIDS = 400  # bids of a seat, and sums of bids, that are looked at
NEAR = 20  # names that nobody knows for which a near one is looked for
TEXTS = frozenset(("ja", "en"))
"""The keys of texts."""
LONG_SENTENCE = 14  # words and signs of a condition that makes no good sentence


def deals(rules: Rules, state: State) -> Iterator[Wrong]:
    """Faults of deals: hands larger than the deck allows, cards to pass, cards to turn up."""
    scope, n, deck = Scope(state), rules.n, len(rules.cards.deck)
    count = rules.deals(scope) if rules.deals else 1
    if count < 1:
        yield wrong(rules, "kit_no_deals", ("match", "deals"), n=n, deals=count)
    left_once = False
    for deal in range(1, min(rules.deal_count(scope) or DEALS, DEALS) + 1):
        scope.deal = deal
        scope.size = size = rules.hand(scope)
        at: Path = ("deal", "hand")
        if size < 1:
            yield wrong(rules, "kit_no_hand", at, n=n, deal=deal, size=size)
            return
        if size * n > deck:
            needed = {"needed": size * n, "cards": deck}
            yield wrong(rules, "kit_few_cards", at, n=n, deal=deal, **needed)
            return
        left = deck - size * n
        left_once = left_once or left > 0
        if rules.draws and left < n:
            yield wrong(rules, "kit_nothing_drawn", ("deal", "draw"), n=n)
            return
        if rules.first == "holder" and left:
            where: Path = ("deal", "holder")
            yield wrong(rules, "kit_holder_out", where, n=n, left=left, card=rules.holder)
            return
        to = direction(rules, deal)
        passed = rules.passed(scope)
        if to != "none" and not 0 < passed < size + (to != "aside"):
            values = {"n": n, "deal": deal, "passed": passed, "size": size}
            yield wrong(rules, "kit_pass_count", ("pass", "cards"), **values)
            return
    if rules.turn_up == "stock" and not left_once:
        yield wrong(rules, "kit_nothing_turned", ("deal", "turn_up"), n=n)


def bids(rules: Rules, state: State, steps: int) -> Iterator[Wrong]:
    """Sums of the other bids after which a seat has no legal bid.

    ``steps``: the cost limit.
    """
    if not rules.has_bids:
        return
    if not state.deal and _all_may_pass(rules, state):
        of_bids = rules.highest_leads or rules.caller or rules.trump_from == "bid"
        by = ("bid",) if of_bids else ("trump", "by")
        yield wrong(rules, "kit_all_pass", by)
    if rules.auction and not _somebody_may_pass(rules, state):
        yield wrong(rules, "kit_auction_pass", ("bid", "order"))
    scope, tried = Scope(state), 0
    for deal in (1, 2, 3):
        scope.deal = deal
        scope.size = rules.hand_size(scope)
        few, many = max(0, rules.bid_few(scope)), rules.bid_many(scope)
        worths = {*range(few, min(BIDS, many) + 1), *rules.special_bids.values()}
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
        for place in speaking.get(rules.bidder, range(1)) if rules.forbid is not None else ():
            scope.seat = place
            scope.last = int(place == rules.n - 1 or rules.bidder != "all")
            after: set[int] = set()
            for scope.others in sorted(sums)[:BIDS]:
                tried += len(worths) * rules.forbid_steps
                if tried > steps:
                    return
                assert rules.forbid is not None
                left = [worth for worth in worths if _may_say(rules.forbid, scope, worth)]
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
    if rules.until is not None and rules.until(Scope(state)):
        yield wrong(rules, "kit_until_begun", ("match", "until"))
    if not rules.has_bids:
        return
    if steps:
        yield from _equal_bids(rules, state)
    scope, numbers, said = Scope(state), set[int](), set[int]()
    for deal in (1, 2, 3):
        scope.deal = deal
        scope.size = rules.hand_size(scope)
        few, many = max(0, rules.bid_few(scope)), rules.bid_many(scope)
        worths = range(few, min(BIDS, many) + 1)
        steps -= 3 * len(worths) * rules.forbid_steps
        if steps < 0:
            return
        numbers.update(worths)
        starter = rules.seats[0]
        scope.state = state._replace(round=state.round._replace(starter=starter))
        for last, others in ((0, 0), (1, 0), (1, scope.size)):
            scope.last, scope.others, scope.seat = last, others, last * (rules.n - 1)
            said.update(w for w in worths if not rules.forbid or _may_say(rules.forbid, scope, w))
    never = sorted(numbers - said)
    if not numbers and rules.special_bids and rules.source.at("bid", "values") != "none":
        yield wrong(rules, "kit_only_words", ("bid", "values"))
    elif never:
        yield wrong(rules, "kit_never_bid", ("bid", "forbid"), bids=never[:8])


def free_after(rules: Rules, state: State) -> Iterator[Wrong]:
    """A remark on suits after whose lead any card may be played, if others ask for cards.

    Looks at the first trick of the first deal.
    """
    begun = state._replace(deal=1, due=rules.seats[-1:], trump=rules.trump_suit or None)
    free, asks = list[str](), list[str]()
    for suit, mask in rules.cards.suits.items():
        ends = rules.cards.kinds(mask)[:1] + rules.cards.kinds(mask)[-1:]
        leads = [rules.lying(begun, Laid(rules.seats[0], card, 1)) for card in ends]
        if leads:  # a suit may have lost all its cards
            (asks if any(map(rules.asked, leads)) else free).append(suit)
    if free and asks:
        yield wrong(rules, "kit_free_after", ("play", "follow"), suits=free, other=asks[0])


def after_specials(rules: Rules, state: State) -> Iterator[Wrong]:
    """A remark on a step that asks for cards after a special card was led, only because the steps
    for the suit led are then empty: a ladder that asks for the trump suit next.
    """
    suit = rules.trump_suit or next(iter(rules.cards.suits), "")
    trump = suit if rules.trump_from != "none" else None
    begun = state._replace(deal=1, due=rules.seats[-1:], trump=trump)
    for card in rules.cards.led:
        led = rules.lying(begun, Laid(rules.seats[0], card, 1))
        for i, step in enumerate(rules.follow):
            if step.condition is not None:
                break  # the author has thought of when it is asked for
            if step.cards(led, None):
                of_led = [node for before in rules.follow[:i] for node in walk(before.text.node)]
                if any(node.op in ("suit", "colour") and node.word == "led" for node in of_led):
                    yield wrong(rules, "kit_special_asks", ("play", "follow", i), card=card)
                    return
                break


def all_suits_show(rules: Rules, state: State) -> Iterator[Wrong]:
    """A remark on ``play.cannot`` where all suits can lie in a trick, so that no card of the deck
    fits, and any card counts.
    """
    suits = [*rules.cards.suits.values()]
    if rules.cannot == "counts" or not rules.follow or not 0 < len(suits) < rules.n:
        return
    begun = state._replace(deal=1, trump=rules.trump_suit or None)
    for seat, mask in zip(rules.seats, suits, strict=False):
        begun = rules.lying(begun, Laid(seat, rules.cards.kinds(mask)[0], 1))
    if not rules.asked(begun._replace(due=rules.seats[-1:])):
        yield wrong(rules, "kit_all_suits_show", ("play", "cannot"), n=rules.n)


def drawn_unevenly(rules: Rules, state: State) -> Iterator[Wrong]:
    """A remark if the last cards of the stock are too few for every seat to draw one."""
    scope = Scope(state)
    scope.deal = 1
    rest = rules.stock(rules.hand_size(scope)) % rules.n
    if rest:
        yield wrong(rules, "kit_draw_rest", ("deal", "draw"), n=rules.n, left=rest)


def left_over(rules: Rules, state: State) -> int:
    """How many cards are left over where the file divides the whole deck among the players; 0 if it
    does not, or if the others are turned up, drawn or put aside.
    """
    hand = _formula(rules, ("deal", "hand"))
    used = {node.word or node.op for node in walk(hand.node)} if hand is not None else set()
    if not {"/", "deck", "n"} <= used or rules.turn_up != "none" or rules.draws:
        return 0
    scope, sizes = Scope(state), set[int]()
    for scope.deal in (1, 2, 3):
        sizes.add(rules.hand(scope))
    left = len(rules.cards.deck) - rules.n * max(sizes)
    return left if len(sizes) == 1 and 0 < left < rules.n else 0


def _somebody_may_pass(rules: Rules, state: State) -> bool:
    """Whether a bid counts 0: without one no auction ends before the highest bid."""
    scope = Scope(state)
    scope.deal = 1
    scope.size = rules.hand_size(scope)
    return rules.bid_few(scope) <= 0 or 0 in rules.special_bids.values()


def _all_may_pass(rules: Rules, state: State) -> bool:
    """Whether there can be no highest bidder, and the file does not say what happens then."""
    asked = rules.highest_leads or rules.caller == "highest_bid"
    asked = asked or rules.trump_from == "bid"
    asked = asked or (rules.trump_from, rules.trump_by) == ("named", "highest_bid")
    if not asked or rules.source.at("bid", "passed") is not None:
        return False
    scope = Scope(state)
    scope.deal, scope.last = 1, 1
    scope.size = rules.hand_size(scope)
    passes = [worth for worth in rules.special_bids.values() if worth <= 0]
    if rules.auction:
        return _somebody_may_pass(rules, state)
    barred = rules.forbid is not None and not _may_say(rules.forbid, scope, 0)
    return bool(passes) and rules.bid_few(scope) > 0 and not barred


def _may_say(forbid: Number, scope: Scope, worth: int) -> bool:
    """Whether a bid that counts ``worth`` is allowed in ``scope``."""
    scope.said = worth
    return not forbid(scope)


def contradictions(rules: Rules, state: State) -> Iterator[Wrong]:
    """Rules that contradict each other."""
    yield from _about_the_holder(rules, state)
    yield from _about_trumps(rules)
    if rules.turn_up == "dealer":
        at: Path = ("deal", "turn_up")
        if rules.passes:
            yield wrong(rules, "kit_turn_passed", at)
        if rules.cannot == "down":
            yield wrong(rules, "kit_turn_down", at)
    if "across" in rules.passes and rules.n % 2:
        yield wrong(rules, "kit_across", ("pass", "to"), n=rules.n)
    if rules.bids_at_once and rules.source.at("bid", "forbid") is not None:
        forbid = rules.source.text("condition", "bid", "forbid")
        if forbid is not None and {"last", "bids"} & {node.word for node in walk(forbid.node)}:
            yield wrong(rules, "kit_last_at_once", ("bid", "forbid"))
    for name, row in table(rules.source.at("score")).items():
        values = table(row)
        if values.get("to") == "team" and values.get("per") in ("card", "trick"):
            yield wrong(rules, "kit_to_team", ("score", name, "to"))


def _about_the_holder(rules: Rules, state: State) -> Iterator[Wrong]:
    if rules.first != "holder":
        return
    card = str(rules.holder)
    if rules.has_bids and (not rules.bids_at_once or rules.highest_leads):
        yield wrong(rules, "kit_bids_holder", ("bid",), card=card)
    if rules.turn_up == "dealer":
        yield wrong(rules, "kit_turn_holder", ("deal", "turn_up"))
    if rules.caller:
        yield wrong(rules, "kit_named_holder", ("call", "by"), card=card, key="call.by")
    if rules.trump_from == "named" and (rules.trump_by != "highest_bid" or not rules.has_bids):
        yield wrong(rules, "kit_named_holder", ("trump", "by"), card=card, key="trump.by")
    if rules.climb(state._replace(deal=1), rules.cards.bits[card])[2]:
        yield wrong(rules, "kit_holder_denied", ("play", "lead"), card=card)


def _about_trumps(rules: Rules) -> Iterator[Wrong]:
    at: Path = ("trump",)
    if rules.trump_from != "none" and not rules.cards.suits:
        yield wrong(rules, "kit_no_suits", at)
    if rules.trump_from == "named" and rules.trump_by == "highest_bid" and not rules.has_bids:
        yield wrong(rules, "kit_no_bids", ("trump", "by"), word="highest_bid")
    if rules.caller == "highest_bid" and not rules.has_bids:
        yield wrong(rules, "kit_no_bids", ("call", "by"), word="highest_bid")
    late = rules.trump_from == "named" and rules.trump_by != "highest_bid" and rules.none_by_bids
    if late and rules.bids_change:
        yield wrong(rules, "kit_named_again", ("bid", "change"))
    if rules.trump_from == "turn_up" and rules.turn_up == "none":
        yield wrong(rules, "kit_not_turned", at)
    for card in rules.trump_special:
        if card not in rules.cards.known:
            yield wrong(rules, "kit_no_card", (*at, "special", card), card=card)
    if rules.turn_up != "none" and rules.trump_from == "turn_up":
        for kind in rules.cards.kinds(rules.cards.special):
            if kind not in rules.trump_special:
                yield wrong(rules, "kit_turned_special", at, card=kind)


def _joined(node: Node, op: str) -> set[Node]:
    """The set ``node``, and the sets that ``op`` joins in it, without their places in the text."""
    parts = node.parts if node.op == op else ()
    return {placeless(node)}.union(*(_joined(part, op) for part in parts))


def _within(text: FormulaText, sets: set[Node]) -> bool:
    """Whether one of ``sets`` contains all cards of the set ``text``, whatever is played."""
    return not sets.isdisjoint(_joined(text.node, "cards_and"))


def unreachable(rules: Rules) -> Iterator[Wrong]:
    """Steps and classes that never have an effect."""
    ladders = {"lead": rules.lead, "follow": rules.follow}
    for name, ladder in ladders.items():
        above, said = 0, set[Node]()
        for i, step in enumerate(ladder):
            at: Path = ("play", name, i)
            asked = {(node.op, node.word) for node in walk(step.text.node)}
            if name == "lead" and asked & _OF_A_TRICK:
                yield wrong(rules, "kit_led_in_lead", at)
            if ("suit", "trump") in asked and rules.trump_from == "none":
                yield wrong(rules, "kit_no_trump", at)
            if step.fixed == 0:
                yield wrong(rules, "kit_empty_set", at)
            elif (step.fixed is not None and not step.fixed & ~above) or _within(step.text, said):
                yield wrong(rules, "kit_covered_step", at)
            if step.when is None and not step.order:
                said |= _joined(step.text.node, "cards_or")
            if step.fixed is not None and step.when is None:
                above |= step.fixed
    for key, classes in (("best", rules.classes), ("next", rules.leads)):
        yield from _unreachable_classes(rules, key, classes)
    if rules.cannot != "counts" and not rules.lead and not rules.follow:
        yield wrong(rules, "kit_cannot_unused", ("play", "cannot"))
    for key in ("worth", "value"):
        for name in table(rules.source.at("deck", key)):
            if name not in rules.cards.order and name not in rules.cards.known:
                yield wrong(rules, "kit_no_rank", ("deck", key, name), rank=name)
    for name in table(rules.source.at("trick", "digits")):
        if name not in rules.cards.order:
            yield wrong(rules, "kit_no_rank", ("trick", "digits", name), rank=name)


def _unreachable_classes(rules: Rules, key: str, classes: tuple[Class, ...]) -> Iterator[Wrong]:
    """Classes of ``trick.best`` or ``trick.next`` (``key``) that never have an effect."""
    above, said = 0, set[Node]()
    for i, best in enumerate(classes):
        at: Path = ("trick", key, i)
        asked = {(node.op, node.word) for node in walk(best.text.node)}
        if ("suit", "trump") in asked and rules.trump_from == "none":
            yield wrong(rules, "kit_no_trump", at)
        if best.pick < 1:
            yield wrong(rules, "kit_pick", (*at, "pick"))
        if best.fixed == 0 and not (best.nobody and best.when):
            yield wrong(rules, "kit_empty_set", at)
        elif not best.nobody and (
            (best.fixed is not None and not best.fixed & ~above) or _within(best.text, said)
        ):
            yield wrong(rules, "kit_covered_step", at)
        if best.when is None and best.pick == 1:
            said |= _joined(best.text.node, "cards_or")
        if best.fixed is not None and best.when is None and best.pick == 1:
            above |= best.fixed


def nothing_to_ask(rules: Rules) -> Iterator[Wrong]:
    """Sums and sets that ask for a trick, a team or a card that is not there."""
    if rules.source.at("call", "cards") is not None and not _may_call(rules):
        yield wrong(rules, "kit_empty_set", ("call", "cards"))
    yield from _about_no_trick(rules)
    yield from _about_teams(rules)
    yield from _about_no_worth(rules)
    yield from _ranks_reversed(rules)


def _ranks_reversed(rules: Rules) -> Iterator[Wrong]:
    """Ranks from a high one to a low one, which are none."""
    order = rules.cards.order
    for text in (*rules.source.document.parsed.values(),):
        for node in walk(text.node):
            if node.op == "ranks" and {node.word, node.parts[0].word} <= {*order}:
                high, low = node.word, node.parts[0].word
                if order.index(high) > order.index(low):
                    place = text.place._replace(column=text.place.column + node.at)
                    yield Wrong("kit_ranks_reversed", place, text.path, low=low, high=high)


def _about_no_worth(rules: Rules) -> Iterator[Wrong]:
    """The first sum that adds card points, in a deck whose cards have none."""
    for text in conditions(rules) if rules.source.at("deck", "worth") is None else ():
        for node in walk(text.node):
            if node.op == "worth()":
                place = text.place._replace(column=text.place.column + node.at)
                yield Wrong("kit_no_worth", place, text.path)
                return


def _may_call(rules: Rules) -> bool:
    """Whether the deck has a card that may be called, as far as that hangs on the deck alone."""
    text = rules.source.text("cards", "call", "cards")
    return text is None or rules.compiler.mask(text, DEAL)[1] != 0


_OF_A_TRICK = frozenset(
    (
        *(("name", "led_value"), ("name", "second_value"), ("name", "last_value")),
        *(("name", "trick_sum"), ("name", "winning"), ("set", "beats")),
        *(("lying()", ""), ("led()", ""), ("suit", "led"), ("colour", "led")),
        *(("rank", "led"), ("rank", "showing"), ("suit", "showing")),
    )
)
"""What is empty or 0 while no card lies on the table."""


def _about_no_trick(rules: Rules) -> Iterator[Wrong]:
    """Sums that are computed before the first or after the last trick, and ask for a trick."""
    source = rules.source
    paths: list[Path] = [("bid", "forbid"), ("trump", "none_when"), ("call", "cards")]
    paths += [("leave", "first"), ("match", "until"), ("match", "out")]
    for key, parts in (("score", ("when", "points")), ("counters", ("add",))):
        for name, row in table(source.at(key)).items():
            per = table(row).get("per", "deal")
            paths += [(key, name, part) for part in parts if per in ("deal", "match")]
    for path in paths:
        text = _formula(rules, path)
        for node in walk_named(text.node, _named(rules)) if text is not None else ():
            if (node.op, node.word) in _OF_A_TRICK:
                word = f"{node.op[:-1]} )" if node.op.endswith("()") else node.word
                if node.op in ("suit", "rank", "colour"):
                    word = f"{node.op} {node.word}"
                yield wrong(rules, "kit_no_trick_then", path, word=word)
                break


def _about_teams(rules: Rules) -> Iterator[Wrong]:
    """The rules of partners, where nobody has one."""
    source = rules.source
    if any(len(team) > 1 for team in rules.teams) or table(source.at("seats", "teams")):
        return  # where teams depend on the number of players, one rule is for both
    found = list[Wrong]()
    paths: list[Path] = [("values", name) for name in table(source.at("values"))]
    for key, parts in (("score", ("when", "points")), ("counters", ("add",))):
        for name, row in table(source.at(key)).items():
            paths += [(key, name, part) for part in parts]
            if table(row).get("to") == "team":
                found.append(wrong(rules, "kit_alone", (key, name, "to"), word="to = team"))
            if table(row).get("of") == "team":
                found.append(wrong(rules, "kit_alone", (key, name, "of"), word="of = team"))
    paths += [("leave", "when"), ("leave", "first"), ("match", "until"), ("match", "out")]
    paths += [("bid", "forbid"), ("trump", "none_when")]
    for ladder in ("lead", "follow"):
        rows = source.at("play", ladder)
        paths += [
            ("play", ladder, i, "when") for i in range(len(rows) if isinstance(rows, list) else 0)
        ]
    for path in paths:
        text = _formula(rules, path)
        if text is not None and any(node.op == "team()" for node in walk(text.node)):
            found.append(wrong(rules, "kit_alone", path, word="team( )"))
    yield from sorted(found, key=lambda each: (each.line, each.column))[:1]


def _formula(rules: Rules, path: Path) -> FormulaText | None:
    """The sum, condition or set at ``path``; None where there is none, or it differs by seats."""
    value = rules.source.at(*path)
    if value is None or isinstance(value, dict):
        return None
    kind = "cards" if path == ("call", "cards") else "sum"
    return rules.source.text(kind, *path)


def _named(rules: Rules) -> dict[str, FormulaText]:
    return {**rules.compiler.values, **rules.compiler.groups}


def texts(game: KitGame) -> Iterator[Wrong]:
    """Texts for rules that the file does not have, and exclusions of options that don't exist."""
    known = {
        *(
            "setup.deck",
            "setup.hand",
            "setup.turn_up",
            "setup.teams",
            "starter.1",
            "pass.1",
            "bid.1",
            "bid.2",
        ),
        *("trump.1", "always.1", "equal.1", "none.1", "leave.1", "deals.1"),
        *("call.1", "draw.1"),
        "outcome.1",
    }
    ladders = ("lead", "follow", "win", "next")
    # one more for any card; after a list of leads two: the winner leads, and who if nobody won
    known |= {f"{ladder}.{k}" for ladder in ladders for k in range(1, MOST_STEPS + 3)}
    for source in game.sources():
        named = ("score", "values", "groups", "counters")
        known |= {f"score.{name}" for key in named for name in table(source.at(key))}
        known |= {name for key in named[1:] for name in table(source.at(key))}
        for key in ("deck", "bid"):
            known |= set(table(source.at(key, "special")))
    unknown = [name for name in table(game.document.values.get("text")) if name not in known]
    for i, name in enumerate(unknown):
        near = get_close_matches(name, known, 1) if i < NEAR else []
        fact = "kit_no_clause_near" if near else "kit_no_clause"
        yield at_file(game, fact, ("text", name), key=name, near=(near or [""])[0])
    for name, option in game.OPTIONS.items():
        for value, barred in option.barred.items():
            for other, its in barred.items():
                if other not in game.OPTIONS or its not in game.OPTIONS[other].values:
                    path = ("option", name, value, "not_with")
                    yield at_file(game, "kit_no_option", path, key=dotted((other, its)))


def at_file(game: KitGame, fact: str, path: Path, **values: object) -> Wrong:
    """A fault or a remark on the key at ``path`` of the file."""
    return Wrong(fact, game.source({}).place(path), dotted(path), **values)


def remarks(game: KitGame, rules: Rules) -> Iterator[Wrong]:
    """Remarks: names that nobody uses, sums that may divide by 0, missing words."""
    values, sources = game.document.values, game.sources()
    source = sources[0]
    yield from _unused(game, source, sources)
    yield from _doubtful_sums(rules)
    yield from _long_sums(game, source)
    yield from _languages(game, values, ())
    for path in (("deck", "suits"), ("deck", "special"), ("bid", "special"), ("option",)):
        for name, row in table(source.at(*path)).items():
            if not {"ja", "en"} & table(row).keys() and name not in table(values.get("text")):
                yield at_file(game, "kit_no_words", (*path, name), key=name)
    many = max(rules.cards.deck.copies)
    if source.at("deck", "pack") == "french54" and many > 1 and not source.at("deck", "special"):
        yield at_file(game, "kit_jokers_once", ("deck", "copies"), many=many)
    yield from _bare_names(game, source)
    yield from _named_alike(game, source)
    yield from _poor_choices(game)
    yield from counted_twice(game, rules)
    yield from _one_partner_alone(rules)
    yield from _about_bids(game, rules, sources)
    yield from _trick_of_a_deal(rules)
    yield from _other_seats(game, source)
    yield from _turned_in_vain(game, sources)
    yield from _idle_keys(game, sources)
    yield from _counted_on(rules)
    yield from _last_tricks(rules)
    yield from _no_such_cards(rules)
    yield from _rank_left_out(rules)
    yield from borders.of_scores(rules)
    yield from borders.of_sums(rules)
    for text in conditions(rules):
        yield from borders.late_branches(text)
    yield from _about_equals(game, rules, sources)
    yield from _about_always(game, rules)
    cards = rules.cards
    if all(cards.colours[suit] == mask for suit, mask in cards.suits.items()):
        yield from _colours_alone(rules)
    of_best = [text.node for best in rules.classes for text in best.texts]
    asked = (node for each in of_best for node in walk_named(each, _named(rules)))
    if rules.trump_from != "none" and not any(map(_asks_trump, asked)):
        yield at_file(game, "kit_trump_wins_nothing", ("trick", "best"))


def _poor_choices(game: KitGame) -> Iterator[Wrong]:
    """House rules with one choice, and numbers whose one text leaves out which number is meant."""
    for name, option in game.OPTIONS.items():
        if len(option.values) == 1:
            yield at_file(game, "kit_one_choice", ("option", name), option=name)
        row = table(table(game.document.values["option"])[name])
        for language, text in table(row.get("numbers")).items():
            if language in ("ja", "en") and "{n}" not in str(text):
                at: Path = ("option", name, "numbers", language)
                yield at_file(game, "kit_numbers_alike", at, mark="{n}")


def _unused(
    game: KitGame, source: RulesSource, sources: Collection[RulesSource]
) -> Iterator[Wrong]:
    """Names that nothing uses, suits of bids that make no trump suit, names with two meanings."""
    values = game.document.values
    if not any(each.word("trump", "from", default="") == "bid" for each in sources):
        for name, row in table(source.at("bid", "special")).items():
            if "suit" in table(row):
                yield at_file(game, "kit_unused", ("bid", "special", name, "suit"), key="suit")
    used = {k: part for k, part in values.items() if k not in ("text", "example")}
    words = _words(used)
    for each in sources:
        if each.at("deck", "worth") is not None and not re.search(r"\bworth *\(", repr(used)):
            place = each.place(("deck", "worth"))
            yield Wrong("kit_unused", place, "deck.worth", key="deck.worth")
            break
    for key in ("values", "groups", "counters"):
        for name, row in table(values.get(key)).items():
            if words[name] <= _words(row)[name]:
                yield at_file(game, "kit_unused", (key, name), key=name)
            scored = name in table(values.get("score"))
            if scored and f"score.{name}" not in table(values.get("text")):
                yield at_file(game, "kit_same_name", (key, name), name=name)


def _about_bids(game: KitGame, rules: Rules, sources: Collection[RulesSource]) -> Iterator[Wrong]:
    """Bids that no rule asks for, and a condition that asks for a bid before it is made."""
    if not rules.has_bids:
        return
    values = game.document.values
    used = {k: part for k, part in values.items() if k not in ("bid", "text", "example")}
    words = _words(used)
    ways = [(each.at("bid", "leads"), each.at("bid", "passed")) for each in sources]
    if not (words["bid"] or words["bids"] or words["highest_bid"]) and all(
        leads != "highest" and passed != "over" for leads, passed in ways
    ):
        yield at_file(game, "kit_bids_unused", ("bid",))
    asked = set(re.findall(r"\bis +(\w+)", repr(values)))
    met: dict[tuple[int, str | None], str] = {}
    for name, worth in rules.special_bids.items():
        other = met.setdefault((worth, rules.bid_suits.get(name)), name)
        if other != name and not {name, other} & asked:
            both = {"one": other, "other": name, "points": worth}
            yield at_file(game, "kit_bids_alike", ("bid", "special", name), **both)
    forbid = rules.source.text("condition", "bid", "forbid")
    own = _own_bid(rules, forbid.node) if forbid is not None else None
    if forbid is not None and own is not None and not (rules.auction or rules.bids_change):
        place = forbid.place._replace(column=forbid.place.column + own.at)
        yield Wrong("kit_own_bid", place, forbid.path)


def _own_bid(rules: Rules, node: Node) -> Node | None:
    """Where a condition asks for the bid of the player alone, not of others or of a team."""
    if node.op.endswith("()") and FUNCTIONS[node.op[:-2]] in ("all", "seat"):
        return None
    if node.op == "name":
        value = rules.compiler.values.get(node.word)
        found = node.word == "bid" or (value is not None and _own_bid(rules, value.node))
        return node if found else None
    return next(filter(None, (_own_bid(rules, part) for part in node.parts)), None)


def _trick_of_a_deal(rules: Rules) -> Iterator[Wrong]:
    """Sums after a deal that ask for the number of the trick, which is then the same for all."""
    if rules.leave is not None or rules.folds is not None or rules.passed_over:
        return  # a deal may end early
    paths: list[Path] = [("match", "until"), ("match", "out")]
    terms = (*rules.deal_terms, *rules.match_terms)
    paths += [("score", term.name, key) for term in terms for key in ("when", "points")]
    paths += [("counters", each.name, "add") for each in rules.counters if not each.per_trick]
    for path in paths:
        text = _formula(rules, path)
        for node in walk_named(text.node, rules.compiler.values) if text is not None else ():
            if (node.op, node.word) == ("name", "trick"):
                yield wrong(rules, "kit_trick_of_a_deal", path)
                break


def _other_seats(game: KitGame, source: RulesSource) -> Iterator[Wrong]:
    """Values for numbers of players that the game does not have."""
    paths: tuple[Path, ...] = (("deck", "top"), ("deck", "remove"), ("deal", "hand"))
    for path in (*paths, ("pass", "cards"), ("pass", "to"), ("match", "deals")):
        for key in table(source.at(*path)):
            counts = seats(key)
            if counts is not None and not any(n in game.SEATS for n in counts):
                few, many = game.SEATS[0], game.SEATS[-1]
                yield at_file(game, "kit_other_seats", (*path, key), key=key, few=few, many=many)


def _turned_in_vain(game: KitGame, sources: Collection[RulesSource]) -> Iterator[Wrong]:
    """A card that is turned up, and decides nothing with any house rule."""
    turned = [each for each in sources if each.word("deal", "turn_up", default="none") != "none"]
    used = any(
        each.at("deal", "draw") is not None or each.at("trump", "from") == "turn_up"
        for each in sources
    )
    if turned and not used:
        place = turned[0].place(("deal", "turn_up"))
        yield Wrong("kit_turned_unused", place, "deal.turn_up")


def _idle_keys(game: KitGame, sources: Collection[RulesSource]) -> Iterator[Wrong]:
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
        if not written or (path == ("trump", "suits") and named):
            continue
        if not any(source.at(*other) in words for source in sources):
            values = {"key": dotted(other), "words": words}
            yield Wrong("kit_idle_key", written[0].place(path), dotted(path), **values)
    used = {k: part for k, part in game.document.values.items() if k not in ("text", "example")}
    if "call" in used and not _words(used)["called"]:
        yield at_file(game, "kit_call_unused", ("call",))


def _doubtful_sums(rules: Rules) -> Iterator[Wrong]:
    """Sums that may divide by 0, and the highest or the lowest of one number."""
    for text in conditions(rules):
        for node in walk(text.node):
            place = text.place._replace(column=text.place.column + node.at)
            if node.op == "/" and _may_be_0(node.parts[1]):
                yield Wrong("kit_divisor", place, text.path)
            if node.op in ("max()", "min()") and len(node.parts) == 1:
                near = {"max()": "most", "min()": "least"}[node.op]
                yield Wrong("kit_one_number", place, text.path, word=node.op[:3], near=near)


def _long_sums(game: KitGame, source: RulesSource) -> Iterator[Wrong]:
    """Sums that are too long to be read as a rule."""
    for path, text in _sums(source):
        if sum(1 for _ in walk(text.node)) > LONG_SENTENCE:
            clause = _clause(path)
            if clause and clause not in table(game.document.values.get("text")):
                yield at_file(game, "kit_long_sentence", path, key=clause)


def _counted_on(rules: Rules) -> Iterator[Wrong]:
    """Counters of tricks that go on from deal to deal, although a score of each deal uses them, and
    the file does not say that they should.
    """
    terms = [*rules.card_terms, *rules.trick_terms, *rules.deal_terms]
    used = set[str]()
    for term in terms:
        for key in ("when", "points"):
            text = _formula(rules, ("score", term.name, key))
            named = _named(rules)
            used |= {n.word for n in walk_named(text.node, named)} if text is not None else set()
    for counter in rules.counters:
        path: Path = ("counters", counter.name)
        text = rules.source.text("sum", *path, "add")
        resets = text is not None and any(
            node.word == counter.name for node in walk_named(text.node, _named(rules))
        )
        unsaid = rules.source.at(*path, "keep") is None
        if counter.per_trick and unsaid and counter.name in used and not resets:
            values = {"anew": "keep = 'deal'", "on": "keep = 'match'"}
            yield wrong(rules, "kit_counted_on", path, name=counter.name, **values)


def _last_tricks(rules: Rules) -> Iterator[Wrong]:
    """``trick = hand`` where that is not the last trick, or may not be reached."""
    for text in conditions(rules):
        for node in walk(text.node):
            if node.op == "=" and {part.word for part in node.parts} == {"trick", "hand"}:
                place = text.place._replace(column=text.place.column + node.at)
                if rules.draws:
                    yield Wrong("kit_last_drawn", place, text.path)
                elif rules.leave is not None and text.path.startswith(("score.", "counters.")):
                    yield Wrong("kit_last_left", place, text.path)


def _equal_bids(rules: Rules, state: State) -> Iterator[Wrong]:
    """The first condition for the highest bidder that holds for all who have bid the same."""
    if rules.bidder != "all" or rules.auction or not _may_bid_equal(rules, state):
        return
    highest = {Node("name", word="bid"), Node("most()", (Node("name", word="bid"),))}
    for text in conditions(rules):
        nodes = [*walk(text.node)]
        if any(node.op in ("same()", "place()") for node in nodes):
            continue
        for node in nodes:
            if node.op in COMPARED and {*map(placeless, node.parts)} == highest:
                place = text.place._replace(column=text.place.column + node.at)
                yield Wrong("kit_equal_bids", place, text.path)
                return


def _may_bid_equal(rules: Rules, state: State) -> bool:
    """Whether the second player can bid as high as the first, and more than 0."""
    scope = Scope(state)
    scope.deal, scope.seat = 1, min(1, rules.n - 1)
    scope.size = rules.hand_size(scope)
    few, many = max(1, rules.bid_few(scope)), rules.bid_many(scope)
    words = {str(few): few, str(many): many} if few <= many else {}
    words |= {name: worth for name, worth in rules.special_bids.items() if worth > 0}
    scope.last = int(rules.n == 2)
    for said, scope.others in words.items():
        bids = (said, *(None,) * (rules.n - 1))
        dealt = state.round._replace(starter=rules.seats[0], bids=bids, size=scope.size)
        scope.state = state._replace(round=dealt, deal=1)
        if rules.forbid is None or _may_say(rules.forbid, scope, scope.others):
            return True
    return False


def _no_such_cards(rules: Rules) -> Iterator[Wrong]:
    """Cards in sums that the deck does not have."""
    for text in conditions(rules):
        for node in walk(text.node):
            kind = FUNCTIONS.get(node.op.removesuffix("()"), "")
            if kind in ("cards", "lying", "this") and node.parts[0].word != "none":
                of_cards = text._replace(node=node.parts[0])
                if rules.compiler.mask(of_cards, CARD)[1] == 0:
                    place = text.place._replace(column=text.place.column + node.at)
                    yield Wrong("kit_empty_set", place, text.path)


def _rank_left_out(rules: Rules) -> Iterator[Wrong]:
    """A remark on the one rank of a pack that a list of all others leaves out."""
    first = FROM.get(rules.source.word("deck", "pack", default=""))
    ranks = rules.source.at("deck", "ranks")
    if first is None or not isinstance(ranks, list):
        return
    missing = [rank for rank in FRENCH[first:] if rank not in ranks]
    if len(missing) == 1 and missing[0] != FRENCH[first]:
        yield wrong(rules, "kit_rank_left_out", ("deck", "ranks"), rank=missing[0])


def _about_equals(game: KitGame, rules: Rules, sources: Collection[RulesSource]) -> Iterator[Wrong]:
    """What a file says of equal cards in vain, and equal cards of which it says nothing."""
    trick = table(game.document.values.get("trick"))
    equal, groups = trick.get("equal", "first"), rules.compiler.groups
    alone = max(rules.cards.deck.copies) == 1 and trick.get("equal_by") != "rank"
    if equal == "last":  # cards of two suits can be equally high
        classes = (*rules.classes, *rules.leads)
        alone = alone and all(of_one_suit(each.text.node, groups) for each in classes)
    if equal != "first" and alone:
        yield at_file(game, "kit_equal_unused", ("trick", "equal"))
    if "equal" not in trick and not any(source.at("trick", "equal") for source in sources):
        yield from _ties(game, rules, "best", rules.classes)
        yield from _ties(game, rules, "next", rules.leads)


def _about_always(game: KitGame, rules: Rules) -> Iterator[Wrong]:
    """``play.always`` that frees every card, or every card that a step does not ask for."""
    always = rules.source.text("cards", "play", "always")
    if always is not None and rules.compiler.mask(always, DEAL)[1] == rules.cards.full:
        yield at_file(game, "kit_always_all", ("play", "always"))
    elif always is not None:
        yield from _made_free(game, rules, always)


def _made_free(game: KitGame, rules: Rules, always: FormulaText) -> Iterator[Wrong]:
    """The first step of following that asks nobody for a card, as all others are always free."""
    free = _joined(always.node, "cards_or")
    for i, step in enumerate(rules.follow):
        if Node("cards_not", (placeless(step.text.node),)) in free:
            yield at_file(game, "kit_always_frees", ("play", "follow", i))
            return


def _colours_alone(rules: Rules) -> Iterator[Wrong]:
    """The first set that asks for a colour, in a deck whose suits have one each."""
    texts = [step.text for step in (*rules.lead, *rules.follow)]
    texts += [text for each in (*rules.classes, *rules.leads) for text in each.texts]
    texts += [*rules.compiler.groups.values(), *(text for _, text in _sums(rules.source))]
    for text in texts:
        for node in walk(text.node):
            if node.op == "colour":
                place = text.place._replace(column=text.place.column + node.at)
                yield Wrong("kit_colours_alone", place, text.path, word=node.word)
                return


def _bare_names(game: KitGame, source: RulesSource) -> Iterator[Wrong]:
    """A remark on the names of sums, sets and counters that rules show as they are."""
    texts = table(game.document.values.get("text"))
    bare = [
        (key, name)
        for key in ("values", "groups", "counters")
        for name in table(source.at(key))
        if name not in texts and f"score.{name}" not in texts
    ]
    if bare:
        names = [name for _, name in bare]
        yield at_file(game, "kit_bare_names", bare[0], words=names[:8], name=names[0])


def _named_alike(game: KitGame, source: RulesSource) -> Iterator[Wrong]:
    """Suits, special cards, bids and choices that the screen shows with the same word or sign."""
    rows = {path: table(source.at(*path)) for path in _SHOWN}
    for name, option in table(game.document.values.get("option")).items():
        choices = {key: row for key, row in table(option).items() if key != "why"}
        rows["option", name] = {key: row for key, row in choices.items() if key != "numbers"}
    for path, named in rows.items():
        met: dict[tuple[str, Value], str] = {}
        for name, row in named.items():
            for key in ("sign", "ja", "en"):
                said = table(row).get(key)
                if said is None:
                    continue
                other = met.setdefault((key, said), name)
                if other != name:
                    both = {"one": other, "other": name, "text": said}
                    yield at_file(game, "kit_named_alike", (*path, name, key), **both)
                    break


_SHOWN: tuple[Path, ...] = (("deck", "suits"), ("deck", "special"), ("bid", "special"))


def counted_twice(game: KitGame, rules: Rules) -> Iterator[Wrong]:
    """Scores of each partner that ask for nothing but what the partners have together."""
    size = max(map(len, rules.teams))
    for term in (*rules.deal_terms, *rules.match_terms) if size > 1 else ():
        paths: list[Path] = [("score", term.name, key) for key in ("when", "points")]
        found = [text for path in paths if (text := _formula(rules, path)) is not None]
        if not term.team and not any(_of_one_partner(rules, text.node) for text in found):
            at: Path = ("score", term.name)
            yield at_file(game, "kit_counted_twice", at, many=size)


def _one_partner_alone(rules: Rules) -> Iterator[Wrong]:
    """Sums of a team that ask only its first player, as they are worked out once for the team."""
    paths: list[Path] = [
        ("score", term.name, key)
        for term in (*rules.deal_terms, *rules.match_terms)
        for key in ("when", "points")
        if term.team
    ]
    paths += [
        ("counters", counter.name, "add")
        for counter in rules.counters
        if counter.of == "team" and not counter.per_trick
    ]
    for path in paths if max(map(len, rules.teams)) > 1 else ():
        text = _formula(rules, path)
        word = _of_one_partner(rules, text.node) if text is not None else ""
        if word and word != "turn":  # every second player has an odd one: it can mean the team
            yield wrong(rules, "kit_one_partner", path, word=word)


def _of_one_partner(rules: Rules, node: Node) -> str:
    """The first word of a sum that may differ between partners; "" if there is none."""
    name = node.op.removesuffix("()")
    if name in ("team", "most", "least", "every", "seats"):
        return ""
    if node.op == "name":
        values, counters = rules.compiler.values, rules.compiler.counters
        if node.word in values:
            return node.word if _of_one_partner(rules, values[node.word].node) else ""
        alone = node.word in ("tricks", "bid", "winning", "turn")
        return node.word if alone or counters.get(node.word) == "seat" else ""
    if name != node.op and FUNCTIONS[name] == "cards":
        return name + "( )"
    return next(filter(None, (_of_one_partner(rules, part) for part in node.parts)), "")


def _asks_trump(node: Node) -> bool:
    if node.op == "is":
        return node.parts[0].word == "trump"
    return (node.op, node.word) in (("suit", "trump"), ("colour", "trump"))


def _ties(game: KitGame, rules: Rules, key: str, classes: tuple[Class, ...]) -> Iterator[Wrong]:
    """The first two cards that are equally high, if the file does not say which of them counts."""
    cards, above = rules.cards, 0
    for i, best in enumerate(classes):
        fixed = best.fixed
        if best.by_row or best.by_turn:
            continue
        if fixed is None and max(cards.deck.copies) == 1 and not _any_number(rules, best.text):
            continue
        met: dict[int, str] = {}
        among = cards.full ^ cards.special if fixed is None else fixed
        for kind in cards.kinds(among & ~above):
            if fixed is None and not _any_number(rules, best.text):
                met.clear()  # no other kind of card is sure to be in the set together with this one
            many = cards.deck.copies[cards.deck.place[kind]]
            if (other := met.setdefault(cards.strength[kind], kind)) != kind or many > 1:
                says = "kit_equal_unsaid" if key == "best" else "kit_equal_leads"
                yield at_file(game, says, ("trick", key, i), cards=(other, kind))
                return
        if fixed is not None and best.when is None and best.pick == 1:
            above |= fixed


def _any_number(rules: Rules, text: FormulaText) -> bool:
    """Whether a set that changes has plainly cards of all numbers, of more than one suit."""
    groups = rules.compiler.groups
    few = ("rank", "ranks", "card", "colour", *(f"number{sign}" for sign in COMPARED))
    walked = walk_named(text.node, groups)
    return not of_one_suit(text.node, groups) and not any(node.op in few for node in walked)


def of_one_suit(node: Node, groups: Mapping[str, FormulaText]) -> bool:
    """Whether all cards of a set are plainly of one suit, or one card."""
    if node.op == "cards_and":
        return any(of_one_suit(part, groups) for part in node.parts)
    if node.op == "group" and node.word in groups:
        return of_one_suit(groups[node.word].node, groups)
    return node.op in ("suit", "card") or (node.op, node.word) == ("group", "called")


def _words(part: object) -> Counter[str]:
    """How often each word stands in the values of a part of a file, without texts and keys."""
    if isinstance(part, Mapping):
        return sum((_words(each) for key, each in part.items() if key not in TEXTS), Counter())
    if isinstance(part, list):
        return sum(map(_words, part), Counter())
    return Counter(re.findall(r"\w+", str(part)))


def _sums(source: RulesSource) -> Iterator[tuple[Path, FormulaText]]:
    """The sums and conditions of the file that are used at a table, with their places."""
    found: list[Path] = [("deal", "hand"), ("pass", "cards"), ("bid", "forbid")]
    found += [("trump", "none_when"), ("leave", "when"), ("match", "deals"), ("match", "until")]
    found += [("leave", "first"), ("match", "out")]
    found += [("values", name) for name in table(source.at("values"))]
    found += [("counters", name, "add") for name in table(source.at("counters"))]
    for name in table(source.at("score")):
        found += [("score", name, "when"), ("score", name, "points")]
    for path in found:
        value = source.at(*path)
        if value is not None and not isinstance(value, dict):
            text = source.text("sum", *path)
            assert text is not None
            yield path, text


def conditions(rules: Rules) -> Iterator[FormulaText]:
    """The sums and conditions of a table, those of ladders and of winning sets, too."""
    yield from (text for _, text in _sums(rules.source))
    found = [step.condition for step in (*rules.lead, *rules.follow)]
    found += [each.condition for each in (*rules.classes, *rules.leads)]
    yield from (text for text in found if text is not None)


def _may_be_0(node: Node) -> bool:
    """Whether a divisor may be 0: True unless it is plainly another number."""
    if node.op == "number":
        return node.number == 0
    if node.op == "max()":
        return all(map(_may_be_0, node.parts))
    return not (node.op == "name" and node.word in ("n", "deck", "deal", "hand", "cards"))


def _clause(path: Path) -> str:
    """The clause whose sentence the sum at ``path`` fills in; "" if there is none."""
    if path[0] == "score":
        return f"score.{path[1]}"
    made = {"bid.forbid": "bid.2", "leave.when": "leave.1", "match.until": "deals.1"}
    made |= {"leave.first": "leave.1", "match.out": "leave.1"}
    return made.get(dotted(path), "")


def _languages(game: KitGame, value: Value | Mapping[str, Value], path: Path) -> Iterator[Wrong]:
    """Texts that exist in one language only."""
    if isinstance(value, list):
        for i, part in enumerate(value):
            yield from _languages(game, part, (*path, i))
    if not isinstance(value, Mapping):
        return
    for language, other in (("ja", "en"), ("en", "ja")):
        if other in value and language not in value:
            yield at_file(game, "kit_one_language", path, key=dotted(path), language=language)
    for key, part in value.items():
        yield from _languages(game, part, (*path, key))
