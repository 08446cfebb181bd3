"""The desk: entries of phones at the same time, twice, late, or from two processes."""

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
from referee.desk import Answer, Desk, NoSuchMatch, StaleTable
from referee.games.families.must_not_follow import Deal, Lay
from referee.games.simulation import WIDEST, player
from referee.store import Clash, People, Store

ABC = Header(WIDEST, ("A", "B", "C"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "referee.sqlite"


@pytest.fixture
def desk(path: Path) -> Iterator[Desk]:
    store = Store(path)
    yield Desk(store)
    store.close()


@pytest.fixture
def other(path: Path, desk: Desk) -> Iterator[Desk]:
    """A second process's desk on the same file."""
    store = Store(path)
    yield Desk(store)
    store.close()


def declare_all(desk: Desk, match: str, *lines: str) -> Answer:
    """Declare the lines in turn, each on the newest entry; the last answer."""
    answer = None
    for line in lines:
        seen = desk.view(match).seq
        answer = desk.declare(match, line, seen, f"{line} at {seen}")
    assert answer
    return answer


def stored(desk: Desk, match: str) -> list[str]:
    return [entry.line for entry in desk.store.read(match)]


def opened(desk: Desk, *lines: str, header: Header = ABC) -> str:
    match = desk.open(header).match
    if lines:
        declare_all(desk, match, *lines)
    return match


def test_an_empty_table(desk: Desk) -> None:
    view = desk.open(ABC)
    assert (view.seq, view.to_act, view.outcome, view.findings()) == (0, (), None, ())
    assert view.undo_target() is None
    assert view.header == ABC


def test_a_play_is_judged_and_recorded(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    answer = desk.declare(match, " A  lay ４ ", 1, "k")
    assert isinstance(answer.verdict, Legal)
    assert (answer.seq, answer.repeated, answer.view.seq) == (2, False, 2)
    assert answer.view.to_act == ("B",)
    last = desk.store.read(match)[-1]
    assert (last.line, last.key, last.verdict, last.clause) == ("A lay 4", "k", "legal", "follow.1")


def test_what_is_refused_is_not_recorded(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    answer = desk.declare(match, "B lay 4", 1, "k")
    assert isinstance(answer.verdict, Illegal)
    assert answer.seq is None
    assert stored(desk, match) == ["table deal leader=A"]
    assert desk.declare(match, "A lay 4", 1, "k").seq == 2


def test_what_can_not_be_read_is_not_recorded(desk: Desk) -> None:
    match = opened(desk)
    with pytest.raises(Unreadable):
        desk.declare(match, "A lays 4", 0, "k")
    with pytest.raises(NoSuchMatch):
        desk.declare("x", "A lay 4", 0, "k")
    with pytest.raises(NoSuchMatch):
        desk.view("x")


def test_the_same_play_sent_by_two_phones_stands_once(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    first = desk.declare(match, "A lay 4", 1, "phone 1")
    second = desk.declare(match, "A  lay 4", 1, "phone 2")
    assert second == first._replace(view=second.view, repeated=True)
    assert stored(desk, match)[1:] == ["A lay 4"]


def test_another_play_on_a_table_that_has_moved_on_is_stale(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4")
    for seen in (0, 1, 3, -1, 99):
        with pytest.raises(StaleTable) as stale:
            desk.declare(match, "B lay 5", seen, "k")
        assert stale.value.view.seq == 2
    assert len(stored(desk, match)) == 2


def test_a_play_sent_again_after_it_was_undone_is_stale_and_not_taken_for_done(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4")
    desk.undo(match, 2, "undo")
    with pytest.raises(StaleTable):
        desk.declare(match, "A lay 4", 1, "phone 2")


def test_a_phone_that_sends_again_gets_the_first_answer_however_late(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    first = desk.declare(match, "A lay 4", 1, "k")
    declare_all(desk, match, "B lay 5", "C lay 6")
    again = desk.declare(match, "A lay 4", 1, "k")
    assert (again.seq, again.verdict, again.repeated) == (2, first.verdict, True)
    assert again.view.seq == 4
    desk.undo(match, 4, "u1")
    assert desk.declare(match, "A lay 4", 1, "k").seq == 2


def test_a_second_phone_gets_its_first_answer_again_after_the_play_was_undone(desk: Desk) -> None:
    match, line = opened(desk), "table deal leader=A"
    first = desk.declare(match, line, 0, "key of the first phone")
    second = desk.declare(match, line, 0, "key of the second phone")
    assert (second.seq, second.repeated) == (1, True)
    desk.undo(match, 1, "key of the undo")
    for key in ("key of the first phone", "key of the second phone"):
        again = desk.declare(match, line, 0, key)
        assert (again.seq, again.verdict, again.repeated) == (1, first.verdict, True)
    with pytest.raises(StaleTable):
        desk.declare(match, line, 0, "key of a third phone")
    assert len(desk.view(match).log) == 2


def test_a_key_used_for_another_line_is_stale(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    desk.declare(match, "A lay 4", 1, "k")
    with pytest.raises(StaleTable):
        desk.declare(match, "B lay 5", 2, "k")
    assert len(stored(desk, match)) == 2


def test_two_processes_see_each_others_entries(desk: Desk, other: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    assert other.view(match).to_act == ("A",)
    declare_all(other, match, "A lay 4")
    assert desk.view(match).to_act == ("B",)
    declare_all(desk, match, "B lay 5")
    answer = other.declare(match, "C lay 6", 3, "k")
    assert answer.seq == 4
    assert desk.declare(match, "C lay 6", 3, "k").repeated
    with pytest.raises(StaleTable):
        desk.declare(match, "C lay 5", 3, "k2")


def test_one_question_shows_how_many_matches_stand(
    desk: Desk, other: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = "table deal leader=A"
    empty, going, quiet = (opened(desk, *lines) for lines in ((), (deal, "A lay 4"), (deal,)))
    declare_all(other, going, "B lay 5")
    asked = list[str]()
    rows = desk.store._rows
    monkeypatch.setattr(
        desk.store, "_rows", lambda query, *values: asked.append(query) or rows(query, *values)
    )
    views = [replayed() for replayed in desk.views([going, empty, quiet])]
    assert [(view.match, view.seq) for view in views] == [(going, 3), (empty, 0), (quiet, 1)]
    assert len(asked) == 2, "the tails, and the entry that the other has written"
    assert list(desk.views([])) == []


def test_an_entry_written_while_this_one_was_judged(desk: Desk, other: Desk) -> None:
    """The other process is faster by a hair: the clash is seen at the disk."""
    match = opened(desk, "table deal leader=A")
    append = desk.store.append

    def late(*arguments: Any) -> None:
        desk.store.append = append  # type: ignore[method-assign]
        declare_all(other, match, "A lay 4")
        append(*arguments)

    desk.store.append = late  # type: ignore[method-assign]
    assert desk.declare(match, "A lay 4", 1, "k").repeated
    desk.undo(match, 2, "u")
    desk.store.append = late  # type: ignore[method-assign]
    with pytest.raises(StaleTable):
        desk.declare(match, "A lay 5", 3, "k2")
    assert stored(desk, match)[3:] == ["A lay 4"]


def test_a_key_that_the_other_process_has_just_used(desk: Desk, other: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    find = desk.store.find

    def late(found_in: str, key: str) -> int | None:
        desk.store.find = find  # type: ignore[method-assign]
        declare_all(other, match, "A lay 4")
        other.declare(match, "B lay 5", 2, "k")
        return find(found_in, key)

    desk.store.find = late  # type: ignore[method-assign]
    answer = desk.declare(match, "B lay 5", 2, "k")
    assert (answer.seq, answer.repeated, answer.view.seq) == (3, True, 3)


def test_the_table_overrules_the_referee(desk: Desk) -> None:
    """X4: play and ruling are written together, and the verdict stays what it was."""
    match = opened(desk, "table deal leader=A")
    assert desk.can_overrule(desk.view(match), "B lay 4")
    answer = desk.declare(match, "B lay 4", 1, "k", overrule=True)
    assert isinstance(answer.verdict, Illegal)
    assert (answer.seq, answer.view.seq, answer.view.to_act) == (2, 3, ("C",))
    assert stored(desk, match)[1:] == ["B lay 4", "table rule 2 stands"]
    step = answer.view.step(2)
    assert step
    assert step.ruled == 3
    again = desk.declare(match, "B lay 4", 1, "k", overrule=True)
    assert (again.seq, again.verdict, again.repeated) == (2, answer.verdict, True)


def test_what_has_no_sensible_effect_can_not_be_overruled(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    for line in ("A lay 11", "table deal leader=B", "table strike 9"):
        assert not desk.can_overrule(desk.view(match), line)
        answer = desk.declare(match, line, 1, "k", overrule=True)
        assert isinstance(answer.verdict, Illegal)
        assert answer.seq is None
    assert desk.view(match).seq == 1


def test_overruling_what_is_legal_records_no_ruling(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    answer = desk.declare(match, "A lay 4", 1, "k", overrule=True)
    assert (answer.seq, answer.view.seq) == (2, 2)


def test_the_house_rule_may_forbid_overruling(desk: Desk) -> None:
    match = opened(
        desk, "table deal leader=A", header=Header(WIDEST, ("A", "B"), {"allow_override": "off"})
    )
    assert not desk.can_overrule(desk.view(match), "B lay 4")
    answer = desk.declare(match, "B lay 4", 1, "k", overrule=True)
    assert answer.seq is None
    declare_all(desk, match, "A lay 4")
    declare_all(desk, match, "table amend 1 table deal leader=B")
    ruled = desk.declare(match, "table rule 2 stands", 3, "r")
    assert isinstance(ruled.verdict, Illegal)
    assert ruled.seq is None


def test_undo_twice_goes_back_two_plays(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4", "B lay 5", "C lay 6")
    for due, lines in (("C", 5), ("B", 6), ("A", 7)):
        view = desk.view(match)
        answer = desk.undo(match, view.seq, f"undo {lines}")
        assert answer.view.to_act == (due,)
        assert answer.view.seq == lines
    assert desk.undo(match, 7, "last").view.to_act == ()
    nothing = desk.undo(match, 8, "nothing")
    assert (nothing.seq, nothing.view.seq) == (None, 8)
    declare_all(desk, match, "table deal leader=B", "B lay 3")
    assert desk.undo(match, 10, "x").view.to_act == ("B",)


def test_undo_between_plays_goes_back_only_what_stands(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4")
    desk.undo(match, 2, "1")
    declare_all(desk, match, "A lay 5")
    assert desk.undo(match, 4, "2").view.to_act == ("A",)
    assert desk.undo(match, 5, "3").view.to_act == ()


def test_undo_takes_an_overruled_play_and_its_ruling_together(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    desk.declare(match, "B lay 4", 1, "k", overrule=True)
    answer = desk.undo(match, 3, "u")
    assert answer.view.to_act == ("A",)
    assert answer.view.in_force() == {1, 4}


def test_undo_takes_back_a_correction(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4", "table amend 2 A lay 5")
    answer = desk.undo(match, 3, "u")
    step = answer.view.step(2)
    assert step
    assert step.play == Lay("A", 4)


def test_undo_sent_twice_goes_back_once(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4", "B lay 5")
    first = desk.undo(match, 3, "u")
    again = desk.undo(match, 3, "u")
    assert (again.seq, again.verdict, again.repeated) == (first.seq, first.verdict, True)
    assert desk.view(match).seq == 4
    declare_all(desk, match, "B lay 6")
    assert desk.undo(match, 3, "u").repeated
    assert desk.view(match).to_act == ("C",)


def test_undo_on_a_table_that_has_moved_on_is_stale(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4")
    with pytest.raises(StaleTable):
        desk.undo(match, 1, "u")
    assert desk.view(match).seq == 2


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
def test_a_preview_is_what_then_happens(desk: Desk, line: str) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4", "B lay 5")
    preview = desk.preview(match, line)
    assert desk.view(match).seq == 3
    assert stored(desk, match) == ["table deal leader=A", "A lay 4", "B lay 5"]
    answer = desk.declare(match, line, 3, "k")
    assert answer.verdict == preview.verdict
    if answer.seq:
        assert answer.view.state == preview.after.state
        assert answer.view.in_force() == preview.after.in_force()
        assert answer.view.findings() == preview.after.findings()
    else:
        assert answer.view.state == preview.after.state == preview.before.state


def test_a_preview_says_what_changes_and_what_breaks(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4", "B lay 5", "C lay 6", "A lay 3")
    changes = desk.preview(match, "table amend 3 B lay 3").changes
    assert changes
    assert [change.seq for change in changes.verdicts] == [3, 5]
    assert changes.breaks
    assert changes.breaks.seq == 5
    assert changes.totals == (("A", 4, 0), ("B", 0, 3))
    assert [(t.deal, t.trick) for t in changes.tricks] == [(1, 1)]
    assert not desk.preview(match, "table amend 3 B lay 5").changes


def test_a_view_does_not_change_when_the_table_moves_on(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")
    view = desk.view(match)
    declare_all(desk, match, "A lay 4")
    assert (view.seq, view.to_act) == (1, ("A",))
    assert desk.view(match).before(2).to_act == ("A",)


def test_a_match_put_out_of_memory_is_replayed_from_the_file(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = opened(desk, "table deal leader=A", "A lay 4")
    monkeypatch.setattr("referee.desk.REPLAYED", 1)
    for _ in range(3):
        desk.open(ABC)
    assert match not in desk._matches
    assert desk.view(match).to_act == ("B",)


def test_matches_that_take_much_memory_are_put_out_of_it_before_their_number_is_reached(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that nobody has used for longest goes first, the one in use never."""
    header = Header(WIDEST, tuple(f"P{n}" for n in range(40)))
    again = ["table rewind 1", "P0 lay 10"] * 15
    matches = [opened(desk, "table deal leader=P0", header=header) for _ in range(4)]
    for match in matches:
        declare_all(desk, match, "P0 lay 10", *again)
    sizes = [desk._matches[match].size for match in matches]
    assert min(sizes) > 10_000
    monkeypatch.setattr("referee.desk.REPLAYED_BYTES", sum(sizes) * 1.1)
    desk.view(matches[0])
    declare_all(desk, matches[3], *again)
    assert list(desk._matches) == [matches[0], matches[3]]
    monkeypatch.setattr("referee.desk.REPLAYED_BYTES", 1)
    assert desk.view(matches[1]).seq == 32
    assert list(desk._matches) == [matches[1]]


def test_people_at_the_table_are_remembered(desk: Desk) -> None:
    desk.open(Header(WIDEST, ("シホ", "Anna B")))
    assert sorted(person.name for person in People(desk.store).of()) == ["Anna B", "シホ"]


@pytest.mark.parametrize(
    "seats", [("A", 'B"'), ("A", "A"), ("A", "B\nC"), ("table",), ("A", "Ａ"), ("", "A")]
)
def test_a_table_that_no_record_can_tell_is_not_opened(desk: Desk, seats: tuple[str, ...]) -> None:
    with pytest.raises(Unreadable):
        desk.open(Header(WIDEST, seats))
    assert desk.store.matches() == []


def test_a_whole_match_at_the_desk_is_the_match_of_the_log(desk: Desk) -> None:
    view = desk.open(ABC)
    log = Log(view.game, view.log.table)
    for i, entry in enumerate(player(WIDEST)(log, Random(5), 0.2, 0.02)):
        log.push(entry)
        answer = desk.declare(view.match, view.grammar.print(entry), i, f"{i}")
        assert answer.verdict == log.now.verdict
    now = desk.view(view.match)
    assert now.state == log.state
    assert now.findings() == log.findings()
    assert now.outcome


def test_many_phones_on_one_table_lose_nothing(desk: Desk, other: Desk) -> None:
    """Six phones enter the same match at once; each entry is recorded once, in order."""
    match = opened(desk)
    log = Log(desk.view(match).game, desk.view(match).log.table)
    for entry in player(WIDEST)(log, Random(1), 0, 0):
        log.push(entry)
        if len(log) == 40:
            break
    lines = [desk.view(match).grammar.print(entry) for entry in log.entries]

    def phone(number: int) -> None:
        mine = (desk, other)[number % 2]
        while (seen := mine.view(match).seq) < len(lines):
            try:
                mine.declare(match, lines[seen], seen, f"{number} {seen}")
            except StaleTable:
                continue  # look again

    with ThreadPoolExecutor(6) as phones:
        list(phones.map(phone, range(6)))
    assert stored(desk, match) == lines
    assert desk.view(match).state == other.view(match).state == log.state


def test_phones_that_undo_and_play_at_once_leave_a_table_that_replays(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A")

    def phone(number: int) -> None:
        rng = Random(number)
        for i in range(25):
            view = desk.view(match)
            try:
                if rng.random() < 0.3:
                    desk.undo(match, view.seq, f"{number} {i}")
                elif rng.random() < 0.3:
                    desk.preview(match, f"table strike {rng.randint(1, view.seq + 1)}")
                else:
                    seat = (*view.to_act, "A")[0]
                    line = (
                        f"{seat} lay {rng.randint(1, 6)}" if view.to_act else "table deal leader=A"
                    )
                    desk.declare(match, line, view.seq, f"{number} {i}")
            except StaleTable:
                continue

    with ThreadPoolExecutor(4) as phones:
        list(phones.map(phone, range(4)))
    view = desk.view(match)
    fresh = Log(view.game, view.log.table)
    for line in stored(desk, match):
        fresh.push(view.grammar.parse(line))
    assert fresh.entries == view.log.entries
    assert fresh.state == view.state


def test_the_verdict_of_a_declaration_is_stored_as_it_was_given(desk: Desk) -> None:
    match = opened(desk, "table deal leader=A", "A lay 5", "B lay 6")
    answer = desk.declare(match, "C lay 6", 3, "k")
    assert isinstance(answer.verdict, Unprovable)
    last = desk.store.read(match)[-1]
    assert (last.verdict, last.clause, last.rules) == ("unprovable", "follow.2", "1")


def test_the_first_deal_is_entered_by_a_deal(desk: Desk) -> None:
    match = opened(desk, "table deal leader=C")
    step = desk.view(match).step(1)
    assert step
    assert step.play == Deal("C")


def test_another_process_notices_that_a_name_has_gone(tmp_path: Path) -> None:
    """And what it still takes for that name's is not written."""
    stores = [Store(tmp_path / "referee.db") for _ in range(2)]
    here, there = map(Desk, stores)
    match = here.open(Header(WIDEST, ("Akane", "B"))).match
    here.declare(match, "table deal leader=Akane", 0, "k0")
    assert there.view(match).seq == 1
    [person] = [p.id for p in People(stores[0]).of() if p.name == "Akane"]
    late = there._replayed(match)
    here.forget("", person, "someone")
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
    desk = Desk(store)
    match = desk.open(Header(WIDEST, ("Akane", "B"))).match
    desk.declare(match, "table deal leader=Akane", 0, "k0")
    [person] = [p.id for p in People(store).of() if p.name == "Akane"]
    remove, plays = People.remove, iter(["Akane lay 3", "B lay 4"])

    def slowly(*about: Any) -> None:
        for line in plays:
            desk.declare(match, line, desk.view(match).seq, f"k{line}")
            break
        remove(*about)

    monkeypatch.setattr(People, "remove", slowly)
    desk.forget("", person, "someone")
    assert [stored.line for stored in store.read(match)] == [
        "table deal leader=someone",
        "someone lay 3",
        "B lay 4",
    ]
    store.close()
