"""The ledger of a run that is about no case, and therefore writes nothing."""

from triage.domain.effects import Effect, Reports
from triage.domain.errors import ToolRefused


class NoLedger:
    """A `Ledger` without rows that accepts none."""

    async def intend(self, effect: Effect) -> Effect:
        """Refuse the write."""
        raise ToolRefused(f"{effect.kind} is not written here: only a case writes")

    async def settle(self, effect: Effect) -> None:
        """Refuse the write."""
        raise ToolRefused(f"{effect.kind} is not written here: only a case writes")

    async def effects(self) -> tuple[Effect, ...]:
        """Return none: nothing was written."""
        return ()

    async def attached(self, ticket: str, sha256: str) -> bool:
        """Return False: nothing was attached."""
        del ticket, sha256
        return False

    async def reports(self, ticket: str) -> Reports:
        del ticket
        return Reports()

    async def highest(self, project: str) -> int:
        """Return 0: no ticket number is known."""
        del project
        return 0

    async def saw(self, project: str, number: int) -> None:
        """Remember nothing."""
