"""What differs between the synchronous client and the asynchronous one. Everything else is written once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

Result = TypeVar("Result")

TimedOut = asyncio.TimeoutError


async def sleep(seconds: float) -> None:
    """Waits."""
    await asyncio.sleep(seconds)


async def within(seconds: float, result: Awaitable[Result]) -> Result:
    """The result of a request. Raises ``TimedOut`` after so long."""
    return await asyncio.wait_for(result, seconds)
