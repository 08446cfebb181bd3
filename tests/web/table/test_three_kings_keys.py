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


def test_a_card_of_the_table_is_heard_once(phone: Phone) -> None:
    """Its corner is drawn and not said: two cards are no four."""
    phone.opens("three_kings", ("A", "B"))
    phone.match = phone.match.partition("?")[0]
    phone.lays("table deal dealer=A tableau=2,3,5,7")
    [cards] = phone.page().select(".tableau[role=group][aria-label]")
    for corner in cards.select("[aria-hidden=true]"):
        corner.decompose()
    assert [card.get_text() for card in cards.select(".card")] == ["2", "3", "5", "7"]
