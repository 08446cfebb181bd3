"""``core.draws`` against all deals and all orders of the stock of small decks.

The witness knows nothing of matchings: it plays every story that the deck allows, a world being
the hands in full and the stock in order, and keeps those that the facts don't contradict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import combinations

from hypothesis import assume, given
from hypothesis import strategies as st

from referee.core.cards import Deck
from referee.core.draws import Draws
from referee.core.hands import HandClaim, Truth
from referee.core.moves import Drew, Fact, Gained, Held, Lost, Played, Shown, Turned
from referee.core.verdict import Card, Seat

SEATS = ("A", "B")
DECKS = [
    Deck((1, 2, 3), (1, 2, 3)),
    Deck((1, 2), (3, 3)),
    Deck((1, 2, 3), (2, 2, 2)),
    Deck((1, 2, 3, 4), (1, 2, 2, 2)),
    Deck((1, 2, 3), (2, 3, 3)),
]
VERBS = [
    ("claim", "draw", "play", "play", "lose", "show", "hold", "turn", "gain", "cover"),
    ("claim", "claim", "claim", "draw", "play", "lose", "cover"),
    ("claim", "claim", "draw"),
]

Story = tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]  # sorted hands, the stock in order


@cache
def shuffles(deck: Deck) -> tuple[tuple[Card, ...], ...]:
    def spread(left: tuple[int, ...]) -> Iterator[tuple[Card, ...]]:
        if not any(left):
            yield ()
        for i, n in enumerate(left):
            if n:
                for rest in spread((*left[:i], n - 1, *left[i + 1 :])):
                    yield (deck.cards[i], *rest)

    return tuple(spread(deck.copies))


def without(hand: tuple[Card, ...], cards: Sequence[Card]) -> tuple[Card, ...] | None:
    rest = list(hand)
    for card in cards:
        if card not in rest:
            return None
        rest.remove(card)
    return tuple(rest)


def moved(story: Story, fact: Fact, claimed: bool, seen: bool) -> Iterator[Story]:
    """What ``story`` becomes; ``claimed``: claims are true, ``seen``: the cards are known."""
    hands, stock = story

    def to(seat: Seat, hand: Sequence[Card], stock: tuple[Card, ...] = stock) -> Story:
        at = SEATS.index(seat)
        return (*hands[:at], tuple(sorted(hand)), *hands[at + 1 :]), stock

    if isinstance(fact, Turned):
        n = len(fact.cards)
        if not seen or Counter(stock[:n]) == Counter(fact.cards):
            yield hands, stock[n:]
        return
    hand = hands[SEATS.index(fact.seat)]
    match fact:
        case Drew(seat, count):
            yield to(seat, hand + stock[:count], stock[count:])
        case Gained(seat, card):
            yield to(seat, (*hand, card))
        case Played(seat, cards, _) if seen:
            rest = without(hand, cards)
            if rest is not None:
                yield to(seat, rest)
        case Played(seat, cards, _):
            for kept in set(combinations(hand, len(hand) - len(cards))):
                yield to(seat, kept)
        case Held(_, cards, _):
            if not seen or without(hand, cards) is not None:
                yield story
        case Shown(_, cards, _):
            if not seen or Counter(hand) == Counter(cards):
                yield story
        case Lost(seat, _):
            for kept in set(combinations(hand, len(hand) - 1)):
                yield to(seat, kept)
        case HandClaim(_, _, only):
            if not claimed or set(hand) <= only:
                yield story


def stories(
    deck: Deck,
    facts: Sequence[Fact],
    claims: Collection[HandClaim] = (),
    forgotten: Collection[int] = (),
) -> set[Story]:
    believed = {claim.at for claim in claims}
    alive: set[Story] = {(((),) * len(SEATS), stock) for stock in shuffles(deck)}
    for fact in facts:
        at = getattr(fact, "at", 0)
        own = any(claim.seat == getattr(fact, "seat", None) for claim in claims)
        claimed, seen = own and at in believed, at not in forgotten
        alive = {after for story in alive for after in moved(story, fact, claimed, seen)}
    return alive


def hand_of(story: Story, seat: Seat) -> tuple[Card, ...]:
    return story[0][SEATS.index(seat)]


@st.composite
def histories(draw: st.DrawFn) -> tuple[Deck, list[Fact]]:
    """A true story with a claim here and there, true or not."""
    deck = draw(st.sampled_from(DECKS))
    stock = list(draw(st.sampled_from(shuffles(deck))))
    hands: dict[Seat, list[Card]] = {}
    facts: list[Fact] = []
    for seat in SEATS:
        size = draw(st.integers(1, 3))
        hands[seat], stock = stock[:size], stock[size:]
        facts.append(Drew(seat, size))
    gone: list[Card] = []
    kinds = st.frozensets(st.sampled_from(deck.cards), min_size=1, max_size=len(deck.cards) - 1)
    verbs = draw(st.sampled_from(VERBS))
    for at in range(1, draw(st.integers(3, 9)) + 1):
        seat = draw(st.sampled_from("AAB"))
        hand, verb = hands[seat], draw(st.sampled_from(verbs))
        if verb == "draw" and stock:
            hand.append(stock.pop(0))
            facts.append(Drew(seat, 1))
        elif verb == "turn" and stock:
            gone.append(stock.pop(0))
            facts.append(Turned((gone[-1],), at))
        elif verb == "gain" and gone:
            card = gone.pop(draw(st.integers(0, len(gone) - 1)))
            hand.append(card)
            facts.append(Gained(seat, card))
        elif verb in ("claim", "play", "cover", "lose") and hand:
            card = hand.pop(draw(st.integers(0, len(hand) - 1)))
            if verb in ("claim", "cover"):
                facts.append(HandClaim(seat, at, draw(kinds)))
            if verb in ("cover", "lose"):
                facts.append(Lost(seat, at))
            else:
                gone.append(card)
                facts.append(Played(seat, (card,), at))
        elif verb == "show":
            facts.append(Shown(seat, tuple(hand), at))
        elif verb == "hold" and hand:
            n = draw(st.integers(1, len(hand)))
            facts.append(Held(seat, tuple(hand[:n]), at))
    return deck, facts


def known(deck: Deck, facts: Sequence[Fact]) -> Draws:
    draws = Draws.dealt(deck, SEATS, 0)
    for fact in facts:
        assert draws.allows(fact)
        draws = draws.add(fact)
    return draws


@given(histories())
def test_what_may_happen_next(history: tuple[Deck, list[Fact]]) -> None:
    deck, facts = history
    draws, alive = known(deck, facts), stories(deck, facts)
    for seat in SEATS:
        assert {draws.size(seat)} == {len(hand_of(story, seat)) for story in alive}
        hands = {hand_of(story, seat) for story in alive}
        assert draws.known(seat) is None or {draws.known(seat)} == hands
        for card in deck.cards:
            may = any(card in hand for hand in hands)
            assert draws.allows(Played(seat, (card,), 99)) == may
            assert draws.can_lay(seat, (card,)) == may
            least = min(hand.count(card) for hand in hands)
            assert draws.at_least(seat, card) == least
            for n in range(1, 4):
                may = any(hand.count(card) >= n for hand in hands)
                assert draws.allows(Held(seat, (card,) * n, 99)) == may
                assert draws.can_lay(seat, (card,) * n) == may


@given(histories(), st.integers(0, 2))
def test_all_facts_at_once(history: tuple[Deck, list[Fact]], drawn: int) -> None:
    """Hands that change in place come to what they come to fact by fact, world by world."""
    deck, facts = history
    start = Draws.dealt(deck, SEATS, 0)
    slowly = start._added(tuple(facts))
    for draws in (start.add(*facts), known(deck, facts)):
        assert draws.facts() == slowly.facts()
        assert list(draws.where(deck.cards)) == list(slowly.where(deck.cards))
        alike = [each._replace(past=None) for each in (draws, slowly)]
        assert alike[0] == alike[1]
    for seat in SEATS:
        then = slowly.add(Drew(seat, drawn))
        for card in deck.cards:
            lay = Played(seat, (card,), 99)
            assert slowly.can_lay(seat, (card,), drawn) == then.allows(lay)
            if then.allows(lay):
                kinds = frozenset(deck.cards[1:])
                found = slowly.truth(seat, kinds, (card,), drawn)
                assert found is then.add(lay).truth(seat, kinds)


@given(histories(), st.data())
def test_shown_hands(history: tuple[Deck, list[Fact]], data: st.DataObject) -> None:
    deck, facts = history
    draws, alive = known(deck, facts), stories(deck, facts)
    seat = data.draw(st.sampled_from(SEATS))
    cards = data.draw(st.lists(st.sampled_from(deck.cards), max_size=4))
    may = any(hand_of(story, seat) == tuple(sorted(cards)) for story in alive)
    assert draws.allows(Shown(seat, tuple(cards), 99)) == may


@given(histories(), st.data())
def test_declarations_about_now(history: tuple[Deck, list[Fact]], data: st.DataObject) -> None:
    deck, facts = history
    draws, alive = known(deck, facts), stories(deck, facts)
    only = data.draw(st.frozensets(st.sampled_from(deck.cards)))
    for seat in SEATS:
        found = {set(hand_of(story, seat)) <= only for story in alive}
        truth = Truth.OPEN if len(found) == 2 else [Truth.IMPOSSIBLE, Truth.CERTAIN][found.pop()]
        assert draws.truth(seat, only) is truth
        for card in deck.cards:
            lay = Played(seat, (card,), 99)
            if draws.allows(lay):
                after = stories(deck, [*facts, lay])
                found = {set(hand_of(story, seat)) <= only for story in after}
                assert (draws.truth(seat, only, (card,)) is Truth.IMPOSSIBLE) == (True not in found)


def held_against(
    deck: Deck, facts: Sequence[Fact]
) -> dict[HandClaim, tuple[HandClaim, ...] | None]:
    """Claims that are false (None) or contradict the earlier ones that are named."""
    claims = [fact for fact in facts if isinstance(fact, HandClaim)]
    found: dict[HandClaim, tuple[HandClaim, ...] | None] = {}
    for seat in SEATS:
        kept: list[HandClaim] = []
        for claim in (claim for claim in claims if claim.seat == seat):
            if not stories(deck, facts, [claim]):
                found[claim] = None
            elif stories(deck, facts, [*kept, claim]):
                kept.append(claim)
            else:
                found[claim] = tuple(kept)
    return found


@given(histories())
def test_declarations_about_the_past(history: tuple[Deck, list[Fact]]) -> None:
    deck, facts = history
    assume(any(isinstance(fact, HandClaim) for fact in facts))
    draws, expected = known(deck, facts), held_against(deck, facts)
    found = draws.refutations()
    assert [r.claim for r in found] == sorted(expected, key=lambda claim: claim.at)
    for refutation in found:
        kept = expected[refutation.claim]
        assert bool(refutation.against) == (kept is not None)
        assert set(refutation.against) <= set(kept or ())
        together = [*refutation.against, refutation.claim]
        assert not stories(deck, facts, together)
        for claim in refutation.against:
            assert stories(deck, facts, [c for c in together if c != claim])


@given(histories())
def test_a_proof_suffices_and_nothing_in_it_can_be_spared(
    history: tuple[Deck, list[Fact]],
) -> None:
    deck, facts = history
    draws = Draws.dealt(deck, SEATS, 0)
    positions = {fact.at for fact in facts if isinstance(fact, Turned | Played | Held | Shown)}
    late: dict[HandClaim, tuple[int, ...]] = {}
    for i, fact in enumerate(facts):
        draws = draws.add(fact)
        if isinstance(fact, HandClaim) and not stories(deck, [*facts[: i + 2]], [fact]):
            assume(False)  # impossible when it was made, so no judge let it in
        for found in draws.refutations():
            if not found.against and found.claim not in late:
                late[found.claim] = found.proof
                assert found.proof[-1] == getattr(fact, "at", None)
    for claim, proof, against in draws.refutations():
        assert list(proof) == sorted(set(proof))
        claims = [*against, claim]
        assert not stories(deck, facts, claims, positions - set(proof))
        assert {c.at for c in against} <= set(proof)
        if not against:
            assert proof == late[claim]
            for at in proof:
                assert stories(deck, facts, claims, positions - set(proof) | {at})


def test_cards_drawn_after_a_refuted_declaration_count_for_the_next() -> None:
    ones = frozenset((1,))
    false, next_one = HandClaim("A", 1, ones), HandClaim("A", 3, ones)
    draws = Draws.dealt(Deck((1, 2), (3, 3)), SEATS, 2)
    for fact in (false, Played("A", (2,), 1), Drew("A", 1), next_one, Played("B", (1, 1), 4)):
        draws = draws.add(fact)
    assert [(r.claim, r.proof) for r in draws.refutations()] == [(false, (1,)), (next_one, (4,))]
