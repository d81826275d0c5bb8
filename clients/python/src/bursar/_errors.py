"""What a call raises. The HTTP status and ``X-Error-Code`` decide the class, never the wording of a message."""

from __future__ import annotations

from dataclasses import dataclass

from ._api import ErrorCode
from ._models import ChangeOperation

__all__ = [
    "AddressTakenError",
    "BursarConnectionError",
    "BursarError",
    "EventsExpiredError",
    "EventsGoneError",
    "EventsRewoundError",
    "FeeRange",
    "InsufficientBalanceError",
    "InternalServerError",
    "InvalidRequestError",
    "NotPermittedError",
    "OutcomeUnknownError",
    "ProviderOffError",
    "SignInByAddressOffError",
    "StatementRewoundError",
    "SuspendedError",
    "TooManyPaymentsError",
    "TooManyTokensError",
    "TooManyWebhooksError",
    "UnauthorizedError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "UnknownOutcome",
    "UnknownSubUserError",
    "UnknownTokenError",
    "UnknownWebhookError",
    "UsernameTakenError",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeRange:
    """What may have been paid in create fees, in USD cents. The amount is exact if both are the same."""

    min_cents: int
    max_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownOutcome:
    """What the client knows about a change whose outcome is unknown.

    ``dataclasses.asdict`` makes it a dict for a journal, and ``UnknownOutcome(**stored)`` makes it anew.
    """

    change_id: str
    """The id of the change. ``changes.retrieve`` and ``changes.settle`` find the change by it for 48 hours."""
    operation: ChangeOperation | None = None
    """``None`` only after ``changes.settle`` by the id alone, as for ``username``."""
    username: str | None = None
    amount_cents: int | None = None
    """What was to be moved or given, in USD cents."""
    expires: int | None = None
    """When the last lost request expires, in Unix seconds of the service's clock."""
    may_happen_later: bool = False
    """Whether the service itself could not learn the outcome: the change may take effect at any time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorDetails:
    """What is known of a failure."""

    code: ErrorCode | None = None
    status: int | None = None
    request_id: str | None = None
    fee: FeeRange | None = None
    oldest_event: int | None = None
    newest_event: int | None = None
    newest_movement: int | None = None
    known: UnknownOutcome | None = None


class BursarError(Exception):
    """The base class of all errors of this client.

    After an :class:`OutcomeUnknownError`, the change may have taken effect. After any other error this call did not do
    it, except that a create may have paid its fee, and that a raw request may have been done. If the caller gave the id
    of an earlier call, that call may still be on its way: ``changes.settle`` tells. No error holds the token.
    """

    code: ErrorCode | None
    """The service's own name for the failure (``X-Error-Code``), if it gave one."""
    status: int | None
    """HTTP status, if there was an answer."""
    request_id: str | None
    """``X-Request-Id`` of the answer. The operator of the service finds the request by it."""
    fee: FeeRange | None
    """What the call may have paid in fees. Only of ``create`` and ``create_with``."""

    def __init__(self, message: str, details: ErrorDetails = ErrorDetails()) -> None:
        super().__init__(message)
        self.code = details.code
        self.status = details.status
        self.request_id = details.request_id
        self.fee = details.fee
        self._details = details

    def __reduce__(self) -> tuple[type[BursarError], tuple[str, ErrorDetails]]:
        return type(self), (str(self), self._details)


class UnauthorizedError(BursarError):
    """The token is missing, malformed, unknown, retired or expired (401).

    A token that was just rotated can take up to five minutes to work (docs/api.md 5.4).
    """


class InsufficientBalanceError(BursarError):
    """The balance that would pay is too small (402)."""


class SuspendedError(BursarError):
    """The operator has suspended this reseller: it can read, but change no money and no sub-user (403)."""


class NotPermittedError(BursarError):
    """The token may not do this (403): it lacks a scope, which the message names, or may not be used from here."""


class SignInByAddressOffError(BursarError):
    """The operator does not allow that sub-users of this reseller sign in by address (403)."""


class UnknownSubUserError(BursarError):
    """No sub-user of this reseller has that username (404)."""


class UnknownWebhookError(BursarError):
    """This reseller has no webhook with that id (404)."""


class UnknownTokenError(BursarError):
    """This reseller has no further token with that id (404)."""


class AddressTakenError(BursarError):
    """Another account, which may be one of your own, signs in from one of the addresses (409)."""


class TooManyWebhooksError(BursarError):
    """The reseller has as many webhooks as it can have (409)."""


class TooManyTokensError(BursarError):
    """The reseller has as many further tokens as it can have (409)."""


class TooManyPaymentsError(BursarError):
    """As many payments of the reseller wait for money as may (409)."""


class ProviderOffError(BursarError):
    """The service takes no payments through this provider (409)."""


class UsernameTakenError(BursarError):
    """The username is taken (409), and the fee was paid. The username belongs to another reseller.

    If there is a ``__cause__``, it may also be the reseller's own, because the look for it failed. Of ``create_with``,
    it may be the reseller's own too; if ``status`` is ``None``, it is, and nothing was sent and paid.
    """

    def __init__(self, message: str, details: ErrorDetails = ErrorDetails()) -> None:
        super().__init__(message, details)
        # Only a create can pay one.
        self.fee: FeeRange = details.fee or FeeRange(min_cents=0, max_cents=0)  # pyright: ignore[reportIncompatibleVariableOverride]


class InvalidRequestError(BursarError):
    """An argument is wrong (400, 413, 415; 409 if a token has the name): ``code`` says which.

    If ``status`` is ``None``, the client itself refused the argument and sent nothing, or the given ``change_id``
    belongs to another change (``change_repeated``).
    """


class UnavailableError(BursarError):
    """The service could not take the request until the time was over, and did nothing (503)."""


class InternalServerError(BursarError):
    """The service failed, and did nothing (500)."""


class UnexpectedAnswerError(BursarError):
    """The answer is not from this API, or is larger than the client accepts: the base address may be wrong."""


class BursarConnectionError(BursarError):
    """No answer came in time, or the connection broke.

    If a change may have been sent, the client looked: it did not take effect.
    """


class EventsGoneError(BursarError):
    """The log does not have the place any more from which events were to be read (410).

    Read ``events.list(after="newest").page()``, list everything anew, and follow from the ``next`` of that page.
    """

    oldest: int | None
    """The number of the oldest event that is kept; ``None`` if the answer did not tell it."""
    newest: int | None
    """The number of the newest event; ``None`` if the answer did not tell it."""

    def __init__(self, message: str, details: ErrorDetails = ErrorDetails()) -> None:
        super().__init__(message, details)
        self.oldest = details.oldest_event
        self.newest = details.newest_event


class EventsExpiredError(EventsGoneError):
    """The next events were forgotten: the place is older than what is kept."""


class EventsRewoundError(EventsGoneError):
    """The log was restored from a backup, or a failover has lost its end: what you have seen may not be true any more."""


class StatementRewoundError(BursarError):
    """The statement does not have the place any more behind which movements were to be read, the oldest first (410).

    It was restored from a backup, or a failover has lost its end. Read it anew.
    """

    newest: int | None
    """The id of the newest movement; ``None`` if the answer did not tell it."""

    def __init__(self, message: str, details: ErrorDetails = ErrorDetails()) -> None:
        super().__init__(message, details)
        self.newest = details.newest_movement


class OutcomeUnknownError(BursarError):
    """The answer to a change was lost, and the client could not find out in time whether it took effect.

    Do not make it again with another id before ``changes.settle`` has told the outcome. ``__cause__`` says why the
    client cannot tell.
    """

    known: UnknownOutcome
    """What ``changes.settle`` needs."""

    def __init__(self, message: str, details: ErrorDetails) -> None:
        super().__init__(message, details)
        if details.known is None:
            raise TypeError("an unknown outcome needs what is known of it")
        self.known = details.known
