"""Examples of a file that do not come out as their author wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.record import Grammar, Unreadable
from referee.core.verdict import Illegal, Legal, Verdict
from referee.kit.chapters.deck import listed, table
from referee.kit.game import KitGame
from referee.kit.scored import ScoredState
from referee.kit.text.faults import FilePosition, Path, Wrong, dotted
from referee.kit.text.toml import Value

EXAMPLE_KEYS = frozenset(
    ("name", "seats", "options", "lines", "says", "score", "next", "winners", "findings")
)


VERDICTS = ("legal", "illegal", "unprovable")


def that_fail(game: KitGame) -> Iterator[Wrong]:
    """Examples of the file that do not come out as their author wrote."""
    for i, row in enumerate(listed(game.document.values.get("example"))):
        at: Path = ("example", i)
        place = game.document.keys.get((*at, "lines")) or game.document.keys.get(at)
        yield from _example(game, table(row), place or FilePosition(1, 1), at)


def _example(
    game: KitGame, row: Mapping[str, Value], place: FilePosition, at: Path
) -> Iterator[Wrong]:
    path = dotted(at)
    written = row.get("seats")
    seats = tuple(written.split()) if isinstance(written, str) else ()
    options = {key: str(value) for key, value in table(row.get("options")).items()}
    for name in sorted(row.keys() - EXAMPLE_KEYS):
        near = get_close_matches(name, EXAMPLE_KEYS, 1)
        fact = "kit_no_key_near" if near else "kit_no_key"
        values = {"near": (near or [""])[0], "known": sorted(EXAMPLE_KEYS)}
        yield Wrong(fact, place, path, key=f"{path}.{name}", **values)
    for key in ("options", "says", "score", "findings"):
        if key in row and not isinstance(row[key], dict):
            yield Wrong("kit_table_expected", place, f"{path}.{key}")
            return
    lines = row.get("lines")
    if not isinstance(lines, list) or not lines:
        yield Wrong("kit_list", place, f"{path}.lines")
        return
    if len(seats) not in game.SEATS or len(set(seats)) < len(seats):
        yield Wrong("kit_example_seats", place, path, seats=seats or _shown(written or ""))
        return
    for name, value in options.items():
        if name not in game.OPTIONS or value not in game.OPTIONS[name].values:
            yield Wrong("kit_no_option", place, path, key=dotted((name, value)))
            return
    one = Table(seats, options, {**COMMON_OPTIONS, **game.OPTIONS})
    try:
        state = _after_lines(game, one, lines, table(row.get("says")), place, at)
    except Wrong as fault:
        yield fault
        if isinstance(fault.__cause__, Wrong):
            yield fault.__cause__
        return
    ended = game.outcome(state)
    found: dict[str, object] = {
        "score": dict(game.score(state).totals),
        "next": " ".join(game.to_act(state)[:1]),
        "winners": " ".join(ended.winners) if ended else "",
        "findings": {str(f.at): str(f.proof[-1]) for f in game.audit(state)},
    }
    for key, came in found.items():
        right = row.get(key)
        if isinstance(right, list):
            right = " ".join(map(str, right))
        if right is not None and right != came:
            texts = {"what": key, "found": _shown(came), "expected": _shown(right)}
            yield Wrong("kit_example", place, path, key=path, **texts)


def _shown(value: object) -> str:
    """A result of an example as a reader writes it: "A 3, B 0", or "–" for nothing."""
    if isinstance(value, Mapping):
        value = ", ".join(f"{key} {part}" for key, part in value.items())
    return str(value) if value != "" else "–"


def _after_lines(
    game: KitGame,
    one: Table,
    lines: Sequence[Value],
    said: Mapping[str, Value],
    begin: FilePosition,
    at: Path,
) -> ScoredState:
    """The state after the lines of an example; raises ``Wrong`` at the first line that cannot be
    read, or whose verdict is another than the example says.
    """
    path = dotted(at)
    grammar = Grammar(game, one.seats)
    state: ScoredState = game.setup(one)
    says = {key: str(value) for key, value in said.items()}
    for key, word in says.items():
        if word not in VERDICTS or key not in map(str, range(1, len(lines) + 1)):
            raise Wrong("kit_example_says", begin, path, key=key, verdict=word, words=VERDICTS)
    for number, line in enumerate(map(str, lines), 1):
        place = game.document.begins.get((*at, "lines", number - 1), begin)
        try:
            play = grammar.parse(line)
        except Unreadable as fault:
            raise Wrong(fault.fact, place, path, **fault.values) from None
        if not isinstance(play, game.PLAYS):  # a correction, a sheet, the end of a match
            subject, verb = line.split()[:2]
            raise Wrong("read_verb", place, path, subject=subject, verb=verb)
        verdict = game.judge(state, play)
        word = {Legal: "legal", Illegal: "illegal"}.get(type(verdict), "unprovable")
        expected = says.get(str(number), "legal")
        if word != expected:
            values = {"text": line, "number": number, "verdict": word, "expected": expected}
            raise Wrong("kit_refused", place, path, **values) from _why(verdict, place, path)
        if word != "illegal":
            state = game.apply(state, play)
    return state


def _why(verdict: Verdict, place: FilePosition, path: str) -> Wrong | None:
    """The reason of an illegal play in an example, as a fault at its place; None for others."""
    if not isinstance(verdict, Illegal):
        return None
    last = verdict.evidence[-1]
    values = dict(last.values)
    if "rule" in values:  # the sentence of a clause of the game
        values["rule"] = "bid.forbid"
    return Wrong(last.fact, place, path, **values)
