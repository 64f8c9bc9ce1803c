"""A worker whose settings name another Jira project than the other workers' says so, once."""

import asyncio
from contextlib import suppress

import pytest
from loguru import logger

from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock
from triage.domain.errors import SettingsInvalid, StoreDown
from triage.domain.ports import TrackerClaims
from triage.services.installation.tracker_claim import SHADOW, STALE, TrackerClaim

OURS, THEIRS = "OPS at https://a.example", "WEB at https://b.example"


class Still(HeldClock):
    """A clock on which the next renewal never comes."""

    async def sleep(self, seconds: float) -> None:
        """Wait until cancelled."""
        del seconds
        await asyncio.Event().wait()


class Down:
    """A database that does not answer."""

    async def claim(self, tracker: str, seconds: float) -> str:
        """Fail."""
        raise StoreDown(f"{tracker} for {seconds}")

    async def claimed(self, seconds: float) -> str:
        """Fail."""
        raise StoreDown(f"for {seconds}")

    async def release(self, tracker: str) -> None:
        """Fail."""
        raise StoreDown(tracker)


async def test_two_settings_on_one_database() -> None:
    """The second worker names both projects and the cure, logs it once, and is well again when the first one has gone."""
    clock, warnings = Still(), list[str]()
    sink = logger.add(lambda line: warnings.append(line.record["message"]), level="WARNING")
    store = await open_store("sqlite:///:memory:", clock)
    first, same, second = (
        TrackerClaim(claims=store.tracker_claims, clock=clock, tracker=tracker) for tracker in (OURS, OURS, THEIRS)
    )
    running = asyncio.create_task(first.run())
    await asyncio.sleep(0.1)
    for claim in (same, second, second):
        await claim.renew()
    during = [claim.trouble() for claim in (first, same, second)]
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    await second.renew()
    await store.close()
    logger.remove(sink)

    assert during[:2] == ["", ""]
    assert all(one in during[2] for one in (OURS, THEIRS, "JIRA_"))
    assert (second.trouble(), warnings) == ("", ["tracker.settings_differ"])


@pytest.mark.parametrize(
    ("worker", "command", "named"),
    [(OURS, OURS, ()), ("", OURS, ()), (OURS, THEIRS, ("JIRA_…",)), (OURS, SHADOW, ("SHADOW", "--dry-run"))],
)
async def test_a_command_beside_a_worker(worker: str, command: str, named: tuple[str, ...]) -> None:
    """It is refused where the worker writes elsewhere, with both settings and the cure, and claims nothing itself."""
    clock = Still()
    store = await open_store("sqlite:///:memory:", clock)
    if worker:
        await store.tracker_claims.claim(worker, STALE)
    refused = ""
    try:
        await TrackerClaim(claims=store.tracker_claims, clock=clock, tracker=command).check()
    except SettingsInvalid as e:
        refused = str(e)
    stands = await store.tracker_claims.claimed(STALE)
    await store.close()

    assert (bool(refused), stands) == (bool(named), worker)
    assert all(one in refused for one in (*named, *((OURS, command, "DATABASE_URL") if named else ())))


async def test_a_database_that_is_down_is_no_conflict() -> None:
    """Nothing is known then, and an end is not held up."""
    down: TrackerClaims = Down()
    claim = TrackerClaim(claims=down, clock=Still(), tracker=OURS)
    running = asyncio.create_task(claim.run())
    await asyncio.sleep(0)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert (claim.trouble(), STALE > 0) == ("", True)
