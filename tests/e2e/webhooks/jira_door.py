"""Jira tells of a ticket, signed with one of two secrets."""

import hmac
import json

import httpx2

SECRET = "a-secret-of-more-than-24-characters"
OLD = "another-secret-of-more-than-24-characters"


def announced(url: str, key: str, secret: str = SECRET, *, name: str = "", garble: bytes = b"") -> httpx2.Response:
    """What is answered to Jira when it tells of a ticket."""
    body = json.dumps({"webhookEvent": "jira:issue_updated", "issue": {"key": key, "fields": {"summary": "Xylophone"}}})
    signature = hmac.new(secret.encode(), body.encode(), "sha256").hexdigest()
    headers = {"X-Hub-Signature": f"sha256={signature}", **({"X-Atlassian-Webhook-Identifier": name} if name else {})}
    return httpx2.post(f"{url}/webhooks/jira", content=body.encode() + garble, headers=headers)
