"""Runs the steps of a case; each is committed before a later step's effect, so that a restart continues there."""

import time
from contextlib import suppress
from dataclasses import replace

from triage.domain.cases import Case, End, StepDone
from triage.domain.errors import Behind, LeaseLost, StoreDown, TriageError
from triage.domain.findings import Review
from triage.pipeline.context import REPLIES, Services
from triage.pipeline.tables import AFTERWARDS, Step, next_step, steps_of
from triage.pipeline.trace import trace_of


async def run_case(at: Services) -> Case:
    """Run the remaining steps of a case; the caller commits the end. Raises what they raise; finished steps stay saved."""
    case = await at.cases.load()
    try:
        for owed in AFTERWARDS:
            if case.outcome is not None:
                case = await _run_step(owed, case, at)
        while case.outcome is None and (step := next_step(case, at.features)):
            case = await _run_step(step, case, at)
    except Exception:
        with suppress(StoreDown, LeaseLost):
            await at.cases.flush()
        raise
    return case


async def end_case(at: Services, *, end: End | None = None, review: Review | None = None) -> Case:
    """Skip to the last step, for a worker that gives up the case; the caller commits it. An end that is already decided is kept."""
    case = await at.cases.load()
    if case.outcome is not None:
        return case
    case = replace(case, end=case.end or end, review=review or case.review)
    return await _run_step(steps_of(case)[-1], case, at)


async def _run_step(step: Step, case: Case, at: Services) -> Case:
    """Run one step in the project of the case's route and save its result, duration and number of requests to the tracker."""
    at = at.within(case.project)
    at.failpoint(f"step.{step.name}")
    started, calls = time.perf_counter(), at.tracker.metadata.calls
    try:
        found = await step.run(case, at)
    except TriageError as e:
        await _log_failure(step, case, e, started, at)
        raise
    if found is case and case.outcome is not None:
        return case  # an AFTERWARDS step had nothing to do
    after = replace(found, done=(*found.done, step.name))
    done = StepDone(
        name=step.name,
        ms=_since(started),
        note=step.describe(case, after),
        trace=trace_of(case, after, len(after.done)) if REPLIES in at.features else None,
    )
    ended = after.outcome is not None and case.outcome is None
    await at.cases.save(after, done, calls=at.tracker.metadata.calls - calls, ended=ended, deferred=step.deferred)
    return after


async def _log_failure(step: Step, case: Case, e: TriageError, started: float, at: Services) -> None:
    """Log a failed try of a step, where mails are answered; a case that only waits for another one has not failed."""
    if REPLIES not in at.features or isinstance(e, Behind | StoreDown | LeaseLost):
        return
    with suppress(StoreDown, LeaseLost):
        facts = {"trace": case.run_id, "order": len(case.done) + 1, "step": step.name}
        await at.cases.event("step.failed", **facts, ms=_since(started), error=str(e))


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
