"""What a phone says aloud over a deal, word for word as in ``transcripts/aloud.*.txt``.

A double of the browser's speech writes down what it is asked to say; ``✂``: it was cut off. To
write the files anew: ``TRANSCRIPTS=write pytest tests/browser/ear/test_perite_read_aloud.py``.
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
LATEST_MS = 400
DOUBLE = """language => {
  const voice = { name: "Double", lang: `${language}-XX`, localService: true, default: true };
  window.spoken = [];
  window.late = [];
  let now = null;
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => language ? [voice] : [],
    addEventListener() {},
    speak(line) {
      const answer = performance.getEntriesByType("resource")
        .findLast(({ name }) => /play|undo/.test(name));
      window.late.push(performance.now() - answer.responseEnd);
      window.spoken.push(line.text);
      now = line;
    },
    cancel() { if (now) window.spoken[window.spoken.length - 1] += " ✂"; now = null; },
  } });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  window.finish = () => { while (now) { const line = now; now = null; line.onend(); } };
}"""


def opened(chromium: Browser, site: Site, language: str, match: str, voice: str) -> Page:
    context = chromium.new_context(viewport=PHONE, service_workers="block")
    chosen = {"phone": TOKEN, "lang": language, "voice": "on-foul-refused-trick-points-turn"}
    for name, value in chosen.items():
        context.add_cookies([{"name": name, "value": value, "url": site.url}])
    page = context.new_page()
    page.add_init_script(f"({DOUBLE})({voice!r})")
    page.goto(f"{site.url}/t/{match}")
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


@pytest.mark.parametrize("language", ["ja", "en"])
def test_a_deal_is_read_aloud(site: Site, chromium: Browser, language: str) -> None:
    """A refusal; at the first trick's end an undo while it is being read, and a redo;
    then the voice is quicker than the players.
    """
    seats = SEATS[language]
    view = site.ledger.open(Header("perite", seats), introduced(site.ledger.store))
    log = played(GAMES["perite"], seats, 4, lies=0.2, most=16)
    page, seq = opened(chromium, site, language, view.match, language), 0
    for entry in log.entries:
        if seq == 2:
            page.locator(".key.off").first.click()
            page.locator(".strip.refused .reading").wait_for()
            page.evaluate("finish()")
        seq += 1
        play(page, view.grammar.print(entry), seq)
        if seq == 4:
            assert page.locator(".strip p.reading").count() == 1
            page.locator("#undo button").click()
            at(page, seq + 1)
            page.get_by_role("button", name={"ja": "やり直す", "en": "Redo"}[language]).click()
            seq += 2
            at(page, seq)
        page.evaluate("finish()")
    heard = page.evaluate("spoken")
    file = TRANSCRIPTS / f"aloud.{language}.txt"
    if os.environ.get("TRANSCRIPTS") == "write":
        file.write_text("\n".join(heard) + "\n", encoding="utf-8")
    assert heard == file.read_text(encoding="utf-8").splitlines()
    assert max(page.evaluate("late")) <= LATEST_MS
    page.locator(".voice-on").click()
    page.locator("#undo button").click()
    at(page, seq + 1)
    assert page.evaluate("spoken") == heard  # it was silenced


def test_a_phone_without_a_voice_says_so_and_stays_silent(site: Site, chromium: Browser) -> None:
    view = site.ledger.open(Header("perite", SEATS["ja"]), introduced(site.ledger.store))
    page = opened(chromium, site, "ja", view.match, "")
    play(page, "table deal leader=あかね", 1)
    assert page.evaluate("spoken") == []
    key = page.locator(".voice-on.mute")
    assert "日本語の声がない" in (key.get_attribute("aria-label") or "")
    key.click()
    page.get_by_text("このスマホには日本語の声がありません").wait_for()
