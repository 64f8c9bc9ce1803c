"""The port `Figures`: sums over the store that read what is new or unfinished, never all cases."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Select, and_, case, func, select

from integrations.sql.case_lists.filters import undecided
from integrations.sql.database.decision_tables import letters
from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import ENDED, AnyRow
from integrations.sql.database.schema import JobState, cases, email_events, jobs, llm_calls, mails, steps
from integrations.sql.operations.audit import ASKED, last_before
from integrations.sql.report import BOTH, STATE
from triage.domain.operations.figures import SECONDS, BacklogFigures, Growth, ModelUse, Timed, Today

_N: Final = func.count().label("n")
_OPEN: Final = (
    select(
        STATE,
        _N,
        func.min(mails.c.accepted_at).label("oldest"),
        func.max(case((jobs.c.state == JobState.LEASED, jobs.c.due))).label("leased_until"),
    )
    .select_from(BOTH.join(mails, mails.c.id == cases.c.case_id))
    .where(jobs.c.due.is_not(None), cases.c.outcome.is_(None))
    .group_by(STATE)
)
_LETTERS: Final = select(letters.c.state, _N).group_by(letters.c.state)
_ENDINGS: Final = email_events.join(cases, cases.c.case_id == email_events.c.case_id)
_SOURCES: Final = select(mails.c.source, _N).group_by(mails.c.source)


class SqlFigures(StorePart):
    """The port `Figures`: each method is one read-only transaction."""

    async def backlog(self) -> BacklogFigures:
        rows = await self._database.read(lambda c: c.execute(_OPEN).all())
        oldest = min((row.oldest for row in rows), default=None)
        leased_until = max((row.leased_until for row in rows if row.leased_until), default=None)
        return BacklogFigures(**{row.state: row.n for row in rows}, oldest=oldest, leased_until=leased_until)

    async def today(self, since: datetime) -> Today:
        new = select(func.count()).where(mails.c.id > last_before(mails.c.id, mails.c.accepted_at, since))
        late = email_events.c.id > last_before(email_events.c.id, email_events.c.at, since)
        ended = (
            select(cases.c.outcome, func.count(cases.c.case_id.distinct()))
            .select_from(_ENDINGS)
            .where(late, email_events.c.name == ENDED, cases.c.outcome.is_not(None))
            .group_by(cases.c.outcome)
        )

        def read(connection: Connection) -> Today:
            return Today(came_in=connection.execute(new).scalar_one(), ended=_pairs(connection, ended))

        return await self._database.read(read)

    async def undecided(self, at: datetime) -> int:
        statement = select(func.count()).select_from(cases).where(undecided(at))
        return await self._database.read(lambda c: c.execute(statement).scalar_one())

    async def letters(self) -> Mapping[str, int]:
        return await self._counted(_LETTERS)

    async def sources(self, until: datetime) -> Mapping[str, int]:
        """All mails accepted before then, by source; read from the index that keeps deliveries apart."""
        return await self._counted(_SOURCES.where(mails.c.id <= last_before(mails.c.id, mails.c.accepted_at, until)))

    async def growth(self, since: datetime, until: datetime) -> Growth:
        """What came in between these moments."""
        new_mails = _between(mails.c.id, mails.c.accepted_at, since, until)
        new_events = _between(email_events.c.id, email_events.c.at, since, until)

        def read(connection: Connection) -> Growth:
            return Growth(
                mails=_pairs(connection, _SOURCES.where(new_mails)),
                ended=_pairs(
                    connection,
                    select(cases.c.outcome, _N)
                    .select_from(_ENDINGS)
                    .where(new_events, email_events.c.name == ENDED, cases.c.outcome.is_not(None))
                    .group_by(cases.c.outcome),
                ),
                steps=tuple(Timed(**_timed(row)) for row in connection.execute(_steps(since, until))),
                models=tuple(map(_model, connection.execute(_models(since, until)))),
            )

        return await self._database.read(read)

    async def _counted(self, statement: Select[Any]) -> Mapping[str, int]:
        return await self._database.read(lambda c: _pairs(c, statement))


def _pairs(connection: Connection, statement: Select[Any]) -> dict[str, int]:
    """Rows of a name and a number."""
    return {row[0]: row[1] for row in connection.execute(statement)}


def _between(number: Column[Any], at: Column[Any], since: datetime, until: datetime) -> ColumnElement[bool]:
    """Rows of these moments, found from the newest one backwards: their numbers are in the order of time."""
    return and_(number > last_before(number, at, since), at >= since, at < until)


def _durations(ms: Column[Any]) -> tuple[ColumnElement[Any], ...]:
    """How many there are, their sum, and how many lasted as long as each bound at most."""
    within = (func.sum(case((ms <= bound * 1000, 1), else_=0)).label(f"to_{i}") for i, bound in enumerate(SECONDS))
    return (_N, func.sum(ms).label("ms"), *within)


def _steps(since: datetime, until: datetime) -> Select[Any]:
    these = _between(steps.c.id, steps.c.at, since, until)
    return select(steps.c.name, *_durations(steps.c.ms)).where(these).group_by(steps.c.name)


def _models(since: datetime, until: datetime) -> Select[Any]:
    """The index over times finds the rows."""
    used = (
        func.sum(llm_calls.c.input_tokens).label("input_tokens"),
        func.sum(llm_calls.c.output_tokens).label("output_tokens"),
        func.coalesce(func.sum(llm_calls.c.cost_usd), 0.0).label("cost_usd"),
    )
    return (
        select(llm_calls.c.model.label("name"), *_durations(llm_calls.c.ms), *used)
        .where(llm_calls.c.at >= since, llm_calls.c.at < until, ASKED)
        .group_by(llm_calls.c.model)
    )


def _model(row: AnyRow) -> ModelUse:
    return ModelUse(
        **_timed(row),
        input_tokens=int(row.input_tokens),
        output_tokens=int(row.output_tokens),
        cost_usd=float(row.cost_usd),
    )


def _timed(row: AnyRow) -> dict[str, Any]:
    within = tuple(int(getattr(row, f"to_{place}")) for place in range(len(SECONDS)))
    return {"name": row.name, "within": within, "count": row.n, "seconds": float(row.ms) / 1000}
