"""Checks each field of an answer, because something other than the service may have answered."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timezone
from typing import Final, TypeVar, cast

_T = TypeVar("_T")
_Text = TypeVar("_Text", bound=str)

_MAX_SAFE_INTEGER: Final = 2**53 - 1

# All times are UTC, also without a zone.
_UTC_TIME: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|\+00:00)?", re.ASCII)


class Unreadable(Exception):
    """The data has another shape than the API says."""


class _Fields(dict[str, object]):
    def __missing__(self, name: str) -> object:
        raise Unreadable(f"{name} is missing")


def fields_of(data: object) -> Mapping[str, object]:
    """The unchecked fields of an object. To read one that it lacks raises ``Unreadable``."""
    if not isinstance(data, dict):
        raise Unreadable("not an object")
    return _Fields(cast("dict[str, object]", data))


def text(value: object) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or value == "":
        raise Unreadable("not a text")
    return value


def any_text(value: object) -> str:
    """A text that may be empty."""
    if not isinstance(value, str):
        raise Unreadable("not a text")
    return value


def whole(value: object) -> int:
    """A whole number that JSON carries exactly. ``True`` is none."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _MAX_SAFE_INTEGER:
        raise Unreadable("not a whole number")
    return value


def count(value: object) -> int:
    """Cents or bytes: a whole number of at least 0."""
    number = whole(value)
    if number < 0:
        raise Unreadable("below zero")
    return number


def boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise Unreadable("not a boolean")
    return value


def time(value: object) -> datetime:
    """A time in UTC, cut to microseconds."""
    match = _UTC_TIME.fullmatch(text(value))
    if match is None:
        raise Unreadable("not a time in UTC")
    *parts, fraction = match.groups(default="0")
    year, month, day_of_month, hour, minute, second = map(int, parts)
    microsecond = int(fraction[:6].ljust(6, "0"))
    try:
        return datetime(year, month, day_of_month, hour, minute, second, microsecond, timezone.utc)
    except ValueError:
        raise Unreadable("no such time") from None


def day(value: object) -> date:
    """A day, told as its start in UTC."""
    start = time(value)
    if start.timetz().replace(tzinfo=None) != datetime.min.time():
        raise Unreadable("not the start of a day")
    return start.date()


def one_of(values: Iterable[_Text]) -> Callable[[object], _Text]:
    """One of a closed list of texts."""
    return mapped({value: value for value in values})


def mapped(values: Mapping[str, _T]) -> Callable[[object], _T]:
    """What stands for one of a closed list of texts."""

    def check(value: object) -> _T:
        name = text(value)
        if name not in values:
            raise Unreadable("not one of the list")
        return values[name]

    return check


def optional(check: Callable[[object], _T]) -> Callable[[object], _T | None]:
    """``None``, or what the check accepts."""
    return lambda value: None if value is None else check(value)


def each(check: Callable[[object], _T]) -> Callable[[object], tuple[_T, ...]]:
    """A list whose items the check accepts."""

    def check_each(value: object) -> tuple[_T, ...]:
        if not isinstance(value, list):
            raise Unreadable("not a list")
        return tuple(map(check, cast("list[object]", value)))

    return check_each
