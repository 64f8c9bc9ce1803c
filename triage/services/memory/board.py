"""The board of actions: people move, close and dismiss them, and order tickets for them, each once."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from triage.domain.approvals import Approval, Approver
from triage.domain.effects import EffectState
from triage.domain.errors import CaseNotFound, NotRead, Refused
from triage.domain.memory.errors import NoteChanged, NoteNotFound
from triage.domain.memory.notes import Note, NoteKind, NoteStatus, NoteTrust, Quadrant
from triage.domain.operations.errors import MailGone
from triage.domain.operations.forgetting import AGED, FORGOTTEN
from triage.domain.ports import Archive
from triage.domain.reports import Report
from triage.domain.untrusted import Untrusted
from triage.policy.memory.views.board import QuadrantNotes, case_of, columns, reason_of, ticket_arguments, version_of
from triage.services.memory.notes import NoteService
from triage.toolsets.tickets.rules import CREATING

SHOWN: Final = 50
"""Cards of a quadrant, those with the nearest deadline."""


class TicketNotPossible(Refused):
    """No ticket can be made of the note: write one in Jira, and name its key in the note's `tickets`."""

    note: str
    why: str


class FieldWrong(Refused):
    """What was written into a field of a note is not understood."""

    field: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """An action on the board."""

    note: Note
    owner: str
    """Who has to do it; empty: nobody is named, or the team as a whole is."""
    version: str
    case: str
    """The mail whose ledger its ticket is written by; empty: none, so no ticket can be ordered here."""
    ordered: bool
    """A ticket was ordered, and the worker has not made it yet."""
    trouble: str = ""
    """Why the ordered ticket could not be made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardColumn:
    """A quadrant with its cards."""

    quadrant: Quadrant | None
    cards: tuple[Card, ...]
    more: int = 0
    """Further actions that are not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """What somebody has written into the form of a note."""

    title: str
    text: str
    owner: str = ""
    deadline: str = ""
    """`2026-11-27`, or empty."""
    quadrant: str = ""
    status: str = NoteStatus.ACTIVE
    tickets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardService:
    """Called by the console. All methods raise `VaultDown` and `StoreDown`; those that write `NoteChanged` and `VaultReadOnly`."""

    notes: NoteService
    archive: Archive
    order: Callable[[Approver, Approval], Awaitable[tuple[Approval, ...]]] | None = None
    """Orders a call that a worker carries out, and raises `NotAnApprover`; None: Jira is not set."""
    issue_types: Callable[[], Awaitable[Sequence[str]]] | None = None
    """Types of tickets that the project takes; None: Jira is not set."""
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a ticket is ordered, so that two clicks are one order."""

    async def board(self) -> tuple[BoardColumn, ...]:
        """Return the open actions by quadrant; keys of tickets that were made meanwhile are written into their notes."""
        return tuple([await self._column(each) for each in columns(await self.notes.list())])

    async def _column(self, column: QuadrantNotes) -> BoardColumn:
        shown = column.notes[:SHOWN]
        return BoardColumn(
            quadrant=column.quadrant,
            cards=tuple([await self.card(note) for note in shown]),
            more=len(column.notes) - len(shown),
        )

    async def card(self, note: Note) -> Card:
        case, ordered, trouble = case_of(note), False, ""
        if case and not note.tickets and (report := await self._report(case)):
            order = _order(report, note.id)
            key, trouble = _made(report, order) if order else ("", "")
            note = await self._tracked(note, key) if key else note
            ordered = order is not None and not key and not trouble
        owner, version = self.notes.owner_of(note), version_of(note)
        return Card(note=note, owner=owner, version=version, case=case, ordered=ordered, trouble=trouble)

    async def move(self, name: str, version: str, quadrant: Quadrant, by: str) -> Note:
        """Put an action into another quadrant. Raises `NoteNotFound`."""
        note = await self._read(name, version)
        return await self._put(replace(note, quadrant=quadrant), note, by, "")

    async def end(self, name: str, version: str, status: NoteStatus, by: str) -> Note:
        """Close or dismiss a note, or open it again."""
        note = await self._read(name, version)
        return await self._put(replace(note, status=status), note, by, "by hand")

    async def edit(self, name: str, version: str, edited: Edited, by: str) -> Note:
        """Write what a person has changed; the note is then what a person of ours has confirmed."""
        note = await self._read(name, version)
        changed = replace(
            note,
            title=" ".join(edited.title.split()) or note.title,
            text=Untrusted(edited.text.replace("\r\n", "\n")),
            owner=edited.owner.strip(),
            deadline=_day(edited.deadline),
            quadrant=Quadrant(edited.quadrant) if edited.quadrant else None,
            status=NoteStatus(edited.status),
            tickets=tuple(dict.fromkeys(filter(None, edited.tickets))),
            trust=NoteTrust.TRUSTED,
        )
        return await self._put(changed, note, by, "")

    async def undo(self, name: str) -> Note | None:
        """Take the last change of a note back. Raises `NoteNotFound`."""
        return await self.notes.undo(name)

    async def make_ticket(self, name: str, who: Approver) -> Approval:
        """Order a ticket of an action, once whatever is clicked; a worker makes it by the ledger of the mail's case.

        Raises `TicketNotPossible`, `NotAnApprover`, `NoteNotFound`.
        """
        async with self._one:
            note = await self._note(name)
            case = await self._case(note)
            if (standing := _order(await self.archive.report(case), note.id)) is not None:
                return standing
            if self.order is None or self.issue_types is None or not (types := await self.issue_types()):
                raise TicketNotPossible(note.id, "Jira is not set")
            arguments = json.dumps(
                dict(ticket_arguments(note, types)), ensure_ascii=False, sort_keys=True, separators=(",", ":")
            )
            wish = Approval(
                case=case,
                tool=CREATING,
                arguments=arguments,
                reason=reason_of(note.id),
                effect="ticket",
                field="ticket",
                becomes=note.title,
            )
            (ordered,) = await self.order(who, wish)
        return ordered

    async def _case(self, note: Note) -> str:
        """Return the case whose ledger writes the ticket. Raises `TicketNotPossible`."""
        if note.kind is not NoteKind.ACTION:
            raise TicketNotPossible(note.id, "it is no action")
        if note.tickets:
            raise TicketNotPossible(note.id, f"{', '.join(note.tickets)} tracks it")
        case = case_of(note)
        report = await self._report(case) if case else None
        if report is None:
            raise TicketNotPossible(note.id, "it comes from no mail")
        if not {FORGOTTEN, AGED}.isdisjoint(report.case.flags):
            raise MailGone(case)
        if report.case.message is None:
            raise NotRead(case)
        if report.case.result is None:
            raise TicketNotPossible(note.id, f"{case} was set aside before anything was decided")
        return case

    async def _report(self, case: str) -> Report | None:
        try:
            return await self.archive.report(case)
        except CaseNotFound:
            return None

    async def _tracked(self, note: Note, key: str) -> Note:
        """Write the key of the ticket that was made into the note; somebody's edit meanwhile goes first."""
        try:
            return await self._put(replace(note, tickets=(*note.tickets, key)), note, "board", f"tracked by {key}")
        except NoteChanged:
            return note

    async def _read(self, name: str, version: str) -> Note:
        """Return the note of this version. Raises `NoteNotFound`, `NoteChanged`."""
        note = await self._note(name)
        if version != version_of(note):
            raise NoteChanged(note.id)
        return note

    async def _note(self, name: str) -> Note:
        """Return a note. Raises `NoteNotFound`."""
        note = await self.notes.get(name)
        if note is None:
            raise NoteNotFound(name)
        return note

    async def _put(self, note: Note, before: Note, by: str, what: str) -> Note:
        return (await self.notes.write(note, by, before=before, what=what)).note


def _day(text: str) -> date | None:
    """Return the day of a form. Raises `FieldWrong`."""
    try:
        return date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        raise FieldWrong("deadline", "write a day such as 2026-11-27") from None


def _order(report: Report, note: str) -> Approval | None:
    """Return the order of a note's ticket, if there is one."""
    return next((one for one in report.approvals if one.tool == CREATING and one.reason == reason_of(note)), None)


def _made(report: Report, order: Approval) -> tuple[str, str]:
    """Return the key of the ticket that an order has made, or why it made none; both empty while it waits."""
    place = f":approval-{order.id}"
    done = (e for e in report.effects if e.kind == "create" and e.key.endswith(place))
    key = next((effect.result for effect in done if effect.state is EffectState.DONE), "")
    results = (run.facts for run in report.case.calls if run.facts.get("approval") == order.id)
    return key, "" if key else next((str(result["error"]) for result in results if result.get("error")), "")
