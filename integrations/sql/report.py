"""Queries for people: lists, counts, the report of a case."""

import json
from collections import Counter
from typing import Final

from sqlalchemy import Connection, Table, case, func, select, union_all

from integrations.sql.database.decision_tables import APPROVALS_OF_A_CASE, approvals, corrections, letters
from integrations.sql.database.leases import JOB
from integrations.sql.database.rows import (
    JIRA_CALLS,
    AnyRow,
    approval_of,
    case_name,
    case_number,
    correction_of,
    effect_of,
    run_of,
    step_of,
    turn_of,
)
from integrations.sql.database.schema import (
    JobState,
    agent_runs,
    cases,
    effects,
    email_events,
    jobs,
    llm_calls,
    steps,
    traces,
)
from integrations.sql.floods import flood_of
from integrations.sql.letters.store import letter_of
from triage.domain.approvals import ApprovalState
from triage.domain.errors import CaseNotFound
from triage.domain.reports import Report

CONFLICT: Final = "copy-conflict"
"""Flag of two cases with the same mail from senders that are not equally proven."""

STATE: Final = case(
    (jobs.c.state == JobState.LEASED, "working"),
    # The case has ended and waits only to report a flood.
    ((jobs.c.state == JobState.READY) & cases.c.outcome.is_not(None) & (jobs.c.trouble == ""), cases.c.outcome),
    ((jobs.c.state == JobState.READY) & ((jobs.c.attempts > 0) | (jobs.c.trouble != "")), "retrying"),
    (jobs.c.state == JobState.READY, "ready"),
    else_=func.coalesce(cases.c.outcome, jobs.c.state),
).label("state")
"""The state in lists: the outcome, or the job's state before there is one."""

BOTH: Final = cases.join(jobs, jobs.c.case_id == cases.c.case_id)
_N: Final = func.count().label("n")
_ENDED: Final = cases.c.outcome.label("state")
_PENDING: Final = (cases.c.outcome + "").label("state")
_WAITS: Final = jobs.c.due.is_not(None)
COUNTS: Final = union_all(
    # All cases with an outcome, counted in the index alone, minus those with a pending job, which the third part counts.
    select(_ENDED, _N).where(cases.c.outcome.is_not(None)).group_by(cases.c.outcome),
    # Grouped by an expression, so that no planner reads all outcomes to have the few of pending jobs in order.
    select(_PENDING, (-func.count()).label("n"))
    .select_from(BOTH)
    .where(_WAITS, cases.c.outcome.is_not(None))
    .group_by(_PENDING),
    select(STATE, _N).select_from(BOTH).where(_WAITS).group_by(STATE),
    select(STATE, _N).select_from(BOTH).where(cases.c.outcome.is_(None), jobs.c.due.is_(None)).group_by(STATE),
)
HEAD: Final = select(cases.c.data, jobs.c.attempts, jobs.c.trouble, STATE).select_from(BOTH)
RUNS: Final = (
    select(agent_runs).where(agent_runs.c.case_id == JOB).order_by(func.length(agent_runs.c.run), agent_runs.c.run)
)
"""Runs in order: sorted by length first, so that `case-17/10` follows `case-17/9`."""
TURNS: Final = (
    select(llm_calls)
    .join(agent_runs, agent_runs.c.run == llm_calls.c.run)
    .where(agent_runs.c.case_id == JOB)
    .order_by(func.length(llm_calls.c.run), llm_calls.c.run, llm_calls.c.number)
)
APPROVALS: Final = APPROVALS_OF_A_CASE.where(approvals.c.case_id == JOB)
OPEN: Final = select(approvals).where(approvals.c.state == ApprovalState.OPEN).order_by(approvals.c.id)


def counts(connection: Connection) -> dict[str, int]:
    found = Counter[str]()
    for row in connection.execute(COUNTS):
        found[row.state] += row.n
    return {state: n for state, n in found.items() if n}


def report(connection: Connection, name: str) -> Report:
    """Everything about one case, from one transaction. Raises `CaseNotFound`."""
    number = case_number(name)
    head = connection.execute(HEAD.where(cases.c.case_id == number)).first()
    if head is None:
        raise CaseNotFound(name)
    events = _of(connection, email_events, number)
    rival = connection.scalar(select(traces.c.rival).where(traces.c.case_id == number))
    return Report(
        # Flagged on reading: the later copy sets `rival` while another worker may hold this case.
        case=head.data if rival is None else head.data.flagged(CONFLICT),
        rival="" if rival is None else case_name(rival),
        state=head.state,
        attempts=head.attempts,
        trouble=head.trouble,
        steps=tuple(step_of(row) for row in _of(connection, steps, number)),
        runs=tuple(run_of(row) for row in connection.execute(RUNS, {"job": number})),
        turns=tuple(turn_of(row) for row in connection.execute(TURNS, {"job": number})),
        effects=tuple(effect_of(row) for row in _of(connection, effects, number)),
        approvals=tuple(approval_of(row) for row in connection.execute(APPROVALS, {"job": number})),
        corrections=tuple(correction_of(row) for row in _of(connection, corrections, number)),
        letters=tuple(letter_of(row) for row in _of(connection, letters, number)),
        flood=flood_of(connection, number),
        events=tuple((row.at, row.name, json.dumps(row.facts, ensure_ascii=False)) for row in events),
        jira_calls=sum(row.facts.get("n", 0) for row in events if row.name == JIRA_CALLS),
    )


def _of(connection: Connection, table: Table, number: int) -> list[AnyRow]:
    """The case's rows of a table, in the order of its key."""
    statement = select(table).where(table.c.case_id == number).order_by(*table.primary_key)
    return list(connection.execute(statement).all())
