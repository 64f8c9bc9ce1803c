"""A DNS server on loopback, over UDP and TCP, that knows some records and how to misbehave."""

import socket
import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
import pytest

SERVFAIL, SILENT, TRUNCATED, GARBAGE = "servfail", "silent", "truncated", "garbage"
"""Ways to misbehave."""


@dataclass
class RunningDns:
    """A name server; what it does not know does not exist."""

    port: int = 0
    records: dict[str, list[bytes]] = field(default_factory=dict)
    """TXT records by name."""
    others: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Records of other types by name and type."""
    faults: dict[str, str] = field(default_factory=dict)
    """What goes wrong, by name."""
    asked: list[str] = field(default_factory=list)
    """Every name it was asked for."""

    @property
    def address(self) -> str:
        """As DKIM_NAMESERVER wants it."""
        return f"127.0.0.1:{self.port}"

    def answer(self, wire: bytes, *, tcp: bool = False) -> bytes | None:
        """What is said to a query; None for silence."""
        query = dns.message.from_wire(wire)
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True).lower()
        self.asked.append(name)
        fault, reply = self.faults.get(name), dns.message.make_response(query)
        if fault == SILENT:
            return None
        if fault == GARBAGE:
            return wire[:2] + b"\xff" * 40
        if fault == SERVFAIL:
            reply.set_rcode(dns.rcode.SERVFAIL)
        elif fault == TRUNCATED and not tcp:
            reply.flags |= dns.flags.TC
        elif name in self.records:
            for text in self.records[name]:
                pieces = " ".join(f'"{_quoted(text[at : at + 255])}"' for at in range(0, len(text) or 1, 255))
                reply.answer.append(dns.rrset.from_text(question.name, 300, "IN", "TXT", pieces))
        elif found := self.others.get((name, dns.rdatatype.to_text(question.rdtype))):
            reply.answer.append(dns.rrset.from_text_list(question.name, 300, "IN", question.rdtype, found))
        else:
            reply.set_rcode(dns.rcode.NXDOMAIN)
        return reply.to_wire(max_size=65_535)


def _quoted(text: bytes) -> str:
    return "".join(f"\\{letter:03}" if letter in b'"\\' or not 32 <= letter < 127 else chr(letter) for letter in text)


def _handlers(running: RunningDns) -> tuple[type[socketserver.BaseRequestHandler], ...]:
    """What answers a datagram and what answers a stream."""

    class Datagram(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            wire, connection = self.request
            said = running.answer(wire)
            if said is not None:
                connection.sendto(said, self.client_address)

    class Stream(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            [size] = struct.unpack("!H", self.request.recv(2, socket.MSG_WAITALL))
            said = running.answer(self.request.recv(size, socket.MSG_WAITALL), tcp=True)
            if said is not None:
                self.request.sendall(struct.pack("!H", len(said)) + said)

    return Datagram, Stream


@pytest.fixture
def name_server() -> Iterator[RunningDns]:
    """A name server of this test alone."""
    running = RunningDns()
    datagram, stream = _handlers(running)
    with ExitStack() as stack:
        tcp = stack.enter_context(socketserver.ThreadingTCPServer(("127.0.0.1", 0), stream))
        running.port = tcp.server_address[1]
        # Every process of the tests takes ports from the same range, but few of them for datagrams.
        udp = stack.enter_context(socketserver.ThreadingUDPServer(("127.0.0.1", running.port), datagram))
        threads = [threading.Thread(target=one.serve_forever, args=(0.02,)) for one in (udp, tcp)]
        for thread in threads:
            thread.start()
        yield running
        for server, thread in zip((udp, tcp), threads, strict=True):
            server.shutdown()
            thread.join()
