"""A real mail server on loopback (aiosmtpd) that keeps what it accepted, answers as told, and cuts the line where it is told."""

import asyncio
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session, syntax

from tests.conftest import PATIENCE
from tests.servers import free_port

USER, PASSWORD = "bot", "sésame öffne dich"


@dataclass(frozen=True)
class Accepted:
    """A mail that the server has taken."""

    sender: str
    to: tuple[str, ...]
    raw: bytes

    @property
    def message(self) -> Message:
        """Parsed by the standard library."""
        return message_from_bytes(self.raw)


@dataclass
class MailServer:
    """A running server. `cuts` and `answers` are used up one by one, by step."""

    port: int = 0
    cuts: dict[str, int] = field(default_factory=dict)
    """Step → how often the line is cut there: connect, ehlo, auth, mail, rcpt, data, body, lost (after the mail was accepted),
    unkept (after it was received, without accepting it)."""
    answers: dict[str, list[str]] = field(default_factory=dict)
    """Step or address → answers instead of the usual ones, in order."""
    accepted: list[Accepted] = field(default_factory=list)
    connections: int = 0
    tokens: set[str] = field(default_factory=set)
    """OAuth tokens that are good."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    open: list[Any] = field(default_factory=list)
    """Transports of connections."""

    def cut(self, step: str, protocol: SMTP) -> bool:
        """Cut the line at this step, if that is due."""
        with self.lock:
            if not self.cuts.get(step):
                return False
            self.cuts[step] -= 1
        protocol.transport.abort()  # type: ignore[union-attr]  # there is one
        return True

    def answer(self, step: str) -> str:
        """The next answer told for this step; empty for the usual one."""
        with self.lock:
            told = self.answers.get(step, [])
            return told.pop(0) if told else ""

    # --- aiosmtpd's hooks -----------------------------------------------------------------------

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, _: Envelope, hostname: str, said: list[str]
    ) -> list[str]:
        """Greet."""
        self.cut("ehlo", server)
        session.host_name = hostname
        return said

    async def handle_MAIL(self, server: SMTP, _: Session, envelope: Envelope, address: str, __: list[str]) -> str:  # noqa: N802
        """Take the sender."""
        self.cut("mail", server)
        if told := self.answer("mail"):
            return told
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: SMTP, _: Session, envelope: Envelope, address: str, __: list[str]) -> str:  # noqa: N802
        """Take a recipient."""
        self.cut("rcpt", server)
        if told := self.answer(address):
            return told
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take the mail."""
        if self.cut("unkept", server):
            return "250 never heard"
        if told := self.answer("dot"):
            return told
        content = envelope.original_content or b""
        self.accepted.append(Accepted(envelope.mail_from or "", tuple(envelope.rcpt_tos), content))
        self.cut("lost", server)
        return "250 2.0.0 taken"


class Protocol(SMTP):
    """aiosmtpd with cuts where it has no hooks."""

    def __init__(self, server: MailServer, *args: Any, **more: Any) -> None:
        self.told = server
        super().__init__(*args, **more)

    def connection_made(self, transport: Any) -> None:
        """Greet, or hang up."""
        self.told.connections += 1
        self.told.open.append(transport)
        super().connection_made(transport)
        self.told.cut("connect", self)

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Take the mail, or hang up before or in it."""
        if self.told.cut("data", self):
            return
        if told := self.told.answer("data"):
            await self.push(told)
            return
        if self.told.cuts.get("body"):
            await self.push("354 go ahead")
            await self._reader.readline()
            self.told.cut("body", self)
            return
        await super().smtp_DATA(arg)

    async def auth_XOAUTH2(self, _: SMTP, args: list[str]) -> AuthResult:  # noqa: N802
        """Check a token."""
        import base64

        said = base64.b64decode(args[1]).decode()
        good = any(f"auth=Bearer {token}\x01" in said for token in self.told.tokens)
        return AuthResult(success=good, handled=False)


def _authenticated(server: MailServer) -> Any:
    def check(protocol: SMTP, _: Session, __: Envelope, ___: str, data: Any) -> AuthResult:
        server.cut("auth", protocol)
        good = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=good, handled=False)

    return check


def serve(context: ssl.SSLContext | None = None, *, login: bool = False, at_once: bool = False) -> Iterator[MailServer]:
    """Run a server; with a context it wants STARTTLS, or TLS `at_once`."""
    server = MailServer(port=free_port())

    class Running(Controller):
        def factory(self) -> SMTP:
            return Protocol(
                server,
                server,
                hostname="mx.test",
                tls_context=None if at_once else context,
                require_starttls=context is not None and not at_once,
                auth_required=login,
                auth_require_tls=context is not None and not at_once,
                authenticator=_authenticated(server) if login else None,
                data_size_limit=2_000_000,
                enable_SMTPUTF8=True,
            )

    controller = Running(
        server, hostname="127.0.0.1", port=server.port, ssl_context=context if at_once else None, ready_timeout=PATIENCE
    )
    controller.start()
    try:
        yield server
    finally:
        for transport in server.open:
            controller.loop.call_soon_threadsafe(transport.abort)
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0.01), controller.loop).result(PATIENCE)
        controller.stop()


@dataclass(frozen=True)
class Certificate:
    """A certificate for this machine that nobody has signed."""

    serving: ssl.SSLContext
    trusting: ssl.SSLContext


@pytest.fixture(scope="session")
def mail_certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """Made once."""
    base = tmp_path_factory.mktemp("smtp")
    key, cert = base / "key.pem", base / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", key, "-out", cert, "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(cert, key)
    return Certificate(serving, ssl.create_default_context(cafile=cert))


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A server that takes mail from everybody on this machine."""
    yield from serve()
