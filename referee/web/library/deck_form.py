"""The form on which a deck is registered: thirteen ranks of four suits, filled in step by step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

from referee.core.naming import clean_name
from referee.core.record import Unreadable
from referee.http import forms
from referee.http.language import gettext as _
from referee.jukugo import library
from referee.jukugo.decks import (
    FACES,
    JOKER,
    RANKS,
    SIGNS,
    SUITS,
    VALUES,
    Card,
    KanjiDeck,
    Place,
    build,
    read_deck,
)
from referee.jukugo.words import KANJI

PLACES: tuple[Place, ...] = tuple(product(SUITS, RANKS))
NAME_LENGTH = 24
_POURED = re.compile(rf"([{KANJI}])\s*([1-5１-５]?)")
_ONE_KANJI = re.compile(f"[{KANJI}]")


class DeckFault(NamedTuple):
    """A fault of the form; ``place``: the card it is about, if any."""

    text: str
    place: Place | None = None


@dataclass(frozen=True)
class DeckDraft:
    """The form so far: ``kanji`` and ``values`` by place, as typed; "" or no key: missing.

    ``offered``: places whose value was filled in from the school years and not yet confirmed.
    ``instead``: the id of the deck that is being corrected, "" for a new one.
    """

    name: str = ""
    kanji: Mapping[Place, str] = field(default_factory=dict)
    values: Mapping[Place, str] = field(default_factory=dict)
    offered: frozenset[Place] = frozenset()
    instead: str = ""

    @property
    def written(self) -> int:
        """The number of places with a kanji."""
        return sum(bool(self.kanji.get(place)) for place in PLACES)


def read(form: Mapping[str, str]) -> DeckDraft:
    """The draft in a submitted form."""
    kanji = {place: clean_name(form.get(field_name("k", place), ""))[:8] for place in PLACES}
    values = {place: form.get(field_name("v", place), "").strip()[:2] for place in PLACES}
    name = clean_name(form.get("name", ""))[: NAME_LENGTH + 1]
    return DeckDraft(name, kanji, values, instead=form.get("instead", "")[:40])


def of_deck(deck: KanjiDeck, name: str, instead: str) -> DeckDraft:
    """The draft for correcting ``deck``, whose id is ``instead``."""
    kanji = {card.place: card.kanji for card in deck.cards}
    values = {card.place: str(card.value) for card in deck.cards}
    return DeckDraft(name, kanji, values, instead=instead)


def pour(sheet: DeckDraft, text: str) -> DeckDraft:
    """``sheet`` with ``text`` filled in: a deck file, or kanji one after the other.

    Kanji go to ♠A…K, ♥A…K, ♦, ♣; a digit from 1 to 5 after one is its value. Raises ``Unreadable``
    for a deck file with a fault, ``forms.BadForm`` for too many kanji or none.
    """
    if "," in text or "\t" in text:
        return of_deck(read_deck(text), sheet.name, sheet.instead)
    found = _POURED.findall(text.replace(JOKER, ""))
    if not found:
        raise forms.BadForm(_("漢字が見つかりません。52字を続けて、またはCSVを貼ってください。"))
    if len(found) > len(PLACES):
        raise forms.BadForm(_("%(n)s字あります。デッキは52字です。", n=len(found)))
    written = dict(zip(PLACES, found, strict=False))
    return replace(
        sheet,
        kanji={**sheet.kanji, **{place: kanji for place, (kanji, _value) in written.items()}},
        values={**sheet.values, **{place: _digit(value) for place, (_k, value) in written.items()}},
    )


def offer_values(sheet: DeckDraft) -> DeckDraft:
    """``sheet`` with missing values filled in from the school years, where these give one."""
    years = library.school_years()
    offered = {
        place: str(years[kanji])
        for place, kanji in sheet.kanji.items()
        if not sheet.values.get(place) and years.get(kanji) in VALUES
    }
    return replace(sheet, values={**sheet.values, **offered}, offered=frozenset(offered))


def faults(sheet: DeckDraft) -> list[DeckFault]:
    """All faults of the form, in the order of the places."""
    found = [DeckFault(text) for text in _of_name(sheet.name)]
    missing = [place for place in PLACES if not sheet.kanji.get(place)]
    if missing:
        where = _("・").join(map(place_name, missing[:6])) + ("…" if len(missing) > 6 else "")
        text = _("あと%(n)s字足りません：%(where)s", n=len(missing), where=where)
        found.append(DeckFault(text, missing[0]))
    return [*found, *_of_cards(sheet)]


def deck(sheet: DeckDraft) -> KanjiDeck:
    """The deck of a draft in which ``faults`` finds nothing."""
    cards = (Card(sheet.kanji[place], *place, int(sheet.values[place])) for place in PLACES)
    return build(enumerate(cards, 1))


def field_name(kind: str, place: Place) -> str:
    """The name of a form field; ``kind``: "k" for the kanji of a place, "v" for its value."""
    return f"{kind}-{place[0]}{place[1]}"


def place_name(place: Place) -> str:
    """A place as text: ♠A."""
    return SIGNS[place[0]] + FACES.get(place[1], str(place[1]))


def sentence(fault: Unreadable) -> str:
    """What is wrong with a deck file, with its line."""
    said = forms.sentence(fault)
    return _("%(line)s行目：%(said)s", line=fault.line, said=said) if fault.line else said


def _of_name(name: str) -> Iterable[str]:
    if not name:
        yield _("デッキに名前を付けてください。")
    elif len(name) > NAME_LENGTH:
        yield _("デッキの名前は%(most)s文字までです。", most=NAME_LENGTH)


def _of_cards(sheet: DeckDraft) -> Iterable[DeckFault]:
    first: dict[str, Place] = {}
    for place in PLACES:
        kanji = sheet.kanji.get(place, "")
        text = _of_card(place, kanji, sheet.values.get(place, ""), first) if kanji else ""
        if text:
            yield DeckFault(text, place)
        first.setdefault(kanji, place)


def _of_card(place: Place, kanji: str, value: str, first: Mapping[str, Place]) -> str:
    """The fault of a card, or ""; ``first``: the place at which each kanji first occurs."""
    here = place_name(place)
    if kanji == JOKER:
        return _("%(here)s：「々」はジョーカーです。ここには書きません。", here=here)
    if not _ONE_KANJI.fullmatch(kanji):
        return _("%(here)s：「%(kanji)s」は漢字1字ではありません。", here=here, kanji=kanji)
    if kanji in first:
        other = place_name(first[kanji])
        return _("%(kanji)sが%(other)sと%(here)sにあります。", kanji=kanji, other=other, here=here)
    if not value:
        return _("%(here)sの%(kanji)sに点がありません。", here=here, kanji=kanji)
    if value not in map(str, VALUES):
        return _("%(here)sの%(kanji)sの点は1から5です。", here=here, kanji=kanji)
    return ""


def _digit(text: str) -> str:
    return str(int(text)) if text else ""
