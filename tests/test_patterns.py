"""No regular expression does more than linear work: a stranger chooses the text that it meets.

Every pattern is found in the source of the program, also one that nobody remembers, and gets texts
made from the pattern itself: what its loops repeat and what its beginnings look like, many times.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]
from time import process_time
from typing import Any, NamedTuple

import pytest
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter, RequestRedirect, Rule

import referee
from referee.app import without_data
from referee.core.naming import any_of
from referee.core.record import files, kinds
from referee.kit.chapters.scoring import named
from referee.web.library import rules

ROOT = Path(referee.__file__).parent
METHODS = ("match", "fullmatch", "search", "split", "sub", "subn", "findall", "finditer")
WARM = (24, 240)  # lengths at which worse than square work is seen before it takes for ever
SHORT, LONG = 1_000, 8_000
"""Linear work takes eight times as long for the second length, square work 64 times."""
RATIO, TRIES = 24.0, 5
QUICK = 0.001
"""Seconds within which the longer text needs no second look: square work takes a hundred times."""
SIGNS = 4  # of a set, as pumps
OWN_TEXTS = {
    "http/assets.py": "style sheets and drawings of the program, read at the start",
    "web/site/crests.py": "drawings of the program",
    "pack/contents.py": "files of the program while it is packed",
    "store/postgres.py": "queries of the program",
    "store/schema.py": "statements of the program",
    "upkeep/command_help.py": "help texts of the program",
}
"""Modules whose patterns read no text of a person, and what they read."""
SEATS = ("A", "B", "あかね", "Name with blanks", "x" * 40)


class Use(NamedTuple):
    """A pattern, the module in which it is used, and what is asked of it."""

    module: str
    pattern: re.Pattern[Any]
    method: str

    def __str__(self) -> str:
        return f"{self.module}: {self.pattern.pattern!r}.{self.method}"

    def texts(self) -> list[tuple[str, str, str]]:
        """Beginning, repeated part, end."""
        source = self.pattern.pattern
        tree = parser.parse(source.decode("latin-1") if isinstance(source, bytes) else source)
        pumps = {(before, pump) for before, pump in _pumps(tree) if pump}
        ends = ("", "\x00", "!\n")
        return sorted((before, pump, end) for before, pump in pumps for end in ends)

    def seconds(self, text: str) -> float:
        """Processor time of one use."""
        given: Any = text
        if isinstance(self.pattern.pattern, bytes):
            given = text.encode("latin-1", "ignore")
        act = getattr(self.pattern, self.method)
        began = process_time()
        if self.method in ("sub", "subn"):
            act(given[:0], given)
        else:
            found = act(given)
            if self.method == "finditer":
                list(found)
        return process_time() - began


# Patterns that are put together at run time, by module: as they are for a table or a question.
MADE: Mapping[str, Callable[[], Sequence[tuple[re.Pattern[str], str]]]] = {
    "core/naming.py": lambda: [(re.compile(any_of(SEATS)), "sub")],
    "core/record/files.py": lambda: [(files.sheet_line(SEATS), "fullmatch")],
    "core/record/kinds.py": lambda: [
        (kinds.seat_and_card(SEATS, card), "match") for card in (True, False)
    ],
    "kit/chapters/scoring/named.py": lambda: [(named._whole("king"), "search")],
    "ledger/forgetting.py": lambda: [(re.compile(r"(?<![^\s=])A(?!\S)"), "sub")],
    "web/library/rules.py": lambda: [
        (rules._kept_whole(SEATS), "split"),
        (rules._kept_whole(()), "split"),
        (rules._pattern("king"), "search"),
    ],
}


@cache
def _sources() -> dict[str, ast.Module]:
    """The modules that import ``re``, in any way."""
    read = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in ROOT.rglob("*.py")}
    return {
        place: ast.parse(text)
        for place, text in sorted(read.items())
        if re.search(r"^\s*(?:import|from) re\b", text, re.MULTILINE)
    }


def _of_re(node: ast.AST) -> str:
    """The function of ``re`` that is called, or ""."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name("re"), attr=name), args=[_, *_]):
            return name if name in (*METHODS, "compile") else ""
    return ""


@cache
def _asked() -> dict[str, set[str]]:
    """What the sources ask of patterns, by their names; of private ones, by their module, too."""
    found: dict[str, set[str]] = {}
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Attribute(
                    value=ast.Name(id=name)
                    | ast.Attribute(attr=name)
                    | ast.Subscript(value=ast.Name(id=name)),
                    attr=method,
                ) if method in METHODS:
                    found.setdefault(_known_as(name, str(path.relative_to(ROOT))), set()).add(
                        method
                    )
    return found


def _known_as(name: str, place: str) -> str:
    return f"{place} {name}" if name.startswith("_") or name.islower() else name


def _kept() -> Iterator[Use]:
    """The patterns that modules and classes keep under a name."""
    for place in _sources():
        module = import_module(".".join(["referee", *Path(place).with_suffix("").parts]))
        owners = [module, *(each for each in vars(module).values() if isinstance(each, type))]
        for owner in owners:
            for name, value in vars(owner).items():
                values = value.values() if isinstance(value, dict) else [value]
                for pattern in values:
                    if isinstance(pattern, re.Pattern):
                        for method in _asked().get(_known_as(name, place), {"search", "fullmatch"}):
                            yield Use(place, pattern, method)


def _written() -> Iterator[Use]:
    """The patterns that are written where they are used."""
    for place, tree in _sources().items():
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(name)], value=call) if _of_re(call) == "compile":
                    asked = _asked().get(_known_as(name, place), set())
                case ast.Call() as call if _of_re(call) not in ("", "compile"):
                    asked = {_of_re(call)}
                case _:
                    continue
            pattern = call.args[0]  # type: ignore[attr-defined]
            if isinstance(pattern, ast.Constant):
                yield from (Use(place, re.compile(pattern.value), each) for each in asked)


def _made() -> Iterator[Use]:
    for place, made in MADE.items():
        for pattern, method in made():
            yield Use(place, pattern, method)


def every_use() -> list[Use]:
    uses = [*_kept(), *_written(), *_made()]
    return sorted({str(use): use for use in uses if use.module not in OWN_TEXTS}.values(), key=str)


# -- texts against a pattern


def _signs(items: Sequence[tuple[Any, Any]]) -> Iterator[str]:
    """Characters that a set contains."""
    negated, samples = False, list[str]()
    for op, value in items:
        match str(op):
            case "NEGATE":
                negated = True
            case "LITERAL":
                samples.append(chr(value))
            case "RANGE":
                samples += [chr(value[0]), chr(value[1])]
            case "CATEGORY":
                samples += {"SPACE": [" ", "\n"], "WORD": ["a", "0"], "DIGIT": ["0"]}.get(
                    str(value).removeprefix("CATEGORY_"), ["a", "!"]
                )
    if negated:
        ranges = [value for op, value in items if str(op) == "RANGE"]
        samples = [
            sign
            for sign in 'a 0"=:<.・あ\\'
            if sign not in samples and not any(a <= ord(sign) <= b for a, b in ranges)
        ]
    yield from samples[:SIGNS]


def _samples(tree: Any) -> list[str]:
    """A few texts that ``tree`` matches, each with other choices."""
    found = [""]
    for op, value in tree:
        options: list[str] = [""]
        match str(op):
            case "LITERAL":
                options = [chr(value)]
            case "NOT_LITERAL":
                options = ["a" if value != ord("a") else "b"]
            case "ANY":
                options = ["a"]
            case "IN":
                options = list(_signs(value)) or ["a"]
            case "BRANCH":
                options = [text for branch in value[1] for text in _samples(branch)[:2]]
            case "SUBPATTERN":
                options = _samples(value[3])
            case "ATOMIC_GROUP":
                options = _samples(value)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, _most, item = value
                options = [text * least for text in _samples(item)]
        found = [found[i % len(found)] + options[i % len(options)] for i in range(SIGNS)]
    return list(dict.fromkeys(found))


def _pumps(tree: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What comes before, and what is repeated: the loops, and everything up to them."""
    for op, value in tree:
        parts: list[Any] = []
        match str(op):
            case "BRANCH":
                parts = list(value[1])
            case "SUBPATTERN":
                parts = [value[3]]
            case "ATOMIC_GROUP":
                parts = [value]
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                parts = [value[2]]
                for text in _samples(value[2]):
                    yield before, text
                    yield "", before + text
        for part in parts:
            yield from _pumps(part, before)
        before += _samples([(op, value)])[0]
        yield "", before


def _long(text: tuple[str, str, str], length: int) -> str:
    before, pump, end = text
    return before + pump * (length // len(pump)) + end


def superlinear(use: Use | Address) -> str:
    """The text that makes ``use`` do more than linear work, or ""."""
    for text in use.texts():
        # A single one may also be long because the garbage is collected just then.
        if any(all(use.seconds(_long(text, n)) > 0.1 for _ in range(2)) for n in WARM):
            return repr(text)
        if use.seconds(_long(text, LONG)) < QUICK:
            continue
        short = min(use.seconds(_long(text, SHORT)) for _ in range(TRIES))
        long = min(use.seconds(_long(text, LONG)) for _ in range(TRIES))
        if long > RATIO * max(short, QUICK / RATIO):
            return f"{text!r}: {short * 1000:.1f} ms, {long * 1000:.1f} ms"
    return ""


class Address(NamedTuple):
    """A route of the app, which is found by patterns of the library below."""

    rule: Rule
    routes: MapAdapter

    def texts(self) -> list[tuple[str, str, str]]:
        """Addresses that begin like the route, go on with one of its parts, and end like none."""
        parts = re.split(r"<[^>]*>", self.rule.rule)
        begins = ["a".join(parts[:n]) for n in range(1, len(parts) + 1)]
        pumps = ["a", "1", "/", "%2f", ".", "-", "ア", *filter(None, parts), self.rule.rule]
        return [(begin, pump, end) for begin in begins for pump in pumps for end in ("", "/\x00")]

    def seconds(self, text: str) -> float:
        """Processor time until it is known where the address leads."""
        began = process_time()
        with suppress(HTTPException, RequestRedirect):
            self.routes.match(text)
        return process_time() - began


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"/history/(?:.*/)?[a-z]+\.(?:json|csv)", "search"),
        (r"(a+)+b", "match"),
        (r"\s+$", "search"),
        (r'((?:"[^"]*"|[^":])+?)\s*:(.*)', "fullmatch"),
    ],
)
def test_what_takes_the_square_is_found(pattern: str, method: str) -> None:
    assert superlinear(Use("here", re.compile(pattern), method))


def test_every_pattern_does_linear_work() -> None:
    uses = every_use()
    assert len(uses) > 100
    assert [f"{use}  {found}" for use in uses if (found := superlinear(use))] == []


def test_every_route_is_found_by_linear_work() -> None:
    app = without_data()
    routes = app.url_map.bind("localhost")
    found = {str(rule): superlinear(Address(rule, routes)) for rule in app.url_map.iter_rules()}
    assert len(found) > 100
    assert {rule: text for rule, text in found.items() if text} == {}


def test_patterns_that_are_put_together_are_known() -> None:
    """A pattern of a function with parts that vary is in ``MADE``, else it is not looked at."""
    unknown = set[str]()
    for place, tree in _sources().items():
        functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))
        for node in (inner for function in functions for inner in ast.walk(function)):
            if _of_re(node) and not isinstance(node.args[0], ast.Constant):  # type: ignore[attr-defined]
                unknown.add(place)
    assert unknown - OWN_TEXTS.keys() == set(MADE)
