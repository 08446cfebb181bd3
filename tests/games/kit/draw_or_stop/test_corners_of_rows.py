"""Odd corners of games of open cards: small records, with the verdicts that the rules give."""

from __future__ import annotations

import pytest
from corners import Corner, judged

from referee.kit.families.draw_or_stop.game import DrawOrStopGame

HEAD = """
kit = 1
family = "draw_or_stop"
key = "rows"
title = { ja = "列", en = "Rows" }
seats.count = "2-6"
match = { deals = 3, winner = "most" }
"""
SCORE = 'score.row = { per = "deal", when = "not bust", points = "row_sum" }\n'
CARDS = """
deck = { ranks = "0..6", copies = 2, special.F = {}, special.T = {}, special.S = { copies = 2 } }
deal = { cards = 1, leader = "rotate", stock = "match" }
stay.when = "cards > 1"
effect.bust = { when = "same > 0 and row(card S) = 0", do = "bust" }
effect.saved = { when = "same > 0 and row(card S) > 0", do = "drop", cost = "card S" }
effect.second = { when = "this(card S) > 0 and row(card S) > 0", do = "move", to = "other", \
who = "row(card S) = 0" }
effect.freeze = { when = "this(card F) > 0", do = "out", to = "any" }
effect.three = { when = "this(card T) > 0", do = "draw", times = 3, to = "any" }
"""
FOLDS = """
deck = { ranks = "1..4", copies = 2 }
deal = { cards = 1, leader = "pick", stock = "deal" }
fold.takes = "lowest"
effect.pair = { when = "same > 0", do = ["keep", "over"] }
effect.fold = { on = "fold", do = "keep" }
score.pair = { per = "draw", when = "same > 0", points = "value" }
score.fold = { per = "fold", points = "10*value" }
"""


CORNERS = [
    Corner(
        "cards are dealt around from the leader, who alone can be named once",
        CARDS + SCORE,
        "A B C",
        """
        ×deal.1 A hit 99
        ×deal.1 table shuffle
        ×starter.1 table deal
        starter.1 table deal leader=B
        ×deal.2 table deal leader=C
        ×shuffle.1 table shuffle
        ×start.4 table starter A
        ×turn.1 A reveal 99
        ×order.1 B hit 4
        ×aim.1 B aim A
        ×deck.1 B reveal 99
        setup.hand B reveal 4
        setup.hand C reveal 4
        ×deck.2 A reveal 4
        setup.hand A reveal 5
        ×order.1 A reveal 6
        ×turn.1 A hit 99
        ×stay.1 B stay
        ×fold.1 B fold
        hit.1 B hit 6
        hit.1 C hit 6
        """,
        "act=A rows=5/4,6/4,6",
    ),
    Corner(
        "a second life: its card and the number are discarded; the player stays in",
        CARDS + SCORE,
        "A B",
        """
        starter.1 table deal leader=A
        setup.hand A reveal 5
        setup.hand B reveal S
        hit.1 A hit S
        hit.1 B hit 3
        effect.saved A hit 5
        effect.saved B hit 3
        ×deck.2 A hit S
        ×stay.1 A stay
        hit.1 A hit 4
        """,
        "act=B rows=5,4/3 bust=",
    ),
    Corner(
        "a second life too many goes on by choice; nobody without one: it is discarded",
        CARDS.replace("copies = 2 }", "copies = 4 }") + SCORE,
        "A B C",
        """
        starter.1 table deal leader=A
        setup.hand A reveal S
        setup.hand B reveal 1
        setup.hand C reveal 2
        effect.second A hit S
        ×aim.1 B aim C
        ×aim.2 A aim A
        ×turn.1 B hit 3
        ×aim.1 A stay
        ×aim.1 A hit 3
        effect.second A aim C
        hit.1 B hit S
        effect.second C hit S
        """,
        "act=A rows=S/1,S/2,S",
    ),
    Corner(
        "a freeze with nobody else in the round acts on its player, and the row counts",
        CARDS + SCORE,
        "A B",
        """
        starter.1 table deal leader=A
        setup.hand A reveal 5
        setup.hand B reveal 6
        hit.1 A hit 3
        effect.bust B hit 6
        effect.freeze A hit F
        ×deal.1 A stay
        """,
        "act= totals=8,0",
    ),
    Corner(
        "three cards handed on: effects in them wait, and the turn goes on from who drew",
        CARDS + SCORE,
        "A B C",
        """
        starter.1 table deal leader=A
        setup.hand A reveal 5
        setup.hand B reveal 6
        setup.hand C reveal 0
        effect.three A hit T
        ×turn.1 C hit 1
        effect.three A aim C
        ×draw.1 A hit 1
        ×turn.1 B hit 1
        ×turn.1 C stay
        hit.1 C hit 1
        effect.freeze C hit F
        ×aim.1 C aim B
        hit.1 C hit 2
        effect.freeze C aim A
        """,
        "act=B rows=5,T/6/0,1,F,2",
    ),
    Corner(
        "a bust ends three cards at once; what waits lapses",
        CARDS + SCORE,
        "A B C",
        """
        starter.1 table deal leader=A
        setup.hand A reveal 5
        setup.hand B reveal 6
        setup.hand C reveal 0
        effect.three A hit T
        effect.three A aim B
        effect.freeze B hit F
        effect.bust B hit 6
        ×turn.1 B hit 1
        """,
        "act=C bust=B",
    ),
    Corner(
        "three while cards are dealt: the deal goes on after them",
        CARDS + SCORE,
        "A B C",
        """
        starter.1 table deal leader=A
        effect.three A reveal T
        ×turn.1 B reveal 1
        ×order.1 B hit 1
        effect.three A aim B
        ×order.1 A stay
        hit.1 B hit 1
        hit.1 B hit 2
        hit.1 B hit 3
        setup.hand B reveal 4
        setup.hand C reveal 4
        """,
        "act=A rows=T/1,2,3,4/4",
    ),
    Corner(
        "an empty stock is shuffled first, without the rows; discarded cards come back",
        CARDS.replace('"0..6", copies = 2', '"0..2", copies = 1')
        .replace("special.F = {}, special.T = {}, special.S = { copies = 2 }", "special.S = {}")
        .replace('effect.freeze = { when = "this(card F) > 0", do = "out", to = "any" }\n', "")
        .replace(
            'effect.three = { when = "this(card T) > 0", do = "draw", times = 3, to = "any" }\n', ""
        )
        + SCORE,
        "A B",
        """
        starter.1 table deal leader=A
        setup.hand A reveal 1
        setup.hand B reveal 0
        hit.1 A hit S
        hit.1 B hit 2
        ×shuffle.2 A hit 1
        ×shuffle.2 A hit 99
        ×shuffle.2 table shuffle
        stay.1 A stay
        stay.1 B stay
        starter.1 table deal leader=B
        ×deck.1 B reveal 99
        ×shuffle.1 B reveal 1
        shuffle.1 table shuffle
        ×shuffle.1 table shuffle
        setup.hand B reveal 1
        """,
        "act=A stock=3 totals=1,2",
    ),
    Corner(
        "kept cards leave the deck until the match ends; a pair costs and ends the round",
        FOLDS,
        "A B",
        """
        starter.1 table deal leader=A
        setup.hand A reveal 3
        setup.hand B reveal 2
        ×stay.1 A stay
        effect.pair A hit 3
        ×deal.1 B fold
        starter.1 table deal leader=A
        setup.hand A reveal 3
        ×deck.2 B reveal 3
        setup.hand B reveal 2
        ×fold.1 A fold 3
        ×fold.1 A fold 4
        effect.fold A fold
        hit.1 B hit 4
        """,
        "act=B totals=23,0",
    ),
    Corner(
        "of equal lowest cards the first shown is taken, from whose row it may be",
        FOLDS,
        "A B C",
        """
        starter.1 table deal leader=C
        setup.hand C reveal 4
        setup.hand A reveal 1
        setup.hand B reveal 1
        ×shuffle.1 table shuffle
        effect.fold C fold 1
        hit.1 A hit 2
        effect.fold B fold 1
        """,
        "act=A rows=2//4 totals=0,10,10",
    ),
    Corner(
        "the lowest card leads; those tied get another one, and then a lot decides",
        FOLDS.replace(
            'leader = "pick", stock = "deal"', 'leader = "lowest", stock = "deal"'
        ).replace('"1..4", copies = 2', '["1", "2"], copies = 4'),
        "A B C",
        """
        ×starter.1 table deal leader=A
        starter.1 table deal
        start.1 C reveal 1
        ×turn.1 C reveal 2
        start.1 A reveal 2
        ×order.1 A hit 1
        start.1 B reveal 1
        ×start.4 table starter B
        ×turn.1 A reveal 1
        start.3 B reveal 1
        start.2 B reveal 2
        start.2 C reveal 2
        ×order.1 A reveal 2
        ×start.4 table starter A
        start.4 table starter C
        """,
        "act=C rows=2/1,2/1,2 totals=0,0,0",
    ),
    Corner(
        "the seventh card that ends the round ends it for all, and their rows count",
        CARDS
        + 'effect.full = { when = "kinds = 2 and same = 0 and this(special) = 0", do = "over" }\n'
        + SCORE,
        "A B",
        """
        starter.1 table deal leader=A
        setup.hand A reveal 1
        setup.hand B reveal 6
        hit.1 A hit 2
        hit.1 B hit 5
        effect.full A hit 3
        """,
        "act= totals=6,11",
    ),
    Corner(
        "with more cards in a turn a player goes on until out or staying",
        CARDS.replace("stay.when", 'turn.go_on = "yes"\nstay.when') + SCORE,
        "A B",
        """
        starter.1 table deal leader=A
        setup.hand A reveal 1
        setup.hand B reveal 6
        hit.1 A hit 2
        ×turn.1 B hit 5
        effect.three A hit T
        ×aim.1 A stay
        effect.three A aim B
        ×draw.1 A hit 3
        hit.1 B hit 1
        hit.1 B hit 2
        hit.1 B hit 3
        stay.1 A stay
        """,
        "act=B rows=1,2,T/6,1,2,3",
    ),
]


@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: corner.name)
def test_the_first_row_of_the_table_that_applies_decides(corner: Corner) -> None:
    game, log = judged(corner, HEAD, DrawOrStopGame)
    seats, state = log.table.seats, log.state
    rows = "/".join(",".join(card.card for card in row) for row in state.round.rows)
    busts = (seat for seat, bust in zip(seats, state.round.busts, strict=True) if bust)
    known = {
        "act": ",".join(game.to_act(state)),
        "rows": rows,
        "bust": ",".join(busts),
        "stock": str(state.stock.left),
        "totals": ",".join(str(state.score.totals[seat]) for seat in seats),
    }
    assert {name: known[name] for name in corner.ends} == corner.ends
