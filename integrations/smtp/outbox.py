"""The port `Outbox` over SMTP: one kept connection, and an exact answer to whether a letter has left."""

import asyncio
import re
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPServerDisconnected,
)

from integrations.imap.errors import error_text
from integrations.imap.login import Login, Secret
from integrations.imap.session import Tls
from triage.domain.errors import MailboxDenied, MailboxDown, TriageError
from triage.domain.letters.errors import LetterRefused, LetterUnconfirmed, OutboxDenied, OutboxDown
from triage.domain.ports import Failpoint, no_failpoint

LASTING: Final = 500
UNKNOWN_ACCOUNT: Final = frozenset({530, 534, 535, 538})
"""Codes that ask for another login, whatever the command."""

ANSWER: Final = 60.0
"""Seconds to wait for the answer to a command."""
LAST_ANSWER: Final = 180.0
"""Seconds to wait for the answer to the letter itself, which the server may scan first."""
KEPT: Final = 20.0
"""Seconds that an idle connection is used again; servers hang up after some minutes."""
GO_AHEAD: Final = 354
TAKEN: Final = range(200, 300)
LEAST_REFUSAL: Final = 400
_DOT: Final = re.compile(rb"(?m)^\.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpServer:
    """Where letters are handed over."""

    host: str
    port: int
    user: str = ""
    """Empty: without login."""
    tls: Tls = Tls.STARTTLS
    context: ssl.SSLContext | None = None
    """The certificates to trust; None: those of the system."""
    hello: str = "localhost"
    """Our name in EHLO."""
    answer: float = ANSWER
    last_answer: float = LAST_ANSWER


class SmtpOutbox:
    """The port `Outbox`: one connection, used by one letter at a time."""

    def __init__(
        self,
        server: SmtpServer,
        login: Login | None = None,
        failpoint: Failpoint = no_failpoint,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._server = server
        self._login = login
        self._failpoint = failpoint
        self._clock = clock
        self._kept: SMTP | None = None
        self._used = 0.0
        self._lock = asyncio.Lock()

    async def send(self, raw: bytes, sender: str, to: Sequence[str]) -> Mapping[str, str]:
        """Hand over a mail once; return the refused recipients with the server's words."""
        async with self._lock:
            try:
                client, refused = await self._addressed(raw, sender, to)
                await self._handed_over(client, raw)
            except BaseException:
                await self._drop()
                raise
            self._used = self._clock()
            return refused

    async def check(self) -> str:
        async with self._lock:
            await self._drop()
            with before_the_letter():
                client = await self._connected()
            offered = ", ".join(sorted(client.esmtp_extensions))
            await self._drop()
            return offered or "no extensions"

    async def close(self) -> None:
        """Send QUIT and close the connection."""
        async with self._lock:
            await self._drop()

    async def _addressed(self, raw: bytes, sender: str, to: Sequence[str]) -> tuple[SMTP, Mapping[str, str]]:
        """Name sender and recipients, over the kept connection if it still works; nothing of the letter is sent."""
        with before_the_letter():
            if self._kept is not None and self._kept.is_connected and self._clock() - self._used < KEPT:
                with suppress(SMTPServerDisconnected):
                    return self._kept, await self._envelope(self._kept, raw, sender, to)
            await self._drop()
            client = await self._connected()
            return client, await self._envelope(client, raw, sender, to)

    async def _envelope(self, client: SMTP, raw: bytes, sender: str, to: Sequence[str]) -> Mapping[str, str]:
        """Return the recipients that are refused for good. Raises if one may pass later, or if none is taken."""
        limit = client.esmtp_extensions.get("size", "")
        if limit.isdecimal() and 0 < int(limit) < len(raw):
            raise LetterRefused(f"it has {len(raw)} bytes, and the server takes {limit}")
        await client.mail(sender)
        refused: dict[str, str] = {}
        for address in to:
            try:
                await client.rcpt(address)
            except SMTPRecipientRefused as e:
                if e.code < LASTING:
                    raise
                refused[address] = (
                    f"{e.code} {error_text(e)}" if not e.message else f"{e.code} {' '.join(e.message.split())}"[:200]
                )
        if len(refused) == len(to):
            raise LetterRefused("; ".join(f"{one}: {why}" for one, why in refused.items()), tuple(refused))
        self._failpoint("smtp.envelope")
        return refused

    async def _handed_over(self, client: SMTP, raw: bytes) -> None:
        """Send the letter. From its first byte on a lost answer means that nobody knows."""
        with before_the_letter():
            code, words = await client.execute_command(b"DATA")
            if code != GO_AHEAD:
                raise _not_taken(code, words)
            protocol = client.protocol
            if protocol is None:
                raise SMTPServerDisconnected("Connection lost")
            protocol.write(_stuffed(raw))
        try:
            self._failpoint("smtp.data_sent")
            code, words = await protocol.read_response(self._server.last_answer)
        except (OSError, SMTPException) as e:
            raise LetterUnconfirmed(error_text(e)) from e
        if code not in TAKEN:
            raise _not_taken(code, words)
        self._failpoint("smtp.250")

    async def _connected(self) -> SMTP:
        """Connect and log in; try once more with a new token if the old one is refused."""
        secret = await self._login.secret() if self._login else None
        try:
            return await self._logged_in(secret)
        except SMTPResponseException as e:
            if self._login is None or answered(e.code, e.message, login=True).__class__ is not OutboxDenied:
                raise
            if not self._login.refused():
                raise
        return await self._logged_in(await self._login.secret())

    async def _logged_in(self, secret: Secret | None) -> SMTP:
        server = self._server
        self._kept = client = _client_of(server)
        await client.connect()
        if secret and secret.is_token:
            await client.auth_xoauth2(server.user, secret.text)
        elif secret:
            await client.login(server.user, secret.text)
        else:
            await client.ehlo()
        return client

    async def _drop(self) -> None:
        """Close the connection, politely if it stands."""
        client, self._kept = self._kept, None
        if client is None:
            return
        with suppress(OSError, SMTPException):
            if client.is_connected:
                await client.quit(timeout=2.0)
        client.close()


def _stuffed(raw: bytes) -> bytes:
    """Double leading dots and end with the line of one dot (RFC 5321, 4.5.2)."""
    return _DOT.sub(b"..", raw if raw.endswith(b"\r\n") else raw + b"\r\n") + b".\r\n"


def _not_taken(code: int, words: str) -> Exception:
    """Return the error for an answer that takes nothing: refused from 400 on, else nobody knows."""
    return answered(code, words) if code >= LEAST_REFUSAL else LetterUnconfirmed(f"{code} {words}"[:200])


def _client_of(server: SmtpServer) -> SMTP:
    return SMTP(
        hostname=server.host,
        port=server.port,
        local_hostname=server.hello,
        timeout=server.answer,
        use_tls=server.tls is Tls.SSL,
        start_tls=server.tls is Tls.STARTTLS,
        tls_context=server.context,
    )


@contextmanager
def before_the_letter() -> Iterator[None]:
    """Raise `OutboxDown` or `OutboxDenied` for all that happens before the letter's first byte: nothing was sent."""
    try:
        yield
    except (SMTPAuthenticationError, SMTPResponseException) as e:
        raise answered(e.code, e.message, login=isinstance(e, SMTPAuthenticationError)) from e
    except SMTPNotSupported as e:
        raise OutboxDenied(error_text(e)) from e
    except MailboxDown as e:
        raise OutboxDown(e.detail) from e
    except MailboxDenied as e:
        raise OutboxDenied(e.detail) from e
    except (OSError, SMTPException) as e:
        raise _unreached(e) from e


def _unreached(e: OSError | SMTPException) -> OutboxDown | OutboxDenied:
    """Return our error for a server that cannot be talked to, or not as it must be."""
    for one in (e, e.__cause__):
        if isinstance(one, ssl.SSLCertVerificationError):
            return OutboxDenied(f"its certificate is not trusted: {one.verify_message}")
    if not isinstance(e, OSError):  # no way to log in, no STARTTLS
        return OutboxDenied(error_text(e))
    return OutboxDown(error_text(e))


def answered(code: int, message: str, *, login: bool = False) -> TriageError:
    """Return our error for a negative answer: 4xx may pass, 5xx does not."""
    words = f"{code} {' '.join(message.split())}"[:200]
    if code < LASTING:
        return OutboxDown(words)
    return OutboxDenied(words) if login or code in UNKNOWN_ACCOUNT else LetterRefused(words)
