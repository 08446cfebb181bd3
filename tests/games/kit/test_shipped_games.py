"""The game files that come with the program: their texts, and their scores counted by hand.

Run this file as a program for many honest matches, with the most seconds and matches:
``python tests/games/kit/test_shipped_games.py 600 100000``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import process_time

import pytest
from table_talk import check

from referee.core.game import Table, clash
from referee.core.verdict import Illegal
from referee.games.simulation import table
from referee.kit import shipped
from referee.kit.check import check as checked
from referee.kit.families.trick_taking.player import entries
from referee.kit.families.trick_taking.plays import Bid, Deal, Lay, NameTrump, Play
from referee.kit.families.trick_taking.state import State
from referee.kit.game import KitGame
from referee.kit.load import load
from referee.rulings import book_of
from tools.conventions import missing_of_file

GAMES = {game.KEY: game for game in shipped.games().values()}
OF_TRICKS = [key for key, game in GAMES.items() if game.FAMILY == "trick_taking"]
PLAYTHROUGHS = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))
FRENCH = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
MOON = 26


class Played:
    """A match that is only judged and applied, as fast as that goes."""

    def __init__(self, game: KitGame, table: Table) -> None:
        self.game, self.table = game, table
        self.state: State = game.setup(table)
        self.plays: list[Play] = []

    def push(self, play: Play) -> None:
        assert not isinstance(self.game.judge(self.state, play), Illegal), (self.plays, play)
        self.state = self.game.apply(self.state, play)
        self.plays.append(play)


class Dealt:
    """A deal as it was played: the turn-up, the trump suit that was named, bids, tricks."""

    def __init__(self, entry: Deal) -> None:
        self.leader, self.turn = entry.leader, entry.turn
        self.named = ""
        self.bids: dict[str, str] = {}
        self.tricks: list[list[tuple[str, str]]] = []


def deals(plays: Sequence[Play], seats: int) -> list[Dealt]:
    found: list[Dealt] = []
    for play in plays:
        if isinstance(play, Deal):
            found.append(Dealt(play))
        elif isinstance(play, Bid):
            found[-1].bids[play.seat] = play.said
        elif isinstance(play, NameTrump):
            found[-1].named = play.suit
        elif isinstance(play, Lay):
            tricks = found[-1].tricks
            if not tricks or len(tricks[-1]) == seats:
                tricks.append([])
            tricks[-1].append((play.seat, play.card))
    return found


def highest(trick: list[tuple[str, str]], trump: str) -> str:
    """The winner with plain cards: the highest trump, else the highest of the suit led."""
    suit = trump if any(card[0] == trump for _, card in trick) else trick[0][1][0]
    among = [(FRENCH.index(card[1:]), seat) for seat, card in trick if card[0] == suit]
    return max(among)[1]


def taken(deal: Dealt, winner: Callable[[list[tuple[str, str]]], str]) -> Counter[str]:
    return Counter(winner(trick) for trick in deal.tricks)


def whist(log: Played, deal: Dealt, number: int, memory: Counter[str]) -> Mapping[str, int]:
    assert deal.turn or log.table.option("trump") == "cycle"
    trump = deal.turn[0] if deal.turn else "HCDS"[(number - 1) % 4]
    tricks = taken(deal, lambda trick: highest(trick, trump))
    seats = log.table.seats
    teams = [tricks[seats[i]] + tricks[seats[(i + 2) % 4]] for i in range(4)]
    return {seat: max(0, teams[i] - 6) for i, seat in enumerate(seats)}


def oh_hell(log: Played, deal: Dealt, number: int, memory: Counter[str]) -> Mapping[str, int]:
    choice = log.table.option("trump")
    cycle = "SHDC-"[(number - 1) % 5] if choice == "cycle" else "-"
    trump = deal.turn[0] if deal.turn else cycle
    tricks = taken(deal, lambda trick: highest(trick, trump))
    consoled = log.table.option("miss") == "tricks"
    return {
        seat: 10 + tricks[seat] if tricks[seat] == int(said) else tricks[seat] * consoled
        for seat, said in deal.bids.items()
    }


def hearts(log: Played, deal: Dealt, number: int, memory: Counter[str]) -> Mapping[str, int]:
    hurt = dict.fromkeys(log.table.seats, 0)
    for trick in deal.tricks:
        winner = highest(trick, "-")
        hurt[winner] += sum((card[0] == "H") + 13 * (card == "SQ") for _, card in trick)
    if MOON not in hurt.values():
        return hurt
    own = log.table.option("moon") == "self"
    return {
        seat: (-MOON if own else 0) if points else (0 if own else MOON)
        for seat, points in hurt.items()
    }


def spades(log: Played, deal: Dealt, number: int, memory: Counter[str]) -> Mapping[str, int]:
    tricks = taken(deal, lambda trick: highest(trick, "S"))
    seats, points = log.table.seats, Counter[str]()
    for i in (0, 1):
        team = (seats[i], seats[i + 2])
        nils = [seat for seat in team if deal.bids[seat] == "nil"]
        bid = sum(int(deal.bids[seat]) for seat in team if seat not in nils)
        counting = team if log.table.option("nil_tricks") == "count" else [*{*team} - {*nils}]
        got = sum(tricks[seat] for seat in counting)
        spare = sum(tricks[seat] for seat in team) - got + max(0, got - bid)
        score = (10 * bid if got >= bid else -10 * bid) + spare
        score += sum(-100 if tricks[seat] else 100 for seat in nils)
        for _ in range(spare):
            memory[team[0]] += 1
            score -= 100 * (memory[team[0]] % 10 == 0)
        points.update(dict.fromkeys(team, score))
    return points


def zimbabwe(log: Played, deal: Dealt, number: int, memory: Counter[str]) -> Mapping[str, int]:
    rows: dict[str, str] = dict.fromkeys(log.table.seats, "")
    place = log.table.option("row")
    cards: dict[str, list[int]] = {seat: [] for seat in log.table.seats}

    def winner(trick: list[tuple[str, str]]) -> str:
        for seat, card in trick:
            cards[seat].append(int(card))
            rows[seat] = card + rows[seat] if place == "front" else rows[seat] + card
            if place == "sorted":
                rows[seat] = "".join(map(str, sorted(cards[seat], reverse=True)))
        most = max(int(row) for row in rows.values())
        return next(seat for seat, _ in trick if int(rows[seat]) == most)

    tricks = taken(deal, winner)
    most = max(tricks.values())
    several = list(tricks.values()).count(most) > 1 and log.table.option("most") == "none"
    return {
        seat: 0
        if tricks[seat] == most and not several
        else tricks[seat] * (2 if tricks[seat] == int(said) else 1)
        for seat, said in deal.bids.items()
    }


def magi(log: Played, deal: Dealt, number: int, memory: Counter[str]) -> Mapping[str, int]:
    trump = deal.named or (deal.turn or "-")[0]

    def winner(trick: list[tuple[str, str]]) -> str:
        mages = [seat for seat, card in trick if card == "W"]
        plain = [(seat, card) for seat, card in trick if card != "N"]
        return mages[0] if mages else highest(plain, trump) if plain else trick[0][0]

    tricks = taken(deal, winner)
    wrong = {seat: abs(tricks[seat] - int(said)) for seat, said in deal.bids.items()}
    return {seat: -10 * by if by else 20 + 10 * tricks[seat] for seat, by in wrong.items()}


COUNTED = {
    "whist": whist,
    "oh_hell": oh_hell,
    "hearts": hearts,
    "spades": spades,
    "zimbabwe": zimbabwe,
    "magi": magi,
}


def match(game: KitGame, seed: int) -> Played:
    """A match of honest players with house rules that chance has chosen."""
    rng = Random(seed)
    seats = tuple("ABCDEFG"[: rng.choice(game.SEATS)])
    options = {key: rng.choice(option.values) for key, option in game.OPTIONS.items()}
    if clash(options, game.OPTIONS):
        options = {}
    log = Played(game, table(game, seats, **options))
    for entry in entries(log, rng, 0, 0):
        log.push(entry)
        assert len(log.plays) < 20_000, (game.KEY, seed)
    return log


def counted(log: Played) -> Iterator[Mapping[str, int]]:
    """The points of each deal, counted from its cards."""
    memory: Counter[str] = Counter()
    seats = log.table.seats
    for number, deal in enumerate(deals(log.plays, len(seats)), 1):
        yield COUNTED[log.game.KEY](log, deal, number, memory)


def hold_beside(log: Played) -> None:
    """Compare every deal's points, the totals and the winners with those counted by hand."""
    assert not log.game.audit(log.state)
    sheet, seats = log.game.score(log.state), log.table.seats
    found: dict[int, Counter[str]] = {}
    for line in sheet.lines:
        found.setdefault(line.deal, Counter())[line.seat] += line.points
    totals = dict.fromkeys(seats, 0)
    for number, right in enumerate(counted(log), 1):
        mine = {seat: found.get(number, Counter())[seat] for seat in seats}
        assert mine == {seat: right[seat] for seat in seats}, (log.table.chosen, number)
        totals = {seat: totals[seat] + right[seat] for seat in seats}
    assert dict(sheet.totals) == totals
    ended = log.game.outcome(log.state)
    assert ended
    best = (min if sheet.fewest else max)(totals.values())
    assert set(ended.winners) == {seat for seat in seats if totals[seat] == best}


@pytest.mark.parametrize("key", GAMES)
def test_a_shipped_file_is_short_and_nothing_is_wrong_with_it(key: str) -> None:
    source = (shipped.FOLDER / f"{key}.toml").read_bytes()
    house_rules = len(GAMES[key].OPTIONS)
    assert len(source.splitlines()) <= 150 + 5 * max(0, house_rules - 10)
    found, notes = checked(source)
    assert found is not None
    noted = {(note.wrong.fact, note.wrong.path) for note in notes}
    # who takes all points in a few deals played at random?
    assert noted <= {
        ("kit_no_bound", "match"),
        ("kit_never", "score.moon"),
        ("kit_shed_undone", "effect.back"),  # four jacks in a revolution: as most groups play it
    }
    assert "# Source" in source.decode().split("\n")[0]


@pytest.mark.parametrize("key", GAMES)
def test_a_shipped_game_has_its_rules_in_both_languages(key: str) -> None:
    book = book_of(GAMES[key])
    assert book.url
    assert len({clause.id for clause in book.clauses}) == len(book.clauses)
    for clause in book.clauses:
        assert clause.text.ja != clause.text.en or not clause.text.ja, clause.id
        assert all(ruling.gap.ja != ruling.gap.en for ruling in clause.rulings)
    assert any(clause.rulings for clause in book.clauses)
    for option in book.options:
        assert all(choice.text.ja and choice.text.en for choice in option.choices)


@pytest.mark.parametrize("key", OF_TRICKS)
def test_points_and_winners_are_those_counted_by_hand(key: str) -> None:
    for seed in range(12):
        hold_beside(match(GAMES[key], seed))


@pytest.mark.parametrize("file", PLAYTHROUGHS, ids=lambda file: file.stem)
def test_a_playthrough_of_a_shipped_game(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    key = file.stem.partition("-")[0]
    answer = check(text.replace("kit: shipped", f"kit: {GAMES[key].hash}"))
    assert answer["game"] == key
    assert "\n# score" in text


def test_every_shipped_game_has_a_playthrough() -> None:
    assert {file.stem.partition("-")[0] for file in PLAYTHROUGHS} == set(GAMES)
    assert set(OF_TRICKS) == set(COUNTED)


@pytest.mark.parametrize(
    ("key", "options", "entries", "seq", "clause", "says"),
    [
        (
            "magi",
            "option: hook=on\n",
            "table deal leader=A turn=H5\nA bid 0\nB bid 0\nC bid 1\n",
            4,
            "bid.2",
            "A bid of 1 is not allowed here. Some bids are barred:",
        ),
        ("hearts", "", "table deal turn=H5\n", 1, "setup.turn_up", "No card is turned up"),
    ],
)
def test_a_rule_of_no_list_or_of_a_house_rule_alone_is_said_where_it_is_broken(
    key: str, options: str, entries: str, seq: int, clause: str, says: str
) -> None:
    game = GAMES[key]
    seats = " ".join("ABCD"[: game.SEATS[0]])
    head = f"referee: 1\ngame: {key}\nkit: {game.hash[:12]}\nseats: {seats}\n{options}\n"
    row = check(head + entries)["entries"][seq - 1]
    assert (row["verdict"], row["clause"]) == ("illegal", clause)
    assert row["says"].startswith(says)
    assert book_of(game).clause(clause).text.ja


def soaked(seconds: float, most: int) -> None:
    """Play up to ``most`` matches of every game, for at most ``seconds`` of processor time."""
    played: Counter[str] = Counter()
    for first in range(0, most, 100):
        for key in OF_TRICKS:
            game = GAMES[key]
            for seed in range(first, min(first + 100, most)):
                hold_beside(match(game, seed))
                played[key] += 1
            if process_time() > seconds:
                break
        print(dict(played), f"{process_time():,.0f} s", flush=True)
        if process_time() > seconds:
            break


if __name__ == "__main__":
    soaked(float(sys.argv[1]), int(sys.argv[2]))


def test_check_game_says_what_a_file_lacks() -> None:
    president = GAMES["president"]
    assert missing_of_file(president) == []
    other = load(president.text.replace('key = "president"', 'key = "other"', 1).encode())
    assert missing_of_file(other) == [
        "Write a match with its verdicts as tests/games/kit/playthroughs/other-NAME.txt."
    ]
