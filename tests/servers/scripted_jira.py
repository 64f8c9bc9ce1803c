"""A Jira that says word for word what a test tells it to: for answers that no sandbox would give."""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from integrations.jira.tracker import JiraTracker
from tests.conftest import PATIENCE
from triage_sandbox.server import Served


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request as it came in."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any
    """JSON; a form as its bytes."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What is said to it."""

    status: int = 200
    body: Any = None
    """Bytes as they are, all else as JSON."""
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False
    """Reset the connection instead of answering; with a body, in the middle of it."""
    drip: float = 0.0
    """Seconds between one byte and the next."""

    @property
    def raw(self) -> bytes:
        """The body as sent."""
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else json.dumps(self.body).encode()


def page(*issues: Any, **more: Any) -> Reply:
    """A page of search results; each issue by its number alone where no more is said."""
    shaped = [issue_of(issue) if isinstance(issue, int) else issue for issue in issues]
    return Reply(body={"issues": shaped, "isLast": True, "total": len(shaped), **more})


def issue_of(number: int, **fields: Any) -> dict[str, Any]:
    """An issue as Jira shapes it."""
    plain = {"summary": f"Ticket {number}", "status": {"name": "To Do"}, "issuetype": {"name": "Bug"}}
    return {"id": str(number), "key": f"OPS-{number}", "fields": plain | fields}


def form(*fields: dict[str, Any]) -> Reply:
    """The fields of a create screen, as Data Center lists them."""
    return Reply(body={"values": list(fields), "total": len(fields)})


def on_form(name: str, *, label: str = "", allowed: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """One of them."""
    values = [{"id": f"{number}", "name": value} for number, value in enumerate(allowed, 1)]
    return {"fieldId": name, "name": label or name, **({"allowedValues": values} if allowed else {})} | more


_FORM = ("summary", "description", "priority", "assignee", "labels", "components", "duedate")
_PROJECT: dict[str, Any] = {
    "GET project/OPS": {"key": "OPS", "name": "Operations", "projectTypeKey": "software"},
    "GET issue/createmeta/OPS/issuetypes": {"values": [{"id": "1", "name": "Bug"}], "total": 1},
    "GET issue/createmeta/OPS/issuetypes/1": form(*map(on_form, _FORM)).body,
    "GET project/OPS/statuses": [],
    "GET user/assignable/search": [],
    "GET issueLinkType": {
        "issueLinkTypes": [
            {"id": "1", "name": "Duplicate", "inward": "is duplicated by", "outward": "duplicates"},
            {"id": "2", "name": "Relates", "inward": "relates to", "outward": "relates to"},
        ]
    },
    "GET attachment/meta": {"enabled": True, "uploadLimit": 100},
    "GET issue/OPS-1": issue_of(1),
}


class ScriptedJira:
    """Replies by method and path, one after the other, the last one for ever; and a journal."""

    def __init__(self) -> None:
        self.url = ""
        self.reset()
        self.app = FastAPI(openapi_url=None)
        self.app.add_api_route("/rest/{rest:path}", self._answer, methods=["GET", "POST", "PUT"])

    def reset(self, *, cloud: bool = True) -> None:
        """As new: the server's own description, our account, and a project with one type, a plain form and one ticket."""
        self.journal: list[Asked] = []
        self._replies: dict[str, list[Reply]] = defaultdict(list)
        kind = "Cloud" if cloud else "Server"
        self.on("GET serverInfo", Reply(body={"baseUrl": "https://jira.example.com/", "deploymentType": kind}))
        self.on("GET myself", Reply(body={"accountId": "me", "name": "me"}))
        for asked, body in _PROJECT.items():
            self.on(asked, Reply(body=body))

    def on(self, asked: str, *replies: Reply) -> None:
        """What is said to `POST issue` or `GET agile/1.0/board`, from now on."""
        self._replies[asked] = list(replies)

    def times(self, asked: str) -> int:
        """How often this was asked."""
        return sum(f"{each.method} {each.path}" == asked for each in self.journal)

    def last(self, asked: str) -> Asked:
        """The last such request."""
        return next(each for each in reversed(self.journal) if f"{each.method} {each.path}" == asked)

    async def _answer(self, request: Request, rest: str) -> Response:
        path = re.sub("^api/[23]/", "", rest)
        raw = await request.body()
        self.journal.append(
            Asked(
                method=request.method,
                path=path,
                query=dict(request.query_params),
                headers=dict(request.headers),
                body=_told(request, raw),
            )
        )
        replies = self._replies.get(f"{request.method} {path}") or [Reply(status=404, body={"errorMessages": ["none"]})]
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        headers = {"content-type": "application/json"} | reply.headers
        if not (reply.drop or reply.drip):
            return Response(reply.raw, reply.status, headers)
        if not reply.body:
            request.scope["drop"]()
        return StreamingResponse(_pieces(reply, request), reply.status, headers)


def _told(request: Request, raw: bytes) -> Any:
    return json.loads(raw) if raw and request.headers.get("content-type") == "application/json" else raw or None


async def _pieces(reply: Reply, request: Request) -> AsyncIterator[bytes]:
    if reply.drop:
        yield reply.raw
        await asyncio.sleep(0.05)
        request.scope["drop"]()
        return
    for byte in reply.raw:
        yield bytes([byte])
        await asyncio.sleep(reply.drip)


@pytest.fixture(scope="session")
def jira_server() -> Iterator[ScriptedJira]:
    """One server for all tests of this process."""
    script = ScriptedJira()
    with Served(script.app, lifespan="off") as served:
        script.url = served.url
        yield script


@pytest.fixture
def jira(jira_server: ScriptedJira) -> ScriptedJira:
    """The server, as new."""
    jira_server.reset()
    return jira_server


class Slept(list[float]):
    """How long the adapter would have slept."""

    async def __call__(self, seconds: float) -> None:
        """Note it and go on."""
        self.append(seconds)

    def now(self) -> float:
        """A clock on which only these sleeps pass."""
        return 1000.0 + sum(self)


class Passed(list[str]):
    """The landmarks that the adapter came by."""

    def __call__(self, name: str) -> None:
        """Note it and go on."""
        self.append(name)


@pytest.fixture
def slept() -> Slept:
    """The pauses of this test."""
    return Slept()


@pytest.fixture
def landmarks() -> Passed:
    """The landmarks of this test."""
    return Passed()


@pytest.fixture
def patience() -> float:
    """Seconds that the adapter waits for an answer; a test of answers that never end has less."""
    return PATIENCE


@pytest.fixture
async def tracker(jira: ScriptedJira, slept: Slept, landmarks: Passed, patience: float) -> AsyncIterator[JiraTracker]:
    """The adapter under test."""
    adapter: JiraTracker = JiraTracker(
        jira.url,
        "OPS",
        email="bot@example.com",
        token="secret",
        timeout=patience,
        failpoint=landmarks,
        sleep=slept,
        now=slept.now,
    )
    yield adapter
    await adapter.close()
