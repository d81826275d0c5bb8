"""States, limits, notes, addresses and deletes of sub-users, webhooks, tokens and top-ups: lost answers and wrong arguments."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from bursar import (
    BursarConnectionError,
    InvalidRequestError,
    OutcomeUnknownError,
    UnknownSubUserError,
    new_change_id,
)
from conftest import Served
from support.answers import refusal

EXPIRES = datetime(2026, 12, 24, tzinfo=timezone.utc)
SHOP = "https://shop.example.com/events"


def test_a_lost_delete_is_settled_by_the_id_of_the_change_with_what_went_back(served: Served) -> None:
    served.service.add("alice", 250)
    client, way = served.unreliable({"delete": ["answer_lost"]})
    deleted = client.sub_users.delete("ALICE")
    assert (deleted.username, deleted.returned_cents, deleted.confirmed_by) == ("alice", 250, "look")
    assert way.asked == ["delete", "view"]
    assert served.service.balance == 10_250


def test_a_repeat_that_finds_no_such_sub_user_is_no_failure_if_the_lost_request_deleted_it(served: Served) -> None:
    served.service.add("alice", 250)
    # The looks fail as well, and the repeat is answered as the API answers for a name that is not there.
    fates: Any = {"delete": ["answer_lost", lambda: refusal("unknown_sub_user")], "view": ["never_arrives"] * 2}
    client, _ = served.unreliable(fates)
    assert client.sub_users.delete("alice").returned_cents == 250


def test_a_delete_of_a_sub_user_that_is_not_there_stays_an_error_also_after_a_lost_answer(served: Served) -> None:
    client, _ = served.unreliable({"delete": ["answer_lost"]})
    with pytest.raises(UnknownSubUserError):
        client.sub_users.delete("nobody")


def test_the_same_delete_with_the_same_id_returns_the_outcome_again(served: Served) -> None:
    served.service.add("alice", 250)
    client, _ = served.unreliable({})
    change_id = new_change_id()
    client.sub_users.delete("alice", change_id=change_id)
    again = client.sub_users.delete("alice", change_id=change_id)
    assert (again.returned_cents, again.confirmed_by) == (250, "look")


def test_an_unknown_delete_is_settled_later_by_its_id(alice: Served) -> None:
    client, _ = alice.unreliable({"delete": ["answer_lost"], "view": ["never_arrives"] * 99}, total_timeout_seconds=2)
    with pytest.raises(OutcomeUnknownError) as raised:
        client.sub_users.delete("alice")
    assert raised.value.known.operation == "delete"
    assert alice.reliable.changes.settle(raised.value.known).operation == "delete"


def test_a_lost_answer_is_settled_by_the_id_and_shows_what_holds_now(alice: Served) -> None:
    endpoints = ["suspend", "resume", "set_limits", "set_note", "set_sign_in_ips"]
    client, way = alice.unreliable({endpoint: ["answer_lost"] for endpoint in endpoints})
    users = client.sub_users
    assert users.suspend("alice").state == "suspended"
    assert users.resume("alice").state == "active"
    assert users.set_limits("alice", {"connections": 5}).limits.connections == 5
    assert users.set_note("alice", "late").note == "late"
    last = users.set_sign_in_ips("alice", ["192.0.2.7"])
    assert (last.sign_in_ips, last.confirmed_by) == (("192.0.2.7",), "look")
    assert way.asked == [asked for endpoint in endpoints for asked in (endpoint, "view", "view_details")]


@pytest.mark.parametrize("was_suspended", [False, True])
def test_a_suspend_that_arrives_after_its_repeat_and_a_resume_suspends_no_sub_user(
    alice: Served, was_suspended: bool
) -> None:
    if was_suspended:
        alice.reliable.sub_users.suspend("alice")
    client, way = alice.unreliable({"suspend": ["held"]})
    assert client.sub_users.suspend("alice").state == "suspended"
    assert client.sub_users.resume("alice").state == "active"
    assert set(way.all_arrived()) <= {409, 503}
    assert alice.service.sub_users["alice"]["state"] == "active"


def test_a_suspend_that_is_reported_as_not_done_never_takes_effect(alice: Served) -> None:
    client, way = alice.unreliable({"suspend": ["held"] * 20}, total_timeout_seconds=9)
    with pytest.raises(BursarConnectionError):
        client.sub_users.suspend("alice")
    assert set(way.all_arrived()) == {503}
    assert alice.service.sub_users["alice"]["state"] == "active"


WRONG_LIMITS: list[Any] = [
    *[{"day_bytes": float("nan")}, {"day_bytes": 0}, {"day_bytes": 1.5}, {"day_bytes": 5.0}, {"day_bytes": "5"}],
    *[{"day_bytes": True}, {"day_bytes": 2**53}, {"connections": 1_000_001}, {"bytes_per_second": 7_999}],
    *[{"allowed_ips": []}, {"allowed_ips": "192.0.2.1"}, {"allowed_ips": [5]}, {"allowed_ips": ["192.0.2.1"] * 33}],
    *[{"expires_at": "2026-12-31T00:00:00Z"}, {"expires_at": datetime(2026, 12, 31)}, {"expires_at": 5}, {}],
]


@pytest.mark.parametrize("limits", WRONG_LIMITS, ids=repr)
def test_a_value_that_is_no_limit_never_removes_one(alice: Served, limits: Any) -> None:
    client, way = alice.unreliable({})
    with pytest.raises(InvalidRequestError) as raised:
        client.sub_users.set_limits("alice", limits)
    assert raised.value.code == "invalid_limits"
    assert way.asked == []


def test_a_wrong_name_never_removes_a_limit(alice: Served) -> None:
    client, way = alice.unreliable({})
    wrong: Any
    for wrong in [{"daybytes": 5, "day_bytes": 6}, {"dayBytes": 5}, {"username": "bruno"}, {5: 5}, None, [], 5]:
        with pytest.raises(TypeError):
            client.sub_users.set_limits("alice", wrong)
    for call in [
        lambda: client.sub_users.set_note("alice", 5),
        lambda: client.sub_users.set_note("alice", None),
        lambda: client.sub_users.set_sign_in_ips("alice", "192.0.2.7"),
        lambda: client.sub_users.set_sign_in_ips("alice", [5]),
        lambda: client.sub_users.set_sign_in_ips("alice", None),
    ]:
        with pytest.raises(TypeError):
            call()
    assert way.asked == []


def test_a_time_is_sent_in_utc_whatever_its_zone(alice: Served) -> None:
    client, way = alice.unreliable({})
    at = datetime(2026, 12, 24, 1, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    client.sub_users.set_limits("alice", {"expires_at": at, "day_bytes": None})
    assert b'"expires_at": "2026-12-23T20:00:00.000Z"' in way.requests[0].content
    assert b'"day_bytes": null' in way.requests[0].content


def test_a_create_of_a_webhook_whose_answer_was_lost_has_made_one_and_its_secret_is_not_known(served: Served) -> None:
    served.reliable.webhooks.create(SHOP)
    served.clock.move(1)
    client, way = served.unreliable({"create": ["answer_lost"]})
    created = client.webhooks.create(SHOP)
    assert (created.webhook.id, created.secret, created.confirmed_by) == ("whe_1", None, "look")
    assert way.asked == ["create", "view", "view_all"]
    assert len(served.service.webhooks) == 2


def test_a_create_of_a_webhook_that_never_arrived_is_sent_again_and_has_its_secret(served: Served) -> None:
    client, _ = served.unreliable({"create": ["never_arrives"]})
    assert client.webhooks.create(SHOP).secret.startswith("whsec_")
    assert len(served.service.webhooks) == 1


def test_the_same_create_of_a_webhook_with_the_same_id_makes_no_second_one(served: Served) -> None:
    client, _ = served.unreliable({})
    change_id = new_change_id()
    first = client.webhooks.create(SHOP, change_id=change_id)
    assert client.webhooks.create(SHOP, change_id=change_id).webhook == first.webhook
    served.service.webhooks.clear()
    with pytest.raises(OutcomeUnknownError, match='^whether "create_webhook" took effect'):
        client.webhooks.create(SHOP, change_id=change_id)


def test_a_create_of_a_token_whose_answer_was_lost_has_made_one_which_nobody_has(served: Served) -> None:
    client, way = served.unreliable({"create": ["answer_lost"]})
    created = client.tokens.create("shop", scopes=["read", "money"], expires_at=EXPIRES)
    assert (created.token, created.details.name, created.confirmed_by) == (None, "shop", "look")
    assert way.asked == ["create", "view", "view_all"]
    assert len(served.service.tokens) == 1


def test_the_same_create_of_a_token_with_the_same_id_makes_no_second_one(served: Served) -> None:
    client, _ = served.unreliable({})
    change_id, shop = new_change_id(), {"scopes": ["read"], "expires_at": EXPIRES}
    first = client.tokens.create("shop", **shop, change_id=change_id)
    again = client.tokens.create("shop", **shop, change_id=change_id)
    assert (again.token, again.details) == (None, first.details)
    served.service.tokens.clear()
    with pytest.raises(OutcomeUnknownError):
        client.tokens.create("shop", **shop, change_id=change_id)


def test_an_end_or_a_delete_with_the_id_of_another_one_is_not_told_as_done(served: Served) -> None:
    client, _ = served.unreliable({})
    change_id = new_change_id()
    one, other = (client.tokens.create(name, scopes=["read"], expires_at=EXPIRES).details.id for name in ("one", "other"))
    for _ in range(2):
        assert client.tokens.end(one, change_id=change_id).id == one
    with pytest.raises(OutcomeUnknownError):
        client.tokens.end(other, change_id=change_id)
    change_id = new_change_id()
    one, other = (client.webhooks.create(SHOP).webhook.id for _ in range(2))
    for _ in range(2):
        assert client.webhooks.delete(one, change_id=change_id).id == one
    with pytest.raises(OutcomeUnknownError):
        client.webhooks.delete(other, change_id=change_id)


@pytest.mark.parametrize("fates", [["answer_lost"], ["never_arrives", "answer_lost"], ["arrives_late", "answer_lost"]])
def test_a_lost_answer_begins_one_payment_which_is_found_by_the_id_of_its_change(served: Served, fates: list[Any]) -> None:
    client, _ = served.unreliable({"create": fates})
    created = client.top_ups.create("stripe", 5_000)
    assert (created.top_up.amount_cents, created.confirmed_by) == (5_000, "look")
    assert client.top_ups.retrieve(created.top_up.id) == created.top_up
    assert len(served.service.top_ups) == 1


def test_the_same_payment_with_the_same_id_is_begun_once_and_another_one_with_it_is_refused(served: Served) -> None:
    client, _ = served.unreliable({})
    change_id = new_change_id()
    first = client.top_ups.create("stripe", 5_000, change_id=change_id)
    client.top_ups.create("stripe", 5_000)
    assert client.top_ups.create("stripe", 5_000, change_id=change_id).top_up == first.top_up
    for provider, amount in [("stripe", 5_001), ("stripe", 1), ("btcpay", 5_000)]:
        with pytest.raises(InvalidRequestError) as raised:
            client.top_ups.create(provider, amount, change_id=change_id)
        assert raised.value.code == "change_repeated"
    assert len(served.service.top_ups) == 2


def test_a_create_of_a_payment_whose_outcome_stays_unknown_says_what_is_known_of_it(served: Served) -> None:
    client, _ = served.unreliable({"create": ["answer_lost"], "view": ["never_arrives"] * 20}, total_timeout_seconds=1.5)
    with pytest.raises(OutcomeUnknownError) as raised:
        client.top_ups.create("stripe", 5_000)
    known = raised.value.known
    assert (known.operation, known.username, known.amount_cents) == ("create_top_up", None, 5_000)
    assert raised.value.fee is None


def test_an_argument_of_a_wrong_kind_is_refused_before_anything_is_sent(served: Served) -> None:
    client, way = served.unreliable({})
    shop: dict[str, Any] = {"scopes": ["read"], "expires_at": EXPIRES}
    for call in [
        *[lambda: client.webhooks.create(None), lambda: client.webhooks.create(SHOP, tyeps=[])],
        *[lambda: client.webhooks.create(SHOP, types="sub_user.created"), lambda: client.webhooks.create(SHOP, types=[5])],
        *[lambda: client.webhooks.update("whe_1", {"is_enabled": True}), lambda: client.webhooks.update("whe_1", None)],
        *[lambda: client.webhooks.update(None, {}), lambda: client.webhooks.update("whe_1", {"types": "x"})],
        *[lambda: client.webhooks.delete(None), lambda: client.webhooks.tries(5), lambda: client.webhooks.test(None)],
        *[lambda: client.tokens.create(None, **shop), lambda: client.tokens.create("shop", allowed_ip=[], **shop)],
        *[lambda: client.tokens.create("shop"), lambda: client.tokens.create("shop", **{**shop, "scopes": "read"})],
        *[lambda: client.tokens.create("shop", **{**shop, "expires_at": "2027-01-01"}), lambda: client.tokens.end(None)],
        *[lambda: client.tokens.create("shop", **{**shop, "expires_at": datetime(2027, 1, 1)})],
        *[lambda: client.tokens.create("shop", allowed_ips="127.0.0.1", **shop)],
        *[lambda: client.top_ups.create(None, 5), lambda: client.top_ups.create("stripe"), lambda: client.top_ups.retrieve(5)],
    ]:
        with pytest.raises((TypeError, ValueError)):
            call()
    assert way.asked == []
