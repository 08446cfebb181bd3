"""What the rules of a game say of leading and following."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from referee.core.book import Text
from referee.kit.saying import FileWords, either, own_text
from referee.kit.text.formula import walk

LED: Mapping[str, Text] = {
    "skip": Text(
        "がリードされたら、次に出た、スートのあるカードがリードのスートになる。",
        "is led, the next card that has a suit sets the suit led.",
    ),
    "none": Text("がリードされたら、どのカードを出してもよい。", "is led, any card may be played."),
}
"""What has to be followed if special cards are led."""

LOWEST_OR_HIGHEST: Mapping[str, Callable[[Text], Text]] = {
    "low": lambda of: Text(f"{of.ja}のうちいちばん弱いもの", f"the lowest of {of.en}"),
    "high": lambda of: Text(f"{of.ja}のうちいちばん強いもの", f"the highest of {of.en}"),
}

CANNOT: Mapping[str, Text] = {
    "counts": Text("なければ、どのカードでもよい。", "If you cannot, play any card."),
    "out": Text(
        "なければ、どれか1枚を出して棄権する。", "If you cannot, play any card; it cannot win."
    ),
    "down": Text(
        "なければ、どれか1枚を裏向きに出す。",
        "If you cannot, play a card face down; it cannot win.",
    ),
}


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of each clause of this chapter."""
    *freely, (id_, lead) = _ladder(file, "lead")
    yield from freely
    yield id_, _after_special_leads(file, lead)
    yield from _ladder(file, "follow")
    if file.rules.play.always is not None:
        cards = file.text("cards", "play", "always")
        yield ("always.1", Text(f"{cards.ja}は、いつでも出せる。", f"Always allowed: {cards.en}."))


def _ladder(file: FileWords, name: str) -> Iterator[tuple[str, Text]]:
    ladder = file.rules.play.lead if name == "lead" else file.rules.play.follow
    if not ladder:
        free = "リードは自由。" if name == "lead" else "どのカードを出してもよい。"
        en = "Lead any card." if name == "lead" else "Play any card."
        yield f"{name}.1", Text(free, en)
        return
    for i, step in enumerate(ladder, 1):
        cards = file.words(step.text)
        at = file.source.at("play", name, i - 1)
        when = Text("", "")
        if isinstance(at, dict) and "when" in at:
            when = file.text("condition", "play", name, i - 1, "when")
            no = "" if when.ja.endswith(("い", "る", "た")) else "の"
            when = Text(f"（{when.ja}{no}とき）", f" (when {when.en})")
        if step.order:
            cards = LOWEST_OR_HIGHEST[step.order](cards)
        first = Text("", "") if i == 1 else Text("なければ、", "Otherwise, ")
        made = Text(
            f"{first.ja}{cards.ja}があれば、それを出す{when.ja}。",
            f"{first.en}{'play' if i > 1 else 'Play'} one of these if you can: "
            f"{cards.en}{when.en}.",
        )
        if i == 1 and step.text.source == "suit led" and not when.ja:
            made = Text(
                "リードと同じスートがあれば、それを出す（マストフォロー）。",
                "Follow the suit led if you can.",
            )
        yield f"{name}.{i}", own_text(at, made)
    yield f"{name}.{len(ladder) + 1}", CANNOT[file.rules.play.cannot]


def _after_special_leads(file: FileWords, lead: Text) -> Text:
    """The rule ``lead``, and what has to be followed after a special card was led."""
    asked = {node.op for step in file.rules.play.follow for node in walk(step.text.node)}
    for word, says in LED.items() if {"suit", "rank", "colour"} & asked else ():
        cards = [card for card, led in file.rules.cards.led.items() if led == word]
        if cards and not (word == "none" and _asks_the_card_led(file)):
            ja, en = (either(file.named[lang], cards, lang) for lang in ("ja", "en"))
            lead = Text(f"{lead.ja}{ja}{says.ja}", f"{lead.en} If {en} {says.en}")
    return lead


def _asks_the_card_led(file: FileWords) -> bool:
    """Whether a step of following has a condition on the card led, special cards included."""
    texts = (step.condition for step in file.rules.play.follow)
    return any(node.op == "led()" for text in texts if text for node in walk(text.node))
