"""What differs between the synchronous client and the asynchronous one. Everything else is written once."""

from __future__ import annotations

import time
from typing import TypeVar

Result = TypeVar("Result")

TimedOut = TimeoutError


def sleep(seconds: float) -> None:
    """Waits."""
    time.sleep(seconds)


def within(seconds: float, result: Result) -> Result:
    """The result of a request, which has bounded itself: each of its steps gets the time that is left."""
    return result
