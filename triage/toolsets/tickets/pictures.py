"""Replaces the names of a mail's pictures in a text by the names of their files on the ticket."""

from collections.abc import Mapping

from triage.domain.mail import Attachment, Message
from triage.policy.ticket.attachments import called, files_for, names_beside
from triage.toolsets.tickets.effects import ATTACH, TicketWrites


async def with_picture_names(ticket: str | None, text: str, mail: Message, writes: TicketWrites) -> str:
    """Return the text with each picture's file name on the ticket; `ticket` is None for a new one."""
    shown, going = _shown(mail), await _going(mail, writes)
    left = {one.sha256: f"{one.name}, not attached" for one in shown}
    first = {one.sha256: one.name for one in going}  # equal content is attached once, under its first name
    names = await names_on(ticket, mail, writes) if ticket else {}
    return called(text, shown, {**left, **first, **names})


async def names_on(ticket: str, mail: Message, writes: TicketWrites) -> Mapping[str, str]:
    """Return SHA-256 → file name of the pictures that the ticket gets; asks Jira only if there are any."""
    pictures, ledger = await _going(mail, writes), writes.effects.ledger
    if not pictures:
        return {}
    hanging = await writes.tracker.tickets.attached(ticket)
    begun = {effect.body_hash for effect in await ledger.effects() if effect.kind == ATTACH.name}
    names = names_beside(pictures, hanging, begun)
    for one in pictures:
        if await ledger.attached(ticket, one.sha256):  # its file has the name of its first upload
            alike = (file.name for file in hanging if file.ours and file.size == one.size)
            names[one.sha256] = next(alike, names[one.sha256])
    return names


def _shown(mail: Message) -> list[Attachment]:
    return [one for one in mail.attachments if one.mark in mail.text]


async def _going(mail: Message, writes: TicketWrites) -> list[Attachment]:
    shown = {one.sha256 for one in _shown(mail)}
    limit = (await writes.tracker.metadata.project()).upload_limit
    return [one for one in files_for(mail, limit).wanted if one.sha256 in shown]
