import base64
import hmac
import json
import time


def verify_webhook(body: bytes, headers, secret: str) -> dict:
    """The event of a webhook. Raises ValueError if it was not signed with the secret in the last five minutes.
    `headers` are those of your framework, whose `get` ignores case."""
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    event_id, timestamp, signatures = (headers.get(name, "") for name in names)
    if not timestamp.isdecimal() or len(timestamp) > 12 or abs(time.time() - int(timestamp)) > 300:
        raise ValueError("the webhook is too old or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(key, content, "sha256"))
    if not any(hmac.compare_digest(expected, sent.encode()) for sent in signatures.split(" ")):
        raise ValueError("the webhook was not signed with this secret")
    return json.loads(body)
