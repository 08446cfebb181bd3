"""A record of a game that is a file, and the commands for such files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from kit_files import named

from referee.cli import main
from referee.core.record import Grammar, Header, write
from referee.games.simulation import table
from referee.kit.beside import beside, file_name
from referee.kit.command import simulated
from referee.kit.game import KitGame
from referee.kit.load import load

FILE = named("whist")
LINES = """table deal leader=A turn=H5
A lay S10
B lay S2
C lay D3
D lay S4
A lay D4
B lay D5
C lay S3
"""


def game() -> KitGame:
    return load(FILE.read_bytes())


def written(folder: Path, digest: str, file: str = "") -> Path:
    """A record in ``folder``, and the game file beside it under the name ``file``."""
    record = folder / "match.txt"
    record.write_text(f"referee: 1\ngame: whist\nseats: A B C D\nkit: {digest}\n\n{LINES}")
    if file:
        (folder / file).write_bytes(FILE.read_bytes())
    return record


def test_the_last_card_of_a_trick_says_who_takes_it_and_who_leads_next(tmp_path: Path) -> None:
    record = written(tmp_path, game().hash, "whist.toml")
    said = {
        lang: CliRunner().invoke(main, ["judge", str(record), "--lang", lang]).output.splitlines()
        for lang in ("ja", "en")
    }
    assert said["ja"][4].endswith("Aが♠10で取ります（チームで1トリック）。次のリードはA。")
    english = "A wins the trick with ♠10 (1 for the team). A leads the next trick."
    assert said["en"][4].endswith(english)


@pytest.mark.parametrize("plain", [True, False])
def test_a_record_is_judged_by_the_file_beside_it(tmp_path: Path, plain: bool) -> None:
    own = game()
    record = written(tmp_path, own.hash, "whist.toml" if plain else file_name(own))
    answer = CliRunner().invoke(main, ["judge", str(record), "--json", "--lang", "en"])
    judged = json.loads(answer.output)
    verdicts = [row["verdict"] for row in judged["entries"]]
    assert verdicts == ["legal"] * 3 + ["unprovable"] + ["legal"] * 3 + ["unprovable"]
    # C had denied spades with the diamond and then laid one: that is proven.
    assert [(f["seat"], f["seq"], f["proof"]) for f in judged["findings"]] == [("C", 4, [8])]
    assert judged["public"]["trump"] == "H"
    assert answer.exit_code == 0


def test_without_its_file_a_record_is_not_judged(tmp_path: Path) -> None:
    record = written(tmp_path, "0" * 64)
    answer = CliRunner().invoke(main, ["judge", str(record), "--lang", "en"])
    assert answer.exit_code == 2
    assert f"match.txt:4: The game file {'0' * 12} is not here." in answer.output


def test_a_changed_file_is_another_game(tmp_path: Path) -> None:
    changed = FILE.read_text(encoding="utf-8").replace("minutes = 30", "minutes = 31")
    record = written(tmp_path, load(changed.encode()).hash, "whist.toml")
    assert CliRunner().invoke(main, ["judge", str(record)]).exit_code == 2
    (tmp_path / "whist.toml").write_text(changed, encoding="utf-8")
    assert CliRunner().invoke(main, ["judge", str(record)]).exit_code == 0


def test_a_record_of_a_shipped_game_needs_no_file_beside_it(tmp_path: Path) -> None:
    record = written(tmp_path, game().hash[:12])
    answer = CliRunner().invoke(main, ["judge", str(record), "--lang", "en"])
    assert answer.exit_code == 0
    assert "A led ♠10. C declared holding no ♠." in answer.output, answer.output


def test_blanks_and_line_ends_do_not_change_the_hash() -> None:
    source = FILE.read_bytes()
    assert load(b"\xef\xbb\xbf" + source.replace(b"\n", b"  \r\n") + b"\n\n").hash == game().hash


def test_every_entry_reads_as_it_was_written(tmp_path: Path) -> None:
    own = game()
    grammar = Grammar(own, ("A", "B", "C", "D"))
    lines = LINES.splitlines()
    assert [grammar.print(grammar.parse(line)) for line in lines] == lines
    header = Header("whist", ("A", "B", "C", "D"), named={"kit": own.hash})
    assert f"kit: {own.hash}" in write(header, lines)
    text = FILE.read_text(encoding="utf-8")
    found = beside("whist", own.hash[:12], lambda name: text)
    assert found.KEY == "whist"  # type: ignore[attr-defined]
    assert own.setup(table(own, ["A", "B", "C", "D"])).rules.cards.deck.full


def test_the_command_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(FILE.read_bytes().replace(b"hand = 13", b"hand = 14"))
    answer = CliRunner().invoke(main, ["game", "check", str(file), "--lang", "en"])
    assert answer.exit_code == 1
    assert "mine.toml:21:8: deal.hand: With 4 seats deal 1 needs 56 cards" in answer.output
    good = CliRunner().invoke(main, ["game", "check", str(FILE), "--lang", "ja"])
    assert good.exit_code == 0
    assert f"whist  kit: {game().hash}" in good.output


def test_random_matches_are_counted(tmp_path: Path) -> None:
    asked = ["game", "play", str(FILE), "--matches", "3", "--option", "target=7"]
    answer = CliRunner().invoke(main, asked)
    assert answer.exit_code == 0
    assert "3ゲーム" in answer.output or "3 games" in answer.output
    assert "score.odd" in answer.output
    assert CliRunner().invoke(main, [*asked, "--seats", "5"]).exit_code == 2


def test_a_match_that_cannot_go_on_cuts_no_other_match_short() -> None:
    bids = b'[bid]\nvalues = "0..1"\nforbid = "deal > 1 and last and bids > 1"\n\n[play]'
    own = load(FILE.read_bytes().replace(b"[play]", bids))
    alone = [simulated(own, 4, [number], 1, {"target": "7"}, "en")[0] for number in range(8)]
    stuck = sum(line.endswith(" 1 unfinished") for line in alone)
    assert 0 < stuck < 8
    together = simulated(own, 4, range(8), 1, {"target": "7"}, "en")[0]
    assert together.endswith(f" {stuck} unfinished")
