"""What the marks mean, on the table page: until the phone has seen it."""

from __future__ import annotations

import pytest
from flask import Flask
from phones import Phone

from referee.web.table.tables import MARKS_SEEN

EXPLAINED = {
    "ja": "○ 合法　× 反則　△ 手札しだい",
    "en": "✓ legal  ✕ illegal  ? depends on the hand",
}


@pytest.mark.parametrize("lang", EXPLAINED)
def test_the_marks_are_explained_in_the_first_game_of_a_phone(app: Flask, lang: str) -> None:
    phone = Phone(app.test_client())
    phone.client.set_cookie("lang", lang)
    phone.opens()
    for entry in ("A lay 2", "B lay 3", "C lay 4", "D lay 5"):
        phone.lays(entry)
        [note] = phone.page().select(".strip .note")
        assert note.get_text() == EXPLAINED[lang]
    assert int(phone.seen()) == MARKS_SEEN - 1
    phone.lays("E lay 6", "B lay 3")
    assert EXPLAINED[lang] not in str(phone.page())
    assert EXPLAINED[lang] not in phone.opens().lays("A lay 2").get_data(as_text=True)
    assert EXPLAINED[lang] not in str(phone.page())
