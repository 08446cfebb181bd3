"""Phones of their own, with roles at a table."""

from __future__ import annotations

import secrets

from playwright.sync_api import Browser, Page
from serving import PHONE, Site

from referee.http.invites import digest
from referee.store import Doors


class Guest:
    """A phone of its own, with its role at a table."""

    def __init__(
        self, site: Site, chromium: Browser, match: str, lang: str = "ja", theme: str = ""
    ) -> None:
        self.site, self.match, self.token = site, match, secrets.token_urlsafe(16)
        self.doors = Doors(site.ledger.store)
        self.doors.greet(digest(self.token))
        context = chromium.new_context(
            viewport=PHONE, locale="ja-JP", has_touch=True, service_workers="block"
        )
        for name, value in (("phone", self.token), ("lang", lang), ("theme", theme)):
            if value:
                context.add_cookies([{"name": name, "value": value, "url": site.url}])
        self.page = context.new_page()

    def is_now(self, role: str, place: int = 0) -> None:
        self.doors.seat(self.match, digest(self.token), role, place)

    def removed(self) -> None:
        self.doors.leave(self.match, digest(self.token))
        for listener in self.site.ledger.departures:
            listener()

    def looks(self) -> Page:
        self.page.goto(f"{self.site.url}/t/{self.match}")
        return self.page

    def offline(self, is_it: bool) -> None:
        self.page.context.set_offline(is_it)
        if is_it:  # otherwise the next tap may be tried once
            self.page.wait_for_function("() => document.documentElement.dataset.net === 'off'")
