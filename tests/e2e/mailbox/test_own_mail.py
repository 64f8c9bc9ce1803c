"""Answers to our own mails, their echoes and their returns: found by the signed Message-ID, through the whole house."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.wiring.app import App
from tests.e2e.mail.delivery import EVE, delivered, letter
from tests.e2e.opened import house, judge
from tests.mail_trouble import PEOPLE
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Case, Outcome
from triage.domain.findings import Joined
from triage.domain.mail import Kind, Trust
from triage.domain.reports import Report
from triage.policy.thread.signed_message_ids import own_id

SECRET = "a secret that tests know, and nobody else"
DOMAIN = "harbourline.example"
ANSWER = "Tuesday suits me better than that other day."
"""Nothing that a search would connect with the first mail."""


@dataclass(frozen=True)
class Before:
    """A mail that has its ticket, and the id of what we would have answered."""

    case: Case
    id: str

    @property
    def forged(self) -> str:
        """The same id for another case."""
        return self.id.replace("triage.", "triage.9", 1)


async def answered(opened: App) -> Before:
    """A first mail, and our answer to it on its way."""
    case = (await delivered(opened, letter(), "first")).case
    return Before(case, own_id(case, "reply:1", DOMAIN, SECRET.encode()))


async def answer(opened: App, thread: str, name: str, verdict: Trust | None = None) -> Report:
    """Somebody who was never part of the thread answers this id."""
    raw = letter(f"{ANSWER} {name}.", subject="Re: Tuesday", sender=EVE, message_id=f"<{name}@e>", thread=f"<{thread}>")
    return await delivered(opened, raw, name, verdict)


async def test_answer_to_our_mail(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Who answers a mail of ours is in its thread though no row says so, and by that alone; a forged id is worth nothing."""
    async with house(cloud_jira, tmp_path, TRIAGE_SECRET=SECRET) as opened:
        first = await answered(opened)
        real = await answer(opened, first.id, "real")
        forged = await answer(opened, first.forged, "forged")
        failed = await answer(opened, first.id, "failed", Trust.FAILED)

    assert (real.case.outcome, real.case.ticket, real.case.identity.replies_to_case) == (
        Outcome.COMMENTED,
        first.case.ticket,
        first.case.id,
    )
    assert f"about our mail of {first.case.id}" in " ".join(step.note for step in real.steps)
    assert (forged.case.identity.replies_to_case, forged.case.ticket != first.case.ticket) == ("", True)
    assert [(one.case.identity.joined, one.case.identity.participant) for one in (real, failed)] == [
        (Joined.REPLY_ID, False)
    ] * 2
    assert failed.case.ticket == first.case.ticket


async def test_own_id_opens_no_other_thread(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A signed id brings its own ticket, never that of another thread that is named beside it."""
    async with house(cloud_jira, tmp_path, TRIAGE_SECRET=SECRET) as opened:
        first = await answered(opened)
        process = await delivered(opened, letter("The map is white.", subject="Map", message_id="<v@v>"), "process")
        eve = await answer(opened, f"v@v> <{first.id}", "eve")

    assert (eve.case.ticket, process.case.ticket != first.case.ticket) == (first.case.ticket, True)
    assert len(judge(cloud_jira, tmp_path).comments(process.case.ticket or "")) == 0


@pytest.mark.parametrize("way", ["message-id", "header"])
async def test_our_own_mail_comes_back(tmp_path: Path, cloud_jira: RunningJira, way: str) -> None:
    """Our own mail makes no work, also where a relay has given it another Message-ID; an unsigned header does not hide one."""
    async with house(cloud_jira, tmp_path, TRIAGE_SECRET=SECRET) as opened:
        first = await answered(opened)
        ids = {"message_id": f"<{first.id}>"} if way == "message-id" else {"top": f"X-Triage-Id: <{first.id}>\n"}
        echo = await delivered(opened, letter("We look into it.", subject="Re: Barcode", **ids), "echo")
        hidden = letter("My cat.", subject="Cat", top=f"X-Triage-Id: <{first.forged}>\n", message_id="<2@e>")
        other = await delivered(opened, hidden, "hidden")

    kind = echo.case.identity.kind.kind if echo.case.identity.kind else None
    assert (kind, echo.case.outcome, echo.case.ticket) == (Kind.OWN, Outcome.IGNORED, first.case.ticket)
    assert f"our own mail of {first.case.id} in {first.case.ticket}: " in echo.case.reason
    assert other.case.outcome is Outcome.TICKETED


# --- bounces --------------------------------------------------------------------------------------

HEAD = """From: MAILER-DAEMON@mx.corner-shop.example
To: support@harbourline.example
Subject: {subject}
Date: Fri, 20 Nov 2026 08:10:00 +0000
Message-ID: <dsn@mx.corner-shop.example>
"""
PROPER = """MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=r

--r
Content-Type: text/plain

<dora@corner-shop.example>: user unknown
--r
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.corner-shop.example

Final-Recipient: rfc822; dora@corner-shop.example
Action: failed
Status: 5.1.1
--r
Content-Type: {type}
{encoding}
{original}
--r--
"""
ORIGINAL = """From: support@harbourline.example
To: dora@corner-shop.example
Subject: Re: Barcode cut off
Message-ID: <{id}>

Please try again."""
QMAIL = """
Hi. This is the qmail-send program at mx.corner-shop.example.
I'm afraid I wasn't able to deliver your message to the following addresses.

<dora@corner-shop.example>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

"""
EXCHANGE = """Content-Type: text/html; charset=us-ascii
Content-Transfer-Encoding: quoted-printable

<html><body><p>Your message to dora@corner-shop.example couldn't be delivered.</p>
<p>Original Message Headers</p><pre>From: support@harbourline.example
Message-ID: &lt;{id}&gt;</pre></body></html>
"""


def wrapped(text: str) -> str:
    """As quoted-printable breaks long lines."""
    return "\n".join("=\n".join(line[n : n + 60] for n in range(0, len(line), 60)) for line in text.split("\n"))


def bounce(way: str, message_id: str) -> bytes:
    """What a server says that could not deliver the mail under this id."""
    original, subject = ORIGINAL.format(id=message_id), "Undelivered Mail Returned to Sender"
    body = {
        "whole": PROPER.format(type="message/rfc822", encoding="", original=original),
        "headers": PROPER.format(type="text/rfc822-headers", encoding="", original=original.partition("\n\n")[0]),
        "encoded": PROPER.format(
            type="text/rfc822-headers",
            encoding="Content-Transfer-Encoding: quoted-printable\n",
            original=wrapped(original.partition("\n\n")[0]),
        ),
        "relayed": PROPER.format(
            type="message/rfc822",
            encoding="",
            original=original.replace("Message-ID:", "Message-ID: <1@relay.example>\nX-Triage-Id:"),
        ),
        "answers": f"In-Reply-To: <{message_id}>\n\nYour message could not be delivered: user unknown.",
        "qmail": QMAIL + original,
        "exchange": wrapped(EXCHANGE.format(id=message_id)),
    }[way]
    return (HEAD.format(subject=subject) + body).encode()


WAYS = ["whole", "headers", "encoded", "relayed", "answers", "qmail", "exchange"]


@pytest.mark.parametrize("way", WAYS)
async def test_bounce(tmp_path: Path, cloud_jira: RunningJira, way: str) -> None:
    """A return of a mail of ours says which case and ticket it is about, and writes nothing; a forged one stays a return."""
    async with house(cloud_jira, tmp_path, TRIAGE_SECRET=SECRET) as opened:
        first = await answered(opened)
        ours = (await delivered(opened, bounce(way, first.id), "ours")).case
        others = (await delivered(opened, bounce(way, first.forged), "others")).case
        listed = [(line.state, line.ticket) for line in await opened.store.archive.cases(1, "ignored")]

    told = f"delivery report about our mail of {first.case.id} in {first.case.ticket}: "
    assert (ours.outcome, ours.ticket, ours.identity.replies_to_case) == (
        Outcome.IGNORED,
        first.case.ticket,
        first.case.id,
    )
    assert told in ours.reason
    assert (others.outcome, others.ticket, others.identity.replies_to_case) == (Outcome.IGNORED, None, "")
    assert others.reason.startswith("delivery report: ")
    assert listed == [("ignored", "")]
    assert judge(cloud_jira, tmp_path).comments(first.case.ticket or "") == []


async def test_vacation_notice(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An automatic answer to our mail names the case, too."""
    async with house(cloud_jira, tmp_path, TRIAGE_SECRET=SECRET) as opened:
        first = await answered(opened)
        raw = letter("I am away.", top="Auto-Submitted: auto-replied\n", thread=f"<{first.id}>", message_id="<2@d>")
        away = (await delivered(opened, raw, "away")).case

    assert (away.outcome, away.identity.replies_to_case, away.ticket) == (
        Outcome.IGNORED,
        first.case.id,
        first.case.ticket,
    )
    assert "automatic reply about our mail" in away.reason


async def test_words_set_no_mail_aside(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A reported phish without a word becomes a ticket; a vacation notice that no field marks waits for a person with its thread's ticket."""
    phish = next(one for one in PEOPLE if one.name == "en-phish-mute")
    async with house(cloud_jira, tmp_path, TRIAGE_SECRET=SECRET) as opened:
        reported = (await delivered(opened, phish.raw, "phish")).case
        first = await answered(opened)
        raw = letter("I am away.", subject="Re: Out of office", thread=f"<{first.id}>", message_id="<2@d>")
        away = (await delivered(opened, raw, "away")).case

    assert reported.outcome is Outcome.TICKETED
    assert (away.outcome, away.ticket) == (Outcome.WAITING, first.case.ticket)
    assert away.identity.kind is not None
    assert not away.identity.kind.may_answer


async def test_another_database(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where the case is gone, or its number is another mail's now, an answer is new and a return says so."""
    async with house(cloud_jira, tmp_path, TRIAGE_SECRET=SECRET) as opened:
        first = await answered(opened)
    other = tmp_path / "other"
    other.mkdir()
    await asyncio.sleep(1.1)  # a mail is told from another one under its number by the second that it came in
    async with house(cloud_jira, other, TRIAGE_SECRET=SECRET) as opened:
        foreign_thread = letter("The map is white.", subject="Map", message_id="<v@v>")
        second = await delivered(opened, foreign_thread, "another mail under this number")
        back = (await delivered(opened, bounce("whole", first.id), "bounce")).case
        real = await answer(opened, first.id, "real")

    assert second.case.id == first.case.id
    assert (back.outcome, back.identity.replies_to_case, back.ticket) == (Outcome.IGNORED, "", None)
    assert f"about our mail of {first.case.id}, which is gone: " in back.reason
    assert (real.case.identity.replies_to_case, real.case.ticket != second.case.ticket) == ("", True)
