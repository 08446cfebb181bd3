"""Games of files on their pages: a table is opened, played by its keys, and read again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from bs4 import BeautifulSoup
from phones import Phone, one, soup

from referee.core.log import Log
from referee.kit import shipped
from referee.kit.families.trick_taking.player import entries
from referee.kit.game import KitGame
from referee.kit.load import load
from referee.screens import screen
from referee.web.own_games import trial

OTHERS = Path(__file__).parents[2] / "games" / "kit" / "files"
FILES = sorted(
    file
    for file in (*shipped.FOLDER.glob("*.toml"), *OTHERS.glob("*.toml"))
    if "trick_taking" in file.read_text(encoding="utf-8")
)

NAMES = ("あかね", "Ben", "C", "D")
KEYS = "#play button[name=line]"


def registered(phone: Phone, file: Path) -> KitGame:
    game = load(file.read_bytes())
    store = phone.client.application.extensions["ledger"].store
    store.game_files.register((game.hash, game.KEY, game.text), "")
    return game


def opened(phone: Phone, file: Path) -> KitGame:
    game = registered(phone, file)
    phone.opens(game.NAME, NAMES if 4 in game.SEATS else NAMES[:3], NAMES[0])
    phone.match = phone.match.partition("?")[0]  # the page asks for the turn-up
    return game


def offered(page: BeautifulSoup, dealing: bool) -> list[str]:
    """The lines of the keys that are plain; all keys of a card that is turned up."""
    keys = [key for key in page.select(KEYS) if "off" not in (key.get("class") or [])]
    plain = [key for key in keys if "dot" not in (key.get("class") or [])]
    return [str(key["value"]) for key in plain or keys]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_played_by_the_keys_of_its_page(phone: Phone, file: Path) -> None:
    game, rng = opened(phone, file), Random(1)
    for _turn in range(40):
        page = phone.page(f"?leader={NAMES[0]}")
        if not page.select(KEYS):
            break
        answer = phone.lays(rng.choice(offered(page, False)))
        assert answer.status_code in (200, 303)
    log = phone.log()
    assert len(log) > 30, log
    parts = ["log", "e/2", "e/3", "correct/2", "what-if/3", "score", "rules", "record.txt", "menu"]
    for part in [*parts, "stop", f"show/{NAMES[1]}"]:
        assert phone.get(f"/t/{phone.match}/{part}").status_code == 200, part
    for path in ("/", "/history", "/settings"):
        assert phone.get(path).status_code == 200, path
    assert phone.get(f"/rules/{game.NAME}").status_code == 200


def test_whoever_does_not_follow_says_so_with_one_tap_and_is_found_out(phone: Phone) -> None:
    opened(phone, shipped.FOLDER / "whist.toml")
    dealt = phone.page("?leader=あかね")
    assert len(dealt.select(KEYS)) == 52
    phone.lays("table deal leader=あかね turn=H5")
    assert "リードはあかね　表のカード ♥5" in one(phone.page(), ".strip p").get_text()
    phone.lays("あかね lay S10")
    page = phone.page()
    looks = {str(key["value"]): key.get("class") for key in page.select(KEYS)}
    assert looks["Ben lay S2"] == ["ck"]
    assert looks["Ben lay D3"] == ["ck", "dot"]
    assert "Ben lay S10" not in looks
    assert one(page, ".sr.led > i").get_text() == "♠"
    phone.lays("Ben lay D3")
    said = soup(phone.get(f"/t/{phone.match}/e/3")).get_text()
    assert "♠" in said
    assert "S2" not in said
    phone.lays("C lay S4", "D lay S5", "あかね lay D4", "Ben lay S3")
    found = soup(phone.get(f"/t/{phone.match}/score")).get_text()
    assert re.search("反則", found)


def test_nobody_is_due_while_only_a_card_says_who_leads(phone: Phone) -> None:
    """The table asks who has it, and so does the start page."""
    opened(phone, shipped.FOLDER / "hearts.toml")
    phone.lays("table deal")
    assert [step.get_text() for step in phone.page().select(".deal-steps li")] == [
        "3枚を裏向きで左どなりへ渡す"
    ]
    phone.lays("table passed")
    page = phone.page()
    assert one(page, "#table h1").get_text(strip=True) == "♣2を持つ人は？"
    assert not page.select(".need, .seat.turn, .seat.chosen")
    assert [key.get_text() for key in page.select(KEYS)] == list(NAMES)
    assert {key["data-label"] for key in page.select(KEYS)} == {"♣2"}  # what waits for the network
    assert "♣2を持つ人は？" in one(soup(phone.get("/")), ".rows .row").get_text()
    phone.lays("C lay C2")
    assert one(phone.page(), "#table h1").get_text(strip=True) == "Dの手番"
    assert "Dの手番" in one(soup(phone.get("/")), ".rows .row").get_text()


def test_a_bid_that_is_not_allowed_is_refused_with_its_rule(phone: Phone) -> None:
    opened(phone, shipped.FOLDER / "oh_hell.toml")
    phone.lays("table deal leader=Ben turn=S2", "Ben bid 0", "C bid 0", "D bid 0")
    refused = soup(phone.lays("あかね bid 1"))
    assert "全員の合計が手札の枚数になるビッドはできない" in one(refused, ".refused p").get_text()


def test_no_trump_is_refused_in_words_where_a_suit_has_to_be_named(phone: Phone) -> None:
    opened(phone, shipped.FOLDER / "magi.toml")
    phone.lays("table deal leader=Ben turn=W")
    assert "切り札なしにはできません" in phone.lays("あかね trump none").text


def test_the_suit_that_is_opened_is_the_one_asked_for_not_that_of_the_card_led(
    phone: Phone,
) -> None:
    opened(phone, OTHERS.with_name("written") / "euchre.toml")
    phone.lays("table deal leader=あかね", "D trump S", "あかね lay CJ")
    assert one(phone.page(), ".sr.led > i").get_text() == "♠"


def test_a_try_has_the_pad_of_the_table_and_keeps_all_in_its_address(phone: Phone) -> None:
    game = opened(phone, shipped.FOLDER / "whist.toml")
    first = f"/own-games/{game.NAME}/try"
    before = len(phone.client.application.extensions["ledger"].store.matches())
    assert [str(a["href"]) for a in soup(phone.get(first)).select("#play a.btn")] == [
        f"?leader={seat}" for seat in "ABCD"
    ]
    address = first

    def lays(line: str) -> BeautifulSoup:
        nonlocal address
        page = soup(phone.get(f"{address}?leader=A"))
        assert line in {key["value"] for key in page.select(KEYS)}, line
        fields = {str(field["name"]): str(field["value"]) for field in page.select("#play input")}
        answer = phone.post(one(page, "#play")["action"], {**fields, "line": line})
        if answer.status_code == 303:
            address = answer.location
            return soup(phone.get(address))
        return soup(answer)

    lays("table deal leader=A turn=H5")
    page = lays("A lay S10")
    looks = {str(key["value"]): key.get("class") for key in page.select(KEYS)}
    assert looks["B lay S2"] == ["ck"]
    assert looks["B lay D3"] == ["ck", "dot"]
    lays("B lay D3")
    kept = address
    for line in ("C lay S4", "D lay S5", "A lay D4"):
        lays(line)
    page = lays("B lay S3")
    assert "S3" in one(page, ".trial .warn").get_text() or "♠" in one(page, ".trial").get_text()
    assert page.select(".trial .tried .mk.no, .trial .warn")
    assert str(one(page, "#undo")["action"]) != address
    assert "A lay D4" not in soup(phone.get(kept)).get_text()
    chance = phone.post(first, {"do": "chance"})
    assert chance.status_code == 303
    assert "table deal" in soup(phone.get(chance.location)).get_text()
    for bad in ("%00", "AAAA", "eJxLzi0ByUIFAA4BA-M=", "x" * 3000):
        assert phone.get(f"{first}/{bad}").status_code == 404
    assert len(phone.client.application.extensions["ledger"].store.matches()) == before


def test_a_file_that_is_not_registered_is_tried_on_the_pad_and_nothing_is_stored(
    phone: Phone,
) -> None:
    source = (OTHERS.with_name("written") / "bottle.toml").read_text(encoding="utf-8")
    answer = phone.post("/own-games", {"text": source, "do": "try"})
    assert answer.status_code == 303
    address = answer.location
    page = soup(phone.get(address))
    assert one(page, ".trial input[name=text]")["value"] == source
    for line in ("table deal leader=A", "A lay Y5", "B lay R21"):
        page = soup(phone.get(f"{address}?leader=A"))
        fields = {str(field["name"]): str(field["value"]) for field in page.select("#play input")}
        address = phone.post(one(page, "#play")["action"], {**fields, "line": line}).location
    assert "B lay R21" in soup(phone.get(address)).get_text()
    faulty = trial.packed(source.replace("hand =", "hnd =").split("\n"))
    for bad in (faulty, "AAAA", "x" * 5000):
        assert phone.get(f"/own-games/try/{bad}").status_code == 404


def test_a_try_that_is_full_stays_as_it_is(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    game = opened(phone, shipped.FOLDER / "whist.toml")
    monkeypatch.setattr(trial, "LINES", 3)
    address, seen = f"/own-games/{game.NAME}/try", list[str]()
    for _ in range(3):
        address = phone.post(address, {"do": "chance"}).location
        assert phone.get(address).status_code == 200
        seen.append(address)
    assert seen[1] == seen[2]
    page = soup(phone.get(seen[1]))
    assert "3" in one(page, ".trial .warn").get_text()
    assert not page.select(".trial [value=chance]")
    assert page.select(".trial a.btn")[0]["href"] == f"/own-games/{game.NAME}/try"
    assert not soup(phone.get(seen[0])).select(".trial .warn")
    assert len(trial.unpacked(address.rpartition("/")[2])) == 3


@pytest.mark.parametrize("line", ["table rewind 0", "table stop"])
def test_a_try_takes_nothing_but_plays(phone: Phone, line: str) -> None:
    game = opened(phone, shipped.FOLDER / "hearts.toml")
    address = f"/own-games/{game.NAME}/try"
    first = phone.post(address, {"do": "chance"}).location
    assert phone.post(first, {"line": line, "seen": "1", "key": "k"}).status_code == 400
    lines = trial.unpacked(first.rpartition("/")[2])
    assert phone.get(f"{address}/{trial.packed([*lines, line])}").status_code == 404


def test_a_deal_is_entered_as_its_sheet_by_taps(phone: Phone) -> None:
    game = registered(phone, shipped.FOLDER / "spades.toml")
    asked = {"game": game.NAME, "name": list(NAMES), "leader": NAMES[0], "scores": "1"}
    address = phone.post("/new", asked).location
    phone.match = address.split("/")[2]
    for tap in ("3", "4", "nil", "0", "5", "5", "4", "4"):
        page = soup(phone.get(address))
        key = one(page, f".keys a#k{tap}")
        address = f"/t/{phone.match}/sheet{key['href']}"
    page = soup(phone.get(address))
    fields = {str(field["name"]): str(field["value"]) for field in page.select("#play input")}
    fields["line"] = str(one(page, "#play button[name=line]")["value"])
    answer = phone.post(f"/t/{phone.match}/sheet/play", fields)
    assert answer.status_code == 303
    # the first and third bid 8 and took 9; the second bid nil and took none, the fourth 4 of 4
    view = phone.client.application.extensions["ledger"].view(phone.match)
    assert list(view.state.score.totals.values()) == [81, 140, 81, 140]


def test_versions_of_a_game_are_one_in_the_numbers_of_a_person(phone: Phone) -> None:
    text = (shipped.FOLDER / "zimbabwe.toml").read_text(encoding="utf-8")
    for source in (text, text.replace('version = "1"', 'version = "2"')):
        game = load(source.encode())
        phone.post("/own-games", {"text": source, "do": "register"})
        phone.opens(game.NAME, NAMES[:3], NAMES[0])
        phone.match = phone.match.partition("?")[0]
        view = phone.client.application.extensions["ledger"].view(phone.match)
        ledger, dealt = phone.client.application.extensions["ledger"], list(view.log.entries)
        seen, log = len(dealt), Log(game, view.log.table)
        for seed in range(100):  # until the deal is the one with which the table was opened
            log = Log(game, view.log.table)
            chosen = entries(log, Random(seed), 0, 0)
            log.push(next(chosen))
            if list(log.entries) == dealt:
                break
        for entry in chosen:
            log.push(entry)
        for number, entry in enumerate(log.entries[seen:], seen):
            line = view.grammar.print(entry)
            ledger.declare(phone.match, line, number, f"key {phone.match} {number}")
        assert ledger.view(phone.match).outcome
    phone.get("/history/people")  # they are counted
    person = soup(phone.get("/history/person/1"))
    for gap in person.select("wbr"):
        gap.decompose()
    person.smooth()
    rows = [row.get_text(" ", strip=True) for row in person.select("tr:has(th[scope=row])")]
    lines = [row for row in rows if row.startswith("ジンバブエトリック")]
    assert [line for line in lines if line.startswith("ジンバブエトリック 3人")] == lines[:1]
    assert lines[0].startswith("ジンバブエトリック 3人・得点 2 ")
    assert len(lines) <= 2  # and in how many of the two it was declared what a hand holds
    versions = soup(phone.get(f"/own-games/{game.NAME}"))
    assert (
        len([row for row in versions.select("ul.rows a.row") if "1ゲーム" in row.get_text()]) == 2
    )


def test_a_long_file_is_tried_by_a_random_deal_though_it_packs_well(phone: Phone) -> None:
    source = (OTHERS.with_name("written") / "bottle.toml").read_text(encoding="utf-8")
    source += "# again\n" * (trial.LONGEST // 8)
    assert len(trial.packed(source.split("\n"))) < trial.IN_ADDRESS
    answer = phone.post("/own-games", {"text": source, "do": "try"})
    assert answer.status_code == 200
    assert one(soup(answer), "#tried")


PARTNERS = """kit = 1
family = "trick_taking"
key = "partners"
title = { ja = "組", en = "Partners" }
seats = { count = 4, teams = "opposite" }
deck = { ranks = "1..8", suits.R = { ja = "赤", en = "red" } }
deal = { hand = 2 }
play = { follow = ["suit led"] }
trick = { best = ["suit led"] }
score.made = { per = "deal", to = "team", points = "team(tricks)" }
match = { deals = 1, winner = "most" }
"""


@pytest.mark.parametrize(
    ("cards", "language", "head", "row"),
    [
        ("8 1 2 3 7 4 5 6", "ja", "あかね・Cのチームの勝ち", "あかね・Cのチームの勝ち"),
        ("8 1 2 3 7 4 5 6", "en", "あかね and C win", "あかね and C win"),
        ("7 1 2 3 4 8 5 6", "ja", "4人の同点優勝", "あかね・Ben・C・Dの同点優勝"),
    ],
)
def test_a_team_that_wins_shares_its_win_with_nobody(
    phone: Phone, cards: str, language: str, head: str, row: str
) -> None:
    game = load(PARTNERS.encode())
    store = phone.client.application.extensions["ledger"].store
    store.game_files.register((game.hash, game.KEY, game.text), "")
    phone.opens(game.NAME, NAMES, NAMES[0])
    for number, card in enumerate(cards.split()):
        phone.lays(f"{NAMES[number % 4]} lay R{card}")
    phone.headers = {"Accept-Language": language}
    assert one(phone.page(), "title").get_text().startswith(f"{head} — ")
    assert one(soup(phone.get(f"/t/{phone.match}/score")), "h1").get_text() == head
    for address in ("/", "/history"):
        assert row in soup(phone.get(address)).get_text()


def test_a_long_file_is_tried_to_the_entry_after_which_no_bid_is_allowed(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    whist = (shipped.FOLDER / "whist.toml").read_text(encoding="utf-8")
    bids = '[bid]\nvalues = "0..1"\nforbid = "trump is S and last and bids > 1"\n\n[play]'
    source = whist.replace("[play]", bids) + "# long\n" * (trial.LONGEST // 7)
    given: list[object] = []

    def counted(*asked: object) -> Iterator[object]:
        for entry in entries(*asked):  # type: ignore[arg-type]
            given.append(entry)
            assert len(given) <= trial.MOST, "the trial does not end"
            yield entry

    monkeypatch.setattr(trial, "player", lambda room: counted)
    short = 0
    for seed in range(12):
        given.clear()
        monkeypatch.setattr(trial, "Random", lambda seed=seed: Random(seed))
        assert phone.post("/own-games", {"text": source, "do": "try"}).status_code == 200
        short += len(given) < 12
    assert 0 < short < 12


def test_the_page_says_which_trump_suit_a_card_makes_and_asks_who_may_name_it(
    phone: Phone,
) -> None:
    opened(phone, OTHERS.with_name("written") / "zeroes.toml")
    ann, ben, cleo, _ = NAMES
    lines = [f"table deal leader={ann}", *(f"{name} bid 1" for name in NAMES)]
    for line in [*lines, f"{ann} lay B3"]:
        phone.lays(line)
    assert phone.page().select_one(".midrow").get_text().startswith("切り札 A")
    phone.lays(f"{ben} lay B0")
    page = phone.page()
    assert page.select_one(".midrow").get_text().startswith("切り札 B")
    assert "切り札 B" in one(page, ".strip").get_text(" ")
    phone.lays(f"{cleo} lay J")
    keys = [str(key["value"]) for key in phone.page().select(KEYS)]
    assert keys == [f"{cleo} trump {suit}" for suit in "ABYM"]
    phone.lays(f"{cleo} trump Y")
    assert phone.page().select_one(".midrow").get_text().startswith("切り札 Y")
    assert "切り札 Y" in phone.page("/log").get_text(" ")


def test_a_random_trick_includes_the_suits_that_its_cards_let_players_name() -> None:
    text = (
        (OTHERS.with_name("written") / "zeroes.toml").read_text("utf-8").partition("[[example]]")[0]
    )
    text = text.replace('"rank 0",', '{ cards = "rank 0..9 or card J", suit = "named" },')
    game = load(text.encode())
    lines = [f"table deal leader={trial.seats_of(game)[0]}"]
    lines += [f"{seat} bid 1" for seat in trial.seats_of(game)]
    more = trial.by_chance(trial.view(game, lines))
    assert [line.split()[1] for line in more] == ["lay", "trump"] * len(trial.seats_of(game))


def test_the_list_of_entries_names_the_cards_of_a_hand_that_was_shown(phone: Phone) -> None:
    game = opened(phone, shipped.FOLDER / "whist.toml")
    turned_up = phone.page(f"?leader={NAMES[0]}").select(KEYS)[0]
    phone.lays(str(turned_up["value"]))
    cards = [str(key["value"]).split()[-1] for key in phone.page().select(KEYS)][13:26]
    assert phone.lays(f"{NAMES[0]} show {' '.join(cards)}").status_code == 303
    said = one(phone.page("/log"), "main").get_text(" ", strip=True)
    assert "手札を公開" in said
    assert all(screen(game.NAME).named(card) in said for card in cards)
