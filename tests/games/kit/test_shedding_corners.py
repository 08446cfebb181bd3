"""Odd corners of shedding games: small records, with the verdicts that the rules of files give."""

from __future__ import annotations

import pytest
from corners import Corner, judged

from referee.core.game import COMMON_OPTIONS, Table
from referee.core.log import Log
from referee.core.record import Grammar
from referee.kit.families.shedding.game import SheddingGame
from referee.kit.families.shedding.state import State
from referee.kit.load import load

HEAD = """
kit = 1
family = "shedding"
key = "small"
title = { ja = "小さい大富豪", en = "Small daifugo" }
seats.count = "2-6"
score.place = { per = "deal", points = "n - finish" }
match = { deals = 3, winner = "most" }
"""
PLAIN = """
deck = { ranks = ["3", "4", "5", "6", "7", "8", "9", "10"], copies = 4 }
deal = { hand = 5, leader = "pick" }
combo.set = { same = "1..4" }
"""
SUITS = """
deck.pack = "french54"
deck.ranks = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
deal = { hand = 9, leader = "pick" }
combo.set = { same = "1.." }
combo.run = { run = "3..", suit = "same" }
order = { top = ["special"], wild = "special" }
"""
KICK = """
deck = { ranks = "3..10", copies = 4, special.XB = {}, special.XR = {} }
deal = { hand = 14, leader = "pick" }
order.top = ["card XB", "card XR"]
combo.single = { same = 1 }
combo.pair = { same = 2 }
combo.full = { same = 3, with = 2 }
combo.plane = { same = 3, run = "2..", with = 1 }
combo.four_two = { same = 4, with = 1, with_count = 2 }
combo.bomb = { same = 4, over = ["all"] }
combo.rocket = { cards = ["XB", "XR"], over = ["all", "bomb"] }
"""
HAND = "hand = 5"


CORNERS = [
    Corner(
        "nothing may follow the end of the match",
        PLAIN.replace(HAND, "hand = 1"),
        "A B",
        """
        starter.1 table deal leader=A
        combo.set A lay 3
        starter.1 table deal leader=B
        combo.set B lay 3
        starter.1 table deal leader=B
        combo.set B lay 3
        ×end.1 table deal leader=B
        ×end.1 B lay 99
        """,
        "totals=A:1,B:2",
    ),
    Corner(
        "before the first play",
        PLAIN,
        "A B C",
        """
        ×deal.1 A lay 99
        ×starter.1 table deal
        starter.1 table deal leader=A
        ×deal.2 table deal leader=C
        ×pass.1 B pass
        ×pass.1 A pass
        ×turn.1 B lay 99
        ×deck.1 A lay 99*2
        ×deck.2 A lay 3*5 4
        ×hand.1 A lay 3*3 4*3
        ×combo.1 A lay 3 4
        combo.set A lay 3
        ×turn.1 C pass
        ×follow.1 B lay 4 4
        ×follow.2 B lay 3
        """,
        "act=B",
    ),
    Corner(
        "a leader and the cards left over",
        PLAIN.replace(HAND, 'hand = "deck/n", rest = "dealt"'),
        "A B C D E",
        """
        ×starter.1 table deal from=A
        ×deal.3 table deal leader=A
        starter.1 table deal leader=A from=D
        """,
        "held=6,6,6,7,7",
    ),
    Corner(
        "a skip between two passes over the other, and clears",
        PLAIN + 'effect.skip = { when = "this(rank 5) > 0", do = "skip", times = "this(rank 5)" }',
        "A B",
        """
        starter.1 table deal leader=A
        combo.set A lay 5
        ×turn.1 B pass
        ×pass.1 A pass
        combo.set A lay 3
        combo.set B lay 5
        ×turn.1 A lay 6
        combo.set B lay 4 4
        """,
        "act=A",
    ),
    Corner(
        "a skip passes over those who may still play, not over those who have passed",
        PLAIN + 'effect.skip = { when = "this(rank 5) > 0", do = "skip", times = "this(rank 5)" }',
        "A B C D",
        """
        starter.1 table deal leader=A
        combo.set A lay 3
        pass.1 B pass
        combo.set C lay 5
        combo.set A lay 6
        ×pass.2 B lay 7
        pass.1 C pass
        pass.1 D pass
        combo.set A lay 5 5
        """,
        "act=D",
    ),
    Corner(
        "a skip by somebody who goes out: the next leads, though passed over",
        PLAIN.replace(HAND, "hand = 2")
        + 'effect.skip = { when = "this(rank 5) > 0", do = "skip", times = "this(rank 5)" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 5 5
        ×turn.1 C lay 3
        combo.set B lay 3
        """,
        "act=C outs=A",
    ),
    Corner(
        "turn and skip in one play: the direction turns first",
        PLAIN + 'effect.both = { when = "this(rank 5) > 0", do = ["skip", "turn"] }',
        "A B C D",
        """
        starter.1 table deal leader=A
        combo.set A lay 5
        combo.set C lay 6
        combo.set B lay 7
        """,
        "act=A",
    ),
    Corner(
        "the direction stays turned after somebody went out, and the next in it leads",
        PLAIN.replace(HAND, "hand = 2")
        + 'effect.turn = { when = "this(rank 9) > 0", do = "turn", times = "this(rank 9)" }',
        "A B C D",
        """
        starter.1 table deal leader=A
        combo.set A lay 9
        combo.set D lay 10
        pass.1 C pass
        pass.1 B pass
        pass.1 A pass
        combo.set D lay 3
        pass.1 C pass
        pass.1 B pass
        ×out.1 D pass
        pass.1 A pass
        combo.set C lay 9 9
        combo.set B lay 10 10
        """,
        "act= outs=D,C,B",
    ),
    Corner(
        "an even number of reverses does nothing; two rows are added",
        PLAIN
        + 'effect.one = { when = "count = 2", do = "reverse deal" }\n'
        + 'effect.two = { when = "this(rank 5) = 2", do = "reverse deal" }\n'
        + 'effect.three = { when = "this(rank 6) > 0", do = "turn", times = "this(rank 6)" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 5 5
        combo.set B lay 6 6
        ×follow.2 C lay 7 7
        combo.set C lay 5 5
        """,
        "act=A turned=yes",
    ),
    Corner(
        "revolution and eleven back cancel each other until the trick is cleared",
        SUITS
        + 'effect.r = { when = "combo is set and count >= 4", do = "reverse deal" }\n'
        + 'effect.b = { when = "this(rank J) > 0", do = "reverse trick" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay S4 H4 D4 C4
        pass.1 B pass
        pass.1 C pass
        combo.set A lay SJ
        ×follow.2 B lay S10
        combo.set B lay SQ
        pass.1 C pass
        ×follow.2 A lay HJ
        pass.1 A pass
        combo.set B lay HQ
        ×follow.2 C lay DK
        combo.set C lay D10
        """,
        "act=A turned=yes",
    ),
    Corner(
        "with both turned it stays turned, if the file says so",
        SUITS.replace('wild = "special"', 'wild = "special", both = "stays"')
        + 'effect.r = { when = "combo is set and count >= 4", do = "reverse deal" }\n'
        + 'effect.b = { when = "this(rank J) > 0", do = "reverse trick" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay SJ HJ DJ CJ
        ×follow.2 B lay SQ HQ DQ CQ
        pass.1 B pass
        pass.1 C pass
        combo.set A lay S9
        ×follow.2 B lay S10
        combo.set B lay S8
        """,
        "act=C turned=yes",
    ),
    Corner(
        "four jacks: both turns at once, then the order of the deal alone",
        SUITS
        + 'effect.r = { when = "combo is set and count >= 4", do = "reverse deal" }\n'
        + 'effect.b = { when = "this(rank J) > 0", do = "reverse trick" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay SJ HJ DJ CJ
        ×follow.2 B lay S10 H10 D10 C10
        combo.set B lay SQ HQ DQ CQ
        """,
        "act=C turned=yes",
    ),
    Corner(
        "a joker that stands for an eight clears, alone it does not",
        SUITS + 'effect.eight = { when = "this(rank 8) > 0", do = "clear" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay S8 XB
        combo.run A lay H7 XR H9
        combo.set A lay S3
        combo.set B lay S4
        ×deck.2 C lay XB
        ×wild.1 C lay S9=8
        """,
        "act=C",
    ),
    Corner(
        "what jokers may be called",
        SUITS,
        "A B",
        """
        starter.1 table deal leader=A
        ×wild.1 A lay XB=8
        ×wild.1 A lay XB=11 S4
        ×deck.1 A lay XB=8 S99
        ×wild.2 A lay H8 XB=H8
        ×wild.2 A lay H8 D8 C8 S8 XB=S8
        combo.set A lay H8 D8 C8 S8 XB=8
        ×wild.2 B lay S9 H9 D9 C9 XR=C9
        ×deck.2 B lay S9 H9 D9 C9 XB
        combo.set B lay S9 H9 D9 C9 XR
        """,
        "act=A held=4,4",
    ),
    Corner(
        "jokers alone are themselves; named ones are cards",
        SUITS,
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay S4 H4
        combo.set B lay XB=5 XR=5
        ×deck.2 C lay XB XR
        combo.set C lay S6 H6
        """,
        "act=A",
    ),
    Corner(
        "the spade three beats a single joker in any order and lock, and no pair of jokers",
        SUITS
        + 'beat.three = { cards = "card S3", on = "special", when = "count = 1" }\n'
        + 'effect.lock = { when = "matched = count", do = "lock suits" }\n'
        + 'effect.three = { when = "this(card S3) = 1 and under(special) = 1 and count = 1", '
        'do = "clear" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay H4
        combo.set B lay H5
        ×lock.1 C lay S6
        combo.set C lay XB
        ×follow.2 A lay H3
        beat.three A lay S3
        combo.set A lay D4
        combo.set B lay XR
        ×deck.2 C lay S3
        """,
        "act=C",
    ),
    Corner(
        "locks are added, and jokers fit the suits asked for",
        SUITS + 'effect.lock = { when = "matched > 0", do = "lock suits" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay S4 H4
        combo.set B lay S5 D5
        ×lock.1 C lay H6 D6
        combo.set C lay D6 XB
        ×lock.1 A lay H7 D7
        combo.set A lay S7 D7
        ×lock.1 B lay S8 H8
        combo.set B lay D8 XR
        """,
        "act=C locked=D,S",
    ),
    Corner(
        "a joker named with its suit locks, one without does not",
        SUITS + 'effect.lock = { when = "matched = count", do = "lock suits" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay S4 H4
        combo.set B lay S5 XB
        combo.set C lay D6 C6
        combo.set A lay D7 XR=C7
        ×lock.1 B lay S8 H8
        combo.set B lay D8 C8
        """,
        "act=C locked=C,D",
    ),
    Corner(
        "a bomb heeds no lock; weaker and of another suit is weaker first",
        SUITS
        + 'combo.bomb = { same = 4, over = ["set", "run"] }\n'
        + 'effect.lock = { when = "matched = count", do = "lock suits" }\n'
        + 'effect.steps = { when = "step = 1", do = "lock rank" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay S4
        combo.set B lay S5
        ×follow.2 C lay H4
        ×lock.1 C lay H7
        ×lock.2 C lay S7
        combo.set C lay S6
        combo.bomb A lay S3 H3 D3 C3
        ×follow.1 B lay S7
        ×lock.2 B lay S8 H8 D8 C8
        """,
        "act=B locked=S",
    ),
    Corner(
        "a number lock counts in the order in force; a single joker heeds it, nothing follows",
        SUITS
        + 'effect.b = { when = "this(rank J) > 0", do = "reverse trick" }\n'
        + 'effect.steps = { when = "step = 1", do = "lock rank" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay SJ
        combo.set B lay H10
        ×lock.2 C lay D8
        ×follow.2 C lay DJ
        combo.set C lay D9
        combo.set A lay XB
        ×follow.2 B lay S8
        """,
        "act=B turned=yes",
    ),
    Corner(
        "gifts: as many as are left, to the next in the new direction, before the next play",
        PLAIN.replace(HAND, "hand = 3")
        + 'effect.seven = { when = "this(rank 7) > 0", do = "give", times = "this(rank 7)" }\n'
        + 'effect.nine = { when = "this(rank 7) = 2", do = "turn" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 7 7
        ×give.1 C pass
        ×give.1 A give 2
        ×give.1 B give 1
        ×give.1 A lay 3
        give.1 A give 1
        """,
        "act=C held=0,3,4 outs=A",
    ),
    Corner(
        "gifts and discards take from the same hand",
        PLAIN.replace(HAND, "hand = 4")
        + 'effect.seven = { when = "this(rank 7) > 0", do = ["discard", "give"], '
        'times = "2*this(rank 7)" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 7
        ×give.1 A discard 3
        give.1 A give 2
        ×discard.1 A discard 3 4
        ×discard.1 A give 1
        discard.1 A discard 3
        combo.set B lay 8
        """,
        "act=C held=0,5,4 outs=A",
    ),
    Corner(
        "what is due lapses when the last card was played",
        PLAIN.replace(HAND, "hand = 2")
        + 'effect.all = { when = "this(rank 7) > 0", do = ["name", "give", "discard"] }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 7 7
        ×name.1 A name 5
        ×name.2 B drop 5
        ×give.1 A give 1
        ×out.1 A drop 5
        pass.1 B pass
        pass.1 C pass
        combo.set B lay 3
        """,
        "act=C outs=A",
    ),
    Corner(
        "named ranks: two different ones, dropped until the next play; drops may end a hand",
        PLAIN.replace(HAND, "hand = 2")
        + 'effect.ten = { when = "this(rank 10) > 0", do = "name", times = 2 }',
        "A B C D",
        """
        starter.1 table deal leader=A
        combo.set A lay 10
        ×name.2 B drop 7
        ×name.1 A name 7
        ×name.1 A name 7 7
        ×name.1 B name 7 8
        name.1 A name 7 8
        ×name.2 B drop 7 9
        ×deck.2 B drop 7 7 7 7 7
        ×hand.1 B drop 7 7 8
        name.2 B drop 7 8
        ×out.1 B drop 7
        name.2 D drop 7
        pass.1 C pass
        ×name.2 D drop 8
        ×out.1 B pass
        pass.1 D pass
        """,
        "act=A held=1,0,2,1 outs=B",
    ),
    Corner(
        "a named card that comes out later is a finding, unless cards were given",
        PLAIN.replace(HAND, "hand = 4")
        + 'effect.ten = { when = "this(rank 10) > 0", do = "name" }\n'
        + 'effect.three = { when = "this(rank 3) > 0", do = "give" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 10
        name.1 A name 5
        pass.1 B pass
        pass.1 C pass
        combo.set A lay 3
        give.1 A give 1
        combo.set B lay 5
        combo.set C lay 6
        pass.1 A pass
        pass.1 B pass
        combo.set C lay 5
        """,
        "act=A findings=C",
    ),
    Corner(
        "a foul leaves without a place, and the hand of nobody falls by it",
        PLAIN.replace(HAND, "hand = 1")
        + 'finish.foul = "this(rank 10) > 0"\nfinish.falls = "was = 1 and outs = 1"',
        "A B C D",
        """
        starter.1 table deal leader=A
        combo.set A lay 3
        combo.set B lay 4
        combo.set C lay 5
        starter.1 table deal leader=B
        combo.set B lay 10
        ×out.1 B pass
        pass.1 C pass
        pass.1 D pass
        pass.1 A pass
        combo.set C lay 3
        """,
        "finish=A:3,B:4,C:1,D:2 was=A:3,B:4,C:1,D:2",
    ),
    Corner(
        "two fouls: the first is last, and who is left is first",
        PLAIN.replace(HAND, "hand = 1") + 'finish.foul = "this(rank 10) > 0"\nplay.equal = "yes"',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 10
        combo.set B lay 10
        """,
        "finish=A:3,B:2,C:1",
    ),
    Corner(
        "a fall asks before the end of the deal, and hides a hand",
        PLAIN.replace(HAND, "hand = 1")
        + 'finish.falls = "was = 1 and outs = 1"\nfinish.until = "outs = 2"',
        "A B C D",
        """
        starter.1 table deal leader=A
        combo.set A lay 3
        combo.set B lay 4
        starter.1 table deal leader=B
        combo.set B lay 4
        ×out.1 A lay 5
        combo.set C lay 5
        """,
        "finish=A:4,B:1,C:2,D:3",
    ),
    Corner(
        "places that nobody has: an exchange is due all the same",
        PLAIN.replace(HAND, "hand = 1").replace('"pick"', '"loser"')
        + 'finish.until = "outs = 1"\n'
        + 'exchange.top = { between = [1, "n"], cards = 1 }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 3
        ×starter.1 table deal leader=A
        starter.1 table deal leader=B
        ×exchange.1 B lay 3
        ×deal.2 table deal leader=B
        exchange.1 table exchanged
        ×exchange.1 table exchanged
        combo.set B lay 3
        """,
        "was=A:2,B:1,C:2",
    ),
    Corner(
        "kickers: groups of other ranks, two of them may be equal, jokers are single ones",
        KICK,
        "A B",
        """
        starter.1 table deal leader=A
        combo.full A lay 3 3 3 4 4
        ×combo.1 B lay 5 5 5 6 7
        ×combo.1 B lay 5 5 5 XB XR
        combo.full B lay 5 5 5 6 6
        pass.1 A pass
        combo.plane B lay 7 7 7 8 8 8 9 XB
        ×combo.1 A lay 9 9 9 10 10 10
        ×deck.2 A lay XB XR
        combo.plane A lay 9 9 9 10 10 10 4 4
        """,
        "act=B held=1,1",
    ),
    Corner(
        "four with two others is no bomb; two jokers beat a bomb",
        KICK,
        "A B",
        """
        starter.1 table deal leader=A
        combo.four_two A lay 3 3 3 3 4 4
        combo.four_two B lay 5 5 5 5 4 6
        combo.bomb A lay 7 7 7 7
        combo.rocket B lay XB XR
        ×follow.1 A lay 8 8 8 8
        """,
        "act=A held=4,6",
    ),
    Corner(
        "a bomb out of turn: by one who has passed, by the owner, never on an empty table",
        PLAIN.replace(HAND, "hand = 10")
        + 'combo.bomb = { same = 4, over = ["all"], any_time = "yes" }\n',
        "A B C",
        """
        starter.1 table deal leader=A
        ×turn.1 B lay 5 5 5 5
        combo.set A lay 3
        pass.1 B pass
        ×turn.1 A lay 4
        ×pass.2 B lay 4
        combo.bomb B lay 5 5 5 5
        ×follow.2 A lay 4 4 4 4
        ×deck.2 A lay 5 5 5 5
        pass.1 C pass
        combo.bomb B lay 6 6 6 6
        """,
        "held=9,2,10",
    ),
    Corner(
        "whoever went out cannot bomb, and going out clears if the file says so",
        PLAIN.replace(HAND, "hand = 4")
        + 'combo.bomb = { same = 4, over = ["all"], any_time = "yes" }\nfinish.clears = "yes"',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 3 3
        combo.bomb C lay 5 5 5 5
        ×pass.1 A pass
        ×out.1 C lay 6 6 6 6
        combo.set A lay 3
        """,
        "act=B outs=C",
    ),
    Corner(
        "points and counters of a play see the table before it",
        PLAIN.replace(HAND, "hand = 2")
        + 'counters.made = { of = "table", per = "play", keep = "deal", add = 1 }\n'
        + 'score.rest = { per = "play", points = "10*held + made" }',
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay 3
        combo.set B lay 4
        combo.set C lay 5
        """,
        "totals=A:20,B:21,C:22",
    ),
    Corner(
        "a rank alone, where no rule looks at suits",
        PLAIN.replace("copies = 4 }", "copies = 1, suits.S = {}, suits.H = {}, suits.D = {} }"),
        "A B C",
        """
        starter.1 table deal leader=A
        combo.set A lay S3 3
        ×deck.2 B lay 4 4 4 4
        combo.set B lay 4 H4
        ×deck.2 C lay H4
        ×turn.1 A lay 5 5
        pass.1 C pass
        ×deck.2 A lay 4 S4
        combo.set A lay 5 5
        """,
        "act=B",
    ),
    Corner(
        "whoever can play must, and the last cards of a rank prove it",
        PLAIN.replace(HAND, "hand = 3") + 'play.must = "yes"',
        "A B",
        """
        starter.1 table deal leader=A
        combo.set A lay 9
        combo.set B lay 10
        pass.1 A pass
        combo.set B lay 9
        ?pass.3 A pass
        combo.set B lay 10
        """,
        "totals=A:0,B:1",
    ),
    Corner(
        "bids, the kitty, and a card known to be in the hand",
        PLAIN.replace(HAND, 'hand = 3, kitty = 2, kitty_to = "highest_bid"').replace(
            '"pick"', '"rotate"'
        )
        + 'bid = { values = "0..3", leads = "highest", passed = "over", '
        'forbid = "this > 0 and this <= most(bid)" }',
        "A B C",
        """
        starter.1 table deal leader=B
        ×bid.1 A bid 9
        ×turn.1 A bid 0
        ×bid.1 B pass
        bid.1 B bid 1
        ×bid.2 C bid 1
        bid.1 C bid 2
        bid.1 A bid 0
        ×bid.1 A bid 3
        ×kitty.1 C lay 3
        ×kitty.1 table kitty 3 4 99
        ×deck.1 table kitty 3 99
        kitty.1 table kitty 3 10
        ×kitty.1 table kitty 3 10
        ×deck.2 C lay 3 3 3 3 3
        ×hand.2 C lay 4 4 4 4
        combo.set C lay 4 4 4
        """,
        "act=A held=3,3,2",
    ),
]


def fact(game: SheddingGame, state: State, name: str) -> str:
    """What is asked for after a record, in words."""
    round_, seats = state.round, state.table.seats
    match name:
        case "act":
            return ",".join(game.to_act(state))
        case "held":
            return ",".join(map(str, round_.held))
        case "outs":
            return ",".join(round_.outs)
        case "turned":
            return "yes" if state.rules.is_turned(state) else "no"
        case "locked":
            return ",".join(sorted(suit for suit, _ in state.trick.suits))
        case "findings":
            return ",".join(finding.seat for finding in game.audit(state))
        case "totals":
            return ",".join(f"{seat}:{state.score.totals[seat]}" for seat in seats)
    places = round_.finish if name == "finish" else round_.was
    return ",".join(f"{seat}:{place}" for seat, place in zip(seats, places, strict=True))


@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: corner.name)
def test_every_entry_is_judged_by_the_first_row_that_applies(corner: Corner) -> None:
    game, log = judged(corner, HEAD, SheddingGame)
    assert {name: fact(game, log.state, name) for name in corner.ends} == corner.ends


GIVES = 'effect.seven = { when = "this(rank 7) > 0", do = "give", times = "this(rank 7)" }\n'
CORRECTIONS = [
    (
        "a gift that was never due",
        PLAIN + GIVES,
        "table deal leader=A, A lay 7, A give 1, B lay 8, table amend 2 A lay 6",
        "table deal leader=A, A lay 6, B lay 8",
    ),
    (
        "the play that locked the suits",
        SUITS + 'effect.lock = { when = "matched = count", do = "lock suits" }',
        "table deal leader=A, A lay S4, B lay S5, C lay S6, A lay H7, table amend 3 B lay D5",
        "table deal leader=A, A lay S4, B lay D5, C lay S6, A lay H7",
    ),
    (
        "a pass that was forgotten",
        PLAIN,
        "table deal leader=A, A lay 4, C lay 5, A lay 6, table insert 3 B pass",
        "table deal leader=A, A lay 4, B pass, C lay 5, A lay 6",
    ),
    (
        "a revolution that was none, with what followed it",
        PLAIN + 'effect.r = { when = "count = 4", do = "reverse deal" }',
        "table deal leader=A, A lay 5*4, B pass, C pass, A lay 6, B lay 5, B lay 7, "
        "table amend 2 A lay 5*3",
        "table deal leader=A, A lay 5*3, B pass, C pass, A lay 6, B lay 7",
    ),
    (
        "a struck pass leaves the turn where it was",
        PLAIN,
        "table deal leader=A, A lay 4, B pass, B lay 6, table strike 3",
        "table deal leader=A, A lay 4, B lay 6",
    ),
    (
        "a deal that does not count gives no places, so nothing is exchanged",
        PLAIN.replace(HAND, "hand = 1") + 'exchange.x = { between = [1, "n"], cards = 1 }',
        "table deal leader=A, A lay 3, B lay 4, table void 1, table deal leader=C, C lay 5",
        "table deal leader=C, C lay 5",
    ),
    (
        "a leader who passes, with all at the table content, leaves the lead to the next",
        PLAIN,
        "table deal leader=A, A pass, table rule 2 stands, B lay 4, C pass",
        "table deal leader=B, B lay 4, C pass, A pass",
    ),
    (
        "a play that the table lets stand is beneath the next one",
        PLAIN,
        "table deal leader=A, A lay 6, B lay 5, table rule 3 stands, C lay 6",
        "table deal leader=A, A lay 4, B lay 5, C lay 6",
    ),
]


@pytest.mark.parametrize(
    ("rules", "record", "meant"),
    [case[1:] for case in CORRECTIONS],
    ids=[case[0] for case in CORRECTIONS],
)
def test_a_corrected_record_is_as_if_it_had_been_right(rules: str, record: str, meant: str) -> None:
    game = load((HEAD + rules).encode())
    assert isinstance(game, SheddingGame)
    seats, shown = ("A", "B", "C"), []
    for lines in (record, meant):
        log = Log(game, Table(seats, {}, {**COMMON_OPTIONS, **game.OPTIONS}))
        grammar = Grammar(game, seats)
        for line in lines.split(", "):
            log.push(grammar.parse(line))
        shown.append(game.public(log.state))
    for each in shown:
        each.pop("turned_by")
        each["trick"] = [cards[0:1] + cards[2:] for cards in each["trick"]]  # type: ignore[attr-defined]
    assert shown[0] == shown[1]
