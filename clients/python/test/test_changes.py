"""A change whose answer is lost, and the ids of changes."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import httpx
import pytest
from bursar import (
    BursarConnectionError,
    FeeRange,
    InsufficientBalanceError,
    InvalidRequestError,
    OutcomeUnknownError,
    UnexpectedAnswerError,
    UnknownOutcome,
    UnknownSubUserError,
    UsernameTakenError,
    new_change_id,
)
from conftest import Served
from support.answers import HONOURED, envelope, refusal

ONE_FEE = FeeRange(min_cents=10, max_cents=10)
NO_FEE = FeeRange(min_cents=0, max_cents=0)


def open_outcome() -> httpx.Response:
    """The service itself does not know what became of the change."""
    return refusal("outcome_unknown")


def test_a_give_that_took_effect_is_found_also_while_others_move_the_balance(alice: Served) -> None:
    def moved() -> httpx.Response:
        alice.reliable.sub_users.give("alice", 1_000)
        alice.reliable.sub_users.take("alice", 750)
        raise httpx.ReadError("other side closed")

    client, way = alice.unreliable({"give_balance": ["answer_lost"], "view": [moved]})
    given = client.sub_users.give("alice", 250)
    assert (given.balance_cents, given.confirmed_by) == (250, "look")
    assert alice.service.balance_of("alice") == 500
    assert way.asked == ["give_balance", "view", "view"], "it looked again, before it would repeat the give"


def test_the_result_is_what_the_answer_would_have_said(alice: Served) -> None:
    client, way = alice.unreliable({"give_balance": ["answer_lost"], "take_balance": ["answer_lost"]})
    given = client.sub_users.give("alice", 250)
    assert (given.username, given.balance_cents, given.confirmed_by) == ("alice", 250, "look")
    recorded = alice.service.changes[way.requests[0].headers["X-Change-Id"]]
    assert given.request_id == recorded["request_id"], "the request that took effect"
    assert client.sub_users.take("alice", 50).balance_cents == 200


def test_a_change_that_never_arrived_is_sent_again_at_once(alice: Served) -> None:
    client, way = alice.unreliable({"give_balance": ["never_arrives", "never_arrives"]})
    given = client.sub_users.give("alice", 250)
    assert (given.balance_cents, given.confirmed_by) == (250, "answer")
    assert way.asked == ["give_balance", "view", "give_balance", "view", "give_balance"], "it did not wait for an expiry"
    assert len({request.headers["X-Change-Id"] for request in way.requests}) == 1, "with one id"
    assert sum(alice.clock.waits) < 1
    assert alice.service.balance_of("alice") == 250


def test_a_request_that_arrives_after_its_repeat_does_nothing(alice: Served) -> None:
    client, way = alice.unreliable({"give_balance": ["held"], "reset_auth_key": ["held"]})
    assert client.sub_users.give("alice", 250).balance_cents == 250
    key = client.sub_users.reset_auth_key("alice").proxy_authkey
    assert set(way.all_arrived()) <= {409, 503}
    assert alice.service.balance_of("alice") == 250
    assert alice.reliable.sub_users.retrieve("alice").proxy_authkey == key


@pytest.mark.parametrize("operation", ["give", "create"])
def test_a_change_that_is_reported_as_not_done_never_takes_effect(alice: Served, operation: str) -> None:
    held = ["held"] * 20
    client, way = alice.unreliable({"give_balance": held, "create": held}, total_timeout_seconds=9)
    with pytest.raises(BursarConnectionError) as raised:
        client.sub_users.give("alice", 250) if operation == "give" else client.sub_users.create("bruno")
    assert raised.value.fee == (None if operation == "give" else NO_FEE)
    assert set(way.all_arrived()) == {503}
    assert alice.service.balance_of("alice") == 0
    assert alice.service.balance == 10_000


@pytest.mark.parametrize("fates", [["answer_lost"], ["never_arrives", "answer_lost"], ["never_arrives"], ["arrives_late"]])
def test_a_create_is_found_with_its_exact_fee_and_never_paid_twice(served: Served, fates: list[Any]) -> None:
    creation = served.unreliable({"create": fates})[0].sub_users.create("alice")
    assert (creation.created, creation.fee) == (True, ONE_FEE)
    assert creation.sub_user == served.reliable.sub_users.retrieve("alice")
    assert served.service.balance == 9_990


def test_a_lost_create_of_a_username_of_another_reseller_is_refused_for_one_fee_which_is_not_paid_again(
    served: Served,
) -> None:
    client, _ = served.unreliable({"create": ["answer_lost"]})
    with pytest.raises(UsernameTakenError) as raised:
        client.sub_users.create("rival")
    error = raised.value
    assert (error.code, error.status, error.fee) == ("username_taken", 409, ONE_FEE)
    assert error.request_id
    assert served.service.balance == 9_990


def test_a_sub_user_that_another_process_creates_meanwhile_is_found(served: Served) -> None:
    def created_meanwhile() -> httpx.Response:
        served.reliable.sub_users.create("alice")
        return refusal("unknown_sub_user")

    client, _ = served.unreliable({"view_single": [created_meanwhile], "create": ["arrives_late"]})
    creation = client.sub_users.create("alice")
    assert (creation.created, creation.fee) == (False, ONE_FEE)


def test_a_reset_whose_answer_was_lost_returns_the_key_that_is_valid_now(alice: Served) -> None:
    before = alice.service.sub_users["alice"]["proxy_authkey"]
    replaced = alice.unreliable({"reset_auth_key": ["answer_lost"]})[0].sub_users.reset_auth_key("alice")
    assert replaced.proxy_authkey == alice.service.sub_users["alice"]["proxy_authkey"] != before
    assert replaced.confirmed_by == "look"


def test_a_refusal_after_a_lost_answer_counts_only_once_the_lost_request_can_no_longer_arrive(alice: Served) -> None:
    # A gift of somebody else comes between the two requests.
    def spent() -> httpx.Response:
        alice.service.balance = 10
        raise httpx.ReadError("other side closed")

    client, way = alice.unreliable({"give_balance": ["held"], "view": [spent]})
    with pytest.raises(InsufficientBalanceError):
        client.sub_users.give("alice", 95)
    expires = int(way.requests[0].headers["X-Request-Expires"])
    assert alice.clock.true_time() >= expires + 1, "it waited for the expiry, and for the time of a command"
    alice.service.balance = 10_000
    assert way.all_arrived() == [503]
    assert way.asked.count("view") >= 2
    with pytest.raises(UnknownSubUserError):
        alice.unreliable({"give_balance": ["answer_lost"]})[0].sub_users.give("nobody", 5)


def test_a_402_on_the_repeat_is_not_believed_if_the_first_request_arrives_before_its_expiry(alice: Served) -> None:
    """The repeat finds too little money. Then some comes in, and the first request takes it."""
    service = alice.service
    arrived: list[int] = []

    def lost_and_late() -> httpx.Response:
        def arrive() -> None:
            service.balance = 1_000
            arrived.append(service.answer(way.requests[0]).status_code)

        service.balance = 10
        alice.clock.plan(1.5, arrive)
        raise httpx.ReadError("other side closed")

    client, way = alice.unreliable({"give_balance": [lost_and_late]})
    given = client.sub_users.give("alice", 95)
    assert (arrived, way.asked.count("give_balance")) == ([200], 2)
    assert (given.balance_cents, given.confirmed_by) == (95, "look")
    assert service.balance_of("alice") == 95


def test_after_outcome_unknown_the_client_sends_the_change_again_and_never_believes_that_it_is_absent(alice: Served) -> None:
    client, _ = alice.unreliable({"give_balance": [open_outcome]})
    assert client.sub_users.give("alice", 250).balance_cents == 250
    once, _ = alice.unreliable({"give_balance": [open_outcome]}, max_attempts=1)
    with pytest.raises(OutcomeUnknownError) as raised:
        once.sub_users.give("alice", 5)
    assert raised.value.known.may_happen_later is True
    assert alice.service.balance_of("alice") == 250


@pytest.mark.parametrize("is_open_first", [True, False])
def test_outcome_unknown_is_not_forgotten_whatever_the_other_answers_say(alice: Served, is_open_first: bool) -> None:
    fates = [open_outcome, lambda: refusal("change_repeated")]
    if not is_open_first:
        fates.reverse()
    client, _ = alice.unreliable({"give_balance": [*fates, *["never_arrives"] * 20]}, total_timeout_seconds=7)
    with pytest.raises(OutcomeUnknownError) as raised:
        client.sub_users.give("alice", 5)
    assert raised.value.known.may_happen_later is True


def test_a_change_repeated_that_no_look_shows_is_unknown(alice: Served) -> None:
    repeated = [lambda: refusal("change_repeated")] * 20
    client, _ = alice.unreliable({"give_balance": repeated}, max_attempts=1)
    with pytest.raises(OutcomeUnknownError, match="the service does not show it"):
        client.sub_users.give("alice", 5)


def test_the_looks_go_on_until_the_time_is_over_whatever_max_attempts_says(alice: Served) -> None:
    client, way = alice.unreliable({"give_balance": ["answer_lost"], "view": ["never_arrives"] * 6}, max_attempts=1)
    assert client.sub_users.give("alice", 250).confirmed_by == "look"
    assert way.asked.count("view") == 7


@pytest.mark.parametrize("outcome", ["done", "not_done"])
def test_an_unknown_outcome_is_settled_by_what_the_error_knows(alice: Served, outcome: str) -> None:
    fate = "answer_lost" if outcome == "done" else "never_arrives"
    alice.reliable.sub_users.give("alice", 100)
    client, _ = alice.unreliable({"take_balance": [fate], "view": ["never_arrives"] * 99}, total_timeout_seconds=3)
    with pytest.raises(OutcomeUnknownError) as raised:
        client.sub_users.take("alice", 60)
    known = raised.value.known
    stored = json.loads(json.dumps(dataclasses.asdict(known)))
    settling, _ = alice.unreliable({})
    settled = settling.changes.settle(UnknownOutcome(**stored))
    assert (settled and settled.amount_cents) == (60 if outcome == "done" else None)
    # If the service may have forgotten the change, only its record proves anything.
    long_ago = dataclasses.replace(known, expires=(known.expires or 0) - 48 * 3_600)
    if outcome == "done":
        assert settling.changes.settle(long_ago).amount_cents == 60
    else:
        with pytest.raises(OutcomeUnknownError, match="may have forgotten it"):
            settling.changes.settle(long_ago)


def test_a_change_that_another_process_sent_can_be_settled_by_its_id_alone_for_certain(alice: Served) -> None:
    held, way = alice.unreliable({"give_balance": ["held"], "view": ["never_arrives"] * 9}, total_timeout_seconds=0.05)
    known = UnknownOutcome(change_id=new_change_id())
    with pytest.raises(OutcomeUnknownError):
        held.sub_users.give("alice", 250, change_id=known.change_id)
    client, _ = alice.unreliable({})
    assert client.changes.settle(known) is None
    assert way.all_arrived() == [503]
    assert alice.service.balance_of("alice") == 0
    expected = f"^whether the change {known.change_id} took effect is not known.*no time to wait"
    with pytest.raises(OutcomeUnknownError, match=expected):
        client.changes.settle(known, total_timeout_seconds=0.5)
    with pytest.raises(OutcomeUnknownError):
        client.changes.settle(dataclasses.replace(known, may_happen_later=True))


def test_settle_refuses_a_value_that_no_error_of_the_client_can_hold_before_it_sends_anything(served: Served) -> None:
    client, way = served.unreliable({})
    known = UnknownOutcome(change_id=new_change_id(), operation="give", username="alice")
    wrong: Any
    for wrong in [
        {"change_id": None},
        {"change_id": "too short"},
        {"expires": 1.5},
        {"expires": -1},
        {"expires": True},
        {"may_happen_later": "no"},
    ]:
        with pytest.raises((TypeError, ValueError)):
            client.changes.settle(dataclasses.replace(known, **wrong))
    for wrong in [None, known.change_id, {"change_id": known.change_id}]:
        with pytest.raises(TypeError):
            client.changes.settle(wrong)
    assert way.asked == []


@pytest.mark.parametrize(("header", "value"), [("X-Change-Id", "x" * 24), ("X-Request-Expires", "1")])
def test_an_answer_that_repeats_another_id_or_expiry_counts_as_lost(alice: Served, header: str, value: str) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        response = alice.service.answer(request)
        if request.url.path.endswith("give_balance"):
            response.headers[header] = value
        return response

    client = alice.client(handle, timeout_seconds=2, after_expiry_seconds=1)
    assert client.sub_users.give("alice", 5).confirmed_by == "look"
    with pytest.raises(UnexpectedAnswerError):
        client.sub_users.give("alice", 1_000_000, total_timeout_seconds=7)
    assert alice.service.balance_of("alice") == 5


def test_an_answer_about_another_change_to_a_read_counts_as_lost(served: Served) -> None:
    marks = {"X-Change-Id": "x" * 24, "X-Request-Expires": "9999999999", "X-Request-Id": "another"}
    other = [lambda: envelope(200, {"username": "alice"}, headers=marks)]
    client, way = served.unreliable({"my_info": other})
    assert client.account.retrieve().username == "acme"
    assert way.asked == ["my_info", "my_info"]


def test_a_409_without_its_code_may_be_the_change_that_an_earlier_request_with_its_id_did(alice: Served) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        response = alice.service.answer(request)
        response.headers.pop("X-Error-Code", None)
        return response

    client = alice.client(handle)
    change_id = new_change_id()
    client.sub_users.give("alice", 5, change_id=change_id)
    assert client.sub_users.give("alice", 5, change_id=change_id).balance_cents == 5


def test_a_call_that_is_repeated_with_its_id_returns_the_outcome_of_the_first(served: Served) -> None:
    client, _ = served.unreliable({})
    users = client.sub_users
    for call in [
        lambda change_id: users.create("alice", change_id=change_id),
        lambda change_id: users.give("alice", 250, change_id=change_id),
        lambda change_id: users.reset_auth_key("alice", change_id=change_id),
    ]:
        change_id = new_change_id()
        first = call(change_id)
        assert call(change_id) == dataclasses.replace(first, confirmed_by="look")
    taken = new_change_id()
    for _ in ["first", "again"]:
        with pytest.raises(UsernameTakenError) as raised:
            users.create("rival", change_id=taken)
        assert raised.value.fee == ONE_FEE
    assert served.service.balance == 10_000 - 250 - 20
    given = new_change_id()
    users.give("alice", 1, change_id=given)
    with pytest.raises(InvalidRequestError) as refused:
        users.give("alice", 251, change_id=given)
    assert (refused.value.code, refused.value.status) == ("change_repeated", None)
    assert served.service.balance_of("alice") == 251


def test_the_answer_to_a_repeat_tells_what_the_change_did_so_the_client_does_not_look_for_it(alice: Served) -> None:
    client, way = alice.unreliable({"take_balance": [lambda: refusal("change_repeated")]})
    change_id = new_change_id()
    client.sub_users.give("alice", 250, change_id=change_id)
    assert client.sub_users.give("alice", 250, change_id=change_id).confirmed_by == "look"
    with pytest.raises(InvalidRequestError):
        client.sub_users.give("alice", 251, change_id=change_id)
    assert way.asked == ["give_balance"] * 3
    # This answer does not tell it.
    with pytest.raises(InvalidRequestError):
        client.sub_users.take("alice", 250, change_id=change_id)
    assert way.asked[3:] == ["take_balance", "view"]


def test_a_repeat_whose_answer_tells_of_another_change_is_not_believed(alice: Served) -> None:
    other = {
        **{"change_id": "y" * 24, "kind": "give_balance", "username": "alice", "amount": 5, "balance": 5},
        **{"error": None, "timestamp": "2026-11-21T00:00:00.000Z", "request_id": "r"},
    }
    repeated = [lambda: refusal("change_repeated", data={"change": other})]
    client, way = alice.unreliable({"give_balance": repeated})
    assert client.sub_users.give("alice", 5).confirmed_by == "answer"
    assert way.asked == ["give_balance", "view", "give_balance"]


def test_retrieve_tells_what_a_change_did_and_never_a_key(served: Served) -> None:
    client, _ = served.unreliable({})
    change_id = new_change_id()
    assert client.changes.retrieve(change_id) is None
    created = client.sub_users.create("alice", change_id=change_id)
    change = client.changes.retrieve(change_id)
    told = dataclasses.asdict(change)
    assert abs(told.pop("done_at").timestamp() - served.clock.true_time()) < 60
    assert told == {
        **{"change_id": change_id, "operation": "create", "username": "alice", "amount_cents": 10},
        **{"balance_cents": 0, "error": None, "request_id": created.request_id},
    }
    for call in [
        lambda: client.changes.retrieve("too short"),
        lambda: client.sub_users.give("alice", 5, change_id="too short"),
    ]:
        with pytest.raises(ValueError, match="change_id"):
            call()


def test_ids_are_new_for_each_change_and_begin_with_the_time(alice: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    client, way = alice.unreliable({})
    client.sub_users.give("alice", 5)
    later = 1_900_000_000_000_000_000
    monkeypatch.setattr("bursar._options.time.time_ns", lambda: later)
    client.sub_users.give("alice", 5)
    ids = [request.headers["X-Change-Id"] for request in way.requests]
    assert all(len(id_) == 24 and id_.isalnum() for id_ in ids)
    assert ids[0] < ids[1]
    assert new_change_id() != new_change_id()


def test_a_look_that_answers_something_else_counts_as_failed(served: Served) -> None:
    good: dict[str, Any] = {
        **{"change_id": "x" * 16, "kind": "give_balance", "username": "alice", "amount": 5, "balance": 5},
        **{"error": None, "timestamp": "2026-11-21T00:00:00.000Z", "request_id": "req"},
    }

    def looked(data: object) -> Any:
        client, _ = served.unreliable({"view": [lambda: envelope(200, data, headers=HONOURED)]}, max_attempts=1)
        return client.changes.retrieve("x" * 16)

    assert looked(good)
    wrong: Any
    for wrong in [
        *[{"change_id": "y" * 16}, {"kind": "gift"}, {"username": 5}, {"amount": -1}, {"amount": True}],
        *[{"balance": "5"}, {"error": "nonsense"}, {"timestamp": "today"}, {"request_id": None}],
    ]:
        with pytest.raises(UnexpectedAnswerError):
            looked({**good, **wrong})
    for wrong in [[], "x", 5, {}]:
        with pytest.raises(UnexpectedAnswerError):
            looked(wrong)


def test_a_change_that_has_no_time_left_is_not_sent(alice: Served) -> None:
    def slow() -> httpx.Response:
        alice.clock.move(10)
        raise httpx.ReadTimeout("slow")

    client, way = alice.unreliable({"view_single": [slow]})
    with pytest.raises(BursarConnectionError):
        client.sub_users.create("bruno", total_timeout_seconds=5)
    assert way.asked == ["view_single"]
    assert alice.service.balance == 10_000
