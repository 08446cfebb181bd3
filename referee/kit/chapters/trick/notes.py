"""What may be played and what wins: steps and sets without effect, and equal cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product

from referee.kit.chapters.deck import shown, table
from referee.kit.chapters.scoring.notes import OF_A_TRICK
from referee.kit.chapters.trick import Class
from referee.kit.chapters.trick.nobody import played
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import Laid, State
from referee.kit.game import KitGame
from referee.kit.notes.written import at_file, named_sums
from referee.kit.table import wrong
from referee.kit.text.faults import Path, Wrong
from referee.kit.text.formula import FormulaText, Node, of_one_suit, placeless, walk, walk_named
from referee.kit.text.scope import DEAL
from referee.kit.text.source import RulesSource


def free_after(rules: Rules, state: State) -> Iterator[Wrong]:
    """A remark on suits after whose lead any card may be played, if others ask for cards.

    Looks at the first trick of the first deal.
    """
    begun = state._replace(deal=1, due=rules.seats[-1:], trump=rules.trump.suit or None)
    free, asks = list[str](), list[str]()
    for suit, mask in rules.cards.suits.items():
        ends = rules.cards.kinds(mask)[:1] + rules.cards.kinds(mask)[-1:]
        leads = [rules.trick.lying(begun, Laid(rules.seats[0], card, 1)) for card in ends]
        if leads:  # a suit may have lost all its cards
            (asks if any(map(rules.play.asked, leads)) else free).append(suit)
    if free and asks:
        yield wrong(rules, "kit_free_after", ("play", "follow"), suits=free, other=asks[0])


def after_specials(rules: Rules, state: State) -> Iterator[Wrong]:
    """A remark on a step that asks for cards after a special card was led, only because the steps
    for the suit led are then empty: a ladder that asks for the trump suit next.
    """
    suit = rules.trump.suit or next(iter(rules.cards.suits), "")
    trump = suit if rules.trump.any else None
    begun = state._replace(deal=1, due=rules.seats[-1:], trump=trump)
    for card in rules.cards.led:
        led = rules.trick.lying(begun, Laid(rules.seats[0], card, 1))
        for i, step in enumerate(rules.play.follow):
            if step.condition is not None:
                break  # the author has thought of when it is asked for
            if step.cards(led, None):
                of_led = [
                    node for before in rules.play.follow[:i] for node in walk(before.text.node)
                ]
                if any(node.op in ("suit", "colour") and node.word == "led" for node in of_led):
                    yield wrong(rules, "kit_special_asks", ("play", "follow", i), card=card)
                    return
                break


def all_suits_show(rules: Rules, state: State) -> Iterator[Wrong]:
    """A remark on ``play.cannot`` where all suits can lie in a trick, so that no card of the deck
    fits, and any card counts.
    """
    suits = [*rules.cards.suits.values()]
    if rules.play.cannot == "counts" or not rules.play.follow or not 0 < len(suits) < rules.n:
        return
    begun = state._replace(deal=1, trump=rules.trump.suit or None)
    for seat, mask in zip(rules.seats, suits, strict=False):
        begun = rules.trick.lying(begun, Laid(seat, rules.cards.kinds(mask)[0], 1))
    if not rules.play.asked(begun._replace(due=rules.seats[-1:])):
        yield wrong(rules, "kit_all_suits_show", ("play", "cannot"), n=rules.n)


def _joined(node: Node, op: str) -> set[Node]:
    """The set ``node``, and the sets that ``op`` joins in it, without their places in the text."""
    parts = node.parts if node.op == op else ()
    return {placeless(node)}.union(*(_joined(part, op) for part in parts))


def _within(text: FormulaText, sets: set[Node]) -> bool:
    """Whether one of ``sets`` contains all cards of the set ``text``, whatever is played."""
    return not sets.isdisjoint(_joined(text.node, "cards_and"))


def unreachable(rules: Rules) -> Iterator[Wrong]:
    """Steps and classes that never have an effect."""
    ladders = {"lead": rules.play.lead, "follow": rules.play.follow}
    for name, ladder in ladders.items():
        above, said = 0, set[Node]()
        for i, step in enumerate(ladder):
            at: Path = ("play", name, i)
            asked = {(node.op, node.word) for node in walk(step.text.node)}
            if name == "lead" and asked & OF_A_TRICK:
                yield wrong(rules, "kit_led_in_lead", at)
            if ("suit", "trump") in asked and not rules.trump.any:
                yield wrong(rules, "kit_no_trump", at)
            if step.fixed == 0:
                yield wrong(rules, "kit_empty_set", at)
            elif (step.fixed is not None and not step.fixed & ~above) or _within(step.text, said):
                yield wrong(rules, "kit_covered_step", at)
            if step.when is None and not step.order:
                said |= _joined(step.text.node, "cards_or")
            if step.fixed is not None and step.when is None:
                above |= step.fixed
    for key, classes in (("best", rules.trick.classes), ("next", rules.trick.leads)):
        yield from _unreachable_classes(rules, key, classes)
    for change in (*rules.trump.at_once, *rules.trump.after_trick):
        if change.fixed == 0:
            yield wrong(rules, "kit_empty_set", ("trump", "change", change.number))
    if rules.play.cannot != "counts" and not rules.play.lead and not rules.play.follow:
        yield wrong(rules, "kit_cannot_unused", ("play", "cannot"))
    for path in (("deck", "worth"), ("deck", "value"), ("trick", "digits")):
        for name in table(rules.source.at(*path)):
            special = path[0] == "deck" and name in rules.cards.known
            if name not in rules.cards.order and not special:
                known = shown(rules.cards.order)
                yield wrong(rules, "kit_no_rank", (*path, name), rank=name, ranks=known)


def _unreachable_classes(rules: Rules, key: str, classes: tuple[Class, ...]) -> Iterator[Wrong]:
    """Classes of ``trick.best`` or ``trick.next`` (``key``) that never have an effect."""
    above, said = 0, set[Node]()
    for i, best in enumerate(classes):
        at: Path = ("trick", key, i)
        asked = {(node.op, node.word) for node in walk(best.text.node)}
        if ("suit", "trump") in asked and not rules.trump.any:
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


def always_free(game: KitGame, rules: Rules) -> Iterator[Wrong]:
    """``play.always`` that frees every card, or every card that a step does not ask for."""
    always = rules.source.text("cards", "play", "always")
    if always is not None and rules.compiler.mask(always, DEAL)[1] == rules.cards.full:
        yield at_file(game, "kit_always_all", ("play", "always"))
    elif always is not None:
        yield from _made_free(game, rules, always)


def _made_free(game: KitGame, rules: Rules, always: FormulaText) -> Iterator[Wrong]:
    """The first step of following that asks nobody for a card, as all others are always free."""
    free = _joined(always.node, "cards_or")
    for i, step in enumerate(rules.play.follow):
        if Node("cards_not", (placeless(step.text.node),)) in free:
            yield at_file(game, "kit_always_frees", ("play", "follow", i))
            return


def equal_cards(
    game: KitGame, rules: Rules, state: State, sources: Collection[RulesSource], most: int
) -> Iterator[Wrong]:
    """What a file says of equal cards in vain, and equal cards of which it says nothing.

    ``most``: how many tricks are tried.
    """
    trick = table(game.document.values.get("trick"))
    equal, groups = trick.get("equal", "first"), rules.compiler.groups
    alone = max(rules.cards.deck.copies) == 1 and trick.get("equal_by") != "rank"
    if equal == "last":  # cards of two suits can be equally high
        classes = (*rules.trick.classes, *rules.trick.leads)
        alone = alone and all(of_one_suit(each.text.node, groups) for each in classes)
    if equal != "first" and alone:
        yield at_file(game, "kit_equal_unused", ("trick", "equal"))
    if "equal" not in trick and not any(source.at("trick", "equal") for source in sources):
        yield from _ties(game, rules, state, "best", most)
        yield from _ties(game, rules, state, "next", most)


def _ties(game: KitGame, rules: Rules, state: State, key: str, most: int) -> Iterator[Wrong]:
    """The first two cards that are equally high and can meet in a trick, if the file does not say
    which of them counts. ``most``: how many tricks are tried.
    """
    classes = rules.trick.classes if key == "best" else rules.trick.leads
    if not classes or not most:
        return
    begun, leads = _beginnings(rules, state), _leads(rules)
    for i, best in enumerate(classes):
        for pair in () if best.by_row or best.by_turn or best.nobody else _equals(rules, best):
            made = [pair, pair[::-1], *((lead, *pair) for lead in leads if lead not in pair)]
            fitting = [each for each in made if len(each) <= rules.n]
            for start, each in product(begun, fitting):
                if _meet(rules, played(rules, start, each), key, classes[: i + 1]):
                    says = "kit_equal_unsaid" if key == "best" else "kit_equal_leads"
                    yield at_file(game, says, ("trick", key, i), cards=pair)
                    return
                most -= 1
                if most <= 0:
                    return


def _equals(rules: Rules, best: Class) -> Iterator[tuple[str, str]]:
    """Pairs of equally high cards that the class may have."""
    cards, met = rules.cards, dict[int, list[str]]()
    deck = cards.deck
    for kind in cards.kinds(cards.full ^ cards.special if best.fixed is None else best.fixed):
        others = met.setdefault(cards.strength[kind], [])
        yield from ((other, kind) for other in others)
        if deck.copies[deck.place[kind]] > 1:
            yield kind, kind
        others.append(kind)


def _leads(rules: Rules) -> list[str]:
    """Cards to be led before two equal ones: one of each suit, each special card, any two."""
    cards = rules.cards
    of_suits = [cards.kinds(mask)[:1] for mask in cards.suits.values()]
    return [*sum(of_suits, ()), *cards.kinds(cards.special), *cards.kinds(cards.full)[:2]]


def _beginnings(rules: Rules, state: State) -> list[State]:
    """The beginning of a trick with each trump suit, and with none."""
    said: list[str | None] = [*rules.bidding.words.suits] or [
        None
    ]  # the players' own trump suits may differ
    dealt = state.round._replace(bids=tuple(said[i % len(said)] for i in range(rules.n)))
    suits: list[str | None] = [rules.trump.suit or None]
    if rules.trump.any and not rules.trump.suit:
        suits = [*rules.cards.suits, None]
    return [state._replace(deal=1, trump=trump, round=dealt) for trump in suits]


def _meet(rules: Rules, lying: State, key: str, classes: tuple[Class, ...]) -> bool:
    """Whether two equally high cards decide by the last of ``classes``, whose conditions count as
    met; the conditions of those before it do not.
    """
    *before, best = classes
    live = [laid for laid in lying.trick if not laid.down and (key == "next" or not laid.out)]
    plain = (each for each in before if each.when is None and each.pick == 1)
    if any(rules.trick.among(each, lying, live) for each in plain):
        return False
    strength = [rules.cards.strength[laid.card] for laid in rules.trick.among(best, lying, live)]
    return len(set(strength)) < len(strength)


def _asks_trump(node: Node) -> bool:
    if node.op == "is":
        return node.parts[0].word == "trump"
    return (node.op, node.word) in (("suit", "trump"), ("colour", "trump"))


def trump_wins_nothing(rules: Rules) -> Iterator[Wrong]:
    """A trump suit that no winning set asks for."""
    of_best = [text.node for best in rules.trick.classes for text in best.texts]
    asked = (node for each in of_best for node in walk_named(each, named_sums(rules)))
    if rules.trump.any and not any(map(_asks_trump, asked)):
        yield wrong(rules, "kit_trump_wins_nothing", ("trick", "best"))


def suitless_changes(rules: Rules) -> Iterator[Wrong]:
    """Cards without a suit that would make their suit the trump suit."""
    special = rules.cards.special
    for change in (*rules.trump.at_once, *rules.trump.after_trick):
        if change.fixed and not change.suit and not change.fixed & ~special:
            card = rules.cards.kinds(change.fixed)[0]
            yield wrong(rules, "kit_change_suitless", ("trump", "change", change.number), card=card)
