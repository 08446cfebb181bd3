"""Writes the folders of a minimal playable game, and registers it: `make new-game NAME=my_game`.

The files come from tools/new_game_template, whose tree is that of the checkout. In paths and texts
NEW_GAME becomes the name, NEW_TITLE a title, and NEW_RULING the letters of its rulings.
`make check-game NAME=my_game` then lists what is still to be written.
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEMPLATE = Path(__file__).parent / "new_game_template"
REGISTRY = Path("referee", "games", "__init__.py")
TAKEN = (
    "common",
    "families",
    "players",
    "simulation",
)  # folders and files beside the games, and a book


def filled(text: str, name: str) -> str:
    """``text`` of the template, a path or a file, for the game ``name``."""
    words = name.split("_")
    named = {
        "NEW_GAME": name,
        "NEW_TITLE": " ".join(words).capitalize(),
        "NEW_RULING": "".join(word[:1] for word in words).upper(),
    }
    return re.sub("NEW_(GAME|TITLE|RULING)", lambda match: named[match[0]], text)


def files(name: str) -> dict[Path, str]:
    """The files of the game ``name``: paths from the top of the checkout → their contents."""
    return {
        Path(filled(str(file.relative_to(TEMPLATE)), name)): filled(
            file.read_text(encoding="utf-8"), name
        )
        for file in sorted(TEMPLATE.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }


def listed(registry: str, name: str) -> str:
    """The text of the registry with a line for ``name`` at the end of NAMES.

    Raises ValueError if the registry does not have the expected form.
    """
    names = re.search(r'^NAMES = \(\n((?:    "\w+",\n)+)\)$', registry, re.M)
    if not names:
        raise ValueError(f"{REGISTRY} does not list one game a line: list {name} there by hand")
    return registry[: names.end(1)] + f'    "{name}",\n' + registry[names.end(1) :]


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.new_game", description=__doc__)
    parser.add_argument("name", help="small letters, digits and _, such as high_card")
    name = parser.parse_args().name
    if not re.fullmatch("[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        parser.error(f"{name}: write small letters and digits, with _ between words")
    if name in TAKEN or (ROOT / "referee" / "games" / name).exists():
        parser.error(f"{name}: this name is taken")
    registry = listed((ROOT / REGISTRY).read_text(encoding="utf-8"), name)
    for path, text in files(name).items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, encoding="utf-8")
        print(f"wrote {path}")
    (ROOT / REGISTRY).write_text(registry, encoding="utf-8")
    print(f"listed {name} in {REGISTRY}")
    print(f"What is left to be written: make check-game NAME={name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
