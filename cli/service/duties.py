"""Builds the leaders of what one process does for all: which works there are, and what each is called in the log."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from triage.services.operations.leader import Leader, Work, restarted

if TYPE_CHECKING:
    from cli.wiring.app import App

FIRST_TICKETS: Final = "first tickets"
"""The duty to read missed tickets before the first mail."""


def duties_of(app: "App") -> Sequence[Leader]:
    """Return the duties that begin with the process.

    Each is safe if two processes do it for a moment: notices and letters are sent once by their key, notes are leased, a mail's
    copy is read back before its bytes are deleted, a second build of the memory is refused, sweeps and syncs are idempotent.
    """
    works: list[Work] = [app.expiry.run]
    works += [sweeper.run for sweeper in app.sweepers]
    works += [conditions.run for conditions in app.conditions]
    works += [digest.run for digest in app.digests]
    works += [schedule.run for schedule in app.memory_schedules]
    works += [talk.run for talk in app.talk]
    works += [letters.run for letters in app.approval_letters]
    works += [app.knowledge_sync.run] if app.knowledge_sync else []
    works += [app.retention.run] if app.retention else []
    works += [app.archiving.run] if app.archiving else []
    return [_leader(app, "housekeeping", works)]


def ticket_duties_of(app: "App") -> Sequence[Leader]:
    """Return the duties that begin once the first tickets are read."""
    return [_leader(app, "tickets", [syncing.run for syncing in app.ticket_index_syncs])]


def _leader(app: "App", duty: str, works: Sequence[Work]) -> Leader:
    clock = app.worker.clock
    steady = [partial(restarted, work, clock) for work in works]
    return Leader(leadership=app.context.leadership, clock=clock, duty=duty, works=steady)
