"""A mailbox on a real Dovecot, opened by our adapter, for the contract and for what only IMAP can suffer."""

import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from integrations.imap.login import Login, Password
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import ImapAccount, Tls
from tests.conftest import PATIENCE
from tests.servers.dovecot import PASSWORD, Person


def account_of(person: Person, **more: object) -> ImapAccount:
    """His mailbox, over a plain connection."""
    port = person.server.imap
    plain = ImapAccount(name="support", host="127.0.0.1", port=port, user=person.name, tls=Tls.NONE, silence=PATIENCE)
    return replace(plain, **more)  # type: ignore[arg-type]  # tests name fields


@pytest.fixture
async def at(person: Person) -> AsyncIterator[Callable[..., ImapMailbox]]:
    """His mailbox with some things changed; closed in the end."""
    made: list[ImapMailbox] = []

    def make(login: Login | None = None, **more: object) -> ImapMailbox:
        made.append(ImapMailbox(account_of(person, **more), login or Password(PASSWORD)))
        return made[-1]

    yield make
    for mailbox in made:
        await mailbox.close()


@pytest.fixture
def trusting(person: Person) -> ssl.SSLContext:
    """Trusts our Dovecot alone."""
    return ssl.create_default_context(cafile=person.server.certificate)
