"""The designer's page of a game: simulated matches in a process of its own, beside the group's."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import years
from bs4 import BeautifulSoup
from flask import Flask
from flask.testing import FlaskClient
from parsed import parsed
from phones import Phone, one
from waiting import wait_for

from referee.app import create_app
from referee.core.log import Log
from referee.core.record import Grammar, parse_header
from referee.games import GAMES
from referee.http.local_time import local_time
from referee.insight.playing import Batch, Plan, simulate
from referee.insight.statistics import Report, described
from referee.kit.game import KitGame
from referee.kit.load import load
from referee.rulings import book_of
from referee.store import Circles
from referee.web.group import charts, lab_pages, labs
from referee.web.group.lab_process import NICENESS

FIRST = next(iter(GAMES))
FILES = sorted((Path(__file__).parents[2] / "games" / "kit" / "files").glob("*.toml"))
FORM = {"seats": "3", "games": "20", "players": "random", "seed": "7"}


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    monkeypatch.setattr(lab_pages, "GAMES_PLAYED", (20, 4_000))
    app = create_app(tmp_path, TESTING=True)
    yield app
    for lab in app.extensions.get(labs.KEY, {}).values():
        if lab.process:
            lab.process.kill()
        wait_for(lambda lab=lab: lab.over)
    app.extensions["ledger"].store.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    Phone(client).opens()  # it has a group now
    return client


def page(client: FlaskClient, game: str = FIRST, status: int = 200) -> BeautifulSoup:
    answer = client.get(f"/rules/{game}/lab")
    assert answer.status_code == status
    return parsed(answer.text)


def done(client: FlaskClient, game: str = FIRST) -> BeautifulSoup:
    """The page when the simulation has ended, which it asks for itself."""
    wait_for(lambda: "Refresh" not in client.get(f"/rules/{game}/lab").headers)
    return page(client, game)


def begin(client: FlaskClient, game: str = FIRST, **more: str) -> None:
    answer = client.post(f"/rules/{game}/lab", data=FORM | more)
    assert answer.status_code == 303, answer.text
    assert answer.location == f"/rules/{game}/lab"


def test_the_report_is_that_of_the_command(client: FlaskClient) -> None:
    assert not page(client).select("figure")
    begin(client)
    shown = done(client)
    plan = Plan(FIRST, 3, ("random",) * 3, (), 7)
    expected = described(plan, simulate(plan, 20, 1))
    [report] = client.get(f"/rules/{FIRST}/lab/report.json").json
    assert report == expected
    table = shown.select("figure + table")[0]
    for row, place in zip(table.select("tbody tr"), expected["places"], strict=True):
        assert f"{100 * place['wins']:.1f}%" in row.get_text()
    assert len(shown.select("figure svg")) == 5
    for figure in shown.select("figure"):  # a table below each chart
        assert figure.find_next_sibling("table")
    rows = list(csv.DictReader(io.StringIO(client.get(f"/rules/{FIRST}/lab/matches.csv").text)))
    assert [row["version"] for row in rows] == ["1"] * 20
    mean = sum(float(row["points_1"]) for row in rows) / 20
    assert abs(mean - expected["places"][0]["points"]) < 1e-9


def test_a_finished_simulation_is_counted_once(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the process of the server every count makes tables wait."""
    counted = list[int]()

    def watched(plan: Plan, batch: Batch, pace: float | None = None) -> Report:
        counted.append(len(batch.results))
        return described(plan, batch, pace)

    monkeypatch.setattr(labs, "described", watched)
    begin(client)
    done(client)
    first = client.get(f"/rules/{FIRST}/lab/report.json").json
    page(client)
    assert client.get(f"/rules/{FIRST}/lab/report.json").json == first
    assert counted == [20]
    begin(client, seed="8")
    done(client)
    assert client.get(f"/rules/{FIRST}/lab/report.json").json != first
    assert counted == [20, 20]


def test_the_columns_of_a_chart_are_shares_of_the_matches() -> None:
    chart = charts.shares([[3, 3, 4, 9], [5, 5]])
    shares = {(piece.series, label.text): piece.share for piece, label in pairs(chart)}
    assert shares[0, "3"] == 1 / 2
    assert shares[0, "4"] == shares[0, "9"] == 1 / 4
    assert shares[1, "5"] == 1
    assert sum(shares.values()) == 2
    wide = charts.shares([[*range(30)]])  # three values a column
    assert [piece.share for piece in wide.pieces] == [1 / 10] * 10
    assert wide.labels[0].text == "0–2"


def pairs(chart: charts.Shares) -> Iterator[tuple[charts.Piece, charts.Mark]]:
    for series in {piece.series for piece in chart.pieces}:
        own = [piece for piece in chart.pieces if piece.series == series]
        yield from zip(own, chart.labels, strict=True)


def test_two_versions_side_by_side(client: FlaskClient) -> None:
    key, option = next((k, o) for k, o in GAMES[FIRST].OPTIONS.items() if len(o.values) > 1)
    value = option.values[1]
    begin(client, **{f"other.{key}": value})
    shown = done(client)
    reports = client.get(f"/rules/{FIRST}/lab/report.json").json
    assert [report["options"] for report in reports] == [{}, {key: value}]
    for options, report in zip(((), ((key, value),)), reports, strict=True):
        plan = Plan(FIRST, 3, ("random",) * 3, options, 7)
        assert report == described(plan, simulate(plan, 20, 1))
    assert len(shown.select("figure .v0")) > 0 < len(shown.select("figure .v1"))


def test_each_seat_may_have_a_player_of_its_own(client: FlaskClient) -> None:
    form = page(client)
    most = min(GAMES[FIRST].SEATS[-1], lab_pages.MOST_SEATS)
    assert [f"player.{n}" for n in range(1, most + 1)] == [
        str(field["name"]) for field in form.select("details select[name^='player.']")
    ]
    assert not any(part.has_attr("open") for part in form.select("form.lab details"))
    begin(client, **{"player.2": "ahead", "player.8": "ahead"})  # there is no eighth seat
    shown = done(client)
    [report] = client.get(f"/rules/{FIRST}/lab/report.json").json
    plan = Plan(FIRST, 3, ("random", "ahead", "random"), (), 7)
    assert report == described(plan, simulate(plan, 20, 1))
    heading = one(shown, "h2:has(a[href$='#lab-players'])")
    rows = heading.find_next("table").select("tbody tr")
    expected = [
        [f"{100 * kind['wins']:.1f}%", f"{kind['points']:.1f}"] for kind in report["by_player"]
    ]
    assert [[cell.get_text() for cell in row.select("td")] for row in rows] == expected
    assert "ランダム・1つ先まで・ランダム" in shown.get_text()
    english = client.get(f"/rules/{FIRST}/lab", headers={"Accept-Language": "en"}).text
    assert "Random · One play ahead · Random" in english.replace("\xa0", " ")


def test_one_player_for_all_shows_no_difference_of_players(client: FlaskClient) -> None:
    begin(client, players="ahead", **{"player.1": "ahead"})
    assert not done(client).select("a[href$='#lab-players']")
    [report] = client.get(f"/rules/{FIRST}/lab/report.json").json
    assert report["players"] == ["ahead"] * 3


def test_an_unknown_player_of_a_seat_is_refused(client: FlaskClient) -> None:
    answer = client.post(f"/rules/{FIRST}/lab", data=FORM | {"player.3": "cheat"})
    assert answer.status_code == 400
    assert not client.application.extensions.get(labs.KEY)


def test_a_refused_form_shows_what_was_chosen_in_its_folded_parts(client: FlaskClient) -> None:
    house = {
        str(field["name"]): str(one(field, "option[selected]")["value"])
        for field in page(client).select("form.lab details select[name^='option.']")
    }
    for chosen, title in (
        ({}, None),
        ({"player.2": "ahead"}, "席ごとに別のプレイヤー"),
        ({"other.final_tie": "shared"}, "2つのバージョンを並べて比べる"),
    ):
        asked = FORM | house | chosen | {"seats": "99"}
        answer = client.post(f"/rules/{FIRST}/lab", data=asked)
        assert answer.status_code == 400
        shown = parsed(answer.text)
        opened = shown.select("form.lab details[open] > summary")
        assert [part.get_text() for part in opened] == ([title] if title else [])


def test_the_matches_of_the_group_stand_beside(client: FlaskClient, app: Flask) -> None:
    store = app.extensions["ledger"].store
    circle = str(Circles(store).only())
    points, lengths = list[int](), list[int]()
    for match in years.keep(store, circle, 60, seed=3):
        header = parse_header(match.header, GAMES)
        if header.game != FIRST or len(header.seats) != 3:
            continue
        log, grammar = (
            Log(GAMES[FIRST], header.table(GAMES[FIRST])),
            Grammar(GAMES[FIRST], header.seats),
        )
        for entry in match.entries:
            log.push(grammar.parse(entry.line))
        if GAMES[FIRST].outcome(log.state):
            points.append(sum(GAMES[FIRST].score(log.state).totals.values()))
            lengths.append(len(list(log.steps())))
    client.get("/history")
    wait_for(lambda: "集計しています" not in client.get("/history").text)
    begin(client)
    done(client)
    reports = client.get(f"/rules/{FIRST}/lab/report.json").json
    assert reports[1]["players"] == ["people"]
    assert reports[1]["games"] == len(points) > 0
    means = [place["points"] for place in reports[1]["places"]]
    assert abs(sum(means) - sum(points) / len(points)) < 1e-9
    assert reports[1]["length"]["most"] == max(lengths)
    assert reports[0]["minutes"]["median"] > 0


def test_how_games_end_is_on_the_page(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(client)
    rows = ends(done(client))
    [report] = client.get(f"/rules/{FIRST}/lab/report.json").json
    shared, nobody = (f"{100 * report[key]:.1f}%" for key in ("shared_win", "nobody_won"))
    assert rows == [[shared, nobody, "0"]]
    monkeypatch.setattr(lab_pages, "LONGEST", 30)  # no match of it ends so early
    begin(client)
    shown = done(client)
    assert not shown.select("figure")
    assert ends(shown) == [["20"]]
    assert "0, 1, 2, 3, 4, 5, 6, 7, 8, 9…" in shown.get_text()


def ends(shown: BeautifulSoup) -> list[list[str]]:
    """The cells about how games end, row by row."""
    link = one(shown, "h2 a[href$='#lab-cut']")
    table = link.find_next("table")
    assert table is not None
    return [[cell.get_text() for cell in row.select("td")] for row in table.select("tbody tr")]


def test_it_is_stopped_and_what_was_played_stays(client: FlaskClient) -> None:
    begin(client, games="4000")
    wait_for(lambda: (labs_of(client).done or 0) > 0)
    shown = page(client)
    assert one(shown, "progress")["max"] == "4000"
    assert client.get(f"/rules/{FIRST}/lab").headers["Refresh"] == "1"
    process = labs_of(client).process
    assert process is not None
    assert process.pid != os.getpid()
    behind = min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)  # every table goes first
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == behind
    answer = client.post(f"/rules/{FIRST}/lab", data=FORM)
    assert answer.status_code == 409  # one at a time
    assert client.post(f"/rules/{FIRST}/lab/stop").status_code == 303
    shown = done(client)
    assert process.poll() is not None
    assert 0 < labs_of(client).done < 4000
    assert re.search(r"/ 4000ゲームで終わりました", shown.get_text())
    assert shown.select("figure")
    begin(client)
    done(client)
    assert labs_of(client).done == 20


def labs_of(client: FlaskClient) -> labs.Lab:
    [lab] = client.application.extensions[labs.KEY].values()
    assert isinstance(lab, labs.Lab)
    return lab


def test_another_group_sees_nothing_of_it(client: FlaskClient, app: Flask) -> None:
    begin(client)
    done(client)
    other = app.test_client()
    other.environ_base |= {"REMOTE_ADDR": "192.168.1.9"}
    for path in ("", "/matches.csv", "/report.json"):
        assert other.get(f"/rules/{FIRST}/lab{path}").status_code == 403
    Phone(other).opens(names=["X", "Y"], leader="X")
    assert not page(other).select("figure")
    for path in ("/matches.csv", "/report.json"):
        assert other.get(f"/rules/{FIRST}/lab{path}").status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"seats": "99"},
        {"seats": "many"},
        {"games": "1000000"},
        {"players": "clever"},
        {"seed": "-1"},
        {"other.final_tie": "nonsense"},
        {"option.final_tie": "nonsense"},
    ],
)
def test_what_cannot_be_simulated_is_refused(client: FlaskClient, wrong: dict[str, str]) -> None:
    answer = client.post(f"/rules/{FIRST}/lab", data=FORM | wrong)
    assert answer.status_code == 400
    assert not client.application.extensions.get(labs.KEY)
    assert client.get("/rules/nonsense/lab").status_code == 404


def test_two_game_files_side_by_side(client: FlaskClient, app: Flask) -> None:
    store = app.extensions["ledger"].store
    circle = str(Circles(store).only())
    games: list[KitGame] = [load(file.read_bytes()) for file in FILES]
    games = [game for game in games if 4 in game.SEATS][:2]
    for game in games:
        store.game_files.register((game.hash, game.KEY, game.text), circle)
    begin(client, games[0].NAME, other=games[1].NAME, seats="4")
    shown = done(client, games[0].NAME)
    reports = client.get(f"/rules/{games[0].NAME}/lab/report.json").json
    assert [report["game"] for report in reports] == [game.NAME for game in games]
    for game, report in zip(games, reports, strict=True):
        assert report["games"] == 20
        plan = Plan(game.NAME, 4, ("random",) * 4, (), 7, file=game.text)
        assert report == described(plan, simulate(plan, 20, 1))
    assert shown.select("figure")
    with app.test_request_context():
        registered = {row.hash: local_time(row.at) for row in store.game_files.of(circle)}
    at = registered[games[1].hash]
    known = f"{book_of(games[1]).title.ja}　バージョン {games[1].VERSION}　"
    known += f"{at.month}月{at.day}日 {at:%H:%M}"
    assert shown.select("dl.texts dd")[1].get_text() == known
    assert one(shown, f"option[value='{games[1].NAME}']").get_text() == known
    assert games[1].NAME not in shown.get_text()  # a name with a hash


def test_versions_of_one_minute_are_numbered_and_one_taken_off_keeps_its_title(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = app.extensions["ledger"].store
    circle = str(Circles(store).only())
    first = next(game for game in (load(file.read_bytes()) for file in FILES) if 4 in game.SEATS)
    games = [load((first.text + f"\n# {n}\n").encode()) for n in (1, 2, 3)]
    for n, game in enumerate(games):
        monkeypatch.setattr(
            "referee.store.game_files.now", lambda n=n: f"2026-11-27T08:00:0{n}+00:00"
        )
        store.game_files.register((game.hash, game.KEY, game.text), circle)
    begin(client, games[0].NAME, other=games[1].NAME, seats="4")
    shown = done(client, games[0].NAME)
    labels = [one(shown, f"option[value='{game.NAME}']").get_text() for game in games[1:]]
    assert [label.split("　")[-1] for label in labels] == ["2番目", "3番目"]
    store.game_files.put_away(games[1].hash, circle)
    second = done(client, games[0].NAME).select("dl.texts dd")[1].get_text()
    assert second == f"{book_of(games[1]).title.ja}　バージョン {games[1].VERSION}"


def test_house_rules_that_no_version_asked_for_are_named() -> None:
    rules = next(book for book in map(book_of, GAMES.values()) if len(book.options) > 2)
    keys = [option.key for option in rules.options]

    def column(never: list[str], **more: object) -> lab_pages.ComparedColumn:
        report = {"game": rules.name, "players": ["random"], "options_never": never, **more}
        return lab_pages.ComparedColumn("", report, ())

    seen = lab_pages._unasked(rules, [column(keys[:2]), column([keys[1], "contest"])])
    assert seen == [rules.options[1].title]
    assert lab_pages._unasked(rules, [column(keys, players=["people"])]) == []
    assert lab_pages._unasked(rules, [column(keys, game="another")]) == []
