"""What the check finds in a game file: each hole that is left in it, and nothing in a good one."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from kit_files import FILES

from referee.games.simulation import table
from referee.kit.chapters.bidding.notes import unscored
from referee.kit.check import check
from referee.kit.command import sentence
from referee.kit.load import load
from referee.rulings import COMMON, book

GOOD = """kit = 1
family = "trick_taking"
key = "good"
title = { ja = "よい", en = "good" }
about = { ja = "見本。", en = "A sample." }
seats = { count = "3-4" }
deck = { pack = "french" }
deal = { hand = 13 }
play = { follow = ["suit led"] }
trick = { best = ["suit led"] }
score.made = { per = "deal", points = "tricks" }
match = { deals = 2, winner = "most" }
"""
BARRED = 'kit = 1\nbid = { values = "1..2", forbid = "this > 0" }\n'
HOLES = [
    ('count = "3-4"', 'count = "3-5"', "kit_few_cards", 8),
    ("hand = 13", 'hand = "13 - 7*deal"', "kit_no_hand", 8),
    ('"french"', '"french", remove = ["XX"]', "kit_no_card", 7),
    ('follow = ["suit led"]', 'folow = ["suit led"]', "kit_no_key_near", 9),
    ('winner = "most"', 'winner = "most", bid = {}', "kit_elsewhere", 12),
    ('follow = ["suit led"]', 'follow = ["suit led"], pass = { cards = 3 }', "kit_elsewhere", 9),
    ("match =", "[match]\nwinner = 'most'\nbid = {}\n#", "kit_below", 14),
    ("deals = 2", "deals　= 2", "kit_wide_space", 12),
    ('"most"', "“most”", "kit_wide", 12),
    ("deals = 2", "deals ＝ 2", "kit_wide", 12),
    ('follow = ["suit led"]', 'lead = ["not suit showing"], follow = []', "kit_led_in_lead", 9),
    ('best = ["suit led"]', 'best = ["suit showin"]', "kit_no_suit_near", 10),
    ('best = ["suit led"]', 'best = ["suit hearts"]', "kit_no_suit_near", 10),
    ('best = ["suit led"]', 'best = ["suit H suit led"]', "kit_joined", 10),
    ('pack = "french"', 'ranks = "1..60", special.F = {}, remove = [7]', "kit_unquoted", 7),
    ('pack = "french"', 'ranks = "1..60", special.fog = {}', "kit_special_key", 7),
    ('pack = "french"', 'ranks = "1..60", suits.RB = {}', "kit_one_capital", 7),
    ('{ ja = "よい", en = "good" }', '"good"', "kit_texts", 4),
    ('"tricks"', '"10 tricks"', "kit_joined", 11),
    ('"tricks"', '"taken all"', "kit_brackets", 11),
    ('"tricks"', '"3 * (tricks + 0.5"', "kit_fraction", 11),
    ('"tricks"', '"3 * (tricks 5)"', "kit_joined", 11),
    ("deals = 2", 'until = "total > 100"', "kit_of_a_player", 12),
    ("deals = 2", 'until = "taken(all) > 100"', "kit_of_a_player", 12),
    ('"tricks"', '"trick + gapp"', "kit_unknown", 11),
    ('"tricks"', '"taken"', "kit_brackets", 11),
    ('"tricks"', '"worth(taken)"', "kit_number_here", 11),
    ('"tricks"', '"taken(H)"', "kit_unknown_near", 11),
    ('"tricks"', '"taken(C2)"', "kit_unknown_near", 11),
    ('"tricks"', '"tricks + bid"', "kit_no_bids", 11),
    ('"tricks"', '"if trump = S then 1 else tricks"', "kit_unknown_near", 11),
    ('"tricks"', '"if true then 1 else tricks"', "kit_unknown_near", 11),
    ('"tricks"', '"if tricks = 3 or 4 then 1 else 0"', "kit_number_alone", 11),
    ('"tricks"', '"value"', "kit_not_here", 11),
    ('best = ["suit led"]', 'best = ["suit trump", "suit led"]', "kit_no_trump", 10),
    ('best = ["suit led"]', 'best = ["suit H"]', "kit_nobody_leads", 10),
    ('best = ["suit led"]', 'best = ["suit X"]', "kit_no_suit", 10),
    ('follow = ["suit led"]', 'lead = ["suit led"], follow = []', "kit_led_in_lead", 9),
    ('follow = ["suit led"]', 'follow = ["suit H", "card H2"]', "kit_covered_step", 9),
    ('follow = ["suit led"]', 'follow = [], cannot = "out"', "kit_cannot_unused", 9),
    ("hand = 13", 'hand = 12, leader = "holder", holder = ["C2"]', "kit_holder_out", 8),
    ('winner = "most"', 'winner = "best"', "kit_one_of", 12),
    ('count = "3-4"', 'count = "3-4", teams = "opposite"', "kit_teams", 6),
    ('count = "3-4"', 'count = "3-4", teams = { else = "opposite" }', "kit_teams", 6),
    ('count = "3-4"', 'count = "3-4", teams = { "4" = "opposite" }', "kit_no_seats", 6),
    (
        "kit = 1\n",
        'kit = 1\nbid = { values = "1..2", forbid = "this > 0" }\n',
        "kit_no_bid_left",
        2,
    ),
    ("kit = 1\n", 'kit = 1\npass = { cards = 1, to = ["across"] }\n', "kit_across", 2),
    ("kit = 1\n", 'kit = 1\nvalues = { a = "b", b = "a" }\n', "kit_circle", 2),
]

CHANGES = [
    # the author's mistake, the remark of the check, and the changed parts of the good file
    (
        "holder below lead",
        "kit_holder_denied",
        [
            ("deal = { hand = 13 }", 'deal = { hand = 13, leader = "holder", holder = ["H2"] }'),
            ('count = "3-4"', "count = 4"),
            (
                'follow = ["suit led"] }\ntrick',
                'lead = ["not suit H"], follow = ["suit led"] }\ntrick',
            ),
        ],
    ),
    (
        "nothing to draw",
        "kit_nothing_drawn",
        [("hand = 13", 'hand = 13, draw = "after_trick"'), ('count = "3-4"', "count = 4")],
    ),
    (
        "drawing and cards aside",
        "kit_draw_with",
        [
            ("hand = 13", 'hand = 6, draw = "after_trick"'),
            ("kit = 1\n", 'kit = 1\npass = { cards = 1, to = ["aside"] }\n'),
        ],
    ),
    (
        "a turned card that may be handed on",
        "kit_turn_handed_on",
        [
            ("hand = 13", 'hand = 13, turn_up = "dealer"'),
            ("kit = 1\n", 'kit = 1\npass = { cards = 1, to = ["none", "left"] }\n'),
        ],
    ),
    (
        "an auction without a pass",
        "kit_auction_pass",
        [("kit = 1\n", 'kit = 1\nbid = { values = "1..2", order = "auction" }\n')],
    ),
    (
        "an auction in which all may pass",
        "kit_all_pass",
        [
            (
                "kit = 1\n",
                'kit = 1\nbid = { values = "0..2", order = "auction", leads = "highest" }\n',
            )
        ],
    ),
    (
        "a call of the highest bidder without bids",
        "kit_no_bids",
        [("kit = 1\n", 'kit = 1\ncall = { by = "highest_bid" }\n')],
    ),
    (
        "the same class twice",
        "kit_covered_step",
        [('best = ["suit led"]', 'best = ["suit led", "suit led"]')],
    ),
    (
        "the same step twice",
        "kit_covered_step",
        [('follow = ["suit led"]', 'follow = ["suit led", "suit led"]')],
    ),
    ("values 3..2", "kit_no_bid", [("kit = 1\n", 'kit = 1\nbid = { values = "3..2" }\n')]),
    (
        "named no suits",
        "kit_no_suits",
        [
            ('deck = { pack = "french" }', 'deck = { ranks = "1..20", copies = 4 }'),
            ("kit = 1\n", 'kit = 1\ntrump = { from = "named" }\n'),
        ],
    ),
    (
        "highest_bid no bid",
        "kit_no_bids",
        [("kit = 1\n", 'kit = 1\ntrump = { from = "named", by = "highest_bid" }\n')],
    ),
    ("fixed no suit", "kit_missing", [("kit = 1\n", 'kit = 1\ntrump = { from = "fixed" }\n')]),
    (
        "turn_up trump none turned",
        "kit_not_turned",
        [("kit = 1\n", 'kit = 1\ntrump = { from = "turn_up" }\n')],
    ),
    (
        "turn_up stock none left",
        "kit_nothing_turned",
        [
            ("hand = 13", 'hand = 13, turn_up = "stock"'),
            ("kit = 1\n", 'kit = 1\ntrump = { from = "turn_up" }\n'),
        ],
    ),
    (
        "pass 14",
        "kit_pass_count",
        [("kit = 1\n", 'kit = 1\npass = { cards = 14, to = ["left"] }\n')],
    ),
    (
        "pass aside all",
        "kit_pass_count",
        [("kit = 1\n", 'kit = 1\npass = { cards = 13, to = ["aside"] }\n')],
    ),
    (
        "pass 7 to each of two others",
        "kit_pass_count",
        [("kit = 1\n", 'kit = 1\npass = { cards = 7, to = ["each"] }\n')],
    ),
    ("german", "kit_no_pack", [('"french"', '"german"')]),
    ("a German word", "kit_no_suit_near", [('["suit led"]', '["suit Pik"]')]),
    ("suit bid without bids", "kit_no_bid_suits", [('["suit led"]', '["suit bid"]')]),
    (
        "no card changes the trump suit",
        "kit_empty_set",
        [("kit = 1\n", 'kit = 1\ntrump = { change = ["none"] }\n')],
    ),
    (
        "a trump suit that the deck lacks",
        "kit_one_of",
        [
            (
                "kit = 1\n",
                'kit = 1\ntrump = { change = [{ cards = "rank 2", suit = "X" }] }\n',
            )
        ],
    ),
    ("pass no cards", "kit_missing", [("kit = 1\n", 'kit = 1\npass = { to = ["left"] }\n')]),
    (
        "last at once",
        "kit_last_at_once",
        [
            (
                "kit = 1\n",
                'kit = 1\nbid = { values = "0..hand", order = "at_once", forbid = "last" }\n',
            )
        ],
    ),
    (
        "card to team",
        "kit_to_team",
        [('score.made = { per = "deal"', 'score.made = { per = "card", to = "team"')],
    ),
    ("deals 0", "kit_no_deals", [("deals = 2", "deals = 0")]),
    ("deals neg", "kit_no_deals", [("deals = 2", 'deals = "n - 4"')]),
    (
        "text typo",
        "kit_no_clause_near",
        [("kit = 1\n", 'kit = 1\ntext = { "score.maed" = { ja = "あ", en = "a" } }\n')],
    ),
    (
        "not_with unknown",
        "kit_no_option",
        [
            (
                "kit = 1\n",
                'kit = 1\noption.x = { en = "a", p = { en = "a" }, '
                'q = { en = "b", set = { match.deals = 3 }, not_with = { y = "z" } } }\n',
            )
        ],
    ),
    ("overflow", "kit_limit", [('"tricks"', '"1000000*1000000*tricks"')]),
    (
        "overflow by growth",
        "kit_limit",
        [('"tricks"', '"1 + 10*abs(total)"'), ("deals = 2", "deals = 40")],
    ),
    ("class covered", "kit_covered_step", [('best = ["suit led"]', 'best = ["all", "suit H"]')]),
    (
        "trump special not in deck",
        "kit_no_card",
        [("kit = 1\n", 'kit = 1\ntrump = { from = "turn_up", special = { W = "none" } }\n')],
    ),
    (
        "a suit called and no call",
        "kit_no_call",
        [('follow = ["suit led"]', 'follow = ["suit called", "suit led"]')],
    ),
    (
        "a call of no card",
        "kit_empty_set",
        [("kit = 1\n", 'kit = 1\ncall = { by = "dealer", cards = "rank A and rank 2" }\n')],
    ),
    (
        "a class of a card that was taken out",
        "kit_empty_set",
        [
            ('best = ["suit led"]', 'best = ["card C2", "suit led"]'),
            ('"french"', '"french", remove = ["C2"]'),
            ("hand = 13", "hand = 12"),
        ],
    ),
    (
        "a card written the wrong way round",
        "kit_no_card_near",
        [('"tricks"', '"taken(card QS)"')],
    ),
    (
        "a total of nobody in particular",
        "kit_of_a_player",
        [("deals = 2", 'deals = 2, until = "total >= 50"')],
    ),
    (
        "a word for a table",
        "kit_table_of_keys",
        [('play = { follow = ["suit led"] }', 'play = "free"')],
    ),
    ("numbers without quotes", "kit_unquoted", [('"french" }', '"french", ranks = [2, 3] }')]),
    (
        "a suit as a word",
        "kit_one_capital",
        [('pack = "french"', 'suits.Red = {}, ranks = "1..13"')],
    ),
    (
        "a suit by its name",
        "kit_no_suit_near",
        [
            ('pack = "french"', 'suits.R = { en = "swords" }, ranks = "1..60"'),
            ("match", 'trump = { from = "fixed", suit = "swords" }\nmatch'),
        ],
    ),
    ("a suit nearly right", "kit_no_suit_near", [('["suit led"]', '["suit lead"]')]),
    (
        "a trick after the deal",
        "kit_no_trick_then",
        [
            ('"tricks"', '"worth(half)"'),
            ("kit = 1\n", 'kit = 1\ngroups = { half = "suit led and rank J..A" }\n'),
        ],
    ),
    ("card points of cards without points", "kit_no_worth", [('"tricks"', '"worth(suit H)"')]),
    (
        "a card set in place of a number",
        "kit_set_here",
        [('"tricks"', '"2*half"'), ("match =", 'groups.half = "rank J..A"\nmatch =')],
    ),
    (
        "a sum of one player at the end of a deal",
        "kit_of_a_player",
        [("deals = 2", 'until = "far"'), ("kit = 1\n", 'kit = 1\nvalues.far = "total > 9"\n')],
    ),
    (
        "a suit in a deck without suits",
        "kit_suitless",
        [
            ('pack = "french"', 'ranks = "1..60"'),
            ('follow = ["suit led"]', 'follow = ["suit H"]'),
            ('best = ["suit led"]', 'best = ["all"]'),
        ],
    ),
    (
        "ranks from high to low",
        "kit_ranks_reversed",
        [('"tricks"', '"taken(rank A..10)"')],
    ),
    ("points of a team of one", "kit_alone", [('"tricks"', '"team(tricks)"')]),
    (
        "a counter of a team of one",
        "kit_alone",
        [("kit = 1\n", 'kit = 1\ncounters.bags = { of = "team", add = "tricks" }\n')],
    ),
    (
        "bids that change after the trump suit was named",
        "kit_named_again",
        [
            ("kit = 1\n", 'kit = 1\ntrump = { from = "named", none_when = "most(bid) = 2" }\n'),
            ("deck = { pack", 'bid = { values = "0..2", change = "until_lead" }\ndeck = { pack'),
        ],
    ),
    (
        "a trump suit of bids that name none",
        "kit_missing",
        [("kit = 1\n", 'kit = 1\nbid = { values = "0..2" }\ntrump = { from = "bid" }\n')],
    ),
    (
        "a bid of a suit that is not there",
        "kit_no_suit",
        [
            (
                "kit = 1\n",
                'kit = 1\nbid.special.green = { worth = 3, suit = "G", en = "green" }\n'
                'trump = { from = "bid" }\n',
            )
        ],
    ),
    (
        "a trump suit that all may leave open",
        "kit_all_pass",
        [
            (
                "kit = 1\n",
                "kit = 1\n"
                'bid = { values = "none", order = "auction", '
                'special.pass = { worth = 0, en = "pass" }, '
                'special.spades = { worth = 1, suit = "S", en = "spades" } }\n'
                'trump = { from = "bid" }\n',
            )
        ],
    ),
    (
        "a trick of special cards alone",
        "kit_nobody_leads",
        [
            (
                'deck = { pack = "french" }',
                'deck = { pack = "french", special = { '
                'F = { copies = 4, led = "skip", en = "fog" }, D = { copies = 3, en = "d" } } }',
            ),
            ('best = ["suit led"]', 'best = ["card D", "suit led"]'),
        ],
    ),
    (
        "leader holder without the cards",
        "kit_missing",
        [("hand = 13", 'hand = 13, leader = "holder"')],
    ),
    (
        "honours of the trump suit below it",
        "kit_covered_step",
        [
            ('best = ["suit led"]', 'best = ["suit trump", "suit trump and rank J", "suit led"]'),
            ("kit = 1\n", 'kit = 1\ntrump = { from = "fixed", suit = "S" }\n'),
        ],
    ),
    (
        "a part of a step before",
        "kit_covered_step",
        [('follow = ["suit led"]', 'follow = ["suit led or rank led", "rank led and not suit H"]')],
    ),
    (
        "named by leader holder",
        "kit_named_holder",
        [
            ("kit = 1\n", 'kit = 1\ntrump = { from = "named", by = "leader" }\n'),
            ("hand = 13", 'hand = 13, leader = "holder", holder = ["C2"]'),
            ('"3-4"', "4"),
        ],
    ),
    ("worth rank missing", "kit_no_rank", [('"french"', '"french", worth = { X = 3 }')]),
    (
        "digits rank missing",
        "kit_no_rank",
        [('best = ["suit led"]', 'best = ["suit led"], digits = { "X" = "0" }')],
    ),
    (
        "text of a rule that the game has not",
        "kit_no_clause",
        [("kit = 1\n", 'kit = 1\ntext = { "win.7" = { ja = "あ", en = "a" } }\n')],
    ),
    (
        "text of bids without bids",
        "kit_no_clause",
        [("kit = 1\n", 'kit = 1\ntext = { "bid.1" = { ja = "あ", en = "a" } }\n')],
    ),
    ("pick 0", "kit_pick", [('best = ["suit led"]', 'best = [{ cards = "suit led", pick = 0 }]')]),
    (
        "turned special no rule",
        "kit_turned_special",
        [
            (
                'deck = { pack = "french" }',
                'deck = { pack = "french", special.W = { copies = 2, ja = "あ", en = "W" } }',
            ),
            ("hand = 13", 'hand = 12, turn_up = "stock"'),
            ("kit = 1\n", 'kit = 1\ntrump = { from = "turn_up" }\n'),
        ],
    ),
    (
        "score uses later value",
        "kit_circle",
        [
            ('"tricks"', '"later"'),
            ("kit = 1\n", 'kit = 1\nvalues = { a = "later", later = "a" }\n'),
        ],
    ),
    (
        "cycle suit missing",
        "kit_no_suit",
        [("kit = 1\n", 'kit = 1\ntrump = { from = "cycle", suits = ["S", "X"] }\n')],
    ),
    (
        "everybody passes",
        "kit_all_pass",
        [
            (
                "kit = 1\n",
                'kit = 1\nbid = { values = "1..hand", leads = "highest", '
                'special.pass = { worth = 0, en = "pass" } }\n',
            )
        ],
    ),
    (
        "a trick of one suit wins nothing",
        "kit_nobody_leads",
        [('best = ["suit led"]', 'best = ["not suit H"]')],
    ),
    ("no such function", "kit_no_function", [('"tricks"', '"tricks * next(tricks)"')]),
    ("no such name, but a near one", "kit_unknown_near", [('"tricks"', '"trickz"')]),
    ("no such colour", "kit_no_colour", [('["suit led"] }', '["suit led and colour ledd"] }')]),
    ("hand by seats lacks", "kit_no_seats", [("hand = 13", 'hand = { "3" = 13 }')]),
]
REMARKS = [
    (
        "a sum and a score with one name",
        "kit_same_name",
        [
            ('points = "tricks"', 'points = "tricks + made"'),
            ("match =", 'values = { made = "1 + tricks" }\nmatch ='),
        ],
    ),
    (
        "a counter and a score with one name",
        "kit_same_name",
        [
            ('points = "tricks"', 'points = "tricks + made"'),
            ("match =", 'counters = { made = { of = "seat", add = "tricks" } }\nmatch ='),
        ],
    ),
    (
        "over before it begins",
        "kit_until_begun",
        [('winner = "most"', 'winner = "most", until = "most(total) >= 0"')],
    ),
    (
        "bids from 5 to 2",
        "kit_only_words",
        [("kit = 1\n", 'kit = 1\nbid = { values = "5..2", special.pass = { en = "pass" } }\n')],
    ),
    (
        "bids that are always barred",
        "kit_never_bid",
        [("kit = 1\n", 'kit = 1\nbid = { values = "0..hand", forbid = "this > 3" }\n')],
    ),
    (
        "cancel with unique",
        "kit_equal_unused",
        [('best = ["suit led"]', 'best = ["suit led"], equal = "cancel"')],
    ),
    (
        "no trump suit for a bid that nobody can make",
        "kit_never",
        [
            (
                "kit = 1\n",
                'kit = 1\nbid = { values = "0..2" }\n'
                'trump = { from = "fixed", suit = "S", none_when = "most(bid) = 3" }\n',
            )
        ],
    ),
    (
        "a card that not all three can draw",
        "kit_draw_rest",
        [('"3-4"', '"2-3"'), ("hand = 13", 'hand = 3, draw = "after_trick"')],
    ),
    (
        "a suit of a bid that makes no trump suit",
        "kit_unused",
        [("kit = 1\n", 'kit = 1\nbid.special.s = { worth = 3, suit = "S", en = "spades" }\n')],
    ),
    ("value unused", "kit_unused", [("kit = 1\n", 'kit = 1\nvalues = { a = "n + 1" }\n')]),
    ("group unused", "kit_unused", [("kit = 1\n", 'kit = 1\ngroups = { a = "suit H" }\n')]),
    (
        "counter unused",
        "kit_unused",
        [("kit = 1\n", 'kit = 1\ncounters = { a = { of = "seat", add = "tricks" } }\n')],
    ),
    (
        "counter that only a key and a text name",
        "kit_unused",
        [
            ("kit = 1\n", 'kit = 1\ncounters = { more = { of = "seat", add = "tricks" } }\n'),
            ("score.made", 'score.more = { per = "deal", points = 1, en = "1 more" }\nscore.made'),
        ],
    ),
    (
        "suits whose lead asks for nothing",
        "kit_free_after",
        [
            (
                'follow = ["suit led"]',
                'follow = [{ cards = "suit S or suit H", when = "led(suit S or suit H)" }, '
                '{ cards = "suit C", when = "led(suit C)" }]',
            )
        ],
    ),
    (
        "one language text",
        "kit_one_language",
        [("kit = 1\n", 'kit = 1\ntext = { "score.made" = { ja = "あ" } }\n')],
    ),
    (
        "suit without words",
        "kit_no_words",
        [('deck = { pack = "french" }', 'deck = { suits.R = {}, suits.B = {}, ranks = "1..30" }')],
    ),
    (
        "special without words",
        "kit_no_words",
        [('deck = { pack = "french" }', 'deck = { pack = "french", special.W = { copies = 2 } }')],
    ),
    (
        "bid word without words",
        "kit_no_words",
        [("kit = 1\n", 'kit = 1\nbid = { values = "0..hand", special.nil = { worth = 0 } }\n')],
    ),
    ("div zero sometimes", "kit_divisor", [('"tricks"', '"10 / tricks"')]),
    (
        "comparison that always holds",
        "kit_always_holds",
        [('per = "deal"', 'per = "deal", when = "tricks >= 0"')],
    ),
    (
        "comparison that never holds",
        "kit_never_holds",
        [('"tricks"', '"if taken(suit H) = 14 then 9 else tricks"')],
    ),
    (
        "everybody is out after a deal",
        "kit_always_holds",
        [('winner = "most"', 'winner = "most", out = "tricks >= 0"')],
    ),
    (
        "bid above all tricks",
        "kit_bid_above",
        [
            ("kit = 1\n", 'kit = 1\nbid = { values = "0..20" }\n'),
            ('per = "deal"', 'per = "deal", when = "tricks = bid"'),
        ],
    ),
    (
        "points of a team of four, although three have none",
        "kit_counted_twice",
        [
            ('"3-4"', '"3-4", teams = { "3" = "none", "4" = "opposite" }'),
            ('points = "tricks"', 'points = "team(tricks)"'),
        ],
    ),
    (
        "the highest of one number",
        "kit_one_number",
        [('per = "deal"', 'per = "deal", when = "tricks = max(tricks)"')],
    ),
    (
        "bid above all tricks, and a difference from it",
        "kit_bid_above",
        [
            ("kit = 1\n", 'kit = 1\nbid = { values = "0..20" }\n'),
            ('points = "tricks"', 'points = "-abs(tricks - bid)"'),
        ],
    ),
    (
        "cards that are always free make the ladder free",
        "kit_always_frees",
        [('follow = ["suit led"]', 'follow = ["suit led"], always = "not suit led"')],
    ),
    (
        "equal_by without a use",
        "kit_idle_key",
        [('best = ["suit led"]', 'best = ["suit led"], equal = "last", equal_by = "rank"')],
    ),
    (
        "every suit has a colour of its own",
        "kit_colours_alone",
        [
            (
                'deck = { pack = "french" }',
                'deck = { suits.R.en = "red", suits.B.en = "blue", ranks = "1..30" }',
            ),
            ('["suit led"]', '["colour led"]'),
        ],
    ),
    (
        "no score at exactly six tricks",
        "kit_neither_counts",
        [
            ('per = "deal"', 'per = "deal", when = "n > 1 and tricks > 6"'),
            (
                "match =",
                'score.b = { per = "deal", when = "tricks < 6 and n > 1", points = 1 }\nmatch =',
            ),
        ],
    ),
    (
        "two scores at exactly six tricks",
        "kit_both_count",
        [
            ('per = "deal"', 'per = "deal", when = "tricks >= 6"'),
            ("match =", 'score.lost = { per = "deal", when = "tricks <= 6", points = 1 }\nmatch ='),
        ],
    ),
    (
        "no score at one number of three spans",
        "kit_neither_counts",
        [
            ('per = "deal"', 'per = "deal", when = "tricks >= 7 and tricks < 10"'),
            ("match =", 'score.few = { per = "deal", when = "6 > tricks", points = 1 }\nmatch ='),
        ],
    ),
    (
        "two scores at some numbers",
        "kit_both_count",
        [
            ('per = "deal"', 'per = "deal", when = "tricks >= 4"'),
            ("match =", 'score.few = { per = "deal", when = "tricks < 7", points = 1 }\nmatch ='),
        ],
    ),
    (
        "a branch that comes too late",
        "kit_late_branch",
        [('"tricks"', '"if tricks > 3 then 1 else if tricks > 6 then 2 else 0"')],
    ),
    (
        "a deal without an aim",
        "kit_deals_unscored",
        [('per = "deal"', 'per = "deal", when = "deal = 1 and tricks > 1"')],
    ),
    (
        "a counter that nobody sets to 0",
        "kit_counted_on",
        [
            ('points = "tricks"', 'points = "hearts"'),
            (
                "match =",
                'counters.hearts = { of = "seat", per = "trick", add = "lying(suit H)" }\nmatch =',
            ),
        ],
    ),
    (
        "the last trick where cards are drawn",
        "kit_last_drawn",
        [
            ("hand = 13", 'hand = 6, draw = "after_trick"'),
            ('per = "deal"', 'per = "trick", when = "trick = hand"'),
        ],
    ),
    (
        "the last trick of a deal that all may have left",
        "kit_last_left",
        [
            ("kit = 1\n", 'kit = 1\nleave.when = "most(tricks) > 6"\n'),
            ('per = "deal"', 'per = "trick", when = "hand = trick"'),
        ],
    ),
    (
        "two highest bidders",
        "kit_equal_bids",
        [
            ("kit = 1\n", 'kit = 1\nbid = { values = "0..3", forbid = "this < most(bid)" }\n'),
            ('per = "deal"', 'per = "deal", when = "bid = most(bid) and tricks >= bid"'),
        ],
    ),
    (
        "the trump suit after a joker",
        "kit_special_asks",
        [
            ("kit = 1\n", 'kit = 1\ntrump = { from = "named" }\n'),
            ('"french"', '"french54"'),
            ('follow = ["suit led"]', 'follow = ["suit led", "suit trump"]'),
            ('best = ["suit led"]', 'best = ["special", "suit trump", "suit led"]'),
        ],
    ),
    (
        "four suits and five players",
        "kit_all_suits_show",
        [
            ('"3-4"', '"3-5"'),
            ("hand = 13", "hand = 10"),
            ('follow = ["suit led"]', 'follow = ["not suit showing"], cannot = "out"'),
            ('best = ["suit led"]', 'best = ["all"]'),
        ],
    ),
    (
        "a pack without tens",
        "kit_rank_left_out",
        [
            (
                'pack = "french"',
                'pack = "french32", ranks = ["7", "8", "9", "J", "Q", "K", "A"]',
            ),
            ("hand = 13", "hand = 7"),
        ],
    ),
    (
        "cards that the deck does not have",
        "kit_empty_set",
        [('"tricks"', '"tricks + taken(suit H and number > 14)"')],
    ),
    (
        "a trick that five players do not reach",
        "kit_never_with_seats",
        [
            ('"3-4"', '"3-5"'),
            ("hand = 13", 'hand = "deck/n"'),
            ('per = "deal"', 'per = "trick", when = "trick = 13"'),
        ],
    ),
    (
        "a choice that makes a score impossible",
        "kit_never_with_choice",
        [
            ('points = "tricks"', 'points = "if tricks > 6 then 9 else tricks"'),
            (
                "match =",
                'option.x = { a.en = "a", b = { en = "b", set.deal.hand = 6 } }\nmatch =',
            ),
        ],
    ),
    (
        "the highest of one number in a ladder",
        "kit_one_number",
        [('["suit led"] }\ntrick', '[{ cards = "suit led", when = "max(tricks) < 9" }] }\ntrick')],
    ),
    (
        "two packs with one joker of each kind",
        "kit_jokers_once",
        [('"french"', '"french54", copies = 2')],
    ),
    (
        "names without words",
        "kit_bare_names",
        [("kit = 1\n", 'kit = 1\nvalues = { a = "n + 1" }\n'), ('"tricks"', '"tricks + a"')],
    ),
    (
        "suits with the same name",
        "kit_named_alike",
        [
            (
                'deck = { pack = "french" }',
                'deck = { suits.R = { en = "red" }, suits.B = { en = "red" }, ranks = "1..30" }',
            )
        ],
    ),
    (
        "bids with the same name",
        "kit_named_alike",
        [
            (
                "kit = 1\n",
                'kit = 1\nbid = { values = "0..2", special = { a.en = "go", b.en = "go" } }\n',
            )
        ],
    ),
    (
        "choices with the same name",
        "kit_named_alike",
        [
            (
                "match =",
                'option.x = { a.en = "a", b = { en = "a", set.deal.hand = 8 } }\nmatch =',
            )
        ],
    ),
    (
        "points of a team that each partner gets",
        "kit_counted_twice",
        [('"3-4"', '4, teams = "opposite"'), ('"tricks"', '"team(tricks)"')],
    ),
    (
        "points of a team that ask one partner",
        "kit_one_partner",
        [
            ('"3-4"', '4, teams = "opposite"'),
            ('per = "deal"', 'per = "deal", to = "team"'),
            ('"tricks"', '"if team(tricks) > 6 then mine else 0"'),
            ("match =", 'values.mine = "1 + wins(suit H)"\nmatch ='),
        ],
    ),
    (
        "a counter of a team that asks one partner",
        "kit_one_partner",
        [
            ('"3-4"', '4, teams = "alternate"'),
            ("match =", 'counters.bags = { of = "team", add = "tricks - 6" }\nmatch ='),
        ],
    ),
    ("bids for nothing", "kit_bids_unused", [("kit = 1\n", 'kit = 1\nbid.values = "0..hand"\n')]),
    (
        "bids that are forgotten to count",
        "kit_bids_alike",
        [
            ("kit = 1\n", 'kit = 1\nbid.values = "0..hand"\nbid.special.pass.en = "pass"\n'),
            ("match =", 'bid.special.open = { worth = 0, en = "open" }\nmatch ='),
            ('"tricks"', '"bid"'),
        ],
    ),
    (
        "a bid that is not made yet",
        "kit_own_bid",
        [
            (
                "kit = 1\n",
                'kit = 1\nbid = { values = "0..hand", forbid = "last and bids + bid = hand" }\n',
            ),
            ('"tricks"', '"tricks - bid"'),
        ],
    ),
    ("the number of the trick for tricks", "kit_trick_of_a_deal", [('"tricks"', '"10 + trick"')]),
    (
        "a hand for players that are not there",
        "kit_other_seats",
        [("hand = 13", 'hand = { "3-4" = 13, "5" = 10 }')],
    ),
    (
        "a deck that does not come out even",
        "kit_left_over",
        [("hand = 13", 'hand = "deck/n"')],
    ),
    (
        "a limit of points that the deals cannot give",
        "kit_never_holds",
        [("deals = 2", 'deals = 2, until = "most(total) > 26"')],
    ),
    (
        "a limit of points that a team cannot reach",
        "kit_never_holds",
        [
            ('"3-4"', '4, teams = "opposite"'),
            (
                "match =",
                'score.last = { per = "trick", when = "trick = 13", points = 10 }\nmatch =',
            ),
            ("deals = 2", 'deals = 2, until = "most(total) > 312"'),
        ],
    ),
    (
        "a trump suit that is named in another way",
        "kit_idle_key",
        [
            ("kit = 1\n", 'kit = 1\ntrump = { from = "named", suit = "S" }\n'),
            ('best = ["suit led"]', 'best = ["suit trump", "suit led"]'),
        ],
    ),
    (
        "a card that leads, and somebody else does",
        "kit_idle_key",
        [("hand = 13", 'hand = 13, holder = ["C2"]')],
    ),
    ("a call for nothing", "kit_call_unused", [("kit = 1\n", 'kit = 1\ncall.by = "leader"\n')]),
    (
        "two scores that meet at the bid",
        "kit_both_count",
        [
            ("kit = 1\n", 'kit = 1\nbid.values = "0..hand"\n'),
            ('per = "deal"', 'per = "deal", when = "tricks >= bid"'),
            (
                "match =",
                'score.less = { per = "deal", when = "tricks <= bid", points = "-bid" }\nmatch =',
            ),
        ],
    ),
    (
        "a card turned up for nothing",
        "kit_turned_unused",
        [("hand = 13", 'hand = 12, turn_up = "stock"')],
    ),
    (
        "card points that no score asks for",
        "kit_unused",
        [('"french"', '"french", worth = { A = 11 }')],
    ),
    (
        "condition always false",
        "kit_never",
        [('per = "deal"', 'per = "deal", when = "tricks > 13"')],
    ),
    (
        "leave when nobody leaves",
        "kit_never",
        [("kit = 1\n", 'kit = 1\nleave = { when = "tricks > 20" }\n')],
    ),
    (
        "a rest that is never drawn",
        "kit_draw_rest",
        [("hand = 13", 'hand = 6, draw = "after_trick"'), ('count = "3-4"', "count = 3")],
    ),
    ("score negative only / winner", "kit_level", [('points = "tricks"', 'points = "0"')]),
    (
        "the trump suit below the suit led",
        "kit_never_below",
        [
            ("kit = 1\n", 'kit = 1\ntrump = { from = "fixed", suit = "S" }\n'),
            ('best = ["suit led"]', 'best = ["suit led", "suit trump"]'),
        ],
    ),
    (
        "class covered by a named set",
        "kit_never_below",
        [
            ('best = ["suit led"]', 'best = ["asked", "suit led and rank A"]'),
            ("kit = 1\n", 'kit = 1\ngroups = { asked = "suit led" }\n'),
        ],
    ),
    (
        "step covered by a named set",
        "kit_never_below",
        [
            ('follow = ["suit led"]', 'follow = ["asked", "suit led and rank A"]'),
            ("kit = 1\n", 'kit = 1\ngroups = { asked = "suit led" }\n'),
        ],
    ),
]


def changed(changes: list[tuple[str, str]]) -> str:
    """The good file with these parts changed."""
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def found(text: str) -> list[tuple[str, int]]:
    notes = check(text.encode())[1]
    for note in notes:
        for lang in ("ja", "en"):
            assert book(COMMON).says(note.wrong.fact, note.wrong.values, lang)
    return [(note.wrong.fact, note.wrong.line) for note in notes if not note.only_note]


def noted(text: str) -> list[tuple[str, int]]:
    notes = check(text.encode())[1]
    return [(note.wrong.fact, note.wrong.line) for note in notes if note.only_note]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_is_wrong_with_a_good_file(file: Path) -> None:
    assert found(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(("old", "new", "fact", "line"), HOLES, ids=[hole[2] for hole in HOLES])
def test_a_hole_is_found_in_its_line(old: str, new: str, fact: str, line: int) -> None:
    assert found(GOOD) == []
    assert GOOD.count(old) == 1
    assert (fact, line) in found(GOOD.replace(old, new))


SLIPS = [
    ('best = ["suit led"]', 'best = ["led suit"]', "Write suit led"),
    ('best = ["suit led"]', 'best = ["Suit Led"]', "Write suit instead"),
    ('best = ["suit led"]', 'best = ["suit led AND rank 7"]', "Write and instead"),
    ('best = ["suit led"]', 'best = ["suit = H"]', "Write suit H"),
    ('best = ["suit led"]', 'best = ["suit ♥"]', "Write H instead"),
    ('best = ["suit led"]', 'best = ["suit ハート"]', "Write H instead"),
    ('best = ["suit led"]', 'best = ["切り札"]', "Write suit trump"),
    ('best = ["suit led"]', 'best = ["ｓｕｉｔ led"]', "Write suit instead"),
    ('best = ["suit led"]', 'best = ["suit H, suit led"]', "with or"),
    ('best = ["suit led"]', 'best = ["rank 7-9"]', "Write rank 7..9"),
    ('best = ["suit led"]', 'best = ["rank jack"]', "It has: 2, 3,"),
    ('best = ["suit led"]', 'best = ["jacks"]', "rank J?"),
    ('best = ["suit led"]', 'best = ["hearts"]', "suit H?"),
    ('best = ["suit led"]', 'best = ["beat"]', "beats?"),
    ('best = ["suit led"]', 'best = ["QH"]', "card HQ?"),
    ('best = ["suit led"]', 'best = ["card HT"]', "H10?"),
    ('best = ["suit led"]', 'best = ["lowest heart"]', "order = 'low'"),
    ('best = ["suit led"]', 'best = ["suit led"、 "suit H"]', "Write , instead"),
    ("deals = 2", "deals： 2", "Write = instead"),
    ('"tricks"', '"1,5 * tricks"', "3*n/2"),
    ('"tricks"', '"tricks²"', "a*a"),
    ('"tricks"', '"5*hearts"', "taken(suit H)?"),
    ('"tricks"', '"52 / players"', "did you mean n?"),
    ('"tricks" }', '"tricks", if = "tricks > 3" }', "per, to, when, points"),
    ('"tricks" }', '"tricks", when = "Good" }\nvalues.good = "tricks > 3"', "good?"),
    ("deals = 2", "rounds = 2", "There are: deals,"),
]


@pytest.mark.parametrize(("old", "new", "advice"), SLIPS, ids=[slip[1] for slip in SLIPS])
def test_the_first_sentence_about_a_slip_says_what_to_write(
    old: str, new: str, advice: str
) -> None:
    notes = check(GOOD.replace(old, new).encode(), quick=True)[1]
    said = [book(COMMON).says(n.wrong.fact, n.wrong.values, "en") for n in notes if not n.only_note]
    assert any(advice in sentence for sentence in said[:2]), said


@pytest.mark.parametrize(("fact", "changes"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_a_rule_that_cannot_hold_is_a_fault(fact: str, changes: list[tuple[str, str]]) -> None:
    assert fact in [each for each, _ in found(changed(changes))]


@pytest.mark.parametrize(("fact", "changes"), [c[1:] for c in REMARKS], ids=[c[0] for c in REMARKS])
def test_what_never_matters_is_reported_and_fails_nothing(
    fact: str, changes: list[tuple[str, str]]
) -> None:
    notes = check(changed(changes).encode())[1]
    assert fact in [note.wrong.fact for note in notes if note.only_note]
    assert fact not in [note.wrong.fact for note in notes if not note.only_note]


@pytest.mark.parametrize(
    "changes",
    [
        [('"tricks"', '"if n = 4 then 2 else 1"')],  # it depends on the number of seats
        [('"3-4"', '4, teams = "opposite"'), ('"tricks"', '"if tricks > 6 then 1 else 0"')],
        [('"tricks"', '"if most(total) > 50 then 2 else 1"')],
        [("deals = 2", 'deals = 2, until = "most(total) >= 26"')],
        [
            ('"3-4"', '4, teams = "opposite"'),
            (
                "match =",
                'score.last = { per = "trick", when = "trick = 13", points = 10 }\nmatch =',
            ),
            ("deals = 2", 'deals = 2, until = "most(total) >= 312"'),
        ],
        [
            ("match =", 'counters.streak = { of = "seat", add = "1" }\nmatch ='),
            ('"tricks"', '"streak * tricks"'),
            ("deals = 2", 'deals = 2, until = "most(total) >= 500"'),
        ],
        [
            ('per = "deal"', 'per = "deal", when = "tricks >= 6"'),
            ("match =", 'score.lost = { per = "deal", when = "tricks < 6", points = 1 }\nmatch ='),
        ],
        [  # more points for more tricks
            ('per = "deal"', 'per = "deal", when = "tricks >= 3"'),
            ("match =", 'score.all = { per = "deal", when = "tricks = 13", points = 9 }\nmatch ='),
        ],
        [  # the number between has a score of its own
            ('per = "deal"', 'per = "deal", when = "tricks > 6"'),
            ("match =", 'score.b = { per = "deal", when = "tricks < 6", points = 1 }\nmatch ='),
            ("match =", 'score.c = { per = "deal", when = "tricks = 6", points = 2 }\nmatch ='),
        ],
        [
            ("kit = 1\n", 'kit = 1\ntrump = { from = "named" }\n'),
            ('"french"', '"french54"'),
            (
                'follow = ["suit led"]',
                'follow = ["suit led", { cards = "suit trump", when = "lying(suit led) > 0" }]',
            ),
            ('best = ["suit led"]', 'best = ["special", "suit trump", "suit led"]'),
        ],
        [
            ('"french"', '"french54"'),
            ('follow = ["suit led"]', 'follow = ["not rank showing"], cannot = "out"'),
            ('best = ["suit led"]', 'best = ["special", "all"]'),
        ],
        [('"tricks"', '"if tricks = 3 then 1 else if tricks > 1 then 2 else 0"')],
        [('"tricks"', '"if tricks > 3 and deal = 1 then 1 else if tricks > 6 then 2 else 0"')],
        [('per = "deal"', 'per = "deal", when = "deal = 1 or tricks > 3"')],
        [
            ("kit = 1\n", 'kit = 1\nbid = { values = "0..3", forbid = "this <= most(bid)" }\n'),
            ('per = "deal"', 'per = "deal", when = "bid = most(bid) and tricks >= bid"'),
        ],
        [
            ('points = "tricks"', 'points = "if n = 4 and tricks > 13 then 9 else tricks"'),
            ("hand = 13", 'hand = { "3" = 17, "4" = 13 }'),
        ],
        [
            (
                "match =",
                'counters.pot = { of = "table", per = "trick", add = "if won then -pot else 1" }\n'
                "match =",
            ),
            ('per = "deal", points = "tricks"', 'per = "trick", points = "pot"'),
        ],
    ],
)
def test_what_can_come_out_both_ways_is_not_noted(changes: list[tuple[str, str]]) -> None:
    facts = {note.wrong.fact for note in check(changed(changes).encode())[1]}
    assert not facts & {"kit_always_holds", "kit_never_holds", "kit_counted_twice"}
    assert not facts & {"kit_neither_counts", "kit_both_count", "kit_late_branch"}
    assert not facts & {"kit_deals_unscored", "kit_equal_bids", "kit_counted_on"}
    assert not facts & {"kit_never_with_seats", "kit_never_with_choice"}
    assert not facts & {"kit_special_asks", "kit_all_suits_show"}


@pytest.mark.parametrize(
    "when",
    ["trick - trick/2*2 = 1", "trick < hand", "odd", "deal = 1"],
    ids=["odd tricks", "all but the last", "by name", "first deal"],
)
def test_a_trick_that_nobody_wins_later_in_a_deal(when: str) -> None:
    """With only the first trick looked at, the second of one suit's cards seemed to be won."""
    best = f'best = [{{ cards = "suit led", when = "{when}" }}, {{ cards = "suit led", pick = 2 }}]'
    changes = [('best = ["suit led"]', best)]
    changes += [("match =", 'values = { odd = "trick - trick/2*2 = 1" }\nmatch =')]
    notes = check(changed(changes).encode())[1]
    assert [note.wrong.line for note in notes if note.wrong.fact == "kit_nobody_leads"] == [10]


def test_two_choices_together_are_looked_at() -> None:
    option = """[option.one]
ja = "一"
en = "one"
a = { ja = "十三", en = "thirteen" }
b = { ja = "十七", en = "seventeen", set = { deal.hand = { "3" = 17, else = 13 } } }
[option.two]
ja = "二"
en = "two"
a = { ja = "全部", en = "all" }
b = { ja = "四枚抜く", en = "four out", set = { deck.remove = ["S2", "H2", "D2", "C2"] } }
"""
    text = GOOD.replace("hand = 13", "hand = 12") + option
    assert found(text.replace("else = 13", "else = 12")) == [("kit_few_cards", 17)]


def test_bids_that_can_never_be_made_together_bar_nobody() -> None:
    one_capot = 'kit = 1\nbid = { values = "0..0", special.all = { worth = 1, en = "all" }, '
    text = GOOD.replace("kit = 1\n", one_capot + 'forbid = "bids + this > 1" }\n')
    assert found(text) == []


def test_an_example_that_is_written_wrong() -> None:
    example = '[[example]]\nseats = "A B C"\nlines = ["table deal leader=A"]\n'
    for more, fact in [
        ('sayz = { "1" = "legal" }\n', "kit_no_key_near"),
        ('says = { "2" = "legal" }\n', "kit_example_says"),
        ('says = { "1" = "fine" }\n', "kit_example_says"),
        ('options = { hook = "on" }\n', "kit_no_option"),
    ]:
        assert [each for each, _ in found(GOOD + example + more)] == [fact]
    two = example.replace("A B C", "A A C")
    assert [each for each, _ in found(GOOD + two)] == ["kit_example_seats"]


def test_values_that_double_again_and_again_are_counted_and_not_worked_out() -> None:
    names = [f"a{i}" for i in range(40)]
    sums = ['a0 = "tricks"'] + [f'{name} = "{old} + {old}"' for old, name in pairwise(names)]
    text = GOOD.replace('"tricks"', '"a39"') + "[values]\n" + "\n".join(sums)
    assert [fact for fact, _ in found(text)] == ["kit_dear"]


def test_card_sets_that_double_again_and_again_are_counted_too() -> None:
    sets = ['g0 = "suit H"'] + [f'g{i} = "g{i - 1} or g{i - 1}"' for i in range(1, 40)]
    text = GOOD.replace('follow = ["suit led"]', 'follow = ["suit led"], always = "g39"')
    text += "[groups]\n" + "\n".join(sets)
    assert [fact for fact, _ in found(text)] == ["kit_dear"]


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ('match.winner = "fewest"', "kit_one_of"),
        ("match.dealz = 3", "kit_no_key_near"),
        ("score.made.ponits = 3", "kit_no_key_near"),
        ('play.follow = "suit led"', "kit_steps"),
        ("made = 3", "kit_no_key"),
    ],
)
def test_what_a_house_rule_sets_is_checked_like_the_file(change: str, fact: str) -> None:
    option = 'ja = "え", en = "e", a = { ja = "あ", en = "a" }'
    text = f'{GOOD}option.x = {{ {option}, b = {{ ja = "い", en = "b", set = {{ {change} }} }} }}\n'
    assert found(text) == [(fact, 13)]
    part = text.replace(change, 'score.made.points = "2*tricks"')
    assert found(part) == []


@pytest.mark.parametrize(
    "changes",
    [
        [  # the dealer's team is asked with one player's place in the order
            ('"3-4"', '4, teams = "opposite"'),
            ('per = "deal"', 'per = "deal", to = "team"'),
            ('"tricks"', '"if turn - turn/2*2 = 0 then team(tricks) else 0"'),
        ],
        [  # a bid may be raised: it is known what was bid before
            (
                "kit = 1\n",
                "kit = 1\n"
                'bid = { values = "0..3", order = "auction", forbid = "this = bid + 1" }\n',
            ),
            ('"tricks"', '"tricks - bid"'),
        ],
        [  # the bids of others are known
            (
                "kit = 1\n",
                'kit = 1\nbid = { values = "0..3", forbid = "this > 0 and this = right(bid)" }\n',
            ),
            ('"tricks"', '"tricks - bid"'),
        ],
        [("kit = 1\n", 'kit = 1\nbid = { values = "0..3", leads = "highest", passed = "over" }\n')],
        [('"tricks"', '"trick"'), ("kit = 1\n", 'kit = 1\nleave.when = "most(tricks) = 3"\n')],
        [  # words of bids that a score tells apart
            (
                "kit = 1\n",
                'kit = 1\nbid.values = "none"\nbid.special.low.en = "low"\n'
                'bid.special.up.en = "up"\n',
            ),
            ('"tricks"', '"if bid is low then -tricks else tricks"'),
        ],
        [  # four equal special cards are not four equal cards of the suit led
            ('"french"', '"french", special.F = { copies = 4, led = "none", en = "fog" }'),
            ('best = ["suit led"]', 'best = ["suit led"], next_none = "same"'),
        ],
    ],
    ids=[
        *("place of a team", "auction", "other bid", "highest leads"),
        *("early end", "words", "special cards"),
    ],
)
def test_sums_and_bids_that_are_in_order_are_not_noted(changes: list[tuple[str, str]]) -> None:
    facts = {note.wrong.fact for note in check(changed(changes).encode(), quick=True)[1]}
    assert not facts & {"kit_one_partner", "kit_own_bid", "kit_bids_unused", "kit_bids_alike"}
    assert not facts & {"kit_trick_of_a_deal", "kit_equal_unsaid"}


@pytest.mark.parametrize(
    ("choices", "fact", "line"),
    [
        ("b = { en = 'b', set.match.deals = 4 }", "", 0),
        ("numbers = { from = 3, to = 9, set = 'match.deals', en = '{n}' }", "", 0),
        ("numbers = { from = 3, to = 9, set = 'match.dealz', en = '{n}' }", "kit_no_key_near", 16),
        ("numbers = { from = 3, to = 9, set = 'seats.count', en = '{n}' }", "kit_fixed", 16),
        ("numbers = { from = 3, to = 9, set = 'trick.best', en = '{n}' }", "kit_steps", 16),
        ("numbers = { from = 9, to = 3, set = 'match.deals', en = '{n}' }", "kit_from_to", 16),
        ("b = { en = 'b', set.score.mdae.points = 2 }", "kit_no_key_near", 16),
        ("b = { en = 'b', set.score.bonus.points = 2 }", "kit_missing", 16),
        ("b = { en = 'b', set.score.bonus = { per = 'deal', points = 'tricks' } }", "", 0),
    ],
)
def test_the_choices_of_a_house_rule(choices: str, fact: str, line: int) -> None:
    """All of these were taken as they were, and the choice did nothing at the table."""
    text = f"{GOOD}[option.length]\nen = 'Length'\na.en = 'a'\n{choices}\n"
    assert found(text) == ([(fact, line)] if fact else [])


def test_a_choice_may_change_the_score_of_another_choice() -> None:
    option = "[option.{0}]\nen = '{0}'\na.en = 'a'\nb = {{ en = 'b', set = {{ {1} }} }}\n"
    bonus = option.format("bonus", "score.bonus = { per = 'deal', points = 'tricks' }")
    late = option.format("late", "score.bonus.when = 'tricks > 1'")
    assert found(GOOD + bonus + late) == []
    assert found(GOOD + late) == [("kit_missing", 16)]


def test_the_first_choice_of_a_house_rule_sets_nothing() -> None:
    """It is the game as written; what it set was dropped without a word."""
    option = "[option.length]\nen = 'Length'\n{}a = {{ en = 'a', set.match.deals = 4 }}\n{}"
    assert found(GOOD + option.format("", "b.en = 'b'\n"))[0] == ("kit_first_set", 15)
    assert found(GOOD + option.format("b.en = 'b'\n", "")) == []


def test_choices_of_a_house_rule_that_nobody_can_tell_apart() -> None:
    option = "[option.length]\nen = 'Length'\na.en = 'a'\n"
    alone = [note for note in check((GOOD + option).encode(), quick=True)[1] if note.only_note]
    assert ("kit_one_choice", 13) in [(note.wrong.fact, note.wrong.line) for note in alone]
    option += "numbers = { from = 3, to = 9, set = 'match.deals', en = 'many' }\n"
    notes = [note.wrong for note in check((GOOD + option).encode(), quick=True)[1]]
    [alike] = [wrong for wrong in notes if wrong.fact == "kit_numbers_alike"]
    assert (alike.line, alike.path) == (16, "option.length.numbers.en")
    assert "{n}" in str(book(COMMON).says(alike.fact, alike.values, "ja"))


@pytest.mark.parametrize(
    ("before", "after", "fact"),
    [
        ('best = ["suit led"]', 'best = ["all"]', "kit_equal_unsaid"),
        ('best = ["suit led"]', 'best = ["not suit led", "all"]', "kit_equal_unsaid"),
        ('best = ["suit led"]', 'best = ["suit led and rank 2..5", "suit led"]', ""),
        ('best = ["suit led"]', 'best = ["all"], equal = "first"', ""),
        (
            'deck = { pack = "french" }',
            'deck = { pack = "french", copies = 2 }',
            "kit_equal_unsaid",
        ),
        (
            'best = ["suit led"]',
            'best = ["suit led"], next = [{ cards = "all", order = "low" }]',
            "kit_equal_leads",
        ),
        (
            'best = ["suit led"]',
            'best = ["suit led"], next = ["all"], equal = "last"',
            "",
        ),
        # equal cards that cannot meet
        ('best = ["suit led"]', 'best = ["suit led", "all"]', ""),
        ('best = ["suit led"]', 'best = ["suit led or card H2 and suit led"]', ""),
        (
            'follow = ["suit led"] }\ntrick = { best = ["suit led"]',
            'follow = ["not rank showing"], cannot = "out" }\ntrick = { best = ["all"]',
            "",
        ),
        (
            'follow = ["suit led"] }\ntrick = { best = ["suit led"]',
            'follow = ["not rank showing"] }\ntrick = { best = ["all"]',
            "kit_equal_unsaid",
        ),
        (
            'count = "3-4" }\ndeck = { pack = "french"',
            'count = 2 }\ndeck = { pack = "french", copies = 1',
            "",
        ),
        ('best = ["suit led"]', 'best = ["suit led"], next = ["suit led"]', ""),
        ('best = ["suit led"]', 'best = ["suit led"], equal = "last"', "kit_equal_unused"),
        ('follow = ["suit led"]', 'follow = ["suit led"], always = "all"', "kit_always_all"),
        (
            "kit = 1\n",
            'kit = 1\ntrump = { from = "fixed", suit = "S" }\n',
            "kit_trump_wins_nothing",
        ),
    ],
)
def test_what_is_left_open_or_asks_for_nothing_is_noted(before: str, after: str, fact: str) -> None:
    notes = check(GOOD.replace(before, after).encode(), quick=True)[1]
    told = {
        *("kit_equal_unsaid", "kit_equal_leads", "kit_equal_unused"),
        *("kit_always_all", "kit_trump_wins_nothing"),
    }
    assert {note.wrong.fact for note in notes} & told == ({fact} if fact else set())
    assert all(note.only_note for note in notes)


def test_what_never_comes_up_and_what_never_ends_is_found() -> None:
    never = GOOD + 'score.all = { per = "deal", when = "tricks > hand", points = 5 }\n'
    notes = check(never.encode())[1]
    said = [(note.wrong.fact, note.wrong.line) for note in notes if note.only_note]
    assert ("kit_never", 13) in said
    assert not any(note.wrong.fact == "kit_never" for note in check(GOOD.encode())[1])
    step = GOOD.replace('["suit led"] }\ntrick', '["suit led", "rank led and suit led"] }\ntrick')
    found_keys = [note.wrong.path for note in check(step.encode())[1]]
    assert "play.follow.2" in found_keys
    endless = GOOD.replace("deals = 2", 'until = "most(total) < 0"')
    assert ("kit_endless", 12) in noted(endless)


def test_a_game_whose_random_bids_fail_is_noted_and_is_no_fault() -> None:
    """The app registers it: people bid what they can make, and reach 100 points."""
    sinks = GOOD.replace("deals = 2", 'until = "most(total) >= 100"')
    sinks = sinks.replace('"tricks"', '"if tricks >= bid then bid else -9 * bid"')
    sinks += 'bid.values = "9..13"\n'
    assert found(sinks) == []
    facts = {fact for fact, _ in noted(sinks)}
    assert "kit_endless" in facts
    assert "kit_level" not in facts  # no game ended, so nobody knows who would have won


@pytest.mark.parametrize(
    ("change", "more", "said"),
    [
        (
            ("deals = 2", 'deals = 2, until = "deal >= 9"'),
            "set.match = { until = 'most(total) >= 0' }",
            "kit_until_begun",
        ),
        (("", ""), "set.trump = { from = 'fixed', suit = 'H' }", "kit_trump_wins_nothing"),
        (
            ("deals = 2", 'until = "deal >= 9"'),
            "set.match.until = 'most(total) < 0'",
            "kit_endless",
        ),
    ],
    ids=["an end at once", "a trump suit that wins nothing", "no end"],
)
def test_a_hole_of_one_house_rule_is_found_and_named(
    change: tuple[str, str], more: str, said: str
) -> None:
    old, new = change
    rule = f"option.x.a = {{ en = 'a' }}\noption.x.b = {{ en = 'b', {more} }}\n"
    notes = check((GOOD.replace(old, new, 1) + rule).encode())[1]
    [note] = [note for note in notes if note.wrong.fact == said]
    assert note.wrong.line == (10 if said == "kit_trump_wins_nothing" else 14)
    assert note.table is not None
    assert note.table.chosen == {"x": "b"}
    assert "(With the house rule x.b) " in sentence(note, "en")


def test_a_hole_of_the_largest_table_is_found_and_named() -> None:
    more = 'deck = { ranks = "1..20", suits.R = { en = "r" }, suits.B = { en = "b" } }'
    file = GOOD.replace('deck = { pack = "french" }', more).replace("hand = 13", "hand = 10")
    file = file.replace('count = "3-4"', 'count = "2-4"')
    file = file.replace('follow = ["suit led"]', 'follow = ["not suit showing"], cannot = "out"')
    notes = check(file.encode())[1]
    [note] = [note for note in notes if note.wrong.fact == "kit_all_suits_show"]
    assert note.table is not None
    assert len(note.table.seats) == 3
    assert "With 3 players" in sentence(note, "en")


@pytest.mark.parametrize(
    ("points", "noted"), [("bid", True), ("if tricks = 0 then 5 else -5", False)]
)
def test_a_bid_that_fails_without_a_score_is_noted(points: str, noted: bool) -> None:
    bid = (
        'bid = { values = "none", order = "auction", passed = "over",'
        ' special.pass = { worth = 0, en = "pass" }, special.mis = { worth = 6, en = "misere" } }\n'
    )
    when = "bid = 6 and tricks = 0" if noted else "bid = 6"
    score = f'score.made = {{ per = "deal", when = "{when}", points = "{points}" }}'
    file = GOOD.replace('score.made = { per = "deal", points = "tricks" }', score) + bid
    notes = check(file.encode())[1]
    assert [n.wrong.fact for n in notes].count("kit_bid_unscored") == noted


BIDS = 'bid.values = "0..hand"\n'
TWO_OF_THREE = [
    ("tricks = bid", "tricks < bid", "", "tricks > bid"),
    ("bid = tricks", "tricks > bid", "", "tricks < bid"),
    ("tricks > bid", "tricks < bid", "tricks > 3", "tricks = bid"),
    ("tricks = bid", "tricks < bid", "tricks > bid", ""),
    ("tricks = bid", "tricks < bid", "not tricks <= bid", ""),
    ("tricks = bid", "tricks < bid", "always", ""),
    ("tricks >= bid", "tricks < bid", "", ""),
    ("tricks = bid", "tricks = 0", "", ""),
]


@pytest.mark.parametrize(("one", "other", "third", "missing"), TWO_OF_THREE)
def test_a_score_for_two_of_three_results_of_a_bid_is_noted(
    one: str, other: str, third: str, missing: str
) -> None:
    whens = [one, other, third] if third else [one, other]
    scores = [
        f'score.s{i} = {{ per = "deal", when = "{when}", points = {i + 1} }}'.replace(
            'when = "always", ', ""
        )
        for i, when in enumerate(whens)
    ]
    made = 'score.made = { per = "deal", points = "tricks" }'
    notes = check((GOOD.replace(made, "\n".join(scores)) + BIDS).encode(), quick=True)[1]
    found = [n.wrong.values["number"] for n in notes if n.wrong.fact == "kit_neither_counts"]
    assert found == ([missing] if missing else [])


@pytest.mark.parametrize(
    ("second", "more", "noted"),
    [
        ('worth = 1, suit = "H"', "", True),
        ("worth = 1", "", True),  # no trump suit
        ('worth = 1, suit = "S"', "", False),
        ('worth = 2, suit = "H"', "", False),
        ('worth = 1, suit = "H"', 'forbid = "this > 0 and this <= most(bid)"', False),
        ('worth = 1, suit = "H"', 'order = "auction"', False),
    ],
)
def test_equal_bids_that_make_different_trump_suits_are_noted(
    second: str, more: str, noted: bool
) -> None:
    file = GOOD.replace('best = ["suit led"]', 'best = ["suit trump", "suit led"]')
    file += f"""
[trump]
from = "bid"
[bid]
values = "none"
passed = "over"
{more}
special.no = {{ worth = 0, ja = "なし", en = "no" }}
special.a = {{ worth = 1, suit = "S", ja = "甲", en = "a" }}
special.b = {{ {second}, ja = "乙", en = "b" }}
"""
    notes = check(file.encode())[1]
    assert ("kit_equal_trumps" in [note.wrong.fact for note in notes]) == noted
    assert all(note.only_note for note in notes)


def test_as_many_words_may_be_bid_as_the_guide_says() -> None:
    words = [
        f'bid.special.w{i} = {{ worth = {i}, suit = "S", ja = "語{i}", en = "w{i}" }}'
        for i in range(1, 201)
    ]
    file = GOOD.replace('"tricks"', '"tricks + bid"') + 'bid.values = "none"\n' + "\n".join(words)
    assert found(file) == []
    assert ("kit_too_many", 14) in found(file + '\nbid.special.more = { worth = 999, en = "more" }')


def test_a_sum_with_the_name_of_a_language_is_a_sum() -> None:
    file = GOOD.replace('"tricks"', '"ja + 1"') + 'values.ja = "tricks + far"\n'
    facts = [fact for fact, _ in noted(file + 'values.far = "2 * tricks"\n')]
    assert not {"kit_one_language", "kit_unused"} & {*facts}


@pytest.mark.parametrize(
    ("when", "noted"),
    [
        ("bid is a or bid is b", ["c"]),
        ("bid is a or bid is b or bid is c", []),
        ("not bid is a", []),
        ("bid is a or bid = 3", []),
    ],
)
def test_a_word_for_a_bid_that_no_rule_asks_for_is_noted(when: str, noted: list[str]) -> None:
    words = ", ".join(
        f'special.{word} = {{ worth = {i}, en = "{word}" }}' for i, word in enumerate("abc", 1)
    )
    score = 'points = "tricks"'
    file = GOOD.replace(score, f'when = "{when}", {score}')
    notes = check((file + f'bid = {{ values = "none", {words} }}\n').encode(), quick=True)[1]
    found = [n.wrong.values["bid"] for n in notes if n.wrong.fact == "kit_bid_unasked"]
    assert found == noted


def test_a_list_for_the_next_lead_is_checked_like_the_winning_sets() -> None:
    lead = GOOD.replace('best = ["suit led"]', 'best = ["suit led"], next = [NEXT]')
    seen = {
        '"all", "suit H"': [("kit_covered_step", "trick.next.2")],
        '"none"': [("kit_empty_set", "trick.next.1")],
        '"suit trump"': [("kit_no_trump", "trick.next.1")],
        '{ cards = "all", pick = 0 }': [("kit_pick", "trick.next.1.pick")],
        '{ cards = "all", order = "most" }': [("kit_one_of", "trick.next.1.order")],
        '{ cards = "suit H", when = "laid(suit led) = 4 and trick = 1" }, "all"': [
            ("kit_never", "trick.next.1")
        ],
        '"suit led"': [],
    }
    for following, expected in seen.items():
        notes = check(lead.replace("NEXT", following).encode())[1]
        both = [(note.wrong.fact, note.wrong.path) for note in notes]
        away = ("kit_no_example", "kit_equal_leads")
        assert [pair for pair in both if pair[0] not in away] == expected, following
    word = check(GOOD.replace('["suit led"] }', '["suit led"], next = "loser" }', 2).encode())[1]
    assert "kit_one_of" in [note.wrong.fact for note in word]
    text = 'text."next.2" = { ja = "勝った人", en = "The winner." }\n'
    assert not found(lead.replace("NEXT", '"suit H"') + text)


def test_a_trick_that_a_card_spoils_leaves_open_who_leads_next() -> None:
    """Without a condition the class is no rule: nobody would ever win."""
    text = GOOD.replace('"french"', '"french54"').replace("hand = 13", "hand = 12")
    text = text.replace('follow = ["suit led"]', 'follow = ["suit led"], always = "special"')
    spoiled = '{ cards = "none", when = "lying(card XB) > 0" }, "card XR", "suit led"'
    text = text.replace('best = ["suit led"]', f"best = [{spoiled}]")
    assert found(text) == [("kit_nobody_leads", 10)]
    said = text.replace(', "suit led"] }', ', "suit led"], next_none = "left" }')
    assert found(said) == []
    always = said.replace(', when = "lying(card XB) > 0"', "")
    assert ("kit_empty_set", 10) in found(always)
    notes = [(note.wrong.fact, note.wrong.path) for note in check(said.encode())[1]]
    assert ("kit_never", "trick.best.1") not in notes


def test_choices_that_change_one_value_must_bar_each_other() -> None:
    option = '[option.{}]\nja = "長さ"\nen = "length"\na = {{ ja = "二", en = "two" }}\n'
    choice = 'b = {{ ja = "一", en = "one", set = {{ match.deals = {} }}{} }}\n'
    one = option.format("one") + choice.format(1, "")
    two = option.format("two") + choice.format(3, "")
    barred = option.format("two") + choice.format(3, ', not_with = { one = "b" }')
    same = option.format("two") + choice.format(2, ', not_with = { one = "b" }')
    assert [fact for fact, _ in found(GOOD + one + two)] == ["kit_same_value"]
    assert found(GOOD + one + barred) == []
    assert [fact for fact, _ in found(GOOD + one + same)] == ["kit_no_change"]


def test_an_example_that_comes_out_otherwise_is_a_fault() -> None:
    example = """[[example]]
seats = "A B C"
lines = ["table deal leader=A", "A lay S2", "B lay S3", "C lay H4"]
says = { "4" = "unprovable" }
next = "B"
"""
    assert found(GOOD + example) == []
    assert found(GOOD + example.replace('next = "B"', 'next = "C"')) == [("kit_example", 15)]
    assert found(GOOD + example.replace('"unprovable"', '"legal"')) == [("kit_refused", 15)]


@pytest.mark.parametrize(
    ("line", "reason", "en"),
    [
        ("A lay Z2", "kit_no_such_card", "This game has no card Z2."),
        ("B lay S2", "not_turn", "It is A's turn, not B's."),
    ],
)
def test_an_example_that_is_refused_says_why(line: str, reason: str, en: str) -> None:
    rows = f'[[example]]\nseats = "A B C"\nlines = ["table deal leader=A", "{line}"]\n'
    text = GOOD + rows
    wrongs = [note.wrong for note in check(text.encode())[1] if not note.only_note]
    assert [wrong.fact for wrong in wrongs] == ["kit_refused", reason]
    assert wrongs[0].line == wrongs[1].line
    assert book(COMMON).says(reason, wrongs[1].values, "en") == en


def test_the_seats_of_an_example_are_one_text() -> None:
    """As a list they were read as names with brackets and quotes."""
    example = '[[example]]\nseats = ["A", "B", "C"]\nlines = ["table deal leader=A"]\n'
    assert [fact for fact, _ in found(GOOD + example)] == ["kit_example_seats"]


@pytest.mark.parametrize(
    ("part", "fact"),
    [
        ('lines = "A lay S2"', "kit_list"),
        ("lines = []", "kit_list"),
        ('says = ["legal"]', "kit_table_expected"),
        ("score = 3", "kit_table_expected"),
        ("options = []", "kit_table_expected"),
        ('findings = "none"', "kit_table_expected"),
    ],
)
def test_a_part_of_an_example_that_is_no_list_or_table_is_a_fault(part: str, fact: str) -> None:
    """It was left out without a word, and the example tested nothing."""
    rows = {"seats": 'seats = "A B C"', "lines": 'lines = ["table deal leader=A"]'}
    rows[part.partition(" ")[0]] = part
    assert [each for each, _ in found(GOOD + "[[example]]\n" + "\n".join(rows.values()))] == [fact]


def test_the_results_of_an_example_are_written_as_a_reader_would() -> None:
    match = 'lines = ["table deal leader=A"]\n'
    for part, came, right in (
        ("score = { A = 1, B = 0, C = 0 }", "A 0, B 0, C 0", "A 1, B 0, C 0"),
        ('winners = ["A", "C"]', "–", "A C"),
        ('findings = { "2" = "5" }', "–", "2 5"),
        ('next = "B"', "A", "B"),
    ):
        text = f'{GOOD}[[example]]\nseats = "A B C"\n{match}{part}\n'
        [wrong] = [note.wrong for note in check(text.encode())[1] if not note.only_note]
        assert (wrong.values["found"], wrong.values["expected"]) == (came, right)


@pytest.mark.parametrize("line", ["table rewind 0", "table stop", "table strike 1"])
def test_a_line_of_an_example_that_is_no_play_is_a_fault(line: str) -> None:
    lines = f'lines = ["table deal leader=A", "{line}"]\n'
    example = f'[[example]]\nseats = "A B C"\n{lines}'
    assert [fact for fact, _ in found(GOOD + example)] == ["read_verb"]


def test_the_last_trick_and_the_others_leave_out_no_trick() -> None:
    """It said that nothing counts at trick > hand."""
    scores = (
        'score.last = { per = "trick", when = "trick = hand", points = 5 }\n'
        'score.others = { per = "trick", when = "trick < hand", points = 1 }'
    )
    made = 'score.made = { per = "deal", points = "tricks" }'
    notes = check(GOOD.replace(made, scores).encode(), quick=True)[1]
    assert "kit_neither_counts" not in [note.wrong.fact for note in notes]


def test_an_end_by_a_counter_that_the_first_deal_sets_is_not_reached_before_it() -> None:
    lives = 'counters.lives = { of = "seat", add = "if deal = 1 then 3 - tricks else -tricks" }\n'
    text = GOOD.replace("deals = 2", 'deals = 9, until = "seats(lives > 0) <= 1"')
    facts = [note.wrong.fact for note in check((text + lives).encode(), quick=True)[1]]
    assert "kit_until_begun" not in facts
    up = lives.replace("if deal = 1 then 3 - tricks else -tricks", "-tricks")
    facts = [note.wrong.fact for note in check((text + up).encode(), quick=True)[1]]
    assert "kit_until_begun" in facts


def test_one_bid_that_lacks_the_suit_that_others_have_is_noted() -> None:
    bids = [
        f'special.{name} = {{ worth = {i}, suit = "{name.upper()}" }}'
        for i, name in enumerate("shdc", 1)
    ]
    bid = "bid.values = 'none'\n" + "".join(f"bid.{each}\n" for each in bids)
    text = GOOD.replace('best = ["suit led"]', 'best = ["suit bid", "suit led"]') + bid

    def noted(text: str) -> list[tuple[str, int | None]]:
        notes = [note.wrong for note in check(text.encode(), quick=True)[1]]
        return [(each.fact, each.line) for each in notes if each.fact == "kit_bid_no_suit"]

    assert noted(text) == []
    assert noted(text.replace(', suit = "C"', "")) == [("kit_bid_no_suit", 17)]
    assert noted(text.replace('"C"', '"none"')) == []


def test_a_wrong_heading_of_a_list_is_named_with_its_line() -> None:
    """It was reported in line 1."""
    assert found(GOOD + "[[exampel]]\nseats = 'A B C'\n") == [("kit_no_key_near", 13)]


@pytest.mark.parametrize(
    ("points", "fails"),
    [
        ("if bid > 0 and tricks >= bid then bid else 0", ["1", "2", "3"]),
        ("if bid = 0 then 0 else if tricks >= bid then bid else -bid", []),
        ("if bid = 2 and tricks = 1 then 0 else bid", ["2"]),
        ("if bid > 0 and tricks >= bid and taken(suit H) > 99 then bid else bid", []),
    ],
)
def test_every_result_of_a_bid_is_looked_at(points: str, fails: list[str]) -> None:
    """Random deals seldom showed one trick with a bid of 2."""
    bid = 'bid = { values = "0..3", leads = "highest", passed = "over" }\n'
    file = GOOD.replace('"tricks"', f'"{points}"').replace("hand = 13", "hand = 3") + bid
    game = load(file.encode())
    seats = table(game, ["A", "B", "C"])
    assert sorted(unscored(game.rules(seats), game.setup(seats))) == fails
    noted = [
        n.wrong.values["bids"]
        for n in check(file.encode())[1]
        if n.wrong.fact == "kit_bid_unscored"
    ]
    assert noted == ([fails] if fails else [])


@pytest.mark.parametrize(
    ("row", "fact", "said"),
    [
        ('{ cards = "rank 2", suit = "led" }', "kit_one_of", "S, H, D, C, none, named"),
        ('{ cards = "rank 2", suit = "name" }', "kit_one_of", "none, named"),
        ('{ cards = "rank 2", when = "won" }', "kit_after_trick", "per = 'trick'"),
        ('"card XB"', "kit_change_suitless", "suit = 'named'"),
        ('{ cards = "special", suit = "none" }', "", ""),
    ],
)
def test_a_mistake_in_a_change_of_the_trump_suit_is_answered(
    row: str, fact: str, said: str
) -> None:
    text = GOOD.replace('"french"', '"french54"').replace("hand = 13", "hand = 9")
    text = text.replace(
        'best = ["suit led"]', 'best = ["suit trump", "suit led"], next_none = "same"'
    )
    notes = check(f"{text}trump.change = [{row}]\n".encode(), quick=True)[1]
    notes = [note for note in notes if note.wrong.path.startswith("trump.change")]
    assert [note.wrong.fact for note in notes] == ([fact] if fact else [])
    assert all(said in sentence(note, "en") for note in notes)
    assert all(note.wrong.line == 13 for note in notes)


def test_a_row_that_never_changes_the_trump_suit_is_noted() -> None:
    rows = """trump.change = [
  "rank 2",
  { cards = "rank 3", when = "trick > 13" },
  { per = "trick", cards = "rank 4", when = "won", suit = "named" },
]
"""
    text = GOOD.replace('best = ["suit led"]', 'best = ["suit trump", "suit led"]') + rows
    notes = [note.wrong for note in check(text.encode())[1]]
    paths = [(each.fact, each.line, each.path) for each in notes if each.path.startswith("trump")]
    assert ("kit_never", 15, "trump.change.2") in paths
    assert {path for _, _, path in paths} <= {"trump.change.2", "trump.change.2.when"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("suit red", "suit R"),
        ("red", "suit R"),
        ("card clown", "card J"),
        ("clown", "card J"),
        ("clowns", "card J"),
        ("trump", "suit trump"),
    ],
)
def test_the_word_of_a_suit_or_a_card_is_answered_with_its_letter(written: str, meant: str) -> None:
    suits = 'suits.R = { en = "red" }, suits.B = { en = "blue" }, ranks = "1..26"'
    deck = f'{suits}, special.J = {{ en = "clown" }}'
    changes = [('pack = "french"', deck), ('best = ["suit led"]', f'best = ["{written}"]')]
    [note] = [n for n in check(changed(changes).encode())[1] if not n.only_note]
    said = book(COMMON).says(note.wrong.fact, note.wrong.values, "en")
    assert said.endswith(f"(did you mean {meant}?).")


def test_a_range_names_the_rank_that_is_not_there() -> None:
    """It named the first one, which the deck has."""
    [wrong] = [
        note.wrong for note in check(GOOD.replace('"tricks"', '"taken(rank 5..15)"').encode())[1]
    ]
    assert (wrong.fact, wrong.values["rank"]) == ("kit_no_rank", "15")
