"""An approver answers the letter; his mail server's proof decides whether it counts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cli.wiring.app import App
from tests.e2e.triage.services.channels.talking import ANSWERS, ASKS, POST, parked, status, talking
from tests.e2e.triage.services.channels.test_approval_letters import BEN, MAIL, NADIA, asking, people, queued
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.letters import LetterKind
from triage.domain.mail import Received, Trust
from triage.domain.reports import Report

QUOTE = "\n\nOn Sunday Triage wrote:\n> May Triage do this?\n> yes\n"


@asynccontextmanager
async def asked(jira: RunningJira, folder: Path) -> AsyncIterator[tuple[App, int, str]]:
    """An app that has asked Nadia; the number of what waits, and the letter's Message-ID."""
    async with talking(jira, folder, people(NADIA, BEN), **MAIL) as app:
        number = await parked(app)
        await asking(app).run_once()
        letter = next(one for one in await queued(app) if one.recipients == (NADIA,))
        yield app, number, letter.message_id


async def answer(app: App, to: str, text: str, sender: str = NADIA, trust: Trust = Trust.VERIFIED) -> Report:
    """A mail that answers the letter, worked to its end."""
    head = (
        f"From: {sender}\nTo: triage@harbourline.example\nSubject: Re: May Triage do this?\n"
        f"Message-ID: <{len(text)}.{trust}@harbourline.example>\nIn-Reply-To: <{to}>\n"
        "Date: Sun, 22 Nov 2026 10:00:00 +0000\n\n"
    )
    now, raw = app.worker.clock.now(), f"{head}{text}{QUOTE}".encode()
    case = await app.intake.accept(Received(source="demo", source_id=text + sender, raw=raw, at=now, verdict=trust))
    await app.worker.drain()
    return await app.store.archive.report(case)


async def test_yes(tmp_path: Path, any_jira: RunningJira) -> None:
    """It is done once; the mail makes no ticket, and its report says what it decided."""
    async with asked(any_jira, tmp_path) as (app, number, letter):
        report = await answer(app, letter, "Yes.")
        again = await answer(app, letter, "yes")
        decided = await app.approvals.get(number)

    assert (decided.state, decided.by) == (ApprovalState.ACCEPTED, NADIA)
    assert (report.case.outcome, report.case.reason) == (Outcome.IGNORED, f"no. {number} is decided by this mail: yes")
    assert again.case.outcome is Outcome.IGNORED
    assert status(any_jira) == "Done"
    assert len(any_jira.requests("POST", "/issue/HARB-45/transitions")) == 1


async def test_no_and_edit(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A new text is done instead; a no after it comes too late, and its report says so."""
    async with asked(cloud_jira, tmp_path) as (app, number, letter):
        await answer(app, letter, "edit In Progress")
        late = await answer(app, letter, "no")
        decided = await app.approvals.get(number)

    assert decided.state is ApprovalState.ACCEPTED
    assert status(cloud_jira) == "In Progress"
    assert f"no. {number} was changed since this person was asked" in late.case.reason


async def test_a_letter_is_rewritten(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The letter to the approver shows the mail, the answer and who gets it; what he writes instead leaves, with all its lines."""
    async with talking(cloud_jira, tmp_path, people(NADIA), sections=ANSWERS, **{**MAIL, **POST}) as app:
        number = await parked(app, ASKS)
        await asking(app).run_once()
        (letter,) = await queued(app)
        report = await answer(app, letter.message_id, "edit Hello Ida,\n\nunder Account, Members.")
        ours = [one for one in await queued(app) if one.kind is LetterKind.ANSWER]

    assert letter.subject.endswith(": Invoices")
    assert "letter to Ida North" in letter.body
    assert "how can a colleague of mine" in letter.original.text
    assert report.case.reason == f"no. {number} is decided by this mail: edit"
    assert [(one.recipients, one.body) for one in ours] == [
        (("ida@north.example",), "Hello Ida,\n\nunder Account, Members.")
    ]


@pytest.mark.parametrize(
    ("sender", "trust", "text", "told"),
    [
        (NADIA, Trust.WEAK, "yes", "not proven"),
        (NADIA, Trust.FAILED, "yes", "not proven"),
        (BEN, Trust.VERIFIED, "yes", "not proven"),
        ("eve@evil.example", Trust.VERIFIED, "yes", "not proven"),
        (NADIA, Trust.VERIFIED, "yes, but only tomorrow", "nothing was decided"),
        (NADIA, Trust.VERIFIED, "I was away.", "nothing was decided"),
    ],
)
async def test_what_decides_nothing(
    tmp_path: Path, cloud_jira: RunningJira, sender: str, trust: Trust, text: str, told: str
) -> None:
    """An unproven sender, another person, another first line: nothing is decided, and the report says why."""
    async with asked(cloud_jira, tmp_path) as (app, number, letter):
        report = await answer(app, letter, text, sender, trust)
        waiting = await app.approvals.get(number)

    assert waiting.state is ApprovalState.OPEN
    assert told in report.case.reason
    assert cloud_jira.requests("POST", "/transitions$") == []


async def test_a_forged_message_id(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A mail that names a letter which we have not written is a mail as any other."""
    async with asked(cloud_jira, tmp_path) as (app, number, letter):
        report = await answer(app, letter.replace("approval_", "approval_9"), "yes")
        waiting = await app.approvals.get(number)

    assert waiting.state is ApprovalState.OPEN
    assert "decided" not in (report.case.reason or "")
