"""`triage mailbox` as a user has it: a provider over HTTP, a Dovecot that takes its tokens, a mail server that takes them, too."""

import json
from collections.abc import Iterator

import pytest

from tests.e2e.installation import Installation
from tests.servers.dovecot import Person, mail
from tests.servers.mail.smtp import MailServer
from tests.servers.web.mail_oauth import CLIENT, SCOPES, MailProvider, mail_provider


@pytest.fixture
def at(person: Person, mail_server: MailServer) -> Iterator[MailProvider]:
    """A provider whose tokens open the person's mailbox and send letters."""

    def token() -> str:
        made = person.server.token(person.name)
        mail_server.tokens.add(made)
        return made

    with mail_provider() as state:
        state.token, state.interval = token, 1
        yield state


@pytest.fixture
def signing(installation: Installation, at: MailProvider, person: Person, mail_server: MailServer) -> Installation:
    """An installation without any password for mail."""
    installation.extra |= {
        "MAIL_OAUTH": at.issuer,
        "MAIL_OAUTH_CLIENT_ID": CLIENT,
        "MAIL_OAUTH_SCOPES": SCOPES,
        "IMAP_HOST": "127.0.0.1",
        "IMAP_PORT": str(person.server.imap),
        "IMAP_TLS": "none",
        "IMAP_USER": person.name,
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(mail_server.port),
        "SMTP_TLS": "none",
        "SMTP_USER": person.name,
        "MAIL_FROM": "support@harbour.example",
        "DRAFTS_FOLDER": "none",
        "SENT_FOLDER": "none",
    }
    return installation


def test_from_sign_in_to_revocation(
    signing: Installation, at: MailProvider, person: Person, mail_server: MailServer
) -> None:
    """Before it every command names the cure; a code signs in; mail comes in and letters leave without a person; then the consent goes."""
    before = signing.triage("watch", "--once")
    done = signing.triage("mailbox", "login")
    person.deliver(mail(1))
    watched = signing.triage("watch", "--once", "--since", "2020-01-01")
    sent = signing.triage("letters", "test")
    [row] = signing.json("mailbox", "list")
    looked = {one["what"]: one for one in signing.json("doctor")}
    shown = b"".join([done.stdout, done.stderr, watched.stdout, watched.stderr, sent.stdout, sent.stderr])

    assert f"triage mailbox login {person.name}".encode() in before.stderr
    assert b"type in: WDJB-MJHT" in done.stdout
    assert b"opens; folders: 1" in done.stdout
    assert watched.returncode == 0, watched.stderr
    assert b"1" in watched.stdout
    assert sent.returncode == 0, sent.stderr
    assert len(mail_server.accepted) == 1
    assert (row["account"], row["scope"], row["trouble"]) == (person.name, SCOPES, "")
    assert looked[f"tokens of {person.name}"]["state"] == "ok"
    assert looked["letters"]["state"] == "ok"
    assert at.given[0].encode() not in shown
    assert at.good.encode() not in shown
    assert len(at.given) == 1

    # Dovecot takes no old token, and the provider gives none for a refresh token that it has withdrawn.
    at.token, at.good, at.granted = (lambda: person.server.token(person.name, lives=-60)), "", SCOPES.partition(" ")[0]
    removed = signing.triage("mailbox", "logout", person.name)
    refused = signing.triage("mailbox", "login", person.name)
    at.good = ""
    stalled = signing.triage("watch", "--once")
    [failed] = signing.json("mailbox", "list")

    assert b"are removed" in removed.stdout
    assert refused.returncode == 1
    assert b"not granted" in refused.stdout
    assert b"SMTP.Send" in refused.stdout
    assert f"triage mailbox login {person.name}".encode() in stalled.stderr
    assert "invalid_grant" in failed["trouble"]


def test_wrong_use(signing: Installation) -> None:
    """Unknown accounts, no provider, half of the settings: each is refused with exit code 2 and its cure."""
    unknown = signing.triage("mailbox", "login", "nobody@example.com")
    off = signing.triage("mailbox", "login", MAIL_OAUTH="", MAIL_OAUTH_CLIENT_ID="", IMAP_PASSWORD="x", SMTP_USER="")
    half = signing.triage("mailbox", "list", MAIL_OAUTH="google", MAIL_OAUTH_SCOPES="")

    assert (unknown.returncode, b"which one? There are:" in unknown.stderr) == (2, True)
    assert (off.returncode, b"set MAIL_OAUTH" in off.stderr) == (2, True)
    assert (half.returncode, b"MAIL_OAUTH_CLIENT_SECRET" in half.stderr) == (2, True)
    assert json.loads(signing.triage("mailbox", "list", "--json").stdout)[0]["signed_in"] is None
