"""What the documents name exists: tests, files, commands of make."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.games import GAMES
from tools import new_game

TOP = Path(__file__).parent.parent
FOLDERS = "bench|deploy|docs|referee|static|templates|tests|tools|torture"
PAGES = [
    *sorted(TOP.glob("README*.md")),
    *sorted((TOP / "docs").glob("*.md")),
    *sorted((TOP / "bench").glob("*.md")),
]
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in (TOP / "tests").rglob("test_*.py"))
# What `make new-game` writes for the game of docs/new-game.md: its files and their folders.
# The page also names the folders of a screen, which the author writes.
EXAMPLE = {
    "referee/screens/high_card/__init__.py",
    "templates/games/high_card/table.html",
} | {
    text
    for file in new_game.files("high_card")
    for text in (str(file), *(f"{folder}/" for folder in file.parents))
}


RENAME = "say on this page what it is called now"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"`(test_\w+)`", text):
        assert f"def {name}(" in TESTS, f"no test is called {name}: {RENAME}"
    for name in re.findall(r"`(test_\w+\.py)`", text):
        assert list((TOP / "tests").rglob(name)), f"there is no {name}: {RENAME}"
    for path in re.findall(rf"`((?:{FOLDERS})/[\w./-]*)`", text):
        for name in GAMES if "NAME" in path else [""]:  # NAME stands for any game
            there = (TOP / path.replace("NAME", name)).exists() or path in EXAMPLE
            assert there, f"there is no {path.replace('NAME', name)}: {RENAME}"
    for link in re.findall(r"(?:\]\(|src=\"|srcset=\")(?!https?:|#)([^)#\"]+)", text):
        assert (page.parent / link).exists(), f"there is no {link}: {RENAME}"
    makefile = (TOP / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make ([\w-]+)", text):
        listed = re.search(rf"^{target}:", makefile, re.MULTILINE)
        assert listed, f"the Makefile has no {target}: {RENAME}"


def test_no_sentence_for_a_user_names_a_test() -> None:
    """A table may, in its last column; so may pages about the program itself."""
    about_the_program = {"architecture.md", "development.md", "new-game.md", "spelling.md"}
    found = [
        (page.name, line)
        for page in PAGES
        for line in page.read_text(encoding="utf-8").splitlines()
        if re.search(r"\btest_\w+", line) and not line.startswith("|")
        if page.name not in about_the_program
    ]
    assert found == [], "say what holds; the test is found by searching for it"


def test_the_line_by_line_page_names_each_line_once() -> None:
    table = (TOP / "docs" / "asvs.md").read_text(encoding="utf-8")
    lines = [n for cell in re.findall(r"^\| (\d[^|]*)\|", table, re.M) for n in cell.split(", ")]
    named = [line.strip() for line in lines]
    assert len(named) > 60
    assert len(set(named)) == len(named)


def test_both_languages_of_the_readme_lead_to_the_same_pages() -> None:
    """A page that is in Japanese, too, has its Japanese name in the Japanese one."""
    japanese, english = (
        {
            (link.replace(".ja.md", ".md").replace("README.md", ""), picture)
            for link, picture in re.findall(
                r"\]\(([^)#]+)\)|<img src=\"(static/[^\"]+)", page.read_text("utf-8")
            )
        }
        for page in sorted(TOP.glob("README*.md"))
    )
    assert english == japanese, "let README.md and README.ja.md have the same links and pictures"


def test_the_japanese_readme_leads_to_japanese_pages() -> None:
    for link in re.findall(r"\]\((docs/[^)#]+)\.md\)", (TOP / "README.ja.md").read_text("utf-8")):
        assert link.endswith(".ja") or not (TOP / f"{link}.ja.md").exists(), link
