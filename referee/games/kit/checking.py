"""What is wrong with a game file beyond its form: gaps, contradictions, rules without effect.

``check`` examines the file with many numbers of seats (``counts``) and choices of house rules. It
tries tricks of the lowest and highest cards, since random play meets some of them only rarely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain, combinations, count, islice, product
from math import gcd
from typing import NamedTuple

from referee.core.game import COMMON_OPTIONS, Table, clash
from referee.core.record import Grammar, Unreadable
from referee.core.verdict import Card, Illegal, Legal, Verdict
from referee.games.kit import borders, holes
from referee.games.kit.bounds import Bounds, SettledComparison, SumBounds, comparisons
from referee.games.kit.cards import table
from referee.games.kit.faults import FilePosition, Path, Wrong, dotted
from referee.games.kit.loading import KitGame, Misread, load, seat_names
from referee.games.kit.reading import Value
from referee.games.kit.rules import Rules, wrong
from referee.games.kit.scope import Scope
from referee.games.kit.shape import MOST_STEPS
from referee.games.kit.simulation import tried
from referee.games.kit.state import Laid, State
from referee.games.kit.sums import COMPARISONS, MOST, FormulaText, walk, walk_named

MAKE_UPS = 3000  # tricks that are examined, at most
STEPS = 20_000_000  # cost limit of examining tricks and bids
TWO_CHOICES = 300  # tables with two choices that are examined
MOST_PLAYED = 6  # seats of the largest table that is played at random
EXAMPLE_KEYS = frozenset(
    ("name", "seats", "options", "lines", "says", "score", "next", "winners", "findings")
)
VERDICTS = ("legal", "illegal", "unprovable")
# limits of a quick check, while a person waits for it
QUICK_TABLES, QUICK_MAKE_UPS, QUICK_STEPS = 6, 200, 12_000
QUICK_KINDS = 1000  # kinds of cards at all its tables together


class Note(NamedTuple):
    """A fault, or with ``only_note`` a remark."""

    wrong: Wrong
    only_note: bool


def check(source: bytes, *, quick: bool = False) -> tuple[KitGame | None, list[Note]]:
    """The game (None if its form is wrong), and all faults and remarks in the order of the file.

    ``quick``: examines only a few tables and tricks and does not play the examples, so that a
    hostile file costs little.
    """
    try:
        game = load(source)
    except Misread as misread:
        return None, [Note(fault, False) for fault in misread.faults]
    found = [Note(wrong, False) for wrong in _faults(game, quick)]
    found += [Note(wrong, True) for wrong in _remarks(game, 0 if quick else STEPS)]
    if not quick and all(note.only_note for note in found):
        found += _played(game)
    once: dict[tuple[str, int | None, int], Note] = {}
    for note in found:
        once.setdefault((note.wrong.fact, note.wrong.line, note.wrong.column), note)
    order = sorted(once.values(), key=lambda note: (note.wrong.line, note.wrong.column))
    return game, order


def counts(game: KitGame) -> list[int]:
    """The numbers of seats that are examined: up to eight, and the highest."""
    few = [n for n in game.SEATS if n <= 8]
    return few if game.SEATS[-1] in few else [*few, game.SEATS[-1]]


def tables(game: KitGame) -> Iterator[Table]:
    """A table for each number of seats, with the default rules and with each choice alone."""
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    for n in counts(game):
        yield Table(seat_names(n), {}, known)
        for name, value in _few_choices(game):
            yield Table(seat_names(n), {name: value}, known)


def pairs(game: KitGame) -> Iterator[Table]:
    """A table for each number of seats and each two choices that do not exclude each other."""
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    for n in counts(game):
        for one, other in combinations(_few_choices(game), 2):
            chosen = dict((one, other))
            if len(chosen) == 2 and not clash(chosen, game.OPTIONS):
                yield Table(seat_names(n), chosen, known)


def _few_choices(game: KitGame) -> list[tuple[str, str]]:
    """The choices that are examined: the first three besides the default, and the last."""
    return [
        (name, value)
        for name, option in game.OPTIONS.items()
        for value in dict.fromkeys((*option.values[1:4], *option.values[-1:]))
        if value != option.default
    ]


def _faults(game: KitGame, quick: bool) -> Iterator[Wrong]:
    tried: set[object] = set()
    kinds = 0
    # two characters of a sum cost a table about as much as a kind of card
    formulas = sum(len(source) for source, *_ in game.document.parsed) // 2
    looked_at = chain(tables(game), islice(pairs(game), TWO_CHOICES))
    for one in islice(looked_at, QUICK_TABLES if quick else None):
        if quick and kinds > QUICK_KINDS:
            break
        try:
            rules = game.rules(one)
        except Wrong as wrong:
            yield wrong
            continue
        first, kinds = not kinds, kinds + len(rules.cards.bits) + formulas
        state = game.setup(one)
        yield from holes.deals(rules, state)
        yield from holes.bids(rules, state, QUICK_STEPS if quick else STEPS)
        yield from holes.contradictions(rules, state)
        yield from holes.unreachable(rules)
        if first or not quick:
            yield from holes.nothing_to_ask(rules)
        tricks = _tricks(rules)
        if tricks not in tried:
            tried.add(tricks)
            kinds_tried = len(rules.cards.bits) * (3 + len(rules.classes))
            if rules.simple or not rules.asks_what_beats:
                kinds_tried = len(rules.cards.bits) // 16
            a_trick = 4 * (1 + rules.steps + kinds_tried)
            most = (QUICK_STEPS if quick else STEPS) // a_trick
            examined = QUICK_MAKE_UPS if quick else MAKE_UPS * len(_starts(rules, state))
            yield from _nobody(rules, state, min(most, examined))
    yield from _options(game)
    yield from _half_set(game)
    yield from holes.texts(game)
    if not quick:
        yield from _examples(game)


def _tricks(rules: Rules) -> object:
    """A key for all that decides who wins a trick; tables with equal keys have the same tricks."""
    parts = [rules.source.at(key) for key in ("play", "trick", "trump", "values", "groups")]
    text = repr(parts)
    seats = rules.n if re.search(r"\b(n|deal|deck|hand)\b", text) else min(rules.n, 4)
    return text, tuple(rules.cards.deck.cards), rules.cards.deck.copies, seats


def _nobody(rules: Rules, state: State, most: int) -> Iterator[Wrong]:
    """A trick that nobody wins, as a fault, if the file does not say who leads then."""
    if rules.nobody_last or rules.source.at("trick", "next_none") is not None:
        return
    if rules.next != "winner" or rules.somebody_leads:
        return
    made = next(nobody_wins(rules, state, most), None)
    if made is not None:
        yield wrong(rules, "kit_nobody_leads", ("trick",), cards=" ".join(made))


def nobody_wins(rules: Rules, state: State, most: int = MAKE_UPS) -> Iterator[tuple[str, ...]]:
    """Tricks that nobody wins, as the cards in playing order; ``most``: how many are tried.

    Tries cards of one suit, then cards that are in no fixed winning class, then the lowest and the
    highest card of each suit, then any cards.
    """
    cards = rules.cards
    kinds: list[str] = []
    for mask in (*cards.suits.values(), *([] if cards.suits else [cards.full ^ cards.special])):
        suit = cards.kinds(mask)
        kinds += dict.fromkeys((*suit[:1], *suit[-1:]))
    kinds += cards.kinds(cards.special)
    copies = dict(zip(cards.deck.cards, cards.deck.copies, strict=True))
    seats = rules.seats[:4]
    winning = 0
    for best in rules.classes:
        winning |= best.fixed or 0
    alike = [cards.kinds(mask) for mask in (*cards.suits.values(), cards.full & ~winning)]
    specials = cards.kinds(cards.special)
    by_specials = islice(product(specials, repeat=len(seats)), most // 3)
    wholes = [_as_many(made, copies, len(seats)) for made in alike]
    whole = [made for made in wholes if len(made) == len(seats)]
    by_ends = islice(product(kinds, repeat=len(seats)), 2 * most // 3)
    made_ups = chain(whole, by_specials, by_ends, _spread(copies, len(seats)))
    starts = _starts(rules, state)
    for made, start in islice(((made, start) for made in made_ups for start in starts), most):
        if any(made.count(card) > copies[card] for card in made):
            continue
        now = start
        for seat, card in zip(seats, made, strict=True):
            ladder, k, above = rules.climb(now, cards.bits[card], seat)
            steps = len(rules.follow if ladder == "follow" else rules.lead)
            below = bool(above) and k > steps
            out = below and rules.cannot != "counts"
            down = below and rules.cannot == "down"
            now = rules.lying(now, Laid(seat, card, 1, out, down))
        if rules.winner(now) is None:
            yield made


def _starts(rules: Rules, state: State) -> list[State]:
    """States in which a trick begins: with other numbers of tricks and deals if these decide."""
    texts = [best.condition for best in rules.classes if best.condition is not None]
    named = rules.compiler.values
    asked = {node.word for text in texts for node in walk_named(text.node, named)}
    scope, found = Scope(state), list[State]()
    for deal in (1, 2, 3) if "deal" in asked else (1,):
        scope.deal = deal
        size = rules.hand_size(scope)
        last = rules.trick_count(size)
        numbers = sorted({1, min(2, last), min(3, last), last}) if "trick" in asked else [1]
        for number in numbers:
            begun = state.round._replace(size=size, number=number)
            found.append(state._replace(deal=deal, round=begun))
    return found


def _as_many(kinds: tuple[str, ...], copies: Mapping[Card, int], many: int) -> tuple[str, ...]:
    """At most ``many`` cards of these kinds: each once, then as often as the deck has it."""
    again = (card for card in kinds for _ in range(min(copies[card], many) - 1))
    return (*kinds, *again)[:many]


def _spread(copies: Mapping[Card, int], seats: int) -> Iterator[tuple[str, ...]]:
    """Every possible trick in a spread-out order, since rules on numbers depend on the middle
    ranks.
    """
    cards = [str(card) for card in copies]
    number = len(cards) ** seats
    leap = next(leap for leap in count(1 + number * 5 // 8) if gcd(leap, number) == 1)
    for i in range(number):
        place = i * leap % number
        yield tuple(cards[place // len(cards) ** k % len(cards)] for k in range(seats))


def _changes(game: KitGame, name: str, value: str) -> Mapping[Path, Value]:
    """The values that the choice ``value`` of the house rule ``name`` sets, by path in the file."""
    row = table(table(game.document.values["option"])[name])
    if value not in row:
        path = str(table(row.get("numbers")).get("set", ""))
        return {tuple(path.split(".")): value}
    changed = table(table(row[value]).get("set"))
    return {path: each for key, inner in changed.items() for path, each in _leaves((key,), inner)}


def _leaves(path: Path, value: Value) -> Iterator[tuple[Path, Value]]:
    """The values in the table ``value``, or ``value`` itself, with their paths from ``path``."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves((*path, key), inner)
    else:
        yield path, value


def _options(game: KitGame) -> Iterator[Wrong]:
    """Choices that change nothing, and values that two house rules change."""
    plain = game.source({})
    keys = game.document.keys
    seen: dict[Path, tuple[str, str]] = {}
    for name, option in game.OPTIONS.items():
        words = table(table(game.document.values["option"])[name])
        first: Path = ("option", name, option.default, "set")
        if "set" in table(words.get(option.default)):
            yield holes.at_file(game, "kit_first_set", first, option=dotted(first[1:3]))
        # all numbers change the same value: two of them suffice
        numbers = [value for value in option.values[1:] if value not in words][:2]
        for value in [*(value for value in option.values[1:] if value in words), *numbers]:
            at: Path = ("option", name, value)
            place = keys.get(at) or keys.get(("option", name)) or FilePosition(1, 1)
            changes = _changes(game, name, value)
            if changes and all(plain.at(*path) == new for path, new in changes.items()):
                yield Wrong("kit_no_change", place, dotted(at), option=dotted((name, value)))
            if not changes:
                yield Wrong("kit_no_change", place, dotted(at), option=dotted((name, value)))
            for path in changes:
                other = seen.setdefault(path, (name, value))
                if other[0] != name and not _barred(game, (name, value), other):
                    yield Wrong(
                        "kit_same_value",
                        place,
                        dotted(at),
                        option=dotted((name, value)),
                        other=dotted(other),
                        key=dotted(path),
                    )


def _half_set(game: KitGame) -> Iterator[Wrong]:
    """Scores and counters of which a house rule sets a part, and the file has no other part."""
    needed = {"score": ("per", "points"), "counters": ("of", "add")}
    sources = game.sources()
    for key, parts in needed.items():
        rows = [(each, name, row) for each in sources for name, row in table(each.at(key)).items()]
        known = {name for _, name, row in rows if {*parts} <= table(row).keys()}
        for source, name, row in rows:
            if name not in known:
                missing = [part for part in parts if part not in table(row)]
                near = get_close_matches(name, known, 1)
                fact, at = "kit_no_key_near" if near else "kit_missing", (key, name, missing[0])
                values = {"key": dotted(at[:2] if near else at), "near": (near or [""])[0]}
                yield Wrong(fact, source.place((key, name)), dotted((key, name)), **values)


def _barred(game: KitGame, one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether the two choices, each as (house rule, value), exclude each other."""
    for (name, value), (second, barred) in ((one, other), (other, one)):
        if game.OPTIONS[name].barred.get(value, {}).get(second) == barred:
            return True
    return False


def _examples(game: KitGame) -> Iterator[Wrong]:
    """Examples of the file that do not come out as their author wrote."""
    examples = game.document.values.get("example")
    for i, row in enumerate(examples if isinstance(examples, list) else ()):
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
        yield Wrong(fact, place, path, key=f"{path}.{name}", near=(near or [""])[0])
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
) -> State:
    """The state after the lines of an example; raises ``Wrong`` at the first line that cannot be
    read, or whose verdict is another than the example says.
    """
    path = dotted(at)
    grammar, state = Grammar(game, one.seats), game.setup(one)
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


def _played(game: KitGame) -> Iterator[Note]:
    """What shows when the file is played at random, with each house rule alone.

    Faults: a bid that nobody can make, a match without end, numbers that reach the limit. Remarks:
    rules that never come up, and matches that nobody wins.
    """
    met: set[Path] = set()
    limited: set[Path] = set()
    decided = False
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    few, many = counts(game)[0], max(n for n in (game.SEATS[0], *game.SEATS) if n <= MOST_PLAYED)
    for n in dict.fromkeys((few, many)):
        one = tried(game, Table(seat_names(n), {}, known))
        met |= one.keys
        limited |= one.limited
        decided = decided or one.decided
        if one.stuck:
            place = game.document.keys.get(("bid",), FilePosition(1, 1))
            yield Note(Wrong("kit_stuck", place, "bid", n=n, deal=one.stuck), False)
            return
        if not one.ended and table(game.document.values.get("match")).get("deals") is None:
            place = game.document.keys.get(("match",), FilePosition(1, 1))
            yield Note(Wrong("kit_endless", place, "match", n=n), False)
            return
    for one_table in tables(game):
        if len(one_table.seats) == few and one_table.chosen:
            one = tried(game, one_table, 1)
            met |= one.keys
            limited |= one.limited
            decided = decided or one.decided
    values = game.document.values
    for path in sorted(limited):
        at = game.document.keys.get(path, FilePosition(1, 1))
        yield Note(Wrong("kit_limit", at, dotted(path), key=dotted(path)), False)
    if not decided:
        at = game.document.keys.get(("score",)) or game.document.keys.get(
            ("match",), FilePosition(1, 1)
        )
        yield Note(Wrong("kit_level", at, "score"), True)
    written: list[Path] = [("score", name) for name in table(values.get("score"))]
    written += [("leave", key) for key in table(values.get("leave"))]
    written += [("trump", "none_when")] if "none_when" in table(values.get("trump")) else []
    written += [("match", "out")] if "out" in table(values.get("match")) else []
    for part, name in (("play", "lead"), ("play", "follow"), ("trick", "best"), ("trick", "next")):
        rows = table(values.get(part)).get(name)
        written += [(part, name, i) for i in range(len(rows) if isinstance(rows, list) else 0)]
    for path in written:
        if path not in met:
            at = game.document.keys.get(path, FilePosition(1, 1))
            below = path[-1] in range(1, MOST_STEPS) and (*path, "when") not in game.document.keys
            fact = "kit_never_below" if below else "kit_never"
            yield Note(Wrong(fact, at, dotted(path), key=dotted(path)), True)


def _remarks(game: KitGame, steps: int) -> Iterator[Wrong]:
    values, keys = game.document.values, game.document.keys
    if "example" not in values:
        yield Wrong("kit_no_example", FilePosition(1, 1))
    match = table(values.get("match"))
    if "deals" not in match:
        yield Wrong("kit_no_bound", keys.get(("match",), FilePosition(1, 1)), "match")
    if steps:
        yield from _decided(game)
        yield from _left_over(game)
    one = Table(seat_names(game.SEATS[0]), {}, {**COMMON_OPTIONS, **game.OPTIONS})
    if steps:
        yield from holes.free_after(game.rules(one), game.setup(one))
        yield from holes.after_specials(game.rules(one), game.setup(one))
        yield from borders.deals_without_a_score(game.rules(one), game.setup(one))
    yield from holes.remarks(game, game.rules(one))
    yield from holes.at_the_beginning(game.rules(one), game.setup(one), steps)
    if steps:
        most = Table(seat_names(counts(game)[-1]), {}, one.options)
        try:
            rules = game.rules(most)
        except Wrong:
            pass  # a fault of this table, which has its own line
        else:
            yield from holes.all_suits_show(rules, game.setup(most))
    differ = bool(table(game.source({}).at("seats", "teams")))
    for n in counts(game)[: None if steps else 1] if differ or game.rules(one).draws else ():
        other = Table(seat_names(n), {}, one.options)
        try:
            rules = game.rules(other)
        except Wrong:
            continue  # a fault of this table, which has its own line
        yield from holes.drawn_unevenly(rules, game.setup(other))
        yield from holes.counted_twice(game, rules)


def _left_over(game: KitGame) -> Iterator[Wrong]:
    """A remark on the numbers of players for which a deal of the whole deck does not come out."""
    found: dict[int, int] = {}
    for n in counts(game):
        one = Table(seat_names(n), {}, {**COMMON_OPTIONS, **game.OPTIONS})
        try:
            found[n] = holes.left_over(game.rules(one), game.setup(one))
        except Wrong:
            continue  # a fault of this table, which has its own line
    if left := max(found.values(), default=0):
        odd = tuple(n for n, each in found.items() if each)
        yield holes.at_file(game, "kit_left_over", ("deal", "hand"), n=odd, left=left)


def _decided(game: KitGame) -> Iterator[Wrong]:
    """Remarks on comparisons with one result at every table, and on bids above all tricks."""
    found: dict[FilePosition, set[bool | None]] = {}
    last: dict[FilePosition, SettledComparison] = {}
    never: dict[FilePosition, dict[tuple[int, str], SettledComparison]] = {}
    high: Wrong | None = None
    for one in tables(game):
        try:
            rules = game.rules(one)
        except Wrong:
            continue  # a fault of this table, which has its own line
        reach = SumBounds(rules, game.setup(one))
        for text in holes.conditions(rules):
            high = high or _above(rules, reach, text)
            for place, decided in comparisons(reach, text):
                found.setdefault(place, set()).add(decided.holds if decided else None)
                if decided:
                    last[place] = decided
                    if not decided.holds and not _of_table(text):
                        chosen = ".".join(next(iter(one.chosen.items()), ()))
                        never.setdefault(place, {})[len(one.seats), chosen] = decided
    for place, outcomes in found.items():
        if len(outcomes) == 1 and None not in outcomes:
            each = last[place]
            fact = "kit_always_holds" if each.holds else "kit_never_holds"
            sides = {"sign": each.sign, "left": _range(each.left), "right": _range(each.right)}
            yield Wrong(fact, place, each.path, **sides)
        elif place in never:
            yield from _never_at_some(place, never[place])
    if high:
        yield high


def _of_table(text: FormulaText) -> bool:
    """Whether a condition asks for the number of players, so that it is meant for some of them."""
    return any((node.op, node.word) == ("name", "n") for node in walk(text.node))


def _never_at_some(
    place: FilePosition, never: Mapping[tuple[int, str], SettledComparison]
) -> Iterator[Wrong]:
    """A remark on a comparison that can hold, but never with some numbers of players or with a
    choice. ``never``: how it comes out there, by the number and the choice ("" for none).
    """
    plain = sorted(n for n, chosen in never if not chosen)
    if plain:
        each = never[plain[0], ""]
        sides = {"sign": each.sign, "left": _range(each.left), "right": _range(each.right)}
        yield Wrong("kit_never_with_seats", place, each.path, n=tuple(plain), **sides)
        return
    (_, option), each = min(never.items())
    sides = {"sign": each.sign, "left": _range(each.left), "right": _range(each.right)}
    yield Wrong("kit_never_with_choice", place, each.path, option=option, **sides)


def _range(bounds: Bounds) -> str:
    """The numbers from the lowest to the highest, as a reader writes them."""
    low, high = (str(number).replace("-", "−") for number in bounds)
    if low == high:
        return low
    if bounds.high >= MOST:
        return f"≥ {low}"
    return f"≤ {high}" if bounds.low <= -MOST else f"{low}–{high}"


def _above(rules: Rules, reach: SumBounds, text: FormulaText) -> Wrong | None:
    """A remark if ``text`` compares tricks with bids, and a bid can be above all tricks."""
    if reach.most_bid <= reach.tricks:
        return None
    for node in walk(text.node):
        if node.op in (*COMPARISONS, "-"):  # a difference from the bid is a comparison, too
            sides = [part.parts[0] if part.op == "team()" else part for part in node.parts]
            if {"tricks", "bid"} == {side.word for side in sides if side.op == "name"}:
                values = {"high": reach.most_bid, "tricks": reach.tricks}
                return wrong(rules, "kit_bid_above", ("bid", "values"), **values)
    return None
