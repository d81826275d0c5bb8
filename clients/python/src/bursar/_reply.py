"""What an answer means. Only the service's own answer is certain; one that a proxy could have made counts as lost."""

from __future__ import annotations

import email.utils
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast

import httpx

from . import _clock
from ._api import (
    CHANGE_ID_HEADER,
    ERROR_CODE_HEADER,
    ERRORS,
    EVENTS_NEWEST_HEADER,
    EVENTS_OLDEST_HEADER,
    HONOURED,
    REQUEST_EXPIRES_HEADER,
    REQUEST_ID_HEADER,
    STATEMENT_NEWEST_HEADER,
    ErrorCode,
    Operation,
)
from ._errors import (
    AddressTakenError,
    BursarConnectionError,
    BursarError,
    ErrorDetails,
    EventsExpiredError,
    EventsRewoundError,
    InsufficientBalanceError,
    InternalServerError,
    InvalidRequestError,
    NotPermittedError,
    ProviderOffError,
    SignInByAddressOffError,
    StatementRewoundError,
    SuspendedError,
    TooManyPaymentsError,
    TooManyTokensError,
    TooManyWebhooksError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedAnswerError,
    UnknownSubUserError,
    UnknownTokenError,
    UnknownWebhookError,
    UsernameTakenError,
)
from ._models import RecordedChange, read_recorded_change
from ._read import Unreadable, fields_of
from ._service import SeenAnswers, Service

Data = TypeVar("Data")

MOST_WORDS = 1_000
"""The characters of the service's message in an error: the rest is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(Generic[Data]):
    """One request of the API."""

    operation: Operation
    read_data: Callable[[object], Data]
    """Reads the ``data`` of a success. Raises ``Unreadable`` if it does not have the shape of this operation."""
    body: Mapping[str, object] | None = None
    """Sent as JSON."""
    reference: str | None = None
    """What a give or a take is for."""
    is_marked: bool = False
    """Whether it is a change, or looks for one: then it carries id and expiry, and its answer must repeat both."""
    held: float = 0.0
    """How long the service may hold the answer, in seconds, beyond the time of a request."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What the requests for one change carry. If an answer repeats both, the service knows them and no proxy removes them."""

    change_id: str
    expires: int
    """When the request expires, in Unix seconds of the service's clock."""


@dataclass(frozen=True, slots=True)
class Answered(Generic[Data]):
    """The success of a request."""

    data: Data
    request_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failed request. ``error_of`` makes an error of it once it is known what it means for the call."""

    kind: Literal["refused", "not_done", "lost"]
    """``refused``: the service says that it did not do it; a create may have paid its fee. ``not_done``: it certainly was
    not done, and may be sent again. ``lost``: it may have been done."""
    type: type[BursarError]
    message: str
    details: ErrorDetails = ErrorDetails()
    retry_after: float | None = None
    """How long the service asks the client to wait, in seconds."""
    recorded: RecordedChange | None = None
    """What the change with the id of the request did before, if it is ``change_repeated`` and the answer tells it."""
    expires: int | None = None
    """When the request expires, in Unix seconds of the service's clock, if it is a change."""
    will_not_pass: bool = False
    """The answer is larger than the client accepts, or the certificate is refused: both will be so again."""


def error_of(failure: Failure, **more: Any) -> BursarError:
    """The error to raise for a failure. ``more`` are further details."""
    details = failure.details
    if more:
        known = {name: getattr(details, name) for name in ErrorDetails.__dataclass_fields__}
        details = ErrorDetails(**{**known, **more})
    return failure.type(failure.message, details)


def may_pass(failure: Failure) -> bool:
    """Whether the failure of a read may pass, so that it is worth another attempt."""
    status = failure.details.status
    if failure.will_not_pass:
        return False
    if failure.type is BursarConnectionError or status is None:
        return True
    return status == 200 or status >= 500 or status in (408, 425, 429)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request that was sent once."""

    token: str = field(repr=False)
    service: Service
    seen_answers: SeenAnswers
    change_id: str
    """What the request carries, also if it changes nothing: only its own answer repeats it."""
    marks: Marks | None
    """``None`` if it changes nothing, and looks for no change."""
    sent_at: float


def reply_of(asked: Asked, request: Exchange[Data], status: int, headers: httpx.Headers, body: bytes) -> Answered[Data] | Failure:
    """What an answer that arrived whole means."""
    envelope = _read_envelope(body, status)
    code = _read_code(headers)
    request_id = redact(headers.get(REQUEST_ID_HEADER, ""), asked.token) or None
    retry_after = _read_retry_after(headers.get("Retry-After"))
    said = ErrorDetails(code=code, status=status, request_id=request_id)

    def lost(message: str, details: ErrorDetails = said) -> Failure:
        return Failure(kind="lost", type=UnexpectedAnswerError, message=message, details=details, retry_after=retry_after)

    if envelope is None:
        return lost(f"the answer is not from this API (HTTP status {status})")
    # A proxy that mixes up its connections could give each request the answer to the previous one. Only a service that
    # honours expiry is known to give each request its own id.
    is_ours = REQUEST_EXPIRES_HEADER in headers and request_id is not None
    if (is_ours and asked.seen_answers.is_repeated(request_id or "")) or _is_of_another_request(asked, headers):
        return lost("the answer belongs to another request", ErrorDetails(status=status, request_id=request_id))
    if status == 200:
        try:
            data = request.read_data(envelope.data)
        except Unreadable:
            return lost(f"the answer to {request.operation} does not have the fields that it should have")
        _note(asked, envelope.timestamp, status, headers)
        return Answered(data, request_id)
    _note(asked, envelope.timestamp, status, headers)
    words = redact(envelope.message, asked.token)[:MOST_WORDS] or "the service gave no reason"
    message = f"{words} ({status} {code})" if code else f"{words} ({status})"
    type_ = refusal_type(code, status)
    return Failure(
        kind="lost" if type_ is None else "not_done" if type_ is UnavailableError else "refused",
        type=type_ or BursarConnectionError,
        message=message,
        details=_with_places(said, headers) if status == 410 else said,
        retry_after=retry_after,
        recorded=_read_repeated(envelope.data, asked.marks) if code == "change_repeated" else None,
    )


@dataclass(frozen=True, slots=True)
class _Envelope:
    message: str
    timestamp: object
    data: object


def _read_envelope(body: bytes, status: int) -> _Envelope | None:
    """The envelope (docs/api.md 3.1) whose ``status`` repeats that of the response."""
    try:
        fields = fields_of(json.loads(body.decode()))
    except (ValueError, RecursionError, Unreadable):
        return None
    said, message = fields.get("status"), fields.get("message")
    if isinstance(said, bool) or said != status or not isinstance(message, str) or "data" not in fields:
        return None
    # JSON can hold half of a pair of surrogates, which no console could print.
    return _Envelope(message.encode("utf-8", "replace").decode(), fields.get("timestamp"), fields["data"])


def _read_code(headers: httpx.Headers) -> ErrorCode | None:
    code = headers.get(ERROR_CODE_HEADER)
    return cast(ErrorCode, code) if code in ERRORS else None


def _is_of_another_request(asked: Asked, headers: httpx.Headers) -> bool:
    """Whether an answer repeats an id or an expiry that was not sent with this request."""
    own_expiry = str(asked.marks.expires) if asked.marks else HONOURED
    change_id = headers.get(CHANGE_ID_HEADER, HONOURED)
    expires = headers.get(REQUEST_EXPIRES_HEADER, HONOURED)
    return change_id not in (HONOURED, asked.change_id) or expires not in (HONOURED, own_expiry)


def _note(asked: Asked, timestamp: object, status: int, headers: httpx.Headers) -> None:
    """Notes what an answer tells about the service.

    A proxy could have made an answer that is no success and has neither a code of the service nor an expiry. Such an
    answer tells nothing.
    """
    is_success = status == 200
    is_of_service = is_success or REQUEST_EXPIRES_HEADER in headers or _read_code(headers) is not None
    if not is_of_service or not isinstance(timestamp, int) or isinstance(timestamp, bool):
        return
    # A time that no date can have, and no expiry.
    if not 0 <= timestamp < 10**11:
        return
    marks = asked.marks
    honours = (
        _is_honoured(marks.change_id if marks else None, headers.get(CHANGE_ID_HEADER), is_success),
        _is_honoured(str(marks.expires) if marks else None, headers.get(REQUEST_EXPIRES_HEADER), is_success),
    )
    asked.service.note(timestamp, asked.sent_at, False if False in honours else None if None in honours else True)


def _is_honoured(sent: str | None, said: str | None, is_success: bool) -> bool | None:
    """Whether the service honours a header: it repeats the sent value. ``None``: the answer cannot tell."""
    if said is None:
        return False
    if sent is not None and said == sent:
        return True
    # The service may refuse a request before it has read its headers. That refusal cannot repeat the value.
    return False if sent is not None and is_success else None


def _read_repeated(data: object, marks: Marks | None) -> RecordedChange | None:
    """What the change with this id did. An older service does not tell it."""
    try:
        recorded = read_recorded_change(fields_of(data).get("change"))
    except Unreadable:
        return None
    return recorded if marks and recorded.change_id == marks.change_id else None


def _with_places(said: ErrorDetails, headers: httpx.Headers) -> ErrorDetails:
    """The details, with which events and movements there are."""

    def read(name: str) -> int | None:
        text = headers.get(name, "")
        return int(text) if re.fullmatch("[0-9]{1,15}", text) else None

    return ErrorDetails(
        code=said.code,
        status=said.status,
        request_id=said.request_id,
        oldest_event=read(EVENTS_OLDEST_HEADER),
        newest_event=read(EVENTS_NEWEST_HEADER),
        newest_movement=read(STATEMENT_NEWEST_HEADER),
    )


def _read_retry_after(header: str | None) -> float | None:
    """The header holds seconds or a date. Returns seconds."""
    if header is None:
        return None
    if re.fullmatch("[0-9]{1,9}", header):
        return float(header)
    try:
        seconds = email.utils.parsedate_to_datetime(header).timestamp() - _clock.time()
    except (ValueError, OverflowError):
        return None
    return max(seconds, 0.0)


def redact(text: str, token: str) -> str:
    """The text without the token."""
    return text.replace(token, "[token]")


def refusal_type(code: ErrorCode | None, status: int) -> type[BursarError] | None:
    """The error class for a code, or for the status if the answer has no code; ``None`` if the change may be done."""
    if code is not None:
        return _REFUSALS.get(code)
    # A proxy removed the header. The status of an envelope tells the same, except for 5xx, and for 409: the change may be
    # the one that an earlier request with its id did.
    return _STATUSES.get(status)


_REFUSALS: Mapping[ErrorCode, type[BursarError]] = {
    "unauthorized": UnauthorizedError,
    "insufficient_balance": InsufficientBalanceError,
    "unknown_sub_user": UnknownSubUserError,
    "unknown_webhook": UnknownWebhookError,
    "unknown_token": UnknownTokenError,
    "username_taken": UsernameTakenError,
    "too_many_webhooks": TooManyWebhooksError,
    "too_many_payments": TooManyPaymentsError,
    "too_many_tokens": TooManyTokensError,
    "provider_off": ProviderOffError,
    "amount_out_of_bounds": InvalidRequestError,
    "invalid_request": InvalidRequestError,
    "invalid_username": InvalidRequestError,
    "invalid_amount": InvalidRequestError,
    "invalid_limits": InvalidRequestError,
    "invalid_note": InvalidRequestError,
    "invalid_sign_in_ips": InvalidRequestError,
    "invalid_webhook_url": InvalidRequestError,
    "invalid_token": InvalidRequestError,
    "token_exists": InvalidRequestError,
    "payload_too_large": InvalidRequestError,
    "unsupported_media_type": InvalidRequestError,
    "sign_in_by_address_off": SignInByAddressOffError,
    "address_taken": AddressTakenError,
    "suspended": SuspendedError,
    "missing_scope": NotPermittedError,
    "address_not_allowed": NotPermittedError,
    "internal_error": InternalServerError,
    "unavailable": UnavailableError,
    "events_expired": EventsExpiredError,
    "events_rewound": EventsRewoundError,
    "statement_rewound": StatementRewoundError,
    "not_found": UnexpectedAnswerError,
    "method_not_allowed": UnexpectedAnswerError,
    "rotation_pending": UnexpectedAnswerError,
}
"""Those that are missing are about bytes on a connection, which a proxy may have changed, or the change may be done."""

_STATUSES: Mapping[int, type[BursarError]] = {
    400: InvalidRequestError,
    401: UnauthorizedError,
    402: InsufficientBalanceError,
    403: SuspendedError,
    404: UnknownSubUserError,
    # Whether they have expired or the log was rewound, the same is to be done.
    410: EventsExpiredError,
    413: InvalidRequestError,
    415: InvalidRequestError,
}
