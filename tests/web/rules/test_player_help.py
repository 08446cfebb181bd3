"""The help for players: what it says is what the app has and does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from phones import Phone, soup, text

from referee.web.site.player_help import HEADS, KEY, markdown, texts

ROOT = Path(__file__).parents[3]
HELP = texts()
SAID = (*HELP.steps, *(one.means for one in HELP.verdicts), *(one.answer for one in HELP.questions))


def test_the_keys_it_names_are_those_of_the_app() -> None:
    """In both languages: the label in the Japanese text, and its translation in the English one."""
    with (ROOT / "referee/translations/en/LC_MESSAGES/messages.po").open("rb") as file:
        every = sorted(read_po(file, locale="en"), key=lambda message: message.context is None)
    labels = {message.id: message.string for message in every}  # rather without a context
    named = 0
    for said in SAID:
        ja, en = KEY.findall(said.ja), KEY.findall(said.en)
        assert sorted(str(labels[key]) for key in ja) == sorted(en), said.ja
        named += len(ja)
    assert named > 20
    assert all(labels[head.ja] == head.en for head in HEADS.values())


@pytest.mark.parametrize(("lang", "page"), [("ja", "help.ja.md"), ("en", "help.md")])
def test_the_docs_say_the_same(lang: str, page: str) -> None:
    assert (ROOT / "docs" / page).read_text("utf-8") == markdown(lang), (
        "run python -m tools.player_help"
    )


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_page_has_every_question_and_its_answer(phone: Phone, lang: str) -> None:
    phone.client.set_cookie("lang", lang)
    page = soup(phone.client.get("/help"))
    for one in HELP.questions:
        said = text(page, f"#{one.id}")
        assert KEY.sub(r"\1", one.ask.in_(lang)) in said
    assert [tag.get("id") for tag in page.select(".faq > li")] == [
        one.id for one in HELP.questions[:-1]
    ]
    assert not page.select(".faq [open]")
    assert len(page.select(".v3 > li")) == 3


def test_home_the_menu_and_a_refusal_lead_there(phone: Phone) -> None:
    assert soup(phone.client.get("/")).select('a[href="/help"]')
    phone.opens()
    assert soup(phone.get(f"/t/{phone.match}/menu")).select('a[href="/help"]')
    phone.lays("table deal leader=A", "A lay 4")
    refused = phone.lays("A lay 5")  # it is B's turn
    [why] = soup(refused).select('.strip.refused a[href^="/help"]')
    address = re.sub("#.*", "", str(why["href"]))
    page = soup(phone.client.get(address))
    assert [tag.get("id") for tag in page.select(".faq > li:has([open])")] == ["refused"]
