"""What is sent. A wrong amount, name or limit is an ``InvalidRequestError`` before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from typing import TypedDict, TypeGuard, cast

from ._api import (
    MAX_ALLOWED_IPS,
    MAX_BYTES,
    MAX_BYTES_PER_SECOND,
    MAX_CENTS,
    MAX_CONNECTIONS,
    MIN_BYTES_PER_SECOND,
    USERNAME,
    USERNAME_MAX_LENGTH,
    USERNAME_MIN_LENGTH,
    USERNAME_RULE,
    ErrorCode,
)
from ._errors import ErrorDetails, InvalidRequestError
from ._models import EventType
from ._options import read_text


class NewLimits(TypedDict, total=False):
    """Limits to set. ``None`` removes one, and those that are absent stay."""

    day_bytes: int | None
    """Bytes of a UTC day, up and down together."""
    month_bytes: int | None
    total_bytes: int | None
    connections: int | None
    """Connections that are open at once, over all proxy hosts."""
    bytes_per_second: int | None
    """Bytes that pass in a second, up and down each, of all its connections together, on each proxy host."""
    allowed_ips: Sequence[str] | None
    """The addresses and networks from which its pair is good: 1 to 32 of IPv4 and IPv6."""
    expires_at: datetime | None
    """From this time on its pair is refused. It may be in the past. It needs a time zone."""


class WebhookUpdate(TypedDict, total=False):
    """What of a webhook is to change. What is absent stays as it is."""

    url: str
    types: Sequence[EventType] | None
    """``None``: all."""
    enabled: bool
    """Switches it on or off."""
    position: str | int
    """The place in the log behind which it goes on: the ``next`` of an event, or a number."""


def normalized(username: str) -> str | None:
    """The username in its stored form; ``None`` if it is not a valid one (docs/api.md 6.1)."""
    if not USERNAME_MIN_LENGTH <= len(username) <= USERNAME_MAX_LENGTH or not username.isascii():
        return None
    lowercase = username.lower()
    return lowercase if USERNAME.fullmatch(lowercase) else None


def new_name(username: object) -> str:
    """The name for a new sub-user, checked before anything is paid."""
    name = normalized(read_text("username", username))
    if name is None:
        rule = f"this is not a valid username ({USERNAME_RULE}): nothing was sent, and nothing paid"
        raise invalid(rule, "invalid_username")
    return name


def same_name(username: object) -> str:
    """Two spellings of one username become the same text. An invalid username stays as it is: the service refuses it."""
    text = read_text("username", username)
    return normalized(text) or text


def amount(amount_cents: object) -> int:
    """An amount of money to move."""
    if not isinstance(amount_cents, int) or isinstance(amount_cents, bool) or not 1 <= amount_cents <= MAX_CENTS:
        raise invalid(f"an amount is an int from 1 to {MAX_CENTS}, in USD cents", "invalid_amount")
    return amount_cents


def some_limits(limits: object) -> dict[str, object]:
    """The limits as they are sent: at least one."""
    sent = new_limits(limits)
    if not sent:
        raise invalid(f"give at least one limit of {', '.join(_LIMITS)}: nothing was sent", "invalid_limits")
    return sent


def new_limits(limits: object) -> dict[str, object]:
    """The same for a new sub-user, which needs no limit."""
    if not isinstance(limits, Mapping):
        raise TypeError("limits must be a mapping")
    sent: dict[str, object] = {}
    for name, value in cast("Mapping[str, object]", limits).items():
        if name not in _LIMITS:
            raise TypeError(f"{name} is not a limit")
        form, is_valid = _LIMITS[name]
        if value is not None and not is_valid(value):
            raise invalid(f"{name} must be {form}, or None: nothing was sent", "invalid_limits")
        sent[name] = moment(name, value) if isinstance(value, datetime) else value
    return sent


def moment(name: str, value: object) -> str:
    """A time as it is sent, in UTC."""
    if not isinstance(value, datetime):
        raise TypeError(f"{name} must be a datetime")
    if value.utcoffset() is None:
        raise ValueError(f"{name} needs a time zone: datetime.now(timezone.utc) has one, for example")
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def texts(name: str, value: object) -> list[str]:
    """A list of texts. A single text is none, because it would be sent letter by letter."""
    if not _are_texts(value):
        raise TypeError(f"{name} must be a list of str")
    return list(value)


def invalid(message: str, code: ErrorCode) -> InvalidRequestError:
    """The error for an argument that the service would refuse."""
    return InvalidRequestError(message, ErrorDetails(code=code))


_Limit = tuple[str, Callable[[object], bool]]


def _integer(most: int, least: int = 1) -> _Limit:
    def is_valid(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

    return f"an int from {least} to {most}", is_valid


def _are_addresses(value: object) -> bool:
    return _are_texts(value) and 1 <= len(value) <= MAX_ALLOWED_IPS


def _are_texts(value: object) -> TypeGuard[list[str] | tuple[str, ...]]:
    return isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in cast("list[object]", value))


def _is_moment(value: object) -> bool:
    return isinstance(value, datetime) and value.utcoffset() is not None


_LIMITS: Mapping[str, _Limit] = {
    "day_bytes": _integer(MAX_BYTES),
    "month_bytes": _integer(MAX_BYTES),
    "total_bytes": _integer(MAX_BYTES),
    "connections": _integer(MAX_CONNECTIONS),
    "bytes_per_second": _integer(MAX_BYTES_PER_SECOND, MIN_BYTES_PER_SECOND),
    "allowed_ips": (f"a list of 1 to {MAX_ALLOWED_IPS} addresses or networks", _are_addresses),
    "expires_at": ("a datetime with a time zone", _is_moment),
}
