"""A year on one page: its figures against a naive count over the records, and what they link to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import pytest
import years
from bs4 import BeautifulSoup
from flask.testing import FlaskClient
from parsed import parsed
from phones import one, text

from referee.app import create_app
from referee.core.log import Log
from referee.core.ranking import ranking
from referee.core.record import Grammar, parse_header
from referee.core.verdict import Illegal, Lacks, Unprovable
from referee.games import GAMES
from referee.store import Circles
from referee.store.archive import ArchivedMatch
from referee.store.statistics import DECLARED, WORD

MATCHES = 60
BREAK_SECONDS = 300


class Replayed(NamedTuple):
    match: ArchivedMatch
    log: Log


@pytest.fixture(scope="module")
def kept(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[FlaskClient, list[Replayed]]]:
    """A phone whose group has a year behind it, and the finished games of that year."""
    app = create_app(tmp_path_factory.mktemp("year"), TESTING=True)
    stored = years.keep(app.extensions["ledger"].store, "", MATCHES, seed=4)
    client = app.test_client()
    client.get("/history")
    found = []
    for match in stored:
        header = parse_header(match.header, GAMES)
        game = GAMES[header.game]
        log, grammar = Log(game, header.table(game)), Grammar(game, header.seats)
        for entry in match.entries:
            log.push(grammar.parse(entry.line))
        if game.outcome(log.state):
            found.append(Replayed(match, log))
    yield client, found
    app.extensions["ledger"].store.close()


def page(client: FlaskClient, path: str, lang: str = "ja") -> BeautifulSoup:
    client.set_cookie("lang", lang)
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return parsed(answer.text)


def number(shown: BeautifulSoup, about: str) -> str:
    return text(shown, f".stats a[href$='#{about}'] b")


def test_the_figures_are_those_of_the_records(kept: tuple[FlaskClient, list[Replayed]]) -> None:
    client, games = kept
    shown = page(client, "/history/year/2025")
    assert number(shown, "games") == str(len(games))
    assert number(shown, "sessions") == str(len({each.match.session for each in games}))
    seats = Counter(seat for each in games for seat in each.match.seats)
    assert number(shown, "people") == str(len(seats))
    plays, seconds, words = 0, 0.0, set[tuple[str, str, str]]()
    for match, log in games:
        at = [datetime.fromisoformat(entry.at) for entry in match.entries]
        for step in log.steps():
            if getattr(step.play, "seat", None) is None:
                continue
            plays += 1
            pause = (at[step.seq - 1] - at[step.seq - 2]).total_seconds()
            seconds += pause if step.seq > 1 and pause <= BREAK_SECONDS else 0
        for feat in log.game.HOOKS.feats(log.state):
            if feat.kind == WORD:
                words.add((match.id, feat.seat, feat.label))
    assert number(shown, "plays") == f"{plays:,}"
    assert number(shown, "words") == str(len(words))
    different = len({label for _, _, label in words})
    assert f"{different}種類の熟語" in shown.get_text()
    hours, minutes = divmod(round(seconds / 60), 60)
    assert number(shown, "hours") == f"{hours}時間{minutes}分"
    won = Counter(
        rank.seat
        for _, log in games
        for rank in ranking(log.table.seats, log.game.score(log.state), log.game.outcome(log.state))
        if rank.won
    )
    table = shown.find("a", href="/history/counted#wins").find_parent("h2").find_next("table")  # type: ignore[union-attr]
    rows = [[cell.get_text() for cell in row.select("th, td")] for row in table.select("tbody tr")]
    assert sorted(rows) == sorted([seat, str(n), str(won[seat])] for seat, n in seats.items())


def test_the_closest_game_of_each(kept: tuple[FlaskClient, list[Replayed]]) -> None:
    client, games = kept
    shown = page(client, "/history/year/2025")
    closest: dict[tuple[str, str], int] = {}
    for _, log in games:
        ended, totals = log.game.outcome(log.state), log.game.score(log.state).totals
        assert ended is not None
        for winner in ended.winners:
            for other in totals.keys() - {*ended.winners}:
                apart = abs(totals[winner] - totals[other])
                name = log.game.NAME, log.game.HOOKS.unit(log.table)
                closest[name] = min(apart, closest.get(name, apart))  # type: ignore[call-overload]
    table = shown.find("a", href="/history/counted#closest").find_parent("h2").find_next("table")  # type: ignore[union-attr]
    links = {
        str(link["href"]).split("/")[2]: link.get_text() for link in table.select("tbody a[href]")
    }
    assert len(links) == len(closest)
    for match, log in games:
        if match.id in links:
            apart = closest[log.game.NAME, log.game.HOOKS.unit(log.table)]
            assert re.findall(r"\d+", links[match.id]) == ([str(apart)] if apart else [])
    assert any(closest.values())


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_number_of_the_history_links_to_how_it_is_counted(
    kept: tuple[FlaskClient, list[Replayed]], lang: str
) -> None:
    client, _ = kept
    anchors = {str(entry["id"]) for entry in page(client, "/history/counted", lang).select("[id]")}
    person = str(one(page(client, "/history/people"), "tbody tr:first-child th a")["href"])
    for path in ("/history/year/2025", "/history/people", person):
        shown = page(client, path, lang)
        links = {str(a["href"]) for a in shown.select("a[href^='/history/counted#']")}
        assert len(links) > 2
        assert {link.partition("#")[2] for link in links} <= anchors
        for figure in shown.select(".stats > *"):
            assert str(figure.get("href")) in links


def test_the_luck_of_the_draw_of_each_person(kept: tuple[FlaskClient, list[Replayed]]) -> None:
    client, found = kept
    drawn, bad, likely = Counter[str](), Counter[str](), Counter[str]()
    for match in found:
        for step in match.log.steps():
            before = step.before.state if step.before else match.log.start
            luck = match.log.game.HOOKS.luck(before, step.play)
            if luck is not None and not isinstance(step.verdict, Illegal):
                seat = step.play.seat
                drawn[seat] += 1
                bad[seat] += luck[1]
                likely[seat] += luck[0]  # type: ignore[assignment]
    assert len(drawn) > 3
    counted = 0
    for link in page(client, "/history/people").select("tbody th a"):
        shown = page(client, str(link["href"]))
        head = shown.find("a", href="/history/counted#luck")
        name = link.get_text(strip=True)
        assert (head is not None) == (name in drawn)
        if head is None:
            continue
        row = head.find_parent("h2").find_next("table").select_one("tbody tr")  # type: ignore[union-attr]
        cells = [cell.get_text() for cell in row.select("td")]  # type: ignore[union-attr]
        assert cells[:2] == [str(drawn[name]), str(bad[name])]
        assert abs(float(cells[2]) - float(likely[name])) < 0.006
        counted += 1
    assert counted > 3


def test_a_year_without_games_and_its_neighbours(kept: tuple[FlaskClient, list[Replayed]]) -> None:
    client, _ = kept
    assert one(page(client, "/history"), "a[href='/history/year/2025']")
    for year in (2024, 2026):
        shown = page(client, f"/history/year/{year}")
        assert not shown.select(".stats")
        assert one(shown, "a[href='/history/year/2025']")
    assert client.get("/history/year/0").status_code == 404
    assert client.get("/history/year/1").status_code == 200
    assert client.get("/history/year/9998").status_code == 200


def test_declarations_and_words_are_kept(kept: tuple[FlaskClient, list[Replayed]]) -> None:
    client, games = kept
    store = client.application.extensions["ledger"].store
    declared: Counter[str] = Counter()
    for _, log in games:
        depth = 0
        for step in log.steps():
            premise = step.verdict.premise if isinstance(step.verdict, Unprovable) else None
            if isinstance(premise, Lacks) and step.depth > depth:
                declared[premise.seat] += 1
            depth = step.depth
    kept_rows = store._rows(
        "SELECT name, sum(value) FROM feats JOIN people ON people.id = person"
        " WHERE kind = ? AND circle = ? GROUP BY name",
        (DECLARED, Circles(store).only()),
    )
    assert {name: int(count) for name, count in kept_rows} == dict(declared)
    assert sum(declared.values()) > 50
