"""What the rules of a game say of points and counters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.chapters.deck import table
from referee.kit.chapters.scoring.named import to_explain
from referee.kit.saying import FileWords, own_text
from referee.kit.text.formula import Node
from referee.kit.words import amount, of_any_card

NUMBER = re.compile(r"−?\d+")
"""Points that are a plain number, as ``phrase`` writes it."""

COUNTS: Mapping[str, Text] = {
    "seat": Text("1人ずつ数える", "a count of each player"),
    "team": Text("チームごとに数える", "a count of each team"),
    "table": Text("全員で1つ数える", "one count for all"),
}

COUNTED: Mapping[tuple[str, bool], Text] = {
    ("trick", False): Text("トリックのあと、勝者に", "After a trick, for its winner"),
    ("trick", True): Text("トリックのあと、", "After each trick"),
    ("card", False): Text(
        "トリックのあと、カードを出した人それぞれに", "After a trick, for each of its players"
    ),
    ("card", True): Text("トリックのあと、カード1枚ごとに", "After a trick, for each card"),
    **{
        (per, table): Text(
            "カードを引くたびに、" if per == "draw" else "おりるたびに、", f"At each {per}"
        )
        for per in ("draw", "fold")
        for table in (False, True)
    },
    ("play", False): Text("カードを出すたびに、出した人に", "With each play, for its player"),
    ("play", True): Text("カードを出すたびに、", "With each play"),
    ("deal", False): Text("ラウンドのあと、", "After each deal"),
    ("deal", True): Text("ラウンドのあと、", "After each deal"),
}
"""When a counter grows, by ``per`` and whether it counts for the table."""

PER: Mapping[str, Text] = {
    "card": Text("カードごとに出した人へ", "For each card, to its player"),
    "trick": Text("トリックごとに勝者へ", "For each trick, to its winner"),
    "draw": Text("引いたカードごとに引いた人へ", "For each card drawn, to its player"),
    "fold": Text(
        "おりて取ったカードごとに取った人へ", "For each card taken by a fold, to its player"
    ),
    "play": Text("カードを出すたびに、出した人へ", "For each play, to its player"),
    "deal": Text("ラウンドごとに", "For each deal"),
    "match": Text("最後に", "At the end"),
}


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    at = file.source.at
    for name in table(at("score")):
        yield f"score.{name}", _term(file, name)
    both = table(at("score")).keys() & {id_.removeprefix("score.") for id_ in file.own}
    explained = to_explain(file)
    for kind, key in (("sum", "values"), ("cards", "groups")):
        for name in table(at(key)):
            if name in both or name not in explained:
                continue  # the author's text is about both, or about what the name stands for
            made, called = file.text(kind, key, name), file.words(Node("group", word=name))
            yield f"score.{name}", Text(f"{called.ja}：{made.ja}", f"{called.en}: {made.en}")
    named = {*both, *table(at("values")), *table(at("groups"))}
    for name in table(at("counters")):
        if name not in named:
            yield f"score.{name}", _counter(file, name)


def _term(file: FileWords, name: str) -> Text:
    points = file.text("sum", "score", name, "points")
    if NUMBER.fullmatch(points.ja):
        points = Text(f"{points.ja}点", f"{points.en} point{'s' * (points.en not in ('1', '−1'))}")
    else:
        points = Text(f"{points.ja}を得点とする", points.en)
    when = file.source.at("score", name, "when")
    per = PER[file.source.word("score", name, "per", default="deal")]
    if file.source.at("score", name, "to") == "team":
        per = Text(f"{per.ja}チームに", f"{per.en}, to a team")
    made = Text(f"{per.ja}、{points.ja}。", f"{per.en}: {points.en}.")
    if when is not None:
        said = file.text("condition", "score", name, "when")
        made = Text(
            f"{per.ja}、{said.ja}なら、{points.ja}。", f"{per.en}, if {said.en}: {points.en}."
        )
    return own_text(file.source.at("score", name), made)


def _counter(file: FileWords, name: str) -> Text:
    """What a counter counts, and when it begins anew."""
    at = file.source.at("counters", name)
    row = table(at)
    of, per = str(row.get("of")), str(row.get("per") or "deal")
    text = file.source.text("sum", "counters", name, "add")
    assert text is not None
    node = of_any_card(text.node) if of == "table" else text.node
    add, says = file.words(node, amount), file.words(Node("group", word=name))
    when = COUNTED[per, of == "table"]
    again = Text("", "")
    if row.get("keep") == "deal":
        again = Text("ラウンドごとに0から始める。", " It begins anew with each deal.")
    return own_text(
        at,
        Text(
            f"{says.ja}：{COUNTS[of].ja}。{when.ja}{add.ja}を足す。{again.ja}",
            f"{says.en}: {COUNTS[of].en}. {when.en}, add {add.en}.{again.en}",
        ),
    )
