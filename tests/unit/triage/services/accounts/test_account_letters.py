"""Letters about changes of accounts and tokens, at a real mail server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cli.wiring.operations import open_tokens
from tests.servers.mail.smtp import MailServer
from tests.servers.web.door import PEOPLE, RIVER, Door, console_door
from triage.domain.operations.tokens import AccessScope

BOB = PEOPLE[AccessScope.APPROVER]


@pytest.fixture
async def writing(tmp_path: Path, mail_server: MailServer) -> AsyncIterator[Door]:
    """The console of an installation that can send."""
    letters = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(mail_server.port), "SMTP_TLS": "none"}
    async with console_door(tmp_path, settings={**letters, "MAIL_FROM": "triage@example.com"}) as door:
        yield door


async def test_whose_access_changes_is_told_by_letter(writing: Door, mail_server: MailServer) -> None:
    """A role by an admin, one's own password, a token in one's name: who and what, never the secret (ASVS 2.2.3)."""
    ada, bob = await writing.browser(AccessScope.ADMIN), await writing.browser(AccessScope.APPROVER)
    await ada.post("/accounts/2/role", data=ada.form(role="admin"))
    await bob.post("/accounts/password", data=bob.form(old_password=RIVER, new_password="seven bridges of steel"))
    async with open_tokens(writing.context.settings) as tokens:
        text, _ = await tokens.create("board", AccessScope.VIEWER, 30, by="root", person=BOB)
        await tokens.revoke(1, by="ada")
    told = [(mail.to, mail.message["Subject"].replace("\r\n", "")) for mail in mail_server.accepted]
    texts = [mail.message.get_payload(0).get_payload(decode=True).decode() for mail in mail_server.accepted]  # type: ignore[union-attr]

    assert told == [
        ((BOB,), "Your access to Triage: your role is admin now"),
        ((BOB,), "Your access to Triage: your password was changed"),
        ((BOB,), "Your access to Triage: a new access token in your name, board (viewer)"),
        ((BOB,), "Your access to Triage: an access token in your name is revoked, board (viewer)"),
    ]
    assert "ada@example.com" in texts[0]
    assert not any(secret in "".join(texts) for secret in (RIVER, "seven bridges", text))


async def test_a_mail_server_that_is_down_undoes_nothing(writing: Door, mail_server: MailServer) -> None:
    """The change stands, and the page says so."""
    mail_server.cuts["connect"] = 9
    ada = await writing.browser(AccessScope.ADMIN)
    done = await ada.post("/accounts/2/role", data=ada.form(role="admin"))
    page = (await ada.get("/accounts")).text

    assert (done.status_code, f"{BOB} is admin now." in page) == (303, True)
    assert mail_server.accepted == []
