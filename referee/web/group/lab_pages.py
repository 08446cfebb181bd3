"""The designer's page of a game: statistics of its rules from many simulated matches, as charts."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from flask import Blueprint, Response, abort, jsonify, request, url_for

from referee.core.book import Book, Clause, Text
from referee.core.game import COMMON_OPTIONS, Game, Option, clash
from referee.games import ON_CARDS
from referee.games.simulation import ahead, room_of
from referee.http import access, forms, htmx
from referee.http.current import ledger
from referee.http.downloads import as_file, attached
from referee.http.language import current
from referee.http.language import gettext as _
from referee.http.local_time import clock, day_of, local_time
from referee.insight.playing import LONGEST, PLAYERS, Plan, Result, columns, rows
from referee.insight.statistics import FEW, FOUND, PlaceInOrder, Report
from referee.kit import shipped
from referee.kit.beside import loaded
from referee.kit.game import KitGame
from referee.rulings import book_of
from referee.web.group import charts, labs
from referee.web.group.intake import Busy

bp = Blueprint("lab", __name__, url_prefix="/rules/<game>/lab")

GAMES_PLAYED = (200, 1_000, 4_000, 10_000)  # numbers of matches to choose from
MOST_SEATS = 8
MOST_SEED = 999_999
# the only house rule of all games that a simulation can change: what decides a tie
TIE = "final_tie"


class HouseRuleChoice(NamedTuple):
    """A house rule that a simulation can change."""

    key: str
    option: Option


class ComparedColumn(NamedTuple):
    """One of the compared versions: its label, its report, and its decided matches."""

    name: str
    report: Report
    results: Sequence[Result]


@bp.get("")
def lab(game: str) -> Response:
    """Page with the form, the progress, or the results of a simulation."""
    return _page(_game(game))


@bp.post("")
def begin(game: str) -> Response:
    """Start a simulation."""
    rules = _game(game)
    try:
        plans, games = _plans(rules)
        labs.start(ledger().store, access.circle(), plans, games)
    except forms.BadForm as fault:
        return _page(rules, str(fault))
    except Busy:
        return _page(rules, _("ほかのシミュレーションが終わるまでお待ちください。"), 409)
    return htmx.go_to(url_for(".lab", game=game))


@bp.post("/stop")
def stop(game: str) -> Response:
    """Stop the running simulation; the matches so far stay."""
    labs.stop(access.circle(), _game(game).NAME)
    return htmx.go_to(url_for(".lab", game=game))


@bp.get("/matches.csv")
def as_csv(game: str) -> Response:
    """The matches as CSV; ``version`` is 1 or 2, or "own" for the group's own matches."""
    found = _made(game)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("version", *columns(found.plans[0].seats)))
    parts = [(str(i), batch.results) for i, batch in enumerate(found.batches, 1)]
    for version, results in (*parts, ("own", found.own)):
        writer.writerows([version, *row] for row in rows(results))
    return attached(text.getvalue(), "fudami-simulation.csv", "text/csv")


@bp.get("/report.json")
def as_json(game: str) -> Response:
    """The reports of all versions, then that of the group's own matches, if there are any."""
    return as_file(jsonify(_made(game).reports()), "fudami-simulation.json")


def _game(name: str) -> Game:
    """A built-in game, or one of a file that this group knows; otherwise 404."""
    found = ON_CARDS.get(name) or next((file for file, _at in _files() if name == file.NAME), None)
    return found or abort(404)


def _files() -> list[tuple[KitGame, str]]:
    """The group's own games, each with the time (UTC) at which it was registered; then the files
    that come with the program, with "".
    """
    kept = ledger().store.game_files.of(access.circle())
    own = [(loaded(file.text), file.at) for file in kept]
    return [*own, *((file, "") for file in shipped.games().values())]


def _labels() -> dict[str, str]:
    """What a person knows each game of ``_files`` by, by its name: the title, and of the group's
    own games the version and when it was registered. Equal ones are numbered, the oldest first.
    """
    labels = dict[str, str]()
    for file, registered in _files():
        label = book_of(file).title.in_(current())
        if registered:
            at = local_time(registered)
            label = _("　").join((_titled(file), f"{day_of(at.date())} {clock(at)}"))
        labels.setdefault(file.NAME, label)
    counts, numbers = Counter(labels.values()), Counter[str]()
    for name, label in reversed(labels.items()):
        if counts[label] > 1:
            numbers[label] += 1
            labels[name] = _("　").join((label, _("%(n)s番目", n=numbers[label])))
    return labels


def _titled(file: KitGame) -> str:
    return _("　").join((book_of(file).title.in_(current()), _("バージョン %(n)s", n=file.VERSION)))


def _made(game: str) -> labs.Lab:
    """The simulation of a game with at least one match; otherwise 404."""
    found = labs.current(access.circle(), _game(game).NAME)
    if found is None or not found.done:
        abort(404)
    return found


def _page(game: Game, fault: str = "", status: int = 0) -> Response:
    found = labs.current(access.circle(), game.NAME)
    # read first: a simulation that is over has its final numbers
    over = found is None or found.over
    columns = _columns(found) if found and over else []
    response = htmx.fragment(
        "group/lab.html",
        status_code=status,
        game=game,
        book=book_of(game),
        fault=fault,
        found=found,
        over=over,
        columns=columns,
        pictures=_pictures(columns),
        never=_never(book_of(game), columns),
        unasked=_unasked(book_of(game), columns),
        differs=FOUND,
        few=FEW,
        sizes=GAMES_PLAYED,
        seats=[n for n in game.SEATS if n <= MOST_SEATS] or [game.SEATS[0]],
        usual=3 if 3 in game.SEATS else game.SEATS[0],
        ahead=ahead(room_of(game)) is not None,
        choices=_choices(game),
        labels=_labels(),
        taken_off=lambda text: _titled(loaded(text)),
        values=request.form,
        filled=_filled(game),
        pace=found.pace if found else None,
    )
    if not over:
        response.headers["Refresh"] = "1"
    return response


def _choices(game: Game) -> list[HouseRuleChoice]:
    known = {**game.OPTIONS, TIE: COMMON_OPTIONS[TIE]}
    named = {TIE, *(option.key for option in book_of(game).options)}
    return [
        HouseRuleChoice(key, option)
        for key, option in known.items()
        if len(option.values) > 1 and key in named
    ]


def _filled(game: Game) -> set[str]:
    """The parts of the refused form in which something was chosen: "player", "option", "other"."""
    usual = {f"option.{key}": option.default for key, option in _choices(game)}
    chosen = (key for key, value in request.form.items() if value not in ("", usual.get(key)))
    return {key.partition(".")[0] for key in chosen}


def _plans(game: Game) -> tuple[list[Plan], int]:
    """A plan for each version in the form, and the number of matches; raises ``BadForm``."""
    form = request.form
    seats, games = form.get("seats", 0, type=int), form.get("games", 0, type=int)
    seed = form.get("seed", 0, type=int)
    if seats not in game.SEATS or seats > max(MOST_SEATS, game.SEATS[0]):
        raise forms.BadForm(_("この人数では遊べません。"))
    known = PLAYERS if ahead(room_of(game)) else PLAYERS[:1]
    everyone = form.get("players", "")
    players = tuple(form.get(f"player.{n}") or everyone for n in range(1, seats + 1))
    if games not in GAMES_PLAYED or not {*players} <= {*known} or not 0 <= seed <= MOST_SEED:
        raise forms.BadForm(_("選べる値から選んでください。"))
    first = _options(game, "option.")
    versions: list[tuple[Game, dict[str, str]]] = [(game, first)]
    if wanted := form.get("other", ""):
        other = _game(wanted)
        if seats not in other.SEATS:
            raise forms.BadForm(_("2つ目のゲームは、この人数では遊べません。"))
        versions.append((other, {}))
    elif (second := first | _options(game, "other.")) != first:
        versions.append((game, second))
    plans = [
        Plan(
            rules.NAME,
            seats,
            players,
            tuple(sorted(options.items())),
            seed,
            LONGEST,
            (),
            rules.text if isinstance(rules, KitGame) else "",
        )
        for rules, options in versions
    ]
    for rules, options in versions:
        if clash(options, {**rules.OPTIONS, **COMMON_OPTIONS}):
            raise forms.BadForm(_("一緒に選べないハウスルールがあります。"))
    return plans, games


def _options(game: Game, prefix: str) -> dict[str, str]:
    """The house rules in the fields that begin with ``prefix``; raises ``BadForm``.

    Of the first version ("option.") only those that differ from the default; of the second
    ("other.") all that were chosen, since they replace those of the first.
    """
    found = {}
    for key, option in _choices(game):
        value = request.form.get(prefix + key, "")
        if value and value not in option.values:
            raise forms.BadForm(_("そのハウスルールはありません。"))
        if value and (prefix == "other." or value != option.default):
            found[key] = value
    return found


def _columns(found: labs.Lab) -> list[ComparedColumn]:
    names = [_("バージョン %(n)s", n=i) for i in range(1, len(found.plans) + 1)]
    if len(names) == 1:
        names = [_("シミュレーション")]
    played = [batch.results for batch in found.batches if batch.results]
    if found.own:
        names, played = [*names[: len(played)], _("自分たち")], [*played, found.own]
    reports = found.reports()
    return [
        ComparedColumn(name, report, [result for result in results if result.over])
        for name, report, results in zip(names, reports, played, strict=False)
    ]


class LabCharts(NamedTuple):
    """The charts of a comparison.

    ``lost``: the shares are of lost matches, not of wins. ``places``: by place in the order of
    play. ``length``: entries of a match; ``apart``: between highest and lowest points; ``leads``:
    changes of the lead; ``forced``: the share of plays without a choice.
    """

    lost: bool
    places: charts.Intervals
    length: charts.Shares
    apart: charts.Shares
    leads: charts.Shares | None
    forced: charts.Shares | None

    @property
    def share(self) -> str:
        """The key of the shares in a report."""
        return "lost" if self.lost else "wins"


def _pictures(columns: Sequence[ComparedColumn]) -> LabCharts | None:
    """The charts of the versions with decided matches; None without any."""
    decided = [column for column in columns if column.results]
    if not decided:
        return None
    seats = decided[0].report["seats"]
    lost = any(p["lost"] for c in decided for p in c.report["places"])
    places = [
        (
            _("%(n)s人目", n=place + 1),
            [_interval(column.report["places"][place], lost=lost) for column in decided],
        )
        for place in range(seats)
    ]
    leads = [[r.leads for r in c.results if r.leads is not None] for c in decided]
    forced = [[round(100 * r.forced / r.chances) for r in c.results if r.chances] for c in decided]
    return LabCharts(
        lost,
        charts.intervals(places, 100 / seats),
        charts.shares([[r.plays for r in c.results] for c in decided]),
        charts.shares([[max(r.points) - min(r.points) for r in c.results] for c in decided]),
        charts.shares(leads) if all(leads) else None,
        charts.shares([each for each in forced if each]) if any(forced) else None,
    )


def _interval(place: PlaceInOrder, *, lost: bool) -> tuple[float, float, float]:
    share = place["lost"] if lost else place["wins"]
    low, high = place["lost_from_to"] if lost else place["wins_from_to"]
    return 100 * share, 100 * low, 100 * high


def _never(rules: Book, columns: Sequence[ComparedColumn]) -> list[Clause]:
    """The clauses that no verdict, score or outcome cited in any simulated version of them."""
    unused = _in_all(rules, columns, lambda report: report["clauses_never"])
    return [clause for clause in rules.clauses if clause.id in unused]


def _unasked(rules: Book, columns: Sequence[ComparedColumn]) -> list[Text]:
    """The game's own house rules whose values the rules never read in any simulated version."""
    unused = _in_all(rules, columns, lambda report: report["options_never"])
    return [option.title for option in rules.options if option.key in unused]


def _in_all(
    rules: Book, columns: Sequence[ComparedColumn], unused: Callable[[Report], list[str]]
) -> set[str]:
    """What is ``unused`` in the report of every simulated version of these rules."""
    sets = [
        {*unused(column.report)}
        for column in columns
        if column.report["game"] == rules.name and column.report["players"] != ["people"]
    ]
    return set.intersection(*sets) if sets else set()
