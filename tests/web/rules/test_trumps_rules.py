"""The source texts of Trumps are listed, its own first, and every citation leads to its text."""

from reading_room import Room, words

from referee.rulings import book


def test_the_source_texts_are_listed(room: Room) -> None:
    page = room.get("/rules/trumps")
    assert [words(each) for each in page.select("#sources + .texts dt")] == [
        "[1]",
        "[2]",
        "[3]",
        "[4]",
    ]
    assert page.select("#sources + .texts a")[0]["href"] == book("trumps").url


def test_a_citation_is_a_link_to_the_source_text_on_the_page(room: Room) -> None:
    page = room.get("/rules/trumps")
    cited = page.select(".src a")
    assert cited
    for link in cited:
        number = words(link).partition(" ")[0]
        [listed] = page.select(f"dt{link['href']}")
        assert words(listed) == number
    assert words(cited[0]).startswith("[1] ")
    assert "S00" not in page.get_text()


def test_a_rule_that_a_search_has_found_cites_its_own_page(room: Room) -> None:
    [link, *_more] = room.get("/rules?q=follow.1").select(".src a")
    page, _, part = str(link["href"]).partition("#")
    assert page.startswith("/rules/")
    assert room.get(page).select(f"dt#{part}")
