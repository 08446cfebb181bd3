"""Plays honest random matches and checks them against every law: `make soak GAME=… SECONDS=60`.

House rules, seats and cards of a match follow from its game and a number. A fault is printed with
the number and the record; `make soak GAME=… MATCH=NUMBER` plays that match again. Every second
match has players who lie; the law that nobody is refused or found guilty applies only to the
others. Every match has to end, whatever its number of seats.

A match without a fault is printed with the referee's answers as comments: after a check against the
rules, it is a playthrough.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

from referee.core.game import Game
from referee.core.log import Log
from referee.core.record import read
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games.simulation import player, table
from referee.kit import shipped
from referee.rulings.report import report
from tools import laws, pages
from tools.conventions import endings
from tools.laws import Match

FILES = {game.KEY: game for game in shipped.games().values()}
"""The game files that come with the program, by their keys."""
DEEP = 20_000  # recursion depth for comparing states, which contain their predecessors
HELD = 300  # entries of a match that are checked against the laws, since these examine every state
SHOWS = 0.01
LIES = 0.2


def longest(seats: int) -> int:
    """The entries after which a match counts as endless, far beyond the longest one."""
    return 20_000 + 500 * seats


def lies(number: int) -> float:
    """The chance of a lie in match ``number``."""
    return LIES if number % 2 else 0


def dealt(game: Game, number: int) -> tuple[Match, list[str]]:
    """Match ``number`` played to its end, and its faults: an exception, a refusal, no end."""
    header = laws.drawn(game, number)
    log = Log(game, table(game, header.seats, **header.options))
    found = Match(header, number, log)
    try:
        faults = list(played_out(log, number, longest(len(header.seats))))
        if not faults and not lies(number):
            faults += laws.honest_players_are_never_found_guilty(found)
    except Exception:  # any exception of a rule or a player is a fault to report
        faults = [traceback.format_exc()]
    return found, faults


def played_out(log: Log, number: int, most: int) -> Iterator[str]:
    """Push the entries of match ``number`` into ``log``; yields what stops it before its end.

    Liars may claim what is refused; no entry of an honest player may be.
    """
    for entry in player(log.game.NAME)(log, Random(number), lies(number), SHOWS):
        if len(log) == most:
            break
        verdict = log.push(entry)
        if isinstance(verdict, Illegal) and not lies(number):
            yield f"entry {len(log)} is refused: {verdict}"
            return
    if not log.game.outcome(log.state):
        yield f"not over after {len(log)} entries"


def broken(found: Match) -> Iterator[str]:
    """The faults of a match by the laws; of a long match only ``HELD`` entries are checked."""
    if len(found.log) > HELD:
        found = laws.match(found.header, found.seed, lies(found.seed), SHOWS, HELD)
    for law in laws.LAWS:
        try:
            for fault in law(found):
                yield f"{law.__name__}: {fault}"
        except Exception:
            yield f"{law.__name__}: {traceback.format_exc()}"


def soak(name: str, seconds: float) -> bool:
    """Play matches of the game ``name`` for ``seconds``; returns whether all are right.

    The laws get half of the time: if they are slow, they are checked for some matches only.
    """
    game = GAMES[name]
    ends: Counter[str] = Counter()
    first: dict[str, int] = {}
    clauses: set[str] = set()
    held = most = entries = 0
    spent = {"play": 0.0, "laws": 0.0}
    began = time.monotonic()
    for number in count():
        now = time.monotonic()
        if now - began >= seconds and number:
            break
        found, faults = dealt(game, number)
        spent["play"] += time.monotonic() - now
        if not faults and spent["laws"] <= spent["play"]:
            now = time.monotonic()
            faults = list(broken(found))
            held += 1
            spent["laws"] += time.monotonic() - now
        if faults:
            show(found, faults)
            return False
        ended = game.outcome(found.log.state)
        assert ended is not None
        lost = "a loser" if ended.losers else "nobody"
        winners = {0: lost, 1: "one winner"}.get(len(ended.winners), "several winners")
        ending = f"{ended.clause}, {winners}"
        ends[ending] += 1
        first.setdefault(ending, number)
        clauses.add(ended.clause)
        most = max(most, len(found.log))
        entries += len(found.log)
    print(f"{name}: {number:,} matches, {entries:,} entries, the longest match {most:,};")
    print(f"  {held:,} of them held against every law; no fault.")
    for ending, times in ends.most_common():
        print(f"  {times:>9,}  {ending}: MATCH={first[ending]}")
    for clause in sorted(endings(name) - clauses):
        print(f"          0  {clause}: not reached")
    return True


def soak_file(name: str, seconds: float) -> bool:
    """Play matches of a game file that comes with the program, every second one with liars."""
    game, faults, number = FILES[name], list[str](), 0
    ends: Counter[str] = Counter()
    began = time.monotonic()
    while not faults and (time.monotonic() - began < seconds or not number):
        found = laws.of_file(game, number, lies(number))
        ended = game.outcome(found.log.state)
        ends[ended.clause if ended else "no end"] += 1
        faults += [] if ended else [f"not over after {len(found.log)} entries"]
        faults += [] if lies(number) else laws.honest_players_are_never_found_guilty(found)
        early = laws.of_file(game, number, lies(number), HELD)
        faults += [f"{law.__name__}: {fault}" for law in laws.OF_FILES for fault in law(early)]
        number += 1
    for fault in faults:
        print(f"{name}, match {number - 1}: {fault}")
    print(f"{name}: {number:,} matches, {dict(ends)}{'' if faults else '; no fault.'}")
    return not faults


def show(found: Match, faults: list[str]) -> None:
    """Print the faults of a match and its record; without faults with the referee's answers."""
    name, number = found.header.game, found.seed
    for fault in faults:
        print(f"{name}, match {number}: {fault}")
    if faults:
        print(f"To play it again: make soak GAME={name} MATCH={number}\n")
    print(laws.record(found) if faults else answered(found))


def answered(found: Match) -> str:
    """The record of a match with the referee's answers as comments, as a playthrough has them."""
    text = laws.record(found)
    answer = report(read(text.encode(), GAMES), "en")
    head, _blank, entries = text.partition("\n\n")
    rows = zip(entries.splitlines(), answer["entries"], strict=True)
    lines = [f"{line}  # {row['verdict']} {row['clause']}" for line, row in rows]
    for each in answer["findings"]:
        proof = " ".join(map(str, each["proof"]))
        lines.append(f"# finding {each['seq']} {each['seat']} {each['clause']} by {proof}")
    totals = ", ".join(f"{seat} {points}" for seat, points in answer["score"].items())
    lines.append(f"# score {totals}")
    if ended := answer["outcome"]:
        lost = f"{', '.join(ended['losers'])} loses" if "losers" in ended else ""
        decided = lost or ", ".join(ended["winners"])
        lines.append(f"# outcome {decided} {ended['clause']}".replace("  ", " "))
    return "\n".join([head, "", *lines, ""])


def main() -> int:
    sys.setrecursionlimit(DEEP)
    parser = argparse.ArgumentParser(prog="tools.soak", description=__doc__)
    parser.add_argument(
        "game", nargs="?", choices=[*GAMES, *FILES], help="each in turn without one"
    )
    parser.add_argument(
        "--seconds", type=float, default=60, help="for each game, and for all files together"
    )
    parser.add_argument(
        "--match", type=int, help="play only this one and print its record with the answers"
    )
    parser.add_argument(
        "--pages", type=int, help="open all pages of so many matches in which people err"
    )
    parser.add_argument(
        "--records", type=Path, nargs="+", help="open all pages of these records (see tools/pages)"
    )
    asked = parser.parse_args()
    if asked.records:
        return 0 if pages.of_records(asked.records) else 1
    if asked.game in FILES:
        if asked.pages or asked.match is not None:
            parser.error("--match and --pages are for built-in games")
        return 0 if soak_file(asked.game, asked.seconds) else 1
    names = [asked.game] if asked.game else list(GAMES)
    if asked.pages:
        opened = [pages.soak(GAMES[name], asked.pages) for name in names]
        return 0 if all(opened) else 1
    if asked.match is None:
        soaked = [soak(name, asked.seconds) for name in names]
        soaked += (
            [] if asked.game else [soak_file(name, asked.seconds / len(FILES)) for name in FILES]
        )
        return 0 if all(soaked) else 1
    faults = []
    for name in names:
        found, faults = dealt(GAMES[name], asked.match)
        faults += broken(found)
        show(found, faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
