"""Calls the methods of a client that the standard input names, a line of JSON for each, and prints what each returned.

``argv[1]``: ``threads`` for the synchronous client, ``tasks`` for the asynchronous one. See ``support/called.ts``.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from collections.abc import AsyncIterable
from datetime import date, datetime
from operator import attrgetter
from typing import Any

from told import camel_case

from bursar import AsyncBursar, AsyncPagedList, Bursar, BursarError, PagedList, UnknownOutcome


async def main(kind: str) -> None:
    client = Bursar() if kind == "threads" else AsyncBursar()
    print(json.dumps(methods_of(client)), flush=True)
    for line in sys.stdin:
        asked = json.loads(line, object_hook=given)
        try:
            told = {"result": await result_of(client, asked)}
        except BursarError as error:
            told = {
                "error": {
                    "name": type(error).__name__,
                    "code": error.code,
                    "status": error.status,
                    "fee": camel_case(error.fee),
                    "message": str(error),
                }
            }
        print(json.dumps(told), flush=True)


def methods_of(client: Bursar | AsyncBursar) -> list[str]:
    """The public methods of the client and of its resources."""
    own = [name for name in public(client) if callable(getattr(client, name)) and name not in ("close", "aclose")]
    resources = [name for name in public(client) if not callable(getattr(client, name))]
    return own + [f"{resource}.{name}" for resource in resources for name in public(getattr(client, resource))]


def public(owner: object) -> list[str]:
    return [name for name in dir(owner) if not name.startswith("_")]


def given(value: dict[str, Any]) -> Any:
    """What JSON has no form for."""
    if "$time" in value:
        return datetime.fromisoformat(value["$time"].replace("Z", "+00:00"))
    if "$day" in value:
        return date.fromisoformat(value["$day"])
    return UnknownOutcome(change_id=value["$known"]) if "$known" in value else value


async def result_of(client: Bursar | AsyncBursar, asked: dict[str, Any]) -> Any:
    method: Any = attrgetter(asked["method"])(client)
    returned: Any = method(*asked["args"], **asked["options"])
    if isinstance(returned, (PagedList, AsyncPagedList)):
        page: Any = returned.page()
        page = await page if inspect.isawaitable(page) else page
        return {"page": camel_case(page), "items": await taken(returned, None)}
    if "take" in asked:
        return await taken(returned, asked["take"])
    return camel_case(await returned if inspect.isawaitable(returned) else returned)


async def taken(items: Any, most: int | None) -> list[Any]:
    """The first ones, or all."""
    found: list[Any] = []
    if isinstance(items, AsyncIterable):
        async for item in items:
            found.append(camel_case(item))
            if len(found) == most:
                break
    else:
        for item in items:
            found.append(camel_case(item))
            if len(found) == most:
                break
    return found


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
