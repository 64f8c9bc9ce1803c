"""Questions about the mailbox that need no mailbox: a server without TLS, a provider that takes tokens alone."""

import pytest

from cli.setup.draft import Draft
from cli.setup.mailbox import MailboxQuestions, _with_login
from cli.setup.unattended import Trial, _way
from tests.unit.cli.setup.test_asking import asker, said
from tests.unit.triage.services.setup.test_mail_servers import Net
from triage.domain.mailboxes import MailServer
from triage.policy.setup.mail_providers import by_domain
from triage.services.setup.mail_servers import IMAP, MailServerSearch

CLEAR = Net(("mail.acme.example", 143, "none"))


def test_a_server_without_tls_is_taken_only_if_somebody_says_so() -> None:
    """The default is no; yes is written as `insecure`, so that the settings say what it is."""
    ask = asker("mail.acme.example", "", "mail.acme.example", "yes")
    draft = MailboxQuestions(MailServerSearch(reach=CLEAR, directory=None)).server(ask, Draft())

    assert (draft["IMAP_TLS"], draft["IMAP_PORT"]) == ("insecure", "143")
    assert ask.asked == 4


async def test_a_file_of_answers_has_to_say_it_too() -> None:
    """Without `tls: insecure` the finding tells what to write; with it nothing is tried."""
    at = Trial(Draft())
    unasked = await _way(at, "mailbox", CLEAR, MailServer(host="mail.acme.example", port=0, tls=""), IMAP)
    told = await _way(at, "mailbox", CLEAR, MailServer(host="mail.acme.example", port=0, tls="insecure"), IMAP)

    assert unasked is None
    assert "tls: insecure" in at.findings[0].cure
    assert told == MailServer(host="mail.acme.example", port=143, tls="insecure")


def test_a_provider_of_tokens_is_asked_for_a_command() -> None:
    """No password is asked for where none would do; a command of the file is offered again."""
    microsoft = by_domain("outlook.com")
    assert microsoft
    asked = _with_login(asker("m365-token me"), Draft(kept={"IMAP_PASSWORD": "old"}, servers=microsoft))
    kept = _with_login(asker(""), Draft(kept={"IMAP_TOKEN_COMMAND": "mine"}))

    assert asked.changes == {"IMAP_TOKEN_COMMAND": "m365-token me", "IMAP_PASSWORD": None}
    assert kept["IMAP_TOKEN_COMMAND"] == "mine"


@pytest.mark.parametrize("host", ["imap.gmail.com", "imap.acme.example"])
def test_blanks_in_an_app_password(host: str) -> None:
    """Google shows app passwords in groups; elsewhere a blank may be part of a password."""
    draft = _with_login(asker("abcd efgh"), Draft().having(IMAP_HOST=host))

    assert draft["IMAP_PASSWORD"] == ("abcdefgh" if "gmail" in host else "abcd efgh")
    assert "efgh" not in said(asker())
