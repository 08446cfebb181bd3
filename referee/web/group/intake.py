"""Reads uploaded files in another process: one upload at a time, whatever its content."""

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
"""Wall-clock time from the first byte to the last match."""


class Busy(Exception):
    """Another upload is still being read or imported."""


_one = Lock()


class Here:
    """Reads an upload in this process, on a machine that has no other processes."""

    def __init__(
        self, body: IO[bytes], content_type: str, language: str, find: Find, zone: str = ""
    ) -> None:
        self._read = sent_files.messages(BytesIO(body.read()), content_type, language, find, zone)

    def messages(self) -> Iterator[sent_files.Message]:
        """The content of the upload."""
        return self._read

    def close(self) -> None:
        """Stop reading."""
        self._read.close()


class Intake:
    """Reads a form with files in a process of its own; raises ``Busy`` during another upload.

    Not ``find`` itself but its answers are sent to the process. ``close`` must be called.
    """

    def __init__(
        self, body: IO[bytes], content_type: str, language: str, find: Find, zone: str = ""
    ) -> None:
        if not _one.acquire(blocking=False):
            raise Busy
        self._language, self._find = language, find
        self._folder = Path(tempfile.mkdtemp(prefix="fudami-"))
        try:
            kept = self._folder / "body"
            with kept.open("wb") as to:
                shutil.copyfileobj(body, to)
            # as JSON, because an argument cannot hold every character
            command = [
                sys.executable,
                "-c",
                RUN,
                str(kept),
                json.dumps(content_type),
                language,
                zone,
            ]
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
        """The messages of the process, without its questions, which are answered here.

        ``IntakeFaults`` is the last one if the process ran out of memory or time.
        """
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        while True:
            try:
                message = pickle.load(self._process.stdout)
            except (EOFError, pickle.UnpicklingError, OSError):
                break
            if isinstance(message, sent_files.Wanted):
                answer = json.dumps(self._find(message.deck)) + "\n"
                with suppress(BrokenPipeError):  # it has just ended: the next load finds that out
                    self._process.stdin.write(answer.encode())
                    self._process.stdin.flush()
            else:
                yield message
        if self._process.wait():  # it ran out of memory or time
            yield sent_files.faults(Unreadable("read_sent_size"), self._language)

    def close(self) -> None:
        """End the process, and let the next upload start."""
        self._timer.cancel()
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        _one.release()
