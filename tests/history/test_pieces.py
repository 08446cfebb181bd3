"""Files in pieces for links and QR codes."""

from __future__ import annotations

from random import Random

import pytest

from referee.history.pieces import DamagedPieces, cut, gather

FILE = Random(1).randbytes(1_000)


@pytest.mark.parametrize("size", [1, 2, 3, 100, 1_333, 1_334, 5_000])
def test_pieces_in_any_order_and_twice_come_to_the_file(size: int) -> None:
    content = FILE[:60] if size < 100 else FILE
    pieces = cut(content, size)
    Random(2).shuffle(pieces)
    assert gather([*pieces, pieces[0]]).content == content


def test_it_says_which_are_missing() -> None:
    pieces = cut(FILE, 300)
    found = gather([pieces[3], pieces[1]])
    assert (found.of, found.missing, found.content) == (5, [1, 3, 5], b"")


def test_pieces_of_another_file_stand_aside() -> None:
    other = cut(FILE[1:], 300)
    assert gather([*other, *cut(FILE, 300)]).content == FILE
    assert gather([*cut(FILE, 300), other[0]]).missing == [2, 3, 4, 5]


@pytest.mark.parametrize("text", ["", "hello", "0123456789ab.1.1.", "0123456789ab.1.1.AA AA"])
def test_what_is_no_piece_is_refused(text: str) -> None:
    with pytest.raises(DamagedPieces):
        gather([text])


def test_a_changed_letter_and_numbers_out_of_range_are_refused() -> None:
    [piece] = cut(FILE, 5_000)
    with pytest.raises(DamagedPieces):
        gather([piece[:-5] + ("A" if piece[-5] != "A" else "B") + piece[-4:]])
    with pytest.raises(DamagedPieces):
        gather([piece[:-3]])
    name = piece.partition(".")[0]
    assert gather([f"{name}.7.2.AAAA"]).missing == [1, 2]
    with pytest.raises(DamagedPieces):
        gather([f"{name}.1.0.AAAA"])
