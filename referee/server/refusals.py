"""Refusals of the server itself, for requests that the app does not get to see."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from html import escape
from http import HTTPStatus
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

LINGER_SECONDS = 2.0

TOO_LARGE = (
    "送られた内容が 1 MiB を超えています。何も記録していません。\n"
    "The request is larger than 1 MiB. Nothing was recorded.\n"
)
TOO_BUSY = (
    "別のファイルを取り込んでいます。少し待って、もう一度お試しください。\n"
    "Another file is being imported. Wait a little and try again.\n"
)
TOO_MANY = (
    "いま書き出しがいくつも進んでいます。少し待って、もう一度開いてください。\n"
    "Several files are being written. Wait a little and open it again.\n"
)
TOO_SLOW = (
    "送信に時間がかかりすぎました。何も記録していません。\n"
    "The request did not arrive in time. Nothing was recorded.\n"
)
ENDING = (
    "サーバーを止めているところです。少し待って、もう一度お試しください。\n"
    "The server is being stopped. Wait a little and try again.\n"
)
LONG_ADDRESS = (
    "アドレスが長すぎます。何も記録していません。ホームから開き直してください。\n"
    "The address is too long. Nothing was recorded. Begin again at the start page.\n"
)
LONG_HEAD = (
    "ヘッダーが長すぎます。何も記録していません。このサイトのCookieを消して、もう一度お試しください。\n"
    "The headers are too long. Nothing was recorded. Delete the cookies of this site and try"
    " again.\n"
)
TOO_LONG = (HTTPStatus.REQUEST_URI_TOO_LONG, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
"""Refusals that the same address would get again."""

# A refusal as a page: both languages, because nobody has asked yet which one the person reads.
PAGE = """<!doctype html>
<html lang="ja"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{status} — 札見</title>
<style>
:root {{ color-scheme: light dark; --paper: #f7f2e7; --ink: #1f1b15; --link: #1d4a85 }}
@media (prefers-color-scheme: dark) {{
  :root {{ --paper: #16181d; --ink: #efe8da; --link: #a5c3f5 }}
}}
body {{ max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem; font: 1.0625rem/1.7 system-ui;
  background: var(--paper); color: var(--ink) }}
h1 {{ margin: 0; font-size: 1.5rem }} p {{ margin: .75rem 0; word-break: auto-phrase }}
a {{ display: block; margin: 1.25rem 0; padding: .75rem; border: 1px solid; border-radius: 6px;
  color: var(--link); text-align: center; text-decoration: none }}
</style>
<main><h1>札見 <span lang="en">Fudami</span></h1>
<p>{japanese}</p><p lang="en">{english}</p>
<a href="{address}">{link}</a><p>{status}</p></main></html>
"""
AGAIN = 'もう一度 <span lang="en">Try again</span>'
HOME = 'ホーム <span lang="en">Start page</span>'


async def refuse(scope: Scope, send: Send, receive: Receive, status: HTTPStatus, text: str) -> None:
    """Answer before the request is complete, and close the connection."""
    start, content = refusal(scope, status, text)
    await send(start)
    await linger(send, receive, content)


def refusal(scope: Scope, status: HTTPStatus, text: str) -> tuple[Message, bytes]:
    """The ASGI message that starts an answer with ``text``, and its content.

    A browser that opens a page gets one, everything else the text alone.
    """
    asked, kind = dict(scope["headers"]), b"text/plain"
    if b"text/html" in asked.get(b"accept", b"") and b"hx-request" not in asked:
        japanese, english = text.split("\n")[:2]
        again = scope["method"] == "GET" and status not in TOO_LONG
        address = "" if again else f"{scope.get('root_path', '')}/"
        kind, text = (
            b"text/html",
            PAGE.format(
                status=status.value,
                japanese=japanese,
                english=english,
                address=escape(address),
                link=AGAIN if again else HOME,
            ),
        )
    content = text.encode()
    headers = [
        (b"content-type", kind + b"; charset=utf-8"),
        (b"content-length", b"%d" % len(content)),
        (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'"),
        (b"connection", b"close"),
        (b"x-content-type-options", b"nosniff"),
    ]
    return {"type": "http.response.start", "status": status.value, "headers": headers}, content


async def linger(send: Send, receive: Receive, content: bytes) -> None:
    """Send ``content``, but end the answer only when the rest of the request has arrived.

    Wait for at most ``LINGER_SECONDS``. Closing while bytes arrive would reset the connection, and
    the client would lose the answer.
    """
    await send({"type": "http.response.body", "body": content, "more_body": True})
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body"})
