"""Cases, jobs and all that is written about them, in SQLite or PostgreSQL: the port `Store`."""

from datetime import datetime, timedelta
from secrets import token_bytes
from typing import Any, Final

from sqlalchemy import Connection, Executable, select, update

from integrations.sql import approvals as sql_approvals
from integrations.sql import brakes as sql_brakes
from integrations.sql import jobs as sql_jobs
from integrations.sql import report as sql_report
from integrations.sql.book import SqlBook
from integrations.sql.engine import Database
from integrations.sql.intake import Intake
from integrations.sql.mailboxes import SqlMailboxes
from integrations.sql.migrate import migrate, version
from integrations.sql.rows import approval_of, case_name, case_number
from integrations.sql.schema import approvals, raw_mails, secrets
from integrations.sql.tickets import SqlTickets
from triage.domain.cases import Approval, ApprovalState, CaseLine, Lease, Report
from triage.domain.errors import ApprovalClosed, CaseUnknown, LeaseLost
from triage.domain.mail import Received
from triage.domain.ports import Clock, Landmark, nowhere
from triage.domain.traces import Flood

ORDINARY: Final = 64 * 1024
"""Bytes of a mail; most are smaller."""


async def open_store(url: str, clock: Clock, landmark: Landmark = nowhere, *, min_free: int = 0) -> "SqlStore":
    """The store at a URL, its tables brought up to date. Raises `StoreDown`, `SettingsInvalid`.

    No mail is taken while there are fewer than `min_free` bytes left on the disk of a database file.

    `sqlite:///file`, `sqlite:///:memory:` (gone with the process) or `postgresql://user:password@host/name`.
    """
    database = Database(url)
    try:
        await migrate(database)
    except BaseException:
        await database.close()
        raise
    return SqlStore(database, clock, landmark, min_free)


class SqlStore:
    """Every method is one transaction, and ends it even where its caller is cancelled."""

    def __init__(self, database: Database, clock: Clock, landmark: Landmark, min_free: int = 0) -> None:
        self._database = database
        self._clock = clock
        self._landmark = landmark
        self._intake = Intake(database, clock, landmark, min_free)
        self.mailboxes = SqlMailboxes(database)
        """Where we stand in each mailbox; writers of one process must share one `Database`."""
        self.tickets = SqlTickets(database, clock)
        """The project's tickets as we last saw them."""

    async def accept(self, received: Received) -> str:
        """Raw bytes, case and job in one durable transaction; the same delivery again gives the first case."""
        return await self._intake.accept(received)

    # --- jobs ---------------------------------------------------------------------------------

    async def lease(self, worker: str, seconds: float) -> Lease | None:
        """Of the jobs that are due the one that came first."""
        return await self._take(sql_jobs.TAKE_NEXT, worker, seconds)

    async def lease_case(self, case: str, worker: str, seconds: float) -> Lease | None:
        """The job of one case, if it is due."""
        return await self._take(sql_jobs.TAKE, worker, seconds, job=case_number(case))

    async def claim(self, case: str, worker: str, seconds: float) -> Lease:
        """Take a case up again. Raises `CaseUnknown`, `LeaseLost` while a worker has it."""
        job = case_number(case)
        lease = await self._take(sql_jobs.REOPEN, worker, seconds, job=job)
        if lease is None:
            known = await self._database.read(lambda c: c.scalar(sql_jobs.EXISTS, {"job": job}))
            raise LeaseLost(job) if known else CaseUnknown(case)
        return lease

    def book(self, lease: Lease) -> SqlBook:
        """The pages of one case."""
        return SqlBook(self._database, lease, self._clock, self._landmark)

    async def finish(self, lease: Lease) -> None:
        """The job is done."""
        await self._end(sql_jobs.FINISH, lease)

    async def postpone(
        self, lease: Lease, seconds: float, trouble: str, *, counted: bool = True, behind: str | None = None
    ) -> None:
        """Try again later, or as soon as the case in front has got on; `counted=False` gives the attempt back.

        One that has its end, and only waits to tell of others, is in nobody's way any more.
        """
        held = {"job": lease.job, "held": lease.epoch, "why": trouble, "uncounted": 0 if counted else 1}
        held["waits"] = behind is not None
        now, until = self._clock.now(), self._in(seconds)
        front = case_number(behind) if behind else None

        def waiting(connection: Connection) -> bool:
            over = front is not None and connection.execute(sql_jobs.OPEN, {"job": front}).first() is None
            values = {"until": now if over else until, "behind": None if over else front, "now": now}
            if connection.execute(sql_jobs.POSTPONE, held | values).first() is None:
                return False
            if connection.execute(sql_jobs.ENDED, {"job": lease.job}).first() is not None:
                connection.execute(sql_jobs.WAKE, {"job": lease.job, "now": now})
            return True

        if not await self._database.write(waiting):
            raise LeaseLost(lease.job)

    async def bury(self, lease: Lease, trouble: str) -> None:
        """No worker takes it again by itself."""
        await self._end(sql_jobs.BURY, lease, why=trouble)

    async def due(self) -> tuple[str, ...]:
        """Cases that wait for a worker now, in the order they came."""
        now = {"now": self._clock.now()}
        return await self._database.read(lambda c: tuple(case_name(n) for n in c.scalars(sql_jobs.DUE, now)))

    async def next_due(self) -> float | None:
        """Seconds until the next job is due."""
        due = await self._database.read(lambda c: c.scalar(sql_jobs.NEXT_DUE))
        return None if due is None else max(0.0, (due - self._clock.now()).total_seconds())

    # --- for people ---------------------------------------------------------------------------

    async def cases(self, limit: int = 50, state: str | None = None, before: str | None = None) -> tuple[CaseLine, ...]:
        """The latest cases first, of those that came before a case."""
        return await self._database.read(lambda c: sql_report.lines(c, limit, state, before))

    async def floods(self, limit: int = 50) -> tuple[Flood, ...]:
        """What brakes have held, the latest first."""
        return await self._database.read(lambda c: sql_brakes.floods(c, limit))

    async def report(self, case: str) -> Report:
        """Everything about one case. Raises `CaseUnknown`."""
        return await self._database.read(lambda c: sql_report.report(c, case))

    async def raw(self, case: str) -> bytes:
        """The mail as it came. Raises `CaseUnknown`."""
        statement = select(raw_mails.c.raw).where(raw_mails.c.case_id == case_number(case))
        raw = await self._database.read(lambda c: c.scalar(statement))
        if raw is None:
            raise CaseUnknown(case)
        return bytes(raw)

    async def approvals(self) -> tuple[Approval, ...]:
        """What waits for a person, the longest waiting first."""
        return await self._database.read(lambda c: tuple(approval_of(row) for row in c.execute(sql_report.OPEN)))

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        """What has given way to this approval."""
        return await self._database.read(lambda c: sql_approvals.superseded(c, by))

    async def decide(self, approval: int, state: ApprovalState, by: str) -> Approval:
        """Record a person's word, once. Raises `ApprovalClosed`."""
        statement = (
            update(approvals)
            .where(approvals.c.id == approval, approvals.c.state == ApprovalState.OPEN)
            .values(state=state, decided_by=by, decided_at=self._clock.now())
            .returning(*approvals.c)
        )
        row = await self._database.write(lambda c: c.execute(statement).first())
        if row is None:
            raise ApprovalClosed(approval)
        return approval_of(row)

    async def counts(self) -> dict[str, int]:
        """Cases by state; their sum is the number of accepted mails."""
        return await self._database.read(sql_report.counts)

    # --- the house ----------------------------------------------------------------------------

    async def secret(self) -> bytes:
        """The key of our marks: 32 random bytes, made once and kept with the cases."""
        made = self._database.insert(secrets).values(name="marks", value=token_bytes(32)).on_conflict_do_nothing()
        kept = select(secrets.c.value).where(secrets.c.name == "marks")

        def first_made(connection: Connection) -> bytes:
            connection.execute(made)
            return bytes(connection.execute(kept).scalar_one())

        return await self._database.write(first_made)

    @property
    def unclean(self) -> bool:
        """Who had it last has not closed it, or has it still."""
        return self._database.unclean

    async def check(self) -> None:
        """It is whole."""
        await self._database.check()

    async def probe(self) -> None:
        """It answers."""
        await self._database.read(version)

    async def look_for_room(self) -> None:
        """A mail of ordinary size is taken now."""
        self._intake.look_for_room(ORDINARY)

    async def close(self) -> None:
        """Let what is under way end, then the connections go."""
        await self._intake.close()
        await self._database.close()

    # ------------------------------------------------------------------------------------------

    async def _take(self, statement: Executable, worker: str, seconds: float, **which: int) -> Lease | None:
        until = self._in(seconds)
        values = {"now": self._clock.now(), "until": until, "by": worker, **which}
        row = await self._database.write(lambda c: c.execute(statement, values).first())
        if row is None:
            return None
        self._landmark("job.leased")
        held = {"epoch": row.epoch, "attempts": row.attempts, "until": until, "waiting_since": row.waiting_since}
        return Lease(job=row.case_id, case=case_name(row.case_id), **held)

    async def _end(self, statement: Executable, lease: Lease, **values: Any) -> None:
        held = {"job": lease.job, "held": lease.epoch, **values}
        next_ones = {"job": lease.job, "now": self._clock.now()}

        def ended(connection: Connection) -> bool:
            mine = connection.execute(statement, held).first() is not None
            if mine:
                connection.execute(sql_jobs.WAKE, next_ones)
            return mine

        if not await self._database.write(ended):
            raise LeaseLost(lease.job)

    def _in(self, seconds: float) -> datetime:
        return self._clock.now() + timedelta(seconds=seconds)
