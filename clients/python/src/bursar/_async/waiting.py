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
    return await asyncio.wait_for(result, seconds)


def extensions(time_left: TimeLeft) -> dict[str, Any]:
    """What HTTPX is given with a request."""
    return {"timeout": time_left}
