"""What the names of sums of this family are called in rules."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.book import Text
from referee.kit.text.formula import Node

NAMES: Mapping[str, Text] = {
    "hand": Text("配られた枚数", "cards dealt to each"),
    "held": Text("手札の枚数", "cards in the hand"),
    "plays": Text("出した回数", "plays made"),
    "was": Text("前回の順位", "place in the last deal"),
    "finish": Text("順位", "place"),
    "out": Text("上がった", "the player is out"),
    "outs": Text("上がった人数", "players who are out"),
    "live": Text("残っている人数", "players still in"),
    "turned": Text("強さが逆", "the order is reversed"),
    "turned_deal": Text("革命中", "the order is reversed for the deal"),
    "turned_trick": Text("流れるまで逆", "the order is reversed for the trick"),
    "count": Text("出した枚数", "cards played"),
    "size": Text("同じ数字の枚数", "cards of each rank"),
    "length": Text("続く数字の数", "ranks in a row"),
    "leading": Text("場にカードがない", "no cards lie beneath"),
    "last": Text("最後の手札", "it empties the hand"),
    "matched": Text("下とマークが同じ枚数", "cards whose suits match those beneath"),
    "step": Text("下より何段強いか", "ranks above the cards beneath"),
}

REWORDED: Mapping[str, str] = {"this()": "played()"}
"""Functions that mean something else in this family → how rules name them."""


def reworded(node: Node) -> Node:
    """A sum as the rules of this family say it."""
    return node._replace(op=REWORDED.get(node.op, node.op), parts=tuple(map(reworded, node.parts)))
