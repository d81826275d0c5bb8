"""Gives and takes."""

from __future__ import annotations

import email.utils
from decimal import Decimal
from typing import Any

import httpx
import pytest
from bursar import (
    BursarConnectionError,
    ClientEvent,
    InsufficientBalanceError,
    InvalidRequestError,
    OutcomeUnknownError,
    UnavailableError,
    UnknownSubUserError,
)
from conftest import Served
from support.answers import answer, envelope, refusal


def test_a_transfer_that_the_service_could_not_take_is_sent_again_after_retry_after_until_the_time_is_over(
    alice: Served,
) -> None:
    shed = [lambda: refusal("unavailable", {"Retry-After": "2"}, timestamp=int(alice.clock.true_time()))] * 4
    client, way = alice.unreliable({"give_balance": shed}, max_attempts=1)
    assert client.sub_users.give("alice", 250).balance_cents == 250
    assert way.asked == ["give_balance"] * 5
    assert min(alice.clock.waits) >= 2

    busy, busy_way = alice.unreliable({"give_balance": [lambda: refusal("unavailable", {"Retry-After": "3600"})]})
    with pytest.raises(UnavailableError):
        busy.sub_users.give("alice", 250, total_timeout_seconds=5)
    assert busy_way.asked == ["give_balance"], "the call has no time for the longest wait"


@pytest.mark.parametrize("retry_after", ["soon", "-5", "1e9", "9" * 40, "Thu, 99 Nov 2026 00:00:00 GMT", "\u0665"])
def test_a_retry_after_that_makes_no_sense_is_none(alice: Served, retry_after: str) -> None:
    headers = {"Retry-After": retry_after}.items()
    raw = [(name.encode(), value.encode("utf-8")) for name, value in headers]

    def shed() -> httpx.Response:
        response = refusal("unavailable")
        response.headers = httpx.Headers([*response.headers.raw, *raw])
        return response

    client, _ = alice.unreliable({"my_info": [shed]})
    assert client.account.retrieve().username == "acme"
    assert sum(alice.clock.waits) < 1


def test_a_retry_after_that_is_a_date_is_waited_for(served: Served) -> None:
    date = email.utils.formatdate(served.clock.time() + 5, usegmt=True)
    client, _ = served.unreliable({"my_info": [lambda: refusal("unavailable", {"Retry-After": date})]})
    client.account.retrieve()
    assert 4 <= sum(served.clock.waits) <= 6


@pytest.mark.parametrize("error", [httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError])
def test_a_transfer_that_never_reached_the_service_is_sent_again_until_the_time_is_over(
    alice: Served, error: type[Exception]
) -> None:
    def refused() -> httpx.Response:
        raise error("connection refused")

    client, way = alice.unreliable({"give_balance": [refused] * 4}, max_attempts=1)
    assert client.sub_users.give("alice", 250).confirmed_by == "answer"
    assert way.asked == ["give_balance"] * 5, "it does not look for what it knows"
    down, _ = alice.unreliable({"give_balance": [refused] * 99}, max_attempts=1)
    with pytest.raises(BursarConnectionError):
        down.sub_users.give("alice", 250, total_timeout_seconds=7)
    assert 5 <= sum(alice.clock.waits)


@pytest.mark.parametrize(
    "error",
    [httpx.ReadError, httpx.WriteError, httpx.ReadTimeout, httpx.WriteTimeout, httpx.RemoteProtocolError, OSError, ValueError],
)
def test_a_transfer_that_broke_off_in_any_other_way_may_have_been_done(alice: Served, error: type[Exception]) -> None:
    def broke() -> httpx.Response:
        alice.service.answer(way.requests[-1])
        raise error("gone")

    client, way = alice.unreliable({"give_balance": [broke]})
    assert client.sub_users.give("alice", 250).confirmed_by == "look"
    assert alice.service.balance_of("alice") == 250


def other_answers() -> list[Any]:
    success = {"username": "bruno", "balance": 5}
    return [
        lambda: answer(503, "<h1>503 Service Unavailable</h1>", {"Retry-After": "0"}),
        lambda: answer(503),
        lambda: answer(503, '{"error":"try again"}', {"X-Error-Code": "unavailable"}),
        lambda: envelope(503, None),
        lambda: refusal("outcome_unknown"),
        lambda: answer(404, "<h1>not found</h1>"),
        lambda: answer(403, "blocked"),
        lambda: answer(200, "<h1>Welcome</h1>"),
        lambda: envelope(200, {}),
        lambda: envelope(201, success),
        lambda: answer(302, "", {"Location": "/elsewhere"}),
        lambda: answer(200, '{"status":404,"message":"","timestamp":1,"data":null}'),
        lambda: answer(404, '{"status":200,"message":"","timestamp":1,"data":null}'),
        # About another account.
        lambda: envelope(200, success),
    ]


@pytest.mark.parametrize("index", range(len(other_answers())))
def test_a_transfer_whose_answer_may_come_from_something_else_is_looked_for_before_it_is_repeated(
    alice: Served, index: int
) -> None:
    client, way = alice.unreliable({"give_balance": [other_answers()[index]]})
    assert client.sub_users.give("alice", 1).confirmed_by == "answer"
    assert way.asked == ["give_balance", "view", "give_balance"]
    assert alice.service.balance_of("alice") == 1


def test_a_transfer_is_repeated_only_if_there_is_time_to_judge_it_again(alice: Served) -> None:
    client, way = alice.unreliable({"give_balance": ["never_arrives"] * 9})
    with pytest.raises(BursarConnectionError):
        client.sub_users.give("alice", 250, timeout_seconds=1, total_timeout_seconds=5)
    assert way.asked.count("give_balance") < 5


def test_a_transfer_does_not_take_an_answer_that_a_proxy_repeats_for_its_own(alice: Served) -> None:
    """The same request id twice: each request of the service has its own."""
    kept: list[tuple[int, bytes, httpx.Headers]] = []
    is_repeated = False

    def repeating(request: httpx.Request) -> httpx.Response:
        nonlocal is_repeated
        if is_repeated:
            is_repeated = False
            status, body, headers = kept[-1]
            # A proxy that also repairs the other headers.
            headers = httpx.Headers(headers)
            headers.update({name: request.headers[name] for name in ("X-Change-Id", "X-Request-Expires")})
            return answer(status, body, headers)
        response = alice.service.answer(request)
        body = b"".join(response.stream)  # type: ignore[arg-type]
        kept.append((response.status_code, body, response.headers))
        return answer(response.status_code, body, response.headers)

    client = alice.client(repeating)
    client.sub_users.give("alice", 5)
    is_repeated = True
    assert client.sub_users.give("alice", 5).balance_cents == 10


def test_a_transfer_that_is_refused_moves_nothing_and_is_not_repeated(alice: Served) -> None:
    client, way = alice.unreliable({})
    for error, call in [
        (InsufficientBalanceError, lambda: client.sub_users.give("alice", 1_000_000)),
        (InsufficientBalanceError, lambda: client.sub_users.take("alice", 1)),
        (UnknownSubUserError, lambda: client.sub_users.give("nobody", 1)),
    ]:
        with pytest.raises(error):
            call()
    assert way.asked == ["give_balance", "take_balance", "give_balance"]


AMOUNTS: list[Any] = [0, -1, 0.5, 5.0, float("nan"), float("inf"), 2**53, True, False, "5", None, Decimal(5), 5j, [5]]


@pytest.mark.parametrize("amount", AMOUNTS, ids=repr)
def test_a_transfer_of_an_invalid_amount_is_not_sent(alice: Served, amount: Any) -> None:
    client, way = alice.unreliable({})
    for move in (client.sub_users.give, client.sub_users.take, lambda _, cents: client.top_ups.create("stripe", cents)):
        with pytest.raises(InvalidRequestError) as raised:
            move("alice", amount)
        assert (raised.value.code, raised.value.status) == ("invalid_amount", None)
    assert way.asked == []


def test_a_name_is_sent_in_its_stored_form_so_that_a_lost_answer_is_found_by_it(alice: Served) -> None:
    client, way = alice.unreliable({"give_balance": ["answer_lost"]})
    given = client.sub_users.give("ALICE", 5)
    assert (given.username, given.confirmed_by) == ("alice", "look")
    assert b'"alice"' in way.requests[0].content


def test_a_call_reports_each_request_answer_and_wait_to_its_listener_without_secrets(alice: Served) -> None:
    events: list[ClientEvent] = []
    client, _ = alice.unreliable({"give_balance": ["never_arrives"]})
    given = client.sub_users.give("alice", 250, on_event=events.append)
    assert [f"{event.kind} {event.request} {event.operation}" for event in events] == [
        "request 1 give_balance",
        "failure 1 give_balance",
        "request 2 view_change",
        "answer 2 view_change",
        "wait None None",
        "request 3 give_balance",
        "answer 3 give_balance",
    ]
    assert events[-1].request_id == given.request_id is not None
    written = repr(events)
    assert alice.service.token not in written
    assert alice.service.sub_users["alice"]["proxy_authkey"] not in written


def test_the_listener_of_the_client_gets_the_events_of_all_calls_that_have_none_of_their_own(served: Served) -> None:
    heard: list[str] = []
    client, _ = served.unreliable({}, on_event=lambda event: heard.append(event.kind))
    client.account.retrieve()
    client.account.retrieve(on_event=lambda event: None)
    assert heard == ["request", "answer"]


def test_a_listener_that_raises_does_not_end_a_call(alice: Served, caplog: pytest.LogCaptureFixture) -> None:
    def failing(event: ClientEvent) -> None:
        raise RuntimeError(event.kind)

    client, _ = alice.unreliable({"give_balance": ["answer_lost"]})
    assert client.sub_users.give("alice", 5, on_event=failing).balance_cents == 5
    assert "on_event failed" in caplog.text


def test_an_error_after_a_lost_answer_has_the_lost_answer_as_its_cause(alice: Served) -> None:
    client, _ = alice.unreliable({"give_balance": ["answer_lost"], "view": ["never_arrives"] * 99}, total_timeout_seconds=2)
    with pytest.raises(OutcomeUnknownError, match='^whether "give alice 5 cents" took effect is not known: its answer was lost'):
        client.sub_users.give("alice", 5)
