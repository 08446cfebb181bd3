"""Hands, stock, cards that are turned up, and what differs by the number of players."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from referee.kit.chapters.deck import table
from referee.kit.families.trick_taking.before_tricks import direction
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame
from referee.kit.notes.written import at_file, formula_at
from referee.kit.table import wrong
from referee.kit.text.faults import Path, Wrong
from referee.kit.text.form import seats
from referee.kit.text.formula import walk
from referee.kit.text.scope import Scope
from referee.kit.text.source import RulesSource

DEALS = 24  # deals of a match that are looked at


def hands(rules: Rules, state: State) -> Iterator[Wrong]:
    """Faults of deals: hands larger than the deck allows, cards to pass, cards to turn up."""
    scope, n, deck = Scope(state), rules.n, len(rules.cards.deck)
    count = rules.match.deals(scope) if rules.match.deals else 1
    if count < 1:
        yield wrong(rules, "kit_no_deals", ("match", "deals"), n=n, deals=count)
    left_once = False
    for deal in range(1, min(rules.match.deal_count(scope) or DEALS, DEALS) + 1):
        scope.deal = deal
        scope.size = size = rules.deal.hand(scope)
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
        if rules.deal.draws and left < n:
            yield wrong(rules, "kit_nothing_drawn", ("deal", "draw"), n=n)
            return
        if rules.deal.first == "holder" and left:
            where: Path = ("deal", "holder")
            yield wrong(rules, "kit_holder_out", where, n=n, left=left, card=rules.deal.holder)
            return
        to = direction(rules, deal)
        passed = rules.passing.cards(scope)
        passed *= rules.n - 1 if to == "each" else 1
        if to != "none" and not 0 < passed < size + (to != "aside"):
            values = {"n": n, "deal": deal, "passed": passed, "size": size}
            yield wrong(rules, "kit_pass_count", ("pass", "cards"), **values)
            return
    if rules.deal.turn_up == "stock" and not left_once:
        yield wrong(rules, "kit_nothing_turned", ("deal", "turn_up"), n=n)


def drawn_unevenly(rules: Rules, state: State) -> Iterator[Wrong]:
    """A remark if the last cards of the stock are too few for every seat to draw one."""
    rest = rules.deal.stock(rules.deal.at_deal(state, 1).size) % rules.n
    if rest:
        yield wrong(rules, "kit_draw_rest", ("deal", "draw"), n=rules.n, left=rest)


def left_over(rules: Rules, state: State) -> int:
    """How many cards are left over where the file divides the whole deck among the players; 0 if it
    does not, or if the others are turned up, drawn or put aside.
    """
    hand = formula_at(rules, ("deal", "hand"))
    used = {node.word or node.op for node in walk(hand.node)} if hand is not None else set()
    if not {"/", "deck", "n"} <= used or rules.deal.turn_up != "none" or rules.deal.draws:
        return 0
    scope, sizes = Scope(state), set[int]()
    for scope.deal in (1, 2, 3):
        sizes.add(rules.deal.hand(scope))
    left = len(rules.cards.deck) - rules.n * max(sizes)
    return left if len(sizes) == 1 and 0 < left < rules.n else 0


def other_seats(game: KitGame, source: RulesSource) -> Iterator[Wrong]:
    """Values for numbers of players that the game does not have."""
    paths: tuple[Path, ...] = (("deck", "top"), ("deck", "remove"), ("deal", "hand"))
    for path in (*paths, ("pass", "cards"), ("pass", "to"), ("match", "deals")):
        for key in table(source.at(*path)):
            counts = seats(key)
            if counts is not None and not any(n in game.SEATS for n in counts):
                few, many = game.SEATS[0], game.SEATS[-1]
                yield at_file(game, "kit_other_seats", (*path, key), key=key, few=few, many=many)


def turned_in_vain(sources: Collection[RulesSource]) -> Iterator[Wrong]:
    """A card that is turned up, and decides nothing with any house rule."""
    turned = [each for each in sources if each.word("deal", "turn_up", default="none") != "none"]
    used = any(
        each.at("deal", "draw") is not None or each.at("trump", "from") == "turn_up"
        for each in sources
    )
    if turned and not used:
        place = turned[0].place(("deal", "turn_up"))
        yield Wrong("kit_turned_unused", place, "deal.turn_up")


def jokers_once(rules: Rules) -> Iterator[Wrong]:
    """Copies of a pack with jokers, which stay single."""
    many, at = max(rules.cards.deck.copies), rules.source.at
    if at("deck", "pack") == "french54" and many > 1 and not at("deck", "special"):
        yield wrong(rules, "kit_jokers_once", ("deck", "copies"), many=many)
