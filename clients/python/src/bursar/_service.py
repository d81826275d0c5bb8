"""What the answers of one service tell: its clock, and whether it honours the ids and expiries of changes."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

from . import _clock

MOST_REMEMBERED = 1_024
"""Ids of answers that are remembered: more than there are requests in progress."""


@dataclass(frozen=True, slots=True)
class _Latest:
    timestamp: int
    sent_at: float
    received_at: float


class Service:
    """A change carries the second of the service's clock at which it expires, and the service does not begin it later.

    So an answer with that ``timestamp``, or a later one, proves that a request still on its way will never be begun.
    All threads of a program share one.
    """

    def __init__(self) -> None:
        self._latest: _Latest | None = None
        self._shows_it = False
        self._lacks_it = False

    def note(self, timestamp: int, sent_at: float, is_honoured: bool | None) -> None:
        """Notes an answer: its ``timestamp``, and when its request was sent. ``is_honoured``: ``None`` if it cannot tell."""
        # The next change may reach the same process of the service or the same proxy. So one such answer decides for good.
        if is_honoured is False:
            self._lacks_it = True
        elif is_honoured:
            self._shows_it = True
        self._latest = _Latest(timestamp, sent_at, _clock.monotonic())

    @property
    def is_honoured(self) -> bool | None:
        """Whether it does each change with one id only once, and none that has expired; ``None`` until an answer tells."""
        return False if self._lacks_it else True if self._shows_it else None

    def now(self) -> float | None:
        """The time by its clock, in Unix seconds, and up to a second behind it; ``None`` until an answer has told it."""
        latest = self._latest
        return None if latest is None else latest.timestamp + (_clock.monotonic() - latest.received_at)

    def expiry_in(self, seconds: float) -> int:
        """The expiry, in Unix seconds, for a request that is sent now and may take about so long.

        Before the first answer, this machine's clock stands for the service's. If the estimate is behind the service's
        clock, the service refuses the request, and that answer tells the time.
        """
        latest = self._latest
        if latest is None:
            return _machine_seconds(seconds)
        return latest.timestamp + 1 + math.ceil(_clock.monotonic() - latest.received_at + seconds)

    def latest_expiry_in(self, seconds: float) -> int:
        """The second at which every request has expired that a client on this machine has sent with ``expiry_in``.

        The service's clock has run on since the last request was sent, and is up to a second ahead of its timestamp.
        """
        latest = self._latest
        if latest is None:
            return _machine_seconds(seconds)
        by_service = latest.timestamp + 3 + math.ceil(_clock.monotonic() - latest.sent_at + seconds)
        return max(by_service, _machine_seconds(seconds))

    def shown_at(self, second: int) -> float | None:
        """When the last answer was received, by the monotonic clock, if it shows this second or a later one."""
        latest = self._latest
        return latest.received_at if latest is not None and latest.timestamp >= second else None

    def until(self, second: int) -> float:
        """The time until an answer will show this second, unless the service's clock is set."""
        latest = self._latest
        if latest is None:
            return 0.0
        return max(0.0, second - latest.timestamp - (_clock.monotonic() - latest.received_at))


def _machine_seconds(seconds: float) -> int:
    return 1 + math.ceil(_clock.time() + seconds)


class SeenAnswers:
    """The request ids of the last answers. Each request has its own, so a repeated id belongs to an earlier request."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}
        self._lock = threading.Lock()

    def is_repeated(self, request_id: str) -> bool:
        """Whether an earlier answer had this id. Remembers the id."""
        with self._lock:
            if request_id in self._ids:
                return True
            self._ids[request_id] = None
            if len(self._ids) > MOST_REMEMBERED:
                del self._ids[next(iter(self._ids))]
            return False
