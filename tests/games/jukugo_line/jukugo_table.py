"""Records with the deck and words of the golden tests beside them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from referee.core.record import read
from referee.games import GAMES
from referee.jukugo.decks import write_deck
from referee.rulings.report import report

sys.path.append(str(Path(__file__).parents[2] / "jukugo"))
from fixture_deck import DECK, WORDS
from fixture_deck import LEXICON as LEXICON  # for the tests of this folder

FILES = {"deck.csv": write_deck(DECK), "words.txt": "\n".join(sorted(WORDS))}
HEAD = "referee: 1\n{kind}: jukugo_line\nseats: A B\ndeck: deck.csv\nwords: words.txt\n"


def judged(*lines: str, kind: str = "game", **options: str) -> dict[str, Any]:
    """The referee's answer to these lines."""
    head = HEAD.format(kind=kind) + "".join(f"option: {k}={v}\n" for k, v in options.items())
    source = read((head + "\n" + "\n".join(lines) + "\n").encode(), GAMES, FILES.get)
    return report(source, "en")


def verdicts(*lines: str, **options: str) -> list[str]:
    """Verdict and clause of each entry."""
    return [f"{row['verdict']} {row['clause']}" for row in judged(*lines, **options)["entries"]]


def last(*lines: str, **options: str) -> dict[str, Any]:
    """The answer to the last entry, which alone may be refused."""
    rows = judged(*lines, **options)["entries"]
    for row in rows[:-1]:
        assert row["verdict"] != "illegal", row
    return dict(rows[-1])


def moves(first: str, *columns: tuple[str, int, str]) -> list[str]:
    """A deal and placements in turn: each seat's cards, in the order in which they are placed.

    ``columns``: (seat, flag, cards); seats alternate as long as both have cards to place.
    """
    waiting = {
        seat: [(flag, card) for s, flag, cards in columns if s == seat for card in cards]
        for seat in "AB"
    }
    lines = [f"table deal leader={first}"]
    seat = first
    while any(waiting.values()):
        if waiting[seat]:
            flag, card = waiting[seat].pop(0)
            lines.append(f"{seat} place {flag} {card}")
        else:
            raise AssertionError(f"{seat} has nothing left to place")
        seat = "B" if seat == "A" else "A"
    return lines
