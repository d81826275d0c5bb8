"""One HTTP request."""

from __future__ import annotations

import json
import ssl
import sys
from collections.abc import Iterator

import httpx

from .. import _clock
from .._api import CHANGE_ID_HEADER, REFERENCE_HEADER, REQUEST_EXPIRES_HEADER, ROUTES
from .._errors import BursarConnectionError, ErrorDetails, UnexpectedAnswerError
from .._options import Settings, new_change_id
from .._reply import Answered, Asked, Data, Exchange, Failure, Marks, redact, reply_of
from .._time_left import TimeLeft
from .waiting import TimedOut, extensions, within

MOST_BYTES = 1024**2
"""An answer: reading stops, and it counts as lost. A page of 1,000 rows is far smaller."""


async def exchange(
    settings: Settings, http: httpx.AsyncClient, request: Exchange[Data], marks: Marks, seconds: float
) -> Answered[Data] | Failure:
    """Sends a request once, and reads the answer. A failure is a reply too, and is not raised."""
    method, path = ROUTES[request.operation]
    sent = marks if request.is_marked else None
    # Reads ignore it. HTTPX can take a second answer to one request for that to the next one on the connection.
    change_id = marks.change_id if sent is not None else new_change_id()
    asked = Asked(
        token=settings.token,
        service=settings.service,
        seen_answers=settings.seen_answers,
        change_id=change_id,
        marks=sent,
        sent_at=_clock.monotonic(),
    )
    body = None if request.body is None else json.dumps(request.body, allow_nan=False)
    headers = {CHANGE_ID_HEADER: change_id}
    if sent is not None:
        headers[REQUEST_EXPIRES_HEADER] = str(sent.expires)
    if request.reference is not None:
        headers[REFERENCE_HEADER] = request.reference
    handled = sys.exc_info()[1]
    try:
        prepared = http_request(settings, method, path, body, headers, seconds)
        response, answer = await within(seconds, send(http, prepared, MOST_BYTES))
    except Exception as error:
        return failure_of(error, settings.token, handled)
    if answer is None:
        message = f"the answer is larger than {MOST_BYTES:,} bytes, and was not read to its end"
        details = ErrorDetails(status=response.status_code)
        return Failure(kind="lost", type=UnexpectedAnswerError, message=message, details=details, will_not_pass=True)
    return reply_of(asked, request, response.status_code, response.headers, answer)


def http_request(
    settings: Settings, method: str, path: str, body: str | None, more: dict[str, str], seconds: float
) -> httpx.Request:
    """What is sent. It has none of the headers, cookies and parameters that the ``http_client`` of a caller may have."""
    headers = settings.headers.copy()
    headers["Authorization"] = f"Bearer {settings.token}"
    headers["Accept"] = "application/json"
    # Otherwise few bytes could become many.
    headers["Accept-Encoding"] = "identity"
    if body is not None:
        headers["Content-Type"] = "application/json"
    headers.update(more)
    return httpx.Request(
        method,
        settings.base_url + path,
        headers=headers,
        content=None if body is None else body.encode(),
        extensions=extensions(TimeLeft(seconds)),
    )


async def send(http: httpx.AsyncClient, request: httpx.Request, most_bytes: int) -> tuple[httpx.Response, bytes | None]:
    """Sends a request, and reads its answer; ``None`` if that is larger than ``most_bytes``, and was not read to its end."""
    # A redirection could send the token elsewhere, and the authentication of a caller's client would replace it.
    response = await http.send(request, stream=True, auth=None, follow_redirects=False)
    try:
        # A transport for tests, or a hook of the caller, has read it.
        if response.is_stream_consumed:
            return response, response.content if len(response.content) <= most_bytes else None
        answer = bytearray()
        async for chunk in response.aiter_raw():
            answer += chunk
            if len(answer) > most_bytes:
                return response, None
            request.extensions["timeout"].check()
        return response, bytes(answer)
    except httpx.HTTPError as error:
        raise _AnswerBroke(response.status_code) from error
    finally:
        await response.aclose()


class _AnswerBroke(Exception):
    """The head of an answer has arrived, and its body did not."""

    def __init__(self, status: int) -> None:
        super().__init__("the answer broke off")
        self.status = status


def failure_of(error: Exception, token: str, handled: BaseException | None = None) -> Failure:
    """What an error of HTTPX means for a request. ``handled`` is what the caller handled when it began: Python links them."""
    causes = list(_causes(error, handled))
    if isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout)):
        message = "no connection in time"
    elif isinstance(error, (httpx.TimeoutException, TimedOut)):
        message = "no answer in time"
    else:
        texts = [str(each) for each in causes]
        if any(isinstance(each, httpx.ProtocolError) for each in causes):
            # Behind the colon is what is no HTTP, which can be a body with keys and secrets.
            texts = [text.partition(": ")[0] for text in texts]
        message = redact(": ".join(filter(None, dict.fromkeys(texts))) or "the request failed", token)
    if isinstance(error, httpx.ConnectError) and any(isinstance(each, ssl.SSLCertVerificationError) for each in causes):
        # A request is sent only after that check.
        return Failure(kind="refused", type=BursarConnectionError, message=message, will_not_pass=True)
    is_sent = not isinstance(error, _NEVER_SENT)
    details = ErrorDetails(status=error.status if isinstance(error, _AnswerBroke) else None)
    return Failure(kind="lost" if is_sent else "not_done", type=BursarConnectionError, message=message, details=details)


_NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)
"""What fails before the request can have been sent. A ``LocalProtocolError`` can also be about an answer with HTTP/2."""


def _causes(error: BaseException, handled: BaseException | None) -> Iterator[BaseException]:
    """The error and its causes: four at most, without an error that the caller handles meanwhile."""
    at: BaseException | None = error
    for _ in range(4):
        if at is None or at is handled:
            return
        yield at
        at = at.__cause__ or at.__context__
