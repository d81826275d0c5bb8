"""``bursar.webhooks``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from .._models import (
    CreatedWebhook,
    ListedWebhook,
    Named,
    RecordedChange,
    RotatedWebhookSecret,
    Webhook,
    WebhookTry,
    read_created_webhook,
    read_listed_webhook,
    read_named,
    read_rotated_webhook_secret,
    read_webhook,
    read_webhook_try,
)
from .._options import CallOptions, ChangeOptions, read_text
from .._read import each
from .._reading import of_id
from .._reply import Exchange
from .._results import DeletedWebhook, RotatedSecret, UpdatedWebhook, WebhookCreation
from .._sent import WebhookUpdate, texts
from .call import AsyncCall
from .changes import Asked, Change, send_change
from .reads import read
from .resource import AsyncResource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from .._models import EventType


class AsyncWebhooksResource(AsyncResource):
    """Where the service sends your events. ``verify_webhook`` checks what arrives there.

    Besides the errors that its description names, each change can raise ``OutcomeUnknownError``.
    """

    async def create(
        self, url: str, *, types: Sequence[EventType] | None = None, **options: Unpack[ChangeOptions]
    ) -> WebhookCreation:
        """Makes a webhook, which begins behind the newest event. ``types`` are those that are sent; ``None``: all.

        Keep its secret: only the answer to this request tells it. If the answer is lost, the webhook is there, and
        ``secret`` is ``None``: make another one with ``rotate_secret``. Raises ``InvalidRequestError``,
        ``TooManyWebhooksError``.
        """
        body: dict[str, object] = {"url": read_text("url", url)}
        if types is not None:
            body["types"] = texts("types", types)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> tuple[Webhook, str | None]:
            def is_made(webhook: ListedWebhook) -> bool:
                return webhook.url == url and webhook.date_created == recorded.done_at

            return await _only_webhook(call, is_made), None

        def read_data(data: object) -> tuple[Webhook, str | None]:
            made: CreatedWebhook = read_created_webhook(data)
            return read_webhook(data), made.secret

        change = Change(
            asked=Asked("create_webhook"),
            request=Exchange(operation="create_webhook", body=body, read_data=read_data),
            answer_of=answer_of,
        )
        done = await send_change(self._begin(**options), change)
        webhook, secret = done.data
        return WebhookCreation(webhook=webhook, secret=secret, **done.confirmation)

    async def list(self, **options: Unpack[CallOptions]) -> tuple[ListedWebhook, ...]:
        """All your webhooks, the oldest first: five at most."""
        return await _list_webhooks(self._begin(**options))

    async def update(self, id: str, update: WebhookUpdate, **options: Unpack[ChangeOptions]) -> UpdatedWebhook:
        """Changes what is given of a webhook. One that is switched on goes on where it stood, or at ``position``.

        Raises ``InvalidRequestError``, ``UnknownWebhookError``, and ``EventsExpiredError`` or ``EventsRewoundError`` if
        the log does not have that place any more: give another ``position``.
        """
        id_ = read_text("id", id)
        given: dict[str, Any] = dict(update)
        for name in given:
            if name not in getattr(WebhookUpdate, "__optional_keys__"):
                raise TypeError(f"{name} is not a field of a webhook")
        if given.get("types") is not None:
            given["types"] = texts("types", given["types"])

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> Webhook:
            return await _only_webhook(call, lambda webhook: webhook.id == id_)

        request = Exchange(operation="update_webhook", body={"id": id_, **given}, read_data=of_id(id_, read_webhook))
        change = Change(asked=Asked("update_webhook"), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        return UpdatedWebhook(webhook=done.data, **done.confirmation)

    async def delete(self, id: str, **options: Unpack[ChangeOptions]) -> DeletedWebhook:
        """Deletes a webhook for ever, with its secrets and its tries. Raises ``UnknownWebhookError``."""
        id_ = read_text("id", id)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> Named:
            # The record of a change does not tell the webhook.
            if call.is_id_given and any(webhook.id == id_ for webhook in await _list_webhooks(call, is_patient=True)):
                raise LookupError("the webhook is still there, so another change has this id")
            return Named(id=id_)

        request = Exchange(operation="delete_webhook", body={"id": id_}, read_data=of_id(id_, read_named))
        change = Change(asked=Asked("delete_webhook"), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        return DeletedWebhook(id=id_, **done.confirmation)

    async def rotate_secret(self, id: str, **options: Unpack[ChangeOptions]) -> RotatedSecret:
        """Gives a webhook a new secret.

        The previous one signs too for 24 hours, and the one before it ends at once. Keep the new one: only the answer to
        this request tells it. If the answer is lost, ``secret`` is ``None``: make another one. Raises
        ``UnknownWebhookError``.
        """
        id_ = read_text("id", id)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> RotatedWebhookSecret | None:
            return None

        def read_data(data: object) -> RotatedWebhookSecret | None:
            return of_id(id_, read_rotated_webhook_secret)(data)

        request = Exchange(operation="rotate_webhook_secret", body={"id": id_}, read_data=read_data)
        change = Change(asked=Asked("rotate_webhook_secret"), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        rotated = done.data
        return RotatedSecret(
            id=id_,
            secret=None if rotated is None else rotated.secret,
            previous_expires_at=None if rotated is None else rotated.previous_expires_at,
            **done.confirmation,
        )

    async def test(self, id: str, **options: Unpack[CallOptions]) -> None:
        """Asks for a test event, also if the webhook is off: ``webhook.test``, with the number 0.

        It is sent within seconds, and tried once: ``tries`` tells how that ended. Raises ``UnknownWebhookError``.
        """
        id_ = read_text("id", id)
        request = Exchange(operation="test_webhook", body={"id": id_}, read_data=of_id(id_, read_named))
        await read(self._begin(**options), request)

    async def tries(self, id: str, **options: Unpack[CallOptions]) -> tuple[WebhookTry, ...]:
        """The last 50 tries to send events to a webhook, the newest first. Raises ``UnknownWebhookError``."""
        body = {"id": read_text("id", id)}
        request = Exchange(operation="view_webhook_tries", body=body, read_data=each(read_webhook_try))
        return await read(self._begin(**options), request)


async def _list_webhooks(call: AsyncCall, is_patient: bool = False) -> tuple[ListedWebhook, ...]:
    request = Exchange(operation="view_all_webhooks", body={}, read_data=each(read_listed_webhook))
    return await read(call, request, is_patient)


async def _only_webhook(call: AsyncCall, is_wanted: Callable[[ListedWebhook], bool]) -> Webhook:
    """Finds what a change left whose answer was lost."""
    found = [webhook for webhook in await _list_webhooks(call, is_patient=True) if is_wanted(webhook)]
    if len(found) != 1:
        raise LookupError("the webhook was changed or deleted since")
    return Webhook(**{field.name: getattr(found[0], field.name) for field in fields(Webhook)})
