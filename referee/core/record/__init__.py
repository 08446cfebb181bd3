"""The record: one text form for files, stored entries, forms and imports (format version 1).

``files`` reads and writes whole records, ``header`` their heads, ``grammar`` the entries of a game,
``kinds`` the cards, seats and numbers in them; ``text`` splits lines into words for all of them.
``parse(print(x)) == x`` for every entry and header.
"""

from __future__ import annotations

from referee.core.record.files import Record, TallyFile, Written, read, seat_lines, write
from referee.core.record.grammar import Grammar, form, newcomers
from referee.core.record.header import (
    CALLED,
    FILE_KEY,
    FREE_TEXT,
    MOST_CALLED,
    UNTIL,
    FormerPlayer,
    Header,
    nothing,
    parse_header,
    print_header,
)
from referee.core.record.kinds import (
    OF_SEATS,
    as_key,
    face_and_copies,
    is_kanji,
    rank_and_copies,
)
from referee.core.record.text import AND, Unreadable, normal, quoted, text_of, unquoted, words
