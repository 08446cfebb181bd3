"""`steady.py RUNS -- make test …` runs the tests again and again while all processors are busy.

One busy loop runs for each processor. The output of each run is printed, and at the end all
failures together; the exit status is 1 after any failure.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

# runs as long as the process that started it, however that ends
BURNS = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    for _ in range(1_000_000):
        pass
"""
FAULT = re.compile(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", re.MULTILINE)


@contextmanager
def burning(loops: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """``loops`` processes that each keep a processor busy."""
    command = [sys.executable, "-c", BURNS, str(os.getpid())]
    burners = [subprocess.Popen(command) for _ in range(loops)]
    try:
        yield burners
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def run(command: list[str]) -> tuple[int, list[str], str]:
    """The exit status, what failed, and pytest's closing line."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as tests:
        assert tests.stdout is not None
        printed = []
        for line in tests.stdout:
            print(line, end="", flush=True)
            printed.append(line)
    closing = next((line.strip("= \n") for line in reversed(printed) if " in " in line), "")
    return tests.returncode, FAULT.findall("".join(printed)), closing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("runs", type=int)
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    failed, reports = Counter[str](), list[str]()
    with burning(os.cpu_count() or 1):
        for number in range(1, args.runs + 1):
            began = time.monotonic()
            status, names, closing = run(args.command)
            failed.update(names or [f"exit status {status}"] * bool(status))
            minutes = (time.monotonic() - began) / 60
            reports.append(f"run {number}: {closing or status}, {minutes:.1f} minutes in all")
            print(reports[-1], flush=True)
    print(*reports, sep="\n")
    for name, times in failed.most_common():
        print(f"{times} of {args.runs}: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
