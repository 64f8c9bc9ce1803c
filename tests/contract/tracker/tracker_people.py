"""Who has how much to do, and who we are: what every tracker must know."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import (
    TicketGone,
    TrackerDenied,
)
from triage.domain.tickets import TicketQuery
from triage_sandbox.jira import Fault


def crowd(server: RunningJira, *, assignable: int, others: int) -> None:
    """More people on the site, in the order of their names; most of the first ones cannot be given a ticket."""
    db = server.app.site.db
    users = db.value("SELECT id FROM crowd WHERE name = 'jira-software-users'")
    for number in range(assignable + others):
        letter = "abcdefghij"[number % 10]
        name = f"{letter}{number:04}.guest"
        shown = f"{letter.upper()}nna {letter.upper()}berg {number:04}"
        row = {"name": name, "shown": shown, "email": f"{name}@example.com", "email_visible": 0}
        db.insert("account", {"id": f"acc-guest-{number}", "active": 1, "kind": "atlassian", **row})
        db.insert("member", {"crowd": users, "account": f"acc-guest-{number}"})
        if number < others:
            db.insert("denial", {"account": f"acc-guest-{number}", "permission": "ASSIGNABLE_USER"})


class People(TrackerCase):
    """Workloads, recent work, our own account."""

    async def test_everybodys_open_tickets_are_counted(self, tracker: JiraTracker) -> None:
        """By person id, what waits apart from what is in progress; done tickets and those of nobody are in no count."""
        tickets = await tracker.tickets.search(TicketQuery(limit=1000))
        held = [(t.assignee.id, t.category == "indeterminate") for t in tickets if t.open and t.assignee]
        workloads = await tracker.people.workloads()

        assert len(workloads) > 5
        assert sum(workload.open for workload in workloads.values()) == len(held)
        assert {
            (person, doing): count
            for person, load in workloads.items()
            for doing, count in ((False, load.waiting), (True, load.in_progress))
            if count
        } == Counter(held)

    async def test_workloads_are_one_search(self, server: RunningJira, tracker: JiraTracker) -> None:
        """Whatever the number of people, and for all who ask within five minutes, at once or one after the other."""
        await tracker.people.workloads()
        asked = len(server.requests("POST", "/search"))
        first, view = self.make(server), tracker.view()
        together = await asyncio.gather(*(first.view().people.workloads() for _ in range(10)))
        again = await view.people.workloads()
        await first.close()

        assert (asked, len(server.requests("POST", "/search"))) == (1, 2)
        assert view.metadata.calls == 0
        assert all(workloads == again for workloads in together)

    async def test_a_new_ticket_counts_at_once(self, server: RunningJira, tracker: JiraTracker) -> None:
        """Whoever gets one has one more, before the next look."""
        person = self.person(server)
        before = (await tracker.people.workloads())[person].open
        await tracker.view().writer.create(replace(DRAFT, assignee=person), MARK)
        await tracker.writer.create(replace(DRAFT, assignee="nobody.knows"), MARK)
        after = await tracker.people.workloads()

        assert after[person].open == before + 1
        assert "nobody.knows" not in after

    async def test_recent_work_is_told(self, server: RunningJira, tracker: JiraTracker) -> None:
        """The latest tickets that belong to somebody, done ones too, from one search, kept for all who ask."""
        await tracker.tickets.search(TicketQuery(limit=1))
        asked = len(server.requests("POST", "/search"))
        tickets = await tracker.view().people.assigned()
        again = await tracker.people.assigned()
        times = [ticket.updated for ticket in tickets if ticket.updated]

        assert tickets is again
        assert len(server.requests("POST", "/search")) == asked + 1
        assert all(ticket.assignee and ticket.summary for ticket in tickets)
        assert {ticket.open for ticket in tickets} == {True, False}
        assert any(ticket.components for ticket in tickets)
        assert len(times) == len(tickets) > 40
        assert times == sorted(times, reverse=True)

    async def test_our_own_account_is_known(self, server: RunningJira, tracker: JiraTracker) -> None:
        """By the id that tickets would be given to; asked once."""
        ids = {await tracker.people.me(), await tracker.view().people.me()}

        assert ids == {"64d9037cb1e5a82f4609286c" if server.cloud else "triage.bot"}
        assert len(server.requests("GET", "/myself$")) == 1

    async def test_everybody_of_a_large_site_is_known(self, server: RunningJira, tracker: JiraTracker) -> None:
        """All who can be given a ticket, however many; others of the site do not hide them."""
        before = len((await tracker.metadata.project()).people)
        crowd(server, assignable=350, others=500)
        again = self.make(server)
        project = await again.metadata.project()
        await again.close()

        assert len(project.people) == before + 350
        assert not project.people_cut

    async def test_people_cost_few_requests(self, server: RunningJira) -> None:
        """Who there is, what they have to do and have done: at most three requests, whatever the number of tickets."""
        with server.api("2") as api:
            fields = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}, "summary": "One more"}
            fields["assignee"] = {"accountId" if server.cloud else "name": self.person(server)}
            for _ in range(8):
                api.post("/issue/bulk", json={"issueUpdates": [{"fields": fields}] * 50}).raise_for_status()
        server.app.journal.entries.clear()
        tracker = self.make(server)
        for _ in range(3):
            await asyncio.gather(tracker.metadata.project(), tracker.people.workloads(), tracker.people.assigned())
        await tracker.close()

        assert len(server.requests("*", "/search|/user")) <= 3

    async def test_people_are_not_counted_by_a_dead_token(self, server: RunningJira) -> None:
        """An empty answer is no proof that nobody has anything to do."""
        tracker = self.make(server)
        server.fault(Fault(do="anonymous", path="search", count=0))
        with pytest.raises(TrackerDenied):
            await tracker.people.workloads()
        with pytest.raises(TrackerDenied):
            await tracker.people.assigned()
        await tracker.close()

    async def test_members_of_groups_and_roles(self, server: RunningJira, tracker: JiraTracker) -> None:
        """A group's members and a role's people, those of its groups included; who has left the company is in neither."""
        db = server.app.site.db
        crowd(server, assignable=60, others=0)
        db.insert("crowd", {"id": "g-leads", "name": "leads"})
        db.insert("member", {"crowd": "g-leads", "account": "acc-guest-3"})
        role, project = (
            db.value("SELECT id FROM role WHERE name = 'Administrators'"),
            db.value("SELECT id FROM project"),
        )
        db.insert("actor", {"project": project, "role": role, "crowd": "g-leads"})
        ids = {
            f"acc-guest-{n}": f"acc-guest-{n}" if server.app.site.cloud else f"{'abcdefghij'[n % 10]}{n:04}.guest"
            for n in range(60)
        }

        users = await tracker.people.members(("jira-software-users",), ())
        admins = await tracker.people.members((), ("administrators",))

        assert set(ids.values()) <= users
        assert ids["acc-guest-3"] in admins
        assert ids["acc-guest-4"] not in admins
        db.run("DELETE FROM member WHERE account = 'acc-guest-3'")
        assert ids["acc-guest-3"] in await tracker.people.members((), ("administrators",))  # cached for five minutes
        with pytest.raises(TicketGone):
            await tracker.people.members((), ("Nobody",))
        with pytest.raises(TicketGone):
            await tracker.people.members(("nobody",), ())
