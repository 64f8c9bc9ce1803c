"""Notices that another process on this database writes to another Jira project: tickets would go to either by chance."""

from dataclasses import dataclass, field
from typing import Final

from loguru import logger

from triage.domain.errors import StoreDown
from triage.domain.ports import Clock, TrackerClaims
from triage.services.operations.repeating import repeated

EVERY: Final = 20.0
"""Seconds between two renewals."""
STALE: Final = 65.0
"""Seconds after which the claim of a process that was killed counts no more."""


@dataclass(slots=True, kw_only=True)
class TrackerClaim:
    """This process's claim; beside a worker."""

    claims: TrackerClaims
    clock: Clock
    tracker: str
    """Which project of which Jira: `OPS at https://acme.atlassian.net`."""
    _other: str = field(default="", init=False)

    async def run(self) -> None:
        """Renew the claim until cancelled, then give it up, so that a restart with other settings is no conflict."""
        try:
            await repeated(self.renew, self.clock, EVERY, "tracker.claim_unknown")
        finally:
            await self._release()

    async def renew(self) -> None:
        """Claim the database, and log once whose it is instead. Raises `StoreDown`."""
        claimed = await self.claims.claim(self.tracker, STALE)
        other = claimed if claimed != self.tracker else ""
        if other and other != self._other:
            logger.bind(ours=self.tracker, theirs=other).warning("tracker.settings_differ")
        self._other = other

    def trouble(self) -> str:
        """Return what is wrong, with the cure; empty if nothing is."""
        if not self._other:
            return ""
        return f"another process on this database writes to {self._other}, this one to {self.tracker}; give both the same JIRA_… settings"

    async def _release(self) -> None:
        try:
            await self.claims.release(self.tracker)
        except StoreDown as e:
            logger.bind(error=str(e)).debug("tracker.release_unknown")
