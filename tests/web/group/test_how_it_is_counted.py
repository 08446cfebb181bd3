"""Every number of the statistics leads to the words that say how it is counted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import kit_deals
import pytest
import years
from bs4 import Tag
from flask.testing import FlaskClient
from parsed import parsed
from phones import one
from waiting import wait_for

from referee.app import create_app
from referee.games import GAMES
from referee.history import counting
from referee.store import Circles, NewEntry
from referee.store.past import Past
from referee.web.group import lab_pages

COUNT = re.compile(r"^\s*\d[\d,]*\+? ?(ゲーム(以上)?|games?)(\s|$)")
SPLIT = re.compile(r"[（(].*")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A phone whose group has played all games, one of them by a file."""
    app = create_app(tmp_path_factory.mktemp("counted"), TESTING=True)
    ledger = app.extensions["ledger"]
    years.keep(ledger.store, "", 60, seed=4)
    client = app.test_client()
    client.get("/history")
    key = min(kit_deals.GAMES)
    seats = kit_deals.GAMES[key].SEATS[0]
    circle = Circles(ledger.store).only()
    deal = kit_deals.recorded_deal(ledger, key, seats, 99, circle)
    rows = [NewEntry(line, f"k{i}", "legal", "-", "-") for i, line in enumerate(deal.lines)]
    ledger.store.append(deal.view.match, 0, rows)
    counting.catch_up(ledger.store)
    yield client
    ledger.store.close()


@pytest.fixture(scope="module")
def simulated(client: FlaskClient) -> str:
    """The designer's page with two versions and the group's own games."""
    game = next(name for name in GAMES if len(GAMES[name].OPTIONS) > 1)
    key, option = next((k, o) for k, o in GAMES[game].OPTIONS.items() if len(o.values) > 1)
    store = client.application.extensions["ledger"].store
    past = Past(store, Circles(store).only())
    seats = next(n for n in GAMES[game].SEATS if past.alike(game, n))
    form = {"seats": str(seats), "games": "40", "players": "random", "seed": "1"}
    form["player.1"] = "ahead"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab_pages, "GAMES_PLAYED", (40,))
        answer = client.post(f"/rules/{game}/lab", data={**form, f"other.{key}": option.values[1]})
    assert answer.status_code == 303, answer.text
    wait_for(lambda: "Refresh" not in client.get(answer.location).headers)
    return str(answer.location)


def page(client: FlaskClient, path: str, lang: str) -> Tag:
    client.set_cookie("lang", lang)
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    shown = parsed(answer.text)
    assert one(shown, "html")["lang"] == lang
    return one(shown, "main")


def words(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split()).casefold()


def sections(shown: Tag) -> Iterator[list[Tag]]:
    """All elements of a page in their order, cut before each heading."""
    found: list[Tag] = []
    for tag in shown.find_all(True):
        if tag.name == "h2":
            yield found
            found = []
        found.append(tag)
    yield found


def addresses(tags: list[Tag]) -> set[str]:
    links = (str(tag.get("href", "")) for tag in tags if tag.name == "a")
    return {link.partition("#")[2] for link in links if link.startswith("/history/counted#")}


def check(shown: Tag, explained: dict[str, str]) -> set[str]:
    """Every figure, column and count of a page is explained where it leads to; by what."""
    used = set[str]()
    for tags in sections(shown):
        found = addresses(tags)
        assert found <= explained.keys()
        used |= found
        says = " ".join(explained[each] for each in found)
        for table in (tag for tag in tags if tag.name == "table"):
            if not table.select("tbody td"):
                continue
            assert found, table
            if "num" in table["class"]:
                for column in table.select("thead th")[1:]:
                    assert words(column) in says, (words(column), says)
    for figure in shown.select(".stats > *"):
        [about] = addresses([figure])
        label = SPLIT.sub("", words(one(figure, "small"))).strip()
        assert label in explained[about], (label, explained[about])
    for text in shown.find_all(string=COUNT):
        if text.find_parent(class_=["row", "said"]) is None:  # their headings have a link
            link = text.find_parent("a")
            assert link is not None, text
            assert addresses([link]), text
    return used


def paths(client: FlaskClient, simulated: str) -> list[str]:
    """The pages of the statistics: of all people, of the largest evening, and so on."""
    people = [str(a["href"]) for a in page(client, "/history/people", "ja").select("tbody th a")]
    year = page(client, "/history/year/2025", "ja")
    evening = str(year.select(".said a[href*='/evening/']")[0]["href"])
    game = next(str(a["href"]) for a in page(client, "/own-games", "ja").select("a.row"))
    fixed = [
        "/history",
        "/history?game=" + next(iter(GAMES)),
        "/history/people",
        "/history/season?span=all",
    ]
    return [*fixed, "/history/year/2025", evening, *people, game, simulated]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_number_leads_to_words_about_itself(
    client: FlaskClient, simulated: str, lang: str
) -> None:
    entries = page(client, "/history/counted", lang).select(".counted > [id]")
    explained = {str(entry["id"]): words(entry) for entry in entries}
    assert len(explained) == len(entries)
    used = set[str]()
    for path in paths(client, simulated):
        used |= check(page(client, path, lang), explained)
    assert used == explained.keys()  # nothing is explained that no page shows
