"""What a preview shows of a correction is what then happens, in every game."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

import pytest
from chosen_games import some_seats
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_log import alike
from reading_room import Room, words

from referee.core.corrections import Amend, Insert, Strike, Void
from referee.core.slips import slips
from referee.core.verdict import Illegal
from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.screens import screen


@given(st.sampled_from(list(GAMES)), st.integers(0, 10**6))
@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_a_preview_is_what_then_happens(room: Room, game: str, seed: int) -> None:
    chance = Random(seed)
    seats = some_seats(game, "ABC")
    room.open(game, " ".join(seats)).play_out(chance.randint(2, 25), seed)
    log, view = room.log, room.view
    step = chance.choice(log.steps())
    state = step.before.state if step.before else log.start
    others = slips(log.game, log.table, state, step.play) or [step.play]
    entry = chance.choice(
        (
            Amend(step.seq, chance.choice(others)),
            Strike(step.seq),
            Insert(step.seq, chance.choice(others)),
            Void(step.seq),
        )
    )
    line, along = view.grammar.print(entry), chance.random() < 0.5
    preview = room.ledger.preview(room.match, line, along=along)
    answer = room.ledger.correct(room.match, line, view.seq, f"made-{seed:06}", along=along)
    assert answer.verdict == preview.verdict
    assert (answer.seq is None) == isinstance(preview.verdict, Illegal)
    if answer.seq is not None:
        assert room.view.state == preview.after.state
        assert alike(room.log.now.step, preview.after.moment.step)
        again = room.ledger.correct(room.match, line, view.seq, f"made-{seed:06}", along=along)
        assert again.repeated
        assert again.seq == answer.seq


@pytest.mark.parametrize(
    ("path", "said"),
    [("correct/4?do=strike", "Entry 4 counted"), ("correct/2?do=void", "Entries 1–4 counted")],
)
def test_one_entry_that_no_longer_counts_is_not_called_entries(
    room: Room, path: str, said: str
) -> None:
    room.open(WIDEST, "A B C", "table deal leader=A\nA lay 6\nB lay 5\nC lay 4")
    page = room.get(path, **{"Accept-Language": "en"})
    rows = [words(row) for row in page.select("tr")]
    assert [row for row in rows if row.startswith(said)], rows


@pytest.mark.parametrize("game", list(GAMES))
def test_a_preview_shows_the_table_before_and_after(room: Room, game: str) -> None:
    """Where the points don't change, the table cards may; every game draws both."""
    room.open(game, " ".join(some_seats(game, "ABC"))).play_out(30, seed=4)
    log = room.log
    changed, unpaid = 0, 0
    for step in log.steps():
        state = step.before.state if step.before else log.start
        for other in slips(log.game, log.table, state, step.play)[:2]:
            line = room.view.grammar.print(other)
            path = f"correct/{step.seq}?do=amend&line={quote(line)}"
            page = room.get(path, **{"Accept-Language": "en"})
            if not page.select_one(".foot .go"):
                continue  # it is refused
            pictures = page.select(".table.then, .asit")
            assert pictures, (step.seq, line)
            assert not page.select(".table.then:not([inert])")
            changed += len(pictures) > 1
            unpaid += len(pictures) > 1 and "don't change" in words(page.main)
    assert changed
    assert unpaid or not screen(game).one_deal
