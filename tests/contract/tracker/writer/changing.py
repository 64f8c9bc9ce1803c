"""New values and new states, set twice as well as once: what every tracker must promise."""

from dataclasses import replace

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import (
    TicketGone,
    TrackerRejected,
)
from triage.domain.tickets import TicketChange
from triage_sandbox.jira.issue.fields.custom import define


class Changing(TrackerCase):
    """New values and new states."""

    async def test_a_change_sets_what_it_names(self, tracker: JiraTracker, server: RunningJira) -> None:
        """And leaves the rest; again is harmless."""
        before = await tracker.tickets.get("HARB-3")
        for _ in range(2):
            await tracker.writer.change("HARB-3", TicketChange(summary="Rounded\ndown", assignee=self.person(server)))
        after = await tracker.tickets.get("HARB-3")

        assert after.summary == "Rounded down"
        assert after.assignee
        assert after.assignee.id == self.person(server)
        assert (after.description, after.priority, after.labels) == (before.description, before.priority, before.labels)

    async def test_a_change_to_nobody_is_rejected(self, tracker: JiraTracker) -> None:
        """With the field that Jira names."""
        with pytest.raises(TrackerRejected) as told:
            await tracker.writer.change("HARB-3", TicketChange(assignee="nobody-of-this-name"))

        assert "assignee" in told.value.problems

    async def test_a_change_to_nothing_is_told(self, tracker: JiraTracker) -> None:
        """The ticket is gone."""
        with pytest.raises(TicketGone):
            await tracker.writer.change("HARB-999999", TicketChange(summary="x"))

    async def test_a_ticket_moves_to_a_status(self, tracker: JiraTracker) -> None:
        """By the name of the status, in any case of letters; again is harmless."""
        created = await tracker.writer.create(DRAFT, MARK)
        await tracker.writer.transition(created.key, "in progress")
        await tracker.writer.transition(created.key, "In Progress")
        moved = await tracker.tickets.get(created.key)

        assert (moved.status, moved.category) == ("In Progress", "indeterminate")

    async def test_a_ticket_can_be_done(self, tracker: JiraTracker) -> None:
        """With the resolution that the workflow wants."""
        created = await tracker.writer.create(DRAFT, MARK)
        await tracker.writer.transition(created.key, "In Progress")
        await tracker.writer.transition(created.key, "Done")

        assert not (await tracker.tickets.get(created.key)).open

    async def test_what_a_step_demands_comes_from_the_settings(self, server: RunningJira) -> None:
        """Where the ticket has no value yet; one that somebody gave it stays."""
        db = server.app.site.db
        cause = define(db, "Root cause", "select", options=("Code", "Data"))
        db.run("UPDATE transition SET screen = ? WHERE name = 'Done'", f"resolution! customfield_{cause}!")
        tracker = self.make(server, fields={"Root cause": "Data"})
        keys = []
        for number in range(2):
            created = await tracker.writer.create(DRAFT, replace(MARK, label=f"triage-{number}"))
            await tracker.writer.transition(created.key, "In Progress")
            keys.append(created.key)
        with server.api() as api:
            for key, value in zip(keys, ({"value": "Code"}, None), strict=True):
                api.put(f"/issue/{key}", json={"fields": {f"customfield_{cause}": value}}).raise_for_status()
            for key in keys:
                await tracker.writer.transition(key, "Done")
            fields = [api.get(f"/issue/{key}").json()["fields"] for key in keys]
        await tracker.close()

        assert [each["status"]["statusCategory"]["key"] for each in fields] == ["done", "done"]
        assert [each[f"customfield_{cause}"]["value"] for each in fields] == ["Code", "Data"]

    async def test_what_a_step_demands_and_nobody_fills_is_told(
        self, tracker: JiraTracker, server: RunningJira
    ) -> None:
        """With what the field takes, and where to write it."""
        db = server.app.site.db
        cause = define(db, "Root cause", "select", options=("Code", "Data"))
        db.run("UPDATE transition SET screen = ? WHERE name = 'Done'", f"resolution! customfield_{cause}!")
        created = await tracker.writer.create(DRAFT, MARK)
        await tracker.writer.transition(created.key, "In Progress")
        with pytest.raises(TrackerRejected, match=r"Root cause.*allowed: Code, Data.*jira\.fields"):
            await tracker.writer.transition(created.key, "Done")

    async def test_a_status_that_is_none_is_rejected(self, tracker: JiraTracker) -> None:
        """With those that can be reached."""
        created = await tracker.writer.create(DRAFT, MARK)
        with pytest.raises(TrackerRejected, match="In Progress"):
            await tracker.writer.transition(created.key, "Nirvana")

    async def test_a_move_of_nothing_is_told(self, tracker: JiraTracker) -> None:
        """The ticket is gone."""
        with pytest.raises(TicketGone):
            await tracker.writer.transition("HARB-999999", "Done")
