"""Makes what messengers show beside a link: static/pictures/app.png and static/games/*/share.png.

    pip install pillow playwright && python tools/build_pictures.py CHROMIUM

They are drawn here and not by the server, which may have no Japanese font; what a link is about
stands in its words (``templates/_og.html``). 1200 x 630 is what the large previews show uncut.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from referee.games import GAMES
from referee.rulings import book
from referee.web.http.assets import together

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "static"
SIZE, COLOURS = (1200, 630), 64
SHEETS = ("css/tokens.css", "css/glyphs.css", "css/components.css")
STYLE = """
body{width:1200px;height:630px;overflow:hidden;background:var(--paper);font-size:16px}
.noren{height:250px;margin:0;border-width:12px}
.noren>*{padding-bottom:0}.noren .d{font-size:64px;margin:0}
main{display:grid;grid-template-columns:auto 1fr auto;align-items:center;gap:56px}
main{height:368px;padding:0 80px}
.mon{width:230px;height:230px}
h1{font:600 92px/1.2 var(--mincho);letter-spacing:.02em;white-space:nowrap}
.app h1{font-size:150px;letter-spacing:.12em}
p{font:500 33px/1.5 var(--sans);color:var(--ink2);margin-top:12px}
.seal{width:132px;height:132px;font-size:50px;padding:10px;border-radius:8px}
.seal{box-shadow:inset 0 0 0 5px #B23418,inset 0 0 0 9px #FFF6EE}
.long h1{font-size:72px}
"""


def page_of(title: str, below: str, crest: str) -> str:
    """The picture as a page."""
    noren = "".join(
        f'<span class="r{n}"><span class="d r{n}">{n}</span></span>' for n in range(1, 11)
    )
    sheets = together(ROOT / "static", SHEETS).decode()
    mark = f'<i class="ic mon m-{crest}"></i>' if crest else ""
    kind = "long" if len(title) > 6 else "" if crest else "app"
    return (
        f'<html lang="ja" data-theme="light"><style>{sheets}{STYLE}</style><body class="{kind}">'
        f'<div class="noren">{noren}</div><main>{mark or "<span></span>"}'
        f'<div><h1>{title}</h1><p>{below}</p></div><span class="seal">札見\n之印</span></main>'
    )


def draw(page: Page, name: str, html: str) -> None:
    """Write the picture of ``html``, in as few colours as it has."""
    page.set_content(html)
    with Image.open(io.BytesIO(page.screenshot())) as shot:
        few = shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(STATIC / name, optimize=True)


if __name__ == "__main__":
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=sys.argv[1], args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        draw(
            page,
            "pictures/app.png",
            page_of("札見", "表になった札だけを見る、カードゲームの立会人", ""),
        )
        for name in GAMES:
            told = book(name)
            draw(
                page,
                f"games/{name}/share.png",
                page_of(told.title.ja, f"{told.title.en} — 札見", name),
            )
        browser.close()
