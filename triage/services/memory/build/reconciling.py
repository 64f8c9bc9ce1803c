"""The stage reconcile: closes, moves and expires open notes by sent mail and by the state of their tickets."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from typing import Final, Protocol

from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.memory.builds import BuildStage
from triage.domain.memory.errors import NoteChanged
from triage.domain.memory.notes import MemoryMail, Note, NoteKind, NoteStatus
from triage.domain.ports import Clock, MemoryMails
from triage.policy.memory.reconcile import ReconcileVerdict, TicketState, ended_together, reconcile
from triage.services.memory.build.progress import Progress
from triage.services.memory.build.writing import BuildNotes

AGENT: Final = "reconciliation"
MOST_SENT: Final = 2_000
"""Sent mails that are looked at, the newest first."""


class Reconciler(Protocol):
    """The Reconciliation agent by a model. Raises what a model raises."""

    async def settle(
        self,
        notes: Sequence[Note],
        sent: Sequence[MemoryMail],
        tickets: Mapping[str, TicketState],
        progress: Progress,
    ) -> None:
        """Close, move and update these notes on evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciling:
    """The Reconciliation agent: the rules say what is sure, a model reads what they leave open. Sent mails and tickets reach both as facts."""

    notes: BuildNotes
    mails: MemoryMails
    tickets: Callable[[Sequence[str]], Awaitable[Sequence[TicketState]]]
    """Returns the stored state of these tickets; unknown ones are left out."""
    clock: Clock
    reconciler: Reconciler | None = None
    """None: rules alone."""

    async def run(self, progress: Progress) -> None:
        """Judge each open note. Without a mailbox the tickets alone speak."""
        found = await self.notes.list(status=NoteStatus.ACTIVE)
        open_ones = [note for note in found if note.kind in {NoteKind.ACTION, NoteKind.COMMITMENT}]
        await progress.stage(BuildStage.RECONCILE, len(open_ones))
        sent = await self._sent(open_ones, progress)
        keys = sorted({key for note in open_ones for key in note.tickets})
        tickets = {state.key: state for state in (await self.tickets(keys) if keys else ())}
        for note in open_ones:
            verdict = reconcile(note, sent, tickets, self.clock.now().date())
            if verdict is not None:
                await self._write(note, verdict, progress)
        if self.reconciler is not None:
            left = {note.id for note in await self.notes.list(status=NoteStatus.ACTIVE)}
            await self.reconciler.settle([note for note in open_ones if note.id in left], sent, tickets, progress)
        await self._end_together(progress)

    async def _end_together(self, progress: Progress) -> None:
        """End actions with the promises that they were to keep, and promises with actions that a person has done."""
        notes = {note.id: note for note in await self.notes.list()}
        made: dict[str, list[Note]] = {}
        for note in notes.values():
            for source in note.source_memories if note.kind is NoteKind.ACTION else ():
                made.setdefault(source, []).append(note)
        for note in notes.values():
            promises = [notes[source] for source in note.source_memories if source in notes]
            verdict = ended_together(note, promises, made.get(note.id, ()), AGENT)
            if verdict is not None:
                await self._write(note, verdict, progress)

    async def _sent(self, notes: Sequence[Note], progress: Progress) -> Sequence[MemoryMail]:
        days = [note.created for note in notes if note.created]
        if not days:
            return ()
        try:
            return await self.mails.sent(datetime.combine(min(days), time(), UTC), MOST_SENT)
        except (MailboxDown, MailboxDenied):
            progress.counts["no_sent_mail"] = 1
            return ()

    async def _write(self, note: Note, verdict: ReconcileVerdict, progress: Progress) -> None:
        sources = tuple(dict.fromkeys((*note.source_emails, *filter(None, (verdict.source,)))))
        new = replace(note, status=verdict.status, deadline=verdict.deadline or note.deadline, source_emails=sources)
        ended = verdict.status if verdict.status is not NoteStatus.ACTIVE else "moved"
        try:
            await self.notes.write(new, AGENT, before=note, what=f"{ended}: {verdict.evidence}")
            await progress.step(**{str(ended): 1})
        except NoteChanged:
            await progress.step(skipped=1)
