"""What differs between the synchronous client and the asynchronous one. Everything else is written once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

import anyio

from .._time_left import TimeLeft

Result = TypeVar("Result")

TimedOut = asyncio.TimeoutError


async def sleep(seconds: float) -> None:
    """Waits."""
    await asyncio.sleep(seconds)


async def within(seconds: float, result: Awaitable[Result]) -> Result:
    """The result of a request. Raises ``TimedOut`` after so long."""
    # HTTPX keeps a connection open for ever if its task is cancelled while it ends a request: it shields that only from
    # scopes of AnyIO, on which it runs. So `wait_for` would leave one open after each time-out. The request has a task of
    # its own, so that also a cancel of the caller's task reaches it as the end of the scope.
    scope = anyio.CancelScope(deadline=anyio.current_time() + seconds)

    async def send() -> Result:
        with scope:
            return await result
        raise TimedOut

    sending = asyncio.ensure_future(send())
    # Otherwise an error that the cancelled task does not read is logged.
    sending.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    try:
        await asyncio.wait([sending])
    except asyncio.CancelledError:
        scope.cancel()
        await asyncio.wait([sending])
        raise
    return sending.result()


def extensions(time_left: TimeLeft) -> dict[str, Any]:
    """What HTTPX is given with a request."""
    return {"timeout": time_left}
