"""Adds the mail's files, links to other tickets, and watchers to the ticket."""

from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from triage.domain.cases import Case
from triage.domain.errors import MailUnreadable, NotAMail, TicketGone, TrackerRejected
from triage.domain.mail import Attachment
from triage.domain.tickets import Project, Upload
from triage.pipeline.context import Services
from triage.pipeline.scope import writes_of
from triage.policy.privacy.secrets import MASKED
from triage.policy.ticket.attachments import (
    created_in,
    files_for,
    raw_wanted,
    relating,
    ticket_of,
    ties_of,
    watchers_of,
)
from triage.toolsets.tickets.effects import TicketWrites
from triage.toolsets.tickets.pictures import names_on


@dataclass(frozen=True, slots=True)
class _Ticket:
    """The ticket, and what is needed to write to it."""

    key: str
    case: Case
    project: Project
    writes: TicketWrites
    at: Services


async def attach(case: Case, at: Services) -> Case:
    """Return the case with a line for each thing added or rejected; a rejection does not undo the ticket."""
    effects = await at.ledger.effects()
    key, new = ticket_of(effects)
    if key is None or at.rules.dry_run:
        return case
    ticket = _Ticket(key, case, await at.tracker.metadata.project(), writes_of(case, at), at)
    lines = [line async for line in _files(ticket)]
    lines += [line async for line in _people(ticket)]
    if new:
        lines += [line async for line in _ties(ticket)]
        lines += [line async for line in _siblings(ticket, created_in(effects)[1:])]
    return replace(case, attached=tuple(lines))


async def _files(to: _Ticket) -> AsyncIterator[str]:
    """Attach the files, and the mail if the ticket's text does not hold all of it."""
    mail, limit = to.case.mail, to.project.upload_limit
    files = files_for(mail, limit, to.at.rules.file_kinds)
    if files.wanted:
        async for line in _attachments(to, files.wanted):
            yield line
    for left in files.left:
        yield f"not attached: {left}"
    if raw_wanted(mail, to.at.rules.raw_mail) and mail.size <= limit:
        whole = await _whole(to, as_text=files.refused)
        yield await _tried(f"attached the mail as {whole.name}", to.writes.attach(to.key, whole))


async def _whole(to: _Ticket, *, as_text: bool) -> Upload:
    """Return the raw mail, or its text: a raw mail holds the secrets that are masked, and files that the ticket must not get."""
    if as_text or MASKED in to.case.mail.flags:
        text = f"{to.case.mail.subject}\n\n{to.case.mail.text}\n".encode()
        return Upload(name=f"{to.case.id}.txt", content_type="text/plain", content=text)
    return Upload(name=f"{to.case.id}.eml", content_type="message/rfc822", content=await to.at.cases.raw())


async def _attachments(to: _Ticket, wanted: tuple[Attachment, ...]) -> AsyncIterator[str]:
    names: Mapping[str, str] = {}
    try:
        contents = await to.at.reader.files(await to.at.cases.raw(), [file.sha256 for file in wanted])
        with suppress(TrackerRejected, TicketGone):  # the upload will say so
            names = await names_on(to.key, to.case.mail, to.writes)
    except (MailUnreadable, NotAMail) as e:
        yield f"no file attached: {e}"
        return
    for file in wanted:
        if file.sha256 in contents:
            name = names.get(file.sha256, file.name)
            upload = Upload(name=name, content_type=file.content_type, content=contents[file.sha256])
            yield await _tried(f"attached {name}", to.writes.attach(to.key, upload))


async def _people(to: _Ticket) -> AsyncIterator[str]:
    if not to.at.rules.watchers:
        return
    for person in watchers_of(to.case, to.project, to.at.rules.team):
        yield await _tried(f"{person.name} watches", to.writes.watch(to.key, person.id))


async def _ties(to: _Ticket) -> AsyncIterator[str]:
    kind = relating(to.project)
    for tie in ties_of(to.case, to.key, to.at.rules.may_be_from) if kind else ():
        yield await _tried(f"related to {tie.key} ({tie.why})", to.writes.link(to.key, tie.key, kind or ""))


async def _siblings(to: _Ticket, others: Sequence[str]) -> AsyncIterator[str]:
    """Link the tickets of a mail's other matters to the first one."""
    kind = relating(to.project)
    for other in others if kind else ():
        yield await _tried(
            f"related to {other} (another matter of the mail)", to.writes.link(to.key, other, kind or "")
        )


async def _tried(what: str, write: Awaitable[object]) -> str:
    """Do a write; return what was done or why Jira rejects it. `Transient` errors raise, and the step is repeated."""
    try:
        await write
    except (TrackerRejected, TicketGone) as e:
        return f"not {what}: {e}"
    return what


def describe(_before: Case, after: Case) -> str:
    """List what was added and what was rejected."""
    return "; ".join(after.attached)
