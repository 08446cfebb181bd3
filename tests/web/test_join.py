"""Several phones at one table: who sits where, and who may enter what."""

from __future__ import annotations

import secrets

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from phones import Phone, one, removable, soup, text

from referee.games.simulation import WIDEST

FIVE = ("A", "B", "C", "D", "E")
TWO = {"game": WIDEST, "name": ["A", "B"], "leader": "A"}
BEFORE_D = ("A lay 4", "B lay 7", "C lay 9")  # a second 7 says that D holds nothing else


@pytest.fixture
def another(app: Flask, phone: Phone) -> Phone:
    """A second phone, which has come in by the link of the table that the first has opened."""
    phone.opens()
    other = Phone(app.test_client(), phone.match)
    other.get(invitation(phone))
    return other


def invitation(phone: Phone) -> str:
    page = soup(phone.get(f"/t/{phone.match}/join"))
    return str(one(page, ".link input")["value"]).removeprefix("http://localhost")


def sits(phone: Phone, place: int) -> int:
    return phone.post(f"/t/{phone.match}/sit", {"place": str(place)}).status_code


def plates(page: BeautifulSoup) -> list[str]:
    """Whose plates show that a phone sits there."""
    return [text(seat, ".nm") for seat in page.select(".seat.here")]


def knocks(phone: Phone, other: Phone) -> str:
    """Type the code of the first phone's table into the other one; the sign that it then shows."""
    code = text(soup(phone.get(f"/t/{phone.match}/join")), ".code")
    answer = other.post("/join", {"code": code})
    return text(soup(other.get(answer.location)), ".sign")


def test_whoever_scans_picks_a_seat_and_is_in(phone: Phone, another: Phone) -> None:
    page = soup(another.get(f"/t/{phone.match}/join"))
    assert [button.get_text(" ", strip=True).split()[0] for button in page.select(".take")] == [
        *FIVE
    ]
    assert not page.select(".qr")
    assert sits(another, 2) == 303
    assert plates(phone.page()) == ["B"]
    assert another.lays("A lay 4").status_code == 303  # what all can see may come from any phone


def test_a_seated_phone_is_told_who_it_is(phone: Phone, another: Phone) -> None:
    sits(another, 1)
    page = another.page()
    assert text(page, ".who h1") == "あなたの手番"
    assert text(page, "title").startswith("あなたの手番")
    assert text(one(page, ".seat.you"), ".nm") == "A"
    assert not phone.page().select(".you")
    assert text(phone.page(), ".who h1") == "Aの手番"


def test_a_seated_phone_says_for_whom_it_records_in_somebody_elses_turn(
    another: Phone,
) -> None:
    sits(another, 2)
    assert text(another.page(), ".who h1") == "Aの手番（代わりに記録）"
    assert another.lays("A lay 4").status_code == 303
    assert text(another.page(), ".who h1") == "あなたの手番"


def test_an_objection_of_a_seated_phone_is_its_own(phone: Phone, another: Phone) -> None:
    sits(another, 3)
    phone.lays("A lay 4", "B lay 5")
    page = soup(another.get(f"/t/{phone.match}/contest/2"))
    lines = {str(key["value"]).split()[0] for key in page.select("[name=line]")}
    assert lines == {"C"}
    assert not page.select("nav.chips")
    form = {"line": "A contest 2", "key": "0123456789ab"}
    answer = another.post(f"/t/{phone.match}/contest", form)
    assert answer.status_code == 403
    assert len(phone.log()) == 3
    assert (
        another.post(f"/t/{phone.match}/contest", form | {"line": "C contest 2"}).status_code == 303
    )
    assert phone.log()[-1] == "C contest 2"


def test_a_phone_without_a_seat_objects_for_those_without_a_phone(
    phone: Phone, another: Phone
) -> None:
    sits(another, 1)
    phone.lays("A lay 4")
    page = soup(phone.get(f"/t/{phone.match}/contest/2"))
    assert [chip.get_text() for chip in page.select("nav.chips .chip")] == ["B", "C", "D", "E"]


def test_a_phone_that_looks_on_enters_nothing_until_it_sits_down(another: Phone) -> None:
    assert text(another.page(), ".looks-on a") == "席に着く"
    answer = another.lays("A lay 4")
    assert answer.status_code == 403
    assert "観戦中" in text(soup(answer), ".says")
    assert another.undoes().status_code == 403
    assert len(another.log()) == 1
    sits(another, 1)
    assert another.lays("A lay 4").status_code == 303


def test_a_declaration_about_a_hand_comes_only_from_its_seat(phone: Phone, another: Phone) -> None:
    sits(another, 4)
    phone.lays(*BEFORE_D)
    answer = phone.lays("D lay 7")
    assert answer.status_code == 403
    assert "Dの手札の申告は、D本人のスマホからだけ" in text(soup(answer), ".refused p")
    refused = one(soup(answer), ".refused")  # no foul; the seat can be freed
    assert not refused.select(".mk")
    links = [link["href"] for link in refused.select("a")]
    rule, why, seat = f"/t/{phone.match}/rules#hand.4", "/help?q=refused#refused", "free?place=4"
    assert links == [why, rule, f"/t/{phone.match}/{seat}"]
    assert not soup(answer).select("[name=overrule]")
    assert len(phone.log()) == 4
    assert another.lays("D lay 7").status_code == 303
    assert phone.lays("E lay 7").status_code == 303  # E has no phone: the table's speaks for it


def test_a_seat_can_be_freed_where_its_phone_is_missed(phone: Phone, another: Phone) -> None:
    """Its phone may be asleep in a pocket; it stays at the table and watches."""
    sits(another, 4)
    phone.lays(*BEFORE_D)
    page = soup(phone.get(f"/t/{phone.match}/free?place=4"))
    assert text(page, "h1") == "Dの席を空けますか"
    assert phone.post(f"/t/{phone.match}/free", {"place": "4"}).status_code == 303
    assert phone.lays("D lay 7").status_code == 303
    assert text(another.page(), ".looks-on a") == "席に着く"
    assert another.lays("E lay 7").status_code == 403


def test_a_seat_without_a_phone_cannot_be_freed(phone: Phone, another: Phone) -> None:
    assert phone.get(f"/t/{phone.match}/free?place=4").location == f"/t/{phone.match}"
    assert phone.post(f"/t/{phone.match}/free", {"place": "4"}).status_code == 303
    for place in ("", "6", "x"):
        assert phone.post(f"/t/{phone.match}/free", {"place": place}).status_code == 400
    sits(another, 4)
    assert another.post(f"/t/{phone.match}/free", {"place": "4"}).status_code == 403
    assert another.get(f"/t/{phone.match}/free?place=4").status_code == 403


def test_a_correction_puts_no_declaration_into_the_mouth_of_a_seat(
    phone: Phone, another: Phone
) -> None:
    sits(another, 4)
    phone.lays(*BEFORE_D, "D lay 5")
    path = f"/t/{phone.match}/correct"
    form = {"line": "table amend 5 D lay 7", "seen": "5", "key": "0123456789ab"}
    answer = phone.post(path, form)
    assert answer.status_code == 403
    assert "Dの手札の申告" in answer.text
    assert len(phone.log()) == 5
    assert another.post(path, form).status_code == 303
    assert phone.post(path, form | {"line": "table strike 5", "seen": "6"}).status_code != 403


def test_a_correction_of_several_entries_declares_for_none_of_the_other_seats(
    phone: Phone, another: Phone
) -> None:
    """E has no phone, so the table's speaks for E; that does not let it speak for D."""
    sits(another, 4)
    phone.lays(*BEFORE_D, "D lay 5", "E lay 6")
    line = "table together amend 5 D lay 7 ; amend 6 E lay 9"
    form = {"line": line, "seen": "6", "key": "0123456789ab"}
    answer = phone.post(f"/t/{phone.match}/correct", form)
    assert answer.status_code == 403
    assert "Dの手札の申告" in answer.text
    assert len(phone.log()) == 6
    assert another.post(f"/t/{phone.match}/correct", form).status_code == 303


def test_each_seat_for_itself(app: Flask, phone: Phone) -> None:
    phone.opens(entry_mode="own_seat")
    other = Phone(app.test_client(), phone.match)
    other.get(invitation(phone))
    sits(other, 1)
    assert phone.lays("A lay 4").status_code == 403
    assert other.lays("A lay 4").status_code == 303
    assert phone.lays("B lay 5").status_code == 303  # no phone there
    assert phone.undoes().status_code == 303


def test_only_the_phone_that_opened_the_table(app: Flask, phone: Phone) -> None:
    phone.opens(entry_mode="host")
    other = Phone(app.test_client(), phone.match)
    other.get(invitation(phone))
    sits(other, 4)
    assert other.lays("A lay 4").status_code == 403
    assert other.undoes().status_code == 403
    phone.lays(*BEFORE_D)
    assert other.lays("D lay 5").status_code == 403
    assert phone.lays("D lay 7").status_code == 403
    assert other.lays("D lay 7").status_code == 303  # about its own hand


def test_where_only_the_host_enters_a_correction_is_no_declaration(
    app: Flask, phone: Phone
) -> None:
    """A phone could change open cards beside a declaration about its own hand."""
    phone.opens(entry_mode="host")
    other = Phone(app.test_client(), phone.match)
    other.get(invitation(phone))
    sits(other, 4)
    phone.lays(*BEFORE_D)
    phone.lays("D lay 5")
    line = "table together amend 2 A lay 3 ; amend 5 D lay 7"
    form = {"line": line, "seen": "5", "key": "0123456789ab"}
    assert other.post(f"/t/{phone.match}/correct", form).status_code == 403
    assert len(phone.log()) == 5


@pytest.mark.parametrize("rule", ["agree", "host"])
def test_nobody_else_contests_or_votes_for_a_seat(app: Flask, phone: Phone, rule: str) -> None:
    phone.opens(contest=rule, entry_mode="host")
    other = Phone(app.test_client(), phone.match)
    other.get(invitation(phone))
    sits(other, 4)
    phone.lays("A lay 4")

    def says(sender: Phone, line: str) -> int:
        path = f"/t/{phone.match}/contest"
        return sender.post(path, {"line": line, "key": secrets.token_urlsafe(9)}).status_code

    assert says(phone, "D contest 2") == 403
    assert says(other, "D contest 2") == 303
    assert says(phone, "D vote 3 no") == 403
    assert says(other, "D vote 3 no") == (409 if rule == "host" else 303)  # nobody votes there
    assert says(other, "table decide 3 no") == (403 if rule == "host" else 303)
    assert says(phone, "table decide 3 no") == (303 if rule == "host" else 409)


def test_a_seat_has_one_phone(app: Flask, phone: Phone, another: Phone) -> None:
    assert sits(another, 2) == 303
    answer = phone.post(f"/t/{phone.match}/sit", {"place": "2"})
    assert answer.status_code == 409
    assert "Bの席には、すでに別のスマホが" in text(soup(answer), ".says")
    assert sits(another, 3) == 303
    assert sits(phone, 2) == 303
    assert plates(phone.page()) == ["B", "C"]
    assert sits(phone, 0) == 303
    assert phone.lays("A lay 4").status_code == 303  # it still is the host


@pytest.mark.parametrize("place", ["", "6", "-1", "one", "１"])
def test_there_are_only_these_seats(another: Phone, place: str) -> None:
    assert another.post(f"/t/{another.match}/sit", {"place": place}).status_code == 400


def test_a_guest_can_neither_invite_nor_remove(phone: Phone, another: Phone) -> None:
    named = {"phone": "x"}
    for path in ("renew", "expel", "free", "door"):
        assert another.post(f"/t/{phone.match}/{path}", named).status_code == 403
    sits(another, 2)
    assert soup(another.get(f"/t/{phone.match}/join")).select(".qr")
    for path in ("renew", "expel"):
        assert another.post(f"/t/{phone.match}/{path}", named).status_code == 403


def test_whoever_types_the_code_is_let_in_by_the_table(app: Flask, phone: Phone) -> None:
    other = Phone(app.test_client(), phone.opens().match)
    sign = knocks(phone, other)
    strip = one(phone.page(), "#door form")
    assert text(strip, ".sign") == sign
    asked = {"phone": str(one(strip, "[name=phone]")["value"]), "do": "in"}
    assert other.post(str(strip["action"]), asked).status_code == 403  # not by itself
    assert phone.post(str(strip["action"]), asked).status_code == 303
    answer = other.get(f"/wait/{phone.match}")
    assert answer.location == f"/t/{phone.match}/join"
    assert sits(other, 5) == 303
    assert plates(phone.page()) == ["E"]
    assert not phone.page().select("#door form")


def test_whoever_is_refused_hears_of_it(app: Flask, phone: Phone) -> None:
    other = Phone(app.test_client(), phone.opens().match)
    knocks(phone, other)
    named = str(one(phone.page(), "#door [name=phone]")["value"])
    phone.post(f"/t/{phone.match}/door", {"phone": named, "do": "out", "next": "join"})
    answer = other.get(f"/wait/{phone.match}")
    assert answer.status_code == 403
    assert "承認されませんでした" in answer.text
    assert other.get(f"/t/{phone.match}").status_code == 403


def test_a_table_asks_who_knocks_only_while_a_code_is_out(app: Flask, phone: Phone) -> None:
    assert not phone.opens().page().select("#door")
    other = Phone(app.test_client(), phone.match)
    knocks(phone, other)
    door = one(phone.page(), "#door")
    phone.headers = {"HX-Request": "true"}
    answer = phone.get(str(door["data-again"]))
    assert answer.text.strip().startswith('<div id="door"')
    assert len(soup(answer).select("form")) == 1
    named = str(one(soup(answer), "[name=phone]")["value"])
    phone.post(f"/t/{phone.match}/door", {"phone": named, "do": "out"})
    door = one(soup(phone.get(str(door["data-again"]))), "#door")
    assert door["data-again"]  # the code is still out


def test_a_waiting_phone_asks_again_without_script(app: Flask, phone: Phone) -> None:
    other = Phone(app.test_client(), phone.opens().match)
    knocks(phone, other)
    page = soup(other.get(f"/wait/{phone.match}"))
    assert one(page, "meta[http-equiv=refresh]")["content"] == "3"


def test_too_many_do_not_wait_at_one_door(app: Flask, phone: Phone) -> None:
    code = text(soup(phone.opens().get(f"/t/{phone.match}/join")), ".code")
    answers = [app.test_client().post("/join", data={"code": code}) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [303] * 6 + [429]


def test_phones_at_one_door_are_distinguished(
    app: Flask, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.choice", lambda among: among[0])
    others = [Phone(app.test_client(), phone.opens().match) for _ in range(3)]
    signs = [knocks(phone, other) for other in others]
    assert len({*signs}) == 3
    assert knocks(phone, others[0]) == signs[0]  # a phone that knocks again is still the same


def test_phones_come_along_to_the_next_table_of_the_evening(
    app: Flask, phone: Phone, another: Phone
) -> None:
    sits(another, 2)
    sits(phone, 1)
    phone.opens(names=["B", "F", "A"], leader="F")
    assert plates(phone.page()) == ["B", "A"]
    assert another.get(f"/t/{phone.match}").status_code == 200
    assert f"/t/{phone.match}" in another.get("/").text
    phone.opens(names=["F", "G"], leader="F")
    assert another.get(f"/t/{phone.match}").status_code == 403


def test_a_removed_phone_does_not_come_along(phone: Phone, another: Phone) -> None:
    sits(another, 2)
    phone.opens()
    page = soup(phone.get(f"/t/{phone.match}/join"))
    [named] = removable(page)
    phone.post(f"/t/{phone.match}/expel", {"phone": named})
    assert another.get(f"/t/{another.match}").status_code == 403
    phone.opens()
    assert plates(phone.page()) == []


def test_a_guest_has_the_table_on_its_start_page_and_nothing_else(
    phone: Phone, another: Phone
) -> None:
    seen, before = another.match, phone.opens(names=["P", "Q"], leader="P").match
    page = another.get("/").text
    assert f"/t/{seen}" in page
    assert before not in page
    assert another.get("/people").status_code == 403


def test_the_menu_leads_to_the_invitation(phone: Phone, another: Phone) -> None:
    sheet = soup(phone.get(str(one(phone.page(), ".bar > a:last-child")["href"])))
    invitation = one(sheet, f"a[href='/t/{phone.match}/join']")
    assert "スマホ2台" in invitation.get_text()


def test_a_qr_code_shown_on_the_serving_computer_names_the_network(
    app: Flask, phone: Phone
) -> None:
    app.config["OUTSIDE"] = ["192.168.1.5"]
    phone.opens()
    page = soup(phone.get(f"/t/{phone.match}/join", base_url="http://localhost:8321"))
    assert str(one(page, ".link input")["value"]).startswith("http://192.168.1.5:8321/j/")
    assert text(page, "#join .code + .note").startswith("192.168.1.5:8321")
    assert not page.select("form[action='/settings/through']")


@pytest.mark.parametrize("host", ["localhost:8321", "10.8.0.2:8321"])
def test_where_the_serving_computer_has_a_vpn_its_qr_code_names_the_address_that_is_chosen(
    app: Flask, phone: Phone, host: str
) -> None:
    app.config["OUTSIDE"] = ["192.168.1.5", "10.8.0.2"]
    here = {"base_url": f"http://{host}"}
    match = phone.client.post("/new", data=TWO, **here).location.rpartition("/")[2]
    paths = (f"/t/{match}/join", "/circle")
    for address in ("192.168.1.5", "10.8.0.2"):
        for path in paths:
            form = one(soup(phone.get(path, **here)), "form[action='/settings/through']")
            assert [chip.get_text() for chip in form.select("button")] == app.config["OUTSIDE"]
            fields = {"next": one(form, "[name=next]")["value"], "address": address}
            answer = phone.client.post("/settings/through", data=fields, **here)
            assert (answer.status_code, answer.location.partition("#")[0]) == (303, path)
        for path in paths:
            page = soup(phone.get(path, **here))
            assert text(page, ".chip[aria-pressed]") == address
            link = one(page, ".link .field-in")["value"]
            assert str(link).startswith(f"http://{address}:8321/"), (path, link)
    foreign = {"next": "/", "address": "192.168.1.99"}
    assert phone.client.post("/settings/through", data=foreign, **here).status_code == 400


def test_a_phone_that_has_a_way_to_the_computer_chooses_no_address(
    app: Flask, phone: Phone
) -> None:
    app.config["OUTSIDE"] = ["10.8.0.2", "192.168.1.5"]
    phone.client.environ_base |= {"REMOTE_ADDR": "192.168.1.77"}
    there = {"base_url": "http://192.168.1.5:8321"}
    match = phone.client.post("/new", data=TWO, **there).location.rpartition("/")[2]
    page = soup(phone.get(f"/t/{match}/join", **there))
    assert str(one(page, ".link input")["value"]).startswith("http://192.168.1.5:8321/j/")
    assert not page.select("form[action='/settings/through']")


def test_the_list_of_phones_says_who_has_no_seat_and_where_a_number_is_shown(
    app: Flask, phone: Phone, another: Phone
) -> None:
    third = Phone(app.test_client(), phone.match)
    sign = knocks(phone, third)
    page = soup(phone.get(f"/t/{phone.match}/join"))
    assert text(page, ".knock p") == f"{sign}と表示したスマホが参加を申請中"
    phones = [row.get_text(" ", strip=True) for row in page.select(".seats li:has(.one)")]
    assert ["着席中" in row for row in phones] == [False, False]
    assert phones[1].startswith("観戦中のスマホ 席なし")
