"""Which notes are one, which only look so, and how two become one."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.unit.triage.policy.memory.samples import a_note
from triage.domain.memory.notes import NoteStatus, NoteTrust
from triage.domain.untrusted import Untrusted
from triage.policy.memory.dedup import FUZZY, LOOK, MERGE, MOST_PARTS, merged, score, similar
from triage.policy.memory.notes.sources import parts_of

FIRST = a_note("commitments/report", "Send the audit report to Kim", "Ann will send the audit report.")
BOB: dict[str, Any] = {"source_emails": ("case-18",), "source_senders": ("bob@acme.example",)}
UNPROVEN: dict[str, Any] = {"trust": NoteTrust.UNTRUSTED}


def again(
    title: str = "Send audit report to Kim", text: str = "Ann will send the audit report soon.", **fields: Any
) -> float:
    """How far another note says the same as the first."""
    given: dict[str, Any] = {**BOB, **fields}
    first = replace(
        FIRST, **{name: given.pop(f"first_{name}") for name in [*FIRST.__slots__] if f"first_{name}" in given}
    )
    return score(first, a_note("commitments/other", title, text, **given))


@pytest.mark.parametrize(
    ("fields", "low", "high"),
    [
        ({}, MERGE, 1),
        ({"title": "SEND the audit report to kim!"}, MERGE, 1),
        ({"text": ""}, MERGE, 1),
        ({"title": "Order coffee", "text": "We have none."}, 0, FUZZY),
        ({"title": "Send the audit of costs to Lee", "text": "Bob does."}, FUZZY - 0.2, MERGE),
        ({"title": "Do not send audit report to Kim"}, FUZZY, LOOK),
        ({"title": "Send audit report 2 to Kim"}, FUZZY, LOOK),
        ({"owner": "bob", "first_owner": "ann"}, LOOK, LOOK),
        ({"deadline": date(2026, 12, 1), "first_deadline": date(2026, 12, 2)}, LOOK, LOOK),
        ({"status": NoteStatus.CLOSED}, LOOK, LOOK),
        ({"tickets": ("A-1",), "first_tickets": ("A-2",)}, LOOK, LOOK),
        ({"trust": NoteTrust.UNTRUSTED}, LOOK, LOOK),
        ({"trust": NoteTrust.UNTRUSTED, "first_trust": NoteTrust.UNTRUSTED}, LOOK, LOOK),
        ({**UNPROVEN, "first_trust": NoteTrust.UNTRUSTED, "source_senders": ("ann@acme.example",)}, MERGE, 1),
        ({"source_emails": ("case-17",), "title": "send the audit report to Kim", "status": NoteStatus.CLOSED}, 1, 1),
    ],
)
def test_how_far_two_notes_say_the_same(fields: dict[str, Any], low: float, high: float) -> None:
    """Words alone do not make them one: numbers, owners, dates, states, a `not` and unproven senders keep them apart."""
    assert low <= again(**fields) <= high


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("We deliver the pump next week", "We deliver the valve next week"),
        ("We update the price list for France", "We update the price list for Spain"),
        ("We migrate the staging database", "We migrate the production database"),
        ("Accept the offer of Nordwind", "Reject the offer of Nordwind"),
        ("Send the audit report to Kim", "Send the audit report to Lee"),
        ("Ich bestelle Papier für das Büro", "Ich bestelle Stühle für das Büro"),
        ("Nous livrons la pompe la semaine prochaine", "Nous livrons la vanne la semaine prochaine"),
        ("Revisaremos el presupuesto antes del lunes", "Revisaremos el pedido antes del lunes"),
        ("Ripareremo il cancello entro mercoledì", "Ripareremo la gru entro mercoledì"),
        ("We leveren de pomp volgende week", "We leveren de klep volgende week"),
    ],
)
def test_another_thing_is_another_matter(title: str, other: str) -> None:
    """Two promises in the same words about two things stay two."""
    assert again(title, first_title=other) <= LOOK


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("The pump will be delivered next week", "We will deliver the pump next week"),
        ("Send Kim the audit reports", "Send the audit report to Kim"),
        ("I sent the sumary of the meeting", "I send the summary of the meeting"),
        ("Order new laptops for support", "Order laptops for support"),
        ("Wir werden das Angebot bis Montag prüfen", "Wir prüfen das Angebot bis Montag"),
        ("Je vais vous envoyer le contrat vendredi", "Je vous envoie le contrat vendredi"),
        ("Le enviaré el contrato el viernes", "Le envío el contrato el viernes"),
        ("Ripareremo noi il cancello entro mercoledì", "Il cancello lo ripareremo entro mercoledì"),
        ("Ik zal het contract vrijdag sturen", "Ik stuur het contract vrijdag"),
    ],
)
def test_other_forms_are_the_same_matter(title: str, other: str) -> None:
    """Another tense, order, number or spelling, and a word more, are the same promise."""
    assert again(title, first_title=other) >= MERGE


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        (("Ann", "ann@a.example"), ("Anne Smith", "ANN@a.example"), 1.0),
        (("Ann", "ann@a.example"), ("Ann", "ann@b.example"), 0.0),
        (("Ann", ""), ("ann", "ann@b.example"), LOOK),
        (("Ann", ""), ("Kim", ""), 0.0),
    ],
)
def test_a_person_is_an_address(one: tuple[str, str], other: tuple[str, str], wanted: float) -> None:
    """Two people of one name stay two."""
    ann, kim = (
        a_note(f"people/{at}", name, people=(address,), source_emails=(f"case-{at}",))
        for at, (name, address) in enumerate((one, other))
    )

    assert score(ann, kim) == wanted
    assert (similar(ann, [kim]) is not None) is (wanted > 0)


def test_the_most_alike_is_found() -> None:
    """Of the same kind, and never the note itself; what is not worth a look is not told."""
    near = replace(FIRST, id="commitments/near", title="Send the audit report to Lee", **BOB)
    far = replace(FIRST, id="commitments/far", title="Send the audit to Kim", **BOB)
    other_kind = a_note("decisions/x", FIRST.title, FIRST.text)
    person = a_note("people/x", "X", people=("x@a.example",), **UNPROVEN)

    found = similar(FIRST, [other_kind, FIRST, near, far])
    assert found
    assert found.note in {near, far}
    assert similar(FIRST, [other_kind, FIRST]) is None
    assert similar(person, [replace(person, id="people/y", title="Somebody", source_emails=("case-9",))])
    assert score(FIRST, other_kind) == 0.0
    assert score(person, replace(person, id="people/z", source_senders=("b@b.example",), source_emails=())) == LOOK


def test_a_merge_loses_nothing() -> None:
    """Words and sources of both are there, each part with its own; the same again changes nothing."""
    second = a_note(
        "commitments/second", "Audit report to Kim", "Bob says: by Friday.", deadline=date(2026, 11, 27), **BOB
    )
    both = merged(FIRST, second)

    assert both.text == (
        "*From case-17, ann@acme.example:*\nAnn will send the audit report.\n\n"
        "*From case-18, bob@acme.example:*\n**Audit report to Kim**\nBob says: by Friday."
    )
    assert (both.source_emails, both.source_senders) == (
        ("case-17", "case-18"),
        ("ann@acme.example", "bob@acme.example"),
    )
    assert both.deadline is None
    assert merged(both, second) == both
    assert [part.title for part in parts_of(both)] == [FIRST.title, second.title]


def test_a_sender_may_add_to_his_own_note() -> None:
    """What was empty is filled, what stands there stays; words that are there already are not written twice."""
    more = replace(
        FIRST,
        id="commitments/more",
        source_emails=("case-20",),
        deadline=date(2026, 11, 27),
        owner="kim",
        tags=("audit",),
    )
    both = merged(replace(FIRST, owner="ann"), replace(more, related_to=(FIRST.id, "decisions/x")))

    assert (both.text, both.source_emails) == (FIRST.text, ("case-17", "case-20"))
    assert (both.owner, both.deadline, both.tags, both.related_to) == (
        "ann",
        more.deadline,
        ("audit",),
        ("decisions/x",),
    )


def test_a_note_does_not_grow_without_end() -> None:
    """Who repeats himself fills a note with so many parts and no more."""
    note = FIRST
    for n in range(MOST_PARTS - 1):
        note = merged(note, replace(FIRST, text=Untrusted(f"And again {n}."), source_emails=(f"case-{100 + n}",)))

    assert len(parts_of(note)) == MOST_PARTS
    assert score(note, replace(FIRST, id="commitments/x", source_emails=("case-99",))) == LOOK
