"""What a group has agreed on before: decisions of earlier tables, and the house rules it chose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from referee.core.game import COMMON_OPTIONS, Game, Option, clash
from referee.core.record import Unreadable
from referee.headers import header_of
from referee.http import access, language
from referee.http.current import BOOKS, ledger
from referee.kit.game import name_in_records
from referee.store import HouseRule, NoSuchMatch
from referee.web.site.last_time import latest


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
    known = choices(game)
    name = name_in_records(game)
    for row in latest():
        try:
            header = header_of(ledger().store, row.id)
        except (Unreadable, NoSuchMatch):  # its own page says so
            continue
        if header.game != name:
            continue
        options = {k: v for k, v in header.options.items() if k in known and _reads(known[k], v)}
        if options and not clash(options, known):
            return OurRules(options, _said(game, options))
    return None


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
