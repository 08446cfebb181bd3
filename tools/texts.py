"""Brings the English catalogue up to date, and compiles both catalogues: `make texts`.

Adds the Japanese sentences of code and templates that are not in ``messages.po``, with an empty
translation, and removes unused ones. Lists those without a translation; the exit status is 1 as
long as there are any. The Japanese catalogue of the command line is written by hand, and compiled
here. ``compile`` as an argument compiles both and does nothing else; every target of make does so
after a change.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
ENGLISH = Path("referee", "translations", "en", "LC_MESSAGES", "messages.po")
COMMANDS = Path("referee", "translations", "ja", "LC_MESSAGES", "commands.po")
ROOTS = ("referee", "templates")  # the folders that babel.cfg has patterns for

Sentence = tuple[str | None, str]  # the context, if it has one, and the Japanese text


def sentences(root: Path = ROOT, below: Sequence[str] = ()) -> set[Sentence]:
    """The Japanese sentences of code and templates under ``root``, a checkout.

    ``below``: only those of files under these folders, given from ``root``.
    """
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    found: set[Sentence] = set()
    for folder in below or ROOTS:
        top = Path(folder).parts[0]
        patterns = [(pattern.removeprefix(f"{top}/"), how) for pattern, how in methods]
        settings = {pattern.removeprefix(f"{top}/"): each for pattern, each in options.items()}
        # the patterns of babel.cfg fit files at any depth, so they fit a folder further down, too
        found |= {
            (row[4], str(row[2] if isinstance(row[2], str) else row[2][0]))
            for row in extract_from_dir(root / folder, patterns, settings)
        }
    return found


def english(root: Path = ROOT) -> Catalog:
    """The catalogue of the checkout ``root``."""
    with (root / ENGLISH).open("rb") as file:
        return read_po(file, locale="en")


def key(message: Message) -> Sentence:
    """The context and the Japanese sentence of ``message``; the plural is the same sentence."""
    context = message.context
    if isinstance(context, bytes):  # as Babel reads it from a compiled file
        context = context.decode()
    return context, message.id if isinstance(message.id, str) else message.id[0]


def spoken(message: Message) -> tuple[str, ...]:
    """The English of ``message``: one text, or a singular and a plural."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def unwritten(catalogue: Catalog) -> set[Sentence]:
    """The sentences without a translation."""
    return {key(message) for message in catalogue if message.id and not all(spoken(message))}


def complete(root: Path = ROOT) -> tuple[set[Sentence], set[Sentence]]:
    """Update both files of the catalogue; returns the added and the removed sentences."""
    said, catalogue = sentences(root), english(root)
    known = {key(message): message for message in catalogue if message.id}
    for context, sentence in said - known.keys():
        catalogue.add(sentence, "", context=context)
    for context, sentence in known.keys() - said:
        catalogue.delete(known[context, sentence].id, context)
    path = root / ENGLISH
    # Babel would fill the header with the time and with empty addresses
    header = path.read_text(encoding="utf-8").partition("\n\n")[0]
    body = io.BytesIO()
    write_po(body, catalogue, width=0, omit_header=True, sort_output=True, ignore_obsolete=True)
    path.write_text(f"{header}\n\n{body.getvalue().decode().strip()}\n", encoding="utf-8")
    compile_catalogue(path, "en")
    return said - known.keys(), known.keys() - said


def compile_catalogue(path: Path, locale: str) -> None:
    """Write the compiled file beside the catalogue ``path``."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=locale)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)


def written(found: set[Sentence]) -> list[str]:
    """``found`` in order, as text: a context is in brackets after the sentence."""
    return sorted(text if context is None else f"{text} ({context})" for context, text in found)


def main(arguments: Sequence[str]) -> int:
    compile_catalogue(ROOT / COMMANDS, "ja")
    if "compile" in arguments:
        compile_catalogue(ROOT / ENGLISH, "en")
        return 0
    added, removed = complete()
    for sentence in written(removed):
        print(f"removed, because nothing uses it: {sentence}")
    for sentence in written(added):
        print(f"added: {sentence}")
    missing = written(unwritten(english()))
    for sentence in missing:
        print(
            f"Write the English of this sentence in {ENGLISH}, then `make texts` again: {sentence}"
        )
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
