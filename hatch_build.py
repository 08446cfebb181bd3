"""Compiles the catalogues and minifies the static files for the wheel: scripts and style sheets."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Minified(BuildHookInterface):  # type: ignore[type-arg]
    """A wheel gets ``referee/static``; an editable installation reads the files of the checkout."""

    folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.compile_catalogues()
        if version == "editable":
            return
        from rcssmin import cssmin
        from rjsmin import jsmin

        self.folder = Path(mkdtemp())
        static = self.folder / "static"
        shutil.copytree(Path(self.root, "static"), static)
        for suffix, short in ((".css", cssmin), (".js", jsmin)):
            for file in static.rglob(f"*{suffix}"):
                if file.parent.name != "vendor":
                    file.write_text(short(file.read_text("utf-8")), "utf-8")
        build_data["force_include"][str(static)] = "referee/static"

    def compile_catalogues(self) -> None:
        """Write the compiled file beside each catalogue; `make` does the same after a change.

        A program that starts meanwhile reads the file of before, never a part of one.
        """
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        for path in Path(self.root, "referee", "translations").rglob("*.po"):
            begun = path.with_suffix(".begun")
            with path.open("rb") as catalogue, begun.open("wb") as compiled:
                write_mo(compiled, read_po(catalogue, locale=path.parts[-3]))
            begun.replace(path.with_suffix(".mo"))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.folder is not None:
            shutil.rmtree(self.folder)
