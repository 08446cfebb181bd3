"""What is wrong with a game file beyond its form: holes, contradictions, what can never happen.

``check`` looks at the file with each number of seats and each choice of each house rule. It lists
what tricks there can be by their lowest and highest cards, since chance meets some only rarely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import NamedTuple

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.record import Grammar, Unreadable
from referee.core.verdict import Illegal, Legal
from referee.games.kit.cards import table
from referee.games.kit.faults import Path, Place, Wrong, dotted
from referee.games.kit.loading import KitGame, Misread, load
from referee.games.kit.reading import Value
from referee.games.kit.rules import Rules
from referee.games.kit.scope import Scope
from referee.games.kit.simulation import tried
from referee.games.kit.state import Laid, State
from referee.games.kit.sums import walk

DEALS = 24  # deals of a match that are looked at
MAKE_UPS = 3000  # tricks that are looked at
BIDS = 400
MOST_PLAYED = 6  # seats of the largest table that is played by chance
QUICK_TABLES, QUICK_MAKE_UPS = 6, 200
"""What a check looks at that somebody waits for."""


class Note(NamedTuple):
    """A fault, or, where ``only_note``, something to know; in the order of the file."""

    wrong: Wrong
    only_note: bool


def check(source: bytes, *, quick: bool = False) -> tuple[KitGame | None, list[Note]]:
    """The game, unless the form is wrong, and all that there is to say about the file.

    ``quick``: only a few tables and tricks are looked at, and the examples are not played, so that
    a hostile file costs little.
    """
    try:
        game = load(source)
    except Misread as misread:
        return None, [Note(fault, False) for fault in misread.faults]
    found = [Note(wrong, False) for wrong in _faults(game, quick)]
    found += [Note(wrong, True) for wrong in _remarks(game)]
    if not quick and all(note.only_note for note in found):
        found += _played(game)
    once = {(note.wrong.fact, note.wrong.line, note.wrong.column): note for note in reversed(found)}
    order = sorted(once.values(), key=lambda note: (note.wrong.line, note.wrong.column))
    return game, order


def seat_names(count: int) -> tuple[str, ...]:
    """Names for so many seats: A, B, C …"""
    return tuple(chr(ord("A") + i) if count <= 26 else f"S{i + 1}" for i in range(count))


def counts(game: KitGame) -> list[int]:
    """The numbers of seats that are looked at: up to eight, and the highest."""
    few = [n for n in game.SEATS if n <= 8]
    return few if game.SEATS[-1] in few else [*few, game.SEATS[-1]]


def tables(game: KitGame) -> Iterator[Table]:
    """A table for each number of seats with the file as it is, and with each choice alone."""
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    for n in counts(game):
        yield Table(seat_names(n), {}, known)
        for name, option in game.OPTIONS.items():
            for value in (*option.values[1:4], *option.values[-1:]):
                if value != option.default:
                    yield Table(seat_names(n), {name: value}, known)


def _faults(game: KitGame, quick: bool) -> Iterator[Wrong]:
    tried: set[object] = set()
    for one in islice(tables(game), QUICK_TABLES if quick else None):
        try:
            rules = game.rules(one)
        except Wrong as wrong:
            yield wrong
            continue
        state = game.setup(one)
        yield from _deals(rules, state)
        yield from _bids(rules, state)
        yield from _contradictions(rules)
        yield from _unreachable(rules)
        tricks = _tricks(rules)
        if tricks not in tried:
            tried.add(tricks)
            yield from _nobody(rules, state, QUICK_MAKE_UPS if quick else MAKE_UPS)
    yield from _options(game)
    if not quick:
        yield from _examples(game)


def _wrong(rules: Rules, fact: str, path: Path, **values: object) -> Wrong:
    return Wrong(fact, rules.source.place(path), dotted(path), **values)


def _deals(rules: Rules, state: State) -> Iterator[Wrong]:
    """Hands that the deck does not have, deal by deal."""
    scope, n, deck = Scope(state), rules.n, len(rules.cards.deck)
    for deal in range(1, min(rules.deal_count(scope) or DEALS, DEALS) + 1):
        scope.deal = deal
        size = rules.hand(scope)
        at: Path = ("deal", "hand")
        if size < 1:
            yield _wrong(rules, "kit_no_hand", at, n=n, deal=deal, size=size)
            return
        if size * n > deck:
            needed = {"needed": size * n, "cards": deck}
            yield _wrong(rules, "kit_few_cards", at, n=n, deal=deal, **needed)
            return
        left = deck - size * n
        if rules.first == "holder" and left:
            where: Path = ("deal", "holder")
            yield _wrong(rules, "kit_holder_out", where, n=n, left=left, card=rules.holder)
            return


def _bids(rules: Rules, state: State) -> Iterator[Wrong]:
    """Sums of the other bids that leave the last seat nothing to say."""
    if rules.forbid is None:
        return
    scope = Scope(state)
    for deal in (1, 2, 3):
        scope.deal = deal
        scope.size = rules.hand_size(scope)
        few, many = max(0, rules.bid_few(scope)), min(BIDS, rules.bid_many(scope))
        worths = {*range(few, many + 1), *rules.special_bids.values()}
        scope.last = 1
        for scope.others in range(min(BIDS, max(worths, default=0) * (rules.n - 1)) + 1):
            barred = []
            for scope.said in worths:
                barred.append(bool(rules.forbid(scope)))
            if all(barred):
                yield _wrong(rules, "kit_no_bid_left", ("bid", "forbid"), n=rules.n)
                return


def _contradictions(rules: Rules) -> Iterator[Wrong]:
    held = rules.first == "holder"
    if held and rules.has_bids and not rules.bids_at_once:
        yield _wrong(rules, "kit_bids_holder", ("bid",), card=rules.holder)
    if rules.turn_up == "dealer":
        at: Path = ("deal", "turn_up")
        if held:
            yield _wrong(rules, "kit_turn_holder", at)
        if rules.passes:
            yield _wrong(rules, "kit_turn_passed", at)
        if rules.cannot == "down":
            yield _wrong(rules, "kit_turn_down", at)
    if "across" in rules.passes and rules.n % 2:
        yield _wrong(rules, "kit_across", ("pass", "to"), n=rules.n)
    if rules.turn_up != "none" and rules.trump_from == "turn_up":
        for card in rules.cards.kinds(rules.cards.special):
            if card not in rules.trump_special:
                yield _wrong(rules, "kit_turned_special", ("trump",), card=card)


def _unreachable(rules: Rules) -> Iterator[Wrong]:
    ladders = {"lead": rules.lead, "follow": rules.follow}
    for name, ladder in ladders.items():
        above = 0
        for i, step in enumerate(ladder):
            at: Path = ("play", name, i)
            asked = {(node.op, node.word) for node in walk(step.text.node)}
            if name == "lead" and asked & {("suit", "led"), ("rank", "led"), ("set", "beats")}:
                yield _wrong(rules, "kit_led_in_lead", at)
            if ("suit", "trump") in asked and rules.trump_from == "none":
                yield _wrong(rules, "kit_no_trump", at)
            if step.fixed is not None and not step.fixed & ~above:
                yield _wrong(rules, "kit_covered_step", at)
            if step.fixed is not None and step.when is None:
                above |= step.fixed
    for i, best in enumerate(rules.classes):
        asked = {(node.op, node.word) for node in walk(best.text.node)}
        if ("suit", "trump") in asked and rules.trump_from == "none":
            yield _wrong(rules, "kit_no_trump", ("trick", "best", i))
    if rules.cannot != "counts" and not rules.lead and not rules.follow:
        yield _wrong(rules, "kit_cannot_unused", ("play", "cannot"))


def _tricks(rules: Rules) -> object:
    """What decides who wins a trick: tables with the same have the same tricks."""
    parts = [rules.source.at(key) for key in ("play", "trick", "trump", "values", "groups")]
    told = repr(parts)
    seats = rules.n if re.search(r"\b(n|deal|deck|hand)\b", told) else min(rules.n, 4)
    return told, tuple(rules.cards.deck.cards), rules.cards.deck.copies, seats


def _nobody(rules: Rules, state: State, most: int) -> Iterator[Wrong]:
    """A trick that nobody wins, where the file does not say who leads then."""
    if rules.nobody_last or rules.source.at("trick", "next_none") is not None:
        return
    if rules.next != "winner":
        return
    made = next(nobody_wins(rules, state, most), None)
    if made is not None:
        yield _wrong(rules, "kit_nobody_leads", ("trick",), cards=" ".join(made))


def nobody_wins(rules: Rules, state: State, most: int = MAKE_UPS) -> Iterator[tuple[str, ...]]:
    """Make-ups of a trick that nobody wins; of each suit the lowest and the highest card."""
    cards = rules.cards
    kinds: list[str] = []
    for mask in (*cards.suits.values(), *([] if cards.suits else [cards.full ^ cards.special])):
        suit = cards.kinds(mask)
        kinds += dict.fromkeys((*suit[:1], *suit[-1:]))
    kinds += cards.kinds(cards.special)
    copies = dict(zip(cards.deck.cards, cards.deck.copies, strict=True))
    seats = rules.seats[:4]
    scope = Scope(state)
    scope.deal = 1
    start = state._replace(round=state.round._replace(size=rules.hand_size(scope)))
    for made in islice(product(kinds, repeat=len(seats)), most):
        if any(made.count(card) > copies[card] for card in made):
            continue
        now = start
        for seat, card in zip(seats, made, strict=True):
            ladder, k, above = rules.climb(now, cards.bits[card])
            steps = len(rules.follow if ladder == "follow" else rules.lead)
            below = bool(above) and k > steps and not cards.bits[card] & rules.always
            out = below and rules.cannot != "counts"
            down = below and rules.cannot == "down"
            now = rules.lying(now, Laid(seat, card, 1, out, down))
        if rules.winner(now) is None:
            yield made


def _changes(game: KitGame, name: str, value: str) -> Mapping[Path, Value]:
    """The values that a choice sets, by their paths in the file."""
    row = table(table(game.document.values["option"])[name])
    if value not in row:
        told = str(table(row.get("numbers")).get("set", ""))
        return {tuple(told.split(".")): value}
    found: dict[Path, Value] = {}

    def gather(path: Path, here: Value) -> None:
        if isinstance(here, dict) and here:
            for key, inner in here.items():
                gather((*path, key), inner)
        else:
            found[path] = here

    for key, inner in table(table(row[value]).get("set")).items():
        gather((key,), inner)
    return found


def _options(game: KitGame) -> Iterator[Wrong]:
    plain = game.source({})
    keys = game.document.keys
    seen: dict[Path, tuple[str, str]] = {}
    for name, option in game.OPTIONS.items():
        words = table(table(game.document.values["option"])[name])
        # numbers all change the same value: two of them say what there is to say
        numbers = [value for value in option.values[1:] if value not in words][:2]
        for value in [*(value for value in option.values[1:] if value in words), *numbers]:
            at: Path = ("option", name, value)
            place = keys.get(at) or keys.get(("option", name)) or Place(1, 1)
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


def _barred(game: KitGame, one: tuple[str, str], other: tuple[str, str]) -> bool:
    for (name, value), (second, barred) in ((one, other), (other, one)):
        if game.OPTIONS[name].barred.get(value, {}).get(second) == barred:
            return True
    return False


def _examples(game: KitGame) -> Iterator[Wrong]:
    """The author's own tests."""
    told = game.document.values.get("example")
    for i, row in enumerate(told if isinstance(told, list) else ()):
        at: Path = ("example", i)
        place = game.document.keys.get((*at, "lines")) or game.document.keys.get(at)
        yield from _example(game, table(row), place or Place(1, 1), dotted(at))


def _example(game: KitGame, row: Mapping[str, Value], place: Place, path: str) -> Iterator[Wrong]:
    seats = tuple(str(row.get("seats", "")).split())
    options = {key: str(value) for key, value in table(row.get("options")).items()}
    if len(seats) not in game.SEATS or set(options) - set(game.OPTIONS):
        yield Wrong("kit_text", place, path)
        return
    one = Table(seats, options, {**COMMON_OPTIONS, **game.OPTIONS})
    grammar, state = Grammar(game, seats), game.setup(one)
    says = {key: str(value) for key, value in table(row.get("says")).items()}
    lines = row.get("lines")
    for number, line in enumerate(lines if isinstance(lines, list) else (), 1):
        try:
            play = grammar.parse(str(line))
        except Unreadable as fault:
            yield Wrong(fault.fact, place, path, **fault.values)
            return
        verdict = game.judge(state, play)
        word = {Legal: "legal", Illegal: "illegal"}.get(type(verdict), "unprovable")
        expected = says.get(str(number), "legal")
        if word != expected:
            values = {"key": path, "number": number, "verdict": word, "expected": expected}
            yield Wrong("kit_refused", place, path, **values)
            return
        if word != "illegal":
            state = game.apply(state, play)
    ended = game.outcome(state)
    found: dict[str, object] = {
        "score": dict(game.score(state).totals),
        "next": " ".join(game.to_act(state)[:1]),
        "winners": " ".join(ended.winners) if ended else "",
        "findings": {str(f.at): str(f.proof[-1]) for f in game.audit(state)},
    }
    for key, value in found.items():
        right = row.get(key)
        if right is not None and right != value:
            texts = {"what": key, "found": value, "expected": right}
            yield Wrong("kit_example", place, path, key=path, **texts)


def _played(game: KitGame) -> Iterator[Note]:
    """What does not come up when the file is played with every house rule alone."""
    met: set[Path] = set()
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    few, many = counts(game)[0], max(n for n in (game.SEATS[0], *game.SEATS) if n <= MOST_PLAYED)
    for n in dict.fromkeys((few, many)):
        one = tried(game, Table(seat_names(n), {}, known))
        met |= one.keys
        if not one.ended and table(game.document.values.get("match")).get("deals") is None:
            place = game.document.keys.get(("match",), Place(1, 1))
            yield Note(Wrong("kit_endless", place, "match", n=n), False)
            return
    for one_table in tables(game):
        if len(one_table.seats) == few and one_table.chosen:
            met |= tried(game, one_table, 1).keys
    values = game.document.values
    written: list[Path] = [("score", name) for name in table(values.get("score"))]
    play, trick = table(values.get("play")), table(values.get("trick"))
    for ladder, rows in (("lead", play.get("lead")), ("follow", play.get("follow"))):
        written += [("play", ladder, i) for i in range(len(rows) if isinstance(rows, list) else 0)]
    best = trick.get("best")
    written += [("trick", "best", i) for i in range(len(best) if isinstance(best, list) else 0)]
    for path in written:
        if path not in met:
            at = game.document.keys.get(path, Place(1, 1))
            yield Note(Wrong("kit_never", at, dotted(path), key=dotted(path)), True)


def _remarks(game: KitGame) -> Iterator[Wrong]:
    values, keys = game.document.values, game.document.keys
    if "example" not in values:
        yield Wrong("kit_no_example", Place(1, 1))
    match = table(values.get("match"))
    if "deals" not in match:
        yield Wrong("kit_no_bound", keys.get(("match",), Place(1, 1)), "match")
    for path in [("title",), ("about",), *(("option", name) for name in game.OPTIONS)]:
        here: Value = values
        for key in path:
            here = table(here).get(key, {})
        for language in ("ja", "en"):
            if table(here) and language not in table(here):
                place = keys.get(path, Place(1, 1))
                values_ = {"key": dotted(path), "language": language}
                yield Wrong("kit_one_language", place, dotted(path), **values_)
