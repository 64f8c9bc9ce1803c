"""A mail server on loopback that takes every letter into the mailboxes here and sends none on."""

import asyncio
from types import TracebackType
from typing import Any, Final, Self, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope

from triage_sandbox.mail.mailboxes import Mailboxes

LARGEST: Final = 30 * 1024 * 1024
"""Bytes of one letter."""


class ServedMail:
    """A server that takes letters on `port` between start and stop, or inside `with`."""

    def __init__(self, mailboxes: Mailboxes, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self._controller = _Controller(_Taking(mailboxes), hostname=host, port=port, data_size_limit=LARGEST)

    @property
    def port(self) -> int:
        """The port it listens on, once it has started."""
        return self._controller.listening

    def start(self) -> Self:
        """Start the server; return when it answers. Raises `OSError` if the port is in use."""
        self._controller.start()
        return self

    def stop(self) -> None:
        self._controller.stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


class _Taking:
    """The SMTP handler: accepts each letter and hands it over."""

    def __init__(self, mailboxes: Mailboxes) -> None:
        self._mailboxes = mailboxes

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        del server, session
        content = envelope.content or b""
        raw = content if isinstance(content, bytes) else content.encode()
        self._mailboxes.deliver(envelope.rcpt_tos, raw)
        return "250 OK"


class _Controller(Controller):
    """A controller that reports the port it got if a free one was asked for."""

    listening = 0

    def _create_server(self) -> Any:
        return self._listen()

    async def _listen(self) -> asyncio.Server:
        server = cast("asyncio.Server", await super()._create_server())
        self.port = self.listening = server.sockets[0].getsockname()[1]
        return server
