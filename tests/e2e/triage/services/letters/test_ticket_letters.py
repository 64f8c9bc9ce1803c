"""Letters about done tickets: each sender is told once."""

from pathlib import Path

from tests.e2e.answering import answering, mail
from tests.e2e.opened import ADA as ADA_OF_THE_DESK
from tests.e2e.opened import again, house, take
from tests.servers.sandbox import RunningJira
from triage.domain.letters import LetterKind


async def test_a_status_letter_goes_once(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """When the ticket is done its sender is told once, however often the sync reads it; a ticket that no mail made tells nobody."""
    async with answering(cloud_jira, tmp_path, {"status": True}) as opened:
        report = await take(opened, "a", mail())
        key = str(report.case.ticket)
        await opened.tracker.writer.transition(key, "Done")
        for _ in range(2):
            await opened.store.tickets.mark_stale([key, "HARB-60"])
            await opened.ticket_index_syncs[0].announced()
        letters = await opened.store.letters.letters()

    assert [(one.kind, one.case, one.to[0].address) for one in letters] == [
        (LetterKind.STATUS, report.case.id, "ada@corner-shop.example")
    ]
    assert f"**{key}**" in letters[0].body
    assert "“Done”" in letters[0].body


async def test_a_ticket_that_is_taken_back_tells_nobody(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An undone ticket ends as Done, too; its sender hears nothing, neither that it is done nor, where letters came later, that it has arrived."""
    async with house(cloud_jira, tmp_path, dry_run=False, AUTHSERV_ID="mx.harbourline.example") as opened:
        first = await take(opened, "a", mail())
    async with answering(cloud_jira, tmp_path, {"status": True, "receipt": True, "answers": "letters"}) as opened:
        await opened.approvals.undo(first.case.id, ADA_OF_THE_DESK)
        report = await again(opened, first)
        await opened.store.tickets.mark_stale([str(first.case.ticket)])
        await opened.ticket_index_syncs[0].announced()
        letters = await opened.store.letters.letters()

    assert "took back" in report.case.reason
    assert (letters, [one.tool for one in report.approvals]) == ((), ["undo"])
