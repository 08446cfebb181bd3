"""A PostgreSQL server for the tests, on the loopback, whose data are deleted with it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from torture import ports

PATIENCE = 120.0  # seconds, as in waiting.py, which is not there for `python -m torture`

# However this process ends, its end of this pipe is closed then.
GUARD = 'cat; "$0"/pg_ctl stop -m immediate -D "$1"/data; until rm -rf "$1"; do sleep 1; done'
SETTINGS = ("shared_buffers=32MB", "max_connections=150", "unix_socket_directories=")


class NoServer(Exception):
    """There is no PostgreSQL on this machine."""


def programs() -> Path:
    """The folder of ``postgres`` and ``initdb``, the newest version; raises ``NoServer``."""
    named = os.environ.get("POSTGRES_BIN")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name))
    found = shutil.which("postgres")
    for folder in filter(None, (named, *reversed(debian), found and Path(found).resolve().parent)):
        if (Path(folder) / "initdb").exists():
            return Path(folder)
    raise NoServer(
        "PostgreSQL is not installed (Debian: apt install postgresql; elsewhere POSTGRES_BIN="
        " names the folder of initdb): what needs a server is not tried"
    )


def _account() -> dict[str, Any]:
    """The account that runs the programs: not root, as which PostgreSQL refuses to run."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


class Cluster:
    """A server with its data in a new folder; ``durable``: it waits for the disk."""

    def __init__(self, *settings: str, durable: bool = False) -> None:
        self._programs = programs()
        # not in the folder of the tests, which other accounts may not enter
        self.folder = Path(tempfile.mkdtemp(prefix="referee-pg-"))
        self.data = self.folder / "data"
        account = _account()
        if account:
            os.chown(self.folder, account["user"], account["group"])
        self.port = ports.free()
        self._settings = (*SETTINGS, *settings)
        if not durable:
            self._settings += ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
        self._server: subprocess.Popen[bytes] | None = None
        self._guard = subprocess.Popen(
            ["sh", "-c", GUARD, self._programs, self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **account,
        )

    def initialise(self) -> None:
        """Make an empty database."""
        how = ("-U", "referee", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        self.run("initdb", "-D", str(self.data), *how)

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs under the server's account."""
        done = subprocess.run(
            [self._programs / program, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            **_account(),
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Start unless it runs, and wait until it answers."""
        if self._server is None:
            self._server = self._spawned()
        until = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.address(), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > until or self._server.poll() is not None:
                    raise
                time.sleep(0.05)

    def _spawned(self) -> subprocess.Popen[bytes]:
        command = [self._programs / "postgres", "-D", self.data, "-p", str(self.port)]
        for setting in (*self._settings, "listen_addresses=127.0.0.1"):
            command += ["-c", setting]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl+C is for the tests; they stop it
                **_account(),
            )

    def kill(self) -> None:
        """``kill -9`` of all its processes."""
        assert self._server is not None
        self._server.kill()  # first: it would start the others anew
        self._server.wait(PATIENCE)
        self._server = None
        while left := self._pids():
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)

    def kill_one(self) -> None:
        """``kill -9`` of a process that works for a server of ours: PostgreSQL ends all of them."""
        ours = "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'referee%'"
        until = time.monotonic() + PATIENCE
        while not (found := self.ask(f"{ours} ORDER BY xact_start NULLS LAST LIMIT 1")):
            assert time.monotonic() < until, "nobody is connected"
            time.sleep(0.02)
        with suppress(ProcessLookupError):  # has just gone by itself
            os.kill(found[0][0], signal.SIGKILL)

    def seconds(self) -> float:
        """Of the processor, for all its processes until now."""
        assert self._server is not None
        ticks = 0
        for pid in self._pids():
            with suppress(OSError):
                after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, after[11:15] if pid == self._server.pid else after[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def _pids(self) -> list[int]:
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # gone, or somebody else's
                if (process / "cwd").readlink() == self.data:
                    found.append(int(process.name))
        return found

    def crash(self) -> None:
        """As if the power had gone: the server gets no chance to finish anything."""
        self._end(signal.SIGQUIT)

    def stop(self) -> None:
        """Finish running transactions, disconnect the others, and stop."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(PATIENCE)
            self._server = None

    def remove(self) -> None:
        """Stop, and leave nothing behind."""
        self._end(signal.SIGQUIT)
        self._guard.communicate()

    def address(self, schema: str = "public") -> str:
        """The value of ``REFEREE_DATABASE`` for tables in a schema of their own."""
        options = quote(f"-c search_path={schema}")
        return f"postgresql://referee@127.0.0.1:{self.port}/postgres?options={options}"

    def ask(self, query: str, schema: str = "public") -> list[tuple[Any, ...]]:
        """The rows of a query; empty for another statement."""
        with psycopg.connect(self.address(schema), autocommit=True) as connection:
            found = connection.execute(query)  # type: ignore[call-overload]
            return found.fetchall() if found.description else []


def replica(primary: Cluster) -> Cluster:
    """A server with the present content of ``primary``, which receives no further changes."""
    made = Cluster()
    source = ("-h", "127.0.0.1", "-p", str(primary.port), "-U", "referee")
    try:
        made.run("pg_basebackup", *source, "-D", str(made.data), "-X", "stream", "-c", "fast")
        (made.data / "standby.signal").touch()
        made.start()
    except BaseException:
        made.remove()
        raise
    return made


@contextmanager
def running(*settings: str, durable: bool = False) -> Iterator[Cluster]:
    """A server for as long as this lasts; raises ``NoServer``."""
    cluster = Cluster(*settings, durable=durable)
    try:
        cluster.initialise()
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


class Schemas:
    """Empty databases on one server; those that were used are emptied and used again."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._free: list[str] = []
        self._count = 0
        self.of: dict[Path, str] = {}

    def take(self) -> str:
        """The name of an empty one; one that was used has its tables still."""
        return self._free.pop() if self._free else self.fresh()

    def fresh(self) -> str:
        """The name of one that has never been used."""
        self._count += 1
        self.cluster.ask(f"CREATE SCHEMA s{self._count}")
        return f"s{self._count}"

    def give_back(self, name: str) -> None:
        """Empty it for the next one; its tables stay.

        Without triggers and references the order does not matter. TRUNCATE would make new files
        for all tables, which takes ten times as long.
        """
        self.cluster.ask(
            "DO $$ DECLARE found text; BEGIN IF to_regclass('entries') IS NOT NULL THEN"
            " SET LOCAL session_replication_role = replica;"
            f" FOR found IN SELECT tablename FROM pg_tables WHERE schemaname = '{name}'"
            " AND tablename != 'migrations' LOOP EXECUTE format('DELETE FROM %I', found); END LOOP;"
            f" FOR found IN SELECT sequencename FROM pg_sequences WHERE schemaname = '{name}'"
            " LOOP PERFORM setval(found::regclass, 1, false); END LOOP;"
            " INSERT INTO circles VALUES ('', '', ''); END IF; END $$",
            name,
        )
        self._free.append(name)

    def address(self, path: Path) -> str:
        """The database in place of the file ``path``."""
        if path not in self.of:
            self.of[path] = self.take()
        return self.cluster.address(self.of[path])
