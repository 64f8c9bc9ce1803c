"""Two tickets become one matter and two again: written once, later mails follow, and come back."""

from pathlib import Path

import pytest

from cli.mail.process import worked
from cli.wiring.app import App
from tests.e2e.installation import MAILS
from tests.e2e.opened import ADA, again, house, judge, take
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.errors import ToolRefused
from triage.domain.reports import Report
from triage.services.intake import received_from_file
from triage_sandbox.jira import Fault

OTHER = "21"


async def answer(opened: App, to: Report, number: int) -> Report:
    """Another mail of the same sender in a case's thread, worked on."""
    mail = to.case.mail
    raw = (
        f"From: {mail.sender}\r\nTo: support@harbour.example\r\nSubject: Re: {mail.subject}\r\n"
        f"Message-ID: <later-{number}@example.com>\r\nIn-Reply-To: {mail.message_id}\r\n\r\nIt still fails, gate {number}.\r\n"
    ).encode()
    case = await opened.intake.accept(received_from_file(f"later-{number}", raw, opened.worker.clock.now()))
    await worked(opened, case)
    return await opened.reports.report(case)


async def test_merged_and_split(tmp_path: Path, any_jira: RunningJira) -> None:
    """One link, a comment on each; the next mail of the thread joins the ticket that stays, and after the split its own again."""
    async with house(any_jira, tmp_path) as opened:
        one, other = await take(opened), await take(opened, next(MAILS.glob(f"{OTHER}-*.eml")).name)
        gone, stays = one.case.ticket or "", other.case.ticket or ""
        plan = await opened.merging.plan(one.case.id, stays.lower(), ADA)
        before = len(any_jira.requests("POST", "/issueLink"))
        await opened.merging.merge(plan, ADA)
        await opened.worker.drain()
        done = await opened.reports.report(one.case.id)
        sent = len(any_jira.requests("POST", "/issueLink")) - before
        told = [str((await opened.tracker.tickets.details(key, 1)).comments[0].text) for key in (gone, stays)]
        later = await answer(opened, one, 1)
        said = await opened.merging.split(one.case.id, ADA)
        await opened.worker.drain()
        apart = await opened.reports.report(one.case.id)
        back = await answer(opened, one, 2)

    assert (plan.gone.key, plan.stays.key, plan.cases, sent) == (gone, stays, 1, 1)
    assert f"ada merged: {gone} into {stays}" in done.case.reason
    assert [f"Merged into {stays}" in told[0], f"{gone} was merged into this ticket" in told[1]] == [True, True]
    assert (later.case.ticket, back.case.ticket) == (stays, gone)
    assert said == f"{gone} and {stays} are taken apart."
    assert f"{gone} and {stays} are no longer linked" in apart.case.reason


SEVERAL = b"""From: Vera Brandt <vera@lagerhaus.example>
To: support@harbour.example
Subject: Three things from the warehouse
Message-ID: <three@lagerhaus.example>

Hello,

three unrelated things:

1. The label printer in hall four stops with error E7 after each roll. This is critical.
2. Could you please add a column with the customs number to the export?
3. Please remove the account of Jan Moser, he left us.

Kind regards
Vera
"""


async def test_a_part_gets_its_own_ticket(tmp_path: Path, any_jira: RunningJira) -> None:
    """One ticket with the words of that part, a link, a comment on the first; later mails stay there; undo takes all back."""
    async with house(any_jira, tmp_path) as opened:
        one = await take(opened, "several", SEVERAL)
        first = one.case.ticket or ""
        plan = await opened.merging.plan_parts(one.case.id, [2, 2])
        before = len(any_jira.requests("POST", "/issueLink"))
        orders = [*await opened.merging.part(plan, ADA), *await opened.merging.part(plan, ADA)]
        await opened.worker.drain()
        done = await opened.reports.report(one.case.id)
        line = (await opened.merging.parts(one.case.id))[1]
        own = await opened.tracker.tickets.get(line.moved)
        told = (await opened.tracker.tickets.details(first, 1)).comments[0].text
        sent = len(any_jira.requests("POST", "/issueLink")) - before
        later = await answer(opened, one, 1)
        with pytest.raises(ToolRefused, match=f"part 2 of {first} has moved already: {line.moved}"):
            await opened.merging.plan_parts(one.case.id, [1, 2])
        await opened.approvals.undo(one.case.id, ADA)
        await opened.worker.drain()
        undone = await opened.reports.report(one.case.id)
        after = await opened.tracker.tickets.get(line.moved)

    assert (len({order.id for order in orders}), sent, done.case.ticket, later.case.ticket) == (1, 1, first, first)
    assert (own.issue_type, own.priority) == ("Story", "Medium")
    assert own.summary == "Add a column with the customs number to the export"
    assert "customs number" in own.description
    assert "printer" not in own.description
    assert f"Part 2 moved to {line.moved}" in told
    assert f"ada moved: part 2 of {first} to {line.moved}" in done.case.reason
    assert (own.open, after.open, undone.approvals[0].state) == (True, False, ApprovalState.VOID)


async def test_a_lost_answer_makes_no_second_ticket(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Each of two parts is created once, whatever answer was lost, and the first ticket hears of each once."""
    async with house(cloud_jira, tmp_path) as opened:
        one = await take(opened, "several", SEVERAL)
        await opened.merging.part(await opened.merging.plan_parts(one.case.id, [1, 3]), ADA)
        for path in ("/issue$", "/comment$"):
            cloud_jira.fault(Fault(do="reset_after", method="POST", path=path))
            await worked(opened, one.case.id)
            if (await opened.reports.report(one.case.id)).state != "done":
                await again(opened, one)
        parts = await opened.merging.parts(one.case.id)
        told = (await opened.tracker.tickets.details(one.case.ticket or "", 9)).comments

    own = [part.moved for part in parts if part.moved]
    assert judge(cloud_jira, tmp_path).created() == [one.case.ticket, *own]
    assert (len(own), len(told)) == (2, 2)
