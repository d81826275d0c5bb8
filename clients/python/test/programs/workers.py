"""Ten workers give one cent after the other, and check each balance, until the standard input ends.

Prints a line for each gift. ``argv[1]``: ``threads`` or ``tasks``.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from bursar import AsyncBursar, Bursar

is_over = threading.Event()


def work_in_thread(bursar: Bursar, username: str) -> None:
    bursar.sub_users.create(username)
    balance = 0
    while not is_over.is_set():
        balance += 1
        check(username, bursar.sub_users.give(username, 1).balance_cents, balance)


async def work_in_task(bursar: AsyncBursar, username: str) -> None:
    await bursar.sub_users.create(username)
    balance = 0
    while not is_over.is_set():
        balance += 1
        check(username, (await bursar.sub_users.give(username, 1)).balance_cents, balance)


def check(username: str, balance: int, expected: int) -> None:
    if balance != expected:
        raise ValueError(f"{username} has {balance} cents instead of {expected}")
    print(f"{username} {balance}\n", end="", flush=True)


def await_end() -> None:
    sys.stdin.read()
    is_over.set()


async def main(kind: str) -> None:
    names = [f"{kind}.{index}" for index in range(10)]
    threading.Thread(target=await_end, daemon=True).start()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(len(names)))
    try:
        if kind == "threads":
            with Bursar() as bursar:
                await asyncio.gather(*[asyncio.to_thread(work_in_thread, bursar, name) for name in names])
        else:
            async with AsyncBursar() as client:
                await asyncio.gather(*[work_in_task(client, name) for name in names])
    finally:
        is_over.set()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
