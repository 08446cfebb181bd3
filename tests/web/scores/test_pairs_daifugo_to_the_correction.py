"""The ways to the correction of a score sheet, and back to a table of scores alone."""

from __future__ import annotations

from phones import Phone, one, soup

SEATS = ["A", "B"]


def opened(phone: Phone) -> str:
    answer = phone.post(
        "/new", {"game": "pairs_daifugo", "name": SEATS, "leader": "A", "scores": "1"}
    )
    phone.match = answer.location.partition("/t/")[2].partition("/")[0]
    return phone.match


def test_a_table_of_scores_that_was_left_before_its_first_sheet_comes_back_as_one(
    phone: Phone,
) -> None:
    """It came back as a table of cards."""
    match = opened(phone)
    assert phone.get(f"/t/{match}").location == f"/t/{match}/sheet"
    assert phone.get(f"/t/{match}?plays=1").status_code == 200
    other = phone.opens("pairs_daifugo", SEATS, "A").match
    assert phone.get(f"/t/{other}").status_code == 200


def test_each_number_of_a_sheet_leads_to_its_correction(phone: Phone) -> None:
    """Only the number of the row did, and the page of the entry offered another leader alone."""
    match = opened(phone)
    ledger = phone.client.application.extensions["ledger"]
    sheet = "table sheet leader=A winner=B"
    seq = ledger.declare(match, sheet, 0, "key-000001").seq
    assert seq
    page = soup(phone.get(f"/t/{match}/sheet"))
    numbers = page.select(".paper tbody tr:not(.total) td a")
    assert {str(number["href"]) for number in numbers} == {f"/t/{match}/sheet?instead={seq}"}
    assert len(numbers) == len(SEATS)
    answer = phone.get(f"/t/{match}/correct/{seq}?do=amend")
    assert answer.location == f"/t/{match}/sheet?instead={seq}"
    rows = soup(phone.get(answer.location)).select(".entry li")
    assert len(rows) >= len(SEATS)
    assert one(soup(phone.get(f"/t/{match}/e/{seq}")), f"a[href*='/correct/{seq}?do=amend']")
