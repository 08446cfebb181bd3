"""What ``referee import`` does with a file of another program."""

from __future__ import annotations

import click

from referee.foreign import files, taking
from referee.rulings import COMMON, book
from referee.store import Circles, People, Store
from referee.store.foreign import ForeignPlays
from referee.upkeep.language import error, in_one


def import_plays(store: Store, source: bytes, name: str, lang: str) -> None:
    """Import the plays of a file, all or none; raises ``Unreadable``.

    People are those of the same name. Raises ``ClickException`` where a person has to decide.
    """
    circle = Circles(store).only()
    zone = Circles(store).zone(circle)
    found = files.read(files.source_of(source), zone)
    for fault in found.faults:
        place = f"{fault.number}:{fault.column}" if fault.column else f"{fault.number}"
        said = book(COMMON).says(fault.fact, {"text": fault.text}, lang)
        click.echo(f"{name}:{place}: {said}", err=True)
    if found.table and found.faults:
        raise error("何も取り込んでいません", "nothing was imported")
    people, here = taking.people(found.plays), ForeignPlays(store, circle)
    last = here.people([player.known for player in people])
    who = taking.matched(people, last, People(store).playing(circle, -1))
    try:
        taking.require_different(found.plays, who)
    except taking.SamePerson as fault:
        n, twice = fault.number, fault.name
        raise error(
            f"{name}：{n}番目のゲームに、同じ人が2人います（{twice}）",
            f"{name}: “{twice}” would be two people in game {n}",
        ) from fault
    when = taking.When(zone, utc=not found.local)
    fresh = here.add(list(taking.matches(found.plays, who, when, lang)), who)
    total = len(found.plays)
    new = f"{name}：{total}ゲームのうち、新しいのは{fresh}ゲームです。"
    click.echo(in_one(new, f"{name}: {fresh} of {total} matches are new.", lang))
