"""What is wrong with a game of this family: gaps, contradictions, rules without effect."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from referee.core.game import Table
from referee.kit.chapters.deck import table, words
from referee.kit.families.draw_or_stop.keys import AIMED
from referee.kit.families.draw_or_stop.rules import RowRules
from referee.kit.families.draw_or_stop.simulation import CLASHING, RowsMet, tried
from referee.kit.families.draw_or_stop.state import State
from referee.kit.families.draw_or_stop.stock import burned, size_of
from referee.kit.game import KitGame
from referee.kit.notes.written import Note, at_file
from referee.kit.table import texts_of
from referee.kit.text.faults import Path, Wrong, dotted
from referee.kit.text.formula import FormulaText, placeless, walk_named
from referee.kit.text.source import RulesSource
from referee.kit.text.toml import Value
from referee.kit.variants import few_and_many, pairs, tables

QUICK_TABLES = 6
TWO_CHOICES = 300  # tables with two choices that are examined
MOST_PLAYED = 6  # seats of the largest table that is played at random
WON_OR_LOST = {"one": "match.winner", "other": "match.loser"}


def faults(game: KitGame, quick: bool) -> Iterator[Wrong]:
    """Faults of the file, then of the tables with each number of seats and each choice."""
    for source in game.sources():
        yield from _of_file(source)
    looked_at = (*tables(game), *(() if quick else islice(pairs(game), TWO_CHOICES)))
    for one in looked_at[: QUICK_TABLES if quick else None]:
        try:
            rules = game.rules(one)
        except Wrong as wrong:
            yield wrong
            continue
        yield from _of_table(rules, game.setup(one))


def _of_file(source: RulesSource) -> Iterator[Wrong]:
    match = table(source.at("match"))
    if {"winner", "loser"} <= match.keys():
        yield _fault(source, "kit_won_and_lost", ("match", "loser"), **WON_OR_LOST)
    elif not {"winner", "loser"} & match.keys():
        yield _fault(source, "kit_missing", ("match",), key="match.winner / match.loser")
    stays, folds = source.at("stay") is not None, source.at("fold") is not None
    if not stays and not folds:
        yield _fault(source, "kit_no_stop", ("turn",))
    for name, row in table(source.at("effect")).items():
        yield from _of_effect(source, name, row)


def _of_effect(source: RulesSource, name: str, row: Value) -> Iterator[Wrong]:
    """Verbs that exclude each other, a cost that may be missing, nobody whom it can concern."""
    at: Path = ("effect", name)
    verbs, keys = {*words(table(row).get("do"))}, table(row).keys()
    for one, other in CLASHING:
        if {one, other} <= verbs:
            yield _fault(source, "kit_verbs_clash", (*at, "do"), one=one, other=other)
    cost = source.text("cards", *at, "cost")
    if cost is not None and not _asks_for(source, at, cost):
        yield _fault(source, "kit_cost_unasked", (*at, "cost"), cards=cost.source)
    who = source.text("condition", *at, "who")
    if who is not None and who.node.op == "no":
        yield _fault(source, "kit_nobody_aimed", (*at, "who"))
    for key, needed in (("to", AIMED), ("who", AIMED), ("cost", frozenset(("drop",)))):
        if key not in keys or verbs & needed:
            continue
        values = {"key": key, "verbs": sorted(needed)}
        yield _fault(source, "kit_verb_lacks", (*at, key), **values)


def _asks_for(source: RulesSource, at: Path, cost: FormulaText) -> bool:
    """Whether the condition of an effect asks for the cards that it costs."""
    when = source.text("condition", *at, "when")
    if when is None:
        return False
    named = {**texts_of(source, "sum", "values"), **texts_of(source, "cards", "groups")}
    wanted = placeless(cost.node)
    asked = (node for node in walk_named(when.node, named) if node.op == "row()")
    return any(placeless(node.parts[0]) == wanted for node in asked)


def _of_table(rules: RowRules, state: State) -> Iterator[Wrong]:
    """More cards dealt or burned than there are; a lowest card that decides nothing."""
    source, size = rules.source, size_of(rules, state)
    deck, away = len(rules.cards.deck), burned(state)
    if away >= deck:
        yield _fault(source, "kit_burns_all", ("deal", "burn"), burn=away, deck=deck)
    elif rules.n * size > deck - away:
        values = {"n": rules.n, "cards": rules.n * size, "stock": deck - away}
        yield _fault(source, "kit_deals_more", ("deal", "cards"), **values)
    if rules.deal.first != "lowest":
        return
    if size != 1:
        yield _fault(source, "kit_lowest_cards", ("deal", "leader"), size=size)
    if rules.cards.special:
        yield _fault(source, "kit_lowest_special", ("deal", "leader"))


def _fault(source: RulesSource, fact: str, path: Path, **values: object) -> Wrong:
    return Wrong(fact, source.place(path), dotted(path), **values)


def remarks(game: KitGame, quick: bool) -> Iterator[Note]:
    """Remarks on cards that are kept until the end of the match."""
    source = game.source({})
    rows = table(source.at("effect")).values()
    kept = any("keep" in words(table(row).get("do")) for row in rows)
    if kept and source.at("match", "deals") is None and source.at("match", "until") is None:
        yield Note(at_file(game, "kit_kept_all", ("effect",)), True)


def played(game: KitGame) -> Iterator[Note]:
    """What shows when the file is played at random, with each house rule alone.

    Faults: rounds without an end, a stock that runs out before the match ends. Remarks: rules that
    never come up, matches that do not end.
    """
    met = RowsMet()
    few, many = few_and_many(game, MOST_PLAYED)
    for one in tables(game):
        n, plain = len(one.seats), not one.chosen
        if n not in (few, many) or not (plain or n == few):
            continue
        seen = tried(game, one, 6 if plain else 2)
        met.add(seen)
        yield from _at(game, one, seen)
    stops = game.source({})
    if not met.stops and (stops.at("stay") is not None or stops.at("fold") is not None):
        path = ("stay", "when") if stops.at("stay") is not None else ("fold",)
        yield Note(_fault(stops, "kit_never_stops", path), False)
    yield from _never_met(game, met)


def _at(game: KitGame, one: Table, seen: RowsMet) -> Iterator[Note]:
    """What random matches at one table have shown."""
    source, n = game.source(one.chosen), len(one.seats)
    if seen.stuck:
        yield Note(_fault(source, "kit_round_stuck", ("deal",), n=n, deal=seen.stuck), False, one)
    elif seen.endless:
        yield Note(_fault(source, "kit_round_endless", ("turn",), n=n), False, one)
    elif not seen.ended and source.at("match", "deals") is None:
        yield Note(_fault(source, "kit_endless", ("match", "until"), n=n), True, one)
    if seen.used_up:
        used = _fault(source, "kit_used_up", ("effect",), n=n, deal=seen.used_up)
        yield Note(used, False, one)
    for first, other in sorted(seen.clashes):
        values = {"one": first, "other": other}
        yield Note(_fault(source, "kit_effects_clash", ("effect", first), **values), False, one)


def _never_met(game: KitGame, met: RowsMet) -> Iterator[Note]:
    """Effects and scores of the file that no random match has met."""
    for key in ("effect", "score"):
        for name in table(game.document.values.get(key)):
            path: Path = (key, name)
            if path not in met.keys:
                at = game.document.keys[path]
                yield Note(Wrong("kit_never", at, dotted(path), key=dotted(path)), True)
