"""Letters: the wizard sends one to itself over a real mail server and sees it arrive in a real mailbox."""

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from cli.setup import trials
from tests.servers import free_port
from tests.servers.dovecot import PASSWORD, Person
from tests.servers.mail.smtp import PASSWORD as SMTP_PASSWORD
from tests.servers.mail.smtp import USER, MailServer, serve
from tests.unit.triage.services.setup.asker import asker, said
from triage.services.setup.draft import Draft
from triage.services.setup.questions.letters import LetterQuestions

letters = LetterQuestions(trials)


@pytest.fixture
def wants_login(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, certificate: Path) -> Iterator[MailServer]:
    """A mail server that takes letters after STARTTLS and a login; we trust its certificate."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    yield from serve(context, login=True)


@contextmanager
def delivered(server: MailServer, person: Person) -> Iterator[None]:
    """Bring what the server takes to the mailbox, as its relay would."""
    over = threading.Event()

    def relay() -> None:
        done = 0
        while not over.is_set():
            for letter in server.accepted[done:]:
                person.deliver(letter.raw)
                done += 1
            time.sleep(0.02)

    thread = threading.Thread(target=relay)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


async def test_a_letter_to_ourselves_arrives(wants_login: MailServer, person: Person) -> None:
    """The mailbox's login is tried first; after a refusal another one is asked for, and the letter is seen to arrive."""
    address = f"{person.name}@localhost"
    mailbox = {
        "IMAP_HOST": "127.0.0.1",
        "IMAP_PORT": str(person.server.imap),
        "IMAP_TLS": "none",
        "IMAP_USER": address,
    }
    draft = Draft().having(**mailbox, IMAP_PASSWORD=PASSWORD)
    ask = asker("a b", f"127.0.0.1:{free_port()}", f"127.0.0.1:{wants_login.port}", address, USER, SMTP_PASSWORD)
    with delivered(wants_login, person):
        known = await letters.server(ask, draft)
    words = " ".join(said(ask).split())

    assert "That is no server's name" in words
    assert "cannot be used" in words
    assert f"sent to {address}, and it has arrived there" in words
    assert (known["SMTP_USER"], known["MAIL_FROM"], known["SMTP_TLS"]) == (USER, address, "starttls")
    assert len(wants_login.accepted) == 1


async def test_letters_come_from_the_mailbox_s_address(wants_login: MailServer, person: Person) -> None:
    """Where the mailbox has another user name, Enter takes the address that was given for it."""
    box = {"IMAP_HOST": "127.0.0.1", "IMAP_PORT": str(person.server.imap), "IMAP_TLS": "none", "IMAP_USER": person.name}
    draft = replace(Draft().having(**box, IMAP_PASSWORD=PASSWORD), address="support@localhost")
    ask = asker(f"127.0.0.1:{wants_login.port}", "", "", USER, SMTP_PASSWORD)
    with delivered(wants_login, person):
        known = await letters.server(ask, draft)

    assert known["MAIL_FROM"] == "support@localhost"


async def test_none_switches_letters_off() -> None:
    """What the file had of them is taken out."""
    known = await letters.server(asker("none"), Draft(kept={"SMTP_HOST": "old"}))

    assert known.changes["SMTP_HOST"] is None
