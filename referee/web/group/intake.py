"""Files that were sent, as another process reads them: one at a time, whatever they hold."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from threading import Lock, Timer
from typing import IO

from referee.core.game import Find
from referee.core.record import Unreadable
from referee.web.group import sent_files

RUN = "import sys; from referee.web.group import sent_files; sent_files.main(*sys.argv[1:])"
SECONDS = 600.0
"""By the clock, from the first byte to the last match."""


class Busy(Exception):
    """Something else is still being read or taken in."""


_one = Lock()


class Here:
    """The same in this process, for a machine that has no others."""

    def __init__(self, body: IO[bytes], content_type: str, language: str, find: Find) -> None:
        self._read = sent_files.messages(BytesIO(body.read()), content_type, language, find)

    def messages(self) -> Iterator[sent_files.Message]:
        """What was sent."""
        return self._read

    def close(self) -> None:
        """Read no further."""
        self._read.close()


class Intake:
    """A form with files, read by a process of its own; raises ``Busy`` while there is another."""

    def __init__(self, body: IO[bytes], content_type: str, language: str, find: Find) -> None:
        if not _one.acquire(blocking=False):
            raise Busy
        self._language, self._find = language, find
        self._folder = Path(tempfile.mkdtemp(prefix="fudami-"))
        try:
            kept = self._folder / "body"
            with kept.open("wb") as to:
                shutil.copyfileobj(body, to)
            command = [sys.executable, "-c", RUN, str(kept), content_type, language]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            _one.release()
            raise
        self._timer = Timer(SECONDS, self._process.kill)
        self._timer.daemon = True
        self._timer.start()

    def messages(self) -> Iterator[sent_files.Message]:
        """What the process tells, but for what it asks. ``Faults`` if it comes to no end."""
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        while True:
            try:
                message = pickle.load(self._process.stdout)
            except (EOFError, pickle.UnpicklingError, OSError):
                break
            if isinstance(message, sent_files.Wanted):
                answer = json.dumps(self._find(message.deck)) + "\n"
                with suppress(BrokenPipeError):  # it has just ended, which is reported above
                    self._process.stdin.write(answer.encode())
                    self._process.stdin.flush()
            else:
                yield message
        if self._process.wait():  # its memory or its time was not enough
            yield sent_files.faults(Unreadable("read_sent_size"), self._language)

    def close(self) -> None:
        """End the process, and let the next one come."""
        self._timer.cancel()
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        _one.release()
