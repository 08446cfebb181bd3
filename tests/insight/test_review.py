"""A deal is read again when it is over, never before; what is said then agrees with the judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chosen_games import having
from click.testing import CliRunner

from referee.cli import main
from referee.core.cards import Deck
from referee.core.corrections import Amend, Contest, Decide, Rewind, Strike, Void
from referee.core.hidden import Knowledge
from referee.core.log import Log
from referee.core.record import Record, read
from referee.core.steps import steps
from referee.games import GAMES, game_of
from referee.games.simulation import played
from referee.insight.grid import grid
from referee.insight.review import NotOver, finished, review
from referee.kit.shipped import beside
from referee.rulings.report import replay

FOLDER = Path(__file__).parent.parent / "games"
# those of shipped games leave out the hash of their file: nobody but their own tests can read them
FILES = [
    file
    for file in sorted(FOLDER.glob("*/playthroughs/*.txt"))
    if "\nkit: shipped\n" not in file.read_text(encoding="utf-8")
]


def recorded(file: Path) -> Record:
    record = read(file.read_bytes(), GAMES, lambda name: None, beside)
    assert isinstance(record, Record)
    return record


def name(file: Path) -> str:
    return f"{file.parents[1].name}/{file.stem}"


@pytest.mark.parametrize("file", FILES, ids=name)
def test_a_deal_that_goes_on_is_never_reviewed(file: Path) -> None:
    record = recorded(file)
    game = game_of(record.header)
    log = Log(game, record.header.table(game))
    for written in record.entries:
        log.push(written.entry)
        state = log.state
        if log.game.to_act(state) and not log.game.outcome(state):
            assert state.deal not in finished(log)
            with pytest.raises(NotOver):
                review(log, state.deal)
        with pytest.raises(NotOver):
            review(log, state.deal + 1)


@pytest.mark.parametrize("file", FILES, ids=name)
def test_a_review_agrees_with_findings_and_verdicts(file: Path) -> None:
    log = replay(recorded(file))
    found = [review(log, deal) for deal in finished(log)]
    revokes = [revoke for each in found for revoke in each.revokes]
    reviewed = {read.step.seq for each in found for read in each.entries}
    assert [r.finding for r in revokes] == [f for f in log.findings() if f.at in reviewed]
    for revoke in revokes:
        assert revoke.provable == revoke.finding.proof[-1]
    for each in found:
        for entry in each.entries:
            for said in entry.declarations:
                assert said.odds is None or said.odds > 0


def test_a_review_is_remembered_until_the_record_grows() -> None:
    log = replay(recorded(next(file for file in FILES if finished(replay(recorded(file))))))
    deal = finished(log)[0]
    found = review(log, deal)
    assert review(log, deal) is found
    assert found.entries[-1].grid is found.entries[-1].grid
    log.push(Rewind(1))
    with pytest.raises(NotOver):
        review(log, deal)


@pytest.mark.parametrize("game", list(GAMES))
def test_a_declaration_has_no_odds_left_exactly_when_it_is_refuted(game: str) -> None:
    """By facts alone: contradictions with what the same seat said are another matter."""
    counted = 0
    seats = [f"P{i}" for i in range(max(2, GAMES[game].SEATS.start))]
    for seed in range(12):
        log = played(GAMES[game], seats, seed, lies=0.4, shows=0.02, most=300)
        for step in steps(log.now.step):
            known = log.game.HOOKS.knowledge(step.state)
            if known is None or not known.said:
                continue
            refuted = {r.claim for r in step.state.hands.refuted}
            for said in known.said:
                if said.odds is not None:
                    assert (said.odds == 0) == (said.claim in refuted)
                    counted += 1
    declares = any(
        (known := log.game.HOOKS.knowledge(step.state)) and known.said
        for step in steps(log.now.step)
    )
    assert counted > 20 or not declares


def test_facts_that_contradict_each_other_leave_no_rows() -> None:
    assert grid(Knowledge(Deck((1, 2), (1, 2)), ())).rows == ()


@pytest.mark.parametrize("file", FILES, ids=name)
def test_the_command(file: Path, tmp_path: Path) -> None:
    log = replay(recorded(file))
    answer = CliRunner().invoke(main, ["review", str(file), "--json"])
    if not finished(log):
        assert answer.exit_code == 1
        assert not answer.stdout
        return
    deals = json.loads(answer.stdout)["deals"]
    assert [deal["deal"] for deal in deals] == list(finished(log))
    for deal in deals:
        for row in deal["entries"]:
            for place in row["grid"] or ():
                for cell in place["cells"]:
                    top, bottom = cell["odds"]
                    word = "certain" if top == bottom else "possible" if top else "impossible"
                    assert cell["is"] == word
                    assert (cell["least"] > 0) == (word == "certain")
                    assert (cell["most"] == 0) == (word == "impossible")
    plain = CliRunner().invoke(main, ["review", str(file), "--lang", "ja"])
    assert plain.exit_code == 0
    assert "回目の配札" in plain.stdout


def test_the_command_refuses_a_deal_that_goes_on(tmp_path: Path) -> None:
    file = next(file for file in FILES if len(finished(replay(recorded(file)))) > 1)
    lines = file.read_text(encoding="utf-8").split("\n")
    record = recorded(file)
    count = next(
        i for i, written in enumerate(record.entries) if i and written.text.startswith("table deal")
    )
    cut = next(i for i, line in enumerate(lines) if line.startswith(record.entries[count].text))
    running = tmp_path / "running.txt"
    running.write_text("\n".join(lines[: cut + 1]) + "\n", encoding="utf-8")
    assert CliRunner().invoke(main, ["review", str(running), "--deal", "1"]).exit_code == 0
    refused = CliRunner().invoke(main, ["review", str(running), "--deal", "2"])
    assert refused.exit_code == 1
    assert not refused.stdout
    unreadable = CliRunner().invoke(main, ["review", str(tmp_path / "none.txt")])
    assert unreadable.exit_code == 2


@pytest.mark.parametrize("game", having("knowledge"))
def test_corrections_leave_no_trace_in_a_review(game: str) -> None:
    """A record with undone, amended, voided and contested entries reads like the plays in force."""
    rules = GAMES[game]
    seats = [f"P{i}" for i in range(max(2, rules.SEATS.start))]
    log = played(rules, seats, 1, lies=0.3, shows=0.02, most=300)
    plain = [step.play for step in log.steps()]
    corrected = Log(rules, log.table)
    for number, play in enumerate(plain, 1):
        corrected.push(play)
        if number % 30 == 10:
            trouble(corrected)
    assert [step.play for step in corrected.steps()] == plain
    deals = finished(log)[:2]
    assert finished(corrected)[:2] == deals
    compared = 0
    for deal in deals:
        both = (review(each, deal).entries for each in (log, corrected))
        for here, there in zip(*both, strict=True):
            assert here.grid == there.grid
            assert here.declarations == there.declarations
            assert here.could_beat == there.could_beat
            assert [odds for _, odds in here.course] == [odds for _, odds in there.course]
            assert here.hindsight == there.hindsight
            compared += here.grid is not None
    assert compared > 5 or not deals


def trouble(log: Log) -> None:
    """Corrections after which the same plays are in force as before."""
    last = log.steps()[-1]
    seat = log.table.seats[0]
    log.push(Strike(last.seq))
    log.push(last.play)
    again = log.now.step
    assert again is not None
    log.push(Contest(seat, again.seq, None))
    log.push(Decide(len(log), False, None))
    deal = [step.play for step in log.steps() if step.state.deal == again.state.deal]
    log.push(Void(again.seq))
    for play in deal:
        log.push(play)
    log.push(Rewind(len(log) - min(3, len(deal) - 1)))
    for play in deal[len(deal) - min(3, len(deal) - 1) :]:
        log.push(play)
    last = log.steps()[-1]
    log.push(Amend(last.seq, deal[0]))
    log.push(Amend(last.seq, last.play))
