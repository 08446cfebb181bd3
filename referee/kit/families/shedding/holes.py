"""Holes in the rules of one table: cards that can never be played, rules that never matter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations as subsets
from itertools import islice

from referee.core.verdict import Illegal
from referee.kit.families.shedding.candidates import candidates, shapes
from referee.kit.families.shedding.combinations import Combination, PlayReading
from referee.kit.families.shedding.dealing import cards_left, hand_size, kitty_size
from referee.kit.families.shedding.effects import acts_of, apply
from referee.kit.families.shedding.judging import judge
from referee.kit.families.shedding.rules import SheddingRules, scope_of
from referee.kit.families.shedding.state import PLAY, State
from referee.kit.notes.written import formula_at
from referee.kit.table import wrong
from referee.kit.text.faults import Path, Wrong
from referee.kit.text.formula import FormulaText, Node, walk, walk_named
from referee.kit.text.scope import Scope

SMALL = 8  # players at a table at which all who can be out are tried


# the deal


def deals(rules: SheddingRules, state: State) -> Iterator[Wrong]:
    """Faults of deals: hands, the kitty, the holder, exchanges."""
    n, deck = rules.n, len(rules.cards.deck)
    scope = Scope(state)
    scope.deal = 1
    size, kitty = rules.deal.hand(scope), kitty_size(state)
    hand: Path = ("deal", "hand")
    if size < 1:
        yield wrong(rules, "kit_no_hand", hand, n=n, deal=1, size=size)
        return
    if size * n + kitty > deck:
        needed = {"needed": size * n + kitty, "cards": deck}
        yield wrong(rules, "kit_few_cards", hand, n=n, deal=1, **needed)
        return
    left = cards_left(state, next_deal=True)
    if rules.deal.holder is not None and left and not rules.deal.dealt_on:
        values = {"n": n, "left": left, "card": rules.deal.holder}
        yield wrong(rules, "kit_holder_out", ("deal", "holder"), **values)
    if rules.deal.kitty is not None and not rules.bidding.passed_over:
        yield wrong(rules, "kit_shed_kitty_left", ("deal", "kitty"))
    yield from _exchanges(rules, state, size + (left > 0))


def _exchanges(rules: SheddingRules, state: State, most: int) -> Iterator[Wrong]:
    scope = Scope(state)
    taken: set[int] = set()
    for row in rules.exchange:
        many = row.cards(scope)
        if many <= 0:
            continue
        places = [place(scope) for place in row.between]
        at: Path = ("exchange", row.name, "between")
        if any(not 1 <= place <= rules.n for place in places):
            yield wrong(rules, "kit_shed_no_place", at, n=rules.n, places=tuple(places))
        elif places[0] == places[1] or taken & {*places}:
            yield wrong(rules, "kit_shed_place_twice", at, n=rules.n, places=tuple(places))
        taken |= {*places}
        if many > most:
            cards: Path = ("exchange", row.name, "cards")
            yield wrong(rules, "kit_shed_exchange_many", cards, n=rules.n, count=many, hand=most)


# combinations and the order


def combinations(rules: SheddingRules) -> Iterator[Wrong]:
    """Faults of combinations: cards that nothing plays, shapes that no hand has, circles."""
    combos = rules.reading.combos
    for card in map(str, rules.cards.deck.cards):
        special = not rules.cards.rank[card]
        in_order = card in rules.order.beyond
        if special and not in_order and card in rules.order.wild:
            yield wrong(rules, "kit_shed_joker_stays", ("order", "wild"), card=card)
            break
        if special and not in_order and not any(card in combo.cards for combo in combos):
            yield wrong(rules, "kit_shed_never_played", ("deck", "special", card), card=card)
            break
        if not rules.readings((card,), None):
            yield wrong(rules, "kit_shed_no_single", ("combo",), card=card)
            break
    for combo in combos:
        yield from _impossible(rules, combo)
    by_name = {combo.name: combo for combo in combos}
    for combo in combos:
        if _reaches(by_name, combo.name, combo.name):
            yield wrong(rules, "kit_shed_over_circle", ("combo", combo.name), word=combo.name)
            break


def _reaches(by_name: dict[str, Combination], start: str, goal: str) -> bool:
    """Whether a combination is over ``goal`` directly or through others."""
    ahead, seen = [*by_name[start].over], set[str]()
    while ahead:
        each = ahead.pop()
        if each == goal:
            return True
        if each in by_name and each not in seen:
            seen.add(each)
            ahead += by_name[each].over
    return False


def _impossible(rules: SheddingRules, combo: Combination) -> Iterator[Wrong]:
    deck, cards = rules.cards.deck, rules.cards
    copies = dict(zip(map(str, deck.cards), deck.copies, strict=True))
    at: Path = ("combo", combo.name)
    if combo.cards:
        if any(combo.cards.count(card) > copies.get(card, 0) for card in combo.cards):
            yield wrong(rules, "kit_shed_no_hand", at, word=combo.name)
        return
    jokers = sum(copies[card] for card in rules.order.wild)
    of_rank: dict[str, int] = {}
    for card, many in copies.items():
        if cards.rank[card]:
            of_rank[cards.rank[card]] = of_rank.get(cards.rank[card], 0) + many
    most = max(of_rank.values(), default=0) + jokers
    if combo.suited and not combo.any:
        most = max(copies.values()) + jokers
    groups = combo.kicked * (combo.kickers or combo.run.few)
    least = combo.any or combo.same.few * combo.run.few + groups
    too_long = combo.run.few > len(cards.order)
    if combo.same.few > most or too_long or least > len(deck) // rules.n + 1:
        yield wrong(rules, "kit_shed_no_hand", at, word=combo.name)


def orders(rules: SheddingRules) -> Iterator[Wrong]:
    """Faults of suits and strengths: rules that ask for suits that are not there."""
    suits = rules.cards.suits
    for combo in rules.reading.combos:
        if combo.suited and not suits:
            yield wrong(rules, "kit_shed_no_suits", ("combo", combo.name, "suit"), word="suit")
        if "suit" in combo.by:
            at: Path = ("combo", combo.name, "by")
            if not suits:
                yield wrong(rules, "kit_shed_no_suits", at, word="suit")
            elif {*suits} - {*rules.order.suits}:
                missing = tuple(suit for suit in suits if suit not in rules.order.suits)
                yield wrong(rules, "kit_shed_suit_order", at, suits=missing)
    for row in rules.effects:
        here: Path = ("effect", row.name, "do")
        if "lock suits" in row.do and not suits:
            yield wrong(rules, "kit_shed_no_suits", here, word="lock suits")
        if "lock rank" in row.do and rules.equal:
            yield wrong(rules, "kit_shed_lock_equal", here)
    for text in texts(rules):
        words = {node.word for node in walk(text.node) if node.op == "name"}
        if "matched" in words and not suits:
            yield wrong_at(text, "kit_shed_no_suits", word="matched")
        if "step" in words and all(combo.cards for combo in rules.reading.combos):
            yield wrong_at(text, "kit_shed_no_steps", word="step")
        last_deal = rules.match.deals is not None and rules.source.at("match", "deals") in (1, "1")
        if "was" in words and last_deal:
            yield wrong_at(text, "kit_shed_no_last_deal", word="was")
    if rules.must:
        yield from _must(rules)


def _must(rules: SheddingRules) -> Iterator[Wrong]:
    """What makes it inexact whether somebody could have played."""
    done = {verb for row in rules.effects for verb in row.do}
    barred = {
        "suits": bool(rules.cards.suits),
        "order.wild": bool(rules.order.wild),
        "beat": bool(rules.beat),
        "effect": bool(done & {"lock suits", "lock rank", "give", "discard", "name"}),
        "combo": any(
            combo.runs or combo.any or combo.cards or combo.kicked or combo.suited
            for combo in rules.reading.combos
        ),
    }
    for key, found in barred.items():
        if found:
            yield wrong(rules, "kit_shed_must", ("play", "must"), key=key)
            return


def texts(rules: SheddingRules) -> Iterator[FormulaText]:
    """The sums and conditions of effects, scores and the end of a deal."""
    paths: list[Path] = [("finish", key) for key in ("until", "foul", "falls")]
    paths += [("effect", row.name, key) for row in rules.effects for key in ("when", "times")]
    paths += [("score", name, key) for name in rules.scoring.terms for key in ("when", "points")]
    yield from filter(None, (formula_at(rules, path) for path in paths))


def wrong_at(text: FormulaText, fact: str, **values: object) -> Wrong:
    """A fault of a sum."""
    return Wrong(fact, text.place, text.path, **values)


# what plays bring about


def opened(state: State) -> State | None:
    """The first deal, ready for the first play; None if no entry leads there."""
    for _step in range(3 * len(state.table.seats) + 6):
        if state.phase == PLAY:
            return state
        found = next(
            (p for p in candidates(state) if not isinstance(judge(state, p), Illegal)), None
        )
        if found is None:
            return None
        state = apply(state, found)
    return None


def leads(rules: SheddingRules, most: int) -> Iterator[PlayReading]:
    """Ways to lead: cards of each shape, read as the strongest combination."""
    deck = rules.cards.deck
    held = dict(zip(map(str, deck.cards), deck.copies, strict=True))
    for cards in islice(shapes(rules, held, len(deck)), most):
        found = rules.readings(cards, None)
        if found:
            yield min(found, key=lambda each: rules.reading.combos.index(each.combo))


def effects(rules: SheddingRules, state: State, most: int) -> Iterator[Wrong]:
    """Faults of effects: leads that always clear, last plays that are always fouls."""
    begun = opened(state)
    if begun is None or not (rules.effects or rules.finish.foul or rules.finish.falls):
        return
    seat = begun.turn or begun.round.live[0]
    found = [*leads(rules, most)]
    scopes = [scope_of(rules, begun, seat, reading) for reading in found]
    for row in rules.effects:
        always = found and all(row.when is None or row.when(scope) for scope in scopes)
        if "clear" in row.do and always:
            yield wrong(rules, "kit_shed_all_clear", ("effect", row.name), key=f"effect.{row.name}")
        times = [row.times(scope) for scope in scopes]
        counted = {"turn", "reverse deal", "reverse trick"} & {*row.do}
        if counted and any(times) and all(each % 2 == 0 for each in times):
            at: Path = ("effect", row.name, "times")
            yield wrong(rules, "kit_shed_even", at, key=f"effect.{row.name}.times")
        if {"give", "discard"} & {*row.do} and times:
            hand = hand_size(begun)
            if min(times) > hand:
                at = ("effect", row.name, "times")
                yield wrong(rules, "kit_shed_give_many", at, count=min(times), hand=hand)
    if rules.finish.foul is not None and scopes:
        for scope in scopes:
            scope.empties = True
        if all(rules.finish.foul(scope) for scope in scopes):
            yield wrong(rules, "kit_shed_all_foul", ("finish", "foul"))
    yield from _falls(rules, begun)


def _falls(rules: SheddingRules, begun: State) -> Iterator[Wrong]:
    """A fall of everybody who is still in."""
    if rules.finish.falls is None or rules.n < 3:
        return
    round_ = begun.round
    live = round_.live[1:]
    after = round_._replace(
        live=live, outs=round_.live[:1], was=tuple(range(1, rules.n + 1)), begun=True
    )
    scope = Scope(begun._replace(round=after))
    falling = 0
    for seat in live:
        scope.seat = rules.index[seat]
        falling += bool(rules.finish.falls(scope))
    if falling == len(live):
        yield wrong(rules, "kit_shed_all_fall", ("finish", "falls"))


# what may be meant otherwise


def doubts(rules: SheddingRules, state: State) -> Iterator[Wrong]:
    """Remarks on the rules of one table."""
    yield from _hidden(rules)
    begun = opened(state)
    if begun is None:
        return
    seat = begun.turn or begun.round.live[0]
    for reading in leads(rules, 400) if not rules.order.stays else ():
        acts = acts_of(rules, scope_of(rules, begun, seat, reading))
        if acts.get("reverse deal", 0) % 2 and acts.get("reverse trick", 0) % 2:
            row = next(row for row in rules.effects if "reverse trick" in row.do)
            cards = tuple(face.card for face in reading.faces)
            yield wrong(rules, "kit_shed_undone", ("effect", row.name), cards=cards)
            break
    if rules.n == 2:
        for row in rules.effects:
            if {"turn", "skip", "give"} & {*row.do}:
                yield wrong(rules, "kit_shed_two", ("effect", row.name), key=f"effect.{row.name}")
    yield from _until(rules, begun)


def _hidden(rules: SheddingRules) -> Iterator[Wrong]:
    """Combinations of a shape that another one reads first."""
    combos = rules.reading.combos
    for i, later in enumerate(combos):
        for first in combos[:i]:
            if first.cards or later.cards or first.any or later.any:
                continue
            over = later.name in first.over or first.name in later.over
            alike = (first.kicked, first.kickers) == (later.kicked, later.kickers)
            wider = (not first.suited or later.suited) and first.start in (None, later.start)
            shared = _shared(first.same, later.same) and _shared(first.run, later.run)
            if not over and alike and wider and shared and first.runs == later.runs:
                at: Path = ("combo", later.name)
                yield wrong(rules, "kit_shed_hidden", at, word=later.name, other=first.name)


def _shared(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(one[0], other[0]) <= min(one[1], other[1])


KNOWN = frozenset(("outs", "live", "out", "n", "no", "yes"))


def _until(rules: SheddingRules, begun: State) -> Iterator[Wrong]:
    """Remarks on ends of a deal that come at once or never, and on places that nobody gets."""
    text = rules.source.text("condition", "finish", "until")
    if text is None or rules.finish.until is None or rules.n > SMALL or text.node.op == "no":
        return
    names = walk_named(text.node, rules.compiler.values)
    if any(
        node.op == "name" and node.word not in KNOWN and node.word not in rules.compiler.values
        for node in names
    ):
        return
    at: Path = ("finish", "until")
    if rules.finish.foul is not None and _ends(rules, begun, ()):
        yield wrong(rules, "kit_shed_until_foul", at)
        return
    seats = begun.round.live
    ends = [
        outs
        for many in range(1, len(seats) - 1)
        for outs in subsets(seats, many)
        if _ends(rules, begun, outs)
    ]
    if not ends:
        yield wrong(rules, "kit_shed_until_never", at, n=rules.n)
        return
    last = max(map(len, _last_outs(rules, begun, (), seats)))
    yield from _places(rules, last + 1)


def _last_outs(
    rules: SheddingRules, begun: State, outs: tuple[str, ...], seats: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """Who can be out at the end of a deal."""
    left = [seat for seat in seats if seat not in outs]
    if len(left) <= 1 or (outs and _ends(rules, begun, outs)):
        yield outs
        return
    for seat in left:
        if not outs or seat > outs[-1] or len(outs) < 3:
            yield from _last_outs(rules, begun, (*outs, seat), seats)


def _ends(rules: SheddingRules, begun: State, outs: tuple[str, ...]) -> bool:
    """Whether a deal ends when these are out, or one by a foul."""
    assert rules.finish.until is not None
    gone = outs or begun.round.live[:1]
    live = tuple(seat for seat in begun.round.live if seat not in gone)
    round_ = begun.round._replace(live=live, outs=outs, begun=True)
    return bool(rules.finish.until(Scope(begun._replace(round=round_))))


def _places(rules: SheddingRules, last: int) -> Iterator[Wrong]:
    """Scores by a place that nobody can have, since those still in share one."""
    for term in rules.scoring.terms.values():
        for key in ("when", "points"):
            text = formula_at(rules, ("score", term.name, key))
            for node in walk(text.node) if text is not None else ():
                place = _place_asked(rules, node)
                if place is not None and place > last:
                    at: Path = ("score", term.name, key)
                    yield wrong(rules, "kit_shed_no_such_place", at, number=place, last=last)
                    break


def _place_asked(rules: SheddingRules, node: Node) -> int | None:
    """The place in ``finish = 3`` or ``finish = n``; None for any other sum."""
    if node.op != "=" or (node.parts[0].op, node.parts[0].word) != ("name", "finish"):
        return None
    other = node.parts[1]
    if other.op == "number":
        return other.number
    return rules.n if (other.op, other.word) == ("name", "n") else None
