"""Searching, reading, the project as it is: what every tracker must answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, HOSTILE_WORDS, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import (
    TicketGone,
    TrackerRejected,
)
from triage.domain.ports import TrackerView
from triage.domain.tickets import Status, TicketChange, TicketQuery


class Reading(TrackerCase):
    """Searches, tickets, the project."""

    async def test_search_finds_any_of_the_words(self, tracker: JiraTracker) -> None:
        """In any case of letters; tickets with more and rarer of them come first."""
        found = await tracker.tickets.search(TicketQuery(words=("WEIGHT", "rounds", "zeppelin")))

        assert found[0].key == "HARB-3"
        assert found[0].summary == "Price quote rounds the weight down to whole kilos"

    async def test_search_finds_words_of_comments(self, tracker: JiraTracker) -> None:
        """What was said later about a ticket counts as well."""
        await tracker.comments.comment("HARB-3", "It is the quetzalcoatl host.", MARK)
        found = await tracker.tickets.search(TicketQuery(words=("quetzalcoatl",)))

        assert [ticket.key for ticket in found] == ["HARB-3"]

    async def test_search_without_words_gives_the_latest(self, tracker: JiraTracker) -> None:
        """The latest updated first, as many as wanted."""
        found = await tracker.tickets.search(TicketQuery(limit=5))
        times = [ticket.updated for ticket in found if ticket.updated]

        assert len(times) == 5
        assert times == sorted(times, reverse=True)

    async def test_search_goes_beyond_one_page(self, tracker: JiraTracker) -> None:
        """A limit above the page size is served by several pages, each ticket once."""
        found = await tracker.tickets.search(TicketQuery(limit=1000))

        assert len({ticket.key for ticket in found}) == len(found) == await tracker.tickets.newest()

    async def test_parts_of_a_query_all_hold(self, tracker: JiraTracker) -> None:
        """Status, person and days narrow what the words find."""
        one = (await tracker.tickets.search(TicketQuery(status="In Progress", limit=200)))[-1]
        person = one.assignee.id if one.assignee else ""
        found = await tracker.tickets.search(TicketQuery(status="In Progress", assignee=person, days=3650))

        assert one in found
        assert {(ticket.status, ticket.assignee and ticket.assignee.id) for ticket in found} == {
            ("In Progress", person)
        }

    async def test_nothing_found_is_nothing(self, tracker: JiraTracker) -> None:
        """A word that no ticket holds."""
        assert await tracker.tickets.search(TicketQuery(words=("quetzalcoatl",))) == ()

    async def test_hostile_words_are_words(self, tracker: JiraTracker) -> None:
        """No text breaks the query or leaves the project."""
        for words in HOSTILE_WORDS:
            found = await tracker.tickets.search(TicketQuery(words=(words, "zeppelin")))

            assert {ticket.key.partition("-")[0] for ticket in found} <= {"HARB"}

    async def test_hostile_values_find_nothing_foreign(self, tracker: JiraTracker) -> None:
        """A status or a person that does not exist is refused or finds nothing."""
        for query in (TicketQuery(status='x" OR key != "'), TicketQuery(assignee='x" OR key != "')):
            try:
                found = await tracker.tickets.search(query)
            except TrackerRejected:
                continue

            assert found == ()

    async def test_a_ticket_is_read(self, tracker: JiraTracker) -> None:
        """With everything that a decision needs, in plain words."""
        ticket = await tracker.tickets.get("HARB-3")

        assert (ticket.key, ticket.status, ticket.category, ticket.issue_type) == ("HARB-3", "Done", "done", "Bug")
        assert (ticket.priority, ticket.components) == ("High", ("Booking",))
        assert "`quote_weight()`" in ticket.description or "quote_weight()" in ticket.description
        assert ticket.assignee
        assert ticket.assignee.name == "Priya Raman"
        assert ticket.created
        assert ticket.created.tzinfo
        assert not ticket.open
        assert ticket.url.endswith("/browse/HARB-3")

    @pytest.mark.parametrize("key", ["HARB-999999", "OTHER-1", "HARB", "HARB-1/comment"])
    async def test_a_ticket_that_is_not_ours_is_gone(self, tracker: JiraTracker, key: str) -> None:
        """Unknown numbers, other projects, no keys at all."""
        with pytest.raises(TicketGone) as told:
            await tracker.tickets.get(key)

        assert told.value.key == key

    async def test_a_ticket_is_told_whole(self, tracker: JiraTracker) -> None:
        """Fields, due date, links in the words of this end, and the latest comments, the newest first."""
        due = replace(DRAFT, due_date=date(2026, 12, 24))
        one = (await tracker.writer.create(due, replace(MARK, label="triage-00000000000000000003"))).key
        other = (await tracker.writer.create(DRAFT, replace(MARK, label="triage-00000000000000000004"))).key
        await tracker.writer.link(other, one, "Blocks")
        for number in range(3):
            await tracker.comments.comment(one, f"Comment **{number}**.", replace(MARK, label=f"triage-{number:020}"))
        told = await tracker.tickets.details(one, 2)

        assert (told.ticket.key, told.ticket.summary, told.due) == (one, DRAFT.summary, date(2026, 12, 24))
        assert [(link.words, link.key) for link in told.links] == [("is blocked by", other)]
        assert ["2" in comment.text for comment in told.comments] == [True, False]
        assert all(comment.author and comment.at and "Comment" in comment.text for comment in told.comments)
        assert (await tracker.tickets.details(other, 2)).comments == ()

    async def test_the_details_of_a_ticket_that_is_not_ours_are_gone(self, tracker: JiraTracker) -> None:
        """As the ticket itself."""
        with pytest.raises(TicketGone):
            await tracker.tickets.details("OTHER-1", 2)

    async def test_the_project_is_told_as_it_is(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Types without sub-tasks, priorities from the highest, people who can be given work."""
        project = await tracker.metadata.project()
        names = {person.name for person in project.people}

        assert (project.key, project.name) == ("HARB", "Harbourline Platform")
        assert set(project.issue_types) == {"Epic", "Story", "Task", "Bug"}
        assert project.priorities == ("Highest", "High", "Medium", "Low", "Lowest")
        assert "Driver App" in project.components
        assert set(project.versions) == {"2026.9", "2026.10", "2026.12"}
        assert len(project.components) == 8
        assert Status(name="In Review", category="indeterminate") in project.statuses
        assert {"Oskar Lindqvist", "Carla Jiménez"} <= names
        assert not names & {"Milan Petrović", "Release Notes Connector"}
        assert {person.id for person in project.people} >= {self.person(server)}

    async def test_the_project_is_asked_for_once(self, tracker: JiraTracker) -> None:
        """Whoever asks meanwhile waits for that one answer; afterwards it is kept."""
        first, second = await asyncio.gather(tracker.metadata.project(), tracker.view().metadata.project())
        calls = tracker.metadata.calls
        third = await tracker.metadata.project()

        assert first == second == third
        assert tracker.metadata.calls == calls

    async def test_the_newest_number_is_known(self, tracker: JiraTracker) -> None:
        """It is that of the ticket created last."""
        before = await tracker.tickets.newest()
        created = await tracker.writer.create(DRAFT, MARK)

        assert created.key == f"HARB-{before + 1}"
        assert await tracker.tickets.newest() == before + 1

    async def test_questions_and_writes_take_one_request(self, tracker: JiraTracker) -> None:
        """After the first, which finds out where we are; the form of a ticket is kept as well."""
        await tracker.metadata.project()
        works: tuple[Callable[[TrackerView], Awaitable[object]], ...] = (
            lambda at: at.tickets.search(TicketQuery(words=("export",))),
            lambda at: at.tickets.get("HARB-3"),
            lambda at: at.writer.create(DRAFT, MARK),
            lambda at: at.comments.comment("HARB-3", "Seen again.", MARK),
            lambda at: at.writer.change("HARB-3", TicketChange(summary="Rounded")),
        )
        for work in works:
            view = tracker.view()
            await work(view)

            assert view.metadata.calls == 1

    async def test_changes_are_told_in_order(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Who changed which field from what to what, oldest first, over all pages; of lists each member by itself."""
        key = (await tracker.writer.create(DRAFT, MARK)).key
        await tracker.writer.change(key, TicketChange(assignee=self.person(server)))
        await tracker.writer.link(key, "HARB-3", "Duplicate")
        with server.api() as api:
            for number in range(101):
                fields = {"priority": {"name": ("Low", "High")[number % 2]}}
                api.put(f"/issue/{key}", json={"fields": fields}).raise_for_status()
            api.put(f"/issue/{key}", json={"fields": {"components": [{"name": "Customs"}]}}).raise_for_status()
        found = await tracker.tickets.changes(key)
        me = await tracker.people.me()

        assert [change.at for change in found] == sorted(change.at for change in found)
        assert {change.author for change in found} == {me}
        assert [(c.field, c.was, c.becomes) for c in found if c.field == "priority"][:2] == [
            ("priority", "High", "Low"),
            ("priority", "Low", "High"),
        ]
        assert sum(change.field == "priority" for change in found) == 101
        assert {(c.was, c.becomes) for c in found if c.field == "components"} == {("Invoicing", ""), ("", "Customs")}
        assert [c.becomes for c in found if c.field == "assignee"] == ["Oskar Lindqvist"]
        assert [("HARB-3" in c.becomes, c.was) for c in found if c.field == "issuelinks"] == [(True, "")]
        with pytest.raises(TicketGone):
            await tracker.tickets.changes("HARB-9999")
