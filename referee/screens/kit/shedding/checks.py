"""Quick check of shedding games: may these cards be played on those?"""

from __future__ import annotations

from typing import cast

from referee.core.situation import ImpossibleSituation
from referee.core.verdict import Illegal
from referee.http.language import gettext as _
from referee.kit.families.shedding.evidence import brought_about
from referee.kit.families.shedding.game import SheddingGame
from referee.kit.families.shedding.plays import Lay
from referee.kit.families.shedding.rules import SheddingRules
from referee.kit.families.shedding.situation import THERE, PlayAsked, TopDescribed, lead, situation
from referee.screens import quick_check
from referee.screens.kit import checks
from referee.screens.kit.names import KitNames
from referee.screens.quick_check import (
    CheckAnswer,
    CheckAnswers,
    CheckField,
    CheckInput,
    CheckSetting,
    QuickCheck,
)

CHAPTERS = ("deck", "groups", "values", "order", "combo", "beat", "effect", "play", "finish")


def questions(game: SheddingGame, names: KitNames) -> tuple[QuickCheck, ...]:
    """The quick checks of a game."""

    def fields(entered: CheckInput) -> tuple[CheckField, ...]:
        return _fields(entered, names)

    return (
        QuickCheck(
            "follow",
            lambda: _("場のカードに、このカードを出せるか"),
            range(game.SEATS[0], game.SEATS[-1] + 1),
            fields,
            quick_check.possible(_existing),
            _answer,
            checks.options(game, CHAPTERS),
            _settings,
        ),
    )


def _game(entered: CheckInput) -> SheddingGame:
    return cast(SheddingGame, checks.game_of(entered))


def _rules(entered: CheckInput) -> SheddingRules:
    return _game(entered).rules(entered.table())


def _written(rules: SheddingRules) -> tuple[str, ...]:
    """The cards as the pad writes them: by rank alone where no rule looks at suits."""
    cards = rules.cards
    if not rules.open:
        return tuple(map(str, cards.deck.cards))
    specials = (str(card) for card in cards.deck.cards if not cards.rank[str(card)])
    return (*cards.order, *specials)


def _verbs(rules: SheddingRules) -> set[str]:
    return {verb for row in rules.effects for verb in row.do}


def _fields(entered: CheckInput, names: KitNames) -> tuple[CheckField, ...]:
    rules = _rules(entered)
    keys = _written(rules)
    drawn = checks.faces(names, keys)
    hint = _("1枚ずつ。場に何もなければ、空のまま。")
    lies = CheckField("lies", _("場に出ているカード"), keys, hint=hint, faces=True, spelled=drawn)
    lay = lies._replace(key="lay", title=_("出すカード"), hint=_("1枚ずつ。"))
    if "lock suits" not in _verbs(rules):
        return lies, lay
    locked = CheckField(
        "locked",
        _("縛りのマーク"),
        tuple(rules.cards.suits),
        hint=_("縛られているマーク。なければ、空のまま。"),
        faces=True,
        spelled=checks.faces(names, rules.cards.suits),
    )
    return lies, locked, lay


def _settings(entered: CheckInput) -> tuple[CheckSetting, ...]:
    rules = _rules(entered)
    verbs, low, high = _verbs(rules), rules.cards.order[0], rules.cards.order[-1]
    orders = [("usual", _("いつもどおり（%(rank)sが強い）", rank=high))]
    if "reverse deal" in verbs:
        orders.append(("deal", _("革命で逆（%(rank)sが強い）", rank=low)))
    if "reverse trick" in verbs:
        orders.append(("trick", _("流れるまで逆（%(rank)sが強い）", rank=low)))
    found = []
    if len(orders) > 1:
        found.append(CheckSetting("order", _("強さの順"), tuple(orders)))
    if "lock rank" in verbs:
        found.append(CheckSetting("rank", _("数縛り"), (("no", _("なし")), ("yes", _("縛り中")))))
    if len(entered.seats) > 2 and not rules.pass_again:
        passed = (("no", _("まだパスしていない")), ("yes", _("パス済み")))
        found.append(CheckSetting("passed", _("出す人"), passed))
    if rules.finish.foul is not None:
        last = (("no", _("まだ残る")), ("yes", _("なくなる（上がる）")))
        found.append(CheckSetting("last", _("出したあとの手札"), last))
    return tuple(found)


def _described(entered: CheckInput, **fields: str) -> TopDescribed:
    """What the person says is on the table; ``fields`` replace settings."""
    rules, said = _rules(entered), {**entered.chosen, **fields}
    known, order = _written(rules), said.get("order")
    locked = checks.cards(entered, "locked", rules.cards.suits) if "locked" in entered.texts else ()
    for suit in locked:
        if suit not in rules.cards.suits:
            message = _("「%(word)s」というマークはありません。", word=suit[:40])
            raise quick_check.CheckFault("locked", message)
    last = said.get("last") == "yes"
    return TopDescribed(
        lies=checks.cards(entered, "lies", (*known, *rules.cards.known)),
        turned_deal=order == "deal",
        turned_trick=order == "trick",
        suits=locked,
        rank=said.get("rank") == "yes",
        held=len(_laid(entered)) if last else 0,
        passed=said.get("passed") == "yes",
    )


def _laid(entered: CheckInput) -> tuple[str, ...]:
    rules = _rules(entered)
    return checks.cards(entered, "lay", (*_written(rules), *rules.cards.known))


def _existing(entered: CheckInput) -> None:
    """Refuse cards that are not there. What they beat is what the check answers."""
    game, table = _game(entered), entered.table()
    top, lay = _described(entered, passed="no"), _laid(entered)
    alone = lead(game, table, top)
    there = ("lies", top.lies), ("lay", (*top.lies, *lay))
    for field, cards in there:
        verdict = game.judge(alone, Lay(table.seats[0], cards)) if cards else None
        if isinstance(verdict, Illegal) and verdict.clause.startswith(THERE):
            raise ImpossibleSituation(field, verdict)


def _answer(entered: CheckInput) -> CheckAnswers:
    _existing(entered)
    game, cards, top = _game(entered), _laid(entered), _described(entered)
    if not cards:
        return ()
    try:
        asked = situation(game, entered.table(), top)
    except ImpossibleSituation as fault:
        title = _("場のカードは、出せる組み合わせではありません")
        return (quick_check.judged(entered.game, title, fault.verdict),)
    return (*_cleared(entered, top, asked), _judged(entered, asked, cards))


def _cleared(entered: CheckInput, top: TopDescribed, asked: PlayAsked) -> CheckAnswers:
    """That the cards on top have cleared the trick, so that nothing lies there any more."""
    if not top.lies or asked.state.trick.plays or top.passed:
        return ()
    game, before = _game(entered), lead(_game(entered), entered.table(), top)
    play = Lay(entered.seats[0], top.lies)
    verdict = game.judge(before, play)
    answer = quick_check.judged(entered.game, _("場のカードで流れます"), verdict)
    facts = brought_about(before, game.apply(before, play))
    return (answer._replace(why=quick_check.says(entered.game, facts)),)


def _judged(entered: CheckInput, asked: PlayAsked, cards: tuple[str, ...]) -> CheckAnswer:
    """The verdict on the play, and what it brings about."""
    game, play = _game(entered), Lay(asked.seat, cards)
    verdict = game.judge(asked.state, play)
    if isinstance(verdict, Illegal):
        return quick_check.judged(entered.game, _("出せません"), verdict)
    after = game.apply(asked.state, play)
    title = _("出すと反則上がりです") if asked.seat in after.round.fouls else _("出せます")
    answer = quick_check.judged(entered.game, title, verdict)
    facts = brought_about(asked.state, after)
    return answer._replace(why=(*answer.why, *quick_check.says(entered.game, facts)))
