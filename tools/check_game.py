"""Lists what a game lacks: `make check-game NAME=…`; every game without a name.

NAME is the folder of a built-in game, or the key of a game file that comes with the program.

Exit status 1 while anything is missing.
"""

from __future__ import annotations

import argparse
import sys

from referee.games import GAMES
from referee.kit import shipped
from tools.conventions import REGISTRY, ROOT, RULES, missing, missing_of_file


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.check_game", description=__doc__)
    parser.add_argument("name", nargs="?", help="the folder or the key of the game")
    name = parser.parse_args().name
    files = {game.KEY: game for game in shipped.games().values()}
    if name and name not in GAMES and name not in files:
        if (ROOT / RULES / name).is_dir():
            print(f"List {name} in NAMES of {REGISTRY}.")
        else:
            print(f"There is no game {name}. Make one: make new-game NAME={name}")
        return 1
    names = [name] if name else [*GAMES, *files]
    lacking = {
        each: missing_of_file(files[each]) if each in files else missing(each) for each in names
    }
    for game, sentences in lacking.items():
        print(f"{game}: {len(sentences) or 'nothing'} missing")
        for sentence in sentences:
            print(f"  {sentence}")
    return 1 if any(lacking.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
