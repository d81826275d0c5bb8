"""The time that a request has."""

from __future__ import annotations

import httpx

from . import _clock
from ._options import LONGEST_SECONDS


class TimeLeft(dict[str, float]):
    """The time-outs of a request for HTTPX. Each step gets what is left when it begins.

    A connection may take half of the time: then a change has expired, and would be sent for nothing.
    """

    def __init__(self, seconds: float) -> None:
        self._ends_at = _clock.monotonic() + seconds
        super().__init__(connect=seconds / 2, pool=seconds / 2, read=seconds, write=seconds)

    def get(self, step: str, default: object = None) -> float:
        return max(0.001, min(super().get(step, LONGEST_SECONDS), self._ends_at - _clock.monotonic()))

    def check(self) -> None:
        """Raises if no time is left."""
        if _clock.monotonic() > self._ends_at:
            raise httpx.ReadTimeout("the answer took too long")
