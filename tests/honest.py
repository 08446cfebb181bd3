"""Cards really dealt, and players who play from their hands: what a table tells the referee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from referee.core.game import COMMON_OPTIONS, Game, Table
from referee.core.log import Log
from referee.core.pyramid import rows
from referee.core.verdict import Illegal
from referee.games import jukugo_line as lines
from referee.games import pairs_daifugo as climbing
from referee.games import three_kings as fishing
from referee.games import trumps as collecting
from referee.games.families.must_not_follow import Deal, Lay, Show
from referee.games.pairs.player import pairs
from referee.games.pairs_daifugo import HAND, ROWS, Pass, Row, Turn
from referee.jukugo.decks import JOKER


def table(game: Game, seats: Sequence[str], **options: str) -> Table:
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    plain = Table(tuple(seats), options, known)
    equip = getattr(game, "equip", None)
    kit = equip({}, plain.option, lambda name: None) if equip else None
    return Table(tuple(seats), options, known, kit)


def hand_size(log: Log) -> int:
    return 8 if log.game.NAME == "fancy" else 2 * len(log.table.seats)


def must_not_follow(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Any]:
    """Entries of Fancy and ペリテ; each goes into ``log`` before the next is asked for.

    ``lies``: how often a player repeats a number although something else may be laid;
    ``shows``: how often somebody lays the whole hand open.
    """
    hands: dict[str, list[int]] = {}
    while not log.game.outcome(log.state):
        state = log.state
        due = log.game.to_act(state)
        if not due:
            cards = [r for r in state.deck.cards for _ in range(state.deck.copies[r - 1])]
            rng.shuffle(cards)
            hands = {seat: [cards.pop() for _ in range(hand_size(log))] for seat in log.table.seats}
            yield rng.choice([p for p in log.game.candidates(state) if isinstance(p, Deal)])
            continue
        if rng.random() < shows:
            seat = rng.choice([seat for seat in hands if hands[seat]])
            yield Show(seat, tuple(hands[seat]))
            continue
        seat = due[0]
        free = [rank for rank in hands[seat] if rank not in state.showing]
        rank = rng.choice(free or hands[seat])
        if rng.random() < lies:
            told = rng.choice(hands[seat])
            if not isinstance(log.game.judge(state, Lay(seat, told)), Illegal):
                rank = told
        hands[seat].remove(rank)
        yield Lay(seat, rank)


def pairs_daifugo(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Any]:
    """Entries of ペアーズ大富豪: nothing is declared there, so nobody lies or shows."""
    seats = log.table.seats
    hands: dict[str, list[int]] = {}
    hidden: dict[tuple[str, str], int] = {}
    while not log.game.outcome(log.state):
        state = log.state
        if not state.due:
            cards = [rank for rank in range(1, 11) for _ in range(rank)]
            rng.shuffle(cards)
            places = "".join(rows(ROWS[len(seats)]))
            hands = {seat: [cards.pop() for _ in range(HAND[len(seats)])] for seat in seats}
            hidden = {(seat, place): cards.pop() for seat in seats for place in places}
            yield climbing.Deal(None if state.won else rng.choice(seats))
        elif state.untold:
            seat = rng.choice(state.untold)
            row = rows(ROWS[len(seats)])[-1]
            yield Row(seat, tuple(hidden[seat, place] for place in row))
        elif state.turning:
            card = rng.choice(state.turning)
            yield Turn(*card, hidden[card])
        else:
            plays = [
                play
                for play in log.game.candidates(state)
                if isinstance(play, climbing.Lay)
                and hands[state.due].count(play.ranks[0]) >= len(play.ranks) - len(play.using)
                and not isinstance(log.game.judge(state, play), Illegal)
            ]
            if not plays or (state.trick and rng.random() < 0.3):
                yield Pass(state.due)
                continue
            play = rng.choice(plays)
            for rank in play.ranks[len(play.using) :]:
                hands[play.seat].remove(rank)
            yield play


def three_kings(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Any]:
    """Entries of Three Kings; ``lies``: how often the first seat discards with a set in hand.

    Whoever has three kings forgets to declare now and then.
    """
    hands: dict[str, list[str]] = {}
    stock: list[str] = []
    option = log.table.option
    while not log.game.outcome(log.state):
        state = log.state
        if state.turn is None:
            stock = [
                c
                for c, n in zip(state.deck.cards, state.deck.copies, strict=True)
                for _ in range(n)
            ]
            rng.shuffle(stock)
            if option("initial_table_kings") == "replace":
                stock.sort(key=lambda card: card != fishing.KING)
                kings, numbers = stock[: state.deck.copies[-1]], stock[state.deck.copies[-1] :]
                tableau = [numbers.pop() for _ in range(4)]
                stock = kings + numbers
                rng.shuffle(stock)
            else:
                tableau = [stock.pop() for _ in range(4)]
            hands = {seat: [stock.pop() for _ in range(4)] for seat in log.table.seats}
            dealer = rng.choice(log.table.seats)
            if option("initial_table_kings") == "to_first_player":
                first = log.table.from_left_of(dealer)[0]
                hands[first] += [card for card in tableau if card == fishing.KING]
            yield fishing.Deal(dealer, tuple(tableau))
            continue
        seat = state.turn
        if state.due:
            turned = [stock.pop() for _ in range(state.due)]
            if option("replace_refill_kings") == "on":
                while stock and len(turned) - turned.count(fishing.KING) < state.due:
                    turned.append(stock.pop())
            hands[seat] += [card for card in turned if card == fishing.KING]
            yield fishing.Refill(tuple(turned))
            continue
        hand = hands[seat]
        hand += [stock.pop()] if stock else []
        kings = {s: held.count(fishing.KING) for s, held in hands.items()}
        able = [s for s in kings if kings[s] >= 3]
        if able and option("end") == "three_kings" and rng.random() < 0.7:
            declarer = rng.choice(able)
            yield fishing.Declare(declarer, rng.choice((None, kings[declarer])))
            continue
        numbers = [card for card in hand if card != fishing.KING]
        sets = [
            fishing.Capture(seat, card, pair)
            for card in numbers
            for pair in fishing.sets_with(state.tableau, card)
        ]
        free = option("set_compulsory") == "off"
        discards = [
            fishing.Discard(seat, card)
            for card in numbers
            if free or not fishing.sets_with(state.tableau, card)
        ]
        plays: list[Any] = sets + discards if free else sets or discards
        liar = seat == log.table.seats[0] and rng.random() < lies
        if liar and sets and discards and not free:
            lie = rng.choice(discards)
            plays = sets if isinstance(log.game.judge(state, lie), Illegal) else [lie]
        if fishing.KING in state.tableau and fishing.KING in hand:
            plays = [*plays, fishing.King(seat)]
        play = rng.choice(plays) if plays else fishing.Pass(seat)
        if isinstance(play, fishing.King):
            hand.append(fishing.KING)
        elif isinstance(play, fishing.Discard):
            hand.remove(play.rank)
        elif isinstance(play, fishing.Capture):
            hand.remove(play.rank)
            hand += [stock.pop()] if stock else []
        yield play


def trumps(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Any]:
    """Entries of Trumps; ``lies``: how often a player who could play covers a card.

    Whoever has to cover one lays the hand open now and then. It happens seldom in real games, so
    here players know what would stop those after them.
    """
    seats, steps = log.table.seats, collecting.Step
    removes = log.table.option("facedown_to_field") == "remove"
    hands: dict[str, list[int]] = {}
    stock: list[int] = []
    while not log.game.outcome(log.state):
        state = log.state
        if state.step is steps.IDLE:
            stock = [card for card in state.deck.cards for _ in range(card)]
            rng.shuffle(stock)
            hands = {seat: [stock.pop() for _ in range(collecting.HAND)] for seat in seats}
            yield collecting.Deal()
        elif state.step is steps.LOT:
            yield collecting.Starter(rng.choice(state.due))
        elif state.step is steps.START:
            seat = rng.choice(state.due)
            # low cards tie now and then
            card = min(hands[seat]) if rng.random() < 0.5 else rng.choice(hands[seat])
            hands[seat].remove(card)
            yield collecting.Reveal(seat, card)
        elif state.step is steps.PLAY:
            seat = state.due[0]
            hand = hands[seat]
            used = {rank for laid in state.played if not laid.down for rank in laid.ranks}
            free = [rank for rank in hand if rank not in used]
            later = state.due[1:]
            stops = [r for r in free if any({*hands[s]} <= {*used, r} for s in later)]
            card = rng.choice(stops or free or hand)
            play: Any = collecting.Lay(seat, (card,))
            if hand.count(card) > 1 and rng.random() < 0.9:
                play = collecting.Lay(seat, (card, card))
            if not free:
                shown = tuple(hand) if rng.random() < max(shows, 0.2) else ()
                told = None if removes and rng.random() < 0.5 else card
                play = collecting.Cover(seat, told, shown)
            elif used and rng.random() < lies:
                covered = collecting.Cover(seat, rng.choice(sorted(used)))
                verdict = log.game.judge(state, covered)
                if covered.rank in hand and not isinstance(verdict, Illegal):
                    play, card = covered, covered.rank
            for _ in range(len(play.ranks) if isinstance(play, collecting.Lay) else 1):
                hand.remove(card)
            yield play
        else:
            plays = log.game.candidates(state)
            play = rng.choice(
                [p for p in plays if not isinstance(log.game.judge(state, p), Illegal)]
            )
            if isinstance(play, collecting.Draw):
                hands[play.seat].append(stock.pop())
            yield play
        if log.state.step is steps.PLAY and not log.state.played:
            for seat in log.table.starting(log.state.starter):
                while len(hands[seat]) < log.state.hands.size(seat):
                    hands[seat].append(stock.pop())


def jukugo_line(log: Log, rng: Random, lies: float, shows: float) -> Iterator[Any]:
    """Entries of 熟語ライン; ``lies``: how often somebody claims what can't be proven.

    Low flags fill first, so that matches end; drawing is told or left to be understood.
    """
    first, second = log.table.seats
    deck = [card.kanji for card in log.state.words.deck.cards]
    early = log.table.option("claim_timing") == "start_of_turn"
    stock = deck[:]
    rng.shuffle(stock)
    hands = {seat: [stock.pop() for _ in range(4)] + [JOKER] for seat in (first, second)}
    seat = rng.choice((first, second))
    yield lines.Deal(seat)
    while True:
        if early:
            yield from _claims(log, rng, seat, lies)
        if log.game.outcome(log.state):
            return
        free = [flag for flag in range(1, 10) if lines.is_open(log.state, seat, flag)]
        if free and hands[seat]:
            card = rng.choice(hands[seat])
            hands[seat].remove(card)
            yield lines.Place(seat, rng.choice(free[:4]), card)
        else:
            yield lines.Pass(seat)
        if not early:
            yield from _claims(log, rng, seat, lies)
        if log.game.outcome(log.state):
            return
        count = lines.drawn(log.state).hands[seat] - log.state.hands[seat]
        hands[seat] += [stock.pop() for _ in range(count)]
        if rng.random() < 0.01 and log.table.option("dispute") == "both_agree":
            yield lines.Word("".join(rng.sample(deck, 2)), rng.random() < 0.5)
        if rng.random() < 0.5:
            yield lines.Draw(seat)
        seat = second if seat == first else first


def _claims(log: Log, rng: Random, seat: str, lies: float) -> Iterator[Any]:
    for flag in range(1, 10):
        if log.game.outcome(log.state):
            return
        claim = lines.Claim(seat, flag)
        good = not isinstance(log.game.judge(log.state, claim), Illegal)
        if rng.random() < (0.9 if good else lies / 20):
            yield claim


PLAYERS = {
    "jukugo_line": jukugo_line,
    "fancy": must_not_follow,
    "perite": must_not_follow,
    "pairs_daifugo": pairs_daifugo,
    "three_kings": three_kings,
    "trumps": trumps,
    "pairs": pairs,
}


def played(
    game: Game,
    seats: Sequence[str],
    seed: int,
    lies: float = 0,
    shows: float = 0,
    most: int = 10_000,
    options: Mapping[str, str] | None = None,
) -> Log:
    """The log of a match played from real hands, up to ``most`` entries."""
    log = Log(game, table(game, seats, **(options or {})))
    for entry in PLAYERS[game.NAME](log, Random(seed), lies, shows):
        if len(log) == most:
            break
        log.push(entry)
    return log
