"""The Jira adapter on sites and projects of other kinds: behind a gateway, below a path, team-managed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from integrations.jira.tracker import JiraTracker
from tests.conftest import PATIENCE
from tests.contract.tracker.tracker_case import DRAFT, MARK
from triage.domain.errors import TrackerDenied
from triage.domain.tickets import TicketQuery
from triage_sandbox.jira import TOKEN, JiraSandbox, jira_app
from triage_sandbox.jira.gate.door import GATEWAY
from triage_sandbox.jira.ground.identity import Login
from triage_sandbox.jira.seed.story import Story
from triage_sandbox.server import Served

TEAM = Story.of_company(tickets=False, projects={"LAB": "team-managed"})


async def no_pause(seconds: float) -> None:
    """A pause that takes no time."""


@asynccontextmanager
async def tracker_at(app: JiraSandbox, path: str = "", project: str = "HARB", **login: str) -> AsyncIterator[Any]:
    """The adapter on this site, and where it answers."""
    with Served(app) as served:
        login = login or {"email": "bot@harbourline.example", "token": TOKEN}
        tracker = JiraTracker(f"{served.url}{path}", project, **login, timeout=PATIENCE, sleep=no_pause)  # type: ignore[arg-type] # texts only
        yield tracker, served.url
        await tracker.close()


async def test_a_scoped_token_works_through_the_gateway() -> None:
    """Where it is the only way in; people still read tickets at the site's own address."""
    bot = Login(name="triage.bot", secret="scoped", scoped=True)
    login = {"email": "bot@harbourline.example", "token": "scoped"}
    async with tracker_at(jira_app(logins=(bot,)), GATEWAY, **login) as (tracker, url):
        created = await tracker.writer.create(DRAFT, MARK)
        sprints = await tracker.sprints.sprints()
        found = await tracker.tickets.search(TicketQuery(limit=1))

    assert created.url == f"{url}/browse/{created.key}"
    assert found[0].url == created.url
    assert len(sprints) == 3


async def test_a_scoped_token_is_nothing_on_the_site_itself() -> None:
    """And that is told as a matter of the account."""
    bot = Login(name="triage.bot", secret="scoped", scoped=True)
    async with tracker_at(jira_app(logins=(bot,)), email="bot@harbourline.example", token="scoped") as (tracker, _):
        with pytest.raises(TrackerDenied):
            await tracker.metadata.project()


async def test_a_data_center_below_a_path() -> None:
    """As `https://intranet.example.com/jira`."""
    app = jira_app(deployment="server", context_path="/jira")
    async with tracker_at(app, "/jira", email="triage.bot", token=TOKEN) as (tracker, url):
        created = await tracker.writer.create(DRAFT, MARK)
        sprints = await tracker.sprints.sprints()

    assert created.url == f"{url}/jira/browse/{created.key}"
    assert len(sprints) == 3


async def test_an_older_server() -> None:
    """Jira Server 8, as it still runs in many cellars."""
    app = jira_app(deployment="server", version="8.22.0")
    async with tracker_at(app, email="triage.bot", token=TOKEN) as (tracker, _):
        above = await tracker.tickets.newest()
        created = await tracker.writer.create(DRAFT, MARK)
        found = await tracker.writer.adopt(MARK, above)

    assert found == created


async def test_a_team_managed_project() -> None:
    """Its form may lack priority and components; its epics are parents, its board is of another kind."""
    async with tracker_at(jira_app(seed=TEAM), project="LAB") as (tracker, _):
        project = await tracker.metadata.project()
        epic = await tracker.writer.create(replace(DRAFT, issue_type="Epic"), MARK)
        part = await tracker.writer.create(
            replace(DRAFT, parent=epic.key), replace(MARK, label="triage-00000000000000000005")
        )
        await tracker.writer.transition(part.key, "Done")
        sprints = await tracker.sprints.sprints()
        calls = tracker.view()
        again = await calls.writer.create(DRAFT, replace(MARK, label="triage-00000000000000000004"))

    assert (project.priorities, project.components) == ((), ())
    assert epic.dropped == part.dropped == again.dropped == ("priority", "components")
    assert calls.metadata.calls == 1
    assert sprints == ()
