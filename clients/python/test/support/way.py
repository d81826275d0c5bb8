"""The way to a service, on which requests meet their fates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import httpx
from support.clock import Clock
from support.service import Service

Fate = Literal["passed", "never_arrives", "answer_lost", "arrives_late", "held"] | Callable[[], httpx.Response]
"""What happens to one request. ``never_arrives``: it fails before it reaches the service. ``answer_lost``: the service acts,
but its answer is lost. ``arrives_late``: it fails at once, and reaches the service 0.15 s later. ``held``: it fails at once,
and reaches the service when the test calls ``all_arrived``. A function: something else answers."""

LATE = 0.15


class Way:
    """Requests to each endpoint meet its fates in order; all others pass."""

    def __init__(self, service: Service, clock: Clock, fates: Mapping[str, Sequence[Fate]]) -> None:
        self._service = service
        self._clock = clock
        self._left = {endpoint: list(sequence) for endpoint, sequence in fates.items()}
        self._held: list[httpx.Request] = []
        self.asked: list[str] = []
        """The last part of the path of each request, in order."""
        self.requests: list[httpx.Request] = []

    def handle(self, request: httpx.Request) -> httpx.Response:
        endpoint = request.url.path.split("/")[-1]
        self.asked.append(endpoint)
        self.requests.append(request)
        left = self._left.get(endpoint)
        fate = left.pop(0) if left else "passed"
        if callable(fate):
            return fate()
        if fate == "passed":
            return self._service.answer(request)
        if fate == "answer_lost":
            self._service.answer(request)
        elif fate == "arrives_late":
            self._clock.plan(LATE, lambda: self._service.answer(request))
        elif fate == "held":
            self._held.append(request)
        raise httpx.ReadError("other side closed")

    def all_arrived(self) -> list[int]:
        """Sends the held requests. Returns the statuses of their answers."""
        return [self._service.answer(request).status_code for request in self._held]


def without(names: Sequence[str], handle: Callable[[httpx.Request], httpx.Response]) -> Callable[[httpx.Request], httpx.Response]:
    """Every service looks like one that does not know these headers."""

    def bare(request: httpx.Request) -> httpx.Response:
        for name in names:
            request.headers.pop(name, None)
        response = handle(request)
        for name in names:
            response.headers.pop(name, None)
        return response

    return bare
