"""Trouble is told as what it is, never as "no such ticket": what every tracker must promise."""

import asyncio

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import (
    ProjectHidden,
    TrackerBusy,
    TrackerDenied,
    TrackerDown,
    TriageError,
)
from triage.domain.tickets import TicketQuery
from triage_sandbox.jira import Fault


class InTrouble(TrackerCase):
    """Whatever goes wrong."""

    @pytest.mark.parametrize(
        ("fault", "trouble"),
        [
            (Fault(do="answer", status=401, count=0), TrackerDenied),
            (Fault(do="answer", status=403, count=0), TrackerDenied),
            (Fault(do="answer", status=429, headers={"Retry-After": "1"}, count=0), TrackerBusy),
            (Fault(do="answer", status=500, count=0), TrackerDown),
            (Fault(do="answer", status=503, count=0), TrackerDown),
            (Fault(do="reset", count=0), TrackerDown),
            (Fault(do="truncate", count=0), TrackerDown),
            (Fault(do="login_page", count=0), TrackerDenied),
            (Fault(do="anonymous", count=0), TrackerDenied),
        ],
        ids=["401", "403", "429", "500", "503", "reset", "truncated", "login page", "anonymous"],
    )
    async def test_trouble_is_never_no_ticket(
        self, tracker: JiraTracker, server: RunningJira, fault: Fault, trouble: type[TriageError]
    ) -> None:
        """Searching, reading and looking for marks say what is wrong."""
        await tracker.tickets.get("HARB-1")
        server.fault(fault)
        for work in (
            tracker.tickets.search(TicketQuery(words=("zeppelin",))),
            tracker.tickets.get("HARB-3"),
            tracker.metadata.project(),
            tracker.tickets.newest(),
            tracker.writer.adopt(MARK, 10),
            tracker.comments.commented("HARB-3", MARK),
        ):
            with pytest.raises(trouble):
                await work

    async def test_passing_trouble_is_sat_out(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Twice in a row, for reads."""
        server.fault(Fault(do="reset", method="*", path="/issue/HARB-3$"))
        server.fault(Fault(do="answer", status=502, path="/issue/HARB-3$"))

        assert (await tracker.tickets.get("HARB-3")).key == "HARB-3"

    async def test_a_wrong_secret_is_told(self, server: RunningJira) -> None:
        """Never as an empty project."""
        tracker = self.make(server, token="wrong")
        with pytest.raises(TrackerDenied):
            await tracker.tickets.search(TicketQuery(words=("export",)))
        with pytest.raises(TrackerDenied):
            await tracker.writer.create(DRAFT, MARK)
        await tracker.close()

        assert {entry.status for entry in server.requests("POST", "/issue$")} <= {401, 403}

    async def test_another_project_is_told(self, server: RunningJira) -> None:
        """A project that does not exist, or that is hidden from us."""
        tracker = self.make(server, project="NOPE")
        with pytest.raises(ProjectHidden, match=r"Browse Projects \(key=NOPE\)"):
            await tracker.metadata.project()
        with pytest.raises(ProjectHidden):
            await tracker.tickets.search(TicketQuery(words=("export",)))
        await tracker.close()

    async def test_many_at_once_do_not_mix(self, tracker: JiraTracker) -> None:
        """Each gets its own answer over the shared connections."""
        keys = [f"HARB-{number}" for number in range(1, 41)]
        tickets = await asyncio.gather(*(tracker.tickets.get(key) for key in keys))

        assert [ticket.key for ticket in tickets] == keys
