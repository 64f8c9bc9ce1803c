"""The stream of events over real HTTP: resumed, slow and broken listeners."""

import asyncio
import json
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.conftest import PATIENCE
from tests.contract.store.store_samples import full, opened, step
from tests.database import migrated
from tests.e2e.web.api.api_door import ApiDoor, api_door
from triage.domain.operations.tokens import AccessScope


async def ended(door: ApiDoor, number: int) -> str:
    """A case that ends."""
    leased = await opened(door.context.store, number)
    await leased.cases.save(full(await leased.cases.load()), step("dispatch"), ended=True)
    await door.context.store.jobs.open(leased.lease).cases.finish()
    return leased.lease.case


async def heard(
    door: ApiDoor,
    count: int,
    last: str = "0",
    scope: AccessScope = AccessScope.VIEWER,
    listens: asyncio.Event | None = None,
) -> list[dict[str, Any]]:
    """The next events of a listener who has heard up to `last`; `listens` is set when the answer has begun."""
    headers = {"authorization": f"Bearer {door.held[scope]}", "last-event-id": last}
    found: list[dict[str, Any]] = []
    async with (
        asyncio.timeout(PATIENCE),
        httpx2.AsyncClient(base_url=door.url) as client,
        client.stream("GET", "/api/v1/events", headers=headers) as answer,
    ):
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        if listens:
            listens.set()
        fields: dict[str, Any] = {}
        async for line in answer.aiter_lines():
            name, _, value = line.partition(": ")
            fields |= {name: value} if value and name in {"id", "event", "data"} else {}
            if not line and "data" in fields:
                found.append(fields | {"data": json.loads(fields["data"])})
                fields = {}
            if len(found) == count:
                break
    return found


async def test_a_listener_goes_on_where_he_was(door: ApiDoor) -> None:
    """Events come in order with their numbers; with the last number a new connection misses and repeats none."""
    for number in range(3):
        await ended(door, number)
    first = await heard(door, 2)
    rest = await heard(door, 1, first[-1]["id"])

    assert [one["data"]["case"] for one in (*first, *rest)] == ["case-1", "case-2", "case-3"]
    assert {one["event"] for one in (*first, *rest)} == {"case.ended"}
    assert first[0]["data"]["facts"] == {"outcome": "ticketed", "ticket": "OPS-42", "reason": "a new bug"}


async def test_words_are_for_readers(door: ApiDoor) -> None:
    """What a step read and found quotes the mail; a viewer hears of the step, and none of that."""
    leased = await opened(door.context.store, 1)
    await leased.cases.event("step.trace", step="classify", output={"cues": ["asap"]})
    told = [
        (await heard(door, 1, scope=scope))[0]["data"]["facts"] for scope in (AccessScope.VIEWER, AccessScope.READER)
    ]

    assert told == [{"step": "classify"}, {"step": "classify", "output": {"cues": ["asap"]}}]


async def test_a_new_listener_hears_what_comes(door: ApiDoor) -> None:
    """Without a number nothing of the past is told."""
    await ended(door, 1)
    listening = asyncio.create_task(heard(door, 1, ""))
    later: list[str] = []
    while not listening.done():
        later.append(await ended(door, len(later) + 2))
        await asyncio.sleep(0.2)

    assert (await listening)[0]["data"]["case"] in later


async def test_a_number_of_the_future_silences_nobody(door: ApiDoor) -> None:
    """Who has heard more than there is, as after a restored backup, hears what comes, and so do those who join him."""
    begun = [asyncio.Event() for _ in range(2)]
    ahead = asyncio.create_task(heard(door, 1, "1" * 15, listens=begun[0]))
    await begun[0].wait()
    beside = asyncio.create_task(heard(door, 1, "", listens=begun[1]))
    await begun[1].wait()
    case = await ended(door, 1)

    assert [one["data"]["case"] for one in (*await ahead, *await beside)] == [case, case]


async def test_slow_and_gone_listeners_cost_nothing(door: ApiDoor) -> None:
    """Listeners who read nothing or hang up keep no others waiting, and are not counted for ever."""
    at, bearer = urlsplit(door.url), door.held[AccessScope.VIEWER]
    request = f"GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {bearer}\r\nLast-Event-ID: 0\r\n\r\n"
    lines = [socket.create_connection((at.hostname, at.port)) for _ in range(20)]
    for line in lines:
        line.sendall(request.encode())
    for line in lines[:10]:
        line.close()
    await ended(door, 1)

    assert len(await heard(door, 1)) == 1
    for line in lines[10:]:
        line.close()


async def test_the_service_ends_although_somebody_listens(tmp_path: Path) -> None:
    """A stream ends with the service, and the listener sees a whole answer."""
    async with api_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}") as door:
        listens = asyncio.Event()
        listening = asyncio.create_task(heard(door, 1, listens=listens))
        await listens.wait()

    assert await listening == []


@pytest.mark.parametrize("last", ["x", "-1", "1" * 20])
async def test_numbers_that_are_none(door: ApiDoor, last: str) -> None:
    """What is no number of an event is refused."""
    answer = await door.get("/events", headers={"last-event-id": last})

    assert answer.status_code == 422
