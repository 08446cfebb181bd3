"""An address of a table, opened cold: the door first, and then the page that was meant."""

from __future__ import annotations

import pytest
from flask import Flask
from phones import Phone, one, soup

PAGE = {"Accept": "text/html,*/*;q=0.8"}


@pytest.fixture
def cold(app: Flask, phone: Phone) -> Phone:
    """A phone that has opened an entry's address, and has no business there."""
    phone.opens()
    other = Phone(app.test_client(), phone.match)
    answer = other.client.get(f"/t/{phone.match}/e/1?from=a+message", headers=PAGE)
    assert answer.status_code == 403
    return other


def link(phone: Phone, page: str) -> str:
    return str(one(soup(phone.get(page)), ".link input")["value"]).removeprefix("http://localhost")


def sits(phone: Phone) -> str:
    return str(phone.post(f"/t/{phone.match}/sit", {"place": "2"}).location)


def test_the_seat_leads_on_to_the_entry_and_only_once(phone: Phone, cold: Phone) -> None:
    cold.get(link(phone, f"/t/{phone.match}/join"))
    assert sits(cold) == f"/t/{phone.match}/e/1?from=a+message"
    assert cold.get(f"/t/{phone.match}/e/1?from=a+message").status_code == 200
    assert sits(cold) == f"/t/{phone.match}"


def test_a_link_of_the_circle_leads_on_too(phone: Phone, cold: Phone) -> None:
    assert cold.get(link(phone, "/circle")).location == f"/t/{phone.match}/e/1?from=a+message"


def test_a_page_of_another_table_is_not_gone_to(app: Flask, phone: Phone, cold: Phone) -> None:
    other = Phone(app.test_client()).opens()
    cold.get(link(other, f"/t/{other.match}/join"))
    assert cold.post(f"/t/{other.match}/sit", {"place": "2"}).location == f"/t/{other.match}"


def test_what_a_page_fetches_is_nowhere_to_go(app: Flask, phone: Phone) -> None:
    phone.opens()
    other = Phone(app.test_client(), phone.match)
    other.get(f"/t/{phone.match}/live")
    other.get(link(phone, f"/t/{phone.match}/join"))
    assert sits(other) == f"/t/{phone.match}"


@pytest.mark.parametrize("page", ["//evil.example/", "/\\evil.example", "/t\r\nX: 1", "https://e/"])
def test_a_forged_note_leads_nowhere(app: Flask, phone: Phone, page: str) -> None:
    phone.opens()
    other = Phone(app.test_client(), phone.match)
    other.client.set_cookie("onward", page)
    assert other.get(link(phone, "/circle")).location == "/circle"
