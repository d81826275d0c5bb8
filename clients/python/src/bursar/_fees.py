"""What a create may have cost (docs/api.md 8.2 and 11.10)."""

from __future__ import annotations

from typing import Any

from ._api import CREATE_FEE_CENTS, FREE_OF_CREATE_FEE
from ._errors import FeeRange
from ._models import ChangeOperation
from ._reply import Failure

NOTHING = FeeRange(min_cents=0, max_cents=0)
ONE_FEE = FeeRange(min_cents=CREATE_FEE_CENTS, max_cents=CREATE_FEE_CENTS)
PERHAPS_ONE_FEE = FeeRange(min_cents=0, max_cents=CREATE_FEE_CENTS)


def fee_details(operation: ChangeOperation | None, fee: FeeRange) -> dict[str, Any]:
    """The fee as a detail of an error, if requests of this kind may cost one."""
    return {"fee": fee} if operation in ("create", "create_with") else {}


def fee_of(operation: ChangeOperation, failure: Failure) -> FeeRange:
    """What one failed request cost that may cost a fee."""
    if failure.kind == "not_done":
        return NOTHING
    code = failure.details.code
    if failure.kind == "lost" or code is None:
        return PERHAPS_ONE_FEE
    is_free = code in FREE_OF_CREATE_FEE if operation == "create" else code != "username_taken"
    return NOTHING if is_free else ONE_FEE
