"""`referee judge` on a file."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from referee.cli import main


def judge(tmp_path: Path, text: str | bytes, *options: str) -> Result:
    file = tmp_path / "evening.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return CliRunner().invoke(main, ["judge", str(file), "--lang", "en", *options])


def answer(tmp_path: Path, text: str) -> dict:
    result = judge(tmp_path, text, "--json")
    assert result.exit_code in (0, 1), result.output
    return json.loads(result.stdout)
