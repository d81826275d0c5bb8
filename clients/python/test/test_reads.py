"""Reads, and answers that are not those of the service."""

from __future__ import annotations

import gzip
import json
import pickle
from typing import Any

import httpx
import pytest
from bursar import (
    BursarConnectionError,
    BursarError,
    InternalServerError,
    OutcomeUnknownError,
    StatementRewoundError,
    UnauthorizedError,
    UnexpectedAnswerError,
    UnknownOutcome,
    UnknownSubUserError,
)
from bursar._errors import ErrorDetails
from bursar._models import read_event, read_movement
from bursar._read import Unreadable
from bursar._reading import page_of
from conftest import Served
from support.answers import Body, answer, envelope, refusal


def test_reads_are_repeated_after_any_kind_of_lost_answer(alice: Served) -> None:
    client, way = alice.unreliable(
        {
            "my_info": ["never_arrives", "answer_lost", lambda: refusal("unavailable")],
            "view_single": [lambda: answer(502, "<h1>bad gateway</h1>"), lambda: answer(503)],
            "view_page": [lambda: answer(200, '{"status":200,"mess')],
            "view_txs": [lambda: refusal("internal_error")],
        }
    )
    assert client.account.retrieve().username == "acme"
    assert client.sub_users.retrieve("alice").username == "alice"
    assert len(client.sub_users.list().page().items) == 1
    assert client.sub_users.retrieve_usage("alice") == ()
    assert [way.asked.count(name) for name in ("my_info", "view_single", "view_page", "view_txs")] == [4, 3, 2, 2]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (lambda: refusal("internal_error"), InternalServerError),
        (lambda: refusal("request_timeout"), BursarConnectionError),
        (lambda: answer(500, "busy"), UnexpectedAnswerError),
        (lambda: envelope(500, None), BursarConnectionError),
    ],
)
def test_attempts_are_limited_and_the_last_failure_is_raised(served: Served, given: Any, error: type[Exception]) -> None:
    client, way = served.unreliable({"my_info": [given] * 9}, max_attempts=2)
    with pytest.raises(error):
        client.account.retrieve()
    assert len(way.asked) == 2


@pytest.mark.parametrize("fate", [lambda: refusal("unavailable"), lambda: answer(502, "no server"), "never_arrives"])
def test_only_time_limits_what_nothing_of_the_service_answered(served: Served, fate: Any) -> None:
    client, way = served.unreliable({"my_info": [fate] * 3}, max_attempts=1)
    assert client.account.retrieve().username == "acme"
    assert len(way.asked) == 4
    failing, failing_way = served.unreliable({"my_info": [fate] * 9})
    with pytest.raises(BursarError):
        failing.account.retrieve(total_timeout_seconds=0.4)
    assert len(failing_way.asked) <= 3


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (lambda: refusal("unauthorized"), UnauthorizedError),
        (lambda: refusal("not_found"), UnexpectedAnswerError),
        (lambda: answer(404, "not here"), UnexpectedAnswerError),
        (lambda: answer(307, "", {"Location": "http://127.0.0.1:1/"}), UnexpectedAnswerError),
    ],
)
def test_a_failure_that_will_not_pass_is_not_repeated(served: Served, given: Any, error: type[Exception]) -> None:
    client, way = served.unreliable({"my_info": [given]})
    with pytest.raises(error):
        client.account.retrieve()
    assert len(way.asked) == 1


def test_each_kind_of_refusal_has_its_own_error_class_with_code_status_and_request_id(served: Served) -> None:
    client, _ = served.unreliable({})
    with pytest.raises(UnknownSubUserError) as raised:
        client.sub_users.retrieve("nobody")
    error = raised.value
    assert (error.code, error.status) == ("unknown_sub_user", 404)
    assert error.request_id
    assert not isinstance(error, OutcomeUnknownError)
    stranger = served.kind.client("https://api.example.com", "brs_wrong", handle=served.service.answer)
    with pytest.raises(UnauthorizedError) as refused:
        stranger.account.retrieve()
    assert (refused.value.code, refused.value.status) == ("unauthorized", 401)


@pytest.mark.parametrize(("status", "error"), [(404, UnknownSubUserError), (401, UnauthorizedError), (410, BursarError)])
def test_without_its_code_the_status_of_an_envelope_decides_the_class(
    served: Served, status: int, error: type[Exception]
) -> None:
    client, _ = served.unreliable({"view_single": [lambda: envelope(status, None)]})
    with pytest.raises(error):
        client.sub_users.retrieve("alice")


def test_a_code_that_only_a_newer_service_knows_counts_as_none(served: Served) -> None:
    headers = {"X-Error-Code": "of_a_newer_service"}
    client, _ = served.unreliable({"view_single": [lambda: envelope(404, None, headers=headers)]})
    with pytest.raises(UnknownSubUserError) as raised:
        client.sub_users.retrieve("alice")
    assert raised.value.code is None


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2026-11-21T13:37:00Z", "2026-11-21T13:37:00+00:00"),
        ("2026-11-21T13:37:00.123456+00:00", "2026-11-21T13:37:00.123456+00:00"),
        ("2026-11-21T13:37:00.1234567Z", "2026-11-21T13:37:00.123456+00:00"),
        ("2026-11-21T13:37:00", "2026-11-21T13:37:00+00:00"),
        *[
            (wrong, None)
            for wrong in [
                *["2026-11-21T13:37:00+05:00", "2026-02-31T00:00:00Z", "2026-11-21", "1", "", "\u0662026-11-21T13:37:00Z"],
                *["2026-11-21T24:00:00Z", "2026-11-21T13:37:60Z", "2026-11-21 13:37:00", "0000-01-01T00:00:00Z", 5, None],
            ]
        ],
    ],
)
def test_times_are_utc_also_without_a_zone_and_must_exist(served: Served, written: Any, read: str | None) -> None:
    data = {"username": "acme", "balance": 1, "proxy_authkey": "x" * 16, "date_created": written}
    client, _ = served.unreliable({"my_info": [lambda: envelope(200, data)] * 9})
    if read is None:
        with pytest.raises(UnexpectedAnswerError):
            client.account.retrieve()
    else:
        assert client.account.retrieve().date_created.isoformat() == read


def test_a_day_of_usage_begins_at_midnight_and_the_days_are_in_order(served: Served) -> None:
    def used(*times: str) -> Any:
        days = [{"timestamp": time, "bandwidth": {"up": 1, "down": 2}} for time in times]
        client, _ = served.unreliable({"view_txs": [lambda: envelope(200, days)] * 9})
        return client.sub_users.retrieve_usage("alice")

    days = used("2026-11-21T00:00:00Z", "2026-11-19T00:00:00Z", "2026-11-20T00:00:00")
    assert [usage.day.isoformat() for usage in days] == ["2026-11-19", "2026-11-20", "2026-11-21"]
    with pytest.raises(UnexpectedAnswerError):
        used("2026-11-21T13:37:00Z")


def test_a_request_without_an_answer_ends_at_its_time_out(served: Served) -> None:
    def silent() -> httpx.Response:
        served.clock.move(4)
        raise httpx.ReadTimeout("")

    client, way = served.unreliable({"my_info": [silent] * 9})
    with pytest.raises(BursarConnectionError, match="no answer in time"):
        client.account.retrieve(total_timeout_seconds=6)
    assert len(way.asked) == 2


def account(text: str) -> bytes:
    """An account whose balance is this text, as JSON."""
    data = f'{{"username":"acme","balance":{text},"proxy_authkey":"x","date_created":"2026-01-01T00:00:00Z"}}'
    return f'{{"status":200,"message":"","timestamp":1,"data":{data}}}'.encode()


CUT = httpx.RemoteProtocolError("peer closed connection without sending complete message body")
WRONG: dict[str, Any] = {
    "cut": [account("5")[:40], CUT],
    "cut at once": [CUT],
    "short": account("5")[:40],
    "empty": b"",
    "nested": b'{"status":200,"message":"","timestamp":1,"data":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "nested objects": b'{"status":200,"message":"","timestamp":1,"data":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001,
    "nan": account("NaN"),
    "infinity": account("Infinity"),
    "minus infinity": account("-Infinity"),
    "huge": account("9" * 5_000),
    "beyond a double": account("9007199254740993"),
    "negative": account("-5"),
    "float": account("5.0"),
    "exponent": account("5e1"),
    "overflow": account("1e999"),
    "true": account("true"),
    "text": account('"5"'),
    "null": account("null"),
    "not utf-8": account("5").replace(b'"x"', b'"\xff\xfe"'),
    "utf-16": account("5").decode().encode("utf-16"),
    "bom": b"\xef\xbb\xbf" + account("5"),
    "two values": account("5") * 2,
    "comment": account("5") + b"// more",
    "gzip": b"\x1f\x8b\x08\x00" + b"\x00" * 100,
    "status true": account("5").replace(b'"status":200', b'"status":true'),
    "status text": account("5").replace(b'"status":200', b'"status":"200"'),
    "no message": account("5").replace(b'"message":"",', b""),
    "no data": b'{"status":200,"message":"","timestamp":1}',
    "list": b"[]",
    "null alone": b"null",
    "no object": b'{"status":200,"message":"","timestamp":1,"data":"acme"}',
}


@pytest.mark.parametrize("name", WRONG)
def test_an_answer_that_is_none_is_told_as_such_and_never_as_another_error(served: Served, name: str) -> None:
    client, way = served.unreliable({"my_info": [lambda: answer(200, WRONG[name])] * 9}, max_attempts=2, total_timeout_seconds=5)
    with pytest.raises((UnexpectedAnswerError, BursarConnectionError)) as raised:
        client.account.retrieve()
    assert raised.value.__cause__ is None
    assert len(way.asked) >= 2
    assert len(str(raised.value)) < 2_000


@pytest.mark.parametrize("name", WRONG)
def test_a_change_that_is_answered_by_something_else_is_found_and_done_once(alice: Served, name: str) -> None:
    def done_but_wrong() -> httpx.Response:
        alice.service.answer(way.requests[-1])
        return answer(200, WRONG[name])

    client, way = alice.unreliable({"give_balance": [done_but_wrong]})
    assert client.sub_users.give("alice", 5).confirmed_by == "look"
    assert alice.service.balance_of("alice") == 5


def test_half_of_a_pair_of_surrogates_can_be_printed(served: Served) -> None:
    body = b'{"status":404,"message":"no \\ud83d here","timestamp":1,"data":null}'
    client, _ = served.unreliable({"my_info": [lambda: answer(404, body, {"X-Error-Code": "unknown_sub_user"})]})
    with pytest.raises(UnknownSubUserError) as raised:
        client.account.retrieve()
    str(raised.value).encode()


def test_a_message_of_an_answer_is_cut_in_an_error(served: Served) -> None:
    client, _ = served.unreliable({"my_info": [lambda: envelope(401, None, "x" * 500_000)]})
    with pytest.raises(UnauthorizedError) as raised:
        client.account.retrieve()
    assert len(str(raised.value)) < 1_100


def test_the_client_stops_reading_an_endless_answer_at_the_limit_and_does_not_ask_again(served: Served) -> None:
    bodies: list[Body] = []

    def endless() -> httpx.Response:
        bodies.append(Body([b"a" * 65_536] * 1_000))
        return httpx.Response(200, stream=bodies[-1])

    client, way = served.unreliable({"my_info": [endless], "view_single": [endless], "view_txs": [endless]})
    calls = [
        client.account.retrieve,
        lambda: client.sub_users.retrieve("alice"),
        lambda: client.sub_users.retrieve_usage("alice"),
    ]
    for call in calls:
        with pytest.raises(UnexpectedAnswerError, match="larger than 1,048,576 bytes"):
            call()
    assert len(way.asked) == 3
    assert all(body.is_closed and body.read == 17 for body in bodies)


def test_a_compressed_answer_is_not_unpacked_and_none_is_asked_for(served: Served) -> None:
    packed = gzip.compress(b'{"status":200,"message":"' + b"a" * 50_000_000)
    headers = {"Content-Encoding": "gzip"}
    client, way = served.unreliable({"my_info": [lambda: answer(200, packed, headers)] * 9}, max_attempts=1)
    with pytest.raises(UnexpectedAnswerError):
        client.account.retrieve()
    assert way.requests[0].headers.get_list("Accept-Encoding") == ["identity"]


def test_a_change_whose_answer_is_too_large_may_have_been_done(alice: Served) -> None:
    def too_large() -> httpx.Response:
        alice.service.answer(way.requests[-1])
        return answer(200, [b"a" * 65_536] * 99)

    client, way = alice.unreliable({"give_balance": [too_large]})
    assert client.sub_users.give("alice", 5).confirmed_by == "look"
    large = [lambda: answer(200, [b"a" * 65_536] * 99)] * 99
    both, _ = alice.unreliable({"give_balance": large, "view": large}, total_timeout_seconds=3)
    with pytest.raises(OutcomeUnknownError):
        both.sub_users.give("alice", 5)


def test_a_slow_answer_ends_with_the_time_of_the_request(served: Served) -> None:
    class Slow(Body):
        def __iter__(self) -> Any:
            while True:
                served.clock.move(1)
                yield b" "

    client, _ = served.unreliable({"my_info": [lambda: httpx.Response(200, stream=Slow([]))] * 9})
    with pytest.raises(BursarConnectionError, match="took too long"):
        client.account.retrieve(timeout_seconds=5, total_timeout_seconds=12)
    assert served.clock.passed < 1_013


def test_errors_can_be_pickled(alice: Served) -> None:
    client, _ = alice.unreliable({"give_balance": ["answer_lost"], "view": ["never_arrives"] * 99}, total_timeout_seconds=2)
    with pytest.raises(OutcomeUnknownError) as raised:
        client.sub_users.give("alice", 5)
    copy = pickle.loads(pickle.dumps(raised.value))
    assert type(copy) is OutcomeUnknownError
    assert (str(copy), copy.known, copy.fee) == (str(raised.value), raised.value.known, None)
    details = ErrorDetails(code="statement_rewound", status=410, newest_movement=3)
    rewound = pickle.loads(pickle.dumps(StatementRewoundError("gone", details)))
    assert (rewound.newest, rewound.code, rewound.status) == (3, "statement_rewound", 410)


def test_an_unknown_outcome_cannot_be_made_without_what_is_known() -> None:
    with pytest.raises(TypeError):
        OutcomeUnknownError("x", ErrorDetails())
    assert OutcomeUnknownError("x", ErrorDetails(known=UnknownOutcome(change_id="x" * 16))).known.operation is None


MOVEMENT = {
    **{"id": 7, "username": "alice", "amount": 5, "balance": None, "sub_user_balance": None},
    **{"timestamp": "2026-11-28T10:00:00.000Z", "request_id": "r1", "change_id": None, "reference": None},
}


def test_a_page_of_the_statement_may_have_debts_and_kinds_that_only_a_newer_service_knows() -> None:
    read = page_of("movements", read_movement)
    kinds = ["debt", "debt_payment", "debt_forgiven", "of_a_newer_service"]
    page = read({"movements": [{**MOVEMENT, "kind": kind} for kind in kinds], "next": None})
    assert [movement.kind for movement in page.items] == kinds
    wrong: Any
    for wrong in [{"kind": 7}, {"id": "7"}, {"id": None}, {"change_id": 7}, {"reference": 7}]:
        with pytest.raises(Unreadable):
            read({"movements": [{**MOVEMENT, "kind": "give", **wrong}], "next": None})
    with pytest.raises(Unreadable):
        read({"movements": [], "next": None, "more": "no"})


def test_no_reader_of_an_answer_raises_anything_else(served: Served) -> None:
    """Every value in the place of every other one."""
    event = {
        **{"id": "evt_1", "number": 7, "type": "reseller.credited", "at": "2026-11-28T10:00:00.000Z"},
        "data": {"amount_usd_cents": 5, "balance": 3, "reference": "x"},
    }
    values: list[Any] = [None, True, -1, 2**80, 1.5, "", "x", [], {}, [None], {"a": 1}]
    for read, good in [(read_event, event), (read_movement, {**MOVEMENT, "kind": "give"})]:
        for name in good:
            for value in values:
                try:
                    read(json.loads(json.dumps({**good, name: value})))
                except Unreadable:
                    pass
