"""Records of 熟語ライン out of the store and into another one, with their decks."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.history.records import add, export, export_all, load
from referee.jukugo.decks import KanjiDeck, write_deck
from referee.jukugo.library import open_deck
from referee.ledger import Ledger
from referee.store import Store


@pytest.fixture
def store(tmp_path: Path):
    opened = Store(tmp_path / "referee.db")
    yield opened
    opened.close()


def deck_of_ours() -> str:
    first, *others = open_deck().cards
    return write_deck(KanjiDeck((first._replace(value=5), *others)))


JUKUGO = "referee: 1\ngame: jukugo_line\nseats: A B\n{}\ntable deal leader=A\nA place 4 日\n"


def test_a_deck_beside_records_comes_along_in_folders_and_archives(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    csv = deck_of_ours()
    add(store, load(JUKUGO.format("deck: ours.csv\n").encode(), "en", {"ours.csv": csv}.get))
    [path] = export_all(store, tmp_path / "out")
    [deck] = tmp_path.glob("out/deck-*.csv")
    assert deck.read_text(encoding="utf-8") == csv
    archive = tmp_path / "records.zip"
    with ZipFile(archive, "w") as made:
        for file in (path, deck):
            made.write(file, f"2026/{file.name}")
    for name, source in (("folder", path), ("archive", archive)):
        monkeypatch.setenv("REFEREE_DATA", str(tmp_path / name))
        result = CliRunner().invoke(main, ["import", str(source)])
        assert result.exit_code == 0, result.output
        other = Store(tmp_path / name / "referee.db")
        [listed] = other.matches()
        assert export(other, listed.id) == path.read_text(encoding="utf-8")
        kit = Ledger(other).view(listed.id).header.kit
        assert kit.deck.cards[0].value == 5  # type: ignore[attr-defined]
        other.close()


def test_a_record_with_words_of_its_own_is_refused_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    file = tmp_path / "evening.txt"
    file.write_text(JUKUGO.format("words: ours.txt\n"), encoding="utf-8")
    (tmp_path / "ours.txt").write_text("日本\nお茶\n々人\n", encoding="utf-8")
    assert CliRunner().invoke(main, ["judge", str(file)]).exit_code == 0
    result = CliRunner().invoke(main, ["import", str(file), "--lang", "en"])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{file}:4: A record with its own word list")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", 1),
        ("日,S,1,1\n本,S,2,1\n".encode() + "音,S,3,1\n".encode("cp932"), 3),
        ("日,S,1,1\n日,S,2,1\n".encode(), 2),
    ],
)
def test_a_fault_in_a_deck_is_reported_at_its_own_line(
    tmp_path: Path, content: bytes, line: int
) -> None:
    file = tmp_path / "evening.txt"
    file.write_text(JUKUGO.format("deck: ours.csv\n"), encoding="utf-8")
    (tmp_path / "ours.csv").write_bytes(content)
    result = CliRunner().invoke(main, ["judge", str(file)])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"{tmp_path / 'ours.csv'}:{line}: ")


def test_a_deck_named_like_the_one_that_is_installed_is_looked_for_beside_the_record(
    store: Store,
) -> None:
    csv = deck_of_ours()
    named = load(JUKUGO.format("deck: open\n").encode(), "en", {"open": csv}.get)
    assert named.header.kit.deck.cards[0].value == 5  # type: ignore[attr-defined]
    assert "deck: deck-" in export(store, add(store, named))
    plain = load(JUKUGO.format("").encode(), "en", {"open": csv, "standard": "日本"}.get)
    assert plain.header.kit.deck == open_deck()  # type: ignore[attr-defined]
    assert plain.header.kit.words.listed is not None  # type: ignore[attr-defined]
