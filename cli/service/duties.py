"""Builds the duties that one process does for all: what runs, how often, and the log event of its failure."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from triage.services.operations.leader import Leader, Work, restarted
from triage.services.operations.repeating import Repeated

if TYPE_CHECKING:
    from cli.wiring.app import App

FIRST_TICKETS: Final = "first tickets"
"""The duty to read missed tickets before the first mail."""


def duties_of(app: "App") -> Sequence[Leader]:
    """Return the duties that begin with the process.

    Each is safe if two processes do it for a moment: notices and letters are sent once by their key, notes are leased, a mail's
    copy is read back before its bytes are deleted, a second build of the memory is refused, sweeps and syncs are idempotent.
    """
    clock = app.worker.clock
    works: list[Work] = [partial(repeated.run, clock) for repeated in _repeated(app)]
    works += [app.knowledge_sync.run] if app.knowledge_sync else []
    return [_leader(app, "housekeeping", works)]


def _repeated(app: "App") -> Iterator[Repeated]:
    yield Repeated(app.approvals.expire, 60.0, "approvals.later")
    yield from (Repeated(sweeper.run_once, 3600.0, "sweep.failed") for sweeper in app.sweepers)
    yield from (Repeated(conditions.run_once, 15.0, "notices.later") for conditions in app.conditions)
    yield from (Repeated(digest.run_once, 1800.0, "digest.later") for digest in app.digests)
    yield from (Repeated(schedule.run_once, 60.0, "memory.schedule.later") for schedule in app.memory_schedules)
    yield from (Repeated(talk.run_once, 5.0, "talk.later") for talk in app.talk)
    yield from (Repeated(letters.run_once, 15.0, "approval_letters.later") for letters in app.approval_letters)
    if app.retention:
        yield Repeated(app.retention.remove, 3600.0, "retention.failed")
    if app.archiving:
        yield Repeated(app.archiving.run_once, 3600.0, "archive.failed")


def ticket_duties_of(app: "App") -> Sequence[Leader]:
    """Return the duties that begin once the first tickets are read."""
    return [_leader(app, "tickets", [syncing.run for syncing in app.ticket_index_syncs])]


def _leader(app: "App", duty: str, works: Sequence[Work]) -> Leader:
    clock = app.worker.clock
    steady = [partial(restarted, work, clock) for work in works]
    return Leader(leadership=app.context.leadership, clock=clock, duty=duty, works=steady)
