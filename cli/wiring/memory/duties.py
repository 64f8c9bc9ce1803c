"""Builds what the leader does for the memory: its builds, and the weekly digest."""

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from cli.wiring.agents.live_config import LiveConfig
from integrations.sql.store import SqlStore
from triage.config.settings import Settings
from triage.domain.ports import Failpoint
from triage.services.channels.notices import Notices
from triage.services.memory.digest import MemoryDigest

if TYPE_CHECKING:
    from triage.services.memory.build.service import BuildSchedule


def schedules_of(
    settings: Settings, store: SqlStore, live: LiveConfig, failpoint: Failpoint, later: AsyncExitStack
) -> "tuple[BuildSchedule, ...]":
    """Return what builds every MEMORY_BUILD_HOURS; none, and nothing loaded, where that or the memory is off."""
    if not (settings.enable_memory and settings.memory_build_hours):
        return ()
    from cli.wiring.memory.build import builds_of
    from triage.services.memory.build.service import BuildSchedule

    return (BuildSchedule(builds=builds_of(settings, store, live, failpoint, later), clock=store.clock),)


def digests_of(settings: Settings, notices: Notices) -> tuple[MemoryDigest, ...]:
    """Return the digest; none where it is off or nobody would hear it."""
    if not (settings.enable_memory and settings.memory_digest and notices.channels):
        return ()
    from cli.wiring.memory.notes import notes_of

    return (
        MemoryDigest(notes=notes_of(settings), notices=notices, clock=notices.clock, weekday=settings.memory_digest),
    )
