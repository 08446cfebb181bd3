"""Language and theme: cookies of one phone."""

import pytest
from reading_room import Room, one, words


def test_a_language_is_kept(room: Room) -> None:
    assert one(room.get("/settings"), "html")["lang"] == "ja"
    answer = room.post("/settings", 303, lang="en", theme="dark", next="/rules")
    assert answer.headers["Location"] == "/rules"
    for cookie in answer.headers.getlist("Set-Cookie"):
        assert "SameSite=Lax" in cookie
        assert "Max-Age=31536000" in cookie
    page = room.get("/rules")
    assert one(page, "html")["lang"] == "en"
    assert one(page, "html")["data-theme"] == "dark"


def test_what_is_chosen_is_marked(room: Room) -> None:
    room.post("/settings", 303, lang="ja", theme="light", text="150", turn="90", cue="sound")
    checked = one(room.get("/settings"), "form").select("input[checked]")
    assert [(field["name"], field["value"]) for field in checked] == [
        ("lang", "ja"),
        ("theme", "light"),
        ("text", "150"),
        ("turn", "90"),
        ("look", "auto"),
        ("suits", "auto"),
        ("cue", "sound"),
    ]


def test_the_table_page_knows_how_it_is_looked_at(room: Room) -> None:
    page = one(room.get("/"), "html")
    assert not {"data-turn", "data-look", "data-cue"} & set(page.attrs)
    room.post("/settings", 303, turn="180", look="big", cue="both")
    page = one(room.get("/"), "html")
    assert (page["data-turn"], page["data-look"], page["data-cue"]) == ("180", "big", "both")
    assert page.select("script[src*='cues.js']")


def test_auto_leaves_it_to_the_phone(room: Room) -> None:
    room.post("/settings", 303, lang="en", theme="dark")
    room.post("/settings", 303, lang="auto")
    page = room.get("/settings")
    assert one(page, "html")["lang"] == "ja"
    assert one(page, "html")["data-theme"] == "dark"
    assert one(page, "[name=lang][checked]")["value"] == "auto"


@pytest.mark.parametrize(
    "page",
    ["https://evil.example", "//evil.example", "/\\evil", "\\\\evil", "/\n/evil", "evil", ""],
)
def test_only_pages_of_this_app_come_next(room: Room, page: str) -> None:
    assert room.post("/settings", 303, lang="en", next=page).headers["Location"] == "/settings"
    field = one(room.soup(room.phone.get("/settings", query_string={"next": page})), "[name=next]")
    assert field["value"] == ""


@pytest.mark.parametrize("wish", [{"lang": "fr"}, {"theme": "<b>"}, {"lang": ""}, {"turn": "45"}])
def test_other_wishes_are_unreadable(room: Room, wish: dict[str, str]) -> None:
    room.post("/settings", 400, **wish)


def test_the_way_back(room: Room) -> None:
    page = room.get("/settings?next=/t/abc?x=1")
    assert one(page, ".top a")["href"] == "/t/abc?x=1"
    assert words(one(page, "button")) == "この設定にする"


def test_the_size_of_text_is_on_every_page(room: Room) -> None:
    room.revoke()
    for size in ("125", "150"):
        room.post("/settings", 303, text=size)
        for path in ("/", "/settings", "/history", f"/t/{room.match}", f"/t/{room.match}/score"):
            assert one(room.get(path), "html")["data-text"] == size
    room.post("/settings", 303, text="auto")
    assert "data-text" not in one(room.get("/"), "html").attrs
    room.post("/settings", 400, text="1000")
