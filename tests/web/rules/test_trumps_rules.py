"""The source texts of Trumps are listed."""

from reading_room import Room, words

from referee.rulings import book


def test_the_source_texts_are_listed(room: Room) -> None:
    page = room.get("/rules/trumps")
    assert [words(each) for each in page.select("#sources + .texts dt")] == [
        "S000",
        "S001",
        "S002",
        "S003",
    ]
    assert page.select("#sources + .texts a")[0]["href"] == book("trumps").url
