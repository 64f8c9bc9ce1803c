"""Sockets for imapclient that bound each command in bytes and seconds.

Overrides `read`, `readline` and `_create_socket` of imaplib, which allocates memory for any literal that a server
announces, waits without end for a slow one, refuses a SEARCH answer over a megabyte, and returns a mail that was cut
at its end.
"""

import imaplib
import select
import socket
import ssl
import time
from typing import Any, Final

from imapclient import IMAPClient, SocketTimeout

PIECE: Final = 65536
KEEPALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""TCP detects a dead peer after two minutes (60 s + 4 * 15 s), also during IDLE."""


class ImapWire(imaplib.IMAP4):
    """A connection; with a `context`, TLS starts with the first byte. `connect` and `silence` are seconds."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext | None, *, connect: float, silence: float) -> None:
        self._context = context
        self._silence = silence
        self._buffer = bytearray()
        self._filled_from: socket.socket | None = None
        self._mails: bytes | None = None
        self.allow(PIECE, connect)  # for the greeting: `interrupt` works only after it
        super().__init__(host, port, connect)

    def allow(self, size: int, seconds: float) -> None:
        """Limit all answers until the next call of `allow` to `size` bytes and `seconds`."""
        self._left = size
        self._until = time.monotonic() + seconds

    def wait(self, seconds: float) -> None:
        """Wait until there is something to read, buffered bytes included, or `seconds` have passed."""
        if self._buffer or (isinstance(self.sock, ssl.SSLSocket) and self.sock.pending()):
            return
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        poll.poll(seconds * 1000)

    def announced(self) -> bool:
        """Return whether the server has told another number of mails since the last call, in the answer to any command."""
        (gone, *_), (*_, mails) = self.response("EXPUNGE")[1], self.response("EXISTS")[1]
        before, self._mails = self._mails, mails or self._mails
        return mails is not None and (gone is not None or mails != before)

    def interrupt(self) -> None:
        """Wake the thread that reads or waits; call from another thread. The connection is unusable afterwards."""
        try:
            # SSLSocket.shutdown would drop the TLS session that the reader uses.
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
        except OSError:
            return

    def read(self, size: int) -> bytes:
        """Return a literal of exactly `size` bytes. Raises `abort`, `TimeoutError`."""
        if size > self._left:
            raise self.abort("the server sends more than it may")
        while len(self._buffer) < size:
            self._fill()
        return self._cut(size)

    def readline(self) -> bytes:
        """Return a line with its line end. Raises `abort`, `TimeoutError`."""
        seen = 0
        while (end := self._buffer.find(b"\n", seen)) < 0:
            seen = len(self._buffer)
            self._fill()
        return self._cut(end + 1)

    def _cut(self, size: int) -> bytes:
        piece = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return piece

    def _fill(self) -> None:
        if self._filled_from is not self.sock:
            if self._buffer:  # sent before STARTTLS finished: an attacker may have injected it
                raise self.abort("the server talks before TLS")
            self._filled_from = self.sock
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("the server takes too long")
        self.sock.settimeout(min(self._silence, left))
        piece = self.sock.recv(PIECE)
        self._left -= len(piece)
        if not piece:
            raise self.abort("the server closed the connection")
        if self._left < 0:
            raise self.abort("the server sends more than it may")
        self._buffer += piece

    def _create_socket(self, timeout: float | None) -> socket.socket:
        plain = socket.create_connection((self.host, self.port), timeout)
        try:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in KEEPALIVE.items():
                if hasattr(socket, name):  # missing on some systems
                    plain.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
            plain.settimeout(timeout)
            return self._context.wrap_socket(plain, server_hostname=self.host) if self._context else plain
        except BaseException:
            plain.close()
            raise


class ImapClient(IMAPClient):  # type: ignore[misc]  # imapclient has no types
    """imapclient over `ImapWire`."""

    def __init__(self, wire: ImapWire, silence: float) -> None:
        self._wire = wire
        super().__init__(
            wire.host, wire.port, ssl=isinstance(wire.sock, ssl.SSLSocket), timeout=SocketTimeout(0, silence)
        )
        self.normalise_times = False  # keep time zones

    def _create_IMAP4(self) -> Any:  # noqa: N802 - imapclient's name
        return self._wire
