"""A mailbox on a real Dovecot, opened by our adapter, for the contract and for what only IMAP can suffer; clients of Jira."""

import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace

import httpx2
import pytest

from integrations.imap.login import Login, Password
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import Account, Tls
from tests.servers.dovecot import PASSWORD, Person
from tests.servers.sandbox import RunningJira


def account_of(person: Person, **more: object) -> Account:
    """His mailbox, over a plain connection."""
    port = person.server.imap
    plain = Account(name="support", host="127.0.0.1", port=port, user=person.name, tls=Tls.NONE, silence=5.0)
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


@pytest.fixture
def api(any_jira: RunningJira) -> Iterator[httpx2.Client]:
    """Both sites, one after the other, in the version of the API that our product speaks to them."""
    with any_jira.api() as client:
        yield client


@pytest.fixture
def cloud(cloud_jira: RunningJira) -> Iterator[httpx2.Client]:
    """Cloud's API."""
    with cloud_jira.api() as client:
        yield client


@pytest.fixture
def server(server_jira: RunningJira) -> Iterator[httpx2.Client]:
    """Data Center's API."""
    with server_jira.api() as client:
        yield client
