"""What the pictures in a mail's text are called on its ticket: other mails may have brought files of the same names."""

from collections.abc import Mapping

from triage.agent.run import Run
from triage.domain.mail import Attachment
from triage.policy.enclosures import called, files_for, names_beside


async def told_on(ticket: str | None, text: str, run: Run) -> str:
    """A text for the ticket, or for a new one, in which each picture has the name of its file there, if it has a file."""
    shown, going = _shown(run), _going(run)
    left = {one.sha256: f"{one.name}, not attached" for one in shown}
    first = {one.sha256: one.name for one in going}  # the same content under a second name hangs there once
    names = await names_on(ticket, run) if ticket else {}
    return called(text, shown, {**left, **first, **names})


async def names_on(ticket: str, run: Run) -> Mapping[str, str]:
    """Names by hash, for the pictures that the text shows and the ticket gets; asks Jira only where there are any."""
    pictures = _going(run)
    if not pictures:
        return {}
    hanging = await run.tracker.attached(ticket)
    begun = {effect.body_hash for effect in await run.at.book.effects() if effect.kind == "attach"}
    names = names_beside(pictures, hanging, begun)
    for one in pictures:
        if await run.at.book.attached(ticket, one.sha256):  # it hangs there under the name that it came by first
            alike = (file.name for file in hanging if file.ours and file.size == one.size)
            names[one.sha256] = next(alike, names[one.sha256])
    return names


def _shown(run: Run) -> list[Attachment]:
    return [one for one in run.case.mail.attachments if one.mark in run.case.mail.text]


def _going(run: Run) -> list[Attachment]:
    shown = {one.sha256 for one in _shown(run)}
    return [one for one in files_for(run.case.mail, run.project.upload_limit).wanted if one.sha256 in shown]
