"""Random matches with planted revokes: is every proof certified, and every changed one refused?

    python -m tools.protocols --matches 1000 --seed 0

A changed certificate has one part that says something else; the hash of its protocol is put right,
so that only the argument can refuse it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

from referee.core.draws import Draws
from referee.core.game import Game
from referee.core.hands import Hands
from referee.core.log import Log
from referee.core.record import Grammar, Header, Record, read, write
from referee.games import GAMES
from referee.games.simulation import played, player, room_of, table
from referee.kit import shipped
from referee.kit.shipped import beside
from referee.protocol.document import hash_of, protocol
from tools import check_protocol

Protocol = dict[str, Any]

FILES = {game.KEY: game for game in shipped.games().values()}
ALL: dict[str, Game] = {**GAMES, **FILES}
MOST = 120  # entries of a match
UNCHANGED = ("deal", "record")
FAR = 5000  # in a list, another entry may show the same card and prove the same: this one is none


def declares(name: str) -> bool:
    """Whether plays of the game declare something about hands that later ones can refute."""
    start = Log(ALL[name], table(ALL[name], "ABCD"[: max(min(ALL[name].SEATS), 2)])).start
    return name in FILES or isinstance(getattr(start, "hands", None), Hands | Draws)


def made(record: Record) -> Protocol:
    """The protocol as it is after it was written and read."""
    found: Protocol = json.loads(json.dumps(protocol(record), ensure_ascii=False))
    return found


def of_lines(name: str, seats: str, lines: str) -> Protocol:
    """The protocol of a match with these entries, separated by semicolons."""
    named = {"kit": FILES[name].hash} if name in FILES else {}
    text = write(Header(name, tuple(seats.split()), {}, named=named), lines.split("; "))
    found = read(text.encode(), GAMES, lambda file: None, beside)
    assert isinstance(found, Record)
    return made(found)


def random_match(name: str, seed: int) -> Protocol:
    """The protocol of a match in which people err, and often claim the rest of the last deal."""
    game, rng = ALL[name], Random(f"{name} {seed}")
    seats = "ABCDEFG"[: rng.choice([n for n in game.SEATS if n > 1][:4])]
    lies, shows = rng.choice([0.1, 0.5]), rng.choice([0, 0.05])
    if name in GAMES:
        log = played(game, seats, seed, lies=lies, shows=shows, most=MOST)
    else:
        log = Log(game, table(game, seats))
        for play in islice(player(room_of(game))(log, Random(seed), lies, shows), MOST):
            log.push(play)
    grammar = Grammar(game, tuple(seats))
    lines = [grammar.print(entry) for entry in log.entries]
    if room_of(game) == "trick_taking" and rng.random() < 0.5:
        lines[rng.randrange(len(lines)) :] = [f"{rng.choice(seats)} rest"]
    return of_lines(name, " ".join(seats), "; ".join(lines))


def rehashed(found: Protocol) -> Protocol:
    """A protocol with its hash put right."""
    return {**found, "sha256": hash_of({**found, "sha256": ""})}


def refused(found: Protocol) -> bool:
    """Whether a protocol with its hash put right is refused, in part or as a whole."""
    try:
        return not all(good for good, _ in check_protocol.check(rehashed(found)))
    except (check_protocol.Unreadable, *check_protocol.BROKEN):
        return True


def changed(found: Protocol, number: int, rng: Random) -> tuple[Protocol, str]:
    """A protocol with one part of a certificate changed, and which one."""
    other = deepcopy(found)
    proof = other["certificates"][number]
    key = rng.choice([key for key in proof if key not in UNCHANGED])
    value = proof[key]
    proof[key] = value + rng.choice([-1, 1, 2]) if type(value) is int else _another(value, rng)
    return other, f"{key}: {proof[key]}"


def _another(value: Any, rng: Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + FAR
        case str():
            return value + "x"
        case [_, *_]:
            i = rng.randrange(len(value))
            return [*value[:i], _another(value[i], rng), *value[i + 1 :]]
        case dict() if value:
            return {**value, rng.choice(list(value)): ["?"]}
        case list():
            return [[1, "?"]]
    return None


def main() -> int:
    """Count, and name each certificate that is not as it should be; 1 if there is any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    names = [name for name in ALL if declares(name)]
    counts, faults = Counter[str](), 0
    for seed in range(asked.seed, asked.seed + asked.matches):
        name, rng = names[seed % len(names)], Random(seed)
        found = random_match(name, seed)
        for number, (good, says) in enumerate(check_protocol.check(found)):
            counts[found["certificates"][number]["argument"]] += 1
            other, what = changed(found, number, rng)
            for wrong, fault in ((not good, says), (not refused(other), what)):
                if wrong:
                    faults += 1
                    print(f"{name} {seed}, certificate {number}: {fault}")
    print(f"{asked.matches} matches, {counts.total()} certificates: {dict(counts)}")
    print(f"{faults} of them refused, or accepted with a change")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
