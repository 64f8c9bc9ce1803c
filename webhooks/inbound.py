"""The frame of every inbound webhook: size limit, signature, store, then 2xx; no provider does any of it itself."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import format_datetime
from hashlib import sha256
from typing import Final, TypeVar

import fastapi
from fastapi.responses import JSONResponse
from loguru import logger
from starlette.exceptions import HTTPException

from triage.domain.errors import BadSignature, NotAMail, Refused, RefusedForNow, TooLarge
from triage.domain.mail import Received, Stub
from triage.services.intake import Intake
from webhooks.acceptance_log import AcceptanceLog
from webhooks.providers.base import Delivery, Provider, Request
from webhooks.providers.table import NEEDS
from webhooks.rebuilt_mail import Fields, mail_of
from webhooks.spool import RequestBody, Spool

HEAD: Final = 64 * 1024
"""Bytes that are read of a request known to be too large."""
QUOTED: Final = 8 * 1024
"""Bytes of it that stand in the mail about it: who wrote to whom about what."""
FLOOD: Final = 2
"""Times the limit that a stranger may send before the line is cut."""
AT_ONCE: Final = 1024 * 1024
"""Bytes up to which hashing and reading are quicker than the way to a thread and back."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Inbound:
    """`POST /webhooks/{provider}`: refusals leave as errors of ours, `app.py` knows their status."""

    intake: Intake
    providers: Mapping[str, Provider]
    max_bytes: int
    body_seconds: float
    """For the whole of a body: who sends a byte a minute does not hold a place for ever."""
    spool: Spool = field(default_factory=Spool)
    acceptance_log: AcceptanceLog = field(default_factory=AcceptanceLog)

    async def take(self, name: str, http: fastapi.Request) -> JSONResponse:
        """Keep what was brought, then acknowledge it by the names of its cases."""
        provider = self._open(name)
        with self.spool.body() as body:
            try:
                async with asyncio.timeout(self.body_seconds):
                    return await self._taken(provider, http, body)
            except TimeoutError:
                raise RefusedForNow(provider.name, "it sends too slowly") from None
            except Refused as e:
                if provider.drops_on_4xx:
                    raise RefusedForNow(provider.name, str(e)) from e
                raise

    async def _taken(self, provider: Provider, http: fastapi.Request, body: RequestBody) -> JSONResponse:
        headers, most = _headers(http), int(self.max_bytes * provider.max_expansion)
        declared, stream = _declared(headers), http.stream()
        await _fill(body, stream, declared, most)
        async with self.spool.turn(body) as whole:
            request = self._request(http, headers, whole)
            if max(body.size, declared) > most:
                arrived = [await _too_large(provider, request, stream, most)]
            else:
                arrived = await self._arrived(provider, request)
            cases = await self._keep_all(arrived)
        self.acceptance_log.add(provider.name, cases, body.size)
        self.intake.failpoint("intake.acked")
        return JSONResponse({"success": True, "cases": cases})

    def look(self, name: str) -> JSONResponse:
        """There is such a door, and it is open: Mandrill asks so before it lets anybody enter the address."""
        self._open(name)
        return JSONResponse({"success": True})

    def _open(self, name: str) -> Provider:
        """The provider, if its secret is set; the log says what is missing, the caller learns nothing."""
        if name not in self.providers:
            cure = f"set {' and '.join(NEEDS[name])}" if name in NEEDS else f"there are {', '.join(NEEDS)}"
            logger.bind(provider=name[:40], cure=cure).warning("webhook.closed")
            raise HTTPException(404)
        return self.providers[name]

    def _request(self, http: fastapi.Request, headers: Mapping[str, str], body: bytes) -> Request:
        return Request(
            headers=headers,
            body=body,
            at=self.intake.clock.now(),
            method=http.method,
            path=http.scope["path"],
            query=dict(http.query_params) if http.scope["query_string"] else {},
        )

    async def _arrived(self, provider: Provider, request: Request) -> list[Received]:
        """What the provider brought; what is authentic and unreadable is kept as it came, and a person finds it.

        On an error status the provider would try the same bytes for hours and then drop them.
        """
        await _aside(provider, provider.verify, request)
        source = f"webhook:{provider.name}"
        try:
            deliveries = await _aside(provider, provider.read, request)
        except NotAMail as e:
            logger.bind(provider=provider.name, error=str(e)).warning("webhook.unreadable")
            name = sha256(request.body).hexdigest()
            stub = Stub.UNREADABLE
            return [Received(source=f"{source}:{stub}", source_id=name, raw=request.body, at=request.at, stub=stub)]
        return [_received(source, delivery, request) for delivery in deliveries]

    async def _keep_all(self, arrived: Sequence[Received]) -> list[str]:
        """The ids of their cases; mails of one request share a commit, and a lone one needs no task of its own."""
        if len(arrived) == 1:
            return [await self._keep(arrived[0])]
        return await asyncio.gather(*map(self._keep, arrived))

    async def _keep(self, received: Received) -> str:
        """The id of its case. A mail that outgrows the limit only now, inside a request that did not, leaves a stub."""
        try:
            return await self.intake.accept(received)
        except TooLarge as e:
            return await self.intake.accept(_stub(received, e))


async def _fill(body: RequestBody, stream: AsyncIterator[bytes], declared: int, most: int) -> None:
    """With all of it, or a first piece where it is too large."""
    enough = HEAD if declared > most else most
    async for chunk in stream:
        body.add(chunk)
        if body.size > enough:
            break


async def _too_large(provider: Provider, request: Request, stream: AsyncIterator[bytes], most: int) -> Received:
    """What to do with a request that is larger than the largest mail.

    A provider that proves itself without its body (Postmark) gets 2xx, and a mail about the mail becomes the case: on
    an error it would try the same again for hours, then drop the mail. Where the signature covers the body there is no
    proof, and strangers shall not fill the database with stubs: 413 tells the mail server that sends, which still has
    the mail and tells its author.
    """
    known, size = _proves_itself(provider, request), len(request.body)
    async for chunk in stream:  # who is cut off while sending does not hear the answer; a stranger's flood ends, too
        size += len(chunk)
        if size > FLOOD * most and not known:
            break
    if not known:
        raise TooLarge(size, most)
    name = sha256(request.body[:HEAD]).hexdigest()
    begin = Received(source=f"webhook:{provider.name}", source_id=name, raw=request.body, at=request.at)
    return _stub(begin, TooLarge(size, most))


def _proves_itself(provider: Provider, request: Request) -> bool:
    try:
        provider.verify(request)
    except BadSignature:
        return False
    return True


def _stub(received: Received, e: TooLarge) -> Received:
    """A small mail that stands for one that was too large."""
    logger.bind(source=received.source, size=e.size, limit=e.limit).warning("webhook.oversize")
    text = (
        f"A mail came in that was too large to take: {e.size:,} bytes, where {e.limit:,} are the limit.\n"
        "It was not kept. Find it where it came from, or raise MAX_MAIL_BYTES and have it sent again.\n"
        f"Source: {received.source}, delivery: {received.source_id}\n\nIt began like this:\n\n"
    )
    begin = received.raw[:QUOTED].decode("utf-8", "replace")
    words = [("Subject", "A mail was too large to take"), ("Date", format_datetime(received.at))]
    raw = mail_of(Fields(headers=[], words=words, text=text + begin))
    stub = Stub.OVERSIZE
    return Received(
        source=f"{received.source}:{stub}", source_id=received.source_id, raw=raw, at=received.at, stub=stub
    )


def _received(source: str, delivery: Delivery, request: Request) -> Received:
    return Received(
        source=source,
        source_id=delivery.id,
        raw=delivery.raw,
        at=request.at,
        verdict=delivery.verdict,
        token=delivery.token,
        stub=delivery.stub,
    )


def _headers(http: fastapi.Request) -> dict[str, str]:
    """By name, in one pass; several of one name are one list, as RFC 9110 has it."""
    found: dict[str, str] = {}
    for name, value in http.headers.items():
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def _declared(headers: Mapping[str, str]) -> int:
    """What the caller says of the length; 0 where it does not, and then the bytes are counted."""
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdecimal() else 0


async def _aside(provider: Provider, work: Callable[[Request], T], request: Request) -> T:
    """Large bodies are hashed and read in a thread, and others are asked there: health checks and other mails go on."""
    return await asyncio.to_thread(work, request) if provider.blocking or len(request.body) > AT_ONCE else work(request)
