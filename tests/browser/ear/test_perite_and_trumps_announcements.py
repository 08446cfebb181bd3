"""What a screen reader says over a whole deal, word for word as in ``transcripts/``.

Live regions are listened to; an image speaks by its label, as in a reader. To write the files
anew: ``TRANSCRIPTS=write pytest tests/browser/ear/test_perite_and_trumps_announcements.py``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from introduced import TOKEN, introduced
from playwright.sync_api import Browser, Page
from serving import PHONE, Site, at

from referee.core.record import Header
from referee.games import GAMES
from referee.games.simulation import played

pytestmark = pytest.mark.browser

TRANSCRIPTS = Path(__file__).parent / "transcripts"
SEATS = {
    "ja": ("あかね", "源五郎", "北大路ロマネスク三世閣下"),
    "en": ("A", "B", "Old Tom Bombadil"),
}
LISTEN = """() => {
  window.heard = [];
  const speak = (node) => node.nodeType === Node.TEXT_NODE ? node.textContent
    : node.nodeType !== Node.ELEMENT_NODE || getComputedStyle(node).display === "none" ? ""
    : node.getAttribute("role") === "img" ? `${node.getAttribute("aria-label")} `
    : [...node.childNodes].map(speak).join("") +
      (node.matches("p,a,button,span:not(.eq)") ? " " : "");
  // not that an answer is awaited: whether it is announced depends on how fast this machine is
  const live = ":is([role=status],[role=alert],[aria-live]):not(.unsent-strip)";
  const say = (region) => {
    const words = region && speak(region).replace(/\\s+/g, " ").trim();
    if (words) window.heard.push(words);
  };
  new MutationObserver((changes) => {
    const regions = new Set();
    for (const change of changes) {
      regions.add(change.target.closest(live));
      for (const node of change.addedNodes) {
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        node.querySelectorAll(live).forEach((inner) => regions.add(inner));
      }
    }
    regions.forEach(say);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def opened(chromium: Browser, site: Site, language: str, match: str) -> Page:
    context = chromium.new_context(viewport=PHONE, service_workers="block")
    for name, value in (("phone", TOKEN), ("lang", language)):
        context.add_cookies([{"name": name, "value": value, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}/t/{match}")
    page.evaluate(LISTEN)
    return page


def play(page: Page, line: str, seq: int) -> None:
    """Send ``line`` as its key would, and wait for entry ``seq``."""
    page.evaluate(
        """line => {
          const key = document.createElement("button");
          Object.assign(key, { name: "line", value: line });
          document.querySelector("#play").append(key);
          key.click();
        }""",
        line,
    )
    at(page, seq)


@pytest.mark.parametrize(
    ("game", "language", "most"),
    [("perite", "ja", 17), ("perite", "en", 17), ("trumps", "ja", 200), ("trumps", "en", 30)],
)
def test_a_deal_is_announced_as_a_person_would_say_it(
    site: Site, chromium: Browser, game: str, language: str, most: int
) -> None:
    seats = SEATS[language]
    view = site.ledger.open(Header(game, seats), introduced(site.ledger.store))
    log = played(GAMES[game], seats, 4, lies=0.2, most=most)
    page, heard = opened(chromium, site, language, view.match), []
    for seq, entry in enumerate(log.entries, 1):
        if seq == 3 and game == "perite":
            page.locator(".key.off").first.click()
            page.locator(".strip.refused").wait_for()
        play(page, view.grammar.print(entry), seq)
    heard = page.evaluate("window.heard")
    file = TRANSCRIPTS / f"{game}.{language}.txt"
    if os.environ.get("TRANSCRIPTS") == "write":
        file.write_text("\n".join(heard) + "\n", encoding="utf-8")
    assert heard == file.read_text(encoding="utf-8").splitlines()


def test_a_seat_that_is_chosen_is_not_a_play(site: Site, chromium: Browser) -> None:
    view = site.ledger.open(
        Header("perite", ("あかね", "源五郎", "ほしの")), introduced(site.ledger.store)
    )
    site.ledger.declare(view.match, "table deal leader=あかね", 0, "key-000000")
    page = opened(chromium, site, "ja", view.match)
    page.get_by_role("link", name="ほしの").click()
    page.get_by_text("（手番ではない）").first.wait_for()
    page.get_by_role("link", name="あかね").click()
    page.locator(".need").wait_for()
    assert page.evaluate("window.heard") == [
        "ほしの（手番ではない）",
        "あかねの手番、どのカードでも",
    ]
