"""A group registers a game as a file: what is wrong is said, what is right becomes a table."""

from __future__ import annotations

import io

import pytest
from bs4 import BeautifulSoup
from phones import Phone, one, soup, text

from referee import shipped
from referee.games.kit import beside
from referee.web.own_games import pages

WHIST = (
    (shipped.FOLDER / "whist.toml").read_text(encoding="utf-8").replace("ホイスト", "卓のホイスト")
)
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
    page = BeautifulSoup(answer, "html.parser")
    [hole] = page.select("[role=alert]>.holes li")
    line = HOLE.split("\n").index("folow = 1") + 1
    assert "folow" in hole.get_text()
    assert word in hole.get_text()
    assert f"#line-{line}" == one(hole, "a")["href"]
    assert one(page, "textarea").get_text().strip() == HOLE.strip()
    assert "卓のホイスト" not in phone.get("/own-games").text


def test_a_file_can_be_sent(phone: Phone) -> None:
    data = {"file": (io.BytesIO(WHIST.encode()), "whist.toml"), "do": "register", "text": ""}
    assert phone.post("/own-games", data).status_code == 303


def test_a_file_with_thousands_of_choices_gets_few_remarks(phone: Phone) -> None:
    row = '[option.o%s]\non = {}\nnumbers = { from = 1, to = 100, set = "match.deals" }\n'
    status, answer = sends(phone, WHIST + "".join(row % i for i in range(32)), "check")
    assert status == 400
    assert 0 < len(BeautifulSoup(answer, "html.parser").select(".holes li")) <= 50


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
