"""The expiry of changes, and clocks that differ."""

from __future__ import annotations

import json

import httpx
import pytest
from bursar import OutcomeUnknownError, UnexpectedAnswerError, new_change_id
from bursar._service import Service as KnownService
from conftest import Served
from support.answers import answer, envelope, refusal
from support.clock import Clock
from support.way import Way, without

MARKS = ["X-Change-Id", "X-Request-Expires"]


@pytest.mark.parametrize("header", MARKS)
@pytest.mark.parametrize("fate", ["answer_lost", "never_arrives"])
def test_without_one_of_the_headers_the_first_change_whose_answer_is_lost_is_never_sent_again(
    alice: Served, header: str, fate: str
) -> None:
    way = Way(alice.service, alice.clock, {"give_balance": [fate]})
    client = alice.client(without([header], way.handle))
    if fate == "answer_lost" and header == "X-Request-Expires":
        assert client.sub_users.give("alice", 250).confirmed_by == "look", "the id finds it"
    else:
        with pytest.raises(OutcomeUnknownError, match="X-Change-Id and X-Request-Expires") as raised:
            client.sub_users.give("alice", 250)
        assert raised.value.known.operation == "give"
    assert way.asked == ["give_balance", "view"]
    with pytest.raises(UnexpectedAnswerError):
        client.changes.retrieve(new_change_id())
    assert alice.service.balance_of("alice") == (250 if fate == "answer_lost" else 0)


def test_a_service_without_the_endpoint_that_shows_changes_is_not_sent_a_change_again(alice: Served) -> None:
    no_endpoint = [lambda: envelope(404, None, "no such endpoint")]
    way = Way(alice.service, alice.clock, {"give_balance": ["never_arrives"], "view": no_endpoint})
    client = alice.client(without(MARKS, way.handle))
    with pytest.raises(OutcomeUnknownError):
        client.sub_users.give("alice", 250)
    assert way.asked == ["give_balance", "view"]


def test_a_call_with_the_callers_id_is_not_sent_to_a_service_that_is_known_not_to_honour_ids(alice: Served) -> None:
    way = Way(alice.service, alice.clock, {})
    client = alice.client(without(MARKS, way.handle))
    client.sub_users.give("alice", 1)
    with pytest.raises(UnexpectedAnswerError, match="is not sent again"):
        client.sub_users.give("alice", 1, change_id=new_change_id())
    assert way.asked == ["give_balance"]


def test_a_proxy_that_changes_the_expiry_does_not_make_the_client_believe_that_a_change_is_absent(alice: Served) -> None:
    def changing(request: httpx.Request) -> httpx.Response:
        if "X-Request-Expires" in request.headers:
            request.headers["X-Request-Expires"] = "999999999999"
        return way.handle(request)

    way = Way(alice.service, alice.clock, {"give_balance": ["held"]})
    client = alice.client(changing, timeout_seconds=1, total_timeout_seconds=10, after_expiry_seconds=0)
    with pytest.raises(OutcomeUnknownError):
        client.sub_users.give("alice", 250)
    way.all_arrived()
    assert alice.service.balance_of("alice") == 250, "it did happen, late"


@pytest.mark.parametrize("ahead", [-3_600, 3_600])
def test_a_machine_whose_clock_is_wrong_makes_changes_all_the_same(alice: Served, ahead: float) -> None:
    alice.clock.machine_ahead = ahead
    client, way = alice.unreliable({})
    assert client.sub_users.give("alice", 5).balance_cents == 5
    # A machine that is behind learns the time from the refusal of its first request.
    assert way.asked == ["give_balance"] * (2 if ahead < 0 else 1)


@pytest.mark.parametrize("ahead", [-3_600, 3_600])
def test_a_lost_answer_is_judged_whatever_the_clock_of_the_machine_says(alice: Served, ahead: float) -> None:
    alice.clock.machine_ahead = ahead
    client, way = alice.unreliable({"give_balance": ["answer_lost"]})
    client.account.retrieve()
    assert client.sub_users.give("alice", 5).confirmed_by == "look"
    held, held_way = alice.unreliable({"give_balance": ["held"] * 20}, total_timeout_seconds=9)
    held.account.retrieve()
    with pytest.raises(Exception, match="other side closed"):
        held.sub_users.give("alice", 5)
    assert set(held_way.all_arrived()) == {503}
    assert alice.service.balance_of("alice") == 5


def test_a_machine_whose_clock_is_set_while_a_call_waits_judges_it_all_the_same(alice: Served) -> None:
    alice.clock.plan(2, lambda: setattr(alice.clock, "machine_ahead", -86_400.0))
    client, way = alice.unreliable({"give_balance": ["held"] * 20}, total_timeout_seconds=9)
    with pytest.raises(Exception, match="other side closed"):
        client.sub_users.give("alice", 5)
    assert set(way.all_arrived()) == {503}


@pytest.mark.parametrize("set_back", [0, 3_600])
def test_the_client_does_not_believe_the_clock_of_a_service_that_stands_still_or_was_set_back(
    alice: Served, set_back: int
) -> None:
    started_at = int(alice.clock.true_time())
    way = Way(alice.service, alice.clock, {"give_balance": ["held"] * 20})
    requests = 0

    def standing(request: httpx.Request) -> httpx.Response:
        nonlocal requests
        response = way.handle(request)
        told = json.loads(b"".join(response.stream))  # type: ignore[arg-type]
        told["timestamp"] = started_at - (set_back if requests > 0 else 0)
        requests += 1
        return answer(response.status_code, json.dumps(told), response.headers)

    client = alice.client(standing, timeout_seconds=1, total_timeout_seconds=5, after_expiry_seconds=0)
    with pytest.raises(OutcomeUnknownError):
        client.sub_users.give("alice", 250)


def test_a_503_for_an_expired_request_is_sent_again_with_the_time_of_the_service(alice: Served) -> None:
    """The service's clock is an hour ahead of the machine's, and its refusal tells the time."""
    alice.clock.machine_ahead = -3_600
    client, way = alice.unreliable({})
    client.sub_users.give("alice", 5)
    first, second = (int(request.headers["X-Request-Expires"]) for request in way.requests)
    assert second - first > 3_500


def service_after(clock: Clock, took: float, timestamp: int) -> KnownService:
    """A service whose time is known from an answer that took this long."""
    service = KnownService()
    service.note(timestamp, clock.monotonic() - took, True)
    return service


def test_an_expiry_does_not_grow_with_the_time_that_the_last_answer_took(clock: Clock) -> None:
    quick = service_after(clock, 0, 1_000).expiry_in(5)
    slow = service_after(clock, 9.5, 1_000).expiry_in(5)
    assert quick >= 1_006
    assert 1_006 <= slow <= 1_007


def test_by_the_latest_expiry_requests_of_another_client_have_expired_too_whatever_time_each_client_knows(
    clock: Clock,
) -> None:
    for other_took in [0, 9.5]:
        for took in [0, 9.5]:
            # The service answered both clients at 1,000.999. The answer to this one was on its way for ``took``.
            sent = service_after(clock, other_took, 1_000).expiry_in(5)
            assert service_after(clock, took, 1_000).latest_expiry_in(5) >= sent
    # The second of the other client was nearly over when it sent; ours has just begun.
    assert service_after(clock, 0, 1_000).latest_expiry_in(5) >= service_after(clock, 0, 1_001).expiry_in(4.999)


def test_a_service_that_missed_one_id_or_expiry_is_never_again_believed_to_honour_them() -> None:
    service = KnownService()
    assert service.is_honoured is None
    seen = []
    for is_honoured in [None, True, None, False, True]:
        service.note(1, 0, is_honoured)
        seen.append(service.is_honoured)
    assert seen == [None, True, True, False, False]


def test_a_refusal_that_cannot_tell_says_nothing_about_the_headers(alice: Served) -> None:
    """A service may refuse a request before it has read its headers."""

    def early() -> httpx.Response:
        return refusal("unavailable", {"Retry-After": "0"}, timestamp=int(alice.clock.true_time()))

    client, _ = alice.unreliable({"give_balance": [early, "answer_lost", "never_arrives"]})
    assert client.sub_users.give("alice", 5).confirmed_by == "look"
    assert client.sub_users.give("alice", 5).balance_cents == 10
