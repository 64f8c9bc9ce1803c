"""The state that all handlers of one sandbox share: deployment, database, clock, logins."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal
from uuid import NAMESPACE_URL, uuid5

from triage_sandbox.jira.ground.database import Database
from triage_sandbox.jira.ground.lag import Lag

Deployment = Literal["cloud", "server"]

VERSIONS: Mapping[Deployment, str] = {"cloud": "1001.0.0-SNAPSHOT", "server": "10.3.24"}
UPLOAD_LIMIT: Final = 10 * 1024 * 1024
"""Bytes that a file may have, as Data Center begins."""
CLOUD_ID: Final = str(uuid5(NAMESPACE_URL, "jira:sandbox"))
"""The site's name at the gateway: `/ex/jira/{cloudId}`."""


@dataclass(slots=True)
class Clock:
    """The site's time: the machine's with an offset, or stopped."""

    skew: int = 0
    """Milliseconds by which it is ahead."""
    frozen: int | None = None

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self.frozen if self.frozen is not None else time.time_ns() // 1_000_000 + self.skew

    def advance(self, milliseconds: int) -> None:
        """Move the time forward by so many milliseconds, whether the clock runs or is stopped."""
        if self.frozen is None:
            self.skew += milliseconds
        else:
            self.frozen += milliseconds


class Feed:
    """Tells open boards that something has changed."""

    def __init__(self) -> None:
        self.changes = 0
        self._waiting: set[asyncio.Event] = set()

    def publish(self) -> None:
        """Announce a change."""
        self.changes += 1
        for event in self._waiting:
            event.set()

    async def follow(self) -> AsyncIterator[int]:
        """Yield the number of changes now, and again after each change."""
        event = asyncio.Event()
        self._waiting.add(event)
        try:
            while True:
                event.clear()
                yield self.changes
                await event.wait()
        finally:
            self._waiting.discard(event)


@dataclass(kw_only=True)
class Site:
    """One Jira: database, deployment, version, clock, faults."""

    deployment: Deployment
    version: str
    base_url: str
    """Where people find it; empty: wherever the request came to."""
    db: Database
    strict: bool
    """Otherwise anybody may come in with any secret."""
    bot: str
    """Account of those who come in without a name."""
    context_path: str = ""
    """Before every path of the site, `/jira` for instance."""
    sessions: dict[str, str] = field(default_factory=dict)
    """Accounts by the cookie of their session."""
    clock: Clock = field(default_factory=Clock)
    upload_limit: int = UPLOAD_LIMIT
    comment_limit: int = 5000
    """Of one issue."""
    parallel_sprints: bool = False
    """A board may have several that are active."""
    lag: Lag = field(default_factory=Lag)
    """How far searches are behind."""
    off_screen: set[str] = field(default_factory=set)
    """Fields that cannot be set because no screen shows them."""
    feed: Feed = field(default_factory=Feed)
    started: int = 0
    """What came later is new on the board."""
    report: Callable[[str], Awaitable[str | None]] | None = None
    """Tells of a case of Triage as text, None where there is no such case; the board links tickets to that."""

    @property
    def cloud(self) -> bool:
        """Whether it is Jira Cloud: accountId, ADF in v3, search with tokens."""
        return self.deployment == "cloud"

    @property
    def major(self) -> int:
        """The 10 of 10.3.24."""
        return int(self.version.partition(".")[0])

    def now(self) -> int:
        """Milliseconds since 1970, by the site's own clock."""
        return self.clock.now()
