"""What commands print: success, and what to do after an error, in the language of the locale."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from click.testing import CliRunner, Result

from referee.cli import main
from referee.kit import shipped
from referee.upkeep.language import columns
from tools import texts

PLAYTHROUGHS = Path(__file__).parents[1] / "games"
WHIST = shipped.FOLDER / "whist.toml"
RECORD = min(PLAYTHROUGHS.glob("*/playthroughs/two_players.txt"))
[ILLEGAL] = PLAYTHROUGHS.glob("*/playthroughs/a_revoke_refused_by_counting.txt")


@pytest.fixture(autouse=True)
def in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LC_ALL": "en_GB.UTF-8", "REFEREE_DATA": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    for name in ("LANGUAGE", "REFEREE_DATABASE"):
        monkeypatch.delenv(name, raising=False)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.mark.file("backs up the file")
def test_success_is_said() -> None:
    assert "1 of 1 matches are new." in run("import", str(RECORD)).stderr
    assert "0 of 1 matches are new." in run("import", str(RECORD)).stderr
    assert run("rebuild").stdout.strip() == "1 match recounted."
    assert "The backup is complete." in run("backup").stderr


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        ("export nothing", 1, "Error: nothing: no such match; `referee export` lists all"),
        ("circles nothing", 1, "Error: nothing: no such group; `referee circles` lists all"),
        ("judge nothing", 2, "Error: nothing: there is no such file"),
        ("judge .", 2, "Error: .: this is a folder; name a file"),
        ("circles -", 1, "no imported matches wait to be claimed"),
        ("export a --history b.json", 2, "leave out MATCH and --to"),
        ("export --history no/h.json", 1, "Check that the folder exists"),
        ("simulate nothing", 2, "nothing: no such game and no such file"),
        (f"proof {RECORD}", 2, "not a proof; save one from the page of a claim"),
        (f"review {RECORD} --deal 9", 1, "there is no deal 9 that is over"),
        (f"import {ILLEGAL}", 1, "--keep-illegal imports illegal entries, too"),
        ("copy --from foo --to sqlite:a.db", 1, "take sqlite:PATH or postgresql://USER@HOST/NAME"),
        ("copy --from mysql://x --to sqlite:a.db", 1, "The database cannot be opened: mysql://…"),
    ],
)
def test_an_error_says_what_is_wrong_and_what_to_do(words: str, status: int, says: str) -> None:
    done = run(*words.split())
    assert done.exit_code == status
    assert says in done.stderr
    assert "disk" not in done.stderr  # the advice for another fault


@pytest.mark.parametrize("address", ["mysql://root:secret@here/x", "secret"])
def test_a_wrong_address_is_named_without_its_password(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATABASE", address)
    for words in ("doctor", "circles"):
        done = run(words)
        assert done.exit_code == 1
        assert "sqlite:PATH or postgresql://" in done.output
        assert "secret" not in done.output.replace("secret.key", "")


@pytest.mark.parametrize(
    "words",
    [
        f"judge {RECORD}",
        f"judge {RECORD} --json",
        f"import {RECORD}",
        f"review {RECORD}",
        "simulate whist",
    ],
)
@pytest.mark.parametrize(("lang", "says"), [("ja", "判定ではありません"), ("en", "no verdict")])
def test_an_error_of_the_program_never_reads_as_a_verdict(
    words: str, lang: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("bid.2")

    for where in ("referee.core.log.sheets.judge", "referee.insight.simulated.simulate"):
        monkeypatch.setattr(where, broken)
    done = run(*words.split(), "--lang", lang)
    assert done.exit_code == 3, done.output
    assert done.stdout == ""
    assert says in done.stderr
    assert f"KeyError: 'bid.2', {Path(__file__).name}:" in done.stderr
    assert "Traceback" not in done.stderr


def test_errors_about_the_data_are_in_the_language_of_the_locale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REFEREE_DATABASE", "mysql://x")
    assert not re.search("[ぁ-ん]", run("circles").stderr)
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert "データベースを開けません" in run("circles").stderr
    assert "cannot be opened" not in run("circles").stderr


@pytest.mark.file("backs up the file")
def test_success_and_errors_are_said_in_japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    for words, says in (
        ("circles", "サークルはまだありません。"),
        ("circles -", "引き取りを待つゲームはありません"),
        (f"import {RECORD}", "1ゲームのうち、新しいのは1ゲームです。"),
        ("rebuild", "1ゲームを数え直しました。"),
        ("backup", "バックアップができました。"),
        ("export nothing", "nothing：このゲームはありません。`referee export` が一覧を出します"),
        ("circles nothing", "nothing：このサークルはありません。"),
        ("judge nothing", "nothing：このファイルはありません"),
        ("simulate nothing", "nothing：このゲームもファイルもありません。"),
        ("simulate whist --seats 9", "whistの人数は4人です（9人では遊べません）"),
        ("simulate hearts --seats 9", "heartsの人数は3人から5人までです"),
        ("simulate whist --option no=1", "「no」というハウスルールはありません。書けるのは"),
        ("simulate whist --option target=8", "「target」に「8」は選べません。選べるのは5・7・9。"),
        (f"game play {WHIST} --option target=8", "選べるのは5・7・9。"),
        (f"game play {WHIST} --seats 9", "このゲームは4人用です"),
        (f"proof {RECORD}", "証明のファイルではありません。"),
        (f"review {RECORD} --deal 9", "終わった配札の中に、配札9はありません"),
        (f"import {ILLEGAL}", "--keep-illegal を付けると、反則の記録も取り込みます"),
        ("serve --public --https", "--public と --https は一緒に使えません。"),
    ):
        assert says in run(*words.split()).output


def test_the_language_that_is_asked_for_comes_before_that_of_the_locale() -> None:
    refused = run("import", str(ILLEGAL), "--lang", "ja")
    assert "何も取り込んでいません" in refused.stderr
    assert "nothing was imported" not in refused.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("nothing", "エラー：'nothing' というコマンドはありません。"),
        ("judge", "エラー：必要な引数がありません：ファイル\n"),
        ("serve --port x", "エラー：'--port'の値が正しくありません："),
        ("judge a --lang fr", "'fr'は選べません。'ja', 'en'から選んでください。"),
    ],
)
def test_a_wrong_use_is_said_in_japanese(
    words: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    done = run(*words.split())
    assert done.exit_code == 2
    assert says in done.stderr
    assert "使い方は「" in done.stderr
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert not re.search("[ぁ-ん]", run(*words.split()).stderr)


def test_help_is_in_the_language_of_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Judge a saved record again" in run("judge", "--help").stdout
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    for command in (main, *main.commands.values()):
        path = [] if command is main else [str(command.name)]
        shown = run(*path, "--help").stdout
        assert "使い方：" in shown
        assert set(re.findall(r"\b[A-Z]{4,}\b", shown)) <= {"HTTPS", "JSON"}
        assert "この説明を表示して終わります。" in shown
        assert not re.search(r"[a-z]{2}\. ", shown)
        assert [line for line in shown.splitlines() if columns(line) > 88] == []
    assert "Judge a saved record again" in (main.commands["judge"].help or "")


def test_every_sentence_of_the_command_line_has_its_japanese() -> None:
    """Also those of click that a usage error can print; a text that nothing says goes."""
    with (texts.ROOT / texts.COMMANDS).open("rb") as file:
        catalogue = [each for each in read_po(file, "ja") if each.id]
    known = {texts.key(each)[1] for each in catalogue}
    ours = {english for command in _all(main) for english in _helps(command) if english}
    folder = Path(click.__file__).parent
    of_click = {
        row[2] if isinstance(row[2], str) else row[2][0]
        for row in extract_from_dir(folder, [("**.py", "python")])
    }
    assert ours - known == set()
    assert known - ours - of_click == set()
    for each in catalogue:
        [japanese] = texts.spoken(each)
        assert japanese
        places = re.findall(r"\{\w+", japanese)
        assert [place for place in places if place not in str(each.id)] == []


def _all(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from _all(each)


def _helps(command: click.Command) -> Iterator[str]:
    yield inspect.cleandoc(command.help or "")
    for param in command.params:
        if isinstance(param, click.Option):
            yield param.help or ""
