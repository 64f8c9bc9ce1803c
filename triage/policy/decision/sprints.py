"""Computes the usual number of tickets in a sprint, and whether a sprint is full."""

from collections.abc import Sequence
from math import ceil

from triage.domain.tickets import Sprint


def usual_load(sprints: Sequence[Sprint]) -> int | None:
    """Return the average number of tickets per closed sprint, rounded up; None if no sprint is closed yet."""
    closed = [sprint for sprint in sprints if sprint.state == "closed"]
    return ceil(sum(sprint.tickets for sprint in closed) / len(closed)) if closed else None


def full(sprint: Sprint, usual: int | None) -> bool:
    """Tell whether one more ticket would exceed the usual number."""
    return usual is not None and sprint.tickets >= usual
