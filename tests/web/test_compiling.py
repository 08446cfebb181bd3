"""What the tests save: an app after the first one compiles no template, no route and no bundle."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import jinja2
import pytest
from werkzeug.routing import Rule

from referee.app import create_app
from referee.games.simulation import WIDEST
from referee.http import assets


def test_the_second_app_of_a_process_compiles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: Counter[str] = Counter()

    def counted(place: Any, name: str) -> None:
        real = getattr(place, name)

        def counting(*given: Any, **named: Any) -> Any:
            worked_out[name] += 1
            return real(*given, **named)

        monkeypatch.setattr(place, name, counting)

    def draw() -> None:
        app = create_app(tmp_path)
        assert app.test_client().get(f"/rules/{WIDEST}").status_code == 200
        app.extensions["ledger"].store.close()

    draw()
    counted(jinja2.Environment, "compile")
    counted(Rule, "_compile_builder")
    counted(assets, "_bare")
    draw()
    assert worked_out == {}
