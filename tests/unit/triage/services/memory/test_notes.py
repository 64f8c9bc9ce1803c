"""Notes are written once, merged, undone, and forgotten by their source."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.unit.triage.policy.memory.samples import a_note
from tests.unit.triage.services.memory.vault import notes_in
from triage.domain.memory.errors import NoteChanged, NoteNotFound
from triage.domain.memory.graph import NodeKind
from triage.domain.memory.notes import Note, NoteKind, NoteStatus, NoteTrust
from triage.domain.untrusted import Untrusted
from triage.services.memory.notes import NoteService

REPORT = a_note("commitments/", "Send the audit report", "Ann: by Friday.", people=("ann@acme.example",))
BOB: dict[str, Any] = {"source_emails": ("case-18",), "source_senders": ("bob@acme.example",)}
SAID_BY_BOB = replace(REPORT, text=Untrusted("Bob: Ann sends it."), **BOB)
OTHER = a_note("decisions/", "We use PostgreSQL", source_emails=("case-3",), source_senders=("kim@acme.example",))


@pytest.fixture
def notes(tmp_path: Path) -> NoteService:
    """The service over an empty vault."""
    return notes_in(tmp_path / "memory")


async def written(notes: NoteService, *more: Note) -> list[Note]:
    """The notes as they stand in the vault."""
    return [(await notes.write(note, "memory_writer")).note for note in more]


async def test_a_new_note(notes: NoteService) -> None:
    """Its id, its dates, its personal data and its changelog are made by code; text from outside loads nothing."""
    told = await notes.write(replace(REPORT, text=Untrusted("See ![x](http://evil.example)")), "memory_writer")

    assert (told.outcome, told.note.id) == ("created", "commitments/2026-11-22-send-the-audit-report")
    assert (told.note.text, told.note.pii) == ("See !\\[x](http://evil.example)", ("address",))
    assert str(told.note.updated) == "2026-11-22"
    assert [(change.by, change.what) for change in told.note.changes] == [("memory_writer", "created from case-17")]
    assert await notes.get(told.note.id) == told.note
    trusted = replace(OTHER, text=Untrusted("![[plan.png]]"), trust=NoteTrust.TRUSTED, created=None)
    assert (await notes.write(trusted, "kim", what="said in the meeting")).note.text == "![[plan.png]]"


async def test_the_same_is_not_written_twice(notes: NoteService) -> None:
    """The very same changes nothing, another mail about it is merged in, what is only alike names the other."""
    (first,) = await written(notes, REPORT)
    same = await notes.write(REPORT, "memory_writer")
    more = await notes.write(SAID_BY_BOB, "memory_writer")
    alike = await notes.write(
        replace(REPORT, title="Send the audit report 2", source_emails=("case-9",)), "memory_writer"
    )

    assert (same.outcome, same.note) == ("unchanged", first)
    assert (more.outcome, more.note.id, more.note.source_emails) == ("merged", first.id, ("case-17", "case-18"))
    assert more.note.changes[-1].what == "more from case-18"
    assert (alike.outcome, alike.similar, alike.note.related_to) == ("created", first.id, (first.id,))
    assert len(await notes.list()) == 2


async def test_many_write_at_once(notes: NoteService, tmp_path: Path) -> None:
    """Twelve times the same at the same time, by three processes, is one note."""
    others = [notes_in(tmp_path / "memory") for _ in range(2)]
    told = await asyncio.gather(*(one.write(REPORT, "memory_writer") for one in (notes, *others) for _ in range(4)))

    assert sorted(one.outcome for one in told) == ["created", *["unchanged"] * 11]
    assert len(await notes.list()) == 1


async def test_a_name_that_a_broken_file_has(notes: NoteService, tmp_path: Path) -> None:
    """The file stays, the note gets another name."""
    file = tmp_path / "memory" / "commitments" / "2026-11-22-send-the-audit-report.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nbroken")

    (note,) = await written(notes, REPORT)
    assert note.id == "commitments/2026-11-22-send-the-audit-report-2"
    assert file.read_text() == "---\nbroken"
    assert (await notes.stats()).problems == len(await notes.problems()) == 1


async def test_a_change(notes: NoteService, tmp_path: Path) -> None:
    """It is told in the changelog, and refused if a person was quicker; without a change nothing is written."""
    (note,) = await written(notes, REPORT)
    closed = await notes.write(
        replace(note, status=NoteStatus.CLOSED, text=Untrusted("<b>")),
        "reconciliation",
        before=note,
        what="sent mail <id@x>",
    )

    assert closed.outcome == "updated"
    assert closed.note.changes[-1].what == "status: active → closed; text; sent mail <id@x>"
    assert closed.note.text == "&lt;b>"
    assert (await notes.write(closed.note, "x", before=closed.note)).outcome == "unchanged"
    file = tmp_path / "memory" / f"{note.id}.md"
    file.write_text(file.read_text() + "Ann: no.\n")
    with pytest.raises(NoteChanged):
        await notes.write(replace(closed.note, owner="bob"), "action", before=closed.note)


async def test_finding(notes: NoteService) -> None:
    """By words, kind and status, by what people call it; the index shows the newest first."""
    report, other = await written(notes, REPORT, OTHER)

    assert [hit.note for hit in await notes.search("postgresql report")] == [report, other]
    assert [hit.note for hit in await notes.search("postgresql report", kind=NoteKind.COMMITMENT)] == [report]
    assert await notes.search("report", status=NoteStatus.CLOSED) == ()
    assert await notes.list(kind=NoteKind.DECISION) == (other,)
    assert await notes.resolve("[[2026-11-22-we-use-postgresql]]") == other.id
    with pytest.raises(NoteNotFound):
        await notes.resolve("nothing")
    assert {kind: len(found) for kind, found in (await notes.index()).items() if found} == {
        NoteKind.COMMITMENT: 1,
        NoteKind.DECISION: 1,
    }
    stats = await notes.stats()
    assert (stats.notes, stats.by_kind["commitments"], stats.by_status["active"]) == (2, 1, 2)


async def test_the_graph(notes: NoteService) -> None:
    """Of all notes, and around one."""
    report, _ = await written(notes, REPORT, OTHER)

    assert len((await notes.graph()).nodes) == 5
    near = await notes.traverse(f"note:{report.id}")
    assert sorted(node.kind for node in near.nodes) == [NodeKind.MAIL, NodeKind.NOTE, NodeKind.PERSON]


async def test_cleaning_up(notes: NoteService, tmp_path: Path) -> None:
    """Notes that say the same become one, the earlier; what it would do can be seen first, and undone after."""
    (report,) = await written(notes, REPORT)
    copy = tmp_path / "memory" / "commitments" / "by-hand.md"
    file = tmp_path / "memory" / f"{report.id}.md"
    copy.write_text(file.read_text().replace("case-17", "case-40").replace("by Friday", "on Monday"))
    planned = await notes.deduplicate("kim", dry_run=True)

    assert [(pair.kept, pair.gone) for pair in planned] == [(report.id, "commitments/by-hand")]
    assert len(await notes.list()) == 2
    assert await notes.deduplicate("kim") == planned
    (both,) = await notes.list()
    assert "on Monday" in both.text
    assert both.changes[-1].what == "merged [[commitments/by-hand]]"
    assert await notes.deduplicate("kim") == ()
    assert await notes.undo(report.id) == report
    assert [note.id for note in await notes.list()] == [report.id, "commitments/by-hand"]
    with pytest.raises(NoteNotFound):
        await notes.undo(report.id)


async def test_a_source_is_forgotten_in_one_step(notes: NoteService) -> None:
    """Thirty notes of one sender go, with what was made of them; others stay, and lose his part alone."""
    evil: dict[str, Any] = {"source_senders": ("Mallory@evil.example",), "trust": NoteTrust.UNTRUSTED}
    for n in range(30):
        await notes.write(
            a_note("insights/", f"Pay invoice {n} to me", source_emails=(f"case-{n}",), **evil), "memory_writer"
        )
    report, _ = await written(notes, REPORT, OTHER)
    both = (await notes.write(replace(SAID_BY_BOB, source_senders=("mallory+x@evil.example",)), "memory_writer")).note
    made = a_note(
        "action_required/",
        "Pay",
        source_emails=(),
        source_senders=(),
        source_memories=("insights/2026-11-22-pay-invoice-7-to-me",),
    )
    await written(notes, made, replace(OTHER, title="About Mallory", people=("mallory@evil.example",)))

    planned = await notes.forget_source("mallory@evil.example", by="kim", dry_run=True)
    assert both.id == report.id
    assert (len(planned.removed), planned.changed) == (31, (report.id,))
    assert planned.naming == ("decisions/2026-11-22-about-mallory",)
    assert await notes.forget_source("mallory@evil.example", by="kim") == planned
    left = {note.id: note for note in await notes.list()}
    assert len(left) == 3
    assert left[report.id].text == REPORT.text
    assert left[report.id].changes[-1].what == "without mallory@evil.example"
    assert (await notes.forget_source("mallory@evil.example", by="kim")).removed == ()
    restored = await notes.undo("insights/2026-11-22-pay-invoice-7-to-me")
    assert restored


async def test_a_note_is_forgotten_by_its_name(notes: NoteService) -> None:
    """A note that a person wrote comes from no mail: its name is its source, and what was made of it goes, too."""
    made = a_note("action_required/", "Pay", source_emails=(), source_memories=("decisions/2026-11-22-by-hand",))
    await written(notes, OTHER, a_note("decisions/", "By hand", source_emails=(), source_senders=()), made)
    gone = await notes.forget_source("decisions/2026-11-22-by-hand", by="kim")

    assert gone.removed == ("action_required/2026-11-22-pay", "decisions/2026-11-22-by-hand")
    assert len(await notes.list()) == 1


async def test_a_person_is_forgotten_for_good(notes: NoteService, tmp_path: Path) -> None:
    """No file of the vault holds his words, neither trash nor what is kept for undo; a case is a source, too."""
    await written(notes, REPORT, SAID_BY_BOB, replace(SAID_BY_BOB, title="Holiday of Bob", kind=NoteKind.INSIGHT))
    told = await notes.forget_source("BOB@acme.example", by="kim", for_good=True)

    assert (len(told.removed), len(told.changed)) == (1, 1)
    held = [
        path for path in (tmp_path / "memory").rglob("*") if path.is_file() and "bob" in path.read_text().casefold()
    ]
    assert held == []
    assert len((await notes.forget_source("case-17", by="kim")).removed) == 1
