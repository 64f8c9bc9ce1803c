"""The project's sprints, and tickets put into them: what every tracker must tell and do."""

from dataclasses import replace

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import TicketGone, TrackerDenied, TrackerDown, TrackerRejected
from triage_sandbox.jira import Fault


class Sprints(TrackerCase):
    """Told, kept, filled."""

    async def test_sprints_are_told_in_order(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Active, future, closed, with their days and how many tickets each holds; kept for all who ask."""
        sprints = await tracker.sprints.sprints()
        asked = len(server.requests())
        again = await tracker.view().sprints.sprints()
        counted = {
            row["sprint"]: row["held"]
            for row in server.app.site.db.all(
                "SELECT sprint, count(*) AS held FROM (SELECT id, sprint FROM issue WHERE sprint NOT NULL"
                " UNION SELECT issue, sprint FROM past_sprint) GROUP BY sprint"
            )
        }

        assert [(each.name, each.state) for each in sprints] == [
            ("HARB Sprint 12", "active"),
            ("HARB Sprint 13", "future"),
            ("HARB Sprint 11", "closed"),
        ]
        assert {each.id: each.tickets for each in sprints} == counted
        assert sprints[0].start
        assert sprints[0].end
        assert sprints[0].start.tzinfo
        assert (sprints[1].start, sprints[2].tickets > 5) == (None, True)
        assert again is sprints
        assert len(server.requests()) == asked

    async def test_only_the_latest_closed_sprints_are_told(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Five of them, the last one first, however many there are."""
        db = server.app.site.db
        closed = db.one("SELECT * FROM sprint WHERE state = 'closed'")
        assert closed
        columns = {name: closed[name] for name in closed.keys() if name != "id"}  # noqa: SIM118 - a sqlite3.Row iterates over its values
        for number in range(1, 131):
            earlier = {name: columns[name] - number * 86_400_000 for name in ("starts", "ends", "completed")}
            db.insert("sprint", columns | earlier | {"name": f"Old {number}"})
        sprints = await tracker.sprints.sprints()

        assert [each.name for each in sprints if each.state == "closed"] == [
            "HARB Sprint 11",
            "Old 1",
            "Old 2",
            "Old 3",
            "Old 4",
        ]

    async def test_a_project_without_sprints_has_none(self, tracker: JiraTracker, server: RunningJira) -> None:
        """A board without sprints, and no board at all."""
        server.app.site.db.run("DELETE FROM board WHERE kind = 'scrum'")
        first = await tracker.sprints.sprints()
        server.app.site.db.run("DELETE FROM board")
        other = self.make(server)
        second = await other.sprints.sprints()
        await other.close()

        assert (first, second) == ((), ())

    @pytest.mark.parametrize(
        ("fault", "trouble"),
        [
            (Fault(do="answer", status=503, path="/agile/", count=0), TrackerDown),
            (Fault(do="answer", status=401, path="/agile/", count=0), TrackerDenied),
            (Fault(do="login_page", path="/agile/", count=0), TrackerDenied),
        ],
        ids=["503", "401", "login page"],
    )
    async def test_trouble_is_not_no_sprint(
        self, tracker: JiraTracker, server: RunningJira, fault: Fault, trouble: type[Exception]
    ) -> None:
        """Only what Jira says clearly counts as none."""
        server.fault(fault)
        with pytest.raises(trouble):
            await tracker.sprints.sprints()

    async def test_a_ticket_is_put_into_a_sprint(self, tracker: JiraTracker) -> None:
        """Again changes nothing; the count is fresh."""
        created = await tracker.writer.create(DRAFT, MARK)
        active, future, closed = await tracker.sprints.sprints()
        for _ in range(2):
            await tracker.sprints.place(created.key, future.id)
        after = await tracker.sprints.sprints()
        await tracker.sprints.place(created.key, active.id)

        assert after == (active, replace(future, tickets=future.tickets + 1), closed)
        assert (await tracker.sprints.sprints())[0].tickets == active.tickets + 1

    async def test_a_ticket_is_made_in_a_sprint(self, tracker: JiraTracker) -> None:
        """By the field that this Jira has for it."""
        active, *_ = await tracker.sprints.sprints()
        created = await tracker.writer.create(replace(DRAFT, sprint=active.id), MARK)
        other = tracker.view()
        await tracker.sprints.place(created.key, active.id)

        assert created.dropped == ()
        assert (await other.sprints.sprints())[0].tickets == active.tickets + 1

    async def test_a_sprint_that_takes_nothing_is_told(self, tracker: JiraTracker) -> None:
        """A closed one, and one that is not there."""
        *_, closed = await tracker.sprints.sprints()
        for number in (closed.id, 999_999):
            with pytest.raises(TrackerRejected):
                await tracker.sprints.place("HARB-3", number)

    async def test_nothing_cannot_be_placed(self, tracker: JiraTracker) -> None:
        """The ticket is gone."""
        active, *_ = await tracker.sprints.sprints()
        with pytest.raises(TicketGone):
            await tracker.sprints.place("HARB-999999", active.id)
