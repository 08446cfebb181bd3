"""`make audit` never calls something sound that nobody has looked at."""

import json
import runpy
from pathlib import Path
from typing import Any

AUDIT = runpy.run_path(str(Path(__file__).parent.parent / "tools" / "audit.py"))
JUDGED, YANKED = AUDIT["judged"], AUDIT["yanked"]


def report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


def test_findings_fail_and_name_the_version_to_take() -> None:
    fault = {"id": "PYSEC-1", "fix_versions": ["2.1"], "aliases": [], "description": ""}
    status, lines = JUDGED(report({"name": "a", "version": "2.0", "vulns": [fault]}), "")
    assert status == 1
    assert lines == ["1 packages audited, 1 findings", "a 2.0: PYSEC-1 (put right in 2.1)"]


def test_what_the_database_does_not_know_is_not_called_sound() -> None:
    skipped = {"name": "a", "skip_reason": "Dependency not found on PyPI"}
    status, lines = JUDGED(report(skipped, {"name": "b", "version": "1", "vulns": []}), "")
    assert status == 0
    assert lines[0] == "1 packages audited, 0 findings"
    assert lines[1].startswith("NOT AUDITED")
    assert lines[1].endswith(" a")


def test_no_answer_is_said_and_fails_nothing() -> None:
    status, lines = JUDGED("", "Traceback\nConnectionError: no such host")
    assert status == 0
    assert lines == ["NOT AUDITED: the database can't be asked (ConnectionError: no such host)"]


def test_withdrawn_versions_are_found_and_silence_is_not_taken_for_none() -> None:
    installed = [
        {"metadata": {"name": name, "version": "1.0"}, "is_yanked": name == "b"} for name in "abc"
    ]
    assert YANKED(json.dumps({"install": installed})) == ["b 1.0"]
    assert YANKED("") is None
    assert YANKED("[]") is None
