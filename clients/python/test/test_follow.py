"""Lists of events, and following them."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest
from bursar import (
    ClientEvent,
    Event,
    EventsExpiredError,
    EventsGoneError,
    EventsRewoundError,
    UnauthorizedError,
    UnexpectedAnswerError,
)
from bursar._async.call import pause_after
from bursar._async.follow import LONGEST_PAUSE, MOST_RETRY_AFTER
from bursar._models import read_event
from bursar._read import Unreadable
from bursar._reading import read_event_page
from conftest import Served
from support.answers import answer, envelope, new_request_id, refusal
from support.service import TOKEN


def event(number: int, type_: str = "sub_user.suspended", **more: Any) -> dict[str, Any]:
    return {
        **{"id": f"evt_{number}", "number": number, "type": type_, "at": "2026-11-28T10:00:00.000Z"},
        **{"username": "alice", "data": {}, **more},
    }


class Log:
    """The log of a service: it answers from its events, after the given answers."""

    def __init__(self, served: Served, *first: Callable[[], httpx.Response], events: Sequence[dict[str, Any]] = ()) -> None:
        self.served = served
        self.first = list(first)
        self.events = list(events)
        self.asked: list[dict[str, Any]] = []
        self.timeouts: list[float] = []

    def client(self, **options: Any) -> Any:
        return self.served.client(self.handle, **options)

    def handle(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        self.asked.append(body)
        self.timeouts.append(request.extensions["timeout"].get("read"))
        if self.first:
            return self.first.pop(0)()
        after = int(str(body.get("after", "0")).split("-")[0])
        rows = [one for one in self.events if one["number"] > after][: body["limit"]]
        if not rows:
            self.served.clock.move(body.get("wait_seconds", 0))
        place = f"{rows[-1]['number']}-{rows[-1]['id']}" if rows else str(body.get("after", "0"))
        more = bool(rows) and rows[-1] != self.events[-1]
        return self.page(rows, place, more)

    def page(self, rows: Sequence[dict[str, Any]], place: str, more: bool = False) -> httpx.Response:
        headers = {"X-Request-Id": new_request_id()}
        data = {"events": list(rows), "next": place, "more": more}
        return envelope(200, data, timestamp=int(self.served.clock.true_time()), headers=headers)


def take(events: Any, count: int) -> list[Any]:
    return list(itertools.islice(events, count))


def test_events_come_oldest_first_over_all_pages_and_each_is_a_place_to_go_on_from(served: Served) -> None:
    log = Log(served, events=[event(number) for number in (1, 2, 3)])
    client = log.client()
    events = list(client.events.list(page_rows=1))
    assert [(one.number, one.next) for one in events] == [(1, "1-evt_1"), (2, "2-evt_2"), (3, "3-evt_3")]
    page = client.events.list(after=events[0].next, page_rows=1).page()
    assert (page.items, page.next, page.more) == ((events[1],), events[1].next, True)
    client.events.list(types=["sub_user.suspended"]).page()
    assert log.asked[-1]["types"] == ["sub_user.suspended"]


def test_an_empty_page_that_has_more_is_not_the_end_of_a_list(served: Served) -> None:
    log = Log(served, events=[event(3)])
    log.first = [lambda: log.page([], "1", True), lambda: log.page([], "2", True)]
    assert [one.number for one in log.client().events.list()] == [3]
    assert len(log.asked) == 3


def lost() -> httpx.Response:
    raise httpx.ReadError("other side closed")


def test_follow_waits_for_events_and_goes_on_through_lost_answers_restarts_and_pages_of_proxies(served: Served) -> None:
    log = Log(served, events=[event(number) for number in (1, 2, 3)])
    log.first = [
        lambda: log.page([event(1)], "1-evt_1"),
        lost,
        lambda: refusal("unavailable", {"Retry-After": "0"}),
        lambda: refusal("internal_error"),
        lambda: answer(502, "<h1>502</h1>"),
        lambda: answer(200, "<h1>Welcome</h1>"),
        lambda: answer(200, [b'{"status":200', httpx.ReadError("cut")]),
    ]
    told: list[ClientEvent] = []
    events = log.client().events.follow(wait_seconds=7, timeout_seconds=4, on_event=told.append)
    assert [one.number for one in take(events, 3)] == [1, 2, 3]
    assert sum(one.kind == "failure" for one in told) == 6
    assert {asked["wait_seconds"] for asked in log.asked} == {7}
    assert set(log.timeouts) == {11}, "a request may take its wait besides"
    assert [asked.get("after") for asked in log.asked] == [None, *["1-evt_1"] * 7]


def test_follow_waits_as_long_as_retry_after_says(served: Served) -> None:
    log = Log(served, lambda: refusal("unavailable", {"Retry-After": "100"}), events=[event(1)])
    assert take(log.client().events.follow(), 1)[0].number == 1
    assert 100 <= sum(served.clock.waits) < 101


def test_follow_tells_a_place_that_has_moved_without_an_event_so_that_it_can_be_kept(served: Served) -> None:
    log = Log(served, events=[event(8)])
    log.first = [
        lambda: log.page([], "5-evt_5"),
        lambda: log.page([event(6)], "6-evt_6"),
        lambda: log.page([event(7)], "7-evt_9"),
    ]
    places: list[str] = []
    assert len(take(log.client().events.follow(after="newest", on_next=places.append), 3)) == 3
    assert places == ["5-evt_5", "7-evt_9"], "the next of an event tells it otherwise"


def test_follow_is_ended_by_stop_while_it_waits_or_pauses_and_by_a_break(served: Served) -> None:
    log = Log(served, events=[event(1), event(2)])
    assert take(log.client().events.follow(), 1)[0].number == 1
    stop = threading.Event()
    seen = []
    for one in log.client().events.follow(stop=stop):
        seen.append(one.number)
        stop.set()
    assert seen == [1, 2], "the rest of its page still comes"
    assert list(log.client().events.follow(stop=stop)) == []
    pausing = threading.Event()
    shed = Log(served, lambda: refusal("unavailable", {"Retry-After": "100"}))
    served.clock.plan(3, pausing.set)
    began = served.clock.passed
    assert list(shed.client().events.follow(stop=pausing)) == []
    assert served.clock.passed - began < 4


@pytest.mark.parametrize(("code", "error"), [("events_rewound", EventsRewoundError), ("events_expired", EventsExpiredError)])
def test_places_that_the_log_has_not_any_more_end_list_and_follow_and_tell_which_events_there_are(
    served: Served, code: str, error: type[EventsGoneError]
) -> None:
    headers = {"X-Events-Oldest": "3", "X-Events-Newest": "7"}
    for read in (lambda client: list(client.events.list(after="9")), lambda client: list(client.events.follow(after="9"))):
        log = Log(served, lambda: refusal(code, headers))
        with pytest.raises(error) as raised:
            read(log.client())
        gone = raised.value
        assert isinstance(gone, EventsGoneError)
        assert (gone.oldest, gone.newest, gone.code, gone.status) == (3, 7, code, 410)
        assert len(log.asked) == 1


def test_what_no_attempt_can_mend_ends_follow_a_token_a_wrong_address_a_410_without_its_headers(served: Served) -> None:
    def first(given: Callable[[], httpx.Response]) -> None:
        list(Log(served, given).client().events.follow())

    with pytest.raises(UnauthorizedError):
        first(lambda: refusal("unauthorized"))
    with pytest.raises(UnexpectedAnswerError):
        first(lambda: answer(200, "<h1>Welcome</h1>"))
    with pytest.raises(UnexpectedAnswerError):
        first(lambda: answer(404, "not here"))
    for headers in [{}, {"X-Events-Oldest": "x", "X-Events-Newest": "9" * 99}]:
        with pytest.raises(EventsExpiredError) as raised:
            first(lambda: envelope(410, None, headers=headers))
        assert (raised.value.oldest, raised.value.newest) == (None, None)


def test_a_service_that_does_not_wait_is_asked_once_a_second_at_most(served: Served) -> None:
    stop = threading.Event()
    log = Log(served)
    log.first = [lambda: log.page([], "0")] * 50
    served.clock.plan(4.5, stop.set)
    assert list(log.client().events.follow(after="0", stop=stop)) == []
    assert len(log.asked) == 5


def test_pauses_grow_to_30_s_and_have_the_time_that_retry_after_asks_for_besides(monkeypatch: pytest.MonkeyPatch) -> None:
    def pause(failures: int, retry_after: float | None = None) -> float:
        return pause_after(failures, retry_after, LONGEST_PAUSE, MOST_RETRY_AFTER)

    monkeypatch.setattr("random.random", lambda: 1.0)
    assert [pause(failures) for failures in (1, 2, 3, 7, 8, 50, 10_000)] == [0.25, 0.5, 1, 16, 30, 30, 30]
    assert pause(1, 7) == 7.25
    assert pause(1, 86_400) == 300.25
    monkeypatch.setattr("random.random", lambda: 0.0)
    assert pause(50) == 15


def test_wrong_options_of_follow_are_refused_before_anything_is_sent(served: Served) -> None:
    log = Log(served)
    client = log.client()
    wrong: Any
    for wrong in [
        *[{"wait_seconds": 26}, {"wait_seconds": 0.5}, {"wait_seconds": True}, {"types": []}, {"types": [5]}],
        *[{"types": "sub_user.created"}, {"after": 5}, {"on_next": 5}, {"max_attempts": 3}, {"limit": 5}],
        *[{"total_timeout_seconds": 5}, {"page_rows": 0}, {"stop": True}, {"on_event": 5}, {"timeout_seconds": "5"}],
    ]:
        for follow in (client.events.follow, client.events.follow_sent):
            with pytest.raises((TypeError, ValueError)):
                follow(**wrong)
    for call in [
        lambda: client.events.list(wait_seconds=1),
        lambda: client.statement.list(types=["sub_user.created"]),
    ]:
        with pytest.raises(TypeError):
            call()
    assert log.asked == []


def test_follow_sent_has_each_event_as_the_service_sends_it(served: Served) -> None:
    sent = event(1, data={"of_a_newer_service": "ü"}, more=[1])
    log = Log(served, events=[sent])
    (one,) = take(log.client().events.follow_sent(), 1)
    assert json.loads(one.body) == sent
    assert "ü" in one.body
    assert (one.id, one.number, one.type, one.next) == ("evt_1", 1, "sub_user.suspended", "1-evt_1")


EVENTS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("sub_user.created", {"usable": True, "reason": None}, {"is_usable": True, "reason": None}),
    ("sub_user.unusable", {"reason": "expired"}, {"reason": "expired"}),
    (
        "reseller.credited",
        {"amount_usd_cents": -5, "balance": 3, "reference": "INV-7"},
        {"amount_cents": -5, "balance_cents": 3, "reference": "INV-7", "payment": None},
    ),
    ("reseller.balance_low", {"balance": 3, "threshold": 5}, {"balance_cents": 3, "threshold_cents": 5}),
    ("reseller.debt", {"state": "began", "debt": 1, "line": 5}, {"state": "began", "debt_cents": 1, "line_cents": 5}),
]


@pytest.mark.parametrize(("type_", "data", "expected"), EVENTS, ids=[one[0] for one in EVENTS])
def test_each_type_of_event_has_its_data(type_: str, data: dict[str, Any], expected: dict[str, Any]) -> None:
    read = read_event(event(7, type_, data=data))
    assert {name: getattr(read.data, name) for name in expected} == expected
    assert (read.next, read.type) == ("7-evt_1".replace("evt_1", "evt_7"), type_)
    with pytest.raises(Unreadable):
        read_event(event(7, type_, data={**data, next(iter(data)): {}}))


def test_an_event_of_a_newer_service_has_its_data_as_it_came() -> None:
    read = read_event(event(7, "sub_user.of_a_newer_service", data={"some_field": 5}))
    assert type(read) is Event
    assert read.data == {"some_field": 5}


def test_an_event_that_is_none_is_refused() -> None:
    wrong: Any
    for wrong in [{"id": 5}, {"number": "7"}, {"type": 5}, {"at": "soon"}, {"username": 5}, {"data": []}, {"username": None}]:
        with pytest.raises(Unreadable):
            read_event({**event(7), **wrong})
    for wrong in [{"events": [], "next": None, "more": False}, {"events": [], "next": "0"}]:
        with pytest.raises(Unreadable):
            read_event_page(wrong)


def test_an_event_shows_no_token(served: Served) -> None:
    log = Log(served, events=[event(1)])
    told: list[ClientEvent] = []
    take(log.client().events.follow(on_event=told.append), 1)
    assert TOKEN not in repr(told)
