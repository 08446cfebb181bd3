"""What the rules of a game say of leaving a deal or the match."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.book import Text
from referee.kit.saying import FileWords
from referee.kit.text.faults import Wrong
from referee.kit.text.scope import DEAL


def clauses(file: FileWords) -> Iterator[tuple[str, Text]]:
    """The clause on which seats do not play, leave a deal, or are out of the match."""
    ja, en = list[str](), list[str]()
    if file.rules.leaving.first is not None:
        when = file.text("condition", "leave", "first")
        ja.append(f"最初のトリックの前に、{when.ja}の人はこのラウンドを休む。")
        en.append(f"Before the first trick, players sit this deal out if: {when.en}.")
    if file.rules.leaving.when is not None:
        when = file.text("condition", "leave", "when")
        if _is_of_all(file, "leave", "when"):
            ja.append(f"{when.ja}になったら、そのトリックでラウンドが終わる。")
            en.append(f"After a trick, the deal ends if: {when.en}.")
        else:
            ja.append(f"{when.ja}になった人はこのラウンドを抜ける。")
            en.append(f"After a trick, players leave the deal if: {when.en}.")
    if file.rules.match.out is not None:
        when = file.text("condition", "match", "out")
        ja.append(f"ラウンドのあと、{when.ja}の人は脱落する。最後の1人になったら終わる。")
        en.append(f"After a deal, players are out of the game if: {when.en}. The last one ends it.")
    if ja:
        yield "leave.1", Text("".join(ja), " ".join(en))


def _is_of_all(file: FileWords, *path: str) -> bool:
    """Whether the condition at ``path`` is the same for all players."""
    text = file.source.text("condition", *path)
    try:
        return text is not None and bool(file.rules.compiler.condition(text, DEAL))
    except Wrong:
        return False
