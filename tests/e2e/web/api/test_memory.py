"""Builds of the team's memory over HTTP: one at a time, told as they go."""

import asyncio
import json
from pathlib import Path

from tests.database import migrated
from tests.e2e.web.api.api_door import ApiDoor, api_door
from tests.unit.triage.services.memory.build.building import ended_case
from triage.domain.memory.builds import BuildKind
from triage.domain.operations.tokens import AccessScope


async def stream(door: ApiDoor) -> list[tuple[str, dict[str, object]]]:
    """Events of the last build until it ends."""
    answer = await door.get("/stream/build", scope=AccessScope.VIEWER)
    found = [dict(line.split(": ", 1) for line in event.splitlines()) for event in answer.text.split("\n\n") if event]
    return [(one["event"], json.loads(one["data"])) for one in found if "data" in one]


async def test_a_build_is_started_and_told(tmp_path: Path) -> None:
    """POST starts it and answers at once, a second one is refused with 409, the stream ends with `complete`."""
    settings = {"ENABLE_MEMORY": "true", "MEMORY_DIR": str(tmp_path / "vault")}
    (tmp_path / "vault").mkdir()
    async with api_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}", settings=settings) as door:
        assert (await door.get("/memory/builds/latest")).status_code == 404
        await ended_case(door.context.store, 1, "I will send the signed audit report by Friday.")
        started = await door.post("/memory/builds", json={"kind": "build"})
        told = await stream(door)
        latest = (await door.get("/memory/builds/latest", scope=AccessScope.VIEWER)).json()
        held = await door.context.store.memory_builds.begin(BuildKind.REFRESH, "somebody", 20)
        refused = await door.post("/memory/builds", json={})

    assert (started.status_code, started.json()["by"]) == (202, "token admin")
    assert (told[-1][0], {name for name, _ in told[:-1]} <= {"stage"}) == ("complete", True)
    assert told[-1][1]["figures"] == latest["figures"]
    assert latest["figures"]["created"] == 1
    assert (refused.status_code, refused.json()["cure"]) == (409, "GET /api/v1/stream/build tells how far it is")
    assert held.id == 2


async def test_a_memory_that_is_off_is_not_found(tmp_path: Path) -> None:
    """Every route says which setting switches it on."""
    async with api_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}") as door:
        answers = await asyncio.gather(
            door.get("/stream/build"), door.get("/memory/builds/latest"), door.post("/memory/builds", json={})
        )

    assert {(one.status_code, "ENABLE_MEMORY" in one.json()["detail"]) for one in answers} == {(404, True)}
