"""The port `TrackerClaims`: one row, which the workers with the same settings renew."""

from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, delete, or_, select, update

from integrations.sql.database.engine import TimedPart, insert_once
from integrations.sql.operations.tables import tracker_claims

ALL: Final = "all"
_MINE: Final = tracker_claims.c.name == ALL
_STANDS: Final = select(tracker_claims.c.tracker).where(_MINE)


class SqlTrackerClaims(TimedPart):
    """The port `TrackerClaims`."""

    async def claim(self, tracker: str, seconds: float) -> str:
        """Renew the claim, or take one that nobody has renewed for so long; return the tracker that is claimed."""
        now = self._clock.now()
        once = insert_once(tracker_claims, postgres=self._database.postgres)
        row = {"name": ALL, "tracker": tracker, "seen_at": now}
        free = or_(tracker_claims.c.tracker == tracker, tracker_claims.c.seen_at < now - timedelta(seconds=seconds))

        def claimed(connection: Connection) -> str:
            connection.execute(once, row)
            connection.execute(update(tracker_claims).where(_MINE, free).values(tracker=tracker, seen_at=now))
            return str(connection.execute(_STANDS).scalar_one())

        return await self._database.write(claimed)

    async def claimed(self, seconds: float) -> str:
        """Read the claim; one that is older counts no more."""
        young = tracker_claims.c.seen_at >= self._clock.now() - timedelta(seconds=seconds)
        return await self._database.read(lambda c: str(c.execute(_STANDS.where(young)).scalar() or ""))

    async def release(self, tracker: str) -> None:
        """Give it up; workers with the same settings claim it again."""
        await self._database.write(
            lambda c: c.execute(delete(tracker_claims).where(_MINE, tracker_claims.c.tracker == tracker))
        )
