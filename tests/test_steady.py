"""`make steady` says what failed in any of its runs, and leaves nothing burning."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import wait_for

STEADY = Path(__file__).parent.parent / "tools" / "steady.py"

# the second of two runs
FAILS = """
from pathlib import Path
import sys

if Path("before").exists():
    print("FAILED tests/a.py::test_one[b] - assert 1 == 2")
    sys.exit("== 1 failed, 2 passed in 0.5s ==")
Path("before").touch()
print("== 3 passed in 0.5s ==")
"""


def steady(folder: Path, runs: int, text: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(STEADY), str(runs), "--", sys.executable, "-c", text]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_what_fails_in_any_run_is_listed_at_the_end(tmp_path: Path) -> None:
    assert steady(tmp_path, 1, FAILS).returncode == 0
    (tmp_path / "before").unlink()
    done = steady(tmp_path, 2, FAILS)
    assert done.returncode == 1
    assert "run 1: 3 passed in 0.5s" in done.stdout
    assert done.stdout.endswith("1 of 2: tests/a.py::test_one[b]\n")


def test_a_run_that_breaks_off_is_no_good_one(tmp_path: Path) -> None:
    done = steady(tmp_path, 1, "raise SystemExit(3)")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "1 of 1: exit status 3")


BURNS = """
import sys, time
sys.path.insert(0, sys.argv[1])
import steady
with steady.burning(1) as burners:
    print(burners[0].pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(os.name != "posix", reason="looks for a process")
def test_whoever_ends_it_and_however_nothing_burns_on() -> None:
    command = [sys.executable, "-c", BURNS, str(STEADY.parent)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        burner = int(running.stdout.readline())
        os.kill(burner, 0)
        running.kill()
    wait_for(lambda: _has_ended(burner))


def _has_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")  # a zombie where nobody takes in orphans
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z"
