"""Writes our notes on tickets: a comment per proposal, edited when it is decided and carried out."""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from loguru import logger

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.channels.ticket_notes import TicketNote
from triage.domain.errors import TicketGone, TrackerRejected, TriageError
from triage.domain.ports import Archive, Clock, Comments, Metadata, TicketNotes
from triage.domain.tickets import Mark
from triage.policy.channels.ticket_notes import proposal_note
from triage.policy.decision.run_record import is_settled
from triage.policy.letters.recipients import Recipients

LEASE: Final = timedelta(minutes=2)
"""Longer than a comment takes with all retries; after a crash another process searches for it, then writes it."""
PAUSE: Final = timedelta(minutes=1)
APPROVAL: Final = "approval "
"""Begins the key of a proposal's note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalNotes:
    """Writes a comment on the ticket for each proposal and edits it later; notes are leased, so several processes may run it."""

    archive: Archive
    notes: TicketNotes
    discussion: Comments
    metadata: Metadata
    clock: Clock
    secret: bytes
    recipients: Callable[[Approval, Case], Recipients | None]
    """Returns who would get a letter; None for what is none."""

    async def look(self) -> None:
        """Update the note of each proposal. Raises `StoreDown`, and what the tracker raises."""
        waiting = await self.archive.approvals()
        standing = {note.key: note for note in await self.notes.standing()}
        for approval in waiting:
            known = standing.get(_key(approval.id))
            if ticket := known.ticket if known else approval.ticket or await self._ticket_of(approval):
                await self.notes.want(await self._note(approval, ticket, carried_out=False))
        still = {_key(approval.id) for approval in waiting}
        for note in standing.values():
            if note.key.startswith(APPROVAL) and note.key not in still:
                await self.notes.want(await self._decided(note))

    async def write(self) -> None:
        """Write what is due. A ticket that takes no comment is left alone. Raises `StoreDown`."""
        while note := await self.notes.due(self.clock.now() + LEASE):
            try:
                await self.notes.written(note, await self._written(note))
            except (TicketGone, TrackerRejected) as e:
                logger.bind(ticket=note.ticket, note=note.key, error=str(e)).warning("note.refused")
                await self.notes.later(note, None)
            except TriageError as e:
                logger.bind(ticket=note.ticket, note=note.key, error=str(e)).debug("note.later")
                await self.notes.later(note, self.clock.now() + PAUSE)

    async def _written(self, note: TicketNote) -> str:
        """Write the comment or edit it; return its id. Whether an earlier try has written it is asked first."""
        mark = self._mark(note)
        comment = note.comment or (await self.discussion.commented(note.ticket, mark) if note.tries > 1 else None)
        if not comment:
            return await self.discussion.comment(note.ticket, note.body, mark)
        if not await self.discussion.edit_comment(note.ticket, comment, note.body):
            logger.bind(ticket=note.ticket, note=note.key).warning("note.gone")
        return comment

    def _mark(self, note: TicketNote) -> Mark:
        label = hmac.new(self.secret, f"note\x1f{note.ticket}\x1f{note.key}".encode(), hashlib.sha256).hexdigest()[:20]
        return Mark(label=f"triage-{label}", case="", message_hash="")

    async def _decided(self, note: TicketNote) -> TicketNote:
        approval = await self.archive.approval(int(note.key.removeprefix(APPROVAL)))
        carried_out = approval.state is not ApprovalState.OPEN and is_settled(await self.archive.report(approval.case))
        return await self._note(approval, note.ticket, carried_out=carried_out)

    async def _note(self, approval: Approval, ticket: str, *, carried_out: bool) -> TicketNote:
        to = self.recipients(approval, (await self.archive.report(approval.case)).case)
        names = await self._names(approval)
        return proposal_note(approval, ticket, names, to.people if to else (), carried_out=carried_out)

    async def _ticket_of(self, approval: Approval) -> str:
        """Return the ticket of the case; empty if it has none yet."""
        return (await self.archive.report(approval.case)).case.ticket or ""

    async def _names(self, approval: Approval) -> Mapping[str, str]:
        """Return names by address and account, if the note names anybody."""
        if not approval.by and not approval.votes:
            return {}
        people = (await self.metadata.project()).people
        named = {one.id.casefold(): str(one.name) for one in people}
        return {**named, **{one.email.casefold(): str(one.name) for one in people if one.email}}


def _key(approval: int) -> str:
    return f"{APPROVAL}{approval}"
