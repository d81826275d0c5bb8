"""Checks that a request is a webhook of the service (Standard Webhooks)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import cast

from ._models import ResellerEvent, read_event
from ._read import Unreadable

MAX_BODY_BYTES = 1024**2
"""The body of a webhook: a larger one is refused."""
MAX_HEADER_LENGTH = 8_192
"""Characters of a header of a webhook: a longer one is refused."""
MAX_SIGNATURES = 16
"""Signatures of a webhook that are tried: further ones are not."""

_SECRET = re.compile(r"whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)", re.ASCII)
_SIGNATURE = re.compile(r"v1,([A-Za-z0-9+/]{43}=)", re.ASCII)


class WebhookVerificationError(Exception):
    """The request is not a webhook of the service, or is too old. The message says why, and has no secret."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str | Sequence[str]],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: datetime | None = None,
) -> ResellerEvent:
    """Checks that a request is a webhook that was signed with the secret, and returns its event.

    The same event may arrive more than once: its ``id`` tells. A test has the number 0 and a type that no event has.

    :param body: the raw body as it came. A body that was parsed and written again has another signature.
    :param headers: those of any web framework. Names may have any case.
    :param secret: ``whsec_...``; or several while the secret is changed: one of them is enough.
    :param tolerance_seconds: how far the time of the webhook may be from ``now``.
    :raises WebhookVerificationError: if it is no such webhook.
    """
    keys = _read_keys(secret)
    if now is not None and now.utcoffset() is None:
        raise ValueError("now needs a time zone: datetime.now(timezone.utc) has one, for example")
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise TypeError("body must be the raw text or bytes as they came, not what was parsed from them")
    content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else bytes(body)
    if len(content) > MAX_BODY_BYTES:
        raise WebhookVerificationError("the body is larger than 1 MiB")

    id_ = _read_header(headers, "webhook-id")
    timestamp = _read_header(headers, "webhook-timestamp")
    signatures = _read_signatures(_read_header(headers, "webhook-signature"))
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("webhook-timestamp is no number of seconds")
    age = (time.time() if now is None else now.timestamp()) - int(timestamp)
    if not abs(age) <= tolerance_seconds:
        raise WebhookVerificationError(f"webhook-timestamp is too {'old' if age > 0 else 'new'}")

    signed = f"{id_}.{timestamp}.".encode("utf-8", "surrogatepass") + content
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    # Takes the same time whatever the signature is.
    if not any([hmac.compare_digest(one, other) for one in expected for other in signatures]):
        raise WebhookVerificationError("no signature in webhook-signature is one of this body with this secret")
    try:
        return read_event(json.loads(content.decode()))
    except (ValueError, RecursionError, Unreadable):
        pass
    raise WebhookVerificationError("the body is signed, but is no event")


def _read_keys(secret: object) -> list[bytes]:
    if isinstance(secret, str):
        return [_read_key(secret)]
    if not isinstance(secret, (list, tuple)) or not secret:
        raise TypeError("secret must be a str, or a list of one or more")
    return [_read_key(each) for each in cast("list[object]", secret)]


def _read_key(secret: object) -> bytes:
    match = _SECRET.fullmatch(secret) if isinstance(secret, str) else None
    # The message must not show the secret.
    if match is None or not match[1]:
        raise ValueError("secret must be of the form whsec_... (base64)")
    return base64.b64decode(match[1])


def _read_header(headers: Mapping[str, str | Sequence[str]], name: str) -> str:
    values = list(_values(headers, name))
    if not values or not isinstance(values[0], str) or not values[0]:
        raise WebhookVerificationError(f"the header {name} is missing")
    if len(values) > 1:
        raise WebhookVerificationError(f"the header {name} was sent more than once")
    if len(values[0]) > MAX_HEADER_LENGTH:
        raise WebhookVerificationError(f"the header {name} is too long")
    return values[0]


def _values(headers: Mapping[str, str | Sequence[str]], name: str) -> Iterator[str]:
    for key, value in headers.items():
        if key.lower() == name:
            # Some frameworks have `None` for a header that is not there.
            yield from [value] if isinstance(value, str) else value or []


def _read_signatures(header: str) -> list[bytes]:
    """Those of other kinds, which a later version may add, are left out."""
    matches = (_SIGNATURE.fullmatch(text) for text in header.split(" "))
    return [base64.b64decode(match[1]) for match in matches if match][:MAX_SIGNATURES]
