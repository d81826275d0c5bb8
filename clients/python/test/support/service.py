"""A service in memory, with one reseller: what the traps need of the real one, which other tests run."""

from __future__ import annotations

import json
from typing import Any

import httpx
from support.answers import HONOURED, envelope, new_request_id
from support.clock import Clock

from bursar._api import ERRORS

TOKEN = "brs_0123456789abcdefSECRET"

_LIMITS = ("day_bytes", "month_bytes", "total_bytes", "connections", "bytes_per_second", "allowed_ips", "expires_at")


class Refused(Exception):
    """The error code of a refusal."""


class Service:
    """It does each change with one id only once, and none that has expired."""

    def __init__(self, clock: Clock, balance: int = 10_000) -> None:
        self.clock = clock
        self.token = TOKEN
        self.balance = balance
        self.sub_users: dict[str, dict[str, Any]] = {}
        self.others = {"rival"}
        """Usernames of other resellers."""
        self.changes: dict[str, dict[str, Any]] = {}
        self.webhooks: list[dict[str, Any]] = []
        self.tokens: list[dict[str, Any]] = []
        self.top_ups: list[dict[str, Any]] = []
        self.is_suspended = False
        self._keys = 0

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Does what a request asks for, and answers it."""
        change_id, expires = request.headers.get("X-Change-Id"), request.headers.get("X-Request-Expires")
        request_id = new_request_id()
        headers = {
            "X-Request-Id": request_id,
            "X-Change-Id": change_id or HONOURED["X-Change-Id"],
            "X-Request-Expires": expires or HONOURED["X-Request-Expires"],
        }
        name = request.url.path.removeprefix("/reseller/").replace("/", ".")
        body = json.loads(request.content) if request.content else {}
        data: object = None
        try:
            if request.headers.get("Authorization") != f"Bearer {self.token}":
                raise Refused("unauthorized")
            if name in _CHANGES:
                data = self._change(name, body, change_id, expires, request_id)
            else:
                data = getattr(self, "_" + name.replace(".", "_"))(body)
        except Refused as refused:
            code = str(refused)
            headers["X-Error-Code"] = code
            if code == "change_repeated":
                data = {"change": self.changes[change_id or ""]}
            status, message = ERRORS[code]
            return envelope(status, data, message, int(self.clock.true_time()), headers)
        return envelope(200, data, "", int(self.clock.true_time()), headers)

    def balance_of(self, username: str) -> int:
        return int(self.sub_users[username]["balance"])

    def add(self, username: str, balance: int = 0) -> None:
        """A sub-user that is there from the beginning."""
        self.sub_users[username] = {
            "username": username,
            "balance": balance,
            "proxy_authkey": self._new_key(),
            "date_created": self.clock.iso(),
            "state": "active",
            "limits": dict.fromkeys(_LIMITS),
            "note": "",
            "sign_in_ips": [],
        }

    def _change(self, name: str, body: dict[str, Any], change_id: str | None, expires: str | None, request_id: str) -> object:
        if expires is not None and self.clock.true_time() >= int(expires):
            raise Refused("unavailable")
        if change_id in self.changes:
            raise Refused("change_repeated")
        if self.is_suspended:
            raise Refused("suspended")
        kind, do = _CHANGES[name]
        record = {
            **{"change_id": change_id, "kind": kind, "username": body.get("username"), "amount": None, "balance": None},
            **{"error": None, "timestamp": self.clock.iso(), "request_id": request_id},
        }
        data = do(self, body, record, change_id)
        if change_id is not None:
            self.changes[change_id] = record
        if record["error"] is not None:
            raise Refused(record["error"])
        return data

    def _sub_user(self, body: dict[str, Any]) -> dict[str, Any]:
        found = self.sub_users.get(str(body["username"]).lower())
        if found is None:
            raise Refused("unknown_sub_user")
        return found

    def _new_key(self) -> str:
        self._keys += 1
        return f"key-{self._keys:012}"

    def _create(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        if self.balance < 10:
            raise Refused("insufficient_balance")
        self.balance -= 10
        record["amount"] = 10
        if body["username"] in self.others | set(self.sub_users):
            record["error"] = "username_taken"
            return None
        record["balance"] = 0
        self.add(body["username"])
        return _account(self.sub_users[body["username"]])

    def _create_with(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        amount = body.get("amount_usd_cents", 0)
        if self.balance < 10 + amount:
            raise Refused("insufficient_balance")
        if body["username"] in self.others | set(self.sub_users):
            self.balance -= 10
            record["error"] = "username_taken"
            return None
        self.balance -= 10 + amount
        self.add(body["username"], amount)
        made = self.sub_users[body["username"]]
        made["limits"].update(body["limits"])
        made["note"] = body.get("note", "")
        record.update(amount=amount, balance=amount)
        return {**_account(made), "limits": made["limits"], "note": made["note"]}

    def _give(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        return self._move(body, record, body["amount_usd_cents"])

    def _take(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        return self._move(body, record, -body["amount_usd_cents"])

    def _move(self, body: dict[str, Any], record: dict[str, Any], cents: int) -> object:
        sub_user = self._sub_user(body)
        if self.balance < cents or sub_user["balance"] < -cents:
            raise Refused("insufficient_balance")
        self.balance -= cents
        sub_user["balance"] += cents
        record.update(amount=abs(cents), balance=sub_user["balance"])
        return {"username": sub_user["username"], "balance": sub_user["balance"]}

    def _reset(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        sub_user = self._sub_user(body)
        sub_user["proxy_authkey"] = self._new_key()
        return {"username": sub_user["username"], "proxy_authkey": sub_user["proxy_authkey"]}

    def _suspend(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        return self._set(body, state="suspended")

    def _resume(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        return self._set(body, state="active")

    def _set_note(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        return self._set(body, note=body["note"])

    def _set_sign_in_ips(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        return self._set(body, sign_in_ips=body["sign_in_ips"])

    def _set_limits(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        limits = {name: value for name, value in body.items() if name != "username"}
        return self._set(body, limits={**self._sub_user(body)["limits"], **limits})

    def _set(self, body: dict[str, Any], **fields: Any) -> object:
        sub_user = self._sub_user(body)
        sub_user.update(fields)
        return {"username": sub_user["username"], **fields}

    def _delete(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        sub_user = self._sub_user(body)
        self.balance += sub_user["balance"]
        record["amount"] = sub_user["balance"]
        del self.sub_users[sub_user["username"]]
        return {"username": sub_user["username"], "amount_usd_cents": sub_user["balance"]}

    def _create_webhook(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        webhook = {
            **{"id": f"whe_{len(self.webhooks)}", "url": body["url"], "types": body.get("types"), "state": "on"},
            **{"reason": None, "position": "0", "failing_since": None, "next_try": None},
            "date_created": record["timestamp"],
        }
        self.webhooks.append(webhook)
        return {**webhook, "secret": "whsec_" + "c2Vj" * 8}

    def _delete_webhook(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        self.webhooks = [webhook for webhook in self.webhooks if webhook["id"] != body["id"]]
        return {"id": body["id"]}

    def _create_token(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        token = {
            **{"id": f"tok_{len(self.tokens)}", "name": body["name"], "scopes": body["scopes"]},
            **{"allowed_ips": body.get("allowed_ips"), "tail": "wxyz", "made_by": "api", "last_used": None},
            **{"expires_at": body["expires_at"], "date_created": record["timestamp"]},
        }
        self.tokens.append(token)
        return {**token, "token": "brs_further_wxyz"}

    def _end_token(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        self.tokens = [token for token in self.tokens if token["id"] != body["id"]]
        return {"id": body["id"]}

    def _create_top_up(self, body: dict[str, Any], record: dict[str, Any], change_id: str | None) -> object:
        top_up = {
            **{"id": f"pay_{len(self.top_ups)}", "provider": body["provider"], "state": "open"},
            **{"amount": body["amount_usd_cents"], "credited": 0, "refunded": 0, "disputed": 0},
            **{"url": "https://pay.example/1", "expires_at": None, "timestamp": record["timestamp"], "change_id": change_id},
        }
        self.top_ups.insert(0, top_up)
        record["amount"] = top_up["amount"]
        return top_up

    def _my_info(self, body: dict[str, Any]) -> object:
        created = "2026-01-01T00:00:00.000Z"
        return {"username": "acme", "balance": self.balance, "proxy_authkey": "key-of-acme", "date_created": created}

    def _changes_view(self, body: dict[str, Any]) -> object:
        return self.changes.get(body["change_id"])

    def _sub_users_view_single(self, body: dict[str, Any]) -> object:
        return _account(self._sub_user(body))

    def _sub_users_view_txs(self, body: dict[str, Any]) -> object:
        self._sub_user(body)
        return []

    def _sub_users_view_details(self, body: dict[str, Any]) -> object:
        sub_user = self._sub_user(body)
        return {
            **{name: sub_user[name] for name in ("username", "state", "limits", "note", "sign_in_ips")},
            **{"usable": True, "reason": None, "last_seen": None, "last_refusal": None, "refusals": []},
            "used": {"day_bytes": 0, "month_bytes": 0, "total_bytes": 0, "connections": None},
        }

    def _sub_users_view_page(self, body: dict[str, Any]) -> object:
        names = sorted(name for name in self.sub_users if name > body.get("after", ""))
        rows = names[: body["limit"]]
        used = {"day_bytes": 0, "month_bytes": 0, "total_bytes": 0}
        more = {"state": "active", "usable": True, "reason": None, "used": used}
        listed = [{**_account(self.sub_users[name]), **more} for name in rows]
        return {"sub_users": listed, "next": rows[-1] if len(rows) < len(names) else None}

    def _webhooks_view_all(self, body: dict[str, Any]) -> object:
        return [{**webhook, "behind": 0} for webhook in self.webhooks]

    def _tokens_view_all(self, body: dict[str, Any]) -> object:
        return self.tokens

    def _top_ups_view_page(self, body: dict[str, Any]) -> object:
        return {"top_ups": self.top_ups, "next": None}


def _account(sub_user: dict[str, Any]) -> dict[str, Any]:
    return {name: sub_user[name] for name in ("username", "balance", "proxy_authkey", "date_created")}


_CHANGES: dict[str, Any] = {
    "sub_users.create": ("create", Service._create),
    "sub_users.create_with": ("create_with", Service._create_with),
    "sub_users.give_balance": ("give_balance", Service._give),
    "sub_users.take_balance": ("take_balance", Service._take),
    "sub_users.reset_auth_key": ("reset_auth_key", Service._reset),
    "sub_users.suspend": ("suspend_sub_user", Service._suspend),
    "sub_users.resume": ("resume_sub_user", Service._resume),
    "sub_users.set_note": ("set_note", Service._set_note),
    "sub_users.set_limits": ("set_limits", Service._set_limits),
    "sub_users.set_sign_in_ips": ("set_sign_in_ips", Service._set_sign_in_ips),
    "sub_users.delete": ("delete_sub_user", Service._delete),
    "webhooks.create": ("create_webhook", Service._create_webhook),
    "webhooks.delete": ("delete_webhook", Service._delete_webhook),
    "tokens.create": ("create_token", Service._create_token),
    "tokens.end": ("end_token", Service._end_token),
    "top_ups.create": ("create_top_up", Service._create_top_up),
}
