"""A game that `make new-game` writes plays, and `make check-game` lists what it still lacks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.games import GAMES
from tools import conventions, new_game

ROOT = conventions.ROOT
PAGES = 60  # are looked at, at least
NAME = "high_card"
COPIED = ("referee", "templates", "static", "tests", "tools", "docs", "deploy")
PLAY = f"""
import pathlib, re, sys
from referee.app import create_app
app = create_app(pathlib.Path(sys.argv[1]))
phone = app.test_client()
form = {{"game": "{NAME}", "name": ["A", "B"], "leader": "A"}}
table = phone.post("/new", data=form).location
for line in ("A lay 3", "B lay 4", "B lay 5", "A lay 6", "A lay 7", "B lay 8", ""):
    page = phone.get(table).text
    if line:
        assert f'value="{{line}}"' in page, (line, page)
        names = ("seen", "key")
        hidden = {{name: re.search(f'name="{{name}}" value="(.*?)"', page)[1] for name in names}}
        answer = phone.post(f"{{table}}/play", data={{"line": line, **hidden}})
        assert answer.status_code in (200, 303), answer.text
assert "in-end" in page
for path in ("/log", "/score", "/record.txt", "/rules"):
    assert phone.get(table + path).status_code == 200, path
found = [table, "/rules/{NAME}", "/rules/{NAME}/lab"]
paths = ("e/2", "e/4", "review/1", "what-if/3", "contest/3", "suspects?line=A lay 3")
found += [f"{{table}}/{{path}}" for path in paths]
for path in found:  # grows: every page of the match and of the game that these lead to
    answer = phone.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    links = re.findall('(?:href|hx-get)="([^"#]*)', answer.text)
    more = {{link.replace("&amp;", "&") for link in links}} - {{*found}}
    own = sorted(link for link in more if link.startswith(table) or "{NAME}" in link)
    found += own if len(found) < {PAGES} else []
assert len(found) >= {PAGES}
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with a new game in it."""
    top = tmp_path_factory.mktemp("copy")
    leave = shutil.ignore_patterns("__pycache__", "upgrades")
    for name in COPIED:
        shutil.copytree(ROOT / name, top / name, ignore=leave)
    for file in (*ROOT.glob("*.md"), ROOT / "babel.cfg", ROOT / "pyproject.toml"):
        shutil.copy(file, top)
    made = run(top, "-m", "tools.new_game", NAME)
    assert made.returncode == 0, made.stdout
    return top


def run(top: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python on the copy, which must not find the tree that it was copied from."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=top,
        env={**os.environ, "PYTHONPATH": str(top)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_the_tests_of_every_game_pass(copy: Path, request: pytest.FixtureRequest) -> None:
    files = ["test_every_game.py", "test_playthroughs.py", "test_rulings.py", f"games/{NAME}"]
    if request.config.getoption("--every-cell"):  # nine minutes
        files += ["core", "history", "insight", "web"]  # none may take for granted what is optional
    pytest_ = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", NAME)
    ran = run(copy, *pytest_, *(f"tests/{file}" for file in files))
    assert ran.returncode == 0, ran.stdout
    assert f"test_{NAME}" not in ran.stdout  # no failure is listed
    for law in (
        ("-m", "tools.soak", "--match", "1", NAME),
        ("-m", "tools.soak", "--match", "2", NAME),
    ):
        ran = run(copy, *law)
        assert ran.returncode == 0, ran.stdout


def test_its_table_plays_and_its_pages_open(copy: Path, tmp_path: Path) -> None:
    played = run(copy, "-c", PLAY, str(tmp_path))
    assert played.returncode == 0, played.stdout


def test_its_code_is_clean(copy: Path) -> None:
    pytest.importorskip("ruff")
    where = [f"{room}/{NAME}" for room in ("referee/games", "tests/games")]
    for tool in (("ruff", "check"), ("ruff", "format", "--check")):
        checked = run(copy, "-m", *tool, *where, str(new_game.REGISTRY))
        assert checked.returncode == 0, checked.stdout


def test_its_rules_have_the_types_of_a_game(copy: Path) -> None:
    pytest.importorskip("mypy")
    checked = run(copy, "-m", "mypy", "--strict", f"referee/games/{NAME}")
    assert checked.returncode == 0, checked.stdout


def test_check_game_lists_all_that_is_left_to_be_written(copy: Path) -> None:
    stale = copy / "tests/games" / NAME / "playthroughs/stale.txt"
    stale.write_text(f"referee: 1\ngame: {NAME}\nseats: A B\n\ntable deal up=3  # legal deal.3\n")
    checked = run(copy, "-m", "tools.check_game", NAME)
    stale.unlink()
    assert checked.returncode == 1
    first, *rest = checked.stdout.splitlines()
    assert first == f"{NAME}: {len(rest)} missing"
    assert [line for line in rest if "playthroughs/stale.txt again" in line and "line 5" in line]
    marked = sum(
        any(mark in line for mark in conventions.MARK.values())
        for text in new_game.files(NAME).values()
        for line in text.split("\n")
    )
    assert sum("to be written)" in line or "（未記入）" in line for line in rest) == marked
    assert sum(f"static/games/{NAME}/share.png" in line for line in rest) == 1
    assert not [line for line in rest if "[[clause]]" in line or "Define" in line], rest


def test_check_game_names_what_a_row_of_the_book_lacks(copy: Path) -> None:
    book = copy / "referee/games" / NAME / "book.toml"
    whole = book.read_text(encoding="utf-8")
    option = '[[option]]\nkey = "limit"\nja = "点"\nen = "Points"\n'
    book.write_text(whole.replace("[fact]", option + "[fact]"), encoding="utf-8")
    checked = run(copy, "-m", "tools.check_game", NAME)
    book.write_text(whole, encoding="utf-8")
    where = f"referee/games/{NAME}/book.toml"
    lacking = [f"  Write {key} in [[option]] limit of {where}." for key in ("ruling", "choice")]
    assert checked.stdout.splitlines() == [f"{NAME}: 2 missing", *lacking]


def test_check_game_names_a_game_that_is_not_there(copy: Path) -> None:
    checked = run(copy, "-m", "tools.check_game", "no_such_game")
    assert checked.returncode == 1
    assert "make new-game NAME=no_such_game" in checked.stdout


@pytest.mark.parametrize("name", ["High", "9lives", "class", "a__b", "common", next(iter(GAMES))])
def test_a_name_that_cannot_be_is_refused(copy: Path, name: str) -> None:
    made = run(copy, "-m", "tools.new_game", name)
    assert made.returncode == 2
    assert f"{name}:" in made.stdout


def test_a_game_is_listed_in_its_place() -> None:
    registry = (ROOT / new_game.REGISTRY).read_text(encoding="utf-8")
    listed = new_game.listed(registry, NAME)
    added = [line.strip() for line in listed.splitlines()]
    for line in registry.splitlines():
        added.remove(line.strip())
    assert added == [f'"{NAME}",']
    with pytest.raises(ValueError, match="by hand"):
        new_game.listed("NAMES = ()\n", NAME)


@pytest.mark.parametrize("name", list(GAMES))
def test_a_game_that_is_listed_is_finished(name: str) -> None:
    missing = conventions.missing(name)
    assert not missing, "\n".join(missing)
