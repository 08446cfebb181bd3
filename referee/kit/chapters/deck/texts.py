"""What the rules of a game say of the cards and the teams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from referee.core.book import Text
from referee.core.written import written
from referee.kit.chapters.deck import table
from referee.kit.saying import FileWords, text_of
from referee.kit.table import cards_at
from referee.kit.text.faults import Wrong
from referee.kit.text.toml import Value

TEAMS: Mapping[str, Text] = {
    "none": Text("", ""),
    "opposite": Text(
        "向かい合う2人がチームになり、点を一緒に数える。",
        "Players who sit opposite are a team and share their points.",
    ),
    "alternate": Text(
        "1人おきに座る人がチームになり、点を一緒に数える。",
        "Every second player is of the same team and shares its points.",
    ),
}

MOST_COUNTS = 12
"""For so many numbers of players the rules say how many cards there are, at most."""

MANY_RANKS = 6
"""From so many on, ranks are written as "1–9", and cards of equal points together."""


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    yield "setup.deck", _deck(file)
    if (teams := _teams(file)).ja:
        yield "setup.teams", teams


def _teams(file: FileWords) -> Text:
    """Who plays together, for each number of players; empty if nobody does."""
    teams = file.source.at("seats", "teams") or "none"
    if not isinstance(teams, dict):
        return TEAMS[str(teams)]
    rows = [(n, TEAMS[str(row)]) for n, row in teams.items() if row != "none"]
    numbers = [
        Text(f"{n}人なら、", f"With {n} players: ")
        if n != "else"
        else Text("ほかの人数なら、", "With other numbers of players: ")
        for n, _ in rows
    ]
    made = [*zip(numbers, (text for _, text in rows), strict=True)]
    return Text(
        "".join(when.ja + text.ja for when, text in made),
        " ".join(when.en + text.en[:1].lower() + text.en[1:] for when, text in made),
    )


def _deck(file: FileWords) -> Text:
    """The cards: how many, from low to high, special ones, their values."""
    cards, count = file.rules.cards, _count(file)
    ja, en = [count.ja], [count.en]
    signs = [file.named["ja"].get(suit, suit) for suit in cards.suits]
    own = table(file.source.at("deck", "suits"))
    texts = [(text_of(own.get(suit)), sign) for suit, sign in zip(cards.suits, signs, strict=True)]
    if cards.order:
        ranks = _ranks(cards.order)
        if signs:
            each = _suits(file, ranks)
            named = [
                sign if text.ja in ("", sign) else f"{text.ja}（{sign}）" for text, sign in texts
            ]
            ja.append(f"スートは{'・'.join(named)}、数字は弱い順に {each.ja}。")
            named = [
                sign if text.en in ("", sign) else f"{text.en} ({sign})" for text, sign in texts
            ]
            listed = (", " if own else " ").join(named)
            en.append(f"Suits: {listed}. From low to high: {each.en}.")
        else:
            ja.append(f"数字は弱い順に {ranks}。")
            en.append(f"From low to high: {ranks}.")
    if removed := file.source.at("deck", "remove"):
        gone = _removed(file, removed)
        ja.append(f"抜くカード：{gone.ja}。")
        en.append(f"Taken out: {gone.en}.")
    for card in cards.kinds(cards.special):
        many = cards.deck.copies[cards.deck.place[card]]
        ja.append(f"{file.named['ja'].get(card, card)}は{many}枚。")
        en.append(f"{many} × {file.named['en'].get(card, card)}.")
    worth = table(file.source.at("deck", "worth"))
    if worth and {"worth", "trick_worth"} & file.rules.compiler.uses:
        points = _card_points(worth, cards.order)
        ja.append(f"カード点：{points.ja}。")
        en.append(f"Card points: {points.en}.")
    return Text("".join(ja), " ".join(en))


def _count(file: FileWords) -> Text:
    """How many cards there are, by the number of players if it matters."""
    players: dict[int, list[str]] = {}
    for n in file.game.SEATS[:MOST_COUNTS]:
        with suppress(Wrong):  # nobody plays at such a table
            players.setdefault(len(cards_at(file.source, n).deck), []).append(str(n))
    if len(players) < 2:
        count = len(file.rules.cards.deck)
        return Text(f"カードは{count}枚。", f"{count} cards.")
    ja, en = list[str](), list[str]()
    for count, numbers in sorted(players.items()):
        ja.append(f"{'・'.join(numbers)}人なら{count}枚")
        en.append(f"{count} cards with {' or '.join(numbers)} players")
    return Text(f"カードは{'、'.join(ja)}。", f"{', '.join(en)}.")


def _removed(file: FileWords, cards: Value) -> Text:
    """The cards that are taken out of the deck, by the number of players if it matters."""
    if isinstance(cards, dict):
        rows = [(n, _removed(file, row)) for n, row in cards.items() if row]
        return Text(
            "、".join(f"{n}人なら{row.ja}" for n, row in rows),
            ", ".join(f"with {n} players {row.en}" for n, row in rows),
        )
    kinds = [str(kind) for kind in cards] if isinstance(cards, list) else []
    ja, en = file.named["ja"], file.named["en"]
    listed = {kind: ja.get(kind[0], kind[0]) + kind[1:] for kind in kinds}
    return Text(
        "・".join(ja.get(kind, listed[kind]) for kind in kinds),
        ", ".join(en.get(kind, listed[kind]) for kind in kinds),
    )


def _suits(file: FileWords, ranks: str) -> Text:
    """The ranks of each suit if they differ; else ``ranks``."""
    cards, rows = file.rules.cards, dict[str, list[str]]()
    own = table(file.source.at("deck", "suits"))
    if not any("ranks" in table(row) for row in own.values()):
        return Text(ranks, ranks)
    for suit, mask in cards.suits.items():
        ranks = _ranks([cards.rank[card] for card in cards.kinds(mask)])
        rows.setdefault(ranks, []).append(file.named["ja"].get(suit, suit))
    rows_named = [("・".join(suits), " ".join(suits), ranks) for ranks, suits in rows.items()]
    return Text(
        "、".join(f"{ja}は {ranks}" for ja, _, ranks in rows_named),
        "; ".join(f"{en} {ranks}" for _, en, ranks in rows_named),
    )


def _ranks(ranks: Sequence[str]) -> str:
    """Ranks from low to high; whole numbers in a row as "1–54"."""
    if len(ranks) >= MANY_RANKS and all(map(str.isdecimal, ranks)):
        first, last = int(ranks[0]), int(ranks[-1])
        if list(map(str, range(first, last + 1))) == list(ranks):
            return f"{first}–{last}"
    return " ".join(ranks)


def _card_points(worth: Mapping[str, Value], ranks: Sequence[str]) -> Text:
    """The card points of ranks and cards, by their points if many have the same."""
    points_of = {name: written(points) for name, points in worth.items() if isinstance(points, int)}
    numbers = {rank: rank for rank in ranks if rank != "0" or rank in worth}
    if len(worth) >= MANY_RANKS and points_of == numbers:
        return Text("数字と同じ", "the number of each card")
    same: dict[str, list[str]] = {}
    for name, points in points_of.items():
        same.setdefault(points, []).append(name)
    few = len(worth) < MANY_RANKS or len(worth) < 2 * len(same)
    if few and not any(map(str.isdecimal, worth)):  # "10 5" would be two numbers
        each = [f"{name} {points}" for name, points in points_of.items()]
        return Text("、".join(each), ", ".join(each))
    return Text(
        "、".join(f"{'・'.join(names)}は{points}点" for points, names in same.items()),
        "; ".join(f"{points} for {', '.join(names)}" for points, names in same.items()),
    )
