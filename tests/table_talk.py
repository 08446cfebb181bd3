"""Records that carry the expected answers as comments.

    A lay 7        # unprovable follow.2
    # finding 6 D follow.2 by 9
    # to act B C
    # score A 16, B 8
    # outcome A, C tie.1

The comment after an entry is the verdict (``undone`` for none) and the clause that the whole
record gives it. Comment lines speak of the table as it stands there, findings of the end of the
record: all of them are given, or there is none. Anything else is for people.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from referee.core.log import Log
from referee.core.record import Record, TallyFile, read
from referee.core.steps import depth
from referee.core.verdict import Card, Seat
from referee.games import GAMES
from referee.kit.shipped import beside
from referee.rulings.report import replay, report

GAMES_OF_TEXT = Path(__file__).parent / "games"

SAID = re.compile(r"(legal|illegal|unprovable|undone)\b ?(\S*)(?:  .*)?")


def check(text: str) -> dict[str, Any]:
    """Compare a record with the answers in its comments; returns the referee's answer as JSON."""
    answer: dict[str, Any] = json.loads(json.dumps(report(recorded(text), "en")))
    lines = text.split("\n")
    body = lines[lines.index("") :] if "" in lines else []
    answers = [line.partition(" # ")[2] for line in body if line and not line.startswith("#")]
    assert len(answers) == len(answer["entries"])
    for row, expected in zip(answer["entries"], answers, strict=True):
        match = SAID.fullmatch(expected.strip())
        if match:
            found = f"{row['verdict'] or 'undone'} {row['clause'] or ''}".strip()
            assert found == f"{match[1]} {match[2]}".strip(), row
        else:
            assert not expected, f"no answer: {expected}"
    findings = answer["findings"]
    for i, line in enumerate(lines):
        if i > len(lines) - len(body) and re.match("# (to act|score|outcome|public)", line):
            so_far = report(recorded("\n".join(lines[:i])), "en")
            compare(so_far, *line[1:].strip().split(maxsplit=1))
    found = [f"# finding {f['seq']} {f['seat']} {f['clause']} by {by(f)}" for f in findings]
    assert found == [line for line in body if line.startswith("# finding")]
    return answer


def recorded(text: str) -> Record | TallyFile:
    """The record that ``text`` is; game files are those that come with the program."""
    return read(text.encode(), GAMES, lambda name: None, beside)


def compare(answer: dict[str, Any], what: str, rest: str = "") -> None:
    """One answer about the standing so far."""
    if what == "to":
        assert answer["to_act"] == rest.split()[1:]
    elif what == "score":
        assert answer["score"] == {
            seat: json.loads(points)
            for seat, points in (part.rsplit(maxsplit=1) for part in rest.split(", "))
        }
    elif what == "outcome":
        assert outcome(answer) == rest
    else:
        assert answer["public"] == json.loads(rest)


def by(finding: dict[str, Any]) -> str:
    return " ".join(map(str, finding["proof"]))


def outcome(answer: dict[str, Any]) -> str:
    """``A, C tie.1``, ``B loses lose.1``, the clause alone if nobody wins or loses, or ``open``."""
    ended = answer["outcome"]
    if not ended:
        return "open"
    if "losers" in ended:
        return f"{', '.join(ended['losers'])} loses {ended['clause']}"
    return f"{', '.join(ended['winners'])} {ended['clause']}".strip()


def head(game: str, seats: str, **options: str) -> str:
    """The header of a record, and the line of its first deal, led by the first seat."""
    rules = "".join(f"option: {key}={value}\n" for key, value in options.items())
    leader = seats.split()[0]
    return f"referee: 1\ngame: {game}\nseats: {seats}\n{rules}\ntable deal leader={leader}\n"


def tricks(text: str) -> str:
    """``A4 B7`` or ``table deal`` a line becomes entry lines."""
    lines = []
    for line in map(str.strip, text.strip().split("\n")):
        if line.startswith("#"):
            lines.append(line)
            continue
        line, _, answer = line.partition("#")
        words = line.split()
        if not words or words[0] == "table" or words[1:2] in (["lay"], ["show"]):
            lines.append(f"{line.strip()} # {answer.strip()}" if answer else line.strip())
            continue
        plays = [re.fullmatch(r"(\D+)(\d+)", word) for word in words]
        lines += [f"{play[1]} lay {play[2]}" for play in plays if play]
    return "\n".join(lines) + "\n"


def playthrough(game: str, name: str) -> Log:
    """The log of ``games/<game>/playthroughs/<name>.txt``."""
    record = read((GAMES_OF_TEXT / game / "playthroughs" / f"{name}.txt").read_bytes(), GAMES)
    assert isinstance(record, Record)
    return replay(record)


def led(log: Log) -> list[tuple[Seat, Card]]:
    """The cards that lead tricks with their seats, in order; refused plays lead nothing."""
    found = []
    for step in log.steps():
        card = log.game.HOOKS.led(step.before.state if step.before else log.start, step.play)
        if card is not None and step.depth > depth(step.before):
            found.append((step.play.seat, card))
    return found
