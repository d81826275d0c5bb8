"""The object of a client, whatever it calls."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from bursar import AsyncBursar, Bursar

OPTIONS: dict[str, Any] = {"base_url": "https://api.example.com", "token": "brs_0123456789"}


def test_a_call_of_a_closed_client_says_at_once_that_it_is_closed() -> None:
    told: list[object] = []
    with Bursar(**OPTIONS, on_event=told.append) as client:
        pass
    calls = [
        client.account.retrieve,
        lambda: client.sub_users.give("alice.smith", 5),
        lambda: client.sub_users.create("alice.smith"),
        lambda: client.sub_users.list().page(),
        lambda: next(iter(client.events.follow())),
        lambda: client.raw_request("GET", "/reseller/my_info"),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="the client is closed"):
            call()
    assert told == []


def test_a_call_of_a_closed_asynchronous_client_says_so_too() -> None:
    async def close_and_call() -> None:
        async with AsyncBursar(**OPTIONS) as client:
            pass
        with pytest.raises(RuntimeError, match="the client is closed"):
            await client.sub_users.give("alice.smith", 5)
        with pytest.raises(RuntimeError, match="the client is closed"):
            await client.raw_request("GET", "/reseller/my_info")

    asyncio.run(close_and_call())


def test_a_client_that_is_printed_shows_its_address_and_no_token() -> None:
    assert repr(Bursar(**OPTIONS)) == "<Bursar https://api.example.com>"
    assert repr(AsyncBursar(**OPTIONS)) == "<AsyncBursar https://api.example.com>"
