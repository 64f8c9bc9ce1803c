"""`triage init` from nothing to the first ticket, with a real Jira sandbox, a real Dovecot and a person at a terminal."""

import os
import stat
from pathlib import Path

import httpx2

from tests.e2e.cli.setup.terminal import plain, terminal
from tests.e2e.installation import Installation
from tests.e2e.running import running, until
from tests.servers.dovecot import PASSWORD, Person, mail
from tests.servers.sandbox import RunningJira

MOST_QUESTIONS = 12


def stamped(number: int) -> bytes:
    """A mail that our mail server has checked."""
    results = b"Authentication-Results: mx.harbour.example; dmarc=pass header.from=example.com\r\n"
    hop = b"Received: from out.example.com by mx.harbour.example; Sun, 22 Nov 2026 10:00:00 +0000\r\n"
    return results + hop + mail(number)


def test_cloud_from_nothing_to_the_first_ticket(tmp_path: Path, cloud_jira: RunningJira, person: Person) -> None:
    """At most twelve questions, no file edited by hand: the wizard waits for the first mail and shows its ticket."""
    address = f"{person.name}@harbour.example"
    person.deliver(*(stamped(number) for number in range(1, 4)))
    with terminal(tmp_path, server=person.server) as at:
        at.answer("Address of your Jira", f"{cloud_jira.url}/browse/HARB-1")
        assert "Jira Cloud" in plain(at.answer("Mail address of that account", cloud_jira.email))
        at.answer("API token", cloud_jira.token)
        assert "Triage Bot" in plain(at.answer("Project that gets the tickets", ""))
        at.answer("Address of the mailbox", address)
        at.answer("IMAP server", f"localhost:{person.server.imap}")
        assert "starttls" in at.answer("Password", PASSWORD)
        at.answer("Folder", "")
        assert "mx.harbour.example has stamped 3 of the newest 3" in plain(at.answer("Who reads the mails", "none"))
        at.answer("Mail server for letters", "")
        shown = plain(at.answer("Write .env", "yes"))
        at.answer("Wait here", "yes")
        at.sees(f"Send a mail to {address} now")
        person.deliver(stamped(4))
        at.sees("HARB-71")
        assert at.ended() == 0
        heard = plain((tmp_path / "transcript").read_text(encoding="utf-8"))

    assert len(at.questions) <= MOST_QUESTIONS
    assert "webhooks: none is open; mail comes from the mailbox" in heard
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
    assert "AUTHSERV_ID=mx.harbour.example" in (tmp_path / ".env").read_text(encoding="utf-8")
    assert cloud_jira.token not in heard
    assert PASSWORD not in heard
    assert "JIRA_API_TOKEN=********" in shown


def test_data_center_then_serve(tmp_path: Path, server_jira: RunningJira, person: Person) -> None:
    """The wizard trusts the CA that `.env` names; what it writes is all that `triage serve` needs: the next mail becomes a ticket."""
    (tmp_path / ".env").write_text(f"SSL_CERT_FILE={person.server.certificate}\n")
    with terminal(tmp_path) as at:
        at.answer("Address of your Jira", server_jira.url)
        assert "Data Center" in plain(at.answer("Personal access token", server_jira.token))
        at.answer("Project that gets the tickets", "HARB")
        at.answer("Address of the mailbox", f"{person.name}@harbour.example")
        at.answer("IMAP server", f"localhost:{person.server.imaps}")
        at.answer("Password", PASSWORD)
        at.answer("Folder", "INBOX")
        at.answer("Who reads the mails", "")
        at.answer("Mail server for letters", "none")
        at.answer("Write .env", "")
        at.answer("Wait here", "no")
        assert at.ended() == 0
    bare = Bare(folder=tmp_path, jira=server_jira, extra={"SSL_CERT_FILE": str(person.server.certificate), "PORT": "0"})

    with running(bare, "serve") as serving:
        url = serving.url
        until(lambda: '"idle"' in httpx2.get(f"{url}/health/ready").text, serving)
        person.deliver(mail(1))
        until(bare.created, serving)

    assert len(at.questions) <= MOST_QUESTIONS
    assert len(bare.created()) == 1


def test_ctrl_c_leaves_nothing_behind(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """On a narrow terminal without colours, in the middle of a secret: no file, no escape sequence, no word of the answers."""
    (tmp_path / ".env").write_text("LOG_LEVEL=ERROR\n", encoding="utf-8")
    with terminal(tmp_path, columns=40, TERM="dumb", NO_COLOR="1") as at:
        at.answer("Address of your Jira", cloud_jira.url)
        at.answer("Mail address of that account", cloud_jira.email)
        at.sees("not[ \r\n]+shown[^>]*> ")
        at.child.sendintr()
        at.sees("Nothing was written")
        assert at.ended() == 1
    heard = (tmp_path / "transcript").read_text(encoding="utf-8")

    assert "\x1b" not in heard
    assert (tmp_path / ".env").read_text(encoding="utf-8") == "LOG_LEVEL=ERROR\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".env", "transcript"]


def test_the_end_promises_only_what_is_set_up(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """With Jira and without a mailbox the last lines say what is still needed, and not that a mailbox is watched."""
    with terminal(tmp_path) as at:
        at.answer("Address of your Jira", cloud_jira.url)
        at.answer("Mail address of that account", cloud_jira.email)
        at.answer("API token", cloud_jira.token)
        at.answer("Project that gets the tickets", "HARB")
        at.answer("Address of the mailbox", "skip")
        at.answer("Who reads the mails", "skip")
        at.answer("Mail server for letters", "")
        at.answer("Write .env", "yes")
        last = plain(at.sees("Triage still needs a way in for mail: run `triage init` again."))
        assert at.ended() == 0

    assert "watches the mailbox" not in last


class Bare(Installation):
    """An installation whose settings stand in its .env alone."""

    def environment(self, **more: str) -> dict[str, str]:
        """Only what a shell has."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), "COLUMNS": "200", **self.extra, **more}
