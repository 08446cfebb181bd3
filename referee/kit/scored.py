"""Points in every family: what was given for what, totals and counters, how a match ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, Self, cast

from typing_extensions import TypeVar

from referee.core.adjusting import added
from referee.core.ending import best, by_points, decided_again
from referee.core.game import Feat, Line, ScoreSheet, Table
from referee.core.verdict import Evidence, Finding, Outcome, Seat
from referee.core.written import Points, whole
from referee.kit.chapters.scoring import Counter, ScoringTerm
from referee.kit.table import TableRules
from referee.kit.text.formula import limited
from referee.kit.text.scope import KitState, Scope

BETWEEN = "between"
"""The phase between two deals, and after the match."""

SHEET = "-"
"""The name of points that the table entered; no term of a file is called so."""


class CardShown(Protocol):
    """A card before a seat; ``at`` is the position of its entry."""

    @property
    def seat(self) -> Seat: ...
    @property
    def card(self) -> str: ...
    @property
    def at(self) -> int: ...


class Given(NamedTuple):
    """Points for the seat with the index ``place``, and its partners, by the term ``name``.

    ``laid``: the card that they are for; None for points of a deal. ``worked``: the sum with its
    numbers, "" if there is nothing to calculate.
    """

    place: int
    points: int
    name: str
    laid: CardShown | None
    worked: str = ""


class PointsGiven(NamedTuple):
    """Points that were given together; older ones are in ``before``.

    Deal and trick are 1-based; ``trick`` is None for points of a whole deal.
    """

    before: PointsGiven | None
    deal: int
    trick: int | None
    given: tuple[Given, ...]


class MatchScore(NamedTuple):
    """What is kept from deal to deal. ``counters``: a number for each seat, in seat order.

    ``found``: infractions proven in earlier deals. ``out``: seats that are out of the match.
    """

    totals: Mapping[Seat, int]
    counters: Mapping[str, tuple[int, ...]]
    lines: PointsGiven | None
    tied: tuple[Seat, ...]
    ended: Outcome | None
    found: tuple[Finding, ...]
    out: tuple[Seat, ...] = ()


class ScoredState(KitState, Protocol):
    """What scoring needs of the state of every family."""

    @property
    def rules(self) -> object: ...
    @property
    def score(self) -> MatchScore: ...
    @property
    def phase(self) -> str: ...
    @property
    def at(self) -> int: ...
    def _replace(self, *, score: MatchScore = ..., at: int = ...) -> Self: ...


WINNING = frozenset(
    f"{fact}{team}"
    for fact in ("most_points", "fewest_points", "most_of_tied", "fewest_of_tied", "tie_first")
    for team in ("", "_team")
) | {"tie_shared"}
"""What is said of winners; ``kit_lost_…`` says the same of those who lose."""

Q = TypeVar("Q", bound=ScoredState, default=Any)
"""The state of a family; code that serves every family leaves it out, see ``core.generic``."""


def newest_first(lines: PointsGiven | None) -> Iterator[PointsGiven]:
    """The points that were given together, up to ``lines``."""
    while lines is not None:
        yield lines
        lines = lines.before


def each_given(state: ScoredState) -> Iterator[Given]:
    """All points that were given so far."""
    return (given for each in newest_first(state.score.lines) for given in each.given)


def next_deal(state: ScoredState) -> MatchScore:
    """The score when a deal begins: counters that are not kept begin anew."""
    rules, counters = _rules(state), dict(state.score.counters)
    none = (0,) * rules.n
    counters |= {each.name: none for each in rules.scoring.counters if not each.kept}
    return state.score._replace(counters=counters)


def _rules(state: ScoredState) -> TableRules:
    return cast(TableRules, state.rules)


def term_given(term: ScoringTerm, scope: Scope, laid: CardShown | None) -> Given:
    """The points of ``term`` for the seat of ``scope``."""
    shown = term.worked(scope) if term.worked else None
    sum_ = "" if shown is None or shown.single else shown.text
    return Given(scope.seat, limited(term.points(scope)), term.name, laid, sum_)


def _line(rules: TableRules, scored: PointsGiven, given: Given) -> Iterator[Line]:
    """The lines of the score sheet for these points; one for each seat that shares the total."""
    partners = tuple(rules.seats[i] for i in rules.teams[given.place])
    for seat in partners:
        if given.name == SHEET:
            clause, values = "sheet.1", {"seat": seat, "points": given.points}
            why = Evidence("kit_sheet_points", values)
        else:
            clause, term = f"score.{given.name}", rules.scoring.terms[given.name]
            why = _why(term, given, rules.seats[given.place], partners)
        yield Line(seat, given.points, clause, (why,), scored.deal, scored.trick)


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


def grown(
    rules: TableRules,
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


def at_start(rules: TableRules) -> MatchScore:
    """The score before the first deal."""
    none = (0,) * rules.n
    return MatchScore(
        totals=dict.fromkeys(rules.seats, 0),
        counters={counter.name: none for counter in rules.scoring.counters},
        lines=None,
        tied=(),
        ended=None,
        found=(),
    )


def with_points(
    state: Q, trick: int | None, given: list[Given], counters: Mapping[str, tuple[int, ...]]
) -> Q:
    """``state`` with these points and counters; ``trick``: its number, None for a whole deal."""
    score = state.score
    if not given and counters is score.counters:
        return state
    totals = _totals(state, given)
    lines = PointsGiven(score.lines, state.deal, trick, tuple(given)) if given else score.lines
    score = score._replace(totals=totals, counters=counters, lines=lines)
    return state._replace(score=score)


def _totals(state: ScoredState, given: Iterable[Given]) -> dict[Seat, int]:
    """The totals with these points."""
    rules, totals = _rules(state), dict(state.score.totals)
    for place, points, *_ in given:
        for i in rules.teams[place]:
            totals[rules.seats[i]] += points
    return totals


def if_it_ended(state: ScoredState) -> Mapping[Seat, int]:
    """The totals if the deal ended now."""
    if state.phase == BETWEEN:
        return state.score.totals
    rules = _rules(state)
    return _totals(state, each_term(rules, state, rules.scoring.deal))


def over_average(state: ScoredState, seat: Seat) -> float:
    """What ``seat`` has over the average of all if the deal ended now; less than 0 is worse."""
    totals = if_it_ended(state)
    own = totals.get(seat, 0) - sum(totals.values()) / len(totals)
    return -own if _rules(state).match.fewest else own


def deal_scored(state: Q, entered: list[Given] | None = None) -> Q:
    """The state after the last trick of a deal: its points, and perhaps the end of the match.

    ``entered``: the points, if the table has entered them.
    """
    rules = _rules(state)
    counting = [counter for counter in rules.scoring.counters if not counter.in_tricks]
    given = list(each_term(rules, state, rules.scoring.deal)) if entered is None else entered
    counters = state.score.counters
    if counting and entered is None:
        counters = grown(rules, counters, Scope(state), counting, places_in_match(rules, state))
    state = with_points(state, None, given, counters)
    scope = Scope(state)
    count = rules.match.deal_count(scope)
    over = (count is not None and state.deal >= count) or (
        rules.match.until and rules.match.until(scope)
    )
    if rules.match.out is not None:
        state = _put_out(rules, state)
        over = over or len(places_in_match(rules, state)) <= (rules.n > 1)
    score = state.score
    if not over and not score.tied:
        return state
    if not score.tied:
        state = with_points(
            state, None, list(each_term(rules, state, rules.scoring.match)), score.counters
        )
        score = state.score
    ended, level = decided(rules, state.table, score.totals, score.tied)
    tied = score.tied if ended else level
    return state._replace(score=score._replace(tied=tied, ended=ended))


def adjusted(state: Q, points: Mapping[Seat, Points]) -> Q:
    """``state`` with ``points`` in the totals; a match that was decided is decided again."""
    rules, score = _rules(state), state.score
    totals = added(score.totals, points)
    ended = decided_again(
        state.table, score.ended, lambda table: decided(rules, table, totals, score.tied)[0]
    )
    return state._replace(score=score._replace(totals=totals, ended=ended), at=state.at + 1)


def in_match(state: ScoredState) -> tuple[Seat, ...]:
    """The seats that are not out of the match."""
    out = state.score.out
    return tuple([seat for seat in state.table.seats if seat not in out])


def places_in_match(rules: TableRules, state: ScoredState) -> Sequence[int]:
    """Indices of the seats that are still in the match: others score no more."""
    out = state.score.out
    return [i for i, seat in enumerate(rules.seats) if seat not in out] if out else range(rules.n)


def _put_out(rules: TableRules, state: Q) -> Q:
    """The state in which the seats that the file puts out of the match are out."""
    assert rules.match.out is not None
    scope, out = Scope(state), state.score.out
    for scope.seat in places_in_match(rules, state):
        if rules.match.out(scope):
            out = (*out, rules.seats[scope.seat])
    return state._replace(score=state.score._replace(out=out))


def decided(
    rules: TableRules, table: Table, totals: Mapping[Seat, int], tied: tuple[Seat, ...]
) -> tuple[Outcome | None, tuple[Seat, ...]]:
    """How the match ends, and the seats that are tied if another deal decides.

    A team is represented by its first seat. ``tied``: the seats that were tied before this deal.
    """
    first = tuple(seat for i, seat in enumerate(table.seats) if rules.teams[i][0] == i)
    fewest = rules.match.fewest != rules.match.loses  # who loses is looked for where one loses
    ended = by_points(replace(table, seats=first), totals, tied, clause="outcome.1", fewest=fewest)
    if ended is None:
        return None, best(totals, tied or first, fewest=fewest)
    seats = _with_partners(rules, ended.winners)
    alone = len(seats) > 1 and seats == _with_partners(rules, seats[:1])
    why = tuple(_of_teams(rules, fact) for fact in ended.evidence)
    if rules.match.loses:
        why = tuple(
            fact._replace(fact=f"kit_lost_{fact.fact}") if fact.fact in WINNING else fact
            for fact in why
        )
        return ended._replace(winners=(), losers=seats, evidence=why), ()
    return ended._replace(winners=seats, team=alone, evidence=why), ()


def _with_partners(rules: TableRules, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """All seats of the teams of ``seats``, in seat order."""
    places = {i for seat in seats for i in rules.teams[rules.index[seat]]}
    return tuple(rules.seats[i] for i in sorted(places))


def _of_teams(rules: TableRules, fact: Evidence) -> Evidence:
    """A fact about seats that represent their teams, as one about all seats of these teams."""
    values = dict(fact.values)
    for key in {"seats", "tied"} & values.keys():
        values[key] = _with_partners(rules, cast(tuple[Seat, ...], values[key]))
    partners = _with_partners(rules, [str(values["seat"])] if "seat" in values else ())
    if len(partners) < 2:
        return fact._replace(values=values)
    del values["seat"]
    return Evidence(f"{fact.fact}_team", {"seats": partners, **values}, fact.at)


def each_term(
    rules: TableRules, state: ScoredState, terms: Iterable[ScoringTerm]
) -> Iterator[Given]:
    """The points by the terms of a deal or of the match, each computed before any of them is
    added.
    """
    scope = Scope(state)
    for term in terms:
        every = term.per == "match" or term.team
        for i in range(rules.n) if every else places_in_match(rules, state):
            if not term.team or rules.teams[i][0] == i:
                scope.seat = i
                if term.when is None or term.when(scope):
                    yield term_given(term, scope, None)


def score(state: ScoredState) -> ScoreSheet:
    rules = _rules(state)
    lines = [
        line
        for scored in reversed([*newest_first(state.score.lines)])
        for given in scored.given
        for line in _line(rules, scored, given)
    ]
    return ScoreSheet(tuple(lines), state.score.totals, rules.match.fewest)


def feats(state: ScoredState) -> Iterator[Feat]:
    """What each deal was worth to a seat; nothing where the fewest points win.

    The history keeps the highest value, which is the worst one there.
    """
    if _rules(state).match.fewest:
        return
    deals: dict[tuple[Seat, int], int] = {}
    for line in score(state).lines:
        deals[line.seat, line.deal] = deals.get((line.seat, line.deal), 0) + whole(line.points)
    for (seat, deal), points in deals.items():
        yield Feat(seat, "deal", str(deal), points)


def teams(state: ScoredState) -> tuple[tuple[Seat, ...], ...]:
    """The seats of each team; () where each seat plays for itself."""
    rules = _rules(state)
    found = dict.fromkeys(rules.teams) if len({*rules.teams}) < rules.n else ()
    return tuple(tuple(rules.seats[i] for i in team) for team in found)
