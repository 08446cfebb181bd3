"""The table's own equipment for a game: deck, words, agreements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from referee.core.game import Game
from referee.core.generic import Play
from referee.core.naming import clean_name
from referee.core.record import CALLED, MOST_CALLED
from referee.http import forms, shelf
from referee.http.language import gettext as _
from referee.http.language import pgettext
from referee.jukugo import library
from referee.jukugo.equipment import NO_DECK
from referee.jukugo.words import STANDARD
from referee.ledger import View


class Thing(NamedTuple):
    """One thing to choose for a table, as text."""

    value: str
    text: str
    note: str


class Equipment(NamedTuple):
    """Things of which a table chooses one; ``key``: the header's key; the default comes first."""

    key: str
    title: str
    things: tuple[Thing, ...]


def equipment(game: Game) -> tuple[Equipment, ...]:
    """The choices of equipment for ``game``; none for most games."""
    offered = {"deck": (pgettext("choice", "デッキ"), _decks), "words": (_("辞書"), _words)}
    return tuple(
        Equipment(key, title, things())
        for key in game.HOOKS.equipment
        if key in offered
        for title, things in [offered[key]]
    )


def chosen(game: Game, form: Mapping[str, str]) -> dict[str, str]:
    """The choices in the form; raises ``BadForm`` for values that the page never sends."""
    named = {CALLED: called(form)} if CALLED in game.HOOKS.equipment else {}
    for key, _title, things in equipment(game):
        value = form.get(key, things[0].value)
        if value not in [thing.value for thing in things]:
            raise forms.BadForm(_("そのデッキか辞書は、もうありません。選び直してください。"))
        named[key] = value
    return named


def called(form: Mapping[str, str]) -> str:
    """What the people call their game, as the form says it; "" if it does not."""
    name = clean_name(form.get(CALLED, ""))
    if len(name) > MOST_CALLED:
        raise forms.BadForm(_("ゲームの名前は%(n)s文字までです。", n=MOST_CALLED))
    return name


def pinned(named: Mapping[str, str]) -> dict[str, str]:
    """``named`` with the present edition of the words, so that its meaning never changes."""
    return {key: library.pinned(name) if key == "words" else name for key, name in named.items()}


def brought_along(view: View) -> Iterable[Play]:
    """The plays by which this table takes over what the circle agreed on at earlier ones."""
    agreed = {form: bool(held.counts) for form, held in shelf.agreed().items()}
    return view.game.HOOKS.brought_along(view.log.table, agreed)


def _decks() -> tuple[Thing, ...]:
    return (
        Thing(library.OPEN, _("札見のデッキ"), _("印刷して使える54枚")),
        *(Thing(deck.id, deck.name, _("登録したデッキ")) for deck in shelf.decks()),
        Thing(NO_DECK, _("登録しない"), _("宣言は2人で確かめる")),
    )


def _words() -> tuple[Thing, ...]:
    return (
        Thing(STANDARD, _("標準"), _("一般的な国語辞典くらい")),
        Thing("strict", _("厳格"), _("だれでも知っている語だけ")),
        Thing("liberal", _("寛大"), _("まれな語、古い語も")),
    )
