"""Every request of the Jira adapter is one that Atlassian's own descriptions of Jira allow, on Cloud and on Data Center."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import DRAFT, MARK
from tests.servers.official.documents import Exchange
from tests.servers.official.watch import official
from tests.servers.sandbox import RunningJira
from triage.domain.tickets import TicketChange, TicketQuery, Upload


@pytest.fixture
async def tracker(any_jira: RunningJira) -> AsyncIterator[JiraTracker]:
    """The adapter on it."""
    name, token = any_jira.login
    tracker = JiraTracker(any_jira.url, any_jira.project, email=name, token=token)
    yield tracker
    await tracker.close()


async def test_every_request_is_in_the_book(tracker: JiraTracker, any_jira: RunningJira, shared_data: Path) -> None:
    """All that the adapter can do, each request held against the documents: path, parameters and body."""
    project = await tracker.metadata.project()
    person = project.people[0].id
    await tracker.tickets.search(TicketQuery(words=("a", "export"), days=3, status="Done", assignee=person))
    await tracker.tickets.search(TicketQuery(words=("quetzalcoatl",)))
    await tracker.people.workloads()
    await tracker.people.assigned()
    active, future, *_ = await tracker.sprints.sprints()
    epic = await tracker.writer.create(
        replace(DRAFT, issue_type="Epic"), replace(MARK, label="triage-00000000000000000006")
    )
    draft = replace(DRAFT, assignee=person, due_date=date(2026, 12, 1), sprint=active.id, parent=epic.key)
    created = await tracker.writer.create(draft, MARK)
    await tracker.tickets.get(created.key)
    await tracker.comments.comment(created.key, "> said\n\n- **it**", MARK)
    await tracker.comments.commented(created.key, MARK)
    await tracker.writer.adopt(MARK, 3)
    await tracker.writer.change(created.key, TicketChange(summary="Other", assignee=person))
    await tracker.writer.attach(created.key, Upload(name="a.txt", content_type="text/plain", content=b"a"))
    await tracker.tickets.attached(created.key)
    await tracker.writer.link(created.key, "HARB-3", "Duplicate")
    await tracker.writer.watch(created.key, person)
    await tracker.sprints.place(created.key, future.id)
    await tracker.tickets.ours(3)
    await tracker.writer.transition(created.key, "In Progress")
    await tracker.writer.transition(created.key, "Done")
    asked = any_jira.requests()
    book = official(cloud=any_jira.cloud)
    exchanges = [Exchange(entry.method, entry.path, entry.query, entry.body) for entry in asked]

    assert len(asked) == tracker.metadata.calls > 40
    assert [told for each in exchanges for told in book.request(each)] == []
