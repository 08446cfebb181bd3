"""The rules know nothing of the web, the disk, the clock or chance."""

from __future__ import annotations

import ast
from pathlib import Path

import referee

CODE = Path(referee.__file__).parent
ALLOWED = {"__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math"}
ALLOWED |= {"operator", "re", "string", "typing", "types", "unicodedata", "referee"}
ALLOWED |= {"bisect", "csv", "hashlib"}  # of texts, not of files
PURE = ("core", "games", "jukugo")
LIBRARY = {"gzip", "importlib"}  # for the one file that reads constants which come with the package
DOORS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}


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
                chance = name == "random.Random" and file.name == "player.py"  # no rule
                assert first in ALLOWED or shipped or chance, f"{file.name} imports {name}"
                assert first != "referee" or second in PURE, f"{file.name} imports {name}"


def test_rules_open_no_files_and_print_nothing() -> None:
    for folder in PURE:
        for file in modules(CODE / folder):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in DOORS, f"{file.name}:{node.lineno}"


def test_the_core_knows_no_game() -> None:
    for file in modules(CODE / "core"):
        assert not any(name.startswith("referee.games") for name in imports(file)), file.name


def test_the_store_knows_no_rule() -> None:
    for file in modules(CODE / "store"):
        names = {name for name in imports(file) if name.startswith("referee.")}
        assert all(name.startswith("referee.store") for name in names), file.name
