"""The protocol as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256

from referee.core.book import Book
from referee.core.log import Log
from referee.core.record import Record, write
from referee.core.verdict import Card
from referee.games import game_of
from referee.protocol.certificates import of_deal
from referee.protocol.moves import DealMoves, deals
from referee.rulings import book_of
from referee.rulings.report import replay

FORMAT = "referee-protocol-1"
Json = dict[str, object]


def written(record: Record) -> str:
    """The protocol of a match as a line of JSON."""
    return json.dumps(protocol(record), ensure_ascii=False, separators=(",", ":"))


def protocol(record: Record) -> Json:
    """The protocol of a match; its last key is the hash of all others."""
    log, game = replay(record), game_of(record.header)
    text = write(record.header, (entry.text for entry in record.entries))
    mark = sha256(text.encode()).hexdigest()
    found, lexicons = deals(log), list[Json]()
    proofs = [made for number, deal in enumerate(found) for made in _of_deal(number, deal)]
    made: Json = {
        "format": FORMAT,
        "record": text,
        "rules": {"game": record.header.game, "sha256": rules_hash(book_of(game), game.VERSION)},
        "sides": _sides(log),
        "deals": [_deal(deal) for deal in found],
        "certificates": [{"record": mark, **made} for made in (*proofs, *_of_words(log, lexicons))],
        "lexicons": lexicons,
    }
    return {**made, "sha256": hash_of({**made, "sha256": ""})}


def _sides(log: Log) -> list[list[str]]:
    """The seats of each team; every seat alone without teams."""
    teams = log.game.HOOKS.teams(log.state) or tuple((seat,) for seat in log.table.seats)
    return [list(team) for team in teams]


def rules_hash(book: Book, version: str) -> str:
    """The hash of the rules: of every clause, in both languages."""
    clauses = [[clause.id, clause.text.ja, clause.text.en] for clause in book.clauses]
    return hash_of([version, clauses])


def hash_of(value: object) -> str:
    """The hash of JSON data, whatever the order of its keys."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def _deal(deal: DealMoves) -> Json:
    deck = {str(card): n for card, n in zip(deal.deck.cards, deal.deck.copies, strict=True)}
    return {"deck": deck, "moves": [_move(deal, i) for i in range(len(deal.moves))]}


def _move(deal: DealMoves, place: int) -> Json:
    move = deal.moves[place]
    seat: Json = {} if move.seat is None else {"seat": move.seat}
    value = move.number if move.kind in ("draws", "loses", "claims") else _names(move.cards)
    about = _about(deal, place) if move.kind == "says_only" else {}
    return {"entry": move.entry, **seat, move.kind: value, **about}


def _about(deal: DealMoves, place: int) -> Json:
    """From which cards on the table it follows what a declaration is about, if it does.

    ``no_suit_of``: none of the suit of the card in an entry; ``only_of``: only kinds of the cards
    in some entries, the last ones that were played.
    """
    said = {str(card) for card in deal.moves[place].cards}
    plays = [move for move in deal.moves[:place] if move.kind == "plays" and len(move.cards) == 1]
    for n in range(1, len({move.seat for move in plays}) + 1):
        last = plays[-n:]
        if said == {str(card) for move in last for card in move.cards}:
            return {"only_of": [move.entry for move in last]}
    for move in reversed(plays):
        led = suit(move.cards[0])
        if led and said == {str(card) for card in deal.deck.cards if suit(card) != led}:
            return {"no_suit_of": move.entry}
    return {}


def suit(card: Card) -> str:
    """The letters of a card before its number or picture; "" for a card that is a number."""
    text = str(card)
    rank = text.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return text[: len(text) - len(rank)] if rank else text[:-1]


def _names(cards: Sequence[Card]) -> list[str]:
    return [str(card) for card in cards]


def _of_deal(number: int, deal: DealMoves) -> Iterator[Json]:
    for made in of_deal(deal):
        head = {"deal": number, "proves": made.proves, "entry": made.entry, "seat": made.seat}
        yield {**head, "argument": made.argument, **made.values}


LEXICON = ("deck", "words", "three_with_noma", "same_pair_counts")


def _of_words(log: Log, lexicons: list[Json]) -> Iterator[Json]:
    """The certificates of claims that words decide; their words are added to ``lexicons``, once."""
    for step in log.steps():
        data = log.game.HOOKS.proof(log.before(step), step.play)
        if data is None:
            continue
        lexicon = {key: data[key] for key in LEXICON}
        if lexicon not in lexicons:
            lexicons.append(lexicon)
        yield {
            "proves": "claim" if data["proven"] else "refuted claim",
            "entry": step.seq,
            "seat": step.play.seat,
            "argument": "no_words_beat",
            "lexicon": lexicons.index(lexicon),
            **{key: data[key] for key in ("own", "other", "gone", "jokers", "proven", "witness")},
        }
