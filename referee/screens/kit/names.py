"""How the cards, suits and bids of a game file are written and drawn."""

from __future__ import annotations

from typing import NamedTuple, cast

from referee.http import current, language
from referee.http.language import gettext as _
from referee.kit.chapters.deck import special_cards, table
from referee.kit.families.trick_taking.plays import Bid, Call, Cover, Lay, NameTrump, Play
from referee.kit.game import KitGame
from referee.kit.saying import spelling, suits_without_sign
from referee.screens.kit.sheet import special_word


class Face(NamedTuple):
    """A card as it is drawn: its suit's sign ("" without a suit) and its rank.

    ``word``: the rank is a name of several letters.
    """

    sign: str
    rank: str
    word: bool = False


class KitNames:
    """The names of one game; ``suits``: the cards of each sign; ``spelled``: names of cards."""

    def __init__(self, name: str, game: KitGame) -> None:
        self.game = name
        self.spelled, self.suits = spelling(game)
        rules = game.source({})
        self.said = suits_without_sign(rules)
        self._specials = frozenset(special_cards(table(rules.at("deck"))))
        signs = {card: sign for sign, cards in self.suits.items() for card in cards}
        self._faces = {
            card: Face(signs.get(card, ""), name.removeprefix(signs.get(card, "")))
            for card, name in self.spelled.items()
        }

    def face(self, card: str) -> Face:
        """How ``card`` is drawn; special cards have no sign."""
        if name := self._special(card):
            return Face("", name, len(name) > 1)
        return self._faces.get(card) or Face("", card)

    def called(self, card: str) -> str:
        return self._special(card) or self.spelled.get(card, card)

    def of_play(self, play: Play) -> str:
        """The displayed name of a bid, a suit or a card."""
        match play:
            case Bid(said=said):
                return self.word("bid", said)
            case NameTrump(suit=suit):
                return _("なし") if suit == "none" else self.spelled.get(suit, suit)
            case Lay(card=card) | Call(card=card):
                return self.called(card)
            case Cover():
                return _("裏向きに出す")
            case _:
                return ""

    def word(self, key: str, said: str) -> str:
        """The name of a special bid or card in the file."""
        return special_word(cast(KitGame, current.game(self.game)), key, said)

    def _special(self, card: str) -> str:
        """The name of a special card; "" for any other."""
        return self.word("deck", card) if card in self._specials else ""

    def suit(self, sign: str) -> str:
        """The suit with ``sign`` for screen readers."""
        return self.said[sign].in_(language.current()) if sign in self.said else sign

    def spoken(self, face: Face) -> str:
        suit = self.suit(face.sign)
        return f"{suit} {face.rank}" if suit.isalpha() else suit + face.rank
