"""The Jira adapter under the tracker's contract, over the sandbox as Cloud and as Data Center; and real recordings."""

import json
from pathlib import Path
from typing import Any

import pytest

from integrations.jira.shapes import Site, people_of, ticket_of
from integrations.jira.tracker import JiraTracker
from tests.conftest import PATIENCE
from tests.contract.tracker.tracker_case import DRAFT, MARK
from tests.contract.tracker.tracker_contract import TrackerContract
from tests.faults.pace import Pace
from tests.servers.sandbox import RunningJira
from triage.domain.tickets import TicketQuery
from triage_sandbox.jira import Fault


async def at_once(seconds: float) -> None:
    """A pause that takes no time."""


class TestJiraCloud(TrackerContract):
    """v3, account ids, documents, search by tokens."""

    @pytest.fixture
    def server(self, cloud_jira: RunningJira) -> RunningJira:
        """A Jira Cloud."""
        return cloud_jira

    def make(self, server: RunningJira, **options: Any) -> JiraTracker:
        """With e-mail and API token."""
        given = {"project": server.project, "email": server.email, "token": server.token} | options
        return JiraTracker(server.url, **given, timeout=PATIENCE, sleep=at_once)

    async def test_a_document_is_sent(self, server: RunningJira, tracker: JiraTracker) -> None:
        """To the newer interface, with the mark in the same request."""
        await tracker.writer.create(DRAFT, MARK)
        sent = server.requests("POST", "/issue$")[-1]

        assert sent.path == "/rest/api/3/issue"
        assert sent.json["fields"]["description"]["type"] == "doc"
        assert sent.json["fields"]["labels"][-1] == sent.json["properties"][0]["value"]["label"] == MARK.label


class TestJiraServer(TrackerContract):
    """v2, user names, wiki markup, search by page numbers."""

    @pytest.fixture
    def server(self, server_jira: RunningJira) -> RunningJira:
        """A Jira Data Center."""
        return server_jira

    def make(self, server: RunningJira, **options: Any) -> JiraTracker:
        """With a personal access token."""
        given = {"project": server.project, "personal_token": options.pop("token", server.token)} | options
        return JiraTracker(server.url, **given, timeout=PATIENCE, sleep=at_once)

    async def test_wiki_markup_is_sent(self, server: RunningJira, tracker: JiraTracker) -> None:
        """To the older interface."""
        await tracker.writer.create(DRAFT, MARK)
        sent = server.requests("POST", "/issue$")[-1]

        assert sent.path == "/rest/api/2/issue"
        assert "{noformat}\nORA-00942 in line 7\n{noformat}" in sent.json["fields"]["description"]


async def test_a_password_opens_a_server(server_jira: RunningJira) -> None:
    """User name and password, as older servers want them."""
    tracker = JiraTracker(server_jira.url, server_jira.project, email=server_jira.user, token=server_jira.token)
    found = await tracker.tickets.search(TicketQuery(limit=3))
    await tracker.close()

    assert len(found) == 3


async def test_a_look_of_many_requests_ends_under_a_limit(server_jira: RunningJira) -> None:
    """A Data Center that takes a few requests a second is asked for twenty tickets in several of them, not for ever."""
    pace = Pace(10)
    tracker = JiraTracker(server_jira.url, "HARB", personal_token=server_jira.token, sleep=pace.sleep, now=pace.seconds)
    above = await tracker.tickets.newest()
    server_jira.fault(Fault(do="limit", method="GET", path=r"/issue/HARB-\d+$", per="endpoint", windows=((3, 0.1),)))
    found = await tracker.writer.adopt(MARK, above)
    await tracker.close()
    asked = [entry.status for entry in server_jira.requests("GET", r"/issue/HARB-\d+$")]

    assert found is None
    assert (asked.count(404), 429 in asked) == (20, True)


def test_recorded_issues_are_read(shared_data: Path) -> None:
    """Eighty real issues of a real Jira come out as tickets, no word of their summaries lost."""
    recorded = sorted(path for path in (shared_data / "jira-issues-raw").glob("*.json") if "project" not in path.name)
    site = Site(cloud=False, url="https://jira.example.com")
    for path in recorded:
        issue = json.loads(path.read_text(encoding="utf-8"))
        fields = issue["fields"]
        ticket = ticket_of(issue, site)

        assert (ticket.key, ticket.summary, ticket.status) == (
            issue["key"],
            fields["summary"],
            fields["status"]["name"],
        )
        assert ticket.category == fields["status"]["statusCategory"]["key"]
        assert bool(ticket.assignee) == bool(fields.get("assignee"))
        assert ticket.created
        assert bool(ticket.description.strip()) == bool((fields.get("description") or "").strip())

    assert len(recorded) == 80


def test_people_who_cannot_work_are_no_people() -> None:
    """Apps, portal customers and those who have left."""
    users = [
        {"accountId": "1", "displayName": "Ada", "accountType": "atlassian", "active": True},
        {"accountId": "2", "displayName": "App", "accountType": "app", "active": True},
        {"accountId": "3", "displayName": "Customer", "accountType": "customer", "active": True},
        {"accountId": "4", "displayName": "Gone", "accountType": "atlassian", "active": False},
        {
            "name": "grace",
            "key": "JIRAUSER1",
            "displayName": "Grace",
            "emailAddress": "grace@example.com",
            "active": True,
        },
    ]

    assert [(person.id, person.name) for person in people_of(users)] == [("1", "Ada"), ("grace", "Grace")]
