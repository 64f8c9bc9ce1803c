"""Two tickets become one matter and two again: written once, later mails follow, and come back."""

from pathlib import Path

from cli.mail.process import worked
from cli.wiring.app import App
from tests.e2e.installation import MAILS
from tests.e2e.opened import ADA, house, take
from tests.servers.sandbox import RunningJira
from triage.domain.reports import Report
from triage.services.intake import received_from_file

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
