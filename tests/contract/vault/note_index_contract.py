"""What every index of notes must do."""

from dataclasses import replace

import pytest

from tests.unit.triage.policy.memory.samples import a_note
from triage.domain.memory.notes import Note, NoteHit, NoteKind, NoteStatus
from triage.domain.ports import NoteIndex, Vault
from triage.policy.memory.search import terms_of

REPORT = a_note("commitments/report", "Send the audit report", "Ann sends it to Kim.", tickets=("HARB-12",))
BUDGET = a_note("decisions/budget", "Budget for 2027", "The audit costs 4,000 EUR. A report comes in May.")
GERMAN = a_note(
    "insights/rechnungen", "Rechnungsprüfung dauert zu lange", "Jörg meint das auch.", people=("Jörg Müller",)
)


async def found(index: NoteIndex, words: str, limit: int = 5) -> tuple[NoteHit, ...]:
    """The notes for some words."""
    return await index.find(tuple(dict.fromkeys(terms_of(words))), limit)


async def written(vault: Vault) -> None:
    """Three notes."""
    for note in (REPORT, BUDGET, GERMAN):
        await vault.write(note, before=None)


class NoteIndexContract:
    """Each adapter gives fixtures `vault` and `index`, which belong together, and passes all of it."""

    @pytest.mark.parametrize(
        ("words", "best"),
        [
            ("audit report", [REPORT, BUDGET]),
            ("sending reports", [REPORT]),
            ("harb-12", [REPORT]),
            ("ANN@acme.example", [REPORT, BUDGET, GERMAN]),
            ("Rechnung", [GERMAN]),
            ("muller", [GERMAN]),
            ("who is it?", []),
            ("", []),
            ("nothing of this xyzzy", []),
        ],
    )
    async def test_words_find_notes(self, vault: Vault, index: NoteIndex, words: str, best: list[Note]) -> None:
        """By title before text, in any form and case, by keys, addresses and beginnings; what nobody wrote finds nothing."""
        await written(vault)
        hits = await found(index, words)

        assert [hit.note for hit in hits if hit.score >= 0.5] == best[: 1 if words == "sending reports" else None]
        assert len(await found(index, words, 1)) == min(1, len(hits))

    async def test_a_hit_tells_its_words(self, vault: Vault, index: NoteIndex) -> None:
        """The share of the question that it holds, and which words, the rarest first; kind and status leave the rest out."""
        await written(vault)
        first, second = await found(index, "audit report Kim")

        assert (first.note, first.score, first.evidence) == (REPORT, 1.0, ("kim", "audit", "report"))
        assert second.score < 1
        assert [hit.note for hit in await index.find(("audit",), 5, kind=NoteKind.DECISION)] == [BUDGET]
        assert await index.find(("audit",), 5, status=NoteStatus.CLOSED) == ()

    async def test_the_index_follows(self, vault: Vault, index: NoteIndex) -> None:
        """What changes is found by its new words alone, what is gone by none; links are the same as long as nothing changes."""
        await written(vault)
        links = await index.links()
        assert await index.links() is links
        await vault.write(replace(BUDGET, title="Invoices", tickets=("HARB-9",)), before=BUDGET)
        await vault.remove(GERMAN.id)

        assert [hit.note.title for hit in await found(index, "invoice")] == ["Invoices"]
        assert [await found(index, words) for words in ("budget", "Rechnungsprüfung")] == [(), ()]
        now = {one.note: one for one in await index.links()}
        assert "ticket:HARB-9" in now[BUDGET.id].named
        assert now[REPORT.id] is next(one for one in links if one.note == REPORT.id)
        assert GERMAN.id not in now

    async def test_it_is_built_again(self, vault: Vault, index: NoteIndex) -> None:
        """From the notes alone, with the same answers."""
        await written(vault)
        before = await found(index, "audit report"), await index.links()

        assert await index.rebuild() == 3
        assert (await found(index, "audit report"), await index.links()) == before
