"""Changes: each is done at most once, and its outcome is known or said to be unknown."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple

from .. import _clock
from .._api import ERRORS
from .._errors import BursarError, ErrorDetails, InvalidRequestError, OutcomeUnknownError, UnexpectedAnswerError, UnknownOutcome
from .._fees import NOTHING, ONE_FEE, PERHAPS_ONE_FEE, fee_details, fee_of
from .._models import ChangeOperation, RecordedChange
from .._reading import recorded_change
from .._reply import Answered, Data, Exchange, Failure, error_of, refusal_type
from .call import AsyncCall
from .reads import read

ASK_AGAIN = 0.5
"""While the service's clock is behind the expected time, the client asks for the time this often, in seconds."""

_NOT_SHOWN = "the answers of the service do not show that it honours X-Change-Id and X-Request-Expires"
NOT_HONOURED = f"{_NOT_SHOWN}, so the change is not sent again"
CANNOT_TELL = f"{_NOT_SHOWN}, so it cannot tell whether the change was done"


class Asked(NamedTuple):
    """What a change shall do."""

    operation: ChangeOperation
    username: str | None = None
    amount_cents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Generic[Data]):
    """A change that a call makes."""

    asked: Asked
    request: Exchange[Data]
    answer_of: Callable[[RecordedChange, AsyncCall], Awaitable[Data]]
    """What the service has answered, or would answer now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Generic[Data]):
    """A change that took effect."""

    data: Data
    confirmed_by: Literal["answer", "look"]
    request_id: str | None

    @property
    def confirmation(self) -> dict[str, Any]:
        """The fields of ``Confirmed``."""
        return {"confirmed_by": self.confirmed_by, "request_id": self.request_id}


async def send_change(call: AsyncCall, change: Change[Data]) -> Done[Data]:
    """Sends a change until its outcome is known.

    The service records its id with it, in one transaction, and does it at most once. So after a lost answer the client
    looks for the id, and sends the change again if it is absent. A refusal after a lost answer is final only if the lost
    request can no longer arrive: until then it may still take effect.
    """
    asked, service = change.asked, call.service
    attempts = call.attempts()
    lost: Failure | None = None
    # An earlier call may have done it, and this service would do it again.
    if call.is_id_given and service.is_honoured is False:
        raise UnexpectedAnswerError(NOT_HONOURED)
    known = UnknownOutcome(
        change_id=call.change_id, operation=asked.operation, username=asked.username, amount_cents=asked.amount_cents
    )
    while True:
        reply = await call.send(replace(change.request, is_marked=True))
        if isinstance(reply, Answered):
            return Done(data=reply.data, confirmed_by="answer", request_id=reply.request_id)
        if reply.kind == "lost":
            lost = _with_earlier(lost, reply)
        if lost is not None:
            unknown = Unknown(known, lost)
            recorded = reply.recorded or await _look(call, unknown)
            if recorded is not None:
                return await _outcome_of(call, change, recorded, unknown)
            if not service.is_honoured:
                raise unknown.error(NOT_HONOURED)
        needed = 0.0 if lost is None else call.judging
        if reply.kind != "refused" and await attempts.may_go_on(reply, needed):
            continue
        if lost is None:
            raise error_of(reply, **fee_details(asked.operation, fee_of(asked.operation, reply)))
        recorded = await find_change(call, Unknown(known, lost))
        if recorded is not None:
            return await _outcome_of(call, change, recorded, Unknown(known, lost))
        raise error_of(reply, **fee_details(asked.operation, NOTHING))


async def find_change(call: AsyncCall, unknown: Unknown) -> RecordedChange | None:
    """Finds out for certain what a change did that was sent, and whose answer was lost.

    It looks at once, and again when no request with its id can take effect any more. ``None``: it did not take effect,
    and no longer can. Without ``expires``, whatever was sent until now has expired then.
    """
    service, lost = call.service, unknown.lost
    expires = lost.expires
    final_from = math.inf
    while True:
        asked_at = _clock.monotonic()
        recorded = await _look(call, unknown)
        if recorded is not None:
            return recorded
        if not service.is_honoured:
            raise unknown.error(NOT_HONOURED)
        if asked_at >= final_from:
            break
        if expires is None:
            expires = call.latest_expiry()
        shown_at = service.shown_at(expires)
        if shown_at is not None:
            final_from = min(final_from, shown_at + call.after_expiry)
        is_expired = final_from < math.inf
        seconds = final_from - _clock.monotonic() if is_expired else max(ASK_AGAIN, service.until(expires))
        if not await call.wait(seconds):
            raise unknown.error("there was no time to wait until it can no longer arrive")
    if lost.details.code == "outcome_unknown":
        raise unknown.error("the service may still do it")
    if lost.details.code == "change_repeated":
        raise unknown.error("the service does not show it")
    return None


async def look_for_change(call: AsyncCall) -> RecordedChange | None:
    """What the change with the call's id did; ``None`` if the service knows none now.

    It is asked until it answers, or until the time of the call is over.
    """
    return await read(call, request_to_look(call.change_id), is_patient=True)


def request_to_look(change_id: str) -> Exchange[RecordedChange | None]:
    """The request that looks for a change."""
    return Exchange(
        operation="view_change", body={"change_id": change_id}, is_marked=True, read_data=recorded_change(change_id)
    )


async def _look(call: AsyncCall, unknown: Unknown) -> RecordedChange | None:
    try:
        return await look_for_change(call)
    except BursarError as error:
        why = NOT_HONOURED if call.service.is_honoured is False else "looking for it failed"
        raise unknown.error(why) from error


@dataclass(frozen=True, slots=True)
class Unknown:
    """A change whose answer was lost."""

    known: UnknownOutcome
    lost: Failure

    def error(self, why: str) -> OutcomeUnknownError:
        """The error if the outcome cannot be known. ``why`` says why looking could not tell it."""
        known, lost = self.known, self.lost
        words = [known.operation, known.username, f"{known.amount_cents} cents" if known.amount_cents is not None else None]
        what = f'"{" ".join(filter(None, words))}"' if known.operation else f"the change {known.change_id}"
        message = f"whether {what} took effect is not known: its answer was lost ({lost.message}), and {why}"
        said = lost.details
        is_later = known.may_happen_later or said.code == "outcome_unknown"
        details = ErrorDetails(
            code=said.code,
            status=said.status,
            request_id=said.request_id,
            known=replace(known, expires=lost.expires, may_happen_later=is_later),
            **fee_details(known.operation, PERHAPS_ONE_FEE),
        )
        error = OutcomeUnknownError(message, details)
        error.__cause__ = error_of(lost)
        return error


def _with_earlier(earlier: Failure | None, last: Failure) -> Failure:
    """An earlier answer can tell more than the last one. The request that expires last can arrive longest."""
    if earlier is None:
        return last
    weights = {"outcome_unknown": 2, "change_repeated": 1}
    weight = [weights.get(failure.details.code or "", 0) for failure in (earlier, last)]
    expires = max(earlier.expires or 0, last.expires or 0)
    return replace(earlier if weight[0] > weight[1] else last, expires=expires)


async def _outcome_of(call: AsyncCall, change: Change[Data], recorded: RecordedChange, unknown: Unknown) -> Done[Data]:
    """The result of a change that was found. Raises what the service has answered, if that was an error."""
    asked = change.asked
    _refuse_other(asked, recorded)
    code = recorded.error
    if code is not None:
        status, message = ERRORS[code]
        type_ = refusal_type(code, status) or UnexpectedAnswerError
        details = ErrorDetails(
            code=code, status=status, request_id=recorded.request_id, **fee_details(asked.operation, ONE_FEE)
        )
        raise type_(f"{message} ({status} {code})", details)
    try:
        data = await change.answer_of(recorded, call)
    except (BursarError, LookupError) as error:
        raise unknown.error("it did, but its result could not be read") from error
    return Done(data=data, confirmed_by="look", request_id=recorded.request_id)


def _refuse_other(asked: Asked, recorded: RecordedChange) -> None:
    """A caller that gives its own id may have used it for another change."""
    is_same_amount = (
        # What failed has moved nothing.
        recorded.error is not None or asked.amount_cents is None or asked.amount_cents == recorded.amount_cents
    )
    if recorded.operation == asked.operation and recorded.username == asked.username and is_same_amount:
        return
    message = f"another change has the id {recorded.change_id}, so this one was not made"
    raise InvalidRequestError(message, ErrorDetails(code="change_repeated", **fee_details(asked.operation, NOTHING)))
