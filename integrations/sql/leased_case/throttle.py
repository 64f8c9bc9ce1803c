"""The port `Throttle`: mails like this one, and those that are throttled."""

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import Connection

from integrations.sql import brakes as sql_brakes
from integrations.sql.leased_case.fence import Fence
from triage.domain.traces import Digest, Group, GroupState, Summary, Throttled


class SqlThrottle:
    """One worker at a time holds and tells."""

    def __init__(self, fence: Fence) -> None:
        self._fence = fence

    async def group_counts(self, seconds: float) -> Mapping[Group, int]:
        """How many mails of each group came before this one."""
        return await self._fence.read_by(lambda c: sql_brakes.counts(c, self._fence.job, timedelta(seconds=seconds)))

    async def group_state(self, group: Group, seconds: float) -> GroupState:
        """Where those of the group ended that came before this one."""
        return await self._fence.read_by(
            lambda c: sql_brakes.group_state(c, self._fence.job, group, timedelta(seconds=seconds))
        )

    async def throttle(self, group: Group, *, seconds: float, every: int, apart: float, at_once: int = 0) -> Throttled:
        """Hold this mail; the held ones to tell of, where it is time to."""
        now, window, pause = self._fence.now(), timedelta(seconds=seconds), timedelta(seconds=apart)

        def held(connection: Connection) -> Throttled:
            return sql_brakes.throttle(connection, self._fence.job, group, now, window, every, pause, at_once)

        return await self._fence.write_by(held)

    async def digest(self, group: Group, seconds: float) -> Digest | None:
        """All held ones that no comment has told of, this one among them."""
        now, window = self._fence.now(), timedelta(seconds=seconds)

        def told(connection: Connection) -> Digest | None:
            return sql_brakes.digest(connection, self._fence.job, group, now, window)

        return await self._fence.write_by(told)

    async def summary(self, group: Group, ticket: str) -> Summary | None:
        """All mails of this one's flood that were told of in this ticket."""
        return await self._fence.read_by(lambda c: sql_brakes.summary(c, self._fence.job, group, ticket))
