"""Reads each answer that the OpenAPI document has as an example, whole and with each field broken."""

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any, cast

import pytest

from bursar import _models as models
from bursar._api import ERRORS, ROUTES, Operation
from bursar._read import Unreadable, any_text, count, day, each, fields_of, optional, text, time, whole

EXAMPLES: dict[str, Any] = {
    line["operation"]: line["data"]
    for line in map(json.loads, Path(__file__).with_name("examples.jsonl").read_text("utf-8").splitlines())
}


def items(name: str, read: Callable[[object], object]) -> Callable[[object], object]:
    return lambda data: each(read)(fields_of(data)[name])


READERS: Mapping[Operation, Callable[[object], object]] = {
    "my_info": models.read_account,
    "create_sub_user": models.read_account,
    "view_all_sub_users": each(models.read_account),
    "view_sub_user": models.read_account,
    "view_usage": each(models.read_daily_usage),
    "reset_auth_key": models.read_sub_user_auth_key,
    "give_balance": models.read_sub_user_balance,
    "take_balance": models.read_sub_user_balance,
    "view_change": models.read_recorded_change,
    "view_account": models.read_account_details,
    "create_sub_user_with": models.read_sub_user_with_terms,
    "suspend_sub_user": models.read_sub_user_with_state,
    "resume_sub_user": models.read_sub_user_with_state,
    "set_limits": models.read_sub_user_with_limits,
    "set_note": models.read_sub_user_with_note,
    "set_sign_in_ips": models.read_sub_user_with_sign_in_ips,
    "view_details": models.read_sub_user_details,
    "view_sub_user_page": items("sub_users", models.read_listed_sub_user),
    "view_statement_page": items("movements", models.read_movement),
    "delete_sub_user": models.read_deleted_sub_user,
    "view_event_page": items("events", models.read_event),
    "create_webhook": models.read_created_webhook,
    "view_all_webhooks": each(models.read_listed_webhook),
    "update_webhook": models.read_webhook,
    "delete_webhook": models.read_named,
    "rotate_webhook_secret": models.read_rotated_webhook_secret,
    "test_webhook": models.read_named,
    "view_webhook_tries": each(models.read_webhook_try),
    "create_token": models.read_created_token,
    "view_all_tokens": each(models.read_token_details),
    "end_token": models.read_named,
    "create_top_up": models.read_top_up,
    "view_top_up_page": items("top_ups", models.read_top_up),
}

# Of pages, what is beside the items is read elsewhere.
BESIDE_ITEMS = ("next", "more")

# An older service, an event of an older service, or an event without a cause does not have it.
MAY_BE_ABSENT = (
    ("create_sub_user_with", "bytes_per_second"),
    ("set_limits", "bytes_per_second"),
    ("view_details", "bytes_per_second"),
    ("view_details", "sign_in_ips"),
    ("view_event_page", "bytes_per_second"),
    ("view_event_page", "request_id"),
    ("view_event_page", "change_id"),
)

Place = tuple[Any, ...]


def example(operation: Operation) -> Any:
    return copy.deepcopy(EXAMPLES[operation])


def leaves(data: Any, place: Place = ()) -> Iterator[Place]:
    """The places of all values that have no others in them."""
    parts = [(name, value) for name, value in parts_of(data) if place or name not in BESIDE_ITEMS]
    for name, value in parts:
        yield from leaves(value, (*place, name))
    if not parts:
        yield place


def parts_of(data: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(data, dict):
        return cast("dict[str, object]", data).items()
    return enumerate(cast("list[object]", data)) if isinstance(data, list) else ()


def parent_of(data: Any, place: Place) -> Any:
    for part in place[:-1]:
        data = data[part]
    return data


def test_each_operation_has_a_reader() -> None:
    assert list(READERS) == list(ROUTES) == list(EXAMPLES)


@pytest.mark.parametrize("operation", READERS)
def test_each_example_is_read(operation: Operation) -> None:
    READERS[operation](example(operation))


@pytest.mark.parametrize("operation", READERS)
def test_each_field_of_an_answer_is_checked(operation: Operation) -> None:
    read = READERS[operation]
    places = list(leaves(example(operation)))
    assert places
    for place in places:
        wrong = example(operation)
        parent_of(wrong, place)[place[-1]] = [] if place[-1] == "data" else {"of another": "shape"}
        with pytest.raises(Unreadable):
            read(wrong)


@pytest.mark.parametrize("operation", READERS)
def test_each_field_of_an_answer_is_needed(operation: Operation) -> None:
    read = READERS[operation]
    for place in leaves(example(operation)):
        name = place[-1]
        if isinstance(name, int):
            continue
        lacking = example(operation)
        del parent_of(lacking, place)[name]
        if (operation, name) in MAY_BE_ABSENT:
            read(lacking)
        else:
            with pytest.raises(Unreadable):
                read(lacking)


def test_a_field_that_only_a_newer_service_has_is_ignored() -> None:
    account = models.read_account({**example("my_info"), "of_a_newer_service": 1})
    assert account == models.read_account(example("my_info"))


def test_an_account_has_cents_and_a_time_with_its_zone() -> None:
    account = models.read_account({**example("my_info"), "balance": 250, "date_created": "2026-11-21T00:00:00.000Z"})
    assert account.balance_cents == 250
    assert account.date_created == datetime(2026, 11, 21, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("operation", "secret"),
    [
        ("my_info", "proxy_authkey"),
        ("create_sub_user_with", "proxy_authkey"),
        ("reset_auth_key", "proxy_authkey"),
        ("create_webhook", "secret"),
        ("rotate_webhook_secret", "secret"),
        ("create_token", "token"),
    ],
)
def test_no_model_shows_its_secret(operation: Operation, secret: str) -> None:
    sent = example(operation)
    read = READERS[operation](sent)
    assert getattr(read, secret) == sent[secret]
    assert sent[secret] not in repr(read)


def test_closed_lists_are_closed_and_open_ones_are_open() -> None:
    newer = "of_a_newer_service"
    with pytest.raises(Unreadable):
        models.read_sub_user_with_state({**example("suspend_sub_user"), "state": newer})
    with pytest.raises(Unreadable):
        models.read_webhook({**example("update_webhook"), "state": newer})
    movement = example("view_statement_page")["movements"][0]
    assert models.read_movement({**movement, "kind": newer}).kind == newer
    assert models.read_top_up({**example("create_top_up"), "state": newer}).state == newer
    assert models.read_created_token({**example("create_token"), "scopes": [newer]}).scopes == (newer,)
    with pytest.raises(Unreadable):
        models.read_movement({**movement, "kind": ""})


def test_a_recorded_change_has_the_name_of_its_method_and_a_known_error() -> None:
    sent = example("view_change")
    assert sent["kind"] == "give_balance"
    assert models.read_recorded_change(sent).operation == "give"
    for code in ERRORS:
        assert models.read_recorded_change({**sent, "error": code}).error == code
    for wrong in ({"kind": "give"}, {"kind": "of_a_newer_service"}, {"error": "of_a_newer_service"}):
        with pytest.raises(Unreadable):
            models.read_recorded_change({**sent, **wrong})


def event(kind: str, data: object, **more: object) -> models.ResellerEvent:
    return models.read_event(
        {"id": "evt_1", "number": 7, "type": kind, "at": "2026-11-28T10:00:00Z", "data": data, **more}
    )


def test_the_type_of_an_event_tells_its_data() -> None:
    credited = event("reseller.credited", {"amount_usd_cents": -5, "balance": 0, "reference": ""})
    assert isinstance(credited, models.ResellerCredited)
    assert credited == models.ResellerCredited(
        id="evt_1",
        number=7,
        type="reseller.credited",
        at=datetime(2026, 11, 28, 10, tzinfo=timezone.utc),
        username=None,
        data=models.ResellerCreditedData(amount_cents=-5, balance_cents=0, reference="", payment=None),
        request_id=None,
        change_id=None,
    )
    assert credited.next == "7-evt_1"
    # Checkers of types know the data from the type, too.
    deleted = event("sub_user.deleted", {"amount_usd_cents": 5}, username="alice")
    assert deleted.type == "sub_user.deleted" and deleted.data.returned_cents == 5 and deleted.username.isascii()


def test_an_event_of_a_type_that_only_a_newer_service_knows_is_as_it_came() -> None:
    unknown: models.Event = event("reseller.painted", {"color": "red"})
    assert type(unknown) is models.Event
    assert type(unknown.data) is dict
    assert unknown.data == {"color": "red"}
    assert unknown.next == "7-evt_1"


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "sub_user.suspended"},
        {"kind": "sub_user.painted"},
        {"username": None},
        {"username": ""},
        {"request_id": None},
        {"change_id": 5},
        {"data": None},
        {"data": []},
        {"number": True},
        {"at": "2026-11-28"},
        {"id": ""},
    ],
)
def test_an_event_of_another_shape_is_unreadable(wrong: dict[str, object]) -> None:
    for kind in ("reseller.resumed", "reseller.painted"):
        with pytest.raises(Unreadable):
            event(**{"kind": kind, "data": {}, **wrong})  # type: ignore[arg-type]


def test_an_older_service_does_not_tell_all() -> None:
    details = example("view_details")
    del details["sign_in_ips"]
    del details["limits"]["bytes_per_second"]
    read = models.read_sub_user_details(details)
    assert read.sign_in_ips == ()
    assert read.limits.bytes_per_second is None


def test_numbers_are_those_that_json_carries_exactly() -> None:
    assert [count(0), count(2**53 - 1), whole(-(2**53) + 1)] == [0, 2**53 - 1, -(2**53) + 1]
    for wrong in (True, -1, 2**53, 1.0, "1", None, float("nan")):
        with pytest.raises(Unreadable):
            count(wrong)
    for wrong in (False, 2**53, -(2**53), 1.5):
        with pytest.raises(Unreadable):
            whole(wrong)


def test_times_are_utc_with_fractions_of_any_length() -> None:
    start = datetime(2026, 11, 28, 10, 0, 5, tzinfo=timezone.utc)
    for zone in ("Z", "+00:00", ""):
        assert time(f"2026-11-28T10:00:05{zone}") == start
        assert time(f"2026-11-28T10:00:05.5{zone}") == start.replace(microsecond=500_000)
        assert time(f"2026-11-28T10:00:05.1234567891{zone}") == start.replace(microsecond=123_456)
    assert time("2028-02-29T00:00:00Z").tzinfo is timezone.utc
    for wrong in (
        "2026-02-29T00:00:00Z",
        "2026-11-31T00:00:00Z",
        "2026-11-28T24:00:00Z",
        "2026-11-28T23:59:60Z",
        "2026-11-28T10:00:05+01:00",
        "2026-11-28T10:00:05-00:00",
        "2026-11-28T10:00:05z",
        "2026-11-28 10:00:05Z",
        "2026-11-28T10:00:05.Z",
        "2026-11-28T10:00:05Z\n",
        "2026-11-28",
        "٢٠٢٦-11-28T10:00:05Z",
        "",
        1_764_324_005,
        None,
    ):
        with pytest.raises(Unreadable):
            time(wrong)


def test_a_day_is_told_as_its_start() -> None:
    assert day("2026-11-28T00:00:00.000Z") == date(2026, 11, 28)
    for wrong in ("2026-11-28T00:00:01Z", "2026-11-28T00:00:00.001Z", "2026-11-28"):
        with pytest.raises(Unreadable):
            day(wrong)


def test_a_text_may_only_be_empty_where_that_is_said() -> None:
    assert any_text("") == ""
    assert optional(text)(None) is None
    for check in (text, any_text):
        with pytest.raises(Unreadable):
            check(5)
    with pytest.raises(Unreadable):
        optional(text)("")
