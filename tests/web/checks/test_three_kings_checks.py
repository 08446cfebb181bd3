"""Quick checks of Three Kings: the rules' own examples, and what a real match says."""

from __future__ import annotations

from random import Random
from typing import Any

from asking import ask, heads, totals
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phones import one
from reading_room import words

from referee.core.log import Log
from referee.core.verdict import Unprovable
from referee.games import GAMES, simulation
from referee.games import three_kings as fishing


def test_k_g1_sets_and_k_g2_three_methods(app: Flask) -> None:
    page = ask(app, "three_kings", hand="6", tableau="5 J 2 4")
    assert heads(page) == ["6で5とJを取る", "6で2と4を取る", "6を捨てる"]
    assert [words(mark) for mark in page.select(".answer .verdict > .mk")] == ["○", "○", "×"]
    assert heads(ask(app, "three_kings", hand="5", tableau="6 10"))[:1] == ["5を捨てる"]
    fields = {"A": "4 8 Q A 5 6", "B": "5+6=J 3+3=6 2+10=Q"}
    page = ask(app, "three_kings", ask="totals", declarer="A", **fields)
    assert heads(page) == ["勝利条件 1：Aの勝ち", "勝利条件 2：Bの勝ち", "勝利条件 3：Aの勝ち"]
    points = [words(each) for each in page.select(".answer .pt")]
    assert points == ["51", "58", "21", "58"]
    ask(app, "three_kings", 400, ask="totals", A="5 6 10")


def test_a_king_in_a_set_is_refused_in_the_words_of_the_game(app: Flask) -> None:
    """As the page of the check does, when a pad offers what may follow."""
    for text in ("K K K 2", "K+A=K"):
        page = ask(app, "three_kings", 400, ask="totals", A=text, B="5")
        assert "キングには数がなく、セットに入りません。" in words(one(page, "main"))


def says_as_much(app: Flask, state: Any, play: fishing.Capture | fishing.Discard) -> None:
    """The check knows less than the match, so it may leave open what the match can decide."""
    if not 0 < len(state.tableau) < 13:
        return
    fields = {"hand": play.rank, "tableau": " ".join(state.tableau)}
    page = ask(app, "three_kings", n=str(len(state.table.seats)), **fields)
    found = dict(zip(heads(page), page.select(".answer .verdict > .mk"), strict=True))
    if isinstance(play, fishing.Capture):
        pairs = fishing.sets_with(state.tableau, play.rank)
        [pair] = [pair for pair in pairs if {*pair} == {*play.pair}]
        assert words(found[f"{play.rank}で{'と'.join(pair)}を取る"]) == "○"
    else:
        said = words(found[f"{play.rank}を捨てる"])
        assert said in ("△" if isinstance(fishing.judge(state, play), Unprovable) else "○△")


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10_000),
    method=st.sampled_from("23"),
    end=st.sampled_from(["three_kings", "all_cards"]),
    n=st.sampled_from([2, 3]),
)
def test_a_check_says_of_sets_what_a_match_says(
    app: Flask, seed: int, method: str, end: str, n: int
) -> None:
    game, seats = GAMES["three_kings"], tuple("ABC"[:n])
    log = Log(game, simulation.table(game, seats, method=method, end=end))
    for play in simulation.player(game.NAME)(log, Random(seed), 0, 0):
        if len(log) % 3 == 0 and isinstance(play, fishing.Capture | fishing.Discard):
            says_as_much(app, log.state, play)
        log.push(play)
    fields = dict.fromkeys(seats, "")
    for taken in log.state.sets:
        fields[taken.seat] += " " + "+".join(sorted(taken.cards, key=fishing.VALUE.__getitem__)[:2])
        fields[taken.seat] += "=" + max(taken.cards, key=fishing.VALUE.__getitem__)
    holders = [bonus.seat for bonus in log.state.bonuses]
    if end == "all_cards":
        fields |= {"ask": "used_up"} | {f"three-{s}": "yes" for s in holders}
    else:
        fields |= {"ask": "totals", "declarer": holders[0] if holders else "-"}
    page = ask(app, "three_kings", n=str(n), **fields)
    if not log.state.sets:
        assert not heads(page)
        return
    part = page.select(".answer article")[int(method) - (2 if end == "all_cards" else 1)]
    points = game.score(log.state).totals
    assert totals(part) == {s: str(p).replace("-", "−") for s, p in points.items()}
    ended = game.outcome(log.state)
    assert ended is not None
    assert [words(one(w, "b")) for w in part.select(".who-s.w")] == list(ended.winners)


def test_nobody_is_accused_for_cards_that_need_not_be_there(app: Flask) -> None:
    """Every other card unseen would make a set, yet the queen may be all that the hand holds."""
    page = ask(app, "three_kings", hand="Q", tableau="K K K K K Q Q Q A 2 3 4")
    assert heads(page)[-1] == "Qを捨てる"
    assert words(page.select(".answer .verdict > .mk")[-1]) == "△"
    said = words(page.select(".answer .verdict")[-1])
    assert "手札にA、2–10、Jは1枚もなければ合法です。" in said
    assert "申告" not in said  # nobody has declared anything: this is a question


def test_k31_all_cards_used(app: Flask) -> None:
    fields = {"ask": "used_up", "n": "3", "A": "4 8 Q", "B": "2 3 5", "C": "A A 2"}
    page = ask(app, "three_kings", **fields, **{"three-B": "yes", "three-C": "yes"})
    assert heads(page) == ["勝利条件 2：Bの勝ち", "勝利条件 3：Cの勝ち"]
    points = [words(each) for each in page.select(".answer .pt")]
    assert points == ["24", "25", "19", "24", "−5", "−11"]
    page = ask(app, "three_kings", **fields, **{"three-B": "yes"}, all_cards_bonus="none")
    assert heads(page) == ["勝利条件 2：Aの勝ち", "勝利条件 3：Cの勝ち"]
    everybody = {f"three-{seat}": "yes" for seat in "ABC"}  # seven kings are two holders at most
    page = ask(app, "three_kings", 400, **fields, **everybody)
    assert words(one(page, ".settle .fault"))


def test_two_taps_of_one_page_fill_the_next_field(app: Flask) -> None:
    page = ask(app, "three_kings", hand="6", at="hand", tap=["+5", "+J"])
    assert heads(page)[0] == "6で5とJを取る"
