"""The points of tricks, deals and matches, and how a match ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from referee.core.adjusting import added
from referee.core.ending import best, by_points, decided_again
from referee.core.game import Line, ScoreSheet, Table
from referee.core.verdict import Evidence, Outcome, Seat
from referee.core.written import Points
from referee.kit.chapters.scoring import Counter, ScoringTerm
from referee.kit.chapters.trump import TrumpChange
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import (
    BETWEEN,
    SHEET,
    Given,
    Laid,
    Scored,
    State,
    Trick,
)
from referee.kit.text.formula import limited
from referee.kit.text.scope import Scope


def trick_scored(state: State, trick: Trick) -> State:
    """``state`` with the points of a finished trick, whose cards are still on the table."""
    rules = rules_of(state)
    counting = [counter for counter in rules.scoring.counters if counter.in_tricks]
    if not rules.scoring.card and not rules.scoring.trick and not counting:
        return state
    scope = Scope(state)
    scope.cards = len(trick.cards)
    gaps = _gaps(rules, trick.cards)
    given: list[Given] = []
    counters = state.score.counters
    of_cards = [counter for counter in counting if counter.per == "card"]
    for laid in trick.cards if rules.scoring.card or of_cards else ():
        _about(rules, scope, laid, trick, gaps)
        for term in rules.scoring.card:
            if term.when is None or term.when(scope):
                given.append(_given(term, scope, laid))
        counters = _grown(rules, counters, scope, of_cards, (scope.seat,))
    of_trick = [counter for counter in counting if counter.per == "trick"]
    if trick.won_with is not None and (rules.scoring.trick or of_trick):
        _about(rules, scope, trick.won_with, trick, gaps)
        for term in rules.scoring.trick:
            if term.when is None or term.when(scope):
                given.append(_given(term, scope, trick.won_with))
        counters = _grown(rules, counters, scope, of_trick, (scope.seat,))
    elif of_trick:  # the table counts tricks that nobody wins, too
        nobody = Scope(state)
        nobody.cards = scope.cards
        of_table = [counter for counter in of_trick if counter.of == "table"]
        counters = _grown(rules, counters, nobody, of_table, (rules.index[trick.cards[0].seat],))
    return _added(state, trick.number, given, counters)


def changing(state: State, trick: Trick) -> tuple[TrumpChange, Laid] | None:
    """The card of a finished trick that changes the trump suit, and by which row: of several the
    card that was played last. None if there is no such card.
    """
    rules = rules_of(state)
    if not rules.trump.after_trick or rules.trump.without(state):
        return None
    scope = Scope(state)
    scope.cards = len(trick.cards)
    gaps = _gaps(rules, trick.cards)
    for laid in reversed(trick.cards):
        _about(rules, scope, laid, trick, gaps)
        for change in rules.trump.after_trick if laid.card and not laid.down else ():
            here = scope.card & change.cards(state, scope)
            if here and (change.when is None or change.when(scope)):
                return change, laid
    return None


def _gaps(rules: Rules, cards: tuple[Laid, ...]) -> Mapping[int, int]:
    """For each value that counts in the trick, the difference to the next lower one."""
    values = {rules.cards.value[laid.card] for laid in cards if not laid.out and not laid.down}
    order = sorted(values)
    below = dict(zip(order[1:], order, strict=False))
    return {value: value - below[value] if value in below else value for value in order}


def _about(rules: Rules, scope: Scope, laid: Laid, trick: Trick, gaps: Mapping[int, int]) -> None:
    """Make ``scope`` refer to this card of ``trick``; ``gaps`` as ``_gaps`` returns them."""
    cards = rules.cards
    scope.seat = rules.index[laid.seat]
    scope.card = cards.bits.get(laid.card, 0)
    scope.rank = cards.ranks.get(cards.rank.get(laid.card, ""), 0)
    scope.value = cards.value.get(laid.card, 0)
    scope.gap = gaps.get(scope.value, scope.value)
    scope.out = laid.out or laid.down
    scope.won = laid is trick.won_with


def _given(term: ScoringTerm, scope: Scope, laid: Laid | None) -> Given:
    """The points of ``term`` for the seat of ``scope``."""
    shown = term.worked(scope) if term.worked else None
    sum_ = "" if shown is None or shown.single else shown.text
    return Given(scope.seat, limited(term.points(scope)), term.name, laid, sum_)


def _line(rules: Rules, scored: Scored, given: Given) -> Iterator[Line]:
    """The lines of the score sheet for these points; one for each seat that shares the total."""
    partners = tuple(rules.seats[i] for i in rules.teams[given.place])
    if given.name == SHEET:
        for seat in partners:
            facts = (Evidence("kit_sheet_points", {"seat": seat, "points": given.points}),)
            yield Line(seat, given.points, "sheet.1", facts, scored.deal, scored.trick)
        return
    why = (_why(rules.scoring.terms[given.name], given, rules.seats[given.place], partners),)
    for seat in partners:
        clause = f"score.{given.name}"
        yield Line(seat, given.points, clause, why, scored.deal, scored.trick)


def _why(term: ScoringTerm, given: Given, seat: Seat, partners: tuple[Seat, ...]) -> Evidence:
    """The fact that says for what, and by which sum, these points were given."""
    laid = given.laid
    values: dict[str, object] = {"points": given.points}
    if given.worked:
        form, values["worked"] = "_worked", given.worked
    elif term.named:
        form, values["sum"] = "", term.text
    else:
        form = "_plain"
    if laid is not None:
        about = {"seat": seat, "card": laid.card}
        return Evidence(f"kit_card_term{form}", {**about, **values}, laid.at)
    if term.team and len(partners) > 1:
        return Evidence(f"kit_team_term{form}", {"seats": partners, **values})
    return Evidence(f"kit_term{form}", {"seat": seat, **values})


def _grown(
    rules: Rules,
    before: Mapping[str, tuple[int, ...]],
    scope: Scope,
    counting: Collection[Counter],
    places: Iterable[int],
) -> Mapping[str, tuple[int, ...]]:
    """The counters ``before`` after this card, trick or deal, for the seats at ``places``."""
    if not counting:
        return before
    counters = dict(before)
    places = tuple(places)
    for counter in counting:
        numbers = list(counters[counter.name])
        if counter.of == "table":
            scope.seat = places[0]
            numbers = [limited(numbers[0] + counter.add(scope))] * rules.n
        else:
            for scope.seat in places:
                team = rules.teams[scope.seat] if counter.of == "team" else (scope.seat,)
                if counter.of == "team" and scope.seat != team[0] and len(places) > 1:
                    continue  # a team counts once
                more = counter.add(scope)
                for i in team:
                    numbers[i] = limited(numbers[i] + more)
        counters[counter.name] = tuple(numbers)
    return counters


def _added(
    state: State, trick: int | None, given: list[Given], counters: Mapping[str, tuple[int, ...]]
) -> State:
    """``state`` with these points and counters; ``trick``: its number, None for a whole deal."""
    score = state.score
    if not given and counters is score.counters:
        return state
    rules, seats = rules_of(state), state.table.seats
    totals = dict(score.totals)
    for place, points, *_ in given:
        for i in rules.teams[place]:
            totals[seats[i]] += points
    lines = Scored(score.lines, state.deal, trick, tuple(given)) if given else score.lines
    score = score._replace(totals=totals, counters=counters, lines=lines)
    return state._replace(score=score)


def deal_scored(state: State, entered: list[Given] | None = None) -> State:
    """The state after the last trick of a deal: its points, and perhaps the end of the match.

    ``entered``: the points, if the table has entered them.
    """
    rules = rules_of(state)
    counting = [counter for counter in rules.scoring.counters if not counter.in_tricks]
    given = list(_each(rules, state, rules.scoring.deal)) if entered is None else entered
    counters = state.score.counters
    if counting and entered is None:
        counters = _grown(rules, counters, Scope(state), counting, _in_match(rules, state))
    state = _added(state, None, given, counters)
    scope = Scope(state)
    count = rules.match.deal_count(scope)
    over = (count is not None and state.deal >= count) or (
        rules.match.until and rules.match.until(scope)
    )
    if rules.match.out is not None:
        state = _put_out(rules, state)
        over = over or len(_in_match(rules, state)) <= (rules.n > 1)
    score = state.score
    if not over and not score.tied:
        return state
    if not score.tied:
        state = _added(state, None, list(_each(rules, state, rules.scoring.match)), score.counters)
        score = state.score
    ended, level = decided(rules, state.table, score.totals, score.tied)
    tied = score.tied if ended else level
    return state._replace(score=score._replace(tied=tied, ended=ended))


def adjusted(state: State, points: Mapping[Seat, Points]) -> State:
    """``state`` with ``points`` in the totals; a match that was decided is decided again."""
    rules, score = rules_of(state), state.score
    totals = added(score.totals, points)
    ended = decided_again(
        state.table, score.ended, lambda table: decided(rules, table, totals, score.tied)[0]
    )
    return state._replace(score=score._replace(totals=totals, ended=ended), at=state.at + 1)


def _in_match(rules: Rules, state: State) -> Sequence[int]:
    """Indices of the seats that are still in the match: others score no more."""
    out = state.score.out
    return [i for i, seat in enumerate(rules.seats) if seat not in out] if out else range(rules.n)


def _put_out(rules: Rules, state: State) -> State:
    """The state in which the seats that the file puts out of the match are out."""
    assert rules.match.out is not None
    scope, out = Scope(state), state.score.out
    for scope.seat in _in_match(rules, state):
        if rules.match.out(scope):
            out = (*out, rules.seats[scope.seat])
    return state._replace(score=state.score._replace(out=out))


def if_it_ended(state: State) -> Mapping[Seat, int]:
    """The totals if the deal ended now."""
    rules, seats = rules_of(state), state.table.seats
    if state.phase == BETWEEN:
        return state.score.totals
    totals = dict(state.score.totals)
    for place, points, *_ in _each(rules, state, rules.scoring.deal):
        for i in rules.teams[place]:
            totals[seats[i]] += points
    return totals


def decided(
    rules: Rules, table: Table, totals: Mapping[Seat, int], tied: tuple[Seat, ...]
) -> tuple[Outcome | None, tuple[Seat, ...]]:
    """How the match ends, and the seats that are tied if another deal decides.

    A team is represented by its first seat. ``tied``: the seats that were tied before this deal.
    """
    first = tuple(seat for i, seat in enumerate(table.seats) if rules.teams[i][0] == i)
    ended = by_points(
        replace(table, seats=first), totals, tied, clause="outcome.1", fewest=rules.match.fewest
    )
    if ended is None:
        return None, best(totals, tied or first, fewest=rules.match.fewest)
    seats = _with_partners(rules, ended.winners)
    alone = len(seats) > 1 and seats == _with_partners(rules, seats[:1])
    why = tuple(_of_teams(rules, fact) for fact in ended.evidence)
    return ended._replace(winners=seats, team=alone, evidence=why), ()


def _with_partners(rules: Rules, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """All seats of the teams of ``seats``, in seat order."""
    places = {i for seat in seats for i in rules.teams[rules.index[seat]]}
    return tuple(rules.seats[i] for i in sorted(places))


def _of_teams(rules: Rules, fact: Evidence) -> Evidence:
    """A fact about seats that represent their teams, as one about all seats of these teams."""
    values = dict(fact.values)
    for key in {"seats", "tied"} & values.keys():
        values[key] = _with_partners(rules, cast(tuple[Seat, ...], values[key]))
    partners = _with_partners(rules, [str(values["seat"])] if "seat" in values else ())
    if len(partners) < 2:
        return fact._replace(values=values)
    del values["seat"]
    return Evidence(f"{fact.fact}_team", {"seats": partners, **values}, fact.at)


def _each(rules: Rules, state: State, terms: Iterable[ScoringTerm]) -> Iterator[Given]:
    """The points by the terms of a deal or of the match, each computed before any of them is
    added.
    """
    scope = Scope(state)
    for term in terms:
        for i in range(rules.n) if term.per == "match" or term.team else _in_match(rules, state):
            if not term.team or rules.teams[i][0] == i:
                scope.seat = i
                if term.when is None or term.when(scope):
                    yield _given(term, scope, None)


def score(state: State) -> ScoreSheet:
    rules = rules_of(state)
    groups, node = [], state.score.lines
    while node:
        groups.append(node)
        node = node.before
    lines = [
        line
        for scored in reversed(groups)
        for given in scored.given
        for line in _line(rules, scored, given)
    ]
    return ScoreSheet(tuple(lines), state.score.totals, rules.match.fewest)
