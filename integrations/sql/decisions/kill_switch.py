"""The port `KillSwitch`: one row while a person has paused all writing."""

from typing import Final

from sqlalchemy import Connection, delete, select, update

from integrations.sql.database.decision_tables import pauses
from integrations.sql.database.engine import TimedPart, insert_once
from integrations.sql.database.leases import NOW
from integrations.sql.database.rows import AnyRow
from integrations.sql.database.schema import JobState, jobs
from triage.domain.approvals import Pause
from triage.domain.errors import Paused

ALL: Final = "all"
_STANDS: Final = select(pauses).where(pauses.c.name == ALL)
_END: Final = delete(pauses).where(pauses.c.name == ALL).returning(*pauses.c)
_WAKE: Final = (
    update(jobs)
    .where(jobs.c.state == JobState.READY, jobs.c.due.is_not(None), jobs.c.trouble.startswith(str(Paused.__doc__)[:20]))
    .values(due=NOW, trouble="")
)


class SqlKillSwitch(TimedPart):
    """The port `KillSwitch`: stands in the database, so that every process honours it."""

    async def pause(self, by: str, why: str) -> Pause:
        """Stop writing; return the pause that stands."""
        row = {"name": ALL, "paused_by": by, "why": why, "since": self._clock.now()}
        once = insert_once(pauses, postgres=self._database.postgres)

        def paused(connection: Connection) -> Pause:
            connection.execute(once, row)
            return _pause_of(connection.execute(_STANDS).one())

        return await self._database.write(paused)

    async def resume(self) -> Pause | None:
        """Go on, with the cases first that waited for it."""

        def resumed(connection: Connection) -> AnyRow | None:
            ended = connection.execute(_END).first()
            if ended is not None:
                connection.execute(_WAKE, {"now": self._clock.now()})
            return ended

        row = await self._database.write(resumed)
        return None if row is None else _pause_of(row)

    async def paused(self) -> Pause | None:
        return await self._database.read(standing)


def standing(connection: Connection) -> Pause | None:
    """The pause that stands, in a transaction of the caller; None if there is none."""
    row = connection.execute(_STANDS).first()
    return None if row is None else _pause_of(row)


def _pause_of(row: AnyRow) -> Pause:
    return Pause(by=row.paused_by, why=row.why, since=row.since)
