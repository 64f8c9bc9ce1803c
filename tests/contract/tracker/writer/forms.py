"""Tickets fitted to the project's form before they are sent: what every tracker must spare its server."""

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import TrackerRejected
from triage.domain.tickets import PANEL, CustomField, FieldValue, Panel
from triage_sandbox.jira import Fault
from triage_sandbox.jira.issue.fields.custom import define

SEVERITIES = ("S1", "S2", "S3")


class Forms(TrackerCase):
    """Off the screen, demanded, filled."""

    def shown(self, server: RunningJira, key: str, field: str) -> Any:
        """What a ticket holds in a field."""
        with server.api() as api:
            return api.get(f"/issue/{key}").json()["fields"][field]

    @pytest.mark.parametrize("field", ["priority", "components", "assignee", "labels", "duedate", "description"])
    async def test_what_is_off_the_screen_is_not_sent(self, server: RunningJira, field: str) -> None:
        """One POST, which the server takes; the mark finds another place."""
        server.app.site.off_screen.add(field)
        tracker = self.make(server)
        try:
            above = await tracker.tickets.newest()
            given = {"duedate": {"due_date": date(2026, 12, 1)}, "assignee": {"assignee": self.person(server)}}.get(
                field, {}
            )
            created = await tracker.writer.create(replace(DRAFT, **given), MARK)  # type: ignore[arg-type] # fields by name
            found = await tracker.writer.adopt(MARK, above)
        finally:
            server.app.site.off_screen.discard(field)
            await tracker.close()

        assert [entry.status for entry in server.requests("POST", "/issue$")] == [201]
        assert created.dropped == {"labels": ("labels", "marker"), "duedate": ("due_date",)}.get(field, (field,))
        assert found == replace(created, dropped=())

    async def test_without_labels_the_mark_is_the_last_line(self, server: RunningJira) -> None:
        """So that a search finds it, too, and it counts among our tickets."""
        server.app.site.off_screen.add("labels")
        tracker = self.make(server)
        try:
            created = await tracker.writer.create(DRAFT, MARK)
        finally:
            server.app.site.off_screen.discard("labels")
        far = await tracker.writer.adopt(MARK, await tracker.tickets.newest() + 500)
        ours = await tracker.tickets.ours(1)
        await tracker.close()

        assert far == replace(created, dropped=())
        assert [(ticket.key, ticket.mark) for ticket in ours] == [(created.key, MARK.label)]

    async def test_what_is_demanded_comes_from_the_settings(self, server: RunningJira) -> None:
        """By the field's name, in the shape that its kind wants; fields that are not demanded, too."""
        db = server.app.site.db
        numbers = [
            define(db, "Severity", "select", options=SEVERITIES, required=True),
            define(db, "Teams", "multiselect", options=("Billing", "Web"), required=True),
            define(db, "Effort", "number", required=True),
            define(db, "Customer", "text", required=True),
            define(db, "Background", "textarea", required=True),
            define(db, "Owner", "user", required=True),
            define(db, "Topics", "labels"),
        ]
        tracker = self.make(
            server,
            fields={
                "severity": "s3",
                "Teams": ["Web", "Billing"],
                "Effort": 3,
                f"customfield_{numbers[3]}": "Acme",
                "Background": "From a *mail*.",
                "Owner": "Oskar Lindqvist",
                "Topics": "intake",
                "Not here": "x",
            },
        )
        created = await tracker.writer.create(DRAFT, MARK)
        held = [self.shown(server, created.key, f"customfield_{number}") for number in numbers]
        await tracker.close()

        assert held[0]["value"] == "S3"
        assert {each["value"] for each in held[1]} == {"Web", "Billing"}
        assert held[2:4] == [3.0, "Acme"]
        assert "mail" in str(held[4])
        assert held[5]["displayName"] == "Oskar Lindqvist"
        assert held[6] == ["intake"]
        assert created.dropped == ()

    async def test_what_nobody_fills_is_told_before_anything_is_sent(
        self, tracker: JiraTracker, server: RunningJira
    ) -> None:
        """All of it at once: the name, what it takes, and where to write it."""
        define(server.app.site.db, "Severity", "select", options=SEVERITIES, required=True)
        define(server.app.site.db, "Customer", "text", required=True)
        with pytest.raises(TrackerRejected) as told:
            await tracker.writer.create(DRAFT, MARK)

        assert told.value.problems == {
            "Severity": "Jira demands it for Bug; allowed: S1, S2, S3; set it under `jira.fields` in triage.yaml",
            "Customer": "Jira demands it for Bug; set it under `jira.fields` in triage.yaml",
        }
        assert server.requests("POST", "/issue$") == []
        assert (await tracker.metadata.project()).required["Bug"] == ("Severity", "Customer")

    async def test_a_value_that_is_none_is_told(self, server: RunningJira) -> None:
        """With those that there are."""
        define(server.app.site.db, "Severity", "select", options=SEVERITIES, required=True)
        tracker = self.make(server, fields={"Severity": "S9"})
        with pytest.raises(TrackerRejected, match="has no value 'S9'; allowed: S1, S2, S3"):
            await tracker.writer.create(DRAFT, MARK)
        await tracker.close()

    async def test_a_form_that_has_changed_is_read_again(self, server: RunningJira) -> None:
        """The refusal says so: a demand that came later is filled, a field that left is left out."""
        tracker = self.make(server, fields={"Severity": "S3"})
        await tracker.writer.create(DRAFT, MARK)
        number = define(server.app.site.db, "Severity", "select", options=SEVERITIES, required=True)
        server.app.site.off_screen.add("priority")
        try:
            created = await tracker.writer.create(DRAFT, replace(MARK, label="triage-00000000000000000003"))
        finally:
            server.app.site.off_screen.discard("priority")
        await tracker.close()

        assert created.dropped == ("priority",)
        assert self.shown(server, created.key, f"customfield_{number}")["value"] == "S3"
        assert [entry.status for entry in server.requests("POST", "/issue$")] == [201, 400, 201]

    async def test_a_ticket_of_an_epic(self, tracker: JiraTracker, server: RunningJira) -> None:
        """By `parent` or by the field Epic Link, whichever this Jira has; a new epic has its name."""
        epic = await tracker.writer.create(replace(DRAFT, issue_type="Epic", components=()), MARK)
        part = await tracker.writer.create(
            replace(DRAFT, parent=epic.key), replace(MARK, label="triage-00000000000000000005")
        )
        held = server.app.site.db.value(
            "SELECT p.key FROM ticket t JOIN ticket p ON p.id = t.parent WHERE t.key = ?", part.key
        )
        sent = server.requests("POST", "/issue$")[-1].json["fields"]

        assert (epic.dropped, part.dropped) == ((), ())
        assert held == epic.key
        assert ("parent" in sent) == server.cloud

    async def test_only_offered_components_are_sent(self, tracker: JiraTracker, server: RunningJira) -> None:
        """The others are told as missing, and nothing is refused."""
        created = await tracker.writer.create(replace(DRAFT, components=("Invoicing", "Nonsense")), MARK)

        assert (created.dropped, (await tracker.tickets.get(created.key)).components) == (
            ("components",),
            ("Invoicing",),
        )
        assert [entry.status for entry in server.requests("POST", "/issue$")] == [201]

    async def test_the_mail_chooses_a_custom_field(self, server: RunningJira) -> None:
        """By the option's id, over the constant value of triage.yaml; what Jira's form lacks or refuses is left out."""
        number = define(server.app.site.db, "Severity", "select", options=SEVERITIES)
        tracker = self.make(server, fields={"Severity": "S3"}, choices={"Severity": ("s1", "S2", "S9"), "Gone": ()})
        project = await tracker.metadata.project()
        severity = FieldValue(id=f"customfield_{number}", name="Severity", value="S1")
        draft = replace(DRAFT, fields=(severity, FieldValue(id="customfield_999", name="Gone", value="x")))
        created = await tracker.writer.create(draft, MARK)
        await tracker.close()

        assert project.fields == (CustomField(id=severity.id, name="Severity", values=("S1", "S2")),)
        assert self.shown(server, created.key, severity.id)["value"] == "S1"
        assert created.dropped == ("Gone",)

    async def test_a_ticket_has_a_parent(self, tracker: JiraTracker, server: RunningJira) -> None:
        """The epic that the draft names; one that Jira refuses is left out, and the ticket is created."""
        epic = await tracker.writer.create(replace(DRAFT, issue_type="Epic"), MARK)
        made = await tracker.writer.create(replace(DRAFT, parent=epic.key), replace(MARK, label=f"triage-{'1' * 20}"))
        lost = await tracker.writer.create(
            replace(DRAFT, parent="HARB-999999"), replace(MARK, label=f"triage-{'2' * 20}")
        )

        assert "parent" not in made.dropped
        assert "parent" in lost.dropped

    async def test_a_panel_stands_below_the_description(self, tracker: JiraTracker, server: RunningJira) -> None:
        """With its title, and not read back; where Jira refuses the description with it, the ticket is created without."""
        draft = replace(DRAFT, panel=Panel(lines=("**Type** Bug",)))
        first = await tracker.writer.create(draft, MARK)
        refusal = {"errorMessages": [], "errors": {"description": "Operation value is not valid."}}
        server.fault(Fault(do="answer", status=400, method="POST", path="/issue$", body=refusal))
        second = await tracker.writer.create(draft, replace(MARK, label=f"triage-{'3' * 20}"))
        shown = [json.dumps(self.shown(server, made.key, "description")) for made in (first, second)]
        read = [(await tracker.tickets.get(made.key)).description for made in (first, second)]

        assert [PANEL in text for text in shown] == [True, False]
        assert (first.dropped, second.dropped) == ((), ("panel",))
        assert read[0] == read[1]
        assert PANEL not in read[0]
