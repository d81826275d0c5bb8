import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockingModule } from '../generate/sync.ts';

const WAITING = `"""Sends with AsyncClient. \`\`await client.aclose()\`\` ends it, and \`\`async with\`\` does too."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

import httpx

from bursar._async.call import AsyncCall
from .waiting import sleep

__all__ = ["AsyncPages"]


class AsyncPages(_AsyncBase):
    def __init__(self, client: httpx.AsyncClient, read: Callable[[], Awaitable[dict[str, list[int]]]]) -> None:
        self.client = client  # Also of AsyncClient.

    async def __aenter__(self) -> AsyncPages:
        return self

    async def items(self) -> AsyncGenerator[dict[str, int], None]:
        async for page in self.client.aiter_raw():
            yield {item: 1 async for item in (await page.aread())}

    async def aclose(self) -> None:
        await sleep(1)
        print("async with await, in aclose", f"{self} awaits")
`;

const BLOCKING = `"""Sends with Client. \`\`client.close()\`\` ends it, and \`\`with\`\` does too."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import httpx

from bursar._sync.call import Call
from .waiting import sleep

__all__ = ["Pages"]


class Pages(_Base):
    def __init__(self, client: httpx.Client, read: Callable[[], dict[str, list[int]]]) -> None:
        self.client = client  # Also of Client.

    def __enter__(self) -> Pages:
        return self

    def items(self) -> Generator[dict[str, int], None, None]:
        for page in self.client.iter_raw():
            yield {item: 1 for item in (page.read())}

    def close(self) -> None:
        sleep(1)
        print("async with await, in aclose", f"{self} awaits")
`;

test('the blocking form waits nowhere, and texts of the program stay as they are', () => {
	assert.equal(blockingModule(WAITING, 'pages.py'), BLOCKING);
});

test('what has no blocking form is refused', () => {
	for (const line of ['import asyncio', 'async = 1', 'read: Awaitable', 'print(f"{await read()}")']) {
		assert.throws(() => blockingModule(`${line}\n`, 'pages.py'), /_async\/pages\.py has no blocking form/, line);
	}
});
