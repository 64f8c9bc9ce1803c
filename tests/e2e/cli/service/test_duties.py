"""What one process does for all: which works begin with the process, and which after the first tickets."""

from pathlib import Path

from cli.service.duties import duties_of, ticket_duties_of
from tests.e2e.opened import house
from tests.servers.sandbox import RunningJira


async def test_each_duty_has_one_leader(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Housekeeping is led from the start and tickets apart from it; what is switched on joins the housekeeping."""
    async with house(cloud_jira, tmp_path) as plain:
        (housekeeping,), (tickets,) = duties_of(plain), ticket_duties_of(plain)
        works = len(housekeeping.works)
        syncs = len(plain.ticket_index_syncs)
    async with house(cloud_jira, tmp_path, RETENTION_DAYS="30") as more:
        (forgetful,) = duties_of(more)

    assert (housekeeping.duty, tickets.duty) == ("housekeeping", "tickets")
    assert (len(tickets.works), len(forgetful.works) - works) == (syncs, 1)
