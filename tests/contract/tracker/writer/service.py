"""Service projects, where customers read along: what every tracker must keep from them, and give them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import HOSTILE, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import TrackerRejected, WriteUnconfirmed
from triage.domain.support.service_timers import ServiceTimer
from triage.domain.tickets import TicketDraft
from triage_sandbox.jira import Fault

DRAFT = TicketDraft(
    summary="Label printer prints nothing",
    description="Since **this morning**.\n\n```\nZPL error 7\n```",
    issue_type="Incident",
    priority="High",
    labels=("mail",),
)


class Service(TrackerCase):
    """Comments, requests, and the mark that finds them again."""

    @pytest.fixture
    async def desk(self, server: RunningJira) -> AsyncIterator[JiraTracker]:
        """The adapter on the help desk, with requests of one type."""
        tracker = self.make(server, project="HELP", request_type="report a problem")
        yield tracker
        await tracker.close()

    def issue(self, server: RunningJira, key: str, **params: str) -> Any:
        """A ticket as Jira tells it."""
        with server.api() as api:
            return api.get(f"/issue/{key}", params=params).raise_for_status().json()

    # --- comments -------------------------------------------------------------------------

    def public(self, server: RunningJira, key: str) -> list[bool]:
        """For each comment whether customers see it."""
        with server.client("/rest/servicedeskapi") as client:
            return [each["public"] for each in client.get(f"/request/{key}/comment").json()["values"]]

    async def test_comments_are_internal(self, server: RunningJira) -> None:
        """From the first moment, and found again by their mark, also when they are edited."""
        server.agent("HELP")
        tracker = self.make(server, project="HELP")
        number = await tracker.comments.comment("HELP-3", "She has *another* printer.", MARK)
        edited = await tracker.comments.edit_comment("HELP-3", number, "She has *two* other printers.")
        found = await tracker.comments.commented("HELP-3", MARK)
        told = (await tracker.metadata.project()).service
        await tracker.close()

        assert self.public(server, "HELP-3") == [False]
        assert (edited, found, told) == (True, number, True)
        assert len(server.requests("POST", "/comment$")) == 1

    async def test_comments_are_public_where_the_settings_say_so(self, server: RunningJira) -> None:
        """Then customers are meant to read them."""
        server.agent("HELP")
        tracker = self.make(server, project="HELP", public_comments=True)
        await tracker.comments.comment("HELP-3", "We are on it.", MARK)
        await tracker.close()

        assert self.public(server, "HELP-3") == [True]

    async def test_comments_elsewhere_are_as_ever(self, tracker: JiraTracker, server: RunningJira) -> None:
        """No customer reads along in other projects, and nothing of it is sent."""
        await tracker.comments.comment("HARB-3", "Seen again.", MARK)
        sent = server.requests("POST", "/comment$")[-1]

        assert [each["key"] for each in sent.json["properties"]] == ["triage"]
        assert not (await tracker.metadata.project()).service

    async def test_what_cannot_be_internal_is_not_written(self, server: RunningJira) -> None:
        """Rather no comment than one that customers read; the message says what to do."""
        words = "It is not allowed to set the property sd.public.comment."
        server.fault(
            Fault(do="answer", status=400, method="POST", path="/comment$", body={"errorMessages": [words]}, count=0)
        )
        tracker = self.make(server, project="HELP")
        with pytest.raises(TrackerRejected, match=r"JIRA_PUBLIC_COMMENTS.*sd\.public\.comment"):
            await tracker.comments.comment("HELP-3", "She has another printer.", MARK)
        await tracker.close()

        sent = server.requests("POST", "/comment$")
        assert all(any(each["key"] == "sd.public.comment" for each in entry.json["properties"]) for entry in sent)
        assert self.issue(server, "HELP-3")["fields"]["comment"]["comments"] == []

    # --- requests -------------------------------------------------------------------------

    async def test_a_ticket_is_made_as_a_request(self, desk: JiraTracker, server: RunningJira) -> None:
        """Its customers find it in the portal; label, property and last line carry the mark."""
        created = await desk.writer.create(replace(DRAFT, assignee=self.person(server)), MARK)
        ticket = await desk.tickets.get(created.key)
        held = self.issue(server, created.key, properties="triage")
        with server.client("/rest/servicedeskapi") as client:
            request = client.get(f"/request/{created.key}", params={"expand": "requestType"}).json()

        assert created.dropped == ()
        assert (ticket.summary, ticket.priority) == (DRAFT.summary, "High")
        assert ticket.description == f"Since this morning.\n\nZPL error 7\n\n{MARK.label}"
        assert set(ticket.labels) == {"mail", MARK.label}
        assert ticket.assignee
        assert ticket.assignee.id == self.person(server)
        assert held["properties"]["triage"]["case"] == MARK.case
        assert request["requestType"]["name"] == "Report a problem"
        assert server.requests("POST", "/issue$") == []

    async def test_hostile_text_in_a_request_stays_text(self, desk: JiraTracker) -> None:
        """Service desks take wiki markup only, on Cloud too."""
        created = await desk.writer.create(replace(DRAFT, summary=HOSTILE, description=f"```\n{HOSTILE}\n```"), MARK)
        ticket = await desk.tickets.get(created.key)

        assert ticket.summary == " ".join(HOSTILE.split())
        assert ticket.description.replace("{ noformat", "{noformat") == f"{HOSTILE}\n\n{MARK.label}"

    @pytest.mark.parametrize(
        "fault",
        [
            Fault(do="reset_after", method="POST", path="/servicedeskapi/request$"),
            Fault(do="truncate", method="POST", path="/servicedeskapi/request$"),
        ],
        ids=["lost", "truncated"],
    )
    async def test_a_request_whose_answer_is_lost_is_adopted(
        self, desk: JiraTracker, server: RunningJira, fault: Fault
    ) -> None:
        """By its last line; then it gets its label and its property, and a second look changes nothing."""
        above = await desk.tickets.newest()
        server.fault(fault)
        with pytest.raises(WriteUnconfirmed):
            await desk.writer.create(DRAFT, MARK)
        bare = self.issue(server, f"HELP-{above + 1}", properties="triage")
        found = [await desk.writer.adopt(MARK, above) for _ in range(2)]
        marked = self.issue(server, f"HELP-{above + 1}", properties="triage")

        assert (bare["fields"]["labels"], bare["properties"]) == ([], {})
        assert [each and each.key for each in found] == [f"HELP-{above + 1}"] * 2
        assert marked["fields"]["labels"] == [MARK.label]
        assert marked["properties"]["triage"]["label"] == MARK.label
        assert len(server.requests("POST", "/servicedeskapi/request$")) == 1

    @pytest.mark.parametrize("do", ["reset", "reset_after"])
    async def test_a_marking_that_is_lost_is_no_lost_ticket(
        self, desk: JiraTracker, server: RunningJira, do: Any
    ) -> None:
        """The request stands; an error now would have it made again."""
        above = await desk.tickets.newest()
        server.fault(Fault(do=do, method="PUT", path="/issue/HELP-"))
        created = await desk.writer.create(DRAFT, MARK)
        ours = await desk.tickets.ours(1)

        assert (created.key, created.dropped) == (f"HELP-{above + 1}", ("labels",))
        assert await desk.writer.adopt(MARK, above) == replace(created, dropped=())
        assert [(ticket.key, ticket.mark) for ticket in ours] == [(created.key, MARK.label)]

    async def test_a_request_far_below_is_found_by_its_last_line(self, desk: JiraTracker, server: RunningJira) -> None:
        """In the index, where the known number is too high."""
        server.fault(Fault(do="reset", method="PUT", path="/issue/HELP-"))
        created = await desk.writer.create(DRAFT, MARK)

        assert await desk.writer.adopt(MARK, await desk.tickets.newest() + 500) == replace(created, dropped=())

    async def test_a_line_that_somebody_copied_is_not_ours(self, desk: JiraTracker, server: RunningJira) -> None:
        """Whoever reads a ticket can copy its last line."""
        created = await desk.writer.create(DRAFT, MARK)
        server.app.site.db.run("UPDATE issue SET creator = (SELECT id FROM account WHERE name = 'carla.jimenez')")

        assert await desk.writer.adopt(MARK, 0) is None
        assert created.key

    async def test_what_a_request_demands_comes_from_the_settings(self, server: RunningJira) -> None:
        """Else it is told before anything is sent."""
        server.app.site.db.run("UPDATE request_type SET fields = fields || ' duedate!' WHERE name = 'Report a problem'")
        options: dict[str, Any] = {"project": "HELP", "request_type": "Report a problem"}
        bare, filled = self.make(server, **options), self.make(server, **options, fields={"Due date": "2026-12-31"})
        with pytest.raises(TrackerRejected, match=r"duedate.*jira\.fields"):
            await bare.writer.create(DRAFT, MARK)
        created = await filled.writer.create(DRAFT, MARK)
        await bare.close()
        await filled.close()

        assert self.issue(server, created.key)["fields"]["duedate"] == "2026-12-31"
        assert len(server.requests("POST", "/servicedeskapi/request$")) == 1

    async def test_a_request_type_that_is_none_is_told(self, server: RunningJira) -> None:
        """With those that there are."""
        tracker = self.make(server, project="HELP", request_type="Nonsense")
        with pytest.raises(TrackerRejected, match=r"JIRA_REQUEST_TYPE.*Ask a question, Report a problem"):
            await tracker.writer.create(DRAFT, MARK)
        await tracker.close()

    async def test_without_a_request_type_it_is_a_plain_ticket(self, server: RunningJira) -> None:
        """With a note, since no portal shows it."""
        tracker = self.make(server, project="HELP")
        created = await tracker.writer.create(DRAFT, MARK)
        await tracker.close()

        assert created.dropped[-1] == "request type"
        assert MARK.label in self.issue(server, created.key)["fields"]["labels"]

    async def test_a_request_type_elsewhere_is_not_used(self, server: RunningJira) -> None:
        """Only service projects have requests."""
        tracker = self.make(server, request_type="Report a problem")
        created = await tracker.writer.create(replace(DRAFT, issue_type="Bug"), MARK)
        await tracker.close()

        assert (created.key.partition("-")[0], created.dropped) == ("HARB", ())
        assert server.requests("GET", "/servicedeskapi/") == []

    # --- SLAs -----------------------------------------------------------------------------

    async def test_what_jira_s_clock_says_of_a_request(self, desk: JiraTracker, server: RunningJira) -> None:
        """Goals by priority; a public word of the team meets the first one; what is no request has none."""
        server.agent("HELP")
        created = await desk.writer.create(DRAFT, MARK)
        ticket = await desk.tickets.get(created.key)
        first, whole = await desk.tickets.timers(created.key)
        with server.api("2") as api:
            api.post(f"/issue/{created.key}/comment", json={"body": "We are on it."}).raise_for_status()
            issue = {"project": {"key": "HELP"}, "issuetype": {"name": "Task"}, "summary": "by hand"}
            bare = api.post("/issue", json={"fields": issue}).json()["key"]
        met, _ = await desk.tickets.timers(created.key)

        assert ticket.created
        assert first == ServiceTimer(
            name="Time to first response", running=True, breaches_at=ticket.created + timedelta(hours=2)
        )
        assert (whole.name, whole.breaches_at) == ("Time to resolution", ticket.created + timedelta(hours=8))
        assert (met.running, met.breaches_at) == (False, None)
        assert await desk.tickets.timers(bare) == ()

    async def test_without_an_agent_s_rights_there_is_no_sla(self, server: RunningJira, tracker: JiraTracker) -> None:
        """Neither for who is no agent, nor outside service projects, where nothing is requested."""
        server.deny("SERVICEDESK_AGENT")
        desk = self.make(server, project="HELP")
        told = await desk.tickets.timers("HELP-3"), await tracker.tickets.timers("HARB-3")
        await desk.close()

        assert told == ((), ())
        assert not server.requests("GET", "/request/HARB-3/sla")
