"""`triage letters` as a person uses it: list, take back, send again, try the mail server; a worker sends what is due."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.contract.store.store_samples import mail
from tests.e2e.installation import Installation
from tests.servers.dovecot import PASSWORD, Person
from tests.servers.mail.smtp import MailServer
from tests.unit.triage.policy.letters.letters import letter
from triage.domain.letters import LetterState

T = TypeVar("T")


def letters_on(installation: Installation, server: MailServer) -> None:
    """Switch letters on."""
    installation.extra |= {
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(server.port),
        "SMTP_TLS": "none",
        "MAIL_FROM": "Harbour Support <support@harbour.example>",
    }


def in_store(installation: Installation, work: Callable[[SqlStore], Coroutine[Any, Any, T]]) -> T:
    """Do something in the installation's database."""

    async def run() -> T:
        store = await open_store(installation.database, SystemClock())
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def queued(installation: Installation) -> None:
    """A letter that is due, about a case that is done."""

    async def queue(store: SqlStore) -> None:
        await store.inbox.accept(mail())
        lease = await store.jobs.lease("w", 60)
        assert lease is not None
        await store.jobs.open(lease).cases.finish()
        made = letter(key="case-1:reply:1", case="case-1", due_at=SystemClock().now())
        await store.letters.queue(made)

    in_store(installation, queue)


def test_listed_and_taken_back(installation: Installation, mail_server: MailServer) -> None:
    """A person sees the letter, takes it back, and cannot do so twice; a worker then sends nothing."""
    letters_on(installation, mail_server)
    nothing = installation.triage("letters")
    queued(installation)
    shown = installation.triage("letters", "--case", "1").stdout.decode()
    [told] = installation.json("letters")
    undone = installation.triage("letters", "undo", "1")
    twice = installation.triage("letters", "undo", "1", "--json")
    installation.triage("work", "--until-idle")
    report = installation.triage("show", "1").stdout.decode()

    assert b"no letter was written" in nothing.stdout
    assert all(word in shown for word in ("case-1", "ada@acme.example", "Re: Export broken", "waiting"))
    assert (told["id"], told["state"], told["recipients"]) == (1, "waiting", ["ada@acme.example"])
    assert (undone.returncode, b"cancelled" in undone.stdout) == (0, True)
    assert (twice.returncode, twice.stdout, b"cannot be called back" in twice.stderr) == (2, b"", True)
    assert "cancelled" in report
    assert "Re: Export broken" in report
    assert mail_server.accepted == []


def test_a_worker_sends_it(installation: Installation, mail_server: MailServer) -> None:
    """What is due leaves with the worker; one that may not have left is sent again by a person alone."""
    letters_on(installation, mail_server)
    queued(installation)
    installation.triage("work", "--until-idle")
    sent = installation.json("letters")
    again = installation.triage("letters", "again", "1")

    assert [one["state"] for one in sent] == [LetterState.SENT]
    assert [one.to for one in mail_server.accepted] == [("ada@acme.example",)]
    assert again.returncode == 2


def test_a_letter_to_oneself(installation: Installation, mail_server: MailServer) -> None:
    """`triage letters test` needs SMTP_HOST, and shows that the server takes letters."""
    off = installation.triage("letters", "test")
    letters_on(installation, mail_server)
    on = installation.triage("letters", "test")

    assert (off.returncode, b"SMTP_HOST" in off.stderr) == (2, True)
    assert (on.returncode, b"support@harbour.example" in on.stdout) == (0, True), on.stderr
    assert [one.to for one in mail_server.accepted] == [("support@harbour.example",)]


@pytest.mark.parametrize("watched", [True, False])
def test_the_doctor(installation: Installation, mail_server: MailServer, person: Person, *, watched: bool) -> None:
    """The doctor logs in without sending, names the folders, and says what is missing with its cure."""
    letters_on(installation, mail_server)
    if watched:
        with person.client() as client:
            client.create_folder("Sent")
        port = str(person.server.imap)
        installation.extra |= {"IMAP_HOST": "127.0.0.1", "IMAP_PORT": port, "IMAP_USER": person.name}
        installation.extra |= {"IMAP_PASSWORD": PASSWORD, "IMAP_TLS": "none", "DRAFTS_FOLDER": "Entwürfe"}
    found = {one["what"]: (one["state"], one["text"]) for one in installation.json("doctor")}

    assert found["letters"][0] == "ok"
    assert mail_server.accepted == []
    if watched:
        assert found["folder drafts"] == ("ok", "Entwürfe")
        assert found["folder sent"] == ("ok", "Sent")
    else:
        assert found["letter folders"][0] == "warn"


def test_the_doctor_finds_a_closed_door(installation: Installation, mail_server: MailServer) -> None:
    """A server that lets nobody in is a failure with its words."""
    letters_on(installation, mail_server)
    mail_server.cuts["ehlo"] = 9
    found = [one for one in installation.json("doctor") if one["what"] == "letters"]

    assert found[0]["state"] == "fail"
