"""Protocols: every proof has a certificate that a second program accepts, and no other."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import time
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from table_talk import recorded

from referee.core.record import Record
from referee.rulings.report import replay
from tools import check_protocol
from tools.protocols import (
    ALL,
    FILES,
    changed,
    declares,
    made,
    of_lines,
    random_match,
    refused,
    rehashed,
)

TOP = Path(__file__).parents[2]
FOLDER = TOP / "tests" / "games"
CHECKER = TOP / "tools" / "check_protocol.py"
PLAYTHROUGHS = sorted(FOLDER.glob("*/playthroughs/*.txt"))
SECONDS = 2.0

Protocol = dict[str, Any]


def of_playthrough(file: Path) -> Record | None:
    text = file.read_text(encoding="utf-8")
    for key, game in FILES.items():
        text = text.replace(f"game: {key}\n", f"game: {key}\nkit: {game.hash}\n")
    found = recorded(text.replace("kit: shipped\n", ""))
    return found if isinstance(found, Record) else None


def answers(found: Protocol) -> list[tuple[bool, str]]:
    return check_protocol.check(found)


@pytest.mark.parametrize(
    "file", PLAYTHROUGHS, ids=lambda file: f"{file.parents[1].name}/{file.stem}"
)
def test_every_finding_of_a_playthrough_is_certified(file: Path) -> None:
    record = of_playthrough(file)
    if record is None:
        return
    found, log = made(record), replay(record)
    given = answers(found)
    assert all(good for good, _ in given), given
    revokes = {(c["entry"], c["seat"]) for c in found["certificates"] if c["proves"] == "revoke"}
    assert revokes == {(each.at, each.seat) for each in log.findings()}
    proofs = [s for s in log.steps() if log.game.HOOKS.proof(log.before(s), s.play) is not None]
    assert len(given) == len(revokes) + len(proofs)


def test_there_are_findings_by_each_argument_about_hands() -> None:
    records = filter(None, map(of_playthrough, PLAYTHROUGHS))
    used = {c["argument"] for record in records for c in made(record)["certificates"]}
    assert used == {"later_cards", "too_few", "no_words_beat"}


@pytest.mark.parametrize("name", [name for name in ALL if declares(name)])
def test_certificates_of_random_matches_are_accepted_and_changed_ones_are_not(name: str) -> None:
    rng = Random(name)
    for seed in range(3):
        found = random_match(name, seed)
        given = answers(found)
        assert all(good for good, _ in given), (seed, given)
        for number in range(len(found["certificates"])):
            other, what = changed(found, number, rng)
            assert refused(other), (seed, number, what)


REVOKE = (
    "table deal leader=A turn=H5; A lay S10; B lay D2; C lay SK; D lay S4; C lay C2; D lay C3; "
    "A lay C4; B lay S2"
)


def test_a_changed_byte_anywhere_is_found(tmp_path: Path) -> None:
    text = json.dumps(of_lines("whist", "A B C D", REVOKE), ensure_ascii=False)
    assert all(good for good, _ in answers(json.loads(text)))
    rng = Random(7)
    for _ in range(400):
        at = rng.randrange(len(text))
        other = text[:at] + rng.choice("0123456789ABCDSHx") + text[at + 1 :]
        if other == text:
            continue
        try:
            good = all(good for good, _ in answers(json.loads(other)))
        except (check_protocol.Unreadable, *check_protocol.BROKEN):
            continue
        assert not good, (at, text[at - 20 : at + 20])


def test_moves_that_the_record_does_not_show_are_refused() -> None:
    found = of_lines("whist", "A B C D", REVOKE)
    for change in (
        lambda moves: moves.reverse(),
        lambda moves: moves.pop(),
        lambda moves: moves[-1].update(plays=["S3"]),
        lambda moves: moves[-1].update(entry=99),
        lambda moves: moves[-1].update(seat="A"),
        lambda moves: moves.append(deepcopy(moves[-1])),
        lambda moves: [move.update(says_only=["H2"]) for move in moves if "says_only" in move],
    ):
        other = deepcopy(found)
        change(other["deals"][0]["moves"])
        assert refused(other)


CLAIM = (
    'table sheet leader=A A="0 0" B="0 0" C="0 1"; table deal leader=B turn=H5; B bid 2; C bid 0; '
    "A bid 1; B show HA HK; "
)


def test_claims_that_cards_decide_are_certified() -> None:
    proven = of_lines("oh_hell", "A B C", CLAIM + "B rest")
    [certificate] = proven["certificates"]
    assert (certificate["argument"], certificate["proves"]) == ("nothing_beats", "claim")
    assert answers(proven) == [(True, "nothing that is left beats HA, HK")]
    certificate["beaters"]["HK"] = ["H2"]
    assert answers(rehashed(proven)) == [(False, "H2 would beat HK")]
    lost = "table deal leader=A turn=H5; A lay S5; B lay S7; C lay S6; A rest"
    found = of_lines("whist", "A B C D", lost)
    assert answers(found) == [
        (True, "S7 takes the trick, so A does not take all that are left"),
    ]
    assert of_lines("oh_hell", "A B C", CLAIM + "A rest")["certificates"] == []


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(CHECKER), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


def test_the_checker_runs_alone_and_says_what_is_wrong(tmp_path: Path) -> None:
    """Isolated, so that nothing of the program can be imported."""
    first, other = (of_lines("whist", seats, lines) for seats, lines in SEATED)
    own = tmp_path / "own.json"
    own.write_text(json.dumps(first), encoding="utf-8")
    done = run(str(own))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("entry 3, revoke of B: accepted. B ")
    wrong = deepcopy(first)
    wrong["certificates"][0]["argument"] = "too_few"
    swapped = {**first, "certificates": other["certificates"]}
    said = {
        "changed.json": ({**first, "record": first["record"] + "C lay H2\n"}, 2, "it was changed"),
        "of_another.json": (rehashed(swapped), 2, "is of another match"),
        "wrong.json": (rehashed(wrong), 1, "part of the certificate"),
        "foreign.json": ({"name": "another"}, 2, "this is no protocol of a match"),
        "list.json": ([1], 2, "this is no protocol of a match"),
        "short.json": (rehashed({"format": check_protocol.FORMAT}), 2, "this is no protocol"),
    }
    for name, (data, status, sentence) in said.items():
        file = tmp_path / name
        file.write_text(json.dumps(data), encoding="utf-8")
        done = run(str(file))
        assert done.returncode == status, (name, done)
        assert sentence in done.stdout + done.stderr, (name, done)
        assert "Traceback" not in done.stderr
    (tmp_path / "bytes").write_bytes(b"\xff\x00")
    for name in ("bytes", "missing", "."):
        done = run(str(tmp_path / name))
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
    assert run().returncode == 2


SEATED = (("A B C D", REVOKE), ("A B C D", REVOKE + "; A lay C5"))


def test_the_checker_imports_nothing_of_the_program_and_is_short() -> None:
    text = CHECKER.read_text(encoding="utf-8")
    assert len(text.split("\n")) <= 400
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(str(node.module))
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_a_thousand_certificates_take_two_seconds_at_most() -> None:
    found = of_lines("whist", "A B C D", REVOKE)
    many = rehashed({**found, "certificates": found["certificates"] * 1000})
    began = time.perf_counter()
    assert len(answers(many)) == 1000
    assert time.perf_counter() - began < SECONDS


def test_a_declaration_of_five_kings_names_five() -> None:
    """Jokers count as kings, so that a hand can have more than four."""
    assert check_protocol.cards_in("B declare 5")["K"] == 5
    assert check_protocol.cards_in("B declare")["K"] == 4
    assert check_protocol.cards_in("B lay 5")["K"] == 0
