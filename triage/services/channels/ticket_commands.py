"""Carries out commands in comments on our tickets, each once, and answers there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from loguru import logger

from triage.domain.approvals import Approver, ApproverProof
from triage.domain.channels.ticket_notes import Command, HeardCommand, Hearing, TicketComment, TicketNote, Verb
from triage.domain.errors import NotAnApprover, Refused, TicketGone
from triage.domain.findings import Disposition
from triage.domain.ports import Clock, Commands, Comments, TicketFeed, TicketNotes
from triage.domain.tickets import Ticket, is_mark
from triage.policy.approvals.edit_form import text_argument
from triage.policy.channels.commands import command_in
from triage.policy.channels.ticket_notes import HELP, answer_note, refusal_note
from triage.services.approvals import ApprovalService
from triage.services.cases import CaseService
from triage.services.channels.ticket_notes import APPROVAL

LEASE: Final = timedelta(minutes=2)
NEWEST: Final = 50
"""Comments of a changed ticket that are read."""
AT_ONCE: Final = 100
"""Changed tickets that are looked at in one turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketCommands:
    """Follows the stored tickets, which webhook and polling keep up to date; comments are always read from the tracker."""

    feed: TicketFeed
    commands: Commands
    notes: TicketNotes
    discussion: Comments
    approvals: ApprovalService
    cases: CaseService
    clock: Clock
    projects: tuple[str, ...]

    async def begin(self) -> None:
        """Remember where a new project stands, before anything is written there: what people answer comes later. Raises `StoreDown`."""
        for project in self.projects:
            if await self.commands.position(project) is None:
                await self.commands.moved(project, await self.feed.last_change(project))

    async def look(self) -> None:
        """Read the comments of tickets changed since the last check; `begin` comes first. Raises `StoreDown`, and what the tracker raises."""
        for project in self.projects:
            after = await self.commands.position(project) or 0
            for version in await self.feed.changes(project, after, AT_ONCE):
                if version.ticket and await self._ours(version.ticket) and not await self._read(version.key):
                    break
                await self.commands.moved(project, version.change)

    async def _ours(self, ticket: Ticket) -> bool:
        return any(map(is_mark, ticket.labels)) or await self.commands.touched(ticket.key)

    async def _read(self, ticket: str) -> bool:
        """Carry out the new commands on a ticket; return False if another process is about one of them."""
        try:
            comments = await self.discussion.latest(ticket, NEWEST)
        except TicketGone:
            return True
        return all([await self._heard(ticket, comment) for comment in comments])

    async def _heard(self, ticket: str, comment: TicketComment) -> bool:
        command = command_in(comment.words)
        if command is None or comment.ours or comment.author is None or comment.edited_by_other:
            return True
        heard = HeardCommand(comment=comment.id, ticket=ticket, person=comment.author.id, at=self.clock.now())
        hearing = await self.commands.hear(heard, self.clock.now() + LEASE)
        if hearing is Hearing.MINE:
            answer = await self._obeyed(ticket, comment, command)
            await self.commands.obeyed(comment.id, answer)
            logger.bind(ticket=ticket, command=command.verb.value, comment=comment.id, told=answer).info(
                "command.heard"
            )
        return hearing is not Hearing.HELD

    async def _obeyed(self, ticket: str, comment: TicketComment, command: Command) -> str:
        """Carry out a command; return the answer, empty if the proposal's note already says it."""
        person = comment.author
        if person is None:
            return ""
        who = Approver(name=str(person.name), proof=ApproverProof.JIRA, address=person.email, account=person.id)
        try:
            answer = await self._done(ticket, comment, command, who)
        except NotAnApprover:
            await self.notes.want(refusal_note(ticket, person.id, str(person.name), person.email))
            return "not an approver"
        except Refused as e:
            answer = str(e)
        if answer:
            await self.notes.want(answer_note(ticket, comment.id, str(person.name), answer))
        return answer

    async def _done(self, ticket: str, comment: TicketComment, command: Command, who: Approver) -> str:
        """Do it; return the answer. Raises `Refused`."""
        who = await self.approvals.approver(who)
        waiting = await self._waiting(ticket, comment)
        match command.verb:
            case Verb.YES | Verb.NO | Verb.EDIT:
                return await self._decided(command, waiting, who)
            case Verb.STOP:
                for note in waiting:
                    await self.approvals.ignore(_number(note), who, shown=note.shown)
                return "" if waiting else "nothing waits here."
            case Verb.UNDO:
                return await self._undone(ticket, who)
            case Verb.NEW | Verb.NOT:
                return await self._apart(command.text or ticket, ticket, who)
            case _:
                return HELP

    async def _waiting(self, ticket: str, comment: TicketComment) -> Sequence[TicketNote]:
        """Return the proposals written before the comment, since an answer can only mean those."""
        standing = [note for note in await self.notes.standing() if note.ticket == ticket and note.comment]
        return [
            note for note in standing if note.key.startswith(APPROVAL) and _place(note.comment) < _place(comment.id)
        ]

    async def _decided(self, command: Command, waiting: Sequence[TicketNote], who: Approver) -> str:
        meant = [note for note in waiting if command.number in {0, _number(note)}]
        if not meant:
            return f"no. {command.number} does not wait here." if command.number else "nothing waits here."
        if len(meant) > 1:
            numbers = ", ".join(str(_number(note)) for note in meant)
            return f"several wait here, name one: {numbers}. For example `/triage {command.verb.value} {_sign(command)}{_number(meant[0])}`"
        number, shown = _number(meant[0]), meant[0].shown
        match command.verb:
            case Verb.YES:
                await self.approvals.accept(number, who, shown=shown)
            case Verb.NO:
                await self.approvals.ignore(number, who, shown=shown)
            case _:
                field = text_argument(await self.approvals.get(number))
                await self.approvals.edit(number, {field: command.text}, who, shown=shown)
        return ""

    async def _undone(self, ticket: str, who: Approver) -> str:
        """Take back what the mail that last wrote here has written here, and its letters that have not left."""
        case = await self.commands.written_by_us(ticket)
        if not case:
            return f"no mail of ours has written to {ticket}."
        await self.approvals.undo(case, who, on=ticket)
        return (
            f"what {case} wrote here is taken back where nobody has built on it, with its letters that still waited; "
            f"`triage show {case}` says what stays."
        )

    async def _apart(self, key: str, ticket: str, who: Approver) -> str:
        """Let the mail that last wrote to a ticket be decided again without it."""
        case = await self.commands.written_by_us(key) or await self.commands.written_by_us(ticket)
        if not case:
            return f"no mail of ours has written to {key}."
        await self.cases.correct(case, Disposition.WORK, who.identity, apart=key)
        return f"the mail of {case} is decided again, without {key}. What was written stays: delete it if it is wrong."


def _number(note: TicketNote) -> int:
    return int(note.key.removeprefix(APPROVAL))


def _place(comment: str) -> int:
    """Return the order of a comment: Jira numbers them upward."""
    return int(comment) if comment.isdecimal() else 0


def _sign(command: Command) -> str:
    return "#" if command.verb is Verb.EDIT else ""
