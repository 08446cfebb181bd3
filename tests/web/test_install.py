"""What a phone needs to keep the app: manifest, icons, service worker, a page without network."""

from __future__ import annotations

import json
import re
import struct

from flask import Flask
from phones import Phone, one, soup


def test_the_manifest_names_icons_of_the_sizes_they_have(phone: Phone) -> None:
    page = soup(phone.get("/"))
    answer = phone.get(str(one(page, "link[rel=manifest]")["href"]))
    manifest = json.loads(answer.text)
    assert answer.mimetype == "application/manifest+json"
    assert (manifest["start_url"], manifest["display"], manifest["lang"]) == (
        "/",
        "standalone",
        "ja",
    )
    assert "maskable" in {icon["purpose"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        with phone.get(icon["src"]) as file:
            assert file.mimetype == icon["type"]
            if icon["type"] == "image/png":
                size = struct.unpack(">II", file.get_data()[16:24])
                assert icon["sizes"] == f"{size[0]}x{size[1]}"


def test_the_worker_keeps_files_and_pages_that_exist(phone: Phone) -> None:
    answer = phone.get("/sw.js")
    assert answer.headers["Cache-Control"] == "no-cache"
    for name in ("FILES", "PAGES"):
        found = re.search(rf"{name} = (\[.*?\])", answer.text)
        assert found
        for address in json.loads(found[1]):
            with phone.get(address) as kept:
                assert kept.status_code == 200, address


def test_the_worker_changes_when_a_file_that_it_keeps_changes(app: Flask, phone: Phone) -> None:
    before = phone.get("/sw.js").text
    assert phone.get("/sw.js").text == before
    asset = app.extensions["asset"]
    app.extensions["asset"] = lambda name: asset(name) + "0"
    assert phone.get("/sw.js").text != before


def test_the_page_without_network_speaks_english_too(phone: Phone) -> None:
    assert "オフラインです" in phone.get("/offline").text
    phone.client.set_cookie("lang", "en")
    assert "Offline" in phone.get("/offline").text
