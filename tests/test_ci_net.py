"""`.ci/run` tries again, once and alone, what failed; only what passes then is forgiven."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

NET = Path(__file__).parent.parent / ".ci" / "net.py"
if not NET.exists():
    pytest.skip("the checks of this project are not here", allow_module_level=True)

STEADY = "def test_steady():\n    pass\n\n"
# fails unless it has been here before
ONCE = """
from pathlib import Path
import pytest

def before(name):
    known = Path(__file__).parent / name
    return known.exists() or known.touch()

@pytest.mark.parametrize("at", ["a [b] :: c", "札"])
def test_once(at):
    assert before(at)

"""
CRASH = "import os\ndef test_of_a_worker_that_crashes():\n    before('x') or os._exit(3)\n"
# A figure of a test is refused by some kinds of report, with a warning, and only without workers.
COUNTS = """def test_that_counts(record_property):
    record_property("taps", 3)
    assert before("x")
"""
TWICE = "def test_twice():\n    assert not 'this'\n\n"


def netted(folder: Path, text: str, *arguments: str) -> tuple[int, list[str], str]:
    """The exit status, the names of what is forgiven, and what was printed."""
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    names = folder / "names"
    command = [sys.executable, str(NET), str(names), *(arguments or ("-n1",))]
    light = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin"}
    done = subprocess.run(command, cwd=folder, env=light, capture_output=True, text=True)
    return done.returncode, names.read_text().splitlines() if names.exists() else [], done.stdout


def test_what_passes_the_second_time_is_named_and_forgiven(tmp_path: Path) -> None:
    status, names, printed = netted(tmp_path, ONCE + STEADY)
    assert status == 0
    assert sorted(names) == ["test_it.py::test_once[\\u672d]", "test_it.py::test_once[a [b] :: c]"]
    assert "2 failed, 1 passed" in printed  # pytest's closing lines, both
    assert "2 passed" in printed


def test_a_test_that_crashed_a_worker_is_tried_again_too(tmp_path: Path) -> None:
    status, names, _ = netted(tmp_path, ONCE.partition("@")[0] + CRASH + STEADY)
    assert (status, names) == (0, ["test_it.py::test_of_a_worker_that_crashes"])


def test_a_test_that_reports_a_figure_is_tried_again_too(tmp_path: Path) -> None:
    status, names, _ = netted(tmp_path, ONCE.partition("@")[0] + COUNTS)
    assert (status, names) == (0, ["test_it.py::test_that_counts"])


def test_what_fails_twice_is_a_failure(tmp_path: Path) -> None:
    status, names, _ = netted(tmp_path, ONCE + TWICE)
    assert status == 1
    assert len(names) == 2  # the others are named all the same


def test_where_nothing_fails_nothing_runs_again(tmp_path: Path) -> None:
    status, names, printed = netted(tmp_path, STEADY)
    assert (status, names) == (0, [])
    assert printed.count(" passed") == 1


def test_only_what_failed_runs_again_where_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "test_more.py").write_text(STEADY)
    named = ["-n1", "--dist", "loadfile", "test_it.py", "more"]
    status, names, printed = netted(tmp_path, ONCE + STEADY, *named)
    assert (status, len(names)) == (0, 2)
    assert "2 failed, 2 passed" in printed
    assert re.search(r"^=+ 2 passed in", printed, re.MULTILINE)


@pytest.mark.parametrize(
    "wrong",
    [
        "import nothing_of_this_name",
        CRASH.replace("'x'", "str(os.getpid())"),  # each time
        "@pytest.mark.skipif(before('read') and before('here'), reason='')\n"
        "def test_that_is_skipped_the_second_time(): assert 0",
        "if not before('read') or not before('here'):\n  def test_that_is_gone(): assert 0",
    ],
)
def test_nothing_else_is_forgiven(tmp_path: Path, wrong: str) -> None:
    text = ONCE.partition("@")[0] + STEADY + wrong
    status, names, printed = netted(tmp_path, text, "-n1")
    assert status != 0, printed
    assert names == []


def test_no_test_at_all_is_a_failure(tmp_path: Path) -> None:
    assert netted(tmp_path, "")[0] == 5
