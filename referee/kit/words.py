"""Sums, conditions and card sets of game files in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.kit.text import formula
from referee.kit.text.formula import Node

NAMES: Mapping[str, tuple[str, str]] = {
    "n": ("人数", "players"),
    "deck": ("カードの枚数", "cards in the deck"),
    "deal": ("ラウンドの番号", "number of the deal"),
    "hand": ("手札の枚数", "hand size"),
    "trick": ("トリックの番号", "number of the trick"),
    "bids": ("ビッドの合計", "sum of the bids"),
    "this": ("このビッド", "this bid"),
    "last": ("最後の人", "last to bid"),
    "led_value": ("リードの数字", "number led"),
    "second_value": ("2枚目のカードの数字", "number of the second card"),
    "last_value": ("最後に出たカードの数字", "number of the card played last"),
    "trick_worth": ("このトリックのカード点", "card points of the trick"),
    "trick_sum": ("トリックの数字の合計", "sum of the trick"),
    "tricks": ("取ったトリックの数", "tricks taken"),
    "bid": ("ビッド", "bid"),
    "total": ("合計点", "total"),
    "value": ("カードの数字", "its number"),
    "gap": ("すぐ下の数字との差", "distance to the next lower number"),
    "out": ("棄権", "it is out"),
    "won": ("トリックに勝った", "it won the trick"),
    "any won": ("トリックに勝者がいる", "the trick has a winner"),
    "cards": ("トリックの枚数", "cards in the trick"),
    "stock": ("山札の枚数", "cards in the stock"),
    "winning": ("いま勝っている", "winning the trick now"),
    "highest_bidder": ("ビッドがいちばん大きい人", "the highest bidder"),
    "turn": ("席順", "place in turn"),
    "live": ("まだ引いている人数", "players still in the round"),
    "kinds": ("違う数字の数", "different numbers in the row"),
    "row_sum": ("列の数字の合計", "sum of the row"),
    "bust": ("バースト", "bust"),
    "same": ("列にある同じ数字の枚数", "cards of its number in the row"),
}
OF: Mapping[str, tuple[str, str]] = {
    "most()": ("いちばん多い人の{}", "the highest {}"),
    "least()": ("いちばん少ない人の{}", "the lowest {}"),
    "every()": ("全員の{}の合計", "the sum of everybody's {}"),
    "seats()": ("「{}」の人数", "number of players with {}"),
    "team()": ("チームの{}", "the team's {}"),
    "place()": ("{}の順位", "place by {}"),
    "same()": ("{}が同じ人の数", "players with the same {}"),
    "taken()": ("取ったカードのうち{}の枚数", "cards taken of {}"),
    "kinds()": ("取った{}の数字の種類数", "different numbers among the {} taken"),
    "worth()": ("取った{}のカード点", "card points of {} taken"),
    "own()": ("自分が出した{}の枚数", "cards played of {}"),
    "highest()": ("自分が出した{}のいちばん大きい数字", "the highest number played of {}"),
    "lowest()": ("自分が出した{}のいちばん小さい数字", "the lowest number played of {}"),
    "row()": ("列の{}の枚数", "{} in the row"),
    "wins()": ("{}で勝ったトリックの数", "tricks won with {}"),
    "led()": ("リードが{}", "the card led is one of {}"),
    "left()": ("左どなりの人の{}", "{} of the player to the left"),
    "right()": ("右どなりの人の{}", "{} of the player to the right"),
    "laid()": ("出た{}の枚数", "cards played by anybody of {}"),
    "lying()": ("このトリックの{}の枚数", "cards in the trick of {}"),
    "this()": ("カードが{}", "it is {}"),
    "played()": ("いま出した{}の枚数", "cards of {} in the play"),
    "under()": ("その下の{}の枚数", "cards of {} beneath it"),
    "abs()": ("|{}|", "|{}|"),
}
SETS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("suit", "led"): ("リードと同じスート", "the suit led"),
    ("suit", "trump"): ("切り札", "the trump suit"),
    ("suit", "bid"): ("その人のビッドのスート", "the suit of the player's bid"),
    ("suit", "called"): ("指名されたカードのスート", "the suit of the card called"),
    ("rank", "called"): ("指名されたカードと同じ数字", "the number of the card called"),
    ("colour", "led"): ("リードと同じ色のスート", "suits of the colour led"),
    ("colour", "trump"): ("切り札と同じ色のスート", "suits of the colour of the trump suit"),
    ("rank", "led"): ("リードと同じ数字", "the number led"),
    ("rank", "showing"): ("場に見えている数字", "numbers that show"),
    ("suit", "showing"): ("場に見えているスート", "suits that show"),
    ("rank", "this"): ("このカードと同じ数字", "the number of this card"),
    ("set", "all"): ("すべてのカード", "all cards"),
    ("set", "none"): ("どのカードでもないもの", "no card"),
    ("set", "special"): ("特殊カード", "special cards"),
    ("group", "called"): ("指名されたカード", "the card called"),
    ("set", "beats"): ("いま勝てるカード", "cards that would win the trick now"),
}
OTHERS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("suit", "led"): ("リードと違うスート", "suits other than the one led"),
    ("rank", "led"): ("リードと違う数字", "numbers other than the one led"),
    ("rank", "showing"): ("場に見えていない数字", "numbers that do not show"),
    ("suit", "showing"): ("場に見えていないスート", "suits that do not show"),
}
"""The cards that are not in one of ``SETS``."""
UNTRUE: Mapping[str, tuple[str, str]] = {
    "won": ("トリックに勝っていない", "it did not win the trick"),
    "any won": ("トリックに勝者がいない", "the trick has no winner"),
    "out": ("棄権でない", "it is not out"),
    "last": ("最後の人でない", "not the last to bid"),
    "bust": ("バーストでない", "not bust"),
    "winning": ("いま勝っていない", "not winning the trick now"),
    "highest_bidder": ("ビッドがいちばん大きい人でない", "not the highest bidder"),
    "led()": ("リードが{}以外", "the card led is not one of {}"),
    "this()": ("カードが{}以外", "it is not {}"),
}
"""What is said where one of these is not true."""
SEEN: Mapping[str, tuple[tuple[str, tuple[str, str]], ...]] = {
    "lying()": (
        ("このトリックに{}がない", ("is not in the trick", "are not in the trick")),
        ("このトリックに{}がある", ("is in the trick", "are in the trick")),
    ),
    "laid()": (
        ("{}がまだ出ていない", ("has not been played yet", "have not been played yet")),
        ("{}がもう出ている", ("has been played", "have been played")),
    ),
    "played()": (
        ("出したカードに{}がない", ("is not in the play", "are not in the play")),
        ("出したカードに{}がある", ("is in the play", "are in the play")),
    ),
}
"""Whether there is a card of a set: if not, if so; in English for one set and for several."""
PLURALS = frozenset(("all", "cards", "numbers", "special", "suits"))
"""The first words of sets that are several things."""
OPPOSITE: Mapping[str, str] = {"=": "≠", "<": "≥", ">": "≤", "<=": ">", ">=": "<"}
BETWEEN: Mapping[str, tuple[str, str]] = {
    "or": ("、または", " or "),
    "and": ("、かつ", " and "),
    "cards_or": ("・", " or "),
    "cards_and": ("で、しかも", " and "),
    "*": (" × ", " × "),
    "/": (" ÷ ", " ÷ "),
    "+": (" + ", " + "),
    "-": (" − ", " − "),
    "<=": (" ≦ ", " ≤ "),
    ">=": (" ≧ ", " ≥ "),
}


def amount(node: Node, lang: str, spelled: Mapping[str, str]) -> str:
    """As ``phrase``, where a number is asked for: a condition on a card counts 1 or 0."""
    return _Speech(lang, spelled).amount(node)


def phrase(node: Node, lang: str, spelled: Mapping[str, str]) -> str:
    """``node`` in ``lang``; ``spelled``: the displayed names of cards and suits."""
    return _Speech(lang, spelled).phrase(node)


def of_any_card(node: Node) -> Node:
    """``node``, in which "it won" is "a card won": a count for all is no count of a card."""
    word = "any won" if (node.op, node.word) == ("name", "won") else node.word
    return node._replace(word=word, parts=tuple(map(of_any_card, node.parts)))


SUMS = ("if", "+", "-", "and", "or")  # what stands in brackets where something is said of it
CONDITIONS = ("this()", "led()")


class _Speech(NamedTuple):
    lang: str
    spelled: Mapping[str, str]

    def amount(self, node: Node) -> str:
        said = self.phrase(node)
        if node.op not in CONDITIONS:
            return said
        return self._in(f"{said}なら1", f"1 if {said}")

    def phrase(self, node: Node) -> str:
        op, parts, word = node.op, node.parts, node.word
        if said := self._special_form(node):
            return said
        if (op, word) in SETS and word not in self.spelled:
            return self._in(*SETS[op, word])
        match op:
            case "number":
                return str(node.number)
            case "name":
                return self.spelled.get(word) or (self._in(*NAMES[word]) if word in NAMES else word)
            case "suit" | "rank" | "card" | "group":
                return self.spelled.get(word, word)
            case "ranks":
                return f"{word}–{parts[0].word}"
            case "min()" | "max()":
                return self._smaller_or_larger(node)
            case "if":
                then, other = map(self.amount, parts[1:])
                wording = self._in("{}なら{}、でなければ{}", "if {} then {} else {}")
                return wording.format(self.phrase(parts[0]), then, other)
            case "is":
                return self._is(parts[0].word, word, true=True)
            case "yes":
                return self._in("いつでも", "always")
            case "no":
                return self._in("なし", "never")
            case "minus":
                return f"−{self._wrapped(parts[0], ('+', '-', 'if', *CONDITIONS))}"
            case "not":
                return self._not(parts[0])
            case "cards_not":
                return self._other_than(parts[0])
            case "cards_and":
                return self._in_all(node)
        if op.startswith("number"):
            sign, bound = self._sign(op[6:]), self.phrase(parts[0])
            return self._in(f"数字{sign}{bound}のカード", f"cards with a number{sign}{bound}")
        if op in OF:
            return self._of(node)
        return self._of_this_card(node) or self._between(node)

    def _special_form(self, node: Node) -> str:
        """A form of a sum that has words of its own; empty if it is none of them."""
        if found := _remainder(node):
            said, by = self._wrapped(found[0], SUMS), found[1].number
            return self._in(f"{said}を{by}で割った余り", f"remainder of {said} ÷ {by}")
        if node.op not in ("=", ">") or node.parts[1].op != "number":
            return ""
        one, number = node.parts[0], node.parts[1].number
        found = _remainder(one)
        if found and node.op == "=" and found[1].number == 2 and number in (0, 1):
            odd, said = number == 1, self._wrapped(found[0], SUMS)
            return self._in(
                f"{said}が{'奇数' if odd else '偶数'}", f"{said} is {'odd' if odd else 'even'}"
            )
        if one.op == "team()" and number == 0 and self._is_true_or_not(one.parts[0]):
            return self._somebody(one.parts[0], node.op == ">")
        if one.op in SEEN and number == 0:
            return self._seen(one, node.op == ">")
        return ""

    def _is_true_or_not(self, node: Node) -> bool:
        if node.op == "name":
            return node.word in formula.TRUTHS and node.word not in self.spelled
        return node.op in formula.CONDITIONS

    def _somebody(self, condition: Node, somebody: bool) -> str:
        """Whether the condition holds for somebody of the team, or for nobody."""
        if condition.op == "name" and condition.word == "winning":
            return self._in(
                "チームのだれかがいま勝っている" if somebody else "チームのだれもいま勝っていない",
                f"{'somebody' if somebody else 'nobody'} of the team is winning the trick now",
            )
        said = self.phrase(condition)
        return self._in(
            f"チームに「{said}」の人が{'いる' if somebody else 'いない'}",
            f"{'somebody' if somebody else 'nobody'} of the team has {said}",
        )

    def _seen(self, node: Node, there: bool) -> str:
        """Whether a card of a set lies in the trick, or has been played in this deal."""
        said, (ja, en) = self.phrase(node.parts[0]), SEEN[node.op][there]
        many = said.partition(" ")[0] in PLURALS
        return self._in(ja.format(said), f"{said} {en[many]}")

    def _in(self, ja: str, en: str) -> str:
        return en if self.lang == "en" else ja

    def _sign(self, op: str) -> str:
        return self._in(*BETWEEN[op]) if op in BETWEEN else f" {op} "

    def _wrapped(self, part: Node, weak: tuple[str, ...]) -> str:
        """``part``, in brackets if its operator is one of ``weak``."""
        if part.op not in weak:
            return self.phrase(part)
        return f"({self.amount(part)})"

    def _smaller_or_larger(self, node: Node) -> str:
        less, parts = node.op == "min()", [*formula.operands(node, node.op)]
        said = [self.amount(part) for part in parts]
        if len(parts) > 2:
            return self._in(
                f"{'、'.join(said)}のうちいちばん{'小さい' if less else '大きい'}数",
                f"the {'smallest' if less else 'largest'} of {_listed(said, 'en')}",
            )
        return self._in(
            f"{'と'.join(said)}の{'小さい' if less else '大きい'}方",
            f"the {'smaller' if less else 'larger'} of {' and '.join(said)}",
        )

    def _of(self, node: Node) -> str:
        """A function of ``OF`` with its operand."""
        op, [part] = node.op, node.parts
        if op in ("left()", "right()") and part.op == op:
            said, two = self._wrapped(part.parts[0], SUMS), op.removesuffix("()")
            return self._in(
                f"2つ{'左' if two == 'left' else '右'}の人の{said}",
                f"{said} of the second player to the {two}",
            )
        if op in ("most()", "least()") and part.op == "team()":
            most = op == "most()"
            wording = self._in(
                f"いちばん{'多い' if most else '少ない'}チームの{{}}",
                f"the {'highest' if most else 'lowest'} {{}} of a team",
            )
            return wording.format(self._wrapped(part.parts[0], SUMS))
        if op == "team()" and self._is_true_or_not(part):
            said = self.phrase(part)
            return self._in(
                f"チームの「{said}」の人数", f"number of the team's players with {said}"
            )
        if op == "led()" and part.op in ("rank", "ranks", "card"):
            return self._in(f"リードが{self.phrase(part)}", f"the card led is {self.phrase(part)}")
        if op == "this()":
            said = self._member(part)
        else:
            said = self._wrapped(part, SUMS if op != "abs()" else ())
        return self._in(*OF[op]).format(said)

    def _member(self, part: Node) -> str:
        """What a card of ``part`` is: "♥", "of the suit led"."""
        said, group = self.phrase(part), (part.op, part.word) in SETS
        return self._in(said, f"of {said}" if group and part.op in ("suit", "colour") else said)

    def _of_this_card(self, node: Node) -> str:
        """The comparison of ``this()`` with 0 or 1 as a condition; empty if it is none."""
        if node.op not in ("=", ">"):
            return ""
        one, other = node.parts
        if one.op != "this()" or other.op != "number":
            return ""
        if other.number == (node.op == "="):
            return self.phrase(one)
        return self._not(one) if (node.op, other.number) == ("=", 0) else ""

    def _not(self, part: Node) -> str:
        """The opposite of a condition."""
        if part.op == ">" and self._special_form(part):
            return self.phrase(part._replace(op="="))
        if part.op in OPPOSITE:
            return f" {OPPOSITE[part.op]} ".join(map(self.phrase, part.parts))
        if part.op == "is":
            return self._is(part.parts[0].word, part.word, true=False)
        if part.op == "led()" and part.parts[0].op in ("rank", "ranks", "card"):
            said = self.phrase(part.parts[0])
            return self._in(f"リードが{said}以外", f"the card led is not {said}")
        if part.op in CONDITIONS:
            say = self._member if part.op == "this()" else self.phrase
            return self._in(*UNTRUE[part.op]).format(say(part.parts[0]))
        if part.op == "name" and part.word in UNTRUE and part.word not in self.spelled:
            return self._in(*UNTRUE[part.word])
        said = self._wrapped(part, ("and", "or"))
        return self._in(f"{said}でない", f"not {said}")

    def _is(self, name: str, word: str, *, true: bool) -> str:
        """Whether ``word`` is the trump suit, or the bid."""
        said, but, no = self.spelled.get(word, word), "" if true else "以外", "" if true else " not"
        if name == "combo":
            return self._in(f"組が{said}{but}", f"the combination is{no} {said}")
        if name == "bid":
            return self._in(f"ビッドが{said}{but}", f"bid {'=' if true else '≠'} {said}")
        if word == "none":
            there = self._in("切り札がない", "there is no trump suit")
            return there if true else self._in("切り札がある", "there is a trump suit")
        return self._in(f"切り札が{said}{but}", f"{said} is{no} the trump suit")

    def _other_than(self, part: Node) -> str:
        """The cards that are not in ``part``."""
        if (part.op, part.word) in OTHERS:
            return self._in(*OTHERS[part.op, part.word])
        said = self._wrapped(part, ("and", "or", "cards_and", "cards_or"))
        return self._in(f"{said}以外", f"cards other than {said}")

    def _in_all(self, node: Node) -> str:
        """The cards that are in all of several sets."""
        every = [*formula.operands(node, "cards_and")]
        barred = [each.parts[0] for each in every if each.op == "cards_not"]
        kept = [each for each in every if each.op != "cards_not"]
        if barred and kept:
            among = kept[0] if len(kept) == 1 else Node("cards_and", tuple(kept))
            weak = self._in("", "cards_or")
            return self._in("{}（{}を除く）", "{} except {}").format(
                self._wrapped(among, ("cards_or",)),
                _listed([self._wrapped(each, (weak,)) for each in barred], self.lang),
            )
        if len(node.parts) == 2:
            one, other = node.parts
            suit, rank = (other, one) if one.op in ("rank", "ranks") else (one, other)
            if suit.op in ("suit", "colour") and rank.op in ("rank", "ranks"):
                of, number = self.phrase(suit), self.phrase(rank)
                if (rank.op, rank.word) not in SETS:
                    return self._in(f"{of}の{number}", f"{number} of {of}")
                if self.lang == "ja":
                    return f"{number}の{of}"
        said = " and ".join(map(self._are, every))
        return self._in(self._between(node), f"cards that {said}")

    def _are(self, part: Node) -> str:
        """What is true of the cards of the set ``part``, in English."""
        if (part.op, part.word) == ("set", "beats"):
            return "would win the trick now"
        if (part.op, part.word) in (("suit", "showing"), ("rank", "showing")):
            return f"are of {self.phrase(part)}"
        if part.op == "cards_not":
            inner = part.parts[0]
            if (inner.op, inner.word) in OTHERS and inner.word == "showing":
                return f"are of {self.phrase(part)}"
            return self._are(inner).replace("are ", "are not ", 1)
        said = self.phrase(part)
        if part.op.startswith("number"):
            return said.replace("cards with", "have", 1)
        return f"are of {said}" if part.op in ("suit", "colour", "rank", "ranks") else f"are {said}"

    def _between(self, node: Node) -> str:
        """An operator between its operands."""
        op, parts = node.op, node.parts
        weak: tuple[str, ...] = ("if", "and") if op == "or" else ("if",)
        if op in ("*", "/", "and", "cards_and"):
            weak = ("or", "+", "-", "cards_or", "if")
        if op in ("+", "-", "*", "/", *OPPOSITE):
            weak = (*weak, *CONDITIONS)
        # the second operand of a difference or a quotient needs brackets around a sum or product
        second = (*weak, "+", "-") if op == "-" else (*weak, "*", "/") if op == "/" else weak
        said = [self._wrapped(part, second if i else weak) for i, part in enumerate(parts)]
        rounded = self._in("（端数は切り捨て）", " (rounded down)") if op == "/" else ""
        return self._sign(op).join(said) + rounded


def _listed(names: list[str], lang: str) -> str:
    return joined(names, "・" if lang == "ja" else " and ", lang)


def joined(names: list[str], sign: str, lang: str) -> str:
    """Names with ``sign`` between them, in English only before the last: "A, B and C"."""
    if lang == "ja":
        return sign.join(names)
    return sign.join((*((", ".join(names[:-1]),) if names[1:] else ()), names[-1]))


def _remainder(node: Node) -> tuple[Node, Node] | None:
    """``a`` and ``b`` of a remainder, which a file writes as ``a - a/b*b``; None if it is none."""
    if node.op != "-" or node.parts[1].op != "*":
        return None
    whole, (quotient, by) = node.parts[0], node.parts[1].parts
    if quotient.op != "/" or by.op != "number":
        return None
    alike = formula.placeless(quotient) == formula.placeless(Node("/", (whole, by)))
    return (whole, by) if alike else None
