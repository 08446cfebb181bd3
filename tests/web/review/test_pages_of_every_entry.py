"""No page about an entry fails, however people have erred; ``make soak PAGES=100`` reads more."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games import GAMES
from referee.kit import shipped
from tools import laws, pages

FILES = {game.KEY: game for game in shipped.games().values()}
ENTRIES = 9


@pytest.mark.parametrize("name", [*GAMES, *list(FILES)[:2]])
def test_every_page_about_every_entry_opens(name: str, tmp_path: Path) -> None:
    game = {**GAMES, **FILES}[name]
    reader = pages.Reader(tmp_path)
    try:
        match = reader.take_in(pages.erring(game, laws.drawn(game, 3), 3, ENTRIES))
        assert list(reader.faults(match)) == []
        assert reader.opened > 10 * ENTRIES
    finally:
        reader.store.close()


def test_a_page_that_fails_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("on purpose")

    game = next(iter(GAMES.values()))
    reader = pages.Reader(tmp_path)
    try:
        match = reader.take_in(pages.erring(game, laws.drawn(game, 3), 3, 4))
        monkeypatch.setattr("referee.web.review.entries._given", broken)
        found = [fault for fault in reader.faults(match) if "KeyError: 'on purpose'" in fault]
    finally:
        reader.store.close()
    assert {fault.partition(" in ")[0] for fault in found} == {
        f"/t/{match}/e/{number}" for number in range(1, 5)
    }
