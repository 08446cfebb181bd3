"""A foul that becomes provable is said at once, and asked about until the table has decided."""

from __future__ import annotations

import pytest
from phones import Phone, one, soup, text
from reading_room import Room

FIRST = ("A lay 4", "B lay 7", "C lay 9", "D lay 7", "E lay 5")  # D declares: no other card
PROOF = "D lay 6"
BEFORE = (*FIRST, "A lay 3", "B lay 10", "C lay 8")
SAID = "Dは7を出したとき、手札に6がありました。リボークが確定しました。"


@pytest.fixture
def proven(phone: Phone) -> Phone:
    phone.opens().lays(*BEFORE, PROOF)
    return phone


def test_a_foul_is_said_as_soon_as_it_is_provable(phone: Phone) -> None:
    phone.opens().lays(*BEFORE)
    assert not phone.page().select(".proven")
    answer = phone.lays(PROOF)
    page = phone.page() if answer.status_code == 303 else soup(answer)
    assert text(page, ".proven p a") == SAID
    assert one(page, ".proven .mk")["aria-label"] == "反則"
    assert "D 6" in text(page, ".proven .note")


def test_it_is_said_in_english(proven: Phone) -> None:
    proven.headers = {"Accept-Language": "en"}
    said = text(proven.page(), ".proven p a")
    assert said == "D held a 6 when playing a 7: revoke, proven."


def test_a_shown_hand_that_proves_a_foul_leads_with_it(phone: Phone) -> None:
    phone.opens().lays(*FIRST)
    assert phone.lays("D show 6 8 8 8 10 10 10 10 10").status_code == 303
    said = text(phone.page(), ".proven p a")
    assert said == "Dは7を出したとき、手札に6・8・10がありました。リボークが確定しました。"


def test_three_ways_to_decide_each_lead_to_a_question(proven: Phone) -> None:
    keys = proven.page().select(".proven .steps a")
    asked = {str(key["href"]): key.get_text(strip=True) for key in keys}
    to = f"/t/{proven.match}/correct/"
    assert asked == {
        f"{to}5?do=rule": "そのまま有効",
        f"{to}4?do=rewind": "その前に戻る",
        f"{to}5?do=void": "配札を無効",
    }
    before = proven.log()
    for href in asked:
        assert proven.get(href).status_code == 200
    assert proven.log() == before


def test_the_house_rule_of_the_table_comes_first(phone: Phone) -> None:
    phone.opens(revoke_policy="void_deal").lays(*BEFORE, PROOF)
    assert phone.page().select(".proven .steps a")[0].get_text(strip=True) == "配札を無効"


def test_a_phone_that_watches_sees_the_sentence_and_no_keys(proven: Phone, guest: Phone) -> None:
    code = text(soup(proven.get(f"/t/{proven.match}/join")), ".code")
    guest.post("/join", {"code": code})
    [knock] = proven.page().select("[name=phone]")
    proven.post(f"/t/{proven.match}/door", {"phone": str(knock["value"]), "do": "in"})
    guest.match = proven.match
    page = guest.page()
    assert text(page, ".proven p a") == SAID
    assert not page.select(".proven .steps")


DECISIONS = (
    ("table rule 5 stands",),
    ("table rewind 4",),
    ("table void 5",),
    ("table amend 5 D lay 10",),
    ("table strike 5",),
    ("A contest 5", "D vote 11 no", "table decide 11 no"),
)


@pytest.mark.parametrize("lines", DECISIONS, ids=lambda lines: lines[-1])
def test_the_mark_goes_when_the_table_has_decided(proven: Phone, lines: tuple[str, ...]) -> None:
    assert len(proven.page().select(".bar .found")) == 1
    ledger = proven.client.application.extensions["ledger"]
    for line in lines:
        seen = ledger.view(proven.match).seq
        answer = ledger.declare(proven.match, line, seen, f"decision-{seen:04}")
        assert answer.seq is not None, answer.verdict
    page = proven.page()
    assert "（反則が見つかっています）" not in page.get_text()
    assert not page.select(".proven")


def test_an_undone_decision_asks_again(proven: Phone) -> None:
    proven.lays("table rule 5 stands")
    proven.undoes()
    assert len(proven.page().select(".bar .found")) == 1
    assert text(proven.page(), ".proven p a") == SAID


def test_the_next_card_leaves_the_mark(proven: Phone) -> None:
    proven.lays("E lay 9")
    assert not proven.page().select(".proven")
    assert len(proven.page().select(".bar .found")) == 1


def test_between_deals_the_table_is_asked_again(room: Room) -> None:
    room.revoke()
    for _ in range(200):
        if not room.view.to_act:
            break
        room.play_out(1)
    page = room.get(f"/t/{room.match}")
    assert room.view.state.deal == 1
    assert one(page, ".proven p a")["href"] == f"/t/{room.match}/e/5"
