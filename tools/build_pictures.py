"""``python tools/build_pictures.py [NAME …]``: what messengers show beside a link to a game.

Draws ``static/games/NAME/share.png`` for each game named, from its titles and its crest; with no
name those of all games and the app's own, ``static/pictures/app.png``. ``CHROMIUM`` in the
environment names the browser; `make pictures` installs what is needed.

The pictures are drawn here and not by the server, which may have no Japanese font. The text beside
a picture is in ``preview`` of ``templates/_macros.html``. Large previews show 1200 x 630 pixels
uncut.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from referee.games import GAMES
from referee.http.assets import parts_of, together
from referee.rulings import book

STATIC = Path(__file__).parent.parent / "static"
WIDTH, HEIGHT, COLOURS = 1200, 630, 64
STYLE = """
body{width:1200px;height:630px;overflow:hidden;background:var(--paper);font-size:16px}
.noren{height:250px;margin:0;border-width:12px}
.noren>*{padding-bottom:0}.noren .d{font-size:64px;margin:0}
main{display:grid;grid-template-columns:auto 1fr auto;align-items:center;gap:56px}
main{height:368px;padding:0 80px}
.ic.mon{width:230px;height:230px}
h1{font:600 92px/1.2 var(--mincho);letter-spacing:.02em;white-space:nowrap}
.app h1{font-size:150px;letter-spacing:.12em}
p{font:500 33px/1.5 var(--sans);color:var(--ink2);margin-top:12px}
.seal{width:132px;height:132px;font-size:50px;padding:10px;border-radius:8px}
.seal{box-shadow:inset 0 0 0 5px #B23418,inset 0 0 0 9px #FFF6EE}
.long h1{font-size:72px}
"""


def page_of(title: str, below: str, crest: str = "") -> str:
    """The picture as a page; ``crest``: the game whose crest is before the title."""
    noren = "".join(
        f'<span class="r{n}"><span class="d r{n}">{n}</span></span>' for n in range(1, 11)
    )
    sheet = together(STATIC, parts_of(STATIC)["pages.css"]).decode()
    mark = f'<i class="ic mon m-{crest}"></i>' if crest else "<span></span>"
    kind = "long" if len(title) > 6 else "" if crest else "app"
    return (
        f'<html lang="ja" data-theme="light"><style>{sheet}{STYLE}</style>'
        f'<body class="{kind}"><div class="noren">{noren}</div><main>{mark}'
        f'<div><h1>{title}</h1><p>{below}</p></div><span class="seal">札見\n之印</span></main>'
    )


def draw(page: Page, name: str, html: str) -> None:
    """Write the picture of ``html`` to the file ``name`` in ``static``, with a small palette."""
    page.set_content(html)
    with Image.open(io.BytesIO(page.screenshot())) as shot:
        few = shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(STATIC / name, optimize=True)


def main(names: list[str]) -> None:
    """Draw the pictures of the games ``names``; of all and of the app if there are none."""
    unknown = [name for name in names if name not in GAMES]
    if unknown:
        sys.exit(f"no such game: {', '.join(unknown)}; there are {', '.join(GAMES)}")
    with sync_playwright() as playwright:
        chromium = playwright.chromium
        browser = chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        if not names:
            about = "本物のカードで遊ぶゲームの審判。手札は見ません"
            draw(page, "pictures/app.png", page_of("札見", about))
        for name in names or GAMES:
            title = book(name).title
            html = page_of(title.ja, f"{title.en} — 札見", name)
            draw(page, f"games/{name}/share.png", html)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
