"""Decisions over HTTP: the same service as in the shell, bound to what was shown, once."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.contract.store.store_samples import approval, full, opened, step
from tests.database import migrated
from tests.e2e.opened import take
from tests.e2e.triage.services.decisions import CLOSE, FIXED, SEARCH, proposing
from tests.e2e.web.api.api_door import ApiDoor, api_door
from tests.servers.sandbox import RunningJira
from triage.domain.operations.tokens import AccessScope


@pytest.fixture
async def jira_door(tmp_path: Path, cloud_jira: RunningJira) -> AsyncIterator[ApiDoor]:
    """The API of a service that knows a Jira and runs no worker."""
    async with api_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}", settings=cloud_jira.settings) as door:
        yield door


async def parked(door: ApiDoor, number: int = 1) -> int:
    """A call that waits for a person; its number."""
    leased = await opened(door.context.store, number)
    await leased.cases.save(full(await leased.cases.load()), step())
    wish = approval(leased.lease.case, f'{{"ticket_key":"OPS-{number}"}}')
    kept = await leased.approvals.park(replace(wish, becomes="It is secret.", sender="Eve <eve@example.com>"))
    await door.context.store.jobs.open(leased.lease).cases.finish()
    return kept.id


async def decide(door: ApiDoor, number: int, answer: str, token: str = "", **more: Any) -> Any:
    """Answer what is shown now, with the token of an admin or this one."""
    shown = (await door.get(f"/approvals/{number}")).json()["hash"]
    bearer: dict[str, Any] = {"scope": None, "headers": {"authorization": f"Bearer {token}"}} if token else {}
    return await door.post(f"/approvals/{number}/decision", json={"answer": answer, "shown": shown, **more}, **bearer)


async def test_what_waits(jira_door: ApiDoor) -> None:
    """Approvers see what would be written, viewers that something waits; pages have a cursor."""
    numbers = [await parked(jira_door, number) for number in (1, 2, 3)]
    first = (await jira_door.get("/approvals?limit=2")).json()
    rest = (await jira_door.get("/approvals", params={"cursor": first["next"]})).json()
    short = await jira_door.get("/approvals", scope=AccessScope.VIEWER)

    assert [one["id"] for one in (*first["items"], *rest["items"])] == numbers
    assert rest["next"] is None
    assert first["items"][0]["details"]["becomes"] == "It is secret."
    assert {one["details"] for one in short.json()["items"]} == {None}
    for words in ("secret", "eve@example.com", "OPS-"):
        assert words not in short.text


async def test_one_decision_counts(jira_door: ApiDoor) -> None:
    """Of eight who answer at once one wins; the others are told that it is decided, with its state."""
    number = await parked(jira_door)
    said = await asyncio.gather(*(decide(jira_door, number, "ignore" if n % 2 else "accept") for n in range(8)))

    assert sorted(one.status_code for one in said) == [200] + [409] * 7
    won = next(one.json() for one in said if one.status_code == 200)
    assert (await jira_door.get(f"/approvals/{number}")).json()["state"] == won["state"]
    assert won["by"] == "token admin"
    assert await jira_door.context.store.jobs.next_due() == 0


async def test_bound_to_what_was_shown(jira_door: ApiDoor) -> None:
    """A decision about other bytes decides nothing."""
    number = await parked(jira_door)
    answer = await jira_door.post(f"/approvals/{number}/decision", json={"answer": "accept", "shown": "0" * 64})

    assert (answer.status_code, answer.json()["cure"][:4]) == (409, "read")
    assert (await jira_door.get(f"/approvals/{number}")).json()["state"] == "open"


async def test_an_instruction(jira_door: ApiDoor) -> None:
    """A person may say what he wants instead."""
    number = await parked(jira_door)
    answer = await decide(jira_door, number, "respond", instruction="Ask for the version first.")

    assert (answer.status_code, answer.json()["state"]) == (200, "answered")
    assert answer.json()["details"]["instruction"] == "Ask for the version first."


async def test_an_edit(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A changed argument is resolved and judged, kept beside the original, and exactly that is then written."""
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE) as house:
        waiting = await take(house, raw=FIXED)
        number = waiting.approvals[0].id
        async with api_door(f"sqlite:///{tmp_path / 'triage.db'}", settings=cloud_jira.settings) as door:
            wrong = await decide(door, number, "edit", changes={"ticket_key": "HARB-1"})
            edited = await decide(door, number, "edit", changes={"status": "in progress"})
        await house.worker.drain()
        ticket = await house.tracker.tickets.get("HARB-45")
    details = edited.json()["details"]

    assert (wrong.status_code, wrong.json()["detail"]) == (400, "ticket_key cannot be changed here; status can")
    assert (edited.status_code, edited.json()["state"], edited.json()["by"]) == (200, "accepted", "token admin")
    assert json.loads(details["arguments"])["status"]["name"] == "Done"
    assert json.loads(details["edited"])["status"]["name"] == "In Progress"
    assert ticket.status == "In Progress"


async def test_nobody_decides_about_his_own_mail(jira_door: ApiDoor) -> None:
    """A token that is made for the sender of the mail is refused, and says why."""
    number = await parked(jira_door)
    text, _ = await jira_door.tokens.create("eve", AccessScope.ADMIN, 1, by="test", person="Eve@Example.com")
    answer = await decide(jira_door, number, "accept", token=text)

    assert (answer.status_code, answer.json()["cure"]) == (403, "let somebody else decide")


async def test_what_is_no_decision(door: ApiDoor) -> None:
    """Anything but one of the four answers is refused before anything is looked up."""
    bodies: list[Any] = [
        {},
        {"answer": "accept"},
        {"answer": "accept", "shown": "x"},
        {"answer": "undo", "shown": "0" * 64},
        {"answer": "respond", "shown": "0" * 64, "instruction": "  "},
        {"answer": "edit", "shown": "0" * 64, "changes": {}},
        {"answer": "accept", "shown": "0" * 64, "changes": {"a": 1}},
        [],
        "accept",
    ]
    for body in bodies:
        assert (await door.post("/approvals/1/decision", json=body)).status_code == 422, body


async def test_without_jira(door: ApiDoor) -> None:
    """What waits is listed; a decision says what to set."""
    number = await parked(door)
    answer = await decide(door, number, "accept")

    assert (answer.status_code, "JIRA_BASE_URL" in answer.json()["detail"]) == (409, True)
    assert (await door.get("/approvals/77")).status_code == 404
