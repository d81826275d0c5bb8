"""Lists that are read page by page."""

from __future__ import annotations

import json
from datetime import date, datetime, timezone
from typing import Any

import pytest
from bursar import StatementRewoundError, UnexpectedAnswerError
from conftest import Served
from support.answers import envelope, refusal

PAGE = {"sub_users": [], "movements": [], "top_ups": []}


def page_of(place: str | None) -> Any:
    return lambda: envelope(200, {**PAGE, "next": place})


def test_sub_users_come_over_all_pages_also_if_answers_are_lost(served: Served) -> None:
    for name in ["other", "team.a", "team.b", "team.c", "team.d"]:
        served.service.add(name)
    client, _ = served.unreliable({"view_page": ["never_arrives", "answer_lost"]})
    listed = list(client.sub_users.list(page_rows=2))
    assert [user.username for user in listed] == ["other", "team.a", "team.b", "team.c", "team.d"]
    page = client.sub_users.list(page_rows=2).page()
    assert list(page.items) == listed[:2]
    assert list(client.sub_users.list(page_rows=2, after=page.next)) == listed[2:]
    assert client.sub_users.list().page().next is None


def test_a_page_is_asked_for_only_when_it_is_needed(served: Served) -> None:
    for name in ["alice", "bruno", "chiara"]:
        served.service.add(name)
    client, way = served.unreliable({})
    for user in client.sub_users.list(page_rows=1):
        if user.username == "bruno":
            break
    assert way.asked == ["view_page", "view_page"]


def test_an_empty_page_that_has_a_next_one_is_not_the_end_and_a_list_that_goes_in_circles_is(alice: Served) -> None:
    client, way = alice.unreliable({"view_page": [page_of("aaaa"), page_of("aaab")]})
    assert len(list(client.sub_users.list())) == 1
    assert len(way.asked) == 3
    circle, _ = alice.unreliable({"view_page": [page_of("aaaa"), page_of("aaaa")]})
    with pytest.raises(UnexpectedAnswerError):
        list(circle.sub_users.list())


def test_what_is_asked_for_is_sent(served: Served) -> None:
    client, way = served.unreliable({"view_page": [page_of(None)] * 9})
    client.sub_users.list(prefix="te", state="active", is_usable=False, reason="expired", after="x", page_rows=5).page()
    client.statement.list(from_=date(2026, 11, 1), to=date(2026, 11, 30), order="oldest", reference="order-1").page()
    client.top_ups.list(only="waiting").page()
    assert [json.loads(request.content) for request in way.requests] == [
        {"limit": 5, "prefix": "te", "state": "active", "reason": "expired", "usable": False, "after": "x"},
        {"limit": 1_000, "order": "oldest", "reference": "order-1", "from": "2026-11-01", "to": "2026-11-30"},
        {"limit": 1_000, "only": "waiting"},
    ]


def test_a_place_of_the_statement_that_is_gone_says_so(served: Served) -> None:
    client, _ = served.unreliable({"view_page": [lambda: refusal("statement_rewound", {"X-Statement-Newest": "3"})]})
    with pytest.raises(StatementRewoundError) as raised:
        client.statement.list(order="oldest", after="4").page()
    assert (raised.value.newest, raised.value.code, raised.value.status) == (3, "statement_rewound", 410)


def test_a_reference_is_sent_with_each_attempt_and_a_wrong_one_not_at_all(alice: Served) -> None:
    client, way = alice.unreliable({"give_balance": ["never_arrives"]})
    client.sub_users.give("alice", 250, reference="order-1")
    client.sub_users.take("alice", 1)
    assert [request.headers.get("X-Reference") for request in way.requests] == ["order-1", None, "order-1", None]
    asked = len(way.asked)
    wrong: Any
    for wrong in ["", "two words", "ü", "x" * 129, 5, "line\n", b"order-1"]:
        for call in [
            lambda: client.sub_users.give("alice", 1, reference=wrong),
            lambda: client.sub_users.create_with("bruno", reference=wrong),
            lambda: client.statement.list(reference=wrong),
        ]:
            with pytest.raises((TypeError, ValueError)):
                call()
    with pytest.raises(TypeError):
        client.sub_users.reset_auth_key("alice", reference="order-1")
    assert len(way.asked) == asked


def test_wrong_options_of_lists_are_refused_before_anything_is_sent(served: Served) -> None:
    client, way = served.unreliable({})
    wrong: Any
    for wrong in [
        *[{"page_rows": 0}, {"page_rows": 1_001}, {"page_rows": True}, {"page_rows": "5"}, {"prefix": 5}],
        *[{"status": "active"}, {"is_usable": "no"}, {"reason": 5}, {"from_": date.today()}, {"after": 5}],
        *[{"change_id": "x" * 16}, {"state": 5}, {"timeout_seconds": 0}],
    ]:
        with pytest.raises((TypeError, ValueError)):
            client.sub_users.list(**wrong)
    for wrong in [
        *[{"state": "active"}, {"order": "first"}, {"from_": "2026-11-01"}, {"to": 5}],
        *[{"from_": datetime.now(timezone.utc)}, {"from": date.today()}],
    ]:
        with pytest.raises((TypeError, ValueError)):
            client.statement.list(**wrong)
    for wrong in [{"only": "findings"}, {"state": "open"}, {"page_rows": 0}]:
        with pytest.raises((TypeError, ValueError)):
            client.top_ups.list(**wrong)
    assert way.asked == []
