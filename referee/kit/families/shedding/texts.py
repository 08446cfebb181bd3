"""The parts of the ruling book of a game of this family, and the rules that ``[text]`` can name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.chapters.bidding import texts as bidding
from referee.kit.chapters.deck import table, words
from referee.kit.chapters.deck import texts as deck
from referee.kit.chapters.match import texts as match
from referee.kit.chapters.scoring import texts as scoring
from referee.kit.families.shedding.shape_texts import shapes
from referee.kit.notes.words import NAMED
from referee.kit.saying import BookParts, FileWords, either, own_text
from referee.kit.text.source import RulesSource

SECTIONS: tuple[tuple[str, str, str], ...] = (
    ("setup", "準備", "Setting up"),
    ("starter", "スタートプレイヤー", "Who leads first"),
    ("exchange", "カードの交換", "Exchanging cards"),
    ("bid", "ビッド", "Bids"),
    ("kitty", "伏せたカード", "The kitty"),
    ("combo", "出せる組", "Combinations"),
    ("follow", "重ねて出す", "Beating the cards on the table"),
    ("beat", "特別に勝つカード", "Cards that beat others"),
    ("wild", "ジョーカー", "Jokers"),
    ("pass", "パス", "Passing"),
    ("effect", "出したときに起きること", "What plays bring about"),
    ("hand", "手札", "Hands"),
    ("finish", "上がりと順位", "Going out"),
    ("score", "得点", "Scoring"),
    ("deals", "ラウンド", "The deals"),
    ("outcome", "勝敗", "Winning"),
)

WITHIN = {
    **dict.fromkeys(("lead", "lock"), "follow"),
    **dict.fromkeys(("give", "discard", "name", "clear"), "effect"),
    **dict.fromkeys(("out", "foul", "falls"), "finish"),
}
"""Clauses without a section of their own → the section in which they are listed."""

ABSENT: Mapping[str, Text] = {
    "exchange.1": Text("カードは交換しない。", "No cards are exchanged."),
    "bid.1": Text("ビッドをしない。", "There are no bids."),
    "bid.2": Text("できないビッドはない。", "No bid is forbidden."),
    "kitty.1": Text("伏せておくカードはない。", "There is no kitty."),
    "lead.1": Text("最初に出すカードは自由。", "Any cards may be led first."),
    "lock.1": Text("マークは縛られない。", "Suits are not locked."),
    "lock.2": Text("数字は縛られない。", "Ranks are not locked."),
    "wild.1": Text("ほかのカードの代わりになるカードはない。", "No card stands for another one."),
    "wild.2": Text("ほかのカードの代わりになるカードはない。", "No card stands for another one."),
    "pass.3": Text("出せてもパスしてよい。", "Anybody may pass."),
    "give.1": Text("カードを渡すことはない。", "No cards are given."),
    "discard.1": Text("カードを捨てることはない。", "No cards are discarded."),
    "name.1": Text("数字を指名することはない。", "No ranks are named."),
    "name.2": Text("数字を指名することはない。", "No ranks are named."),
    "foul.1": Text("反則上がりはない。", "No last play is a foul."),
    "falls.1": Text("都落ちはない。", "Nobody falls."),
}
"""What is not in a game whose rules do not mention it, although an entry can claim it."""

LEADERS: Mapping[str, Text] = {
    "rotate": Text(
        "最初に出す人は、ラウンドごとに左どなりへ移る。",
        "The first lead moves to the left each deal.",
    ),
    "pick": Text("最初に出す人は毎回決める。", "The first leader is named every time."),
    "winner": Text("前のラウンドの1位が最初に出す。", "First place of the last deal leads."),
    "loser": Text("前のラウンドの最下位が最初に出す。", "Last place of the last deal leads."),
    "winner_left": Text(
        "前のラウンドの1位の左どなりが最初に出す。",
        "The player to the left of first place in the last deal leads.",
    ),
    "lowest_total": Text("合計点がいちばん少ない人から。", "The lowest total leads first."),
    "holder": Text("{}を持つ人が、それを含めて出す。", "The player with {} leads it."),
}

VERBS: Mapping[str, Text] = {
    "reverse deal": Text(
        "ラウンドの終わりまで強さが逆になる", "the order of ranks turns until the deal ends"
    ),
    "reverse trick": Text(
        "流れるまで強さが逆になる", "the order of ranks turns until the trick is cleared"
    ),
    "turn": Text("回る向きが逆になる", "play goes the other way round"),
    "lock suits": Text(
        "流れるまで、同じになったマークを含むカードしか出せない",
        "until the trick is cleared, plays must have the suits that these cards have in common",
    ),
    "lock rank": Text(
        "流れるまで、ちょうど1段強いカードしか出せない",
        "until the trick is cleared, each play must be exactly one rank stronger",
    ),
    "skip": Text("次の人を飛ばす", "the next player is passed over"),
    "clear": Text("場が流れ、出した人から始める", "the trick is cleared, and its player leads"),
    "give": Text(
        "次の人に裏向きでカードを渡す", "the player gives cards face down to the next player"
    ),
    "discard": Text("カードを表向きで捨てる", "the player puts cards face up aside"),
    "name": Text(
        "数字を指名し、全員がその数字のカードを表向きで捨てる",
        "the player names ranks, and everybody puts all cards of them face up aside",
    ),
}


FIXED: Mapping[str, Text] = {
    "exchange.1": Text(
        "交換は、配ったあと、だれかが出す前にする。何を渡したかは見えない。",
        "Cards are exchanged after the deal, before anybody plays. Nobody sees them.",
    ),
    "follow.1": Text(
        "場のカードと同じ組を、同じ枚数で出す。",
        "A play has the combination, the size and the length of the cards on the table.",
    ),
    "lock.1": Text(
        "縛られたマークを、その枚数だけ含めて出す。",
        "A play has the suits that are locked, as many cards of each.",
    ),
    "lock.2": Text(
        "数字が縛られたら、ちょうど1段強いカードを出す。",
        "While the rank is locked, a play is exactly one rank stronger.",
    ),
    "wild.2": Text(
        "代わりになっても、1回に出す同じカードはデッキの枚数まで。",
        "With what jokers stand for, no play shows a card more often than the deck has it.",
    ),
    "pass.1": Text("最初に出す人のほかは、パスしてよい。", "Anybody but the leader may pass."),
    "pass.3": Text("出せる人は、必ず出す。", "A player who can beat the cards on the table must."),
    "clear.1": Text(
        "出せる人がいなくなったら場が流れ、最後に出した人から始める。上がっていれば、その次の人から。",
        "When nobody can play any more, the trick is cleared. Who played last leads, or the "
        "next player if that one is out.",
    ),
    "give.1": Text(
        "渡す枚数は決まったとおり。手札が足りなければ全部。",
        "As many cards are given as are due, or all if fewer are left.",
    ),
    "discard.1": Text(
        "捨てる枚数は決まったとおり。手札が足りなければ全部。",
        "As many cards are discarded as are due, or all if fewer are left.",
    ),
    "name.1": Text(
        "違う数字を、決まった数だけ指名する。", "As many different ranks are named as are due."
    ),
    "name.2": Text(
        "指名された数字のカードは、次のだれかが出すかパスする前に、全部捨てる。",
        "All cards of a rank named are put aside before the next play or pass.",
    ),
    "hand.1": Text("手札にあるより多くは出せない。", "Nobody plays more cards than the hand has."),
    "hand.2": Text(
        "手札のうち、全員に見えたカードは本人が持っている。ほかのカードは、残りの枚数までしか出せない。",
        "Cards that everybody saw going into a hand are in it; only the others can be unknown.",
    ),
}
"""The clauses that say the same in every file that has them."""

AFTER_A_PASS = (
    Text(
        "パスしたら、流れるまで出せない。",
        "A player who has passed plays no more until the trick is cleared.",
    ),
    Text(
        "パスのあとも、だれかが出せば、また出せる。",
        "After a pass one may play again once another player has played.",
    ),
)
"""What a pass means: out of the trick, or only for now."""


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause that only this family has, up to the effects."""
    yield from _dealt(file)
    if file.rules.bidding.made:
        yield from bidding.clauses(file)
    if file.rules.deal.kitty is not None:
        many = file.text("sum", "deal", "kitty")
        yield (
            "kitty.1",
            Text(
                f"{many.ja}枚を伏せておく。ビッドのあと全員に見せ、ビッドがいちばん大きい人が手札に加える。",
                f"Cards put aside: {many.en}. After the bids they are shown, and the highest "
                "bidder takes them.",
            ),
        )
    yield from shapes(file)
    yield from _following(file)
    yield from _locks(file)
    yield from _jokers(file)
    yield from _passing(file)
    yield from _effects(file)
    yield "hand.1", FIXED["hand.1"]
    yield "hand.2", FIXED["hand.2"]
    yield from _finish(file)


def _dealt(file: FileWords) -> Iterator[tuple[str, Text]]:
    rules = file.rules
    hand = file.text("sum", "deal", "hand")
    rest = Text("残りは使わない。", "Cards left over are not used.")
    if rules.deal.dealt_on:
        rest = Text("残りも1枚ずつ配る。", "Cards left over are dealt on, one each.")
    yield (
        "setup.hand",
        Text(f"手札の枚数：{hand.ja}。{rest.ja}", f"Cards in each hand: {hand.en}. {rest.en}"),
    )
    holder = words(file.source.at("deal", "holder"))
    ja, en = (either(file.named[lang], holder, lang) if holder else "" for lang in ("ja", "en"))
    leader, first = LEADERS[rules.deal.leader], LEADERS[rules.deal.first]
    begins = Text("", "")
    if rules.deal.leader not in ("pick", "holder"):
        begins = Text(f"最初のラウンドは、{first.ja}", f" In the first deal: {first.en}")
    text = Text(leader.ja + begins.ja, leader.en + begins.en)
    yield "starter.1", Text(text.ja.replace("{}", ja), text.en.replace("{}", en))
    yield from _exchanged(file)


def _exchanged(file: FileWords) -> Iterator[tuple[str, Text]]:
    rows = table(file.source.at("exchange"))
    for name in rows:
        at = ("exchange", name)
        one, other = (file.text("sum", *at, "between", i) for i in (0, 1))
        many = file.text("sum", *at, "cards")
        yield (
            f"exchange.{name}",
            Text(
                f"前のラウンドの順位が{one.ja}の人と{other.ja}の人が、裏向きで交換する。枚数：{many.ja}。",
                f"Those with these places in the last deal exchange cards face down: {one.en} and "
                f"{other.en}. Number of cards: {many.en}.",
            ),
        )
    if rows:
        yield "exchange.1", FIXED["exchange.1"]


def _following(file: FileWords) -> Iterator[tuple[str, Text]]:
    rules = file.rules
    if rules.deal.holder is not None:
        ja, en = (file.named[lang].get(rules.deal.holder, "") for lang in ("ja", "en"))
        yield (
            "lead.1",
            Text(f"最初に出すカードには{ja}を含める。", f"The first play includes {en}."),
        )
    equal = Text("、または同じ強さの", " or equally strong ones") if rules.equal else Text("", "")
    yield "follow.1", FIXED["follow.1"]
    ranks, beyond = rules.cards.order, _beyond(file)
    yield (
        "follow.2",
        Text(
            f"場のカードより強い{equal.ja}カードを出す。数字は{ranks[0]}がいちばん弱く、{ranks[-1]}がいちばん強い。{beyond.ja}",
            f"A play is stronger than the cards on the table{equal.en.replace('ones', '')}. "
            f"{ranks[0]} is the lowest rank, {ranks[-1]} the highest.{beyond.en}",
        ),
    )


def _beyond(file: FileWords) -> Text:
    """Which special cards lie above all ranks, and which below them."""
    order = file.rules.order.beyond
    made = Text("", "")
    for cards, ja, en in (
        ([card for card, level in order.items() if level >= 0], "より強い", "above"),
        ([card for card, level in order.items() if level < 0], "より弱い", "below"),
    ):
        if cards:
            names = [[file.named[lang].get(c, c) for c in cards] for lang in ("ja", "en")]
            made = Text(
                f"{made.ja}{'と'.join(names[0])}は、どの数字{ja}。",
                f"{made.en} {' and '.join(names[1])}: {en} all ranks.",
            )
    return made


def _locks(file: FileWords) -> Iterator[tuple[str, Text]]:
    rules = file.rules
    verbs = {verb for row in rules.effects for verb in row.do}
    if "lock suits" in verbs:
        yield "lock.1", FIXED["lock.1"]
    if "lock rank" in verbs:
        yield "lock.2", FIXED["lock.2"]
    for row in rules.beat:
        mine, on = (file.text("cards", "beat", row.name, key) for key in ("cards", "on"))
        when = file.text("condition", "beat", row.name, "when")
        only = Text(f"{when.ja}なら、", f", if {when.en}") if when.ja else Text("", "")
        yield (
            f"beat.{row.name}",
            Text(
                f"{only.ja}{mine.ja}は、同じ組の{on.ja}に、強さや縛りに関係なく勝つ。",
                f"In the same combination, {mine.en} beats {on.en}{only.en}, whatever the order "
                "and the locks.",
            ),
        )


def _jokers(file: FileWords) -> Iterator[tuple[str, Text]]:
    rules = file.rules
    if rules.order.wild:
        jokers = sorted(rules.order.wild)
        ja, en = (either(file.named[lang], jokers, lang) for lang in ("ja", "en"))
        yield (
            "wild.1",
            Text(
                f"{ja}は、2枚以上で出すとき、ほかのカードの代わりになる。1枚だけなら、そのカードのまま。",
                f"In plays of two or more cards, {en} stands for any card. Alone it is itself.",
            ),
        )
        yield "wild.2", FIXED["wild.2"]


def _passing(file: FileWords) -> Iterator[tuple[str, Text]]:
    yield "pass.1", FIXED["pass.1"]
    yield "pass.2", AFTER_A_PASS[file.rules.pass_again]
    if file.rules.must:
        yield "pass.3", FIXED["pass.3"]
    yield "clear.1", FIXED["clear.1"]


def _effects(file: FileWords) -> Iterator[tuple[str, Text]]:
    verbs = {verb for row in file.rules.effects for verb in row.do}
    for row in file.rules.effects:
        when = file.text("condition", "effect", row.name, "when")
        done = [VERBS[verb] for verb in row.do]
        ja, en = "、".join(each.ja for each in done), ", and ".join(each.en for each in done)
        times = file.text("sum", "effect", row.name, "times")
        if times.ja:
            ja, en = f"{ja}（数：{times.ja}）", f"{en} (number: {times.en})"
        made = Text(f"{ja}。", f"{en[0].upper()}{en[1:]}.")
        if when.ja and when.en != "always":
            made = Text(f"{when.ja}なら、{ja}。", f"If {when.en}: {en}.")
        yield f"effect.{row.name}", own_text(file.source.at("effect", row.name), made)
    for verb in ("give", "discard", "name"):
        if verb in verbs:
            yield f"{verb}.1", FIXED[f"{verb}.1"]
    if "name" in verbs:
        yield "name.2", FIXED["name.2"]


def _finish(file: FileWords) -> Iterator[tuple[str, Text]]:
    rules = file.rules.finish
    clears = Text("場は流れる。", " The trick is cleared.") if rules.clears else Text("", "")
    yield (
        "out.1",
        Text(
            f"手札がなくなったら上がり。もう出さない。{clears.ja}",
            f"A player without cards is out and plays no more.{clears.en}",
        ),
    )
    until = file.text("condition", "finish", "until")
    ends = Text("残りが1人になったらラウンドは終わる。", "The deal ends when one player is left.")
    if rules.until is not None and until.en != "never":
        ends = Text(
            f"{until.ja}になるか、残りが1人になったらラウンドは終わる。",
            f"The deal ends when {until.en}, or when one player is left.",
        )
    ja, en = ([words[lang] for _, words in rules.titles] for lang in ("ja", "en"))
    called = Text("", "")
    if rules.titles:
        called = Text(f"順位の呼び名：{'、'.join(ja)}。", f" Titles: {', '.join(en)}.")
    yield (
        "finish.1",
        Text(
            f"上がった順に1位、2位…。{ends.ja}残った人は次の順位を分け合う。{called.ja}",
            f"Places are in the order of going out. {ends.en} Those left share the next place."
            f"{called.en}",
        ),
    )
    for key, verb in (("foul", _FOUL), ("falls", _FALLS)):
        when = file.text("condition", "finish", key)
        if when.ja and when.en != "never":
            yield f"{key}.1", Text(verb.ja.format(when.ja), verb.en.format(when.en))


_FOUL = Text(
    "最後に出すカードが次に当たれば反則上がりで、最下位になる：{}。",
    "A last play is a foul, and its player is last, if: {}.",
)
_FALLS = Text(
    "ほかの人が上がったとき、次に当たる人は抜けて、下の順位になる：{}。",
    "When another player goes out, players leave the deal and rank below the others if: {}.",
)

BOOK = BookParts(SECTIONS, (deck.clauses, clauses, scoring.clauses, match.clauses), ABSENT, WITHIN)


def ruled(source: RulesSource) -> Iterator[str]:
    """The rules of a file, as ``[text]`` names them."""
    yield from ("setup.deck", "setup.hand", "starter.1", "deals.1", "outcome.1")
    yield from ("combo.1", "lead.1", "follow.1", "follow.2", "lock.1", "lock.2", "wild.1", "wild.2")
    yield from ("pass.1", "pass.2", "pass.3", "clear.1", "out.1", "finish.1", "foul.1", "falls.1")
    yield from ("give.1", "discard.1", "name.1", "name.2", "exchange.1", "kitty.1")
    yield from ("bid.1", "bid.2", "setup.teams")
    for key in ("combo", "beat", "effect", "exchange"):
        yield from (f"{key}.{name}" for name in table(source.at(key)))
    yield from (f"score.{name}" for key in NAMED for name in table(source.at(key)))
