"""The table of 熟語ライン: its deck, what is shown when, and what it leaves behind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from click.testing import CliRunner
from phones import Phone, one, soup, text

from referee.cli import main
from referee.history import records
from referee.jukugo.decks import KanjiDeck, write_deck
from referee.jukugo.library import NEWEST, open_deck
from referee.jukugo.proofs import check
from tools import pages

TOO_EARLY = [("A", 1, "電"), ("B", 2, "古"), ("A", 1, "話"), ("B", 2, "代"), ("A", 1, "機")]
PROVEN = [("A", 1, "電"), ("B", 1, "古"), ("A", 1, "話"), ("B", 1, "代"), ("A", 1, "機")]
KANJI = re.compile(r"[\u3400-\u9fff]")


def placed(phone: Phone, moves: list[tuple[str, int, str]], **named: str) -> Phone:
    """A table on which these cards have been laid in turn."""
    data = {"game": "jukugo_line", "name": ["A", "B"], "leader": "A"} | named
    answer = phone.post("/new", data)
    assert answer.status_code == 303, answer.text
    phone.match = answer.location.rpartition("/")[2]
    phone.lays(*[f"{seat} place {flag} {card}" for seat, flag, card in moves])
    return phone


def header(phone: Phone) -> Any:
    return phone.client.application.extensions["ledger"].view(phone.match).header


def keys(page: BeautifulSoup) -> list[tuple[Any, ...]]:
    """What the pad's keys look like, without the words that they name."""
    return [
        (key.get("class"), key.get("aria-pressed")) for key in page.select(".acts .key, .calls *")
    ]


@pytest.mark.parametrize(
    ("tongue", "heard"), [("ja", "この熟語で宣言"), ("en", "Claim with these words")]
)
def test_words_that_claim_are_heard_as_a_group_that_says_so(
    phone: Phone, tongue: str, heard: str
) -> None:
    phone.client.set_cookie("lang", tongue)
    page = placed(phone, PROVEN).page("?do=claim&flag=1")
    calls = one(page, "#play .calls:not(template .calls)")
    assert calls["aria-label"] == heard
    assert {key["lang"] for key in calls.select("button")} == {"ja"}


# ------------------------------------------------------------------ what it is played with


def test_a_match_names_its_deck_and_the_edition_of_its_words(phone: Phone) -> None:
    placed(phone, PROVEN[:1], words="strict")
    assert header(phone).named == {"deck": "open", "words": f"strict@{NEWEST}"}
    assert f"words: strict@{NEWEST}" in phone.get(f"/t/{phone.match}/record.txt").text


def test_a_deck_that_is_gone_is_a_sentence_and_no_match(phone: Phone) -> None:
    data = {"game": "jukugo_line", "name": ["A", "B"], "deck": "deck-000000000000.csv"}
    answer = phone.post("/new", data)
    assert answer.status_code == 400
    assert "もうありません" in answer.text


def test_a_registered_deck_is_offered_and_goes_with_the_history(phone: Phone) -> None:
    deck = KanjiDeck(open_deck().cards[:30])
    csv, name = write_deck(deck), deck.id
    placed(phone, PROVEN[:1])  # the phone has a circle now
    ledger = phone.client.application.extensions["ledger"]
    circle = ledger.store._rows("SELECT circle FROM matches", ())[0][0]
    ledger.store.shelf.keep_deck(name, csv, "うちの箱", circle)
    assert "うちの箱" in phone.get("/new?game=jukugo_line&name=A&name=B").text
    placed(phone, [("A", 1, deck.cards[0].kanji)], deck=name)
    assert len(phone.page().select(".pick13 button")) == 29
    assert header(phone).named["deck"] == name
    ledger.store.shelf.put_away(name, circle)
    assert phone.get(f"/t/{phone.match}").status_code == 200


def test_words_agreed_earlier_come_along_and_those_agreed_here_are_kept(phone: Phone) -> None:
    phone.post("/words", {"form": "機電", "counts": "yes"})
    placed(phone, PROVEN[:1])
    assert phone.log() == ["table word 機電 yes", "table deal leader=A", "A place 1 電"]
    phone.lays("table word 電機 no")
    assert "電機" in phone.get("/words").text
    phone.undoes()
    ledger = phone.client.application.extensions["ledger"]
    circle = ledger.store._rows("SELECT circle FROM matches", ())[0][0]
    assert {form: a.counts for form, a in ledger.store.shelf.agreed(circle).items()} == {
        "機電": True
    }


# ------------------------------------------------------------------ placements


def test_a_refused_placement_leaves_the_deck_and_its_card_chosen(phone: Phone) -> None:
    """The right flag is one tap away, another card two."""
    placed(phone, [("A", 1, "電"), ("B", 2, "古"), ("A", 1, "話"), ("B", 2, "代"), ("A", 1, "人")])
    phone.lays("A draw", "B place 2 国", "B draw")
    refused = soup(phone.lays("A place 1 機"))
    assert refused.select(".strip.refused")
    assert text(refused, ".pick13 .on") == "機4"
    flags = refused.select(".flag[name=line]")
    assert [flag["value"] for flag in flags] == [f"A place {n} 機" for n in range(1, 10)]
    assert len(refused.select(".pick13 [name=card]")) > 40


# ------------------------------------------------------------------ claims


@pytest.mark.parametrize("query", ["?flag=1", "?flag=1:電話", "?do=claim", ""])
def test_nothing_before_a_claim_shows_whether_it_will_succeed(phone: Phone, query: str) -> None:
    """J35."""
    lost = keys(placed(phone, TOO_EARLY).page(query))
    won = keys(placed(phone, PROVEN).page(query))
    assert lost == won
    assert won


def test_with_hints_the_key_says_it(phone: Phone) -> None:
    placed(phone, TOO_EARLY, **{"option.hints": "on"})
    assert "off" in one(phone.page("?flag=1"), ".acts [name=line]")["class"]


def test_what_refutes_a_claim_is_shown_when_the_opponent_allows_it(phone: Phone) -> None:
    """J36."""
    placed(phone, TOO_EARLY)
    refused = soup(phone.lays("A claim 1 電話機"))
    assert "電話機" in text(refused, ".strip.refused p")
    assert "多元的" not in refused.get_text()
    refusal = soup(phone.lays("A claim 1 電話機", open="1"))
    assert "多元的" in text(refusal, ".strip.refused p")
    assert len(phone.log()) == 6


def test_a_proof_says_what_the_best_hand_left_would_be_and_can_be_checked(
    phone: Phone, tmp_path: Any
) -> None:
    placed(phone, PROVEN).lays("A claim 1 電話機")
    page = soup(phone.get(f"/t/{phone.match}/e/7"))
    assert "古代語" in text(page, ".evi")
    answer = phone.get(f"/t/{phone.match}/e/7/proof.json")
    proof = json.loads(answer.text)
    assert (proof["proven"], proof["own"], proof["other"]) == (
        True,
        ["電", "話", "機"],
        ["古", "代"],
    )
    assert check(proof) == ""
    file = tmp_path / "proof.json"
    for proven, status in ((True, 0), (False, 1)):
        file.write_text(json.dumps(proof | {"proven": proven}), encoding="utf-8")
        assert CliRunner().invoke(main, ["proof", str(file)]).exit_code == status
    file.write_text("[]", encoding="utf-8")
    assert CliRunner().invoke(main, ["proof", str(file)]).exit_code == 2
    assert phone.get(f"/t/{phone.match}/e/6/proof.json").status_code == 404


def test_a_word_that_no_dictionary_has_is_for_the_other_seat_to_allow(phone: Phone) -> None:
    """J31: with yes the flag is taken, with no it is no word here."""
    placed(phone, [*PROVEN, ("B", 1, "近"), ("A", 3, "車")])
    phone.lays("A claim 1 機電")
    page = phone.page()
    assert "機電" in text(page, ".agree .ask")
    yes, no = page.select(".agree [name=line]")
    phone.lays(str(no["value"]))
    assert not phone.page().select(".agree")
    refused = soup(phone.lays("A claim 1 機電"))
    assert str(refused.select(".strip.refused .lnk")[0]["href"]).endswith("#words.1")
    phone.undoes()
    phone.lays(str(yes["value"]))
    assert phone.log()[-1] == "B grant 1"
    assert one(phone.page(), ".flag.dn").get_text() == "1"


def test_without_a_registered_deck_the_other_seat_is_asked(phone: Phone) -> None:
    """J37: any kanji may lie there; a claim moves nothing until the other seat agrees."""
    moves = [("A", 1, "牛"), ("B", 1, "鬼"), ("A", 1, "車"), ("B", 1, "面"), ("A", 1, "輪")]
    placed(phone, moves, deck="unregistered")
    claim = phone.page("?flag=1").select(".acts [name=line]")[-1]
    assert claim["value"] == "A claim 1"
    phone.lays(str(claim["value"]))
    page = phone.page()
    assert not page.select(".flag.dn")
    assert "了承しますか" in text(page, ".agree")
    assert "相手が了承するまで" in text(soup(phone.get(f"/t/{phone.match}/e/7")), ".says")
    assert phone.get(f"/t/{phone.match}/e/7/proof.json").status_code == 404
    yes, no = page.select(".agree [name=line]")
    phone.lays(str(no["value"]))
    assert phone.log()[-1] == "table strike 7"
    assert not phone.page().select(".agree")
    phone.undoes()
    phone.lays(str(yes["value"]))
    assert phone.log()[-1] == "B grant 1"
    assert one(phone.page(), ".flag.dn").get_text() == "1"
    assert not phone.page().select(".agree")
    phone.undoes()
    assert phone.page().select(".agree")


def test_a_claim_may_have_been_of_another_flag_or_of_the_other_seat(phone: Phone) -> None:
    placed(phone, PROVEN).lays("A claim 1 電話機")
    page = soup(phone.get(f"/t/{phone.match}/correct/7"))
    flags, seats = page.select(".chips")
    assert [chip.get_text() for chip in flags.select(".chip")] == [*"23456789"]
    assert [chip.get_text() for chip in seats.select(".chip")] == ["B"]
    preview = soup(phone.get(str(flags.select(".chip")[0]["href"])))
    assert "A claim 2" in one(preview, "[name=line]")["value"]


# ------------------------------------------------------------------ the board


def test_order_is_free_and_the_best_one_is_shown_once_the_flag_is_decided(phone: Phone) -> None:
    placed(phone, [("A", 1, "機"), ("B", 1, "古"), ("A", 1, "電"), ("B", 1, "代"), ("A", 1, "話")])
    assert column(phone) == "機電話"
    phone.lays("A claim 1")
    assert column(phone) == "電話機"


def column(phone: Phone) -> str:
    """The near side of flag 1, from the flag outwards."""
    first = phone.page().select(".fl")[0]
    cards = [tile.contents[0] for tile in first.select(".flag ~ .kj")]
    return "".join(str(card).strip() for card in cards)


def test_filters_leave_the_cards_of_a_number_or_a_value(phone: Phone) -> None:
    placed(phone, [("A", 1, "車")])
    assert [b["value"] for b in phone.page("?only=7").select(".few button")] == ["代", "本", "英"]
    fives = {card.kanji for card in open_deck().cards if card.value == 5}
    assert {b["value"] for b in phone.page("?only=v5").select(".few button")} == fives


@pytest.mark.parametrize(
    "query", ["?flag=0", "?flag=x", "?card=車車", "?only=v9", "?flag=1:;,", "?ask"]
)
def test_an_address_that_no_page_makes_shows_the_table(phone: Phone, query: str) -> None:
    placed(phone, PROVEN)
    assert one(phone.page(query), ".flags")


def test_a_card_says_where_it_lies_and_a_full_flag_takes_no_more(phone: Phone) -> None:
    placed(phone, [*PROVEN, ("B", 2, "英")])
    page = phone.page("?card=世")
    labels = [flag["aria-label"] for flag in page.select(".flag.put")]
    assert [label.endswith("、ここへ置く") for label in labels] == [False] + 8 * [True]
    card = page.select(".fl:nth-child(1) > .flag ~ .kj")[0]
    assert card["aria-label"].endswith(" A フラッグ 1")


def test_a_breakthrough_ends_it_with_a_frame_around_its_flags(phone: Phone) -> None:
    file = Path(__file__).parents[2] / "games" / "jukugo_line" / "playthroughs" / "breakthrough.txt"
    halves = [line.split("#") for line in file.read_text(encoding="utf-8").splitlines()]
    lines = [line[0].strip() for line in halves if "legal" in line[-1].split()]
    placed(phone, [("A", 4, "電")]).lays(*lines[2:])
    page = phone.page()
    assert one(page, ".frame")["class"] == ["frame", "at3", "long3"]
    assert "中央突破" in page.get_text()
    score = soup(phone.get(f"/t/{phone.match}/score"))
    assert [row.get_text() for row in score.select(".flags-t .sum")] == ["3", "0"]
    assert "送信者" in text(score, ".flags-t")


def unmarked(page: Tag) -> list[str]:
    """Kanji in the text of an element that nothing in it or around it marks as Japanese."""
    found = []
    for piece in page.find_all(string=KANJI):  # a title has no place for a mark
        around = [tag["lang"] for tag in piece.parents if tag.get("lang")]
        if not around or around[0] != "ja":
            found.append(str(piece).strip())
    return found


def test_kanji_on_english_pages_are_marked_as_japanese(phone: Phone) -> None:
    phone.opens("jukugo_line", names=["Ann", "Bob"], leader="Ann")
    phone.lays("Ann place 1 電", "Bob place 2 古", "Ann place 1 話", "Bob place 2 代")
    phone.client.set_cookie("lang", "en")
    paths = [f"/t/{phone.match}", f"/t/{phone.match}?card=機", f"/t/{phone.match}/e/4"]
    paths += ["/check/jukugo_line", "/decks", "/decks/open"]
    pages = [soup(phone.get(path)) for path in paths]
    assert all(KANJI.search(page.get_text()) for page in pages[:3])
    assert [unmarked(one(page, "body")) for page in pages] == [[]] * len(pages)


# ------------------------------------------------ a claim whose column a correction has changed

BY_AGREEMENT = "option: adjudication=both_confirm\n"
UNREGISTERED = "deck: unregistered\n"
MOVED_AWAY = """
table deal leader=A
A place 1 多
B place 9 中
A place 1 元
B place 9 意
A place 1 的
A claim 1
B place 8 合
table amend 5 B place 9 合
"""
REFUSED = """
table deal leader=A
A place 5 牛
B place 4 鬼
A place 5 車
B place 4 面
A place 5 々
A claim 5 牛車
A grant 5
"""
TOLD = (Path(__file__).parents[2] / "games/jukugo_line/playthroughs/by-agreement.txt").read_bytes()


@pytest.mark.parametrize(
    "record",
    [
        f"{{}}{BY_AGREEMENT}{MOVED_AWAY}",
        f"{{}}{UNREGISTERED}{REFUSED}",
        TOLD,
    ],
)
def test_a_refused_entry_after_an_open_claim_leaves_every_page_as_it_was(
    record: str | bytes, tmp_path: Path
) -> None:
    """The refused entry was taken for a second claim: the page of the start failed as well."""
    if isinstance(record, str):
        record = record.format("referee: 1\ngame: jukugo_line\nseats: A B\n").encode()
    reader = pages.Reader(tmp_path)
    try:
        match = reader.take_in(records.load(record, "en", keep_illegal=True))
        view = reader.app.extensions["ledger"].view(match)
        asked = [f"/t/{match}", "/", f"/t/{match}/log"]
        asked += [f"/t/{match}/e/{seq}" for seq in range(1, len(view.log) + 1)]
        asked += [f"/t/{match}/what-if/{step.seq}" for step in view.log.steps()]
        for path in asked:
            assert reader.client.get(path).status_code == 200, path
    finally:
        reader.store.close()


def test_a_failed_claim_that_costs_the_draw_can_be_inserted_by_keys(phone: Phone) -> None:
    """Without the penalty such a claim changes nothing, and no key offers it."""
    for penalty, offered in (("none", False), ("no_draw", True)):
        placed(phone, TOO_EARLY, **{"option.failed_claim_penalty": penalty}).lays("A draw")
        page = phone.page("/correct/7?do=insert")
        found = [key["href"] for key in page.select(".picks a") if "claim" in key["href"]]
        assert bool(found) == offered
    now = soup(phone.get(found[0])).get_text(" ", strip=True).partition("いまの卓も変わります")[2]
    before, after = now.split("訂正後")
    assert "A 手札 5" in before
    assert "A 手札 4" in after
