"""``bursar.events``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

from .._api import MAX_EVENT_WAIT_SECONDS
from .._models import ResellerEvent
from .._options import EventListOptions, FollowOptions, read_whole, refuse_unknown
from .._reading import read_event_page, read_sent_event_page
from .._reply import Exchange
from .._results import EventPage, SentEvent
from .._sent import texts
from .follow import Followed, Item, follow
from .lists import AsyncPagedList
from .reads import read
from .resource import AsyncResource, behind

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncEventsResource(AsyncResource):
    """What has happened to you and your sub-users."""

    def list(self, **options: Unpack[EventListOptions]) -> AsyncPagedList[ResellerEvent, EventPage[ResellerEvent]]:
        """The events from the place ``after`` in the log until now, the oldest first: all, or those of ``types``.

        ``after="newest"`` is the present end of the log.

        Raises ``EventsExpiredError`` or ``EventsRewoundError`` if the log does not have that place any more.
        """
        body, call_options = self._list_body(options, EventListOptions)
        if "types" in options:
            body["types"] = _types(options["types"])

        async def read_page(after: str | None) -> EventPage[ResellerEvent]:
            request = Exchange(operation="view_event_page", body=behind(after, body), read_data=read_event_page)
            return await read(self._begin(**call_options), request)

        return AsyncPagedList(options.get("after"), read_page)

    def follow(self, **options: Unpack[FollowOptions]) -> AsyncIterator[ResellerEvent]:
        """The events from the place ``after`` in the log on, for ever: it waits for the next ones.

        ``on_next`` is called with a place that no event has. Keep it like the ``next`` of an event.

        It goes on through restarts of the service and lost connections. It ends when ``stop`` is set, or with an error
        that no further attempt can mend: ``EventsExpiredError``, ``EventsRewoundError``, ``UnauthorizedError``,
        ``InvalidRequestError``, or ``UnexpectedAnswerError``.
        """
        return follow(self._followed(options, read_event_page))

    def follow_sent(self, **options: Unpack[FollowOptions]) -> AsyncIterator[SentEvent]:
        """The same as ``follow``, with each event as the API sends it: for a program that passes events on."""
        return follow(self._followed(options, read_sent_event_page))

    def _followed(self, options: FollowOptions, read_data: Callable[[object], EventPage[Item]]) -> Followed[Item]:
        refuse_unknown(options, FollowOptions)
        listed: dict[str, Any] = {
            name: value for name, value in options.items() if name in getattr(EventListOptions, "__optional_keys__")
        }
        body, call_options = self._list_body(listed, EventListOptions)
        on_next, stop = options.get("on_next"), options.get("stop")
        if on_next is not None and not callable(on_next):
            raise TypeError("on_next must be a function")
        if stop is not None and not callable(getattr(stop, "is_set", None)):
            raise TypeError("stop must have is_set, as an event of threading or asyncio has")
        return Followed(
            begin=self._begin,
            read_data=read_data,
            after=options.get("after"),
            types=_types(options["types"]) if "types" in options else None,
            limit=body["limit"],
            wait_seconds=read_whole("wait_seconds", options.get("wait_seconds", 20), 0, MAX_EVENT_WAIT_SECONDS),
            on_next=on_next,
            stop=stop,
            call_options=call_options,
        )


def _types(types: object) -> list[str]:
    """Types of events, of which there must be one."""
    read = texts("types", types)
    if not read:
        raise ValueError("types must have one or more types of events")
    return read
