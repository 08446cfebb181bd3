"""The ledger: entries of phones at the same time, twice, late, or from two processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.log import Log
from referee.core.record import Header, Unreadable
from referee.core.verdict import Illegal, Legal, Unprovable
from referee.games.families.must_not_follow import Deal, Lay
from referee.games.simulation import WIDEST, player
from referee.ledger import Answer, Ledger, StaleTable
from referee.ledger.forgetting import forget
from referee.store import Clash, NoSuchMatch, People, Store

ABC = Header(WIDEST, ("A", "B", "C"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "referee.sqlite"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    store = Store(path)
    yield Ledger(store)
    store.close()


@pytest.fixture
def other(path: Path, ledger: Ledger) -> Iterator[Ledger]:
    """A second process's ledger on the same file."""
    store = Store(path)
    yield Ledger(store)
    store.close()


def declare_all(ledger: Ledger, match: str, *lines: str) -> Answer:
    """Declare the lines in turn, each on the newest entry; the last answer."""
    answer = None
    for line in lines:
        seen = ledger.view(match).seq
        answer = ledger.declare(match, line, seen, f"{line} at {seen}")
    assert answer
    return answer


def stored(ledger: Ledger, match: str) -> list[str]:
    return [entry.line for entry in ledger.store.read(match)]


def opened(ledger: Ledger, *lines: str, header: Header = ABC) -> str:
    match = ledger.open(header).match
    if lines:
        declare_all(ledger, match, *lines)
    return match


def test_an_empty_table(ledger: Ledger) -> None:
    view = ledger.open(ABC)
    assert (view.seq, view.to_act, view.outcome, view.findings()) == (0, (), None, ())
    assert view.undo_target() is None
    assert view.header == ABC


def test_a_play_is_judged_and_recorded(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    answer = ledger.declare(match, " A  lay ４ ", 1, "k")
    assert isinstance(answer.verdict, Legal)
    assert (answer.seq, answer.repeated, answer.view.seq) == (2, False, 2)
    assert answer.view.to_act == ("B",)
    last = ledger.store.read(match)[-1]
    assert (last.line, last.key, last.verdict, last.clause) == ("A lay 4", "k", "legal", "follow.1")


def test_what_is_refused_is_not_recorded(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    answer = ledger.declare(match, "B lay 4", 1, "k")
    assert isinstance(answer.verdict, Illegal)
    assert answer.seq is None
    assert stored(ledger, match) == ["table deal leader=A"]
    assert ledger.declare(match, "A lay 4", 1, "k").seq == 2


def test_what_can_not_be_read_is_not_recorded(ledger: Ledger) -> None:
    match = opened(ledger)
    with pytest.raises(Unreadable):
        ledger.declare(match, "A lays 4", 0, "k")
    with pytest.raises(NoSuchMatch):
        ledger.declare("x", "A lay 4", 0, "k")
    with pytest.raises(NoSuchMatch):
        ledger.view("x")


def test_the_same_play_sent_by_two_phones_stands_once(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    first = ledger.declare(match, "A lay 4", 1, "phone 1")
    second = ledger.declare(match, "A  lay 4", 1, "phone 2")
    assert second == first._replace(view=second.view, repeated=True)
    assert stored(ledger, match)[1:] == ["A lay 4"]


def test_another_play_on_a_table_that_has_moved_on_is_stale(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4")
    for seen in (0, 1, 3, -1, 99):
        with pytest.raises(StaleTable) as stale:
            ledger.declare(match, "B lay 5", seen, "k")
        assert stale.value.view.seq == 2
    assert len(stored(ledger, match)) == 2


def test_a_play_sent_again_after_it_was_undone_is_stale_and_not_taken_for_done(
    ledger: Ledger,
) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4")
    ledger.undo(match, 2, "undo")
    with pytest.raises(StaleTable):
        ledger.declare(match, "A lay 4", 1, "phone 2")


def test_a_phone_that_sends_again_gets_the_first_answer_however_late(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    first = ledger.declare(match, "A lay 4", 1, "k")
    declare_all(ledger, match, "B lay 5", "C lay 6")
    again = ledger.declare(match, "A lay 4", 1, "k")
    assert (again.seq, again.verdict, again.repeated) == (2, first.verdict, True)
    assert again.view.seq == 4
    ledger.undo(match, 4, "u1")
    assert ledger.declare(match, "A lay 4", 1, "k").seq == 2


def test_a_second_phone_gets_its_first_answer_again_after_the_play_was_undone(
    ledger: Ledger,
) -> None:
    match, line = opened(ledger), "table deal leader=A"
    first = ledger.declare(match, line, 0, "key of the first phone")
    second = ledger.declare(match, line, 0, "key of the second phone")
    assert (second.seq, second.repeated) == (1, True)
    ledger.undo(match, 1, "key of the undo")
    for key in ("key of the first phone", "key of the second phone"):
        again = ledger.declare(match, line, 0, key)
        assert (again.seq, again.verdict, again.repeated) == (1, first.verdict, True)
    with pytest.raises(StaleTable):
        ledger.declare(match, line, 0, "key of a third phone")
    assert len(ledger.view(match).log) == 2


def test_a_key_used_for_another_line_is_stale(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    ledger.declare(match, "A lay 4", 1, "k")
    with pytest.raises(StaleTable):
        ledger.declare(match, "B lay 5", 2, "k")
    assert len(stored(ledger, match)) == 2


def test_two_processes_see_each_others_entries(ledger: Ledger, other: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    assert other.view(match).to_act == ("A",)
    declare_all(other, match, "A lay 4")
    assert ledger.view(match).to_act == ("B",)
    declare_all(ledger, match, "B lay 5")
    answer = other.declare(match, "C lay 6", 3, "k")
    assert answer.seq == 4
    assert ledger.declare(match, "C lay 6", 3, "k").repeated
    with pytest.raises(StaleTable):
        ledger.declare(match, "C lay 5", 3, "k2")


def test_one_question_shows_how_many_matches_stand(
    ledger: Ledger, other: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = "table deal leader=A"
    empty, going, quiet = (opened(ledger, *lines) for lines in ((), (deal, "A lay 4"), (deal,)))
    declare_all(other, going, "B lay 5")
    asked = list[str]()
    rows = ledger.store._rows
    monkeypatch.setattr(
        ledger.store, "_rows", lambda query, *values: asked.append(query) or rows(query, *values)
    )
    views = [replay.view() for replay in ledger.replays([going, empty, quiet])]
    assert [(view.match, view.seq) for view in views] == [(going, 3), (empty, 0), (quiet, 1)]
    assert len(asked) == 2, "the tails, and the entry that the other has written"
    assert list(ledger.replays([])) == []


def test_an_entry_written_while_this_one_was_judged(ledger: Ledger, other: Ledger) -> None:
    """The other process is faster by a hair: the clash is seen at the disk."""
    match = opened(ledger, "table deal leader=A")
    append = ledger.store.append

    def late(*arguments: Any) -> None:
        ledger.store.append = append  # type: ignore[method-assign]
        declare_all(other, match, "A lay 4")
        append(*arguments)

    ledger.store.append = late  # type: ignore[method-assign]
    assert ledger.declare(match, "A lay 4", 1, "k").repeated
    ledger.undo(match, 2, "u")
    ledger.store.append = late  # type: ignore[method-assign]
    with pytest.raises(StaleTable):
        ledger.declare(match, "A lay 5", 3, "k2")
    assert stored(ledger, match)[3:] == ["A lay 4"]


def test_a_key_that_the_other_process_has_just_used(ledger: Ledger, other: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    find = ledger.store.find

    def late(found_in: str, key: str) -> int | None:
        ledger.store.find = find  # type: ignore[method-assign]
        declare_all(other, match, "A lay 4")
        other.declare(match, "B lay 5", 2, "k")
        return find(found_in, key)

    ledger.store.find = late  # type: ignore[method-assign]
    answer = ledger.declare(match, "B lay 5", 2, "k")
    assert (answer.seq, answer.repeated, answer.view.seq) == (3, True, 3)


def test_the_table_overrules_the_referee(ledger: Ledger) -> None:
    """X4: play and ruling are written together, and the verdict stays what it was."""
    match = opened(ledger, "table deal leader=A")
    assert ledger.can_overrule(ledger.view(match), "B lay 4")
    answer = ledger.declare(match, "B lay 4", 1, "k", overrule=True)
    assert isinstance(answer.verdict, Illegal)
    assert (answer.seq, answer.view.seq, answer.view.to_act) == (2, 3, ("C",))
    assert stored(ledger, match)[1:] == ["B lay 4", "table rule 2 stands"]
    step = answer.view.step(2)
    assert step
    assert step.ruled == 3
    again = ledger.declare(match, "B lay 4", 1, "k", overrule=True)
    assert (again.seq, again.verdict, again.repeated) == (2, answer.verdict, True)


def test_what_has_no_sensible_effect_can_not_be_overruled(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    for line in ("A lay 11", "table deal leader=B", "table strike 9"):
        assert not ledger.can_overrule(ledger.view(match), line)
        answer = ledger.declare(match, line, 1, "k", overrule=True)
        assert isinstance(answer.verdict, Illegal)
        assert answer.seq is None
    assert ledger.view(match).seq == 1


def test_overruling_what_is_legal_records_no_ruling(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    answer = ledger.declare(match, "A lay 4", 1, "k", overrule=True)
    assert (answer.seq, answer.view.seq) == (2, 2)


def test_the_house_rule_may_forbid_overruling(ledger: Ledger) -> None:
    match = opened(
        ledger, "table deal leader=A", header=Header(WIDEST, ("A", "B"), {"allow_override": "off"})
    )
    assert not ledger.can_overrule(ledger.view(match), "B lay 4")
    answer = ledger.declare(match, "B lay 4", 1, "k", overrule=True)
    assert answer.seq is None
    declare_all(ledger, match, "A lay 4")
    declare_all(ledger, match, "table amend 1 table deal leader=B")
    ruled = ledger.declare(match, "table rule 2 stands", 3, "r")
    assert isinstance(ruled.verdict, Illegal)
    assert ruled.seq is None


def test_undo_twice_goes_back_two_plays(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4", "B lay 5", "C lay 6")
    for due, lines in (("C", 5), ("B", 6), ("A", 7)):
        view = ledger.view(match)
        answer = ledger.undo(match, view.seq, f"undo {lines}")
        assert answer.view.to_act == (due,)
        assert answer.view.seq == lines
    assert ledger.undo(match, 7, "last").view.to_act == ()
    nothing = ledger.undo(match, 8, "nothing")
    assert (nothing.seq, nothing.view.seq) == (None, 8)
    declare_all(ledger, match, "table deal leader=B", "B lay 3")
    assert ledger.undo(match, 10, "x").view.to_act == ("B",)


def test_undo_between_plays_goes_back_only_what_stands(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4")
    ledger.undo(match, 2, "1")
    declare_all(ledger, match, "A lay 5")
    assert ledger.undo(match, 4, "2").view.to_act == ("A",)
    assert ledger.undo(match, 5, "3").view.to_act == ()


def test_undo_takes_an_overruled_play_and_its_ruling_together(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    ledger.declare(match, "B lay 4", 1, "k", overrule=True)
    answer = ledger.undo(match, 3, "u")
    assert answer.view.to_act == ("A",)
    assert answer.view.in_force() == {1, 4}


def test_undo_takes_back_a_correction(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4", "table amend 2 A lay 5")
    answer = ledger.undo(match, 3, "u")
    step = answer.view.step(2)
    assert step
    assert step.play == Lay("A", 4)


def test_undo_sent_twice_goes_back_once(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4", "B lay 5")
    first = ledger.undo(match, 3, "u")
    again = ledger.undo(match, 3, "u")
    assert (again.seq, again.verdict, again.repeated) == (first.seq, first.verdict, True)
    assert ledger.view(match).seq == 4
    declare_all(ledger, match, "B lay 6")
    assert ledger.undo(match, 3, "u").repeated
    assert ledger.view(match).to_act == ("C",)


def test_undo_on_a_table_that_has_moved_on_is_stale(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4")
    with pytest.raises(StaleTable):
        ledger.undo(match, 1, "u")
    assert ledger.view(match).seq == 2


@pytest.mark.parametrize(
    "line",
    [
        "C lay 6",
        "B lay 6",
        "table rewind 1",
        "table amend 2 A lay 3",
        "table amend 1 table deal leader=B",
        "table strike 2",
        "table insert 3 B lay 3",
        "table insert 2 C lay 3",
        "table rule 2 stands",
        "table rule 9 stands",
    ],
)
def test_a_preview_is_what_then_happens(ledger: Ledger, line: str) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4", "B lay 5")
    preview = ledger.preview(match, line)
    assert ledger.view(match).seq == 3
    assert stored(ledger, match) == ["table deal leader=A", "A lay 4", "B lay 5"]
    answer = ledger.declare(match, line, 3, "k")
    assert answer.verdict == preview.verdict
    if answer.seq:
        assert answer.view.state == preview.after.state
        assert answer.view.in_force() == preview.after.in_force()
        assert answer.view.findings() == preview.after.findings()
    else:
        assert answer.view.state == preview.after.state == preview.before.state


def test_a_preview_says_what_changes_and_what_breaks(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4", "B lay 5", "C lay 6", "A lay 3")
    changes = ledger.preview(match, "table amend 3 B lay 3").changes
    assert changes
    assert [change.seq for change in changes.verdicts] == [3, 5]
    assert changes.breaks
    assert changes.breaks.seq == 5
    assert changes.totals == (("A", 4, 0), ("B", 0, 3))
    assert [(t.deal, t.trick) for t in changes.tricks] == [(1, 1)]
    assert not ledger.preview(match, "table amend 3 B lay 5").changes


def test_a_view_does_not_change_when_the_table_moves_on(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")
    view = ledger.view(match)
    declare_all(ledger, match, "A lay 4")
    assert (view.seq, view.to_act) == (1, ("A",))
    assert ledger.view(match).before(2).to_act == ("A",)


def test_a_match_put_out_of_memory_is_replayed_from_the_file(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 4")
    monkeypatch.setattr("referee.ledger.REPLAYED", 1)
    for _ in range(3):
        ledger.open(ABC)
    assert match not in ledger._matches
    assert ledger.view(match).to_act == ("B",)


def test_matches_that_take_much_memory_are_put_out_of_it_before_their_number_is_reached(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that nobody has used for longest goes first, the one in use never."""
    header = Header(WIDEST, tuple(f"P{n}" for n in range(40)))
    again = ["table rewind 1", "P0 lay 10"] * 15
    matches = [opened(ledger, "table deal leader=P0", header=header) for _ in range(4)]
    for match in matches:
        declare_all(ledger, match, "P0 lay 10", *again)
    sizes = [ledger._matches[match].size for match in matches]
    assert min(sizes) > 10_000
    monkeypatch.setattr("referee.ledger.REPLAYED_BYTES", sum(sizes) * 1.1)
    ledger.view(matches[0])
    declare_all(ledger, matches[3], *again)
    assert list(ledger._matches) == [matches[0], matches[3]]
    monkeypatch.setattr("referee.ledger.REPLAYED_BYTES", 1)
    assert ledger.view(matches[1]).seq == 32
    assert list(ledger._matches) == [matches[1]]


def test_people_at_the_table_are_remembered(ledger: Ledger) -> None:
    ledger.open(Header(WIDEST, ("シホ", "Anna B")))
    assert sorted(person.name for person in People(ledger.store).of()) == ["Anna B", "シホ"]


@pytest.mark.parametrize(
    "seats", [("A", 'B"'), ("A", "A"), ("A", "B\nC"), ("table",), ("A", "Ａ"), ("", "A")]
)
def test_a_table_that_no_record_can_tell_is_not_opened(
    ledger: Ledger, seats: tuple[str, ...]
) -> None:
    with pytest.raises(Unreadable):
        ledger.open(Header(WIDEST, seats))
    assert ledger.store.matches() == []


def test_a_whole_match_at_the_ledger_is_the_match_of_the_log(ledger: Ledger) -> None:
    view = ledger.open(ABC)
    log = Log(view.game, view.log.table)
    for i, entry in enumerate(player(WIDEST)(log, Random(5), 0.2, 0.02)):
        log.push(entry)
        answer = ledger.declare(view.match, view.grammar.print(entry), i, f"{i}")
        assert answer.verdict == log.now.verdict
    now = ledger.view(view.match)
    assert now.state == log.state
    assert now.findings() == log.findings()
    assert now.outcome


def test_many_phones_on_one_table_lose_nothing(ledger: Ledger, other: Ledger) -> None:
    """Six phones enter the same match at once; each entry is recorded once, in order."""
    match = opened(ledger)
    log = Log(ledger.view(match).game, ledger.view(match).log.table)
    for entry in player(WIDEST)(log, Random(1), 0, 0):
        log.push(entry)
        if len(log) == 40:
            break
    lines = [ledger.view(match).grammar.print(entry) for entry in log.entries]

    def phone(number: int) -> None:
        mine = (ledger, other)[number % 2]
        while (seen := mine.view(match).seq) < len(lines):
            try:
                mine.declare(match, lines[seen], seen, f"{number} {seen}")
            except StaleTable:
                continue  # look again

    with ThreadPoolExecutor(6) as phones:
        list(phones.map(phone, range(6)))
    assert stored(ledger, match) == lines
    assert ledger.view(match).state == other.view(match).state == log.state


def test_phones_that_undo_and_play_at_once_leave_a_table_that_replays(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A")

    def phone(number: int) -> None:
        rng = Random(number)
        for i in range(25):
            view = ledger.view(match)
            try:
                if rng.random() < 0.3:
                    ledger.undo(match, view.seq, f"{number} {i}")
                elif rng.random() < 0.3:
                    ledger.preview(match, f"table strike {rng.randint(1, view.seq + 1)}")
                else:
                    seat = (*view.to_act, "A")[0]
                    line = (
                        f"{seat} lay {rng.randint(1, 6)}" if view.to_act else "table deal leader=A"
                    )
                    ledger.declare(match, line, view.seq, f"{number} {i}")
            except StaleTable:
                continue

    with ThreadPoolExecutor(4) as phones:
        list(phones.map(phone, range(4)))
    view = ledger.view(match)
    fresh = Log(view.game, view.log.table)
    for line in stored(ledger, match):
        fresh.push(view.grammar.parse(line))
    assert fresh.entries == view.log.entries
    assert fresh.state == view.state


def test_the_verdict_of_a_declaration_is_stored_as_it_was_given(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=A", "A lay 5", "B lay 6")
    answer = ledger.declare(match, "C lay 6", 3, "k")
    assert isinstance(answer.verdict, Unprovable)
    last = ledger.store.read(match)[-1]
    assert (last.verdict, last.clause, last.rules) == ("unprovable", "follow.2", "1")


def test_the_first_deal_is_entered_by_a_deal(ledger: Ledger) -> None:
    match = opened(ledger, "table deal leader=C")
    step = ledger.view(match).step(1)
    assert step
    assert step.play == Deal("C")


def test_another_process_notices_that_a_name_has_gone(tmp_path: Path) -> None:
    """And what it still takes for that name's is not written."""
    stores = [Store(tmp_path / "referee.db") for _ in range(2)]
    here, there = map(Ledger, stores)
    match = here.open(Header(WIDEST, ("Akane", "B"))).match
    here.declare(match, "table deal leader=Akane", 0, "k0")
    assert there.view(match).seq == 1
    [person] = [p.id for p in People(stores[0]).of() if p.name == "Akane"]
    late = there._replayed(match)
    forget(here.store, "", person, "someone")
    with pytest.raises(Clash):
        there._write(match, late, [late.grammar.parse("Akane lay 3")], late.log.now, 1, "k1")
    assert there.view(match).header.seats == ("someone", "B")
    there.declare(match, "someone lay 3", 1, "k2")
    assert [line.line for line in stores[0].read(match)][1:] == ["someone lay 3"]
    for store in stores:
        store.close()


def test_a_name_is_taken_out_of_what_was_played_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "referee.db")
    ledger = Ledger(store)
    match = ledger.open(Header(WIDEST, ("Akane", "B"))).match
    ledger.declare(match, "table deal leader=Akane", 0, "k0")
    [person] = [p.id for p in People(store).of() if p.name == "Akane"]
    remove, plays = People.remove, iter(["Akane lay 3", "B lay 4"])

    def slowly(*about: Any) -> None:
        for line in plays:
            ledger.declare(match, line, ledger.view(match).seq, f"k{line}")
            break
        remove(*about)

    monkeypatch.setattr(People, "remove", slowly)
    forget(ledger.store, "", person, "someone")
    assert [stored.line for stored in store.read(match)] == [
        "table deal leader=someone",
        "someone lay 3",
        "B lay 4",
    ]
    store.close()
