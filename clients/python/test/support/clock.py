"""A clock that only moves when the client waits, or when a test says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone


class Clock:
    """The monotonic clock of the client, and the clock of its machine."""

    def __init__(self) -> None:
        self.passed = 1_000.0
        self.machine_ahead = 0.0
        """How far the machine's clock is ahead of the service's, in seconds."""
        self.waits: list[float] = []
        self._planned: list[tuple[float, Callable[[], object]]] = []

    def monotonic(self) -> float:
        return self.passed

    def time(self) -> float:
        """The time by the machine's clock."""
        return self.true_time() + self.machine_ahead

    def true_time(self) -> float:
        """The time by a clock that is right."""
        return 1_795_000_000.0 + self.passed

    def move(self, seconds: float) -> None:
        """Lets time pass, and what is planned happen in it."""
        end = self.passed + seconds
        while due := [plan for plan in self._planned if plan[0] <= end]:
            plan = min(due, key=lambda plan: plan[0])
            self._planned.remove(plan)
            self.passed = max(self.passed, plan[0])
            plan[1]()
        self.passed = end

    def plan(self, seconds: float, action: Callable[[], object]) -> None:
        """Something happens after so long."""
        self._planned.append((self.passed + seconds, action))

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.move(seconds)

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)

    def iso(self) -> str:
        """The time of the service, as it writes times."""
        return datetime.fromtimestamp(self.true_time(), timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
