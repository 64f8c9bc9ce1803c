"""Bring to the ticket what came with the mail: its files, ties to other tickets, people in copy."""

from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import suppress
from dataclasses import replace

from triage.agent.pictures import names_on
from triage.agent.run import Run, run_of
from triage.agent.services import Services
from triage.domain.cases import Case
from triage.domain.errors import MailUnreadable, NotAMail, TicketGone, TrackerRejected
from triage.domain.mail import Attachment
from triage.domain.tickets import Upload
from triage.pipeline.steps.review import effects_of
from triage.policy.enclosures import files_for, raw_wanted, relating, ticket_of, ties_of, watchers_of


async def enclose(case: Case, at: Services) -> Case:
    """The case with a line for each thing that went along, or could not and why; nothing of it undoes the ticket."""
    ticket, new = ticket_of(await effects_of(case, at))
    if ticket is None or at.rules.dry_run:
        return case
    run = await run_of(case, at)
    lines = [line async for line in _files(run, ticket)]
    lines += [line async for line in _people(run, ticket)]
    if new:
        lines += [line async for line in _ties(run, ticket)]
    return replace(case, enclosed=tuple(lines))


async def _files(run: Run, ticket: str) -> AsyncIterator[str]:
    """The attachments, and the mail itself where the ticket does not tell all of it."""
    files = files_for(run.case.mail, run.project.upload_limit)
    if files.wanted:
        async for line in _attachments(run, ticket, files.wanted):
            yield line
    for left in files.left:
        yield f"not attached: {left}"
    if raw_wanted(run.case.mail, run.at.rules.raw_mail) and run.case.mail.size <= run.project.upload_limit:
        mail = Upload(name=f"{run.case.id}.eml", content_type="message/rfc822", content=await run.at.book.raw())
        yield await _tried(f"attached the mail as {mail.name}", run.writing.attach(ticket, mail))


async def _attachments(run: Run, ticket: str, wanted: tuple[Attachment, ...]) -> AsyncIterator[str]:
    names: Mapping[str, str] = {}
    try:
        contents = await run.at.reader.files(await run.at.book.raw(), [file.sha256 for file in wanted])
        with suppress(TrackerRejected, TicketGone):  # the upload will say so
            names = await names_on(ticket, run)
    except (MailUnreadable, NotAMail) as e:
        yield f"no file attached: {e}"
        return
    for file in wanted:
        if file.sha256 in contents:
            name = names.get(file.sha256, file.name)
            upload = Upload(name=name, content_type=file.content_type, content=contents[file.sha256])
            yield await _tried(f"attached {name}", run.writing.attach(ticket, upload))


async def _people(run: Run, ticket: str) -> AsyncIterator[str]:
    if not run.at.rules.watchers:
        return
    for person in watchers_of(run.case, run.project):
        yield await _tried(f"{person.name} watches", run.writing.watch(ticket, person.id))


async def _ties(run: Run, ticket: str) -> AsyncIterator[str]:
    kind = relating(run.project)
    for tie in ties_of(run.case, ticket, run.at.rules.duplicate_threshold) if kind else ():
        yield await _tried(f"related to {tie.key} ({tie.why})", run.writing.link(ticket, tie.key, kind or ""))


async def _tried(told: str, write: Awaitable[object]) -> str:
    """What was done, or why Jira would not have it; what is only down raises, and the step comes again."""
    try:
        await write
    except (TrackerRejected, TicketGone) as e:
        return f"not {told}: {e}"
    return told
