"""What this family adds to sums and card sets: its names, its functions, its sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.cards import DIGIT, Bag, copies_in, size
from referee.kit.chapters.bidding.compiler import BiddingCompiler
from referee.kit.families.trick_taking.names import LATER, NAMES, card_led
from referee.kit.families.trick_taking.state import State
from referee.kit.text.card_sets import SetCompiler
from referee.kit.text.formula import FormulaText, Node, limited
from referee.kit.text.scope import LEVEL, Number, Scope, Set
from referee.kit.text.vocabulary import wrong


def _suits_showing(state: State) -> int:
    """The mask of the suits that lie face up in the trick."""
    cards, mask = state.rules.cards, 0
    for laid in state.trick:
        if not laid.down:
            mask |= cards.suits.get(cards.suit[laid.card], 0)
    return mask


def _suit_bid(state: State, scope: Scope | None) -> int:
    """The mask of the suit that a seat has bid: that of ``scope``, or else the one that is due."""
    due = state.due[0] if state.due else state.table.seats[0]
    place = scope.seat if scope else state.table.seats.index(due)
    return state.rules.suit_bid(state, place)


class TrickSets(SetCompiler):
    """The card sets of this family: what is led, the trump suit, what was called."""

    def of_state(self, op: str, word: str) -> Set | None:
        """The function of a set that only the state decides; None if there is no such set."""
        cards = self.cards
        suits = cards.suits
        match op, word:
            case "suit", "led":
                led = {card: suits.get(suit, 0) for card, suit in cards.suit.items()}
                return lambda state, scored: led[state.led] if state.led else 0
            case "suit", "trump":
                self.uses.add("trump")
                return lambda state, scored: suits.get(state.trump or "", 0)
            case "suit", "bid" if self.vocabulary.bid_suits:
                self.uses.add("suit bid")
                return _suit_bid
            case "suit", "called" if self.vocabulary.calls:
                suit_of = {card: suits.get(suit, 0) for card, suit in cards.suit.items()}
                return lambda state, scored: suit_of.get(state.round.called or "", 0)
            case "rank", "called" if self.vocabulary.calls:
                rank_of = {card: cards.ranks.get(rank, 0) for card, rank in cards.rank.items()}
                return lambda state, scored: rank_of.get(state.round.called or "", 0)
            case "rank", "led":
                ranks = {card: cards.ranks.get(rank, 0) for card, rank in cards.rank.items()}
                return lambda state, scored: ranks[state.led] if state.led else 0
            case "rank", "showing":
                self.uses.add("showing")
                return lambda state, scored: state.showing
            case "suit", "showing":
                self.uses.add("suit showing")
                return lambda state, scored: _suits_showing(state)
            case "set", "beats":
                self.uses.add("beats")
                return lambda state, scored: state.rules.beating(state)
            case "group", "called" if self.vocabulary.calls:
                bits = cards.bits
                return lambda state, scored: bits.get(state.round.called or "", 0)
        return None

    def colour(self, node: Node, text: FormulaText) -> Set:
        """The cards of the colour of the trump suit or of the suit led."""
        colours, suit = self.cards.colours, self.cards.suit
        if node.word == "trump":
            self.uses.add("trump")
            return lambda state, scored: colours.get(state.trump or "", 0)
        if node.word == "led":
            led = {card: colours.get(each, 0) for card, each in suit.items()}
            return lambda state, scored: led[state.led] if state.led else 0
        raise wrong(text, node, "kit_no_colour", word=node.word)


class TrickCompiler(BiddingCompiler):
    """Compiles sums about tricks, bids and the trump suit."""

    SETS = TrickSets
    NAMES = NAMES

    def named_later(self, word: str, node: Node, text: FormulaText, where: str) -> Number | None:
        if word == "stock" and LEVEL[where] >= 1:
            return lambda scope: scope.state.round.stock
        if word == "highest_bidder":
            self.needs_bids(node, text)
        return self.known(LATER, word, where)

    def is_so(self, node: Node, text: FormulaText, where: str) -> Number:
        name, word = node.parts[0].word, node.word
        if name == "trump" and LEVEL[where] >= 1:
            if word == "none":
                return lambda scope: scope.state.trump is None
            if word not in self.cards.suits:
                fact, values = self.vocabulary.no_suit(word)
                raise wrong(text, node, fact, **values)
            return lambda scope: scope.state.trump == word
        if name == "bid" and LEVEL[where] >= 2:
            return self.bid_is(node, text)
        raise wrong(text, node.parts[0], "kit_is")

    def of_cards(self, name: str, node: Node, text: FormulaText, where: str) -> Number:
        level = LEVEL[where]
        if name in ("laid", "lying", "led"):
            if level < 1:
                raise wrong(text, node, "kit_not_here", word=name)
        elif level < 2 and name != "this":
            raise wrong(text, node, "kit_of_a_player", word=f"{name}( )")
        elif level < 3 and name == "this":
            raise wrong(text, node, "kit_not_here", word=name)
        self.uses.add(name)
        return self._counted(name, self.sets.made(node.parts[0], text, where))

    def _counted(self, name: str, cards: Set) -> Number:
        if name in ("taken", "wins", "own", "laid"):
            bag = _BAGS[name]
            return lambda scope: size(bag(scope) & cards(scope.state, scope))
        if name == "this":
            return lambda scope: int(scope.card & cards(scope.state, scope) != 0)
        if name in ("highest", "lowest"):
            self.uses.add("own")
            return self._outermost(name, cards)
        if name == "kinds":
            return self._kinds(cards)
        bits, worth, deck = self.cards.bits, self.cards.worth, self.cards.deck
        if name == "led":

            def led(scope: Scope) -> int:
                card = card_led(scope.state)
                return int(bool(card and bits[card] & cards(scope.state, scope)))

            return led
        if name == "lying":

            def lying(scope: Scope) -> int:
                mask = cards(scope.state, scope)
                return sum(bits[laid.card] & mask != 0 for laid in scope.state.trick if laid.card)

            return lying
        points = [(deck.one[card], worth[str(card)]) for card in deck.cards if worth[str(card)]]

        def worths(scope: Scope) -> int:
            bag = scope.state.round.taken[scope.seat] & cards(scope.state, scope)
            return limited(sum(copies_in(bag, one) * each for one, each in points))

        return worths

    def _kinds(self, cards: Set) -> Number:
        """How many different ranks the cards of a set have that a seat has taken."""
        deck, ranks = self.cards.deck, self.cards.rank
        bags: dict[str, Bag] = {}
        for card in map(str, deck.cards):
            if ranks[card]:
                bags[ranks[card]] = bags.get(ranks[card], 0) | deck.one[card] * DIGIT

        def kinds(scope: Scope) -> int:
            bag = scope.state.round.taken[scope.seat] & cards(scope.state, scope)
            return sum(bag & of_rank != 0 for of_rank in bags.values())

        return kinds

    def _outermost(self, name: str, cards: Set) -> Number:
        """The highest or the lowest number of the cards of a set that a seat has played.

        Without such a card it lies just beyond the numbers of the deck: so it is never the best.
        """
        deck, value, rank = self.cards.deck, self.cards.value, self.cards.rank
        numbers = sorted((value[c], deck.one[c]) for c in map(str, deck.cards) if rank[c])
        ordered = numbers[::-1] if name == "highest" else numbers
        beyond = -1 if name == "highest" else 1
        none = ordered[-1][0] + beyond if ordered else 0

        def outermost(scope: Scope) -> int:
            bag = scope.state.own[scope.seat] & cards(scope.state, scope)
            return next((number for number, one in ordered if copies_in(bag, one)), none)

        return outermost


_BAGS: Mapping[str, Callable[[Scope], Bag]] = {
    "taken": lambda scope: scope.state.round.taken[scope.seat],
    "wins": lambda scope: scope.state.round.wins[scope.seat],
    "own": lambda scope: scope.state.own[scope.seat],
    "laid": lambda scope: scope.state.pile,
}
