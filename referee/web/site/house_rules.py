"""What a group has agreed on before: decisions of earlier tables, and the house rules it chose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from referee.core.game import COMMON_OPTIONS, Game, Option, clash
from referee.kit.game import KitGame
from referee.ledger import View
from referee.store import HouseRule
from referee.web.http import access, guarded, language
from referee.web.http.current import BOOKS, ledger

LOOKED_AT = 24  # matches, the newest


class Chosen(NamedTuple):
    """The house rules of a match, with the game as it is named in records."""

    game: str
    options: Mapping[str, str]


class OurRules(NamedTuple):
    """House rules that the group has played with: ``says`` has each rule with its choice."""

    options: Mapping[str, str]
    says: tuple[tuple[str, str], ...]


def decisions(game: str) -> list[HouseRule]:
    """The decisions that this phone's group has made house rules."""
    circle = access.circle()
    return ledger().store.house_rules(circle, game) if circle else []


def agreed(game: str, form: MultiDict[str, str]) -> list[str]:
    """Decisions of earlier tables that the form selects as house rules."""
    chosen = form.getlist("agreed")
    return [rule.text for rule in decisions(game) if f"{rule.match} {rule.seq}" in chosen]


def choices(game: Game) -> dict[str, Option]:
    """The house rules of ``game`` that leave a choice."""
    known = {**game.OPTIONS, **COMMON_OPTIONS}
    return {key: option for key, option in known.items() if len(option.values) > 1 or option.number}


def ours(game: Game) -> OurRules | None:
    """The house rules with which this phone's group played the game last.

    None if it has always played as the rules are. The game of a file may have changed since: what
    it does not know any more is left out.
    """
    circle, known = access.circle(), choices(game)
    rows = access.circles().matches(circle, LOOKED_AT) if circle else []
    for played in guarded.each([row.id for row in rows], _chosen).values():
        if played.game == _name(game) and played.options:
            options = {
                k: v for k, v in played.options.items() if k in known and _reads(known[k], v)
            }
            if options and not clash(options, known):
                return OurRules(options, _said(game, options))
    return None


def _chosen(view: View) -> Chosen:
    return Chosen(_name(view.game), dict(view.header.options))


def _name(game: Game) -> str:
    """The name of a game, which all versions of a file have."""
    return game.KEY if isinstance(game, KitGame) else game.NAME


def _reads(option: Option, value: str) -> bool:
    try:
        return option.read(value) != option.default
    except ValueError:
        return False


def _said(game: Game, options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    rules, lang = BOOKS[game.NAME], language.current()
    found = []
    for key, value in options.items():
        rule = rules.option(key)
        texts = {choice.value: choice.text.in_(lang) for choice in rule.choices}
        found.append((rule.title.in_(lang), texts.get(value, value)))
    return tuple(found)
