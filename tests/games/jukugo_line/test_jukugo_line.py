"""熟語ライン: the golden tests of its ruling book, and every ruling that entries can show."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest
from jukugo_table import FILES, HEAD, LEXICON, judged, last, moves, verdicts

from referee.core.game import COMMON_OPTIONS, Game, Table
from referee.core.record import Unreadable, read
from referee.core.sheets import Stop
from referee.core.verdict import Evidence, Legal
from referee.games import GAMES
from referee.games import jukugo_line as game
from referee.games.jukugo_line import Deal, Pass
from referee.games.jukugo_line.evidence import falls_short
from referee.games.jukugo_line.player import entries
from referee.games.simulation import table
from referee.jukugo.decks import Card, KanjiDeck, write_deck
from referee.jukugo.formations import best
from referee.rulings import book
from referee.rulings.report import report

PROOF = moves("A", ("A", 4, "日本人"), ("B", 4, "風流"), ("B", 8, "面"))
PROOF = [*PROOF[:-2], PROOF[-2], PROOF[-1]]


def test_who_begins_and_what_is_dealt() -> None:
    """setup.2 (J2, J44), setup.1 (J1)."""
    answer = judged("table deal leader=B", "table deal leader=A")
    assert [row["verdict"] for row in answer["entries"]] == ["legal", "illegal"]
    assert answer["entries"][1]["clause"] == "setup.2"
    assert answer["to_act"] == ["B"]
    assert answer["public"]["stock"] == 24 + 2 - 10
    assert answer["public"]["hands"] == {"A": 5, "B": 5}
    assert len(answer["public"]["flags"]) == 9
    assert verdicts("A place 1 日") == ["illegal setup.2"]


def test_a_turn_is_placing_claiming_drawing() -> None:
    """turn.2 (J3), draw.1: the other seat's first entry says that the card was drawn."""
    deal = "table deal leader=A"
    assert verdicts(deal, "B place 1 日")[-1] == "illegal turn.1"
    assert verdicts(deal, "A draw")[-1] == "illegal turn.2"
    assert verdicts(deal, "A place 1 日", "A place 1 本")[-1] == "illegal turn.2"
    recorded = judged(deal, "A place 1 日", "A draw", "B place 1 本")
    implied = judged(deal, "A place 1 日", "B place 1 本")
    assert recorded["public"] == implied["public"]
    assert recorded["public"]["hands"] == {"A": 5, "B": 4}
    assert recorded["public"]["stock"] == 15
    assert recorded["to_act"] == implied["to_act"] == ["B"]
    assert verdicts(deal, "A place 1 日", "B draw")[-1] == "illegal turn.1"
    assert verdicts(deal, "A place 1 日", "A draw", "A place 1 本")[-1] == "illegal turn.1"


def test_placing() -> None:
    """place.1, place.2, place.3 (J38, J39): room, the flag, the card."""
    full = moves("A", ("A", 1, "日本音"), ("B", 2, "意用人"))
    assert last(*full, "A place 1 国")["clause"] == "place.2"
    assert last(*full, "A place 10 国")["clause"] == "place.1"
    assert last(*full, "A place 0 国")["clause"] == "place.1"
    lies = last(*full, "A place 3 意")
    assert (lies["verdict"], lies["clause"]) == ("illegal", "setup.1")
    assert lies["evidence"][0]["seq"] == 3
    assert last(*full, "A place 3 龍")["clause"] == "setup.1"
    taken = [*PROOF, "A place 9 国", "A claim 4"]
    assert last(*taken, "B place 4 車")["clause"] == "place.3"


def test_one_joker_each() -> None:
    """joker.1, joker.2 (J14, J28, J29)."""
    jokers = moves("A", ("A", 1, "々"), ("B", 1, "々"))
    assert last(*jokers, "A place 2 々")["clause"] == "joker.2"
    assert last(*jokers, "A place 2 々", joker_deal="shuffled")["clause"] == "joker.2"
    twice = ["table deal leader=A", "A place 1 々", "B place 1 日", "A place 1 々"]
    assert verdicts(*twice)[-1] == "illegal joker.2"
    assert verdicts(*twice, joker_deal="shuffled")[-1] == "legal place.1"


def test_a_hand_that_is_the_joker_alone_holds_nothing_else() -> None:
    """joker.2 (J2): when the stock is gone, counting knows the last card."""
    table = Table(("A", "B"), {}, {**COMMON_OPTIONS, **game.OPTIONS})
    state = game.apply(game.setup(table), game.Deal("A"))
    lone = state._replace(hands={"A": 1, "B": 5}, stock=0)
    assert type(game.judge(lone, game.Place("A", 1, "日"))).__name__ == "Illegal"
    assert game.judge(lone, game.Place("A", 1, "日")).clause == "joker.2"
    assert game.judge(lone, game.Place("A", 1, "々")).clause == "place.1"
    empty = state._replace(hands={"A": 0, "B": 5}, stock=0)
    assert game.judge(empty, game.Pass("A")) == Legal(
        "place.4", (Evidence("hand_empty", {"seat": "A"}),)
    )
    assert type(game.judge(empty, game.Place("A", 1, "日"))).__name__ == "Illegal"


def test_passing() -> None:
    """place.4 (J4, J5, J42): only without room, and then nothing is drawn."""
    assert verdicts("table deal leader=A", "A pass")[-1] == "illegal place.4"
    table = Table(("A", "B"), {}, {**COMMON_OPTIONS, **game.OPTIONS})
    for option, drawn in (("off", 0), ("on", 1)):
        table = Table(("A", "B"), {"no_slot_draw": option}, table.options)
        state = game.apply(game.setup(table), game.Deal("A"))
        sides = ((game.Side(("日", "本", "音"), 1), game.Side()),) * 9
        state = state._replace(sides=sides)
        assert game.judge(state, game.Pass("A")).clause == "place.4"
        passed = game.apply(state, game.Pass("A"))
        assert game.to_act(passed) == ("A",)
        after = game.apply(passed, game.Draw("A"))
        assert game.to_act(after) == ("B",)
        assert after.hands["A"] == 5 + drawn
        assert after.stock == state.stock - drawn


@pytest.mark.parametrize("option", ["off", "on"])
def test_a_turn_that_is_lost_draws_nothing(option: str) -> None:
    """B places in A's turn and the table accepts it; once A has placed, A draws first."""
    table = Table(("A", "B"), {"no_slot_draw": option}, {**COMMON_OPTIONS, **game.OPTIONS})
    dealt = game.apply(game.setup(table), game.Deal("A"))
    stood = game.let_stand(dealt, game.Place("B", 1, "日"))
    assert stood
    assert (stood.hands, stood.stock) == ({"A": 5, "B": 4}, dealt.stock)
    placed = game.apply(dealt, game.Place("A", 1, "日"))
    stood = game.let_stand(placed, game.Place("B", 1, "本"))
    assert stood
    assert (stood.hands, stood.stock) == ({"A": 5, "B": 4}, dealt.stock - 1)


def test_drawing_without_a_stock() -> None:
    """draw.2 (J6), draw.1 (J45)."""
    table = Table(("A", "B"), {}, {**COMMON_OPTIONS, **game.OPTIONS})
    state = game.apply(game.setup(table), game.Deal("A"))
    placed = game.apply(state, game.Place("A", 1, "日"))
    assert game.judge(placed, game.Draw("A")).clause == "draw.1"
    dry = placed._replace(stock=0)
    assert game.judge(dry, game.Draw("A")).clause == "draw.2"
    assert game.apply(dry, game.Draw("A")).hands["A"] == 4


class TestClaims:
    def test_a_word_of_three_is_proven(self) -> None:
        """J-G8; claim.6 (J11, J13)."""
        proven = last(*PROOF, "A place 9 国", "A claim 4 日本人")
        assert (proven["verdict"], proven["clause"]) == ("legal", "claim.6")
        assert "The best that B can still make is" in proven["says"]
        assert "That is not enough." in proven["says"]
        empty = moves("A", ("A", 4, "日本人"), ("B", 8, "面車"))
        assert last(*empty, "A claim 4")["verdict"] == "legal"

    def test_what_is_equally_strong_and_completed_later_is_said_to_lose(self) -> None:
        """claim.5, claim.6 (J16, J17)."""
        held = best(LEXICON, ("日", "本", "音"))
        [fact] = falls_short("B", held, held)
        said = book("jukugo_line").says(fact.fact, fact.values, "en")
        assert said.endswith("That is equally strong, but completed later, so it loses.")
        assert (
            falls_short("B", best(LEXICON, ("面", "科", "音")), held)[0].fact == "best_left_plain"
        )

    def test_a_witness_refutes(self) -> None:
        """J-G9; claim.6 (J12): what lies anywhere is gone."""
        lines = moves("A", ("A", 1, "日本音"), ("B", 1, "和風"))
        refuted = last(*lines, "A claim 1")
        assert (refuted["verdict"], refuted["clause"]) == ("illegal", "claim.6")
        assert "和風流" in refuted["says"]
        more = [*lines, "A draw", "B place 5 流", "A place 6 国"]
        assert "車" in last(*more, "A claim 1")["says"]
        assert last(*more, "B place 7 車", "A place 8 王", "A claim 1")["verdict"] == "legal"

    def test_refusals(self) -> None:
        """J-G14; claim.1 (J7, J8), claim.2, claim.3 (J9)."""
        after = [*PROOF, "A place 9 国"]
        assert last(*after, "B claim 4")["clause"] == "claim.1"
        assert last(*after, "A draw", "A claim 4")["clause"] == "turn.1"
        assert last(*PROOF, "A claim 4")["clause"] == "claim.1"
        assert last(*after, "A claim 9")["clause"] == "claim.3"
        assert last(*after, "A claim 4", "A claim 4")["clause"] == "claim.2"
        assert last(*after, "A claim 12")["clause"] == "claim.1"

    def test_both_full(self) -> None:
        """claim.4 (J10): compared; claim.5 (J17): the one who completed first."""
        lines = moves("A", ("A", 1, "先人生"), ("B", 1, "日本音"))
        again = [*lines, "A place 2 国"]
        assert last(*again, "A claim 1")["clause"] == "claim.5"
        assert last(*again, "A claim 1")["verdict"] == "legal"
        late = last(*lines, "B claim 1")
        assert (late["verdict"], late["clause"]) == ("illegal", "claim.5")
        assert [fact["seq"] for fact in late["evidence"]] == [7, 6, 6]
        better = moves("A", ("A", 1, "和風車"), ("B", 1, "日本音"))
        assert last(*better, "A place 2 国", "A claim 1")["clause"] == "claim.4"
        assert last(*better, "B claim 1")["verdict"] == "illegal"

    def test_the_joker_of_the_rival(self) -> None:
        """joker.2 (J15): once placed it is no danger."""
        lines = moves("A", ("A", 1, "本意面"), ("B", 1, "先日"))
        danger = last(*lines, "A claim 1")
        assert danger["verdict"] == "illegal"
        gone = [*lines, "A draw", "B place 9 々", "A place 8 国"]
        assert "々" not in last(*gone, "A claim 1")["says"]

    def test_several_claims_in_a_turn_and_none_for_the_loser(self) -> None:
        two = moves(
            "A", ("A", 1, "日本人"), ("B", 9, "面場"), ("A", 2, "立流行"), ("B", 8, "牛車音")
        )
        lines = [*two, "A place 3 国", "A claim 1", "A claim 2"]
        assert verdicts(*lines)[-2:] == ["legal claim.6", "legal claim.6"]
        assert judged(*lines)["score"] == {"A": 2, "B": 0}

    def test_claims_at_the_start_of_the_turn(self) -> None:
        """turn.2, claim.1 (J3)."""
        option = {"claim_timing": "start_of_turn"}
        assert last(*PROOF, "A claim 4", **option)["verdict"] == "legal"
        assert last(*PROOF, "A place 9 国", "A claim 4", **option)["clause"] == "claim.1"

    def test_a_failed_claim(self) -> None:
        """claim.4 (J36): nothing, or the draw."""
        lines = moves("A", ("A", 1, "日本音"), ("B", 1, "和風"))
        for option, hand in (("none", 5), ("no_draw", 4)):
            answer = judged(*lines, "A claim 1", "A draw", failed_claim_penalty=option)
            assert answer["public"]["hands"]["A"] == hand
            assert answer["to_act"] == ["B"]

    def test_a_claim_that_fails_by_its_word_costs_the_draw_too(self) -> None:
        """words.1 (J36): the cards would have won, but the word is in no dictionary."""
        lines = moves("A", ("A", 1, "日本人"), ("B", 9, "和風"))
        house = {"failed_claim_penalty": "no_draw", "dispute": "dictionary_only"}
        answer = judged(*lines, "A claim 1 本日人", "A draw", **house)
        assert answer["entries"][-2]["clause"] == "words.1"
        assert answer["public"]["hands"]["A"] == 4
        slip = judged(*lines, "A claim 1 和風", "A draw", **house)  # not even A's own cards
        assert slip["public"]["hands"]["A"] == 5

    def test_a_failed_claim_that_nobody_entered_is_inserted_for_its_cost(self) -> None:
        """J36: without the penalty it would change nothing, and is refused."""
        lines = moves("A", ("A", 1, "日本音"), ("B", 1, "和風"))
        drawn = len(lines) + 1
        played = [*lines, "A draw", f"table insert {drawn} A claim 1"]
        answer = judged(*played, failed_claim_penalty="no_draw")
        assert answer["public"]["hands"]["A"] == 4
        assert answer["entries"][-1]["inserted"]["clause"] == "claim.6"
        assert answer["entries"][-2]["says"] == "Nothing is drawn this turn."
        struck = judged(*played, "table rewind 7", failed_claim_penalty="no_draw")
        assert struck["public"]["hands"]["A"] == 5
        twice = judged(*played, f"table insert {drawn} A claim 1", failed_claim_penalty="no_draw")
        assert "inserted" not in twice["entries"][-1]  # the draw is lost once
        answer = judged(*played, failed_claim_penalty="none")
        assert answer["entries"][-1]["clause"] == "claim.6"
        assert answer["public"]["hands"]["A"] == 5
        assert "inserted" not in answer["entries"][-1]

    def test_a_claim_that_fails_before_the_card_costs_the_draw_too(self) -> None:
        """J36 with J3: whether the other seat has said that it draws, or not."""
        lines = moves("A", ("A", 1, "日本音"), ("B", 1, "和風"))
        house = {"claim_timing": "start_of_turn", "failed_claim_penalty": "no_draw"}
        lines += ["A draw", "B place 9 面"]
        for drawn in ([], ["B draw"]):
            played = [*lines, *drawn, "A claim 1", "A place 2 国", "A draw"]
            assert judged(*played, **house)["public"]["hands"] == {"A": 4, "B": 5}
            after = judged(*played, "B place 9 場", "B draw", "A place 2 王", "A draw", **house)
            assert after["public"]["hands"] == {"A": 4, "B": 5}

    def test_a_claim_out_of_turn_that_stands_takes_the_flag_and_no_turn(self) -> None:
        lines = moves("A", ("A", 1, "日本人"), ("B", 9, "和風"))
        answer = judged(*lines, "A draw", "A claim 1", f"table rule {len(lines) + 2} stands")
        assert answer["score"]["A"] == 1
        assert answer["to_act"] == ["B"]

    def test_what_is_no_word_for_any_table(self) -> None:
        """J28, J20."""
        after = moves("A", ("A", 1, "先々日"), ("B", 9, "和風"))
        for named in ("々日", "々先日"):
            row = last(*after, f"A claim 1 {named}")
            assert (row["verdict"], row["clause"]) == ("illegal", "words.1")
        assert last(*after, "A claim 1 先々日")["verdict"] == "unprovable"
        row = last(*after, "A claim 1 先々日", three_with_noma="off")
        assert (row["verdict"], row["clause"]) == ("illegal", "words.1")
        for answered in ("yes", "no"):
            row = last(*after, f"table word 々日 {answered}")
            assert (row["verdict"], row["clause"]) == ("illegal", "joker.1")

    def test_words_of_other_cards_where_both_confirm(self) -> None:
        """J34: what lies in the column is seen without a dictionary."""
        after = [*PROOF, "A place 9 国"]
        house = {"adjudication": "both_confirm"}
        row = last(*after, "A claim 4 流風", **house)
        assert (row["verdict"], row["clause"]) == ("illegal", "words.1")
        row = last(*after, "A claim 4 人日", **house)
        assert (row["verdict"], row["clause"], row["claim"]) == ("unprovable", "words.2", "open")

    def test_the_cards_come_first(self) -> None:
        """claim.6 (J37): what the cards refute is illegal, whatever it names and who decides."""
        after = moves("A", ("A", 1, "日本音"), ("B", 1, "和風"))
        for house in ({}, {"adjudication": "both_confirm"}, {"dispute": "dictionary_only"}):
            for claim in ("A claim 1", "A claim 1 日本", "A claim 1 音日"):
                row = last(*after, claim, **house)
                assert (row["verdict"], row["clause"]) == ("illegal", "claim.6")
                assert "refuted_by" in row["claim"]

    def test_agreement_moves_the_flag(self) -> None:
        """claim.7 (J37), words.2 (J31): by a grant, or by claiming again; nothing else closes it
        but a card there, or a no.
        """
        after = [*PROOF, "A place 9 国", "A claim 4 人日"]
        assert last(*after, "B grant 4")["clause"] == "claim.7"
        assert last(*after, "B grant 4")["verdict"] == "legal"
        assert last(*after, "A grant 4")["verdict"] == "illegal"
        assert last(*after, "table word 行先 no", "B grant 4")["verdict"] == "legal"
        assert last(*after, "table word 人日 no", "B grant 4")["verdict"] == "illegal"
        assert last(*after, "table word 人日 yes", "A claim 4 人日")["verdict"] == "legal"
        assert last(*after, "B place 4 車", "B grant 4")["verdict"] == "illegal"
        assert last(*after, "B place 3 車", "B grant 4")["verdict"] == "legal"
        taken = last(*after, "B grant 4", "A claim 4")
        assert (taken["verdict"], taken["clause"]) == ("illegal", "claim.2")

    def test_named_words(self) -> None:
        """words.1 (J34, J35): a word of those cards; a weaker true reading does no harm."""
        after = [*PROOF, "A place 9 国"]
        assert last(*after, "A claim 4 本人")["verdict"] == "legal"
        assert last(*after, "A claim 4 日本 本人")["verdict"] == "legal"
        other = last(*after, "A claim 4 先生")
        assert (other["verdict"], other["clause"]) == ("illegal", "words.1")

    def test_disputed_words(self) -> None:
        """words.2 (J30, J32, J33), words.3 (J31)."""
        after = [*PROOF, "A place 9 国"]
        disputed = last(*after, "A claim 4 人日")
        assert (disputed["verdict"], disputed["clause"]) == ("unprovable", "words.2")
        assert "人日" in disputed["says"]
        rejected = [*after, "table word 人日 no"]
        assert last(*rejected, "A claim 4 人日")["clause"] == "words.1"
        agreed = [*after, "table word 人日 yes"]
        assert last(*agreed, "A claim 4 人日")["verdict"] == "legal"
        strict = {"dispute": "dictionary_only"}
        assert last(*after, "A claim 4 人日", **strict)["clause"] == "words.1"
        assert last(*after, "table word 人日 yes", **strict)["clause"] == "words.3"

    def test_a_word_that_nobody_has_accepted_makes_no_formation_yet(self) -> None:
        """words.2 (J30): what the claim would be is said under a condition, refused or not."""
        before = moves("B", ("B", 1, "風流人"), ("A", 1, "日本音"))
        lost = last(*before, "A claim 1 日本音")
        assert (lost["verdict"], lost["clause"]) == ("illegal", "claim.4")
        before = moves("B", ("B", 1, "和王先"), ("A", 1, "日本音"))
        open_ = last(*before, "A claim 1 日本音")
        assert (open_["verdict"], open_["clause"]) == ("unprovable", "words.2")
        for answer in (lost, open_):
            assert str(answer["says"]).startswith("If the word is accepted, A has 日本音")

    def test_an_agreed_word_changes_what_can_be_proven(self) -> None:
        """words.3 (J31): both ways, from then on."""
        lines = moves("A", ("A", 1, "日本音"), ("B", 1, "和風"))
        out = [*lines[:1], "table word 和風 no", "table word 風流 no", "table word 風車 no"]
        rejected = [*out, *lines[1:]]
        assert last(*rejected, "A claim 1")["verdict"] == "legal"

    def test_by_agreement(self) -> None:
        """claim.7 (J37): where the cards are not registered, or the table wants it so."""
        after = [*PROOF, "A place 9 国"]
        both = last(*after, "A claim 4", adjudication="both_confirm")
        assert (both["verdict"], both["clause"]) == ("unprovable", "claim.7")
        head = HEAD.format(kind="game").replace("deck.csv", "unregistered")
        source = head + "\n" + "\n".join([*after, "A claim 4", "B place 1 龍"]) + "\n"
        from referee.rulings.report import report

        rows = report(read(source.encode(), GAMES, FILES.get), "en")["entries"]
        assert [row["clause"] for row in rows[-2:]] == ["claim.7", "place.1"]
        assert rows[-2]["verdict"] == "unprovable"


class TestTheEnd:
    FLAGS = ("日本人", "立流行", "和風車", "先学生", "国王面")

    def taken(self, *flags: int) -> game.State:
        table = Table(("A", "B"), {}, {**COMMON_OPTIONS, **game.OPTIONS})
        state = game.apply(game.setup(table), game.Deal("A"))
        owners = tuple("A" if flag in flags else None for flag in range(1, 10))
        return state._replace(owners=owners)

    def test_three_in_a_row(self) -> None:
        """J-G15: end.2 (J40, J41): 2-3-4, and no wrap."""
        ended = game.outcome(self.taken(2, 3, 7, 4))
        assert ended is not None
        assert (ended.clause, ended.winners) == ("end.2", ("A",))
        assert ended.evidence[0].values["flags"] == (2, 3, 4)
        assert game.outcome(self.taken(8, 9, 1)) is None
        both = game.outcome(self.taken(1, 2, 3, 5, 7))
        assert both is not None
        assert both.clause == "end.2"

    def test_five_in_all(self) -> None:
        """J-G15: end.3 (J43)."""
        ended = game.outcome(self.taken(1, 3, 5, 7, 9))
        assert ended is not None
        assert (ended.clause, ended.winners) == ("end.3", ("A",))
        assert game.outcome(self.taken(1, 3, 5, 7)) is None

    def test_it_stops_at_once(self) -> None:
        """end.1: after the claim nothing more, not even a draw; aim.1: a point a flag."""
        columns = [("A", flag, cards) for flag, cards in zip((1, 2, 3), self.FLAGS, strict=False)]
        lines = moves("A", *columns, ("B", 9, "場牛音"), ("B", 8, "意用科"), ("B", 7, "理中"))
        lines += ["A claim 1", "A claim 2", "A claim 3"]
        answer = judged(*lines)
        assert answer["entries"][-1]["verdict"] == "legal"
        assert answer["outcome"]["winners"] == ["A"]
        assert answer["outcome"]["clause"] == "end.2"
        assert answer["to_act"] == []
        assert answer["score"] == {"A": 3, "B": 0}
        for after in ("A draw", "B place 6 国", "table word 日本 no"):
            assert last(*lines, after)["clause"] == "end.1"


class TestRulings:
    def test_the_table_lets_a_card_stand(self) -> None:
        lines = ["table deal leader=A", "B place 1 日", "table rule 2 stands"]
        answer = judged(*lines)
        assert answer["public"]["flags"][0]["B"] == ["日"]
        assert answer["to_act"] == ["B"]

    def test_a_claim_that_the_table_lets_stand_takes_the_flag(self) -> None:
        lines = moves("A", ("A", 1, "日本音"), ("B", 1, "和風"))
        answer = judged(*lines, "A claim 1", f"table rule {len(lines) + 1} stands")
        assert answer["public"]["flags"][0]["owner"] == "A"

    def test_a_claim_of_a_flag_that_is_taken_can_t_stand(self) -> None:
        lines = [*moves("A", ("A", 1, "日本音"), ("B", 1, "和風")), "A claim 1"]
        lines += [f"table rule {len(lines)} stands", "A place 2 人", "A draw"]
        for flag, owner in ((1, "A"), (2, "B")):
            seq = len(lines) + 1
            flags = judged(*lines, f"B claim {flag}", f"table rule {seq} stands")["public"]["flags"]
            assert [each["owner"] for each in flags][flag - 1] == owner

    @pytest.mark.parametrize("play", ["A place 1 龍", "A place 11 日", "A claim 12"])
    def test_what_has_no_sensible_effect_can_t_stand(self, play: str) -> None:
        answer = judged("table deal leader=A", play, "table rule 2 stands")
        assert answer["entries"][-1]["verdict"] == "illegal"


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("deck: none.csv", 4),
        ("words: generous", 4),
        ("deck: open\ndeck: open", 5),
        ("colour: red", 4),
    ],
)
def test_header_lines_that_lead_nowhere(header: str, line: int) -> None:
    source = f"referee: 1\ngame: jukugo_line\nseats: A B\n{header}\n\n"
    with pytest.raises(Unreadable) as fault:
        read(source.encode(), GAMES)
    assert fault.value.line == line


def test_a_fault_in_a_deck_file_is_reported_at_its_own_line() -> None:
    source = "referee: 1\ngame: jukugo_line\nseats: A B\ndeck: d.csv\n\n"
    with pytest.raises(Unreadable) as fault:
        read(source.encode(), GAMES, {"d.csv": "日,S,1,1\n本,S,1,1\n"}.get)
    assert (fault.value.file, fault.value.line) == ("d.csv", 2)


@pytest.mark.parametrize(
    "entry", ["A place 1 日本", "A place 1 a", "table word 日 yes", "A claim x"]
)
def test_what_the_form_can_t_express_is_unreadable(entry: str) -> None:
    with pytest.raises(Unreadable):
        judged("table deal leader=A", entry)


def test_a_match_is_one_deal_also_when_all_cards_lie() -> None:
    """setup.2: with nine kanji both hands are empty soon."""
    deck = KanjiDeck(
        tuple(Card(kanji, "S", i, 1) for i, kanji in enumerate("日音意本用人国学先", 1))
    )
    played = [
        "A1日",
        "B9本",
        "A1音",
        "B9意",
        "A2用",
        "B8人",
        "A2国",
        "B8学",
        "A3々",
        "B7々",
        "A3先",
    ]
    lines = "\n".join(f"{one[0]} place {one[1]} {one[2]}" for one in played)
    source = (
        "referee: 1\ngame: jukugo_line\nseats: A B\ndeck: nine\n\n"
        f"table deal leader=A\n{lines}\ntable deal leader=B\n"
    )
    answer = report(read(source.encode(), GAMES, {"nine": write_deck(deck)}.get), "en")
    assert answer["public"]["hands"] == {"A": 0, "B": 0}
    row = answer["entries"][-1]
    assert (row["verdict"], row["clause"]) == ("illegal", "setup.2")


def test_the_house_rules_are_those_that_records_name_the_default_first() -> None:
    values = {key: option.values for key, option in game.OPTIONS.items()}
    assert values == {
        "joker_deal": ("one_each", "shuffled"),
        "claim_timing": ("before_draw", "start_of_turn"),
        "no_slot_draw": ("off", "on"),
        "same_pair_counts": ("off", "on"),
        "three_with_noma": ("on", "off"),
        "dictionary": ("list_app_agreement",),
        "dispute": ("both_agree", "dictionary_only"),
        "proper_nouns": ("headwords_only", "any", "none"),
        "two_witnesses": ("off", "on"),
        "assist": ("name_first", "auto"),
        "hints": ("off", "on"),
        "failed_claim_penalty": ("none", "no_draw"),
        "adjudication": ("app_if_registered", "both_confirm"),
    }


def test_its_title_says_where_the_rules_come_from() -> None:
    assert book("jukugo_line").label == book("jukugo_line").title


class Fixed(NamedTuple):
    """A match as players see it in which nothing changes any more."""

    game: Game
    table: Table
    start: game.State
    state: game.State


def test_players_stop_a_match_in_which_nobody_can_place_or_claim() -> None:
    """Three cards lie everywhere and no claim is right: each passes twice, then they stop."""
    at_table = table(GAMES["jukugo_line"], ("A", "B"))
    start = game.setup(at_table)
    full = game.Side(("日", "本", "人"), 1)
    stuck = start._replace(turn="A", stock=44, sides=((full, full),) * 9)
    log = Fixed(GAMES["jukugo_line"], at_table, start, stuck)
    deal, *passes, stop = [
        entry for entry in entries(log, Random(1), 0, 0) if isinstance(entry, Deal | Pass | Stop)
    ]
    assert isinstance(deal, Deal)
    assert [type(entry) for entry in passes] == [Pass] * 4
    assert isinstance(stop, Stop)
