"""Handles inbound webhooks: size limit, signature, store, then 2xx; providers do none of it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import format_datetime
from hashlib import sha256
from typing import Final, TypeVar

from loguru import logger
from starlette import requests
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from triage.domain.errors import BadSignature, NotAMail, Refused, RefusedForNow, TooLarge
from triage.domain.mail import Received, Stub
from triage.services.intake import Intake
from webhooks.acceptance_log import AcceptanceLog
from webhooks.providers.base import InboundDelivery, Provider, Request
from webhooks.providers.table import NEEDS
from webhooks.rebuilt_mail import Fields, mail_of
from webhooks.spool import RequestBody, Spool

HEAD_BYTES: Final = 64 * 1024
"""Bytes kept of a request that declares itself too large."""
QUOTED_BYTES: Final = 8 * 1024
"""Bytes of it quoted in the stub: enough for sender, recipient and subject."""
FLOOD_FACTOR: Final = 2
"""Factor over the limit at which we stop reading an unverified request."""
INLINE_BYTES: Final = 1024 * 1024
"""Bytes up to which verifying and reading take less time than a switch to a thread."""
RAW_SUFFIX: Final = "/mime"
"""An ending of a provider's address that changes nothing here. Mailgun posts raw mail only to a URL that ends in `mime`:
https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http"""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Inbound:
    """Handles `POST /webhooks/{provider}`; raises errors of `triage.domain`, for which `app.py` has the HTTP status."""

    intake: Intake
    providers: Mapping[str, Provider]
    max_bytes: int
    body_seconds: float
    """Seconds for a whole request, so that a slow client does not occupy memory for ever."""
    spool: Spool = field(default_factory=Spool)
    acceptance_log: AcceptanceLog = field(default_factory=AcceptanceLog)

    async def receive(self, name: str, http: requests.Request) -> JSONResponse:
        """Store the mails of a request, then answer 200 with the ids of their cases.

        Raises `BadSignature`, `TooLarge`, `Transient`, and `HTTPException` 404 for a provider that is not switched on.
        """
        provider = self._provider(name)
        with self.spool.body() as body:
            try:
                async with asyncio.timeout(self.body_seconds):
                    return await self._handle(provider, http, body)
            except TimeoutError:
                raise RefusedForNow(provider.name, "it sends too slowly") from None
            except Refused as e:
                if provider.drops_on_4xx:
                    raise RefusedForNow(provider.name, str(e)) from e
                raise

    async def _handle(self, provider: Provider, http: requests.Request, body: RequestBody) -> JSONResponse:
        headers, limit = _headers(http), int(self.max_bytes * provider.max_expansion)
        declared, stream = _declared(headers), http.stream()
        await _fill(body, stream, declared, limit)
        async with self.spool.whole(body) as whole:
            request = self._request(http, headers, whole)
            if max(body.size, declared) > limit:
                arrived = [await _too_large(provider, request, stream, limit)]
            else:
                arrived = await self._read(provider, request)
            cases = await self._store_all(arrived)
        self.acceptance_log.add(provider.name, cases, body.size)
        self.intake.failpoint("intake.acked")
        return JSONResponse({"success": True, "cases": cases})

    def head(self, name: str) -> JSONResponse:
        """Answer HEAD: 200 if the provider is switched on. Mandrill checks this before it accepts the URL."""
        self._provider(name)
        return JSONResponse({"success": True})

    def _provider(self, name: str) -> Provider:
        """Return the provider if its secret is set, else raise 404; only the log says which variable is missing."""
        name = name.removesuffix(RAW_SUFFIX)
        if name not in self.providers:
            cure = f"set {' and '.join(NEEDS[name])}" if name in NEEDS else f"there are {', '.join(NEEDS)}"
            logger.bind(provider=name[:40], cure=cure).warning("webhook.closed")
            raise HTTPException(404)
        return self.providers[name]

    def _request(self, http: requests.Request, headers: Mapping[str, str], body: bytes) -> Request:
        return Request(
            headers=headers,
            body=body,
            at=self.intake.clock.now(),
            method=http.method,
            path=http.scope["path"],
            query=dict(http.query_params) if http.scope["query_string"] else {},
        )

    async def _read(self, provider: Provider, request: Request) -> list[Received]:
        """Verify and read a request. Store an authentic but unreadable one as a stub, for a person to look at.

        On an error status the provider would send the same bytes for hours and then drop them.
        """
        await _in_thread(provider, provider.verify, request)
        source = f"webhook:{provider.name}"
        try:
            deliveries = await _in_thread(provider, provider.read, request)
        except NotAMail as e:
            logger.bind(provider=provider.name, error=str(e)).warning("webhook.unreadable")
            name = sha256(request.body).hexdigest()
            stub = Stub.UNREADABLE
            return [Received(source=f"{source}:{stub}", source_id=name, raw=request.body, at=request.at, stub=stub)]
        return [_received(source, delivery, request) for delivery in deliveries]

    async def _store_all(self, arrived: Sequence[Received]) -> list[str]:
        """Store the mails and return their case ids. Concurrent mails share a commit; a single one needs no task."""
        if len(arrived) == 1:
            return [await self._store(arrived[0])]
        return await asyncio.gather(*map(self._store, arrived))

    async def _store(self, received: Received) -> str:
        """Store one mail and return its case id; a stub if it exceeds the limit although its request did not."""
        try:
            return await self.intake.accept(received)
        except TooLarge as e:
            return await self.intake.accept(_stub(received, e))


async def _fill(body: RequestBody, stream: AsyncIterator[bytes], declared: int, limit: int) -> None:
    """Read the stream into `body`; stop early where it is too large."""
    enough = HEAD_BYTES if declared > limit else limit
    async for chunk in stream:
        body.add(chunk)
        if body.size > enough:
            break


async def _too_large(provider: Provider, request: Request, stream: AsyncIterator[bytes], limit: int) -> Received:
    """Return a stub for a request above the size limit, or raise `TooLarge`.

    A provider that is verified without its body (Postmark) gets 2xx and a stub: on an error it would retry for hours,
    then drop the mail. Where the signature covers the body nothing is verified, and strangers must not fill the database
    with stubs: on 413 the sending mail server, which still has the mail, informs its author.
    """
    verified, size = _proves_itself(provider, request), len(request.body)
    async for chunk in stream:  # read on, since a client that is cut off while sending does not get the answer
        size += len(chunk)
        if size > FLOOD_FACTOR * limit and not verified:
            break
    if not verified:
        raise TooLarge(size, limit)
    name = sha256(request.body[:HEAD_BYTES]).hexdigest()
    begin = Received(source=f"webhook:{provider.name}", source_id=name, raw=request.body, at=request.at)
    return _stub(begin, TooLarge(size, limit))


def _proves_itself(provider: Provider, request: Request) -> bool:
    try:
        provider.verify(request)
    except BadSignature:
        return False
    return True


def _stub(received: Received, e: TooLarge) -> Received:
    """Return a small mail in place of one that is too large, and log it."""
    logger.bind(source=received.source, size=e.size, limit=e.limit).warning("webhook.oversize")
    text = (
        f"A mail came in that was too large to take: {e.size:,} bytes, where {e.limit:,} are the limit.\n"
        "It was not kept. Find it where it came from, or raise MAX_MAIL_BYTES and have it sent again.\n"
        f"Source: {received.source}, delivery: {received.source_id}\n\nIt began like this:\n\n"
    )
    begin = received.raw[:QUOTED_BYTES].decode("utf-8", "replace")
    words = [("Subject", "A mail was too large to take"), ("Date", format_datetime(received.at))]
    raw = mail_of(Fields(headers=[], words=words, text=text + begin))
    stub = Stub.OVERSIZE
    return Received(
        source=f"{received.source}:{stub}", source_id=received.source_id, raw=raw, at=received.at, stub=stub
    )


def _received(source: str, delivery: InboundDelivery, request: Request) -> Received:
    return Received(
        source=source,
        source_id=delivery.id,
        raw=delivery.raw,
        at=request.at,
        verdict=delivery.verdict,
        token=delivery.token,
        stub=delivery.stub,
    )


def _headers(http: requests.Request) -> dict[str, str]:
    """Headers by lower-case name; repeated ones are joined by a comma, as RFC 9110 (5.3) has it."""
    found: dict[str, str] = {}
    for name, value in http.headers.items():
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def _declared(headers: Mapping[str, str]) -> int:
    """Content-Length in bytes; 0 where it is missing or invalid, so that only the bytes read count."""
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdecimal() else 0


async def _in_thread(provider: Provider, work: Callable[[Request], T], request: Request) -> T:
    """Run `work` in a thread if the body is large or the provider blocks, so that the event loop stays free."""
    return (
        await asyncio.to_thread(work, request)
        if provider.blocking or len(request.body) > INLINE_BYTES
        else work(request)
    )
