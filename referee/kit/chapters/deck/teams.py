"""Rules of partners where nobody has one, and what counts once for a team or for each partner."""

from __future__ import annotations

from collections.abc import Iterator

from referee.kit.chapters.deck import listed, table
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.game import KitGame
from referee.kit.notes.written import at_file, formula_at
from referee.kit.table import wrong
from referee.kit.text.faults import Path, Wrong
from referee.kit.text.formula import FUNCTIONS, Node, walk


def about_teams(rules: Rules) -> Iterator[Wrong]:
    """The rules of partners, where nobody has one."""
    source = rules.source
    if any(len(team) > 1 for team in rules.teams) or table(source.at("seats", "teams")):
        return  # where teams depend on the number of players, one rule is for both
    found = list[Wrong]()
    paths: list[Path] = [("values", name) for name in table(source.at("values"))]
    for key, parts in (("score", ("when", "points")), ("counters", ("add",))):
        for name, row in table(source.at(key)).items():
            paths += [(key, name, part) for part in parts]
            if table(row).get("to") == "team":
                found.append(wrong(rules, "kit_alone", (key, name, "to"), word="to = team"))
            if table(row).get("of") == "team":
                found.append(wrong(rules, "kit_alone", (key, name, "of"), word="of = team"))
    paths += [("leave", "when"), ("leave", "first"), ("match", "until"), ("match", "out")]
    paths += [("bid", "forbid"), ("trump", "none_when")]
    for ladder in ("lead", "follow"):
        rows = listed(source.at("play", ladder))
        paths += [("play", ladder, i, "when") for i in range(len(rows))]
    for path in paths:
        text = formula_at(rules, path)
        if text is not None and any(node.op == "team()" for node in walk(text.node)):
            found.append(wrong(rules, "kit_alone", path, word="team( )"))
    yield from sorted(found, key=lambda each: (each.line, each.column))[:1]


def counted_twice(game: KitGame, rules: Rules) -> Iterator[Wrong]:
    """Scores of each partner that ask for nothing but what the partners have together."""
    size = max(map(len, rules.teams))
    for term in (*rules.scoring.deal, *rules.scoring.match) if size > 1 else ():
        paths: list[Path] = [("score", term.name, key) for key in ("when", "points")]
        found = [text for path in paths if (text := formula_at(rules, path)) is not None]
        if not term.team and not any(_of_one_partner(rules, text.node) for text in found):
            at: Path = ("score", term.name)
            yield at_file(game, "kit_counted_twice", at, many=size)


def one_partner_alone(rules: Rules) -> Iterator[Wrong]:
    """Sums of a team that ask only its first player, as they are worked out once for the team."""
    paths: list[Path] = [
        ("score", term.name, key)
        for term in (*rules.scoring.deal, *rules.scoring.match)
        for key in ("when", "points")
        if term.team
    ]
    paths += [
        ("counters", counter.name, "add")
        for counter in rules.scoring.counters
        if counter.of == "team" and not counter.in_tricks
    ]
    for path in paths if max(map(len, rules.teams)) > 1 else ():
        text = formula_at(rules, path)
        word = _of_one_partner(rules, text.node) if text is not None else ""
        if word and word != "turn":  # every second player has an odd one: it can mean the team
            yield wrong(rules, "kit_one_partner", path, word=word)


def _of_one_partner(rules: Rules, node: Node) -> str:
    """The first word of a sum that may differ between partners; "" if there is none."""
    name = node.op.removesuffix("()")
    if name in ("team", "most", "least", "every", "seats"):
        return ""
    if node.op == "name":
        values, counters = rules.compiler.values, rules.compiler.counters
        if node.word in values:
            return node.word if _of_one_partner(rules, values[node.word].node) else ""
        alone = node.word in ("tricks", "bid", "winning", "turn")
        return node.word if alone or counters.get(node.word) == "seat" else ""
    if name != node.op and FUNCTIONS[name] == "cards":
        return name + "( )"
    return next(filter(None, (_of_one_partner(rules, part) for part in node.parts)), "")
