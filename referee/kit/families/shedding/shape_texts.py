"""What the rules of a shedding game say of its combinations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.book import Text
from referee.kit.chapters.deck import table
from referee.kit.families.shedding.combinations import MOST_CARDS, Combination, CountSpan, span
from referee.kit.saying import FileWords, own_text
from referee.kit.text.toml import Value


def shapes(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The id and the text of the clause of each combination."""
    rows = {name: table(row) for name, row in table(file.source.at("combo")).items()}
    called = {name: named(name, row) for name, row in rows.items()}
    for combo in file.rules.reading.combos:
        row = rows[combo.name]
        beats = _beaten(combo, called, [each.name for each in file.rules.reading.combos])
        if combo.any_time:
            beats = Text(
                beats.ja + "手番でなくても出せる。", beats.en + " It may be played out of turn."
            )
        made = _shape(file, combo.name, row)
        said = called[combo.name]
        yield (
            f"combo.{combo.name}",
            Text(f"{said.ja}：{made.ja}。{beats.ja}", f"{said.en}: {made.en}.{beats.en}"),
        )
    yield (
        "combo.1",
        Text("出せるのは、ここにある組だけ。", "Only these combinations can be played."),
    )


def _beaten(combo: Combination, called: Mapping[str, Text], every: list[str]) -> Text:
    """Which combinations a combination is over."""
    others = [called[name] for name in every if name not in combo.over and name != combo.name]
    over = [called[name] for name in every if name in combo.over]
    if not over:
        return Text("", "")
    if not others:
        return Text("ほかのすべての組に勝つ。", " It beats all other combinations.")
    if len(others) < len(over):
        return Text(
            f"{'、'.join(each.ja for each in others)}を除くすべての組に勝つ。",
            f" It beats all others but {', '.join(each.en for each in others)}.",
        )
    return Text(
        f"{'、'.join(each.ja for each in over)}に勝つ。",
        f" It beats: {', '.join(each.en for each in over)}.",
    )


def named(name: str, row: Mapping[str, Value]) -> Text:
    """What a combination is called."""
    return own_text(dict(row), Text(f"「{name}」", f"“{name}”"))


def _numbers(numbers: CountSpan, unit: str) -> Text:
    """So many, in Japanese with the counter ``unit``."""
    few, many = numbers
    if few == many:
        return Text(f"{few}{unit}", f"{few}")
    if many >= MOST_CARDS:
        return Text(f"{few}{unit}以上", f"{few} or more")
    return Text(f"{few}{unit}から{many}{unit}", f"{few} to {many}")


def _shape(file: FileWords, name: str, row: Mapping[str, Value]) -> Text:
    cards = row.get("cards")
    if isinstance(cards, list):
        ja, en = ([file.named[lang].get(str(c), str(c)) for c in cards] for lang in ("ja", "en"))
        return Text("と".join(ja), " and ".join(en))
    if row.get("any"):
        made = Text(f"どの数字でも{row['any']}枚", f"any {row['any']} cards")
    else:
        same = span(row.get("same", 1)) or CountSpan(1, 1)
        each = _numbers(same, "枚")
        made = Text(f"同じ数字を{each.ja}", f"{each.en} of one rank")
        if same == CountSpan(1, 1):
            made = Text("1枚", "a single card")
        if "run" in row:
            run = _numbers(span(row["run"]) or CountSpan(1, 1), "つ")
            made = Text(
                f"{run.ja}続く数字を{each.ja}ずつ", f"{run.en} ranks in a row, {each.en} of each"
            )
    if row.get("with"):
        groups = row.get("with_count", "")
        made = Text(
            f"{made.ja}に、ほかの数字の{row['with']}枚組を"
            + (f"{groups}つ添える" if groups else "数字ごとに1つ添える"),
            f"{made.en}, with {groups or 'as many'} groups of {row['with']} of other ranks",
        )
    if row.get("suit") == "same":
        made = Text(f"{made.ja}、マークが同じ", f"{made.en}, all of one suit")
    if row.get("from"):
        only = file.text("cards", "combo", name, "from")
        made = Text(f"{made.ja}（{only.ja}だけ）", f"{made.en} (only {only.en})")
    return made
