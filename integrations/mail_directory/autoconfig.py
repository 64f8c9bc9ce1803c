"""Reads the file in which a domain tells mail programs its servers (autoconfig, as Thunderbird defined it).

Only the domain itself is asked, over HTTPS: without TLS anybody on the way could name a server of his own.
"""

from collections.abc import Iterator
from typing import Final

import httpx2
from lxml import etree

from triage.domain.mailboxes import MailServer, MailServers

PLACES: Final = (
    "https://autoconfig.{domain}/mail/config-v1.1.xml",
    "https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
)
SECONDS: Final = 5.0
LARGEST: Final = 64 * 1024
TLS: Final = {"SSL": "ssl", "STARTTLS": "starttls"}


async def autoconfig_of(address: str, places: tuple[str, ...] = PLACES) -> MailServers | None:
    """Return the servers that the domain of this address names; None if it names none, or not in time."""
    domain = address.rpartition("@")[2]
    async with httpx2.AsyncClient(timeout=SECONDS) as client:
        for place in places:
            body = await _body(client, place.format(domain=domain))
            if found := servers_in(body, address) if body else None:
                return found
    return None


async def _body(client: httpx2.AsyncClient, url: str) -> bytes:
    """Return a file of at most `LARGEST` bytes; empty for everything else."""
    try:
        async with client.stream("GET", url) as answer:
            body = b""
            async for piece in answer.aiter_bytes():
                body += piece
                if len(body) > LARGEST:
                    return b""
            return body if answer.is_success else b""
    except (httpx2.HTTPError, httpx2.InvalidURL):
        return b""


def servers_in(body: bytes, address: str) -> MailServers | None:
    """Return the first servers with TLS in an autoconfig file; None if it has no IMAP server or is no such file."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError:
        return None
    imap = next(_servers(root, "incomingServer", "imap"), None)
    if imap is None:
        return None
    server, user = imap
    smtp = next(_servers(root, "outgoingServer", "smtp"), (None, ""))[0]
    return MailServers(imap=server, smtp=smtp, user=_filled(user, address))


def _servers(root: etree._Element, tag: str, kind: str) -> Iterator[tuple[MailServer, str]]:
    """Yield the servers of a kind with the form of their user names."""
    for element in root.iter(tag):
        host, port, tls = (_text(element, name) for name in ("hostname", "port", "socketType"))
        if element.get("type") == kind and host and port.isdecimal() and int(port) < 1 << 16 and tls in TLS:
            yield MailServer(host=host.lower(), port=int(port), tls=TLS[tls]), _text(element, "username")


def _text(element: etree._Element, name: str) -> str:
    return str(element.findtext(name) or "").strip()


def _filled(user: str, address: str) -> str:
    """Return the user name for this address; empty if it is the address, or of a form that we do not know."""
    name = user.replace("%EMAILADDRESS%", address).replace("%EMAILLOCALPART%", address.rpartition("@")[0])
    return "" if "%" in name or name == address else name
