"""Tickets that left our project: Jira follows them without a word, and no tracker may."""

from collections.abc import Awaitable, Callable

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import TicketGone, WriteUnconfirmed
from triage.domain.tickets import TicketChange, Upload
from triage_sandbox.jira import Fault

WORKS: dict[str, Callable[[JiraTracker, str, str], Awaitable[object]]] = {
    "get": lambda at, key, _: at.tickets.get(key),
    "comment": lambda at, key, _: at.comments.comment(key, "Seen again.", MARK),
    "commented": lambda at, key, _: at.comments.commented(key, MARK),
    "change": lambda at, key, _: at.writer.change(key, TicketChange(summary="Other")),
    "transition": lambda at, key, _: at.writer.transition(key, "In Progress"),
    "attached": lambda at, key, _: at.tickets.attached(key),
    "attach": lambda at, key, _: at.writer.attach(key, Upload(name="a.txt", content_type="text/plain", content=b"a")),
    "link": lambda at, key, _: at.writer.link(key, "HARB-3", "Relates"),
    "link back": lambda at, key, _: at.writer.link("HARB-3", key, "Relates"),
    "watch": lambda at, key, person: at.writer.watch(key, person),
    "place": lambda at, key, _: at.sprints.place(key, 2),
}


class Moved(TrackerCase):
    """Gone for every read and every write."""

    def move(self, server: RunningJira, key: str) -> str:
        """Into another project, as people do on the page; its new key."""
        with server.client() as client:
            told = client.post("/__sandbox__/move", json={"issue": key, "project": "HELP"}).raise_for_status()
            return str(told.json()["key"])

    @pytest.mark.parametrize("work", WORKS.values(), ids=WORKS.keys())
    async def test_a_moved_ticket_is_gone(
        self,
        tracker: JiraTracker,
        server: RunningJira,
        work: Callable[[JiraTracker, str, str], Awaitable[object]],
    ) -> None:
        """Nothing is read of it, nothing written to it; Jira itself would still answer under the old key."""
        await tracker.metadata.project()
        now = self.move(server, "HARB-5")
        with server.api() as api:
            before = api.get("/issue/HARB-5").json()
            asked = len([entry for entry in server.requests() if entry.method != "GET"])
            with pytest.raises(TicketGone) as told:
                await work(tracker, "HARB-5", self.person(server))
            wrote = [entry for entry in server.requests() if entry.method != "GET"][asked:]
            after = api.get("/issue/HARB-5").json()

        assert told.value.key == "HARB-5"
        assert before["key"] == after["key"] == now
        assert after["fields"]["updated"] == before["fields"]["updated"]
        assert wrote == []

    async def test_a_ticket_is_looked_at_once_before_it_is_written_to(self, tracker: JiraTracker) -> None:
        """A read of the last minute serves all writes; without one, the first write reads."""
        created = await tracker.writer.create(DRAFT, MARK)
        await tracker.tickets.get("HARB-3")
        counts = []
        for key in (created.key, "HARB-3", "HARB-4", "HARB-4"):
            view = tracker.view()
            await view.writer.change(key, TicketChange(summary="Other"))
            counts.append(view.metadata.calls)

        assert counts == [1, 1, 2, 1]

    @pytest.mark.parametrize("beyond", [0, 500], ids=["by its old number", "by its mark"])
    async def test_a_ticket_that_was_moved_before_we_looked_is_found(
        self, tracker: JiraTracker, server: RunningJira, beyond: int
    ) -> None:
        """Its answer was lost, and somebody was quick: it stands in the other project, and none is made beside it."""
        above = await tracker.tickets.newest()
        server.fault(Fault(do="reset_after", method="POST", path="/issue$"))
        with pytest.raises(WriteUnconfirmed):
            await tracker.writer.create(DRAFT, MARK)
        now = self.move(server, f"HARB-{above + 1}")
        adopted = await tracker.writer.adopt(MARK, above + beyond)

        assert adopted
        assert (adopted.key, adopted.url.rpartition("/")[2]) == (now, now)
        with pytest.raises(TicketGone):
            await tracker.comments.comment(now, "Seen again.", MARK)

    async def test_a_moved_ticket_is_none_of_ours(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Though we made it."""
        created = await tracker.writer.create(DRAFT, MARK)
        self.move(server, created.key)

        assert await tracker.tickets.ours(1) == ()
