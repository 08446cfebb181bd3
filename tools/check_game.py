"""Lists what a game lacks: `make check-game NAME=…`; every game without a name.

Exit status 1 while anything is missing.
"""

from __future__ import annotations

import argparse
import sys

from referee.games import GAMES
from tools.conventions import REGISTRY, ROOT, RULES, missing


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.check_game", description=__doc__)
    parser.add_argument("name", nargs="?", help="the folder of the game")
    name = parser.parse_args().name
    if name and name not in GAMES:
        if (ROOT / RULES / name).is_dir():
            print(f"List {name} in NAMES of {REGISTRY}.")
        else:
            print(f"There is no game {name}. Make one: make new-game NAME={name}")
        return 1
    lacking = {game: missing(game) for game in ([name] if name else GAMES)}
    for game, sentences in lacking.items():
        print(f"{game}: {len(sentences) or 'nothing'} missing")
        for sentence in sentences:
            print(f"  {sentence}")
    return 1 if any(lacking.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
