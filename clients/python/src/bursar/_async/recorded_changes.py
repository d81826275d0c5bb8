"""``bursar.changes``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._api import CHANGE_KEPT_SECONDS
from .._errors import BursarConnectionError, ErrorDetails, UnexpectedAnswerError, UnknownOutcome
from .._models import RecordedChange
from .._options import CallOptions, check_change_id
from .._reply import Failure
from .changes import CANNOT_TELL, Unknown, find_change, request_to_look
from .reads import read
from .resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

REMEMBERED_SECONDS = CHANGE_KEPT_SECONDS - 3_600
"""An hour less than the service remembers a change, because a change can arrive late."""


class AsyncChangesResource(AsyncResource):
    """What changes did, by their ids. The service remembers a change for 48 hours."""

    async def retrieve(self, change_id: str, **options: Unpack[CallOptions]) -> RecordedChange | None:
        """What the change with this id did; ``None`` if there is none now.

        A change that was just sent may still arrive: ``settle`` waits until it no longer can. Raises
        ``UnexpectedAnswerError`` if there is none, and the service does not show that it knows ids: a repeated call with
        this id could then make the change a second time.
        """
        check_change_id(change_id)
        call = self._begin(**options, change_id=change_id)
        recorded = await read(call, request_to_look(change_id))
        if recorded is None and not call.service.is_honoured:
            raise UnexpectedAnswerError(CANNOT_TELL)
        return recorded

    async def settle(self, known: UnknownOutcome, **options: Unpack[CallOptions]) -> RecordedChange | None:
        """What the change with this id did, for certain; ``None`` if it was not done and no longer can be.

        It takes the ``known`` of an ``OutcomeUnknownError``, which may come from another process, or what is known of a
        change: its id is enough. If the change is absent, it waits until it can no longer arrive: about 15 seconds after
        it was sent. Without ``expires``, that is about 15 seconds from now, if the process that sent it had no longer
        ``timeout_seconds``. It sends no change. It is right for 47 hours.

        Raises ``OutcomeUnknownError`` if that cannot be known, or not within ``total_timeout_seconds``.
        """
        _check_known(known)
        lost = Failure(
            kind="lost",
            type=BursarConnectionError,
            message="in an earlier call",
            details=ErrorDetails(code="outcome_unknown" if known.may_happen_later else None),
            expires=known.expires,
        )
        unknown = Unknown(known, lost)
        call = self._begin(**options, change_id=known.change_id)
        recorded = await find_change(call, unknown)
        is_long_ago = known.expires is not None and call.service.shown_at(known.expires + REMEMBERED_SECONDS) is not None
        if recorded is None and is_long_ago:
            raise unknown.error("the service may have forgotten it")
        return recorded


def _check_known(known: UnknownOutcome) -> None:
    """Raises if no error of this client can hold this: the caller may have stored and changed it."""
    if not isinstance(known, UnknownOutcome):
        raise TypeError("known must be an UnknownOutcome: that of an OutcomeUnknownError, or one with the id alone")
    check_change_id(known.change_id)
    expires = known.expires
    if expires is not None and (not isinstance(expires, int) or isinstance(expires, bool)):
        raise TypeError("known.expires must be an int")
    if expires is not None and not 0 <= expires < 10**12:
        raise ValueError("known.expires must be Unix seconds")
    if not isinstance(known.may_happen_later, bool):
        raise TypeError("known.may_happen_later must be a bool")
