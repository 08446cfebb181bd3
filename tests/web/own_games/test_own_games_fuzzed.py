"""Every page with a game of a file, asked with random addresses: none fails."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from phones import Phone

from referee.core.log import Log
from referee.kit import shipped
from referee.kit.families.trick_taking.player import entries
from referee.kit.load import load

OTHERS = Path(__file__).parents[2] / "games" / "kit" / "files"
FILES = sorted(
    file
    for file in (*shipped.FOLDER.glob("*.toml"), *OTHERS.glob("*.toml"))
    if "trick_taking" in file.read_text(encoding="utf-8")
)
NAMES = ("あかね", "Ben", "C", "D")
WORDS = ("", "0", "1", "7", "-1", "999999999999", "あかね", "Ben", "x", "S10", "H2", "W", "nil")
WORDS = (
    *WORDS,
    "table deal",
    "Ben lay S10",
    "あかね bid 3",
    "<b>",
    "%",
    "ラウンド",
    ";",
    "1;2;3",
    "\0",
)
FIELDS = ("leader", "seat", "line", "at", "sheet", "no", "edit", "deal", "q", "from", "was", "n")
FIELDS = (*FIELDS, "card", "pick", "to", "page", "game", "option.target", "name", "like", "turn")
PAGES = (
    "",
    "/log",
    "/e/2",
    "/e/3",
    "/e/999",
    "/correct/2",
    "/correct/3",
    "/what-if/3",
    "/score",
    "/rules",
    "/record.txt",
    "/menu",
    "/stop",
    "/show/Ben",
    "/suspects",
    "/result",
    "/review",
    "/deals/1",
    "/deal/1",
    "/sheet",
    "/invite",
    "/contest/2",
)


def played(phone: Phone, file: Path, most: int) -> str:
    """Open a table of the file and play on it by chance; the name of the game."""
    game = load(file.read_bytes())
    ledger = phone.client.application.extensions["ledger"]
    ledger.store.game_files.register((game.hash, game.KEY, game.text), "")
    phone.opens(game.NAME, NAMES if 4 in game.SEATS else NAMES[:3], NAMES[0])
    phone.match = phone.match.partition("?")[0]
    view = ledger.view(phone.match)
    log = Log(game, view.log.table)
    for entry in entries(log, Random(1), 0.2, 0.01):
        seen = ledger.view(phone.match).seq
        ledger.declare(phone.match, view.grammar.print(entry), seen, f"key {seen}")
        log.push(entry)
        if len(log) >= most:
            break
    return game.NAME


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_page_with_a_game_of_a_file_fails(phone: Phone, file: Path) -> None:
    app = phone.client.application
    name, rng = played(phone, file, 130), Random(file.stem)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    top = [f"/t/{phone.match}{page}" for page in PAGES]
    top += [f"/own-games/{name}", f"/own-games/{name}/try", f"/rules/{name}", f"/check/{name}"]
    top += ["/own-games", "/own-games/format", "/new", "/", "/history", "/people", "/settings"]
    top += ["/people/1", "/circle", "/history/files", "/history/people", "/history/person/1"]
    found: set[int] = set()
    for number in range(2 * len(top)):
        path = top[number % len(top)]
        wish = {rng.choice(FIELDS): rng.choice(WORDS) for _ in range(rng.randrange(4))}
        if number < len(top):
            wish = {}
        headers = {"Accept-Language": rng.choice(("ja", "en"))}
        if rng.random() < 0.3:
            headers["HX-Request"] = "true"
        answer = phone.client.get(path, query_string=wish, headers=headers)
        assert answer.status_code < 500, (path, wish)
        found.add(answer.status_code)
    assert 200 in found


@pytest.mark.parametrize("file", FILES[:3], ids=lambda file: file.stem)
def test_no_entry_at_a_game_of_a_file_fails(phone: Phone, file: Path) -> None:
    played(phone, file, 30)
    phone.client.application.config["PROPAGATE_EXCEPTIONS"] = False
    rng = Random(2)
    for _ in range(60):
        line = " ".join(
            rng.choice((*WORDS, "lay", "bid", "trump", "show", "table", "stop", "C"))
            for _ in range(4)
        )
        answer = phone.lays(line)
        assert answer.status_code < 500, line
