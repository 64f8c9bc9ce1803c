"""The API in a thread of its own, over a store with one case, one approval and one letter, for clients that block."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread

from tests.conftest import PATIENCE
from tests.contract.store.store_samples import OPENING, TURN, approval, full, opened, step
from tests.database import migrated
from tests.e2e.web.api.api_door import ApiDoor, api_door
from tests.unit.triage.policy.letters.letters import letter
from triage.domain.operations.tokens import AccessScope


@dataclass
class Serving:
    """Where it listens, and its tokens."""

    url: str = ""
    token: str = ""


@contextmanager
def serving(path: Path) -> Iterator[Serving]:
    """The server, ended afterwards."""
    serving, ready, stop = Serving(), Event(), Event()

    async def serve() -> None:
        async with api_door(f"sqlite:///{migrated(path)}", settings={"API_REQUESTS_PER_MINUTE": "1000000"}) as door:
            await _filled(door)
            serving.url, serving.token = door.url, door.held[AccessScope.ADMIN]
            ready.set()
            while not stop.is_set():
                await asyncio.sleep(0.05)

    thread = Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield serving
    finally:
        stop.set()
        thread.join()


async def _filled(door: ApiDoor) -> None:
    """Store a case in which every part is filled in, a call that waits for a person, and a letter."""
    leased = await opened(door.context.store)
    await leased.journal.keep_opening("case-1/2", "jira", OPENING)
    await leased.journal.keep_turn("case-1/2", 1, TURN, 12.0)
    await leased.cases.save(full(await leased.cases.load()), step(), calls=2)
    await leased.approvals.park(replace(approval("case-1"), becomes="Done"))
    await door.context.store.jobs.open(leased.lease).cases.finish()
    await door.context.store.letters.queue(letter(key="case-1:reply:1", case="case-1"))
