"""Sums and conditions that ask for what is not there, or that seem to say something else."""

from __future__ import annotations

from collections.abc import Iterator

from referee.kit.chapters.deck import FRENCH, FROM, table
from referee.kit.chapters.deck.teams import about_teams
from referee.kit.families.trick_taking.rules import Rules
from referee.kit.notes.written import conditions, formula_at, named_sums, sums_of
from referee.kit.table import wrong
from referee.kit.text.faults import Path, Wrong
from referee.kit.text.formula import FUNCTIONS, Node, walk, walk_named
from referee.kit.text.scope import CARD, DEAL
from referee.kit.text.vocabulary import wrong as wrong_in


def nothing_to_ask(rules: Rules) -> Iterator[Wrong]:
    """Sums and sets that ask for a trick, a team or a card that is not there."""
    if rules.source.at("call", "cards") is not None and not _may_call(rules):
        yield wrong(rules, "kit_empty_set", ("call", "cards"))
    yield from _about_no_trick(rules)
    yield from about_teams(rules)
    yield from _about_no_worth(rules)
    yield from _ranks_reversed(rules)


def _may_call(rules: Rules) -> bool:
    """Whether the deck has a card that may be called, as far as that hangs on the deck alone."""
    text = rules.source.text("cards", "call", "cards")
    return text is None or rules.compiler.mask(text, DEAL)[1] != 0


def _about_no_worth(rules: Rules) -> Iterator[Wrong]:
    """The first sum that adds card points, in a deck whose cards have none."""
    for text in conditions(rules) if rules.source.at("deck", "worth") is None else ():
        for node in walk(text.node):
            if node.op == "worth()":
                yield wrong_in(text, node, "kit_no_worth")
                return


def _ranks_reversed(rules: Rules) -> Iterator[Wrong]:
    """Ranks from a high one to a low one, which are none."""
    order = rules.cards.order
    for text in (*rules.source.document.parsed.values(),):
        for node in walk(text.node):
            if node.op == "ranks" and {node.word, node.parts[0].word} <= {*order}:
                high, low = node.word, node.parts[0].word
                if order.index(high) > order.index(low):
                    yield wrong_in(text, node, "kit_ranks_reversed", low=low, high=high)


OF_A_TRICK = frozenset(
    (
        *(("name", "led_value"), ("name", "second_value"), ("name", "last_value")),
        *(("name", "trick_sum"), ("name", "trick_worth")),
        *(("name", "winning"), ("set", "beats")),
        *(("lying()", ""), ("led()", ""), ("suit", "led"), ("colour", "led")),
        *(("rank", "led"), ("rank", "showing"), ("suit", "showing")),
    )
)
"""What is empty or 0 while no card lies on the table."""


def _about_no_trick(rules: Rules) -> Iterator[Wrong]:
    """Sums that are computed before the first or after the last trick, and ask for a trick."""
    source = rules.source
    paths: list[Path] = [("bid", "forbid"), ("trump", "none_when"), ("call", "cards")]
    paths += [("leave", "first"), ("match", "until"), ("match", "out")]
    for key, parts in (("score", ("when", "points")), ("counters", ("add",))):
        for name, row in table(source.at(key)).items():
            per = table(row).get("per", "deal")
            paths += [(key, name, part) for part in parts if per in ("deal", "match")]
    for path in paths:
        text = formula_at(rules, path)
        for node in walk_named(text.node, named_sums(rules)) if text is not None else ():
            if (node.op, node.word) in OF_A_TRICK:
                word = f"{node.op[:-1]} )" if node.op.endswith("()") else node.word
                if node.op in ("suit", "rank", "colour"):
                    word = f"{node.op} {node.word}"
                yield wrong(rules, "kit_no_trick_then", path, word=word)
                break


def trick_of_a_deal(rules: Rules) -> Iterator[Wrong]:
    """Sums after a deal that ask for the number of the trick, which is then the same for all."""
    if (
        rules.leaving.when is not None
        or rules.leaving.first is not None
        or rules.bidding.passed_over
    ):
        return  # a deal may end early
    paths: list[Path] = [("match", "until"), ("match", "out")]
    terms = (*rules.scoring.deal, *rules.scoring.match)
    paths += [("score", term.name, key) for term in terms for key in ("when", "points")]
    paths += [
        ("counters", each.name, "add") for each in rules.scoring.counters if not each.in_tricks
    ]
    for path in paths:
        text = formula_at(rules, path)
        for node in walk_named(text.node, rules.compiler.values) if text is not None else ():
            if (node.op, node.word) == ("name", "trick"):
                yield wrong(rules, "kit_trick_of_a_deal", path)
                break


def doubtful_sums(rules: Rules) -> Iterator[Wrong]:
    """Sums that may divide by 0, and the highest or the lowest of one number."""
    for text in conditions(rules):
        for node in walk(text.node):
            if node.op == "/" and _may_be_0(node.parts[1]):
                yield wrong_in(text, node, "kit_divisor")
            if node.op in ("max()", "min()") and len(node.parts) == 1:
                near = {"max()": "most", "min()": "least"}[node.op]
                yield wrong_in(text, node, "kit_one_number", word=node.op[:3], near=near)


def _may_be_0(node: Node) -> bool:
    """Whether a divisor may be 0: True unless it is plainly another number."""
    if node.op == "number":
        return node.number == 0
    if node.op == "max()":
        return all(map(_may_be_0, node.parts))
    return not (node.op == "name" and node.word in ("n", "deck", "deal", "hand", "cards"))


def counted_on(rules: Rules) -> Iterator[Wrong]:
    """Counters of tricks that go on from deal to deal, although a score of each deal uses them, and
    the file does not say that they should.
    """
    terms = [*rules.scoring.card, *rules.scoring.trick, *rules.scoring.deal]
    used = set[str]()
    for term in terms:
        for key in ("when", "points"):
            text = formula_at(rules, ("score", term.name, key))
            named = named_sums(rules)
            used |= {n.word for n in walk_named(text.node, named)} if text is not None else set()
    for counter in rules.scoring.counters:
        path: Path = ("counters", counter.name)
        text = rules.source.text("sum", *path, "add")
        resets = text is not None and any(
            node.word == counter.name for node in walk_named(text.node, named_sums(rules))
        )
        unsaid = rules.source.at(*path, "keep") is None
        if counter.in_tricks and unsaid and counter.name in used and not resets:
            values = {"anew": "keep = 'deal'", "on": "keep = 'match'"}
            yield wrong(rules, "kit_counted_on", path, name=counter.name, **values)


def last_tricks(rules: Rules) -> Iterator[Wrong]:
    """``trick = hand`` where that is not the last trick, or may not be reached."""
    for text in conditions(rules):
        for node in walk(text.node):
            if node.op == "=" and {part.word for part in node.parts} == {"trick", "hand"}:
                if rules.deal.draws:
                    yield wrong_in(text, node, "kit_last_drawn")
                elif rules.leaving.when is not None and text.path.startswith(
                    ("score.", "counters.")
                ):
                    yield wrong_in(text, node, "kit_last_left")


def no_such_cards(rules: Rules) -> Iterator[Wrong]:
    """Cards in sums that the deck does not have."""
    for text in conditions(rules):
        for node in walk(text.node):
            kind = FUNCTIONS.get(node.op.removesuffix("()"), "")
            if kind in ("cards", "lying", "this") and node.parts[0].word != "none":
                of_cards = text._replace(node=node.parts[0])
                if rules.compiler.mask(of_cards, CARD)[1] == 0:
                    yield wrong_in(text, node, "kit_empty_set")


def rank_left_out(rules: Rules) -> Iterator[Wrong]:
    """A remark on the one rank of a pack that a list of all others leaves out."""
    first = FROM.get(rules.source.word("deck", "pack", default=""))
    ranks = rules.source.at("deck", "ranks")
    if first is None or not isinstance(ranks, list):
        return
    missing = [rank for rank in FRENCH[first:] if rank not in ranks]
    if len(missing) == 1 and missing[0] != FRENCH[first]:
        yield wrong(rules, "kit_rank_left_out", ("deck", "ranks"), rank=missing[0])


def colours_alone(rules: Rules) -> Iterator[Wrong]:
    """The first set that asks for a colour, in a deck whose suits have one each."""
    cards = rules.cards
    if any(cards.colours[suit] != mask for suit, mask in cards.suits.items()):
        return
    texts = [step.text for step in (*rules.play.lead, *rules.play.follow)]
    texts += [text for each in (*rules.trick.classes, *rules.trick.leads) for text in each.texts]
    texts += [*rules.compiler.groups.values(), *(text for _, text in sums_of(rules.source))]
    for text in texts:
        for node in walk(text.node):
            if node.op == "colour":
                yield wrong_in(text, node, "kit_colours_alone", word=node.word)
                return
