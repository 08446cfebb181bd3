"""What a game is: a module with the names and functions of ``Game``.

``referee.games`` lists the games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Generic, Literal, NamedTuple, Protocol, TypeAlias

from referee.core.book import Book
from referee.core.cards import Deck
from referee.core.draws import Draws
from referee.core.generic import Entry, P, S
from referee.core.hands import Hands
from referee.core.hidden import Knowledge
from referee.core.moves import Fact
from referee.core.verdict import Card, Facts, Finding, Illegal, Outcome, Seat, Verdict
from referee.core.written import Points

TABLE = "table"


class Option(NamedTuple):
    """A house rule with its possible values, the default first.

    ``barred``: value → key of another option → the value of it that can't be chosen together with
    the first. Default values are never barred.
    """

    values: tuple[str, ...]
    barred: Mapping[str, Mapping[str, str]] = {}
    number: Callable[[str], str] | None = None
    """Returns a number, which may be chosen as well, as it is kept; raises ValueError for other
    text. None: only ``values`` can be chosen.
    """

    @property
    def default(self) -> str:
        return self.values[0]

    def read(self, text: str) -> str:
        """The value that ``text`` stands for; raises ValueError if it can't be chosen."""
        if text in self.values:
            return text
        if self.number is None:
            raise ValueError(text)
        return self.number(text)


Options: TypeAlias = Mapping[str, Option]


def clash(chosen: Mapping[str, str], known: Options) -> tuple[str, str] | None:
    """Two of the ``chosen`` house rules that exclude each other, by their keys; None if none do."""
    for key, value in chosen.items():
        for other, barred in known[key].barred.get(value, {}).items():
            if chosen.get(other) == barred:
                return key, other
    return None


COMMON_OPTIONS: Options = {
    "direction": Option(("clockwise",)),
    "final_tie": Option(("shared", "replay", "first_in_seat")),
    "allow_override": Option(("on", "off")),
    "contest": Option(("agree", "majority", "host")),
    "revoke_policy": Option(("ask", "let_stand", "rewind", "void_deal")),
    "entry_mode": Option(("anyone", "own_seat", "host")),
}


@dataclass(frozen=True, slots=True)
class Table:
    """The seats in turn order, and the house rules that differ from the default.

    ``kit``: the table's own equipment, as ``Hooks.equip`` returns it.
    """

    seats: tuple[Seat, ...]
    chosen: Mapping[str, str]
    options: Options
    kit: object = None
    in_force: Mapping[str, str] = field(init=False, repr=False, compare=False)
    """The value of every option at this table, whether chosen or not."""

    def __post_init__(self) -> None:
        default = {key: option.default for key, option in self.options.items()}
        chosen = {key: value for key, value in self.chosen.items() if value}
        object.__setattr__(self, "in_force", {**default, **chosen})

    def option(self, key: str) -> str:
        """The value in force at this table; KeyError if the game has no such option."""
        return self.in_force[key]

    def from_left_of(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats in turn order, ``seat`` itself last."""
        i = self.seats.index(seat) + 1
        return self.seats[i:] + self.seats[:i]

    def left_of(self, seat: Seat) -> Seat:
        """The next seat in turn order."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def starting(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats in turn order, ``seat`` first."""
        i = self.seats.index(seat)
        return self.seats[i:] + self.seats[:i]


class Line(NamedTuple):
    """One line of arithmetic: ``points`` for ``seat`` by ``clause``.

    Deal and trick are 1-based; ``trick`` is None for points of a whole deal. ``kind`` tells lines
    apart that pages of the game draw differently, in words of the game; "" where all are alike.
    """

    seat: Seat
    points: Points
    clause: str
    evidence: Facts
    deal: int
    trick: int | None
    kind: str = ""


class ScoreSheet(NamedTuple):
    """The arithmetic in playing order, and the total of every seat.

    ``fewest``: the fewest points are best.
    """

    lines: tuple[Line, ...]
    totals: Mapping[Seat, Points]
    fewest: bool = False


class Tally(NamedTuple):
    """The end of a game, computed from a tally sheet.

    ``more``: further keys of the JSON answer.
    """

    sheet: ScoreSheet
    outcome: Outcome | None
    more: Mapping[str, object] = {}


SheetLines: TypeAlias = Mapping[str, list[tuple[int, str]]]
"""The lines of a tally sheet: key → (line number in the file, text) of each line with this key."""


Find: TypeAlias = Callable[[str], str | None]
"""Returns the text of a file that a record names, or None if there is no such file."""


class SheetLine(NamedTuple):
    """A line of the sheet of one deal: the line of ``seat``, or if that is None, of ``key``.

    Each word is a seat, a card, or a card of a seat: (seat, "") or (None, "9*2") or (seat, "5").
    """

    seat: Seat | None
    key: str
    words: tuple[tuple[Seat | None, str], ...]


class Impossible(Exception):
    """A sheet that can be read but cannot have happened: the clause, and the fact that says why.

    ``at_fault`` is the line: a seat or another key of the sheet; "" for the whole sheet.
    """

    def __init__(self, clause: str, fact: str, at_fault: str = "", **values: object) -> None:
        super().__init__(clause, fact, at_fault, values)
        self.clause, self.fact, self.at_fault, self.values = clause, fact, at_fault, values


@dataclass(frozen=True, slots=True)
class DealSheet(Generic[S, P]):
    """How a deal is entered by its sheet (``table sheet``) instead of its plays.

    ``first``: the key of the line that names the leader or dealer, "" where ``table deal`` names
    nobody. ``card``: reads a word of a seat's line or of a trick, and raises
    ``core.record.Unreadable``; ``seats``: whether each seat has a line. ``cards``: a key whose
    lines, any number of them, hold a card of every seat, or "". ``named``: a key whose line holds
    seats, or "".
    """

    deal: Callable[[Table, Seat | None], P]
    """The play that begins the deal; the seat leads or deals."""

    ended: Callable[[S, tuple[SheetLine, ...]], S]
    """The state after the deal, from the one in which it has just begun and its sheet. Raises
    ``Impossible``.
    """

    card: Callable[[str], object] = str
    first: str = ""
    seats: bool = True
    cards: str = ""
    named: str = ""


class Feat(NamedTuple):
    """Something of a finished match that the history remembers of ``seat``.

    ``label`` names it, ``value`` measures it: points, a length, a number. Values of a counted kind
    are added up over a person's matches; of every other kind the highest is kept.
    """

    seat: Seat
    kind: str
    label: str
    value: int


Unit: TypeAlias = Literal["points", "fewest", "wins", "flags", "places"]


class Dealing(NamedTuple):
    """How to deal the next deal, or the one under way.

    ``steps``: what to do, in order, as facts of the ruling books. ``deck``: the cards that are
    used; ``removed``: the cards of the pack that are taken out first.
    """

    deck: Deck
    removed: tuple[Card, ...]
    steps: Facts


class ClaimGrounds(NamedTuple):
    """Why cards prove or refute a claim of the rest of a deal, which is for ``tricks`` tricks.

    ``trick``: seats and cards on the table, in the order played. Proven: the claimant holds
    ``hand``, and ``beaters`` has the kinds that beat each card of it and of the trick. Refuted:
    the first of ``order``, the cards on the table by strength, is not of the claimant's ``side``,
    which has played.
    """

    tricks: int
    proven: bool
    trick: tuple[tuple[Seat, Card], ...]
    hand: tuple[Card, ...] = ()
    beaters: Mapping[Card, tuple[Card, ...]] = MappingProxyType({})
    side: tuple[Seat, ...] = ()
    order: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Hooks(Generic[S, P]):
    """Optional functions of a game; each default is right for a game without the feature."""

    tally: Callable[[Table, SheetLines, int, Mapping[Seat, int]], Tally] | None = None
    """Computes the score from a tally sheet: the seats and house rules, the sheet's keys with their
    (line number, text) pairs, the line on which it ends, for errors about something missing, and
    the points that its adjustments give. Raises ``core.record.Unreadable``. None: this game has no
    tally sheet.
    """

    fits: Callable[[Sequence[Seat], Mapping[str, str]], None] = lambda seats, chosen: None
    """Raises ``core.record.Unreadable`` if these seats and chosen house rules make no table. Its
    ``key`` names the option at fault, or "seats".
    """

    seats: Callable[[S], tuple[Seat, ...]] | None = None
    """All seats of the match at a state: those of the header, then those that have joined. None:
    nobody can join.
    """

    present: Callable[[S], tuple[Seat, ...]] | None = None
    """The seats that are in at a state: others sit out and have no vote. None: all are."""

    whole_deals: tuple[type[P], ...] = ()
    """Plays each of which is a whole deal, alone; every other play then belongs to none. Empty: a
    deal is all plays from one that deals to the next.
    """

    first: Callable[[Sequence[Seat], Mapping[str, str]], Mapping[Seat, Seat]] = (
        lambda seats, chosen: {}
    )
    """Each seat of a team → the first seat of the team, by the seats and the chosen house rules,
    where entries have one value a team.
    """

    readable: Callable[[Game[S, P], Table], Callable[[Entry], None]] | None = None
    """At a table, raises ``Unreadable`` for an entry that its rules cannot take; None: they take
    all that the grammar reads.
    """

    sheet: DealSheet[S, P] | None = None
    """How a deal is entered by its sheet; None: it can only be entered play by play."""

    begins_next: Callable[[S], Seat | None] = lambda state: None
    """Who begins the next match of the same players; None: the rules do not say it."""

    stopped: Callable[[S, Outcome], S] | None = None
    """The state after the table has stopped, one entry later: nobody is to act any more, and
    ``outcome`` is the given one. None: a match of this game can't be stopped.
    """

    adjusted: Callable[[S, Mapping[Seat, Points]], S] | None = None
    """The state one entry later with these points in the totals of these seats: if the match was
    decided, it is decided again, by ``ending.decided_again``. None: totals decide nothing.
    """

    equipment: tuple[str, ...] = ()
    """Header keys that name the table's own equipment, such as its deck."""

    equip: Callable[[Mapping[str, str], Callable[[str], str], Find], object] = (
        lambda named, option, find: None
    )
    """``Table.kit``, from the texts of the keys in ``equipment`` ("" for a key that is missing)
    and the house rules. Raises ``core.record.Unreadable``; its ``key`` names the header's line,
    unless ``file`` names a file with the fault.
    """

    refused: Callable[[S, P], S] = lambda state, play: state
    """The state after an illegal play: unchanged, unless the refusal has a price."""

    answered: Callable[[S, P], dict[str, object]] = lambda state, play: {}
    """Keys that the record's JSON answer gets for a play made at a state."""

    brought_about: Callable[[S, S], Facts] = lambda before, after: ()
    """What a play has changed for all to see, from the states before and after it: cards turned
    face down, the points of a trick that is over, who leads the next one.
    """

    proof: Callable[[S, P], Mapping[str, object] | None] = lambda state, play: None
    """The proof or refutation of a play made at a state, as JSON data; None if it needs none."""

    led: Callable[[S, P], Card | None] = lambda state, play: None
    """The card, if a play made at a state leads a trick with it; else None."""

    luck: Callable[[S, P], tuple[Fraction, bool] | None] = lambda state, play: None
    """For a play by which a card was drawn that everybody saw: the probability, by public knowledge
    before it, that it is a bad one, and whether it was. None for every other play.
    """

    feats: Callable[[S], Iterable[Feat]] = lambda state: ()
    """What the history remembers of a match, from its last state, besides what ``led`` gives."""

    counted: Callable[[S, Entry, S], Iterable[Feat]] = lambda before, entry, after: ()
    """What the history counts of an entry, from the states before and after it."""

    knowledge: Callable[[S], Knowledge | None] = lambda state: None
    """What everybody can know of hidden cards at a state; None while nothing is dealt, or if it is
    not known which cards there are.
    """

    happened: Callable[[S, P, S], tuple[Fact, ...]] | None = None
    """Where a play that took effect moved cards, from the states before and after it; the deal is
    such a play. Only for a game without the hook ``hands``.
    None: the review in hindsight says nothing about its hands.
    """

    exchanging: Callable[[S], bool] = lambda state: False
    """Whether cards are about to leave the hands unseen, to other seats or aside, or to come into
    one. What a seat plays later says little about its hand at such a state, so the review says
    nothing about it; and the deal is not over.
    """

    hands: Callable[[S], Hands | Draws | None] = lambda state: None
    """What everybody can know of each hand at a state; None in a game without hidden hands, or one
    that has ``happened`` instead.
    """

    trick: Callable[[S], int | None] = lambda state: None
    """The trick in which a deal is, 1-based; None in a game without tricks."""

    scored: Callable[[S], object] = lambda state: None
    """A value that changes with each part of a deal, other than a trick, after which points may
    have changed: a round, a set.
    """

    starter: Callable[[S], Seat | None] | None = None
    """Who began the deal of a state; None while no card has decided it. Without the hook: the seat
    of the first play.
    """

    dealing: Callable[[S], Dealing | None] = lambda state: None
    """How to deal at a state, for these seats and house rules; None: the pages do not say."""

    teams: Callable[[S], tuple[tuple[Seat, ...], ...]] = lambda state: ()
    """The seats of each team, the teams in the order of their first seats; () where each seat plays
    for itself.
    """

    unit: Callable[[Table], Unit] = lambda table: "points"
    """What the score of a match counts, for these seats and house rules."""

    kind: Callable[[Table], str] = lambda table: ""
    """What makes matches of this game different games to the people who play them."""

    cooperative: Callable[[Table], bool] = lambda table: False
    """Whether all win together or nobody does, for these house rules."""

    summed: Callable[[Table], bool] = lambda table: True
    """Whether the points of several matches can be added up, for these house rules."""

    cards: bool = True
    """Whether it is played with cards that the phone records; False: for its points alone."""

    decimals: bool = False
    """Whether points can have decimals."""

    carried: bool = False
    """Whether cards of one deal stay where they are in the next: all deals are over together."""

    grounds: Callable[[S, P], ClaimGrounds | None] = lambda state, play: None
    """Why the cards decide a claim of the rest that a play at a state is; None if it is none, or if
    the cards do not decide it.
    """

    could_beat: Callable[[S, P], dict[str, object] | None] = lambda state, play: None
    """What hidden cards could still have beaten a claim made at a state, as JSON data; None for
    another play, and for a claim that open cards decide.
    """

    learned: Callable[[S], Mapping[str, bool]] = lambda state: {}
    """Words on which this table itself has agreed: word → whether it counts."""

    book: Callable[[Game[S, P]], Book] | None = None
    """Makes the ruling book of the game; None: it is ``book.toml`` in the game's folder."""

    brought_along: Callable[[Table, Mapping[str, bool]], Iterable[P]] = lambda table, agreed: ()
    """The plays by which a new table adopts the words on which earlier tables have agreed."""


class Game(Protocol[S, P]):
    """The interface of a rules module. States are immutable; ``apply`` returns a new one.

    Every state counts the deals begun so far in ``deal`` and has its ``deck``.
    """

    NAME: str
    SEATS: range
    VERSION: str
    OPTIONS: Options
    PLAYS: tuple[type[P], ...]
    HOOKS: Hooks[S, P]

    def setup(self, table: Table) -> S:
        """The state before the first entry."""
        ...

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Seats whose entry is due, in the order in which they should act; empty between deals."""
        ...

    def candidates(self, state: S) -> Iterable[P]:
        """Every play that could be declared now at all, legal or not."""
        ...

    def judge(self, state: S, play: P) -> Verdict:
        """The only place that decides whether ``play`` is legal."""
        ...

    def apply(self, state: S, play: P) -> S:
        """The state after ``play``, which is not illegal."""
        ...

    def let_stand(self, state: S, play: P) -> S | None:
        """The state after an illegal play that the table accepts; None if that makes no sense.

        What the play declares about a hand is not believed.
        """
        ...

    def score(self, state: S) -> ScoreSheet:
        """The points so far, with their arithmetic."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """How the match ended; None while it goes on."""
        ...

    def audit(self, state: S) -> tuple[Finding, ...]:
        """What later entries have proven about earlier ones, in the order of the offences."""
        ...

    def public(self, state: S) -> Mapping[str, object]:
        """What everybody at the table can see, as JSON data (docs/record.md)."""
        ...


def options(game: Game[S, P], state: S) -> Iterator[P]:
    """The candidates that are not illegal."""
    for play in game.candidates(state):
        if not isinstance(game.judge(state, play), Illegal):
            yield play
