"""The files of others that lie in `static/vendor` are those that their registry has."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from referee import paths
from referee.pack.pyodide import check

VENDOR = paths.shipped("static") / "vendor"
PACKAGE = "htmx.org@4.0.1"
INTEGRITY = "sha512-" + (
    "oF7JgXhDW9UXCy/k1ZYFUQgzu/rm19ORWPSPNL91vPluB2PB9+MV55tyQdH/w7o2EAbTYUG5SDW1R60mdkdqGg=="
)
"""What `npm view htmx.org@4.0.1 dist.integrity` says."""
FILES = {
    "htmx-4.0.1.min.js": "package/dist/htmx.min.js",
    "htmx-LICENSE": "package/LICENSE",
}


def test_every_vendored_file_is_known() -> None:
    assert {file.name for file in VENDOR.iterdir()} == set(FILES)


def test_vendored_files_are_those_of_the_registry(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed")
    fetch = [npm, "pack", "--silent", "--pack-destination", str(tmp_path), PACKAGE]
    if subprocess.run(fetch, capture_output=True, check=False).returncode:
        pytest.skip("the registry is out of reach")
    [tarball] = tmp_path.iterdir()
    check(tarball.read_bytes(), INTEGRITY)
    with tarfile.open(tarball) as tar:
        for ours, theirs in FILES.items():
            found = tar.extractfile(theirs)
            assert found is not None
            assert (VENDOR / ours).read_bytes() == found.read()
