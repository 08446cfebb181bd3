"""Verdicts and findings as sentences in the player's language, for pages and commands.

The sentence of each fact is in the ruling books; this module combines them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import NamedTuple, assert_never

from referee.core.book import Book
from referee.core.game import Option
from referee.core.generic import P, S
from referee.core.log import Log
from referee.core.steps import Step, resolved
from referee.core.verdict import (
    Agreed,
    Card,
    Evidence,
    Facts,
    Finding,
    Lacks,
    Outcome,
    Premise,
    Unprovable,
    Verdict,
)
from referee.rulings import COMMON, book


class Sentence(NamedTuple):
    """A sentence, and the number of the entry that shows it, or None."""

    text: str
    seq: int | None


def evidence(verdict: Verdict, last: Step | None, book: Book, lang: str) -> list[Sentence]:
    """The sentences of the evidence; ``last``: the newest step that it may refer to."""
    return in_sentences(carrying(verdict, last), book, lang)


def carrying(verdict: Verdict, last: Step | None) -> Facts:
    """The facts of the evidence, with entry numbers; ``last`` as in ``evidence``."""
    facts = verdict.evidence
    if isinstance(verdict, Unprovable):
        facts = (*facts, _premise(verdict.premise))
    return resolved(tuple(_not_said_before(facts)), last)


def _not_said_before(facts: Facts) -> Iterator[Evidence]:
    """``facts`` without "A played a 5" where "A 5 is showing, played by A" was said already."""
    showing = {_card_of(fact) for fact in facts if fact.fact == "showing"}
    yield from (fact for fact in facts if fact.fact != "shown" or _card_of(fact) not in showing)


def _card_of(fact: Evidence) -> tuple[object, object, int | None]:
    return fact.values.get("seat"), fact.values.get("rank"), fact.at


def _premise(premise: Premise) -> Evidence:
    """The fact that says what a verdict depends on."""
    match premise:
        case Lacks(seat, cards, others):
            others_too = {"others": others} if others else {}
            return Evidence("declares_none", {"seat": seat, "ranks": cards, **others_too})
        case Agreed(seat, ()):
            return Evidence("both_must_agree", {"seat": seat})
        case Agreed(seat, words):
            return Evidence("word_must_be_agreed", {"seat": seat, "words": words})
        case _:
            assert_never(premise)


def on_a_question(verdict: Verdict, book: Book, lang: str) -> list[str]:
    """The sentences of a verdict on a quick check: no entries, and nobody has declared anything."""
    facts = verdict.evidence
    if isinstance(verdict, Unprovable):
        premise = _premise(verdict.premise)
        lacks = isinstance(verdict.premise, Lacks)
        facts = (*facts, premise._replace(fact="legal_if_none") if lacks else premise)
    return [book.says(fact.fact, fact.values, lang) for fact in facts]


def in_sentences(facts: Facts, book: Book, lang: str) -> list[Sentence]:
    """The sentences of ``facts``, whose positions are entry numbers already."""
    return [Sentence(book.says(fact.fact, fact.values, lang), fact.at) for fact in facts]


def brought_about(log: Log[S, P], step: Step[S, P] | None) -> Facts:
    """What ``step`` of ``log`` has changed; nothing if it had no effect or there is none."""
    if step is None or not step.took_effect:
        return ()
    return log.game.HOOKS.brought_about(log.before(step), step.state)


MOST = 3
"""How many sentences of a verdict are shown on one line, at most."""


def declared(
    seat: str, only: tuple[Card, ...], lacked: tuple[Card, ...], book: Book, lang: str
) -> str:
    """That ``seat`` declared holding ``only``, or none of ``lacked``: the one that is shorter."""
    if len(lacked) < len(only):
        values = {"seat": seat, "ranks": lacked, "others": only}
        return book.says("declares_none", values, lang)
    return book.says("declares_only", {"seat": seat, "ranks": only}, lang)


def says(sentences: list[Sentence], lang: str, most: int = MOST) -> str:
    """The first sentences and the last one as one line, with … for those that are left out; the
    page of the entry has all.

    Equal consecutive sentences of several entries become one sentence with their number.
    """
    said = [_times(text, len([*row]), lang) for text, row in groupby(row.text for row in sentences)]
    if len(said) > most:
        said[most - 1 : -1] = ["…"]
    return ("" if lang == "ja" else " ").join(said)


def _times(text: str, count: int, lang: str) -> str:
    """A sentence that was said ``count`` times, with this number before its last sign."""
    if count == 1:
        return text
    often = "twice" if count == 2 else f"{count} times"
    times = f"（{count}回）" if lang == "ja" else f" ({often})"
    return text[:-1] + times + text[-1]


def finding(found: Finding, book: Book, lang: str) -> list[Sentence]:
    """The sentences of a finding with entry numbers; cards of one seat share a sentence."""
    return in_sentences(gathered(found.evidence), book, lang)


LATER = ("held_then", "laid_after", "laid_later", "showed_later")
"""Facts with cards of the accused that turned up after the declaration."""


def accusation(found: Finding, card: Card | None, book: Book, lang: str) -> str:
    """A finding with entry numbers in one sentence; ``card``: the one that was played, if any."""
    facts = {fact.fact: fact.values for fact in found.evidence}
    values: dict[str, object] = {"seat": found.seat, "number": found.at}
    later = [fact.values for fact in found.evidence if fact.fact in LATER]
    ranks = tuple(rank for each in later for rank in _cards(each))
    drew = facts.get("more_than_drawn", {}).get("drawn")
    if "not_both" in facts:
        return book.says("revoke_either", {**values, **facts["not_both"]}, lang)
    if drew:
        rest = facts["more_than_drawn"]["rest"]
        return book.says("revoke_some", {**values, "ranks": ranks, "rest": rest}, lang)
    if "held_all_along" not in facts and drew is None:
        return book.says("revoke_false", values, lang)
    if card is None:
        return book.says("revoke_held", {**values, "ranks": ranks}, lang)
    return book.says("revoke_card", {**values, "ranks": ranks, "card": card}, lang)


def _cards(values: Mapping[str, object]) -> tuple[object, ...]:
    """The card or the cards of a fact."""
    ranks = values.get("ranks")
    return ranks if isinstance(ranks, tuple) else (values["rank"],)


def gathered(facts: Facts) -> Facts:
    """The facts of a finding, in which those that differ only in their card are one, without an
    entry number.
    """
    found: dict[tuple[object, ...], list[Evidence]] = {}
    for fact in facts:
        rest = tuple(item for item in fact.values.items() if item[0] != "rank")
        of_card = isinstance(fact.values.get("rank"), str | int)
        found.setdefault((fact.fact, rest) if of_card else (id(fact),), []).append(fact)
    return tuple(
        row[0]
        if len(row) == 1
        else Evidence(
            row[0].fact, {**row[0].values, "rank": tuple(fact.values["rank"] for fact in row)}
        )
        for row in found.values()
    )


def wrong_option(known: Mapping[str, Option], key: str, value: str, lang: str) -> str:
    """What is wrong with a house rule that is not among ``known``; empty if nothing is."""
    rules = book(COMMON)
    if key not in known:
        return rules.says("read_option", {"key": key, "options": tuple(known)}, lang)
    if value not in known[key].values:
        values = {"key": key, "value": value, "values": known[key].values}
        return rules.says("read_option_value", values, lang)
    return ""


def outcome(ended: Outcome, book: Book, lang: str) -> str:
    """The outcome of a match, as one line."""
    return says(in_sentences(ended.evidence, book, lang), lang)
