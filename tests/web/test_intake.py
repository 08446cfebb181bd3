"""Files from strangers and hostile files: who may send, and what they can cost."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from threading import Event, Thread

import pytest
from flask import Flask

from referee.core.record import Unreadable
from referee.games import GAMES
from referee.web.group import intake, sent_files
from torture import uploads
from torture.uploads import GAME, RECORD, zipped

HEAD = b'{"format": "referee-history", "version": 1, "circle": "", "people": [], "sessions": [],'
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}
WITH_A_DECK = next(name for name, game in GAMES.items() if "deck" in game.HOOKS.equipment)


def read(tmp_path: Path, *files: tuple[str, bytes]) -> list[sent_files.Message]:
    """What the process reports about a form with these files."""
    parts = [
        f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        + content
        + b"\r\n"
        for name, content in files
    ]
    found = intake.Intake(
        io.BytesIO(b"".join(parts) + b"--x--\r\n"),
        "multipart/form-data; boundary=x",
        "en",
        lambda name: None,
    )
    try:
        return list(found.messages())
    finally:
        found.close()


def test_a_phone_without_a_group_sends_nothing(app: Flask) -> None:
    phone = app.test_client()
    for method in ("GET", "POST"):
        data = {"file": (io.BytesIO(RECORD), "one.txt")} if method == "POST" else None
        answer = phone.open(
            "/history/import", method=method, data=data, environ_overrides=ELSEWHERE
        )
        assert answer.status_code == 403
        assert "サークルに入っていません" in answer.text
    phone.post("/new", data={"game": GAME, "name": ["A", "B"]}, environ_overrides=ELSEWHERE)
    assert phone.get("/history/import", environ_overrides=ELSEWHERE).status_code == 204


def test_the_browser_of_this_computer_may_send_before_it_has_a_group(app: Flask) -> None:
    assert app.test_client().get("/history/import").status_code == 204


HOSTILE: dict[str, Callable[[], list[tuple[str, bytes]]]] = {
    "nested lists": lambda: [("a.gz", gzip.compress(HEAD + b'"x": [' + b"[]," * 4_000_000))],
    "nested lists in a line of their own": lambda: [
        ("a.gz", gzip.compress(HEAD + b'\n"matches": [\n{"id": [' + b"[]," * 4_000_000))
    ],
    "many people": lambda: [
        (
            "a.json",
            HEAD.replace(b'"people": []', b'"people": [' + b'{"name":"a","played":""},' * 200_000),
        )
    ],
    "many small archives": lambda: [(f"{i}.zip", zipped(1, 1_500_000)) for i in range(20)],
    "seats without end": uploads.HOSTILE["a record of 100,000 seats"],
    "a name without end": uploads.HOSTILE["a record of one long name"],
    "marks without end": uploads.HOSTILE["a record of 5,000 marks on a letter"],
    "former players without end": uploads.HOSTILE["a record of 70,000 former players"],
    "entries without end": uploads.HOSTILE["a record of 100,000 entries"],
    "a line without end": uploads.HOSTILE["a record of a line of 3 MB"],
    "corrections without end": uploads.HOSTILE["a record that is corrected 5,000 times"],
    "an archive of many files": lambda: [("a.zip", zipped(20_001, 1))],
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_with_a_sentence(tmp_path: Path, kind: str) -> None:
    [*_, last] = read(tmp_path, *HOSTILE[kind]())
    assert isinstance(last, sent_files.IntakeFaults)
    assert 0 < len(last.faults[0].text) < 400


def test_records_that_take_too_long_are_given_up_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = uploads.HOSTILE["a record that is corrected 5,000 times"]()[0][1]
    monkeypatch.setattr(
        intake, "RUN", intake.RUN.replace("; sent", "; sent_files.RECORD_SECONDS = 0.3; sent", 1)
    )
    some, *rest = read(tmp_path, ("a.txt", RECORD), ("b.txt", slow), ("c.txt", RECORD))
    assert some == sent_files.Several(3)
    assert [type(message).__name__ for message in rest] == ["Ready", "Refused", "Ready"]
    assert rest[1].fault.text.startswith("Checking this record takes too long")


def endless(steps: Iterator[int]) -> None:
    for _ in steps:
        pass


def test_time_for_refused_records_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sent_files, "RECORD_SECONDS", 0.05)
    monkeypatch.setattr(sent_files, "REFUSED_SECONDS", 0.12)
    patience = sent_files.Patience()
    steps = count()
    for _ in range(10):
        with pytest.raises(Unreadable), patience.record():
            endless(steps)
    begun = next(steps)
    with pytest.raises(Unreadable), patience.record():
        next(steps)
    assert next(steps) == begun + 1  # the last was not even begun
    with sent_files.Patience().record():  # one that is quick leaves no alarm behind
        pass


def test_the_process_gets_no_more_memory_than_it_may() -> None:
    code = (
        "from referee.web.group import sent_files; sent_files.limit()\n"
        "try: bytearray(sent_files.MEMORY + 2**24)\n"
        "except MemoryError: print('refused')"
    )
    ran = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert ran.stdout == b"refused\n"


def test_a_process_that_dies_is_reported_as_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "RUN", "import os; os.abort()")
    [fault] = read(tmp_path, ("one.txt", RECORD))
    assert isinstance(fault, sent_files.IntakeFaults)
    assert "Too much" in fault.faults[0].text


def test_one_form_is_read_at_a_time(tmp_path: Path) -> None:
    entered, done = Event(), Event()

    def hold(name: str) -> None:
        entered.set()
        done.wait(60)

    wants = RECORD.replace(GAME.encode(), WITH_A_DECK.encode()).replace(
        b"A B\n", b"A B\ndeck: ours\n"
    )
    form = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n' + wants
    first = intake.Intake(
        io.BytesIO(form + b"\r\n--x--\r\n"), "multipart/form-data; boundary=x", "en", hold
    )
    reading = Thread(target=lambda: list(first.messages()))
    reading.start()
    assert entered.wait(60)
    with pytest.raises(intake.Busy):
        read(tmp_path, ("one.txt", RECORD))
    done.set()
    reading.join()
    first.close()
    [alone] = read(tmp_path, ("one.txt", RECORD))
    assert isinstance(alone, sent_files.Alone)


def test_a_content_type_of_any_characters_is_read() -> None:
    sent = intake.Intake(io.BytesIO(b"--x--\r\n"), "multipart/form-data; boundary=x\0é", "en", str)
    try:
        [nothing] = sent.messages()
    finally:
        sent.close()
    assert isinstance(nothing, sent_files.IntakeFaults)


def test_nothing_is_left_of_a_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake.tempfile, "tempdir", str(tmp_path))
    read(tmp_path, ("one.txt", RECORD))
    assert list(tmp_path.iterdir()) == []
