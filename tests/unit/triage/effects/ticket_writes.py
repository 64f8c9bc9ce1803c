"""Writes to a sandbox Jira over a real database, with a clock moved by hand."""

import hashlib
import time
from collections.abc import Callable
from typing import Any

from integrations.jira.tracker import JiraTracker
from integrations.sql.store import SqlStore
from tests.conftest import PATIENCE
from tests.contract.store.store_samples import HeldClock, mail
from tests.servers.sandbox import RunningJira
from triage.domain.effects import Effect
from triage.effects.writer import EffectWriter
from triage.toolsets.table import KINDS
from triage.toolsets.tickets.effects import TicketWrites

POST: dict[str, Any] = {"method": "POST", "path": "/issue$"}


COMMENT: dict[str, Any] = {"method": "POST", "path": "/comment$"}


SETTLE = 60.0


async def no_pause(seconds: float) -> None:
    """Retries of reads come at once."""


def tracker_of(jira: RunningJira, timeout: float = PATIENCE, now: Callable[[], float] = time.monotonic) -> JiraTracker:
    """An adapter for this Jira."""
    return jira.tracker(timeout=timeout, sleep=no_pause, now=now)


async def writing_of(store: SqlStore, tracker: JiraTracker, clock: HeldClock, number: int = 1) -> TicketWrites:
    """What a worker writes with, after it has leased this mail's case."""
    case = await store.inbox.accept(mail(number))
    lease = await store.jobs.claim(case, "test", 10**6)
    effects = EffectWriter(
        ledger=store.jobs.open(lease).ledger,
        kinds=KINDS,
        clock=clock,
        case=case,
        secret=b"s" * 32,
        fingerprint=hashlib.sha256(f"mail {number}".encode()).hexdigest(),
        settle_seconds=SETTLE,
    )
    return TicketWrites(effects=effects, tracker=tracker.view())


async def only(writing: TicketWrites) -> Effect:
    """The one effect of the case."""
    (effect,) = await writing.effects.ledger.effects()
    return effect


def posts(jira: RunningJira, path: str = "/rest/api/3/issue$") -> int:
    """How often it was sent."""
    return len(jira.requests("POST", path))
