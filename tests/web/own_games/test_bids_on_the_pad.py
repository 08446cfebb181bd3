"""The keys of bids in games of files."""

from __future__ import annotations

from kit_deals import GAMES, game_of
from phones import Phone, one, soup

from referee.kit.game import KitGame

SEATS = ("Ben", "Cat", "Eve", "Dan")
ENGLISH = {"Accept-Language": "en"}


def opened(phone: Phone, game: KitGame, *lines: str) -> None:
    store = phone.client.application.extensions["ledger"].store
    store.game_files.register((game.hash, game.KEY, game.text), "")
    phone.headers = ENGLISH
    phone.opens(game.NAME, SEATS, "Ben")
    phone.match = phone.match.partition("?")[0]  # the address may ask for the card turned up
    for line in lines:
        phone.lays(line)


def test_bids_of_two_seats_with_one_tap_are_there_for_those_who_ask(phone: Phone) -> None:
    """With small hands a key recorded two bids, and a stranger took it for one."""
    opened(phone, GAMES["oh_hell"], "table deal leader=Ben turn=H5")
    page = phone.page()
    assert page.select("#play [value='Ben bid 0']")
    assert not page.select(".twobids")
    query = str(one(page, "a.joint")["href"]).partition("?")[2]
    asked = soup(phone.get(f"/t/{phone.match}?{query}"))
    assert [key for key in asked.select(".twobids button") if "\n" in str(key["value"])]


def test_the_highest_bidder_leads_so_the_first_to_bid_is_not_said_to(phone: Phone) -> None:
    """The strip said "Ben leads", and another player led."""
    opened(phone, game_of("nine_tricks"))
    assert "Ben bids first" in phone.page().get_text()
    assert "Ben leads" not in phone.page().get_text()


def test_in_an_auction_the_bids_that_are_allowed_come_first(phone: Phone) -> None:
    game = game_of("nine_tricks")
    opened(phone, game)
    keys = phone.page().select("#play [name=line]")
    bids = [str(key["value"]).split()[-1] for key in keys]
    phone.lays(f"Ben bid {bids[len(bids) // 2]}")

    off = ["off" in key["class"] for key in phone.page().select("#play [name=line]")]
    assert any(off)
    assert off == sorted(off)


def test_a_barred_bid_is_the_last_key(phone: Phone) -> None:
    deal = ("table deal leader=Ben turn=H5", "Ben bid 0", "Cat bid 0", "Eve bid 0")
    opened(phone, GAMES["oh_hell"], *deal)
    off = ["off" in key["class"] for key in phone.page().select("#play [name=line]")]
    assert off.count(True) == 1
    assert off[-1]


def test_of_several_bids_with_one_tap_undo_takes_back_the_last_alone(phone: Phone) -> None:
    """The grid then begins with the seat whose bid is due."""
    opened(phone, GAMES["oh_hell"], "table deal leader=Ben turn=H5")
    phone.lays("Ben bid 0\nCat bid 0\nEve bid 0")
    phone.undoes()
    assert phone.log()[-2:] == ["Eve bid 0", "table rewind 3"]
    asked = soup(phone.get(f"/t/{phone.match}?pad=together"))
    said = [str(key["value"]) for key in asked.select("#play [name=line]")]
    assert said
    assert {line.split()[0] for line in said} == {"Eve"}


def test_a_claim_of_the_rest_is_undone_alone_and_offered_to_each_seat(phone: Phone) -> None:
    opened(phone, GAMES["whist"], "table deal leader=Ben turn=H5", "Ben lay S2")
    rest = soup(phone.get(f"/t/{phone.match}/rest"))
    assert [seat.get_text() for seat in rest.select(".chips .chip")] == list(SEATS)
    phone.lays("Cat rest")
    phone.undoes()
    assert phone.log()[-3:] == ["Ben lay S2", "Cat rest", "table rewind 2"]
    assert not soup(phone.get(f"/t/{phone.match}/rest")).select("[value^='Ben grant']")
