"""Removes raw mails, their text and prompts RETENTION_DAYS after they came."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from loguru import logger

from triage.domain.ports import Clock, ForgetStore

AT_ONCE: Final = 100
"""Cases per query; each is a separate commit, so that mails are accepted in between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Removes raw mails, their text and prompts after `days`. Several processes may run it: each case is aged once."""

    store: ForgetStore
    clock: Clock
    days: int

    async def remove(self) -> int:
        """Return the number of cases whose mail was removed. Raises `StoreDown`."""
        before, removed = self.clock.now() - timedelta(days=self.days), 0
        while cases := await self.store.grown_old(before, AT_ONCE):
            aged = sum([await self.store.age(case) for case in cases])
            removed += aged
            if aged < len(cases):  # somebody works on one of them again: the next turn looks
                break
        if removed:
            logger.bind(cases=removed, days=self.days).info("retention.removed")
        return removed
