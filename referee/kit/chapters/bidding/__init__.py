"""``bid``: bids of tricks, words for bids, auctions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.chapters.deck import table
from referee.kit.shape import span
from referee.kit.text.compiler import DEAL, SAYING, Number
from referee.kit.text.faults import Path
from referee.kit.text.formulas import TableFormulas
from referee.kit.text.source import RulesSource


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
    highest_leads: bool
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

    def worth(self, said: str | None) -> int:
        """The number that a bid counts; 0 without a bid."""
        if said is None:
            return 0
        return self.words.worth[said] if said in self.words.worth else int(said)


def words(source: RulesSource) -> BidWords:
    """The words for bids that the file declares."""
    rows = {name: table(row) for name, row in table(source.at("bid", "special")).items()}
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
    highest_leads = word("bid", "leads", default="leader") == "highest"
    passed_over = word("bid", "passed", default="play") == "over"
    against = order == "auction" or highest_leads or passed_over or _makes_one_highest(source)
    forbid, steps = _forbidden(formulas)
    return BidRules(
        made=at("bid") is not None,
        few=few,
        many=many,
        words=said,
        order=order,
        by=by,
        may_change=word("bid", "change", default="never") == "until_lead",
        highest_leads=highest_leads,
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
