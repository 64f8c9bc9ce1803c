"""Closes approvals that were not decided in time."""

from dataclasses import dataclass
from typing import Final

from loguru import logger

from triage.domain.ports import Clock, Decisions
from triage.services.operations.repeating import repeated

EVERY: Final = 60.0
"""Seconds between two checks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalExpiry:
    """Closes expired approvals; each once, also if several processes run it."""

    decisions: Decisions
    clock: Clock

    async def run(self) -> None:
        """Look until cancelled; a store that is down is tried again."""
        await repeated(self.look, self.clock, EVERY, "approvals.later")

    async def look(self) -> None:
        """Close what has expired. Raises `StoreDown`."""
        for approval in await self.decisions.expire():
            logger.bind(approval=approval.id, case=approval.case).warning("approval.expired")
