"""Events from a place on, for ever."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from .. import _clock
from .._errors import UnexpectedAnswerError
from .._options import LONGEST_SECONDS, Stop
from .._reply import Answered, Exchange, error_of, may_pass
from .._results import EventPage
from .call import AsyncCall, pause_after
from .waiting import sleep

LONGEST_PAUSE = 30.0
"""A pause between two attempts, without the time that ``Retry-After`` asks for: pauses do not grow beyond it."""
MOST_RETRY_AFTER = 300.0
"""The time that ``Retry-After`` asks for while events are followed: a longer one counts as this."""
UNWAITED_PAUSE = 1.0
"""A service that does not wait is not asked more often than this, in seconds."""
STOP_STEP = 0.25
"""While it pauses, it looks this often whether it shall stop, in seconds."""


class _Placed(Protocol):
    @property
    def next(self) -> str: ...


Item = TypeVar("Item", bound=_Placed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed(Generic[Item]):
    """Which events are followed, and how."""

    begin: Callable[..., AsyncCall]
    read_data: Callable[[object], EventPage[Item]]
    after: str | None
    types: list[str] | None
    limit: int
    wait_seconds: int
    on_next: Callable[[str], None] | None
    stop: Stop | None
    call_options: dict[str, Any]


async def follow(wanted: Followed[Item]) -> AsyncGenerator[Item, None]:
    """Reads events from a place on, page by page, and waits for those to come."""
    after = wanted.after
    while True:
        asked_at = _clock.monotonic()
        page = await _read_page(wanted, after)
        if page is None:
            return
        for item in page.items:
            yield item
        if page.next != after and not (page.items and page.next == page.items[-1].next) and wanted.on_next:
            wanted.on_next(page.next)
        is_unwaited = not page.items and not page.more and page.next == after
        after = page.next
        if is_unwaited:
            await _pause(wanted.stop, UNWAITED_PAUSE - (_clock.monotonic() - asked_at))


async def _read_page(wanted: Followed[Item], after: str | None) -> EventPage[Item] | None:
    """Tries until there is a page, or a failure that cannot pass. ``None``: it shall stop."""
    body = {"after": after, "types": wanted.types, "limit": wanted.limit, "wait_seconds": wanted.wait_seconds}
    request = Exchange(
        operation="view_event_page",
        body={name: value for name, value in body.items() if value is not None},
        held=wanted.wait_seconds,
        read_data=wanted.read_data,
    )
    failures = 0
    while wanted.stop is None or not wanted.stop.is_set():
        call = wanted.begin(**wanted.call_options, total_timeout_seconds=LONGEST_SECONDS)
        reply = await call.send(request)
        if isinstance(reply, Answered):
            return reply.data
        # Until the service has answered once, the address may be wrong.
        is_unexpected = reply.type is UnexpectedAnswerError and reply.details.status == 200
        is_stranger = is_unexpected and call.service.now() is None
        if is_stranger or not may_pass(reply):
            raise error_of(reply)
        failures += 1
        await _pause(wanted.stop, pause_after(failures, reply.retry_after, LONGEST_PAUSE, MOST_RETRY_AFTER))
    return None


async def _pause(stop: Stop | None, seconds: float) -> None:
    """Waits, or until it shall stop."""
    ends_at = _clock.monotonic() + seconds
    while (left := ends_at - _clock.monotonic()) > 0 and not (stop is not None and stop.is_set()):
        await sleep(left if stop is None else min(left, STOP_STEP))
