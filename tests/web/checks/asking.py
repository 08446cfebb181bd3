"""Requests of quick checks by address, and the answers on their pages."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag
from flask import Flask
from phones import one, soup
from reading_room import words


def ask(
    app: Flask, game: str, status: int = 200, lang: str = "ja", **fields: str | list[str]
) -> BeautifulSoup:
    """The page of the quick check of ``game`` that is asked by the keys ``fields``."""
    headers = {"Accept-Language": lang}
    answer = app.test_client().get(f"/check/{game}", query_string=fields, headers=headers)
    assert answer.status_code == status, answer.text
    return soup(answer)


def heads(page: BeautifulSoup) -> list[str]:
    return [words(head) for head in page.select(".answer h2")]


def totals(page: BeautifulSoup | Tag) -> dict[str, str]:
    return {words(one(s, "b")): words(one(s, ".pt")) for s in page.select(".who-s")}


def offered(page: BeautifulSoup) -> list[str]:
    """The keys of the pad, by the words that they add."""
    return [str(key["data-tap"])[1:] for key in page.select(".keys .key")]
