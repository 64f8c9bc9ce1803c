"""Computes the usual size of a sprint, whether one is full, and the rule for putting a ticket into one."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from triage.domain.tickets import Sprint
from triage.policy.decision.permission import Arguments, RunHistory
from triage.policy.decision.rights import Standing

SPRINT: Final = "sprint"
"""The argument of tools that put a ticket into a sprint, the kind of that effect, and the noun of sprints that were shown."""
PLAN: Final = "put into a sprint"
OVERFILL: Final = "put into a sprint that is full"
FULL: Final = "full"
CLOSED: Final = "closed"


def usual_load(sprints: Sequence[Sprint]) -> int | None:
    """Return the average number of tickets per closed sprint, rounded up; None if no sprint is closed yet."""
    closed = [sprint for sprint in sprints if sprint.state == CLOSED]
    return ceil(sum(sprint.tickets for sprint in closed) / len(closed)) if closed else None


def full(sprint: Sprint, usual: int | None) -> bool:
    """Tell whether one more ticket would exceed the usual number."""
    return usual is not None and sprint.tickets >= usual


def no_sprint(arguments: Arguments, history: RunHistory) -> str:
    """Why the ticket cannot go into this sprint: it was not seen in this run, or is over."""
    sprint, seen = arguments.get(SPRINT), history.of(SPRINT)
    if sprint is None:
        return ""
    if sprint not in seen:
        return f"there is no sprint {sprint} among those you have seen: look at the sprints first"
    return f"sprint {sprint} is closed: take the active one or none" if seen[sprint] == CLOSED else ""


def plans(arguments: Arguments, history: RunHistory) -> Mapping[str, str]:
    sprint = arguments.get(SPRINT)
    if sprint is None:
        return {}
    return {SPRINT: OVERFILL if history.of(SPRINT)[sprint] == FULL else PLAN}


def would_plan(arguments: Arguments, standing: Standing) -> Mapping[str, str]:
    """What a person is asked about it, by deed."""
    into = f"would go into sprint {arguments.get(SPRINT)}"
    return {PLAN: f"{into}; the sender is {standing}", OVERFILL: f"{into}; it holds as much as usual already"}
