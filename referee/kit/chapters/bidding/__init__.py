"""``bid``: bids of tricks, words for bids, auctions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.core.game import Table
from referee.core.verdict import Seat
from referee.kit.chapters.deck import table as table_of
from referee.kit.text.faults import Path
from referee.kit.text.form import (
    CONDITION,
    ID,
    NAME,
    NUMBER,
    SUM,
    WORDED,
    FileFaults,
    Leaf,
    Shape,
    check_id,
    check_sum,
    check_table,
    each_of,
    one_of,
)
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.scope import DEAL, SAYING, KitState, Number, Scope
from referee.kit.text.source import RulesSource
from referee.kit.text.toml import Value

MOST_BIDS = 200


def span(text: str) -> tuple[str, str] | None:
    """The two sums of ``"0..hand"``; None unless there are exactly two."""
    if text == "none":
        return "1", "0"
    low, dots, high = text[1:].partition("..")
    if not (dots and high) or "\n" in text:
        return None
    return (text[0] + low).strip(), high.strip()


def _span(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    parts = span(value) if isinstance(value, str) else None
    if value == "none":
        return
    if not parts:
        faults.add("kit_span", path)
        return
    for part in parts:
        check_sum(faults, SUM, part, path)


def _special_bids(faults: FileFaults, leaf: Leaf, value: Value, path: Path) -> None:
    for key, inner, at in each_of(faults, value, path, MOST_BIDS):
        check_id(faults, ID, key, at)
        check_table(faults, {**WORDED, "worth": NUMBER, "suit": NAME}, inner, at)


KEYS: Mapping[str, Shape] = {
    "values": Leaf(_span),
    "special": Leaf(_special_bids),
    "order": one_of("turn", "at_once", "auction"),
    "by": one_of("all", "dealer", "leader"),
    "forbid": CONDITION,
    "change": one_of("never", "until_lead"),
    "leads": one_of("leader", "highest", "left_of_highest"),
    "passed": one_of("play", "over"),
}


class BidWords(NamedTuple):
    """The words for bids. ``worth``: the number that each counts; ``suits``: the suit of some."""

    worth: Mapping[str, int]
    suits: Mapping[str, str]


class BidRules(NamedTuple):
    """How bids are made; ``made``: whether there are any.

    ``add_up``: whether bids can be added, as bids of tricks can; else they are bids against each
    other. ``forbid_steps``: the cost of evaluating ``forbid``, at least 1.
    """

    made: bool
    few: Number
    many: Number
    words: BidWords
    order: str
    by: str
    may_change: bool
    leads: str
    passed_over: bool
    add_up: bool
    forbid: Number | None
    forbid_steps: int

    @property
    def at_once(self) -> bool:
        return self.order == "at_once"

    @property
    def auction(self) -> bool:
        return self.order == "auction"

    @property
    def decide_leader(self) -> bool:
        """Whether it follows from the bids who leads first."""
        return self.leads != "leader"

    def possible(self, state: KitState) -> tuple[str, ...]:
        """All bids of the deal of ``state``, allowed now or not."""
        scope = Scope(state)
        few = max(0, min(9999, self.few(scope)))
        many = min(9999, few + MOST_BIDS - 1, self.many(scope))
        return (*map(str, range(few, many + 1)), *self.words.worth)

    def highest(self, table: Table, bids: Sequence[str | None], first: Seat) -> Seat:
        """The highest bidder; of equal bidders the first one from ``first`` on."""
        worth = dict(zip(table.seats, map(self.worth, bids), strict=True))
        return max(table.starting(first), key=worth.__getitem__)

    def worth(self, said: str | None) -> int:
        """The number that a bid counts; 0 without a bid."""
        if said is None:
            return 0
        return self.words.worth[said] if said in self.words.worth else int(said)


def words(source: RulesSource) -> BidWords:
    """The words for bids that the file declares."""
    rows = {name: table_of(row) for name, row in table_of(source.at("bid", "special")).items()}
    return BidWords(
        {name: int(str(row.get("worth", 0))) for name, row in rows.items()},
        {name: str(row["suit"]) for name, row in rows.items() if "suit" in row},
    )


def compiled(formulas: TableFormulas, said: BidWords) -> BidRules:
    """The rules of this chapter; raises ``Wrong``. ``said``: the words for bids."""
    source = formulas.source
    at, word = source.at, source.word
    few, many = _bounds(formulas)
    order = word("bid", "order", default="turn")
    by = word("bid", "by", default="all")
    leads = word("bid", "leads", default="leader")
    passed_over = word("bid", "passed", default="play") == "over"
    against = order == "auction" or leads != "leader" or passed_over or _makes_one_highest(source)
    forbid, steps = _forbidden(formulas)
    return BidRules(
        made=at("bid") is not None,
        few=few,
        many=many,
        words=said,
        order=order,
        by=by,
        may_change=word("bid", "change", default="never") == "until_lead",
        leads=leads,
        passed_over=passed_over,
        add_up=not (against or by != "all" or at("bid", "values") == "none"),
        forbid=forbid,
        forbid_steps=steps,
    )


def _bounds(formulas: TableFormulas) -> tuple[Number, Number]:
    """The lowest and the highest number that can be bid."""
    source, path = formulas.source, ("bid", "values")
    bounds = span(str(source.at(*path) or "0..hand"))
    assert bounds
    place = source.place(path)
    few, many = (
        formulas.compiler.number(
            formulas.bounded(source.document.formula(each, place, path, "sum")), DEAL
        )
        for each in bounds
    )
    return few, many


def _makes_one_highest(source: RulesSource) -> bool:
    """Whether the highest bid calls a card or makes the trump suit."""
    trump = source.word("trump", "from", default="none")
    named_by = trump, source.word("trump", "by", default="")
    called_by = source.word("call", "by", default="")
    return "highest_bid" in (called_by, named_by[1] if trump == "named" else "") or trump == "bid"


def _forbidden(formulas: TableFormulas) -> tuple[Number | None, int]:
    """The condition of a bid that is forbidden, None if none is, and the cost of evaluating it."""
    path: Path = ("bid", "forbid")
    text, before = formulas.source.text("condition", *path), formulas.steps
    forbid = formulas.condition(SAYING, *path)
    never = text is None or text.node.op == "no"
    return None if never else forbid, 1 + formulas.steps - before
