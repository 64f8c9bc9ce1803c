"""The order of steps: every mail takes the arrival steps, then the pipeline that its route names."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from triage.domain.cases import Case
from triage.domain.findings import PipelineName
from triage.pipeline.context import Services
from triage.pipeline.steps import (
    act,
    attach,
    classify,
    dispatch,
    identify,
    read,
    reopen,
    retrieve,
    review,
    route,
    settle,
    throttle,
)
from triage.policy.decision.decisions import unsettled


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a pipeline: takes a case, returns a case."""

    name: str
    """As cases and journals keep it, for years: never given to another step."""
    run: Callable[[Case, Services], Awaitable[Case]]
    describe: Callable[[Case, Case], str]
    """What it has found, in a few words for the report, from the case before it and after it."""


ARRIVAL: Final = (
    Step("read", read.read, read.describe),
    Step("identify", identify.identify, identify.describe),
    Step("throttle", throttle.throttle, throttle.describe),
    Step("route", route.route, route.describe),
)

CLASSIFY: Final = Step("classify", classify.classify, classify.describe)
RETRIEVE: Final = Step("retrieve", retrieve.retrieve, retrieve.describe)
DECIDE: Final = (
    Step("act", act.act, act.describe),
    Step("reopen", reopen.reopen, reopen.describe),
)

ENDING: Final = (
    Step("settle", settle.settle, settle.describe),
    Step("attach", attach.attach, attach.describe),
    Step("review", review.review, review.describe),
    Step("dispatch", dispatch.dispatch, dispatch.describe),
)
"""What follows a decision, whoever made it: model, playbook, or a person who was asked."""

PIPELINES: Final[Mapping[PipelineName, tuple[Step, ...]]] = {
    PipelineName.PIPELINE: (CLASSIFY, RETRIEVE, *DECIDE, *ENDING),
    PipelineName.AGENT: (CLASSIFY, *DECIDE, *ENDING),
}

RENAMED: Final[Mapping[str, str]] = {"restrain": "throttle", "enclose": "attach"}
"""Names that steps had in older versions."""


def next_step(case: Case) -> Step | None:
    """The step behind the last one done, the last one where the case's end is decided; None at the end of the table.

    A case may have been begun under another table: names that this one does not have are passed over, so that a step is
    rather done again than left out. Every step may be done again, since a process may die before its commit.
    """
    table = steps_of(case)
    if case.end is not None:
        return table[-1]
    done = {RENAMED.get(name, name) for name in case.done}
    reached = max((place for place, step in enumerate(table, 1) if step.name in done), default=0)
    return table[reached] if reached < len(table) else None


def reopened(case: Case) -> Case:
    """The case on its way again from where decisions are carried out; one that has not come so far goes on as it is."""
    ending = {step.name for step in ENDING}
    before = tuple(name for name in case.done if RENAMED.get(name, name) not in ending)
    return replace(case, end=None, outcome=None, reason="", review=None, done=before)


async def _resume(case: Case, at: Services) -> Case:
    """The case on its way again, where people have decided about it since it ended."""
    if at.rules.dry_run or not unsettled(case.result, await at.approvals.approvals()):
        return case
    return reopened(case)


AFTERWARDS: Final = (
    Step("decision", _resume, lambda _before, _after: "a person has decided: it goes on to its end"),
    Step("throttle summary", throttle.tell_rest, throttle.describe),
)
"""What the job of a case that has ended may come back for; where nothing is owed, a step gives the case back as it is."""


def steps_of(case: Case) -> tuple[Step, ...]:
    """The steps of this case as far as they are known: before `route`, only the arrival and the end."""
    return ARRIVAL + (PIPELINES[case.route.way] if case.route else ENDING[-1:])
