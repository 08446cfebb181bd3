"""Simulated matches: the same from the same seed, and what is planted in them is found."""

from __future__ import annotations

import csv
import io
import json
import re
from math import comb
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.core.game import Line
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import ahead
from referee.insight import playing, simulated
from referee.insight.playing import Chooser, Plan, played, simulate, table_of
from referee.insight.statistics import (
    FEW,
    FOUND,
    beyond,
    described,
    mean_with_margin,
    significance,
    wilson,
)
from referee.kit import shipped
from referee.rulings import book_of


def a_plan(game: str, players: str = "random", seed: int = 0, **more: object) -> Plan:
    seats = 3 if 3 in GAMES[game].SEATS else GAMES[game].SEATS.start
    plan = simulated.plan(GAMES[game], seats, players, (), seed, 5_000, ())
    assert isinstance(plan, Plan)
    return plan._replace(**more)


@pytest.mark.parametrize(
    ("command", "count"), [("simulate {} --jobs 1", "games"), ("game play {}", "matches")]
)
def test_the_progress_of_long_simulations_is_on_the_error_stream(
    command: str, count: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = [*command.format(shipped.FOLDER / "whist.toml").split(), f"--{count}", "30"]
    answer = CliRunner().invoke(main, args)
    assert answer.exit_code == 0
    assert answer.stderr.split("\n") == ["30 games", ""]
    monkeypatch.setattr("click._termui_impl.isatty", lambda stream: True)
    on_a_terminal = CliRunner().invoke(main, args)
    assert on_a_terminal.stdout == answer.stdout
    assert "25/30" in on_a_terminal.stderr
    assert "30/30" in on_a_terminal.stderr


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (game, player)
        for game in ON_CARDS
        for player in ("random", "ahead")
        if player == "random" or ahead(game)
    ],
)
def test_every_game_is_played_to_its_end_by_every_player(game: str, players: str) -> None:
    batch = played(a_plan(game, players), range(2))
    assert all(result.over and result.chances >= result.forced for result in batch.results)
    assert batch.results[1] == played(a_plan(game, players), [1]).results[0]
    assert batch.results[0] != played(a_plan(game, players, seed=1), [0]).results[0]


def first() -> str:
    return next(iter(GAMES))


def test_processes_change_nothing() -> None:
    plan, heard = a_plan(first()), list[int]()
    alone = simulate(plan, 60, 1, heard.append)
    assert simulate(plan, 60, 2) == alone
    assert heard == [25, 50, 60]
    assert [result.number for result in alone.results] == list(range(60))


def test_an_advantage_of_two_points_is_found_and_one_that_is_not_there_is_not() -> None:
    plan = a_plan(first(), seed=1)
    fair = described(plan, simulate(plan, 1200, 1))
    assert fair["p"] > FOUND
    unfair = plan._replace(given=(0, 2, 0))
    found = described(unfair, simulate(unfair, 1200, 1))
    assert found["p"] < FOUND
    assert max(found["places"], key=lambda each: each["above_average"])["place"] == 2


def test_among_few_matches_hardly_any_difference_is_found_that_is_not_there() -> None:
    """The places of each match are turned round by chance, so there is no difference."""
    plan, rng = a_plan(first()), Random(0)
    results = played(plan, range(300)).results

    def fair(games: int) -> float | None:
        chosen = []
        for result in rng.choices(results, k=games):
            turned = rng.randrange(plan.seats)
            points = result.points[turned:] + result.points[:turned]
            chosen.append(result._replace(points=points))
        return significance(chosen, plan.seats)

    assert fair(FEW - 1) is None
    found = sum((p := fair(FEW)) is not None and p < FOUND for _ in range(400))
    assert found <= 10  # four are to be expected


def test_students_distribution_against_its_table() -> None:
    for free, t95, t99 in (
        (1, 12.7062, 63.6567),
        (2, 4.3027, 9.9248),
        (5, 2.5706, 4.0321),
        (30, 2.0423, 2.7500),
        (120, 1.9799, 2.6174),
        (10_000, 1.9600, 2.5764),
    ):
        assert abs(beyond(t95, free) - 0.05) < 1e-4
        assert abs(beyond(-t99, free) - 0.01) < 1e-4
        assert 0 < beyond(30, free) < beyond(3, free)
    assert abs(mean_with_margin([1, 2, 3])[1] - 4.3027 / 3**0.5) < 1e-3


def test_a_player_who_looks_ahead_wins_more() -> None:
    plan = a_plan(first(), "ahead,random,random")
    report = described(plan, simulate(plan, 300, 1))
    by = {row["player"]: row["wins"] for row in report["by_player"]}
    assert abs(by["ahead"] + 2 * by["random"] - 1) < 1e-9
    assert by["ahead"] != by["random"]


def test_a_match_that_does_not_end_is_cut_short_and_counted() -> None:
    plan = a_plan(first(), longest=10)
    report = described(plan, simulate(plan, 5, 1))
    assert report["cut_short"] == 5
    assert report["endless"] == [0, 1, 2, 3, 4]
    assert report["places"] == []
    assert report["p"] is None
    assert [result.plays for result in simulate(plan, 5, 1).results] == [10] * 5


NEVER = """
kit = 1
family = "trick_taking"
key = "never"
title = { ja = "終わらない", en = "never" }
seats = { count = 3 }
deck = { suits.R = { en = "red" }, suits.B = { en = "blue" }, ranks = "1..4" }
deal = { hand = 2 }
play = { follow = ["suit led"] }
trick = { best = ["suit led"] }
score.made = { per = "deal", points = "0" }
match = { until = "most(total) >= 1", winner = "most" }
"""


def test_a_game_that_never_ends_is_named(tmp_path: Path) -> None:
    file = tmp_path / "never.toml"
    file.write_text(NEVER, encoding="utf-8")
    args = ["simulate", str(file), "--games", "12", "--jobs", "1", "--longest", "40"]
    plain = CliRunner().invoke(main, [*args, "--lang", "en"])
    assert "games cut short: 12 (after 40 entries)" in plain.stdout
    assert "0, 1, 2, 3, 4, 5, 6, 7, 8, 9…" in plain.stdout
    assert "seats are not compared" in plain.stdout
    assert "seat 1 was dealt this card" in plain.stdout
    rows = csv.DictReader(io.StringIO(CliRunner().invoke(main, [*args, "--csv"]).stdout))
    assert [row["over"] for row in rows] == ["0"] * 12


KIT_FILES = sorted((Path(__file__).parents[1] / "games/kit/files").glob("*.toml"))


@pytest.mark.parametrize("name", [*(game.KEY for game in shipped.games().values()), *KIT_FILES])
def test_games_of_files_by_their_name_and_by_their_path(name: str | Path) -> None:
    run = CliRunner()
    game = simulated.game_named(str(name))
    assert not isinstance(game, str)
    for player in ("random", "ahead"):
        args = ["simulate", str(name), "--seats", str(game.SEATS[0]), "--players", player]
        args += ["--games", "4", "--seed", "3", "--json"]
        found = run.invoke(main, [*args, "--jobs", "1"])
        assert found.exit_code == 0, found.output
        assert run.invoke(main, [*args, "--jobs", "2"]).stdout == found.stdout
        answer = json.loads(found.stdout)
        assert (answer["game"], answer["games"], answer["cut_short"]) == (game.NAME, 4, 0)
        assert 0 < answer["forced"] < 1
        assert {*answer["clauses"]} & {clause.id for clause in book_of(game).clauses}
    plain = run.invoke(main, [*args[:-1], "--jobs", "1", "--lang", "en"])
    assert plain.stdout.startswith(f"{book_of(game).title.in_('en')}, ")


def test_what_is_no_game_is_said(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("key = 7\n", encoding="utf-8")
    for name in ("nonsense", str(tmp_path / "none.toml"), str(tmp_path), str(wrong)):
        answer = CliRunner().invoke(main, ["simulate", name])
        assert answer.exit_code == 2
        assert name in answer.output
        assert "Traceback" not in answer.output


def test_partners_lead_together() -> None:
    def line(seat: str, points: int, deal: int) -> Line:
        return Line(seat, points, "", (), deal, None)

    seats = ("A", "B", "C", "D")
    lines = [line(seat, 1, 1) for seat in "AC"] + [line(seat, 3, 2) for seat in "BD"]
    assert playing._leads(seats, lines, fewest=False) == 1
    assert playing._leads(seats, lines + [line(seat, 9, 3) for seat in "AC"], fewest=False) == 2


def test_partners_who_win_share_it_with_nobody() -> None:
    [game] = [file for file in shipped.games().values() if file.KEY == "spades"]
    plan = Plan(game.NAME, 4, ("random",) * 4, file=game.text)
    batch = simulate(plan, 12, 1)
    assert all(sorted(result.wins) == [0, 0, 0.5, 0.5] for result in batch.results)
    assert described(plan, batch)["shared_win"] == 0


def test_where_there_is_nothing_to_choose() -> None:
    plan = a_plan(first())
    chooser = Chooser(plan.rules, plan.players, table_of(plan).seats, Random(0))
    assert chooser(None, ["only"]) == "only"  # type: ignore[type-var]
    assert (chooser.chances, chooser.forced) == (1, 1)


def test_wilsons_interval_against_the_binomial_distribution() -> None:
    low, high = wilson(7, 20)
    for share, tail in ((low, range(7, 21)), (high, range(8))):
        chance = sum(comb(20, k) * share**k * (1 - share) ** (20 - k) for k in tail)
        assert 0.01 < chance < 0.06  # 2.5% on either side, as well as it approximates


def test_the_command() -> None:
    run = CliRunner()
    args = ["simulate", first(), "--games", "30", "--jobs", "1"]
    answer = json.loads(run.invoke(main, [*args, "--json", "--pace", "6"]).stdout)
    assert answer["games"] == 30
    assert abs(sum(place["wins"] for place in answer["places"]) - 1) < 1e-9
    assert abs(answer["minutes"]["mean"] - answer["length"]["mean"] / 10) < 1e-9
    rows = list(csv.DictReader(io.StringIO(run.invoke(main, [*args, "--csv"]).stdout)))
    assert [int(row["match"]) for row in rows] == list(range(30))
    mean = sum(float(row["points_1"]) for row in rows) / 30
    assert abs(mean - answer["places"][0]["points"]) < 1e-9
    for lang in ("ja", "en"):
        plain = run.invoke(main, [*args, "--lang", lang])
        assert not re.search(r"[(（]-", plain.stdout), "a negative number has a minus"
        assert plain.exit_code == 0, plain.output
    assert run.invoke(main, args).stdout == run.invoke(main, args).stdout


@pytest.mark.parametrize(
    "wrong",
    [
        ["--seats", "99"],
        ["--players", "clever"],
        ["--players", "random,random"],
        ["--option", "nonsense=1"],
        ["--option", "rounds"],
        ["--given", "1"],
        ["--given", "a,b,c"],
    ],
)
def test_what_cannot_be_simulated_is_said(wrong: list[str]) -> None:
    answer = CliRunner().invoke(main, ["simulate", first(), "--games", "1", *wrong])
    assert answer.exit_code == 2
    assert "Error" in answer.output
