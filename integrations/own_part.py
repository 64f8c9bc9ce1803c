"""The port `RequestLimits` without a place that all processes share: each keeps to an equal part."""

from collections.abc import Sequence

from triage.domain.operations.limits import Allowance, Permit


class OwnPart:
    """Asks nobody; the number of processes comes from the settings."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    async def take(self, allowances: Sequence[Allowance], pauses: Sequence[str], patience: float) -> Permit | None:
        """Return None: the caller counts for himself."""
        del allowances, pauses, patience
        return None

    async def hold(self, scope: str, seconds: float, why: str) -> None:
        """Tell nobody."""

    async def close(self) -> None:
        """Do nothing: no connection is open."""
