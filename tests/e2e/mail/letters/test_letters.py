"""From mail to letter through the whole house: a model proposes, a person accepts, the mail server takes it, answers come back."""

from email.message import Message
from email.utils import make_msgid
from pathlib import Path

import pytest

from cli.mail.process import worked
from cli.wiring.app import App
from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.opened import call, modelled
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import Approver, ApproverProof
from triage.domain.cases import Outcome
from triage.domain.conversation import Turn
from triage.domain.letters import LetterState
from triage.domain.mail import Trust
from triage_sandbox.openai_app import Script

GRACE = Approver(name="grace", proof=ApproverProof.SHELL)
TEXT = "Thank you, we look **into** it."


def settings(server: MailServer, **more: str) -> dict[str, str]:
    """Letters are switched on, over this server, without a window."""
    return {
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(server.port),
        "SMTP_TLS": "none",
        "MAIL_FROM": "Harbour Support <support@harbourline.example>",
        "LETTER_DELAY_SECONDS": "0",
        "OPENAI_PREFETCH": "false",
        **more,
    }


def calling(tool: str, arguments: str) -> Script:
    """A model that calls one tool."""
    return Script(call(tool, arguments), Turn(text="Done."))


async def sent(opened: App) -> None:
    """Send what is due."""
    assert opened.letter_sender is not None
    await opened.letter_sender.drain()


async def test_an_answer_from_mail_to_letter(tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer) -> None:
    """A person accepts exactly what is shown; the letter goes to the sender, in the thread; the case ends as answered."""
    script = calling("send_reply", f'{{"body": "{TEXT}"}}')
    async with modelled(cloud_jira, tmp_path, script, **settings(mail_server)) as (opened, _):
        report = await delivered(opened, letter(), "first", Trust.VERIFIED)
        [parked] = report.approvals
        await sent(opened)
        before = list(mail_server.accepted)
        await opened.approvals.accept(parked.id, GRACE)
        await worked(opened, report.case.id)
        await sent(opened)
        done = await opened.store.archive.report(report.case.id)

    assert (report.case.outcome, before) == (Outcome.WAITING, [])
    assert (parked.tool, parked.field, parked.becomes) == ("send_reply", "reply", TEXT)
    assert done.case.outcome is Outcome.ANSWERED, done.case.reason
    assert "grace accepted it" in done.case.reason
    [one] = done.letters
    assert (one.state, one.by, one.automatic) == (LetterState.SENT, "grace", False)
    [taken] = mail_server.accepted
    assert taken.to == ("dora@corner-shop.example",)
    assert taken.message["In-Reply-To"] == "<1@corner-shop.example>"
    assert taken.message["Subject"] == "Re: Barcode cut off"
    assert "> The barcode is cut off when I print a label." in plain(taken.message)


def plain(message: Message) -> str:
    """The plain text of a mail."""
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()


@pytest.mark.parametrize("verdict", [Trust.UNVERIFIED, Trust.FAILED])
async def test_nobody_unproven_gets_a_letter(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, verdict: Trust
) -> None:
    """For a forged or unproven sender neither a person is asked nor a letter queued."""
    script = calling("send_reply", f'{{"body": "{TEXT}"}}')
    async with modelled(cloud_jira, tmp_path, script, **settings(mail_server)) as (opened, _):
        report = await delivered(opened, letter(), "first", verdict)

    assert (report.approvals, report.letters) == ((), ())
    assert report.case.outcome is Outcome.WAITING


async def test_handed_over(tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer) -> None:
    """An escalated case waits for a person, with the reason."""
    script = calling("escalate", '{"reason": "He threatens to sue."}')
    async with modelled(cloud_jira, tmp_path, script, **settings(mail_server)) as (opened, _):
        report = await delivered(opened, letter(), "first", Trust.VERIFIED)

    assert report.case.outcome is Outcome.WAITING
    assert "handed to a person: He threatens to sue." in report.case.reason


async def test_without_letters_there_are_no_tools(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where SMTP_HOST is not set the model is not shown the tools, and a call of one is an error."""
    script = calling("send_reply", f'{{"body": "{TEXT}"}}')
    async with modelled(cloud_jira, tmp_path, script, OPENAI_PREFETCH="false") as (opened, served):
        report = await delivered(opened, letter(), "first", Trust.VERIFIED)
        assert opened.letter_sender is None

    assert report.letters == ()
    assert "there is no tool 'send_reply'" in str(report.runs)
    del served


BOUNCE = """From: MAILER-DAEMON@mx.corner-shop.example
To: support@harbourline.example
Subject: {subject}
Return-Path: <>
Message-ID: {name}
Date: Fri, 20 Nov 2026 09:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

{text}

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.corner-shop.example

Final-Recipient: rfc822; dora@corner-shop.example
Action: {action}
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: <{id}>
Subject: Re: Barcode cut off

--b--
"""


@pytest.mark.parametrize(
    ("action", "subject", "state"),
    [
        ("failed", "Undelivered Mail Returned to Sender", LetterState.BOUNCED),
        ("delayed", "Delayed Mail (still being retried)", LetterState.SENT),
    ],
)
async def test_what_comes_back(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, action: str, subject: str, state: LetterState
) -> None:
    """A bounce comes back to its case and marks the letter; a delay is noted only; neither becomes a ticket."""
    script = calling("send_reply", f'{{"body": "{TEXT}"}}')
    async with modelled(cloud_jira, tmp_path, script, **settings(mail_server)) as (opened, _):
        report = await delivered(opened, letter(), "first", Trust.VERIFIED)
        await opened.approvals.accept(report.approvals[0].id, GRACE)
        await worked(opened, report.case.id)
        await sent(opened)
        name = mail_server.accepted[0].message["Message-ID"].strip("<>")
        raw = BOUNCE.format(subject=subject, action=action, id=name, name=make_msgid(), text=f"{subject}.")
        back = await delivered(opened, raw.replace("\n", "\r\n").encode(), "back")
        [one] = (await opened.store.archive.report(report.case.id)).letters

    assert (back.case.outcome, back.case.identity.replies_to_case) == (Outcome.IGNORED, report.case.id)
    assert one.state is state
    assert subject in one.note


async def test_an_answer_to_our_letter(tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer) -> None:
    """Who answers our letter is in its case: the signed Message-ID says so."""
    script = calling("send_reply", f'{{"body": "{TEXT}"}}')
    async with modelled(cloud_jira, tmp_path, script, **settings(mail_server)) as (opened, _):
        report = await delivered(opened, letter(), "first", Trust.VERIFIED)
        await opened.approvals.accept(report.approvals[0].id, GRACE)
        await worked(opened, report.case.id)
        await sent(opened)
        name = mail_server.accepted[0].message["Message-ID"]
        answer = letter("It works now.", subject="Re: Barcode cut off", message_id="<9@c>", thread=name)
        back = await delivered(opened, answer, "back", Trust.VERIFIED)

    assert back.case.identity.replies_to_case == report.case.id


async def test_taken_back_in_its_window(tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer) -> None:
    """Within LETTER_DELAY_SECONDS a letter is taken back and never leaves."""
    script = calling("send_reply", f'{{"body": "{TEXT}"}}')
    given = settings(mail_server, LETTER_DELAY_SECONDS="3600")
    async with modelled(cloud_jira, tmp_path, script, **given) as (opened, _):
        report = await delivered(opened, letter(), "first", Trust.VERIFIED)
        await opened.approvals.accept(report.approvals[0].id, GRACE)
        await worked(opened, report.case.id)
        await sent(opened)
        [waiting] = await opened.store.letters.letters()
        undone = await opened.store.letters.cancel(waiting.id, "grace")
        await sent(opened)

    assert (waiting.state, undone.state, mail_server.accepted) == (LetterState.WAITING, LetterState.CANCELLED, [])
