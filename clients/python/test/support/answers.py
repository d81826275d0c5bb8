"""Answers that a service, or something before it, could give."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Iterator, Mapping

import httpx
from bursar._api import ERRORS

HONOURED = {"X-Request-Expires": "honoured", "X-Change-Id": "honoured"}
_numbers = itertools.count(1)


class Body(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The bytes of an answer as a connection gives them. An error in the list is raised at its place."""

    def __init__(self, chunks: list[bytes | Exception]) -> None:
        self._chunks = iter(chunks)
        self.read = 0
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if isinstance(chunk, Exception):
                raise chunk
            self.read += 1
            yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in iter(self):
            yield chunk

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def answer(status: int, body: bytes | str | list[bytes | Exception] = b"", headers: Mapping[str, str] = {}) -> httpx.Response:
    """Any answer."""
    chunks = body if isinstance(body, list) else [body.encode() if isinstance(body, str) else body]
    return httpx.Response(status, headers=dict(headers), stream=Body(chunks))


def new_request_id() -> str:
    return f"req-{next(_numbers):08}"


def envelope(status: int, data: object, message: str = "", timestamp: int = 1, headers: Mapping[str, str] = {}) -> httpx.Response:
    """An answer with the form of the service's."""
    body = json.dumps({"status": status, "message": message, "timestamp": timestamp, "data": data})
    return answer(status, body, headers)


def refusal(code: str, headers: Mapping[str, str] = {}, data: object = None, timestamp: int = 1) -> httpx.Response:
    """The service's answer for an error code."""
    status, message = ERRORS[code]
    sent = {"X-Error-Code": code, "X-Request-Id": new_request_id(), **HONOURED, **headers}
    return envelope(status, data, message, timestamp, sent)
