"""The meanings of words, which the dictionary has in English alone."""

from __future__ import annotations

import pytest
from phones import Phone, one, soup

SAID = "意味は、辞書のデータにある英語です。"


@pytest.mark.parametrize(("language", "is_said"), [("ja", True), ("en", False)])
def test_the_japanese_app_says_that_a_meaning_is_in_english(
    phone: Phone, language: str, is_said: bool
) -> None:
    """An English sentence stood below a Japanese word, without a word about it."""
    phone.headers = {"Accept-Language": language}
    page = soup(phone.get("/words?q=世界"))
    assert one(page, "p.says[lang=en]").get_text()
    assert (SAID in page.get_text()) == is_said
