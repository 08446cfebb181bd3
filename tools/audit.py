"""``python tools/audit.py LOCKFILE``: known vulnerabilities of the packages in a lock file.

Also asks the package index whether the authors of a package have withdrawn the version. Exit status
1 if anything was found. If the database does not answer, this is printed, and the status is 0:
pip-audit itself reports packages that it could not look up as "no known vulnerabilities".
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


def asked(lock: str) -> tuple[str, str]:
    """The output of pip-audit: its report as JSON ("" if there is none), and its errors."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", lock, "--format", "json"]
    done = subprocess.run(
        [*command, "--no-deps", "--disable-pip", "--progress-spinner", "off"],
        capture_output=True,
        text=True,
    )
    return done.stdout, done.stderr


def withdrawn(lock: str) -> list[str] | None:
    """Versions that their authors have withdrawn from the index; None if it does not answer."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    done = subprocess.run(
        [*command, "--no-deps", "--quiet", "--report", "-", "--requirement", lock],
        capture_output=True,
        text=True,
    )
    return yanked(done.stdout)


def yanked(report: str) -> list[str] | None:
    """The withdrawn versions in pip's ``report`` (JSON); None if it is no report."""
    try:
        packages = [(each["metadata"], each["is_yanked"]) for each in json.loads(report)["install"]]
    except (ValueError, KeyError, TypeError):
        return None
    return [f"{data['name']} {data['version']}" for data, is_yanked in packages if is_yanked]


def judged(report: str, complaints: str) -> tuple[int, list[str]]:
    """The exit status for pip-audit's output (``asked``), and the lines to print."""
    try:
        packages: list[dict[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        last = complaints.strip().splitlines()[-1:] or ["no answer"]
        return 0, [f"NOT AUDITED: the database can't be asked ({last[0][:200]})"]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    found = [
        f"{package['name']} {package['version']}: {fault['id']}"
        f" (put right in {', '.join(fault['fix_versions']) or 'no version yet'})"
        for package in packages
        for fault in package.get("vulns", ())
    ]
    lines = [f"{len(packages) - len(skipped)} packages audited, {len(found)} findings", *found]
    if skipped:
        lines.append(f"NOT AUDITED, unknown to the database asked: {', '.join(skipped)}")
    return (1 if found else 0), lines


def main(lock: str) -> int:
    """Print the findings about the versions in ``lock``; returns 1 if there are any."""
    status, lines = judged(*asked(lock))
    gone = withdrawn(lock)
    if gone is None:
        lines.append("NOT ASKED whether versions were withdrawn: the package index gave no answer")
    else:
        lines.append(f"{len(gone)} versions withdrawn by their makers{': ' * bool(gone)}")
        lines[-1] += ", ".join(gone)
    print("\n".join(lines))
    return 1 if status or gone else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
