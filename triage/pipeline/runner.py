"""Runs the steps of a case with one commit per step, so that a restart goes on after the last one."""

import time
from dataclasses import replace

from triage.domain.cases import Case, End, StepDone
from triage.domain.findings import Review
from triage.pipeline.context import Services
from triage.pipeline.tables import AFTERWARDS, Step, next_step, steps_of


async def run_case(at: Services) -> Case:
    """Run the remaining steps of a case. Raises what they raise; finished steps stay saved."""
    case = await at.cases.load()
    for owed in AFTERWARDS:
        if case.outcome is not None:
            case = await _one(owed, case, at)
    while case.outcome is None and (step := next_step(case)):
        case = await _one(step, case, at)
    return case


async def end_case(at: Services, *, end: End | None = None, review: Review | None = None) -> Case:
    """Skip to the last step, for a worker that gives the case up. An end that is already decided stays."""
    case = await at.cases.load()
    if case.outcome is not None:
        return case
    case = replace(case, end=case.end or end, review=review or case.review)
    return await _one(steps_of(case)[-1], case, at)


async def _one(step: Step, case: Case, at: Services) -> Case:
    """Run one step in the project of the case's route and save its result, duration and number of requests to the tracker."""
    at = at.within(case.route.project if case.route else "")
    at.failpoint(f"step.{step.name}")
    started, calls = time.perf_counter(), at.metadata.calls
    found = await step.run(case, at)
    if found is case and case.outcome is not None:
        return case  # an AFTERWARDS step had nothing to do
    after = replace(found, done=(*found.done, step.name))
    done = StepDone(name=step.name, ms=(time.perf_counter() - started) * 1000, note=step.describe(case, after))
    ended = after.outcome is not None and case.outcome is None
    await at.cases.save(after, done, calls=at.metadata.calls - calls, ended=ended)
    return after
