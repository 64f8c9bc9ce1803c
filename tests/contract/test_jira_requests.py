"""Every request of the Jira adapter is one that Atlassian's own descriptions of Jira allow, on Cloud and on Data Center."""

import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

import pytest
from openapi_schema_validator import OAS30Validator
from referencing import Registry
from referencing.jsonschema import DRAFT4

from integrations.jira.tracker import JiraTracker
from integrations.sandbox.jira import Entry
from tests.contract.tracker_case import DRAFT, MARK
from tests.servers.sandbox import RunningJira
from triage.domain.tickets import TicketChange, TicketQuery, Upload

CLOUD: Final = ("jira-cloud-platform-v3", "jira-cloud-software-1.0")
DATA_CENTER: Final = ("jira-datacenter-10.3",)
UNTOLD: Final = (
    "/user/assignable/search: unknown parameter startAt",
    "/transitions: unknown parameter expand",
    "'message': 'f00d'} is not of type 'string'",
)
"""What Data Center's description forgets: pages of people, the fields of transitions, properties that hold more than text."""


class Description:
    """The official documents, asked about one request at a time."""

    def __init__(self, documents: Sequence[Any]) -> None:
        self._registry: Registry[Any] = Registry().with_resources(
            (f"urn:jira:{number}", DRAFT4.create_resource(document)) for number, document in enumerate(documents)
        )
        self._operations = [
            (f"{self._base(document)}{template}", operations, f"urn:jira:{number}")
            for number, document in enumerate(documents)
            for template, operations in document["paths"].items()
        ]

    @staticmethod
    def _base(document: Any) -> str:
        """Data Center's paths begin below `/rest`."""
        return "/rest" if document["servers"][0]["url"].endswith("/rest") else ""

    def complaints(self, entry: Entry) -> Iterator[str]:
        """What is wrong with a request."""
        operation, document = self._operation(entry)
        if operation is None:
            yield "no such operation"
            return
        known = {each["name"] for each in operation.get("parameters", []) if each["in"] == "query"}
        yield from (f"unknown parameter {name}" for name in parse_qs(entry.query).keys() - known)
        if entry.body:
            content = operation["requestBody"]["content"]
            if schema := content.get("application/json", {}).get("schema"):
                errors = self._validator(schema, document).iter_errors(entry.json)
                # Data Center's description takes every value of a field for an object.
                yield from (
                    e.message for e in errors if not (e.path and e.path[0] == "fields" and e.validator == "type")
                )
            elif "multipart/form-data" not in content or not entry.body.startswith(b"--"):
                yield f"a body that is none of {', '.join(content)}"

    def _validator(self, schema: Any, document: str) -> OAS30Validator:
        schema = {"$ref": f"{document}{schema['$ref']}"} if "$ref" in schema else schema
        return OAS30Validator(schema, registry=self._registry)

    def _operation(self, entry: Entry) -> tuple[Any, str]:
        """The most literal path that fits."""
        fitting = [
            (template.count("{"), operations[entry.method.lower()], document)
            for template, operations, document in self._operations
            if entry.method.lower() in operations and re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", template), entry.path)
        ]
        return min(fitting, key=lambda fit: fit[0])[1:] if fitting else (None, "")


@pytest.fixture
def description(shared_data: Path, any_jira: RunningJira) -> Description:
    """What Atlassian says of this kind of Jira."""
    names = CLOUD if any_jira.cloud else DATA_CENTER
    folder = shared_data / "jira-openapi"
    return Description([json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in names])


@pytest.fixture
async def tracker(any_jira: RunningJira) -> AsyncIterator[JiraTracker]:
    """The adapter on it."""
    name, token = any_jira.login
    tracker = JiraTracker(any_jira.url, any_jira.project, email=name, token=token)
    yield tracker
    await tracker.close()


async def test_every_request_is_in_the_book(
    tracker: JiraTracker, any_jira: RunningJira, description: Description
) -> None:
    """All that the adapter can do, each request held against the documents: path, parameters and body."""
    project = await tracker.project()
    person = project.people[0].id
    await tracker.search(TicketQuery(words=("a", "export"), days=3, status="Done", assignee=person))
    await tracker.search(TicketQuery(words=("quetzalcoatl",)))
    await tracker.workloads()
    await tracker.assigned()
    active, future, *_ = await tracker.sprints()
    epic = await tracker.create(replace(DRAFT, issue_type="Epic"), replace(MARK, label="triage-epic"))
    draft = replace(DRAFT, assignee=person, due_date=date(2026, 12, 1), sprint=active.id, parent=epic.key)
    created = await tracker.create(draft, MARK)
    await tracker.get(created.key)
    await tracker.comment(created.key, "> said\n\n- **it**", MARK)
    await tracker.commented(created.key, MARK)
    await tracker.adopt(MARK, 3)
    await tracker.change(created.key, TicketChange(summary="Other", assignee=person))
    await tracker.attach(created.key, Upload(name="a.txt", content_type="text/plain", content=b"a"))
    await tracker.attached(created.key)
    await tracker.link(created.key, "HARB-3", "Duplicate")
    await tracker.watch(created.key, person)
    await tracker.place(created.key, future.id)
    await tracker.ours(3)
    await tracker.transition(created.key, "In Progress")
    await tracker.transition(created.key, "Done")
    asked = [entry for entry in any_jira.requests() if entry.path != "/rest/api/2/serverInfo"]
    complaints = {f"{entry.path}: {what}" for entry in asked for what in description.complaints(entry)}
    untold = () if any_jira.cloud else UNTOLD

    assert len(asked) == tracker.calls - 1 > 40
    assert [told for told in complaints if not told.endswith(untold)] == []
