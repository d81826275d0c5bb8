"""``bursar.account``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._models import Account, AccountDetails, read_account, read_account_details
from .._options import CallOptions
from .._reply import Exchange
from .reads import read
from .resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncAccountResource(AsyncResource):
    """The reseller's own account."""

    async def retrieve(self, **options: Unpack[CallOptions]) -> Account:
        """Username, balance and proxy auth key."""
        return await read(self._begin(**options), Exchange(operation="my_info", read_data=read_account))

    async def retrieve_details(self, **options: Unpack[CallOptions]) -> AccountDetails:
        """The debt, the price of bandwidth, and whether the proxies accept the pairs."""
        request = Exchange(operation="view_account", body={}, read_data=read_account_details)
        return await read(self._begin(**options), request)
