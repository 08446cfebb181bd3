"""``score`` and ``counters``: the terms of the score, and numbers that are counted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from referee.kit.chapters.deck import table
from referee.kit.text import formula
from referee.kit.text.faults import Path
from referee.kit.text.form import (
    CARDS,
    CONDITION,
    ID,
    MOST_TERMS,
    SUM,
    WORDED,
    Check,
    FileFaults,
    Leaf,
    Shape,
    check_id,
    check_leaf,
    each_of,
    named_rows,
    one_of,
)
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import CARD, SEAT, Number
from referee.kit.text.toml import Value
from referee.kit.text.worked import Written, worked

ALWAYS_RESERVED = frozenset(
    [
        *("n", "deck", "deal", "total", "yes", "no", "not", "and", "or", "is", "if", "then"),
        *("else", "suit", "rank", "card", "all", "none", "special"),
    ]
)
"""Words that no file can give to its own sums and sets."""

TRICK_WORDS = frozenset(formula.FUNCTIONS) - formula.LATER | frozenset(
    [
        *("hand", "trick", "bids", "led_value", "trick_sum", "trump", "tricks", "bid", "value"),
        *("gap", "out", "won", "cards", "this", "last", "beats"),
    ]
)
"""The words that sums of games of tricks use."""


def _free(leaf: Leaf, reserved: Collection[str]) -> Check:
    """The check of a table with free keys and values of the kind ``leaf``."""

    def check(faults: FileFaults, _: Leaf, value: Value, path: Path) -> None:
        for key, inner, at in each_of(faults, value, path, MOST_TERMS):
            check_id(faults, ID, key, at)
            if key in reserved:
                faults.add("kit_reserved", at, key=key)
            check_leaf(faults, leaf, inner, at)

    return check


def keys(
    given: tuple[str, ...], counted: tuple[str, ...], reserved: Collection[str]
) -> Mapping[str, Shape]:
    """The keys of this chapter in a family: for what points are ``given``, what is ``counted``, and
    the words that its sums use.
    """
    term: Mapping[str, Shape] = {
        **WORDED,
        "per": one_of(*given),
        "to": one_of("each", "team"),
        "when": CONDITION,
        "points": SUM,
    }
    counter: Mapping[str, Shape] = {
        **WORDED,
        "of": one_of("seat", "team", "table"),
        "per": one_of(*counted),
        "keep": one_of("match", "deal"),
        "add": SUM,
    }
    words = ALWAYS_RESERVED | {*reserved}
    return {
        "score": Leaf(named_rows(term, ("per", "points"), MOST_TERMS)),
        "values": Leaf(_free(SUM, words)),
        "groups": Leaf(_free(CARDS, words)),
        "counters": Leaf(named_rows(counter, ("of", "add"), MOST_TERMS)),
    }


PER = ("card", "trick", "deal", "match", "play", "draw", "fold")
"""For what points are given in some family."""


class ScoringTerm(NamedTuple):
    """A term of the score. ``per``: "card", "trick", "deal" or "match".

    ``team``: it is given to a team once, not to each of its seats. ``text``: its sum, as written;
    ``named``: it is one name or one function, which says more than its number.
    """

    name: str
    per: str
    team: bool
    when: Number | None
    points: Number
    text: str
    named: bool
    worked: Written | None


class Counter(NamedTuple):
    """A counter of a game file. ``of``: "seat", "team" or "table"; ``per``: "deal", "trick" (for
    its winner) or "card" (in each trick for everybody who played one); ``kept``: it survives the
    deal.
    """

    name: str
    of: str
    per: str
    kept: bool
    add: Number

    @property
    def in_tricks(self) -> bool:
        """Whether it grows with tricks, not with deals."""
        return self.per != "deal"


class ScoreRules(NamedTuple):
    """The terms of the score by what they are given for, and the counters.

    ``given``: all of them, also those that are given for what only some families have.
    """

    card: tuple[ScoringTerm, ...]
    trick: tuple[ScoringTerm, ...]
    deal: tuple[ScoringTerm, ...]
    match: tuple[ScoringTerm, ...]
    terms: Mapping[str, ScoringTerm]
    given: Mapping[str, tuple[ScoringTerm, ...]]
    counters: tuple[Counter, ...]


def compiled(formulas: TableFormulas) -> ScoreRules:
    """The rules of this chapter; raises ``Wrong``."""
    at = formulas.source.at
    terms = [_term(formulas, name, table(row)) for name, row in table(at("score")).items()]
    counters = table(at("counters")).items()
    counted = tuple(_counter(formulas, name, table(row)) for name, row in counters)
    named = {term.name: term for term in terms}
    given = {per: tuple(term for term in terms if term.per == per) for per in PER}
    return ScoreRules(
        given["card"], given["trick"], given["deal"], given["match"], named, given, counted
    )


def _term(formulas: TableFormulas, name: str, row: Mapping[str, Value]) -> ScoringTerm:
    per = str(row.get("per"))
    where = SEAT if per in ("deal", "match") else CARD
    when = formulas.only_when(where, "score", name, "when")
    points = formulas.number(where, "score", name, "points")
    value, path = formulas.source.of_these_seats(("score", name, "points"), formulas.n)
    text = formulas.source.text("sum", *path, value=value)
    team = row.get("to") == "team"
    if text is None:
        return ScoringTerm(name, per, team, when, points, text="0", named=False, worked=None)
    return ScoringTerm(
        name,
        per,
        team,
        when,
        points,
        text=text.source,
        named=text.node.op == "name" or text.node.op.endswith("()"),
        worked=worked(formulas.compiler, text, where),
    )


def _counter(formulas: TableFormulas, name: str, row: Mapping[str, Value]) -> Counter:
    per = str(row.get("per") or "deal")
    where = SEAT if per == "deal" else CARD
    add = formulas.number(where, "counters", name, "add")
    return Counter(name, str(row.get("of")), per, row.get("keep") != "deal", add)
