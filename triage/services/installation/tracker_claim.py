"""Detects that another process on this database writes to another Jira project, or runs in the shadow: tickets would go to either by chance."""

from dataclasses import dataclass, field
from typing import Final

from loguru import logger

from triage.domain.errors import SettingsInvalid, StoreDown
from triage.domain.ports import Clock, TrackerClaims
from triage.services.operations.repeating import Repeated

EVERY: Final = 20.0
"""Seconds between two renewals."""
STALE: Final = 65.0
"""Seconds after which the claim of a process that was killed counts no more."""
SHADOW: Final = "no Jira (SHADOW=true)"
"""The claim of a process in the shadow."""


@dataclass(slots=True, kw_only=True)
class TrackerClaim:
    """This process's claim; beside a worker."""

    claims: TrackerClaims
    clock: Clock
    tracker: str
    """Which project of which Jira it writes to: `OPS at https://acme.atlassian.net`, or `SHADOW`."""
    _other: str = field(default="", init=False)

    async def run(self) -> None:
        """Renew the claim until cancelled, then give it up, so that a restart with other settings is no conflict."""
        try:
            await Repeated(self.renew, EVERY, "tracker.claim_unknown").run(self.clock)
        finally:
            await self._release()

    async def renew(self) -> None:
        """Claim the database, and log once whose it is instead. Raises `StoreDown`."""
        claimed = await self.claims.claim(self.tracker, STALE)
        other = claimed if claimed != self.tracker else ""
        if other and other != self._other:
            logger.bind(ours=self.tracker, theirs=other).warning("tracker.settings_differ")
        self._other = other

    async def check(self) -> None:
        """Look, without a claim of its own, whether a command may work beside the workers. Raises `SettingsInvalid`, `StoreDown`.

        A worker may take each case that the command makes due, and writes by its own settings.
        """
        claimed = await self.claims.claimed(STALE)
        if claimed and claimed != self.tracker:
            self._other = claimed
            dry = "; to write nothing: --dry-run or --preview" if self.tracker == SHADOW else ""
            raise SettingsInvalid((f"{self.trouble()}, or this one another DATABASE_URL{dry}",))

    def trouble(self) -> str:
        """Return what is wrong, with the cure; empty if nothing is."""
        if not self._other:
            return ""
        names = "SHADOW" if SHADOW in {self._other, self.tracker} else "JIRA_…"
        return f"another process on this database writes to {self._other}, this one to {self.tracker}; give both the same {names} settings"

    async def _release(self) -> None:
        try:
            await self.claims.release(self.tracker)
        except StoreDown as e:
            logger.bind(error=str(e)).debug("tracker.release_unknown")
