"""The board: what people do about actions, and one ticket of each whatever is clicked."""

import asyncio
import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock, full, opened, step
from tests.database import migrated
from tests.unit.triage.policy.memory.samples import a_note
from tests.unit.triage.services.memory.vault import notes_in
from tests.unit.triage.services.test_approvals import service
from triage.config.autonomy.approvals import ApprovalRules
from triage.domain.approvals import ApprovalState, Approver, ApproverProof
from triage.domain.effects import Effect, EffectState
from triage.domain.memory.errors import NoteChanged, NoteNotFound
from triage.domain.memory.notes import Note, NoteStatus, NoteTrust, Quadrant
from triage.policy.memory.views.board import reason_of, version_of
from triage.services.memory.board import BoardService, Card, Edited, FieldWrong, TicketNotPossible
from triage.services.memory.notes import NoteService

ANN = Approver(name="Ann", proof=ApproverProof.CONSOLE, address="ann@acme.example")
ACTION = a_note("action_required/report", "Send the report", "The auditor waits.", source_emails=("case-1",))


@dataclass
class Woken:
    """A notifier that remembers."""

    cases: list[str] = field(default_factory=list)

    async def notify(self, case: str) -> None:
        """Here."""
        self.cases.append(case)

    async def wait(self, seconds: float) -> None:
        """Nobody waits in these tests."""

    async def close(self) -> None:
        """There is nothing to close."""


@dataclass
class House:
    """A store with one read mail, a vault, and the board over them."""

    store: SqlStore
    notes: NoteService
    board: BoardService
    woken: Woken

    async def action(self, note: Note = ACTION) -> Note:
        """A note as it stands in the vault."""
        return (await self.notes.write(note, "action")).note

    async def cards(self) -> dict[str, Card]:
        """All cards by the title of their notes."""
        return {card.note.title: card for column in await self.board.board() for card in column.cards}


async def types() -> tuple[str, ...]:
    """Types of tickets."""
    return ("Bug", "Task")


async def house(folder: Path, *, read: bool = True) -> House:
    """Make it."""
    store = await open_store(f"sqlite:///{migrated(folder / 'triage.db')}", HeldClock())
    leased = await opened(store)
    if read:
        await leased.cases.save(full(await leased.cases.load()), step())
    await store.jobs.open(leased.lease).cases.finish()
    notes, woken = notes_in(folder / "memory"), Woken()
    approvals = replace(service(store, ApprovalRules()), notifier=woken)
    board = BoardService(notes=notes, archive=store.archive, order=approvals.order, issue_types=types)
    return House(store, notes, board, woken)


async def test_people_move_close_and_take_back(tmp_path: Path) -> None:
    """Each change stands in the note with who made it, and is taken back; a form of an older version changes nothing."""
    at = await house(tmp_path)
    note = await at.action()
    moved = await at.board.move(note.id, version_of(note), Quadrant.DO, "ann")
    closed = await at.board.end(note.id, version_of(moved), NoteStatus.CLOSED, "ann")

    assert (moved.quadrant, closed.status, await at.cards()) == (Quadrant.DO, NoteStatus.CLOSED, {})
    assert [change.by for change in closed.changes] == ["action", "ann", "ann"]
    assert (await at.board.undo(note.id)) == moved
    with pytest.raises(NoteChanged):
        await at.board.move(note.id, version_of(note), Quadrant.DELEGATE, "ann")
    with pytest.raises(NoteNotFound):
        await at.board.move("action_required/none", "", Quadrant.DO, "ann")
    await at.store.close()


async def test_a_note_is_changed_in_its_form(tmp_path: Path) -> None:
    """What a person writes is trusted; a day that is none changes nothing."""
    at = await house(tmp_path)
    note = await at.action()
    form = Edited(
        title=" Send  it ", text="Soon.\r\nReally.", owner="Bo", deadline="2026-11-27", quadrant="do", tickets=("A-1",)
    )
    with pytest.raises(FieldWrong):
        await at.board.edit(note.id, version_of(note), replace(form, deadline="tomorrow"), "ann")
    changed = await at.board.edit(note.id, version_of(note), form, "ann")

    assert (changed.title, changed.text, changed.owner, str(changed.deadline)) == (
        "Send it",
        "Soon.\nReally.",
        "Bo",
        "2026-11-27",
    )
    assert (changed.quadrant, changed.tickets, changed.trust) == (Quadrant.DO, ("A-1",), NoteTrust.TRUSTED)
    kept = await at.board.edit(note.id, version_of(changed), Edited(title=" ", text="x"), "ann")
    assert (kept.title, kept.deadline, kept.quadrant) == ("Send it", None, None)
    await at.store.close()


async def test_one_ticket_whatever_is_clicked(tmp_path: Path) -> None:
    """Two clicks at once, and one after the note was changed, are one order; the worker's key comes into the note."""
    at = await house(tmp_path)
    note = await at.action()
    first, second = await asyncio.gather(at.board.make_ticket(note.id, ANN), at.board.make_ticket(note.id, ANN))
    await at.board.edit(note.id, version_of(note), Edited(title="Send it", text=""), "ann")
    third = await at.board.make_ticket(note.id, ANN)

    assert {first.id, second.id, third.id} == {first.id}
    assert (first.state, first.by, first.case, first.reason) == (
        ApprovalState.ACCEPTED,
        "ann@acme.example",
        "case-1",
        reason_of(note.id),
    )
    assert json.loads(first.arguments)["issue_type"] == "Task"
    assert "case-1" in at.woken.cases
    assert (await at.cards())["Send it"].ordered

    lease = await at.store.jobs.claim("case-1", "w", 60)
    ledger = at.store.jobs.open(lease).ledger
    made = Effect(key=f"case-1:create:approval-{first.id}", kind="create", posts=1)
    await ledger.settle(replace(await ledger.intend(made), state=EffectState.DONE, result="HARB-77"))

    card = (await at.cards())["Send it"]
    assert (card.note.tickets, card.ordered) == (("HARB-77",), False)
    with pytest.raises(TicketNotPossible, match="HARB-77"):
        await at.board.make_ticket(note.id, ANN)
    await at.store.close()


async def test_why_no_ticket_was_made(tmp_path: Path) -> None:
    """What Jira has refused stands on the card."""
    at = await house(tmp_path)
    note = await at.action()
    order = await at.board.make_ticket(note.id, ANN)
    leased = at.store.jobs.open(await at.store.jobs.claim("case-1", "w", 60))
    case = await leased.cases.load()
    assert case.result is not None
    told = replace(
        case.result.tool_calls[0], result={"approval": order.id, "decision": "accepted", "error": "Jira says no"}
    )
    await leased.cases.save(replace(case, result=replace(case.result, tool_calls=(told,))), step())

    assert (await at.cards())["Send the report"].trouble == "Jira says no"
    await at.store.close()


@pytest.mark.parametrize(
    ("note", "why"),
    [
        (replace(ACTION, source_emails=()), "comes from no mail"),
        (replace(ACTION, source_emails=("case-99",)), "comes from no mail"),
        (replace(ACTION, tickets=("A-1",)), "A-1 tracks it"),
        (a_note("decisions/a", "No cameras", source_emails=("case-1",)), "it is no action"),
    ],
)
async def test_there_is_no_ticket_without_a_mail(tmp_path: Path, note: Note, why: str) -> None:
    """Only an action of a mail that was decided about has a ledger; the reason says what to do instead."""
    at = await house(tmp_path)
    with pytest.raises(TicketNotPossible, match=why):
        await at.board.make_ticket((await at.action(note)).id, ANN)
    await at.store.close()


async def test_without_jira_or_a_decision_there_is_none(tmp_path: Path) -> None:
    """A mail that nobody has read, and an installation without Jira, make no tickets."""
    at = await house(tmp_path)
    alone = replace(at.board, issue_types=None)
    with pytest.raises(TicketNotPossible, match="Jira is not set"):
        await alone.make_ticket((await at.action()).id, ANN)
    lease = await at.store.jobs.claim("case-1", "w", 60)
    leased = at.store.jobs.open(lease)
    await leased.cases.save(replace(await leased.cases.load(), result=None), step())
    with pytest.raises(TicketNotPossible, match="set aside"):
        await at.board.make_ticket((await at.action()).id, ANN)
    await at.store.close()
