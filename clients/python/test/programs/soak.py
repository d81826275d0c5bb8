"""Changes sub-users through a faulty network, and prints what each call reported: a line of JSON for each.

Reads its settings from the standard input. See ``support/soak.ts``.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import httpx
from told import camel_case

import bursar
from bursar import AsyncBursar, Bursar, BursarError, OutcomeUnknownError, UnknownOutcome

Task = dict[str, Any]
Client = Bursar | AsyncBursar
MOST_SETTLES = 20


class Observed:
    """The requests of one call, as the client saw them."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.requests: list[dict[str, Any]] = []
        self.change_id: str | None = None


observed: ContextVar[Observed] = ContextVar("observed")


async def main() -> None:
    settings = json.load(sys.stdin)
    # Each call of the synchronous client has a thread of its own.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(512))
    async with http_of(settings["client"]) as http:
        client: Client
        if isinstance(http, httpx.Client):
            client = Bursar(**settings["options"], http_client=http)
        else:
            client = AsyncBursar(**settings["options"], http_client=http)
        await asyncio.gather(*[run_lane(client, settings["habit"], lane) for lane in settings["lanes"]])


@asynccontextmanager
async def http_of(kind: str) -> AsyncIterator[httpx.Client | httpx.AsyncClient]:
    """What sends the requests of the client, and observes them."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
    if kind == "threads":
        with httpx.Client(limits=limits, event_hooks={"request": [begin], "response": [watch]}) as http:
            yield http
        return

    async def begin_async(request: httpx.Request) -> None:
        begin(request)

    async def watch_async(response: httpx.Response) -> None:
        watch(response)

    hooks: dict[str, list[Callable[..., Any]]] = {"request": [begin_async], "response": [watch_async]}
    async with httpx.AsyncClient(limits=limits, event_hooks=hooks) as async_http:
        yield async_http


def begin(request: httpx.Request) -> None:
    current = observed.get()
    request.headers["X-Test-Operation"] = str(current.number)
    # A look carries the id of the change too. That of another read is its own.
    if "X-Request-Expires" in request.headers:
        current.change_id = request.headers["X-Change-Id"]
    sent = {"path": request.url.path, "wasAnswered": False}
    request.extensions["sent"] = sent
    current.requests.append(sent)


def watch(response: httpx.Response) -> None:
    sent = response.request.extensions["sent"]
    sent["status"] = response.status_code
    # An answer that a proxy makes has no such header. A 408 may have been sent before the request arrived.
    is_repeat = response.headers.get("X-Error-Code") == "change_repeated"
    tells_outcome = response.status_code < 500 and response.status_code != 408 and not is_repeat

    def end() -> None:
        sent["wasAnswered"] = tells_outcome and "X-Request-Id" in response.headers

    response.stream = WatchedStream(response.stream, end)


class WatchedStream(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that tells when it was read to its end."""

    def __init__(self, body: Any, end: Callable[[], None]) -> None:
        self._body = body
        self._end = end

    def __iter__(self) -> Iterator[bytes]:
        yield from self._body
        self._end()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._body:
            yield chunk
        self._end()

    def close(self) -> None:
        self._body.close()

    async def aclose(self) -> None:
        await self._body.aclose()


async def run_lane(client: Client, habit: str | None, lane: list[list[Task]]) -> None:
    """Runs the steps of a lane one after the other, and the tasks of a step at the same time."""
    for step in lane:
        await asyncio.gather(*[run(client, habit, task) for task in step])


async def run(client: Client, habit: str | None, task: Task) -> None:
    first = await WAYS[habit](client, task)
    line = {"number": task["number"], **first}
    if task["isRepeated"] and first["kind"] in ("done", "refused"):
        line["repeated"] = await report(client, {**task, "changeId": first["changeId"], "givenUpAfterMs": None})
    print(json.dumps(line, default=str), flush=True)


async def report(client: Client, task: Task) -> dict[str, Any]:
    """What a call reported. An unknown outcome is settled."""
    current = Observed(task["number"])
    observed.set(current)
    since = time.monotonic()
    told = await outcome(client, task)
    told |= {"requests": current.requests, "tookMs": (time.monotonic() - since) * 1000, "changeId": current.change_id}
    observed.set(Observed(task["number"]))
    if told["kind"] == "unknown":
        told["settled"] = await settle(client, UnknownOutcome(**told.pop("known")))
    elif told["kind"] == "given_up" and current.change_id is not None:
        told["settled"] = await settle(client, UnknownOutcome(change_id=current.change_id))
    return told


async def outcome(client: Client, task: Task) -> dict[str, Any]:
    given_up_after = task.get("givenUpAfterMs")
    try:
        if given_up_after is None or isinstance(client, Bursar):
            result = await change(client, task)
        else:
            result = await asyncio.wait_for(change(client, task), given_up_after / 1000)
    except (asyncio.TimeoutError, BursarError) as error:
        if not isinstance(error, BursarError):
            return {"kind": "given_up"}
        told: dict[str, Any] = {"code": error.code, "name": type(error).__name__, "message": str(error)}
        told["fee"] = camel_case(error.fee)
        if isinstance(error, OutcomeUnknownError):
            known = {name: getattr(error.known, name) for name in UnknownOutcome.__dataclass_fields__}
            return {**told, "kind": "unknown", "known": known}
        return {**told, "kind": "refused" if isinstance(error, EXPECTED.get(task["kind"], ())) else "not_done"}
    return {"kind": "done", "what": camel_case(result)}


EXPECTED: dict[str, type[BursarError]] = {
    "create_taken": bursar.UsernameTakenError,
    "take_too_much": bursar.InsufficientBalanceError,
}


async def change(client: Client, task: Task) -> Any:
    sub_users = client.sub_users
    options = {"change_id": task["changeId"]} if task.get("changeId") else {}
    kind, username, amount_cents = task["kind"], task["username"], task["amountCents"]
    if kind == "give":
        return await call(sub_users.give, username, amount_cents, **options, **reference_of(task))
    if kind in ("take", "take_too_much"):
        return await call(sub_users.take, username, amount_cents, **options, **reference_of(task))
    if kind == "reset":
        return await call(sub_users.reset_auth_key, username, **options)
    return await call(sub_users.create, username, **options)


def reference_of(task: Task) -> dict[str, str]:
    return {"reference": task["reference"]} if task.get("reference") else {}


async def settle(client: Client, known: UnknownOutcome) -> Any:
    """What the change did, or ``None``. A network that answers looks with its own pages can make it unknown again."""
    for _ in range(MOST_SETTLES):
        try:
            return camel_case(await call(client.changes.settle, known))
        except OutcomeUnknownError as error:
            known = error.known
    return "unknown"


async def call(method: Callable[..., Any], *args: Any, **options: Any) -> Any:
    if inspect.iscoroutinefunction(method):
        return await method(*args, **options)
    return await asyncio.to_thread(method, *args, **options)


async def repeats(client: Client, task: Task) -> dict[str, Any]:
    """A program that is wrong: after an unknown outcome it makes the change again, with another id."""
    for _ in range(4):
        told = await report_hastily(client, task)
        if told["kind"] != "unknown":
            break
    return told


async def gives_up(client: Client, task: Task) -> dict[str, Any]:
    """A program that is wrong: it takes an unknown outcome for a change that was not done."""
    told = await report_hastily(client, task)
    return {**told, "kind": "not_done"} if told["kind"] == "unknown" else told


async def report_hastily(client: Client, task: Task) -> dict[str, Any]:
    """Too little time to look, and no settling."""
    current = Observed(task["number"])
    observed.set(current)
    told = await outcome(client, {**task, "changeId": None, "givenUpAfterMs": None})
    told.pop("known", None)
    return {**told, "requests": current.requests, "tookMs": 0, "changeId": current.change_id}


WAYS = {None: report, "repeats": repeats, "gives_up": gives_up}

if __name__ == "__main__":
    asyncio.run(main())
