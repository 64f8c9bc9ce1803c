"""Questions about the mailbox that need no mailbox: a server without TLS, a provider that takes tokens alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from cli.setup import trials
from cli.setup.unattended import SetupTrial, _mailbox, _reachable
from tests.unit.triage.services.setup.asker import asker, said
from tests.unit.triage.services.setup.test_mail_servers import Net
from triage.domain.mailboxes import MailServer
from triage.policy.setup.mail_providers import by_domain
from triage.services.setup.answers import MailboxAnswers
from triage.services.setup.draft import Draft
from triage.services.setup.mail_servers import IMAP, MailServerSearch
from triage.services.setup.questions.mailbox import MailboxQuestions, _with_login

CLEAR = Net(("mail.acme.example", 143, "none"))


async def test_a_server_without_tls_is_taken_only_if_somebody_says_so() -> None:
    """The default is no; yes is written as `insecure`, so that the settings say what it is."""
    ask = asker("mail.acme.example", "", "mail.acme.example", "yes")
    draft = await MailboxQuestions(trials, MailServerSearch(reach=CLEAR, directory=None)).server(ask, Draft())

    assert (draft["IMAP_TLS"], draft["IMAP_PORT"]) == ("insecure", "143")
    assert ask.asked == 4


async def test_a_file_of_answers_has_to_say_it_too() -> None:
    """Without `tls: insecure` the finding tells what to write; with it nothing is tried."""
    at = SetupTrial(Draft())
    unasked = await _reachable(at, "mailbox", CLEAR, MailServer(host="mail.acme.example", port=0, tls=""), IMAP)
    told = await _reachable(at, "mailbox", CLEAR, MailServer(host="mail.acme.example", port=0, tls="insecure"), IMAP)

    assert unasked is None
    assert "tls: insecure" in at.findings[0].cure
    assert told == MailServer(host="mail.acme.example", port=143, tls="insecure")


async def test_a_provider_of_tokens_is_asked_for_an_application() -> None:
    """No password is asked for where none would do; a command of the file is offered again."""
    microsoft = by_domain("outlook.com")
    assert microsoft
    asked = await _with_login(asker("id-1", ""), Draft(kept={"IMAP_PASSWORD": "old"}, servers=microsoft))
    again = await _with_login(asker("", "t-1"), replace(asked, servers=microsoft))
    kept = await _with_login(asker(""), Draft(kept={"IMAP_TOKEN_COMMAND": "mine"}))

    assert asked.changes == {
        "MAIL_OAUTH": "microsoft",
        "MAIL_OAUTH_CLIENT_ID": "id-1",
        "MAIL_OAUTH_TENANT": None,
        "IMAP_PASSWORD": None,
    }
    assert (again["MAIL_OAUTH_CLIENT_ID"], again["MAIL_OAUTH_TENANT"]) == ("id-1", "t-1")
    assert kept["IMAP_TOKEN_COMMAND"] == "mine"


async def test_a_file_of_answers_names_an_application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can sign in before the settings stand, so that this is no failure, and the next step is told; half of them are one."""
    monkeypatch.chdir(tmp_path)
    at, half = SetupTrial(Draft(kept={"DATABASE_URL": "sqlite:///:memory:"})), SetupTrial(Draft())
    given = {"address": "a@b.example", "host": "mail.acme.example", "tls": "ssl"}
    application = {"provider": "microsoft", "client_id": "id-1", "tenant": "t-1"}
    search = MailServerSearch(reach=CLEAR, directory=None)
    opened = await _mailbox(at, MailboxAnswers.model_validate({**given, "oauth": application}), search)
    await _mailbox(
        half, MailboxAnswers.model_validate({**given, "oauth": {**application, "provider": "google"}}), search
    )

    assert not opened
    assert [(one.state, one.cure) for one in at.findings] == [("warn", "then: triage mailbox login a@b.example")]
    assert (at.draft["MAIL_OAUTH"], at.draft["MAIL_OAUTH_TENANT"]) == ("microsoft", "t-1")
    assert [one.state for one in half.findings] == ["fail"]
    assert "MAIL_OAUTH_CLIENT_SECRET" in half.findings[0].text


async def test_google_takes_an_app_password_or_an_application() -> None:
    """One question for both: ids of applications are known by their end, and then the secret is asked for."""
    google = by_domain("gmail.com")
    assert google
    draft = Draft(servers=google).having(IMAP_HOST="imap.gmail.com", IMAP_USER="bot@gmail.com")
    by_token = await _with_login(asker("12-ab.apps.googleusercontent.com", "GOCSPX-1"), draft)
    by_password = await _with_login(asker("abcd efgh"), draft)

    assert (by_token["MAIL_OAUTH"], by_token["MAIL_OAUTH_CLIENT_SECRET"]) == ("google", "GOCSPX-1")
    assert (by_token["IMAP_PASSWORD"], by_password["MAIL_OAUTH"]) == ("", "")
    assert by_password["IMAP_PASSWORD"] == "abcdefgh"


@pytest.mark.parametrize("host", ["imap.gmail.com", "imap.acme.example"])
async def test_blanks_in_an_app_password(host: str) -> None:
    """Google shows app passwords in groups; elsewhere a blank may be part of a password."""
    draft = await _with_login(asker("abcd efgh"), Draft().having(IMAP_HOST=host))

    assert draft["IMAP_PASSWORD"] == ("abcdefgh" if "gmail" in host else "abcd efgh")
    assert "efgh" not in said(asker())
