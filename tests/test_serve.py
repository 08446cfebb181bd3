"""The bridge and the server around it, over real sockets with a WSGI app of a few lines."""

import asyncio
import http.client
import io
import json
import logging
import os
import select
import socket
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from as_imported import BASE
from sockets import ask, raw, running
from waiting import PATIENCE, wait_for

from bench.live import SERVER
from referee.app import create_app
from referee.core.record import Header
from referee.games.simulation import WIDEST
from referee.server import bridge, connection, refusals, serve

LIMIT = 10_000
HOLDING = threading.Semaphore(0)  # released by each answer that is held until LET_GO
LET_GO = threading.Event()


def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answers with the request; a few paths misbehave."""
    path = environ["PATH_INFO"]
    if path == "/fails":
        raise ValueError("a secret")
    if path == "/empty":
        start_response("204 No Content", [])
        return []
    if path == "/written":
        write = start_response("200 OK", [("Content-Type", "text/plain")])
        write(b"first ")
        return [b"second"]
    if path == "/held":
        HOLDING.release()
        assert LET_GO.wait(PATIENCE)
    body = environ["wsgi.input"].read()
    request = {key: value for key, value in environ.items() if isinstance(value, str)}
    answer = json.dumps(request | {"body": body.decode("latin-1")}).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("X-Twice", "a")])
    return iter([answer])


@pytest.fixture
def held() -> Iterator[None]:
    """Answers of ``/held`` wait for ``LET_GO``."""
    while HOLDING.acquire(blocking=False):
        pass  # those of the test before
    LET_GO.clear()
    yield
    LET_GO.set()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server with timeouts as long as those of the tests, for slow machines."""
    with pytest.MonkeyPatch.context() as patient:
        patient.setattr(refusals, "LINGER_SECONDS", PATIENCE)
        with running(bridge.Bridge(app, max_body=LIMIT, body_seconds=PATIENCE)) as number:
            yield number


def test_the_app_gets_the_address_of_a_request_and_what_it_asks_for(port: int) -> None:
    response, body = ask(port, "GET", "/t/7?after=3&x=%20", headers={"Accept-Language": "ja"})
    request = json.loads(body)
    assert response.status == 200
    assert response.getheader("content-length") == str(len(body))
    assert response.getheader("server") is None
    assert request["REQUEST_METHOD"] == "GET"
    assert (request["SCRIPT_NAME"], request["PATH_INFO"]) == ("", "/t/7")
    assert request["QUERY_STRING"] == "after=3&x=%20"
    assert request["HTTP_HOST"] == f"127.0.0.1:{port}"
    assert (request["SERVER_NAME"], request["SERVER_PORT"]) == ("127.0.0.1", str(port))
    assert request["REMOTE_ADDR"] == "127.0.0.1"
    assert request["HTTP_ACCEPT_LANGUAGE"] == "ja"
    assert request["wsgi.url_scheme"] == "http"


def taking(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """``app``, which takes files from phones with a cookie."""
    if environ["REQUEST_METHOD"] == "GET":
        known = "HTTP_COOKIE" in environ
        start_response("204 No Content" if known else "403 Forbidden", [])
        return [] if known else [b"no"]
    return app(environ, start_response)


HTML = "text/html; charset=utf-8"
FILE = (
    f"POST {bridge.FILES} HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\nContent-Length: {3 * LIMIT}\r\n\r\n"
)


def test_a_file_may_be_larger_and_does_not_keep_others_from_theirs() -> None:
    tested = bridge.Bridge(taking, max_body=LIMIT, body_seconds=PATIENCE)
    cookie = {"Cookie": "a=b"}
    with running(tested) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as slow:
            slow.sendall(FILE.encode() + b"x" * LIMIT)
            wait_for(lambda: tested._files.taken)
            response, body = ask(port, "POST", bridge.FILES, b"x" * 2 * LIMIT, cookie)
            assert (response.status, body.decode()) == (429, refusals.TOO_BUSY)  # one an address
            page = cookie | {"Accept": "text/html"}
            response, body = ask(port, "POST", bridge.FILES, b"x" * 2 * LIMIT, page)
            assert response.headers["Content-Type"] == HTML
            assert '<a href="/">' in body.decode()
            assert ask(port, "POST", bridge.FILES, b"x" * LIMIT, cookie)[0].status == 200
            slow.sendall(b"x" * 2 * LIMIT)
            assert b"200 OK" in slow.recv(100)
        wait_for(lambda: not tested._files.taken)
        response, body = ask(port, "POST", bridge.FILES, b"x" * 2 * LIMIT, cookie)
        assert len(json.loads(body)["body"]) == 2 * LIMIT
        assert ask(port, "POST", "/t/7/play", b"x" * 2 * LIMIT)[0].status == 413


def test_a_file_is_refused_before_it_is_sent() -> None:
    with running(bridge.Bridge(taking, max_body=LIMIT)) as port:
        head = FILE.replace("Cookie: a=b\r\n", "").encode()
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as stranger:
            stranger.sendall(head)  # and not a byte of the body
            assert b"403 Forbidden" in stranger.recv(100)


def test_a_file_that_comes_too_slowly_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "FILE_SECONDS", 0.1)
    tested = bridge.Bridge(taking, max_body=LIMIT)
    with running(tested) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as slow:
            slow.sendall(FILE.encode() + b"x")
            assert b"408 Request Timeout" in slow.recv(100)
        wait_for(lambda: not tested._files.taken)


def test_requests_that_the_end_of_a_server_cuts_off_get_503() -> None:
    """Uvicorn cancels what is under way when it has waited long enough, and says 500 for it."""
    sent: list[bridge.Message] = []
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "client": ("a", 1)}
    scope |= {"raw_path": b"/", "query_string": b""}

    async def cut_off() -> None:
        reading = asyncio.Event()

        async def receive() -> bridge.Message:
            reading.set()
            return await asyncio.Future()

        async def send(message: bridge.Message) -> None:
            sent.append(message)

        task = asyncio.create_task(bridge.Bridge(app)(scope, receive, send))
        await reading.wait()
        task.cancel()
        await task

    asyncio.run(cut_off())
    assert [message.get("status") for message in sent] == [503, None]
    assert sent[1]["body"].decode() == refusals.ENDING


def test_bodies_on_their_way_have_a_budget_and_small_ones_need_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bridge, "SMALL_BODY", 100)
    monkeypatch.setattr(bridge, "MOST_OF_ADDRESS", 3_000)
    tested = bridge.Bridge(app, max_body=LIMIT)
    with running(tested) as port, ExitStack() as held:
        for _ in range(2):
            slow = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            held.enter_context(slow)
            slow.sendall(
                b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1500\r\n\r\n" + b"x" * 1400
            )
        wait_for(lambda: tested._in_flight._all == 2800)
        assert ask(port, "POST", "/", b"x" * 1500)[0].status == 503
        assert ask(port, "POST", "/", b"x" * 100)[0].status == 200
        held.close()
        wait_for(lambda: tested._in_flight._all == 0)
        assert ask(port, "POST", "/", b"x" * 1500)[0].status == 200


class Long:
    """An answer without an end, which notes how much of it was wanted and that it was closed."""

    def __init__(self) -> None:
        self.given, self.closed = 0, threading.Event()

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        start("200 OK", [])
        return self

    def __iter__(self) -> Iterator[bytes]:
        while True:
            self.given += 1
            yield bytes(bridge.PIECE)

    def close(self) -> None:
        self.closed.set()


EXPORT = b"GET /history/history.json.gz HTTP/1.1\r\nHost: a\r\n\r\n"


def test_a_long_answer_waits_for_its_client_and_ends_with_it() -> None:
    answer = Long()
    with running(bridge.Bridge(answer)) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
            client.sendall(EXPORT)
            assert client.recv(1_000).startswith(b"HTTP/1.1 200 OK")
            assert not answer.closed.is_set()
        assert answer.closed.wait(PATIENCE)
    assert answer.given < 10_000  # what the sockets hold, and not what memory does


def test_an_answer_that_is_still_being_made_takes_turns_and_ends_with_its_client() -> None:
    closed = threading.Event()

    def being_made(environ: WSGIEnvironment, start: StartResponse) -> Iterator[bytes]:
        start("200 OK", [])
        if environ["PATH_INFO"].endswith(".csv"):
            yield b"a,b"
            return
        try:
            yield b"S"
            while True:
                yield b""
        finally:
            closed.set()

    with running(bridge.Bridge(being_made)) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
            client.sendall(EXPORT)
            assert client.recv(1_000).startswith(b"HTTP/1.1 200 OK")
            assert ask(port, "GET", "/history/results.csv")[1] == b"a,b"
            assert not closed.is_set()
        assert closed.wait(PATIENCE)


def test_a_server_that_stops_ends_long_answers() -> None:
    answer = Long()
    with ExitStack() as stack:
        port = stack.enter_context(running(bridge.Bridge(answer)))
        client = stack.enter_context(
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        )
        client.sendall(EXPORT)
        assert client.recv(1_000)
    assert answer.closed.wait(PATIENCE)


def test_exports_of_one_address_leave_places_for_others() -> None:
    answer = Long()
    with running(bridge.Bridge(answer)) as port, ExitStack() as stack:
        for _ in range(bridge.MOST_EXPORTS_OF_ADDRESS):
            client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            stack.enter_context(client)
            client.sendall(EXPORT)
            assert client.recv(1_000)
        response, body = ask(port, "GET", "/history/results.csv")
        assert (response.status, body.decode()) == (429, refusals.TOO_MANY)
        page = {"Accept": "text/html,*/*;q=0.8"}
        response, body = ask(port, "GET", "/history/results.csv", None, page)
        assert (response.status, response.headers["Content-Type"]) == (429, HTML)
        japanese, english = refusals.TOO_MANY.splitlines()
        assert f'<p>{japanese}</p><p lang="en">{english}</p>\n<a href="">' in body.decode()


def test_post_brings_its_body(port: int) -> None:
    form = f"name=あい&game={WIDEST}".encode()
    content_type = "application/x-www-form-urlencoded"
    _, body = ask(port, "POST", "/new", form, {"Content-Type": content_type})
    request = json.loads(body)
    assert request["body"].encode("latin-1") == form
    assert request["CONTENT_LENGTH"] == str(len(form))
    assert request["CONTENT_TYPE"] == content_type


def test_a_chunked_body_arrives_in_one_piece(port: int) -> None:
    _, body = ask(port, "POST", "/", (b"B lay ", b"7\n"), {"Transfer-Encoding": "chunked"})
    request = json.loads(body)
    assert request["body"] == "B lay 7\n"
    assert request["CONTENT_LENGTH"] == "8"
    assert "HTTP_TRANSFER_ENCODING" not in request


def test_head_has_no_body_and_leaves_the_connection_usable(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("HEAD", "/")
    assert connection.getresponse().read() == b""
    connection.request("GET", "/")
    assert connection.getresponse().status == 200
    connection.close()


def test_an_answer_without_content_has_no_length(port: int) -> None:
    response, body = ask(port, "GET", "/empty")
    assert (response.status, body) == (204, b"")
    assert response.getheader("content-length") is None


def test_the_write_callable_of_old_apps_works(port: int) -> None:
    assert ask(port, "GET", "/written")[1] == b"first second"


def test_a_path_is_bytes_dressed_as_latin_1(port: int) -> None:
    request = json.loads(ask(port, "GET", "/%E6%9C%AD%E8%A6%8B/%FF%2F")[1])
    assert request["PATH_INFO"].encode("latin-1") == "/札見/".encode() + b"\xff/"


def test_repeated_headers_are_joined_and_underscores_do_not_pass_for_dashes(port: int) -> None:
    answer = raw(
        port,
        b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: a=1\r\nCookie: b=2\r\n"
        b"Accept: x\r\nAccept: y\r\nX_Forwarded_Proto: https\r\nContent_Length: 9\r\n\r\n",
    )
    request = json.loads(answer.split(b"\r\n\r\n", 1)[1])
    assert request["HTTP_COOKIE"] == "a=1; b=2"
    assert request["HTTP_ACCEPT"] == "x,y"
    assert "HTTP_X_FORWARDED_PROTO" not in request
    assert request["CONTENT_LENGTH"] == "0"


def test_scheme_and_address_come_from_a_proxy_on_the_same_machine(port: int) -> None:
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.5"}
    request = json.loads(ask(port, "GET", "/", headers=headers)[1])
    assert (request["wsgi.url_scheme"], request["REMOTE_ADDR"]) == ("https", "203.0.113.5")


def test_a_body_announced_too_large_is_refused_before_it_is_sent(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "LINGER_SECONDS", 0.1)  # for a body that does not come
    answer = raw(
        port,
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10001\r\nExpect: 100-continue\r\n\r\n",
    )
    head, text = answer.split(b"\r\n\r\n", 1)
    assert head.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in head
    assert text.decode() == refusals.TOO_LARGE


def test_a_body_too_large_is_refused_so_that_the_sender_hears_it(port: int) -> None:
    response, text = ask(port, "POST", "/", b"x" * 5_000_000)
    assert (response.status, text.decode()) == (413, refusals.TOO_LARGE)


def test_a_chunked_body_too_large_is_refused(port: int) -> None:
    chunks = (b"x" * 4_000 for _ in range(1_000))
    response, text = ask(port, "POST", "/", chunks, {"Transfer-Encoding": "chunked"})
    assert (response.status, text.decode()) == (413, refusals.TOO_LARGE)


def test_the_largest_body_allowed_is_taken(port: int) -> None:
    response, body = ask(port, "POST", "/", b"x" * LIMIT)
    assert response.status == 200
    assert len(json.loads(body)["body"]) == LIMIT


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "LINGER_SECONDS", 0.1)
    with running(bridge.Bridge(app, body_seconds=0.1)) as port:
        answer = raw(port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nB lay")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert answer.endswith(refusals.TOO_SLOW.encode())


def test_half_a_request_never_reaches_the_app() -> None:
    asked: list[str] = []

    def listening(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        asked.append(environ["REQUEST_METHOD"])
        return app(environ, start_response)

    with running(bridge.Bridge(listening)) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nB lay")
        assert ask(port, "GET", "/")[0].status == 200
    assert asked == ["GET"]


def test_what_was_declared_is_recorded_even_if_the_phone_has_gone() -> None:
    asked, gone, recorded = threading.Event(), threading.Event(), threading.Event()

    def records(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "POST":
            asked.set()
            assert gone.wait(PATIENCE)
            recorded.set()
        return app(environ, start_response)

    with running(bridge.Bridge(records)) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
            assert asked.wait(PATIENCE)
        assert ask(port, "GET", "/")[0].status == 200  # a later request is answered: it has noticed
        gone.set()
        assert recorded.wait(PATIENCE)


def test_an_exception_of_the_app_is_a_500_that_reveals_nothing(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    # uvicorn's loggers do not propagate; the log is looked at where it is written.
    logger = logging.getLogger("uvicorn.error")
    logger.addHandler(caplog.handler)
    try:
        response, body = ask(port, "GET", "/fails")
    finally:
        logger.removeHandler(caplog.handler)
    assert (response.status, body) == (500, b"Internal Server Error")
    assert "a secret" in caplog.text
    assert ask(port, "GET", "/")[0].status == 200


def test_garbage_is_a_400(port: int) -> None:
    assert raw(port, b"\x16\x03\x01 hello\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_many_at_once_each_get_their_own_answer(port: int) -> None:
    def own(number: int) -> bool:
        request = json.loads(ask(port, "POST", f"/{number}", str(number).encode())[1])
        return (request["PATH_INFO"], request["body"]) == (f"/{number}", str(number))

    with ThreadPoolExecutor(20) as phones:
        assert all(phones.map(own, range(200)))


def test_slow_senders_take_no_request_thread(port: int) -> None:
    held = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) for _ in range(20)]
    try:
        for connection in held:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nB")
        assert ask(port, "GET", "/")[0].status == 200
    finally:
        for connection in held:
            connection.close()


@pytest.mark.parametrize(
    ("answered", "then"),
    [
        (b"", b""),
        (b"", b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\r\n"),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"GET / HT"),
    ],
    ids=["nothing", "half a head", "an empty line after a request", "half a second request"],
)
def test_a_request_that_does_not_come_is_not_waited_for(
    port: int, monkeypatch: pytest.MonkeyPatch, answered: bytes, then: bytes
) -> None:
    if BASE and then == b"\r\n":
        pytest.skip("h11 answers an empty line with a 400")
    # of the first request, only where it is not what is waited for
    monkeypatch.setattr(connection, "HEAD_SECONDS", PATIENCE if answered else 0.5)
    began = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as slow:
        if answered:
            slow.sendall(answered)
            said = b""
            while not said.endswith(b"}"):
                said += (more := slow.recv(65536))
                assert more, said
            assert said.startswith(b"HTTP/1.1 200 ")
            monkeypatch.setattr(connection, "HEAD_SECONDS", 0.5)
            began = time.perf_counter()
        slow.sendall(then)
        while slow.recv(65536):
            pass
        assert time.perf_counter() - began > 0.3


def test_a_head_without_an_end_is_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as endless:
        endless.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n")
        sent = 0
        with suppress(OSError):
            while sent < 50_000_000:
                endless.sendall(b"X-More: and more\r\n" * 1_000)
                sent += 18_000
    assert sent < 10_000_000
    said = raw(port, b"GET /" + b"a" * 70_000)
    assert said.startswith(b"HTTP/1.1 431 ")
    assert said.endswith(refusals.LONG_HEAD.encode())


def test_one_address_does_not_get_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_PER_ADDRESS", 10)
    with running(bridge.Bridge(app)) as port, ExitStack() as held:

        def connected(host: str) -> bool:
            """Whether a new connection from there is kept: it is answered."""
            opened = socket.create_connection(
                ("127.0.0.1", port), timeout=PATIENCE, source_address=(host, 0)
            )
            held.enter_context(opened)
            try:
                opened.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return opened.recv(1) != b""
            except ConnectionError:
                return False

        assert [connected("127.0.0.2") for _ in range(12)] == [True] * 10 + [False] * 2
        assert connected("127.0.0.3")
        assert all(connected("127.0.0.1") for _ in range(12))  # where a proxy may be
        assert ask(port, "GET", "/")[0].status == 200


@pytest.mark.usefixtures("held")
def test_reading_does_not_wait_for_writing(port: int) -> None:
    with ThreadPoolExecutor(8) as phones:
        writing = [phones.submit(ask, port, "POST", "/held") for _ in range(8)]
        for _ in range(bridge.THREADS):
            assert HOLDING.acquire(timeout=PATIENCE)
        assert ask(port, "GET", "/")[0].status == 200
        assert not any(answer.done() for answer in writing)
        LET_GO.set()
        assert all(answer.result()[0].status == 200 for answer in writing)


@pytest.mark.usefixtures("held")
def test_a_running_answer_is_finished_before_the_server_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "GRACE_SECONDS", PATIENCE)

    class Stopping(bridge.Bridge):
        async def end_streams(self) -> None:  # what a server does first when it is to stop
            LET_GO.set()
            await super().end_streams()

    with ThreadPoolExecutor(1) as phone:
        with running(Stopping(app)) as port:
            answer = phone.submit(ask, port, "GET", "/held")
            assert HOLDING.acquire(timeout=PATIENCE)
            assert not LET_GO.is_set()
        assert answer.result(timeout=PATIENCE)[0].status == 200


def test_what_comes_on_an_open_connection_while_the_server_stops_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "DRAIN_SECONDS", PATIENCE)
    stopping = threading.Event()

    class Stopping(bridge.Bridge):
        async def end_streams(self) -> None:
            await super().end_streams()
            stopping.set()

    with ExitStack() as stack, ThreadPoolExecutor(1) as phone:
        port = stack.enter_context(running(Stopping(app)))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", "/")
        connection.getresponse().read()
        ended = phone.submit(stack.close)
        assert stopping.wait(PATIENCE)
        connection.request("POST", "/", b"a play")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Connection"]) == (200, "close")
        assert json.loads(answer.read())["body"] == "a play"
        ended.result(PATIENCE)


def test_a_request_while_the_program_is_started_anew_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serve.listen("127.0.0.1", 0) as held:  # as systemd holds it

        def given() -> socket.socket:
            monkeypatch.setattr(serve, "HANDED_OVER", os.dup(held.fileno()))
            listener = serve.handed_over()
            assert listener is not None
            return listener

        assert serve.handed_over() is None
        monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
        with running(bridge.Bridge(app), given()) as port:
            assert ask(port, "GET", "/")[0].status == 200
        with ThreadPoolExecutor(1) as phone:
            early = phone.submit(ask, port, "POST", "/", b"a play")
            readable, _, _ = select.select([held], [], [], PATIENCE)
            assert readable == [held]  # it waits
            with running(bridge.Bridge(app), given()):
                assert early.result(PATIENCE)[0].status == 200


def test_an_app_mounted_below_a_path_sees_its_own_part_of_it() -> None:
    scope = {
        "type": "http",
        "method": "GET",
        "http_version": "1.1",
        "scheme": "https",
        "root_path": "/札見",
        "path": "/referee/t/7",
        "raw_path": b"/%E6%9C%AD%E8%A6%8B/new",
        "query_string": b"",
        "headers": [],
    }
    sent: list[bridge.Message] = []

    async def receive() -> bridge.Message:
        return {"type": "http.request"}

    async def send(message: bridge.Message) -> None:
        sent.append(message)

    asyncio.run(bridge.Bridge(app)(scope, receive, send))
    request = json.loads(sent[1]["body"])
    assert request["SCRIPT_NAME"].encode("latin-1").decode() == "/札見"
    assert request["PATH_INFO"] == "/new"
    assert request["wsgi.url_scheme"] == "https"


def test_the_bytes_leave_at_once() -> None:
    """asyncio sets TCP_NODELAY only on sockets that carry their protocol's number."""
    with serve.listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_taken_port_says_what_to_do() -> None:
    with serve.listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(serve.CannotListen, match=rf"(?s)Port {port} .*make run PORT="):
            serve.listen("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused_with_a_reason() -> None:
    with pytest.raises(serve.CannotListen):
        serve.listen("192.0.2.1", 0)


@pytest.mark.parametrize(
    ("locale", "said", "unsaid"),
    [
        ("ja_JP.UTF-8", "止めるには: Ctrl+C", "To stop"),
        ("en_GB.UTF-8", "To stop: Ctrl+C", "止めるには"),
        ("C.UTF-8", "止めるには / To stop: Ctrl+C", "\x1b"),
    ],
)
def test_the_welcome_speaks_the_language_of_the_locale(
    locale: str,
    said: str,
    unsaid: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.setattr(serve, "lan_addresses", lambda: ["192.168.1.5", "10.0.0.2"])
    serve.print_welcome("0.0.0.0", 8321, tmp_path)
    printed = capsys.readouterr().out
    assert "札見（ふだみ）" in printed
    assert "http://192.168.1.5:8321/" in printed
    assert "http://10.0.0.2:8321/" in printed
    assert serve.qr_code("http://192.168.1.5:8321/") in printed
    assert str(tmp_path) in printed
    assert said in printed
    assert unsaid not in printed


def test_records_of_before_are_claimed_by_the_code_on_the_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(serve, "lan_addresses", lambda: ["192.168.1.5"])
    app = create_app(tmp_path, TESTING=True)
    ledger = app.extensions["ledger"]
    assert serve.claim(app) == ""
    match = ledger.open(Header(WIDEST, ("A", "B"))).match
    path = serve.claim(app)
    serve.print_welcome("0.0.0.0", 8321, tmp_path, path)
    printed = capsys.readouterr().out
    assert serve.qr_code(f"http://192.168.1.5:8321/{path}") in printed
    phone, late = app.test_client(), app.test_client()
    for client in (phone, late):
        client.environ_base |= {"REMOTE_ADDR": "192.168.1.9"}
        client.get(f"/{path}")
    assert phone.get(f"/t/{match}").status_code == 200
    assert late.get(f"/t/{match}").status_code == 403
    assert serve.claim(app) == ""
    ledger.store.close()


def test_a_server_for_this_machine_alone_shows_no_qr_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    serve.print_welcome("127.0.0.1", 8321, tmp_path)
    printed = capsys.readouterr().out
    assert "http://127.0.0.1:8321/" in printed
    assert "█" not in printed


def test_a_terminal_without_japanese_letters_still_gets_the_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", plain)
    serve.print_welcome("127.0.0.1", 8321, tmp_path)
    plain.seek(0)
    assert "http://127.0.0.1:8321/" in plain.read()


def test_the_server_that_bench_measures_starts(tmp_path: Path) -> None:
    """Nothing else runs it, so it was broken once without a failed test."""
    with subprocess.Popen([*SERVER, tmp_path], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            response, _body = ask(int(process.stdout.readline()), "GET", "/")
            assert response.status == 200
        finally:
            process.terminate()
