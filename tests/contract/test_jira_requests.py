"""Every request of the Jira adapter is one that Atlassian's own description of Jira Cloud allows."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from openapi_schema_validator import OAS30Validator
from referencing import Registry
from referencing.jsonschema import DRAFT4

from integrations.jira.tracker import JiraTracker
from integrations.sandbox.jira import Entry
from tests.contract.tracker_case import DRAFT, MARK
from tests.servers.sandbox import RunningJira
from triage.domain.tickets import TicketChange, TicketQuery


class Description:
    """The official document, asked about one request at a time."""

    def __init__(self, document: Any) -> None:
        self._paths = document["paths"]
        self._registry: Registry[Any] = Registry().with_resource("urn:jira", DRAFT4.create_resource(document))

    def complaints(self, entry: Entry) -> Iterator[str]:
        """What is wrong with a request."""
        operation = self._operation(entry)
        if operation is None:
            yield "no such operation"
            return
        known = {each["name"] for each in operation.get("parameters", []) if each["in"] == "query"}
        yield from (f"unknown parameter {name}" for name in parse_qs(entry.query).keys() - known)
        if entry.body:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            validator = OAS30Validator({"$ref": f"urn:jira{schema['$ref']}"}, registry=self._registry)
            yield from (error.message for error in validator.iter_errors(entry.json))

    def _operation(self, entry: Entry) -> Any:
        """The most literal path that fits."""
        fitting = [
            (template.count("{"), operations[entry.method.lower()])
            for template, operations in self._paths.items()
            if entry.method.lower() in operations and re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", template), entry.path)
        ]
        return min(fitting, key=lambda fit: fit[0])[1] if fitting else None


@pytest.fixture
def description(shared_data: Path) -> Description:
    """Jira Cloud's platform, version 3."""
    text = (shared_data / "jira-openapi" / "jira-cloud-platform-v3.json").read_text(encoding="utf-8")
    return Description(json.loads(text))


@pytest.fixture
async def tracker(cloud_jira: RunningJira) -> AsyncIterator[JiraTracker]:
    """The adapter on a Cloud."""
    tracker = JiraTracker(cloud_jira.url, cloud_jira.project, email=cloud_jira.email, token=cloud_jira.token)
    yield tracker
    await tracker.close()


async def test_every_request_is_in_the_book(
    tracker: JiraTracker, cloud_jira: RunningJira, description: Description
) -> None:
    """All that the adapter can do, each request held against the document: path, parameters and body."""
    project = await tracker.project()
    person = project.people[0].id
    await tracker.search(TicketQuery(words=("a", "export"), days=3, status="Done", assignee=person))
    await tracker.search(TicketQuery(words=("quetzalcoatl",)))
    await tracker.workloads()
    await tracker.assigned()
    draft = replace(DRAFT, assignee=person, due_date=date(2026, 12, 1))
    created = await tracker.create(draft, MARK)
    await tracker.get(created.key)
    await tracker.comment(created.key, "> said\n\n- **it**", MARK)
    await tracker.commented(created.key, MARK)
    await tracker.adopt(MARK, 3)
    await tracker.change(created.key, TicketChange(summary="Other", assignee=person))
    await tracker.transition(created.key, "In Progress")
    await tracker.transition(created.key, "Done")
    asked = [entry for entry in cloud_jira.requests() if entry.path != "/rest/api/2/serverInfo"]

    assert len(asked) == tracker.calls - 1 > 20
    assert [(entry.method, entry.path, what) for entry in asked for what in description.complaints(entry)] == []
