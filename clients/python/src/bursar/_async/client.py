"""The client."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import httpx

from .._api import CHANGE_ID_HEADER, EFFECT_LIMIT_SECONDS, ERROR_CODE_HEADER, REQUEST_ID_HEADER
from .._errors import BursarConnectionError, ErrorDetails, UnavailableError, UnexpectedAnswerError
from .._options import ChangeOptions, EventListener, is_loopback, read_call_options, read_path, read_settings
from .._reply import Failure
from .._results import RawAnswer
from .account import AsyncAccountResource
from .events import AsyncEventsResource
from .exchange import failure_of, http_request, send
from .recorded_changes import AsyncChangesResource
from .statement import AsyncStatementResource
from .sub_users import AsyncSubUsersResource
from .tokens import AsyncTokensResource
from .top_ups import AsyncTopUpsResource
from .waiting import within
from .webhooks import AsyncWebhooksResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

MOST_RAW_BYTES = 64 * 1024**2
"""The answer to a raw request: reading stops, and the call fails. Half a million sub-users in one list are smaller."""

Client = TypeVar("Client", bound="AsyncBursar")


class AsyncBursar:
    """The reseller API of a Bursar service, with retries that never make a change twice.

    Its methods stand in ``account``, ``sub_users``, ``statement``, ``events``, ``webhooks``, ``tokens``, ``top_ups`` and
    ``changes``: ``help(client.sub_users)`` describes those of sub-users. Each also takes ``timeout_seconds``,
    ``total_timeout_seconds``, ``max_attempts`` and ``on_event``, and each change ``change_id``.

    After a lost answer, the client finds out what happened. The class of an error tells the kind of failure. Besides the
    errors that its description names, each method can raise ``UnauthorizedError``, ``NotPermittedError``,
    ``UnavailableError``, ``InternalServerError``, ``UnexpectedAnswerError`` or ``BursarConnectionError``. After an
    ``OutcomeUnknownError``, the change may have taken effect. After any other error this call did not do it, except that
    a create may have paid its fee.

    :param base_url: base address of the service. Default: ``BURSAR_URL`` of the environment.
    :param token: the reseller's bearer token. Default: ``BURSAR_TOKEN`` of the environment.
    :param timeout_seconds: how long one request may take, until its answer is read to the end. A change expires after
        half of it: a service that receives it later does not do it.
    :param total_timeout_seconds: how long a call may take with all its attempts, pauses and looks. What was never sent,
        or what the service answered with ``unavailable``, is tried again until then. The client needs about
        ``timeout_seconds`` and 10 s more to judge a change whose answer is lost late.
    :param max_attempts: how often a request is sent at most that is answered and fails, the first time included.
    :param after_expiry_seconds: how long a change may still take effect after an answer has shown that it expired.
        Bursar ends each command within 5 seconds, or says that it does not know the outcome.
    :param headers: for every request; ``User-Agent``, for example. They cannot replace those that the client needs.
    :param on_event: called for each request, answer and wait of a call.
    :param http_client: sends the requests, for proxies, certificates and tests. Its owner closes it.
    :param allow_insecure_http: allows plain http to other machines: the network can then read the token.
    :raises TypeError: if an option is missing or of a wrong type. ``ValueError`` if its value is wrong. Neither holds the
        token. A call raises ``RuntimeError`` if the client is closed.
    """

    def __init__(
        self,
        base_url: str | None = None,
        token: str | None = None,
        *,
        timeout_seconds: float = 10.0,
        total_timeout_seconds: float = 60.0,
        max_attempts: int = 4,
        after_expiry_seconds: float = EFFECT_LIMIT_SECONDS,
        headers: Mapping[str, str] | None = None,
        on_event: EventListener | None = None,
        http_client: httpx.AsyncClient | None = None,
        allow_insecure_http: bool = False,
    ) -> None:
        if http_client is not None and not isinstance(http_client, httpx.AsyncClient):
            raise TypeError("http_client must be an AsyncClient of httpx")
        self._settings = read_settings(
            base_url,
            token,
            timeout_seconds=timeout_seconds,
            total_timeout_seconds=total_timeout_seconds,
            max_attempts=max_attempts,
            after_expiry_seconds=after_expiry_seconds,
            headers=headers,
            on_event=on_event,
            allow_insecure_http=allow_insecure_http,
        )
        self._is_http_own = http_client is None
        self._http = http_client or httpx.AsyncClient(
            # Otherwise a proxy of the environment would read the token of plain http to this machine.
            trust_env=not is_loopback(urlsplit(self._settings.base_url).hostname or ""),
            # A request that waits for a connection would expire.
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
            # Cookies of others would pile up.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )
        parts = self._settings, self._http
        self.account = AsyncAccountResource(*parts)
        """The reseller's own account."""
        self.sub_users = AsyncSubUsersResource(*parts)
        """The sub-users of the reseller."""
        self.statement = AsyncStatementResource(*parts)
        """The movements of money."""
        self.events = AsyncEventsResource(*parts)
        """What has happened to you and your sub-users."""
        self.webhooks = AsyncWebhooksResource(*parts)
        """Where the service sends your events."""
        self.tokens = AsyncTokensResource(*parts)
        """Tokens for programs of yours that shall do less."""
        self.top_ups = AsyncTopUpsResource(*parts)
        """Payments through payment providers, for your own balance."""
        self.changes = AsyncChangesResource(*parts)
        """What changes did, by their ids."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._settings.base_url}>"

    async def __aenter__(self: Client) -> Client:
        return self

    async def __aexit__(
        self, type_: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections. A client that was given as ``http_client`` stays open."""
        if self._is_http_own:
            await self._http.aclose()

    def service_time(self) -> datetime | None:
        """The time by the service's clock, up to a second behind it; ``None`` until an answer has told it.

        A journal that outlives its process should use this clock: changes expire and are forgotten by it, whatever the
        machine's clock says.
        """
        now = self._settings.service.now()
        return None if now is None else datetime.fromtimestamp(now, timezone.utc)

    async def raw_request(
        self, method: str, path: str, body: object = None, **options: Unpack[ChangeOptions]
    ) -> RawAnswer:
        """Sends one request to a path that no method covers, with the token, and returns the answer as it came.

        It is never repeated: ``timeout_seconds`` bounds it. It carries ``X-Change-Id`` only if ``change_id`` is given.
        ``body`` is sent as JSON, unless it is ``None``.

        Raises ``UnavailableError`` if it was never sent; ``BursarConnectionError``, after which a change may have been
        done; ``UnexpectedAnswerError`` if the answer is larger than 64 MiB, and ``ValueError`` if the path could leave the
        service.
        """
        call = read_call_options(self._settings, **options)
        if self._http.is_closed:
            raise RuntimeError("the client is closed")
        seconds = call.patience.timeout
        marks = {CHANGE_ID_HEADER: call.change_id} if call.is_id_given else {}
        text = None if body is None else json.dumps(body, allow_nan=False)
        request = http_request(self._settings, method, read_path(path), text, marks, seconds)
        sent = await self._send_raw(request, seconds)
        # Raised outside of any `except`: the error of HTTPX, which holds the request with its token, would be its context.
        if isinstance(sent, Failure):
            raise (BursarConnectionError if sent.kind == "lost" else UnavailableError)(sent.message)
        response, answer = sent
        if answer is None:
            message = "the answer is larger than 64 MiB"
            raise UnexpectedAnswerError(message, ErrorDetails(status=response.status_code))
        return RawAnswer(
            status=response.status_code,
            text=answer.decode("utf-8", "replace"),
            code=response.headers.get(ERROR_CODE_HEADER),
            request_id=response.headers.get(REQUEST_ID_HEADER),
        )

    async def _send_raw(self, request: httpx.Request, seconds: float) -> tuple[httpx.Response, bytes | None] | Failure:
        try:
            return await within(seconds, send(self._http, request, MOST_RAW_BYTES))
        except Exception as error:
            return failure_of(error, self._settings.token)
