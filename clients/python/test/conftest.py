"""What all traps have: both clients, a service in memory, and a clock that moves only when the client waits."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import bursar
import httpx
import pytest
from support.clock import Clock
from support.service import TOKEN, Service
from support.way import Fate, Way

PATIENCE = {"timeout_seconds": 4, "after_expiry_seconds": 1}
"""So that a request expires soon."""


class Driven:
    """An asynchronous client, or a part of it, whose methods return when they have ended."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if not callable(value):
            return Driven(value, self._loop)
        return lambda *args, **options: self._ended(value(*args, **options))

    def __iter__(self) -> Iterator[Any]:
        iterator = aiter(self._target)
        try:
            while True:
                try:
                    item = self._loop.run_until_complete(anext(iterator))
                except StopAsyncIteration:
                    return
                yield item
        finally:
            self._loop.run_until_complete(iterator.aclose())

    def _ended(self, result: Any) -> Any:
        if inspect.isawaitable(result):
            return self._loop.run_until_complete(result)
        return Driven(result, self._loop) if hasattr(result, "__aiter__") else result


class Kind:
    """Makes clients of one of the two kinds."""

    def __init__(self, is_async: bool, loop: asyncio.AbstractEventLoop) -> None:
        self.is_async = is_async
        self._loop = loop

    def client(self, *args: Any, handle: Callable[[httpx.Request], httpx.Response] | None = None, **options: Any) -> Any:
        """A client. ``handle`` answers instead of a network."""
        if handle is not None:
            options["http_client"] = self.http_client(transport=httpx.MockTransport(handle))
        return self.driven(self.type(*args, **options))

    @property
    def type(self) -> Any:
        return bursar.AsyncBursar if self.is_async else bursar.Bursar

    def http_client(self, **options: Any) -> Any:
        return httpx.AsyncClient(**options) if self.is_async else httpx.Client(**options)

    def close(self, client: Any) -> None:
        client.aclose() if self.is_async else client.close()

    def driven(self, client: Any) -> Any:
        return Driven(client, self._loop) if self.is_async else client


class Served:
    """A service with one reseller, and clients for it."""

    def __init__(self, kind: Kind, clock: Clock) -> None:
        self.kind = kind
        self.clock = clock
        self.service = Service(clock)
        transport = httpx.MockTransport(self.service.answer)
        self.reliable = bursar.Bursar("https://api.example.com", TOKEN, http_client=httpx.Client(transport=transport))
        """A client whose requests never fail. Also a trap can use it, so it is never the asynchronous one."""

    def client(self, handle: Callable[[httpx.Request], httpx.Response], **options: Any) -> Any:
        return self.kind.client("https://api.example.com", TOKEN, handle=handle, **options)

    def unreliable(self, fates: Mapping[str, Sequence[Fate]], **options: Any) -> tuple[Any, Way]:
        """A client whose requests meet these fates, by the last part of their path."""
        way = Way(self.service, self.clock, fates)
        return self.client(way.handle, **{**PATIENCE, **options}), way


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("bursar._clock.monotonic", clock.monotonic)
    monkeypatch.setattr("bursar._clock.time", clock.time)
    monkeypatch.setattr("random.random", lambda: 0.5)
    monkeypatch.setattr("bursar._sync.waiting.time", SimpleNamespace(sleep=clock.sleep))
    monkeypatch.setattr("bursar._async.waiting.asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": clock.sleep_async}))
    return clock


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> Iterator[Kind]:
    loop = asyncio.new_event_loop()
    yield Kind(request.param == "async", loop)
    # A client that stops reading an answer leaves its generator to the loop.
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


@pytest.fixture
def served(kind: Kind, clock: Clock) -> Served:
    """A reseller with 10,000 cents, without sub-users."""
    return Served(kind, clock)


@pytest.fixture
def alice(served: Served) -> Served:
    """The same, with the sub-user alice."""
    served.service.add("alice")
    return served
