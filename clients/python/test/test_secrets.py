"""The token is shown to the service alone."""

from __future__ import annotations

import logging
import pprint
import traceback
from datetime import datetime, timezone
from typing import Any

import httpx
import pytest
from bursar import BursarError, InvalidRequestError
from conftest import Served
from support.answers import answer, envelope, refusal
from support.service import TOKEN


def written_out(error: BaseException) -> str:
    """All texts that a log could make of an error."""
    texts = ["".join(traceback.format_exception(error))]
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        texts += [repr(one), str(one), repr(one.args), pprint.pformat(getattr(one, "__dict__", {})), repr(getattr(one, "request", ""))]
        request = getattr(one, "_request", None)
        if request is not None:
            texts.append(repr(list(request.headers.raw)))
        waiting += [one.__cause__, one.__context__]
    return "\n".join(texts)


class Leaking(Exception):
    """An error of another library that holds the request."""


def leaking() -> httpx.Response:
    raise Leaking(f"request with Bearer {TOKEN} failed")


def leaking_cause() -> httpx.Response:
    try:
        leaking()
    except Leaking as error:
        request = httpx.Request("GET", "https://a.example", headers={"Authorization": f"Bearer {TOKEN}"})
        raise httpx.ReadError("it failed", request=request) from error
    raise AssertionError


ANSWERS: dict[str, Any] = {
    "never arrives": "never_arrives",
    "an error that shows it": leaking,
    "a cause that shows it": leaking_cause,
    "a request id": lambda: refusal("unauthorized", {"X-Request-Id": TOKEN}),
    "a message": lambda: envelope(401, None, f"bad {TOKEN}"),
    "a page": lambda: answer(500, f"you sent {TOKEN}"),
    "a cut answer": lambda: answer(200, [b'{"status"', httpx.ReadError(f"Bearer {TOKEN}")]),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_no_error_holds_the_token_whatever_failed_even_if_an_answer_repeats_the_token(
    alice: Served, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for logger in ("httpx", "httpcore", "bursar"):
        caplog.set_level(logging.DEBUG, logger)
    told: list[Any] = []
    fates = {endpoint: [ANSWERS[name]] * 30 for endpoint in ("my_info", "give_balance", "view_single", "view")}
    client, _ = alice.unreliable(fates, max_attempts=1, total_timeout_seconds=0.3, on_event=told.append)
    for call in [
        client.account.retrieve,
        lambda: client.sub_users.give("alice", 1),
        lambda: client.sub_users.create("bruno"),
        lambda: client.raw_request("GET", "/reseller/my_info"),
    ]:
        try:
            call()
        except BursarError as error:
            assert TOKEN not in written_out(error)
    assert TOKEN not in repr(told)
    assert TOKEN not in caplog.text


def test_an_error_before_anything_is_sent_holds_no_token(served: Served) -> None:
    client, _ = served.unreliable({})
    with pytest.raises(InvalidRequestError) as raised:
        client.sub_users.give("alice", 0)
    assert TOKEN not in written_out(raised.value)


def test_the_client_does_not_show_the_token(served: Served) -> None:
    for target in (served.reliable, served.kind.type("https://a.example", TOKEN)):
        parts = [target, target.account, target.sub_users, target._settings, vars(target), vars(target.account)]
        assert TOKEN not in "".join(map(repr, parts)) + pprint.pformat(vars(target))


def test_a_key_and_a_secret_are_not_shown_by_a_result(alice: Served) -> None:
    client, _ = alice.unreliable({})
    key = alice.service.sub_users["alice"]["proxy_authkey"]
    expires_at = datetime(2026, 12, 24, tzinfo=timezone.utc)
    results = [
        client.sub_users.retrieve("alice"),
        client.sub_users.list().page(),
        client.webhooks.create("https://shop.example.com/"),
        client.tokens.create("shop", scopes=["read"], expires_at=expires_at),
        client.sub_users.reset_auth_key("alice"),
    ]
    shown = repr(results)
    for secret in [key, alice.service.sub_users["alice"]["proxy_authkey"], "whsec_", "brs_further"]:
        assert secret not in shown


def test_a_redirection_is_never_followed(served: Served) -> None:
    hosts: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return answer(307, "", {"Location": "https://thief.example/"})

    http = served.kind.http_client(transport=httpx.MockTransport(handle), follow_redirects=True)
    client = served.kind.client("https://api.example.com", TOKEN, http_client=http)
    for call in [client.account.retrieve, lambda: client.raw_request("GET", "/reseller/my_info")]:
        try:
            call()
        except BursarError:
            pass
    assert hosts == ["api.example.com"] * 2


def test_what_the_http_client_of_a_caller_adds_replaces_nothing(alice: Served) -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return alice.service.answer(request)

    http = alice.kind.http_client(
        transport=httpx.MockTransport(handle),
        auth=("user", "password"),
        headers={"Authorization": "Bearer other", "Accept-Encoding": "gzip", "X-Change-Id": "y" * 16, "X-Request-Expires": "1"},
        cookies={"session": "abc"},
        params={"token": "other"},
        base_url="https://thief.example",
        timeout=0.001,
    )
    client = alice.kind.client("https://api.example.com/", TOKEN, http_client=http)
    client.account.retrieve()
    (request,) = seen
    assert str(request.url) == "https://api.example.com/reseller/my_info"
    assert request.headers.get_list("Authorization") == [f"Bearer {TOKEN}"]
    assert request.headers.get_list("Accept-Encoding") == ["identity"]
    assert "Cookie" not in request.headers and "X-Request-Expires" not in request.headers
    assert request.headers.get_list("X-Change-Id") != ["y" * 16]
    assert request.extensions["timeout"].get("read") > 1


def test_cookies_are_not_kept(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        response = served.service.answer(request)
        response.headers["Set-Cookie"] = "session=abc; Path=/"
        return response

    client = served.kind.type("https://api.example.com", TOKEN)
    client._http._transport = httpx.MockTransport(handle)
    client._http._mounts = {}
    driven = served.kind.driven(client)
    for _ in range(2):
        driven.account.retrieve()
    assert "Cookie" not in seen[1].headers
    assert list(client._http.cookies.jar) == []


def test_netrc_does_not_replace_the_token(served: Served, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine api.example.com login user password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    client, way = served.unreliable({})
    client.account.retrieve()
    assert way.requests[0].headers["Authorization"] == f"Bearer {TOKEN}"
