"""The order of steps: every mail takes the arrival steps, then the pipeline that its route names."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from triage.domain.cases import Case
from triage.domain.findings import PipelineName
from triage.pipeline.context import REPLIES, SUPPORT, Services
from triage.pipeline.steps import (
    act,
    attach,
    classify,
    dispatch,
    identify,
    propose,
    read,
    reopen,
    retrieve,
    review,
    route,
    settle,
    throttle,
)
from triage.pipeline.steps.reply import acknowledge, decide, execute, generate
from triage.pipeline.steps.support import answer, escalate, look_up, resolve, supervise, tell
from triage.pipeline.steps.support import classify as classify_support
from triage.policy.approvals.proposal_mail import is_proposal
from triage.policy.decision.run_record import unsettled


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a pipeline: takes a case, returns a case."""

    name: str
    """Stored in cases and journals for years: never reuse it for another step."""
    run: Callable[[Case, Services], Awaitable[Case]]
    describe: Callable[[Case, Case], str]
    """Returns a few words for the report, given the case before and after the step."""
    needs: str = ""
    """The step exists only if this feature is on."""
    successor: Callable[[Case], str] | None = None
    """Names the step that comes next, given the case after this one; None: the one below it in the table."""
    deferred: bool = False
    """What it found is committed with the next write of the case, the intent of an effect or the end of the job: a crash repeats it.

    Not for a step whose result other cases wait for, that costs a model's answer, or that writes elsewhere."""


ARRIVAL: Final = (
    Step("read", read.read, read.describe),
    Step("identify", identify.identify, identify.describe, deferred=True),
    Step("throttle", throttle.throttle, throttle.describe, deferred=True),
    Step("route", route.route, route.describe, deferred=True),
)

CLASSIFY: Final = Step("classify", classify.classify, classify.describe, deferred=True)
RETRIEVE: Final = Step("retrieve", retrieve.retrieve, retrieve.describe, deferred=True)
DECIDE: Final = (
    Step("act", act.act, act.describe, deferred=True),
    Step("reopen", reopen.reopen, reopen.describe, deferred=True),
)

REPLY: Final = (
    Step("decide", decide.decide, decide.describe, needs=REPLIES),
    Step("execute", execute.execute, execute.describe, needs=REPLIES),
    Step("generate", generate.generate, generate.describe, needs=REPLIES),
    Step("acknowledge", acknowledge.acknowledge, acknowledge.describe, needs=REPLIES),
)
"""The steps that plan, prepare and write the answer after `act`; `settle` to `dispatch` carry it out."""

ENDING: Final = (
    Step("settle", settle.settle, settle.describe, deferred=True),
    Step("attach", attach.attach, attach.describe, deferred=True),
    Step("review", review.review, review.describe, deferred=True),
    Step("dispatch", dispatch.dispatch, dispatch.describe, deferred=True),
)
"""The steps after a decision, whether a model, the playbook or a person made it."""

SETTLE, ATTACH, REVIEW, DISPATCH = ENDING
DECIDED: Final = "decision"
"""The step by which an ended case goes on, since a person has decided."""
TELL: Final = Step("tell_customer", tell.tell, tell.describe, needs=SUPPORT)
"""After people have decided the customer hears of it."""
SUPERVISE: Final = "supervise"
SUPERVISED: Final = (
    Step(SUPERVISE, supervise.supervise, supervise.describe, needs=SUPPORT, successor=supervise.successor),
    Step(
        "classify_support",
        classify_support.classify,
        classify_support.describe,
        needs=SUPPORT,
        successor=lambda _: SUPERVISE,
    ),
    Step("resolve", resolve.resolve, resolve.describe, needs=SUPPORT, successor=lambda _: SUPERVISE),
    Step("look_up", look_up.look_up, look_up.describe, needs=SUPPORT, successor=lambda _: SUPERVISE),
    Step("answer", answer.answer, answer.describe, needs=SUPPORT, successor=lambda _: ENDING[0].name),
    RETRIEVE,
    Step("hand_over", escalate.escalate, escalate.describe, needs=SUPPORT),
)
"""The support hub: after `supervise` comes what the supervisor has decided, and after an agent the supervisor again."""

PIPELINES: Final[Mapping[PipelineName, tuple[Step, ...]]] = {
    PipelineName.PIPELINE: (CLASSIFY, RETRIEVE, *DECIDE, *REPLY, *ENDING),
    PipelineName.AGENT: (CLASSIFY, *DECIDE, *REPLY, *ENDING),
    PipelineName.SUPPORT: (CLASSIFY, *SUPERVISED, SETTLE, TELL, ATTACH, REVIEW, DISPATCH),
}

PROPOSAL: Final = (ARRIVAL[0], RETRIEVE, Step("propose", propose.propose, propose.describe), SETTLE, REVIEW, DISPATCH)
"""What an MCP client proposes takes these steps: it has no sender to judge, no thread, and nothing to be attached."""

RENAMED: Final[Mapping[str, str]] = {"restrain": "throttle", "enclose": "attach"}
"""Old step name, as stored cases have it → current name."""


def next_step(case: Case, features: Collection[str] = ()) -> Step | None:
    """Return the step that the last finished step names or precedes; the last step if the end is decided; None if all are done.

    Cases may come from an older table. Unknown names are ignored, so that a step runs twice rather than never; every
    step must be repeatable anyway, since a process may die before its commit.
    """
    table = tuple(step for step in steps_of(case) if not step.needs or step.needs in features)
    if case.end is not None:
        return table[-1]
    if case.done[-1:] == (DECIDED,) and case.result is not None:
        return SETTLE  # steps that came into the table since the case ended are not for it
    done = [RENAMED.get(name, name) for name in case.done]
    named = {step.name: step for step in table}
    last = next((named[name] for name in reversed(done) if name in named), None)
    if last is not None and last.successor is not None:
        return named[last.successor(case)]
    reached = max((place for place, step in enumerate(table, 1) if step.name in done), default=0)
    return table[reached] if reached < len(table) else None


def reopened(case: Case) -> Case:
    """Remove the ending steps and the outcome, so that the case continues at `settle`."""
    ending = {step.name for step in (*ENDING, TELL)}
    before = tuple(name for name in case.done if RENAMED.get(name, name) not in ending)
    return replace(case, end=None, outcome=None, reason="", review=None, done=before)


async def _resume(case: Case, at: Services) -> Case:
    """Reopen an ended case if a person's decision has not been carried out; else return it unchanged."""
    if at.rules.dry_run or not unsettled(case.result, await at.approvals.approvals()):
        return case
    return reopened(case)


async def _correct(case: Case, at: Services) -> Case:
    """Begin an ended case again if a person has corrected it since; else return it unchanged."""
    correction = None if at.rules.dry_run and not at.rules.autonomy.shadow else await at.history.correction()
    known = case.correction.id if case.correction else 0
    return case if correction is None or correction.id == known else case.afresh(case.run + 1, correction)


AFTERWARDS: Final = (
    Step(
        "correction", _correct, lambda _before, after: f"{after.correction.by} corrects it" if after.correction else ""
    ),
    Step(DECIDED, _resume, lambda _before, _after: "a person has decided: it goes on to its end"),
    Step("throttle summary", throttle.summarize_rest, throttle.describe),
)
"""Steps for a job that comes back after its case has ended; each returns the case itself if there is nothing to do."""


def steps_of(case: Case) -> tuple[Step, ...]:
    """Return the case's steps; before `route` these are the arrival steps and `dispatch`."""
    if is_proposal(case.source):
        return PROPOSAL
    return ARRIVAL + (PIPELINES[case.route.pipeline] if case.route else ENDING[-1:])
