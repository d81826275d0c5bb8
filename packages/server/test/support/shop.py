"""
A shop, written by the documents alone. For each order it makes a reseller, credits its payment, and makes its sub-users, each
with a package. It may be killed at any moment and started again: each change is done once.

    BURSAR_URL=... OPERATOR_URL=... OPERATOR_TOKEN=bro_... shop.py ORDERS FOLDER

ORDERS is a JSON array of {order, date (YYYY-MM-DD), reseller, payment, packages, package: {balance, total_bytes, expires_at, note}}.
FOLDER keeps what cannot be derived from an order: the token of its reseller, and in the end the pairs, which mark it as done.
Each change has an id made of its order, so another run sends the same change again.

It prints a line before each request, when it is sent, and after its answer. With SHOP_STEPS=1 it goes on after each line only
when it has read one.
"""
import http.client
import json
import os
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

ANSWER_WITHIN_S = 10
EXPIRES_IN_S = 5
TOKEN_WORKS_WITHIN_S = 300
LONGEST_PAUSE_S = 2


class NeedsPerson(Exception):
    """Nothing that a repetition would change."""


def say(line):
    print(line, flush=True)
    if os.environ.get("SHOP_STEPS") == "1" and not sys.stdin.readline():
        sys.exit("nobody lets the shop go on")


def keep(path, text):
    """Writes a file as a whole, on disk, and readable by nobody else."""
    part = path.with_suffix(".part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


class Api:
    """Calls of one API with one token."""

    def __init__(self, url, token):
        self.base = urlsplit(url)
        kind = http.client.HTTPSConnection if self.base.scheme == "https" else http.client.HTTPConnection
        self.connection = kind(self.base.netloc, timeout=ANSWER_WITHIN_S)
        self.token = token
        self.made_at = time.monotonic()
        self.answered = (int(time.time()), time.monotonic())

    def now(self):
        """The time by the service's clock; before its first answer, by ours."""
        timestamp, at = self.answered
        return timestamp + int(time.monotonic() - at)

    def call(self, path, body=None, change_id=None, reference=None):
        """Sends it until the service answers. Returns status, code and data."""
        pause = 0.05
        name = f"{path} {change_id or ''}".strip()
        while True:
            expires = str(self.now() + EXPIRES_IN_S)
            headers = {"Authorization": f"Bearer {self.token}", "X-Request-Expires": expires}
            if body is not None:
                headers["Content-Type"] = "application/json"
            if change_id:
                headers["X-Change-Id"] = change_id
            if reference:
                headers["X-Reference"] = reference
            try:
                status, code, data, retry_after = self.attempt(name, path, body, headers)
            except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
                self.connection.close()
                say(f"lost {name}: {type(error).__name__}")
                retry_after = 0
            else:
                say(f"answer {name}: {status} {code or ''}".strip())
                is_new_token = status == 401 and time.monotonic() < self.made_at + TOKEN_WORKS_WITHIN_S
                if status != 503 and not is_new_token:
                    return status, code, data
            time.sleep(max(pause, retry_after))
            pause = min(pause * 2, LONGEST_PAUSE_S)

    def attempt(self, name, path, body, headers):
        say(f"send {name}")
        self.connection.request("GET" if body is None else "POST", self.base.path + path, body and json.dumps(body), headers)
        say(f"sent {name}")
        response = self.connection.getresponse()
        envelope = json.loads(response.read())
        status, code = response.status, response.headers.get("X-Error-Code")
        if envelope["status"] != status or (status != 200 and code is None):
            raise ValueError("not an answer of the service")
        for header in ("X-Change-Id", "X-Request-Expires"):
            sent, echo = headers.get(header, "honoured"), response.headers.get(header)
            if echo != sent and echo in (None, "honoured"):
                raise NeedsPerson(f"something on the way removes {header}")
            if echo != sent:
                raise ValueError("an answer to another request")
        self.answered = (envelope["timestamp"], time.monotonic())
        return status, code, envelope["data"], int(response.headers.get("Retry-After", 0))

    def read(self, path, body=None, change_id=None):
        status, code, data = self.call(path, body, change_id)
        if status != 200:
            raise NeedsPerson(f"{path}: {status} {code}")
        return data

    def change(self, path, body, change_id, views, expected, reference=None):
        """Makes a change. Returns the data of its answer, or None if an earlier attempt did it."""
        status, code, data = self.call(path, body, change_id, reference)
        if status == 200:
            return data
        if code != "change_repeated":
            # An attempt of before, or of another run, may still be on its way. Its expiry ends it.
            last = self.now() + EXPIRES_IN_S
            while self.read(views, {"change_id": change_id}) is None and self.now() < last + 5:
                time.sleep(1)
        found = self.read(views, {"change_id": change_id})
        if found is None:
            raise NeedsPerson(f"{path} {change_id}: {status} {code}")
        if {field: found[field] for field in expected} != expected:
            raise NeedsPerson(f"{change_id} belongs to another change: {found}")
        return None


class Sale:
    """One order."""

    def __init__(self, order, folder):
        self.order = order
        self.reseller = order["reseller"]
        self.id = f"{order['date'].replace('-', '')}-order-{order['order']}"
        self.numbers = range(1, order["packages"] + 1)
        self.token = folder / f"{self.id}.token"
        self.pairs = folder / f"{self.id}.pairs"

    def fulfil(self):
        if self.pairs.exists():
            return
        operator = Api(os.environ["OPERATOR_URL"] + "/operator/v1/", os.environ["OPERATOR_TOKEN"])
        # The first request to each API is a read: it tells the time, and that ids and expiries arrive.
        operator.read("changes/view", {"change_id": f"{self.id}-create"}, self.id)
        if not self.token.exists():
            token = self.make_reseller(operator)
            keep(self.token, token)
            say("kept token")
        self.credit(operator)
        reseller = Api(os.environ["BURSAR_URL"] + "/reseller/", self.token.read_text())
        sold = self.sold(reseller)
        for number in self.numbers:
            if f"{self.id}-{number}" not in sold:
                self.sell(reseller, number)
        there = {sub_user["username"]: sub_user for sub_user in reseller.read("sub_users/view_all")}
        keep(self.pairs, json.dumps([[name, there[name]["proxy_authkey"]] for name in map(self.name, self.numbers)]))
        say("kept pairs")

    def make_reseller(self, operator):
        """The token of the new reseller. One whose answer was lost is replaced."""
        def change(call, kind, change_id):
            expected = {"kind": kind, "target": self.reseller}
            body = {"username": self.reseller}
            return operator.change(f"resellers/{call}", body, change_id, "changes/view", expected)

        told = change("create", "create_reseller", f"{self.id}-create")
        tries = 0
        while told is None:
            # A number that was used was told and lost. A late copy of it changes nothing, so it cannot end the token of a later one.
            tries += 1
            told = change("end_tokens", "end_all_tokens", f"{self.id}-token-{tries}")
        return told["token"]

    def credit(self, operator):
        payment = self.order["payment"]
        body = {"username": self.reseller, "amount_usd_cents": payment, "reference": self.id}
        expected = {"kind": "top_up", "target": f"{self.reseller} {payment}"}
        operator.change("resellers/credit", body, f"{self.id}-credit", "changes/view", expected)

    def sold(self, reseller):
        """The references of what was sold, however long ago: ids are remembered for 48 hours."""
        sold, page = set(), {"next": None, "more": True}
        while page["more"]:
            body = {"order": "oldest", "from": self.order["date"], "after": page["next"], "limit": 1000}
            page = reseller.read("statement/view_page", body, self.id)
            sold.update(movement["reference"] for movement in page["movements"] if movement["kind"] == "give")
        return sold

    def name(self, number):
        return f"{self.reseller}.{number}"

    def sell(self, reseller, number):
        package, name, sale = self.order["package"], self.name(number), f"{self.id}-{number}"
        body = {
            "username": name,
            "amount_usd_cents": package["balance"],
            "limits": {"total_bytes": package["total_bytes"], "expires_at": package["expires_at"]},
            "note": package["note"],
        }
        expected = {"kind": "create_with", "username": name, "amount": package["balance"], "error": None}
        reseller.change("sub_users/create_with", body, sale, "changes/view", expected, sale)


def main():
    orders, folder = sys.argv[1:]
    try:
        for order in json.loads(Path(orders).read_text()):
            Sale(order, Path(folder)).fulfil()
            say(f"done {order['order']}")
    except NeedsPerson as error:
        sys.exit(f"a person must look: {error}")


main()
