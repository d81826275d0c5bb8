"""``bursar.top_ups``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._errors import ErrorDetails, InvalidRequestError
from .._models import PaymentProvider, RecordedChange, TopUp, read_top_up
from .._options import CallOptions, ChangeOptions, TopUpListOptions, read_text
from .._read import Unreadable
from .._reading import page_of
from .._reply import Exchange
from .._results import Page, TopUpCreation
from .._sent import amount
from .call import AsyncCall
from .changes import Asked, Change, send_change
from .lists import AsyncPagedList
from .reads import read
from .resource import AsyncResource, behind

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncTopUpsResource(AsyncResource):
    """Your payments through payment providers, for your own balance."""

    async def create(
        self, provider: PaymentProvider, amount_cents: int, **options: Unpack[ChangeOptions]
    ) -> TopUpCreation:
        """Begins a payment, which a person pays at its ``url``.

        It adds to the balance only once the provider vouches for the money: ``retrieve`` tells, and the event
        ``reseller.credited``. If the provider cannot be reached, its state is ``creating``, and there is no ``url`` yet:
        retrieve it again. Raises ``InvalidRequestError``, also if the operator accepts no payment of this amount
        (``amount_out_of_bounds``), ``ProviderOffError``, ``TooManyPaymentsError``, ``SuspendedError``,
        ``OutcomeUnknownError``.
        """
        body = {"provider": read_text("provider", provider), "amount_usd_cents": amount(amount_cents)}

        def read_data(data: object) -> TopUp:
            top_up = read_top_up(data)
            if (top_up.provider, top_up.amount_cents) != (provider, amount_cents):
                raise Unreadable
            return top_up

        request = Exchange(operation="create_top_up", body=body, read_data=read_data)
        asked = Asked("create_top_up", amount_cents=amount_cents)
        done = await send_change(self._begin(**options), Change(asked=asked, request=request, answer_of=_find_begun))
        top_up = done.data
        # The record of a change does not tell the provider.
        if top_up.provider != provider:
            message = f"another change has the id {top_up.change_id}, so this one was not made"
            raise InvalidRequestError(message, ErrorDetails(code="change_repeated"))
        return TopUpCreation(top_up=top_up, **done.confirmation)

    async def retrieve(self, id: str, **options: Unpack[CallOptions]) -> TopUp | None:
        """The payment with this id; ``None`` if you have none."""
        page = await _read_top_ups(self._begin(**options), {"id": read_text("id", id)})
        return next((top_up for top_up in page.items if top_up.id == id), None)

    def list(self, **options: Unpack[TopUpListOptions]) -> AsyncPagedList[TopUp, Page[TopUp]]:
        """Your payments, the newest first."""
        body, call_options = self._list_body(options, TopUpListOptions, "only")
        if options.get("only", "waiting") != "waiting":
            raise ValueError("only must be waiting")

        async def read_page(after: str | None) -> Page[TopUp]:
            return await _read_top_ups(self._begin(**call_options), behind(after, body))

        return AsyncPagedList(options.get("after"), read_page)


async def _find_begun(recorded: RecordedChange, call: AsyncCall) -> TopUp:
    """Finds what a change began whose answer was lost. It was begun at the time of the change."""
    after: str | None = None
    while True:
        page = await _read_top_ups(call, behind(after, {}), is_patient=True)
        for top_up in page.items:
            if top_up.change_id == recorded.change_id and top_up.date_created == recorded.done_at:
                return top_up
        is_past = any(top_up.date_created < recorded.done_at for top_up in page.items)
        if page.next is None or page.next == after or is_past:
            raise LookupError("the payment is not there any more")
        after = page.next


async def _read_top_ups(call: AsyncCall, body: dict[str, Any], is_patient: bool = False) -> Page[TopUp]:
    request = Exchange(operation="view_top_up_page", body=body, read_data=page_of("top_ups", read_top_up))
    return await read(call, request, is_patient)
