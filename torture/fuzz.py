"""Bad input: mutated records for the parser and the referee.

Mutation works on whole tokens as well as on bytes, so that many inputs get past the grammar and
reach the rules. What is looked for: an exception that is not a clear refusal, an answer that takes
too long. For requests see ``visitors``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

from referee.core.record import Grammar, Record, Unreadable, read
from referee.games import GAMES
from referee.rulings.report import report

SLOW = 2.0  # seconds of processor time; a session is judged in a fraction of it
NASTY = (
    *(
        "",
        " ",
        "\n",
        "0",
        "-1",
        "1",
        "7",
        "99999999999999999999",
        "1e9",
        "٣",
        "１２",
        "NaN",
        "null",
    ),
    *("A", "あかね", "table", "<script>alert(1)</script>", "\"'><b>", "{{7*7}}", "%00", "\x00"),
    *("\x1b[2J", "\u202eabc", "\u200b", "\ud800", "👩‍👩‍👧", "é" * 300, "長" * 10_000),
    *("../../etc/passwd", "' OR 1=1 --", "a\r\nX: y", "lay 7", "A lay 7", "table rewind 0"),
    *("table rule 1 stands", "table amend 1 A lay 1"),
)


class Report(NamedTuple):
    """The number of inputs, how many of them were accepted, and the faults found."""

    inputs: int
    taken: int
    faults: list[str]


# ---- records


def records(seeds: Sequence[str], inputs: int, seed: int) -> Report:
    """``inputs`` mutations of the records ``seeds``, read and, where they can be read, judged."""
    rng = Random(seed)
    tokens = tokens_of(seeds)
    taken, faults = 0, list[str]()
    for number in range(inputs):
        source = mutated(rng.choice(seeds), tokens, rng)
        began = process_time()
        try:
            taken += judged(source, rng.choice(("ja", "en")))
        except Exception as fault:
            faults.append(f"record {number} of seed {seed}: {fault!r} for {source[:300]!r}")
        if process_time() - began > SLOW:
            faults.append(f"record {number} of seed {seed} is slow: {source[:300]!r}")
    return Report(inputs, taken, faults)


def judged(source: bytes, lang: str = "ja") -> bool:
    """Whether ``source`` is a record, which the referee has then judged."""
    try:
        report(read(source, GAMES), lang)
    except Unreadable:
        return False
    return True


def can_be_read(source: bytes) -> bool:
    """Whether ``source`` is a record."""
    try:
        read(source, GAMES)
    except Unreadable:
        return False
    return True


def tokens_of(texts: Iterable[str]) -> list[str]:
    """The words of ``texts`` and some difficult ones, for mutations."""
    return sorted({token for text in texts for token in text.split()}) + list(NASTY)


def mutated(text: str, tokens: Sequence[str], rng: Random) -> bytes:
    """A mutation of the record ``text`` with words of ``tokens``."""
    lines = text.splitlines()
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(lines) + 1)
        line = lines[at] if at < len(lines) else ""
        match rng.randrange(8):
            case 0:
                lines[at : at + 1] = []
            case 1:
                lines.insert(at, line)
            case 2:
                lines.insert(at, rng.choice(lines) if lines else "")
            case 3 | 4 | 5:
                words = line.split(" ")
                place = rng.randrange(len(words))
                words[place : place + rng.randrange(2)] = [rng.choice(tokens)]
                lines[at : at + 1] = [" ".join(words)]
            case 6:
                cut = rng.randrange(len(line) + 1)
                lines[at : at + 1] = [line[:cut]]
            case 7:
                other = rng.randrange(len(lines) + 1)
                lines = lines[: min(at, other)] + lines[max(at, other) :]
    source = "\n".join(lines).encode("utf-8", "surrogatepass")
    if source and rng.random() < 0.2:
        place = rng.randrange(len(source))
        source = source[:place] + rng.randbytes(rng.randrange(4)) + source[place + 1 :]
    return source


# ---- lines


def lines(seeds: Sequence[str], inputs: int, seed: int) -> Report:
    """``inputs`` mutated lines for the parser of entries alone, which is many times faster."""
    rng, plays = Random(seed), Lines(seeds)
    taken, faults = 0, list[str]()
    for number in range(inputs):
        which = rng.randrange(len(plays.grammars))
        line = plays.mutated(rng.choice(plays.texts[which]), rng)
        try:
            taken += plays.survives(which, line)
        except Exception as fault:
            faults.append(f"line {number} of seed {seed}: {fault!r} for {line[:300]!r}")
    return Report(inputs, taken, faults)


class Lines:
    """The entries of the records ``seeds``, each with the grammar of its table."""

    def __init__(self, seeds: Sequence[str]) -> None:
        sources = [read(text.encode(), GAMES) for text in seeds]
        records = [source for source in sources if isinstance(source, Record)]
        self.grammars = [Grammar(GAMES[r.header.game], r.header.seats) for r in records]
        self.texts = [[entry.text for entry in record.entries] for record in records]
        self._tokens = tokens_of(text for texts in self.texts for text in texts)

    def mutated(self, line: str, rng: Random) -> str:
        """A mutation of ``line``."""
        words = line.split(" ")
        for _ in range(rng.choice((1, 1, 2, 3))):
            place = rng.randrange(len(words) + 1)
            words[place : place + rng.randrange(3)] = [rng.choice(self._tokens)] * rng.randrange(2)
        return " ".join(words)

    def survives(self, which: int, line: str) -> bool:
        """Whether grammar ``which`` accepts ``line``; raises ``ValueError`` if it then prints
        another one.
        """
        grammar = self.grammars[which]
        try:
            entry = grammar.parse(line)
        except Unreadable:
            return False
        if grammar.parse(grammar.print(entry)) != entry:
            raise ValueError("this is not what it prints")
        return True


def seeds(folder: Path) -> list[str]:
    """The records below ``folder`` that are read without a game file, to mutate."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.txt")))
    return [text for text in texts if "\nkit: " not in text]
