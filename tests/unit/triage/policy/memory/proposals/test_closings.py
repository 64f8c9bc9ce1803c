"""What the Reconciliation Agent may change, also one that wants to close everything."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from cli.evaluate.memory.reconciled import LabelledNote, labelled_notes
from tests.unit.triage.policy.memory.observed import CORPUS, MAIL
from tests.unit.triage.policy.memory.samples import a_note
from triage.domain.memory.notes import CommitmentStatus, NoteStatus
from triage.domain.untrusted import Untrusted
from triage.policy.memory.proposals.closings import Grounded, grounded

NOTES = labelled_notes(CORPUS)
TODAY = date(2026, 11, 8)
NOTE = a_note(
    "commitments/report",
    "Ann sends Kim the audit report",
    created=date(2026, 11, 1),
    owner="ann@acme.example",
    people=("kim@acme.example",),
    deadline=date(2026, 11, 6),
)


def proposed(one: LabelledNote, status: str) -> list[Grounded]:
    """What becomes of each proof that an agent could name for a labelled note."""
    sent = {mail.message_id: mail for mail in one.sent}
    said = [{"status": status, "evidence": proof} for proof in (*sent, *one.note.tickets)]
    return [grounded(one.note, each, sent, one.tickets, one.today) for each in said]


def test_an_agent_that_closes_everything_closes_nothing_wrongly() -> None:
    """Of the forty labelled notes none is closed, dismissed or expired that is open, whatever proof is named; nearly all done ones can be."""
    may = [one for one in NOTES if any(not each.reason for each in proposed(one, "closed"))]
    dropped = [one for one in NOTES if any(not each.reason for each in proposed(one, "dismissed"))]
    over = [one for one in NOTES if not grounded(one.note, {"status": "expired"}, {}, {}, one.today).reason]

    assert [one.note.id for one in (*may, *dropped) if one.right is not NoteStatus.CLOSED] == []
    assert [one.note.id for one in over if one.right is NoteStatus.ACTIVE] == []
    assert len(may) >= 13


def told(text: str, said: dict[str, Any], note: Any = NOTE, *, sender: str = "ann@acme.example") -> Grounded:
    """What becomes of a change that rests on a mail from Ann to Kim."""
    mail = replace(MAIL, message_id="<s@x>", case="s", sender=sender, to=("kim@acme.example",), text=Untrusted(text))
    return grounded(note, {"evidence": "s@x", **said}, {"<s@x>": mail}, {}, TODAY)


@pytest.mark.parametrize(
    ("text", "said", "why"),
    [
        ("Kim, the audit report for you.", {"status": "closed"}, ""),
        ("Kim, I will send the audit report.", {"status": "closed"}, "no sentence of that mail"),
        ("Kim, where is the audit report?", {"status": "closed"}, "no sentence of that mail"),
        ("Kim, the cake is good.", {"status": "closed"}, "is not about"),
        ("Kim, the audit report for you.", {"status": "closed", "evidence": "other@x"}, "must be the message_id"),
        ("I will send the audit report on 13 November.", {"deadline": date(2026, 11, 13)}, ""),
        ("I will send the audit report on 13 November.", {"deadline": date(2026, 11, 20)}, "does not name 2026-11-20"),
        ("The audit report meeting is fine.", {"commitment_status": "confirmed"}, ""),
        ("Kim, the audit report for you.", {"status": "expired"}, "late at most"),
    ],
)
def test_the_ground_of_a_change(text: str, said: dict[str, Any], why: str) -> None:
    """The mail is the owner's, to who waits, of the matter, and says it."""
    found = told(text, said)

    assert why in found.reason
    assert bool(found.reason) is bool(why)
    assert bool(found.evidence) is not bool(why)


def test_whose_mail_it_is() -> None:
    """Another one's mail ends no promise, and what is closed stays so."""
    assert (
        "not its owner's" in told("The audit report for you.", {"status": "closed"}, sender="bob@acme.example").reason
    )
    closed = replace(NOTE, status=NoteStatus.CLOSED)
    assert "only a person opens it" in told("The audit report.", {"status": "active"}, closed).reason


def test_an_appointment_is_over_with_its_day() -> None:
    """A promise only long after."""
    appointment = replace(NOTE, commitment_status=CommitmentStatus.CONFIRMED)
    old = replace(NOTE, deadline=date(2026, 10, 1))

    assert grounded(appointment, {"status": "expired"}, {}, {}, TODAY).evidence == "its day 2026-11-06 is over"
    assert "passed 38 days ago" in grounded(old, {"status": "expired"}, {}, {}, TODAY).evidence


def test_a_ticket_that_is_not_done_ends_nothing() -> None:
    """Nor one of another note."""
    tracked = replace(NOTE, tickets=("HARB-1",))
    for key in ("HARB-1", "HARB-2"):
        assert grounded(tracked, {"status": "closed", "evidence": key}, {}, {}, TODAY).reason
