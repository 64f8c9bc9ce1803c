"""The port `MailArchive`: which raw mails are in the archive."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, and_, bindparam, delete, func, select, update

from integrations.sql.database.engine import TimedPart, insert_once
from integrations.sql.database.leases import ALONE, JOB, NOW
from integrations.sql.database.rows import case_name, case_number
from integrations.sql.database.schema import JobState, cases, jobs, mails, raw_mails
from integrations.sql.raw_mails.reading import LEFT, archived_mails, first_since
from triage.domain.mail import ArchivedMail, CopyState, UnwantedCopy

_OF: Final = archived_mails.c.case_id == JOB
_RAW: Final = select(raw_mails.c.raw).where(raw_mails.c.case_id == JOB)
_STATE: Final = select(archived_mails.c.state).where(_OF)
_DONE: Final = select(jobs.c.case_id).where(jobs.c.case_id == JOB, jobs.c.state == JobState.DONE, jobs.c.due.is_(None))
_MOVABLE: Final = (
    select(mails.c.id, mails.c.accepted_at, mails.c.sha256)
    .select_from(raw_mails)
    .join(mails, mails.c.id == raw_mails.c.case_id)
    .join(jobs, jobs.c.case_id == raw_mails.c.case_id)
    .join(cases, cases.c.case_id == raw_mails.c.case_id)
    .where(raw_mails.c.case_id > JOB, raw_mails.c.case_id < bindparam("first"))
    .where(mails.c.accepted_at < bindparam("before"))
    .where(jobs.c.state == JobState.DONE, jobs.c.due.is_(None), cases.c.sender != "")
    .order_by(raw_mails.c.case_id)
    .limit(bindparam("limit"))
)
_KEEP: Final = update(archived_mails).where(_OF).values(state=CopyState.KEPT, at=NOW)
_UNWANTED: Final = (
    select(archived_mails)
    .where(archived_mails.c.state == CopyState.UNWANTED, LEFT)
    .order_by(archived_mails.c.at, archived_mails.c.case_id)
)
_UNWANT: Final = update(archived_mails).where(_OF, archived_mails.c.state != CopyState.UNWANTED)


class SqlMailArchive(TimedPart):
    """The port `MailArchive`: a row for each mail whose copy may be in the archive; it is written before the copy, and goes after it."""

    async def movable(self, before: datetime, after: str, limit: int) -> tuple[ArchivedMail, ...]:
        """Mails whose case is done and was read: an unread one is looked through when a person is forgotten."""
        values = {"job": case_number(after) if after else 0, "before": before, "limit": limit}
        rows = await self._database.read(
            lambda c: c.execute(_MOVABLE, values | {"first": first_since(c, before)}).all()
        )
        return tuple(
            ArchivedMail(case=case_name(row.id), accepted_at=row.accepted_at, sha256=row.sha256) for row in rows
        )

    async def begin(self, mail: ArchivedMail) -> bytes | None:
        number = case_number(mail.case)
        row = {"case_id": number, "key": mail.key, "state": CopyState.COPYING, "at": self._clock.now()}
        once = insert_once(archived_mails, postgres=self._database.postgres)

        def begun(connection: Connection) -> bytes | None:
            connection.execute(ALONE, {"job": number})
            raw = connection.scalar(_RAW, {"job": number})
            if raw is None:
                return None
            connection.execute(once, row)
            return bytes(raw)

        return await self._database.write(begun)

    async def keep(self, mail: ArchivedMail) -> CopyState:
        """Delete the bytes and mark the row in one commit, unless the case is worked on."""
        number = case_number(mail.case)

        def kept(connection: Connection) -> CopyState:
            connection.execute(ALONE, {"job": number})
            state = CopyState(connection.scalar(_STATE, {"job": number}) or CopyState.UNWANTED)
            done = connection.scalar(_DONE, {"job": number}) is not None
            if state is not CopyState.COPYING or not done:
                return state
            connection.execute(delete(raw_mails).where(raw_mails.c.case_id == number))
            connection.execute(_KEEP, {"job": number, "now": self._clock.now()})
            return CopyState.KEPT

        return await self._database.write(kept)

    async def unwanted(self) -> tuple[UnwantedCopy, ...]:
        rows = await self._database.read(lambda c: c.execute(_UNWANTED).all())
        return tuple(UnwantedCopy(case=case_name(row.case_id), key=row.key, since=row.at) for row in rows)

    async def removed(self, copy: UnwantedCopy) -> None:
        its = and_(archived_mails.c.case_id == case_number(copy.case), archived_mails.c.state == CopyState.UNWANTED)
        await self._database.write(lambda c: c.execute(delete(archived_mails).where(its)))

    async def kept(self) -> int:
        counted = select(func.count()).select_from(archived_mails).where(archived_mails.c.state == CopyState.KEPT)
        return await self._database.read(lambda c: c.scalar(counted)) or 0


def unwant(connection: Connection, number: int, now: datetime) -> None:
    """Say that the copy of a case's mail has to go, if there may be one; part of the commit that removes its bytes."""
    connection.execute(_UNWANT.values(state=CopyState.UNWANTED, at=now), {"job": number})
