"""Sockets for imapclient that bound each command in bytes and seconds.

imaplib leaves `read`, `readline` and `_create_socket` to be overridden. By itself it would reserve the memory of any
literal that a server announces, wait for ever behind one that drips, refuse a SEARCH answer over a megabyte, and hand
on a mail that was cut at its end.
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
"""A peer that vanished without a word is noticed after two minutes, also while we only listen."""


class ImapWire(imaplib.IMAP4):
    """A connection with TLS from the first byte where it is given a context."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext | None, *, connect: float, silence: float) -> None:
        self._context = context
        self._silence = silence
        self._buffer = bytearray()
        self._filled_from: socket.socket | None = None
        self.allow(PIECE, connect)  # the greeting; until it is there nobody can interrupt us
        super().__init__(host, port, connect)

    def allow(self, size: int, seconds: float) -> None:
        """What the answers until the next call may take."""
        self._left = size
        self._until = time.monotonic() + seconds

    def wait(self, seconds: float) -> None:
        """Until there is something to read; what was read along with the last answer counts too."""
        if self._buffer or (isinstance(self.sock, ssl.SSLSocket) and self.sock.pending()):
            return
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        poll.poll(seconds * 1000)

    def interrupt(self) -> None:
        """Wake the thread that reads or waits, from another one; the connection is of no use then."""
        try:
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)  # SSLSocket's own takes the session from the reader
        except OSError:
            return

    def read(self, size: int) -> bytes:
        """A literal, whole or not at all."""
        if size > self._left:
            raise self.abort("the server sends more than it may")
        while len(self._buffer) < size:
            self._fill()
        return self._cut(size)

    def readline(self) -> bytes:
        """A line with its end."""
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
            if self._buffer:  # said before STARTTLS was done: anybody on the way may have said it
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
                if hasattr(socket, name):  # not on every system
                    plain.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
            plain.settimeout(timeout)
            return self._context.wrap_socket(plain, server_hostname=self.host) if self._context else plain
        except BaseException:
            plain.close()
            raise


class ImapClient(IMAPClient):  # type: ignore[misc]  # imapclient has no types
    """imapclient over our wire."""

    def __init__(self, wire: ImapWire, silence: float) -> None:
        self._wire = wire
        super().__init__(
            wire.host, wire.port, ssl=isinstance(wire.sock, ssl.SSLSocket), timeout=SocketTimeout(0, silence)
        )
        self.normalise_times = False  # times with their zone

    def _create_IMAP4(self) -> Any:  # noqa: N802 - imapclient's name
        return self._wire
