"""Sums, conditions and card sets of game files in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.kit.sums import Node

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
    "trick_sum": ("トリックの数字の合計", "sum of the trick"),
    "tricks": ("取ったトリックの数", "tricks taken"),
    "bid": ("ビッド", "bid"),
    "total": ("合計点", "total"),
    "value": ("カードの数字", "its number"),
    "gap": ("すぐ下の数字との差", "distance to the next lower number"),
    "out": ("棄権", "it is out"),
    "won": ("トリックに勝った", "it won the trick"),
    "cards": ("トリックの枚数", "cards in the trick"),
    "stock": ("山札の枚数", "cards in the stock"),
    "winning": ("いま勝っている", "winning the trick now"),
    "turn": ("席順", "place in turn"),
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
    "worth()": ("取った{}のカード点", "card points of {} taken"),
    "own()": ("自分が出した{}の枚数", "cards played of {}"),
    "highest()": ("自分が出した{}のいちばん大きい数字", "the highest number played of {}"),
    "lowest()": ("自分が出した{}のいちばん小さい数字", "the lowest number played of {}"),
    "wins()": ("{}で勝ったトリックの数", "tricks won with {}"),
    "led()": ("リードが{}", "the card led is one of {}"),
    "left()": ("左どなりの人の{}", "{} of the player to the left"),
    "right()": ("右どなりの人の{}", "{} of the player to the right"),
    "laid()": ("出た{}の枚数", "cards played by anybody of {}"),
    "lying()": ("このトリックの{}の枚数", "cards in the trick of {}"),
    "this()": ("カードが{}", "it is {}"),
    "abs()": ("|{}|", "|{}|"),
}
SETS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("suit", "led"): ("リードと同じスート", "the suit led"),
    ("suit", "trump"): ("切り札", "the trump suit"),
    ("suit", "called"): ("指名されたカードのスート", "the suit of the card called"),
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
    "out": ("棄権でない", "it is not out"),
    "last": ("最後の人でない", "not the last to bid"),
    "winning": ("いま勝っていない", "not winning the trick now"),
    "led()": ("リードが{}以外", "the card led is not one of {}"),
    "this()": ("カードが{}以外", "it is not {}"),
}
"""What is said where one of these is not true."""
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
NOT_EN: Mapping[str, str] = {"not": "not", "cards_not": "cards other than"}


def amount(node: Node, lang: str, spelled: Mapping[str, str]) -> str:
    """As ``phrase``, where a number is asked for: a condition on a card counts 1 or 0."""
    said = phrase(node, lang, spelled)
    if node.op not in ("this()", "led()"):
        return said
    return f"{said}なら1" if lang == "ja" else f"1 if {said}"


def phrase(node: Node, lang: str, spelled: Mapping[str, str]) -> str:
    """``node`` in ``lang``; ``spelled``: the displayed names of cards and suits."""
    here = 1 if lang == "en" else 0

    def of(part: Node) -> str:
        return phrase(part, lang, spelled)

    def member(part: Node) -> str:
        """What a card of ``part`` is: "♥", "of the suit led"."""
        group = (part.op, part.word) in SETS and part.op in ("suit", "colour")
        return f"of {of(part)}" if here and group else of(part)

    op, parts, word = node.op, node.parts, node.word
    numbers = op in ("+", "-", "*", "/", "minus", *OPPOSITE)

    def wrapped(part: Node, weak: tuple[str, ...]) -> str:
        if numbers and part.op in ("this()", "led()"):
            return f"({amount(part, lang, spelled)})"
        return f"({of(part)})" if part.op in weak else of(part)

    if op == "number":
        return str(node.number)
    if op == "name":
        return spelled.get(word) or (NAMES[word][here] if word in NAMES else word)
    if (op, word) in SETS and word not in spelled:
        return SETS[op, word][here]
    if op in ("suit", "rank", "card", "group"):
        return spelled.get(word, word)
    if op.startswith("number"):
        sign, bound = BETWEEN.get(op[6:], (f" {op[6:]} ",) * 2)[here], of(parts[0])
        return (f"数字{sign}{bound}のカード", f"cards with a number{sign}{bound}")[here]
    if op == "ranks":
        return f"{word}–{parts[0].word}"
    if op in ("most()", "least()") and parts[0].op == "team()":
        most = op == "most()"
        wording = (
            f"いちばん{'多い' if most else '少ない'}チームの{{}}",
            f"the {'highest' if most else 'lowest'} {{}} of a team",
        )[here]
        return wording.format(wrapped(parts[0].parts[0], ("if", "+", "-", "and", "or")))
    if op in ("=", ">") and parts[0].op == "this()" and parts[1].op == "number":
        if parts[1].number == (op == "="):
            return of(parts[0])
        if (op, parts[1].number) == ("=", 0):
            return UNTRUE["this()"][here].format(member(parts[0].parts[0]))
    if op in OF:
        weak: tuple[str, ...] = ("if", "+", "-", "and", "or") if op != "abs()" else ()
        return OF[op][here].format(member(parts[0]) if op == "this()" else wrapped(parts[0], weak))
    if op in ("min()", "max()"):
        less = op == "min()"
        said = [amount(part, lang, spelled) for part in parts]
        if lang == "ja":
            return f"{'と'.join(said)}の{'小さい' if less else '大きい'}方"
        return f"the {'smaller' if less else 'larger'} of {' and '.join(said)}"
    if op == "if":
        wording = ("{}なら{}、でなければ{}", "if {} then {} else {}")[here]
        return wording.format(of(parts[0]), *(amount(part, lang, spelled) for part in parts[1:]))
    if op == "not" and parts[0].op in OPPOSITE:
        return f" {OPPOSITE[parts[0].op]} ".join(map(of, parts[0].parts))
    if op == "not" and parts[0].op == "is":
        return of(parts[0]).replace(" = ", " ≠ ")
    if op == "not" and parts[0].op in ("led()", "this()"):
        say = member if parts[0].op == "this()" else of
        return UNTRUE[parts[0].op][here].format(say(parts[0].parts[0]))
    if op == "not" and parts[0].op == "name" and parts[0].word in UNTRUE:
        return UNTRUE[parts[0].word][here]
    if op == "cards_and":
        every = [*_all_of(node)]
        barred = [each.parts[0] for each in every if each.op == "cards_not"]
        kept = [each for each in every if each.op != "cards_not"]
        if barred and kept:
            among = kept[0] if len(kept) == 1 else Node("cards_and", tuple(kept))
            return ("{}（{}を除く）", "{} except {}")[here].format(
                wrapped(among, ("cards_or",)),
                _listed([wrapped(each, ("cards_or",) * here) for each in barred], lang),
            )
    if op == "cards_and" and len(parts) == 2:
        one, other = parts
        suit, rank = (other, one) if one.op in ("rank", "ranks") else (one, other)
        if (suit.op, suit.word) in SETS and suit.op != "set" and rank.op in ("rank", "ranks"):
            return ("{0}の{1}", "{1} of {0}")[here].format(of(suit), of(rank))
    if op == "cards_not" and (parts[0].op, parts[0].word) in OTHERS:
        return OTHERS[parts[0].op, parts[0].word][here]
    if op in ("not", "cards_not"):
        wording = wrapped(parts[0], ("and", "or", "cards_and", "cards_or"))
        return f"{wording}以外" if here == 0 else f"{NOT_EN[op]} {wording}"
    if op == "minus":
        return f"−{wrapped(parts[0], ('+', '-', 'if'))}"
    if op == "is":
        return f"{of(parts[0])} = {spelled.get(word, word)}"
    if op in ("yes", "no"):
        return {"yes": ("いつでも", "always"), "no": ("なし", "never")}[op][here]
    if op == "cards_and" and lang == "en":
        return f"cards that {' and '.join(_are(part, of(part)) for part in _all_of(node))}"
    between = BETWEEN[op][here] if op in BETWEEN else f" {op} "
    weak = ("if",)
    if op in ("*", "/", "and", "cards_and"):
        weak = ("or", "+", "-", "cards_or", "if")
    # the second operand of a difference or a quotient needs brackets around a sum or product
    second = (*weak, "+", "-") if op == "-" else (*weak, "*", "/") if op == "/" else weak
    return between.join((wrapped(parts[0], weak), *(wrapped(each, second) for each in parts[1:])))


def _listed(names: list[str], lang: str) -> str:
    if lang == "ja":
        return "・".join(names)
    return " and ".join((*((", ".join(names[:-1]),) if names[1:] else ()), names[-1]))


def _all_of(node: Node) -> Iterator[Node]:
    """The sets that a card of ``node`` has to be in, those inside nested ones, too."""
    for part in node.parts:
        if part.op == "cards_and":
            yield from _all_of(part)
        else:
            yield part


def _are(part: Node, said: str) -> str:
    """What is true of the cards of the set ``part``, whose English name is ``said``."""
    if (part.op, part.word) == ("set", "beats"):
        return "would win the trick now"
    return f"are of {said}" if part.op in ("suit", "colour", "rank", "ranks") else f"are {said}"
