"""``bursar.sub_users``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from .._errors import BursarError, ErrorDetails, UsernameTakenError
from .._fees import NOTHING, ONE_FEE
from .._models import (
    Account,
    DailyUsage,
    DeletedSubUser,
    ListedSubUser,
    RecordedChange,
    SubUserAuthKey,
    SubUserBalance,
    SubUserDetails,
    SubUserWithLimits,
    SubUserWithNote,
    SubUserWithSignInIps,
    SubUserWithState,
    SubUserWithTerms,
    read_account,
    read_daily_usage,
    read_deleted_sub_user,
    read_listed_sub_user,
    read_sub_user_auth_key,
    read_sub_user_balance,
    read_sub_user_with_limits,
    read_sub_user_with_note,
    read_sub_user_with_sign_in_ips,
    read_sub_user_with_state,
    read_sub_user_with_terms,
)
from .._options import CallOptions, ChangeOptions, SubUserListOptions, TransferOptions, check_reference, read_text
from .._read import each
from .._reading import of_username, page_of
from .._reply import Exchange
from .._results import (
    Creation,
    CreationWith,
    Deletion,
    Page,
    ReplacedAuthKey,
    SetLimits,
    SetNote,
    SetSignInIps,
    SetState,
    Transfer,
)
from .._sent import NewLimits, amount, new_limits, new_name, same_name, some_limits, texts
from .call import AsyncCall
from .changes import Asked, Change, Done, look_for_change, send_change
from .lists import AsyncPagedList
from .reads import find_sub_user, read, retrieve_details, retrieve_sub_user
from .resource import AsyncResource, behind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack


class AsyncSubUsersResource(AsyncResource):
    """The sub-users of the reseller.

    Besides the errors that its description names, each change can raise ``SuspendedError``, if the operator has suspended
    the reseller, and ``OutcomeUnknownError``.
    """

    async def create(self, username: str, **options: Unpack[ChangeOptions]) -> Creation:
        """Creates a sub-user with balance 0.

        The client checks the username before anything is paid: letters, digits, periods and underscores (docs/api.md
        6.1); uppercase becomes lowercase. Each request costs 10 cents, even if it fails. So the client looks for the
        sub-user first. If the reseller owns it already, the call returns it with ``created=False``, for free. No call
        pays more than one fee.

        Raises ``InvalidRequestError``, ``UsernameTakenError``, ``InsufficientBalanceError``. The error's ``fee`` says what
        may have been paid.
        """
        name = new_name(username)
        call = self._begin(**options)
        owned = await find_sub_user(call, name)
        # An earlier call with the caller's id may have created it.
        if owned is not None and not (call.is_id_given and await look_for_change(call)):
            return _existing(owned, is_fee_paid=False)
        return await _create_missing(call, name)

    async def create_with(
        self,
        username: str,
        *,
        amount_cents: int | None = None,
        limits: NewLimits | None = None,
        note: str | None = None,
        **options: Unpack[TransferOptions],
    ) -> CreationWith:
        """Creates a sub-user that has balance, limits and a note from the beginning, all or nothing, for 10 cents.

        A name that is taken costs them too. So if no ``change_id`` is given, the client looks first whether the reseller
        owns the sub-user already. The ``reference`` is that of the gift.

        Raises ``InvalidRequestError``, ``UsernameTakenError``, ``InsufficientBalanceError``. The error's ``fee`` says what
        may have been paid.
        """
        name = new_name(username)
        reference, others = _without_reference(options)
        body: dict[str, object] = {"username": name, "limits": new_limits({} if limits is None else limits)}
        if amount_cents is not None:
            body["amount_usd_cents"] = amount(amount_cents)
        if note is not None:
            body["note"] = read_text("note", note)
        call = self._begin(**others)
        if not call.is_id_given and await find_sub_user(call, name):
            message = f"you own {name} already: nothing was sent, and nothing paid"
            raise UsernameTakenError(message, ErrorDetails(code="username_taken", fee=NOTHING))

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> SubUserWithTerms:
            account = await retrieve_sub_user(call, name, is_patient=True)
            details = await retrieve_details(call, name, is_patient=True)
            return SubUserWithTerms(
                username=name,
                balance_cents=account.balance_cents,
                proxy_authkey=account.proxy_authkey,
                date_created=account.date_created,
                limits=details.limits,
                note=details.note,
            )

        done = await send_change(
            call,
            Change(
                asked=Asked("create_with", name, amount_cents or 0),
                request=Exchange(
                    operation="create_sub_user_with",
                    body=body,
                    reference=reference,
                    read_data=of_username(name, read_sub_user_with_terms),
                ),
                answer_of=answer_of,
            ),
        )
        made = done.data
        return CreationWith(
            sub_user=Account(
                username=made.username,
                balance_cents=made.balance_cents,
                proxy_authkey=made.proxy_authkey,
                date_created=made.date_created,
            ),
            limits=made.limits,
            note=made.note,
            fee=ONE_FEE,
            **done.confirmation,
        )

    async def retrieve(self, username: str, **options: Unpack[CallOptions]) -> Account:
        """Username, balance and proxy auth key of a sub-user. Raises ``UnknownSubUserError``."""
        return await retrieve_sub_user(self._begin(**options), read_text("username", username))

    async def retrieve_details(self, username: str, **options: Unpack[CallOptions]) -> SubUserDetails:
        """State, limits, what of them is used, and the note of a sub-user, and whether the proxies accept its pair.

        Raises ``UnknownSubUserError``.
        """
        return await retrieve_details(self._begin(**options), read_text("username", username))

    async def retrieve_usage(self, username: str, **options: Unpack[CallOptions]) -> tuple[DailyUsage, ...]:
        """The bandwidth of a sub-user for each UTC day with usage, from 89 days ago until today, the earliest first.

        Raises ``UnknownSubUserError``.
        """
        body = {"username": read_text("username", username)}
        request = Exchange(operation="view_usage", body=body, read_data=each(read_daily_usage))
        days = await read(self._begin(**options), request)
        # The service returns them in any order (docs/api.md 7.4).
        return tuple(sorted(days, key=lambda usage: usage.day))

    def list(self, **options: Unpack[SubUserListOptions]) -> AsyncPagedList[ListedSubUser, Page[ListedSubUser]]:
        """The sub-users in the order of their names: all, or those that ``prefix``, ``state``, ``is_usable`` and ``reason`` allow.

        Sub-users that are created or deleted meanwhile may be in the list or not; all others are in it once.
        """
        body, call_options = self._list_body(options, SubUserListOptions, "prefix", "state", "reason", "is_usable")
        if "is_usable" in body:
            body["usable"] = body.pop("is_usable")

        async def read_page(after: str | None) -> Page[ListedSubUser]:
            read_data = page_of("sub_users", read_listed_sub_user)
            request = Exchange(operation="view_sub_user_page", body=behind(after, body), read_data=read_data)
            return await read(self._begin(**call_options), request)

        return AsyncPagedList(options.get("after"), read_page)

    async def give(self, username: str, amount_cents: int, **options: Unpack[TransferOptions]) -> Transfer:
        """Moves balance from the reseller to a sub-user: an int of at least 1, in USD cents.

        ``reference`` is your own name for what it is for. ``statement.list`` finds it.

        Raises ``InvalidRequestError``, ``UnknownSubUserError``, ``InsufficientBalanceError``.
        """
        return await self._move("give", username, amount_cents, options)

    async def take(self, username: str, amount_cents: int, **options: Unpack[TransferOptions]) -> Transfer:
        """Moves balance from a sub-user back to the reseller. Otherwise like ``give``."""
        return await self._move("take", username, amount_cents, options)

    async def reset_auth_key(self, username: str, **options: Unpack[ChangeOptions]) -> ReplacedAuthKey:
        """Replaces the proxy auth key of a sub-user; the previous key is retired.

        After a lost answer, the result has the key that is valid now. Raises ``UnknownSubUserError``.
        """
        name = same_name(username)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> SubUserAuthKey:
            account = await retrieve_sub_user(call, name, is_patient=True)
            return SubUserAuthKey(username=name, proxy_authkey=account.proxy_authkey)

        request = Exchange(
            operation="reset_auth_key", body={"username": name}, read_data=of_username(name, read_sub_user_auth_key)
        )
        change = Change(asked=Asked("reset_auth_key", name), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        return ReplacedAuthKey(username=name, proxy_authkey=done.data.proxy_authkey, **done.confirmation)

    async def suspend(self, username: str, **options: Unpack[ChangeOptions]) -> SetState:
        """Suspends a sub-user: its pair is refused, its open connections end within seconds, and its balance stays.

        Raises ``UnknownSubUserError``.
        """
        return await self._set_state("suspend", username, options)

    async def resume(self, username: str, **options: Unpack[ChangeOptions]) -> SetState:
        """Ends a suspension. The state is then ``active``, or ``expired``. Raises ``UnknownSubUserError``."""
        return await self._set_state("resume", username, options)

    async def set_limits(self, username: str, limits: NewLimits, **options: Unpack[ChangeOptions]) -> SetLimits:
        """Sets the limits that are given, removes those that are ``None``, and leaves the others.

        The result has all of them. Raises ``InvalidRequestError``, ``UnknownSubUserError``.
        """
        name = same_name(username)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> SubUserWithLimits:
            details = await retrieve_details(call, name, is_patient=True)
            return SubUserWithLimits(username=name, limits=details.limits)

        request = Exchange(
            operation="set_limits",
            body={"username": name, **some_limits(limits)},
            read_data=of_username(name, read_sub_user_with_limits),
        )
        change = Change(asked=Asked("set_limits", name), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        return SetLimits(username=name, limits=done.data.limits, **done.confirmation)

    async def set_note(self, username: str, note: str, **options: Unpack[ChangeOptions]) -> SetNote:
        """Sets the note of a sub-user, for people: one line of at most 200 characters; an empty one removes it.

        Raises ``InvalidRequestError``, ``UnknownSubUserError``.
        """
        name = same_name(username)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> SubUserWithNote:
            details = await retrieve_details(call, name, is_patient=True)
            return SubUserWithNote(username=name, note=details.note)

        request = Exchange(
            operation="set_note",
            body={"username": name, "note": read_text("note", note)},
            read_data=of_username(name, read_sub_user_with_note),
        )
        change = Change(asked=Asked("set_note", name), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        return SetNote(username=name, note=done.data.note, **done.confirmation)

    async def set_sign_in_ips(
        self, username: str, sign_in_ips: Sequence[str], **options: Unpack[ChangeOptions]
    ) -> SetSignInIps:
        """Sets all addresses from which a sub-user signs in without a password.

        They are up to 16 addresses of IPv4 and IPv6, and networks /64 of IPv6; an empty list removes them. Raises
        ``InvalidRequestError``, ``AddressTakenError``, ``SignInByAddressOffError``, ``UnknownSubUserError``.
        """
        name = same_name(username)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> SubUserWithSignInIps:
            details = await retrieve_details(call, name, is_patient=True)
            return SubUserWithSignInIps(username=name, sign_in_ips=details.sign_in_ips)

        request = Exchange(
            operation="set_sign_in_ips",
            body={"username": name, "sign_in_ips": texts("sign_in_ips", sign_in_ips)},
            read_data=of_username(name, read_sub_user_with_sign_in_ips),
        )
        change = Change(asked=Asked("set_sign_in_ips", name), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        return SetSignInIps(username=name, sign_in_ips=done.data.sign_in_ips, **done.confirmation)

    async def delete(self, username: str, **options: Unpack[ChangeOptions]) -> Deletion:
        """Deletes a sub-user for ever.

        What it used is settled, the rest of its balance comes back to the reseller, and its name is never given again.
        Raises ``UnknownSubUserError``.
        """
        name = same_name(username)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> DeletedSubUser:
            return DeletedSubUser(username=name, returned_cents=recorded.amount_cents or 0)

        request = Exchange(
            operation="delete_sub_user", body={"username": name}, read_data=of_username(name, read_deleted_sub_user)
        )
        change = Change(asked=Asked("delete", name), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        return Deletion(username=name, returned_cents=done.data.returned_cents, **done.confirmation)

    async def _move(
        self, operation: Literal["give", "take"], username: str, amount_cents: int, options: TransferOptions
    ) -> Transfer:
        name = same_name(username)
        reference, others = _without_reference(options)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> SubUserBalance:
            return SubUserBalance(username=name, balance_cents=recorded.balance_cents or 0)

        request = Exchange(
            operation="give_balance" if operation == "give" else "take_balance",
            body={"username": name, "amount_usd_cents": amount(amount_cents)},
            reference=reference,
            read_data=of_username(name, read_sub_user_balance),
        )
        change = Change(asked=Asked(operation, name, amount_cents), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**others), change)
        return Transfer(username=name, balance_cents=done.data.balance_cents, **done.confirmation)

    async def _set_state(
        self, operation: Literal["suspend", "resume"], username: str, options: ChangeOptions
    ) -> SetState:
        name = same_name(username)

        async def answer_of(recorded: RecordedChange, call: AsyncCall) -> SubUserWithState:
            details = await retrieve_details(call, name, is_patient=True)
            return SubUserWithState(username=name, state=details.state)

        request = Exchange(
            operation="suspend_sub_user" if operation == "suspend" else "resume_sub_user",
            body={"username": name},
            read_data=of_username(name, read_sub_user_with_state),
        )
        change = Change(asked=Asked(operation, name), request=request, answer_of=answer_of)
        done = await send_change(self._begin(**options), change)
        return SetState(username=name, state=done.data.state, **done.confirmation)


async def _create_missing(call: AsyncCall, username: str) -> Creation:
    async def answer_of(recorded: RecordedChange, call: AsyncCall) -> Account:
        return await retrieve_sub_user(call, username, is_patient=True)

    request = Exchange(
        operation="create_sub_user", body={"username": username}, read_data=of_username(username, read_account)
    )
    change = Change(asked=Asked("create", username), request=request, answer_of=answer_of)
    try:
        done: Done[Account] = await send_change(call, change)
    except UsernameTakenError as taken:
        # Another process of the reseller may have taken the name since the look.
        try:
            owned = await find_sub_user(call, username)
        except BursarError as error:
            raise taken from error
        if owned is None:
            raise
        return _existing(owned, is_fee_paid=True)
    return Creation(sub_user=done.data, created=True, fee=ONE_FEE, **done.confirmation)


def _existing(sub_user: Account, is_fee_paid: bool) -> Creation:
    fee = ONE_FEE if is_fee_paid else NOTHING
    return Creation(sub_user=sub_user, created=False, fee=fee, confirmed_by="look", request_id=None)


def _without_reference(options: TransferOptions) -> tuple[str | None, Any]:
    """The reference, and the options that every change has."""
    reference = options.get("reference")
    check_reference(reference)
    return reference, {name: value for name, value in options.items() if name != "reference"}
