"""The steps of plays of several taps that the page has in advance, for phones without network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from referee.core.pyramid import rows
from referee.games.pairs_daifugo import ROWS, Lay, Row
from referee.screens.pad import GAP, query
from referee.screens.pairs_daifugo.pad import (
    DaifugoPad,
    LeadPick,
    chosen,
    lead_pick,
    own_cells,
    own_places,
    pad,
    pick_pad,
    read,
    sizes_of,
    turn_pad,
)
from referee.screens.pairs_daifugo.pyramid import DaifugoView, PyramidCell, cell_of


class PadStep(NamedTuple):
    """A step that the page has in advance: the ``name`` of its query, and the values it is ``of``.

    ``less``: what was tapped is no longer shown. ``effects``: each with the fewest and the most
    cards that have it; with them the only pick of ``pad`` stands for all counts. See
    static/js/taps for all of these.
    """

    name: str
    of: str
    pad: DaifugoPad
    cells: Sequence[list[PyramidCell]] = ()
    less: bool = False
    effects: Mapping[str, tuple[int, int]] | None = None


def steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    """The steps after a tap on one of ``keys``."""
    match keys.stage:
        case "row":
            yield from _row_steps(view, keys)
        case "turn":
            yield from _turn_steps(view, keys)
        case "lead":
            yield from _count_steps(view, keys)
        case "follow" if not keys.hand_first:
            yield from _way_steps(view, keys)


def _row_steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    """Steps for the cards of a row after the first; the last card records the row."""
    state, seat = view.state, keys.seat
    size = ROWS[len(view.header.seats)]
    *before, bottom = rows(size)
    cells = [[cell_of(state, seat, place) for place in row] for row in before]
    own = [(f"{GAP}{i}", " ".join(f"#{n}" for n in range(i, size))) for i in range(1, size)]
    cells.append(
        [
            cell
            for i, place in enumerate(bottom)
            for cell in (
                *(PyramidCell(place, "open", rank, of=of) for rank, of in own[i : i + 1]),
                PyramidCell(place, "slot", None, on=True, of=f"#{i}"),
                PyramidCell(place, "slot", None, of=" ".join(f"#{n}" for n in range(1, i))),
            )
            if cell.of and cell.of != "#0"
        ]
    )
    pad = keys._replace(back=query(seat=seat, row=f"{GAP}p"))
    more = [
        key._replace(line="", to=query(seat=seat, row=f"{GAP}-{key.card}"), word="legal")
        for key in keys.keys
    ]
    if size > 2:
        counts = " ".join(f"#{n}" for n in range(1, size - 1))
        yield PadStep("row", counts, pad._replace(keys=more), cells, less=True)
    parts = " ".join(f"{GAP}{i}" for i in range(1, size))
    start = view.grammar.print(Row(seat, (1,))).removesuffix("1")
    last = [
        key._replace(line=f"{start}{parts} {key.card}", to="", word="legal") for key in keys.keys
    ]
    yield PadStep("row", f"#{size - 1}", pad._replace(keys=last), cells, less=True)


def _turn_steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    """Steps for another place than the one asked for first."""
    state, seat = view.state, keys.seat
    due = [place for owner, place in state.turning if owner == seat]
    for place in due[1:]:
        params = {"place": place}
        asking = turn_pad(view, seat, read(params))
        yield PadStep("place", place, asking, own_cells(view, asking, params))


def _count_steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    """Steps for the number of cards, whatever the rank: the counts for each choice of cards."""
    state, seat = view.state, keys.seat
    of = list[str]()
    effects = dict[str, tuple[int, int]]()
    for rank in (int(str(key.card)) for key in keys.keys if key.to):
        own = own_places(state, seat, rank)
        for taken in (some for n in range(len(own) + 1) for some in combinations(own, n)):
            sizes = sizes_of(state, seat, rank, taken)
            if sizes:
                of.append(f"{chosen(rank, taken).replace(' ', '')}.{sizes[0]}.{sizes[-1]}")
            for size in sizes:
                effect = lead_pick(view, Lay(seat, (rank,) * size, taken), drawn=False).effect
                least, most = effects.get(effect, (size, size))
                effects[effect] = min(least, size), max(most, size)
    if of:
        start = view.grammar.print(Lay(seat, (1,))).removesuffix("1")
        pick = LeadPick(0, f"{start}{GAP}t{GAP}w", "legal", "", "", [])
        pad = DaifugoPad(seat, "count", picks=[pick], rank=GAP, back=query(seat=seat))
        effects.pop("", None)
        yield PadStep("rank", " ".join(of), pad, effects=effects)


def _way_steps(view: DaifugoView, keys: DaifugoPad) -> Iterator[PadStep]:
    """Steps that take cards of the hand first, and steps that choose between pyramid cards."""
    seat = keys.seat
    by_hand = pad(view, seat, {"hand": "on"}) if keys.by_hand else keys._replace(keys=[])
    if keys.by_hand:
        own = [key for key in by_hand.keys if key.own and key.word == "legal"]
        yield PadStep("hand", "on", by_hand._replace(keys=own))
    for name, found in (("rank", keys.keys), ("hand", by_hand.keys)):
        for key in found:
            if key.to:
                which = pick_pad(view, seat, int(str(key.card)), read({name: str(key.card)}))
                yield PadStep(name, str(key.card), which)
