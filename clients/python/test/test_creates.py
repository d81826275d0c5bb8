"""Creates, bare and with balance, limits and a note. What happens to one whose answer is lost stands in test_changes.py."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timezone
from typing import Any

import pytest
from bursar import (
    BursarConnectionError,
    FeeRange,
    InsufficientBalanceError,
    InvalidRequestError,
    OutcomeUnknownError,
    SuspendedError,
    UnexpectedAnswerError,
    UnknownOutcome,
    UsernameTakenError,
    new_change_id,
)
from conftest import Served
from support.answers import answer, refusal

ONE_FEE = FeeRange(min_cents=10, max_cents=10)
NO_FEE = FeeRange(min_cents=0, max_cents=0)
PERHAPS_ONE_FEE = FeeRange(min_cents=0, max_cents=10)
EXPIRES = datetime(2126, 1, 1, tzinfo=timezone.utc)
PACKAGE: dict[str, Any] = {
    "amount_cents": 2_500,
    "limits": {"total_bytes": 10_000, "expires_at": EXPIRES},
    "note": "order 7",
}


def test_a_create_of_a_username_that_the_reseller_owns_already_costs_nothing(served: Served) -> None:
    client, _ = served.unreliable({})
    made = client.sub_users.create("alice")
    again = client.sub_users.create("ALICE")
    assert again == dataclasses.replace(made, created=False, fee=NO_FEE, confirmed_by="look", request_id=None)
    assert served.service.balance == 9_990


def test_a_create_of_an_invalid_username_is_not_sent_and_costs_nothing(served: Served) -> None:
    client, way = served.unreliable({})
    for username in ["abc", "a..b", ".abc", "abc_", "a" * 33, "\u212aelvin", "a b c", "", "abcd\n", "\u0661\u0661\u0661\u0661"]:
        for create in (client.sub_users.create, client.sub_users.create_with):
            with pytest.raises(InvalidRequestError) as raised:
                create(username)
            assert (raised.value.code, raised.value.status) == ("invalid_username", None)
    assert way.asked == []


def test_a_create_of_a_username_of_another_reseller_is_refused_as_taken_for_one_fee(served: Served) -> None:
    client, _ = served.unreliable({})
    with pytest.raises(UsernameTakenError) as raised:
        client.sub_users.create("rival")
    assert (raised.value.code, raised.value.fee) == ("username_taken", ONE_FEE)
    assert served.service.balance == 9_990


def test_a_create_of_a_reseller_that_cannot_pay_the_fee_pays_nothing(served: Served) -> None:
    served.service.balance = 9
    client, _ = served.unreliable({})
    with pytest.raises(InsufficientBalanceError) as raised:
        client.sub_users.create("alice")
    assert raised.value.fee == NO_FEE
    served.service.is_suspended = True
    with pytest.raises(SuspendedError) as suspended:
        client.sub_users.create("alice")
    assert suspended.value.fee == NO_FEE


def test_if_looking_fails_too_the_outcome_and_the_fee_of_a_create_are_unknown(served: Served) -> None:
    client, _ = served.unreliable({"create": ["answer_lost"], "view": ["never_arrives"] * 20}, total_timeout_seconds=1.5)
    with pytest.raises(OutcomeUnknownError) as raised:
        client.sub_users.create("alice")
    known = raised.value.known
    assert dataclasses.replace(known, expires=None) == UnknownOutcome(
        change_id=known.change_id, operation="create", username="alice"
    )
    assert raised.value.fee == PERHAPS_ONE_FEE
    assert isinstance(raised.value.__cause__, BursarConnectionError)


def test_if_looking_fails_after_a_409_the_error_says_that_the_username_may_be_the_own_one(served: Served) -> None:
    client, _ = served.unreliable({"view_single": ["passed", lambda: answer(404, "not here")]})
    with pytest.raises(UsernameTakenError) as raised:
        client.sub_users.create("rival")
    assert isinstance(raised.value.__cause__, UnexpectedAnswerError)
    assert raised.value.fee == ONE_FEE


def test_a_username_that_is_not_a_str_is_a_type_error_like_every_call(served: Served) -> None:
    client, way = served.unreliable({})
    users = client.sub_users
    for call in [
        lambda: users.create(None),
        lambda: users.create_with(5),
        lambda: users.retrieve(b"alice"),
        lambda: users.retrieve_usage(5),
        lambda: users.give(None, 1),
        lambda: users.delete(None),
    ]:
        with pytest.raises(TypeError, match="username must be a str"):
            call()
    assert way.asked == []


def test_create_with_makes_a_sub_user_that_has_all_of_it_from_the_beginning(served: Served) -> None:
    client, way = served.unreliable({})
    created = client.sub_users.create_with("Alice", **PACKAGE, reference="order-7")
    details = client.sub_users.retrieve_details("alice")
    assert (details.limits.total_bytes, details.limits.expires_at, details.note) == (10_000, EXPIRES, "order 7")
    assert created.sub_user == client.sub_users.retrieve("alice")
    assert created.sub_user.balance_cents == 2_500
    assert (created.limits, created.note, created.fee, created.confirmed_by) == (details.limits, "order 7", ONE_FEE, "answer")
    assert way.requests[1].headers["X-Reference"] == "order-7"
    assert served.service.balance == 10_000 - 2_510
    bare = client.sub_users.create_with("bruno")
    assert (bare.sub_user.balance_cents, bare.limits.total_bytes, bare.note) == (0, None, "")


@pytest.mark.parametrize("fates", [["answer_lost"], ["never_arrives", "answer_lost"], ["arrives_late"]])
def test_a_lost_answer_of_create_with_is_settled_by_the_id_and_nothing_is_paid_or_given_twice(
    served: Served, fates: list[Any]
) -> None:
    client, _ = served.unreliable({"create_with": fates})
    created = client.sub_users.create_with("alice", **PACKAGE)
    assert (created.sub_user, created.fee) == (served.reliable.sub_users.retrieve("alice"), ONE_FEE)
    assert (created.sub_user.balance_cents, created.note, created.limits.total_bytes) == (2_500, "order 7", 10_000)
    assert served.service.balance == 10_000 - 2_510


def test_create_with_with_the_same_id_returns_the_outcome_again_and_another_amount_is_another_change(
    served: Served,
) -> None:
    client, _ = served.unreliable({})
    users, change_id = client.sub_users, new_change_id()
    created = users.create_with("alice", **PACKAGE, change_id=change_id)
    again = users.create_with("alice", **PACKAGE, change_id=change_id)
    assert again == dataclasses.replace(created, confirmed_by="look")
    other: Any
    for other in [{**PACKAGE, "amount_cents": 1}, {}]:
        with pytest.raises(InvalidRequestError) as raised:
            users.create_with("alice", **other, change_id=change_id)
        assert (raised.value.code, raised.value.fee) == ("change_repeated", NO_FEE)
    taken = new_change_id()
    for _ in ["first", "again"]:
        with pytest.raises(UsernameTakenError) as refused:
            users.create_with("rival", **PACKAGE, change_id=taken)
        assert refused.value.fee == ONE_FEE
    assert served.service.balance == 10_000 - 2_510 - 10


def test_the_errors_of_create_with_say_what_was_paid_and_a_name_that_is_yours_already_costs_nothing(
    alice: Served,
) -> None:
    client, way = alice.unreliable({})
    with pytest.raises(UsernameTakenError) as raised:
        client.sub_users.create_with("ALICE", **PACKAGE)
    assert (raised.value.status, raised.value.fee) == (None, NO_FEE)
    assert way.asked == ["view_single"]
    for code in ["insufficient_balance", "invalid_note", "invalid_limits"]:
        refusing, _ = alice.unreliable({"create_with": [lambda code=code: refusal(code)]})
        with pytest.raises((InsufficientBalanceError, InvalidRequestError)) as refused:
            refusing.sub_users.create_with("bruno")
        assert refused.value.fee == NO_FEE


def test_what_create_with_reports_as_not_done_never_takes_effect_and_what_cannot_be_known_is_unknown(
    served: Served,
) -> None:
    held, way = served.unreliable({"create_with": ["held"] * 20}, total_timeout_seconds=9)
    with pytest.raises(BursarConnectionError):
        held.sub_users.create_with("alice", **PACKAGE)
    assert set(way.all_arrived()) == {503}
    fates: Any = {"create_with": ["answer_lost"], "view": ["never_arrives"] * 20}
    client, _ = served.unreliable(fates, total_timeout_seconds=1.5)
    with pytest.raises(OutcomeUnknownError) as raised:
        client.sub_users.create_with("bruno", **PACKAGE)
    known = raised.value.known
    assert (known.operation, known.username, known.amount_cents) == ("create_with", "bruno", 2_500)
    assert raised.value.fee == PERHAPS_ONE_FEE
    assert served.service.balance == 10_000 - 2_510


def test_what_is_wrong_for_certain_of_create_with_is_not_sent(served: Served) -> None:
    client, way = served.unreliable({})
    wrong: Any
    for wrong in [{"amount_cents": 0}, {"amount_cents": 1.5}, {"amount_cents": True}, {"limits": {"total_bytes": float("nan")}}]:
        with pytest.raises(InvalidRequestError):
            client.sub_users.create_with("alice", **wrong)
    for wrong in [{"limit": {}}, {"limits": {"bytes": 5}}, {"note": 5}, {"limits": 5}, {"limits": []}]:
        with pytest.raises(TypeError):
            client.sub_users.create_with("alice", **wrong)
    assert way.asked == []
