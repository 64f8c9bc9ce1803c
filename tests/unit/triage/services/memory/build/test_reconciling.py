"""What ends together: a promise, and the action to keep it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from tests.unit.triage.policy.memory.observed import MAIL
from tests.unit.triage.services.memory.build.building import house
from triage.domain.memory.builds import BuildKind
from triage.domain.memory.notes import NoteKind, NoteStatus
from triage.domain.untrusted import Untrusted
from triage.policy.memory.reconcile import TicketState

PROMISE = "I will send you the signed audit report by Friday."


async def test_a_kept_promise_ends_the_action_to_keep_it(tmp_path: Path) -> None:
    """The mail that closes the promise closes both; nobody is told to do what is done."""
    async with house(tmp_path) as at:
        await at.mail(1, PROMISE)
        await at.builds.run(BuildKind.BUILD, "ada")
        text = Untrusted("Hello Tom, attached is the signed audit report.")
        at.out.mails.append(replace(MAIL, case="sent-1", text=text, at=at.clock.now() + timedelta(hours=1)))
        await at.clock.sleep(7200)
        done = await at.builds.run(BuildKind.RECONCILE, "ada")
        notes = {note.kind: note for note in await at.notes.list()}

    assert done.figures["closed"] == 2
    assert {note.status for note in notes.values()} == {NoteStatus.CLOSED}
    assert "attached is the signed audit report" in notes[NoteKind.COMMITMENT].changes[-1].what
    assert f"the promise {notes[NoteKind.COMMITMENT].id} is closed" in notes[NoteKind.ACTION].changes[-1].what


async def test_what_a_person_has_done_is_no_promise_any_more(tmp_path: Path) -> None:
    """Done on the board: the promise ends, too. An action that only its ticket has ended leaves the promise open."""
    async with house(tmp_path) as at:
        await at.mail(1, PROMISE)
        await at.builds.run(BuildKind.BUILD, "ada")
        action = next(note for note in await at.notes.list() if note.kind is NoteKind.ACTION)
        tracked = replace(action, tickets=("HARB-12",))
        await at.notes.write(tracked, "lead@acme.example", before=action, what="tracked by HARB-12")
        later = at.clock.now() + timedelta(days=1)
        at.out.states.append(TicketState(key="HARB-12", status="Done", done=True, changed=later))
        await at.clock.sleep(2 * 24 * 3600)
        await at.builds.run(BuildKind.RECONCILE, "ada")
        after = {note.kind: note for note in await at.notes.list()}
        closed = after[NoteKind.ACTION]
        await at.notes.write(replace(closed, tags=("sent",)), "lead@acme.example", before=closed, what="closed: done")
        await at.builds.run(BuildKind.RECONCILE, "ada")
        last = {note.kind: note for note in await at.notes.list()}

    assert [after[kind].status for kind in (NoteKind.ACTION, NoteKind.COMMITMENT)] == ["closed", "active"]
    assert last[NoteKind.COMMITMENT].status is NoteStatus.CLOSED
    assert "lead@acme.example has closed the action" in last[NoteKind.COMMITMENT].changes[-1].what
