"""Keys of Three Kings that lead to a question."""

from __future__ import annotations

from phones import Phone


def test_a_number_that_no_set_and_no_discard_allows_is_off(phone: Phone) -> None:
    phone.opens("three_kings", ("A", "B"))
    phone.match = phone.match.partition("?")[0]
    phone.lays("table deal dealer=A tableau=2,3,5,7")  # a 5 takes 2 and 3, or 2 and 7
    for seat, off in (("B", False), ("A", True)):
        [key] = phone.page(f"?seat={seat}").select("#k5")
        assert key.name == "a", "two sets: the table has to say which"
        assert ("off" in key["class"]) == off
