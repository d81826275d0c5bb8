"""Readers of answers that several calls use."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Protocol, TypeVar

from ._models import RecordedChange, ResellerEvent, read_event, read_recorded_change
from ._read import Unreadable, boolean, each, fields_of, optional, text
from ._results import EventPage, Page, SentEvent
from ._sent import normalized


class _Named(Protocol):
    @property
    def username(self) -> str: ...


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item")
NamedData = TypeVar("NamedData", bound=_Named)
IdentifiedData = TypeVar("IdentifiedData", bound=_Identified)


def of_username(username: str, read: Callable[[object], NamedData]) -> Callable[[object], NamedData]:
    """Reads an answer that must name this username. One about another account is not the answer to this request."""
    asked = normalized(username)

    def read_own(data: object) -> NamedData:
        account = read(data)
        if account.username != asked:
            raise Unreadable
        return account

    return read_own


def of_id(id_: str, read: Callable[[object], IdentifiedData]) -> Callable[[object], IdentifiedData]:
    """Reads an answer that must be about the webhook or token with this id."""

    def read_own(data: object) -> IdentifiedData:
        named = read(data)
        if named.id != id_:
            raise Unreadable
        return named

    return read_own


def recorded_change(change_id: str) -> Callable[[object], RecordedChange | None]:
    """Reads what the change with this id did. ``None``: there is no such change."""

    def read(data: object) -> RecordedChange | None:
        if data is None:
            return None
        recorded = read_recorded_change(data)
        if recorded.change_id != change_id:
            raise Unreadable
        return recorded

    return read


def page_of(name: str, read_item: Callable[[object], Item]) -> Callable[[object], Page[Item]]:
    """Reads a page whose rows have this name."""

    def read(data: object) -> Page[Item]:
        fields = fields_of(data)
        next_ = optional(text)(fields["next"])
        # A list that one can read to its end does not say it.
        more = boolean(fields["more"]) if "more" in fields else next_ is not None
        return Page(items=each(read_item)(fields[name]), next=next_, more=more)

    return read


def read_event_page(data: object) -> EventPage[ResellerEvent]:
    """Reads a page of events."""
    return _event_page(data, read_event)


def read_sent_event_page(data: object) -> EventPage[SentEvent]:
    """Reads the same page, with each event as it came."""

    def read_sent(item: object) -> SentEvent:
        event = read_event(item)
        body = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
        return SentEvent(id=event.id, number=event.number, type=event.type, body=body, next=event.next)

    return _event_page(data, read_sent)


def _event_page(data: object, read_item: Callable[[object], Item]) -> EventPage[Item]:
    fields = fields_of(data)
    items = each(read_item)(fields["events"])
    return EventPage(items=items, next=text(fields["next"]), more=boolean(fields["more"]))
