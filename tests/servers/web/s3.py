"""A bucket that speaks S3 on loopback: it checks each signature as Amazon does, and can be in trouble."""

import hashlib
import hmac
import re
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from triage_sandbox.server import Served

KEY_ID: Final = "triage-tests"
SECRET: Final = "a-secret-of-the-tests"
BUCKET: Final = "mails"
REGION: Final = "eu-test-1"
SKEW: Final = timedelta(minutes=15)
_PROOF: Final = re.compile(
    r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8}/[^/]+/s3/aws4_request),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})"
)

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


@dataclass
class S3Server:
    """Objects by path; `answer` takes the place of what it would do, `lost` forgets to say what it did."""

    objects: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    answer: tuple[int, str] | None = None
    lost: bool = False
    url: str = ""

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            part = await receive()
            body, more = body + part.get("body", b""), part.get("more_body", False)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        path = scope["raw_path"].decode()
        self.asked.append(f"{scope['method']} {path}")
        status, content = self.answer or _refused(scope, path, headers, body) or self._done(scope["method"], path, body)
        if self.lost:
            scope["drop"]()
        if isinstance(content, str):
            content = f"<Error><Code>{content}</Code></Error>".encode() if content else b""
        length = (b"content-length", str(len(content)).encode())
        await send({"type": "http.response.start", "status": status, "headers": [length]})
        await send({"type": "http.response.body", "body": content})

    def _done(self, method: str, path: str, body: bytes) -> tuple[int, bytes | str]:
        if not path.startswith(f"/{BUCKET}/"):
            return 404, "NoSuchBucket"
        if method == "PUT":
            self.objects[path] = body
            return 200, ""
        if method == "DELETE":
            self.objects.pop(path, None)
            return 204, ""
        return (200, self.objects[path]) if path in self.objects else (404, "NoSuchKey")


def _refused(
    scope: MutableMapping[str, Any], path: str, headers: dict[str, str], body: bytes
) -> tuple[int, str] | None:
    """Why the request is not taken, by the four steps of Amazon's description."""
    proof = _PROOF.fullmatch(headers.get("authorization", ""))
    if not proof:
        return 403, "AccessDenied"
    key_id, scope_of_key, names, signature = proof.groups()
    moment = headers.get("x-amz-date", "")
    if key_id != KEY_ID or scope_of_key.split("/")[1] != REGION:
        return 403, "InvalidAccessKeyId"
    if abs(datetime.strptime(moment, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) - datetime.now(UTC)) > SKEW:
        return 403, "RequestTimeTooSkewed"
    hashed = headers.get("x-amz-content-sha256", "")
    if hashed != hashlib.sha256(body).hexdigest():
        return 400, "XAmzContentSHA256Mismatch"
    lines = [f"{name}:{headers[name]}" for name in names.split(";")]
    request = [scope["method"], path, scope["query_string"].decode(), *lines, "", names, hashed]
    digest = hashlib.sha256("\n".join(request).encode()).hexdigest()
    key = b"AWS4" + SECRET.encode()
    for part in scope_of_key.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope_of_key}\n{digest}"
    same = hmac.compare_digest(hmac.new(key, text.encode(), hashlib.sha256).hexdigest(), signature)
    return None if same and {"host", "x-amz-date"} <= set(names.split(";")) else (403, "SignatureDoesNotMatch")


@contextmanager
def bucket() -> Iterator[S3Server]:
    """A server with an empty bucket."""
    server = S3Server()
    with Served(server, lifespan="off") as served:
        server.url = served.url
        yield server


def settings_of(server: S3Server) -> dict[str, str]:
    """What Triage's settings say of it."""
    return {
        "ARCHIVE_TO": f"s3://{BUCKET}/triage",
        "S3_ENDPOINT": server.url,
        "S3_REGION": REGION,
        "S3_KEY_ID": KEY_ID,
        "S3_SECRET_KEY": SECRET,
    }
