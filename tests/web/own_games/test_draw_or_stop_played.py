"""Games of open cards on their pages: played by the keys of the table, without scripts."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from phones import Phone

from referee.kit import shipped
from referee.kit.game import KitGame
from referee.kit.load import load

FILES = [
    shipped.FOLDER / "seven_apart.toml",
    *sorted((Path(__file__).parents[2] / "games" / "kit" / "draw_or_stop").glob("*.toml")),
]
NAMES = ("あかね", "Ben", "C", "D")
KEYS = "button[form=play][name=line], #play button[name=line]"


def opened(phone: Phone, file: Path) -> KitGame:
    game = load(file.read_bytes())
    store = phone.client.application.extensions["ledger"].store
    store.game_files.register((game.hash, game.KEY, game.text), "")
    phone.opens(game.NAME, NAMES, NAMES[0])
    phone.match = phone.match.partition("?")[0]
    return game


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_played_by_the_keys_of_its_page(phone: Phone, file: Path) -> None:
    game, rng = opened(phone, file), Random(3)
    for _turn in range(60):
        page = phone.page()
        keys = [key for key in page.select(KEYS) if "off" not in (key.get("class") or [])]
        if not keys:
            break
        assert phone.lays(str(rng.choice(keys)["value"])).status_code in (200, 303)
    log = phone.log()
    assert len(log) > 20, log
    for part in ("log", "e/2", "e/3", "correct/2", "score", "rules", "record.txt", "menu", "stop"):
        assert phone.get(f"/t/{phone.match}/{part}").status_code == 200, part
    assert phone.get(f"/rules/{game.NAME}").status_code == 200
