"""A first game file: from questions, from a copy, and with sample tricks as examples."""

from __future__ import annotations

import re

import pytest
from phones import Phone, soup

from referee.kit import shipped
from referee.kit.beginning import QUESTIONS
from referee.kit.check import check
from referee.kit.game import KitGame
from referee.kit.recipes import recipes
from referee.web.own_games.samples import samples
from referee.web.own_games.trial import seats_of

TRICK_TAKING = [
    game for game in shipped.games().values() if game.document.values["family"] == "trick_taking"
]


def answers(**own: str) -> dict[str, str]:
    """The answers that the form offers first."""
    first = {q.key: q.choices[0].value if q.choices else q.default for q in QUESTIONS}
    return first | own


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_form_makes_a_file_without_faults(phone: Phone, lang: str) -> None:
    phone.client.set_cookie("lang", lang)
    form = soup(phone.get("/own-games/begin"))
    named = {str(field["name"]) for field in form.select("main [name]")}
    assert named == {question.key for question in QUESTIONS}
    made = phone.post("/own-games/begin", answers(key="evening", score="bids"))
    assert made.status_code == 200
    page = soup(made)
    [area] = page.select("textarea")
    found, notes = check(area.get_text().strip().encode(), quick=True)
    assert found is not None
    assert found.KEY == "evening"
    assert not [note for note in notes if not note.only_note]
    assert len(page.select(".samples li")) == 3


@pytest.mark.parametrize(
    "wrong", [{"key": "My Game"}, {"deck": "tarot"}, {"count": "0"}, {"ja": 'a"b'}, {"hand": ""}]
)
def test_a_wrong_answer_is_said_and_the_others_stay(phone: Phone, wrong: dict[str, str]) -> None:
    made = phone.post("/own-games/begin", answers(en="Evening") | wrong)
    assert made.status_code == 400
    page = soup(made)
    assert page.select("[role=alert]")
    assert page.select('input[name=en][value="Evening"]')


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_known_rule_can_be_copied(phone: Phone, lang: str) -> None:
    phone.client.set_cookie("lang", lang)
    page = soup(phone.get("/own-games/rules"))
    rows = [row for topic in recipes() for row in topic.recipes]
    assert [code.get_text() for code in page.select("code")] == ["\n".join(r.code) for r in rows]
    assert {str(a["href"]) for a in page.select(".chips a")} == {f"#{t.id}" for t in recipes()}
    for row in rows:
        tongues = re.findall(r"\b(ja|en) = ", "\n".join(row.code))
        assert tongues.count("ja") == tongues.count("en"), row.text.en


def test_a_copy_is_where_one_can_begin(phone: Phone) -> None:
    links = [str(a["href"]) for a in soup(phone.get("/own-games")).select(".chips a")]
    assert len(links) >= len(shipped.games())
    [area] = soup(phone.get(links[0])).select("textarea")
    assert area.get_text().strip() in {game.text.strip() for game in shipped.games().values()}


def test_a_confirmed_trick_becomes_an_example(phone: Phone) -> None:
    game = TRICK_TAKING[0]
    checked = soup(phone.post("/own-games", {"text": game.text, "do": "check"}))
    rows = checked.select(".samples li")
    assert len(rows) == 3
    done = phone.post("/own-games", {"text": game.text, "right": "1"})
    page = soup(done)
    assert len(page.select(".samples li")) == 2, "it is not asked again"
    text = page.select("textarea")[0].get_text().strip()
    assert text.count("[[example]]") == game.text.count("[[example]]") + 1
    found, notes = check(text.encode())
    assert found is not None
    assert not [note for note in notes if not note.only_note]
    assert phone.post("/own-games", {"text": game.text, "right": "9"}).status_code == 400
    assert phone.post("/own-games", {"text": game.text, "right": "x"}).status_code == 400


@pytest.mark.parametrize("game", TRICK_TAKING, ids=lambda game: game.KEY)
def test_samples_come_out_as_they_are_written(game: KitGame) -> None:
    tricks = samples(game, seats_of(game))
    assert len(tricks) == 3
    assert len({trick.kind for trick in tricks}) == 3
    text = "\n\n".join([game.text, *(trick.example() for trick in tricks)])
    found, notes = check(text.encode())
    assert found is not None
    assert not [note for note in notes if not note.only_note]
