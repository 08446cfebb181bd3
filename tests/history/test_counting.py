"""The statistics: equal to a naive count over the records, and never behind the log."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import years
from openskill.models import PlackettLuce
from table_talk import led

from referee.core.log import Log
from referee.core.record import Grammar, Header, parse_header
from referee.games import GAMES, ON_CARDS
from referee.games.simulation import WIDEST
from referee.history import counting
from referee.ledger import Ledger
from referee.store import People, Store
from referee.store.archive import Archive, ArchivedMatch
from referee.store.careers import Career
from referee.store.past import Past
from referee.store.played import MatchFilter
from referee.store.statistics import COUNTED, DERIVED, Digests

MATCHES = 60
SHEET = 'table sheet leader=A A="3 3" B="2"'


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, list[ArchivedMatch]]]:
    store = Store(tmp_path_factory.mktemp("year") / "referee.db")
    played = years.keep(store, "", MATCHES)
    counting.catch_up(store)
    yield store, played
    store.close()


@pytest.fixture(scope="module")
def logs(year: tuple[Store, list[ArchivedMatch]]) -> list[tuple[ArchivedMatch, Log]]:
    return [(match, replayed(match)) for match in year[1]]


def replayed(match: ArchivedMatch) -> Log:
    header = parse_header(match.header, GAMES)
    game = GAMES[header.game]
    log, grammar = Log(game, header.table(game)), Grammar(game, header.seats)
    for entry in match.entries:
        log.push(grammar.parse(entry.line))
    return log


def over(logs: list[tuple[ArchivedMatch, Log]]) -> Iterator[tuple[ArchivedMatch, Log]]:
    return ((match, log) for match, log in logs if log.game.outcome(log.state))


def ids(store: Store) -> dict[str, int]:
    return {person.name: person.id for person in People(store).of()}


def places(log: Log) -> dict[str, int]:
    """Seat → place, computed independently: winners first, then seats with more points.

    If there is a loser, all others share the first place.
    """
    totals, ended = log.game.score(log.state).totals, log.game.outcome(log.state)
    assert ended
    if ended.losers:
        return {seat: len(totals) if seat in ended.losers else 1 for seat in totals}
    won = ended.winners
    return {
        seat: 1
        if seat in won
        else 1 + sum(1 for s in totals if s in won or totals[s] > totals[seat])
        for seat in totals
    }


def test_the_year_has_every_game_corrections_and_matches_left_open(
    logs: list[tuple[ArchivedMatch, Log]],
) -> None:
    assert {log.game.NAME for _, log in logs} == set(ON_CARDS)
    assert any(" amend " in line for line in years.lines([match for match, _ in logs]))
    assert any(" rewind " in line for line in years.lines([match for match, _ in logs]))
    assert len(logs) - len(list(over(logs))) == MATCHES // years.LEFT_OPEN


def test_games_wins_points_and_revokes(
    year: tuple[Store, list[ArchivedMatch]], logs: list[tuple[ArchivedMatch, Log]]
) -> None:
    store, _ = year
    count: dict[str, Counter[str]] = defaultdict(Counter)
    for _, log in over(logs):
        totals = log.game.score(log.state).totals
        for seat in log.table.seats:
            own = count[seat]
            own["matches"] += 1
            own["won"] += seat in log.game.outcome(log.state).winners  # type: ignore[union-attr]
            own["lost"] += seat in log.game.outcome(log.state).losers  # type: ignore[union-attr]
            own["points"] += totals[seat]
            own["revokes"] += sum(found.seat == seat for found in log.findings())
    for name, person in ids(store).items():
        lines = Career(store, person).lines()
        assert count[name] == Counter(
            {key: sum(getattr(line, key) for line in lines) for key in count[name]}
        )
        first, last = Career(store, person).span() or ("", "")
        [early, late] = Career(store, person).periods([first, last])
        assert early[0] + late[0] == count[name]["matches"]
        assert late[0] >= 1
        assert early[1] + late[1] == count[name]["won"]
        assert Career(store, person).wins().count("1") == count[name]["won"]
    assert sum(own["revokes"] for own in count.values()) > 0
    assert sum(own["lost"] for own in count.values()) > 0


def test_who_beats_whom(
    year: tuple[Store, list[ArchivedMatch]], logs: list[tuple[ArchivedMatch, Log]]
) -> None:
    store, _ = year
    known, count = ids(store), Counter[tuple[int, int, str]]()
    for _, log in over(logs):
        for (a, i), (b, j) in permutations(places(log).items(), 2):
            count[known[a], known[b], "met"] += 1
            count[known[a], known[b], "above"] += i < j
            count[known[a], known[b], "below"] += i > j
    for duel in Past(store, "").duels():
        pair = duel.person, duel.other
        assert (duel.matches, duel.above, duel.below) == (
            count[*pair, "met"],
            count[*pair, "above"],
            count[*pair, "below"],
        )


def test_what_is_counted_and_the_best_of_each_kind(
    year: tuple[Store, list[ArchivedMatch]], logs: list[tuple[ArchivedMatch, Log]]
) -> None:
    store, _ = year
    known = ids(store)
    counts: Counter[tuple[int, str, str]] = Counter()
    best: dict[tuple[int, str, str], tuple[int, set[str]]] = {}
    for _, log in over(logs):
        game = log.game.NAME
        for seat, card in led(log):
            counts[known[seat], game, str(card)] += 1
        for feat in log.game.HOOKS.feats(log.state):
            if feat.kind in COUNTED:
                counts[known[feat.seat], game, feat.label] += feat.value
                continue
            key = known[feat.seat], game, feat.kind
            most, labels = best.get(key, (feat.value, set()))
            if feat.value >= most:
                kept = labels if feat.value == most else set()
                best[key] = feat.value, {*kept, feat.label}
    assert {game for _, game, _ in counts} | {game for _, game, _ in best}
    for person in known.values():
        past = Past(store, "")
        counted = {(person, game, label): times for game, label, times in past.career(person).led()}
        assert counted == {key: times for key, times in counts.items() if key[0] == person}
        for game, kind, label, value, _ in past.career(person).feats():
            most, labels = best.pop((person, game, kind))
            assert value == most
            assert label in labels
    assert best == {}


def test_ratings_are_those_of_the_matches_in_order(
    year: tuple[Store, list[ArchivedMatch]], logs: list[tuple[ArchivedMatch, Log]]
) -> None:
    store, _ = year
    model, known = PlackettLuce(), {}
    for name in ids(store):
        known[name] = model.rating()
    for _, log in sorted(over(logs), key=lambda pair: (pair[0].opened, pair[0].id)):
        if len(log.table.seats) > 1:
            place = places(log)
            seats = list(place)
            new = model.rate([[known[s]] for s in seats], ranks=[float(place[s]) for s in seats])
            known |= {seat: rating for seat, [rating] in zip(seats, new, strict=True)}
    for standing in Past(store, "").standings():
        assert standing.mu == pytest.approx(known[standing.name].mu, abs=1e-6)
        assert standing.sigma == pytest.approx(known[standing.name].sigma, abs=1e-6)


def test_the_pace_gives_the_minutes_of_matches_with_known_times(tmp_path: Path) -> None:
    """Plays that take 11 seconds, deals that take 80, and an hour's break in every third match."""
    people, evenings, played = years.year(42, ("A", "B", "C"))
    tables = [(parse_header(each.header, GAMES).game, len(each.seats)) for each in played]
    [((game, seats), _)] = Counter(tables).most_common(1)
    same = [each for each, table in zip(played, tables, strict=True) if table == (game, seats)]
    timed, seconds, lengths = [], list[float](), list[int]()
    for number, match in enumerate(same):
        clock = began = datetime.fromisoformat(match.opened)
        entries = []
        for entry in match.entries:
            entries.append(entry._replace(at=years.stamp(clock)))
            clock += timedelta(seconds=80 if entry.line.startswith("table deal") else 11)
        last = datetime.fromisoformat(entries[-1].at)
        seconds.append((last - began).total_seconds())
        lengths.append(len(entries))
        if number % 3 == 2:
            late = datetime.fromisoformat(entries[-1].at) + timedelta(hours=1)
            entries[-1] = entries[-1]._replace(at=years.stamp(late))
        timed.append(match._replace(entries=tuple(entries)))
    assert len(timed) > 2
    with closing(Store(tmp_path / "referee.db")) as store:
        archive = Archive(store, "")
        archive.settle(people, evenings)
        archive.put(timed)
        counting.catch_up(store)
        pace = Past(store, "").pace(game, seats)
        assert pace is not None
        for length, real in zip(lengths, seconds, strict=True):
            assert abs(length * pace - real) < real / 10
        assert Past(store, "").pace(game, seats + 1) is None


def test_time_per_play_leaves_breaks_out(year: tuple[Store, list[ArchivedMatch]]) -> None:
    store, played = year
    match = played[0]
    first, last = (datetime.fromisoformat(match.entries[i].at) for i in (0, -1))
    row = Past(store, "").get(match.id)
    assert row is not None
    assert row.millis == round((last - first).total_seconds() * 1000)
    log = replayed(match)
    log_plays = [s for s in log.steps() if hasattr(s.play, "seat")]
    rows = store._rows("SELECT sum(plays), sum(millis) FROM results WHERE match = ?", (match.id,))
    assert rows[0][0] == len(log_plays)
    assert 0 < rows[0][1] <= row.millis


def test_rebuilding_gives_the_same_tables(year: tuple[Store, list[ArchivedMatch]]) -> None:
    store, _ = year
    before = tables(store)
    seen: list[int] = []
    Digests(store).forget()
    counting.catch_up(store, done=seen.append)
    assert tables(store) == before
    assert sum(seen) == MATCHES


def tables(store: Store) -> dict[str, list[Any]]:
    derived = [name for name in DERIVED if name not in ("outdated", "unrated")]
    return {name: sorted(store._rows(f"SELECT * FROM {name}", ()), key=repr) for name in derived}


def test_filters_find_what_a_loop_finds(
    year: tuple[Store, list[ArchivedMatch]], logs: list[tuple[ArchivedMatch, Log]]
) -> None:
    store, _ = year
    past = Past(store, "")

    def count(wish: MatchFilter) -> int:
        return sum(matches for _, matches in past.sessions(wish))

    assert count(MatchFilter()) == MATCHES
    for game in GAMES:
        assert count(MatchFilter(game=game)) == sum(game == log.game.NAME for _, log in logs)
    for name, person in ids(store).items():
        assert count(MatchFilter(person=person)) == sum(name in log.table.seats for _, log in logs)
    middle = logs[MATCHES // 2][0].opened
    assert count(MatchFilter(until=middle)) == MATCHES // 2
    assert count(MatchFilter(since=middle)) == MATCHES - MATCHES // 2
    both = MatchFilter(words=("源五郎", "シホ"), titled=((), ()))
    assert count(both) == sum({"源五郎", "シホ"} <= set(log.table.seats) for _, log in logs)
    assert count(MatchFilter(words=("%",), titled=((),))) == 0


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    store = Store(tmp_path / "referee.db")
    yield Ledger(store)
    store.close()


def finished(ledger: Ledger, names: tuple[str, str] = ("A", "B")) -> str:
    """A short match of ペリテ that is over."""
    return finish(ledger, begun(ledger, names))


def begun(ledger: Ledger, names: tuple[str, str] = ("A", "B")) -> str:
    return ledger.open(Header(WIDEST, names, {"rounds": "1"})).match


def finish(ledger: Ledger, match: str) -> str:
    view = ledger.view(match)
    while not view.outcome:
        play = next(
            play
            for play in view.game.candidates(view.state)
            if type(view.game.judge(view.state, play)).__name__ != "Illegal"
        )
        ledger.declare(match, view.grammar.print(play), view.seq, f"key {view.seq:06}")
        view = ledger.view(match)
    return match


def test_going_back_after_the_end_takes_the_result_back(ledger: Ledger) -> None:
    match, store = finished(ledger), ledger.store
    counting.catch_up(store)
    person = ids(store)["A"]
    assert len(Career(store, person).wins()) == 1
    assert len(Career(store, person).ratings(9, 9)) == 1
    ledger.undo(match, ledger.view(match).seq, "the undo that matters")
    assert counting.catch_up(store) == 0
    assert Career(store, person).wins() == ""
    assert Career(store, person).ratings(9, 9) == []
    assert Past(store, "").duels() == []
    assert Career(store, person).led() == []


def test_a_play_marks_its_own_match_alone(ledger: Ledger) -> None:
    first, second = finished(ledger), finished(ledger)
    counting.catch_up(ledger.store)
    ledger.undo(second, ledger.view(second).seq, "an undo of the second")
    assert [row.match for row in Digests(ledger.store).outdated()] == [second]
    assert first != second


def test_merged_people_share_their_past_without_a_replay(ledger: Ledger) -> None:
    finished(ledger), finished(ledger, ("A", "C"))
    store = ledger.store
    counting.catch_up(store)
    known = ids(store)
    People(store).merge("", known["C"], known["B"])
    assert all(not row.replay for row in Digests(store).outdated())
    counting.catch_up(store)
    past = Past(store, "")
    assert len(past.career(known["B"]).wins()) == 2
    assert {(d.person, d.other): d.matches for d in past.duels()} == {
        (known["A"], known["B"]): 2,
        (known["B"], known["A"]): 2,
    }
    assert len(past.career(known["B"]).ratings(9, 9)) == 2


def test_a_stop_between_counting_and_rating_is_made_good(ledger: Ledger) -> None:
    match, store = finished(ledger), ledger.store
    Digests(store).write({match: counting.count(store, match)})
    assert Career(store, ids(store)["A"]).ratings(9, 9) == []
    counting.catch_up(store)
    assert len(Career(store, ids(store)["A"]).ratings(9, 9)) == 1


def test_what_is_played_while_it_is_counted_stays_outdated(ledger: Ledger) -> None:
    match, store = finished(ledger), ledger.store
    counted = counting.count(store, match)
    ledger.undo(match, ledger.view(match).seq, "in the meantime")
    Digests(store).write({match: counted})
    assert Digests(store).pending() == 1
    counting.catch_up(store)
    assert Career(store, ids(store)["A"]).wins() == ""


def test_an_older_version_that_counted_less_takes_nothing_back(ledger: Ledger) -> None:
    match, store = begun(ledger), ledger.store
    early = counting.count(store, match)
    finish(ledger, match)
    counting.catch_up(store)
    Digests(store).write({match: early})
    assert Digests(store).pending() == 0
    assert len(Career(store, ids(store)["A"]).wins()) == 1


def test_a_match_that_ends_while_others_are_rated_is_rated_next(ledger: Ledger) -> None:
    first, second, store = begun(ledger), begun(ledger), ledger.store
    digests = Digests(store)
    digests.write({finish(ledger, first): counting.count(store, first)})
    [early] = digests.unrated()
    digests.write({finish(ledger, second): counting.count(store, second)})
    digests.rate(early, list(counting.rated(early)))
    counting.catch_up(store)
    assert len(Career(store, ids(store)["A"]).ratings(9, 9)) == 2


def test_games_of_one_past_day_stay_in_the_order_in_which_they_were_entered(ledger: Ledger) -> None:
    header, noon = Header(WIDEST, ("A", "B"), {"rounds": "1"}), "2026-03-01T12:00:00.000+00:00"
    matches = [ledger.open(header, opened=noon).match for _ in range(6)]
    other = ledger.open(header, opened="2026-03-02T12:00:00.000+00:00").match
    for match in (*matches, other):
        ledger.declare(match, 'table sheet leader=A A="3 3" B="2"', 0, f"key {match}")
    counting.catch_up(ledger.store)
    assert [one.match for one in Past(ledger.store, "").each()] == [*matches, other]
    rows = ledger.store._rows("SELECT opened FROM matches WHERE id IN (?, ?)", (matches[0], other))
    assert {opened[11:] for (opened,) in rows} == {"12:00:00.000+00:00"}


def test_a_person_with_one_game_is_listed_after_those_with_many(ledger: Ledger) -> None:
    names = {"A": 5, "B": 5, "C": 1}
    for number in range(5):
        other = ("B", "C")[number == 4]
        match = ledger.open(Header(WIDEST, ("A", other), {"rounds": "1"})).match
        line = (
            f'table sheet leader=A A="" {other}="3 3"'
            if other == "C"
            else ('table sheet leader=A A="3 3" B="2"')
        )
        ledger.declare(match, line, 0, f"key {number}")
    match = ledger.open(Header(WIDEST, ("B", "D"), {"rounds": "1"})).match
    ledger.declare(match, 'table sheet leader=B B="3 3" D="2"', 0, "the last key")
    counting.catch_up(ledger.store)
    listed = Past(ledger.store, "").standings()
    assert {one.name: one.matches for one in listed} == {**names, "D": 1}
    assert [one.name for one in listed if one.provisional] == ["C", "D"]
    assert [one.name for one in listed][2:] == ["C", "D"]
    rating = {one.name: one.mu or 0 for one in listed}
    assert rating["C"] > rating["B"]  # C won the one game, against the best player


def test_sheets_count_for_ratings_as_plays_do_on_their_day_and_stops_do_not(ledger: Ledger) -> None:
    """Two matches entered by sheet, the earlier one last; a third one stopped."""
    header, store, model = Header(WIDEST, ("A", "B"), {"rounds": "1"}), ledger.store, PlackettLuce()
    days = {"2026-03-02": 'A="3 3" B="2"', "2026-03-01": 'A="" B="4"', "2026-03-03": ""}
    for day, sheet in days.items():
        match = ledger.open(header, opened=f"{day}T12:00:00.000+00:00").match
        line = f"table sheet leader=A {sheet}" if sheet else "table stop"
        assert ledger.declare(match, line, 0, f"key {day}").seq
    counting.catch_up(store)
    rated = [model.rating(), model.rating()]
    for ranks in ([2.0, 1.0], [1.0, 2.0]):
        rated = [rating for [rating] in model.rate([[one] for one in rated], ranks=ranks)]
    for standing in Past(store, "").standings():
        assert standing.mu == pytest.approx(rated["AB".index(standing.name)].mu, abs=1e-6)
    for name, person in ids(store).items():
        assert Career(store, person).wins() == {"A": "01", "B": "10"}[name]


@pytest.mark.parametrize(
    ("lines", "stopped", "by_sheet"),
    [
        ([SHEET], False, True),
        ([SHEET, "table rewind 0"], False, False),
        ([SHEET, "table strike 1"], False, False),
        (["table deal leader=A", f"table amend 1 {SHEET}"], False, True),
        (["table stop"], True, False),
        (["table stop", "table rewind 0"], False, False),
        (["table stop", "table strike 1"], False, False),
        (["table deal leader=A", "A lay 4", "table stop", "table void 2"], True, False),
        (["table deal leader=A", "A lay 4", "table insert 2 table stop"], True, False),
    ],
)
def test_marks_are_those_of_the_entries_in_force(
    ledger: Ledger, lines: list[str], stopped: bool, by_sheet: bool
) -> None:
    match = ledger.open(Header(WIDEST, ("A", "B"), {"rounds": "2"})).match
    for seen, line in enumerate(lines):
        answer = ledger.declare(match, line, seen, f"key {seen}")
        assert answer.seq, answer.verdict
    counting.catch_up(ledger.store)
    [found] = Past(ledger.store, "").each()
    assert (found.stopped, found.by_sheet) == (stopped, by_sheet)


def test_ratings_from_before_an_earlier_match_changed_are_not_written(ledger: Ledger) -> None:
    first, store = finished(ledger), ledger.store
    counting.catch_up(store)
    second = finished(ledger)
    digests = Digests(store)
    digests.write({second: counting.count(store, second)})
    [early] = digests.unrated()
    ledger.undo(first, ledger.view(first).seq, "the first goes on")
    counting.catch_up(store)
    digests.rate(early, list(counting.rated(early)))
    assert [row.match for row in Career(store, ids(store)["A"]).ratings(9, 9)] == [second]
    after = tables(store)["ratings"]
    Digests(store).forget()
    counting.catch_up(store)
    assert tables(store)["ratings"] == after
