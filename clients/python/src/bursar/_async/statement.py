"""``bursar.statement``."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from .._models import Movement, read_movement
from .._options import StatementOptions, check_reference
from .._reading import page_of
from .._reply import Exchange
from .._results import Page
from .lists import AsyncPagedList
from .reads import read
from .resource import AsyncResource, behind

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncStatementResource(AsyncResource):
    """The movements of money."""

    def list(self, **options: Unpack[StatementOptions]) -> AsyncPagedList[Movement, Page[Movement]]:
        """The movements of the reseller and of its sub-users, the newest first, or with ``order="oldest"`` the oldest first.

        ``from_`` and ``to`` are the first and the last UTC day, and ``reference`` finds gives and takes.

        Bandwidth that was used since it was last settled is not in a movement yet. With ``oldest``, a page always has a
        ``next``: go on there later. Raises then ``StatementRewoundError`` if the statement does not have the place
        ``after`` any more.
        """
        body, call_options = self._list_body(options, StatementOptions, "order", "reference")
        check_reference(options.get("reference"))
        if options.get("order", "newest") not in ("newest", "oldest"):
            raise ValueError("order must be newest or oldest")
        if "from_" in options:
            body["from"] = _day("from_", options["from_"])
        if "to" in options:
            body["to"] = _day("to", options["to"])

        async def read_page(after: str | None) -> Page[Movement]:
            read_data = page_of("movements", read_movement)
            request = Exchange(operation="view_statement_page", body=behind(after, body), read_data=read_data)
            return await read(self._begin(**call_options), request)

        return AsyncPagedList(options.get("after"), read_page)


def _day(name: str, value: object) -> str:
    """A datetime is none: its day depends on a time zone."""
    if not isinstance(value, date) or isinstance(value, datetime):
        raise TypeError(f"{name} must be a date, without a time")
    return value.isoformat()
