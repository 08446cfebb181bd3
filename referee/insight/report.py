"""The answer of ``referee review``: finished deals as JSON data, or as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from referee.core.log import Log
from referee.core.record import Grammar, Header
from referee.core.verdict import word_of
from referee.insight.grid import Cell, Grid, PlaceRow
from referee.insight.review import Declaration, Read, Review, Revoke
from referee.rulings import book_of
from referee.rulings.sentences import finding as sentences_of
from referee.rulings.sentences import says

WORDS = {
    "hand": {"ja": "手札", "en": "hand"},
    "pyramid": {"ja": "ピラミッドの裏向き", "en": "pyramid, face down"},
    "stock": {"ja": "山札", "en": "stock"},
    "aside": {"ja": "脇のカード", "en": "set aside"},
    "rest": {"ja": "余り", "en": "not dealt"},
    "covered": {"ja": "裏向きで除いたカード", "en": "removed face down"},
    "deal": {"ja": "{deal}回目の配札", "en": "Deal {deal}"},
    "ways": {"ja": "見えていないカードの分かれ方は{ways}通り", "en": "{ways} distributions"},
    "not_counted": {"ja": "数えられない", "en": "not counted"},
    "declares": {
        "ja": "申告：{seat}の手札は{only}だけ。正しい確率は{odds}、配札が終わって{known}",
        "en": "{seat} declares only {only}: odds that it is true {odds}, after the deal {known}",
    },
    "provable": {
        "ja": "記録{seq}の反則は、記録{provable}で証明できるようになりました（{by}）",
        "en": "the illegal play at entry {seq} became provable at entry {provable} ({by})",
    },
    "beaten": {
        "ja": "まだ勝てた手札は{hands}通り{first}",
        "en": "{hands} hands could still have beaten it{first}",
    },
}


def as_json(review: Review, log: Log, header: Header, lang: str) -> dict[str, object]:
    """A finished deal as data. Odds are ``[numerator, denominator]``, null where not counted."""
    grammar = Grammar(log.game, header.seats)
    rules = book_of(log.game)
    entries = [_entry(read, grammar) for read in review.entries]
    texts = {read.seq: grammar.print(read.step.play) for read in review.entries}
    revokes = []
    for revoke in review.revokes:
        found = revoke.finding
        sentences = sentences_of(found, rules, lang)
        revokes.append(
            {
                "clause": found.clause,
                "seat": found.seat,
                "seq": found.at,
                "proof": list(found.proof),
                "provable": revoke.provable,
                "by": texts.get(revoke.provable),
                "says": says(sentences, lang, most=len(sentences)),
                "doubt": [{"seq": read.seq, "odds": _odds(odds)} for read, odds in revoke.doubt],
            }
        )
    return {"deal": review.deal, "entries": entries, "revokes": revokes}


def _entry(read: Read, grammar: Grammar) -> dict[str, object]:
    seen = read.grid
    row: dict[str, object] = {
        "seq": read.seq,
        "text": grammar.print(read.step.play),
        "verdict": word_of(read.step.verdict),
        "clause": read.step.verdict.clause,
        "distributions": str(seen.ways) if seen else None,
        "grid": [_row(each) for each in seen.rows] if seen else None,
        "believed": [_row(each) for each in read.believed.rows] if read.believed else None,
        "declarations": [
            {
                "seat": said.seat,
                "only": list(said.only),
                "odds": _odds(said.odds),
                "known": _odds(said.known),
            }
            for said in read.declarations
        ],
    }
    if read.could_beat is not None:
        row["could_beat"] = read.could_beat
    return row


def _row(row: PlaceRow) -> dict[str, object]:
    return {
        "place": row.kind,
        "seat": row.seat,
        "cards": row.cards,
        "cells": [_cell(cell) for cell in row.cells],
    }


def _cell(cell: Cell) -> dict[str, object]:
    return {
        "card": cell.card,
        "is": cell.word,
        "least": cell.least,
        "most": cell.most,
        "odds": _odds(cell.odds),
    }


def _odds(odds: Fraction | None) -> list[int] | None:
    return None if odds is None else list(odds.as_integer_ratio())


def lines(review: Review, log: Log, header: Header, lang: str) -> Iterator[str]:
    """A finished deal as text: what became certain or likely, entry by entry."""
    grammar = Grammar(log.game, header.seats)
    texts = {read.seq: grammar.print(read.step.play) for read in review.entries}
    yield _says("deal", lang, deal=review.deal)
    for read in review.entries:
        seen = read.grid
        ways = _says("ways", lang, ways=f"{seen.ways:,}") if seen else _says("not_counted", lang)
        yield f"{read.seq:>4} {texts[read.seq]}  {ways}"
        yield from _table(seen, lang) if seen else ()
        for said in read.declarations:
            yield "     " + _declared(said, lang)
        if read.could_beat:
            yield "     " + _beaten(read.could_beat, lang)
    for revoke in review.revokes:
        yield "! " + _revoked(revoke, texts, lang)


def _table(seen: Grid, lang: str) -> Iterator[str]:
    for row in seen.rows:
        name = _says(row.kind, lang)
        place = f"{row.seat} ({name})" if row.seat else name
        sure = [f"{c.card}×{c.least}" for c in row.cells if c.least]
        open_ = [f"{c.card} {percent(c.odds)}" for c in row.cells if c.word == "possible"]
        yield f"       {place} {row.cards}: {_listed([*sure, *open_])}"


def _declared(said: Declaration, lang: str) -> str:
    odds, known = (
        _says("not_counted", lang) if each is None else f"{each} ({percent(each)})"
        for each in (said.odds, said.known)
    )
    only = _listed(map(str, said.only))
    return _says("declares", lang, seat=said.seat, only=only, odds=odds, known=known)


def _beaten(could_beat: Mapping[str, Any], lang: str) -> str:
    first = "".join(could_beat["strongest"][0]["cards"]) if could_beat["strongest"] else ""
    first = f" ({first})" if first else ""
    return _says("beaten", lang, hands=could_beat["hands"], first=first)


def _revoked(revoke: Revoke, texts: dict[int, str], lang: str) -> str:
    provable = revoke.provable
    values = {"seq": revoke.finding.at, "provable": provable, "by": texts.get(provable, "–")}
    doubt = ", ".join(f"{read.seq}: {percent(odds)}" for read, odds in revoke.doubt)
    return _says("provable", lang, **values) + (f"  {doubt}" if doubt else "")


def percent(odds: Fraction) -> str:
    """``odds`` as a percentage; never 0% or 100% for what is still open."""
    if odds in (0, 1):
        return f"{int(odds)}00%" if odds else "0%"
    tenths = min(999, max(1, round(odds * 1000)))
    return f"{tenths // 10}.{tenths % 10}%"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "–"


def _says(key: str, lang: str, **values: object) -> str:
    return WORDS[key][lang].format(**values)
