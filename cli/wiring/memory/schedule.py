"""Builds the schedule of the memory's builds."""

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from triage.config.settings import Settings
from triage.domain.ports import Failpoint

if TYPE_CHECKING:
    from cli.wiring.agents.live_config import LiveConfig
    from integrations.sql.store import SqlStore
    from triage.services.memory.build.schedule import BuildSchedule


def schedules_of(
    settings: Settings, store: "SqlStore", live: "LiveConfig", failpoint: Failpoint, later: AsyncExitStack
) -> "tuple[BuildSchedule, ...]":
    """Return what builds every MEMORY_BUILD_HOURS; none, and nothing loaded, where that or the memory is off."""
    if not (settings.enable_memory and settings.memory_build_hours):
        return ()
    from cli.wiring.memory.build import builds_of
    from integrations.system_clock import SystemClock
    from triage.services.memory.build.schedule import BuildSchedule

    return (BuildSchedule(builds=builds_of(settings, store, live, failpoint, later), clock=SystemClock()),)
