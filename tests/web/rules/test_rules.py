"""The ruling books as pages."""

import re

import pytest
from flask import Flask
from reading_room import Room, one, words

from referee.core.record import read
from referee.games import GAMES
from referee.games.simulation import WIDEST
from referee.kit import shipped
from referee.rulings import book
from referee.rulings.report import report
from referee.web.library.rules import DealtTo, dealt_to_each, sums


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("game", list(GAMES))
def test_every_clause_and_every_ruling_is_there(room: Room, game: str, lang: str) -> None:
    page = room.get(f"/rules/{game}", **{"Accept-Language": lang})
    for japanese in page.select("bdi"):  # in the middle of an English sentence
        japanese.unwrap()
    page.smooth()
    rules = book(game)
    assert rules.common is not None
    clauses = (*rules.clauses, *rules.common.clauses)
    assert [law["id"] for law in page.select(".law > li")] == [
        clause.id
        for each in (rules, rules.common)
        for section in each.sections
        for clause in each.clauses
        if clause.section == section.id
    ]
    for clause in clauses:
        law = words(one(page, f'[id="{clause.id}"]'))
        assert " ".join(clause.text.in_(lang).split()) in law
        assert all(part in law for _number, part in rules.citations(clause.source))
        for ruling in clause.rulings:
            assert ruling.id in law
            assert " ".join(ruling.gap.in_(lang).split()) in law
            assert " ".join(ruling.why.in_(lang).split()) in law
    for option in (*rules.options, *rules.common.options):
        choices = words(one(page, f"#option-{option.key}"))
        assert option.title.in_(lang) in choices
        assert option.choices[0].text.in_(lang) in choices


def test_links_within_the_page_lead_somewhere(room: Room) -> None:
    for path in (f"/rules/{WIDEST}", room.revoke().address("rules")):
        page = room.get(path)
        links = [a["href"][1:] for a in page.select("a[href^='#']")]
        assert len(links) > 5
        for anchor in links:
            one(page, f'[id="{anchor}"]')


def test_each_game_is_listed(room: Room) -> None:
    page = room.get("/rules")
    links = [link["href"] for link in page.select(".games-l a")]
    names = (*GAMES, *shipped.games(), "common")
    assert links == [f"/rules/{name}" for name in names]
    for link in links:
        room.get(link)


def test_search_over_all_games(room: Room) -> None:
    page = room.get("/rules?q=ペア")
    assert [words(head) for head in page.select("h3")][:2] == ["ファンシー", "ペリテ（仮）"]
    laws = page.select(".law > li")
    assert words(one(page, "h2 small")) == f"{len(laws)}項目・ハウスルール1件"
    assert all("ペア" in words(law) for law in laws)
    assert one(page, "input[name=q]")["value"] == "ペア"
    link = laws[0].select_one("a")["href"]
    path, _, anchor = link.partition("#")
    one(room.get(path), f'[id="{anchor}"]')


@pytest.mark.parametrize("query", ["follow.2", "ＦＯＬＬＯＷ．２", "p8", "わざと ペア"])
def test_search_by_number_or_words(room: Room, query: str) -> None:
    page = room.get(f"/rules?q={query}")
    assert "follow.2" in [words(link) for link in page.select(".law .id a")]


def test_search_for_letters_finds_the_beginnings_of_words(room: Room) -> None:
    page = room.get("/rules?q=king", **{"Accept-Language": "en"})
    assert [words(head) for head in page.select("h3.of")] == ["Three Kings"]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_no_rules_page_shows_markup_as_text(room: Room, lang: str) -> None:
    paths = [f"/rules/{game}" for game in (*GAMES, "common")]
    paths += ["/rules?q=follow", "/rules?q=札", room.revoke().address("rules")]
    for path in paths:
        page = room.get(path, **{"Accept-Language": lang})
        assert not re.search(r"<|&\w+;", page.get_text()), path
        assert len(page.select(".law .src")) == len(page.select(".law > li")), path


def test_nothing_found(room: Room) -> None:
    page = room.get("/rules?q=<script>x</script>")
    assert "見つかりません" in words(one(page, ".void"))
    assert "「<script>x</script>」" in words(one(page, "h2.sec"))


def test_at_a_table_what_is_in_force_is_marked(room: Room) -> None:
    room.open(WIDEST, "A B", rounds="3", final_tie="replay", no_winner="void")
    page = room.get("rules")
    assert [words(row) for row in page.select(".house dt, .house dd")] == [
        "ラウンド数",
        "3ラウンド",
        "最後の同点",
        "もう1回配って決める",
    ]
    assert words(one(page, "#option-no_winner li.on")).startswith("だれも勝たない")
    assert "この卓：3ラウンド" in [words(mark) for mark in page.select(".law .set.on")]
    assert "この卓：だれも勝たない" in [words(mark) for mark in page.select(".law .set")]
    for option in (*book(WIDEST).options, *book("common").options):
        one(page, f"#option-{option.key} li.on")


def test_a_table_as_written(room: Room) -> None:
    page = room.open(WIDEST, "A B C").get("rules")
    assert "変えたハウスルールはありません" in words(one(page, ".house"))


@pytest.mark.parametrize("path", ["/rules/whist", "/rules/..", "/t/nobody/rules"])
def test_unknown_rules(room: Room, path: str) -> None:
    room.get(path, 404)


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("game", [name for name in GAMES if book(name).examples])
def test_every_example_is_worked_out_as_legal(game: str, lang: str) -> None:
    for example in book(game).examples:
        answer = report(read(example.record.encode(), GAMES), lang)
        assert [row["verdict"] for row in answer["entries"]].count("illegal") == 0
        assert answer["entries"] or answer["arithmetic"]


@pytest.mark.parametrize("game", list(GAMES))
def test_examples_remarks_and_how_to_deal_to_each_number_of_players(
    app: Flask, room: Room, game: str
) -> None:
    page, rules = room.get(f"/rules/{game}"), book(game)
    shown = words(page)
    for said in (*(e.title.ja for e in rules.examples), *(r.text.ja for r in rules.remarks)):
        assert " ".join(said.split()) in shown
    assert ("原文にない目安" in shown) is not rules.timed
    rows = page.select("#dealings + dl > *")
    assert [words(row) for row in rows[::2]] == [f"{row.seats}人" for row in dealings(app, game)]
    for number, said in enumerate(rows[1::2]):
        found = room.open(game, " ".join(f"P{n}" for n in range(dealings(app, game)[number].seats)))
        steps = found.get("menu").select(".deal-steps li")
        assert words(said) == " ".join(map(words, steps))


def dealings(app: Flask, game: str) -> list[DealtTo]:
    with app.test_request_context():
        return dealt_to_each(game)


def test_a_possessive_stays_on_the_line_of_its_name() -> None:
    assert sums("Ken's total, Mary's", ["Ken", "Mary"]) == (
        """<span class="eq">Ken&#39;s</span> total, <span class="eq">Mary&#39;s</span>"""
    )


@pytest.mark.parametrize("game", [*GAMES, *shipped.games()])
def test_every_game_has_an_empty_score_sheet_to_print(room: Room, game: str) -> None:
    rules = room.get(f"/rules/{game}")
    address = f"/rules/{game}/sheet"
    assert rules.select(f'a[href="{address}"]')
    assert all(page.select("[data-print][hidden]") for page in (rules, room.get(address)))
    rows = room.get(address).select("table.blank tr")
    most = GAMES[game].SEATS[-1] if game in GAMES else 8
    assert [len(row.select("td")) for row in rows] == [min(most, 8)] * 22
    assert not any(cell.get_text() for row in rows for cell in row.select("td"))


@pytest.mark.parametrize("name", ["common", "nothing"])
def test_rules_without_a_game_have_no_score_sheet(app: Flask, name: str) -> None:
    assert app.test_client().get(f"/rules/{name}/sheet").status_code == 404
