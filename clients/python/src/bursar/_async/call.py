"""One call of a method: it sends requests until it has its result or its time is over."""

from __future__ import annotations

import logging
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import httpx

from .. import _clock
from .._errors import BursarConnectionError
from .._options import CallSettings, ChangeOptions, ClientEvent, Settings, read_call_options
from .._reply import Answered, Data, Exchange, Failure, Marks
from .exchange import exchange
from .waiting import sleep

if TYPE_CHECKING:
    from typing_extensions import Unpack

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 5.0
"""A pause between two attempts, without the time that ``Retry-After`` asks for: pauses do not grow beyond it."""
MOST_RETRY_AFTER = 10.0
"""The time that ``Retry-After`` asks for: a longer one counts as this, so that a call can outlast a restart."""
CLOCK_STEPS = 2.5
"""An expiry and the time in an answer are both whole seconds, so each can be off by up to one. Then the client asks again."""

_logger = logging.getLogger("bursar")


class AsyncCall:
    """It begins when it is made.

    Raises ``TypeError`` or ``ValueError`` if an option is wrong, and ``RuntimeError`` if the client is closed.
    """

    def __init__(self, settings: Settings, http: httpx.AsyncClient, **options: Unpack[ChangeOptions]) -> None:
        asked: CallSettings = read_call_options(settings, **options)
        # Otherwise a change would count as lost.
        if http.is_closed:
            raise RuntimeError("the client is closed")
        self._settings = settings
        self._http = http
        self._patience = asked.patience
        self._on_event = asked.on_event
        self._ends_at = _clock.monotonic() + asked.patience.total_timeout
        self._requests = 0
        self.service = settings.service
        self.change_id = asked.change_id
        """The id of the change that the call makes, if it makes one."""
        self.is_id_given = asked.is_id_given
        # The request may spend half of the time-out on its way to the service.
        self._way = asked.patience.timeout / 2
        self.after_expiry = settings.after_expiry
        """How long after its expiry a change may still take effect."""
        self.judging = max(asked.patience.timeout, self._way + CLOCK_STEPS) + settings.after_expiry
        """The time that a change needs, so that the client can still judge it if its answer is lost."""

    async def send(self, request: Exchange[Data]) -> Answered[Data] | Failure:
        """Sends a request once."""
        seconds = min(self._patience.timeout + request.held, self.left())
        if seconds <= 0:
            message = "the call ran out of time before it was sent"
            return Failure(kind="not_done", type=BursarConnectionError, message=message)
        marks = Marks(self.change_id, self.service.expiry_in(self._way))
        self._requests += 1
        number, sent_at = self._requests, _clock.monotonic()
        self._tell(ClientEvent(kind="request", operation=request.operation, request=number))
        reply = await exchange(self._settings, self._http, request, marks, seconds)
        told = ClientEvent(kind="answer", operation=request.operation, request=number, seconds=_clock.monotonic() - sent_at)
        if isinstance(reply, Answered):
            self._tell(replace(told, request_id=reply.request_id))
            return reply
        said = reply.details
        told = replace(told, kind="failure", message=reply.message, code=said.code)
        self._tell(replace(told, status=said.status, request_id=said.request_id))
        return replace(reply, expires=marks.expires)

    def attempts(self, is_patient: bool = False) -> AsyncAttempts:
        """Begins to count the attempts of one request. ``is_patient``: only the time of the call limits them."""
        return AsyncAttempts(self, None if is_patient else self._patience.max_attempts)

    async def wait(self, seconds: float) -> bool:
        """Waits. Returns ``False`` at once if the call has less time left."""
        if seconds > self.left():
            return False
        if seconds > 0:
            self._tell(ClientEvent(kind="wait", seconds=seconds))
            await sleep(seconds)
        return True

    def left(self) -> float:
        """The time that the call has left."""
        return self._ends_at - _clock.monotonic()

    def latest_expiry(self) -> int:
        """When every change that was sent until now has expired, in Unix seconds of the service's clock."""
        return self.service.latest_expiry_in(self._way)

    def _tell(self, event: ClientEvent) -> None:
        """A listener that raises does not end the call."""
        if self._on_event is None:
            return
        try:
            self._on_event(event)
        except Exception:
            _logger.exception("on_event failed")


class AsyncAttempts:
    """The attempts of one request. One that nothing of the service answered costs only time."""

    def __init__(self, call: AsyncCall, most: int | None) -> None:
        self._call = call
        self._most = most
        self._made = 0
        self._counted = 0

    async def may_go_on(self, failed: Failure, needed: float = 0.0) -> bool:
        """Pauses before the next attempt.

        Returns ``False`` at once if no attempt is left, or if the pause would leave less time than is needed.
        """
        self._made += 1
        if not _is_unanswered(failed):
            self._counted += 1
        if self._most is not None and self._counted >= self._most:
            return False
        pause = pause_after(self._made, failed.retry_after, LONGEST_PAUSE, MOST_RETRY_AFTER)
        # If the time would end within the pause, the call ends now with this failure: it says more than a time-out.
        return pause + needed < self._call.left() and await self._call.wait(pause) and self._call.left() > needed


def pause_after(failures: int, retry_after: float | None, longest: float, most_retry_after: float) -> float:
    """How long to wait after so many failures in a row. Random, so that clients that failed together do not retry together."""
    grown = min(FIRST_PAUSE * 2.0 ** min(failures - 1, 20), longest)
    return min(retry_after or 0.0, most_retry_after) + grown * (0.5 + random.random() / 2)


def _is_unanswered(failed: Failure) -> bool:
    """Whether nothing of the service answered: it restarts, the connection broke, or a gateway found no service.

    Such a failure may pass, however often it was tried.
    """
    status = failed.details.status
    if failed.kind == "not_done" or status is None:
        return True
    return failed.details.code is None and status in (502, 503, 504)
