"""The port `BuildStore`: one build at a time, and each mail read once."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Boolean, Column, Connection, Index, Integer, Table, Text, func, insert, select, update

from integrations.sql.database.engine import TimedPart, insert_once
from integrations.sql.database.rows import AnyRow, case_name, case_number, noun_of
from integrations.sql.database.schema import case_of_row, cases, metadata, number_of_row
from integrations.sql.database.types import IndexedText, SafeText, UtcDateTime
from triage.domain.cases import Case
from triage.domain.memory.builds import Build, BuildBacklog, BuildKind, BuildStage, ReadMail
from triage.domain.memory.errors import BuildLost, BuildRunning

memory_builds: Final = Table(
    "memory_builds",
    metadata,
    number_of_row(),
    Column("kind", Text, nullable=False),
    Column("made_by", SafeText, nullable=False),
    Column("stage", Text, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    # JSON: name → count.
    Column("figures", SafeText, nullable=False),
    Column("trouble", SafeText, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("beat_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
)

memory_mails: Final = Table(
    "memory_mails",
    metadata,
    case_of_row(primary_key=True, autoincrement=False),
    Column("sender", IndexedText, nullable=False),
    Column("day", Text, nullable=False),
    Column("written", Boolean, nullable=False, index=True),
    # JSON, empty once its notes are written: no second copy of what people wrote.
    Column("observations", SafeText, nullable=False),
    Column("kept", Integer, nullable=False),
    Index("ix_memory_mails_sender", "sender", "day"),
)

LOCK: Final = 0x6275_696C_64  # "build"
_ALONE: Final = select(func.pg_advisory_xact_lock(LOCK))
_NEWEST: Final = select(memory_builds).order_by(memory_builds.c.id.desc()).limit(1)
_READ: Final = select(memory_mails.c.case_id)
_ENDED: Final = select(cases.c.data).where(cases.c.outcome.is_not(None)).order_by(cases.c.case_id)
_UNREAD: Final = cases.c.case_id.not_in(_READ)


class SqlBuilds(TimedPart):
    """The port `BuildStore`: each method is one transaction."""

    async def begin(self, kind: BuildKind, by: str, silence: float) -> Build:
        now = self._clock.now()

        def begun(connection: Connection) -> Build:
            if self._database.postgres:
                connection.execute(_ALONE)
            last = connection.execute(_NEWEST).first()
            if last is not None and last.ended_at is None:
                if last.beat_at > now - timedelta(seconds=silence):
                    raise BuildRunning(last.id)
                if last.kind == kind:
                    return self._taken(connection, last)
                dead = {"stage": BuildStage.FAILED, "trouble": "it was stopped", "ended_at": now}
                connection.execute(update(memory_builds).where(memory_builds.c.id == last.id).values(dead))
            empty = {"stage": BuildStage.FETCH, "done": 0, "total": 0, "figures": "{}", "trouble": ""}
            row = {"kind": kind, "made_by": by, **empty, "started_at": now, "beat_at": now}
            return _build(connection.execute(insert(memory_builds).values(row).returning(*memory_builds.c)).one())

        return await self._database.write(begun)

    def _taken(self, connection: Connection, row: AnyRow) -> Build:
        this = update(memory_builds).where(memory_builds.c.id == row.id)
        return _build(connection.execute(this.values(beat_at=self._clock.now()).returning(*memory_builds.c)).one())

    async def beat(self, build: Build) -> Build:
        mine = (memory_builds.c.id == build.id) & (memory_builds.c.beat_at == build.beat_at)
        row = {
            "stage": build.stage,
            "done": build.done,
            "total": build.total,
            "figures": json.dumps(dict(build.figures)),
            "trouble": build.trouble,
            "beat_at": self._clock.now(),
            "ended_at": build.ended_at,
        }
        statement = update(memory_builds).where(mine).values(row).returning(*memory_builds.c)
        found = await self._database.write(lambda c: c.execute(statement).first())
        if found is None:
            raise BuildLost(build.id)
        return _build(found)

    async def latest(self, kind: BuildKind | None = None) -> Build | None:
        statement = _NEWEST if kind is None else _NEWEST.where(memory_builds.c.kind == kind)
        row = await self._database.read(lambda c: c.execute(statement).first())
        return _build(row) if row is not None else None

    async def cases(self, after: str, limit: int, *, unread: bool) -> tuple[Case, ...]:
        wanted = _ENDED.where(cases.c.case_id > case_number(after)).limit(limit)
        statement = wanted.where(_UNREAD) if unread else wanted
        return await self._database.read(lambda c: tuple(c.scalars(statement)))

    async def backlog(self) -> BuildBacklog:
        """How much is to be read, and to be written."""
        unread = select(func.count()).select_from(cases).where(cases.c.outcome.is_not(None), _UNREAD)
        unwritten = select(func.count()).select_from(memory_mails).where(memory_mails.c.written.is_(False))
        return await self._database.read(
            lambda c: BuildBacklog(unread=c.scalar(unread) or 0, unwritten=c.scalar(unwritten) or 0)
        )

    async def keep(self, mails: Sequence[ReadMail]) -> None:
        add = insert_once(memory_mails, postgres=self._database.postgres)
        rows = [_row(mail) for mail in mails]
        if rows:
            await self._database.write(lambda c: c.execute(add, rows))

    async def unwritten(self, limit: int) -> tuple[ReadMail, ...]:
        statement = (
            select(memory_mails).where(memory_mails.c.written.is_(False)).order_by(memory_mails.c.case_id).limit(limit)
        )
        return await self._database.read(lambda c: tuple(_mail(row) for row in c.execute(statement)))

    async def wrote(self, case: str) -> None:
        """Commit that a mail's notes are written."""
        this = memory_mails.c.case_id == case_number(case)
        statement = update(memory_mails).where(this).values(written=True, observations="")
        await self._database.write(lambda c: c.execute(statement))

    async def kept(self, sender: str, day: str) -> int:
        these = (memory_mails.c.sender == sender) & (memory_mails.c.day == day)
        statement = select(func.sum(memory_mails.c.kept)).where(these)
        return await self._database.read(lambda c: int(c.scalar(statement) or 0))


def _row(mail: ReadMail) -> dict[str, Any]:
    return {
        "case_id": case_number(mail.case),
        "sender": mail.sender,
        "day": mail.day,
        "written": mail.count == 0,
        "observations": mail.observations if mail.count else "",
        "kept": mail.count,
    }


def _mail(row: AnyRow) -> ReadMail:
    return ReadMail(
        case=case_name(row.case_id), sender=row.sender, day=row.day, observations=row.observations, count=row.kept
    )


def _build(row: AnyRow) -> Build:
    return noun_of(
        Build,
        row,
        kind=BuildKind(row.kind),
        by=row.made_by,
        stage=BuildStage(row.stage),
        figures=json.loads(row.figures),
    )
