"""What docs/own-game.md says works."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from referee.cli import main
from referee.kit.check import check
from referee.kit.recipes import recipes

PAGE = (Path(__file__).parents[3] / "docs" / "own-game.md").read_text(encoding="utf-8")
BLOCKS = [
    re.sub("^    ", "", block, flags=re.M)
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE, re.M)
]


def test_the_tutorial_leads_to_a_judged_match(tmp_path: Path) -> None:
    text = next(block for block in BLOCKS if "kit = 1" in block)
    record = next(block for block in BLOCKS if "referee: 1" in block)
    file = tmp_path / "mine.toml"
    file.write_text(text.lstrip(), encoding="utf-8")
    checked = CliRunner().invoke(main, ["game", "check", str(file), "--lang", "en"])
    assert checked.exit_code == 0, checked.output
    digest = checked.output.split()[-1]
    lines = record.partition("referee judge")[0].replace("(the hash)", digest).strip()
    match = tmp_path / "match.txt"
    match.write_text(lines + "\nCleo lay S2\nAnn lay D2\nBen lay S3\n", encoding="utf-8")
    judged = CliRunner().invoke(main, ["judge", str(match), "--lang", "ja"])
    assert judged.exit_code == 0, judged.output
    assert "△ Ben lay H4" in judged.output
    assert "× 記録3（記録6で証明）  follow.2" in judged.output
    file.write_text(text.lstrip().replace('"3-4"', '"3-5"'), encoding="utf-8")
    many = CliRunner().invoke(main, ["game", "check", str(file), "--lang", "en"])
    assert "With 5 seats deal 1 needs 65 cards; the deck has 52." in many.output


def test_the_steps_of_the_app_lead_to_one_game() -> None:
    """Each step replaces the lines of the same names; what has a heading stands below."""
    first, *steps = recipes()[0].recipes
    assert "\n".join(first.code) in "\n".join(block.strip() for block in BLOCKS)
    lines, below = list(first.code), list[str]()
    for step in steps:
        if step.code[0].startswith("["):
            below += step.code
        else:
            names = {line.partition(" = ")[0] for line in step.code}
            lines = [line for line in lines if line.partition(" = ")[0] not in names]
            lines += step.code
        found, notes = check("\n".join([*lines, *below]).encode())
        assert found is not None, step.text.en
        assert [note.wrong.fact for note in notes if not note.only_note] == [], step.text.en


def test_every_step_of_the_tutorial_works_on_the_first_file() -> None:
    """Each line that a step adds or writes anew, in the order of the page."""
    lines = next(block for block in BLOCKS if "kit = 1" in block).strip().split("\n")
    steps = PAGE.partition("step by step")[2].partition("6. *An example.*")[0]
    wholes = re.findall(r"`([a-z_]+(?:\.[a-zA-Z_]+)* = [^`]+)`", steps)
    assert len(wholes) == 8
    for whole in wholes:
        key = whole.partition(" = ")[0]
        lines = [line for line in lines if not line.startswith(f"{key} = ")]
        lines.append(whole)
        if key == "play.always":
            lines = [line.replace("best = [", 'best = ["card W", ') for line in lines]
        found, notes = check("\n".join(lines).encode(), quick=True)
        assert found is not None, whole
        assert [note.wrong.fact for note in notes if not note.only_note] == [], whole
