"""熟語ライン: nine flags, three kanji on each side, and flags taken by proof.

Source: seed text S004. Rulings J1–J45. What cards are worth lies in ``referee.jukugo``; the column
sheets in ``jukugo_sheet``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, ClassVar

from referee.core.cards import Deck
from referee.core.game import TABLE, Line, Option, Options, ScoreSheet, Table
from referee.core.verdict import (
    Agreed,
    Evidence,
    Facts,
    Finding,
    Illegal,
    Legal,
    Outcome,
    Seat,
    Unprovable,
    Verdict,
    evidence,
)
from referee.games import jukugo_sheet
from referee.jukugo import equipment, proofs
from referee.jukugo.decks import JOKER
from referee.jukugo.equipment import Kit
from referee.jukugo.formations import COLUMN, Formation, Lexicon, best, lexicon
from referee.jukugo.prover import Claim as Question
from referee.jukugo.prover import prove

NAME = "jukugo_line"
FAMILY = "formations"
SEATS = range(2, 3)
VERSION = "1"
EQUIPMENT = equipment.KEYS
OPTIONS: Options = {
    "joker_deal": Option(("one_each", "shuffled")),
    "claim_timing": Option(("before_draw", "start_of_turn")),
    "no_slot_draw": Option(("off", "on")),
    "same_pair_counts": Option(("off", "on")),
    "three_with_noma": Option(("on", "off")),
    "dictionary": Option(("list_app_agreement",)),
    "dispute": Option(("both_agree", "dictionary_only")),
    "proper_nouns": Option(("headwords_only", "any", "none")),
    "two_witnesses": Option(("off", "on")),
    "assist": Option(("name_first", "auto")),
    "hints": Option(("off", "on")),
    "failed_claim_penalty": Option(("none", "no_draw")),
    "adjudication": Option(("app_if_registered", "both_confirm")),
}

FLAGS = 9
HAND = 5  # a joker and four cards
IN_A_ROW, IN_ALL = 3, 5  # flags that win
JOKERS = 2

equip = equipment.equip
tally = jukugo_sheet.tally


@dataclass(frozen=True, slots=True)
class Deal:
    """Each gets a joker and four cards; ``leader`` begins."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "deal leader={leader:seat}"
    leader: Seat


@dataclass(frozen=True, slots=True)
class Place:
    """``card`` is laid on the own side of ``flag`` (1…9)."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "place {flag:number} {card:kanji}"
    seat: Seat
    flag: int
    card: str


@dataclass(frozen=True, slots=True)
class Claim:
    """``flag`` can't be lost any more; ``words`` are read in the own column."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "claim {flag:number} [{words}]"
    seat: Seat
    flag: int
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """The turn ends with a card from the stock, if there is one."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "draw"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """There is no place for a card, or no card."""

    SUBJECT: ClassVar[str] = "seat"
    FORM: ClassVar[str] = "pass"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Word:
    """The table agrees that ``word`` counts, or that it does not."""

    SUBJECT: ClassVar[str] = TABLE
    FORM: ClassVar[str] = "word {word} {counts:yes_or_no}"
    word: str
    counts: bool


PLAYS = (Deal, Place, Claim, Draw, Pass, Word)


@dataclass(frozen=True, slots=True)
class Side:
    """One seat's cards at a flag, in the order in which they came; ``full``: the position of the
    play that brought the third.
    """

    cards: tuple[str, ...] = ()
    full: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """``sides`` has a pair of sides for each flag, in seat order, ``owners`` and ``claimed`` (the
    claim's position) one entry each. ``laid`` is the position at which each kanji was placed;
    ``jokers`` how many each seat has placed. ``done``: the turn's card is placed, or passed;
    ``dry``: the turn ends without a draw.
    """

    table: Table
    words: Lexicon | None
    at: int
    turn: Seat | None
    done: bool
    dry: bool
    sides: tuple[tuple[Side, Side], ...]
    owners: tuple[Seat | None, ...]
    claimed: tuple[int | None, ...]
    laid: Mapping[str, int]
    jokers: Mapping[Seat, int]
    hands: Mapping[Seat, int]
    stock: int
    agreed: Mapping[str, bool]

    @property
    def deal(self) -> int:
        """A match is one deal: 1 once it has been dealt."""
        return int(bool(self.stock or self.laid or any(self.hands.values())))

    @property
    def deck(self) -> Deck:
        """The cards that there are; none that anybody knows of without a registered deck (J37)."""
        kanji = tuple(self.words.deck.by_kanji) if self.words else ()
        return Deck((*kanji, JOKER), (1,) * len(kanji) + (JOKERS,)) if kanji else Deck((), ())


def setup(table: Table) -> State:
    kit: Kit = table.kit or equip({}, table.option, lambda name: None)
    on = {key: table.option(key) == "on" for key in ("three_with_noma", "same_pair_counts")}
    return State(
        table,
        _lexicon(kit, on["three_with_noma"], on["same_pair_counts"]),
        0,
        None,
        False,
        False,
        ((Side(), Side()),) * FLAGS,
        (None,) * FLAGS,
        (None,) * FLAGS,
        {},
        dict.fromkeys(table.seats, 0),
        dict.fromkeys(table.seats, 0),
        0,
        {},
    )


@lru_cache(maxsize=32)
def _lexicon(kit: Kit, three_with_noma: bool, same_pair_counts: bool) -> Lexicon | None:
    if kit.deck is None:
        return None
    return lexicon(
        kit.deck, kit.words, three_with_noma=three_with_noma, same_pair_counts=same_pair_counts
    )


# ---------------------------------------------------------------- what can be declared


def to_act(state: State) -> tuple[Seat, ...]:
    return (state.turn,) if state.turn is not None else ()


def candidates(state: State) -> Iterator[Any]:
    """Plays of the seat whose turn it is, and of the other one where its turn may have begun.

    Agreements on words are not among them: there is no end of words.
    """
    if state.turn is None:
        if not any(state.hands.values()):
            yield from map(Deal, state.table.seats)
        return
    for seat in (state.turn, other(state, state.turn)):
        for flag in range(1, FLAGS + 1):
            for card in unseen(state, seat):
                yield Place(seat, flag, card)
        for flag in range(1, FLAGS + 1):
            yield Claim(seat, flag)
        yield Draw(seat)
        yield Pass(seat)


def unseen(state: State, seat: Seat) -> list[str]:
    """Kanji that ``seat`` could still place, as far as anybody can see; none without a deck."""
    kanji = state.words.deck.by_kanji if state.words else ()
    joker = [JOKER] if _jokers_left(state, seat) else []
    return [card for card in kanji if card not in state.laid] + joker


def other(state: State, seat: Seat) -> Seat:
    """The opponent of ``seat``."""
    first, second = state.table.seats
    return second if seat == first else first


def _jokers_left(state: State, seat: Seat) -> int:
    """How many jokers ``seat`` may still place, going by what lies on the table (J2, J14)."""
    if state.table.option("joker_deal") == "shuffled":
        return JOKERS - sum(state.jokers.values())
    return 1 - state.jokers[seat]


# ---------------------------------------------------------------- verdicts


def judge(state: State, play: Any) -> Verdict:
    if isinstance(play, Word):
        return _word(state, play)
    if isinstance(play, Deal):
        if any(state.hands.values()):
            return Illegal("setup.2", evidence("dealt_already"))
        return Legal("setup.2", evidence("begins", seat=play.leader))
    if state.turn is None:
        if outcome(state):
            return Illegal("end.1", evidence("match_over"))
        return Illegal("setup.2", evidence("no_deal"))
    begun = _begun(state, play)
    if begun is None:
        return Illegal("turn.1", evidence("not_turn", seat=play.seat, due=state.turn))
    match play:
        case Place():
            return _place(begun, play)
        case Claim():
            return _claim(begun, play)
        case Draw():
            return _draw(begun, play)
        case _:
            return _pass(begun, play)


def _begun(state: State, play: Any) -> State | None:
    """The state in which it is the turn of ``play.seat``; None if it can't be yet.

    The other seat's first entry says that the one before has drawn its card.
    """
    if play.seat == state.turn:
        return state
    if not state.done or isinstance(play, Draw):
        return None
    return _drawn(state)


def _word(state: State, play: Word) -> Verdict:
    if state.table.option("dispute") == "dictionary_only":
        return Illegal("words.3", evidence("no_agreements"))
    if outcome(state):
        return Illegal("end.1", evidence("match_over"))
    fact = "word_counts" if play.counts else "word_does_not_count"
    return Legal("words.3", evidence(fact, word=play.word))


def _place(state: State, play: Place) -> Verdict:
    if state.done:
        return Illegal("turn.2", evidence("placed_already", seat=play.seat))
    if not 1 <= play.flag <= FLAGS:
        return Illegal("place.1", evidence("no_such_flag", flag=play.flag))
    owner = state.owners[play.flag - 1]
    if owner is not None:
        at = state.claimed[play.flag - 1]
        return Illegal("place.3", evidence("flag_taken", at, flag=play.flag, seat=owner))
    if len(_side(state, play.seat, play.flag).cards) == COLUMN:
        full = _side(state, play.seat, play.flag).full
        return Illegal("place.2", evidence("side_full", full, seat=play.seat, flag=play.flag))
    return _of_hand(state, play) or Legal("place.1")


def _of_hand(state: State, play: Place) -> Illegal | None:
    """Why the card can't come from this hand, as far as everybody can see."""
    if not state.hands[play.seat]:
        return Illegal("place.1", evidence("hand_empty", seat=play.seat))
    if play.card == JOKER:
        if not _jokers_left(state, play.seat):
            return Illegal("joker.2", evidence("joker_played", seat=play.seat))
        return None
    if state.words and play.card not in state.words.deck.by_kanji:
        return Illegal("setup.1", evidence("no_such_card", card=play.card))
    if play.card in state.laid:
        return Illegal("setup.1", evidence("lies_already", state.laid[play.card], card=play.card))
    keeps_joker = state.table.option("joker_deal") == "one_each" and not state.jokers[play.seat]
    if keeps_joker and state.hands[play.seat] == 1:
        return Illegal("joker.2", evidence("only_the_joker", seat=play.seat))
    return None


def _pass(state: State, play: Pass) -> Verdict:
    if state.done:
        return Illegal("turn.2", evidence("placed_already", seat=play.seat))
    if not state.hands[play.seat]:
        return Legal("place.4", evidence("hand_empty", seat=play.seat))
    free = [flag for flag in range(1, FLAGS + 1) if _open(state, play.seat, flag)]
    if free:
        return Illegal("place.4", evidence("place_left", seat=play.seat, flags=tuple(free)))
    return Legal("place.4", evidence("no_place", seat=play.seat))


def _draw(state: State, play: Draw) -> Verdict:
    if not state.done:
        return Illegal("turn.2", evidence("place_first", seat=play.seat))
    if state.dry:
        return Legal("draw.1", evidence("no_draw"))
    if not state.stock:
        return Legal("draw.2", evidence("stock_empty"))
    return Legal("draw.1", evidence("stock_left", count=state.stock - 1))


def _claim(state: State, play: Claim) -> Verdict:
    early = state.table.option("claim_timing") == "start_of_turn"
    if early and state.done:
        return Illegal("claim.1", evidence("claims_come_first"))
    if not early and not state.done:
        return Illegal("claim.1", evidence("place_first", seat=play.seat))
    if not 1 <= play.flag <= FLAGS:
        return Illegal("claim.1", evidence("no_such_flag", flag=play.flag))
    owner = state.owners[play.flag - 1]
    if owner is not None:
        at = state.claimed[play.flag - 1]
        return Illegal("claim.2", evidence("flag_taken", at, flag=play.flag, seat=owner))
    own = _side(state, play.seat, play.flag)
    if own.full is None:
        count = len(own.cards)
        return Illegal("claim.3", evidence("column_open", seat=play.seat, count=count))
    if state.words is None or state.table.option("adjudication") == "both_confirm":
        return Unprovable("claim.7", Agreed(play.seat, ()))
    return _named(state, play, own) or _compared(state, play, state.words)


def _named(state: State, play: Claim, own: Side) -> Verdict | None:
    """What is wrong with the words that are named, or hangs on them (J31, J34)."""
    for word in play.words:
        short = [card for card in word if word.count(card) > own.cards.count(card)]
        if short:
            return Illegal("words.1", evidence("other_cards", own.full, word=word, card=short[0]))
    unknown = _unknown(state, play)
    for word in unknown:
        if word in state.agreed or state.table.option("dispute") == "dictionary_only":
            return Illegal("words.1", evidence("no_word", word=word))
    if not unknown:
        return None
    verdict = _compared(state, play, _trusting(state, play))
    if isinstance(verdict, Illegal):
        return verdict
    return Unprovable("words.2", Agreed(play.seat, unknown), verdict.evidence)


def _unknown(state: State, play: Claim) -> tuple[str, ...]:
    """The words of a claim that don't count at this table as it is."""
    assert state.words is not None
    return tuple(word for word in play.words if word not in state.words.words)


def _trusting(state: State, play: Claim) -> Lexicon:
    """The words of the table, and those of the claim."""
    assert state.words is not None
    words = state.words
    for word in _unknown(state, play):
        words = words.agree(word, True)
    return words


def _compared(state: State, play: Claim, words: Lexicon) -> Verdict:
    """The claim, decided by the cards on the table (J10–J17)."""
    rival = other(state, play.seat)
    own, theirs = _side(state, play.seat, play.flag), _side(state, rival, play.flag)
    held = best(words, own.cards)
    shown = _shows(play.seat, held, own.full)
    if theirs.full is not None:
        against = best(words, theirs.cards)
        facts = (*shown, *_shows(rival, against, theirs.full))
        if held.strength > against.strength:
            return Legal("claim.4", facts)
        if held.strength < against.strength:
            return Illegal("claim.4", facts)
        assert own.full is not None
        first = play.seat if own.full < theirs.full else rival
        facts += evidence("completed_first", min(own.full, theirs.full), seat=first)
        return Legal("claim.5", facts) if first == play.seat else Illegal("claim.5", facts)
    proof = prove(words, question(state, play.seat, play.flag))
    if proof.witness is None:
        return Legal("claim.6", (*shown, *evidence("nothing_left", seat=rival)))
    values = {"seat": rival} | jukugo_sheet.told(proof.witness)
    if proof.proven:
        return Legal("claim.6", (*shown, Evidence("best_left", values)))
    return Illegal("claim.6", (*shown, Evidence("would_win", values)))


def answered(state: State, play: Any) -> dict[str, Any]:
    """What a record's answer adds for a claim that the cards decide."""
    verdict = judge(state, play)
    if not isinstance(play, Claim) or verdict.clause not in ("claim.4", "claim.5", "claim.6"):
        return {}
    if not isinstance(verdict, Illegal):
        return {"claim": "proven"}
    words = _trusting(state, play)
    theirs = _side(state, other(state, play.seat), play.flag)
    stronger = (
        prove(words, question(state, play.seat, play.flag)).witness
        if theirs.full is None
        else best(words, theirs.cards)
    )
    assert stronger is not None
    told = {"refuted_by": list(stronger.order), "formation": jukugo_sheet.as_json(stronger)}
    return {"claim": told}


def proof(state: State, play: Any) -> dict[str, Any] | None:
    """The proof of a claim as data that ``referee.jukugo.proofs.check`` goes through.

    None where nothing was to be proven: both columns are full, or it is no claim in its turn.
    """
    if not isinstance(play, Claim) or judge(state, play).clause not in ("claim.6", "words.2"):
        return None
    if _side(state, other(state, play.seat), play.flag).full is not None:
        return None
    words, asked = _trusting(state, play), question(state, play.seat, play.flag)
    return proofs.export(words, asked, prove(words, asked))


def question(state: State, seat: Seat, flag: int) -> Question:
    """What a claim of ``seat`` asks: the cards that lie everywhere, and the jokers (J12–J15)."""
    rival = other(state, seat)
    own, theirs = _side(state, seat, flag), _side(state, rival, flag)
    gone = state.laid.keys() - {*own.cards, *theirs.cards}
    return Question(own.cards, theirs.cards, frozenset(gone), _jokers_left(state, rival))


# ---------------------------------------------------------------- what plays do


def apply(state: State, play: Any) -> State:
    if isinstance(play, Deal):
        assert state.table.kit is None or isinstance(state.table.kit, Kit)
        cards = len(state.words.deck.cards) if state.words else 52
        hands = dict.fromkeys(state.table.seats, HAND)
        stock = cards + JOKERS - HAND * len(hands)
        return replace(state, at=state.at + 1, turn=play.leader, hands=hands, stock=stock)
    if isinstance(play, Word):
        words = state.words.agree(play.word, play.counts) if state.words else None
        agreed = {**state.agreed, play.word: play.counts}
        return replace(state, at=state.at + 1, words=words, agreed=agreed)
    begun = _begun(state, play)
    assert begun is not None
    begun = replace(begun, at=state.at + 1)
    match play:
        case Place():
            return _placed(begun, play)
        case Claim():
            return _taken(begun, play)
        case Draw():
            return _drawn(begun)
        case _:
            return replace(begun, done=True, dry=state.table.option("no_slot_draw") == "off")


def _placed(state: State, play: Place) -> State:
    side = _side(state, play.seat, play.flag)
    cards = (*side.cards, play.card)
    fresh = Side(cards, state.at if len(cards) == COLUMN else None)
    pair = list(state.sides[play.flag - 1])
    pair[state.table.seats.index(play.seat)] = fresh
    jokers, laid = state.jokers, state.laid
    if play.card == JOKER:
        jokers = {**jokers, play.seat: jokers[play.seat] + 1}
    else:
        laid = {**laid, play.card: state.at}
    return replace(
        state,
        done=True,
        sides=_with(state.sides, play.flag, (pair[0], pair[1])),
        jokers=jokers,
        laid=laid,
        hands={**state.hands, play.seat: state.hands[play.seat] - 1},
    )


def _taken(state: State, play: Claim) -> State:
    state = replace(
        state,
        owners=_with(state.owners, play.flag, play.seat),
        claimed=_with(state.claimed, play.flag, state.at),
    )
    return replace(state, turn=None) if outcome(state) else state


def _drawn(state: State) -> State:
    """The turn is over: a card is drawn if there is one and the hand has room (J6, J45)."""
    assert state.turn is not None
    held = state.hands[state.turn]
    roomy = held < HAND or state.table.option("no_slot_draw") == "on"
    count = 1 if state.stock and roomy and not state.dry else 0
    return replace(
        state,
        turn=other(state, state.turn),
        done=False,
        dry=False,
        hands={**state.hands, state.turn: held + count},
        stock=state.stock - count,
    )


def refused(state: State, play: Any) -> State:
    """A claim that failed costs the draw where the table plays so (J36)."""
    penalty = state.table.option("failed_claim_penalty") == "no_draw"
    if not penalty or not isinstance(play, Claim) or play.seat != state.turn or not state.done:
        return state
    failed = judge(state, play).clause in ("claim.4", "claim.5", "claim.6")
    return replace(state, dry=True) if failed else state


def let_stand(state: State, play: Any) -> State | None:
    if state.turn is None or isinstance(play, (Deal, Word)):
        return None
    state = replace(state, at=state.at + 1)
    if play.seat != state.turn:
        state = _drawn(replace(state, done=True))
    match play:
        case Place():
            known = play.card in state.laid or not 1 <= play.flag <= FLAGS
            lacks = state.words and play.card not in (*state.words.deck.by_kanji, JOKER)
            joker = play.card == JOKER and not _jokers_left(state, play.seat)
            if known or lacks or joker or not state.hands[play.seat]:
                return None
            full = len(_side(state, play.seat, play.flag).cards) == COLUMN
            return None if full else _placed(state, play)
        case Claim():
            there = 1 <= play.flag <= FLAGS and state.owners[play.flag - 1] is None
            return _taken(state, play) if there else None
        case Draw():
            return _drawn(state)
        case _:
            return replace(state, done=True, dry=True)


# ---------------------------------------------------------------- the end


def score(state: State) -> ScoreSheet:
    """A point for each flag; in the order in which they were taken."""
    taken = [(at, flag) for flag, at in enumerate(state.claimed, 1) if at is not None]
    lines = []
    for at, flag in sorted(taken):
        seat = state.owners[flag - 1]
        assert seat is not None
        facts = evidence("takes_flag", at, flag=flag)
        side = _side(state, seat, flag)
        if state.words and side.full is not None:
            facts += _shows(seat, best(state.words, side.cards), side.full)
        lines.append(Line(seat, 1, "aim.1", facts, 1, None))
    totals = {seat: state.owners.count(seat) for seat in state.table.seats}
    return ScoreSheet(tuple(lines), totals)


def outcome(state: State) -> Outcome | None:
    """Three flags in a row before five in all (J41)."""
    for seat in state.table.seats:
        row = _row(state, seat)
        if row:
            facts = evidence("broke_through", seat=seat, flags=row)
            return Outcome("end.2", (seat,), facts)
    for seat in state.table.seats:
        count = state.owners.count(seat)
        if count >= IN_ALL:
            return Outcome("end.3", (seat,), evidence("has_flags", seat=seat, count=count))
    return None


def _row(state: State, seat: Seat) -> tuple[int, ...]:
    """All flags of the first row of at least three that ``seat`` owns, 1-based; () if none."""
    for start in range(FLAGS):
        row = tuple(takewhile(lambda i: state.owners[i] == seat, range(start, FLAGS)))
        if len(row) >= IN_A_ROW:
            return tuple(i + 1 for i in row)
    return ()


def audit(state: State) -> tuple[Finding, ...]:
    """Nothing is declared about hidden hands, so nothing can be proven about them later."""
    return ()


def public(state: State) -> dict[str, Any]:
    seats = state.table.seats
    flags = [
        {**{seat: list(side.cards) for seat, side in zip(seats, pair, strict=True)}, "owner": owner}
        for pair, owner in zip(state.sides, state.owners, strict=True)
    ]
    return {"flags": flags, "stock": state.stock, "hands": dict(state.hands)}


# ---------------------------------------------------------------- small things


def formation(state: State, seat: Seat, flag: int) -> Formation | None:
    """What the full column of ``seat`` at ``flag`` is worth; None while it is open."""
    side = _side(state, seat, flag)
    return best(state.words, side.cards) if state.words and side.full is not None else None


def column(state: State, seat: Seat, flag: int) -> tuple[str, ...]:
    """The cards of ``seat`` at ``flag``, in the order in which they came."""
    return _side(state, seat, flag).cards


def _side(state: State, seat: Seat, flag: int) -> Side:
    return state.sides[flag - 1][state.table.seats.index(seat)]


def _open(state: State, seat: Seat, flag: int) -> bool:
    return state.owners[flag - 1] is None and _side(state, seat, flag).full is None


def _with(items: tuple[Any, ...], flag: int, item: Any) -> tuple[Any, ...]:
    return (*items[: flag - 1], item, *items[flag:])


def _shows(seat: Seat, shown: Formation, at: int | None) -> Facts:
    return (Evidence("shows", {"seat": seat} | jukugo_sheet.told(shown), at),)
