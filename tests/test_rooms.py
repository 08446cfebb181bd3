"""A game has one name, and what is its own lies in files whose paths bear this name.

Outside of them the name stands in the registry alone. And modules import each other in one
direction, in folders in which one still finds something.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader, meta

from referee.core.game import Game
from referee.games import GAMES

TOP = Path(__file__).parent.parent
ROOMS = ("referee", "templates", "static", "tools", "tests", "bench", "torture")
REGISTRY = "referee/games/__init__.py"
NOT_OURS = ("vendor", "translations", "__pycache__")
PICTURES = (".png", ".mp4", ".gz")
MANY = 40  # modules or templates in a folder

ENGLISH = {"pairs"}
OWN = ("referee/games/", "referee/kit/")
"""Where states and clauses of single games are at home."""

MODULE, CLASS, FUNCTION, POSITIONAL = 500, 400, 60, 8
"""The most lines of each, and the most arguments of a call that are not named."""
BY_PLACE = {"State", "Round", "Hands"}
"""Tuples that are made at every play: names of the fields would cost a tenth of its time."""


def texts() -> Iterator[tuple[str, str]]:
    """Every text of the folders but this one: its path from the top, and its content."""
    for room in ROOMS:
        for file in sorted((TOP / room).rglob("*")):
            ours = file.is_file() and not {*file.parts} & {*NOT_OURS}
            if ours and file.suffix not in PICTURES and file != Path(__file__):
                yield file.relative_to(TOP).as_posix(), file.read_text(encoding="utf-8")


def named(path: str, text: str) -> set[str]:
    """The games that ``text`` names as a word, of which ``path`` says nothing."""
    return {game for game in GAMES if game not in path and re.search(pattern(game), text)}


def pattern(game: str) -> str:
    """The pattern that counts as the name of ``game``.

    A name that is an English word counts where code means the game: quoted, in a path, imported. In
    a game file ``pack = "…"`` means the cards.
    """
    if game in ENGLISH:
        quoted = rf"""(?<!pack = )["']{game}["']"""
        return rf"{quoted}|/{game}/|games\.{game}\b|games import [^\n]*\b{game}\b"
    return rf"(?<![a-z_]){game}(?![a-z_])"


def test_a_games_name_stands_in_its_own_rooms_and_in_the_registry() -> None:
    found = {path: names for path, text in texts() if (names := named(path, text))}
    assert found.pop(REGISTRY) == set(GAMES), f"list every game in {REGISTRY}"
    assert found == {}, (
        f"these files name a game outside its rooms: {found}. Ask the registry (GAMES, HOOKS, a "
        "screen, tests/examples.py), or move them into a folder or a file with the game's name"
    )


def test_the_registry_has_one_line_a_game() -> None:
    lines = (TOP / REGISTRY).read_text(encoding="utf-8").splitlines()
    for game in GAMES:
        named = sum(bool(re.search(pattern(game), line)) for line in lines)
        assert named == 1, f"name {game} in one line of {REGISTRY}, not in {named}"


def test_a_name_is_found_as_a_word() -> None:
    game = next(name for name in GAMES if name not in ENGLISH)
    assert named("referee/ledger.py", f"from referee.games import {game}") == {game}
    assert named("static/css/app.css", f".in-trick .{game}.board") == {game}
    assert named("tests/test_ledger.py", f"un{game} {game}s") == set()
    assert named(f"tests/games/{game}/test_{game}.py", game) == set()


@cache
def modules() -> dict[str, Path]:
    """The modules of the program by their dotted names; a package is its ``__init__``."""
    found = {}
    for file in (TOP / "referee").rglob("*.py"):
        parts = file.relative_to(TOP).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


BY_NAME = {
    "referee.games": "referee.games.{}",
    "referee.games.simulation": "referee.games.{}.player",
    "referee.screens": "referee.screens.{}",
}
"""Modules that import others by the name of a game, and which."""


def imported(file: Path) -> set[str]:
    """The modules of the program that ``file`` names in any import: in functions, under conditions
    and for types alone, too. What is taken out of a package is the module of that name, if any.
    """
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: write the whole name, from referee.… import …"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules() else str(node.module))
    return found & modules().keys()


def test_modules_import_each_other_in_no_circle() -> None:
    graph = {name: imported(file) for name, file in modules().items()}
    for name, package in BY_NAME.items():
        assert "import_module" in modules()[name].read_text(encoding="utf-8")
        graph[name] |= {package.format(game) for game in GAMES} & graph.keys()
    order = TopologicalSorter(graph)
    try:
        order.prepare()
    except CycleError as circle:
        pytest.fail(
            f"modules import each other in a circle: {' → '.join(circle.args[1])}. Move what they "
            "share into a module that imports none of them, or hand it over as an argument"
        )


MAP = re.compile(r"^\| `referee/([a-z]+(?:\.py)?)/?` \|.*\| ([^|]+) \|$", re.MULTILINE)


def may_import() -> dict[str, set[str]]:
    """The map of docs/architecture.md: what each folder of the program may import."""
    page = (TOP / "docs" / "architecture.md").read_text(encoding="utf-8")
    nothing = "nothing else of the program"
    return {
        room: set() if cell == nothing else set(cell.replace("`", "").split(", "))
        for room, cell in MAP.findall(page)
    }


def test_the_map_says_what_each_folder_imports() -> None:
    """Nothing that it does not name, and nothing is named that is not imported."""
    allowed, used = may_import(), dict[str, set[str]]()
    assert len(allowed) > 12
    for name, file in modules().items():
        room = file.relative_to(TOP / "referee").parts[0]
        for other in imported(file) if room in allowed else ():
            path = modules()[other].relative_to(TOP / "referee").as_posix()
            if not path.startswith(room):
                known = [each for each in allowed[room] if path.startswith(each)]
                assert known, (
                    f"{name} imports {other}: the map in docs/architecture.md does not allow it. "
                    "Hand over what is needed, or move it below; change the map only if the "
                    "direction stays the same"
                )
                used.setdefault(room, set()).update(known)
    for room, others in allowed.items():
        assert others == used.get(room, set()), f"the map of referee/{room} names what is not used"


def test_an_import_is_found_wherever_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text(
        "from typing import TYPE_CHECKING\n"
        "from referee.core import log\n"
        "from referee.games import GAMES\n"
        "if TYPE_CHECKING:\n    from referee.core.game import Table\n"
        "def act():\n    import referee.ledger\n"
    )
    names = {"referee.core.log", "referee.games", "referee.core.game", "referee.ledger"}
    assert imported(file) == names


def test_a_class_is_found_by_its_name() -> None:
    """Games name their own plays and states alike; every other class has a name of its own."""
    places: dict[str, list[str]] = {}
    for module, file in modules().items():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module)
    assert len(places) > 100
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert shared, "the plays of games have the same names"
    twice = {
        name: found
        for name, found in shared.items()
        if not all(
            module.startswith(("referee.games.", "referee.kit.families.")) for module in found
        )
    }
    assert twice == {}, f"give these classes names by which one finds them: {twice}"


def taken(tree: ast.Module, packages: Collection[str]) -> set[tuple[str, str]]:
    """What a file takes from ``packages``: each with the name in it."""
    found, called = set(), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {(str(node.module), alias.name) for alias in node.names}
            inner = {
                alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names
            }
            called |= {name: package for name, package in inner.items() if package in packages}
    for node in ast.walk(tree) if called else ():
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add((called.get(node.value.id, ""), node.attr))
    return found


def test_what_a_package_hands_on_is_used() -> None:
    """Every name that it imports is used in it, by others, or is part of a game."""
    files = [file for room in ROOMS for file in (TOP / room).rglob("*.py")]
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}
    packages = {name: file for name, file in modules().items() if file.name == "__init__.py"}
    used = set().union(*(taken(tree, packages) for tree in trees.values()))
    found = []
    for package, file in packages.items():
        own = {node.id for node in ast.walk(trees[file]) if isinstance(node, ast.Name)}
        for node in trees[file].body:
            if isinstance(node, ast.ImportFrom) and node.module != "__future__":
                names = {alias.asname or alias.name for alias in node.names} - own
                if package.startswith("referee.games."):
                    names -= {*Game.__annotations__, *vars(Game)}
                found += [
                    f"{package}: {name}" for name in sorted(names) if (package, name) not in used
                ]
    assert found == [], f"nobody takes these names from their packages: {found}"


BY_STRING = {
    r"(get|has)attr\((\w+\.)*(state|before|after|start)\b": "the state of a game; make a hook",
    r"""(==|!=|\bin \(?)\s*["'][a-z]+\.\d+["']""": "a clause; give the line or fact a kind",
}
"""What generic code must not ask for by a string, and what to do instead."""


def test_generic_code_asks_for_nothing_of_single_games_by_a_string() -> None:
    for path, text in texts():
        if path.startswith(("referee/", "templates/")) and not path.startswith(OWN):
            for asked, instead in BY_STRING.items():
                found = re.search(asked, text)
                assert not found, f"{path} asks by a string for {instead}: {found}"


def test_files_of_tests_have_different_names() -> None:
    """They are imported by their names alone."""
    names = [file.name for file in (TOP / "tests").rglob("*.py") if file.name != "conftest.py"]
    twice = sorted({name for name in names if names.count(name) > 1})
    assert not twice, f"name these files by what they test: {twice}"


def test_no_folder_is_a_heap() -> None:
    for kind in ("*.py", "*.html"):
        folders = [file.parent for room in ROOMS for file in (TOP / room).rglob(kind)]
        assert folders
        for folder in set(folders):
            where = folder.relative_to(TOP)
            assert folders.count(folder) < MANY, (
                f"{where} has {folders.count(folder)} files {kind}: put those that belong together "
                "into a folder of their own"
            )


def too_long(file: Path) -> Iterator[str]:
    """What in ``file`` is longer than one reads at once."""
    where, text = file.relative_to(TOP / "referee").as_posix(), file.read_text(encoding="utf-8")
    if text.count("\n") > MODULE:
        yield f"{where} has more than {MODULE} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            most = CLASS if isinstance(node, ast.ClassDef) else FUNCTION
            if node.end_lineno - node.lineno >= most:
                yield f"{where}: {node.name} has more than {most} lines"
        elif isinstance(node, ast.Call) and len(node.args) > POSITIONAL:
            name = ast.unparse(node.func)
            if name not in BY_PLACE:
                yield f"{where}:{node.lineno} gives {name} more than {POSITIONAL} by place"


def test_nothing_is_longer_than_one_reads_at_once() -> None:
    found = [each for file in sorted((TOP / "referee").rglob("*.py")) for each in too_long(file)]
    assert found == [], "split these by what they are about, name the arguments: " + "; ".join(
        found
    )


def test_every_template_that_a_template_names_is_there() -> None:
    env = Environment(
        loader=FileSystemLoader(TOP / "templates"), extensions=["jinja2.ext.i18n", "jinja2.ext.do"]
    )
    there = set(env.list_templates())
    named = {
        (name, other)
        for name in there
        if name.endswith((".html", ".svg", ".txt", ".xml"))
        for other in meta.find_referenced_templates(
            env.parse((TOP / "templates" / name).read_text(encoding="utf-8"))
        )
        if other is not None  # its name is worked out at run time
    }
    assert len(named) > len(there) / 2, "a page names its frame at the least"
    assert {pair for pair in named if pair[1] not in there} == set()
