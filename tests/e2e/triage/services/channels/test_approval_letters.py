"""Approvers are asked by letter once, each about exactly what waits, and nobody about his own mail."""

from pathlib import Path

from cli.wiring.app import App
from tests.e2e.triage.services.channels.talking import FIXED, parked, status, talking
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from triage.domain.letters import Letter
from triage.domain.mail import Received, Trust
from triage.services.channels.approval_letters import ApprovalLetters

NADIA, BEN = "nadia.ferreira@harbourline.example", "ben.adeyemi@harbourline.example"
MAIL = {
    "ENABLE_JIRA_APPROVALS": "false",
    "SMTP_HOST": "127.0.0.1",
    "SMTP_TLS": "none",
    "MAIL_FROM": "Triage <triage@harbourline.example>",
    "PUBLIC_URL": "https://triage.harbourline.example",
}


def asking(app: App) -> ApprovalLetters:
    """What asks approvers."""
    (letters,) = app.approval_letters
    return letters


async def queued(app: App) -> tuple[Letter, ...]:
    """All letters."""
    return await app.store.letters.letters()


async def test_each_approver_is_asked_once(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """However often a process looks, or another one does."""
    async with talking(cloud_jira, tmp_path, people(NADIA, BEN), **MAIL) as app:
        number = await parked(app)
        for _ in range(3):
            await asking(app).run_once()
        async with talking(cloud_jira, tmp_path, people(NADIA, BEN), **MAIL) as other:
            await asking(other).run_once()
        letters = await queued(app)

    assert sorted(letter.recipients[0] for letter in letters) == [BEN, NADIA]
    assert all(f"no. {number}" in letter.subject for letter in letters)
    assert all(letter.body.count("https://triage.harbourline.example/approve/") == 2 for letter in letters)


async def test_not_about_his_own_mail(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Who wrote the mail is not asked."""
    mine = FIXED.replace(b"Sigrid Haugen <sigrid.haugen@", b"Nadia Ferreira <nadia.ferreira@")
    async with talking(cloud_jira, tmp_path, people(NADIA, BEN), **MAIL) as app:
        await parked(app, mine)
        await asking(app).run_once()
        letters = await queued(app)

    assert [letter.recipients for letter in letters] == [(BEN,)]


async def test_off_until_configured(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Without a mail server nobody is asked."""
    async with talking(cloud_jira, tmp_path, people(NADIA), **{**MAIL, "SMTP_HOST": "", "MAIL_FROM": ""}) as app:
        assert app.approval_letters == ()


def people(*addresses: str) -> str:
    """The approvers, asked by letter, as triage.yaml has them."""
    return f"people: [{', '.join(addresses)}, some-account-id]"


async def test_from_letter_to_jira(tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer) -> None:
    """The letter arrives over SMTP with two links; its reader answers yes, and it is done in Jira."""
    settings = {**MAIL, "SMTP_PORT": str(mail_server.port)}
    async with talking(cloud_jira, tmp_path, people(NADIA), **settings) as app:
        await parked(app)
        await asking(app).run_once()
        assert app.letter_sender
        await app.letter_sender.drain()
        (letter,) = mail_server.accepted
        plain = letter.message.get_payload()[0].get_payload(decode=True).decode()  # type: ignore[index,union-attr]
        now = app.worker.clock.now()
        raw = (
            f"From: {NADIA}\nTo: triage@harbourline.example\nSubject: Re: {letter.message['subject']}\n"
            f"Message-ID: <1@harbourline.example>\nIn-Reply-To: {letter.message['message-id']}\n"
            "Date: Sun, 22 Nov 2026 10:00:00 +0000\n\nYes\n\n> May Triage do this?\n"
        ).encode()
        await app.intake.accept(Received(source="demo", source_id="answer", raw=raw, at=now, verdict=Trust.VERIFIED))
        await app.worker.drain()

    assert letter.to == (NADIA,)
    assert plain.count("https://triage.harbourline.example/approve/") == 2
    assert "HARB-45 status" in plain
    assert status(cloud_jira) == "Done"
