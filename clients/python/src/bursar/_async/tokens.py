"""``bursar.tokens``."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from .._models import Named, RecordedChange, TokenDetails, TokenScope, read_created_token, read_named, read_token_details
from .._options import CallOptions, ChangeOptions, read_text
from .._read import each
from .._reading import of_id
from .._reply import Exchange
from .._results import EndedToken, TokenCreation
from .._sent import moment, texts
from .call import AsyncCall
from .changes import Asked, Change, send_change
from .reads import read
from .resource import AsyncResource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack


class AsyncTokensResource(AsyncResource):
    """Your further tokens, for programs that shall do less.

    Only the one token of the reseller can make, list and end them: to a further one, each method raises
    ``NotPermittedError``. Besides the errors that its description names, each change can raise ``OutcomeUnknownError``.
    """

    async def create(
        self,
        name: str,
        *,
        scopes: Sequence[TokenScope],
        expires_at: datetime,
        allowed_ips: Sequence[str] | None = None,
        **options: Unpack[ChangeOptions],
    ) -> TokenCreation:
        """Makes a token with a name, scopes and an end at most 366 days ahead.

        ``allowed_ips`` are up to 32 addresses and networks from where it may be used; ``None``: from anywhere. Keep the
        token: only the answer to this request tells it. If the answer is lost, ``token`` is ``None``, and nobody has it:
        end it, and make another one. Raises ``InvalidRequestError``, also if a token has this name (``token_exists``), and
        ``TooManyTokensError``.
        """
        body: dict[str, object] = {
            "name": read_text("name", name),
            "scopes": texts("scopes", scopes),
            "expires_at": moment("expires_at", expires_at),
        }
        if allowed_ips is not None:
            body["allowed_ips"] = texts("allowed_ips", allowed_ips)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> tuple[str | None, TokenDetails]:
            for details in await _list_tokens(call, is_patient=True):
                if details.name == name and details.date_created == recorded.done_at:
                    return None, details
            raise LookupError("the token was ended since")

        def read_data(data: object) -> tuple[str | None, TokenDetails]:
            return read_created_token(data).token, read_token_details(data)

        request = Exchange(operation="create_token", body=body, read_data=read_data)
        change = Change(asked=Asked("create_token"), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        token, details = done.data
        return TokenCreation(token=token, details=details, **done.confirmation)

    async def list(self, **options: Unpack[CallOptions]) -> tuple[TokenDetails, ...]:
        """All your further tokens, by name: 20 at most that are good, and those that expired since the last one was made."""
        return await _list_tokens(self._begin(**options))

    async def end(self, id: str, **options: Unpack[ChangeOptions]) -> EndedToken:
        """Ends a token: it is refused from now on. Raises ``UnknownTokenError``."""
        id_ = read_text("id", id)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> Named:
            # The record of a change does not tell the token.
            if call.is_id_given and any(token.id == id_ for token in await _list_tokens(call, is_patient=True)):
                raise LookupError("the token is still there, so another change has this id")
            return Named(id=id_)

        request = Exchange(operation="end_token", body={"id": id_}, read_data=of_id(id_, read_named))
        change = Change(asked=Asked("end_token"), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        return EndedToken(id=id_, **done.confirmation)


async def _list_tokens(call: AsyncCall, is_patient: bool = False) -> tuple[TokenDetails, ...]:
    request = Exchange(operation="view_all_tokens", body={}, read_data=each(read_token_details))
    return await read(call, request, is_patient)
