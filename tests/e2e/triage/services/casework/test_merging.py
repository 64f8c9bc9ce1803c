"""What cannot be merged or split says why, and a mail that joined another one's ticket gets its own."""

from pathlib import Path

import pytest

from tests.e2e.opened import ADA, KNOWN, house, take
from tests.servers.sandbox import RunningJira
from triage.domain.errors import TicketGone, ToolRefused
from triage.domain.operations.errors import NothingToSplit


async def test_refusals_and_a_ticket_of_its_own(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A ticket with itself, one that is gone, one of no project; twice; nothing to split; a joined mail is split off."""
    async with house(cloud_jira, tmp_path) as opened:
        one, joined = await take(opened), await take(opened, KNOWN)
        key = one.case.ticket or ""
        for into, error in ((key, ToolRefused), ("nonsense", ToolRefused), ("HARB-99999", TicketGone)):
            with pytest.raises(error):
                await opened.merging.plan(one.case.id, into, ADA)
        with pytest.raises(NothingToSplit):
            await opened.merging.split(one.case.id, ADA)
        await opened.merging.merge(await opened.merging.plan(one.case.id, "HARB-12", ADA), ADA)
        with pytest.raises(ToolRefused, match="is merged into HARB-12 already"):
            await opened.merging.plan(one.case.id, "HARB-12", ADA)
        told = await opened.merging.split(joined.case.id, ADA)
        await opened.worker.drain()
        split = await opened.reports.report(joined.case.id)

    assert (joined.case.ticket, told) == ("HARB-12", "It gets a ticket of its own, apart from HARB-12.")
    assert split.case.ticket not in {"HARB-12", None}
