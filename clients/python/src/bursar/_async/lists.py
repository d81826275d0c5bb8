"""Lists that are read page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Generic, TypeVar

from .._errors import UnexpectedAnswerError
from .._results import Page

Item = TypeVar("Item")
OnePage = TypeVar("OnePage", bound="Page[Any]")


class AsyncPagedList(Generic[Item, OnePage]):
    """A list that is read page by page: with a loop, which reads each page when it is needed, or one page.

    Each page is a call of its own, with the time of one.
    """

    def __init__(self, first: str | None, read_page: Callable[[str | None], Awaitable[OnePage]]) -> None:
        self._first = first
        self._read_page = read_page

    async def page(self) -> OnePage:
        """The first page, from ``after`` on if that option was given."""
        return await self._read_page(self._first)

    async def __aiter__(self) -> AsyncIterator[Item]:
        after = self._first
        while True:
            page = await self._read_page(after)
            for item in page.items:
                yield item
            if page.next is None or page.more is False:
                return
            if page.next == after:
                raise UnexpectedAnswerError("the list does not go on: a page names itself as the next")
            after = page.next
