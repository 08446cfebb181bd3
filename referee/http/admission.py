"""Which phones may ask for which page, except for pages of a table (see ``access``)."""

from __future__ import annotations

from enum import Enum


class Admission(Enum):
    """Which phones are admitted: all; those with a circle; or at a table those with any access,
    those that play there, and those with the rights of the host.
    """

    PUBLIC = "public"
    CIRCLE = "circle"
    THERE = "there"
    PLAYING = "playing"
    HOSTING = "hosting"


_PUBLIC = {
    "install": "manifest worker offline",
    "health": "healthz",
    "trust": "trust authority stay",
    "home": "home new open_table",
    "rules": "index game score_sheet",
    "about": "about licence",
    "help": "page",
    "checks": "index check",
    "words": "look_up agree",
    "own_games": "index write beginning known_rules begun format_ game try_out try_file",
    "decks": "index new write deck edit put_away printed",
    "settings": "settings keep reading_aloud keep_reading_aloud through",
    "live": "page stream feed record",
    "shown": "result picture",
    "carried": "page",
    "join": "by_link code knock wait unsaid",
    "circle": "by_link",
    "history": "history people",
    # take_in decides itself: the server's own browser may, too; copying passes its file to it
    "transfers": "transfers take_in may_take_in back_up",
    "copying": "address gather take_in",
    "yearly": "counted",
    "checkin": "desk begin screen earlier",
}
_CIRCLE = {
    "contests": "decisions",
    "own_games": "put_away",
    "circle": "circle call choose before_zoning set_zone renew before_dismissing dismiss"
    " session describe",
    "results_out": "page change",
    "people": "people person rename merge retire forget clean",
    "foreign_plays": "preview take_in",
    "copying": "history",
    "history": "hidden evening person",
    "revised": "revised see",
    "yearly": "year",
    "lab": "lab begin stop as_csv as_json",
    "transfers": "history_json history_csv history_records history_db"
    " evening_csv evening_json evening_records work",
    "evenings": "season",
    "evening_picture": "page picture",
    "checkin": "page came gone person set_person phones set_phones",
    "desk_tables": "page change",
    "seating": "page propose swap lock publish take_back",
    "running": "page table places call line clock",
    "desk_standing": "page person",
    "desk_shown": "mine screen printed live",
}
_THERE = {"join": "sit", "contests": "say"}  # who watches may object, see ``barred``
_PLAYING = {  # beside what enters something: pages that are read only to do so
    "tables": "show",
    "seats": "seats seat before_naming before_moving",
    "menu": "before_stopping",
    "adjusting": "adjust",
    "comings": "players",
    "claiming": "rest",
    "join": "answer",
}
_HOSTING = {
    "broadcasts": "switch",
    "join": "renew before_expelling expel before_freeing free",
    "menu": "before_hiding hide bring_back",
    "revised": "keep",
}

RULES = dict.fromkeys(("static", "bundle"), Admission.PUBLIC) | {
    f"{blueprint}.{view}": admission
    for admission, listed in (
        (Admission.PUBLIC, _PUBLIC),
        (Admission.CIRCLE, _CIRCLE),
        (Admission.THERE, _THERE),
        (Admission.PLAYING, _PLAYING),
        (Admission.HOSTING, _HOSTING),
    )
    for blueprint, views in listed.items()
    for view in views.split()
}
"""Endpoint → which phones may ask for it."""
