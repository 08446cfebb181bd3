from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from streaming import OPEN

from referee.app import create_app
from referee.ledger import Ledger


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path)
    yield app
    app.extensions["ledger"].store.close()


@pytest.fixture
def ledger(app: Flask) -> Ledger:
    ledger: Ledger = app.extensions["ledger"]
    return ledger


@pytest.fixture(autouse=True)
def _hang_up() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().leaves()
