"""The PostgreSQL server of the tests goes with the tests, however they end."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from waiting import wait_for

STARTS = """
import sys, time
sys.path.insert(0, sys.argv[1])
import cluster
with cluster.running() as server:
    print(server.folder, server.port, flush=True)
    time.sleep(60)
"""


@pytest.mark.usefixtures("cluster")  # there is PostgreSQL, or this is skipped
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_no_server_behind(how: signal.Signals) -> None:
    command = [sys.executable, "-c", STARTS, str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        folder, port = run.stdout.readline().split()
        assert Path(folder).is_dir()
        run.send_signal(how)
    wait_for(lambda: not Path(folder).exists())
    with closing(socket.socket()) as probe:
        assert probe.connect_ex(("127.0.0.1", int(port))) != 0
