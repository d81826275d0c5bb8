"""What differs between the synchronous client and the asynchronous one. Everything else is written once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from .._time_left import TimeLeft

Result = TypeVar("Result")

TimedOut = asyncio.TimeoutError


async def sleep(seconds: float) -> None:
    """Waits."""
    await asyncio.sleep(seconds)


async def within(seconds: float, result: Awaitable[Result]) -> Result:
    """The result of a request. Raises ``TimedOut`` after so long."""
    # `wait_for` of Python 3.10 and 3.11 forgets that the task is cancelled if the result comes at the same moment.
    sending = asyncio.ensure_future(result)
    # Otherwise an error that the cancelled task does not read is logged.
    sending.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    try:
        await asyncio.wait([sending], timeout=seconds)
        if sending.done():
            return sending.result()
    finally:
        if sending.cancel():
            await asyncio.wait([sending])
    raise TimedOut


def extensions(time_left: TimeLeft) -> dict[str, Any]:
    """What HTTPX is given with a request."""
    return {"timeout": time_left}
