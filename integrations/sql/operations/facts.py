"""The narrow row of an ended case, of which insights are counted; written in the commit that ends it."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from sqlalchemy import Boolean, ColumnElement, Executable, Text, bindparam, case, extract, func, select

from integrations.sql.database.engine import insert_into
from integrations.sql.database.leases import JOB
from integrations.sql.database.schema import mails
from integrations.sql.database.types import IndexedText, UtcDateTime
from integrations.sql.operations.tables import case_facts
from triage.domain.cases import Case, Outcome
from triage.domain.findings import Disposition

TICKETED: Final = frozenset({Outcome.TICKETED, Outcome.COMMENTED, Outcome.UPDATED})
_TOLD: Final = ("project", "outcome", "cause", "component", "language", "joined")
_NOW: Final = bindparam("now", type_=UtcDateTime)
LONGEST: Final = 100
"""Characters of a component's name."""


@cache
def keep_facts(*, postgres: bool) -> Executable:
    """The insert of the row of the case `job`; a case that ends again keeps the time of its first ticket."""
    took = case((bindparam("ticketed", type_=Boolean), _elapsed(postgres=postgres)))
    columns = [bindparam(name, type_=IndexedText if name == "component" else Text) for name in _TOLD]
    row = select(mails.c.id, day_of(mails.c.accepted_at, postgres=postgres), took, *columns).where(mails.c.id == JOB)
    made = insert_into(case_facts, postgres=postgres).from_select(["case_id", "day", "seconds", *_TOLD], row)
    values = {name: made.excluded[name] for name in _TOLD}
    first = func.coalesce(case_facts.c.seconds, made.excluded.seconds)
    return made.on_conflict_do_update(index_elements=["case_id"], set_={**values, "seconds": first})


def day_of(at: ColumnElement[Any], *, postgres: bool) -> ColumnElement[str]:
    """The day in UTC, as ISO 8601."""
    if postgres:
        return func.to_char(func.timezone("UTC", at), "YYYY-MM-DD")
    return func.strftime("%Y-%m-%d", at)


def facts_of(case: Case) -> Mapping[str, Any]:
    """What is told of an ended case: no words of the mail."""
    ticketed = case.ticket is not None and case.outcome in TICKETED
    return {
        "project": case.ticket.partition("-")[0] if case.ticket else case.project,
        "outcome": str(case.outcome),
        "cause": _cause(case),
        "component": _component(case)[:LONGEST] if case.outcome is Outcome.TICKETED else "",
        "language": next(iter(case.cues.languages), ""),
        "joined": _joined(case) if ticketed else "",
        "ticketed": ticketed,
    }


def _cause(case: Case) -> str:
    """The program of an alert, the type of work, or the disposition."""
    if case.identity.alert is not None:
        return f"alert: {case.identity.alert.source}"
    found = case.classification.disposition
    if found is None:
        return ""
    return case.cues.type.value if found.disposition is Disposition.WORK else found.disposition.replace("_", " ")


def _component(case: Case) -> str:
    """The first component that the call which created the ticket named, as Jira accepted it."""
    for run in case.calls:
        if run.facts.get("status") == "created":
            written = run.facts.get("written") or run.arguments
            named = written.get("components") if isinstance(written, Mapping) else None
            return str(next(iter(named), "")) if isinstance(named, list | tuple) else ""
    return ""


def _joined(case: Case) -> str:
    if case.outcome is Outcome.TICKETED:
        return "new ticket"
    return "same thread" if case.identity.joined else "duplicate"


def _elapsed(*, postgres: bool) -> ColumnElement[Any]:
    """Seconds since the mail was accepted."""
    if postgres:
        return extract("epoch", _NOW - mails.c.accepted_at)
    return (func.julianday(_NOW) - func.julianday(mails.c.accepted_at)) * 86_400.0
