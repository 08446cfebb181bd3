"""Parses the text of sums, conditions and card sets to a tree (see ``formula.py``).

A fault names the word that is wrong, and what a file writes instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from referee.core.normalised import normalised
from referee.kit.text.faults import FilePosition, Wrong
from referee.kit.text.formula import COMPARISONS, FUNCTIONS, MOST, FormulaText, Node, is_condition

LONGEST = 200  # characters

_TOKEN = re.compile(r"\s*(?:([0-9]+)|([A-Za-z_][A-Za-z_0-9]*)|(\.\.|<=|>=|[-+*/()=<>,]))")
_ELSEWHERE = {
    **dict.fromkeys(("!=", "<>", "≠"), "not a = b"),
    **dict.fromkeys(("=<", "≤", "≦"), "<="),
    **dict.fromkeys(("=>", "≥", "≧"), ">="),
    **dict.fromkeys(("&&", "&"), "and"),
    **dict.fromkeys(("||", "|"), "or"),
    "==": "=",
    "×": "*",
    "÷": "/",
    "!": "not",
    ":": "then",
    "?": "if … then … else …",
    "%": "a - a/b*b",
    **dict.fromkeys(("^", "**", "²"), "a*a"),
    **dict.fromkeys("♠♤", "S"),
    **dict.fromkeys("♥♡", "H"),
    **dict.fromkeys("♦♢", "D"),
    **dict.fromkeys("♣♧", "C"),
}
"""Signs of arithmetic and of programming languages, and what a file writes instead."""
_OTHER = re.compile(r"\s*([^\x00-\x7f]+|.)")
_FOREIGN = re.compile(r"\s*(" + "|".join(map(re.escape, _ELSEWHERE)) + ")")
_WORDS_ELSEWHERE = {
    **dict.fromkeys(("elif", "elseif"), "else if"),
    **dict.fromkeys(("if", "when"), "if … then … else …"),
    **dict.fromkeys(("between", "in"), "a >= 3 and a <= 5"),
    "mod": "a - a/b*b",
    "x": "*",
}
"""The same for words that stand where a sign should."""
_JAPANESE = {
    "スペード": "S",
    "ハート": "H",
    "ダイヤ": "D",
    **dict.fromkeys(("クラブ", "クローバー"), "C"),
    "切り札": "trump",
    "リードスート": "led",
}
"""Japanese words for suits, and how a file writes them after ``suit``."""
_FUNCTIONS_ELSEWHERE = {
    **dict.fromkeys(("round", "floor", "int"), "a/b"),
    "sum": "every( )",
    "count": "taken( )",
    "any": "seats( ) > 0",
    "all": "seats( ) = n",
    "pow": "a*a",
}
"""Functions of other languages, and what a file writes instead."""
_WORDS = frozenset(["yes", "no", "not", "and", "or", "is", "if", "then", "else"])
_KINDS = ("suit", "rank", "card")


class Token(NamedTuple):
    text: str
    at: int
    number: bool = False


_SMALL = frozenset(
    (*_WORDS, *_KINDS, *FUNCTIONS, "number", "colour", "trump", "all", "none", "special", "beats")
)
"""Words of the format that people write with capitals, as at the begin of a sentence."""


def parse(source: str | int, place: FilePosition, path: str, kind: str) -> FormulaText:
    """Parse a text of ``kind`` "sum", "condition" or "cards"; raises ``Wrong`` at the faulty
    word.
    """
    text = str(source)
    if len(text) > LONGEST:
        raise Wrong("kit_sum_long", place, path, most=LONGEST)
    parser = _Parser(text, place, path)
    node = parser.cards() if kind == "cards" else parser.sum_or_condition()
    if kind == "cards" and parser.now.text == ",":
        parser.wrong("kit_comma", parser.now.at)
    parser.finished()
    if kind == "condition" and not is_condition(node, {}):
        parser.wrong("kit_no_condition", 0)
    return FormulaText(text, place, path, node)


class _Parser:
    def __init__(self, text: str, place: FilePosition, path: str) -> None:
        self.text, self.place, self.path = text, place, path
        self.tokens: list[Token] = []
        self.i = self.depth = 0
        at = 0
        while text[at:].strip():
            if foreign := _FOREIGN.match(text, at):
                raise self.instead(foreign.start(1), foreign[1], _ELSEWHERE[foreign[1]])
            found = _TOKEN.match(text, at)
            if not found:
                raise self.unknown(at)
            word = found[1] or found[2] or found[3]
            before = self.tokens[-1].text if self.tokens else ""
            if (
                word != word.lower()
                and word.lower() in _SMALL
                and before not in (*_KINDS, "..", "is")
            ):
                raise self.instead(found.end() - len(word), word, word.lower())
            self.tokens.append(Token(word, found.end() - len(word), found[1] is not None))
            at = found.end()
        self.words = [*(token.text for token in self.tokens), "", ""]  # ends are asked for, too

    def unknown(self, at: int) -> Wrong:
        """The fault of what is no token, with the words that may be meant."""
        found = _OTHER.match(self.text, at)
        assert found
        start, sign = found.start(1), found[1]
        narrow = normalised(sign)  # a Japanese keyboard types ＝ and ｔｒｉｃｋｓ
        if narrow != sign and _TOKEN.fullmatch(narrow):
            return self.instead(start, sign, narrow)
        if sign in _JAPANESE:
            suited = self.tokens and self.tokens[-1].text == "suit"
            return self.instead(start, sign, ("" if suited else "suit ") + _JAPANESE[sign])
        if sign == "." and self.text[start + 1 : start + 2].isdigit():
            return self.fault("kit_fraction", start)
        return self.fault("kit_sign", start, sign=sign)

    def fault(self, fact: str, at: int, **values: object) -> Wrong:
        place = FilePosition(self.place.line, self.place.column + at)
        return Wrong(fact, place, self.path, **values)

    def instead(self, at: int, sign: str, words: str) -> Wrong:
        """The fault of a sign in place of which a file writes ``words``."""
        return self.fault("kit_sign_instead", at, sign=sign, words=words)

    def wrong(self, fact: str, at: int, **values: object) -> NoReturn:
        raise self.fault(fact, at, **values)

    @property
    def now(self) -> Token:
        return self.tokens[self.i] if self.i < len(self.tokens) else Token("", len(self.text))

    def take(self, *words: str) -> Token | None:
        """The next token if it is one of ``words``; it is then read."""
        if self.words[self.i] in words:
            self.i += 1
            return self.tokens[self.i - 1]
        return None

    def need(self, word: str) -> None:
        if not self.take(word):
            self.joined()
            if word in ("then", "else"):
                self.wrong("kit_if_expected", self.now.at, sign=word)
            self.wrong("kit_expected", self.now.at, sign=word)

    def joined(self) -> None:
        """Raise ``Wrong`` if the next token is a number, a name or a bracket right after another
        one: a sign or a word between them is missing.
        """
        before, word = self.words[self.i - 1] if self.i else "", self.now.text
        if before and word in _WORDS_ELSEWHERE and (before not in _WORDS or before == ")"):
            raise self.instead(self.now.at, word, _WORDS_ELSEWHERE[word])
        if before in _KINDS and word[:1].isalnum():
            self.wrong("kit_cards_here", self.tokens[self.i - 1].at, word=f"{before} {word}")
        operand = re.compile(r"[0-9A-Za-z_]+")
        left = before == ")" or (operand.fullmatch(before) and before not in _WORDS)
        if not left or not (word == "(" or (operand.fullmatch(word) and word not in _WORDS)):
            return
        if before in FUNCTIONS and word != "(":
            self.wrong("kit_brackets", self.now.at, word=before, near=f"{before}({word})")
        self.wrong("kit_joined", self.now.at, one=before, other=word)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > 40:
            self.wrong("kit_nested", self.now.at)

    def finished(self) -> None:
        if self.now.text == "," and self.words[self.i - 1].isdigit():
            follows = self.words[self.i + 1]  # of 1,5
            if follows.isdigit() and self.text[self.now.at + 1].isdigit():
                self.wrong("kit_fraction", self.now.at)
        if self.now.text:
            self.joined()
            self.wrong("kit_unexpected", self.now.at, word=self.now.text)

    def number(self, token: Token) -> int:
        value = int(token.text) if len(token.text) < 12 else MOST + 1
        if value > MOST:
            self.wrong("kit_number", token.at, most=MOST)
        return value

    def chain(self, operand: Callable[[], Node], *signs: str, of: str = "") -> Node:
        """Operands with one of ``signs`` between each two; ``of``: what they join."""
        left = operand()
        while token := self.take(*signs):
            left = Node(of + token.text, (left, operand()), at=token.at)
        return left

    def sum_or_condition(self) -> Node:
        return self.chain(self.conjunction, "or")

    def conjunction(self) -> Node:
        return self.chain(self.negation, "and")

    def negation(self) -> Node:
        if token := self.take("not"):
            self.deeper()
            inner = self.negation()
            self.depth -= 1
            return Node("not", (inner,), at=token.at)
        return self.comparison()

    def comparison(self) -> Node:
        left = self.added()
        if token := self.take(*COMPARISONS):
            right = self.added()
            if (again := self.now).text in COMPARISONS:
                middle = self.text[token.at + len(token.text) : again.at].strip()
                words = f"… {token.text} {middle} and {middle} {again.text} …"
                self.wrong("kit_one_comparison", again.at, words=words)
            return Node(token.text, (left, right), at=token.at)
        if token := self.take("is"):
            word = self.now
            if left.op != "name" or not re.fullmatch(r"[A-Za-z_]\w*", word.text):
                self.wrong("kit_is", token.at)
            self.i += 1
            return Node("is", (left,), word.text, at=word.at)
        return left

    def added(self) -> Node:
        return self.chain(self.multiplied, "+", "-")

    def multiplied(self) -> Node:
        return self.chain(self.signed, "*", "/")

    def signed(self) -> Node:
        if token := self.take("-"):
            self.deeper()
            inner = self.signed()
            self.depth -= 1
            return Node("minus", (inner,), at=token.at)
        return self.atom()

    def atom(self) -> Node:
        token = self.now
        self.i += 1
        self.deeper()
        try:
            if token.number:
                return Node("number", number=self.number(token), at=token.at)
            if token.text == "(":
                inner = self.sum_or_condition()
                self.need(")")
                return inner
            if token.text == "if":
                parts = [self.sum_or_condition()]
                for word in ("then", "else"):
                    self.need(word)
                    parts.append(self.sum_or_condition())
                return Node("if", tuple(parts), at=token.at)
            if token.text in ("yes", "no"):
                return Node(token.text, at=token.at)
            if token.text in FUNCTIONS and self.take("("):
                return self.function(token)
            if re.fullmatch(r"[A-Za-z_]\w*", token.text) and token.text not in _WORDS:
                if self.now.text == "(" and token.text in _FUNCTIONS_ELSEWHERE:
                    instead = _FUNCTIONS_ELSEWHERE[token.text]
                    raise self.instead(token.at, f"{token.text}( )", instead)
                if self.now.text == "(":
                    self.wrong("kit_no_function", token.at, word=token.text, known=[*FUNCTIONS])
                return Node("name", word=token.text, at=token.at)
        finally:
            self.depth -= 1
        if not token.text:
            raise self.fault("kit_unfinished", token.at)
        if token.text in COMPARISONS:
            raise self.fault("kit_half_comparison", token.at, word=token.text)
        raise self.fault("kit_unexpected", token.at, word=token.text)

    def function(self, token: Token) -> Node:
        kind = FUNCTIONS[token.text]
        of_cards = kind in ("cards", "lying", "this")
        parts = [self.cards() if of_cards else self.sum_or_condition()]
        while kind == "many" and self.now.text == ",":
            self.i += 1
            parts.append(self.sum_or_condition())
        if of_cards and self.now.text == ",":
            raise self.instead(self.now.at, ",", "or")
        self.need(")")
        return Node(token.text + "()", tuple(parts), at=token.at)

    def cards(self) -> Node:
        return self.chain(self.both, "or", of="cards_")

    def both(self) -> Node:
        return self.chain(self.set, "and", of="cards_")

    def named(self, kind: str) -> Node:
        """The set after the word ``kind``: a suit, a card, a rank or a run of ranks."""
        token = self.now
        if token.text in ("=", "is"):
            raise self.instead(token.at, token.text, f"{kind} {self.words[self.i + 1]}")
        text = self.word()
        follows = self.now
        if kind == "rank" and follows.text in ("-", "to"):
            words = f"rank {text}..{self.words[self.i + 1]}"
            raise self.instead(follows.at, follows.text, words)
        joined = follows.at == token.at + len(text) and follows.text[:1].isalpha()
        if token.number and joined:  # a rank such as 2nd is two tokens
            self.i += 1
            text += follows.text
        if kind == "rank" and self.take(".."):
            return Node("ranks", (Node("rank", word=self.word()),), text, at=token.at)
        return Node(kind, word=text, at=token.at)

    def word(self) -> str:
        """The next token, which must be a name or a number; it is then read."""
        token = self.now
        if not token.text or not token.text[0].isalnum():
            self.wrong("kit_unfinished", token.at)
        self.i += 1
        return token.text

    def set(self) -> Node:
        token = self.now
        self.i += 1
        self.deeper()
        try:
            if token.text == "not":
                return Node("cards_not", (self.set(),), at=token.at)
            if token.text == "(":
                inner = self.cards()
                self.need(")")
                return inner
            coloured = token.text == "colour" and re.fullmatch(r"[a-z]+", self.now.text)
            if coloured and self.now.text not in _WORDS:
                self.i += 1
                return Node("colour", word=self.tokens[self.i - 1].text, at=token.at)
            if token.text == "number" and (sign := self.take(*COMPARISONS)):
                return Node(f"number{sign.text}", (self.added(),), at=token.at)
            if token.text in ("suit", "rank", "card"):
                return self.named(token.text)
            if token.text in ("all", "none", "special", "beats"):
                return Node("set", word=token.text, at=token.at)
            if re.fullmatch(r"[A-Za-z_]\w*", token.text) and token.text not in _WORDS:
                self.out_of_order(token)
                return Node("group", word=token.text, at=token.at)
        finally:
            self.depth -= 1
        if not token.text:
            raise self.fault("kit_unfinished", token.at)
        if token.number:
            raise self.instead(token.at, token.text, f"rank {token.text}")
        raise self.fault("kit_unexpected", token.at, word=token.text)

    def out_of_order(self, token: Token) -> None:
        """Raise ``Wrong`` for "trump suit", and for "highest trump", which is no set."""
        word, follows = token.text, self.now.text
        if follows in _KINDS:
            raise self.instead(token.at, f"{word} {follows}", f"{follows} {word}")
        if word in ("highest", "lowest", "high", "low") and follows[:1].isalpha():
            order = "low" if word.startswith("low") else "high"
            self.wrong("kit_order_here", token.at, word=word, order=order)
