"""Notes are found by their words, and the index follows the vault note by note."""

from dataclasses import replace

import pytest

from tests.unit.triage.policy.memory.samples import a_note
from triage.policy.memory.search import NoteIndex

REPORT = a_note("commitments/report", "Send the audit report", "Ann sends it to Kim.", tickets=("HARB-12",))
BUDGET = a_note("decisions/budget", "Budget for 2027", "The audit costs 4,000 EUR. A report comes in May.")
GERMAN = a_note(
    "insights/rechnungen", "Rechnungsprüfung dauert zu lange", "Jörg meint das auch.", people=("Jörg Müller",)
)
NOTES = (REPORT, BUDGET, GERMAN)


@pytest.mark.parametrize(
    ("words", "found"),
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
def test_words_find_notes(words: str, found: list[object]) -> None:
    """By title before text, in any form and case, by keys, addresses and beginnings; what nobody wrote finds nothing."""
    index = NoteIndex()
    index.follow(NOTES)
    hits = index.search(words, 5)

    assert [hit.note for hit in hits if hit.score >= 0.5] == found[: 1 if words == "sending reports" else None]
    assert len(index.search(words, 1)) == min(1, len(hits))


def test_a_hit_tells_its_words() -> None:
    """The share of the question that it holds, and which words, the rarest first; a filter leaves the rest out."""
    index = NoteIndex()
    index.follow(NOTES)
    first, second = index.search("audit report Kim", 5)

    assert (first.note, first.score, first.evidence) == (REPORT, 1.0, ("kim", "audit", "report"))
    assert second.score < 1
    assert [hit.note for hit in index.search("audit", 5, lambda note: note is BUDGET)] == [BUDGET]


def test_the_index_follows() -> None:
    """It reads what is new or changed alone, and forgets what is gone."""
    index = NoteIndex()
    changed = replace(BUDGET, title="Invoices")

    assert index.follow(NOTES) == 3
    assert index.follow(NOTES) == 0
    assert index.follow((REPORT, changed)) == 1
    assert [hit.note for hit in index.search("invoice", 5)] == [changed]
    assert index.search("Rechnungsprüfung", 5) == ()
    assert index.search("budget", 5) == ()
