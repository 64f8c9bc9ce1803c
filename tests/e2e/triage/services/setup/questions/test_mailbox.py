"""The questions about the mailbox, asked of a real Dovecot."""

from pathlib import Path

import pytest

from cli.setup import trials
from cli.wiring.setup import mail_search
from tests.servers import free_port
from tests.servers.dovecot import PASSWORD, Person, mail
from tests.servers.web.mail_oauth import CLIENT, SCOPES, mail_provider
from tests.unit.triage.services.setup.asker import asker, said
from triage.services.setup.draft import Draft
from triage.services.setup.questions.mailbox import MailboxQuestions, host_and_port
from triage.services.setup.walk import SetupPart, walk


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SetupPart:
    """The questions, which ask nobody outside, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    at = MailboxQuestions(trials, mail_search(lookup=False))
    return SetupPart("mailbox", (at.address, at.server, at.login, at.folder))


async def test_each_mistake_is_told_and_asked_again(part: SetupPart, person: Person) -> None:
    """No address, no server there, a wrong password and a wrong folder: the right answers end it, by another user name."""
    closed, open_one = free_port(), person.server.imap
    ask = asker(
        "support", f"{person.name}@harbour.example", "two words", f"127.0.0.1:{closed}", f"127.0.0.1:{open_one}",
        "wrong", person.name, PASSWORD, "Nowhere", "inbox",
    )  # fmt: skip
    draft = await walk(ask, Draft(), (part,))
    words = " ".join(said(ask).split())

    assert "That is no mail address" in words
    assert "That is no server's name" in words
    assert "cannot be used" in words
    assert "Is the password of this mailbox" in words
    assert "there are: INBOX" in words
    assert PASSWORD not in words
    assert draft["IMAP_USER"] == person.name
    assert (draft["IMAP_TLS"], draft["IMAP_PORT"], draft["IMAP_FOLDER"]) == ("none", str(open_one), "INBOX")


async def test_a_huge_mailbox_costs_no_more(part: SetupPart, person: Person) -> None:
    """Of many mails the newest are looked at; where none is stamped this is said, and nothing invented."""
    person.fill(mail(number) for number in range(300))
    ask = asker(f"{person.name}@harbour.example", f"127.0.0.1:{person.server.imap}", PASSWORD, "")
    draft = await walk(ask, Draft(), (part,))

    assert "next mail is number 301" in " ".join(said(ask).split())
    assert "none of the newest 20 mails has a stamp" in " ".join(said(ask).split())
    assert not draft["AUTHSERV_ID"]


async def test_a_known_provider_needs_no_server(part: SetupPart) -> None:
    """Its server is known and its hint is given before the password is asked for."""
    ask = asker("support@gmail.com")
    draft = await part.questions[1](ask, await part.questions[0](ask, Draft()))

    assert (draft["IMAP_HOST"], draft["IMAP_PORT"], draft["IMAP_TLS"]) == ("imap.gmail.com", "993", "ssl")
    assert "app password" in " ".join(said(ask).split())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("imap.acme.example", ("imap.acme.example", 0)),
        ("IMAPS://Imap.acme.example:993/", ("imap.acme.example", 993)),
        ("me@imap.acme.example", ("", 0)),
        ("host:port", ("", 0)),
        ("two words", ("", 0)),
        ("993", ("", 0)),
    ],
)
def test_a_server_by_name_and_port(text: str, found: tuple[str, int]) -> None:
    """Names, ports and addresses of mail programs are understood; anything else is none."""
    assert host_and_port(text) == found


async def test_tokens_instead_of_a_password(part: SetupPart, person: Person, tmp_path: Path) -> None:
    """The application is asked for, somebody signs in before the next question, and the second time the tokens are there."""
    with mail_provider() as at:
        at.token, at.interval = lambda: person.server.token(person.name), 1
        kept = {"MAIL_OAUTH": at.issuer, "MAIL_OAUTH_SCOPES": SCOPES, "DATABASE_URL": f"sqlite:///{tmp_path}/triage.db"}
        draft = Draft(kept=kept).having(IMAP_USER=person.name, IMAP_HOST="127.0.0.1", IMAP_TLS="none")
        draft = draft.having(IMAP_PORT=str(person.server.imap))
        ask, again = asker("wrong", CLIENT), asker("")
        done = await part.questions[2](ask, draft)
        await part.questions[2](again, done)
        words = " ".join(said(ask).split())

    assert "invalid_client" in words
    assert "type in: WDJB-MJHT" in words
    assert "✓ logged in; folders: 1" in words
    assert "type in" not in said(again)
    assert (ask.asked, again.asked) == (2, 1)
    assert done["MAIL_OAUTH_CLIENT_ID"] == CLIENT
    assert not done["IMAP_PASSWORD"]
