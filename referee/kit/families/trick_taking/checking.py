"""What is wrong with a game of this family: gaps, contradictions, rules without effect.

It tries tricks of the lowest and highest cards, since random play meets some of them only rarely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from itertools import chain, islice

from referee.kit.bounds import SettledComparison, SumBounds, comparisons
from referee.kit.chapters.bidding import notes as bids
from referee.kit.chapters.deal import notes as deals
from referee.kit.chapters.deck import listed, table, teams
from referee.kit.chapters.scoring import borders
from referee.kit.chapters.scoring import notes as sums
from referee.kit.chapters.trick import nobody
from referee.kit.chapters.trick import notes as tricks
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.simulation import SeenInGame, tried
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame
from referee.kit.notes import contradictions
from referee.kit.notes.written import Note, at_file, conditions
from referee.kit.table import wrong
from referee.kit.text.faults import FilePosition, Path, Wrong, dotted
from referee.kit.text.form import MOST_STEPS
from referee.kit.text.formula import COMPARISONS, FormulaText, walk
from referee.kit.text.source import RulesSource
from referee.kit.variants import counts, few_and_many, pairs, tables, working

STEPS = 20_000_000  # cost limit of examining tricks and bids
MET = 3000  # tricks in which equal cards are looked for, at most
TWO_CHOICES = 300  # tables with two choices that are examined
MOST_PLAYED = 6  # seats of the largest table that is played at random
# limits of a quick check, while a person waits for it
QUICK_TABLES, QUICK_MAKE_UPS, QUICK_STEPS = 6, 200, 12_000
QUICK_KINDS = 1000  # kinds of cards at all its tables together


def faults(game: KitGame, quick: bool) -> Iterator[Wrong]:
    tried: set[object] = set()
    kinds = 0
    # two characters of a sum cost a table about as much as a kind of card
    formulas = sum(len(source) for source, *_ in game.document.parsed) // 2
    looked_at = chain(tables(game), islice(pairs(game), TWO_CHOICES))
    for one in islice(looked_at, QUICK_TABLES if quick else None):
        if quick and kinds > QUICK_KINDS:
            break
        try:
            rules = game.rules(one)
        except Wrong as wrong:
            yield wrong
            continue
        first, kinds = not kinds, kinds + len(rules.cards.bits) + formulas
        state = game.setup(one)
        yield from deals.hands(rules, state)
        yield from bids.bids_left(rules, state, QUICK_STEPS if quick else STEPS)
        yield from contradictions.of_table(rules, state)
        yield from tricks.unreachable(rules)
        if first or not quick:
            yield from sums.nothing_to_ask(rules)
        key = nobody.tricks_key(rules)
        if key not in tried:
            tried.add(key)
            most = _affordable(rules, quick)
            examined = (
                QUICK_MAKE_UPS if quick else nobody.MAKE_UPS * len(nobody.starts(rules, state))
            )
            yield from nobody.nobody_leads(rules, state, min(most, examined))


def _affordable(rules: Rules, quick: bool) -> int:
    """How many tricks may be tried at a table within the cost limit."""
    kinds_tried = len(rules.cards.bits) * (3 + len(rules.trick.classes))
    if rules.trick.simple or not rules.asks_what_beats:
        kinds_tried = len(rules.cards.bits) // 16
    return (QUICK_STEPS if quick else STEPS) // (4 * (1 + rules.steps + kinds_tried))


def played(game: KitGame) -> Iterator[Note]:
    """What shows when the file is played at random, with each house rule alone.

    Faults: a bid that nobody can make, numbers that reach the limit. Remarks: rules that never come
    up, matches that nobody wins or that do not end. People bid and play better than at random: a
    match to 200 points sinks if most contracts fail.
    """
    every, unscored = SeenInGame(), set[str]()
    few, many = few_and_many(game, MOST_PLAYED)
    plain = [game.plain_table(n) for n in dict.fromkeys((few, many))]
    for one in (*plain, *(one for one in tables(game) if len(one.seats) == few and one.chosen)):
        seen = tried(game, one, 1 if one.chosen else 3)
        every.add(seen)
        source, n, shown = game.source(one.chosen), len(one.seats), one if one.chosen else None
        if seen.stuck:
            yield Note(_stuck(source, n, seen.stuck), False, shown)
            if not one.chosen:
                return
        elif endless := _endless(source, n, seen):
            yield Note(endless, True, shown)
        if not one.chosen:
            unscored |= seen.unscored | bids.unscored(game.rules(one), game.setup(one))
    if unscored:
        word = min(unscored)
        special: Path = ("bid", "special", word)
        at = game.source({}).place(special)
        yield Note(Wrong("kit_bid_unscored", at, dotted(special[:1]), bids=sorted(unscored)), True)
    for path in sorted(every.limited):
        at = game.document.keys.get(path, FilePosition(1, 1))
        yield Note(Wrong("kit_limit", at, dotted(path), key=dotted(path)), False)
    if every.ended and not every.decided:
        at = game.document.keys.get(("score",)) or game.document.keys.get(
            ("match",), FilePosition(1, 1)
        )
        yield Note(Wrong("kit_level", at, "score"), True)
    yield from _never_met(game, every.keys)


def _never_met(game: KitGame, met: Set[Path]) -> Iterator[Note]:
    """Rules of the file that no random match has ``met``."""
    values = game.document.values
    written: list[Path] = [("score", name) for name in table(values.get("score"))]
    written += [("leave", key) for key in table(values.get("leave"))]
    written += [("trump", "none_when")] if "none_when" in table(values.get("trump")) else []
    written += [("match", "out")] if "out" in table(values.get("match")) else []
    lists = (("play", "lead"), ("play", "follow"), ("trick", "best"), ("trick", "next"))
    for part, name in (*lists, ("trump", "change")):
        rows = listed(table(values.get(part)).get(name))
        written += [(part, name, i) for i in range(len(rows))]
    for path in written:
        if path not in met:
            at = game.document.keys.get(path, FilePosition(1, 1))
            below = path[-1] in range(1, MOST_STEPS) and (*path, "when") not in game.document.keys
            fact = "kit_never_below" if below else "kit_never"
            yield Note(Wrong(fact, at, dotted(path), key=dotted(path)), True)


def _stuck(source: RulesSource, n: int, deal: int) -> Wrong:
    """The fault of a game in which nobody can bid any more."""
    return Wrong("kit_stuck", source.place(("bid",)), "bid", n=n, deal=deal)


def _endless(source: RulesSource, n: int, seen: SeenInGame) -> Wrong | None:
    """A remark on a game that did not end, and whose deals are not limited."""
    if not seen.ended and source.at("match", "deals") is None:
        return Wrong("kit_endless", source.place(("match", "until")), "match", n=n)
    return None


IN_VAIN = frozenset(("kit_equal_unused", "kit_empty_set", "kit_jokers_once"))
"""Remarks on what has no effect at a table; others may need it."""


def remarks(game: KitGame, quick: bool) -> Iterator[Note]:
    """Remarks on the file, then on each table, with the first table that shows them."""
    for remark in _of_file(game, quick):
        yield Note(remark, True)
    first = next(tables(game))
    for one, rules in working(game, [first] if quick else tables(game)):
        for remark in _at_table(game, rules, game.setup(one), quick):
            if one == first:
                yield Note(remark, True)
            elif remark.fact not in IN_VAIN:
                yield Note(remark, True, one)


def _of_file(game: KitGame, quick: bool) -> Iterator[Wrong]:
    """Remarks on cards and bids that nobody uses, on what comes out the same at every table."""
    sources = game.sources()
    source = sources[0]
    if not quick:
        yield from _decided(game)
        yield from _left_over(game)
    yield from deals.other_seats(game, source)
    yield from deals.turned_in_vain(sources)
    yield from contradictions.idle_keys(game, sources)


def _at_table(game: KitGame, rules: Rules, state: State, quick: bool) -> Iterator[Wrong]:
    """Remarks on the rules of one table."""
    sources = game.sources()
    yield from deals.jokers_once(rules)
    yield from sums.doubtful_sums(rules)
    yield from sums.trick_of_a_deal(rules)
    yield from sums.counted_on(rules)
    yield from sums.last_tricks(rules)
    yield from sums.no_such_cards(rules)
    yield from sums.rank_left_out(rules)
    yield from sums.colours_alone(rules)
    yield from teams.counted_twice(game, rules)
    yield from teams.one_partner_alone(rules)
    yield from bids.unused(game, rules, sources)
    yield from bids.at_the_beginning(rules, state, 0 if quick else STEPS)
    yield from borders.of_scores(rules)
    yield from borders.of_sums(rules)
    yield from borders.of_two_sums(rules)
    for text in conditions(rules):
        yield from borders.late_branches(text)
    most = min(MET, _affordable(rules, quick) // 8)
    yield from tricks.equal_cards(game, rules, state, sources, most)
    yield from tricks.always_free(game, rules)
    yield from tricks.trump_wins_nothing(rules)
    yield from tricks.suitless_changes(rules)
    if not quick:
        yield from deals.drawn_unevenly(rules, state)
        yield from tricks.free_after(rules, state)
        yield from tricks.after_specials(rules, state)
        yield from tricks.all_suits_show(rules, state)
        yield from borders.deals_without_a_score(rules, state)


def _left_over(game: KitGame) -> Iterator[Wrong]:
    """A remark on the numbers of players for which a deal of the whole deck does not come out."""
    found: dict[int, int] = {}
    for one, rules in working(game, map(game.plain_table, counts(game))):
        found[rules.n] = deals.left_over(rules, game.setup(one))
    if left := max(found.values(), default=0):
        odd = tuple(n for n, each in found.items() if each)
        yield at_file(game, "kit_left_over", ("deal", "hand"), n=odd, left=left)


def _decided(game: KitGame) -> Iterator[Wrong]:
    """Remarks on comparisons with one result at every table, and on bids above all tricks."""
    found: dict[FilePosition, set[bool | None]] = {}
    last: dict[FilePosition, SettledComparison] = {}
    never: dict[FilePosition, dict[tuple[int, str], SettledComparison]] = {}
    high: Wrong | None = None
    for one, rules in working(game, tables(game)):
        reach = SumBounds(rules, game.setup(one))
        for text in conditions(rules):
            high = high or _above(rules, reach, text)
            for place, decided in comparisons(reach, text):
                found.setdefault(place, set()).add(decided.holds if decided else None)
                if decided:
                    last[place] = decided
                    if not decided.holds and not _of_table(text):
                        chosen = ".".join(next(iter(one.chosen.items()), ()))
                        never.setdefault(place, {})[len(one.seats), chosen] = decided
    for place, outcomes in found.items():
        if len(outcomes) == 1 and None not in outcomes:
            each = last[place]
            fact = "kit_always_holds" if each.holds else "kit_never_holds"
            yield Wrong(fact, place, each.path, **_sides(each))
        elif place in never:
            yield from _never_at_some(place, never[place])
    if high:
        yield high


def _of_table(text: FormulaText) -> bool:
    """Whether a condition asks for the number of players, so that it is meant for some of them."""
    return any((node.op, node.word) == ("name", "n") for node in walk(text.node))


def _never_at_some(
    place: FilePosition, never: Mapping[tuple[int, str], SettledComparison]
) -> Iterator[Wrong]:
    """A remark on a comparison that can hold, but never with some numbers of players or with a
    choice. ``never``: how it comes out there, by the number and the choice ("" for none).
    """
    plain = sorted(n for n, chosen in never if not chosen)
    if plain:
        each = never[plain[0], ""]
        yield Wrong("kit_never_with_seats", place, each.path, n=tuple(plain), **_sides(each))
        return
    (_, option), each = min(never.items())
    yield Wrong("kit_never_with_choice", place, each.path, option=option, **_sides(each))


def _sides(each: SettledComparison) -> dict[str, str]:
    """A comparison as a reader writes it: its sign, and the numbers of both sides."""
    return {"sign": each.sign, "left": each.left.said, "right": each.right.said}


def _above(rules: Rules, reach: SumBounds, text: FormulaText) -> Wrong | None:
    """A remark if ``text`` compares tricks with bids, and a bid can be above all tricks."""
    if reach.most_bid <= reach.tricks:
        return None
    for node in walk(text.node):
        if node.op in (*COMPARISONS, "-"):  # a difference from the bid is a comparison, too
            sides = [part.parts[0] if part.op == "team()" else part for part in node.parts]
            if {"tricks", "bid"} == {side.word for side in sides if side.op == "name"}:
                values = {"high": reach.most_bid, "tricks": reach.tricks}
                return wrong(rules, "kit_bid_above", ("bid", "values"), **values)
    return None
