"""What the rules of a game say of bids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.chapters.bidding import span
from referee.kit.saying import FileWords
from referee.kit.text.faults import FilePosition
from referee.kit.text.parsing import parse
from referee.kit.words import amount

BIDDER: Mapping[str, Text] = {
    "all": Text("全員が順番に", "In turn everybody"),
    "dealer": Text("ディーラーだけが", "Only the dealer"),
    "leader": Text("最初にリードする人だけが", "Only the first leader"),
}

HIGHER = Text(
    "前のビッドより大きくないビッドはできない。", "A bid has to be higher than all bids before it."
)
"""What every auction bars."""

LEADS = {
    "highest": Text("ビッドがいちばん大きい人", "The highest bidder"),
    "left_of_highest": Text(
        "ビッドがいちばん大きい人の左どなりの人", "The player to the left of the highest bidder"
    ),
}
"""Who leads first where the bids decide it."""

OF_EQUAL_BIDS = (
    Text("同じなら先にビッドした人。", "of equal ones the first."),
    Text(
        "同じなら、ディーラーの左どなりから数えて先の人。",
        "of equal ones the first to the left of the dealer.",
    ),
)
"""Which of equally high bidders is the highest, if they bid in turn, and if they bid at once."""


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    if file.rules.bidding.made:
        yield from _bids(file)


def _bids(file: FileWords) -> Iterator[tuple[str, Text]]:
    values = str(file.source.at("bid", "values") or "0..hand")
    ends = span(values) or ("0", "hand")
    few, many = (
        file.words(parse(end, FilePosition(1, 1), "bid.values", "sum"), amount) for end in ends
    )
    if ends[1] == "hand":
        many = Text("手札の枚数", "the size of the hand")
    numbers = Text(f"（{few.ja}から{many.ja}まで）", f", from {few.en} to {many.en}")
    if values == "none":
        numbers = Text("", "")
    bidder = BIDDER[file.rules.bidding.by]
    ja = [f"{bidder.ja}ビッドする{numbers.ja}。"]
    en = [f"{bidder.en} bids{numbers.en}."]
    if file.rules.bidding.at_once:
        ja = [f"全員が同時にビッドする{numbers.ja}。"]
        en = [f"Everybody bids at the same time{numbers.en}."]
    if words := [_special_bid(file, key) for key in file.rules.bidding.words.worth]:
        ja.append("、".join(word.ja for word in words) + "と数える。")
        en.append(f"What bids count: {', '.join(word.en for word in words)}.")
    if file.rules.bidding.auction:
        ja = [
            f"順番に、前より大きいビッドをするか、パスする{numbers.ja}。パスした人は戻れない。"
            "1人を残して全員がパスするまで続ける。",
            *ja[1:],
        ]
        en = [
            f"In turn everybody bids more than before or passes{numbers.en}, until all but one "
            "have passed. A pass is final.",
            *en[1:],
        ]
    if file.rules.bidding.decide_leader:
        first, leads = OF_EQUAL_BIDS[file.rules.bidding.at_once], LEADS[file.rules.bidding.leads]
        ja.append(f"{leads.ja}が最初にリードする。{first.ja}")
        en.append(f"{leads.en} leads first; {first.en}")
    if file.rules.bidding.passed_over:
        ja.append("全員のビッドが0なら、遊ばずに次を配る。")
        en.append("If everybody bids 0, the deal ends without play.")
    if file.rules.bidding.may_change:
        ja.append("最初のカードが出るまで、言い直せる。")
        en.append("A bid may be changed until a card is played.")
    yield "bid.1", Text("".join(ja), " ".join(en))
    barred = [HIGHER] if file.rules.bidding.auction else []
    if file.rules.bidding.forbid is not None:
        said = file.text("condition", "bid", "forbid")
        barred.append(
            Text(f"できないビッドがある：{said.ja}。", f"Some bids are barred: {said.en}.")
        )
    if barred:
        yield (
            "bid.2",
            Text("".join(each.ja for each in barred), " ".join(each.en for each in barred)),
        )


def _special_bid(file: FileWords, key: str) -> Text:
    """A bid that is a word: what it counts, and the trump suit that it makes."""
    rules, named = file.rules, file.named["ja"]
    made, worth = Text("", ""), rules.bidding.words.worth[key]
    if rules.trump.source == "bid" and worth > 0:
        suit = rules.bidding.words.suits.get(key, "none")
        ja, en = (file.spoken[lang].get(suit, suit) for lang in ("ja", "en"))
        made = Text(f"（切り札{ja}）", f" (trump suit {en})")
        if suit == "none":
            made = Text("（切り札なし）", " (no trump suit)")
    elif rules.play.own_suits and key in rules.bidding.words.suits:
        suit = rules.bidding.words.suits[key]
        ja, en = (file.spoken[lang].get(suit, suit) for lang in ("ja", "en"))
        made = Text(f"（スートは{ja}）", f" (suit {en})")
    return Text(
        f"「{named.get(key, key)}」は{worth}{made.ja}",
        f"“{file.named['en'].get(key, key)}” {worth}{made.en}",
    )
