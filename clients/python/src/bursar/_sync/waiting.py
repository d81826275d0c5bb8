"""What differs between the synchronous client and the asynchronous one. Everything else is written once."""

from __future__ import annotations

import threading
import time
from typing import Any, TypeVar

from .._time_left import TimeLeft

Result = TypeVar("Result")

TimedOut = TimeoutError


def sleep(seconds: float) -> None:
    """Waits."""
    time.sleep(seconds)


def within(seconds: float, result: Result) -> Result:
    """The result of a request, which has bounded itself."""
    return result


def extensions(time_left: TimeLeft) -> dict[str, Any]:
    """What HTTPX is given with a request. It bounds also an answer that comes byte by byte.

    HTTPX asks only once how long a step may wait, and the step may wait so long for each byte. So each connection that a
    request opens gets its time from the request that the thread sends.
    """

    def trace(step: str, info: dict[str, Any]) -> None:
        _sent_by_thread.time_left = None if step.endswith((".response_closed.complete", ".failed")) else time_left
        if step.endswith((".connect_tcp.complete", ".connect_unix_socket.complete", ".start_tls.complete")):
            _bound_reads(info["return_value"])

    return {"timeout": time_left, "trace": trace}


_sent_by_thread = threading.local()


def _bound_reads(stream: Any) -> None:
    read = stream.read

    def read_in_time(max_bytes: int, timeout: float | None = None) -> bytes:
        time_left: TimeLeft | None = getattr(_sent_by_thread, "time_left", None)
        if time_left is None:
            return bytes(read(max_bytes, timeout))
        time_left.check()
        return bytes(read(max_bytes, time_left.get("read")))

    stream.read = read_in_time
