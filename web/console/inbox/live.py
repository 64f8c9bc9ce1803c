"""Pushes changes of the lists to all open pages; each change is rendered once for all of them."""

import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from triage.domain.errors import StoreDown
from triage.domain.operations.case_lists import CaseListChanges, Pulse
from triage.services.case_lists.inbox import InboxService
from web.console.inbox.rows import row_of
from web.console.render import Render
from web.live.broadcast import Broadcast, TooSlow
from web.live.stream import AGAIN, ALIVE

QUIET: Final = ": nothing new\n\n"
COUNTED: Final = 5
"""Looks between two counts of all tabs."""


@dataclass(slots=True)
class LiveInbox:
    """Streams changes of the inbox to all open pages of a process, which share one query a second."""

    inbox: InboxService
    render: Render
    shared: Broadcast[str] = field(init=False)
    _pulse: Pulse = field(default_factory=Pulse)
    """As of the last look."""
    _down: bool = False
    """The last look of all met no store."""
    _missing: bool = False
    """A listener was told so alone."""
    _uncounted: int = 0
    """Looks since something has changed that the counts of the tabs do not know."""

    def __post_init__(self) -> None:
        self.shared = Broadcast(self._look)

    async def changes_since(self, pulse: Pulse) -> AsyncIterator[str]:
        """Yield server-sent events for what changes after a page with this pulse was read."""
        yield AGAIN
        if not self.shared.has_listeners:
            self._pulse = pulse
        with suppress(TooSlow):
            async with self.shared.listening() as listener:
                yield await self._missed(pulse)
                while True:
                    yield await listener.next(ALIVE) or QUIET

    async def _missed(self, pulse: Pulse) -> str:
        """Return what changed before this listener shared the look of the others."""
        try:
            changes = await self.inbox.changes(pulse)
        except StoreDown:
            self._missing = True
            return _event("down", {})
        return _event("changed", self._changed(changes)) if changes.lines or changes.many else QUIET

    async def _look(self) -> tuple[str, ...]:
        """Return what is new as messages. A store that is down is told once, and that it is back by `stale`."""
        try:
            return await self._news()
        except StoreDown:
            events = () if self._down else (_event("down", {}),)
            self._down = True
            return events

    async def _news(self) -> tuple[str, ...]:
        was, back, changes = self._pulse, self._down or self._missing, await self.inbox.changes(self._pulse)
        self._pulse, self._down, self._missing = changes.pulse, False, False
        if back:
            return (_event("stale", {}),)
        if changes.pulse == was:
            return await self._counted()
        self._uncounted = max(1, self._uncounted)
        return (_event("changed", self._changed(changes), str(changes.pulse)),)

    def _changed(self, changes: CaseListChanges) -> dict[str, Any]:
        now = self.inbox.clock.now()
        rows = [row_of(line, now) for line in changes.lines]
        return {
            "many": changes.many,
            "cases": [
                {
                    "case": row.number,
                    "thread": row.thread,
                    "state": row.state,
                    "needs": row.needs,
                    "snoozed": row.until is not None,
                    "html": self.render.part("inbox/one_line.html", row=row),
                }
                for row in rows
            ],
        }

    async def _counted(self) -> tuple[str, ...]:
        """Count the tabs a while after something has changed: counting is dear, and nobody watches the figures."""
        if not self._uncounted:
            return ()
        self._uncounted += 1
        if self._uncounted <= COUNTED:
            return ()
        self._uncounted = 0
        return (_event("counts", {tab.name: tab.count for tab in await self.inbox.tabs("")}),)


def _event(name: str, data: dict[str, Any], number: str = "") -> str:
    """One message; JSON has no line breaks, so nothing in a mail can begin another field."""
    head = f"id: {number}\n" if number else ""
    return f"event: {name}\n{head}data: {json.dumps(data)}\n\n"
