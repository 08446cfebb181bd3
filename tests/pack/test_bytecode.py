"""Byte code is kept for the next time, as long as what it was made from is the same."""

from __future__ import annotations

from pathlib import Path

from referee.pack.bytecode import Kept
from referee.pack.compiling import compile_in


def put(folder: Path, **modules: str) -> Path:
    (folder / "one").mkdir(parents=True)
    for name, source in modules.items():
        (folder / "one" / f"{name}.py").write_text(source, "utf-8")
    return folder


def packs(kept: Kept, folder: Path) -> list[str]:
    """What had to be compiled."""
    due = kept.put_in([folder])
    compile_in(folder)
    kept.keep(due)
    assert not [*folder.rglob("*.py")]
    return sorted(path.stem for path in due)


def test_only_what_has_changed_is_compiled_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept", "3.14.2")
    first = put(tmp_path / "1", a="x = 1\n", b="x = 2\n")
    assert packs(kept, first) == ["a", "b"]
    second = put(tmp_path / "2", a="x = 1\n", b="x = 3\n")
    assert packs(kept, second) == ["b"]
    made = [(folder / "one" / "a.pyc").read_bytes() for folder in (first, second)]
    assert made[0] == made[1]
    assert len([*(tmp_path / "kept").iterdir()]) == 2  # what nobody asked for is forgotten
    assert packs(kept, put(tmp_path / "3", a="x = 1\n", b="x = 3\n")) == []


def test_another_python_and_another_place_have_other_byte_code(tmp_path: Path) -> None:
    packs(Kept(tmp_path / "kept", "3.14.2"), put(tmp_path / "1", a="x = 1\n"))
    moved = put(tmp_path / "2", b="x = 1\n")
    assert packs(Kept(tmp_path / "kept", "3.14.2"), moved) == ["b"]
    assert packs(Kept(tmp_path / "kept", "3.15.0"), put(tmp_path / "3", b="x = 1\n")) == ["b"]
