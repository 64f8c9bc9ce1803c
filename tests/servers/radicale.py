"""A private Radicale on loopback: CalDAV and CardDAV with a password."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from tests.conftest import PATIENCE
from tests.servers import find_server, free_port

PASSWORD = "sésame"
CONF = """\
[server]
hosts = 127.0.0.1:{port}
[auth]
type = htpasswd
htpasswd_filename = {base}/users
htpasswd_encryption = plain
[storage]
filesystem_folder = {base}/collections
"""
BOOK = """<?xml version="1.0"?><D:mkcol xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:set><D:prop>
<D:resourcetype><D:collection/><C:addressbook/></D:resourcetype></D:prop></D:set></D:mkcol>"""


@dataclass(frozen=True)
class Radicale:
    """A running server with one person, `ada`."""

    url: str

    def collection(self, name: str, *, book: bool = False) -> str:
        """Make a calendar, or an address book, and return its address."""
        url = f"{self.url}/ada/{name}/"
        method, body = ("MKCOL", BOOK) if book else ("MKCALENDAR", "")
        self._ask(method, url, body)
        return url

    def put(self, url: str, name: str, text: str) -> None:
        """Store an entry, as a calendar program would."""
        self._ask("PUT", f"{url}{name}", text.replace("\n", "\r\n"))

    def _ask(self, method: str, url: str, body: str) -> None:
        kind = {"MKCOL": "application/xml", "PUT": "text/vcard" if "VCARD" in body else "text/calendar"}.get(method, "")
        headers = {"Content-Type": f"{kind}; charset=utf-8"} if body else None
        login = httpx2.BasicAuth("ada", PASSWORD)
        httpx2.request(method, url, content=body.encode(), headers=headers, auth=login).raise_for_status()


@contextmanager
def radicale(base: Path) -> Iterator[Radicale]:
    """Start the server; it is gone at the end."""
    binary = find_server("radicale", "radicale")
    port = free_port()
    (base / "users").write_text(f"ada:{PASSWORD}\n", encoding="utf-8")
    (base / "config").write_text(CONF.format(base=base, port=port), encoding="utf-8")
    with (base / "log").open("wb") as log, subprocess.Popen([binary, "-C", base / "config"], stderr=log) as server:
        try:
            _wait(f"http://127.0.0.1:{port}/", server)
            yield Radicale(f"http://127.0.0.1:{port}")
        finally:
            server.terminate()


def _wait(url: str, server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            httpx2.get(url)
        except httpx2.HTTPError:
            assert server.poll() is None, "Radicale ended at once; see its log"
            time.sleep(0.05)
        else:
            return
    raise AssertionError("Radicale does not answer")
