"""The port `Jobs`: leases, retries, dead letters."""

from datetime import datetime, timedelta

from loguru import logger
from sqlalchemy import Connection, Executable

from integrations.sql.database.engine import Database
from integrations.sql.database.leases import (
    AHEAD,
    BURY,
    ENDED,
    EXISTS,
    MISDATED,
    NEXT_DUE,
    OPEN,
    POSTPONE,
    REDATE,
    REOPEN,
    TAKE,
    TAKE_NEXT,
    WAKE,
)
from integrations.sql.database.rows import case_name, case_number
from integrations.sql.leased_case import leased_case
from integrations.sql.leased_case.ledger import Put
from integrations.sql.raw_mails.reading import RawMails
from triage.domain.cases import Lease
from triage.domain.errors import CaseNotFound, LeaseLost
from triage.domain.ports import Clock, Failpoint, LeasedCase


class SqlJobs:
    """The port `Jobs`: every method is one transaction, which ends even if the caller is cancelled."""

    def __init__(self, database: Database, clock: Clock, failpoint: Failpoint, raw_mails: RawMails, put: Put) -> None:
        self._database = database
        self._clock = clock
        self._failpoint = failpoint
        self._raw_mails = raw_mails
        self._put = put

    async def lease(self, worker: str, seconds: float) -> Lease | None:
        """Lease the earliest due job; where none is due, one that a wrong clock has put off."""
        taken = await self._take(TAKE_NEXT, worker, seconds)
        if taken or not await self._redated():
            return taken
        return await self._take(TAKE_NEXT, worker, seconds)

    async def lease_case(self, case: str, worker: str, seconds: float) -> Lease | None:
        return await self._take(TAKE, worker, seconds, job=case_number(case))

    async def claim(self, case: str, worker: str, seconds: float) -> Lease:
        job = case_number(case)
        lease = await self._take(REOPEN, worker, seconds, job=job)
        if lease is None:
            known = await self._database.look(lambda c: c.scalar(EXISTS, {"job": job}))
            raise LeaseLost(job) if known else CaseNotFound(case)
        return lease

    def open(self, lease: Lease) -> LeasedCase:
        return leased_case(self._database, lease, self._clock, self._failpoint, self._raw_mails, self._put)

    async def postpone(
        self, lease: Lease, seconds: float, trouble: str, *, counted: bool = True, behind: str | None = None
    ) -> None:
        """Make the job due later, or as soon as the case `behind` is read or has ended; `counted=False` gives the attempt back.

        A case that has ended and only waits to report a flood blocks no other case, so those behind it are woken.
        """
        held = {"job": lease.job, "held": lease.epoch, "why": trouble, "uncounted": 0 if counted else 1}
        held["waits"] = behind is not None
        now, until = self._clock.now(), self._in(seconds)
        front = case_number(behind) if behind else None

        def waiting(connection: Connection) -> bool:
            over = front is not None and connection.execute(OPEN, {"job": front}).first() is None
            values = {"until": now if over else until, "behind": None if over else front, "now": now}
            if connection.execute(POSTPONE, held | values).first() is None:
                return False
            if connection.execute(ENDED, {"job": lease.job}).first() is not None:
                connection.execute(WAKE, {"job": lease.job, "now": now})
            return True

        if not await self._database.write(waiting):
            raise LeaseLost(lease.job)

    async def dead_letter(self, lease: Lease, trouble: str) -> None:
        woken = {"job": lease.job, "now": self._clock.now()}
        held = {**woken, "held": lease.epoch, "why": trouble}

        def ended(connection: Connection) -> bool:
            mine = connection.execute(BURY, held).first() is not None
            if mine:
                connection.execute(WAKE, woken)
            return mine

        if not await self._database.write(ended):
            raise LeaseLost(lease.job)

    async def next_due(self) -> float | None:
        due = await self._database.look(lambda c: c.scalar(NEXT_DUE))
        return None if due is None else max(0.0, (due - self._clock.now()).total_seconds())

    async def _redated(self) -> bool:
        """Make jobs due that a clock has dated which was ahead and is right again; whether there were any."""
        now = self._clock.now()
        values = {"now": now, "ahead": now + AHEAD}
        if await self._database.look(lambda c: c.execute(MISDATED, values).first()) is None:
            return False
        found = await self._database.write(lambda c: c.execute(REDATE, values).rowcount)
        logger.bind(jobs=found).warning("jobs.redated")
        return found > 0

    async def _take(self, statement: Executable, worker: str, seconds: float, **which: int) -> Lease | None:
        until = self._in(seconds)
        values = {"now": self._clock.now(), "until": until, "by": worker, **which}
        row = await self._database.write(lambda c: c.execute(statement, values).first())
        if row is None:
            return None
        self._failpoint("job.leased")
        held = {"epoch": row.epoch, "attempts": row.attempts, "until": until, "waiting_since": row.waiting_since}
        return Lease(job=row.case_id, case=case_name(row.case_id), **held)

    def _in(self, seconds: float) -> datetime:
        return self._clock.now() + timedelta(seconds=seconds)
