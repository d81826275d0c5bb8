"""Requests that change nothing."""

from __future__ import annotations

from .._errors import UnknownSubUserError
from .._models import Account, SubUserDetails, read_account, read_sub_user_details
from .._reply import Answered, Data, Exchange, error_of, may_pass
from .._reading import of_username
from .call import AsyncCall


async def read(call: AsyncCall, request: Exchange[Data], is_patient: bool = False) -> Data:
    """Sends a request that changes nothing, and repeats it while that may help.

    ``is_patient``: only the time of the call limits the attempts, also if something before a service that is known
    answers instead of it.
    """
    attempts = call.attempts(is_patient)
    while True:
        reply = await call.send(request)
        if isinstance(reply, Answered):
            return reply.data
        is_known = is_patient and reply.kind == "lost" and call.service.is_honoured is True
        is_worth_it = may_pass(reply) or (is_known and not reply.will_not_pass)
        if not is_worth_it or not await attempts.may_go_on(reply):
            raise error_of(reply)


async def retrieve_sub_user(call: AsyncCall, username: str, is_patient: bool = False) -> Account:
    """Raises ``UnknownSubUserError`` if the reseller has no such sub-user, also for an invalid username."""
    read_data = of_username(username, read_account)
    return await read(call, Exchange(operation="view_sub_user", body={"username": username}, read_data=read_data), is_patient)


async def find_sub_user(call: AsyncCall, username: str) -> Account | None:
    """The sub-user, or ``None`` if the reseller has no such sub-user."""
    try:
        return await retrieve_sub_user(call, username)
    except UnknownSubUserError:
        return None


async def retrieve_details(call: AsyncCall, username: str, is_patient: bool = False) -> SubUserDetails:
    """Raises ``UnknownSubUserError`` as ``retrieve_sub_user`` does."""
    read_data = of_username(username, read_sub_user_details)
    return await read(call, Exchange(operation="view_details", body={"username": username}, read_data=read_data), is_patient)
