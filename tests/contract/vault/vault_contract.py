"""What every vault must do."""

import asyncio
from dataclasses import replace
from datetime import date

import pytest

from triage.domain.memory.errors import NoteChanged, NoteNotFound
from triage.domain.memory.notes import Note, NoteKind, NoteStatus
from triage.domain.ports import Vault
from triage.domain.untrusted import Untrusted

NOTE = Note(
    id="commitments/2026-11-22-send-the-report",
    kind=NoteKind.COMMITMENT,
    title="Send the report",
    text=Untrusted("By Friday."),
    created=date(2026, 11, 22),
)
OTHER = Note(id="decisions/2026/we-ship", kind=NoteKind.DECISION, title="We ship")


class VaultContract:
    """Each adapter gives a fixture `vault` and passes all of it."""

    async def test_a_note_is_kept(self, vault: Vault) -> None:
        """What was written is read, alone and among all, by id; nothing else is there."""
        await vault.ready()
        assert await vault.notes() == ()
        assert await vault.write(NOTE, before=None) == NOTE
        await vault.write(OTHER, before=None)

        assert await vault.note(NOTE.id) == NOTE
        assert await vault.notes() == (NOTE, OTHER)
        assert await vault.note("decisions/none") is None
        assert await vault.problems() == ()

    async def test_a_change_of_somebody_else_is_not_overwritten(self, vault: Vault) -> None:
        """Who has read an older note, or none, is told so, and the note stays as it is."""
        closed = replace(NOTE, status=NoteStatus.CLOSED)
        await vault.write(NOTE, before=None)
        await vault.write(closed, before=NOTE)

        for before in (NOTE, None):
            with pytest.raises(NoteChanged):
                await vault.write(replace(NOTE, title="Mine"), before=before)
        with pytest.raises(NoteChanged):
            await vault.write(OTHER, before=OTHER)
        assert await vault.notes() == (closed,)

    async def test_of_two_writers_one_wins(self, vault: Vault) -> None:
        """Ten at once: one note, nine refusals."""
        writes = (vault.write(replace(NOTE, title=f"Number {n}"), before=None) for n in range(10))
        told = await asyncio.gather(*writes, return_exceptions=True)

        assert sum(isinstance(one, NoteChanged) for one in told) == 9
        assert [one for one in told if isinstance(one, Note)] == [*await vault.notes()]

    async def test_the_last_write_is_undone(self, vault: Vault) -> None:
        """A change, a removal, a new note; each once."""
        closed = replace(NOTE, status=NoteStatus.CLOSED)
        await vault.write(NOTE, before=None)
        await vault.write(closed, before=NOTE)

        assert await vault.undo(NOTE.id) == NOTE
        with pytest.raises(NoteNotFound):
            await vault.undo(NOTE.id)
        await vault.remove(NOTE.id)
        assert await vault.notes() == ()
        assert await vault.undo(NOTE.id) == NOTE
        await vault.write(OTHER, before=None)
        assert await vault.undo(OTHER.id) is None
        assert await vault.notes() == (NOTE,)

    async def test_what_is_shredded_cannot_be_undone(self, vault: Vault) -> None:
        """Neither the text before nor the trash is left; a note that was never there is no error."""
        await vault.write(NOTE, before=None)
        await vault.remove(NOTE.id)
        await vault.remove(NOTE.id)
        await vault.shred(NOTE.id)
        await vault.shred(OTHER.id)

        with pytest.raises(NoteNotFound):
            await vault.undo(NOTE.id)

    @pytest.mark.parametrize(
        "note", ["../x", "decisions/../../x", "decisions", "/etc/x", "decisions/.x", "other/x", "decisions/a\\b"]
    )
    async def test_an_id_leads_out_of_the_vault(self, vault: Vault, note: str) -> None:
        """Nothing is read, written or removed there."""
        assert await vault.note(note) is None
        with pytest.raises(NoteNotFound):
            await vault.write(replace(OTHER, id=note), before=None)
        with pytest.raises(NoteNotFound):
            await vault.remove(note)
