"""A build of the team's memory: what it has done so far, and the mails that it has read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final


class BuildKind(StrEnum):
    """What is done: a build does all."""

    BUILD = "build"
    """Reads new mails and writes their notes, then the other two."""
    REFRESH = "refresh"
    """Reassesses open actions, and turns our own promises into actions."""
    RECONCILE = "reconcile"
    """Closes, moves and expires notes by sent mail and tickets."""


class BuildStage(StrEnum):
    """Where a build is; the last two are ends."""

    FETCH = "fetch"
    READ = "read"
    WRITE = "write"
    GRAPH = "graph"
    ACTIONS = "actions"
    RECONCILE = "reconcile"
    COMPLETE = "complete"
    FAILED = "failed"


STAGES: Final[Mapping[BuildKind, tuple[BuildStage, ...]]] = {
    BuildKind.BUILD: (
        *(BuildStage.FETCH, BuildStage.READ, BuildStage.WRITE, BuildStage.GRAPH),
        *(BuildStage.ACTIONS, BuildStage.RECONCILE, BuildStage.COMPLETE),
    ),
    BuildKind.REFRESH: (BuildStage.ACTIONS, BuildStage.COMPLETE),
    BuildKind.RECONCILE: (BuildStage.RECONCILE, BuildStage.COMPLETE),
}
"""The stages of each kind, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One build and how far it is."""

    id: int
    kind: BuildKind
    by: str
    """Who started it."""
    stage: BuildStage = BuildStage.FETCH
    done: int = 0
    """Of the stage's `total`: mails, notes."""
    total: int = 0
    figures: Mapping[str, int] = field(default_factory=dict)
    """What was counted: `mails`, `noise`, `observations`, `capped`, `created`, `merged`, `closed`, `moved`, `expired`, …"""
    trouble: str = ""
    """Why it failed, and what helps."""
    started_at: datetime
    beat_at: datetime
    """Its last sign of life."""
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildBacklog:
    """What the next build finds to do, in mails."""

    unread: int
    """Ended cases that no build has read."""
    unwritten: int
    """Read by a build that ended before all their notes were written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMail:
    """A mail that a build has read, with the observations to write."""

    case: str
    sender: str
    """Canonical address."""
    day: str
    """Day of the mail, `2026-11-22`."""
    observations: str
    """JSON, as `docs/reference/observation.schema.json` has it; `[]` where the mail says nothing."""
    count: int
    """Number of its observations."""
