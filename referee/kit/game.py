"""A game that is a file: its house rules, its entries, its hash."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from hashlib import sha256

from referee.core.book import Book
from referee.core.game import Feat, Game, Hooks, Option, Options, ScoreSheet, Table, Unit
from referee.core.hands import Hands
from referee.core.verdict import Card, Finding, Outcome, Seat, Verdict
from referee.core.written import whole
from referee.kit.chapters.deck import table as table_of
from referee.kit.families.trick_taking import claims, dealt, effects, judging, scoring, sheets
from referee.kit.families.trick_taking.evidence import audit, brought_about, rules_of
from referee.kit.families.trick_taking.plays import (
    Bid,
    Call,
    Cover,
    Deal,
    GrantRest,
    Lay,
    NameTrump,
    Passed,
    Play,
    Rest,
    Show,
)
from referee.kit.families.trick_taking.state import BETWEEN, PASS, MatchScore, Round, State
from referee.kit.table import Rules
from referee.kit.text.faults import Path
from referee.kit.text.form import seats
from referee.kit.text.source import RulesSource
from referee.kit.text.toml import Document, Value

KEPT = 128  # tables of any games whose rules are cached, some 50 kB each


class KitGame:
    """A game from a file, with all that ``core.game.Game`` requires.

    ``hash``: SHA-256 of the text, hexadecimal. ``KEY``: the game's name in records. ``NAME`` is
    unique among files with the same key and among built-in games. ``book``: makes its ruling book.
    """

    def __init__(
        self, text: str, document: Document, book: Callable[[Game[State, Play]], Book]
    ) -> None:
        self.text, self.document = text, document
        self.hash = sha256(text.encode()).hexdigest()
        values = document.values
        self.KEY = str(values["key"])
        self.NAME = f"{self.KEY}-{self.hash[:12]}"
        self.VERSION = str(values.get("version", "1"))
        count = seats(table_of(values["seats"])["count"])
        assert count
        self.SEATS = count
        self.OPTIONS: Options = {
            name: _option(table_of(row)) for name, row in table_of(values.get("option")).items()
        }
        self.PLAYS: tuple[type[Play], ...] = tuple(_plays(self))
        self.HOOKS: Hooks[State, Play] = Hooks(
            sheet=sheets.sheet(values),
            led=_led,
            feats=_feats,
            stopped=effects.stopped,
            adjusted=scoring.adjusted,
            dealing=dealt.dealing,
            knowledge=dealt.knowledge,
            hands=dealt.hands,
            scored=lambda state: state.round,
            starter=lambda state: state.starter,
            brought_about=brought_about,
            teams=_teams,
            answered=claims.answered,
            grounds=claims.grounds,
            exchanging=lambda state: state.phase == PASS,
            book=book,
            unit=partial(_unit, document, self.OPTIONS),  # of parts, so that no circle is left
        )

    def sources(self) -> list[RulesSource]:
        """The values of the file as they are, then as each choice of a house rule changes them.

        The choices of a number are not among them: they change no other value.
        """
        rows = table_of(self.document.values.get("option"))
        changed = (
            {name: choice}
            for name, option in self.OPTIONS.items()
            for choice in option.values
            if choice in table_of(rows[name])
        )
        return [self.source(chosen) for chosen in ({}, *changed)]

    def source(self, chosen: Mapping[str, str]) -> RulesSource:
        """The values of the file, changed by these house rules."""
        return _source(self.document, self.OPTIONS, chosen)

    def rules(self, table: Table) -> Rules:
        """The rules of a table; raises ``Wrong`` if the file makes no game for it."""
        chosen = {
            name: value
            for name, value in table.chosen.items()
            if name in self.OPTIONS and value != self.OPTIONS[name].default
        }
        return compiled(self, table.seats, tuple(sorted(chosen.items())))

    def setup(self, table: Table) -> State:
        rules = self.rules(table)
        none = (0,) * rules.n
        deck = rules.cards.deck
        nothing = Round(
            size=0,
            starter=None,
            turn_up=None,
            turned=0,
            bids=(None,) * rules.n,
            number=1,
            tricks=none,
            taken=none,
            wins=none,
            left=(),
            last=None,
        )
        score = MatchScore(
            totals=dict.fromkeys(table.seats, 0),
            counters={counter.name: none for counter in rules.scoring.counters},
            lines=None,
            tied=(),
            ended=None,
            found=(),
        )
        return State(
            table=table,
            rules=rules,
            deck=deck,
            deal=0,
            score=score,
            round=nothing,
            phase=BETWEEN,
            leader=None,
            due=(),
            trump=None,
            trick=(),
            led=None,
            showing=0,
            hands=Hands.dealt(deck, table.seats, 0),
            pile=0,
            own=none,
            rows=((),) * rules.n,
            declared={},
            at=0,
        )

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return judging.to_act(state)

    def candidates(self, state: State) -> Iterator[Play]:
        return judging.candidates(state)

    def judge(self, state: State, play: Play) -> Verdict:
        return judging.judge(state, play)

    def apply(self, state: State, play: Play) -> State:
        return effects.apply(state, play)

    def let_stand(self, state: State, play: Play) -> State | None:
        return effects.let_stand(state, play)

    def score(self, state: State) -> ScoreSheet:
        return scoring.score(state)

    def outcome(self, state: State) -> Outcome | None:
        return state.score.ended

    def audit(self, state: State) -> tuple[Finding, ...]:
        return audit(state)

    def public(self, state: State) -> dict[str, object]:
        return public(state)


@lru_cache(maxsize=KEPT)
def compiled(game: KitGame, seats: tuple[Seat, ...], chosen: tuple[tuple[str, str], ...]) -> Rules:
    """The rules of a table of ``game``; ``chosen``: house rules that are not the default.

    All games share one cache: a group may bring any number of files.
    """
    return Rules(game.source(dict(chosen)), seats, (game.hash, seats, chosen))


def _teams(state: State) -> tuple[tuple[Seat, ...], ...]:
    rules = rules_of(state)
    teams = dict.fromkeys(rules.teams) if len({*rules.teams}) < rules.n else ()
    return tuple(tuple(rules.seats[i] for i in team) for team in teams)


def seat_names(count: int) -> tuple[str, ...]:
    """Names for the seats of a table: A, B, C …"""
    return tuple(chr(ord("A") + i) if count <= 26 else f"S{i + 1}" for i in range(count))


def _source(document: Document, options: Options, chosen: Mapping[str, str]) -> RulesSource:
    """The values of the file, changed by these house rules."""
    values: dict[str, Value] = dict(document.values)
    origin: dict[Path, Path] = {}
    for name, row in table_of(values.get("option")).items():
        choice = chosen.get(name)
        if choice is None or name not in options:
            continue
        option = table_of(row)
        if choice in option:
            start: Path = ("option", name, choice, "set")
            new = table_of(table_of(option[choice]).get("set"))
            values = _laid_over(values, new, (), start, origin)
        elif choice.isdigit():
            numbers = table_of(option.get("numbers"))
            path = tuple(str(numbers["set"]).split("."))
            new_value: Value = int(choice)
            for key in reversed(path):
                new_value = {key: new_value}
            at: Path = ("option", name, "numbers", "set")
            values = _laid_over(values, table_of(new_value), (), at, {})
            origin[path] = at
    return RulesSource(values, document, origin)


def _unit(document: Document, options: Options, table: Table) -> Unit:
    """What the score of a match counts: points, of which the most or the fewest are best."""
    source = _source(document, options, table.chosen)
    fewest = source.word("match", "winner", default="most") == "least"
    return "fewest" if fewest else "points"


def _option(row: Mapping[str, Value]) -> Option:
    words = [key for key in row if key not in ("ja", "en", "why", "numbers")]
    barred: dict[str, Mapping[str, str]] = {}
    for word in words:
        if other := table_of(table_of(row[word]).get("not_with")):
            barred[word] = {key: str(value) for key, value in other.items()}
    if numbers := table_of(row.get("numbers")):
        few, many = int(str(numbers["from"])), int(str(numbers["to"]))
        words += [str(n) for n in range(few, many + 1) if str(n) not in words]
    return Option(tuple(words), barred)


def _laid_over(
    old: Mapping[str, Value],
    new: Mapping[str, Value],
    path: Path,
    start: Path,
    origin: dict[Path, Path],
) -> dict[str, Value]:
    """``old`` updated with ``new``, table by table; lists and values by seats are replaced.

    ``path``: the path of both in the game's values; ``start``: the path of ``new`` in the file.
    ``origin`` gets, for the path of each value that is set, its path in the file.
    """
    made = dict(old)
    for key, value in new.items():
        at = (*path, key)
        before = made.get(key)
        whole = not isinstance(value, dict) or not isinstance(before, dict) or _by_seats(before)
        if whole:
            made[key] = value
            origin[at] = (*start, key)
        else:
            made[key] = _laid_over(table_of(before), table_of(value), at, (*start, key), origin)
    return made


def _by_seats(value: Mapping[str, Value]) -> bool:
    """Whether a table has a value for each number of seats, such as ``{ "3-4" = 8, else = 6 }``."""
    return all(key == "else" or key[:1].isdigit() for key in value)


def _plays(game: KitGame) -> Iterator[type[Play]]:
    """The entries that the game can have, with any of its house rules."""
    sources = game.sources()
    yield Deal
    if any(source.at("pass") is not None for source in sources):
        yield Passed
    if any(source.at("bid") is not None for source in sources):
        yield Bid
    named = any(source.word("trump", "from", default="") == "named" for source in sources)
    rows = [row for s in sources for row in _listed(s.at("trump", "change"))]
    named |= any(table_of(row).get("suit") == "named" for row in rows)
    if named or any("dealer" in table_of(s.at("trump", "special")).values() for s in sources):
        yield NameTrump
    if any(source.at("call") is not None for source in sources):
        yield Call
    yield Lay
    if any(source.word("play", "cannot", default="") == "down" for source in sources):
        yield Cover
    yield Show
    yield Rest
    yield GrantRest


def _listed(value: Value | None) -> list[Value]:
    return value if isinstance(value, list) else []


def _led(state: State, play: Play) -> Card | None:
    """The card of a play that leads a trick; None for any other play."""
    return play.card if isinstance(play, Lay) and not state.trick else None


def _feats(state: State) -> Iterator[Feat]:
    """What each deal was worth to a seat; nothing where the fewest points win.

    The history keeps the highest value, which is the worst one there.
    """
    if rules_of(state).match.fewest:
        return
    deals: dict[tuple[Seat, int], int] = {}
    for line in scoring.score(state).lines:
        deals[line.seat, line.deal] = deals.get((line.seat, line.deal), 0) + whole(line.points)
    for (seat, deal), points in deals.items():
        yield Feat(seat, "deal", str(deal), points)


def public(state: State) -> dict[str, object]:
    """What everybody can see, as JSON data."""
    rules, seats = rules_of(state), state.table.seats
    dealt = state.round
    leader = state.leader
    if state.phase == BETWEEN and not state.score.ended:
        leader = judging.next_leader(state)
    # in a deal that a claim has ended there are cards left
    over = state.phase == BETWEEN and dealt.number > dealt.size
    shown: dict[str, object] = {
        "phase": state.phase,
        "trick": [
            [laid.seat, laid.card or None, *(["down"] if laid.down else ["out"] * laid.out)]
            for laid in state.trick
        ],
        "leader": leader,
        "hands": {seat: 0 if over else state.hands.held(seat) for seat in seats},
        "tricks": dict(zip(seats, dealt.tricks, strict=True)),
    }
    if rules.trump.any:
        shown["trump"] = state.trump
    if rules.deal.turn_up != "none":
        shown["turn_up"] = dealt.turn_up
    if rules.deal.draws:
        shown["stock"] = dealt.stock
    if rules.call.by:
        shown["called"] = dealt.called
    if rules.bidding.made:
        shown["bids"] = dict(zip(seats, dealt.bids, strict=True))
    if {"taken", "worth", "kinds"} & rules.compiler.uses:
        bags = zip(seats, dealt.taken, strict=True)
        shown["taken"] = {seat: list(state.deck.listed(bag)) for seat, bag in bags}
    if rules.trick.keeps.rows:
        shown["rows"] = {seat: list(row) for seat, row in zip(seats, state.rows, strict=True)}
    if (
        rules.leaving.when is not None
        or rules.leaving.first is not None
        or rules.match.out is not None
    ):
        shown["left"] = list(dealt.left)
    for name, numbers in state.score.counters.items():
        shown[f"counter.{name}"] = dict(zip(seats, numbers, strict=True))
    shown["totals"] = dict(state.score.totals)
    if claim := state.claim:
        granted = [seat for seat in seats if seat in claim.granted]
        tricks = claims.tricks_left(state)
        shown["rest"] = {"seat": claim.seat, "tricks": tricks, "granted": granted}
    return shown
