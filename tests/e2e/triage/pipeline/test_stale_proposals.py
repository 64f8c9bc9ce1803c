"""An accepted proposal whose ticket or thread has moved since is not carried out."""

from pathlib import Path

from tests.e2e.opened import ADA, delete, take
from tests.e2e.triage.services.decisions import CLOSE, FIXED, SEARCH, proposing
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome


async def test_overtaken(tmp_path: Path, any_jira: RunningJira) -> None:
    """A person moved the ticket before the yes: nothing is done, and the case says what had changed."""
    async with proposing(any_jira, tmp_path, SEARCH, CLOSE) as opened:
        waiting = await take(opened, raw=FIXED)
        await opened.tracker.writer.transition("HARB-45", "To Do")
        await opened.approvals.accept(waiting.approvals[0].id, ADA)
        await opened.worker.drain()
        report = await opened.store.archive.report(waiting.case.id)
        ticket = await opened.tracker.tickets.get("HARB-45")

    assert (ticket.status, report.effects) == ("To Do", ())
    assert report.approvals[0].state is ApprovalState.VOID
    assert "status of HARB-45 is To Do now, and was" in report.case.reason


async def test_a_ticket_deleted_meanwhile(tmp_path: Path, any_jira: RunningJira) -> None:
    """The yes comes too late: a person hears of it, and nothing else happens."""
    async with proposing(any_jira, tmp_path, SEARCH, CLOSE) as opened:
        waiting = await take(opened, raw=FIXED)
        await delete(any_jira, "HARB-45")
        await opened.approvals.accept(waiting.approvals[0].id, ADA)
        await opened.worker.drain()
        report = await opened.store.archive.report(waiting.case.id)

    assert report.case.outcome is Outcome.WAITING
    assert "ada accepted this" in report.case.reason
    assert "HARB-45" in report.case.reason
