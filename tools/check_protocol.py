"""Check the protocol of a match, without the program that wrote it: python check_protocol.py FILE

A protocol has the record of a match, what everybody could see in each deal (its moves), and a
certificate for each proven revoke, proven claim and refuted claim. This program knows the form of a
record, the deck that the protocol names, and five arguments; it knows the rules of no game. What an
entry says of a hand, and which cards beat which, are what the rules of the game say: compare the
hash of the rules with your own copy of them.

Exit status 0: every certificate is accepted; 1: some are refused; 2: the file is no protocol, or it
was changed, or a certificate belongs to another match.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from hashlib import sha256
from itertools import combinations, permutations
from typing import Any, NamedTuple

FORMAT = "referee-protocol-1"
CARD = re.compile(r"([^\s=,+\"*]+)(?:\*([0-9]{1,4}))?")
COUNTED = ("draws", "loses", "claims")  # moves with a number; all others have a list of cards
KINDS = (*COUNTED, "turns", "takes", "plays", "shows", "says_only")
BROKEN = (ValueError, RecursionError, LookupError, TypeError, AttributeError)  # another form
Proof = dict[str, Any]


class Refused(Exception):
    """A certificate that does not prove what it says."""


class Unreadable(Exception):
    """A file that is no protocol, or that was changed."""


class Move(NamedTuple):
    """A move that ``entry`` shows; ``seat`` is "" if the cards were in no hand."""

    entry: int
    seat: str
    kind: str
    cards: list[str]
    number: int
    about: dict[str, Any]


def hash_of(value: object) -> str:
    """The hash of JSON data, whatever the order of keys and the blanks in a file."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def need(holds: object, sentence: str) -> None:
    """Refuse with a sentence unless a condition holds."""
    if not holds:
        raise Refused(sentence)


def spelt(cards: Iterable[str]) -> str:
    return ", ".join(sorted(set(cards))) or "none"


def cards_in(line: str) -> Counter[str]:
    """All that can be a card in a line: ``9*5`` is five, ``declare 5`` as many kings, if not 4."""
    kings = [int(number or 0) for number in re.findall(r" (?:king|declare)\b ?([0-9]?)", line)]
    found = Counter({"K": max(4, *kings) if kings else 0})
    for card, times in CARD.findall(line):
        found[card] += int(times or 1)
    return found


class Record:
    """The lines of a record; ``of``: an entry with the corrections that put it right."""

    def __init__(self, text: str) -> None:
        body = text.partition("\n\n")[2].split("\n")
        self.lines = [line.strip() for line in body if line.strip() and line[0] != "#"]
        self.fixed: dict[int, str] = {}
        for line in self.lines:
            for number in re.findall(r"\b(?:amend|contest) ([0-9]+) ", line):
                self.fixed[int(number)] = self.fixed.get(int(number), "") + " " + line

    def of(self, entry: int) -> str:
        need(1 <= entry <= len(self.lines), f"there is no entry {entry}")
        return self.lines[entry - 1] + self.fixed.get(entry, "")


class Deal:
    """The moves of a deal in the order in which they count, checked against the record."""

    def __init__(self, data: dict[str, Any], record: Record) -> None:
        self.deck = Counter({str(card): int(copies) for card, copies in data["deck"].items()})
        self.moves = [read_move(each) for each in data["moves"]]
        self.held: list[int] = []  # before each move, the cards in the hand of its seat
        self.fresh: list[Counter[str]] = []  # the cards that each move shows for the first time
        self.said: dict[tuple[int, str], int] = {}  # (entry, seat) of a declaration → its move
        self.at: dict[int, list[int]] = {}  # entry → its moves
        held, seen = Counter[str](), Counter[str]()
        known: dict[str, Counter[str]] = {}
        for i, move in enumerate(self.moves):
            entry, seat, kind = move[:3]
            self.named(move, record.of(entry))
            own = known.setdefault(seat, Counter())
            cards = Counter(move.cards)
            fresh = cards - own if kind in ("turns", "plays", "shows") else Counter[str]()
            self.held.append(held[seat])
            held[seat] += {"draws": move.number, "loses": -move.number}.get(kind, 0)
            held[seat] += {"takes": 1, "plays": -cards.total()}.get(kind, 0)
            if kind in ("takes", "shows"):
                known[seat] = own + cards if kind == "takes" else own | cards
            elif kind == "plays":
                known[seat] = own - cards
            elif kind == "says_only":
                self.said[entry, seat] = i
                self.declared(i)
            seen += fresh
            need(held[seat] >= 0, f"entry {entry}: {seat} does not hold so many cards")
            need(seen <= self.deck, f"entry {entry}: the deck has fewer {spelt(seen - self.deck)}")
            self.fresh.append(fresh)
            self.at.setdefault(entry, []).append(i)

    def named(self, move: Move, text: str) -> None:
        """Refuse a move whose entry ``text`` does not name its cards, or its seat."""
        missing = Counter(move.cards) - cards_in(text)
        need(move.kind == "says_only" or not missing, f"{text}: there is no {spelt(missing)}")
        words = {word.split("=")[0].strip('"') for word in re.findall(r'"[^"]*"|[^\s"]+', text)}
        free = move.kind in ("draws", "loses") or text.startswith("table ")
        need(free or move.seat in words, f"{text}: this is none of {move.seat}")

    def declared(self, i: int) -> None:
        """Check what a declaration is about, where it follows from cards on the table."""
        entry, _, _, cards, _, about = self.moves[i]
        if "no_suit_of" in about:
            led = {suit(card) for card in self.played(about["no_suit_of"], i)}
            kinds = {card for card in self.deck if suit(card) not in led}
        else:
            listed = about.get("only_of", [])
            kinds = {card for number in listed for card in self.played(number, i)} or set(cards)
        need(set(cards) == kinds <= set(self.deck), f"entry {entry} speaks of {spelt(kinds)}")

    def played(self, entry: int, before: int) -> list[str]:
        """The cards that ``entry`` has played, before the move ``before``."""
        moves = [self.moves[i] for i in self.at.get(entry, ()) if i < before]
        found = [card for move in moves if move.kind == "plays" for card in move.cards]
        need(found, f"entry {entry} has played no card before that")
        return found

    def says(self, entry: int, seat: str) -> int:
        """The move in which ``seat`` declares something in ``entry``."""
        need((entry, seat) in self.said, f"entry {entry} declares nothing of the hand of {seat}")
        return self.said[entry, seat]

    def of(self, seat: str, since: int, until: int, *kinds: str) -> list[tuple[int, str]]:
        """Entries and cards of moves of a seat, of these kinds."""
        own = [m for m in self.moves[since:until] if m.seat == seat and m.kind in kinds]
        return [(move.entry, card) for move in own for card in move.cards]

    def gained(self, seat: str, since: int, until: int, kinds: Container[str]) -> int:
        """How many cards that can be of ``kinds`` came into a hand between two moves."""
        own = [m for m in self.moves[since:until] if m.seat == seat and m.kind == "draws"]
        taken = self.of(seat, since, until, "takes")
        return sum(move.number for move in own) + sum(card in kinds for _, card in taken)


def read_move(data: dict[str, Any]) -> Move:
    [kind] = [key for key in data if key in KINDS]
    counted = kind in COUNTED
    cards, number = ([], int(data[kind])) if counted else ([str(card) for card in data[kind]], 0)
    return Move(int(data["entry"]), str(data.get("seat", "")), kind, cards, number, data)


def suit(card: str) -> str:
    """The letters with which a card begins."""
    return re.sub(r"[0-9]+$|(?<=.)[AJQK]$", "", card)


def later_cards(deal: Deal, proof: Proof) -> str:
    """More cards of other kinds came out of the hand than came into it since the declaration."""
    seat, entry = proof["seat"], proof["entry"]
    start, listed = deal.says(entry, seat), Counter(map(tuple, proof["cards"]))
    last, before = start, Counter[str]()
    for i in range(start, len(deal.moves)):
        move = deal.moves[i]
        if move.seat == seat and move.kind in ("plays", "shows"):
            old = Counter(move.cards) - deal.fresh[i] if move.kind == "plays" else Counter[str]()
            for card in ((old - before) + deal.fresh[i]).elements():
                if listed[move.entry, card]:
                    listed[move.entry, card] -= 1
                    last = i
            before += deal.fresh[i]
    need(not listed.total(), f"{seat} did not show these cards after entry {entry}")
    need(proof["declared"] == [entry], "this is about another declaration")
    other = [card for _, card in proof["cards"]]
    agree = set(deal.moves[start].cards).intersection(other)
    need(not agree, f"{spelt(agree)} agree with the declaration")
    drawn = deal.gained(seat, start, last, other)
    need(drawn == proof["drawn"], f"{seat} got {drawn} cards meanwhile, not {proof['drawn']}")
    need(len(other) > drawn, f"{seat} may have got these cards after entry {entry}")
    return f"{seat} had {spelt(other)} in hand at entry {entry}, and declared the contrary"


def too_few(deal: Deal, proof: Proof) -> str:
    """The hand would need more cards of some kinds than the deck has left for it."""
    seat, listed = proof["seat"], Counter(map(tuple, proof["elsewhere"]))
    says = [deal.says(entry, seat) for entry in proof["declared"]]
    right = proof["declared"][-1] == proof["entry"] and says == sorted(set(says))
    need(right, "these declarations are others, or out of order")
    first, last = says[0], says[-1]
    sets = [set(deal.moves[i].cards) for i in says]
    kinds = set.intersection(*sets)
    need(sorted(kinds) == sorted(proof["kinds"]), f"the declarations leave {spelt(kinds)}")
    copies = sum(deal.deck[card] for card in kinds)
    need(copies == proof["copies"], f"the deck has {copies} such cards, not {proof['copies']}")
    taken = {card for _, card in deal.of(seat, 0, last, "takes")}
    for (entry, card), times in listed.items():
        free = sum(elsewhere(deal, i, seat, last, card, taken) for i in deal.at.get(entry, ()))
        need(card in kinds and times <= free, f"entry {entry} does not show {card} elsewhere")
    held, drawn = deal.held[last], deal.gained(seat, first, last, deal.deck)
    need(held == proof["held"], f"{seat} held {held} cards, not {proof['held']}")
    need(drawn == proof["drawn"], f"{seat} got {drawn} cards in between, not {proof['drawn']}")
    out = [row for row in deal.of(seat, first, last, "plays") if row[1] not in sets[0]]
    spent = Counter(map(tuple, proof["spent"]))
    need(spent == Counter(out), f"{seat} played other cards in between")
    old, left = held - drawn + spent.total(), copies - listed.total()
    need(left < old, f"{left} such cards are left, enough for {old}")
    return f"{seat} would have held {old} of {spelt(kinds)}, but at most {left} were left"


def elsewhere(deal: Deal, i: int, seat: str, last: int, card: str, taken: set[str]) -> int:
    """How many copies of a card a move shows that ``seat`` did not hold at the move ``last``."""
    move = deal.moves[i]
    if move.seat == seat:
        return move.cards.count(card) if move.kind == "plays" and i < last else 0
    return 0 if move.kind == "turns" and card in taken else deal.fresh[i][card]


def claimed(deal: Deal, proof: Proof) -> int:
    """The move that claims the rest; refuses a trick that is not the one on the table then."""
    found = [i for i in deal.at.get(proof["entry"], ()) if deal.moves[i].kind == "claims"]
    right = found and deal.moves[found[0]].seat == proof["seat"]
    need(right, f"{proof['seat']} claims nothing in entry {proof['entry']}")
    plays = [move for move in deal.moves[: found[0]] if move.kind == "plays"]
    last = plays[len(plays) - len(proof["trick"]) :]
    shown = [[move.entry, move.seat, *move.cards] for move in last]
    need(shown == proof["trick"], "these are not the last cards that were played")
    return found[0]


def beaten(deal: Deal, proof: Proof) -> str:
    """Another side is winning the trick, and all of the claimant's side have played to it."""
    claimed(deal, proof)
    seats, order = {card: seat for _, seat, card in proof["trick"]}, proof["order"]
    need(sorted(order) == sorted(seats), "this is no order of the trick")
    need(proof["side"] in proof["sides"] and proof["seat"] in proof["side"], "the side is another")
    need(set(proof["side"]) <= set(seats.values()), "the side has not played")
    need(seats[order[0]] not in proof["side"], "the side is winning this trick")
    return f"{order[0]} takes the trick, so {proof['seat']} does not take all that are left"


def nothing_beats(deal: Deal, proof: Proof) -> str:
    """Whatever beats a card of the claimant was played, or is in the claimant's own hand."""
    claim, seat, hand = claimed(deal, proof), proof["seat"], Counter(proof["hand"])
    shows = [i for i in range(claim) if deal.moves[i].kind == "shows"]
    mine = [i for i in shows if deal.moves[i].seat == seat]
    if mine:
        since = Counter(card for _, card in deal.of(seat, mine[-1], claim, "plays"))
        known = Counter(deal.moves[mine[-1]].cards) - since
    else:  # all other cards were seen, or none is left
        seen = sum((deal.fresh[i] for i in range(claim)), Counter[str]())
        known = deal.deck - seen if hand else hand
    sure = hand == known and hand.total() == deal.held[claim]
    need(sure, f"it is not known that {seat} holds {spelt(hand)}")
    own = {card for _, other, card in proof["trick"] if other == seat}
    need(bool(own) == bool(proof["trick"]), f"{seat} has not played to this trick")
    need(set(proof["beaters"]) == {*hand, *own}, "not every card of the claim is spoken of")
    gone = Counter(c for m in deal.moves[:claim] if m.kind == "plays" for c in m.cards) + hand
    for card, others in proof["beaters"].items():
        left = [other for other in others if not 0 < deal.deck[other] <= gone[other]]
        need(not left, f"{spelt(left)} would beat {card}")
    return f"nothing that is left beats {spelt(proof['beaters'])}"


def no_words_beat(lexicon: dict[str, Any], proof: Proof) -> str:
    """Of all three cards that can still come, none are stronger; or the witness is."""
    words = {word for word in lexicon["words"] if word[0] != "々"}
    gone = {*proof["own"], *proof["other"], *proof["gone"]}
    left = [card for card in lexicon["deck"] if card not in gone] + ["々"] * proof["jokers"]
    own = strength(lexicon, words, proof["own"])
    hands = [proof["other"] + list(rest) for rest in combinations(left, 3 - len(proof["other"]))]
    if proof["proven"]:
        better = any(strength(lexicon, words, hand) > own for hand in hands)
        need(not better, "something stronger can still come")
        return "nothing stronger can still come"
    need(sorted(proof["witness"]) in map(sorted, hands), "these cards can no longer come")
    need(strength(lexicon, words, proof["witness"]) > own, "these cards are not stronger")
    return f"{''.join(proof['witness'])} can still come, and is stronger"


def strength(lexicon: dict[str, Any], words: set[str], cards: Sequence[str]) -> tuple[int, ...]:
    """The strength of three cards with their words: the kind, then the sum."""
    values = [0 if card == "々" else lexicon["deck"][card][1] for card in cards]
    three = {"".join(order) for order in permutations(cards)} & words
    if any(lexicon["three_with_noma"] or "々" not in word for word in three):
        return 5, sum(values), 0
    if "々" not in cards and len({lexicon["deck"][card][0] for card in cards}) == 1:
        return 4, sum(values), 0
    two = [(i, j) for i, j in permutations(range(3), 2) if cards[i] + cards[j] in words]
    if any(a[1] == b[0] and a[0] != b[1] for a in two for b in two):
        return 3, sum(values), 0
    pairs = {frozenset(pair) for pair in two}
    if len(pairs) > 1 or (lexicon["same_pair_counts"] and len(two) > 1):
        return 2, sum(values), 0
    best = sum(values[i] for pair in pairs for i in pair)
    return (1, best, sum(values) - best) if pairs else (0, sum(values), 0)


ARGUMENTS: dict[str, tuple[str, Callable[[Any, Proof], str]]] = {
    "later_cards": ("revoke", later_cards),
    "too_few": ("revoke", too_few),
    "beaten": ("refuted claim", beaten),
    "nothing_beats": ("claim", nothing_beats),
    "no_words_beat": ("claim", no_words_beat),
}


def accepted(protocol: dict[str, Any], deals: Sequence[Deal], record: Record, proof: Proof) -> str:
    """The sentence of an argument that holds; raises ``Refused``."""
    name = proof["argument"]
    need(name in ARGUMENTS, f"{name or 'no argument'} is none of the arguments")
    proves, argument = ARGUMENTS[name]
    if name != "no_words_beat":
        need(proof["proves"] == proves, f"{name} proves no {proof['proves']}")
        return argument(deals[proof["deal"]], {**proof, "sides": protocol["sides"]})
    need(proof["proves"] == ("claim" if proof["proven"] else "refuted claim"), "it proves another")
    text = " ".join(record.of(number) for number in range(1, proof["entry"] + 1))
    named = {*cards_in(text), "々"}
    missing = {*proof["own"], *proof["other"], *proof["gone"]} - named
    need(not missing, f"{spelt(missing)} were not seen")
    need(f"{proof['seat']} claim " in text.replace('"', ""), f"{proof['seat']} claims nothing")
    return argument(protocol["lexicons"][proof["lexicon"]], proof)


def check(protocol: dict[str, Any]) -> list[tuple[bool, str]]:
    """Whether each certificate is accepted, with a sentence; raises ``Unreadable``."""
    if not isinstance(protocol, dict) or protocol.get("format") != FORMAT:
        raise Unreadable("this is no protocol of a match")
    if hash_of({**protocol, "sha256": ""}) != protocol["sha256"]:
        raise Unreadable("it was changed after it was written: its hash is another")
    record, mark = Record(protocol["record"]), sha256(protocol["record"].encode()).hexdigest()
    try:
        deals = [Deal(data, record) for data in protocol["deals"]]
    except Refused as fault:
        raise Unreadable(f"the moves are not those of the record. {fault}") from None
    answers = []
    for proof in protocol["certificates"]:
        if proof["record"] != mark:
            raise Unreadable(f"the certificate of entry {proof['entry']} is of another match")
        try:
            answers.append((True, accepted(protocol, deals, record, proof)))
        except Refused as fault:
            answers.append((False, str(fault)))
        except BROKEN:
            answers.append((False, "a part of the certificate is missing or has another form"))
    return answers


def main(arguments: Sequence[str]) -> int:
    """Check the protocol in a file, and say what is accepted."""
    try:
        [name] = arguments
        with open(name, encoding="utf-8") as file:
            protocol = json.load(file)
        answers = check(protocol)
    except Unreadable as fault:
        print(f"{name}: {fault}", file=sys.stderr)
        return 2
    except (OSError, *BROKEN) as fault:
        shown = " ".join(arguments) or "python check_protocol.py FILE"
        why = fault.strerror if isinstance(fault, OSError) else "this is no protocol of a match"
        print(f"{shown}: {why}", file=sys.stderr)
        return 2
    for proof, (good, says) in zip(protocol["certificates"], answers, strict=True):
        word = "accepted" if good else "REFUSED"
        print(f"entry {proof['entry']}, {proof['proves']} of {proof['seat']}: {word}. {says}")
    good = sum(good for good, _ in answers)
    print(f"{good} of {len(answers)} certificates are accepted")
    return 0 if good == len(answers) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
