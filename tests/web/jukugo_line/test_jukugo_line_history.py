"""Records of 熟語ライン in files of the history: the deck travels with them."""

from __future__ import annotations

import io
from pathlib import Path

from flask import Flask
from reading_room import contents

from referee.app import create_app
from referee.jukugo.decks import KanjiDeck, write_deck
from referee.jukugo.library import open_deck


def test_a_deck_travels_with_its_records(app: Flask, tmp_path: Path) -> None:
    first, *others = open_deck().cards
    csv = write_deck(KanjiDeck((first._replace(value=5), *others))).encode()
    record = "referee: 1\ngame: jukugo_line\nseats: A B\ndeck: ours.csv\n\ntable deal leader=A\n"
    phone = app.test_client()

    def files(*more: tuple[bytes, str]) -> dict[str, list[tuple[io.BytesIO, str]]]:
        contents = ((record.encode(), "one.txt"), *more)
        return {"file": [(io.BytesIO(content), name) for content, name in contents]}

    assert phone.post("/history/import", data=files()).status_code == 400
    assert "/t/" in phone.post("/history/import", data=files((csv, "ours.csv"))).location
    packed = phone.get("/history/records.zip").data
    [written, deck] = contents(packed)
    assert deck == csv
    (tmp_path / "away").mkdir()
    away = create_app(tmp_path / "away", TESTING=True)
    other = away.test_client()
    data = {"file": (io.BytesIO(packed), "all.zip")}
    assert "/t/" in other.post("/history/import", data=data).location
    assert contents(other.get("/history/records.zip").data) == [written, deck]
    away.extensions["ledger"].store.close()
