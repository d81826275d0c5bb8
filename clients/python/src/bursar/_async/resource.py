"""What all resources have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

from .._api import MAX_PAGE_ROWS
from .._options import CallOptions, ChangeOptions, Settings, read_text, read_whole, refuse_unknown
from .call import AsyncCall

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncResource:
    """A part of the API."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self._settings = settings
        self._http = http

    def _begin(self, **options: Unpack[ChangeOptions]) -> AsyncCall:
        return AsyncCall(self._settings, self._http, **options)

    def _list_body(self, options: Mapping[str, Any], known: type, *own: str) -> tuple[dict[str, Any], Any]:
        """What the pages of a list are asked with, and the options of its calls. ``own`` are sent as they are."""
        refuse_unknown(options, known)
        for name in ("after", "prefix", "state", "reason"):
            # A program that has kept no place yet gives None.
            if name in options and not (name == "after" and options[name] is None):
                read_text(name, options[name])
        if not isinstance(options.get("is_usable", True), bool):
            raise TypeError("is_usable must be a bool")
        body = {"limit": read_whole("page_rows", options.get("page_rows", MAX_PAGE_ROWS), 1, MAX_PAGE_ROWS)}
        body.update({name: options[name] for name in own if name in options})
        call_options = {name: value for name, value in options.items() if name in getattr(CallOptions, "__optional_keys__")}
        # Wrong options are told at once, and not only when a page is read.
        self._begin(**call_options)
        return body, call_options


def behind(after: str | None, body: dict[str, Any]) -> dict[str, Any]:
    """The body that asks for the page behind a place; ``None``: for the first page."""
    return body if after is None else {**body, "after": after}
