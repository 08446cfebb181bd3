"""Tally sheets: two columns compared, or one column that is claimed against an incomplete one."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.game import Line, ScoreSheet, SheetLines, Table, Tally
from referee.core.record import Unreadable, is_kanji, unquoted, words
from referee.core.verdict import Outcome, Seat, evidence
from referee.games.jukugo_line.evidence import as_json, falls_short, formed, wins
from referee.games.jukugo_line.state import JOKERS, lexicon_of
from referee.jukugo.decks import JOKER
from referee.jukugo.formations import COLUMN, Formation, Lexicon, best
from referee.jukugo.prover import FlagClaim, prove


def tally(table: Table, lines: SheetLines, end: int, adjusted: Mapping[Seat, int]) -> Tally:
    """The result of comparing columns, or of a claim.

    ``more`` has ``formations`` of the full columns, and ``winner`` or ``claim``. Raises
    ``Unreadable``.
    """
    for key, found in lines.items():
        if key not in (*table.seats, "first", "seen", "joker"):
            raise Unreadable("read_tally_key", line=found[0][0], key=key)
        if len(found) > 1:
            raise Unreadable("read_repeated", line=found[1][0], key=key)
    lexicon_ = lexicon_of(table)
    if lexicon_ is None:
        raise Unreadable("read_no_deck", line=end, name="unregistered")
    columns = {seat: _column(table, lexicon_, lines, seat, end) for seat in table.seats}
    seen = _cards(lexicon_, *lines["seen"][0]) if "seen" in lines else ()
    _no_doubles(columns, seen, lines)
    first = _first(table, lines)
    full = {seat: best(lexicon_, cards) for seat, cards in columns.items() if len(cards) == COLUMN}
    formations = {seat: as_json(formation) for seat, formation in full.items()}
    if len(full) == len(table.seats):
        if "joker" in lines:
            _jokers_left(table, lines, columns, seen)
        return _compared(table, first, full, formations)
    if not full:
        raise Unreadable("read_two_open_columns", line=end)
    if first and first not in full:
        raise Unreadable("read_first_open", line=lines["first"][0][0], seat=first)
    return _claimed(table, lexicon_, lines, columns, seen, formations)


def _first(table: Table, lines: SheetLines) -> Seat | None:
    """The seat that completed its column first, or None if the sheet does not say."""
    if "first" not in lines:
        return None
    number, text = lines["first"][0]
    if unquoted(text) not in table.seats:
        raise Unreadable("read_seat", line=number, name=text)
    return unquoted(text)


def _compared(
    table: Table, first: Seat | None, full: dict[Seat, Formation], formations: Mapping[Seat, object]
) -> Tally:
    strongest = max(formation.strength for formation in full.values())
    ahead = [seat for seat in table.seats if full[seat].strength == strongest]
    tied = len(ahead) > 1
    winner = first if tied else ahead[0]
    facts = tuple(fact for s in table.seats for fact in formed("shows", s, full[s]))
    if not tied:
        facts += wins(ahead[0], full[ahead[0]], min(full.values(), key=lambda f: f.strength))
    elif winner:
        facts += evidence("completed_first", seat=winner)
    ended = Outcome("claim.5" if tied else "claim.4", (winner,) if winner else (), facts)
    return Tally(_sheet(table, winner), ended, {"formations": formations, "winner": winner})


def _claimed(
    table: Table,
    lexicon_: Lexicon,
    lines: SheetLines,
    columns: dict[Seat, tuple[str, ...]],
    seen: tuple[str, ...],
    formations: Mapping[Seat, object],
) -> Tally:
    claimant = next(seat for seat in table.seats if seat in formations)
    rival = next(seat for seat in table.seats if seat != claimant)
    gone = frozenset(card for card in seen if card != JOKER)
    left = _jokers_left(table, lines, columns, seen)
    asked = FlagClaim(columns[claimant], columns[rival], gone, left[rival])
    proof = prove(lexicon_, asked)
    facts = formed("shows", claimant, proof.own)
    claim: object = "proven"
    if proof.witness is None:
        facts += evidence("nothing_left", seat=rival)
    elif proof.proven:
        facts += falls_short(rival, proof.witness, proof.own)
    else:
        claim = {"refuted_by": list(proof.witness.order), "formation": as_json(proof.witness)}
    more = {"formations": formations, "claim": claim}
    if not proof.proven:
        return Tally(_sheet(table, None), None, more)
    return Tally(_sheet(table, claimant), Outcome("claim.6", (claimant,), facts), more)


def _column(
    table: Table, lexicon_: Lexicon, lines: SheetLines, seat: Seat, end: int
) -> tuple[str, ...]:
    """The cards of the column of ``seat``; raises ``Unreadable``."""
    if seat not in lines:
        raise Unreadable("read_missing", line=end, key=seat)
    number, text = lines[seat][0]
    cards = _cards(lexicon_, number, text)
    if len(cards) > COLUMN:
        raise Unreadable("read_column", line=number, text=text)
    if cards.count(JOKER) > (JOKERS if _shuffled(table) else 1):
        raise Unreadable("read_card_twice", line=number, card=JOKER)
    return cards


def _cards(lexicon_: Lexicon, number: int, text: str) -> tuple[str, ...]:
    cards = tuple("".join(text.split()))
    for card in cards:
        if not is_kanji(card):
            raise Unreadable("read_kanji", line=number, text=card)
        if card != JOKER and card not in lexicon_.deck.by_kanji:
            raise Unreadable("read_not_in_deck", line=number, card=card)
    return cards


def _no_doubles(
    columns: dict[Seat, tuple[str, ...]], seen: tuple[str, ...], lines: SheetLines
) -> None:
    """Raise ``Unreadable`` if a card stands on the sheet more often than the deck has it."""
    counted: dict[str, int] = {}
    placed = [(lines[seat][0][0], cards) for seat, cards in columns.items()]
    if "seen" in lines:
        placed.append((lines["seen"][0][0], seen))
    for number, cards in placed:
        for card in cards:
            counted[card] = counted.get(card, 0) + 1
            if counted[card] > (JOKERS if card == JOKER else 1):
                raise Unreadable("read_card_twice", line=number, card=card)


def _shuffled(table: Table) -> bool:
    return table.option("joker_deal") == "shuffled"


def _jokers_left(
    table: Table, lines: SheetLines, columns: dict[Seat, tuple[str, ...]], seen: tuple[str, ...]
) -> dict[Seat, int]:
    """How many jokers each seat may still place (J2, J14)."""
    laid = sum(cards.count(JOKER) for cards in (*columns.values(), seen))
    if _shuffled(table):
        if "joker" in lines:  # with this house rule no seat is dealt one
            raise Unreadable("read_tally_key", line=lines["joker"][0][0], key="joker")
        return dict.fromkeys(table.seats, JOKERS - laid)
    left = {seat for seat in table.seats if JOKER not in columns[seat]}
    if "joker" not in lines:
        if JOKER in seen:
            raise Unreadable("read_missing", line=lines["seen"][0][0], key="joker")
        return {seat: int(seat in left) for seat in table.seats}
    number, text = lines["joker"][0]
    named = [unquoted(token) for token in words(text)]
    for seat in named:
        if seat not in table.seats:
            raise Unreadable("read_seat", line=number, name=seat)
        if seat not in left or named.count(seat) > 1:
            raise Unreadable("read_card_twice", line=number, card=JOKER)
    if len(named) + laid > JOKERS:
        raise Unreadable("read_card_twice", line=number, card=JOKER)
    return {seat: int(seat in named) for seat in table.seats}


def _sheet(table: Table, winner: Seat | None) -> ScoreSheet:
    lines = (Line(winner, 1, "aim.1", (), 1, None),) if winner else ()
    return ScoreSheet(lines, {seat: int(seat == winner) for seat in table.seats})
