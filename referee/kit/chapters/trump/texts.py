"""What the rules of a game say of the trump suit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.chapters.bidding.texts import OF_EQUAL_BIDS
from referee.kit.chapters.trump import TrumpChange
from referee.kit.saying import FileWords, either
from referee.kit.text.formula import walk

TURNED: Mapping[str, Text] = {
    "dealer": Text(
        "が表になったら、ディーラーが決める。", "is turned up, the dealer names the trump suit."
    ),
    "none": Text("が表になったら、切り札はない。", "is turned up, there is no trump suit."),
}
"""What decides the trump suit if special cards are turned up."""

AT_ONCE = Text(
    "{cards}：出ると{when}、すぐに{becomes}。",
    "{cards}: as soon as such a card is played{when}, {becomes}.",
)

AFTERWARDS = Text(
    "{cards}：出たトリックのあと{when}、{becomes}。",
    "{cards}: after a trick with such a card{when}, {becomes}.",
)
"""When a card changes the trump suit: at once, or after the trick."""

LAST_DECIDES = Text(
    "何枚もあれば、最後に出たカードで決まる。", " Of several, the last one decides."
)

BECOMES: Mapping[str, Text] = {
    "": Text("そのスートが切り札になる", "its suit becomes the trump suit"),
    "none": Text("切り札がなくなる", "there is no trump suit any more"),
    "named": Text("出した人が切り札を決める", "its player names the trump suit"),
}

TRUMP: Mapping[str, Text] = {
    "none": Text("最初は切り札がない。", "A deal begins without a trump suit."),
    "fixed": Text("切り札のスートは決まっている。", "The trump suit is always the same."),
    "turn_up": Text(
        "表にしたカードのスートが切り札。", "The suit of the card turned up is the trump suit."
    ),
    "named": Text("切り札を1人が決める。", "One player names the trump suit."),
    "bid": Text(
        "いちばん大きいビッドのスートが切り札。", "The suit of the highest bid is the trump suit."
    ),
    "first_discard": Text(
        "リードと違うスートが最初に出たら、そのスートが切り札になる。",
        "The first card of another suit than the one led makes its suit the trump suit.",
    ),
    "last_trick": Text(
        "前のトリックに勝ったカードのスートが切り札。最初のトリックには切り札がない。",
        "The suit of the card that won the last trick is the trump suit; the first trick has none.",
    ),
    "cycle": Text("切り札はラウンドごとに順に変わる。", "The trump suit changes deal by deal."),
}

NAMES_IT: Mapping[str, Text] = {
    "dealer": Text("ディーラーが切り札を決める。", "The dealer names the trump suit."),
    "leader": Text(
        "最初にリードする人が切り札を決める。", "The first leader names the trump suit."
    ),
    "highest_bid": Text(
        "ビッドがいちばん大きい人が切り札を決める", "The highest bidder names the trump suit"
    ),
}

NO_SUIT = {"ja": "なし", "en": "none"}


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    if file.rules.trump.any:
        yield "trump.1", _trump(file)


def _trump(file: FileWords) -> Text:
    rules = file.rules
    made = TRUMP[rules.trump.source]
    spoken = {lang: {"none": none, **file.spoken[lang]} for lang, none in NO_SUIT.items()}
    ja, en = ([spoken[lang].get(each, each) for each in rules.trump.cycle] for lang in spoken)
    if rules.trump.source == "fixed":
        suit = Text(*(spoken[lang].get(rules.trump.suit, rules.trump.suit) for lang in spoken))
        made = Text(f"切り札はいつも{suit.ja}。", f"The trump suit is always {suit.en}.")
        if rules.trump.at_once or rules.trump.after_trick:
            made = Text(
                f"最初の切り札は{suit.ja}。", f"A deal begins with the trump suit {suit.en}."
            )
    elif rules.trump.source == "named":
        made = NAMES_IT[rules.trump.by]
        if rules.trump.by == "highest_bid":
            first = OF_EQUAL_BIDS[rules.bidding.at_once]
            made = Text(f"{made.ja}。{first.ja}", f"{made.en}; {first.en}")
        if rules.trump.cycle:
            made = Text(
                f"{made.ja}選べるのは{'、'.join(ja)}。", f"{made.en} The choice: {', '.join(en)}."
            )
    elif rules.trump.source == "cycle":
        made = Text(
            f"切り札はラウンドごとに変わる：{'、'.join(ja)}。",
            f"The trump suit changes deal by deal: {', '.join(en)}.",
        )
    for where, says in TURNED.items():
        turned = [card for card, to in rules.trump.special.items() if to == where]
        if turned and rules.trump.source == "turn_up":
            one = Text(*(either(file.named[lang], turned, lang) for lang in ("ja", "en")))
            made = Text(f"{made.ja}{one.ja}{says.ja}", f"{made.en} If {one.en} {says.en}")
    if rules.trump.none_when is not None:
        when = file.text("condition", "trump", "none_when")
        none = f"{when.ja}なら切り札はない。"
        made = Text(f"{made.ja}{none}", f"{made.en} No trump suit if {when.en}.")
    for changes, says in ((rules.trump.at_once, AT_ONCE), (rules.trump.after_trick, AFTERWARDS)):
        for change in changes:
            then = _change(file, change, says)
            made = Text(made.ja + then.ja, f"{made.en} {then.en}")
    return made


def _change(file: FileWords, change: TrumpChange, says: Text) -> Text:
    """Which cards change the trump suit, and to what; ``says``: when they do."""
    cards = file.words(change.text)
    when = Text("", "")
    if change.when is not None and change.condition is not None:
        only = file.words(change.condition)
        when = Text(f"（{only.ja}なら）", f" (if {only.en})")
    suit = Text(*(file.spoken[lang].get(change.suit, change.suit) for lang in NO_SUIT))
    becomes = BECOMES.get(change.suit) or Text(
        f"{suit.ja}が切り札になる", f"{suit.en} becomes the trump suit"
    )
    named = cards.en[:1].upper() + cards.en[1:]
    made = Text(
        says.ja.format(cards=cards.ja, when=when.ja, becomes=becomes.ja),
        says.en.format(cards=named, when=when.en, becomes=becomes.en),
    )
    asked = walk(change.condition.node) if change.condition else ()
    alone = says is AT_ONCE or any(node.word == "won" for node in asked)
    if alone or change.suit not in ("", "named"):
        return made
    return Text(made.ja + LAST_DECIDES.ja, made.en + LAST_DECIDES.en)
