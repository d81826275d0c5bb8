"""Real connections of this machine: certificates, refused connections, proxies, threads and tasks that end."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import bursar
import httpcore
import httpx
import pytest
from bursar import AsyncBursar, Bursar, BursarConnectionError, UnavailableError, UnknownOutcome, new_change_id
from conftest import Kind
from support.answers import envelope
from support.clock import Clock
from support.service import TOKEN, Service

PEMS = Path(__file__).parents[3] / "packages/client/test/support"


class RealClock(Clock):
    """The clock of this machine."""

    def true_time(self) -> float:
        return time.time()


@contextmanager
def served(answer: Callable[[httpx.Request], httpx.Response], certificate: str | None = None) -> Iterator[tuple[str, list[str]]]:
    """A server on this machine. Yields its address, and the paths that it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked.append(self.path)
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            request = httpx.Request(self.command, httpx.URL("http://localhost").join(self.path), headers=dict(self.headers), content=content)
            response = answer(request)
            body = b"".join(response.stream)  # type: ignore[arg-type]
            self.send_response(response.status_code)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST

        def log_message(self, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

        def handle_error(self, *args: Any) -> None:
            """A client that refuses the certificate ends the handshake."""

    server = Server(("127.0.0.1", 0), Handler)
    scheme = "http"
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(PEMS / f"{certificate}.pem", PEMS / "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "https"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"{scheme}://localhost:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def service() -> Service:
    service = Service(RealClock())
    service.add("alice")
    return service


def closed_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return int(server.getsockname()[1])


@pytest.mark.parametrize("certificate", ["self-signed", "expired"])
def test_an_untrusted_certificate_is_refused_at_once_before_anything_is_sent_so_the_change_is_not_done(
    kind: Kind, service: Service, certificate: str
) -> None:
    with served(service.answer, certificate) as (url, asked):
        requests = 0

        def count(event: bursar.ClientEvent) -> None:
            nonlocal requests
            requests += event.kind == "request"

        client = kind.client(url, TOKEN, on_event=count)
        with pytest.raises(BursarConnectionError, match="(?i)certificate"):
            client.sub_users.give("alice", 5)
        assert requests == 1
        kind.close(client)
    assert asked == []


def test_a_request_on_a_refused_connection_was_never_sent(kind: Kind) -> None:
    client = kind.client(f"http://127.0.0.1:{closed_port()}", TOKEN)
    with pytest.raises(UnavailableError):
        client.raw_request("POST", "/reseller/sub_users/give_balance", {"username": "alice", "amount_usd_cents": 5})
    kind.close(client)


def test_a_connection_that_ends_during_the_tls_handshake_has_sent_nothing_either(kind: Kind) -> None:
    def end(server: socket.socket) -> None:
        try:
            while True:
                connection, _ = server.accept()
                with connection:
                    connection.recv(4_096)
        except OSError:
            pass

    server = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=end, args=(server,), daemon=True)
    thread.start()
    client = kind.client(f"https://localhost:{server.getsockname()[1]}", TOKEN)
    with pytest.raises(UnavailableError):
        client.raw_request("POST", "/reseller/sub_users/give_balance", {"username": "alice", "amount_usd_cents": 5})
    kind.close(client)
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


def test_a_silent_service_is_given_up_at_the_time_out(kind: Kind) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        client = kind.client(f"http://127.0.0.1:{silent.getsockname()[1]}", TOKEN)
        began = time.monotonic()
        with pytest.raises(BursarConnectionError, match="no answer in time"):
            client.account.retrieve(timeout_seconds=0.2, total_timeout_seconds=0.3)
        assert time.monotonic() - began < 2
        kind.close(client)


def test_an_answer_that_comes_byte_by_byte_is_given_up_at_the_time_out(kind: Kind) -> None:
    ended = threading.Event()

    def drip(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            try:
                while not ended.wait(0.02):
                    connection.sendall(b" ")
            except OSError:
                pass

    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        thread = threading.Thread(target=drip, args=(server,), daemon=True)
        thread.start()
        client = kind.client(f"http://127.0.0.1:{server.getsockname()[1]}", TOKEN)
        began = time.monotonic()
        with pytest.raises(BursarConnectionError):
            client.account.retrieve(timeout_seconds=0.3, total_timeout_seconds=0.31)
        assert time.monotonic() - began < 2
        kind.close(client)
        ended.set()
        thread.join()


def test_the_proxy_of_the_environment_is_used(kind: Kind, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(service.answer) as (url, asked):
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HTTP_PROXY", url)
        monkeypatch.setenv("http_proxy", url)
        client = kind.client("http://bursar.invalid", TOKEN, allow_insecure_http=True)
        assert client.account.retrieve().username == "acme"
        assert len(asked) == 1
        kind.close(client)


def test_no_log_of_httpx_or_httpcore_holds_the_token(
    kind: Kind, service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    for logger in ("httpx", "httpcore", "asyncio"):
        caplog.set_level(logging.DEBUG, logger)
    with served(service.answer) as (url, _):
        client = kind.client(url, TOKEN)
        client.sub_users.give("alice", 5)
        kind.close(client)
    assert "httpcore" in {record.name.split(".")[0] for record in caplog.records}
    assert TOKEN not in caplog.text


def test_threads_share_a_client(service: Service) -> None:
    lock = threading.Lock()

    def answer(request: httpx.Request) -> httpx.Response:
        with lock:
            return service.answer(request)

    with served(answer) as (url, _), Bursar(url, TOKEN) as client, ThreadPoolExecutor(20) as threads:
        list(threads.map(lambda _: client.sub_users.give("alice", 1), range(200)))
    assert service.balance_of("alice") == 200


def test_tasks_share_a_client(service: Service) -> None:
    lock = threading.Lock()

    def answer(request: httpx.Request) -> httpx.Response:
        with lock:
            return service.answer(request)

    async def give(url: str) -> None:
        async with AsyncBursar(url, TOKEN) as client:
            await asyncio.gather(*(client.sub_users.give("alice", 1) for _ in range(200)))

    with served(answer) as (url, _):
        asyncio.run(give(url))
    assert service.balance_of("alice") == 200


@pytest.mark.parametrize("is_arrived", [True, False])
def test_a_cancelled_task_ends_at_once_and_its_change_can_be_settled(service: Service, is_arrived: bool) -> None:
    known = UnknownOutcome(change_id=new_change_id())
    sent, released = threading.Event(), threading.Event()

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("give_balance"):
            if is_arrived:
                response = service.answer(request)
            sent.set()
            released.wait(20)
            return response if is_arrived else httpx.Response(503, stream=httpx.ByteStream(b""))
        return service.answer(request)

    async def cancel(url: str) -> None:
        async with AsyncBursar(url, TOKEN, timeout_seconds=1, after_expiry_seconds=0) as client:
            giving = asyncio.create_task(client.sub_users.give("alice", 5, change_id=known.change_id, timeout_seconds=20))
            await asyncio.to_thread(sent.wait)
            giving.cancel()
            with pytest.raises(asyncio.CancelledError):
                await giving
            released.set()
            settled = await client.changes.settle(known)
            assert (settled and settled.amount_cents) == (5 if is_arrived else None)

    with served(answer) as (url, _):
        asyncio.run(cancel(url))


def test_a_task_that_follows_ends_when_it_is_cancelled_and_leaves_nothing_open(service: Service) -> None:
    held = threading.Event()
    asked = threading.Event()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.set()
        held.wait(20)
        return httpx.Response(503, stream=httpx.ByteStream(b""))

    async def follow(url: str) -> None:
        async with AsyncBursar(url, TOKEN) as client:

            async def all_of_them() -> None:
                async for _ in client.events.follow():
                    pass

            following = asyncio.create_task(all_of_them())
            await asyncio.to_thread(asked.wait)
            following.cancel()
            with pytest.raises(asyncio.CancelledError):
                await following
            held.set()

    with served(answer) as (url, _):
        asyncio.run(follow(url))
    gc.collect()


@pytest.mark.parametrize("steps", range(8))
def test_a_task_that_is_cancelled_while_its_answer_arrives_ends(steps: int) -> None:
    async def follow() -> None:
        has_answer = asyncio.Event()

        async def answer(request: httpx.Request) -> httpx.Response:
            await has_answer.wait()
            return envelope(200, {"events": [], "next": new_change_id(), "more": False})

        async def all_of_them(client: AsyncBursar) -> None:
            async for _ in client.events.follow():
                pass

        async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
            following = asyncio.create_task(all_of_them(AsyncBursar("https://api.example.com", TOKEN, http_client=http)))
            await asyncio.sleep(0.01)
            has_answer.set()
            for _ in range(steps):
                await asyncio.sleep(0)
            has_answer.clear()
            following.cancel()
            await asyncio.wait([following], timeout=30)
            assert following.cancelled()

    asyncio.run(follow())


def test_a_task_that_is_cancelled_at_any_moment_leaves_no_request_on_its_connection() -> None:
    async def cancel_after(steps: int) -> list[str]:
        backend = httpcore.AsyncMockBackend([b"HTTP/1.1 404 X\r\nContent-Length: 2\r\n\r\n", b"{}"])
        transport = httpx.AsyncHTTPTransport()
        transport._pool = pool = httpcore.AsyncConnectionPool(network_backend=backend)
        async with httpx.AsyncClient(transport=transport) as http:
            client = AsyncBursar("http://127.0.0.1", TOKEN, http_client=http)
            asking = asyncio.create_task(client.account.retrieve())
            for _ in range(steps):
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.wait([asking])
            return [connection.info() for connection in pool.connections]

    for steps in range(20):
        assert "ACTIVE" not in "".join(asyncio.run(cancel_after(steps))), steps


def test_an_interrupt_passes_through_a_call(kind: Kind) -> None:
    class Interrupt(BaseException):
        """As ``KeyboardInterrupt``, which would also end the tests."""

    def interrupt(request: httpx.Request) -> httpx.Response:
        raise Interrupt

    client = kind.client("https://api.example.com", TOKEN, handle=interrupt)
    with pytest.raises(Interrupt):
        client.sub_users.give("alice", 5)
