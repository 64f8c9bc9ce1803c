"""The order of work, to be read aloud: every mail arrives, then takes the way its route says."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final

from triage.agent.services import Services
from triage.domain.cases import Case, Way
from triage.pipeline.steps.act import act
from triage.pipeline.steps.classify import classify
from triage.pipeline.steps.dispatch import dispatch
from triage.pipeline.steps.enclose import enclose
from triage.pipeline.steps.identify import identify
from triage.pipeline.steps.read import read
from triage.pipeline.steps.reopen import reopen
from triage.pipeline.steps.restrain import restrain, tell_rest
from triage.pipeline.steps.retrieve import retrieve
from triage.pipeline.steps.review import review
from triage.pipeline.steps.route import route
from triage.pipeline.steps.settle import settle

Step = Callable[[Case, Services], Awaitable[Case]]

ARRIVAL: Final[tuple[Step, ...]] = (read, identify, restrain, route)

ENDING: Final[tuple[Step, ...]] = (settle, enclose, review, dispatch)
"""What follows a decision, whoever made it: model, playbook, or a person who was asked."""

PIPELINES: Final[Mapping[Way, tuple[Step, ...]]] = {
    Way.PIPELINE: (classify, retrieve, act, reopen, *ENDING),
    Way.AGENT: (classify, act, reopen, *ENDING),
}

LATER: Final[Step] = tell_rest
"""What a case does that comes back after its end."""


def next_step(case: Case) -> Step | None:
    """The step behind the last one done; None at the end of the table.

    A case may have been begun under another table: names that this one does not have are passed over, so that a step is
    rather done again than left out. Every step may be done again, since a process may die before its commit.
    """
    table = steps_of(case)
    reached = max((place for place, step in enumerate(table, 1) if step.__name__ in case.done), default=0)
    return table[reached] if reached < len(table) else None


def reopened(case: Case) -> Case:
    """The case on its way again from where decisions are carried out; one that has not come so far goes on as it is."""
    ending = {step.__name__ for step in ENDING}
    before = tuple(name for name in case.done if name not in ending)
    return replace(case, outcome=None, reason="", review=None, done=before)


def steps_of(case: Case) -> tuple[Step, ...]:
    """The steps of this case as far as they are known: before `route`, only the arrival."""
    return ARRIVAL + (PIPELINES[case.route.way] if case.route else ())
