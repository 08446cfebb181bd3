"""``python tools/audit.py LOCKFILE``: known vulnerabilities of the packages in a lock file.

Exit status 1 for findings alone. Where the database of vulnerabilities can't be asked, that is
said: pip-audit itself calls packages that it could not look up "no known vulnerabilities".
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


def asked(lock: str) -> tuple[str, str]:
    """What pip-audit says: its report as JSON ("" if there is none), and its complaints."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", lock, "--format", "json"]
    done = subprocess.run(
        [*command, "--no-deps", "--disable-pip", "--progress-spinner", "off"],
        capture_output=True,
        text=True,
    )
    return done.stdout, done.stderr


def judged(report: str, complaints: str) -> tuple[int, list[str]]:
    """The exit status, and lines for people."""
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


if __name__ == "__main__":
    status, lines = judged(*asked(sys.argv[1]))
    print("\n".join(lines))
    sys.exit(status)
