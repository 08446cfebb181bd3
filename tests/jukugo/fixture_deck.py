"""The deck and words of the golden tests (§5.6.5): real school years, made-up ranks."""

from itertools import product

from referee.jukugo.decks import SUITS, Card, KanjiDeck, build
from referee.jukugo.formations import Lexicon

_CARDS = (
    "日1-A 本1-2 音1-3 意3-4 用2-5 人1-6 国2-7 学1-8 先1-9 生1-10 理2-J 科2-Q 面3-K 立1-A 場2-2 "
    "風2-3 車1-4 王1-5 行2-A 和3-7 流3-A 新2-8 中1-9 牛2-10"
)
_RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13}
_TEXT = """
日本 本日 本音 本意 用意 本人 人々 日々 理科 科学 立場 風車 先人 先日 学生
先生 人生 国王 王国 流行 風流 和風 新人 新車 牛車 中国 国立 国学
日本人 日本国 風流人
"""
WORDS = frozenset(_TEXT.split())


def _deck() -> KanjiDeck:
    free = {rank: list(SUITS) for _suit, rank in product(SUITS, range(1, 14))}
    cards = []
    for text in _CARDS.split():
        kanji, value, rank = text[0], int(text[1]), text[3:]
        number = _RANKS.get(rank) or int(rank)
        cards.append((0, Card(kanji, free[number].pop(0), number, value)))
    return build(cards)


DECK = _deck()
LEXICON = Lexicon(DECK, WORDS)
EVERY = frozenset(DECK.by_kanji)


def gone_but(*cards: str) -> frozenset[str]:
    """All cards of the deck but these: the cards on the table if only these are unseen."""
    return EVERY - set("".join(cards))
