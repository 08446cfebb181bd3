"""`net.py FILE …` runs pytest with the other arguments, then failed tests again in one process.

The names of tests that pass the second time are appended to FILE, one a line: they are unsteady and
have to be corrected, but the exit status is 0 if there are no others. A test whose worker crashed
counts as failed. The exit status is 1 if a test fails twice, or if the second run did not try all
of them. For other errors, such as a file that cannot be read, it is that of pytest.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

CRASHED = re.compile(r"worker '\w+' crashed while running '(.+)'$", re.MULTILINE)
EMPTY = ElementTree.Element("testsuite", tests="0", skipped="0")
FAILED = 1  # pytest's exit status where tests have failed and nothing else is wrong


def main(names: Path, arguments: Sequence[str]) -> int:
    with TemporaryDirectory() as folder:
        status, failed, report = run(folder, *arguments)
        if status != FAILED:
            return status
        print(f"Once more, alone: {len(failed)} that failed.", flush=True)
        options = [argument for argument in arguments if not _names_tests(argument)]
        status, again, report = run(folder, *options, "-n0", "--", *failed)
        if status not in (0, FAILED):
            return status
        if int(report.attrib["tests"]) < len(failed) or int(report.attrib["skipped"]):
            print("Not all of them were tried again.")
            return FAILED
    with names.open("a", encoding="utf-8") as file:
        file.writelines(f"{name}\n" for name in failed if name not in again)
    return status


def _names_tests(argument: str) -> bool:
    """Whether it is a file or folder of tests: the second run gets the failed ones in its place.

    So an option has the path that is its value behind an "=".
    """
    return not argument.startswith("-") and Path(argument.partition("::")[0]).exists()


def run(folder: str, *arguments: str) -> tuple[int, list[str], ElementTree.Element]:
    """Pytest's exit status, the names of the failed tests, and the report of the suite."""
    cache, file = Path(folder, "v", "cache", "lastfailed"), Path(folder, "report.xml")
    cache.unlink(missing_ok=True)
    options = ["-o", f"cache_dir={folder}", "-o", "junit_family=xunit1", f"--junitxml={file}"]
    status = subprocess.run([sys.executable, "-m", "pytest", *options, *arguments]).returncode
    failed = list(json.loads(cache.read_text(encoding="utf-8")) if cache.exists() else ())
    [report] = ElementTree.parse(file).iter("testsuite") if file.exists() else [EMPTY]
    for crash in report.iter("failure"):  # the new worker ran it again: it may have passed there
        failed += (name for name in CRASHED.findall(crash.text or "") if name not in failed)
    return status, failed, report


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
