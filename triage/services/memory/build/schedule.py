"""Builds the memory every few hours, beside the workers."""

from dataclasses import dataclass
from typing import Final

from loguru import logger

from triage.domain.memory.builds import Build, BuildKind
from triage.domain.memory.errors import BuildRunning
from triage.domain.ports import Clock
from triage.services.memory.build.service import BuildService

BY: Final = "schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSchedule:
    """Starts a build of the memory every few hours; if two processes run it for a moment, one of them builds."""

    builds: BuildService
    clock: Clock

    async def look(self) -> Build | None:
        """Build if it is time, and return the build; None if it is not, or another one is under way. Raises `StoreDown`, `BuildLost`."""
        status = await self.builds.status()
        if status.next_at is None or status.next_at > self.clock.now():
            return None
        try:
            done = await self.builds.run(BuildKind.BUILD, BY)
        except BuildRunning as e:
            logger.bind(build=e.build).info("memory.schedule.skipped")
            return None
        logger.bind(build=done.id, stage=done.stage.value, **done.figures).info("memory.schedule.built")
        return done
