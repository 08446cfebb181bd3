"""The sheet 「卓」: how to deal, what waits for an answer, stopping."""

from __future__ import annotations

from datetime import timedelta

import pytest
from phones import FIVE, Phone, one, soup, text

from referee.core.sheets import stopped
from referee.games import GAMES
from referee.ledger import View


def seen_now(phone: Phone) -> View:
    view: View = phone.client.application.extensions["ledger"].view(phone.match)
    return view


def test_the_strip_after_dealing_says_how(phone: Phone) -> None:
    phone.opens(names=FIVE[:3])
    assert "7–10を抜く（残り21枚）・6枚ずつ配る" in text(phone.page(), ".strip")


def test_removed_cards_are_drawn_as_removed(phone: Phone) -> None:
    sheet = soup(phone.opens(names=FIVE[:3]).get(f"/t/{phone.match}/menu"))
    drawn = [card.get_text(strip=True) for card in sheet.select(".deal-deck .out .card")]
    assert drawn == ["7", "8", "9", "10"]
    assert len(sheet.select(".deal-deck li:not(.out)")) == 6


def test_a_match_stops_with_a_reason_and_goes_on_after_undo(phone: Phone) -> None:
    phone.opens(names=FIVE[:3]).lays("A lay 3")
    page = soup(phone.get(f"/t/{phone.match}/stop"))
    assert [name.get_text() for name in page.select(".standing b")] == ["A", "B", "C"]
    form = {field["name"]: field["value"] for field in page.select("form [type=hidden]")}
    for _ in range(2):  # the second tap is the same one
        answer = phone.post(f"/t/{phone.match}/stop", {**form, "reason": "終電"})
        assert answer.location == f"/t/{phone.match}"
    assert phone.log()[-1] == 'table stop because "終電"'
    assert stopped(seen_now(phone).outcome)
    assert not soup(phone.get(f"/t/{phone.match}/menu")).select("a[href$='/stop']")
    phone.undoes()
    assert seen_now(phone).to_act == ("B",)


def test_a_stop_is_shown_on_home_when_it_is_not_the_last_entry(phone: Phone) -> None:
    phone.opens(names=FIVE[:3]).lays("A lay 3", "table stop", "B contest 2")
    assert stopped(seen_now(phone).outcome)
    assert "途中で終わり" in text(soup(phone.get("/")), "main")


def test_stopping_from_an_old_page_is_asked_again(phone: Phone) -> None:
    phone.opens(names=FIVE[:3])
    form = {"seen": phone.seen(), "key": "k" * 12}
    phone.lays("A lay 3")
    answer = phone.post(f"/t/{phone.match}/stop", form)
    assert answer.status_code == 409
    assert one(soup(answer), "[name=seen]")["value"] == "2"
    assert phone.log()[-1] == "A lay 3"


def test_the_bar_and_the_sheet_show_an_open_objection(phone: Phone) -> None:
    phone.opens(names=FIVE[:3]).lays("A lay 3", "B lay 4")
    assert not phone.page().select(".bar > a:last-child .found")
    phone.lays("C contest 2")
    assert "未決の異議が1件" in text(phone.page(), ".bar > a:last-child")
    sheet = soup(phone.get(f"/t/{phone.match}/menu"))
    assert one(sheet, ".waits a")["href"] == f"/t/{phone.match}/e/2#votes"
    phone.lays("A vote 4 no", "table decide 4 no")
    assert not phone.page().select(".bar > a:last-child .found")


def test_the_undo_of_the_strip_ends_with_its_time_and_with_the_match(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.opens(names=FIVE[:3]).lays("A lay 3")
    assert 0 < int(str(one(phone.page(), ".strip [data-count]")["data-count"])) <= 10
    monkeypatch.setattr("referee.web.table.tables.UNDO_SECONDS", 0)  # as if it had passed
    assert one(phone.page(), ".strip [data-count]")["data-count"] == "0"
    phone.lays("table stop")
    assert not phone.page().select(".strip [data-count]")
    assert text(phone.page(), ".strip .undo") == "戻す"
    strip = one(soup(phone.get(f"/t/{phone.match}/sheet")), ".strip")
    assert text(strip, ".undo") == "戻す"
    assert not strip.select("[data-count]")
    phone.lays("A contest 2", "table rewind 3")
    for path in ("", "/sheet"):
        strip = one(soup(phone.get(f"/t/{phone.match}{path}")), ".strip")
        assert text(strip, ".undo") == "やり直す"
        assert not strip.select("[data-count]")


def test_home_keeps_the_games_and_says_whose_turn_it_is_as_the_table_does(phone: Phone) -> None:
    phone.opens(names=FIVE[:3]).lays("A lay 3")
    home = soup(phone.get("/"))
    assert len(home.select(".games .game[href*='game=']")) == len(GAMES)
    assert text(phone.page(), ".who h1") in text(home, f"a[href='/t/{phone.match}']")


def test_a_table_that_nobody_touched_for_two_weeks_is_folded(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.opens(names=FIVE[:3])
    link = f"a[href='/t/{phone.match}']"
    assert not soup(phone.get("/")).select(f"details {link}")
    monkeypatch.setattr("referee.web.site.home.IDLE", -timedelta(days=1))
    assert one(soup(phone.get("/")), link) in soup(phone.get("/")).select(f"details {link}")


def test_the_settings_list_the_seats_of_this_phone(phone: Phone) -> None:
    phone.opens(names=FIVE[:3])
    assert "席のないスマホ" in text(
        soup(phone.get("/settings")), f"a[href='/t/{phone.match}/join']"
    )
    phone.post(f"/t/{phone.match}/sit", {"place": "2"})
    assert "Bの席" in text(soup(phone.get("/settings")), f"a[href='/t/{phone.match}/join']")
    phone.lays("table stop")
    assert not soup(phone.get("/settings")).select(f"a[href='/t/{phone.match}/join']")


def test_a_phone_is_removed_after_one_question(phone: Phone) -> None:
    phone.opens(names=FIVE[:3])
    page = soup(phone.get(f"/t/{phone.match}/expel?phone=somebody"))
    form = one(page, "main form")
    assert (form["action"], one(form, "[name=phone]")["value"]) == (
        f"/t/{phone.match}/expel",
        "somebody",
    )
    asked = soup(phone.get("/circle/phones?phone=somebody"))
    assert one(asked, "main form")["action"] == "/circle/phones"


@pytest.mark.parametrize(
    ("later", "stands"),
    [
        (("B contest 2",), True),
        (("table strike 3",), False),
        (("table rewind 2",), False),
        (("table rewind 2", "table rewind 3"), True),
        (("table rewind 2", "B lay 5"), False),
    ],
)
def test_the_history_knows_a_stop_that_is_not_the_last_entry(
    phone: Phone, later: tuple[str, ...], stands: bool
) -> None:
    phone.opens(names=FIVE[:3]).lays("A lay 3", "table stop", *later)
    assert stopped(seen_now(phone).outcome) == stands
    assert ("途中で終わり" in text(soup(phone.get("/history")), "main")) == stands


def test_bg_stats_knows_who_began(phone: Phone) -> None:
    phone.opens(names=FIVE[:3], leader="B").lays("B lay 3")
    play = phone.get(f"/t/{phone.match}/bgstats.json").get_json()
    assert [player["name"] for player in play["players"] if player["startPlayer"]] == ["B"]
