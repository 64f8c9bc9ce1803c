"""Defines for each kind of write to a ticket how it is sent, and how it is found again after a lost answer."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from triage.domain.cases import Outcome
from triage.domain.effects import Effect
from triage.domain.errors import Refused, TicketGone
from triage.domain.ports import TrackerView
from triage.domain.tickets import Created, Panel, Ticket, TicketChange, TicketDraft, Upload, number_of
from triage.effects.kinds import EffectKind, WriteIntent, WriteResult, digest, record_only
from triage.effects.writer import EffectWriter
from triage.policy.ticket.priority import above
from triage.toolsets.context import Context


class CommentGone(Refused):
    """There is no comment of ours to edit."""


class NewTicket(NamedTuple):
    """A draft, and a function for the ticket number from which a lost ticket is looked for."""

    draft: TicketDraft
    highest: Callable[[], Awaitable[int]]


class TicketEdit(NamedTuple):
    """The id of our comment, and its new text."""

    comment: str
    body: str


class CommentText(NamedTuple):
    """A comment, and the panel below it."""

    text: str
    panel: Panel | None = None


class LinkTarget(NamedTuple):
    """Key of the other ticket, and Jira's name of the link type."""

    other: str
    kind: str


async def _create(to: TrackerView, intent: WriteIntent[NewTicket]) -> WriteResult:
    created = await to.writer.create(intent.body.draft, intent.mark)
    return replace(_created(created), answer=created)


async def _adopt(to: TrackerView, intent: WriteIntent[NewTicket]) -> WriteResult | None:
    found = await to.writer.adopt(intent.mark, intent.effect.above)
    return _created(found) if found is not None else None


async def _above(_: TrackerView, intent: WriteIntent[NewTicket]) -> Effect:
    return replace(intent.effect, above=await intent.body.highest())


def _created(created: Created) -> WriteResult:
    return WriteResult(result=created.key, note=f"without {', '.join(created.dropped)}" if created.dropped else "")


async def _comment(to: TrackerView, intent: WriteIntent[CommentText]) -> WriteResult:
    text, panel = intent.body
    return WriteResult(result=await to.comments.comment(intent.target, text, intent.mark, panel))


async def _commented(to: TrackerView, intent: WriteIntent[CommentText]) -> WriteResult | None:
    return _found(await to.comments.commented(intent.target, intent.mark))


async def _edit(to: TrackerView, intent: WriteIntent[TicketEdit]) -> WriteResult:
    if not await to.comments.edit_comment(intent.target, intent.body.comment, intent.body.body):
        raise CommentGone
    return WriteResult(result=intent.body.comment)


async def _attach(to: TrackerView, intent: WriteIntent[Upload]) -> WriteResult:
    return WriteResult(result=await to.writer.attach(intent.target, intent.body))


async def _attached(to: TrackerView, intent: WriteIntent[Upload]) -> WriteResult | None:
    """Find our own attachment of the same name and size."""
    looked_for = (intent.body.name, len(intent.body.content))
    files = await to.tickets.attached(intent.target)
    return _found(next((file.id for file in files if file.ours and (file.name, file.size) == looked_for), None))


async def _link(to: TrackerView, intent: WriteIntent[LinkTarget]) -> WriteResult:
    await to.writer.link(intent.target, intent.body.other, intent.body.kind)
    return WriteResult()


async def _watch(to: TrackerView, intent: WriteIntent[str]) -> WriteResult:
    await to.writer.watch(intent.target, intent.body)
    return WriteResult()


async def _change(to: TrackerView, intent: WriteIntent[TicketChange]) -> WriteResult:
    await to.writer.change(intent.target, intent.body)
    return WriteResult()


async def _transition(to: TrackerView, intent: WriteIntent[str]) -> WriteResult:
    await to.writer.transition(intent.target, intent.body)
    return WriteResult()


def _found(result: str | None) -> WriteResult | None:
    return WriteResult(result=result) if result is not None else None


def _content_hash(upload: Upload) -> str:
    return hashlib.sha256(upload.content).hexdigest()


CREATE: Final = EffectKind(
    name="create",
    send=_create,
    find=_adopt,
    prepare=_above,
    digest=lambda new: digest(new.draft),
    verb="Created",
    ends=Outcome.TICKETED,
)
COMMENT: Final = EffectKind(
    name="comment",
    send=_comment,
    find=_commented,
    looked_for=True,
    digest=lambda comment: digest(comment.text),
    verb="Commented on",
    ends=Outcome.COMMENTED,
)
REPORT: Final = EffectKind(name="report", send=record_only, verb="Reported on", ends=Outcome.COMMENTED)
"""One alert of many: the comment on all of them is a view of these rows."""
COUNT: Final = EffectKind(name="count", send=_change, renewed=True)
EDIT: Final = EffectKind(name="edit", send=_edit, digest=lambda edit: digest(edit.body), renewed=True)
ATTACH: Final = EffectKind(name="attach", send=_attach, find=_attached, digest=_content_hash)
LINK: Final = EffectKind(name="link", send=_link, ends=Outcome.UPDATED)
WATCH: Final = EffectKind(name="watch", send=_watch)
CHANGE: Final = EffectKind(name="change", send=_change, verb="Changed", ends=Outcome.UPDATED)
TRANSITION: Final = EffectKind(name="transition", send=_transition, verb="Moved", ends=Outcome.UPDATED)
REPORTS: Final = "reports"
"""Last part of the effect key of the comment on further reports."""
EFFECTS: Final = (CREATE, COMMENT, REPORT, CHANGE, TRANSITION, LINK, EDIT, COUNT, ATTACH, WATCH)


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketWrites:
    """Writes of one case, each at most once; `sequence` numbers those of one kind. Raises what `EffectWriter` does."""

    effects: EffectWriter
    tracker: TrackerView

    async def create(self, draft: TicketDraft, project: str, sequence: str) -> Created:
        """Create the ticket, or return the one that an earlier try created."""
        ledger = self.effects.ledger

        async def highest() -> int:
            return await ledger.highest(project) or await self.tracker.tickets.newest()

        sent = await self.effects.once(CREATE.name, self.tracker, NewTicket(draft, highest), sequence=sequence)
        await self._saw(sent.result, project)
        created: Created | None = sent.answer
        return created or await self._made(sent.result)

    async def made_before(self, tickets: Iterable[Ticket], project: str) -> Created | None:
        """Find this mail's ticket by its mark if the ledger has no row: the database was restored from an older copy."""
        effect = self.effects.effect(CREATE.name, "", "1", digest(""))
        marked = next((ticket for ticket in tickets if effect.label in ticket.labels), None)
        if marked is None or await self.effects.known(effect.key):
            return None
        found = await self.tracker.writer.adopt(self.effects.mark(effect), marked.number - 1)
        if found is not None:
            await self.effects.intend(effect)
            await self.effects.done(effect, _created(found))
            await self._saw(found.key, project)
        return found

    async def comment(self, key: str, body: str, sequence: str, panel: Panel | None = None) -> str:
        """Comment once; return the comment's id."""
        return await self._write(COMMENT.name, CommentText(body, panel), key, sequence)

    async def summarize(self, key: str, comment: str, body: str, sequence: str) -> str:
        """Edit our comment, or write a new one if it is gone; return the id."""
        try:
            return await self._write(EDIT.name, TicketEdit(comment, body), key, sequence)
        except CommentGone:
            return await self.comment(key, body, sequence)

    async def report(self, key: str) -> None:
        """Record the mail as a report on the ticket, which the comment on further reports then lists."""
        await self._write(REPORT.name, "", key, "1")

    async def reported(self, key: str) -> bool:
        """Tell whether the mail is recorded so."""
        return await self.effects.known(self.effects.effect(REPORT.name, key, "1", "").key) is not None

    async def count(self, key: str, change: TicketChange) -> None:
        """Set the number of reports."""
        await self._write(COUNT.name, change, key, REPORTS)

    async def attach(self, key: str, upload: Upload) -> str:
        """Attach a file, equal content once per ticket over all mails; return its id."""
        content = _content_hash(upload)
        sequence = content[:20]
        begun = await self.effects.known(self.effects.effect(ATTACH.name, key, sequence, content).key)
        if begun is None and await self.effects.ledger.attached(key, content):
            return ""
        return await self._write(ATTACH.name, upload, key, sequence)

    async def link(self, key: str, other: str, kind: str) -> None:
        """Link two tickets; idempotent."""
        await self._write(LINK.name, LinkTarget(other, kind), key, f"{kind}:{other}")

    async def watch(self, key: str, person: str) -> None:
        """Add a watcher."""
        await self._write(WATCH.name, person, key, person)

    async def change(self, key: str, change: TicketChange, sequence: str) -> None:
        """Set fields; idempotent."""
        await self._write(CHANGE.name, change, key, sequence)

    async def transition(self, key: str, status: str, sequence: str) -> None:
        await self._write(TRANSITION.name, status, key, sequence)

    async def _write(self, kind: str, body: object, key: str, sequence: str) -> str:
        sent = await self.effects.once(kind, self.tracker, body, target=key, sequence=sequence)
        return sent.result

    async def _saw(self, key: str, project: str) -> None:
        """Record the project's highest known number; a ticket that was moved to another project does not count."""
        if key.rpartition("-")[0] == project:
            await self.effects.ledger.saw(project, number_of(key))

    async def _made(self, key: str) -> Created:
        """Return what an earlier try created, also if people have moved or deleted it since."""
        try:
            ticket = await self.tracker.tickets.get(key)
            return Created(key=ticket.key, url=ticket.url, ticket=ticket)
        except TicketGone:
            return Created(key=key, url="")


KEPT: Final = "the priority stays"


async def raised(at: Context, key: str, priority: str) -> str:
    """Set the priority where it is above the one that the ticket has now; return what was done.

    The ticket is read again, since people may have raised it meanwhile; a repeated call says what the first one did.
    """
    writes, sequence = TicketWrites(effects=at.effects, tracker=at.tracker), f"{at.sequence}:priority"
    if await at.effects.known(at.effects.effect(CHANGE.name, key, sequence, "").key) is None:
        project, ticket = await at.tracker.metadata.project(), await at.tracker.tickets.get(key)
        if not above(priority, ticket.priority, project.priorities):
            return f"{KEPT} {ticket.priority}"
    await writes.change(key, TicketChange(priority=priority), sequence)
    return f"priority {priority}"
