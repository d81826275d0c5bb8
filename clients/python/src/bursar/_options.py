"""Options of the client and of its calls, and their checks. What is wrong raises ``TypeError`` or ``ValueError``."""

from __future__ import annotations

import ipaddress
import math
import os
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypedDict, cast
from urllib.parse import urlsplit

import httpx

from ._api import (
    CHANGE_ID,
    CHANGE_ID_HEADER,
    REFERENCE,
    REQUEST_EXPIRES_HEADER,
    VERSION,
    Operation,
)
from ._service import SeenAnswers, Service

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from typing_extensions import Unpack

    from ._models import EventType, SubUserState, UnusableReason

LONGEST_SECONDS = 2**31 / 1000
"""About 24 days: the longest time that an option may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientEvent:
    """What happens within a call, as it happens. It holds no secret."""

    kind: Literal["request", "answer", "failure", "wait"]
    """``request``: one is sent. ``answer``: it succeeded. ``failure``: it was refused, or its answer was lost. ``wait``:
    the call waits before it tries again, or looks for a change whose answer was lost."""
    operation: Operation | None = None
    """``None`` for a wait."""
    request: int | None = None
    """Counts the requests of the call from 1, looks included."""
    seconds: float | None = None
    """How long the request took, or how long the call waits."""
    message: str | None = None
    code: str | None = None
    status: int | None = None
    request_id: str | None = None


EventListener = Callable[[ClientEvent], None]


class CallOptions(TypedDict, total=False):
    """Options of every call. Those that are absent are the client's."""

    timeout_seconds: float
    total_timeout_seconds: float
    max_attempts: int
    on_event: EventListener


class ChangeOptions(CallOptions, total=False):
    """Options of calls that change something."""

    change_id: str
    """16 to 64 of ``A-Z a-z 0-9 - _``. Default: a new one. The same call with the same id returns the outcome of the
    change, if it was done within the last 48 hours, and otherwise makes it."""


class TransferOptions(ChangeOptions, total=False):
    """Options of ``give``, ``take`` and ``create_with``."""

    reference: str
    """What it is for, as you name it: 1 to 128 visible ASCII characters, without spaces. ``statement.list`` finds the
    movement by it."""


class ListOptions(CallOptions, total=False):
    """Options of calls that list something page by page. ``total_timeout_seconds`` is the time of one page."""

    after: str | None
    """Where to begin: the ``next`` of a page. Default, and ``None``: at the start."""
    page_rows: int
    """The most rows of a page, from 1 to 1,000. Default: 1,000."""


class SubUserListOptions(ListOptions, total=False):
    """Options of ``sub_users.list``."""

    prefix: str
    """Only sub-users whose names begin with this."""
    state: SubUserState
    is_usable: bool
    """Only those whose pairs the proxies accept, or only those that they refuse. It may be some seconds late, or minutes."""
    reason: UnusableReason
    """Only those that the proxies refuse for this reason. As late."""


class StatementOptions(ListOptions, total=False):
    """Options of ``statement.list``."""

    from_: date
    """Only movements of this UTC day, or later."""
    to: date
    """Only movements of this UTC day, or earlier."""
    order: Literal["newest", "oldest"]
    """Which movements come first. ``oldest`` is for a program that follows the statement: keep the ``next`` of each page, and
    give it as ``after`` later. Default: ``newest``."""
    reference: str
    """Only gives and takes with exactly this reference."""


class TopUpListOptions(ListOptions, total=False):
    """Options of ``top_ups.list``."""

    only: Literal["waiting"]
    """Only payments that still wait for money. Default: all."""


class EventListOptions(ListOptions, total=False):
    """Options of ``events.list``. ``after`` may also be ``newest``, for the present end of the log."""

    types: Sequence[EventType]
    """Only events of these types. Default: all."""


class FollowOptions(TypedDict, total=False):
    """Options of ``events.follow``. It has no end of its own, and tries as often as it takes."""

    after: str | None
    types: Sequence[EventType]
    page_rows: int
    wait_seconds: int
    """How long one request may wait for events, from 0 to 25. Default: 20."""
    on_next: Callable[[str], None]
    """Called with the place when it has moved without an event, because those in between are of other types, or because
    ``after`` was no guarded place. Keep it as the ``next`` of an event."""
    stop: Stop
    """Ends the loop once it is set: before the next request, or within a pause."""
    timeout_seconds: float
    """How long one request may take beyond its wait. Default: the client's."""
    on_event: EventListener


class Stop(Protocol):
    """An event of ``threading`` or ``asyncio``, for example."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long and how often a call tries."""

    timeout: float
    total_timeout: float
    max_attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of a client, complete and checked."""

    base_url: str
    """Without a slash at its end."""
    token: str = field(repr=False)
    headers: httpx.Headers = field(repr=False)
    patience: Patience
    after_expiry: float
    on_event: EventListener | None
    service: Service
    seen_answers: SeenAnswers


def read_settings(
    base_url: str | None,
    token: str | None,
    *,
    timeout_seconds: float,
    total_timeout_seconds: float,
    max_attempts: int,
    after_expiry_seconds: float,
    headers: Mapping[str, str] | None,
    on_event: EventListener | None,
    allow_insecure_http: bool,
) -> Settings:
    """Checks the options of a client. No error holds the token."""
    return Settings(
        base_url=_read_base_url(_given(base_url, "BURSAR_URL"), allow_insecure_http),
        token=_read_token(_given(token, "BURSAR_TOKEN")),
        headers=_read_headers({} if headers is None else headers),
        patience=_read_patience(timeout_seconds, total_timeout_seconds, max_attempts),
        after_expiry=_read_seconds("after_expiry_seconds", after_expiry_seconds, 0),
        on_event=_read_listener(on_event),
        service=Service(),
        seen_answers=SeenAnswers(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSettings:
    """The options of a call, complete and checked."""

    patience: Patience
    on_event: EventListener | None
    change_id: str
    is_id_given: bool
    """Whether the caller gave the id, which an earlier call may have used for the same change."""


def read_call_options(settings: Settings, **options: Unpack[ChangeOptions]) -> CallSettings:
    """Checks the options of a call."""
    refuse_unknown(options, ChangeOptions)
    patience = settings.patience
    change_id = options.get("change_id")
    if change_id is not None:
        check_change_id(change_id)
    return CallSettings(
        patience=_read_patience(
            options.get("timeout_seconds", patience.timeout),
            options.get("total_timeout_seconds", patience.total_timeout),
            options.get("max_attempts", patience.max_attempts),
        ),
        on_event=_read_listener(options.get("on_event", settings.on_event)),
        change_id=new_change_id() if change_id is None else change_id,
        is_id_given=change_id is not None,
    )


def refuse_unknown(options: Mapping[str, object], known: type) -> None:
    """Raises ``TypeError`` for an option that the call does not have: otherwise a misspelt one would count as absent."""
    # Those of a TypedDict, its bases included.
    names: frozenset[str] = getattr(known, "__optional_keys__")
    for name in options:
        if name not in names:
            raise TypeError(f"{name} is not an option here")


def new_change_id() -> str:
    """A new id for a change: 24 of ``a-z 0-9``.

    It begins with the time: the service keeps ids in order, and an id at the end costs least. A program that journals
    its changes writes the id to its journal before it sends the change.
    """
    digits, rest = "", time.time_ns() // 1_000_000
    while rest:
        rest, digit = divmod(rest, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits + secrets.token_hex(8)


def check_change_id(change_id: object) -> None:
    """Raises if it is no id of a change."""
    if not isinstance(change_id, str):
        raise TypeError("change_id must be a str")
    if not CHANGE_ID.fullmatch(change_id):
        raise ValueError("change_id must have 16 to 64 characters of A-Z a-z 0-9 - _")


def check_reference(reference: object) -> None:
    """Raises if it is no reference of a movement. ``None`` is none, and fine."""
    if reference is None:
        return
    if not isinstance(reference, str):
        raise TypeError("reference must be a str")
    if not REFERENCE.fullmatch(reference):
        raise ValueError("reference must have 1 to 128 visible ASCII characters, without spaces")


def read_path(path: object) -> str:
    """The path of a raw request, from the base address on."""
    if not re.fullmatch(r"/(?!/)[\x21-\x7e]*", read_text("path", path)):
        raise ValueError("path must begin with one slash, and have visible ASCII characters")
    return str(path)


def read_whole(name: str, value: object, least: int, most: int) -> int:
    """A whole number within bounds."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int")
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least} to {most}")
    return value


def read_text(name: str, value: object) -> str:
    """A text of the caller."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str")
    return value


def _read_patience(timeout: object, total_timeout: object, max_attempts: object) -> Patience:
    return Patience(
        timeout=_read_seconds("timeout_seconds", timeout, 0.001),
        total_timeout=_read_seconds("total_timeout_seconds", total_timeout, 0.001),
        max_attempts=read_whole("max_attempts", max_attempts, 1, 2**53),
    )


def _read_seconds(name: str, value: object, least: float) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number of seconds")
    if math.isnan(value) or not least <= value <= LONGEST_SECONDS:
        raise ValueError(f"{name} must be from {least} to {LONGEST_SECONDS:.0f} seconds")
    return float(value)


def _read_listener(listener: EventListener | None) -> EventListener | None:
    if listener is not None and not callable(listener):
        raise TypeError("on_event must be a function")
    return listener


def _read_base_url(base_url: object, allow_insecure_http: object) -> str:
    """Never repeats the text, which may hold credentials."""
    if not isinstance(allow_insecure_http, bool):
        raise TypeError("allow_insecure_http must be a bool")
    if base_url is None:
        raise TypeError("base_url is missing: give it, or set BURSAR_URL")
    text = read_text("base_url", base_url)
    try:
        url = urlsplit(text)
        host, _ = url.hostname or "", url.port
        httpx.URL(text)
    except (ValueError, httpx.InvalidURL):
        host, url = "", urlsplit("")
    if url.scheme not in ("https", "http") or not host or not re.fullmatch(r"[\x21-\x7e]+", text):
        raise ValueError("base_url must be an address that begins with https:// or http://")
    if "@" in url.netloc or "?" in text or "#" in text:
        raise ValueError("base_url must have no credentials, no query and no fragment")
    if url.scheme == "http" and not allow_insecure_http and not is_loopback(host):
        raise ValueError("base_url must begin with https://: plain http shows the token to the network")
    return f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}"


def _given(value: str | None, variable: str) -> str | None:
    """The environment's value, if there is no other. An empty one is none there."""
    return (os.environ.get(variable) or None) if value is None else value


def is_loopback(host: str) -> bool:
    """Whether what is sent to this host stays on this machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _read_token(token: object) -> str:
    """Refuses a token that does not fit into a header: the error of another library would repeat it."""
    if token is None:
        raise TypeError("token is missing: give it, or set BURSAR_TOKEN")
    if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]+", token):
        raise ValueError("token must be visible ASCII characters, without spaces or line ends")
    return token


def _read_headers(headers: object) -> httpx.Headers:
    """The caller's own headers. They can replace neither the client's nor those that tell where a request ends."""
    if not isinstance(headers, Mapping):
        raise TypeError("headers must be a mapping")
    read = httpx.Headers({"User-Agent": f"bursar-python/{VERSION}"})
    for name, value in cast("Mapping[object, object]", headers).items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError("headers must have names and values that are str")
        if name.lower() in _RESERVED_HEADERS:
            raise ValueError(f"the header {name} is set by the client itself")
        # The value is not repeated: it may be a secret.
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or not re.fullmatch(r"[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?", value):
            raise ValueError("headers holds a name or a value that no header can have")
        read[name] = value
    return read


_RESERVED_HEADERS = frozenset(
    {
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "te",
        "transfer-encoding",
        "upgrade",
        # Each request needs an id of its own, by which the client recognises a late answer.
        "x-request-id",
        REQUEST_EXPIRES_HEADER.lower(),
        CHANGE_ID_HEADER.lower(),
    }
)
