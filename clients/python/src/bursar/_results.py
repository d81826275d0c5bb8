"""The results of changes, and pages of lists."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Literal, TypeVar

from ._errors import FeeRange
from ._models import Account, SubUserLimits, SubUserState, TokenDetails, TopUp, Webhook

Item = TypeVar("Item")

__all__ = [
    "Confirmed",
    "Creation",
    "CreationWith",
    "DeletedWebhook",
    "Deletion",
    "EndedToken",
    "EventPage",
    "Page",
    "RawAnswer",
    "ReplacedAuthKey",
    "RotatedSecret",
    "SentEvent",
    "SetLimits",
    "SetNote",
    "SetSignInIps",
    "SetState",
    "TokenCreation",
    "TopUpCreation",
    "Transfer",
    "UpdatedWebhook",
    "WebhookCreation",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """How the client knows that a change took effect."""

    confirmed_by: Literal["answer", "look"]
    """``answer``: the service's answer arrived. ``look``: the answer was lost, and a look found the change."""
    request_id: str | None
    """``X-Request-Id`` of the answer. The service's ledger stores it with the transfer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation(Confirmed):
    """The result of ``sub_users.create``."""

    sub_user: Account
    created: bool
    """Whether this call created it; ``False`` if the reseller owned it already."""
    fee: FeeRange
    """What the call paid in fees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreationWith(Confirmed):
    """The result of ``sub_users.create_with``."""

    sub_user: Account
    limits: SubUserLimits
    note: str
    fee: FeeRange
    """What the call paid in fees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer(Confirmed):
    """The result of ``sub_users.give`` or ``sub_users.take``."""

    username: str
    balance_cents: int
    """The sub-user's balance after the transfer, in USD cents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedAuthKey(Confirmed):
    """The result of ``sub_users.reset_auth_key``."""

    username: str
    proxy_authkey: str = field(repr=False)
    """The key that is valid now; the previous one is retired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState(Confirmed):
    """The result of ``sub_users.suspend`` or ``sub_users.resume``."""

    username: str
    state: SubUserState


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLimits(Confirmed):
    """The result of ``sub_users.set_limits``."""

    username: str
    limits: SubUserLimits
    """All limits that the sub-user has now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNote(Confirmed):
    """The result of ``sub_users.set_note``."""

    username: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSignInIps(Confirmed):
    """The result of ``sub_users.set_sign_in_ips``."""

    username: str
    sign_in_ips: tuple[str, ...]
    """All addresses that the sub-user has now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion(Confirmed):
    """The result of ``sub_users.delete``."""

    username: str
    returned_cents: int
    """The amount that went back to your own balance, in USD cents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookCreation(Confirmed):
    """The result of ``webhooks.create``."""

    webhook: Webhook
    secret: str | None = field(repr=False)
    """Signs what is sent. ``None`` if the answer was lost: make another one with ``webhooks.rotate_secret``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdatedWebhook(Confirmed):
    """The result of ``webhooks.update``."""

    webhook: Webhook


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedWebhook(Confirmed):
    """The result of ``webhooks.delete``."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RotatedSecret(Confirmed):
    """The result of ``webhooks.rotate_secret``."""

    id: str
    secret: str | None = field(repr=False)
    """The new secret. ``None`` if the answer was lost: make another one."""
    previous_expires_at: datetime | None
    """Until then, the previous secret signs too. ``None`` if the answer was lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCreation(Confirmed):
    """The result of ``tokens.create``."""

    token: str | None = field(repr=False)
    """The token itself. ``None`` if the answer was lost: end it with ``tokens.end``, and make another one."""
    details: TokenDetails


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedToken(Confirmed):
    """The result of ``tokens.end``."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopUpCreation(Confirmed):
    """The result of ``top_ups.create``."""

    top_up: TopUp


@dataclass(frozen=True, slots=True, kw_only=True)
class SentEvent:
    """An event as the API sends it, for a program that passes it on."""

    id: str
    number: int
    type: str
    """A newer service may have types that this client does not know."""
    body: str
    """The event of docs/api.md 12.2 as JSON: the body of a webhook."""
    next: str
    """The place behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[Item]):
    """A page of a list."""

    items: tuple[Item, ...]
    next: str | None
    """What to give as ``after`` for the next page; ``None`` after the last one. A page may be empty and have a next one."""
    more: bool
    """Whether there is more to read now. The last page of some lists has a ``next`` too: go on there later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage(Page[Item]):
    """A page of events."""

    next: str
    """The place behind this page. It also moves past events of other types."""
    more: bool
    """Whether there may be more to read now. A page may be empty and have more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAnswer:
    """The answer to a raw request, whatever it says."""

    status: int
    text: str = field(repr=False)
    """The body as it came. It may hold proxy auth keys."""
    code: str | None
    """``X-Error-Code`` of a failure."""
    request_id: str | None
