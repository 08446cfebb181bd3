"""Writes docs/help.md and docs/help.ja.md from the texts of the page /help."""

from __future__ import annotations

from pathlib import Path

from referee.web.site.player_help import markdown

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {"ja": DOCS / "help.ja.md", "en": DOCS / "help.md"}


def main() -> None:
    for lang, page in PAGES.items():
        page.write_text(markdown(lang), encoding="utf-8")


if __name__ == "__main__":
    main()
