"""The table page of Fancy."""

from __future__ import annotations

from phones import Phone, text


def test_fancy_keeps_abstainers_open_and_counts_points(phone: Phone) -> None:
    phone.opens("fancy", ["A", "B", "C"]).lays("A lay 9", "B lay 10")
    phone.lays("C lay 9")
    phone.undoes()
    phone.lays("C lay 10")
    page = phone.page()
    assert [card["class"] for card in page.select(".board .card")] == [
        ["card", "r9", "win"],
        ["card", "r10"],
        ["card", "r10", "rest"],
    ]
    assert "棄権" in text(page, ".strip p")
    assert [points.get_text() for points in page.select(".pts b")] == ["9", "1", "0"]
    assert [cap.get_text() for cap in page.select(".cap")] == ["+9 点", "+1 点", "棄権"]
