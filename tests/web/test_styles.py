"""Each game's style and crest are in its own folder, and pages load what they draw."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from as_imported import BASE
from chosen_games import head
from flask import Flask
from flask.testing import FlaskClient
from phones import FIVE, one, soup

from referee import paths
from referee.games import GAMES
from referee.http.assets import parts_of, together
from referee.web.site import crests

STATIC = paths.shipped("static")
STYLED = [name for name in GAMES if (STATIC / "games" / name / "table.css").is_file()]


# Selectors before what they style, and the classes that one of them names.
RULE = re.compile(r"([^{};]+)\{[^{}]*\}")
CLASS = re.compile(r"\.(-?[a-z_][\w-]*)", re.IGNORECASE)
ALONE = re.compile(r",(?![^(]*\))")  # a comma between selectors, not within :is(…)
LEFT_OUT = re.compile(r'/\*.*?\*/|@import[^;]*;|"[^"]*"', re.DOTALL)


def style(client: FlaskClient, path: str) -> tuple[str, str]:
    """The name and the content of the style sheet of a page."""
    page = soup(client.get(path))
    address = str(one(page, "link[rel=stylesheet]")["href"])
    answer = client.get(address)
    assert answer.status_code == 200
    return address.partition("?")[0].rpartition("/")[2], answer.text


@pytest.mark.parametrize("name", GAMES)
def test_a_page_of_a_match_loads_the_style_of_its_game_alone(app: Flask, name: str) -> None:
    client = app.test_client()
    seats = FIVE[: min(3, GAMES[name].SEATS[-1])]
    match = app.extensions["ledger"].open(head(name, seats)).match
    own = f"_{name}" if name in STYLED else ""
    for path, kind in ((f"/t/{match}", "table"), (f"/t/{match}/log", "reading")):
        sheet, rules = style(client, path)
        assert sheet == f"{kind}{own}.css"
        named = {game for game in GAMES if re.search(rf"\.{game}\b", rules)}
        assert named == ({name} if name in STYLED else set())


def test_pages_of_no_match_load_the_style_of_no_game(app: Flask) -> None:
    client = app.test_client()
    for path, sheet in (
        ("/", "pages.css"),
        ("/new", "pages.css"),
        (f"/rules/{next(iter(GAMES))}", "reading.css"),
    ):
        found, rules = style(client, path)
        assert found == sheet
        assert not [name for name in GAMES if re.search(rf"\.{name}\b", rules)]


def test_a_new_game_has_style_sheets_as_soon_as_its_folder_has_a_style(tmp_path: Path) -> None:
    plain = set(parts_of(tmp_path))
    (tmp_path / "games" / "new").mkdir(parents=True)
    assert set(parts_of(tmp_path)) == plain
    (tmp_path / "games" / "new" / "table.css").write_text(".new { color: red }")
    found = {"table_new.css", "reading_new.css", "live_new.css"}
    assert set(parts_of(tmp_path)) - plain == found
    written = b".new { color: red }" if BASE else b".new{color:red}"
    assert together(tmp_path, parts_of(tmp_path)["table_new.css"]) == written


def test_a_media_query_can_have_a_name(tmp_path: Path) -> None:
    (tmp_path / "names.css").write_text("@custom-media --low (max-height:9em);")
    (tmp_path / "rules.css").write_text("@media (--low) and (min-width:1em){a{color:var(--ai)}}")
    written = together(tmp_path, ("names.css", "rules.css")).decode().strip()
    assert written == "@media (max-height:9em) and (min-width:1em){a{color:var(--ai)}}"
    with pytest.raises(KeyError, match="--low"):
        together(tmp_path, ("rules.css",))


def test_a_phone_does_not_get_what_the_formatter_adds(tmp_path: Path) -> None:
    rules = 'a * [b="c"]{font:0.5em / 10.05 d;inset:calc(-0.5em * 2) calc(1em + 2px)}'
    (tmp_path / "rules.css").write_text(rules)
    short = "a * [b=c]{font:.5em/10.05 d;inset:calc(-.5em*2) calc(1em + 2px)}"
    assert together(tmp_path, ("rules.css",)).decode() == short


def selectors(*parts: str) -> list[str]:
    """Every selector of these style sheets, without quoted text and imports."""
    files = [STATIC / part for part in parts if part.endswith(".css")]
    rules = LEFT_OUT.sub("", "".join(file.read_text("utf-8") for file in files))
    return [one.strip() for found in RULE.findall(rules) for one in ALONE.split(found)]


def strays(table: list[str], pages: list[str], everywhere: list[str]) -> list[str]:
    """Selectors of a game's table that match elements of review pages drawn for another reason.

    They name a class that review pages style, and none that only tables of the game have.
    """
    shared = set(CLASS.findall(" ".join(everywhere)))
    taken = set(CLASS.findall(" ".join(pages))) - shared
    named = {one: set(CLASS.findall(one)) for one in table}
    return [one for one, classes in named.items() if classes & taken and classes <= taken | shared]


@pytest.mark.parametrize("name", STYLED)
def test_no_class_of_a_table_stands_for_something_else_on_pages_that_draw_it(name: str) -> None:
    """Both styles are in one sheet there: the grid of a review was once out of sight by that."""
    parts, plain = (parts_of(STATIC)[sheet] for sheet in (f"reading_{name}.css", "table.css"))
    own, everywhere = f"games/{name}/table.css", [part for part in plain if part in parts]
    pages = [part for part in parts if part not in (own, *everywhere)]
    places = [selectors(own), selectors(*pages), selectors(*everywhere)]
    assert all(places)
    assert strays(*places) == [], "these classes are taken: give them another name"


def test_a_class_that_is_taken_is_noticed() -> None:
    pages, everywhere = [".who-held td", ".said.held"], [".key", ".card"]
    table = [".pyr", ".pyr .held", ":is(.pyr,.lot) .held", ".held", ".held b", ".key .held"]
    assert strays(table, pages, everywhere) == [".held", ".held b", ".key .held"]


def test_large_text_makes_the_lengths_of_media_queries_larger(app: Flask) -> None:
    client = app.test_client()
    _sheet, plain = style(client, "/")
    client.set_cookie("text", "150")
    _sheet, large = style(client, "/")
    assert re.search(r"@media \(max-width: ?19\.9em\)", plain)
    assert re.search(r"@media \(max-width: ?29\.85em\)", large)
    assert re.sub(r"@media[^{]+", "", plain) == re.sub(r"@media[^{]+", "", large)
    address = str(one(soup(client.get("/")), "link[rel=stylesheet]")["href"])
    for other in ("1000", "<b>", ""):
        assert client.get(address.replace("text=150", f"text={other}")).text == plain


def test_a_crest_is_drawn_from_its_file_and_a_game_without_one_has_a_plain_one() -> None:
    sheet = together(STATIC, parts_of(STATIC)["pages.css"]).decode()
    drawn = dict(re.findall(r'\.m-(\w+)\{--crest:(url\(".*?"\))\}', sheet))
    assert set(drawn) == {name for name in GAMES if (STATIC / f"games/{name}/crest.svg").is_file()}
    plain = re.search(r':root ?\{\s*--crest: ?(url\(".*?"\));?\s*\}', sheet)
    assert plain
    assert len({plain[1], *drawn.values()}) == len(drawn) + 1
    pictures = {name: crests.crest(name) for name in (*drawn, "no_such_game")}
    assert len(set(pictures.values())) == len(drawn) + 1
    assert all(picture.startswith("<svg ") for picture in pictures.values())


def test_pictures_with_many_signs_have_the_height_of_a_sign() -> None:
    """WebKit rounds a width of many hundred per cent, and shows half of the sign beside it."""
    rules = {path.name: path.read_text("utf-8") for path in STATIC.rglob("*.css")}
    masks = [rule for text in rules.values() for rule in re.findall(r"mask:[^;}]*", text)]
    many = [rule for rule in masks if "--at" in rule]
    assert many
    assert all(rule.endswith("/ auto 100%") for rule in many), many


def test_vertical_names_in_tables_say_how_long_they_are() -> None:
    """WebKit gives vertical text in a cell no height of its own: each character became a line."""
    text = "".join(path.read_text("utf-8") for path in STATIC.rglob("*.css"))
    vertical = re.findall(r"thead span \{([^}]*writing-mode: vertical[^}]*)\}", text)
    assert vertical
    assert all("inline-size: max-content" in rule for rule in vertical), vertical


def test_nothing_sets_styles_that_the_policy_of_the_pages_forbids() -> None:
    """Neither as an attribute nor as an element; a script may not write one, either."""
    inline = re.compile(r"<style|\bstyle=|cssText|setAttribute\(.style")
    files = [*paths.shipped("templates").rglob("*.html"), *STATIC.rglob("*.svg")]
    files += [file for file in STATIC.rglob("*.js") if file.parent.name != "vendor"]
    assert len(files) > 100
    assert not [file.name for file in files if inline.search(file.read_text("utf-8"))]
