"""The table page of Fancy."""

from __future__ import annotations

from phones import Phone, soup, text


def test_fancy_keeps_abstainers_open_and_counts_points(phone: Phone) -> None:
    phone.opens("fancy", ["A", "B", "C"]).lays("A lay 9", "B lay 10")
    phone.lays("C lay 9")
    phone.undoes()
    phone.lays("C lay 10")
    page = phone.page()
    assert [card["class"] for card in page.select(".board .card")] == [
        ["card", "r9"],
        ["card", "r10"],
        ["card", "r10", "rest"],
    ]
    assert "棄権" in text(page, ".strip p")
    assert [points.get_text() for points in page.select(".pts b")] == ["9", "1", "0"]
    gains = [cap.get_text() for cap in page.select(".cap.gain")]
    assert gains == ["+9 点 最小", "+1 点 10−9", "0 点 棄権"]


def test_no_card_of_fancy_wins_its_trick(phone: Phone) -> None:
    """Each card has points: no card stands out, and the strip says who leads next."""
    phone.opens("fancy", ["A", "B", "C"]).lays("A lay 9", "B lay 7")
    assert not phone.page().select(".win, .gold")
    phone.lays("C lay 10")
    page = phone.page()
    assert not page.select(".win, .gold")
    assert text(page, ".strip p") == "C 10 次のリードはB"
    log = soup(phone.get(f"/t/{phone.match}/log"))
    assert "ラウンド 1・トリック 1" in [head.get_text().strip() for head in log.select("h2.sec")]
    entry = soup(phone.get(f"/t/{phone.match}/e/4"))
    assert entry.select(".asit .card")
    assert not entry.select(".asit .win, .asit .got")


def test_a_refusal_does_not_begin_a_list_of_plays_that_goes_on(phone: Phone) -> None:
    """Of the two plays that show where the 2s are, the strip would name the first alone."""
    phone.opens("fancy", names=["A", "B", "C"])
    phone.lays("A lay 2", "B lay 3", "C lay 4", "A lay 5", "B lay 2")
    refused = text(soup(phone.lays("C lay 2")), ".refused p")
    assert "もう全部出ています。" in refused
    assert "を出しました" not in refused


def test_a_refused_correction_is_not_headed_by_a_line_of_the_record(phone: Phone) -> None:
    phone.opens("fancy", names=["A", "B", "C"])
    phone.lays("A lay 2", "table strike 2")
    for line, head in [("table strike 2", "訂正"), ("A contest 2", "異議")]:
        assert text(soup(phone.lays(line)), ".refused b") == head
