"""The table page: plays, refusals, declarations, undo, and two phones at once."""

from __future__ import annotations

import secrets

import pytest
from phones import FIVE, Phone, one, soup, text

TRICK = ("A lay 4", "B lay 7", "C lay 9", "D lay 2", "E lay 3")


def states(phone: Phone, query: str = "") -> dict[int, str]:
    """How each key of the pad looks."""
    looks = {}
    for key in phone.page(query).select(".keys .key"):
        classes = set(key["class"]) & {"off", "dot"}
        looks[int(str(key["id"])[1:])] = classes.pop() if classes else "plain"
    return looks


def test_a_play_is_recorded_and_answered_by_the_next_persons_page(phone: Phone) -> None:
    answer = phone.opens().lays("A lay 4")
    assert answer.status_code == 303
    assert answer.location == f"/t/{phone.match}"
    page = phone.page()
    assert text(page, ".who h1") == "Bの手番"
    assert text(page, ".strip b") == "A 4"
    assert one(page, ".strip .mk")["aria-label"] == "合法"
    assert [card.get_text() for card in page.select(".board .card")] == ["4"]


def test_htmx_gets_the_table_alone_with_its_title(phone: Phone) -> None:
    phone.opens()
    phone.headers = {"HX-Request": "true"}
    answer = phone.lays("A lay 4")
    assert answer.status_code == 200
    assert answer.text.startswith("<head><title>Bの手番")
    assert "<html" not in answer.text
    assert "HX-Request" in answer.headers["Vary"]


def test_keys_say_what_the_judge_says_of_their_card(phone: Phone) -> None:
    phone.opens().lays("A lay 1", "B lay 9", "C lay 8")
    plain = dict.fromkeys((2, 3, 4, 5, 6, 7, 10), "plain")
    assert states(phone) == plain | {1: "off", 8: "dot", 9: "dot"}
    pips = one(phone.page(), "#k9 .pips")
    assert (len(pips.select("b")), len(pips.select("s"))) == (8, 1)
    assert one(phone.page(), "#k9")["aria-label"] == "9、手札しだい、残り8枚"


def test_the_head_line_names_what_needs_a_declaration(phone: Phone) -> None:
    phone.opens()
    assert text(phone.page(), ".need") == "どのカードでも"
    phone.lays("A lay 4", "B lay 9")
    assert [card.get_text() for card in phone.page().select(".need .card")] == ["4", "9"]


def test_tapping_a_seat_chooses_its_pad_and_the_judge_explains(phone: Phone) -> None:
    phone.opens().lays("A lay 4")
    assert set(states(phone, "?seat=D").values()) == {"off"}
    page = phone.page("?seat=D")
    assert one(page, "#k5")["value"] == "D lay 5"
    answer = phone.lays("D lay 5")
    assert answer.status_code == 200
    assert text(soup(answer), ".refused .lnk:first-of-type") == "ルール turn.1"


def test_a_refusal_is_an_answer_with_clause_and_reason_and_changes_nothing(phone: Phone) -> None:
    phone.opens().lays("A lay 1")
    before = phone.log()
    answer = phone.lays("B lay 1")
    assert answer.status_code == 200
    assert answer.headers["X-Reply"] == "refused"
    page = soup(answer)
    assert one(page, ".refused")["role"] == "alert"
    assert "1は全部で1枚" in text(page, ".refused p")
    links = [link["href"] for link in page.select(".refused a")]
    assert links == [
        "/help?q=refused#refused",
        f"/t/{phone.match}/rules#deck.2",
        f"/t/{phone.match}/suspects?line=B+lay+1",
    ]
    assert not page.select(".refused [name=overrule]")
    assert phone.log() == before


def test_a_seat_tapped_beside_a_refusal_is_chosen_at_the_table(phone: Phone) -> None:
    page = soup(phone.opens().lays("C lay 5"))
    link = str(page.select(".seat a")[3]["href"])
    answer = phone.get(f"/t/{phone.match}/play{link}")
    assert answer.location == f"/t/{phone.match}?seat=D"
    strange = phone.get(f"/t/{phone.match}/play?_scheme=javascript&_external=1&match=x")
    assert strange.location == f"/t/{phone.match}"


def test_the_table_may_overrule_where_that_has_an_effect(phone: Phone) -> None:
    page = soup(phone.opens().lays("C lay 5"))
    form = one(page, ".refused form")
    assert one(form, "[name=overrule]")["value"] == "1"
    assert text(form, "button") == "了承で有効にする"
    phone.lays(str(one(form, "button")["value"]), overrule="1")
    assert phone.log()[1:] == ["C lay 5", "table rule 2 stands"]
    assert text(phone.page(), ".strip p") == "C 5 卓の了承で有効"
    phone.undoes()
    assert len(phone.page().select(".board .card")) == 0


def test_no_overruling_where_the_table_agreed_so(phone: Phone) -> None:
    phone.opens(allow_override="off")
    assert not soup(phone.lays("C lay 5")).select(".refused form")
    phone.lays("C lay 5", overrule="1")
    assert len(phone.log()) == 1


def test_a_card_that_was_plain_when_tapped_is_no_declaration(phone: Phone) -> None:
    """Its tap came late: the number lies in the trick meanwhile."""
    phone.opens().headers = {"HX-Request": "true"}
    phone.lays("A lay 10")
    assert phone.lays("B lay 9", undeclared="1").headers["X-Reply"] == "recorded"
    answer = phone.lays("C lay 9", undeclared="1")
    assert answer.status_code == 409
    assert answer.headers["X-Reply"] == "stale"
    assert "申告" in text(soup(answer), ".clash [data-why]")
    assert phone.log()[1:] == ["A lay 10", "B lay 9"]
    assert phone.lays("C lay 9").status_code == 200
    assert phone.log()[1:] == ["A lay 10", "B lay 9", "C lay 9"]


def test_an_unprovable_card_is_recorded_with_its_declaration(phone: Phone) -> None:
    phone.opens().lays("A lay 10", "B lay 9", "C lay 9")
    page = phone.page()
    assert phone.log()[-1] == "C lay 9"
    assert one(page, ".strip .mk")["class"] == ["mk", "un"]
    assert "9を2枚裏返し" in text(page, ".strip p")
    assert [card["class"][1:] for card in page.select(".board .card")] == [
        ["r10", "win"],
        ["r9", "back"],
        ["r9", "back", "laid"],
    ]
    assert one(page, ".strip small a")["href"] == f"/t/{phone.match}/show/C"


def test_a_hand_is_shown_with_one_text_field(phone: Phone) -> None:
    phone.opens(names=["A", "B"]).lays("A lay 3", "B lay 4")
    page = soup(phone.get(f"/t/{phone.match}/show/B"))
    form = one(page, "form.showing")
    assert one(form, "button.go")["value"] == "B show"
    assert "3枚" in text(page, ".lead").replace("\u3000", " ")
    phone.lays("B show", rank=" 3  4 4 ")
    assert phone.log()[-1] == "B show 3 4 4"
    refused = soup(phone.lays("A show", rank="1"))
    assert phone.log()[-1] == "B show 3 4 4"
    assert "3枚のはず" in text(refused, ".refused p")


def test_a_hand_that_was_typed_wrongly_stays_in_its_field(phone: Phone) -> None:
    phone.opens(names=["A", "B"]).lays("A lay 3", "B lay 4")
    for typed, status, part in (("3 4 x", 400, "x"), ("3 4", 200, "3枚のはず")):
        answer = phone.lays("B show", hand="B", rank=typed)
        assert answer.status_code == status
        page = soup(answer)
        assert one(page, "#ranks")["value"] == typed
        assert part in text(page, "#fault")
    assert len(phone.log()) == 3
    assert phone.lays("B show", hand="B", rank="3、4，4").status_code == 303
    assert phone.log()[-1] == "B show 3 4 4"


def test_an_address_that_leads_nowhere_at_a_table_leads_back_to_it(phone: Phone) -> None:
    phone.opens()
    page = soup(phone.get(f"/t/{phone.match}/e/999"))
    assert one(page, "main a.go")["href"] == f"/t/{phone.match}"


def test_only_a_seat_with_a_hand_shows_one(phone: Phone) -> None:
    phone.opens(names=["A"])
    assert phone.get(f"/t/{phone.match}/show/Z").status_code == 404
    phone.lays("A lay 1", "A lay 2")
    assert phone.get(f"/t/{phone.match}/show/A").status_code == 404


def test_a_finished_trick_stays_until_the_next_card(phone: Phone) -> None:
    phone.opens().lays(*TRICK)
    page = phone.page()
    assert text(page, ".who h1") == "Dの手番"
    assert "Dが2で取る 2点" in text(page, ".strip p")
    assert len(page.select(".seat.over .card")) == 5
    assert one(page, ".card.win").get_text() == "2"
    assert [coin.get_text() for coin in page.select(".wins .won")] == ["2"]
    phone.lays("D lay 5")
    assert len(phone.page().select(".board .card")) == 1


def test_undo_takes_one_play_back_and_then_the_next(phone: Phone) -> None:
    phone.opens().lays("A lay 4", "B lay 7")
    assert phone.undoes().status_code == 303
    assert text(phone.page(), ".strip p") == "戻しました B 7"
    assert text(phone.page(), ".who h1") == "Bの手番"
    phone.undoes()
    phone.undoes()
    page = phone.page()
    assert [choice["value"] for choice in page.select(".sums button")] == [
        f"table deal leader={name}" for name in FIVE
    ]
    assert "disabled" in one(page, "#undo button").attrs


def test_what_was_taken_back_by_mistake_is_brought_again_where_that_is_said(phone: Phone) -> None:
    phone.opens().lays("A lay 4", "B lay 7", "C lay 9")
    phone.undoes()
    [forth] = phone.page().select(".strip button")
    assert forth.get_text() == "やり直す"
    phone.lays(str(forth["value"]))
    page = phone.page()
    assert text(page, ".strip p") == "やり直しました C 9"
    assert text(page, ".who h1") == "Dの手番"
    assert text(page, ".strip button") == "戻す"
    phone.undoes()
    assert text(phone.page(), ".strip p") == "戻しました C 9"

    phone.lays("table rewind 1")  # far back, from an entry's page
    [forth] = phone.page().select(".strip button")
    phone.lays(str(forth["value"]))
    assert text(phone.page(), ".who h1") == "Cの手番"


def test_a_table_that_was_emptied_by_mistake_can_be_had_again(phone: Phone) -> None:
    phone.opens().undoes()
    [forth] = phone.page().select(".strip button")
    phone.lays(str(forth["value"]))
    assert text(phone.page(), ".who h1") == "Aの手番"


def test_the_end_of_a_deal_shows_its_points_and_who_leads_the_next(phone: Phone) -> None:
    phone.opens(names=["A", "B"], rounds="2")
    phone.lays("A lay 1", "B lay 4", "A lay 2", "B lay 4", "B lay 3", "B lay 4")
    page = phone.page()
    assert text(page, ".who h1") == "ラウンド1終了"
    assert [text(item, ".n") for item in page.select(".sums li")] == [
        "+3 計 3 点",
        "+7 計 7 点",
    ]
    button = one(page, "button.next")
    assert button["value"] == "table deal leader=B"
    phone.lays(str(button["value"]))
    assert text(phone.page(), ".who h1") == "Bの手番"


def test_where_the_table_picks_the_next_leader_everybody_is_a_button(phone: Phone) -> None:
    phone.opens(names=["A", "B"], rounds="2", round_starter="pick")
    phone.lays("A lay 1", "B lay 4", "A lay 2", "B lay 4", "B lay 3", "B lay 4")
    choices = phone.page().select(".sums button")
    assert [choice["value"] for choice in choices] == [f"table deal leader={n}" for n in "AB"]


def test_the_end_of_a_match_shows_winners_and_what_comes_next(phone: Phone) -> None:
    phone.opens(names=["A", "B"], rounds="1")
    phone.lays("A lay 1", "B lay 4", "A lay 2", "B lay 4", "B lay 3", "B lay 4")
    page = phone.page()
    assert [row.get_text(" ", strip=True) for row in page.select(".ranking li")] == ["B 7", "A 3"]
    assert text(page, ".ranking .best .one") == "B"
    links = [str(link["href"]) for link in page.select(".over a")]
    assert links == [
        f"/t/{phone.match}/score",
        f"/t/{phone.match}/result",
        f"/new?like={phone.match}",
    ]
    assert not page.select(".keys")


def test_all_that_is_left_is_one_tap(phone: Phone) -> None:
    phone.opens(names=["A", "B"]).lays("A show", rank="1 2 3 3")
    phone.lays("B show", rank="4 4 4 4")
    phone.lays("A lay 1", "B lay 4", "A lay 2")
    page = phone.page()
    key = one(page, ".keys.forced button.wide")
    lines = str(key["value"]).splitlines()
    assert lines == ["B lay 4", "B lay 4", "B lay 4"]
    assert phone.page("?pad=all").select("#k1")
    phone.lays(str(key["value"]))
    assert phone.log()[-3:] == lines
    assert "終了" in text(phone.page(), ".who h1")


def test_the_tap_that_lays_all_counts_once_though_it_comes_twice(phone: Phone) -> None:
    phone.opens(names=["A", "B"]).lays("A show", rank="1 2 3 3")
    phone.lays("B show", rank="4 4 4 4")
    phone.lays("A lay 1", "B lay 4", "A lay 2")
    line = str(one(phone.page(), ".keys.forced button.wide")["value"])
    same = {"seen": phone.seen(), "key": secrets.token_urlsafe(9)}
    for _ in range(2):
        assert phone.lays(line, **same).status_code == 303
    assert phone.log().count("B lay 4") == 4


def test_the_same_key_twice_is_one_play(phone: Phone) -> None:
    phone.opens()
    same = {"seen": phone.seen(), "key": secrets.token_urlsafe(9)}
    assert [phone.lays("A lay 4", **same).status_code for _ in range(2)] == [303, 303]
    assert phone.log()[1:] == ["A lay 4"]


def test_two_phones_tell_the_same_play_once(phone: Phone) -> None:
    seen = phone.opens().seen()
    assert [phone.lays("A lay 4", seen=seen).status_code for _ in range(2)] == [303, 303]
    assert phone.log()[1:] == ["A lay 4"]


@pytest.mark.parametrize("htmx", [False, True])
def test_two_phones_disagree_and_the_later_one_may_correct(phone: Phone, htmx: bool) -> None:
    seen = phone.opens().seen()
    phone.lays("A lay 4")
    phone.headers = {"HX-Request": "true"} if htmx else {}
    data = {"line": "A lay 6", "seen": seen, "key": secrets.token_urlsafe(9)}
    answer = phone.post(f"/t/{phone.match}/play", data)
    assert answer.status_code == 409
    assert answer.headers["X-Reply"] == "asks"
    page = soup(answer)
    assert "ほかのスマホが先に記録しました" in text(page, ".clash p")
    keep, change = page.select(".clash .vs a")
    assert keep["href"] == f"/t/{phone.match}"
    assert str(change["href"]).endswith("/correct/2?do=amend&line=A+lay+6")
    assert phone.get(str(change["href"])).status_code == 200
    assert one(page, "#play [name=seen]")["value"] == "2"
    assert phone.log()[1:] == ["A lay 4"]


def test_a_stale_play_of_somebody_else_shows_the_table_as_it_is(phone: Phone) -> None:
    seen = phone.opens().seen()
    phone.lays("A lay 4")
    answer = phone.lays("B lay 6", seen=seen)
    assert answer.status_code == 409
    assert "先に進んで" in text(soup(answer), ".clash p")
    assert not soup(answer).select(".clash .vs")


def test_a_stale_undo_undoes_nothing(phone: Phone) -> None:
    seen = phone.opens().seen()
    phone.lays("A lay 4")
    assert phone.undoes(seen=seen).status_code == 409
    assert phone.log()[1:] == ["A lay 4"]


def test_a_proven_revoke_is_a_mark_on_the_log_button(phone: Phone) -> None:
    phone.opens().lays("A lay 4", "B lay 7", "C lay 9", "D lay 7", "E lay 5")
    assert not phone.page().select(".bar .found")
    phone.lays("A lay 3", "B lay 10", "C lay 8", "D lay 6")
    assert len(phone.page().select(".bar .found")) == 1


def test_larger_decks_have_a_number_field(phone: Phone) -> None:
    phone.opens(names=[f"P{i}" for i in range(12)], leader="P0")
    form = one(phone.page(), "form.number")
    phone.lays(str(one(form, "button")["value"]), rank="２４")
    assert phone.log()[-1] == "P0 lay 24"


def test_a_shown_table_is_never_kept_by_caches(phone: Phone) -> None:
    phone.opens()
    assert phone.get(f"/t/{phone.match}").headers["Cache-Control"] == "no-store"
