"""What teams and seats have in a deal and in the match, in a game from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias, cast

from referee.core.steps import steps
from referee.core.verdict import Seat
from referee.core.written import written
from referee.http import language
from referee.http.language import gettext as _
from referee.http.language import pgettext
from referee.kit.book import FileBook
from referee.kit.chapters.scoring import Counter
from referee.kit.chapters.scoring.counted import by_points
from referee.kit.families.trick_taking import judging
from referee.kit.families.trick_taking.evidence import rules_of
from referee.kit.families.trick_taking.plays import Play
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame
from referee.ledger import View
from referee.rulings import book_of

Words: TypeAlias = Callable[[str, str], str]
"""The name of a special bid: ("bid", "nil") → "ニル"."""


class TeamRow(NamedTuple):
    """What a team has in the deal and in the match: a row above the seats.

    ``bid``: the sum of its bids; None before the first, and where bids do not add up. ``counters``:
    its counters of the file, in the order of the file.
    """

    seats: tuple[Seat, ...]
    bid: int | None
    tricks: int
    counters: tuple[int, ...]
    total: int


class DealRow(NamedTuple):
    """The result of a deal for a team, or for a seat without partners: a cell for each label."""

    names: tuple[Seat, ...]
    cells: tuple[str, ...]


class DealTable(NamedTuple):
    """The result of a deal: the labels of its numbers, and a row for each team or seat."""

    teams: bool
    labels: tuple[str, ...]
    rows: tuple[DealRow, ...]


def counted(view: View[State, Play]) -> list[str]:
    """The names of the counters of teams, in the order of the file."""
    named = cast(FileBook, book_of(view.game)).named[language.current()]
    return [named.get(counter.name, counter.name) for counter in _counters(rules_of(view.state))]


def _counters(rules: Rules) -> list[Counter]:
    return [counter for counter in rules.scoring.counters if counter.of == "team"]


def _teams(rules: Rules) -> list[tuple[int, ...]]:
    return list(dict.fromkeys(rules.teams))


def team_rows(state: State) -> list[TeamRow]:
    """A row for each team; [] in a game in which each seat plays for itself."""
    rules, round_ = rules_of(state), state.round
    teams = _teams(rules)
    adds = rules.bidding.made and state.deal and judging.bids_add_up(state)
    rows = list[TeamRow]()
    for team in teams if len(teams) < rules.n else ():
        said = [round_.bids[i] for i in team] if adds else [None]
        rows.append(
            TeamRow(
                tuple(rules.seats[i] for i in team),
                sum(map(rules.bidding.worth, said)) if any(said) else None,
                sum(round_.tricks[i] for i in team),
                tuple(state.score.counters[row.name][team[0]] for row in _counters(rules)),
                state.score.totals[rules.seats[team[0]]],
            )
        )
    return rows


def deal_table(
    view: View[State, Play], deal: int, points: Mapping[Seat, int], words: Words
) -> DealTable:
    """The result of ``deal``, whose ``points`` are given: bids, tricks, points, counters, total."""
    state = next(step.state for step in steps(view.moment.step) if step.state.deal == deal)
    rules = rules_of(state)
    played = not by_points(cast(KitGame, view.game).document.values)
    bids = played and rules.bidding.made and bool(state.round.bids)
    labels = [_("ビッド")] if bids else []
    labels += [_("取ったトリック")] if played else []
    labels += [pgettext("deal", "このラウンド"), *counted(view), _("計")]
    teams = _teams(rules)
    rows = [
        DealRow(
            tuple(rules.seats[i] for i in team), tuple(_cells(state, team, points, played, words))
        )
        for team in teams
    ]
    return DealTable(len(teams) < rules.n, tuple(labels), tuple(rows))


def _cells(
    state: State, team: tuple[int, ...], points: Mapping[Seat, int], played: bool, words: Words
) -> Iterator[str]:
    rules, round_, first = rules_of(state), state.round, rules_of(state).seats[team[0]]
    if played and rules.bidding.made and round_.bids:
        said = [round_.bids[i] for i in team]
        yield " + ".join(words("bid", bid) for bid in said if bid is not None) or "–"
    if played:
        yield str(sum(round_.tricks[i] for i in team))
    yield written(points[first])
    for counter in _counters(rules):
        yield written(state.score.counters[counter.name][team[0]])
    yield written(state.score.totals[first])
