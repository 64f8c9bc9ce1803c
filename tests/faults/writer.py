"""A process that writes: the real protocol, books and tracker, four effects at a time, until nothing is left or it dies.

Run as a module it is the fork_servers of such processes: a line with an order in, a line with the exit code out. A child is
forked, so that each life begins in milliseconds.
"""

import asyncio
import gc
import hashlib
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Final, Self

from integrations.jira.tracker import JiraTracker
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.faults.pace import Pace
from triage.config.settings import Settings
from triage.domain.cases import Lease
from triage.domain.errors import LeaseLost, TrackerDenied, TrackerRejected, Transient, TriageError
from triage.domain.ports import LeasedCase
from triage.domain.tickets import TicketDraft
from triage.effects.writer import EffectWriter, WriteLost
from triage.pipeline.worker import RETRY_BACKOFF
from triage.toolsets.table import KINDS
from triage.toolsets.tickets.effects import TicketWrites

AT_ONCE: Final = 4
LEASE: Final = 5.0
"""Seconds of the clock on the wall: so long nobody goes on with what a dead process has begun."""
LOOK: Final = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a process is to do, and where it is to die."""

    url: str
    cloud: bool
    database: str
    speed: float
    point: str = ""
    """Dies where it comes by here for the `nth` time."""
    nth: int = 1
    seconds: float = 0.0
    """Is killed after so long, 0 for never."""

    @property
    def line(self) -> bytes:
        """As it is sent."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def of(cls, line: str) -> Self:
        """As it was sent."""
        return cls(**json.loads(line))


@dataclass
class Death:
    """A landmark that kills."""

    point: str
    left: int

    def __call__(self, name: str) -> None:
        """Here?"""
        self.left -= name == self.point
        if name == self.point and self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Does to each case what a worker does whose model has said: create."""

    store: SqlStore
    tracker: JiraTracker
    pace: Pace
    secret: bytes
    name: str
    since: dict[str, float] = field(default_factory=dict)
    """When this process has first taken up a case."""

    async def go_on(self) -> None:
        """Until nothing waits any more."""
        while (due := await self.store.jobs.next_due()) is not None:
            lease = await self.store.jobs.lease(self.name, LEASE)
            if lease is None:
                await asyncio.sleep(min(max(due, LOOK), 10 * LOOK))
                continue
            with suppress(LeaseLost):
                await self._write(lease)

    async def _write(self, lease: Lease) -> None:
        leased_case = self.store.jobs.open(lease)
        self.since.setdefault(lease.case, self.pace.seconds())
        try:
            async with _held(leased_case):
                await self._writes(leased_case).create(draft_of(lease.case), "HARB", "1")
        except LeaseLost:
            raise
        except (WriteLost, TrackerRejected) as e:
            await self.store.jobs.dead_letter(lease, str(e))
        except (Transient, TrackerDenied) as e:
            await self.store.jobs.postpone(lease, self._backoff(lease.case, e) / self.pace.speed, str(e), counted=False)
        else:
            await self.store.jobs.open(lease).cases.finish()

    def _backoff(self, case: str, e: TriageError) -> float:
        """As a worker's: what was asked for, else longer the longer it lasts."""
        age = self.pace.seconds() - self.since[case]
        return max(getattr(e, "retry_after", None) or 0.0, min(max(age / 10, RETRY_BACKOFF[0]), RETRY_BACKOFF[1]))

    def _writes(self, leased_case: LeasedCase) -> TicketWrites:
        effects = EffectWriter(
            ledger=leased_case.ledger,
            kinds=KINDS,
            clock=self.pace,
            case=leased_case.lease.case,
            secret=self.secret,
            fingerprint=hashlib.sha256(leased_case.lease.case.encode()).hexdigest(),
            settle_seconds=usual("settle_seconds"),
        )
        return TicketWrites(effects=effects, tracker=self.tracker.view())


def usual(setting: str) -> float:
    """What a setting is where nobody has set it."""
    return float(Settings.model_fields[setting].default)


def draft_of(case: str) -> TicketDraft:
    """What is created for a case: a ticket that says whose it is."""
    return TicketDraft(
        summary=case, description=f"It stops at 99 %, says {case}.", issue_type="Bug", priority="High", labels=("mail",)
    )


@asynccontextmanager
async def _held(leased_case: LeasedCase) -> AsyncIterator[None]:
    """The lease, for as long as it takes."""

    async def beat() -> None:
        with suppress(LeaseLost):
            while True:
                await asyncio.sleep(LEASE / 4)
                await leased_case.cases.renew(LEASE)

    beating = asyncio.create_task(beat())
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)


async def write(order: Order, token: str) -> None:
    """One life."""
    pace, death = Pace(order.speed), Death(order.point, order.nth)
    store = await open_store(order.database, SystemClock(), death)
    tracker = JiraTracker(
        order.url,
        "HARB",
        email="bot@harbourline.example",
        token=token,
        personal_token="" if order.cloud else token,
        timeout=usual("jira_timeout") / order.speed,
        failpoint=death,
        sleep=pace.sleep,
        now=pace.seconds,
    )
    try:
        writer = Writer(
            store=store, tracker=tracker, pace=pace, secret=await store.health.secret(), name=str(os.getpid())
        )
        await asyncio.gather(*(writer.go_on() for _ in range(AT_ONCE)))
    finally:
        await tracker.close()
        await store.close()


def _bear(order: Order, token: str, tests: socket.socket) -> int:
    """A child's life; its exit code."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            asyncio.run(write(order, token))
            code = 0
        finally:
            os._exit(code)
    until = time.monotonic() + (order.seconds or 10**6)
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
        gone, _, _ = select.select([tests], [], [], LOOK)  # nothing is ordered while a child lives
        if gone or time.monotonic() > until:
            os.kill(child, signal.SIGKILL)  # nobody else can have its number before we have waited for it
    return os.waitstatus_to_exitcode(ended[1])


def _mother(tests: socket.socket, token: str) -> None:
    """One child after the other, as they are ordered."""
    with tests, tests.makefile("rw") as line:
        while order := line.readline():
            line.write(f"{_bear(Order.of(order), token, tests)}\n")
            line.flush()


def main(token: str, *sockets: str) -> None:
    """A fork_server at each of these sockets; what they import is imported once."""
    gc.collect()
    gc.freeze()
    ends = [socket.socket(fileno=int(number)) for number in sockets]
    for mine in ends:
        if os.fork() == 0:
            for other in ends:
                if other is not mine:
                    other.close()
            _mother(mine, token)
            os._exit(0)
    for end in ends:
        end.close()
    for _ in ends:
        os.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
