"""What is wrong with a game of this family: gaps, contradictions, rules without effect."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from referee.core.game import Table
from referee.kit.chapters.deck import table, words
from referee.kit.families.shedding import holes
from referee.kit.families.shedding.dealing import cards_left
from referee.kit.families.shedding.rules import SheddingRules
from referee.kit.game import KitGame
from referee.kit.notes.written import Note, at_file
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.variants import counts, pairs, tables, working

TWO_CHOICES = 300  # tables with two choices that are examined
QUICK_TABLES = 6
QUICK_KINDS = 1000  # kinds of cards at all tables of a quick check together


def faults(game: KitGame, quick: bool) -> Iterator[Wrong]:
    """What makes no game, or no sense, at one of the tables."""
    yield from _over(game)
    known: dict[str, frozenset[str]] = {}
    kinds = 0
    looked_at = chain(tables(game), islice(pairs(game), TWO_CHOICES))
    for one in islice(looked_at, QUICK_TABLES if quick else None):
        if quick and kinds > QUICK_KINDS:
            break
        try:
            rules = game.rules(one)
        except Wrong as wrong:
            yield wrong
            continue
        kinds += len(rules.cards.bits)
        in_game = frozenset(combo.name for combo in rules.reading.combos)
        known[str(sorted(one.chosen.items()))] = in_game
        yield from holes.deals(rules, game.setup(one))
        yield from holes.combinations(rules)
        yield from holes.orders(rules)
        yield from _clashes(game, one, rules, in_game)
        if len(one.chosen) < 2:
            yield from holes.effects(rules, game.setup(one), 30 if quick else 400)
    if not quick:
        yield from _unused(game)


def _over(game: KitGame) -> Iterator[Wrong]:
    """Combinations that are over what is no combination in any of the games."""
    rows = [row for source in game.sources() for row in [table(source.at("combo"))]]
    known = {name for row in rows for name in row}
    for name, row in table(game.document.values.get("combo")).items():
        at: Path = ("combo", name, "over")
        for word in words(table(row).get("over")):
            if word == name:
                yield at_file(game, "kit_shed_over_itself", at, word=word)
            elif (word != "all" and word not in known) or (
                word != "all" and all(_off(game, each, word) for each in range(len(rows)))
            ):
                yield at_file(game, "kit_shed_over_nothing", at, word=word)


def _off(game: KitGame, number: int, name: str) -> bool:
    """Whether a combination is never one with the choice of this number."""
    row = table(game.sources()[number].at("combo", name))
    return not row or row.get("when") == "no"


def _clashes(
    game: KitGame, one: Table, rules: SheddingRules, in_game: frozenset[str]
) -> Iterator[Wrong]:
    """Rules that build on a combination which a choice removes."""
    uses = {word for word in rules.compiler.uses if word.startswith("combo ")}
    gone = {word.removeprefix("combo ") for word in uses} - in_game
    if not one.chosen or not gone:
        return
    chosen = list(one.chosen.items())
    plain = game.rules(Table(one.seats, {}, one.options))
    before = {each.name for each in plain.reading.combos}
    for name in sorted(gone & before):
        rows = table(game.document.values["option"])
        asks = [
            (key, value)
            for key, value in chosen
            if f"combo is {name}" in str(table(rows[key]).get(value))
        ]
        for key, value in asks:
            at: Path = ("option", key, value)
            others = [f"{k}.{v}" for k, v in chosen if k != key]
            yield at_file(
                game, "kit_shed_clash", at, option=dotted(at[1:]), other=others[:1], word=name
            )


def _unused(game: KitGame) -> Iterator[Wrong]:
    """Keys of the order that nothing uses with any house rule."""
    sources = game.sources()
    combos = [table(row) for s in sources for row in table(s.at("combo")).values()]
    verbs = {
        verb
        for source in sources
        for row in table(source.at("effect")).values()
        for verb in words(table(row).get("do"))
    }
    by_suit = any("suit" in words(row.get("by")) for row in combos)
    if "suits" in table(game.document.values.get("order")) and not by_suit:
        yield at_file(game, "kit_shed_unused", ("order", "suits"), key="order.suits")
    both = {"reverse deal", "reverse trick"} <= verbs
    if "both" in table(game.document.values.get("order")) and not both:
        yield at_file(game, "kit_shed_unused", ("order", "both"), key="order.both")
    for name, row in table(game.document.values.get("combo")).items():
        if table(row).get("any_time") == "yes" and not table(row).get("over"):
            at: Path = ("combo", name, "any_time")
            yield at_file(game, "kit_shed_any_time", at, key=dotted(at))
    deal = table(game.document.values.get("deal"))
    leaders = {s.word("deal", "leader", default="rotate") for s in sources}
    if "first_leader" in deal and leaders <= {"pick", "holder"}:
        at = ("deal", "first_leader")
        yield at_file(game, "kit_shed_unused", at, key="deal.first_leader")


def remarks(game: KitGame, quick: bool) -> Iterator[Note]:
    """Remarks on the file, then on each table, with the first table that shows them."""
    deal = table(game.document.values.get("deal"))
    if deal.get("leader") in ("winner", "loser", "winner_left") and "first_leader" not in deal:
        yield Note(at_file(game, "kit_shed_first_leader", ("deal", "leader")), True)
    if not quick:
        yield from _left_over(game)
    first = next(tables(game))
    for one, rules in working(game, [first] if quick else tables(game)):
        for remark in holes.doubts(rules, game.setup(one)):
            yield Note(remark, True, one if one != first else None)


def _left_over(game: KitGame) -> Iterator[Note]:
    """Cards left over with some numbers of players only, or dealt on where none ever are."""
    found: dict[int, int] = {}
    dealt_on = False
    for one, rules in working(game, map(game.plain_table, counts(game))):
        dealt_on = dealt_on or rules.deal.dealt_on
        found[rules.n] = cards_left(game.setup(one), next_deal=True)
    odd = tuple(n for n, left in found.items() if left > 0)
    if dealt_on and found and not odd:
        yield Note(at_file(game, "kit_shed_none_left_over", ("deal", "rest")), False)
    if not dealt_on and odd and len(odd) < len(found):
        left = max(found.values())
        at: Path = ("deal", "hand")
        yield Note(at_file(game, "kit_shed_rest_over", at, n=odd, left=left), True)
