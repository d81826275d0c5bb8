"""What a server, a proxy or the surroundings of a call can do to a client through HTTPX."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from bursar import AsyncBursar, Bursar, BursarConnectionError, ClientEvent, OutcomeUnknownError, UnknownSubUserError
from support.clock import Clock

TOKEN = "brs_attacked"
ACCOUNT = {"username": "acme", "balance": 5, "proxy_authkey": "k", "date_created": "2026-11-01T08:00:00.000Z"}

Asked = tuple[str, Mapping[str, str]]


def call(is_async: bool, url: str, act: Callable[[Any], Any], **options: Any) -> Any:
    """What a method returns: that of the synchronous client, or of the asynchronous one."""
    if not is_async:
        with Bursar(url, TOKEN, **options) as client:
            return act(client)

    async def act_async() -> Any:
        async with AsyncBursar(url, TOKEN, **options) as client:
            return await act(client)

    return asyncio.run(act_async())


@contextmanager
def served(serve: Callable[[socket.socket], None]) -> Generator[str, None, None]:
    """A server on this machine, which does this with each connection. Yields its address."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(10)

    def serve_each() -> None:
        try:
            while True:
                connection, _ = server.accept()
                threading.Thread(target=serve_one, args=(connection,), daemon=True).start()
        except OSError:
            pass

    def serve_one(connection: socket.socket) -> None:
        with connection:
            try:
                serve(connection)
            except OSError:
                pass

    threading.Thread(target=serve_each, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
    finally:
        server.close()


def read_request(connection: socket.socket) -> Asked | None:
    """The path and the headers of the next request; ``None`` if the connection has ended."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += (more := connection.recv(65_536))
        if not more:
            return None
    head, body = received.split(b"\r\n\r\n", 1)
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65_536)
    return first.split(" ")[1], headers


def answer(asked: Asked, number: int, data: object, status: int = 200, code: str = "") -> bytes:
    """The service's answer to a request. Each has a number of its own."""
    _, headers = asked
    body = json.dumps({"status": status, "message": "", "timestamp": int(time.time()), "data": data}).encode()
    lines = [
        f"HTTP/1.1 {status} X",
        f"Content-Length: {len(body)}",
        f"X-Request-Id: {number}",
        f"X-Change-Id: {headers.get('x-change-id', 'honoured')}",
        f"X-Request-Expires: {headers.get('x-request-expires', 'honoured')}",
        *([f"X-Error-Code: {code}"] if code else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


BOTH = pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])


@BOTH
@pytest.mark.parametrize(
    ("begin", "step"),
    [
        (b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nX-Filler: ", b"a"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"a"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    ],
    ids=["interim answers", "head", "extension of a chunk", "body"],
)
@pytest.mark.parametrize("is_kept", [False, True], ids=["new", "kept"])
def test_an_answer_that_comes_step_by_step_for_ever_takes_no_longer_than_a_request_may(
    is_async: bool, begin: bytes, step: bytes, is_kept: bool
) -> None:
    has_ended = threading.Event()

    def serve(connection: socket.socket) -> None:
        if is_kept and (asked := read_request(connection)) is not None:
            connection.sendall(answer(asked, 1, ACCOUNT))
        if read_request(connection) is None:
            return
        connection.sendall(begin)
        while not has_ended.wait(0.005):
            connection.sendall(step)

    def act(client: Any) -> Any:
        if not is_async:
            if is_kept:
                client.account.retrieve()
            return client.account.retrieve(timeout_seconds=0.25, total_timeout_seconds=0.3)

        async def act_async() -> Any:
            if is_kept:
                await client.account.retrieve()
            return await client.account.retrieve(timeout_seconds=0.25, total_timeout_seconds=0.3)

        return act_async()

    # If the client does not give up, this ends the answer, and with it the test.
    guard = threading.Timer(5, has_ended.set)
    guard.start()
    try:
        with served(serve) as url, pytest.raises(BursarConnectionError):
            call(is_async, url, act)
        assert not has_ended.is_set(), "it gave up by itself"
    finally:
        guard.cancel()
        has_ended.set()


@BOTH
def test_a_request_that_gets_no_answer_leaves_no_connection_open(is_async: bool) -> None:
    opened, ended = threading.Semaphore(0), threading.Semaphore(0)

    def serve(connection: socket.socket) -> None:
        opened.release()
        try:
            while connection.recv(65_536):
                pass
        finally:
            ended.release()

    def all_ended() -> bool:
        return all(ended.acquire(timeout=30) for _ in iter(lambda: opened.acquire(blocking=False), False))

    def act(client: Any) -> Any:
        def ask() -> Any:
            return client.account.retrieve(timeout_seconds=0.1, total_timeout_seconds=0.1)

        if not is_async:
            for _ in range(5):
                with pytest.raises(BursarConnectionError):
                    ask()
            return all_ended()

        async def act_async() -> bool:
            for _ in range(5):
                with pytest.raises(BursarConnectionError):
                    await ask()
            return await asyncio.to_thread(all_ended)

        return act_async()

    with served(serve) as url:
        assert call(is_async, url, act)


@BOTH
def test_a_second_answer_to_a_read_on_a_kept_connection_is_not_told_as_the_refusal_of_the_next_change(is_async: bool) -> None:
    def serve(connection: socket.socket) -> None:
        while (asked := read_request(connection)) is not None:
            if asked[0].endswith("/view_single"):
                refusals = [answer(asked, number, None, 404, "unknown_sub_user") for number in (1, 2)]
                connection.sendall(b"".join(refusals))
            elif asked[0].endswith("/give_balance"):
                given.append(asked)
                connection.sendall(answer(asked, 3, {"username": "alice", "balance": 5}))
            else:
                change = {"change_id": asked[1]["x-change-id"], "kind": "give_balance", "username": "alice", "amount": 5}
                more = {"balance": 5, "error": None, "timestamp": "2026-11-01T08:00:00.000Z", "request_id": "3"}
                connection.sendall(answer(asked, 4, {**change, **more}))

    given: list[Asked] = []

    def act(client: Any) -> Any:
        if not is_async:
            with pytest.raises(UnknownSubUserError):
                client.sub_users.retrieve("nobody")
            return client.sub_users.give("alice", 5)

        async def act_async() -> Any:
            with pytest.raises(UnknownSubUserError):
                await client.sub_users.retrieve("nobody")
            return await client.sub_users.give("alice", 5)

        return act_async()

    with served(serve) as url:
        assert call(is_async, url, act).balance_cents == 5
    assert len(given) == 1


@BOTH
def test_a_second_answer_to_a_read_on_a_kept_connection_is_not_told_as_the_answer_to_the_next_read(is_async: bool) -> None:
    numbers = iter(range(1, 100))

    def serve(connection: socket.socket) -> None:
        while (asked := read_request(connection)) is not None:
            balance = next(numbers)
            both = [answer(asked, 2 * balance + each, {**ACCOUNT, "balance": balance}) for each in (0, 1)]
            connection.sendall(b"".join(both))

    def act(client: Any) -> Any:
        if not is_async:
            return [client.account.retrieve().balance_cents for _ in range(2)]

        async def act_async() -> Any:
            return [(await client.account.retrieve()).balance_cents for _ in range(2)]

        return act_async()

    with served(serve) as url:
        first, second = call(is_async, url, act)
    assert second > first


def http_client(is_async: bool, handle: Callable[[httpx.Request], httpx.Response]) -> Any:
    transport = httpx.MockTransport(handle)
    return httpx.AsyncClient(transport=transport) if is_async else httpx.Client(transport=transport)


@BOTH
def test_an_error_of_a_certificate_that_the_caller_handles_says_nothing_about_a_change_that_it_makes_meanwhile(
    is_async: bool,
) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("broken")

    options = {"http_client": http_client(is_async, handle), "timeout_seconds": 0.05, "total_timeout_seconds": 0.1}
    try:
        raise ssl.SSLCertVerificationError("what the caller knows")
    except ssl.SSLCertVerificationError:
        with pytest.raises(OutcomeUnknownError) as caught:
            call(is_async, "https://api.example.com", lambda client: client.sub_users.give("alice", 5), **options)
    assert "what the caller knows" not in str(caught.value)


@BOTH
def test_an_error_of_the_protocol_can_be_about_the_answer_so_the_change_may_be_done(is_async: bool) -> None:
    paths: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        raise httpx.LocalProtocolError("a frame of HTTP/2 that may not be there")

    options = {"http_client": http_client(is_async, handle), "timeout_seconds": 0.05, "total_timeout_seconds": 0.1}
    with pytest.raises(OutcomeUnknownError):
        call(is_async, "https://api.example.com", lambda client: client.sub_users.give("alice", 5), **options)
    assert "/reseller/changes/view" in paths


@BOTH
def test_a_proxy_of_the_environment_does_not_get_the_token_of_plain_http_to_this_machine(is_async: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def serve(connection: socket.socket) -> None:
        while (asked := read_request(connection)) is not None:
            connection.sendall(answer(asked, 1, ACCOUNT))

    def take(connection: socket.socket) -> None:
        taken.append(connection.recv(65_536))

    taken: list[bytes] = []
    with served(serve) as url, served(take) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy)
        assert call(is_async, url, lambda client: client.account.retrieve()).balance_cents == 5
    assert taken == []


@BOTH
def test_a_closed_client_refuses_a_change_before_anything_is_sent(is_async: bool) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        raise AssertionError("nothing is sent")

    def act(client: Any) -> Any:
        if not is_async:
            http.close()
            return client.sub_users.give("alice", 5)

        async def act_async() -> Any:
            await http.aclose()
            return await client.sub_users.give("alice", 5)

        return act_async()

    http = http_client(is_async, handle)
    with pytest.raises(RuntimeError, match="closed"):
        call(is_async, "https://api.example.com", act, http_client=http)


def test_the_time_of_a_call_does_not_bound_what_the_caller_sends_on_the_same_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    connections = 0

    def serve(connection: socket.socket) -> None:
        nonlocal connections
        connections += 1
        while (asked := read_request(connection)) is not None:
            connection.sendall(answer(asked, connections, ACCOUNT))

    with served(serve) as url, httpx.Client() as http:
        Bursar(url, TOKEN, http_client=http).account.retrieve()
        with closed_port() as port, pytest.raises(BursarConnectionError):
            Bursar(f"http://127.0.0.1:{port}", TOKEN, http_client=http).account.retrieve(total_timeout_seconds=0.01)
        monkeypatch.setattr("bursar._clock.monotonic", lambda: time.monotonic() + 1_000)
        assert http.get(url).status_code == 200
    assert connections == 1


@BOTH
@pytest.mark.parametrize("before", [b"", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"], ids=["head", "chunk"])
def test_a_body_in_a_place_where_it_is_no_http_is_not_told(clock: Clock, is_async: bool, before: bytes) -> None:
    def serve(connection: socket.socket) -> None:
        if (asked := read_request(connection)) is not None:
            body = answer(asked, 1, {**ACCOUNT, "proxy_authkey": "secret-key"}).split(b"\r\n\r\n")[1]
            connection.sendall(before + body + b"\r\n\r\n")

    def act(client: Any) -> Any:
        return client.account.retrieve(on_event=told.append)

    told: list[ClientEvent] = []
    with served(serve) as url, pytest.raises(BursarConnectionError, match="illegal") as caught:
        call(is_async, url, act)
    assert "secret-key" not in str(caught.value)
    assert "secret-key" not in repr(told)


@contextmanager
def closed_port() -> Generator[int, None, None]:
    """A port that refuses connections."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
