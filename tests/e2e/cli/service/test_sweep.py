"""Tickets that were made twice all the same: found by their mark, settled into the first, once."""

from collections.abc import AsyncIterator

import pytest

from integrations.jira.tracker import JiraTracker
from tests.e2e.installation import Installation
from tests.servers.sandbox import RunningJira
from triage.domain.tickets import Mark, TicketDraft

MARK = Mark(label="triage-0123456789abcdef0123", case="case-7", message_hash="f00d")
DRAFT = TicketDraft(summary="Quetzal export stops", description="At line seven.", issue_type="Bug")


def tracker_of(jira: RunningJira) -> JiraTracker:
    """The adapter, on either Jira."""
    if jira.cloud:
        return JiraTracker(jira.url, "HARB", email=jira.email, token=jira.token)
    return JiraTracker(jira.url, "HARB", personal_token=jira.token)


@pytest.fixture
async def tracker(any_jira: RunningJira) -> AsyncIterator[JiraTracker]:
    """The adapter, on either Jira."""
    made = tracker_of(any_jira)
    yield made
    await made.close()


async def test_the_command_tells_what_it_did(installation: Installation) -> None:
    """`triage sweep` settles them now, and then has nothing to do."""
    jira = installation.jira
    tracker = JiraTracker(jira.url, "HARB", email=jira.email, token=jira.token)
    first, second = [await tracker.writer.create(DRAFT, MARK) for _ in range(2)]
    await tracker.close()

    assert installation.json("sweep") == [{"key": second.key, "of": first.key, "trouble": ""}]
    assert b"No ticket was made twice." in installation.triage("sweep").stdout
