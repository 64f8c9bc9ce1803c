"""Names the pictures of a mail as their files are named on the ticket."""

from collections.abc import Mapping

from triage.domain.mail import Attachment, Message
from triage.policy.ticket.attachments import called, files_for, names_beside
from triage.toolsets.tickets.effects import ATTACH, TicketWrites


async def told_on(ticket: str | None, text: str, mail: Message, writes: TicketWrites) -> str:
    """A text for the ticket, or for a new one, in which each picture has the name of its file there, if it has a file."""
    shown, going = _shown(mail), await _going(mail, writes)
    left = {one.sha256: f"{one.name}, not attached" for one in shown}
    first = {one.sha256: one.name for one in going}  # the same content under a second name hangs there once
    names = await names_on(ticket, mail, writes) if ticket else {}
    return called(text, shown, {**left, **first, **names})


async def names_on(ticket: str, mail: Message, writes: TicketWrites) -> Mapping[str, str]:
    """Names by hash, for the pictures that the text shows and the ticket gets; asks Jira only where there are any."""
    pictures, ledger = await _going(mail, writes), writes.effects.ledger
    if not pictures:
        return {}
    hanging = await writes.tracker.tickets.attached(ticket)
    begun = {effect.body_hash for effect in await ledger.effects() if effect.kind == ATTACH.name}
    names = names_beside(pictures, hanging, begun)
    for one in pictures:
        if await ledger.attached(ticket, one.sha256):  # it hangs there under the name that it came by first
            alike = (file.name for file in hanging if file.ours and file.size == one.size)
            names[one.sha256] = next(alike, names[one.sha256])
    return names


def _shown(mail: Message) -> list[Attachment]:
    return [one for one in mail.attachments if one.mark in mail.text]


async def _going(mail: Message, writes: TicketWrites) -> list[Attachment]:
    shown = {one.sha256 for one in _shown(mail)}
    limit = (await writes.tracker.metadata.project()).upload_limit
    return [one for one in files_for(mail, limit).wanted if one.sha256 in shown]
