"""What programs do with the client. It is never run: mypy and pyright check it, each in its strict mode.

A line that must not pass the check has ``type: ignore``: both report one that is not needed.
"""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Mapping
from datetime import date, datetime, timezone

import bursar as package
import httpx
from bursar import (
    Account,
    AsyncBursar,
    Bursar,
    BursarError,
    ClientEvent,
    Creation,
    EventPage,
    EventsGoneError,
    FeeRange,
    InsufficientBalanceError,
    ListedSubUser,
    Movement,
    NewLimits,
    OutcomeUnknownError,
    Page,
    RecordedChange,
    ResellerCredited,
    ResellerEvent,
    SubUserLimitsSet,
    TokenDetails,
    TopUp,
    Transfer,
    UnknownOutcome,
    WebhookUpdate,
    WebhookVerificationError,
    new_change_id,
    verify_webhook,
)
from typing_extensions import assert_type

EXPIRES = datetime(2027, 1, 1, tzinfo=timezone.utc)


def every_method(client: Bursar) -> None:
    assert_type(client.account.retrieve(), Account)
    assert_type(client.account.retrieve_details().price_micro_usd, "int | None")
    created = assert_type(client.sub_users.create("alice", change_id=new_change_id(), timeout_seconds=5), Creation)
    assert_type(created.fee, FeeRange)
    assert_type(created.sub_user.date_created, datetime)
    limits: NewLimits = {"day_bytes": 5, "allowed_ips": ["192.0.2.0/24"], "expires_at": None}
    client.sub_users.create_with("bruno", amount_cents=5, limits=limits, note="x", reference="order-1")
    client.sub_users.create_with("chiara")
    assert_type(client.sub_users.give("alice", 5, reference="order-1", max_attempts=2), Transfer)
    assert_type(client.sub_users.take("alice", 5, total_timeout_seconds=30.5).balance_cents, int)
    assert_type(client.sub_users.reset_auth_key("alice").proxy_authkey, str)
    assert_type(client.sub_users.suspend("alice").state, package.SubUserState)
    assert_type(client.sub_users.resume("alice").request_id, "str | None")
    assert_type(client.sub_users.set_limits("alice", {"connections": 5}).limits.connections, "int | None")
    client.sub_users.set_limits("alice", limits)
    client.sub_users.set_note("alice", "x")
    client.sub_users.set_sign_in_ips("alice", ("192.0.2.7",))
    assert_type(client.sub_users.delete("alice").returned_cents, int)
    assert_type(client.sub_users.retrieve_details("alice").last_seen, "datetime | None")
    assert_type([usage.day for usage in client.sub_users.retrieve_usage("alice")], list[date])
    for listed in client.sub_users.list(prefix="a", state="active", is_usable=True, reason="expired", page_rows=5):
        assert_type(listed, ListedSubUser)
    assert_type(client.sub_users.list(after="x").page(), Page[ListedSubUser])
    for movement in client.statement.list(from_=date(2026, 1, 1), to=date.today(), order="oldest", reference="x"):
        assert_type(movement, Movement)
    webhook = client.webhooks.create("https://shop.example.com", types=["sub_user.created"])
    assert_type(webhook.secret, "str | None")
    update: WebhookUpdate = {"enabled": False, "types": None, "position": 5}
    client.webhooks.update(webhook.webhook.id, update)
    assert_type([one.events_behind for one in client.webhooks.list()], list[int])
    client.webhooks.rotate_secret("whe_1")
    client.webhooks.test("whe_1")
    client.webhooks.tries("whe_1")
    client.webhooks.delete("whe_1")
    token = client.tokens.create("shop", scopes=["read", "money"], expires_at=EXPIRES, allowed_ips=["::1"])
    assert_type(token.details, TokenDetails)
    assert_type(client.tokens.list(), tuple[TokenDetails, ...])
    client.tokens.end(token.details.id)
    assert_type(client.top_ups.create("stripe", 5_000).top_up, TopUp)
    assert_type(client.top_ups.retrieve("pay_1"), "TopUp | None")
    assert_type([one.id for one in client.top_ups.list(only="waiting")], list[str])
    assert_type(client.changes.retrieve("x" * 16), "RecordedChange | None")
    assert_type(client.changes.settle(UnknownOutcome(change_id="x" * 16)), "RecordedChange | None")
    assert_type(client.raw_request("GET", "/reseller/my_info", None, change_id="x" * 16).text, str)
    assert_type(client.service_time(), "datetime | None")
    client.close()


async def the_same_waits(client: AsyncBursar) -> None:
    assert_type(await client.account.retrieve(), Account)
    assert_type(await client.sub_users.give("alice", 5), Transfer)
    results = await asyncio.gather(client.sub_users.create("alice"), client.sub_users.create("bruno"))
    assert_type(results[0], Creation)
    async for listed in client.sub_users.list():
        assert_type(listed, ListedSubUser)
    assert_type(await client.statement.list().page(), Page[Movement])
    assert_type(await client.events.list().page(), EventPage[ResellerEvent])
    async for event in client.events.follow(stop=asyncio.Event()):
        assert_type(event, ResellerEvent)
    assert_type(await client.changes.settle(UnknownOutcome(change_id="x" * 16)), "RecordedChange | None")
    await client.aclose()


def events_are_narrowed(client: Bursar, stop: threading.Event) -> None:
    def on_next(place: str) -> None:
        print(place)

    for event in client.events.follow(after="5", types=["sub_user.created"], wait_seconds=5, on_next=on_next, stop=stop):
        assert_type(event.next, str)
        if isinstance(event, ResellerCredited):
            assert_type(event.data.amount_cents, int)
        elif isinstance(event, SubUserLimitsSet):
            assert_type(event.username, str)
            assert_type(event.data.limits.day_bytes, "int | None")
    for event in client.events.list(types=["reseller.credited"]):
        if event.type == "reseller.debt":
            assert_type(event, package.ResellerDebt)
            assert_type(event.data.debt_cents, int)
    for sent in client.events.follow_sent():
        assert_type(sent.body, str)


def errors_tell_what_they_know(client: Bursar) -> RecordedChange | None:
    try:
        client.sub_users.give("alice", 5)
    except InsufficientBalanceError as error:
        assert_type(error.request_id, "str | None")
    except OutcomeUnknownError as error:
        stored = dataclasses.asdict(error.known)
        print(stored)
        return client.changes.settle(error.known)
    except EventsGoneError as error:
        assert_type(error.newest, "int | None")
    except BursarError as error:
        assert_type(error.code, "package.ErrorCode | None")
        assert_type(error.fee, "FeeRange | None")
    return None


def webhooks_are_verified(body: bytes, headers: Mapping[str, str]) -> ResellerEvent | None:
    try:
        return verify_webhook(body, headers, ["whsec_x", "whsec_y"], tolerance_seconds=60, now=EXPIRES)
    except WebhookVerificationError:
        return None


def clients_are_made(listener: package.EventListener) -> None:
    def on_event(event: ClientEvent) -> None:
        print(event.kind, event.seconds)

    with Bursar(on_event=on_event, http_client=httpx.Client(proxy="http://127.0.0.1:1")) as client:
        assert_type(client, Bursar)
    Bursar("https://a.example", "token", headers={"User-Agent": "shop"}, on_event=listener, max_attempts=5)
    AsyncBursar(http_client=httpx.AsyncClient(), timeout_seconds=5, total_timeout_seconds=9, after_expiry_seconds=5)


def what_must_not_pass(client: Bursar, asynchronous: AsyncBursar, event: ResellerEvent) -> None:
    if event.type == "reseller.debt":
        print(event.data.amount_cents)  # type: ignore[attr-defined]
    client.sub_users.give("alice", 0.5)  # type: ignore[arg-type]
    client.sub_users.give("alice", "5")  # type: ignore[arg-type]
    client.sub_users.give("alice", amount=5)  # type: ignore[call-arg]
    client.sub_users.give("alice", 5, changeid="x" * 16)  # type: ignore[call-arg]
    client.sub_users.retrieve("alice", change_id="x" * 16)  # type: ignore[call-arg]
    client.sub_users.reset_auth_key("alice", reference="order-1")  # type: ignore[call-arg]
    client.sub_users.set_limits("alice", {"daybytes": 5})  # type: ignore[typeddict-unknown-key]
    client.sub_users.set_limits("alice", {"day_bytes": "5"})  # type: ignore[typeddict-item]
    client.sub_users.list(state="gone")  # type: ignore[arg-type]
    client.statement.list(order="first")  # type: ignore[arg-type]
    client.statement.list(from_="2026-01-01")  # type: ignore[arg-type]
    client.webhooks.create("https://a.example", types=["sub_user.vanished"])  # type: ignore[list-item]
    client.webhooks.update("whe_1", {"is_enabled": True})  # type: ignore[typeddict-unknown-key]
    client.tokens.create("shop", scopes=["all"], expires_at=EXPIRES)  # type: ignore[list-item]
    client.tokens.create("shop", scopes=["read"])  # type: ignore[call-arg]
    client.top_ups.create("paypal", 5)  # type: ignore[arg-type]
    client.changes.settle("x" * 16)  # type: ignore[arg-type]
    client.events.follow(max_attempts=5)  # type: ignore[call-arg]
    client.sub_users.give("alice", 5).balance  # type: ignore[attr-defined]
    client.account.retrieve().balance_cents = 5  # type: ignore[misc]
    client.account.retrieve().debt_cents  # type: ignore[attr-defined]
    asynchronous.sub_users.give("alice", 5).balance_cents  # type: ignore[attr-defined]
    Bursar(http_client=httpx.AsyncClient())  # type: ignore[arg-type]
    AsyncBursar(http_client=httpx.Client())  # type: ignore[arg-type]
    Bursar("https://a.example", "token", 5)  # type: ignore[call-arg]
    Bursar(timeout=5)  # type: ignore[call-arg]
