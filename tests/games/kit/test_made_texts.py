"""The sentences that are made where the author of a file wrote none."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from kit_deals import game_of
from kit_files import FOLDER, WRITTEN

from referee.core.log import Log
from referee.games.simulation import table
from referee.kit import shipped
from referee.kit.families.trick_taking.player import entries
from referee.kit.load import load
from referee.kit.text.faults import FilePosition
from referee.kit.text.parsing import parse
from referee.kit.words import phrase
from referee.rulings import book_of

SUMS = [
    ("trick - trick/2*2", "remainder of number of the trick ÷ 2"),
    ("max(max(bid, 3), tricks)", "the largest of bid, 3 and tricks taken"),
    ("team(bid is nil)", "number of the team's players with bid = nil"),
    ("-(bid - tricks)", "−(bid − tricks taken)"),
    ("bid - (tricks - 1)", "bid − (tricks taken − 1)"),
    ("bid - tricks - 1", "bid − tricks taken − 1"),
    ("2*(bid + 1)", "2 × (bid + 1)"),
    ("bid/(2*n)", "bid ÷ (2 × players) (rounded down)"),
    ("team(bid + tricks)", "the team's (bid + tricks taken)"),
    ("abs(bid - tricks)", "|bid − tricks taken|"),
    ("if this(suit H) then 2 else this(rank 1)", "if it is H then 2 else 1 if it is 1"),
    ("10 + (if bid = 0 then 1 else 2)", "10 + (if bid = 0 then 1 else 2)"),
]
CONDITIONS = [
    ("trick - trick/2*2 = 1", "number of the trick is odd"),
    ("trick_sum - trick_sum/2*2 = 0", "sum of the trick is even"),
    ("deal - deal/3*3 = 1", "remainder of number of the deal ÷ 3 = 1"),
    ("trick - bid/2*2 = 1", "number of the trick − bid ÷ 2 (rounded down) × 2 = 1"),
    ("tricks > 3 or tricks = 2 and bid = 1", "tricks taken > 3 or (tricks taken = 2 and bid = 1)"),
    ("team(winning) = 0", "nobody of the team is winning the trick now"),
    ("team(turn = 1) > 0", "somebody of the team has place in turn = 1"),
    ("team(tricks) = 0", "the team's tricks taken = 0"),
    ("not led(rank 7)", "the card led is not 7"),
    ("not tricks = bid", "tricks taken ≠ bid"),
    ("not tricks < bid", "tricks taken ≥ bid"),
    ("left(left(tricks)) > 1", "tricks taken of the second player to the left > 1"),
    ("not (tricks > 1 and bid = 0)", "not (tricks taken > 1 and bid = 0)"),
    ("(tricks > 1 or bid = 1) and n = 3", "(tricks taken > 1 or bid = 1) and players = 3"),
]
SETS = [
    ("not suit led", "リードと違うスート", "suits other than the one led"),
    ("not rank showing", "場に見えていない数字", "numbers that do not show"),
    ("not suit showing", "場に見えていないスート", "suits that do not show"),
    ("rank 2..5", "2–5", "2–5"),
    (
        "special and not rank 5 and not rank J and not card HA",
        "特殊カード（5・J・HAを除く）",
        "special cards except 5, J and HA",
    ),
    ("suit trump and rank J", "切り札のJ", "J of the trump suit"),
    ("rank 1..3 and suit Y", "Yの1–3", "1–3 of Y"),
    (
        "rank led and suit trump",
        "リードと同じ数字の切り札",
        "cards that are of the number led and are of the trump suit",
    ),
    (
        "rank J and colour trump",
        "切り札と同じ色のスートのJ",
        "J of suits of the colour of the trump suit",
    ),
    ("not suit H", "H以外", "cards other than H"),
    (
        "number > led_value and suit led",
        "数字 > リードの数字のカードで、しかもリードと同じスート",
        "cards that have a number > number led and are of the suit led",
    ),
    (
        "not suit led and not suit showing",
        "リードと違うスートで、しかも場に見えていないスート",
        "cards that are not of the suit led and are of suits that do not show",
    ),
    (
        "suit led and beats",
        "リードと同じスートで、しかもいま勝てるカード",
        "cards that are of the suit led and would win the trick now",
    ),
    (
        "suit led and suit trump and beats",
        "リードと同じスートで、しかも切り札で、しかもいま勝てるカード",
        "cards that are of the suit led and are of the trump suit and would win the trick now",
    ),
    (
        "suit led and not (suit trump and rank J)",
        "リードと同じスート（切り札のJを除く）",
        "the suit led except J of the trump suit",
    ),
]
CONDITIONS_IN_BOTH = [
    ("this(rank 9) = 1", "カードが9", "it is 9"),
    ("this(rank 9) = 0", "カードが9以外", "it is not 9"),
    ("this(suit H) and won", "カードがH、かつトリックに勝った", "it is H and it won the trick"),
    (
        "not this(suit led) and not won",
        "カードがリードと同じスート以外、かつトリックに勝っていない",
        "it is not of the suit led and it did not win the trick",
    ),
    ("2*this(suit H) = 2", "2 × (カードがHなら1) = 2", "2 × (1 if it is H) = 2"),
    (
        "most(team(tricks)) >= 7",
        "いちばん多いチームの取ったトリックの数 ≧ 7",
        "the highest tricks taken of a team ≥ 7",
    ),
    ("lying(rank 7) > 0", "このトリックに7がある", "7 is in the trick"),
    ("trump is H", "切り札がH", "H is the trump suit"),
    ("not trump is H", "切り札がH以外", "H is not the trump suit"),
    ("trump is none", "切り札がない", "there is no trump suit"),
    ("not trump is none", "切り札がある", "there is a trump suit"),
    ("bid is nil", "ビッドがnil", "bid = nil"),
    ("not bid is nil", "ビッドがnil以外", "bid ≠ nil"),
    ("not lying(rank 7) > 0", "このトリックに7がない", "7 is not in the trick"),
    (
        "lying(number < 3) = 0",
        "このトリックに数字 < 3のカードがない",
        "cards with a number < 3 are not in the trick",
    ),
    ("laid(suit H) = 0", "Hがまだ出ていない", "H has not been played yet"),
    ("laid(special) > 0", "特殊カードがもう出ている", "special cards have been played"),
    ("lying(suit H) > 1", "このトリックのHの枚数 > 1", "cards in the trick of H > 1"),
    ("led(suit trump)", "リードが切り札", "the card led is one of the trump suit"),
    ("not led(suit trump)", "リードが切り札以外", "the card led is not one of the trump suit"),
]


def words_of(text: str, kind: str) -> tuple[str, ...]:
    node = parse(text, FilePosition(1, 1), "", kind).node
    return tuple(phrase(node, lang, {}) for lang in ("ja", "en"))


@pytest.mark.parametrize(("text", "ja", "en"), SETS)
def test_a_card_set_in_words(text: str, ja: str, en: str) -> None:
    assert words_of(text, "cards") == (ja, en)


@pytest.mark.parametrize(("text", "ja", "en"), CONDITIONS_IN_BOTH)
def test_a_condition_in_words(text: str, ja: str, en: str) -> None:
    assert words_of(text, "condition") == (ja, en)


@pytest.mark.parametrize(("text", "words"), SUMS)
def test_a_sum_in_words_keeps_its_parentheses(text: str, words: str) -> None:
    assert phrase(parse(text, FilePosition(1, 1), "", "sum").node, "en", {}) == words


@pytest.mark.parametrize(("text", "words"), CONDITIONS)
def test_a_condition_in_words_keeps_its_meaning(text: str, words: str) -> None:
    assert phrase(parse(text, FilePosition(1, 1), "", "condition").node, "en", {}) == words


def made(name: str) -> dict[str, tuple[str, str]]:
    file = next(each for folder in (FOLDER, WRITTEN) for each in folder.glob(f"{name}.toml"))
    return {c.id: (c.text.ja, c.text.en) for c in book_of(load(file.read_bytes())).clauses}


LEADS = [
    (
        '"suit H"',
        ["次のリードは、♥のうちいちばん強いカードを出した人。", "それがなければ、勝った人。"],
        ["The player of the highest of ♥ leads next.", "If there is none, the winner."],
    ),
    (
        '{ cards = "all", order = "low" }]\nequal = "last" # [',
        ["次のリードは、すべてのカードのうちいちばん弱いカード（同じなら後のカード）を出した人。"],
        ["The player of the lowest of all cards (the last of equals) leads next."],
    ),
    (
        '{ cards = "suit led", order = "last", pick = 2, when = "trick = 1" }, "all"',
        [
            "次のリードは、トリックの番号 = 1なら、"
            "リードと同じスートのうち最後から2番目のカードを出した人。",
            "そうでなければ、すべてのカードのうちいちばん強いカード（同じなら先のカード）を出した人。",
        ],
        [
            "The player of the second to last of the suit led leads next "
            "(if number of the trick = 1).",
            "Otherwise the player of the highest of all cards (the first of equals).",
        ],
    ),
]


@pytest.mark.parametrize(("following", "ja", "en"), LEADS)
def test_who_leads_next_in_words(following: str, ja: list[str], en: list[str]) -> None:
    text = (WRITTEN / "black_maria.toml").read_text("utf-8")
    trick = 'best = ["suit led"]\n'
    assert text.count(trick) == 1
    game = load(text.replace(trick, f"{trick}next = [{following}]\n").encode())
    rules = [clause.text for clause in book_of(game).clauses if clause.id.startswith("next.")]
    assert [rule.ja for rule in rules] == ja
    assert [rule.en for rule in rules] == en


def test_many_ranks_and_card_points_are_written_shortly() -> None:
    deck_ja, deck_en = made("little_devils")["setup.deck"]
    assert "数字は弱い順に 1–54。" in deck_ja
    assert "15・25・35・45は5点。" in deck_ja
    assert "From low to high: 1–54." in deck_en
    assert deck_en.endswith("; 5 for 15, 25, 35, 45.")
    assert "Y 1–13; G 2–14; B 3–15; R 5–18" in made("four_fields")["setup.deck"][1]
    assert made("sticheln")["setup.deck"] == (
        "カードは75枚。スートは赤（▲）・緑（●）・青（■）・黄（◆）・紫（★）、"
        "数字は弱い順に 0–14。カード点：数字と同じ。",
        "75 cards. Suits: red (▲), green (●), blue (■), yellow (◆), purple (★). "
        "From low to high: 0–14. Card points: the number of each card.",
    )


def test_a_list_for_the_next_lead_says_which_of_equal_cards_counts() -> None:
    rules = made("hindmost")
    assert "equal.1" not in rules  # it would be about cards that win
    assert "同じなら後のカード" in rules["next.1"][0]


def test_every_rule_of_a_file_without_texts_has_its_clause() -> None:
    rules = made("jass")
    assert "6 7 8 9 10 J Q K A" in rules["setup.deck"][0]
    assert "; 2 for J" in rules["setup.deck"][1]
    assert rules["setup.teams"][1].startswith("Players who sit opposite")
    assert rules["trump.1"] == (
        "最初にリードする人が切り札を決める。",
        "The first leader names the trump suit.",
    )
    assert "いま勝てるカード" in rules["always.1"][0]
    rules = made("rows")
    assert rules["equal.1"][1] == "Of equal cards the last wins."
    assert rules["none.1"][1] == "If no card can win, the last to play takes it."
    assert "highest row" in rules["win.1"][1]
    assert "until a card is played" in rules["bid.1"][1]
    assert "スキップは2枚" in rules["setup.deck"][0]
    assert "なし" in made("klaverjas")["trump.1"][0]
    assert "to a team" in made("klaverjas")["score.pit"][1]
    assert "No trump suit if" in made("barbu")["trump.1"][1]
    rules = made("euchre")
    assert "抜くカード：♠7・♠8・♥7" in rules["setup.deck"][0]
    assert "Taken out: ♠7, ♠8, ♥7" in rules["setup.deck"][1]
    assert "3人なら♣2、5人なら♣2・♦2" in made("black_maria")["setup.deck"][0]
    assert made("napoleon")["win.2"] == ("そうでなければ、♠A。", "Otherwise ♠A.")
    rules = made("loo")
    assert "sit this deal out if: bid = 0" in rules["leave.1"][1]
    assert "ビッド = 0の人はこのラウンドを休む" in rules["leave.1"][0]
    assert rules["score.won"][1].startswith("For each deal, if bid = 1")
    assert made("king")["bid.1"][1].startswith("Only the dealer bids.")
    assert "選べるのは♠、♥、♦、♣" in made("knockout")["trump.1"][0]
    assert "数字 < priceのカード" in made("bottle")["score.below"][0]
    assert made("bottle")["score.coins"][0].endswith("カード点を得点とする。")


def test_sums_and_numbers_stand_in_whole_sentences() -> None:
    """A number has its unit; a sum stands where a unit behind it would read as a part of it."""
    bottle = made("bottle")
    assert bottle["setup.hand"] == (
        "手札の枚数：36 ÷ 人数（端数は切り捨て）。",
        "Cards in each hand: 36 ÷ players (rounded down).",
    )
    assert bottle["deals.1"] == ("人数と同じ数のラウンドを遊ぶ。", "As many deals as players.")
    assert bottle["score.bottle"][1] == "For each deal, if holder: −10 points."
    assert made("jass")["setup.hand"][0] == "手札：9枚。"
    assert made("loo")["deals.1"] == (
        "ラウンド数は3 × 人数。",
        "The number of deals is: 3 × players.",
    )
    assert made("kaiser")["deals.1"][1] == "30 deals, or until the highest total ≥ 52."
    assert made("knockout")["score.stays"] == (
        "ラウンドごとに、取ったトリックの数 > 0なら、1点。",
        "For each deal, if tricks taken > 0: 1 point.",
    )
    assert made("barbu")["score.fifth"][0].endswith("なら、5 × 取ったトリックの数を得点とする。")


def test_counters_suits_and_equal_cards_in_words() -> None:
    fields = made("four_fields")
    assert fields["equal.1"] == (
        "同じ数字のカードなら後に出した方が勝つ。",
        "Of cards of the same number the last wins.",
    )
    assert fields["score.red"] == (
        "カードごとに出した人へ、トリックに勝った、かつカードが赤なら、1点。",
        "For each card, to its player, if it won the trick and it is red: 1 point.",
    )
    assert fields["score.stuck"][0].startswith("stuck：全員で1つ数える。トリックのあと、")
    assert fields["score.stuck"][1].endswith("It begins anew with each deal.")
    assert "黄（Y）" in fields["setup.deck"][0]
    assert made("pitch")["score.top"][1] == "top: the highest number played of the trump suit"
    assert "抜くカード：6・7・8。" in made("doppelkopf")["setup.deck"][0]
    assert "equal.1" not in made("loo")
    hearts = (shipped.FOLDER / "hearts.toml").read_text(encoding="utf-8")
    plain = hearts.replace('[text."starter.1"]', "[text.nothing]").encode()
    starter = next(c for c in book_of(load(plain)).clauses if c.id == "starter.1")
    assert starter.text.ja == "♣2（デッキになければ♣3）を持つ人が、それをリードする。"
    assert starter.text.en == "The player with ♣2 (if it is not in the deck, ♣3) leads it."


def test_who_wins_and_who_gets_passed_cards_in_words() -> None:
    assert made("jass")["win.3"][1] == "If there is none, the highest of the trump suit."
    assert made("corsairs")["win.1"] == (
        "このトリックに王があるなら、人魚が勝つ。",
        "Mermaid wins (if king is in the trick).",
    )
    assert made("black_maria")["pass.1"] == (
        "手札から3枚を裏向きで右どなりへ渡す。",
        "Pass 3 cards face down to the right.",
    )
    assert made("ninety_nine")["pass.1"][1] == "Put 3 cards aside face down, out of play."
    assert "スートは♠・♥・♦・♣、" in made("klaverjas")["setup.deck"][0]


def test_a_condition_that_all_players_share_ends_the_deal() -> None:
    text = (FOLDER / "corsairs.toml").read_text(encoding="utf-8")
    for when, ja, en in (
        ("most(tricks) >= 3", "になったら、そのトリックでラウンドが終わる。", "the deal ends if"),
        ("tricks >= most(bid)", "になった人はこのラウンドを抜ける。", "players leave the deal if"),
    ):
        leaves = f'{text}\n[leave]\nwhen = "{when}"\n'
        rules = {clause.id: clause.text for clause in book_of(load(leaves.encode())).clauses}
        assert rules["leave.1"].ja.endswith(ja)
        assert rules["leave.1"].en.startswith(f"After a trick, {en}")


def test_the_cards_of_a_called_rank_are_not_one_card() -> None:
    text = (FOLDER / "callers.toml").read_text(encoding="utf-8")
    text = text.replace('best = ["called"', 'best = ["rank called and suit trump", "called"')
    rules = {clause.id: clause.text for clause in book_of(load(text.encode())).clauses}
    assert rules["win.1"].ja == "指名されたカードと同じ数字の切り札のうちいちばん強いカードが勝つ。"
    assert rules["win.1"].en.startswith("The highest of cards that are of the number of the card")


def test_a_trick_that_nobody_wins_in_words() -> None:
    text = (FOLDER / "corsairs.toml").read_text(encoding="utf-8")
    spoiled = '{ cards = "none", when = "lying(card F) > 0" }'
    first = text.replace("best = [\n", f"best = [\n  {spoiled},\n")
    rules = {clause.id: clause.text for clause in book_of(load(first.encode())).clauses}
    assert (rules["win.1"].ja, rules["win.1"].en) == (
        "このトリックに逃走があるなら、だれも勝たない。",
        "Nobody wins if flight is in the trick.",
    )
    assert rules["win.2"].en == "Otherwise mermaid (if king is in the trick)."
    later = text.replace('  "card K",', f'  {spoiled}, "card K",')
    rules = {clause.id: clause.text for clause in book_of(load(later.encode())).clauses}
    assert rules["win.2"].en == "Otherwise nobody wins if flight is in the trick."


def test_a_bid_says_what_it_counts_and_which_trump_suit_it_makes() -> None:
    ja, en = made("nine_tricks")["bid.1"]
    assert "「パス」は0、「5♠」は40（切り札♠）、" in ja
    assert "「6NT」は220（切り札なし）と数える。" in ja
    assert "What bids count: “pass” 0, “5♠” 40 (trump suit ♠), " in en
    assert "“6NT” 220 (no trump suit)." in en


def test_the_card_that_is_led_first_has_its_name_in_both_languages() -> None:
    file = """kit = 1
family = "trick_taking"
key = "fool_first"
title = { ja = "道化から", en = "Fool first" }
seats.count = "4"
deck = { pack = "french", special = { W = { ja = "道化", en = "fool", led = "none" } } }
deal = { hand = 13, leader = "holder", holder = ["W", "C2"] }
play.follow = ["suit led"]
trick.best = ["suit led"]
score.tricks = { per = "trick", points = "1" }
match = { deals = 1, winner = "most" }
"""
    [starter] = [c.text for c in book_of(load(file.encode())).clauses if c.id == "starter.1"]
    assert starter.ja == "道化（デッキになければ♣2）を持つ人が、それをリードする。"
    assert starter.en == "The player with fool (if it is not in the deck, ♣2) leads it."


@pytest.mark.parametrize(
    ("order", "ja", "en"),
    [
        (
            '"last"',
            "切り札のうち最後に出たカードが勝つ。",
            "Of the trump suit, the one played last wins.",
        ),
        (
            '"first"',
            "切り札のうち最初に出たカードが勝つ。",
            "Of the trump suit, the one played first wins.",
        ),
        (
            '"last", pick = 2',
            "切り札のうち最後から2番目に出たカードが勝つ。",
            "Of the trump suit, the one played second to last wins.",
        ),
    ],
)
def test_the_card_that_is_played_last_or_first(order: str, ja: str, en: str) -> None:
    file = WRITTEN / "sueca.toml"
    best = f'best = [{{ cards = "suit trump", order = {order} }}, '
    source = file.read_text("utf-8").replace("best = [", best)
    wins = next(c for c in book_of(load(source.encode())).clauses if c.id == "win.1")
    assert (wins.text.ja, wins.text.en) == (ja, en)


OWN = """kit = 1
family = "trick_taking"
key = "own"
title = { ja = "自作", en = "own" }
seats = { count = 4, teams = "opposite" }
deck.pack = "french"
deck.special.W = { led = "skip", ja = "風", en = "wind" }
deck.special.F = { led = "none", ja = "火", en = "fire" }
deck.special.I = { led = "none", ja = "氷", en = "ice" }
deck.worth = { A = -5 }
deal = { hand = 13, turn_up = "stock" }
trump = { from = "turn_up", special = { W = "dealer", F = "none", I = "none" } }
bid = { values = "0..hand" }
play.follow = [{ cards = "suit led and beats", when = "team(winning) = 0" }, "suit led"]
play.always = "special"
trick = { best = ["suit trump and rank 2", "rank 2", "suit trump", "suit led"], next_none = "same" }
values.called = "team(bid = 3)"
counters.last = { of = "team", per = "trick", keep = "deal", add = "if trick = 8 then 1 else 0" }
score.made = { per = "deal", to = "team", points = "called + last + worth(all)" }
match = { deals = 4, winner = "most" }
"""


def test_names_of_a_file_are_no_names_of_the_format() -> None:
    rules = {c.id: c.text for c in book_of(load(OWN.encode())).clauses}
    assert rules["score.called"].en == "called: number of the team's players with bid = 3"
    assert rules["score.made"].en.endswith(": called + last + card points of all cards taken.")


def test_special_cards_that_are_led_or_turned_up_are_explained() -> None:
    rules = {c.id: c.text for c in book_of(load(OWN.encode())).clauses}
    assert rules["trump.1"].ja.endswith(
        "風が表になったら、ディーラーが決める。火か氷が表になったら、切り札はない。"
    )
    assert rules["trump.1"].en.endswith("If fire or ice is turned up, there is no trump suit.")
    assert rules["lead.1"].ja == (
        "リードは自由。風がリードされたら、次に出た、スートのあるカードがリードのスートになる。"
        "火か氷がリードされたら、どのカードを出してもよい。"
    )
    assert rules["lead.1"].en == (
        "Lead any card. If wind is led, the next card that has a suit sets the suit led."
        " If fire or ice is led, any card may be played."
    )
    asked = '{ cards = "special", when = "led(special)" }, "suit led"]\nplay.always'
    joker = OWN.replace('"suit led"]\nplay.always', asked)
    rules = {c.id: c.text for c in book_of(load(joker.encode())).clauses}
    assert "any card may be played" not in rules["lead.1"].en


def test_ranks_and_partners_in_made_rules() -> None:
    rules = {c.id: c.text for c in book_of(load(OWN.encode())).clauses}
    assert rules["win.1"].en == "The highest 2 of the trump suit wins."
    assert rules["win.2"].en == "If there is none, the highest 2."
    assert "（チームのだれもいま勝っていないとき）" in rules["follow.1"].ja
    assert "A −5" in rules["setup.deck"].ja


def test_a_quotient_is_rounded_down_in_both_languages() -> None:
    node = parse("team(worth(all))/3", FilePosition(1, 1), "", "sum").node
    assert phrase(node, "ja", {}).endswith("のカード点 ÷ 3（端数は切り捨て）")
    assert phrase(node, "en", {}).endswith("of all cards taken ÷ 3 (rounded down)")


def rules_with(*changes: tuple[str, str]) -> dict[str, tuple[str, str]]:
    """The made rules of ``OWN`` with other lines."""
    text = OWN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return {c.id: (c.text.ja, c.text.en) for c in book_of(load(text.encode())).clauses}


def test_points_of_cards_with_numbers_do_not_stand_beside_them() -> None:
    """ "10 5" would be two numbers."""
    deck = rules_with(("{ A = -5 }", '{ A = 4, "10" = 5 }'))["setup.deck"]
    assert deck[0].endswith("カード点：Aは4点、10は5点。")
    assert deck[1].endswith("Card points: 4 for A; 5 for 10.")


def test_the_highest_of_equal_bids() -> None:
    """Who bids first decides; nobody does if all bid at once."""
    leads = ('"0..hand" }', '"0..hand", leads = "highest" }')
    rules = rules_with(leads)
    assert rules["starter.1"][1] == "The first bid moves to the left each deal."
    assert rules["bid.1"][1].endswith("The highest bidder leads first; of equal ones the first.")
    rules = rules_with(leads, ("leads =", 'order = "at_once", leads ='))
    assert rules["starter.1"][1] == "The first lead moves to the left each deal."
    assert rules["bid.1"] == (
        "全員が同時にビッドする（0から手札の枚数まで）。ビッドがいちばん大きい人が最初にリードする。"
        "同じなら、ディーラーの左どなりから数えて先の人。",
        "Everybody bids at the same time, from 0 to the size of the hand. "
        "The highest bidder leads first; of equal ones the first to the left of the dealer.",
    )


def test_a_counter_with_the_name_of_a_score_is_explained() -> None:
    found = made("cancellation_hearts")
    assert found["score.pot"][1].startswith(
        "pot: one count for all. After each trick, add if the trick has a winner then −pot else"
    )
    assert "トリックに勝者がいるなら−pot" in found["score.pot"][0]


def test_teams_of_some_numbers_of_players() -> None:
    assert made("briscola")["setup.teams"] == (
        "4人なら、向かい合う2人がチームになり、点を一緒に数える。",
        "With 4 players: players who sit opposite are a team and share their points.",
    )


def test_the_card_called_is_one_card_in_words() -> None:
    text = (
        HEAD.replace('["suit trump", "suit led"]', '["called", "suit led"]')
        + "call.by = 'dealer'\n"
    )
    made = {c.id: c.text for c in book_of(load(text.encode())).clauses}
    assert made["win.1"].en == "The card called wins."
    assert made["win.1"].ja == "指名されたカードが勝つ。"


def test_the_bids_are_sums_in_words() -> None:
    """The rules said "from 0 to hand*10+5"."""
    text = HEAD.replace("seats.count = 3", "seats.count = 3\nbid.values = '1..hand*10+5'")
    text = text.replace('"tricks"', '"if bid = 1 then 1 else tricks"').replace(
        "suit trump", "suit R"
    )
    [made] = [c.text for c in book_of(load(text.encode())).clauses if c.id == "bid.1"]
    assert made.en == "In turn everybody bids, from 1 to hand size × 10 + 5."
    assert made.ja == "全員が順番にビッドする（1から手札の枚数 × 10 + 5まで）。"


def test_points_that_are_a_number_are_said_once() -> None:
    """The score said "Ann: 5 = 5"."""
    text = (
        HEAD.replace("suit trump", "suit R")
        .replace('"tricks"', "5")
        .replace("hand = 5", "hand = 1")
    )
    game = load(text.encode())
    log = Log(game, table(game, ("A", "B", "C")))
    for play in entries(log, Random(1), 0, 0):
        log.push(play)
    line = game.score(log.state).lines[0]
    book = book_of(game)
    said = [
        book.says(each.fact, each.values, lang) for each in line.evidence for lang in ("ja", "en")
    ]
    assert said == [f"{line.seat}：5点", f"{line.seat}: 5 points"]


def test_cards_that_change_the_trump_suit_in_words() -> None:
    rows = (
        'trump.change = ["rank 1", { cards = "card W", suit = "named" }, '
        '{ per = "trick", cards = "rank 2..3" }, '
        '{ per = "trick", cards = "rank 9", when = "won", suit = "none" }]\n'
    )
    text = HEAD + rows
    [made] = [c.text for c in book_of(load(text.encode())).clauses if c.id == "trump.1"]
    assert made.en == (
        "A deal begins without a trump suit. "
        "1: as soon as such a card is played, its suit becomes the trump suit. "
        "Wizard: as soon as such a card is played, its player names the trump suit. "
        "2–3: after a trick with such a card, its suit becomes the trump suit. "
        "Of several, the last one decides. "
        "9: after a trick with such a card (if it won the trick), there is no trump suit any more."
    )
    assert made.ja == (
        "最初は切り札がない。1：出ると、すぐにそのスートが切り札になる。"
        "魔女：出ると、すぐに出した人が切り札を決める。"
        "2–3：出たトリックのあと、そのスートが切り札になる。何枚もあれば、最後に出たカードで決まる。"
        "9：出たトリックのあと（トリックに勝ったなら）、切り札がなくなる。"
    )
    fixed = text.replace("trump.change", 'trump.from = "fixed"\ntrump.suit = "R"\ntrump.change')
    [made] = [c.text for c in book_of(load(fixed.encode())).clauses if c.id == "trump.1"]
    assert made.en.startswith("A deal begins with the trump suit red. 1: as soon as")


HEAD = """kit = 1
family = "trick_taking"
key = "small"
title = { ja = "小さい", en = "small" }
seats.count = 3
deck.suits.R = { ja = "赤", en = "red" }
deck.suits.B = { ja = "青", en = "blue" }
deck.ranks = "1..9"
deck.special.W = { ja = "魔女", en = "wizard" }
deal.hand = 5
play.follow = ["suit led"]
trick.best = ["suit trump", "suit led"]
score.made = { per = "deal", points = "tricks" }
match = { deals = 2, winner = "most" }
"""


def test_jokers_have_names_unless_the_file_gives_them_others() -> None:
    file = (WRITTEN / "napoleon.toml").read_text("utf-8")
    made = {clause.id: clause.text for clause in book_of(load(file.encode())).clauses}
    deck = made["setup.deck"]
    assert "抜くカード：黒ジョーカー。赤ジョーカーは1枚。" in deck.ja
    assert "Taken out: black joker. 1 × red joker." in deck.en
    assert not [text for text in made.values() if {"XR", "XB"} & {*text.en.split()}]

    named = file.replace('remove = ["XB"]', 'remove = ["XB"], special.XR = { ja = "道化" }')
    made = {clause.id: clause.text for clause in book_of(load(named.encode())).clauses}
    assert "抜くカード：黒ジョーカー。道化は1枚。" in made["setup.deck"].ja
    assert not [text for text in made.values() if "joker" in text.en.replace("black joker", "")]


@pytest.mark.parametrize("key", ["hearts", "spades", "oh_hell", "zimbabwe"])
def test_no_formula_stands_among_rules_that_the_author_has_written(key: str) -> None:
    """The rules say the same in words; "team's bid: the team's bid" says nothing to a player."""
    game = game_of(key)
    values, groups, scores = (game.source({}).at(part) for part in ("values", "groups", "score"))
    named = {*(values or {}), *(groups or {})} - {*(scores or {})}
    listed = {clause.id for clause in book_of(game).clauses}
    assert named
    assert not {f"score.{name}" for name in named} & listed


def test_a_formula_that_a_made_rule_uses_is_explained() -> None:
    hearts = (Path(shipped.__file__).parent / "hearts.toml").read_text("utf-8")
    without = re.sub(r'\[text\."score\.cards"\]\nja = .*\nen = .*\n', "", hearts)
    assert without != hearts
    listed = {clause.id for clause in book_of(load(without.encode())).clauses}
    assert "score.hurt" in listed
    assert "score.points" not in listed  # only follow.2 uses it, which has a text


def test_how_many_cards_there_are_is_said_for_each_number_of_players() -> None:
    said = {game.KEY: book_of(game).deck for game in shipped.games().values()}
    assert said["big_two"].ja.startswith("カードは3人なら51枚、4人なら52枚。")
    assert said["big_two"].en.startswith("51 cards with 3 players, 52 cards with 4 players.")
    assert said["daifugo"].en.startswith("54 cards. ")
