"""Bodies of a real Jira (eighty tickets of an archive, ten years of use) read by our adapter, every one of them."""

import json
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request

from integrations.jira.tracker import JiraTracker
from triage.domain.tickets import Mark, TicketQuery
from triage_sandbox.server import Served

PROJECTS = ("AC", "ALOY", "TIMOB")


class Archive:
    """A Data Center that shows what it has, whatever is asked."""

    def __init__(self, folder: Path) -> None:
        bodies = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
        self.issues: dict[str, Any] = {body["key"]: body for body in bodies if "fields" in body}
        self.app = FastAPI(openapi_url=None)
        self.app.add_api_route("/rest/api/2/serverInfo", self._info)
        self.app.add_api_route("/rest/api/2/myself", self._me)
        self.app.add_api_route("/rest/api/2/search", self._search, methods=["POST"])
        self.app.add_api_route("/rest/api/2/issue/{key}", self._issue)
        self.app.add_api_route("/rest/api/2/issue/{key}/comment", self._comments)

    def of(self, project: str) -> dict[str, Any]:
        """Tickets of one project by key."""
        return {key: issue["fields"] for key, issue in self.issues.items() if key.startswith(f"{project}-")}

    async def _info(self) -> Any:
        return {"baseUrl": "https://jira.example.com", "deploymentType": "Server"}

    async def _me(self) -> Any:
        return {"name": "triage", "key": "triage"}

    async def _search(self, request: Request) -> Any:
        asked = await request.json()
        found = [issue for issue in self.issues.values() if f'"{issue["key"].rpartition("-")[0]}"' in asked["jql"]]
        start = int(asked.get("startAt", 0))
        return {"issues": found[start : start + asked["maxResults"]], "total": len(found), "startAt": start}

    async def _issue(self, key: str) -> Any:
        return self.issues[key]

    async def _comments(self, key: str) -> Any:
        return self.issues[key]["fields"].get("comment") or {"comments": [], "total": 0}


@pytest.fixture
def archive(shared_data: Path) -> Archive:
    """The recorded bodies."""
    return Archive(shared_data / "jira-issues-raw")


@pytest.fixture
def url(archive: Archive) -> Iterator[str]:
    """Where they are served."""
    with Served(archive.app, lifespan="off") as served:
        yield served.url


@pytest.fixture(params=PROJECTS)
async def tracker(url: str, request: pytest.FixtureRequest) -> AsyncIterator[JiraTracker]:
    """The adapter on one of the projects."""
    tracker = JiraTracker(url, request.param, personal_token="t")
    yield tracker
    await tracker.close()


def moment(text: str) -> datetime:
    """A time as Jira writes it."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z")


async def test_tickets(tracker: JiraTracker, archive: Archive, request: pytest.FixtureRequest) -> None:
    """Each is found and read, and what it says is what its body says."""
    bodies = archive.of(request.node.callspec.params["tracker"])
    tickets = {ticket.key: ticket for ticket in await tracker.tickets.search(TicketQuery(limit=100))}

    assert tickets.keys() == bodies.keys()
    for key, fields in bodies.items():
        ticket = tickets[key]
        assert (ticket.summary, ticket.status) == (fields["summary"], fields["status"]["name"])
        assert (ticket.category, ticket.issue_type) == (
            fields["status"]["statusCategory"]["key"],
            fields["issuetype"]["name"],
        )
        assert ticket.priority == (fields.get("priority") or {}).get("name")
        assert (ticket.assignee and ticket.assignee.name) == ((fields.get("assignee") or {}).get("displayName"))
        assert (ticket.created, ticket.updated) == (moment(fields["created"]), moment(fields["updated"]))
        assert bool(ticket.description.strip()) == bool((fields.get("description") or "").strip())
        assert ticket == await tracker.tickets.get(key)


async def test_what_hangs_on_them(tracker: JiraTracker, archive: Archive, request: pytest.FixtureRequest) -> None:
    """Files, links and comments in the markup that people write: all of it can be read, and none of it is ours."""
    mark = Mark(label="triage-0123456789abcdef0123", case="case-1", message_hash="f00d")
    bodies = archive.of(request.node.callspec.params["tracker"])
    for key, fields in bodies.items():
        files = await tracker.tickets.attached(key)
        assert [file.name for file in files] == [each["filename"] for each in fields.get("attachment") or ()]
        assert await tracker.comments.commented(key, mark) is None

    assert await tracker.tickets.ours(30) == ()
    assert sum(load.open for person, load in (await tracker.people.workloads()).items() if person) == sum(
        bool(fields.get("assignee")) and fields["status"]["statusCategory"]["key"] != "done"
        for fields in bodies.values()
    )


async def test_texts_lose_their_markup_and_not_their_words(
    tracker: JiraTracker, archive: Archive, request: pytest.FixtureRequest
) -> None:
    """Code and macros of wiki markup become plain text that still holds the words of the description."""
    bodies = archive.of(request.node.callspec.params["tracker"])
    for ticket in await tracker.tickets.search(TicketQuery(limit=100)):
        raw = bodies[ticket.key].get("description") or ""
        words = {word for word in raw.split() if word.isalpha() and len(word) > 6}
        kept = set(ticket.description.split())
        assert len(words - kept) <= len(words) // 10
        assert "{noformat}" not in ticket.description
