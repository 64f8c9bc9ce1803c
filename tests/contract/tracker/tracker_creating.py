"""Tickets that come to be once, whatever happens to the answer: what every tracker must promise."""

from dataclasses import replace

import pytest

from tests.contract.tracker.tracker_case import DRAFT, HOSTILE, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import (
    TrackerRejected,
    TrackerUnsure,
)
from triage.domain.ports import Tracker
from triage.domain.tickets import TicketQuery
from triage_sandbox.jira import Fault


class Creating(TrackerCase):
    """Tickets, made once."""

    async def test_a_created_ticket_reads_as_drafted(self, tracker: Tracker, server: RunningJira) -> None:
        """Every field, and the mark among the labels."""
        created = await tracker.create(replace(DRAFT, assignee=self.person(server)), MARK)
        ticket = await tracker.get(created.key)

        assert created.dropped == ()
        assert created.url == ticket.url
        assert (ticket.summary, ticket.issue_type, ticket.priority) == ("Zeppelin export fails", "Bug", "High")
        assert ticket.description == "The export of zeppelin runs stops at 99 %.\n\nORA-00942 in line 7"
        assert ticket.components == ("Invoicing",)
        assert set(ticket.labels) == {"mail", MARK.label}
        assert ticket.assignee
        assert ticket.assignee.id == self.person(server)

    async def test_a_created_ticket_is_found_again(self, tracker: Tracker) -> None:
        """By its mark, from where the search for it starts; and by its words."""
        above = await tracker.newest()
        created = await tracker.create(DRAFT, MARK)
        adopted = await tracker.adopt(MARK, above)

        assert adopted == created
        assert [ticket.key for ticket in await tracker.search(TicketQuery(words=("zeppelin",)))] == [created.key]

    async def test_a_ticket_far_below_is_found_by_its_label(self, tracker: Tracker) -> None:
        """Where the known number is too high."""
        created = await tracker.create(DRAFT, MARK)

        assert await tracker.adopt(MARK, await tracker.newest() + 500) == created

    async def test_another_mark_finds_nothing(self, tracker: Tracker) -> None:
        """Nothing is adopted that is not ours."""
        above = await tracker.newest()
        await tracker.create(DRAFT, MARK)

        assert await tracker.adopt(replace(MARK, label="triage-fedcba98765432100123"), above) is None

    async def test_a_lost_answer_leaves_one_ticket(self, tracker: Tracker, server: RunningJira) -> None:
        """The server has created it and died: unsure, then found, and never posted twice."""
        above = await tracker.newest()
        server.fault(Fault(do="reset_after", method="POST", path="/issue$"))
        with pytest.raises(TrackerUnsure):
            await tracker.create(DRAFT, MARK)
        adopted = await tracker.adopt(MARK, above)

        assert adopted
        assert adopted.key == f"HARB-{above + 1}"
        assert len(server.requests("POST", "/issue$")) == 1
        assert await tracker.newest() == above + 1

    @pytest.mark.parametrize(
        "fault",
        [Fault(do="reset"), Fault(do="answer", status=503), Fault(do="answer", status=500), Fault(do="login_page")],
        ids=["reset", "503", "500", "login page"],
    )
    async def test_a_ticket_that_never_came_to_be_is_not_found(
        self, tracker: Tracker, server: RunningJira, fault: Fault
    ) -> None:
        """Unsure as well, and then nothing is adopted."""
        above = await tracker.newest()
        server.fault(replace(fault, method="POST", path="/issue$"))
        with pytest.raises(TrackerUnsure):
            await tracker.create(DRAFT, MARK)

        assert await tracker.adopt(MARK, above) is None

    async def test_half_an_answer_is_unsure(self, tracker: Tracker, server: RunningJira) -> None:
        """A success that cannot be read to its end names no key."""
        above = await tracker.newest()
        server.fault(Fault(do="truncate", method="POST", path="/issue$"))
        with pytest.raises(TrackerUnsure):
            await tracker.create(DRAFT, MARK)

        assert await tracker.adopt(MARK, above) is not None

    @pytest.mark.parametrize(
        ("given", "dropped"),
        [
            ({"assignee": "nobody-of-this-name"}, ("assignee",)),
            ({"priority": "Extreme"}, ("priority",)),
            ({"components": ("Invoicing", "Nonsense")}, ("components",)),
            (
                {"assignee": "nobody", "priority": "Extreme", "components": ("No",)},
                ("assignee", "components", "priority"),
            ),
        ],
    )
    async def test_what_is_refused_is_left_out(
        self, tracker: Tracker, given: dict[str, object], dropped: tuple[str, ...]
    ) -> None:
        """A plainer ticket is better than none, and what it lacks is told."""
        created = await tracker.create(replace(DRAFT, **given), MARK)  # type: ignore[arg-type] # fields by name

        assert tuple(sorted(created.dropped)) == dropped
        assert (await tracker.get(created.key)).summary == DRAFT.summary

    @pytest.mark.parametrize("field", ["labels", "priority", "components"])
    async def test_a_field_off_the_screen_is_left_out(self, tracker: Tracker, server: RunningJira, field: str) -> None:
        """Screens differ from project to project; without labels the property still marks the ticket."""
        above = await tracker.newest()
        server.app.site.off_screen.add(field)
        try:
            created = await tracker.create(DRAFT, MARK)
        finally:
            server.app.site.off_screen.discard(field)

        assert created.dropped == (("labels", "marker") if field == "labels" else (field,))
        assert await tracker.adopt(MARK, above) == replace(created, dropped=())

    @pytest.mark.parametrize("given", [{"issue_type": "Nonsense"}, {"summary": " \n "}])
    async def test_what_nobody_can_leave_out_is_rejected(
        self, tracker: Tracker, server: RunningJira, given: dict[str, str]
    ) -> None:
        """With the field that Jira names, and nothing is created."""
        above = await tracker.newest()
        with pytest.raises(TrackerRejected) as told:
            await tracker.create(replace(DRAFT, **given), MARK)  # type: ignore[arg-type] # fields by name

        assert set(told.value.problems) & {"issuetype", "summary"}
        assert await tracker.newest() == above

    async def test_hostile_text_stays_text(self, tracker: Tracker) -> None:
        """It reads in the ticket as it was written, in a quote and in code."""
        created = await tracker.create(replace(DRAFT, summary=HOSTILE, description=f"```\n{HOSTILE}\n```"), MARK)
        ticket = await tracker.get(created.key)

        assert ticket.summary == " ".join(HOSTILE.split())
        assert ticket.description.replace("{ noformat", "{noformat") == HOSTILE

    async def test_hostile_words_in_a_sentence_stay_words(self, tracker: Tracker) -> None:
        """Escaped Markdown, as we write what somebody else has said, reads back as it was said."""
        escaped = "".join(f"\\{char}" if char in r"""\`*_{}[]()<>#+-.!|~^&?:""" else char for char in HOSTILE)
        created = await tracker.create(replace(DRAFT, description="  \n".join(escaped.split("\n"))), MARK)

        assert (await tracker.get(created.key)).description == HOSTILE

    async def test_what_is_too_long_is_cut(self, tracker: Tracker) -> None:
        """A ticket comes of it all the same."""
        created = await tracker.create(replace(DRAFT, summary="😀" * 400, description="{*word* " * 20_000), MARK)
        ticket = await tracker.get(created.key)

        assert created.dropped == ()
        assert len(ticket.summary) <= 255
        assert len(ticket.description) <= 32_767
