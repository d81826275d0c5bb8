"""Webhooks that are verified, and those that are refused."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timedelta, timezone
from typing import Any

import httpx
import pytest
from bursar import ResellerCredited, WebhookVerificationError, verify_webhook
from standardwebhooks import Webhook


def secret_of(letter: str, count: int = 32) -> str:
    return "whsec_" + base64.b64encode(letter.encode() * count).decode()


SECRET = secret_of("s")
OTHER_SECRET = secret_of("o")
AT = datetime(2026, 11, 21, tzinfo=timezone.utc)
SENT: dict[str, Any] = {
    "id": "evt_0123456789ABCDEFGHIJKL",
    "number": 7,
    "type": "reseller.credited",
    "at": "2026-11-20T23:59:59.000Z",
    "data": {"amount_usd_cents": 500, "balance": 700, "reference": "ü"},
    "change_id": "change-0123456789",
}
BODY = json.dumps(SENT, ensure_ascii=False, separators=(",", ":"))
NO_MATCH = "^no signature in webhook-signature is one of this body with this secret$"


def signed(body: str = BODY, at: datetime = AT, secrets: tuple[str, ...] = (SECRET,)) -> dict[str, str]:
    """What ``standardwebhooks`` of PyPI signs."""
    return {
        "webhook-id": SENT["id"],
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(Webhook(secret).sign(SENT["id"], at, body) for secret in secrets),
    }


def verify(headers: Any, body: Any = BODY, secret: Any = SECRET, now: Any = AT, **options: Any) -> Any:
    return verify_webhook(body, headers, secret, now=now, **options)


def is_refused(match: str, *args: Any, **options: Any) -> None:
    with pytest.raises(WebhookVerificationError, match=match) as raised:
        verify(*args, **options)
    assert "whsec_" not in str(raised.value)
    assert "c3Nz" not in str(raised.value)
    assert raised.value.__cause__ is raised.value.__context__ is None


def test_what_standardwebhooks_of_pypi_signs_is_accepted_as_text_and_as_bytes_and_the_event_is_returned() -> None:
    event = verify(signed())
    assert isinstance(event, ResellerCredited)
    assert (event.id, event.number, event.type, event.username, event.request_id) == (SENT["id"], 7, SENT["type"], None, None)
    assert (event.data.amount_cents, event.data.balance_cents, event.data.reference) == (500, 700, "ü")
    assert (event.at, event.change_id) == (AT - timedelta(seconds=1), "change-0123456789")
    assert event.next == f"7-{SENT['id']}"
    raw = BODY.encode()
    for body in [raw, bytearray(raw), memoryview(b"before" + raw + b"after")[6:-5]]:
        assert verify(signed(), body) == event
    assert verify_webhook(BODY, signed(at=datetime.now(timezone.utc)), SECRET) == event


def test_headers_are_those_of_any_framework_or_have_any_case() -> None:
    headers = signed()
    others = {"host": "x", "set-cookie": ["a", "b"]}
    for form in [
        httpx.Headers(headers),
        {name.upper(): value for name, value in headers.items()},
        {name: [value] for name, value in headers.items()},
        {**others, **headers},
    ]:
        assert verify(form).number == 7


def test_one_good_signature_among_several_is_enough_with_one_secret_among_several() -> None:
    assert verify(signed(secrets=(OTHER_SECRET, SECRET))).number == 7
    for secrets in [[OTHER_SECRET, SECRET], (OTHER_SECRET, SECRET)]:
        assert verify(signed(), secret=secrets).number == 7
    good = signed()["webhook-signature"]
    further = ["v1a,AAAA", "v2,x", "v1,", "v1,####", "", ",", f"v1,{'A' * 42}==", f"v1,{'A' * 43}="]
    for other in further:
        assert verify({**signed(), "webhook-signature": f"{other} {good}"}).number == 7


def test_secrets_of_every_length_that_standard_webhooks_allows_are_accepted() -> None:
    for count in [24, 25, 26, 32, 64]:
        secret = secret_of("s", count)
        assert verify(signed(secrets=(secret,)), secret=secret).number == 7


def test_another_secret_or_any_changed_byte_is_refused() -> None:
    is_refused(NO_MATCH, signed(), secret=OTHER_SECRET)
    is_refused(NO_MATCH, signed(), secret=[OTHER_SECRET, secret_of("t")])
    for body in [BODY + " ", BODY.replace("credited", "creditee"), BODY.replace("ü", "\ufffd"), "", "\ud83d"]:
        is_refused(NO_MATCH, signed(), body)
    is_refused(NO_MATCH, {**signed(), "webhook-id": "evt_2"})
    is_refused(NO_MATCH, {**signed(), "webhook-timestamp": str(int(AT.timestamp()) + 1)})
    for index in range(len(BODY.encode())):
        changed = bytearray(BODY.encode())
        changed[index] ^= 1
        is_refused(NO_MATCH, signed(), bytes(changed))


def test_a_signature_of_another_form_is_none_and_never_an_error_of_another_class() -> None:
    text = signed()["webhook-signature"].split(",")[1]
    for form in [
        *[text, f"v1{text}", f"v1, {text}", f"V1,{text}", f"v1a,{text}", f"v2,{text}", f"v1,{text}v1"],
        *[f"v1,{text[:-1]}", f"v1,{text}=", f"v1,{text[1:]}", "v1,\x00", "v1", ",", " ", f"v1,{text}\n"],
        *[f"v1,{text.replace(text[5], '-', 1)}", "v1," + "\u0660" * 43 + "="],
    ]:
        is_refused("^no signature", {**signed(), "webhook-signature": form})


def test_each_header_is_needed_once() -> None:
    for name, value in signed().items():
        rest = {other: text for other, text in signed().items() if other != name}
        for headers in [rest, httpx.Headers(rest), {**rest, name: ""}, {**rest, name: []}, {**rest, name: None}]:
            is_refused(f"^the header {name} is missing$", headers)
        for twice in [{**rest, name: [value, value]}, {**rest, name: value, name.upper(): value}]:
            is_refused(f"^the header {name} was sent more than once$", twice)
    is_refused("^the header webhook-id is missing$", {})


def test_a_time_that_is_more_than_five_minutes_old_or_new_is_refused() -> None:
    def at(seconds: int) -> datetime:
        return AT + timedelta(seconds=seconds)

    for seconds in [-300, -1, 0, 1, 300]:
        assert verify(signed(), now=at(seconds)).number == 7
    is_refused("^webhook-timestamp is too old$", signed(), now=at(301))
    is_refused("^webhook-timestamp is too new$", signed(), now=at(-301))
    assert verify(signed(), now=at(301), tolerance_seconds=301).number == 7
    is_refused("too old", signed(), now=at(2), tolerance_seconds=1)
    # Never accepted by mistake.
    is_refused("too", signed(), tolerance_seconds=float("nan"))
    wrong = ["x", "-1", "1.5", "1e9", " 1700000000", "0x10", "9" * 13, "1_700_000_000", "\u0661" * 10, "1700000000\n", "+1"]
    for text in wrong:
        is_refused("^webhook-timestamp is no number of seconds$", {**signed(), "webhook-timestamp": text})


def test_what_is_too_large_is_refused_before_anything_is_computed_from_it() -> None:
    def filled(reference: str) -> str:
        return json.dumps({**SENT, "data": {**SENT["data"], "reference": reference}})

    fitting = filled("x" * (1024**2 - len(filled(""))))
    assert len(fitting) == 1024**2
    assert verify(signed(fitting), fitting).number == 7
    for body in [fitting + " ", fitting.replace("x", "ü", 1), fitting.encode() + b" "]:
        is_refused("^the body is larger than 1 MiB$", signed(), body)
    for name in signed():
        is_refused(f"^the header {name} is too long$", {**signed(), name: "1" * 8_193})
    wrong = f"v1,{'A' * 43}= " * 16
    is_refused("^no signature", {**signed(), "webhook-signature": wrong + signed()["webhook-signature"]})


def test_a_body_that_is_signed_and_is_no_event_is_refused() -> None:
    lacking = [json.dumps({name: value for name, value in SENT.items() if name != missing}) for missing in SENT]
    for body in [
        *["", "null", "[]", '"x"', "{", "{}", BODY[:-1], "NaN", "[" * 100_000, BODY.replace("500", "1e999")],
        *[text for text in lacking if '"change_id"' in text],
        json.dumps({**SENT, "number": "7"}),
        json.dumps({**SENT, "data": []}),
    ]:
        is_refused("^the body is signed, but is no event$", signed(body), body)


def test_an_argument_of_the_wrong_kind_is_told_without_the_secret() -> None:
    secrets: list[Any] = [
        *["", "whsec_", "whsec_#", SECRET[6:], SECRET + "=", " " + SECRET, SECRET + "\n", SECRET.replace("whsec_", "whpk_")],
        *[[], [SECRET, ""], None, [None], 5, SECRET.encode()],
    ]
    for secret in secrets:
        with pytest.raises((TypeError, ValueError)) as raised:
            verify(signed(), secret=secret)
        assert "c3Nz" not in str(raised.value)
        assert str(raised.value).startswith("secret must ")
    body: Any
    for body in [SENT, None, 7, []]:
        with pytest.raises(TypeError, match="^body must be the raw text or bytes as they came"):
            verify(signed(), body)
    with pytest.raises((TypeError, ValueError), match="now"):
        verify(signed(), now=datetime(2026, 11, 21))
