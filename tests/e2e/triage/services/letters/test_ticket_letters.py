"""Letters about done tickets: each sender is told once."""

from pathlib import Path

from tests.e2e.answering import answering, mail
from tests.e2e.opened import take
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
