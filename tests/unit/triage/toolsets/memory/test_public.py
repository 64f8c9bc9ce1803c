"""A note that a program proposes: refused where nobody may have it, written once by the ledger where a person accepts it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from cli.wiring.memory.notes import note_rules
from integrations.sql.store import open_store
from integrations.vault.markdown_vault import MarkdownVault
from tests.contract.store.store_samples import HeldClock, mail
from tests.database import migrated
from triage.domain.cases import Case
from triage.domain.conversation import ToolRun
from triage.domain.effects import EffectState
from triage.domain.mail import Address, Message
from triage.domain.memory.notes import Note, NoteKind, NoteTrust
from triage.domain.ports import Ledger
from triage.domain.untrusted import Untrusted
from triage.effects.kinds import by_name
from triage.effects.writer import EffectWriter
from triage.services.memory.notes import NoteService
from triage.toolsets.context import Context
from triage.toolsets.memory.public import NOTE_EFFECT, WRITE, accepted_notes, why_not

NOTE: dict[str, Any] = {"kind": "decisions", "title": "We keep PostgreSQL 15 until spring", "text": "Decided by all."}

PROGRAM = Address(address="mcp-1@triage.invalid")


@pytest.fixture
def notes(tmp_path: Path) -> NoteService:
    """An empty vault."""
    vault = MarkdownVault(tmp_path / "vault", note_rules(), create=True)
    return NoteService(vault=vault, kept=vault, clock=HeldClock())


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncIterator[Ledger]:
    """Of a case in a real database."""
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", HeldClock())
    await store.inbox.accept(mail())
    lease = await store.jobs.lease_case("case-1", "test", 0)
    assert lease
    yield store.jobs.open(lease).ledger
    await store.close()


def context(ledger: Ledger, sender: Address | None = PROGRAM, by: str = "ann") -> Context:
    """Of the case of a proposal, accepted by somebody."""
    clock, unused = HeldClock(), cast("Any", None)
    effects = EffectWriter(
        ledger=ledger, kinds=by_name(NOTE_EFFECT), clock=clock, case="case-1", secret=b"s", fingerprint="f"
    )
    message = Message(sender=sender, subject=Untrusted(NOTE["title"]))
    return Context(
        case=Case(id="case-1", source="mcp", received_at=clock.now(), message=message),
        tracker=unused,
        ticket_store=unused,
        index=unused,
        people_index=unused,
        effects=effects,
        clock=clock,
        accepted=by,
        sequence="approval-1",
    )


async def test_it_is_written_once(notes: NoteService, ledger: Ledger) -> None:
    """The note has the proposal as its source, the person in its changelog, and no more trust than before; twice is once."""
    tool, at = accepted_notes(notes, HeldClock()), context(ledger)
    told = await tool.function(at, **NOTE)
    again = await tool.function(at, **NOTE)
    (note,) = await notes.list()
    (effect,) = await ledger.effects()

    assert (note.id, note.source_emails, note.source_senders) == (told["note"], ("case-1",), (PROGRAM.address,))
    assert (note.trust, note.changes[-1].by) == (NoteTrust.UNTRUSTED, "ann")
    assert (again["outcome"], effect.state, effect.note) == ("written before", EffectState.DONE, note.id)
    run = ToolRun(tool=WRITE.name, arguments=NOTE, result=told, iteration=1)
    assert WRITE.rule
    assert WRITE.rule.describe(run) == f"Noted {note.id}."
    assert WRITE.rule.describe(ToolRun(tool=WRITE.name, arguments=NOTE, result=again, iteration=1)) == ""


async def test_a_crash_between_file_and_row(notes: NoteService, ledger: Ledger) -> None:
    """A note whose row was lost is written again into the same note."""
    tool, at = accepted_notes(notes, HeldClock()), context(ledger, sender=None, by="")
    await tool.function(at, **NOTE)
    (effect,) = await ledger.effects()
    await ledger.settle(replace(effect, state=EffectState.INTENDED))
    await tool.function(at, **NOTE)

    (note,) = await notes.list()
    assert note.changes[0].by == "case-1"


async def test_what_may_not_be_proposed(notes: NoteService) -> None:
    """A new note without a title, another kind for a note that exists; mails, evidence and states are no arguments at all."""
    told = await accepted_note(notes)

    assert await why_not(NOTE, notes) == ""
    assert await why_not({"kind": "decisions", "text": "x"}, notes) == "a new note needs a `title`"
    assert await why_not({"kind": "decisions", "note": told, "text": "x"}, notes) == ""
    assert "keeps its kind" in await why_not({"kind": "people", "note": told, "text": "x"}, notes)
    fields = WRITE.arguments.model_fields.keys()
    assert not fields & {"source_emails", "evidence", "status", "quadrant", "tickets"}
    assert WRITE.rule
    assert WRITE.rule.whole({"kind": "people", "note": "people/ann"}) == ("note", "people/ann")


async def accepted_note(notes: NoteService) -> str:
    """Id of a note that is there."""
    written = await notes.write(Note(id="decisions/", kind=NoteKind.DECISION, title="We ship on Friday"), "ann")
    return written.note.id
