"""A worker: leases a case, runs its steps, and handles a step's failure.

No mail is lost: `Transient` errors postpone the case, lasting errors hand it to a person, and bytes that kill
the process three times go to quarantine.
"""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from time import monotonic
from typing import Any, Final

from loguru import logger

from triage.domain.cases import Case, End, Lease, Outcome
from triage.domain.errors import (
    Behind,
    Denied,
    LeaseLost,
    Permanent,
    Refused,
    StoreDown,
    Transient,
    TriageError,
)
from triage.domain.findings import Review
from triage.domain.operations.traces import Worked
from triage.domain.ports import Clock, Jobs, LeasedCase, Notifier
from triage.pipeline.context import Services
from triage.pipeline.runner import end_case, run_case
from triage.pipeline.store_outage import StoreOutage
from triage.pipeline.thread_order import ThreadBusy
from triage.policy.thread.throttle import LATE

MAX_PARSE_CRASHES: Final = 3
"""Attempts to parse a mail that may kill the process before it goes to quarantine."""
RETRY_BACKOFF: Final = (2.0, 300.0)
"""Least and most seconds between tries after a `Transient` error; within these a tenth of the case's age."""
DRAIN_HORIZON: Final = 90.0
"""`drain` waits for jobs due within so many seconds: longer than a lease, or than settling a lost answer."""
POLL: Final = 1.0
"""Seconds between two polls of the database without a notification; no other sweep looks for due jobs."""


@dataclass(slots=True)
class SharedPoll:
    """Has one of a worker's idle tasks look for due jobs, where all of them would look at the same moment and find none."""

    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _empty: float = -inf
    """When a task last found none, by the clock that never goes back."""

    async def first(self, look: Callable[[], Awaitable[Lease | None]], seconds: float) -> Lease | None:
        """Return what `look` finds; None without a look if another task has found nothing within so many seconds."""
        async with self._turn:
            if monotonic() - self._empty < seconds:
                return None
            found = await look()
            if found is None:
                self._empty = monotonic()
            return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """Leases jobs and runs their cases, `at_once` at a time."""

    jobs: Jobs
    notifier: Notifier
    clock: Clock
    services: Callable[[LeasedCase], Services]
    """Builds the services for a leased case."""
    lease_seconds: float = 60.0
    max_attempts: int = 8
    at_once: int = 4
    poll: float = POLL
    """Seconds between two polls of the database without a notification; idle tasks share them."""
    drain_seconds: float = 20.0
    """Seconds that running cases may take after `stop` is set."""
    name: str = field(default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}")
    """Of this process, not of the one that it was forked from."""
    on_work: Callable[[Worked], None] | None = None
    """Called after each piece of work, for traces; None: not called."""
    running: dict[str, datetime] = field(default_factory=dict, init=False)
    """Running cases and when they started."""
    _outage: StoreOutage = field(default_factory=StoreOutage, init=False)
    _poll: SharedPoll = field(default_factory=SharedPoll, init=False)

    async def serve(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; then finish running cases, and give back those that exceed `drain_seconds`."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._serve_one(stop)) for _ in range(self.at_once)]
            await stop.wait()
            _, late = await asyncio.wait(tasks, timeout=self.drain_seconds)
            for task in late:
                task.cancel()

    async def drain(self) -> None:
        """Work until no job is due within DRAIN_HORIZON, then return."""
        progress = asyncio.Event()
        tasks = [asyncio.create_task(self._drain_one(progress)) for _ in range(self.at_once)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _drain_one(self, progress: asyncio.Event) -> None:
        """Run jobs; if none is due, wait until another task makes progress or the next job is due."""
        while True:
            progress.clear()
            if await self.work_one():
                progress.set()
                continue
            seconds = await self.jobs.next_due()
            if seconds is None or seconds >= DRAIN_HORIZON:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(progress.wait(), min(max(seconds, 0.05), POLL))

    async def _serve_one(self, stop: asyncio.Event) -> None:
        look = self.work_one
        while not stop.is_set():
            try:
                while not stop.is_set() and await look():
                    look = self.work_one
                look = self._poll_one
                if case := await self._notified(stop):
                    await self.handle(case)
                    look = self.work_one
            except StoreDown as e:
                self._outage.begin(str(e))
                await self._notified(stop)

    async def _notified(self, stop: asyncio.Event) -> str | None:
        """Wait for a notification and return its case; None if it is time to poll or to stop."""
        notified, stopping = asyncio.create_task(self.notifier.wait(self.poll)), asyncio.create_task(stop.wait())
        _, pending = await asyncio.wait({notified, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for wait in pending:
            wait.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        return None if stop.is_set() else notified.result()

    async def work_one(self) -> bool:
        """Work on the first due case; return False if none is due."""
        return await self._worked(await self._leased())

    async def _poll_one(self) -> bool:
        """Do the same for a task that nothing has woken: it need not look where another one has just looked."""
        return await self._worked(await self._poll.first(self._leased, self.poll / 2))

    async def _leased(self) -> Lease | None:
        lease = await self.jobs.lease(self.name, self.lease_seconds)
        self._outage.end()
        return lease

    async def _worked(self, lease: Lease | None) -> bool:
        if lease is None:
            return False
        await self.work(lease)
        return True

    async def handle(self, case: str) -> None:
        """Work on this case, if it still has a job and no other worker holds it."""
        lease = await self.jobs.lease_case(case, self.name, self.lease_seconds)
        if lease is not None:
            await self.work(lease)

    async def work(self, lease: Lease) -> None:
        """Run a leased case until it ends or must wait."""
        leased, trouble = self.jobs.open(lease), ""
        began = self.running[lease.case] = self.clock.now()
        with logger.contextualize(case=lease.case):
            try:
                done = await self._with_heartbeat(leased, self._run(leased))
                await self._finish(leased, done)
                logger.info("case.done", outcome=str(done.outcome), ticket=done.ticket, attempt=lease.attempts)
            except LeaseLost:
                logger.warning("lease.lost", job=lease.job)
            except asyncio.CancelledError:
                await self._release(lease)
                raise
            except Exception as e:  # noqa: BLE001 - the worker's edge: whatever it is, the mail must wait somewhere
                trouble = await self._on_error(leased, e)
            finally:
                self.running.pop(lease.case, None)
                if self.on_work:
                    self.on_work(Worked(lease.case, began, self.clock.now(), lease.attempts, trouble))

    async def _finish(self, leased: LeasedCase, done: Case) -> None:
        """Commit the end of the case, and with it that of the job; if it collects a flood, postpone it until the last summary is due."""
        if done.collects:
            await leased.cases.flush()
            await self.jobs.postpone(leased.lease, LATE, "", counted=False)
        else:
            await leased.cases.finish()

    async def _release(self, lease: Lease) -> None:
        """Release the lease, so that another worker can go on at once."""
        with suppress(StoreDown, LeaseLost):
            await asyncio.shield(self.jobs.postpone(lease, 0.0, "", counted=False))

    async def _run(self, leased: LeasedCase) -> Case:
        """Run the remaining steps; quarantine the mail if parsing it has killed the process too often."""
        at = self.services(leased)
        if leased.lease.attempts > MAX_PARSE_CRASHES and not (await at.cases.load()).done:
            reason = f"reading it failed {MAX_PARSE_CRASHES} times; `triage replay` tries again"
            return await end_case(at, end=End(outcome=Outcome.QUARANTINED, reason=reason))
        return await run_case(at)

    async def _with_heartbeat(self, leased: LeasedCase, work: Coroutine[Any, Any, Case]) -> Case:
        """Run the work while a heartbeat renews the lease; cancel it if the lease is lost."""
        heartbeat, working = asyncio.create_task(self._heartbeat(leased)), asyncio.create_task(work)
        try:
            await asyncio.wait({heartbeat, working}, return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() else heartbeat.result()
        finally:
            for task in (heartbeat, working):
                task.cancel()
            await asyncio.gather(heartbeat, working, return_exceptions=True)

    async def _heartbeat(self, leased: LeasedCase) -> Case:
        """Renew the lease for ever; it ends only by an error."""
        while True:
            await asyncio.sleep(self.lease_seconds / 3)
            await leased.cases.renew(self.lease_seconds)

    async def _on_error(self, leased: LeasedCase, e: Exception) -> str:
        """Postpone the case or hand it to a person, by the kind of error; return the text for the log."""
        lease, trouble = leased.lease, str(e) if isinstance(e, TriageError) else f"unexpected {type(e).__name__}: {e}"
        try:
            if isinstance(e, Behind):
                trouble = "" if isinstance(e, ThreadBusy) else trouble
                await self.jobs.postpone(lease, e.retry_after, trouble, counted=False, behind=e.case)
            elif isinstance(e, Transient | Denied):
                await self.jobs.postpone(lease, await self._backoff(leased, e), trouble, counted=False)
            elif isinstance(e, Permanent | Refused) or lease.attempts >= self.max_attempts:
                await self._hand_over(leased, trouble)
            else:
                await self.jobs.postpone(lease, 2.0**lease.attempts, trouble)
        except Exception as worse:  # noqa: BLE001 - the worker's edge: the lease runs out, then another worker takes it
            logger.opt(exception=None if isinstance(worse, TriageError) else worse).warning(
                "case.left", error=str(worse)
            )
            return trouble
        if not isinstance(e, ThreadBusy):
            logger.opt(exception=None if isinstance(e, TriageError) else e).warning("case.trouble", error=trouble)
        return trouble

    async def _backoff(self, leased: LeasedCase, e: Exception) -> float:
        """Return seconds until the next try: the server's `retry_after`, or a tenth of the case's age."""
        asked = getattr(e, "retry_after", None)
        age = (self.clock.now() - (await leased.cases.load()).received_at).total_seconds()
        return max(float(asked or 0.0), min(max(age / 10, RETRY_BACKOFF[0]), RETRY_BACKOFF[1]))

    async def _hand_over(self, leased: LeasedCase, trouble: str) -> None:
        """End the case as waiting for a person, and move its job to the dead letters."""
        review = Review(unattended=False, reasons=(f"a person has to look: {trouble}",))
        await self._with_heartbeat(leased, end_case(self.services(leased), review=review))
        await leased.cases.flush()
        await self.jobs.dead_letter(leased.lease, trouble)
