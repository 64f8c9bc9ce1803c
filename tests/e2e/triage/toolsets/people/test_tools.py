"""The tools about people: lists, workloads, suggestions."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.wiring.app import App
from tests.e2e.triage.toolsets.people.team_case import BILLING, OTHER, TEAM, house, take
from tests.servers.sandbox import RunningJira
from triage.domain.conversation import ToolCall
from triage.domain.errors import ToolRefused
from triage.domain.reports import Report
from triage.pipeline.scope import context_of, scope_of

Ask = Callable[..., Awaitable[Any]]


@asynccontextmanager
async def tools_of(opened: App, report: Report) -> AsyncIterator[Ask]:
    """The tools as the model calls them, about this case."""
    lease = await opened.store.jobs.claim(report.case.id, "test", 60)
    at = opened.worker.services(opened.store.jobs.open(lease))
    scope = scope_of(report.case, at)

    async def ask(name: str, **arguments: Any) -> Any:
        invocation = at.toolbox.invocation(ToolCall(id="1", name=name, arguments=json.dumps(arguments)), "1.1")
        invocation = await invocation.resolved(scope.resolve)
        return await invocation.tool.function(context_of(report.case, at), **invocation.arguments)

    yield ask


async def test_users_are_listed(tmp_path: Path, any_jira: RunningJira) -> None:
    """Everybody a ticket can be given to but us, by role, absent ones only where asked for."""
    (tmp_path / "triage.yaml").write_text(TEAM, encoding="utf-8")
    async with house(any_jira, tmp_path) as opened, tools_of(opened, await take(opened, OTHER)) as ask:
        everybody, there = await ask("get_project_users", active=False), await ask("get_project_users")
        developers = await ask("get_project_users", role=" developer", active=False)
    names = {user["name"] for user in everybody["users"]}

    assert {"Lucas Moreau", "Nadia Ferreira"} < names
    assert names.isdisjoint({"Triage Bot", "Milan Petrović", "Release Notes Connector"})
    assert names - {user["name"] for user in there["users"]} == {"Lucas Moreau"}
    assert (everybody["total"], there["total"]) == (len(names), len(names) - 1)
    assert [(user["name"], user["roles"], user["absent"]) for user in developers["users"]] == [
        ("Lucas Moreau", ["Developer"], True)
    ]


async def test_workloads_are_told(tmp_path: Path, any_jira: RunningJira) -> None:
    """Of exactly these people, with and without what they are working on; an unknown name is refused."""
    async with house(any_jira, tmp_path) as opened, tools_of(opened, await take(opened, OTHER)) as ask:
        loads = await opened.tracker.people.workloads()
        people = {str(person.name): person.id for person in (await opened.tracker.metadata.project()).people}
        told = await ask("get_user_workload", usernames=["elena marchetti", people["Greta Vogel"]])
        waiting = await ask("get_user_workload", usernames=["Elena Marchetti"], include_in_progress=False)
        with pytest.raises(ToolRefused, match="there is no person 'Elena'"):
            await ask("get_user_workload", usernames=["Elena"])
    elena = loads[people["Elena Marchetti"]]

    assert [(one["name"], one["open_tickets"]) for one in told["workloads"]] == [
        ("Elena Marchetti", elena.open),
        ("Greta Vogel", loads[people["Greta Vogel"]].open),
    ]
    assert waiting["workloads"][0]["open_tickets"] == elena.waiting < elena.open


async def test_a_suggestion_follows_what_is_asked(tmp_path: Path, any_jira: RunningJira) -> None:
    """Type, technologies, priority and component of the question decide, each point is explained, no call is needed."""
    (tmp_path / "triage.yaml").write_text(
        "team:\n  - {person: Nadia Ferreira, roles: [Senior Product Owner], skills: [kafka]}\n"
        "  - {person: Lucas Moreau, capacity: 1}\n",
        encoding="utf-8",
    )
    async with house(any_jira, tmp_path) as opened, tools_of(opened, await take(opened, OTHER)) as ask:
        by_cues = await ask("suggest_assignee", ticket_type="Bug")
        booking = await ask("suggest_assignee", ticket_type="Bug", component="Booking")
        customs = await ask("suggest_assignee", ticket_type="Bug", component="customs")
        story = await ask("suggest_assignee", ticket_type="Story", technologies=["Kafka"], priority="Highest")
        with pytest.raises(ToolRefused, match="there is no component"):
            await ask("suggest_assignee", ticket_type="Bug", component="Kitchen")

    assert [one["proposals"][0]["name"] for one in (by_cues, booking)] == ["Elena Marchetti", "Priya Raman"]
    assert [one["assignee"] for one in (by_cues, booking)] == [
        one["proposals"][0]["username"] for one in (by_cues, booking)
    ]
    assert customs["proposals"][0]["name"] == "Yusuf Demir"
    assert any(point.endswith("recent work on Customs") for point in customs["proposals"][0]["points"])
    assert {"+15 Senior Product Owner for a Story", "+10 knows Kafka", "+10 Senior Product Owner for Highest"} <= {
        point for proposal in story["proposals"] for point in proposal["points"]
    }
    assert list(story["not_available"]) == ["Lucas Moreau"]


async def test_who_has_how_much_to_do_is_counted_in_the_index(tmp_path: Path, any_jira: RunningJira) -> None:
    """Where the index holds the whole project nobody asks Jira, and the counts are Jira's."""
    async with house(any_jira, tmp_path) as opened:
        await opened.ticket_index_syncs[0].prepare()
        asked = await opened.tracker.people.workloads()
        counted = await opened.store.people_index.workloads("HARB")
        any_jira.app.journal.entries.clear()
        report = await take(opened, BILLING)

    assert counted == asked
    assert report.case.retrieval.proposals
    assert len(any_jira.requests("POST", "/search")) == 1
