"""The start page."""

from __future__ import annotations

from phones import Phone, one, soup, text

from referee.games.simulation import WIDEST
from referee.kit import shipped


def test_an_empty_start_page_leads_to_a_new_table(phone: Phone) -> None:
    page = soup(phone.get("/"))
    assert one(page, "main a.go")["href"] == "/new"
    assert "まだゲームが" in text(page, ".void h2")


def test_the_history_and_so_the_import_is_reached_from_any_start_page(phone: Phone) -> None:
    assert one(soup(phone.get("/")), ".more [href='/history']").get_text() == "履歴"
    assert one(soup(phone.get("/history")), "main [href='/history/files']")
    phone.opens()
    assert one(soup(phone.get("/")), ".more [href='/history']")
    phone.opens(names=["A"], leader="A").lays("A lay 1", "A lay 2")
    assert one(soup(phone.get("/")), ".more [href='/history']")


def test_a_table_going_on_says_whose_turn_it_is(phone: Phone) -> None:
    phone.opens().lays("A lay 4")
    row = one(soup(phone.get("/")), ".rows .row")
    assert row["href"] == f"/t/{phone.match}"
    assert "Bの手番" in row.get_text()


def test_a_finished_match_shows_its_winner_and_leads_to_the_score(phone: Phone) -> None:
    phone.opens(names=["A"]).lays("A lay 1", "A lay 2")
    row = one(soup(phone.get("/")), ".rows .row")
    assert row["href"] == f"/t/{phone.match}/score"
    assert "Aの勝ち" in row.get_text()


def test_a_name_with_markup_is_shown_as_text(phone: Phone) -> None:
    phone.opens(names=["<b onclick=x>", "B"], leader="<b onclick=x>")
    answer = phone.get("/")
    assert "<b onclick" not in answer.text
    assert "<b onclick=x>の手番" in one(soup(answer), ".row").get_text()


def test_pages_carry_the_headers_that_keep_them_to_themselves(phone: Phone) -> None:
    headers = phone.get("/").headers
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"


def test_static_files_may_be_kept_because_their_address_changes_with_them(phone: Phone) -> None:
    sheets = [link["href"] for link in soup(phone.get("/")).select("link[rel=stylesheet]")]
    assert sheets
    for address in sheets:
        answer = phone.get(str(address))
        assert "v=" in str(address)
        assert answer.cache_control.max_age == 365 * 24 * 60 * 60
        answer.close()


def test_no_page_has_inline_script_or_style(phone: Phone) -> None:
    phone.opens()
    for path in ("/", "/new", f"/t/{phone.match}", f"/t/{phone.match}/show/A", "/nowhere"):
        page = soup(phone.get(path))
        assert not page.select("style, [style]"), path
        assert all(script.get("src") for script in page.select("script")), path
        attributes = {name for tag in page.find_all(True) for name in tag.attrs}
        assert not [name for name in attributes if name.startswith(("on", "hx-on"))], path


def test_games_of_files_are_on_the_start_page(phone: Phone) -> None:
    """Whist and the others could be found only by opening a new table."""
    whist = next(name for name in shipped.games() if name.startswith("whist"))
    page = soup(phone.get("/"))
    assert not page.select(f".game[href$='game={whist}']")
    assert one(page, ".game[href*='all=1']")
    phone.opens(whist, ["A", "B", "C", "D"])
    assert one(soup(phone.get("/")), f".game[href$='game={whist}']")


def test_a_phone_without_a_group_reads_the_games_that_come_with_the_program(phone: Phone) -> None:
    """Each of them answered that this phone may not open the page."""
    for name in shipped.games():
        for path in (f"/own-games/{name}", f"/rules/{name}", f"/own-games/{name}/try"):
            assert phone.get(path).status_code == 200, path


def test_a_second_phone_as_a_spare_is_suggested_after_the_first_game_alone(phone: Phone) -> None:
    for games in range(3):
        assert bool(soup(phone.get("/")).select("a[href='/circle#link']")) == (games == 1)
        phone.opens(WIDEST, ["A", "B", "C"])
        phone.lays("table stop")
