"""A private Dovecot on loopback: IMAP with TLS, passwords and tokens, and LMTP to deliver by."""

import base64
import grp
import hmac
import json
import os
import pwd
import shutil
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest
from imapclient import IMAPClient

from tests.conftest import PATIENCE
from tests.servers import find_server, free_port

PASSWORD = "sésame öffne dich"
TOKEN_KEY = b"a key that lives as long as the test run"
CONF = """\
base_dir={base}/run
state_dir={base}/run
log_path={base}/log
protocols=imap lmtp
listen=127.0.0.1
default_login_user={login_user}
default_internal_user={internal_user}
default_internal_group={internal_group}
first_valid_uid=1
first_valid_gid=1
ssl=yes
ssl_cert=<{base}/cert.pem
ssl_key=<{base}/key.pem
disable_plaintext_auth=no
auth_mechanisms=plain login xoauth2 oauthbearer
auth_username_format=%Ln
auth_failure_delay=0
mail_max_userip_connections=100
mail_location=maildir:~/Maildir
passdb {{
  driver=passwd-file
  args={base}/users
}}
passdb {{
  driver=oauth2
  mechanisms=xoauth2 oauthbearer
  args={base}/oauth2.ext
}}
userdb {{
  driver=static
  args=uid={mail_user} gid={mail_group} home={base}/mail/%n
}}
namespace inbox {{
  inbox=yes
  separator=/
}}
service imap-login {{
  chroot=
  inet_listener imap {{
    port={imap}
  }}
  inet_listener imaps {{
    port={imaps}
  }}
}}
service anvil {{
  chroot=
  unix_listener anvil-auth-penalty {{
    mode=0
  }}
}}
service stats {{
  chroot=
}}
service lmtp {{
  inet_listener lmtp {{
    address=127.0.0.1
    port={lmtp}
  }}
}}
"""
OAUTH = """\
introspection_mode=local
local_validation_key_dict=fs:posix:prefix={base}/keys/
username_attribute=sub
"""

_users = count(1)


@dataclass(frozen=True)
class Dovecot:
    """A running server."""

    base: Path
    imap: int
    imaps: int
    lmtp: int

    def user(self) -> "Person":
        """Somebody new, with an empty mailbox and the password that all have."""
        return Person(self, f"bot{next(_users)}")

    def token(self, name: str, *, lives: float = 3600) -> str:
        """A token of his."""
        now = int(time.time())
        claims = {"sub": name, "iat": now, "exp": now + int(lives)}
        signed = f"{_url64(json.dumps({'alg': 'HS256', 'typ': 'JWT'}))}.{_url64(json.dumps(claims))}"
        return f"{signed}.{_url64(hmac.digest(TOKEN_KEY, signed.encode(), 'sha256'))}"

    @property
    def certificate(self) -> Path:
        """Whom to trust: nobody else has signed it."""
        return self.base / "cert.pem"


@dataclass(frozen=True)
class Person:
    """A mailbox on the server, from its own side and from that of other mail programs."""

    server: Dovecot
    name: str

    def deliver(self, *mails: bytes) -> None:
        """As a mail server would."""
        with smtplib.LMTP("127.0.0.1", self.server.lmtp) as lmtp:
            for mail in mails:
                lmtp.sendmail("from@example.com", f"{self.name}@example.com", mail)

    def fill(self, mails: Iterable[bytes]) -> None:
        """Thousands at once: files in the folder of new mail, as many as you like, before anybody logs in."""
        new = self.home / "Maildir" / "new"
        for folder in (new, new.parent / "cur", new.parent / "tmp"):
            folder.mkdir(parents=True, exist_ok=True)
        began = int(time.time())
        for number, mail in enumerate(mails):
            kept = mail.replace(b"\r\n", b"\n")  # both sizes in the name: a wrong one, and Dovecot hangs up
            (new / f"{began}.M{number:06}.host,S={len(kept)},W={len(mail)}").write_bytes(kept)
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "dovecot:dovecot", self.home], check=True)

    @contextmanager
    def client(self) -> Iterator[IMAPClient]:
        """Another mail program, logged in."""
        with IMAPClient("127.0.0.1", self.server.imap, ssl=False) as client:
            client.plain_login(self.name, PASSWORD)
            yield client

    def flags(self, folder: str = "INBOX") -> list[set[bytes]]:
        """Of each mail, lowest number first, without the one that says that nobody saw it before."""
        with self.client() as client:
            client.select_folder(folder, readonly=True)
            found = client.fetch(client.search(), ["FLAGS"])
        return [set(found[uid][b"FLAGS"]) - {rb"\Recent"} for uid in sorted(found)]

    def count(self, folder: str = "INBOX") -> int:
        """Mails in a folder."""
        with self.client() as client:
            return int(client.folder_status(folder, ["MESSAGES"])[b"MESSAGES"])

    def forget_numbers(self) -> None:
        """Lose the list of UIDs and the index, as after a restore: there is a new UIDVALIDITY then."""
        time.sleep(1.1)  # it is made of the time in seconds
        for path in (self.home / "Maildir").glob("dovecot*"):
            path.unlink()

    @property
    def home(self) -> Path:
        """Where the files lie."""
        return self.server.base / "mail" / self.name


def _url64(value: str | bytes) -> str:
    raw = value.encode() if isinstance(value, str) else value
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def mail(number: int | str = 1, size: int = 0) -> bytes:
    """A small mail, another one for each number."""
    message = EmailMessage()
    message["From"], message["To"] = "Ada <ada@example.com>", "bot@example.com"
    message["Subject"], message["Message-ID"] = f"Mail {number}", f"<{number}@example.com>"
    message.set_content(f"It is broken, part {number}.\n" + ("The rest is long.\n" * (size // 18)))
    return message.as_bytes().replace(b"\n", b"\r\n")


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """The server, started once by each test process."""
    binary = find_server("dovecot", "dovecot-imapd dovecot-lmtpd", "/usr/sbin/dovecot")
    if not Path("/usr/lib/dovecot/lmtp").exists():
        find_server("dovecot-lmtp", "dovecot-lmtpd")
    base = Path(tempfile.mkdtemp(prefix="triage-dovecot-", dir="/tmp"))
    server = Dovecot(base, free_port(), free_port(), free_port())
    _furnish(server)
    process = subprocess.Popen([binary, "-F", "-c", base / "dovecot.conf"], stderr=subprocess.DEVNULL)
    try:
        _ready(server, process)
        yield server
    finally:
        process.terminate()
        process.wait(PATIENCE)
        shutil.rmtree(base)


@pytest.fixture
def person(dovecot: Dovecot) -> Person:
    """Somebody with an empty mailbox."""
    return dovecot.user()


def _furnish(server: Dovecot) -> None:
    """All its files."""
    base, root = server.base, os.getuid() == 0
    us, our_group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    ports = {"imap": server.imap, "imaps": server.imaps, "lmtp": server.lmtp}
    conf = CONF.format(
        base=base,
        login_user="dovenull" if root else us,
        internal_user="dovecot" if root else us,
        internal_group="dovecot" if root else our_group,
        mail_user="dovecot" if root else us,
        mail_group="dovecot" if root else our_group,
        **ports,
    )
    key = base / "keys" / "default" / "HS256" / "default"
    for folder in (base / "run", base / "mail", key.parent):
        folder.mkdir(parents=True)
    (base / "dovecot.conf").write_text(conf)
    (base / "oauth2.ext").write_text(OAUTH.format(base=base))
    # All from the start: Dovecot reads the file anew only when its time in seconds has changed.
    (base / "users").write_text("".join(f"bot{n}:{{PLAIN}}{PASSWORD}\n" for n in range(1, 1000)), encoding="utf-8")
    key.write_bytes(base64.b64encode(TOKEN_KEY))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", base / "key.pem", "-out", base / "cert.pem", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    base.chmod(0o755)
    if root:
        shutil.chown(base / "mail", "dovecot", "dovecot")


def _ready(server: Dovecot, process: "subprocess.Popen[bytes]") -> None:
    """Wait until it answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with (
                socket.create_connection(("127.0.0.1", server.imap), PATIENCE) as s,
                socket.create_connection(("127.0.0.1", server.lmtp), PATIENCE),
            ):
                if s.recv(4) == b"* OK":
                    return
        except OSError:
            time.sleep(0.02)
    log = server.base / "log"
    pytest.fail(f"Dovecot did not start:\n{log.read_text() if log.exists() else ''}", pytrace=False)
