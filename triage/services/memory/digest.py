"""Sends a weekly digest of the memory by the channels of notices: what is due, overdue or decided."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from triage.domain.channels.notices import Notice, NoticeKind, NoticeSeverity
from triage.domain.ports import Clock
from triage.policy.calendar.named_day import DAYS
from triage.policy.memory.views.digest import digest_of
from triage.services.channels.notices import Notices
from triage.services.memory.notes import NoteService

HOUR: Final = 7
"""Hour in UTC before which no digest is sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDigest:
    """Sends the weekly digest of the memory, once by its key even if several processes run it."""

    notes: NoteService
    notices: Notices
    clock: Clock
    weekday: str
    """`monday` … `sunday`."""

    async def run_once(self) -> None:
        """Record the digest if this is the day and it was not sent yet. Raises `StoreDown`, `VaultDown`."""
        now = self.clock.now()
        if now.weekday() != DAYS.index(self.weekday) or now.hour < HOUR:
            return
        notes = [replace(note, owner=self.notes.owner_of(note)) for note in await self.notes.list()]
        lines = digest_of(notes, now.date())
        await self.notices.tell(*(_notice(line, now.date()) for line in lines))


def _notice(line: str, day: date) -> Notice:
    return Notice(
        kind=NoticeKind.MEMORY,
        severity=NoticeSeverity.INFO,
        text=line,
        cure="The page Memory of the console has the board.",
        key=f"memory {day.isoformat()} {line.partition(':')[0]}",
    )
