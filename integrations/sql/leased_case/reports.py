"""Reads the comments and the collected reports of all cases on one ticket."""

from typing import Any, Final

from sqlalchemy import BindParameter, Connection, and_, bindparam, func, select

from integrations.sql.database.leases import JOB
from integrations.sql.database.rows import case_name
from integrations.sql.database.schema import cases, effects, jobs
from triage.domain.effects import EffectState, Reports
from triage.domain.untrusted import Untrusted

SHOWN: Final = 20
"""Senders that are named."""
COLLECTS: Final = ":reports"
"""End of the effect key of the comment on further reports."""
_TICKET: Final[BindParameter[Any]] = bindparam("of_ticket")
_DONE: Final = and_(effects.c.target == _TICKET, effects.c.state == EffectState.DONE)
_REPORTED: Final = and_(_DONE, effects.c.kind == "report")
_BOTH: Final = effects.join(cases, cases.c.case_id == effects.c.case_id)
_COMMENT: Final = (
    select(effects.c.result)
    .where(_DONE, effects.c.kind == "comment", effects.c.key.endswith(COLLECTS))
    .order_by(effects.c.id.desc())
    .limit(1)
)
_ALONE: Final = (
    select(func.count())
    .select_from(effects)
    .where(_DONE, effects.c.kind == "comment", effects.c.key.not_like(f"%{COLLECTS}"), effects.c.case_id != JOB)
)
_SPAN: Final = (
    select(
        func.count().label("n"),
        func.min(effects.c.intended_at).label("since"),
        func.max(effects.c.intended_at).label("until"),
        func.count(cases.c.sender.distinct()).label("different"),
    )
    .select_from(_BOTH)
    .where(_REPORTED)
)
_SENDERS: Final = (
    select(cases.c.sender, func.count().label("n"), func.max(cases.c.case_id).label("last"))
    .select_from(_BOTH)
    .where(_REPORTED)
    .group_by(cases.c.sender)
    .order_by(func.count().desc(), func.max(cases.c.case_id))
    .limit(SHOWN)
)
_WRITER: Final = (
    select(func.min(effects.c.case_id))
    .select_from(_BOTH.join(jobs, jobs.c.case_id == effects.c.case_id))
    .where(_REPORTED, cases.c.outcome.is_(None), jobs.c.due.is_not(None), effects.c.case_id < JOB)
)


def reports_on(connection: Connection, ticket: str, case: int) -> Reports:
    """Return what stands on the ticket, as this case sees it."""
    values = {"of_ticket": ticket, "job": case}
    span = connection.execute(_SPAN, values).one()
    comment: str = connection.scalar(_COMMENT, values) or ""
    writer = None if comment else connection.scalar(_WRITER, values)
    return Reports(
        comments=connection.scalar(_ALONE, values) or 0,
        count=span.n,
        since=span.since,
        until=span.until,
        senders=tuple(
            (Untrusted(row.sender or ""), row.n, case_name(row.last)) for row in connection.execute(_SENDERS, values)
        ),
        different=span.different,
        comment=comment,
        writer=None if writer is None else case_name(writer),
    )
