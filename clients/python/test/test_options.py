"""The options of a client and of its calls."""

from __future__ import annotations

import math
from typing import Any

import httpx
import pytest
from bursar import BursarConnectionError, UnavailableError, UnexpectedAnswerError, UnknownOutcome, __version__, new_change_id
from conftest import Kind, Served
from support.answers import answer

TOKEN = "brs_0123456789"


def made(kind: Kind, base_url: Any = "https://example.com", token: Any = TOKEN, **options: Any) -> Any:
    return kind.type(base_url, token, **options)


def test_plain_http_is_refused_except_to_this_machine_unless_allow_insecure_http_is_set(kind: Kind) -> None:
    for base_url in [
        *["http://localhost:8080", "http://127.0.0.1", "http://127.9.9.9:1/api/", "http://[::1]:8080"],
        *["https://api.example.com/v", "HTTPS://API.example.com"],
    ]:
        made(kind, base_url)
    for base_url in [
        *["http://api.example.com", "http://127.example.com", "http://localhost.example.com", "http://api.localhost"],
        *["http://10.0.0.1", "http://[::2]", "http://0.0.0.0"],
    ]:
        with pytest.raises(ValueError, match="https"):
            made(kind, base_url)
        made(kind, base_url, allow_insecure_http=True)


def test_the_error_for_an_invalid_base_url_names_the_option_and_does_not_repeat_the_value(kind: Kind) -> None:
    for base_url in [
        *["api.example.com", "ftp://example.com", "https://user:secret@example.com", "https://secret@example.com"],
        *["https://a/?secret=1", "https://a/?", "https://a/#", "https://", "https://a secret/", "https://a:secret/"],
        *["https://a/\n", "https://[::1", "https://a:99999", "https://\u00fc.example/secret", "//a", "https:///secret"],
    ]:
        with pytest.raises(ValueError, match="base_url") as raised:
            made(kind, base_url)
        assert "secret" not in str(raised.value)
        assert raised.value.__cause__ is None


def test_a_token_that_fits_into_no_header_is_refused_and_the_error_does_not_repeat_it(kind: Kind) -> None:
    for token in ["brs_secret\n", "brs secret", "brs_s\u00e9cret", "\u0660secret"]:
        with pytest.raises(ValueError, match="token") as raised:
            made(kind, token=token)
        assert "cret" not in str(raised.value)


def test_the_address_and_the_token_come_from_the_environment_unless_they_are_given(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BURSAR_URL", raising=False)
    monkeypatch.delenv("BURSAR_TOKEN", raising=False)
    for arguments, name in [((None, TOKEN), "base_url"), (("https://a.example", None), "token"), (("", TOKEN), "base_url")]:
        with pytest.raises((TypeError, ValueError), match=name):
            kind.type(*arguments)
    monkeypatch.setenv("BURSAR_URL", "https://env.example")
    monkeypatch.setenv("BURSAR_TOKEN", "brs_env")
    assert kind.type()._settings.base_url == "https://env.example"
    assert kind.type("https://a.example", TOKEN)._settings.base_url == "https://a.example"
    for name, value in [("BURSAR_TOKEN", "two words"), ("BURSAR_URL", "http://a.example")]:
        with monkeypatch.context() as changed:
            changed.setenv(name, value)
            with pytest.raises(ValueError):
                kind.type()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("timeout_seconds", value) for value in (0, -1, math.nan, math.inf, "5", None, True, 1e9)],
        *[("total_timeout_seconds", value) for value in (0, math.inf, "5", None)],
        *[("after_expiry_seconds", value) for value in (-1, math.nan, "5", None)],
        *[("max_attempts", value) for value in (0, -1, 1.5, "4", True, None)],
        *[("on_event", value) for value in ({}, "x", 5)],
        *[("headers", value) for value in ("x", ["x"], 5)],
        *[("http_client", value) for value in ("x", httpx, True)],
        *[("allow_insecure_http", value) for value in ("false", 0, None)],
        *[("base_url", value) for value in (5, b"https://example.com")],
        *[("token", value) for value in (5, b"brs_token")],
    ],
)
def test_an_option_that_makes_no_sense_is_refused_by_an_error_that_names_it(kind: Kind, name: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=name):
        made(kind, **{name: value})


def test_the_http_client_of_the_other_kind_is_refused(kind: Kind) -> None:
    other = httpx.Client() if kind.is_async else httpx.AsyncClient()
    with pytest.raises(TypeError, match="http_client"):
        made(kind, http_client=other)


def test_an_unknown_option_of_the_client_or_of_a_call_is_refused(served: Served) -> None:
    with pytest.raises(TypeError, match="timeout"):
        made(served.kind, timeout=5)
    client, way = served.unreliable({})
    users, change_id = client.sub_users, new_change_id()
    wrong: Any
    for wrong in [
        *[{"changeid": "x" * 16}, {"changeId": "x" * 16}, {"signal": None}, {"base_url": "https://example.com"}],
        *[{"on_event": "x"}, {"timeout_seconds": "5"}, {"max_attempts": 0}, {"timeout": 5}, {"change_id": "too short"}],
        *[{"change_id": 5}, {"headers": {}}],
    ]:
        for call in [
            lambda: client.account.retrieve(**wrong),
            lambda: client.account.retrieve_details(**wrong),
            lambda: users.retrieve("alice", **wrong),
            lambda: users.retrieve_usage("alice", **wrong),
            lambda: users.list(**wrong),
            lambda: users.create("alice", **wrong),
            lambda: users.create_with("alice", **wrong),
            lambda: users.give("alice", 5, **wrong),
            lambda: users.take("alice", 5, **wrong),
            lambda: users.reset_auth_key("alice", **wrong),
            lambda: users.suspend("alice", **wrong),
            lambda: users.set_limits("alice", {"day_bytes": 5}, **wrong),
            lambda: users.delete("alice", **wrong),
            lambda: client.webhooks.create("https://a.example", **wrong),
            lambda: client.tokens.list(**wrong),
            lambda: client.top_ups.create("stripe", 500, **wrong),
            lambda: client.changes.settle(UnknownOutcome(change_id=change_id), **wrong),
            lambda: client.changes.retrieve(change_id, **wrong),
            lambda: client.raw_request("GET", "/reseller/my_info", **wrong),
        ]:
            with pytest.raises((TypeError, ValueError)):
                call()
    assert way.asked == []


def test_the_headers_of_the_caller_are_sent_except_those_that_the_client_needs_or_that_break_a_request(kind: Kind) -> None:
    seen: list[httpx.Headers] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers)
        return answer(404)

    for headers in [{"User-Agent": "shop/7", "X-Trace": "a"}, None]:
        client = kind.client("https://example.com", TOKEN, handle=handle, headers=headers)
        with pytest.raises(UnexpectedAnswerError):
            client.account.retrieve()
    names = ("User-Agent", "X-Trace", "Authorization")
    assert [[headers.get(name) for name in names] for headers in seen] == [
        ["shop/7", "a", f"Bearer {TOKEN}"],
        [f"bursar-python/{__version__}", None, f"Bearer {TOKEN}"],
    ]
    wrong: Any
    for wrong in [
        *[{"authorization": "Bearer secret"}, {"X-Request-Expires": "1"}, {"transfer-encoding": "chunked"}],
        *[{"X-Other": "secret\r\nHost: x"}, {"X-Other": 5}, {"X Other": "x"}, {"X-Request-Id": "x"}, {"Host": "secret"}],
        *[{"X-Other": "secr\u00e9t"}, {5: "x"}, {"X-Other": " x"}, {"": "x"}, {"Accept-Encoding": "gzip"}],
    ]:
        with pytest.raises((TypeError, ValueError)) as raised:
            made(kind, headers=wrong)
        assert "secr" not in str(raised.value)


def test_a_raw_request_is_sent_once_and_its_answer_comes_back_as_it_is(alice: Served) -> None:
    client, way = alice.unreliable({"my_info": ["passed", "answer_lost"]})
    got = client.raw_request("GET", "/reseller/my_info")
    assert (got.status, '"acme"' in got.text, got.code) == (200, True, None)
    assert got.request_id
    with pytest.raises(BursarConnectionError):
        client.raw_request("GET", "/reseller/my_info")
    assert way.asked == ["my_info", "my_info"]

    change_id = new_change_id()
    give = {"username": "alice", "amount_usd_cents": 5}
    assert client.raw_request("POST", "/reseller/sub_users/give_balance", give, change_id=change_id).status == 200
    assert alice.reliable.changes.retrieve(change_id).amount_cents == 5
    refused = client.raw_request("POST", "/reseller/sub_users/view_single", {"username": "nobody"})
    assert (refused.status, refused.code) == (404, "unknown_sub_user")
    asked = len(way.asked)
    wrong: Any
    for wrong in ["//elsewhere.example/", "reseller/my_info", "@elsewhere.example/", "/a b", "", "/\n", ":1/", 5, None]:
        with pytest.raises((TypeError, ValueError), match="path"):
            client.raw_request("GET", wrong)
    for wrong in [float("nan"), object(), {"a": {1}}]:
        with pytest.raises((TypeError, ValueError)):
            client.raw_request("POST", "/reseller/my_info", wrong)
    assert len(way.asked) == asked


def test_a_raw_request_that_was_never_sent_says_so(served: Served) -> None:
    def refused() -> httpx.Response:
        raise httpx.ConnectError("connection refused")

    client, way = served.unreliable({"my_info": [refused]})
    with pytest.raises(UnavailableError):
        client.raw_request("GET", "/reseller/my_info")
    assert way.asked == ["my_info"]


def test_a_client_that_was_given_its_http_client_does_not_close_it(served: Served) -> None:
    http = served.kind.http_client(transport=httpx.MockTransport(served.service.answer))
    client = served.kind.client("https://api.example.com", served.service.token, http_client=http)
    served.kind.close(client)
    assert not http.is_closed
    own = served.kind.type("https://api.example.com", served.service.token)
    driven = served.kind.driven(own)
    served.kind.close(driven)
    assert own._http.is_closed


def test_a_client_that_is_closed_says_so_and_sends_nothing(served: Served) -> None:
    client = served.kind.client("https://api.example.com", served.service.token)
    served.kind.close(client)
    with pytest.raises(Exception, match="closed"):
        client.account.retrieve(total_timeout_seconds=1)


def test_the_time_of_the_service_is_told_once_an_answer_has_told_it(served: Served) -> None:
    client, _ = served.unreliable({})
    assert client.service_time() is None
    client.account.retrieve()
    assert 0 <= served.clock.true_time() - client.service_time().timestamp() <= 1
    served.clock.move(100)
    assert 0 <= served.clock.true_time() - client.service_time().timestamp() <= 1
