"""What ties a ticket to other tickets, pages and people: set as well twice as once."""

from dataclasses import replace

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import TicketGone, TrackerRejected, WriteUnconfirmed
from triage_sandbox.jira import Fault

CASE = "https://triage.example.com/cases/case-7"


class Ties(TrackerCase):
    """Links, references, watchers."""

    def links(self, server: RunningJira, key: str) -> list[tuple[str, str]]:
        """How the ticket reads in Jira: words of the link, other ticket."""
        with server.api() as api:
            shown = api.get(f"/issue/{key}", params={"fields": "issuelinks"}).json()["fields"]["issuelinks"]
        ends = [(each, "outward" if "outwardIssue" in each else "inward") for each in shown]
        return sorted((each["type"][end], each[f"{end}Issue"]["key"]) for each, end in ends)

    async def two(self, tracker: JiraTracker) -> tuple[str, str]:
        """Two tickets without links."""
        one = await tracker.writer.create(DRAFT, replace(MARK, label="triage-00000000000000000001"))
        other = await tracker.writer.create(DRAFT, replace(MARK, label="triage-00000000000000000002"))
        return one.key, other.key

    async def test_a_link_reads_as_it_was_meant(self, tracker: JiraTracker, server: RunningJira) -> None:
        """`key duplicates other`, from either end; again changes nothing, and neither does a second way to say it."""
        one, other = await self.two(tracker)
        for _ in range(2):
            await tracker.writer.link(one, other, "Duplicate")
        await tracker.writer.link(one, other, "duplicates")
        await tracker.writer.link(other, one, "is duplicated by")

        assert self.links(server, one) == [("duplicates", other)]
        assert self.links(server, other) == [("is duplicated by", one)]
        assert len(server.requests("POST", "/issueLink$")) == 1

    async def test_a_link_is_taken_back(self, tracker: JiraTracker, server: RunningJira) -> None:
        """This kind in this direction alone; where there is none nothing is sent."""
        one, other = await self.two(tracker)
        await tracker.writer.link(one, other, "Blocks")
        await tracker.writer.link(other, one, "Blocks")
        for _ in range(2):
            await tracker.writer.unlink(one, other, "Blocks")

        assert self.links(server, one) == [("is blocked by", other)]
        assert len(server.requests("DELETE", "/issueLink/")) == 1

    async def test_links_of_other_kinds_and_directions_are_others(
        self, tracker: JiraTracker, server: RunningJira
    ) -> None:
        """Being tied so already means this kind, this direction and this ticket."""
        one, other = await self.two(tracker)
        await tracker.writer.link(one, other, "Blocks")
        await tracker.writer.link(other, one, "Blocks")
        await tracker.writer.link(one, other, "Relates")
        await tracker.writer.link(other, one, "relates to")

        assert self.links(server, one) == [("blocks", other), ("is blocked by", other), ("relates to", other)]

    async def test_a_kind_that_is_none_is_rejected(self, tracker: JiraTracker, server: RunningJira) -> None:
        """With those that there are, which the project tells, too."""
        with pytest.raises(TrackerRejected, match="Duplicate"):
            await tracker.writer.link("HARB-3", "HARB-4", "Resembles")

        assert {"Blocks", "Duplicate", "Relates"} <= set((await tracker.metadata.project()).link_types)
        assert server.requests("POST", "/issueLink$") == []

    async def test_a_link_to_itself_is_rejected(self, tracker: JiraTracker) -> None:
        """Before Jira has to say so."""
        with pytest.raises(TrackerRejected, match="itself"):
            await tracker.writer.link("HARB-3", "HARB-3", "Relates")

    async def test_a_link_to_nothing_is_told(self, tracker: JiraTracker) -> None:
        """Whichever end is gone."""
        for key, other in (("HARB-3", "HARB-999999"), ("HARB-999999", "HARB-3"), ("HARB-3", "OTHER-1")):
            with pytest.raises(TicketGone) as told:
                await tracker.writer.link(key, other, "Relates")

            assert told.value.key != "HARB-3"

    async def test_a_link_whose_answer_is_lost_is_made_once(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Unsure; said again, it is there already."""
        one, other = await self.two(tracker)
        server.fault(Fault(do="reset_after", method="POST", path="/issueLink$"))
        with pytest.raises(WriteUnconfirmed):
            await tracker.writer.link(one, other, "Duplicate")
        await tracker.writer.link(one, other, "Duplicate")

        assert self.links(server, one) == [("duplicates", other)]
        assert len(server.requests("POST", "/issueLink$")) == 1

    # --- watchers -------------------------------------------------------------------------

    async def test_a_person_hears_of_a_ticket(self, tracker: JiraTracker, server: RunningJira) -> None:
        """By id, once."""
        person = self.person(server)
        for _ in range(2):
            await tracker.writer.watch("HARB-3", person)
        with server.api() as api:
            watchers = api.get("/issue/HARB-3/watchers").json()["watchers"]

        assert [each["accountId" if server.cloud else "name"] for each in watchers].count(person) == 1

    async def test_nobody_cannot_watch(self, tracker: JiraTracker) -> None:
        """With whom we meant."""
        with pytest.raises(TrackerRejected, match=r"nobody\.knows"):
            await tracker.writer.watch("HARB-3", "nobody.knows")

    async def test_nothing_can_be_watched(self, tracker: JiraTracker, server: RunningJira) -> None:
        """The ticket is gone."""
        with pytest.raises(TicketGone):
            await tracker.writer.watch("HARB-999999", self.person(server))
