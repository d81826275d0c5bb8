"""
A receiver of webhooks that mirrors the state of sub-users, verified with `standardwebhooks`. Some requests fail, and of some
the answer is lost. A GET tells the mirror. Argument: a seed. Prints its port, and reads the secret from its input.
"""
import json
import random
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks.webhooks import Webhook

chance = random.Random(int(sys.argv[1]))
mirror = {"last": 0, "sub_users": {}, "posts": 0, "repeated": 0, "faults": []}
seen = set()


def apply(event):
    kind, name, data = event["type"], event.get("username"), event["data"]
    sub_users = mirror["sub_users"]
    if kind == "sub_user.created":
        sub_users[name] = {"reason": data["reason"], "suspended": False, "expires_at": None}
    elif kind == "sub_user.deleted":
        del sub_users[name]
    elif kind in ("sub_user.suspended", "sub_user.resumed"):
        sub_users[name]["suspended"] = kind == "sub_user.suspended"
    elif kind == "sub_user.limits_set":
        sub_users[name]["expires_at"] = data["limits"]["expires_at"]
    elif kind in ("sub_user.unusable", "sub_user.usable"):
        sub_users[name]["reason"] = data.get("reason")


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer(200, json.dumps(mirror).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        mirror["posts"] += 1
        if chance.random() < 0.005:
            return self.answer(500, b"")
        try:
            event = webhook.verify(body, {name.lower(): value for name, value in self.headers.items()})
            if event["id"] in seen:
                mirror["repeated"] += 1
            elif event["number"] != mirror["last"] + 1:
                mirror["faults"].append(f"{event['number']} after {mirror['last']}")
            else:
                seen.add(event["id"])
                mirror["last"] = event["number"]
                apply(event)
        except Exception as error:
            mirror["faults"].append(repr(error))
        if chance.random() < 0.005:
            self.connection.close()
        else:
            self.answer(204, b"")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
webhook = Webhook(sys.stdin.readline().strip())
server.serve_forever()
