"""Input and output of ``referee simulate``: a plan, a table of matches, a report as text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from referee.core.book import Text
from referee.core.game import COMMON_OPTIONS, Game, clash
from referee.games import ON_CARDS
from referee.games.simulation import ahead, room_of
from referee.insight.playing import PLAYERS, Batch, Plan, columns, rows, simulate
from referee.insight.statistics import FEW, FOUND, described
from referee.kit import shipped
from referee.kit.game import KitGame, name_in_records
from referee.kit.load import Misread, load
from referee.rulings import COMMON, book, book_of
from referee.rulings.sentences import wrong_option

__all__ = ["as_csv", "described", "game_named", "lines", "plan", "simulate"]

HYPHEN = re.compile(r"(?<!\w)-(?=[0-9])")
"""The sign of a negative number, which is written as a minus."""
WORDS = {
    "head": {
        "ja": "{title}　{seats}人　{players}　{games:,}ゲーム　シード {seed}　バージョン {version}",
        "en": "{title}, {seats} seats, {players}, {games:,} games, seed {seed}, version {version}",
    },
    "place": {
        "ja": "  {place}人目　勝率 {wins:.1%}（95%区間 {low:.1%}–{high:.1%}）　平均{points:.2f}点（{above:+.2f} ± {margin:.2f}）",  # noqa: E501
        "en": "  seat {place}: wins {wins:.1%} (95%: {low:.1%}–{high:.1%}), {points:.2f} points on average ({above:+.2f} ± {margin:.2f})",  # noqa: E501
    },
    "counted_from": {
        "ja": "席は、最初に始めた人から数えます。カードで決めるゲームでは、1人目は、決め手のカード（いちばん小さいカードなど）が来た席です",  # noqa: E501
        "en": "seats are counted from the one that began; where a card decides, seat 1 was dealt this card (the lowest one, say)",  # noqa: E501
    },
    "player": {
        "ja": "  {player}　1席の勝率 {wins:.1%}　平均{points:.2f}点",
        "en": "  {player}: a seat wins {wins:.1%}, {points:.2f} points on average",
    },
    "lost": {"ja": "　負け {lost:.1%}", "en": ", loses {lost:.1%}"},
    "p_found": {
        "ja": "席の差があります（p = {p:.2g}）",
        "en": "seats differ (p = {p:.2g})",
    },
    "p_none": {
        "ja": "席の差は見つかりません（p = {p:.2g}）",
        "en": "no difference between seats was found (p = {p:.2g})",
    },
    "p_few": {
        "ja": "終わったゲームが{few}より少ないので、席の差は調べません",
        "en": "fewer than {few} finished games: seats are not compared",
    },
    "length": {
        "ja": "プレイの数　10% {p10:.0f}　中央値 {median:.0f}　90% {p90:.0f}　最長 {most:.0f}",
        "en": "plays: 10% {p10:.0f}, median {median:.0f}, 90% {p90:.0f}, longest {most:.0f}",
    },
    "minutes": {
        "ja": "分　10% {p10:.0f}　中央値 {median:.0f}　90% {p90:.0f}　最長 {most:.0f}",
        "en": "minutes: 10% {p10:.0f}, median {median:.0f}, 90% {p90:.0f}, longest {most:.0f}",
    },
    "difference": {
        "ja": "点の差　中央値 {median:.0f}　90% {p90:.0f}",
        "en": "points between first and last: median {median:.0f}, 90% {p90:.0f}",
    },
    "lead_changes": {
        "ja": "首位の交代　平均{mean:.1f}回　0回のゲーム {none:.0%}",
        "en": "the lead changes {mean:.1f} times on average, never in {none:.0%}",
    },
    "forced": {
        "ja": "ほかに選べないプレイ {forced:.1%}",
        "en": "plays without a choice: {forced:.1%}",
    },
    "cut": {
        "ja": "終わらなかったゲーム {cut}（{most:,}件の記録で打ち切り）",
        "en": "games cut short: {cut} (after {most:,} entries)",
    },
    "endless": {
        "ja": "  その番号（0から）　{numbers}",
        "en": "  their numbers, from 0: {numbers}",
    },
    "shared": {
        "ja": "勝者のいないゲーム {nobody:.1%}　同点優勝のゲーム {shared:.1%}",
        "en": "games that nobody won: {nobody:.1%}, with a shared win: {shared:.1%}",
    },
    "clauses": {
        "ja": "どのプレイ・得点・終わりの根拠にもならなかったルール　{names}",
        "en": "rules that no play, score or end was based on: {names}",
    },
    "options": {
        "ja": "一度も使われなかったハウスルール　{names}",
        "en": "house rules never used: {names}",
    },
}


def game_named(name: str, lang: str = "en") -> Game | str:
    """A built-in game, one of the game files that come along, or that of the file at this path.

    If it is none of them, the error as a sentence for the command line.
    """
    along = {game.KEY: game for game in shipped.games().values()}
    if found := ON_CARDS.get(name) or along.get(name):
        return found
    try:
        return load(Path(name).read_bytes())
    except OSError:
        names = ", ".join((*ON_CARDS, *along))
        return Text(
            f"{name}：このゲームもファイルもありません。選べるゲーム：{names}",
            f"{name}: no such game and no such file; games: {names}",
        ).in_(lang)
    except Misread as misread:
        fault = misread.faults[0]
        says = book(COMMON).says(fault.fact, fault.values, lang)
        return f"{name}:{fault.line}:{fault.column}: {says}"


def plan(
    found: Game,
    seats: int,
    players: str,
    options: tuple[tuple[str, str], ...],
    seed: int,
    longest: int,
    given: tuple[int, ...],
    lang: str = "en",
) -> Plan | str:
    """The plan, or what is wrong with it, as a sentence for the command line."""
    game = found.NAME
    if seats not in found.SEATS:
        named = name_in_records(found)
        few, most = found.SEATS[0], found.SEATS[-1]
        return Text(
            f"{named}の人数は{most}人です（{seats}人では遊べません）"
            if few == most
            else f"{named}の人数は{few}人から{most}人までです（{seats}人では遊べません）",
            f"{named} takes {most} players, not {seats}"
            if few == most
            else f"{named} takes {few} to {most} players, not {seats}",
        ).in_(lang)
    names = tuple(players.split(","))
    names = names * seats if len(names) == 1 else names
    if len(names) != seats or not {*names} <= {*PLAYERS}:
        return Text(
            f"--players には、{'か'.join(PLAYERS)}を1つか、{seats}つの席に1つずつ書きます",
            f"--players: {' or '.join(PLAYERS)}, one for all or one for each of {seats} seats",
        ).in_(lang)
    if "ahead" in names and ahead(room_of(found)) is None:
        return Text(
            f"{game}には、先を読むプレイヤー（ahead）がありません",
            f"{game} has no player that looks ahead",
        ).in_(lang)
    known = {**COMMON_OPTIONS, **found.OPTIONS}
    for key, value in options:
        if fault := wrong_option(known, key, value, lang):
            return f"--option {key}={value}{Text('：', ': ').in_(lang)}{fault}"
    if clash(dict(options), known):
        return Text(
            "--option：一緒に選べないハウスルールがあります",
            "--option: two of these house rules can't be chosen together",
        ).in_(lang)
    if given and len(given) != seats:
        return Text(
            f"--given には、{seats}つの席に1つずつ数を書いてください",
            f"--given: one number for each of {seats} seats",
        ).in_(lang)
    text = found.text if isinstance(found, KitGame) else ""
    return Plan(game, seats, names, options, seed, longest, given, text)


def as_csv(batch: Batch) -> str:
    """The matches as CSV, one per line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns(len(batch.results[0].points)) if batch.results else ())
    writer.writerows(rows(batch.results))
    return text.getvalue()


def lines(plan: Plan, batch: Batch, pace: float | None, lang: str) -> Iterator[str]:
    """The report as text."""
    found = described(plan, batch, pace)
    players = ", ".join(plan.players if len({*plan.players}) > 1 else plan.players[:1])
    title = book_of(plan.rules).title.in_(lang)
    yield _says("head", lang, **{**found, "title": title, "players": players})
    for place in found["places"]:
        low, high = place["wins_from_to"]
        values = {**place, "low": low, "high": high, "above": place["above_average"]}
        line = _says("place", lang, **values, margin=place["above_average_margin"])
        yield line + (_says("lost", lang, lost=place["lost"]) if place["lost"] else "")
    yield _says("counted_from", lang)
    for kind in found["by_player"]:
        line = _says("player", lang, **kind)
        yield line + (_says("lost", lang, lost=kind["lost"]) if kind["lost"] else "")
    if found["p"] is None:
        yield _says("p_few", lang, few=FEW)
    else:
        yield _says("p_found" if found["p"] < FOUND else "p_none", lang, p=found["p"])
    for key in ("length", "minutes", "difference", "lead_changes"):
        if found.get(key):
            yield _says(key, lang, **found[key])
    yield _says("forced", lang, forced=found["forced"])
    loses = any(place["lost"] for place in found["places"])
    if not loses and (found["nobody_won"] or found["shared_win"]):
        yield _says("shared", lang, nobody=found["nobody_won"], shared=found["shared_win"])
    yield _says("cut", lang, cut=found["cut_short"], most=plan.longest)
    if numbers := found["endless"]:
        more = "…" if found["cut_short"] > len(numbers) else ""
        yield _says("endless", lang, numbers=", ".join(map(str, numbers)) + more)
    yield _says("clauses", lang, names=", ".join(found["clauses_never"]) or "–")
    yield _says("options", lang, names=", ".join(found["options_never"]) or "–")


def _says(key: str, lang: str, **values: object) -> str:
    return HYPHEN.sub("−", WORDS[key][lang].format(**values))
