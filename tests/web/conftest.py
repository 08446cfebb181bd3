"""The app on an empty database; a phone that uses it; a room that is only read about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from phones import AFAR, Phone
from reading_room import Room

from referee.app import create_app


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path, TESTING=True)
    yield app
    app.extensions["ledger"].store.close()


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app.test_client())


@pytest.fixture
def room(app: Flask) -> Room:
    return Room(app)


@pytest.fixture
def guest(app: Flask) -> Phone:
    """A phone from another network that belongs to no circle."""
    client = app.test_client()
    client.environ_base |= AFAR
    return Phone(client)
