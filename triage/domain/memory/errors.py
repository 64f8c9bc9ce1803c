"""Errors of the team's memory."""

from dataclasses import dataclass

from triage.domain.errors import Refused, Transient


@dataclass(eq=False)
class BuildRunning(Refused):
    """A build of the memory is under way: wait for its end, or look at it with `triage memory build --status`."""

    build: int


@dataclass(eq=False)
class BuildLost(Transient):
    """Another process went on with this build of the memory, since it gave no sign of life."""

    build: int
