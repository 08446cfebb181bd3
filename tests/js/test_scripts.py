"""The pure functions of the scripts, without a browser: this folder, run by node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_pure_functions_of_the_scripts() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run tests/js with")
    files = sorted(map(str, (ROOT / "tests" / "js").glob("*.test.mjs")))
    assert len(files) > 2
    run = subprocess.run([node, "--test", *files], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stdout + run.stderr
