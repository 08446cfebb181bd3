"""Laws that hold for every match of every game; tests and `make soak` check matches against them.

A law yields a sentence for each fault, and nothing for a match that obeys it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple, TypeAlias

from referee.core import sheets
from referee.core.book import Book
from referee.core.corrections import Amend, Insert, Rule, Strike, Together, Void
from referee.core.game import COMMON_OPTIONS, Game, Table, clash, options
from referee.core.generic import Entry
from referee.core.log import Log
from referee.core.record import (
    CALLED,
    Grammar,
    Header,
    Record,
    Unreadable,
    Written,
    parse_header,
    print_header,
    read,
    write,
)
from referee.core.slips import named
from referee.core.steps import Step, steps
from referee.core.verdict import Facts, Illegal, Unprovable
from referee.core.written import Points
from referee.games import GAMES
from referee.games.simulation import played, player, room_of, table
from referee.kit.game import KitGame
from referee.rulings import book_of
from referee.rulings.report import report

LANGUAGES = ("ja", "en")
ASKED = 4  # plays of other steps of the match that are judged at each step
CORRECTED = 4  # entries of a match that are corrected
MANY = 200  # plays at a step among which other ones are chosen, at most
FEW_SEATS = 6  # of most matches; some have as many as the game allows
MANY_SEATS = 0.005  # the chance of such a match
NUMBERS = ("7",)  # for house rules that are a number
SHARING = ("places.1", "together.1")  # clauses by which several can win without a tie
SEEN = 5  # steps between two checks of the offered plays and of the public state


class Match(NamedTuple):
    """A match between honest players; ``seed`` reproduces it."""

    header: Header
    seed: int
    log: Log


Law: TypeAlias = Callable[[Match], Iterator[str]]


def match(
    header: Header, seed: int, lies: float = 0, shows: float = 0.01, most: int = 150
) -> Match:
    """The match at the table of ``header`` that ``seed`` deals, up to ``most`` entries."""
    game = GAMES[header.game]
    return Match(header, seed, played(game, header.seats, seed, lies, shows, most, header.options))


def of_file(game: KitGame, seed: int, lies: float, most: int = 10_000) -> Match:
    """The match of a game file that ``seed`` deals, with house rules and up to ``most`` entries."""
    rng = Random(seed)
    seats = tuple("ABCDEFG"[: rng.choice([n for n in game.SEATS if n < 8])])
    chosen = {key: rng.choice(option.values) for key, option in game.OPTIONS.items()}
    if clash(chosen, game.OPTIONS):
        chosen = {}
    else:
        chosen["final_tie"] = rng.choice(("shared", "replay", "first_in_seat"))
    log = Log(game, table(game, seats, **chosen))
    for entry in player(room_of(game))(log, rng, lies, 0.005):
        if len(log) >= most:
            break
        log.push(entry)
    return Match(Header(game.KEY, seats, chosen), seed, log)


def can_be_chosen(game: Game, header: Header) -> bool:
    """Whether no two house rules of ``header`` exclude each other."""
    try:
        parse_header("\n".join(print_header(header)), {game.NAME: game})
    except Unreadable:
        return False
    return True


def house_rules(game: Game) -> dict[str, tuple[str, ...]]:
    """All house rules of ``game`` with their values; of "rounds" only 1 and 2, to save time."""
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    values = {
        key: (*option.values, *NUMBERS) if option.number else option.values
        for key, option in known.items()
    }
    few = "rounds" in known and known["rounds"].number is None
    return values | ({"rounds": ("1", "2")} if few else {})


def headed(game: Game, seats: Sequence[str], chosen: Mapping[str, str]) -> Header:
    """The head of a record; house rules that are the default are left out."""
    known = {**COMMON_OPTIONS, **game.OPTIONS}
    other = {key: value for key, value in chosen.items() if value != known[key].default}
    named = {CALLED: "UNO"} if CALLED in game.HOOKS.equipment else {}
    kit = game.HOOKS.equip(named, Table(tuple(seats), other, known).option, lambda name: None)
    return Header(game.NAME, tuple(seats), other, named=named, kit=kit)


def drawn(game: Game, number: int) -> Header:
    """The table of match ``number``: seats and house rules, which do not exclude each other."""
    chance = Random(f"{game.NAME} {number}")
    counts = [seats for seats in game.SEATS if seats <= FEW_SEATS]
    if not counts or chance.random() < MANY_SEATS:
        counts = list(game.SEATS)
    seats = tuple(f"P{i}" for i in range(chance.choice(counts)))
    rules = house_rules(game)
    while True:
        header = headed(game, seats, {key: chance.choice(rules[key]) for key in rules})
        if can_be_chosen(game, header):
            return header


def honest_players_are_never_found_guilty(found: Match) -> Iterator[str]:
    """No entry is refused and no seat is accused, in a match without lies."""
    for step in found.log.steps():
        if isinstance(step.verdict, Illegal):
            yield f"entry {step.seq} of an honest player is refused: {step.verdict}"
    for finding in found.log.findings():
        yield f"an honest player is found guilty: {finding}"


def replaying_is_stepping(found: Match) -> Iterator[str]:
    """No function of the rules changes a state, and equal plays lead to equal states."""
    log = found.log
    game = log.game
    kept = [log.start, *(step.state for step in log.steps())]
    for number, state in enumerate(kept):
        if number % SEEN == 0:
            list(options(game, state))
        game.score(state), game.outcome(state), game.audit(state), game.public(state)
        game.to_act(state)
        for play in _plays(log)[:: max(1, len(log) // 5)]:
            game.judge(state, play)
            game.let_stand(state, play)
    state = game.setup(log.table)
    if kept[0] != state:
        yield "two calls of setup differ, or a function has changed the first state"
    for step, reached in zip(log.steps(), kept[1:], strict=True):
        if isinstance(step.verdict, Illegal):
            state = game.HOOKS.refused(state, step.play)
        else:
            state = sheets.apply(game, log.table, state, step.play)
        if state != reached:
            yield f"entry {step.seq} leads to another state when it is replayed"
            return


def _plays(log: Log) -> list[Any]:
    """The entries that the game itself judges: all but the stop."""
    return [entry for entry in log.entries if not isinstance(entry, sheets.Stop)]


def every_entry_is_counted(found: Match) -> Iterator[str]:
    """``at`` of a state is its number of entries: evidence names entries by it. A play that a
    ruling lets stand counts, too. A game whose evidence names no entries needs no ``at``.
    """
    game = found.log.game
    if not hasattr(found.log.start, "at"):
        return
    some = _plays(found.log)[:: max(1, len(found.log) // 5)]
    for step in found.log.steps():
        if step.state.at != step.depth:
            yield f"after entry {step.seq} {step.state.at} entries are counted, not {step.depth}"
        for play in some:
            if isinstance(game.judge(step.state, play), Illegal):
                after = game.let_stand(step.state, play)
                if after and after.at != step.depth + 1:
                    yield f"after entry {step.seq} {play} is not counted if it stands"


def plays_are_offered_while_somebody_is_due(found: Match) -> Iterator[str]:
    """A seat is in ``to_act`` before each play of a seat, a deal is offered before it begins, and
    after the end nothing can be played.
    """
    log = found.log
    game = log.game
    for step in log.steps():
        before = step.before.state if step.before else log.start
        if step.play.SUBJECT == "seat" and game.candidates(before) and not game.to_act(before):
            yield f"before entry {step.seq} nobody is to act"
        made = type(step.play)
        deals = step.state.deal > before.deal
        if deals and not any(type(play) is made for play in options(game, before)):
            yield f"before entry {step.seq} no deal is offered"
    if game.outcome(log.state):
        if list(options(game, log.state)):
            yield "plays are offered after the end"
        if game.to_act(log.state):
            yield "somebody is to act after the end"


def totals_are_the_sum_of_their_lines(found: Match) -> Iterator[str]:
    """Totals are sums of lines; totals and winners are in the order of the seats."""
    log = found.log
    for state in [log.start, *(step.state for step in log.steps()[::7]), log.state]:
        sheet, seats = log.game.score(state), log.seats_at(state)
        totals: dict[str, Points] = dict.fromkeys(seats, 0)
        for line in sheet.lines:
            totals[line.seat] += line.points
        if totals != dict(sheet.totals):
            yield f"the lines of the score add up to {totals}, its totals are {sheet.totals}"
        if list(sheet.totals) != list(seats):
            yield f"the totals are not in the order of the seats: {sheet.totals}"
        ended = log.game.outcome(state)
        for group in (ended.winners, ended.losers) if ended else ():
            if group != tuple(seat for seat in seats if seat in group):
                yield f"winners and losers are not seats in their order: {group}"


def a_match_reads_as_it_was_written(found: Match) -> Iterator[str]:
    text = record(found)
    again = read(text.encode(), GAMES)
    if not isinstance(again, Record) or again.header != found.header:
        yield "the header reads otherwise than it was written"
    elif [written.entry for written in again.entries] != found.log.entries:
        yield "an entry reads otherwise than it was written"


def record(found: Match) -> str:
    """The match as a record file."""
    grammar = Grammar(found.log.game, found.log.table.seats)
    return write(found.header, map(grammar.print, found.log.entries))


def what_everybody_sees_is_json(found: Match) -> Iterator[str]:
    log = found.log
    for state in (log.start, *(step.state for step in log.steps()[::SEEN])):
        public = log.game.public(state)
        if not isinstance(public, dict):
            yield f"public gives {type(public).__name__}, not a dict"
        elif json.loads(json.dumps(public, allow_nan=False)).keys() != public.keys():
            yield f"public is not JSON: {public}"
        elif not all(isinstance(key, str) for key in _keys(public)):
            yield f"public has a key that is not a string: {public}"


def _keys(value: object) -> Iterator[object]:
    if isinstance(value, Mapping):
        yield from value
        for inner in value.values():
            yield from _keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _keys(inner)


def every_answer_can_be_said(found: Match) -> Iterator[str]:
    """The book has clause and text of every verdict, finding, score line and outcome.

    The texts exist in both languages.
    """
    log = found.log
    game, rules, rng = log.game, book_of(found.log.game), Random(found.seed)
    for step in log.steps():
        yield from _unsaid(rules, step.verdict.clause, step.verdict.evidence)
        plays = _plays(log)
        for play in rng.sample(plays, min(ASKED, len(plays))):
            verdict = game.judge(step.state, play)
            yield from _unsaid(rules, verdict.clause, verdict.evidence)
            if isinstance(verdict, Unprovable) and not verdict.premise:
                yield f"an unprovable play without a premise: {play}"
    for finding in log.findings():
        yield from _unsaid(rules, finding.clause, finding.evidence)
        proof = list(finding.proof)
        if not proof or proof != sorted(set(proof)) or proof[-1] < finding.at:
            yield f"the proof is not in ascending order up to the end of the proof: {finding}"
    for line in game.score(log.state).lines:
        yield from _unsaid(rules, line.clause, line.evidence)
    ended = game.outcome(log.state)
    if ended:
        yield from _unsaid(rules, ended.clause, ended.evidence)


def every_clause_is_in_the_book(found: Match, plays: Sequence[Any]) -> Iterator[str]:
    """The book of the game has each clause and text with which any of ``plays`` is answered.

    They are judged after every entry of the match, wherever they make no sense, too.
    """
    log, rules = found.log, book_of(found.log.game)
    for state in [log.start, *(step.state for step in log.steps())]:
        for play in plays:
            verdict = log.game.judge(state, play)
            yield from _unsaid(rules, verdict.clause, verdict.evidence)


def _unsaid(rules: Book, clause: str, evidence: Facts) -> Iterator[str]:
    try:
        if not rules.clause(clause).text.ja:
            yield f"clause {clause} has no text"
    except KeyError:
        yield f"book.toml has no clause {clause}"
    for fact in evidence:
        for lang in LANGUAGES:
            try:
                if not rules.says(fact.fact, fact.values, lang):
                    yield f"fact {fact.fact} has no text in {lang}"
            except KeyError as missing:
                yield f"fact {fact.fact} cannot be said in {lang}: {missing} is missing"


def nothing_is_decided_before_the_first_deal(game: Game) -> Iterator[str]:
    """With the fewest seats, nobody is due, ahead or accused before the first deal."""
    start = game.setup(table(game, [f"s{i}" for i in range(game.SEATS[0])]))
    if game.to_act(start):
        yield "somebody is to act before the first deal"
    if game.outcome(start) is not None:
        yield "the match is over before the first deal"
    if game.audit(start):
        yield "somebody is found guilty before the first deal"
    if any(game.score(start).totals.values()):
        yield "somebody has points before the first deal"


def a_tie_is_settled_by_the_house_rule(found: Match) -> Iterator[str]:
    """Several seats win only where ``final_tie`` is "shared".

    Where it is "replay", the same plays end no match; where "first_in_seat", the first one wins.
    """
    log = found.log
    ended, rule = log.game.outcome(log.state), log.table.option("final_tie")
    if ended is None or len(ended.winners) < 2 or ended.team or ended.clause in SHARING:
        return
    if rule != "shared":
        yield f"{', '.join(ended.winners)} share the win where final_tie is {rule}"
    for value, winners in (("replay", None), ("first_in_seat", ended.winners[:1])):
        options = {**log.table.chosen, "final_tie": value}
        other = Log(log.game, replace(log.table, chosen=options))
        for entry in log.entries:
            other.push(entry)
        again = log.game.outcome(other.state)
        if (again and again.winners) != winners:
            yield f"the same plays end with {again} where final_tie is {value}"


def a_corrected_match_reads_as_if_played_so(found: Match, at: int = CORRECTED) -> Iterator[str]:
    """After a correction each entry gets the verdict and says what it would say, had the match been
    played so from the start; ``at``: how many entries are corrected, each in every way.

    The log replays only some entries after a correction; here all are judged one after the other.
    """
    log, rng = found.log, Random(found.seed)
    here = [step.seq for step in log.steps()]
    for number in sorted(rng.sample(here, min(at, len(here)))):
        for entry in corrections(log, number, rng):
            moment = log.consider(entry)
            if isinstance(moment.verdict, Illegal):
                continue
            again: Step | None = None
            for step in reversed([*steps(moment.step)]):
                again = log.judged(again, step.seq, step.play, step.ruled)
                if _told(log, step) != _told(log, again):
                    yield f"after {entry} entry {step.seq} says otherwise than if played so"
            if again and log.game.audit(log.state_at(moment)) != log.game.audit(again.state):
                yield f"after {entry} other players are guilty than if it was played so"


def a_corrected_record_is_answered_as_if_played_so(found: Match, at: int = 2) -> Iterator[str]:
    """The answer of ``referee judge`` to a corrected match is, entry by entry and in both
    languages, that to the match as it counts; ``at``: how many corrections are tried.
    """
    log, rng = found.log, Random(found.seed)
    here = [step.seq for step in log.steps()]
    if not here:
        return
    tried = [*corrections(log, rng.choice(here), rng)]
    for entry in rng.sample(tried, min(at, len(tried))):
        moment = log.consider(entry)
        counts = [*reversed([*steps(moment.step)])]
        if isinstance(moment.verdict, Illegal) or any(step.ruled for step in counts):
            continue
        numbers = [step.seq for step in counts]
        same = numbers == [*range(1, len(numbers) + 1)]  # else sentences can name other entries
        for lang in LANGUAGES:
            corrected = _answered(found, [*log.entries, entry], lang)["entries"]
            plain = _answered(found, [step.play for step in counts], lang)["entries"]
            for step, row in zip(counts, plain, strict=True):
                other = corrected[step.seq - 1]
                other = other.get("inserted", other)
                if _answer(other, same) != _answer(row, same, numbers):
                    yield f"after {entry} entry {step.seq} is answered otherwise in {lang}: {other}"


def _answered(found: Match, entries: Iterable[Entry], lang: str) -> dict[str, Any]:
    """The answer to a record with the header of ``found`` and these entries."""
    log = found.log
    grammar = Grammar(log.game, log.table.seats)
    file = None if log.game.NAME in GAMES else log.game
    header = replace(found.header, kit=log.table.kit, own=file)
    written = [Written(0, grammar.print(entry), entry) for entry in entries]
    return report(Record(header, tuple(written)), lang)


def _answer(row: Mapping[str, Any], same: bool, numbers: Sequence[int] = ()) -> tuple[object, ...]:
    """The verdict of a row, and its sentences, or only whose entries they are about.

    ``numbers``: the number of each entry in the other record.
    """
    evidence = [(fact["seq"], fact["fact"]) for fact in row["evidence"]]
    if not same:
        evidence = [(numbers[seq - 1] if seq and numbers else seq, "") for seq, _ in evidence]
    says = row["says"] if same else ""
    return row["verdict"], row["clause"], says, evidence


def corrections(log: Log, number: int, rng: Random) -> Iterator[Entry]:
    """Corrections of the play ``number`` of every kind: to what it is, to another play, together
    with one of a later play, cancelled, with a play before it, with its deal void.
    """
    step = next(each for each in log.steps() if each.seq == number)
    state, later = log.before(step), [each.seq for each in log.steps() if each.seq > number]
    likely = [play for play in islice(log.game.candidates(state), MANY) if play != step.play]
    others = rng.sample(likely, min(2, len(likely)))
    others += [other for _, _, seats in named(log.table, step.play) for other in seats[:1]]
    yield Amend(number, step.play)
    yield Strike(number)
    yield Void(number)
    yield Rule(number)
    for other in others:
        yield Amend(number, other)
        yield Insert(number, other)
    for seq in later[:2]:
        yield Together((Strike(number), Strike(seq)))
    for seq in later[:1]:
        after = next(each.play for each in log.steps() if each.seq == seq)
        yield Together((Amend(number, after), Strike(seq)))
        yield Together((Amend(number, after), Amend(seq, step.play)))
        yield Together((Insert(number, after), Strike(seq)))
        if others:
            yield Together((Amend(number, others[0]), Strike(seq)))


def _told(log: Log, step: Step) -> tuple[object, ...]:
    """What the referee says about a step, without entry numbers."""
    before, hooks = log.before(step), log.game.HOOKS
    brought = hooks.brought_about(before, step.state) if step.took_effect else ()
    return step.verdict, step.took_effect, brought, hooks.answered(before, step.play)


LAWS: tuple[Law, ...] = (
    replaying_is_stepping,
    every_entry_is_counted,
    plays_are_offered_while_somebody_is_due,
    totals_are_the_sum_of_their_lines,
    a_match_reads_as_it_was_written,
    what_everybody_sees_is_json,
    every_answer_can_be_said,
    a_tie_is_settled_by_the_house_rule,
    a_corrected_match_reads_as_if_played_so,
    a_corrected_record_is_answered_as_if_played_so,
)

OF_FILES: tuple[Law, ...] = (
    replaying_is_stepping,
    plays_are_offered_while_somebody_is_due,
    totals_are_the_sum_of_their_lines,
    what_everybody_sees_is_json,
)
"""The laws that games of files are held against; the others read a game by its folder."""
