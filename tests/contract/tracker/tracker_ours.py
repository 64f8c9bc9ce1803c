"""Which tickets are ours: those that we made, and those that are still in our project."""

from dataclasses import replace

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK, TrackerCase
from tests.servers.sandbox import RunningJira


class Ours(TrackerCase):
    """Made by us, not moved away."""

    async def test_our_own_tickets_are_told(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Oldest first; neither those of others with our label nor ours without a mark."""
        made = [(await tracker.writer.create(DRAFT, replace(MARK, label=f"triage-{n:020}"))).key for n in range(3)]
        plain = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}, "summary": "By hand"}
        with server.api() as api:
            api.post("/issue", json={"fields": plain}).raise_for_status()
            api.put("/issue/HARB-3", json={"update": {"labels": [{"add": f"triage-{0:020}"}]}}).raise_for_status()

        assert [ticket.key for ticket in await tracker.tickets.ours(1)] == made

    async def test_we_may_have_made_none(self, tracker: JiraTracker) -> None:
        """Nothing found is nothing, once it is clear that it is not a dead token."""
        assert await tracker.tickets.ours(30) == ()

    async def test_what_we_made_long_ago_is_not_told(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Only so many days count."""
        created = await tracker.writer.create(DRAFT, MARK)
        server.app.site.db.run("UPDATE issue SET created = created - 3 * 86400000 WHERE summary = ?", DRAFT.summary)

        assert await tracker.tickets.ours(2) == ()
        assert [ticket.key for ticket in await tracker.tickets.ours(4)] == [created.key]
