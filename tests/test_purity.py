"""The rules know nothing of the web, the disk, the clock or chance."""

from __future__ import annotations

import ast
from pathlib import Path

import referee

CODE = Path(referee.__file__).parent
ALLOWED = {"__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math"}
ALLOWED |= {
    "operator",
    "re",
    "string",
    "typing",
    "typing_extensions",
    "types",
    "unicodedata",
    "referee",
}
# of texts and numbers, not of files
ALLOWED |= {"bisect", "csv", "decimal", "difflib", "fractions", "hashlib"}
ALLOWED |= {"typing_extensions"}  # types that ``typing`` has from a later Python on
PURE = ("core", "games", "jukugo", "kit/text", "kit/families")
LIBRARY = {"gzip", "importlib"}  # for the one file that reads constants which come with the package
# Files that play matches out, by the end of their names.
SIMULATED = ("player", "players", "simulation")
NORMAL_FORMS = "referee.core.normalised"  # of texts that strangers send; no rule
DOORS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}


HAND_OVER = "let the caller hand over what they need"


def imports(file: Path) -> set[str]:
    """Modules that ``file`` names, in functions and under conditions, too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def modules(folder: Path) -> list[Path]:
    found = list(folder.rglob("*.py"))
    assert found, folder
    return found


def test_rules_import_nothing_that_could_surprise() -> None:
    for folder in PURE:
        for file in modules(CODE / folder):
            for name in imports(file):
                first, second = (*name.split("."), "")[:2]
                shipped = first in LIBRARY and file == CODE / "jukugo" / "library.py"
                by_name = file.parent == CODE / "games" and file.stem in ("__init__", "simulation")
                found = first == "importlib" and by_name
                dealt = name == "random.Random" and file.stem.endswith(SIMULATED)
                fault = f"{file.relative_to(CODE)} imports {name}: rules are pure, {HAND_OVER}"
                assert first in ALLOWED or shipped or found or dealt, fault
                assert first != "referee" or second in ("core", "games", "jukugo", "kit"), fault


def test_rules_open_no_files_and_print_nothing() -> None:
    for folder in PURE:
        for file in modules(CODE / folder):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    where = f"{file.relative_to(CODE)}:{node.lineno}"
                    assert node.func.id not in DOORS, (
                        f"{where} calls {node.func.id}: rules are pure, {HAND_OVER}"
                    )


def test_all_chance_comes_from_a_seed() -> None:
    """``Random()`` would take its seed from the system."""
    made = [
        (file.name, node)
        for folder in PURE
        for file in modules(CODE / folder)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Random"
    ]
    assert made
    for name, node in made:
        assert node.args, f"{name}:{node.lineno}: give Random a seed, so that it can be repeated"


def test_the_core_knows_no_game() -> None:
    for file in modules(CODE / "core"):
        games = {name for name in imports(file) if name.startswith("referee.games")}
        assert not games, f"{file.name} imports {games}: ask a hook of Game instead"


def test_the_store_knows_no_rule() -> None:
    for file in modules(CODE / "store"):
        names = {name for name in imports(file) if name.startswith("referee.")}
        others = {name for name in names if not name.startswith(("referee.store", NORMAL_FORMS))}
        assert not others, f"{file.name} imports {others}: let referee/ledger bring both together"


def test_screens_name_the_state_and_the_plays_that_they_read() -> None:
    """``View`` alone would stand for any game, and no misspelling would be found."""
    screens = [file for file in modules(CODE / "screens") if "check" not in file.stem]
    screens.remove(CODE / "screens" / "__init__.py")  # it finds the screen of any game
    generic = {"Game", "Log", "Moment", "Screen", "Step", "View"}
    for file in [*screens, CODE / "core" / "game.py"]:
        assert "typing.Any" not in imports(file), f"{file}: name the state and the plays, not Any"
        tree = ast.parse(file.read_text(encoding="utf-8"))
        named = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in generic:
                assert id(node) in named, (
                    f"{file}:{node.lineno}: say of which game, {node.id}[State, Play]"
                )
