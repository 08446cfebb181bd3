"""A group registers a game as a file: what is wrong is said, what is right becomes a table."""

from __future__ import annotations

import io

import pytest
from kit_deals import FILES
from parsed import parsed
from phones import Phone, one, soup, text
from test_access import link

from referee.games import GAMES
from referee.kit import beside, shipped
from referee.web.own_games import pages

WHIST = (
    (shipped.FOLDER / "whist.toml").read_text(encoding="utf-8").replace("ホイスト", "卓のホイスト")
)
CORSAIRS = (FILES / "files" / "corsairs.toml").read_text(encoding="utf-8")
HOLE = WHIST.replace("[play]", "[play]\nfolow = 1")


def sends(phone: Phone, source: str, do: str, lang: str = "ja") -> tuple[int, str]:
    headers = {"Accept-Language": lang}
    answer = phone.post("/own-games", {"text": source, "do": do}, **headers)
    return answer.status_code, answer.location if answer.status_code == 303 else answer.text


def test_a_registered_game_opens_a_table(phone: Phone) -> None:
    status, to = sends(phone, WHIST, "register")
    assert status == 303
    page = soup(phone.get(to))
    assert text(page, "h1") == "卓のホイスト"
    offered = soup(phone.get(str(one(page, "a.btn.go")["href"])))
    assert one(offered, "input[name=game]")["value"] == to.rpartition("/")[2]
    assert "卓のホイスト" in phone.get("/own-games").text
    assert phone.get(f"{to}.toml").text == WHIST
    phone.post(f"{to}/away", {})
    assert phone.get(to).status_code == 404
    assert phone.get(f"/rules/{to.rpartition('/')[2]}").status_code == 200


@pytest.mark.parametrize(("lang", "word"), [("ja", "行"), ("en", "Line ")])
def test_a_fault_has_its_line_and_a_sentence_and_is_not_registered(
    phone: Phone, lang: str, word: str
) -> None:
    status, answer = sends(phone, HOLE, "register", lang)
    assert status == 400
    page = parsed(answer)
    [hole] = page.select("[role=alert]>.holes li")
    line = HOLE.split("\n").index("folow = 1") + 1
    assert "folow" in hole.get_text()
    assert word in hole.get_text()
    assert f"#line-{line}" == one(hole, "a")["href"]
    assert one(page, "textarea").get_text().strip() == HOLE.strip()
    assert "卓のホイスト" not in phone.get("/own-games").text


def test_pages_of_a_file_without_source_claim_none(phone: Phone) -> None:
    """A file that names no source was not rewritten from one; its ids break at the dot only."""
    _, to = sends(phone, CORSAIRS, "register")
    name = to.rpartition("/")[2]
    rules = soup(phone.get(f"/rules/{name}"))
    assert "書き直した" not in text(rules, "main")
    assert "書き直した" in text(soup(phone.get(f"/rules/{next(iter(GAMES))}")), "main")
    assert "score.<wbr/>missed" in str(one(rules, '[id="score.missed"] .id'))
    assert "バージョン 1" in text(soup(phone.get(to)), ".lead + .lead")
    page = soup(phone.get(f"/new?game={name}&name=A&name=B&name=C"))
    assert "カードは65枚。" in text(page, "#new")
    assert "ペアーズ1組" not in text(page, "#new")


def test_a_note_with_the_id_of_its_rule_shows_no_second_id(phone: Phone) -> None:
    _, to = sends(phone, WHIST, "register")
    rule = one(soup(phone.get(f"/rules/{to.rpartition('/')[2]}")), '[id="score.odd"] .id')
    assert rule.get_text(" ", strip=True).split() == ["score.", "odd", "補"]


def test_a_file_can_be_sent(phone: Phone) -> None:
    data = {"file": (io.BytesIO(WHIST.encode()), "whist.toml"), "do": "register", "text": ""}
    assert phone.post("/own-games", data).status_code == 303


def test_a_file_with_thousands_of_choices_gets_few_remarks(phone: Phone) -> None:
    row = '[option.o%s]\non = {}\nnumbers = { from = 1, to = 100, set = "match.deals" }\n'
    status, answer = sends(phone, WHIST + "".join(row % i for i in range(32)), "check")
    assert status == 400
    assert 0 < len(parsed(answer).select(".holes li")) <= 50


def test_what_is_no_file_is_refused_cheaply(phone: Phone) -> None:
    for source in ("", "\0", "[" * 5000, "a = " + "[" * 6000, "x" * 60_000, "é" * 40_000):
        assert sends(phone, source, "register")[0] in (400, 413)


def test_all_games_of_a_group_stay_in_memory(phone: Phone) -> None:
    """A page that lists them would read every file again, which takes seconds for a hundred."""
    assert beside.loaded.cache_parameters()["maxsize"] > 3 * pages.MOST_GAMES
    assert sends(phone, WHIST, "register")[0] == 303
    phone.get("/own-games")
    before = beside.loaded.cache_info().misses
    phone.get("/own-games")
    assert beside.loaded.cache_info().misses == before


def test_a_file_is_read_by_its_group_and_at_its_tables_alone(phone: Phone, guest: Phone) -> None:
    """Its name, which contains 12 digits of its hash, is part of records and gives no access."""
    _, to = sends(phone, WHIST, "register")
    name = to.rpartition("/")[2]
    guest.opens()  # makes a group of the guest's own
    phones = phone, guest
    pages = f"/rules/{name}", f"/new?game={name}&name=A&name=B&name=C&name=D", f"{to}.toml"

    def readers(path: str) -> list[bool]:
        return ["卓のホイスト" in each.get(path).text for each in phones]

    def kept(by: Phone) -> int:
        """The status of the answer to a record that names the file."""
        source = io.BytesIO(record.encode())
        sent = {"file": (source, "whist.txt"), "seats": "A B C D"}
        return by.client.post("/history/import", data=sent).status_code

    record = f"referee: 1\ngame: whist\nkit: {name.rpartition('-')[2]}\nseats: A B C D\n\n"
    assert [readers(path) for path in pages] == [[True, False]] * 3
    assert [kept(by) for by in phones] == [303, 400]
    table = {"game": name, "name": ["A", "B", "C", "D"], "leader": "A"}
    answers = [by.post("/new", table) for by in reversed(phones)]
    assert [answer.status_code for answer in answers] == [400, 303]
    phone.match = answers[1].location.rpartition("/")[2].partition("?")[0]
    guest.get(link(phone))
    phone.post(f"{to}/away", {})
    assert readers(pages[0]) == [True, True]
