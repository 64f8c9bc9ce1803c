"""Tickets that come to be once, whatever happens to the answer: what every tracker must promise."""

from dataclasses import replace

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, HOSTILE, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import (
    TrackerRejected,
    WriteUnconfirmed,
)
from triage.domain.tickets import TicketQuery
from triage_sandbox.jira import Fault


class Creating(TrackerCase):
    """Tickets, made once."""

    async def test_a_created_ticket_reads_as_drafted(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Every field, and the mark among the labels."""
        created = await tracker.writer.create(replace(DRAFT, assignee=self.person(server)), MARK)
        ticket = await tracker.tickets.get(created.key)

        assert created.dropped == ()
        assert created.url == ticket.url
        assert (ticket.summary, ticket.issue_type, ticket.priority) == ("Zeppelin export fails", "Bug", "High")
        assert ticket.description == "The export of zeppelin runs stops at 99 %.\n\nORA-00942 in line 7"
        assert ticket.components == ("Invoicing",)
        assert set(ticket.labels) == {"mail", MARK.label}
        assert ticket.assignee
        assert ticket.assignee.id == self.person(server)

    async def test_a_created_ticket_is_found_again(self, tracker: JiraTracker) -> None:
        """By its mark, from where the search for it starts; and by its words."""
        above = await tracker.tickets.newest()
        created = await tracker.writer.create(DRAFT, MARK)
        adopted = await tracker.writer.adopt(MARK, above)

        assert adopted == created
        assert [ticket.key for ticket in await tracker.tickets.search(TicketQuery(words=("zeppelin",)))] == [
            created.key
        ]

    async def test_a_ticket_far_below_is_found_by_its_label(self, tracker: JiraTracker) -> None:
        """Where the known number is too high."""
        created = await tracker.writer.create(DRAFT, MARK)

        assert await tracker.writer.adopt(MARK, await tracker.tickets.newest() + 500) == created

    async def test_another_mark_finds_nothing(self, tracker: JiraTracker) -> None:
        """Nothing is adopted that is not ours."""
        above = await tracker.tickets.newest()
        await tracker.writer.create(DRAFT, MARK)

        assert await tracker.writer.adopt(replace(MARK, label="triage-fedcba98765432100123"), above) is None

    async def test_a_lost_answer_leaves_one_ticket(self, tracker: JiraTracker, server: RunningJira) -> None:
        """The server has created it and died: unsure, then found, and never posted twice."""
        above = await tracker.tickets.newest()
        server.fault(Fault(do="reset_after", method="POST", path="/issue$"))
        with pytest.raises(WriteUnconfirmed):
            await tracker.writer.create(DRAFT, MARK)
        adopted = await tracker.writer.adopt(MARK, above)

        assert adopted
        assert adopted.key == f"HARB-{above + 1}"
        assert len(server.requests("POST", "/issue$")) == 1
        assert await tracker.tickets.newest() == above + 1

    @pytest.mark.parametrize(
        "fault",
        [Fault(do="reset"), Fault(do="answer", status=503), Fault(do="answer", status=500), Fault(do="login_page")],
        ids=["reset", "503", "500", "login page"],
    )
    async def test_a_ticket_that_never_came_to_be_is_not_found(
        self, tracker: JiraTracker, server: RunningJira, fault: Fault
    ) -> None:
        """Unsure as well, and then nothing is adopted."""
        above = await tracker.tickets.newest()
        server.fault(replace(fault, method="POST", path="/issue$"))
        with pytest.raises(WriteUnconfirmed):
            await tracker.writer.create(DRAFT, MARK)

        assert await tracker.writer.adopt(MARK, above) is None

    async def test_half_an_answer_is_unsure(self, tracker: JiraTracker, server: RunningJira) -> None:
        """A success that cannot be read to its end names no key."""
        above = await tracker.tickets.newest()
        server.fault(Fault(do="truncate", method="POST", path="/issue$"))
        with pytest.raises(WriteUnconfirmed):
            await tracker.writer.create(DRAFT, MARK)

        assert await tracker.writer.adopt(MARK, above) is not None

    @pytest.mark.parametrize(
        ("given", "dropped"),
        [
            ({"assignee": "nobody-of-this-name"}, ("assignee",)),
            ({"priority": "Extreme"}, ("priority",)),
            ({"components": ("Invoicing", "Nonsense")}, ("components",)),
            ({"affects_versions": ("2026.10", "1914")}, ("affects_versions",)),
            (
                {"assignee": "nobody", "priority": "Extreme", "components": ("No",)},
                ("assignee", "components", "priority"),
            ),
        ],
    )
    async def test_what_is_refused_is_left_out(
        self, tracker: JiraTracker, given: dict[str, object], dropped: tuple[str, ...]
    ) -> None:
        """A plainer ticket is better than none, and what it lacks is told."""
        created = await tracker.writer.create(replace(DRAFT, **given), MARK)  # type: ignore[arg-type] # fields by name

        assert tuple(sorted(created.dropped)) == dropped
        assert (await tracker.tickets.get(created.key)).summary == DRAFT.summary

    async def test_affected_versions_are_set(self, tracker: JiraTracker, server: RunningJira) -> None:
        """In Jira's own field, and no fix version."""
        created = await tracker.writer.create(replace(DRAFT, affects_versions=("2026.9", "2026.10")), MARK)
        with server.api() as api:
            fields = api.get(f"/issue/{created.key}").json()["fields"]

        assert created.dropped == ()
        assert [each["name"] for each in fields["versions"]] == ["2026.9", "2026.10"]
        assert fields["fixVersions"] == []

    @pytest.mark.parametrize("field", ["labels", "priority", "components"])
    async def test_a_field_off_the_screen_is_left_out(
        self, tracker: JiraTracker, server: RunningJira, field: str
    ) -> None:
        """Screens differ from project to project; without labels the property still marks the ticket."""
        above = await tracker.tickets.newest()
        server.app.site.off_screen.add(field)
        try:
            created = await tracker.writer.create(DRAFT, MARK)
        finally:
            server.app.site.off_screen.discard(field)

        assert created.dropped == (("labels", "marker") if field == "labels" else (field,))
        assert await tracker.writer.adopt(MARK, above) == replace(created, dropped=())

    @pytest.mark.parametrize("given", [{"issue_type": "Nonsense"}, {"summary": " \n "}])
    async def test_what_nobody_can_leave_out_is_rejected(
        self, tracker: JiraTracker, server: RunningJira, given: dict[str, str]
    ) -> None:
        """With the field that Jira names, and nothing is created."""
        above = await tracker.tickets.newest()
        with pytest.raises(TrackerRejected) as told:
            await tracker.writer.create(replace(DRAFT, **given), MARK)  # type: ignore[arg-type] # fields by name

        assert set(told.value.problems) & {"issuetype", "summary"}
        assert await tracker.tickets.newest() == above

    async def test_hostile_text_stays_text(self, tracker: JiraTracker) -> None:
        """It reads in the ticket as it was written, in a quote and in code."""
        created = await tracker.writer.create(replace(DRAFT, summary=HOSTILE, description=f"```\n{HOSTILE}\n```"), MARK)
        ticket = await tracker.tickets.get(created.key)

        assert ticket.summary == " ".join(HOSTILE.split())
        assert ticket.description.replace("{ noformat", "{noformat") == HOSTILE

    async def test_hostile_words_in_a_sentence_stay_words(self, tracker: JiraTracker) -> None:
        """Escaped Markdown, as we write what somebody else has said, reads back as it was said."""
        escaped = "".join(f"\\{char}" if char in r"""\`*_{}[]()<>#+-.!|~^&?:""" else char for char in HOSTILE)
        created = await tracker.writer.create(replace(DRAFT, description="  \n".join(escaped.split("\n"))), MARK)

        assert (await tracker.tickets.get(created.key)).description == HOSTILE

    async def test_what_is_too_long_is_cut(self, tracker: JiraTracker) -> None:
        """A ticket comes of it all the same."""
        created = await tracker.writer.create(replace(DRAFT, summary="😀" * 400, description="{*word* " * 20_000), MARK)
        ticket = await tracker.tickets.get(created.key)

        assert created.dropped == ()
        assert len(ticket.summary) <= 255
        assert len(ticket.description) <= 32_767
