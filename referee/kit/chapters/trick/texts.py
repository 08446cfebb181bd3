"""What the rules of a game say of winning a trick, and of the next one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from referee.core.book import Text
from referee.kit.chapters.trick import Class
from referee.kit.saying import FileWords, own_text
from referee.kit.text.formula import Node, of_one_suit

EQUAL: Mapping[str, Text] = {
    "first": Text("同じカードなら先に出した方が勝つ。", "Of equal cards the first wins."),
    "last": Text("同じカードなら後に出した方が勝つ。", "Of equal cards the last wins."),
    "cancel": Text("同じカードは、どれも勝てない。", "Equal cards cannot win."),
    "turn_down": Text(
        "同じカードが出たら、両方をすぐ裏返す。裏のカードは勝てない。",
        "Two equal cards are turned face down at once and cannot win.",
    ),
}

EQUAL_NUMBERS: Mapping[str, Text] = {
    "first": Text(
        "同じ数字のカードなら先に出した方が勝つ。", "Of cards of the same number the first wins."
    ),
    "last": Text(
        "同じ数字のカードなら後に出した方が勝つ。", "Of cards of the same number the last wins."
    ),
    "cancel": Text("同じ数字のカードは、どれも勝てない。", "Cards of the same number cannot win."),
    "turn_down": Text(
        "同じ数字のカードが出たら、両方をすぐ裏返す。裏のカードは勝てない。",
        "Two cards of the same number are turned face down at once and cannot win.",
    ),
}

NONE: Mapping[str, Text] = {
    "nobody": Text(
        "勝てるカードがなければ、だれも取らない。", "If no card can win, nobody takes it."
    ),
    "last": Text(
        "勝てるカードがなければ、最後に出した人が取る。",
        "If no card can win, the last to play takes it.",
    ),
}

NEXT: Mapping[str, Text] = {
    "winner": Text("勝った人が次のリードをする。", "The winner leads next."),
    "same": Text("同じ人が次のリードをする。", "The same player leads next."),
    "left": Text(
        "リードした人の左どなりの人が次のリードをする。",
        "The player left of the leader leads next.",
    ),
}

EQUALS_LEAD = (
    Text("（同じなら先のカード）", " (the first of equals)"),
    Text("（同じなら後のカード）", " (the last of equals)"),
)


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    rules = file.rules
    yield from _wins(file)
    across = any(map(partial(_has_equals, file), rules.trick.classes))
    equal = rules.trick.equals.how
    asked = equal != "first" and not rules.trick.leads  # a list for the next lead says it
    if max(rules.cards.deck.copies) > 1 or asked or across:
        by_rank = file.source.word("trick", "equal_by", default="card") == "rank"
        by_rank = by_rank or (across and equal in ("first", "last"))
        yield "equal.1", (EQUAL_NUMBERS if by_rank else EQUAL)[equal]
    yield from _after_trick(file)


def _wins(file: FileWords) -> Iterator[tuple[str, Text]]:
    """Which card takes a trick: a clause for each class of cards."""
    for i, best in enumerate(file.rules.trick.classes, 1):
        cards, only_if = _cards_of(file, best)
        these = _best_card(best, cards)
        made = Text(f"{these.ja}が勝つ。", f"{these.en[:1].upper()}{these.en[1:]} wins{only_if}.")
        unless = Text("", "") if i == 1 else _unless(file.rules.trick.classes[i - 2])
        if best.nobody and best.condition is not None:
            when = file.words(best.condition)
            nobody = "Nobody" if i == 1 else "nobody"
            made = Text(
                f"{unless.ja}{when.ja}なら、だれも勝たない。",
                f"{unless.en}{nobody} wins if {when.en}.",
            )
        elif i > 1:
            made = Text(f"{unless.ja}{these.ja}。", f"{unless.en}{these.en}{only_if}.")
        yield f"win.{i}", own_text(file.source.at("trick", "best", i - 1), made)


def _cards_of(file: FileWords, best: Class) -> tuple[Text, str]:
    """The cards of a class in words; in English its condition stands after the verb."""
    cards = file.words(best.text)
    if best.when is None or best.condition is None:
        return cards, ""
    when = file.words(best.condition)
    return Text(f"{when.ja}なら、{cards.ja}", cards.en), f" (if {when.en})"


def _leads(file: FileWords) -> Iterator[tuple[str, Text]]:
    """Who leads the next trick: a clause for each class of ``trick.next``."""
    classes = file.rules.trick.leads
    many = max(file.rules.cards.deck.copies) > 1
    for i, best in enumerate(classes, 1):
        cards, only_if = _cards_of(file, best)
        these = _best_card(best, cards)
        if best.by_turn:
            turn = _turn(best)
            these = Text(f"{cards.ja}のうち{turn.ja}のカード", f"the {turn.en} of {cards.en}")
        elif _has_equals(file, best) or many:
            of = EQUALS_LEAD[file.rules.trick.equals.how == "last"]
            these = Text(f"{these.ja}{of.ja}", f"{these.en}{of.en}")
        made = Text(
            f"次のリードは、{these.ja}を出した人。",
            f"The player of {these.en} leads next{only_if}.",
        )
        if i > 1:
            unless = _unless(classes[i - 2])
            made = Text(
                f"{unless.ja}{these.ja}を出した人。",
                f"{unless.en}the player of {these.en}{only_if}.",
            )
        yield f"next.{i}", own_text(file.source.at("trick", "next", i - 1), made)
    if not classes:
        yield "next.1", NEXT[file.rules.trick.next]
    elif not file.rules.trick.somebody_leads:
        unless = _unless(classes[-1])
        won = Text(f"{unless.ja}勝った人。", f"{unless.en}the winner.")
        yield f"next.{len(classes) + 1}", won


def _has_equals(file: FileWords, best: Class) -> bool:
    """Whether different cards of this class can be equally high."""
    cards = file.rules.cards
    if best.by_row or best.by_turn:
        return False
    if best.fixed is None:
        return not of_one_suit(best.text.node, file.rules.compiler.groups)
    high = [cards.strength[kind] for kind in cards.kinds(best.fixed & ~cards.special)]
    return len(set(high)) < len(high)


def _after_trick(file: FileWords) -> Iterator[tuple[str, Text]]:
    """What happens to a trick that nobody wins, and who leads the next one."""
    rules, at = file.rules, file.source.at
    if at("trick", "none") is not None or at("trick", "next_none") is not None:
        yield "none.1", NONE[file.source.word("trick", "none", default="nobody")]
    leads = [*_leads(file)]
    yield from leads
    if at("trick", "next_none") is not None and not rules.trick.somebody_leads:
        ja, en = ("同じ人が", "the same player leads again")
        if rules.trick.next_none == "left":
            ja, en = ("リードした人の左どなりの人が", "the player left of its leader leads")
        left_or_same = Text(f"だれも勝たなければ、{ja}リードする。", f"If nobody wins it, {en}.")
        yield f"next.{len(leads) + 1}", left_or_same


def _best_card(best: Class, cards: Text) -> Text:
    """The card of a class that wins or leads; ``cards``: those of the class in words."""
    node = best.text.node
    if best.plain and (node.op == "card" or (node.op, node.word) == ("group", "called")):
        return cards
    if best.by_turn:
        turn = _turn(best)
        return Text(
            f"{cards.ja}のうち{turn.ja}に出たカード", f"of {cards.en}, the one played {turn.en}"
        )
    how = Text("いちばん弱い", "lowest") if best.low else Text("いちばん強い", "highest")
    if best.pick > 1:
        place = _place(best)
        how = Text(f"{place.ja}に{how.ja[4:]}", f"{place.en} {how.en}")
    if best.by_row:
        how = Text("列の数がいちばん大きい人の", "card with the highest row")
    of = "" if _one_rank(best.text.node) else "of "
    return Text(f"{cards.ja}のうち{how.ja}カード", f"the {how.en} {of}{cards.en}")


def _unless(before: Class) -> Text:
    """The words between two classes of cards."""
    if before.when is None:
        return Text("それがなければ、", "If there is none, ")
    return Text("そうでなければ、", "Otherwise ")


def _turn(best: Class) -> Text:
    """The place of a card in the order of play, such as "last" or "second to last"."""
    if best.pick == 1:
        return Text("最初", "first") if best.low else Text("最後", "last")
    place = _place(best)
    return place if best.low else Text(f"最後から{place.ja}", f"{place.en} to last")


def _place(best: Class) -> Text:
    """Which card of its order a class takes, if not the first one."""
    return Text(f"{best.pick}番目", {2: "second", 3: "third"}.get(best.pick, f"{best.pick}th"))


def _one_rank(node: Node) -> bool:
    """Whether a set is the cards of one rank, of all suits or of one: "the highest 2"."""
    if node.op == "cards_and" and len(node.parts) == 2:
        suit, rank = sorted(node.parts, key=lambda part: part.op != "suit")
        return suit.op == "suit" and _one_rank(rank)
    return node.op == "rank" and node.word not in ("led", "showing", "this", "called")
