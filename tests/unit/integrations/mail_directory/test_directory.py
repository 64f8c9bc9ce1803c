"""What a domain says of its mail servers: its autoconfig file over HTTP, its records in DNS."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from integrations.mail_directory.autoconfig import autoconfig_of, servers_in
from integrations.mail_directory.directory import PublicMailDirectory
from integrations.mail_directory.records import MailRecords
from tests.servers.dns import RunningDns
from triage.domain.mailboxes import MailServer, MailServers

FILE = b"""<?xml version="1.0"?>
<clientConfig version="1.1"><emailProvider id="acme.example">
  <incomingServer type="pop3"><hostname>pop.acme.example</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
  <incomingServer type="imap"><hostname>plain.acme.example</hostname><port>143</port><socketType>plain</socketType></incomingServer>
  <incomingServer type="imap"><hostname>Imap.acme.example</hostname><port>993</port><socketType>SSL</socketType>
    <username>%EMAILLOCALPART%</username></incomingServer>
  <outgoingServer type="smtp"><hostname>smtp.acme.example</hostname><port>587</port><socketType>STARTTLS</socketType></outgoingServer>
</emailProvider></clientConfig>"""
SERVERS = MailServers(
    imap=MailServer(host="imap.acme.example", port=993, tls="ssl"),
    smtp=MailServer(host="smtp.acme.example", port=587, tls="starttls"),
    user="support",
)


@contextmanager
def web(body: bytes, status: int = 200) -> Iterator[str]:
    """A web server of the domain."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/{{domain}}"
        server.shutdown()
        thread.join()


def test_the_domains_file_is_read() -> None:
    """The first servers with TLS count, and the form of the user name; a place that has nothing is passed over."""
    with web(FILE) as url, web(b"", 404) as nothing:
        assert asyncio.run(autoconfig_of("support@acme.example", (nothing, url))) == SERVERS


@pytest.mark.parametrize(
    ("body", "status"),
    [(FILE, 302), (FILE + b" " * 70_000, 200), (b"<html>hello", 200), (b"", 200), (FILE.replace(b"imap", b"x"), 200)],
)
def test_anything_else_names_nothing(body: bytes, status: int) -> None:
    """Redirects, endless files, other pages, files without IMAP, no server at all."""
    with web(body, status) as url:
        assert asyncio.run(autoconfig_of("support@acme.example", (url,))) is None
    assert asyncio.run(autoconfig_of("support@acme.example", ("http://127.0.0.1:9/{domain}",))) is None
    assert asyncio.run(autoconfig_of("support@bad domain", ("http://{domain}/",))) is None


def test_a_hostile_file_reads_no_file_of_ours() -> None:
    """Entities are not resolved, and a server that is named by one is none."""
    hostile = b'<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + FILE.partition(b"?>")[2].replace(
        b"Imap.acme.example", b"&x;"
    )

    assert servers_in(hostile, "support@acme.example") is None


def test_user_names_of_other_forms_are_the_address() -> None:
    """A form that we do not know is left to the person who sets up."""
    odd = FILE.replace(b"%EMAILLOCALPART%", b"%REALNAME%")
    found = servers_in(odd, "support@acme.example")

    assert found
    assert not found.user


def test_dns_names_servers(name_server: RunningDns) -> None:
    """SRV records of IMAP and submission, the lowest priority first; a single dot says that there is none."""
    name_server.others.update(
        {
            ("_imaps._tcp.acme.example", "SRV"): ["20 1 993 b.acme.example.", "10 1 993 A.acme.example."],
            ("_submission._tcp.acme.example", "SRV"): ["0 1 587 smtp.acme.example."],
            ("_imaps._tcp.none.example", "SRV"): ["0 0 0 ."],
            ("acme.example", "MX"): ["10 mx1.acme.example.", "20 mx2.acme.example."],
        }
    )
    records = MailRecords(("127.0.0.1", name_server.port))

    assert asyncio.run(records.servers("acme.example")) == MailServers(
        imap=MailServer(host="a.acme.example", port=993, tls="ssl"),
        smtp=MailServer(host="smtp.acme.example", port=587, tls="starttls"),
    )
    assert asyncio.run(records.servers("none.example")) is None
    assert asyncio.run(records.exchangers("acme.example")) == ("mx1.acme.example", "mx2.acme.example")
    assert asyncio.run(records.exchangers("bad..example")) == ()


def test_the_file_comes_before_dns(name_server: RunningDns) -> None:
    """Both are asked at once; without a file the records count."""
    name_server.others[("_imaps._tcp.acme.example", "SRV")] = ["10 1 993 a.acme.example."]
    with web(FILE) as url, web(b"", 404) as nothing:
        at = ("127.0.0.1", name_server.port)
        by_file = asyncio.run(PublicMailDirectory(at, (url,)).published("support@acme.example"))
        by_dns = asyncio.run(PublicMailDirectory(at, (nothing,)).published("support@acme.example"))
        nobody = asyncio.run(PublicMailDirectory(at, (nothing,)).exchangers("acme.example"))

    assert by_file == SERVERS
    assert by_dns == MailServers(imap=MailServer(host="a.acme.example", port=993, tls="ssl"))
    assert nobody == ()
