"""What the Reconciliation Agent may change: only what a mail of ours says that it was shown, a ticket that is done, or a day that is over.

An agent may read a mail that no rule understands. So a sentence that it takes as the end of a note needs no word for `done`; all else is as
for the rules: later than the note, from its owner, to who waits for it, about its matter, and neither a promise nor a question.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from triage.domain.memory.notes import MemoryMail, Note, NoteStatus
from triage.policy.memory.observations import deadline_of
from triage.policy.memory.reading.wording import Sentence, sentences_of_mail
from triage.policy.memory.reconcile import TicketState, answers_note, done_by_ticket, expired, same_matter, words_of

COVERED: Final = 0.34
"""Part of the note's words of the matter that the mail has at least; the sentence that settles it has as many as for the rules."""
TOLD: Final = 120
"""Characters of a sentence in a changelog."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """The evidence for a proposed change, as a sentence of ours, or the reason why nothing proves it."""

    evidence: str = ""
    reason: str = ""


def may_settle(note: Note, mail: MemoryMail) -> bool:
    """Tell whether a sent mail could end or move a note: only such mails are shown to the agent."""
    return answers_note(note, mail, COVERED)


def grounded(
    note: Note,
    proposed: Mapping[str, Any],
    sent: Mapping[str, MemoryMail],
    tickets: Mapping[str, TicketState],
    today: date,
) -> Grounded:
    """Judge a change of an open note. `proposed` has `status`, `deadline`, `commitment_status`, `evidence`; `sent` are the mails shown, by Message-ID."""
    status = NoteStatus(proposed["status"]) if proposed.get("status") else None
    if note.status is not NoteStatus.ACTIVE:
        return Grounded(reason=f"{note.id} is {note.status}: only a person opens it again")
    if status is NoteStatus.EXPIRED:
        return _over(note, today)
    named = str(proposed.get("evidence", "")).strip().strip("<>")
    if status is NoteStatus.CLOSED and named in note.tickets:
        done = done_by_ticket(note, tickets)
        return Grounded(done.evidence) if done else Grounded(reason=f"{named} is not what ends {note.id}, or not done")
    mail = {key.strip("<>"): mail for key, mail in sent.items()}.get(named)
    if mail is None:
        return Grounded(
            reason="`evidence` must be the message_id of a sent mail that you were shown, or a ticket of "
            f"{note.id} that is done; without one the note stays as it is"
        )
    if not may_settle(note, mail):
        return Grounded(reason=f"that mail is not about {note.id}, not its owner's, or not to who waits for it")
    return _by_mail(note, mail, status, proposed.get("deadline"))


def _by_mail(note: Note, mail: MemoryMail, status: NoteStatus | None, day: date | None) -> Grounded:
    saying = next(_saying(note, mail), None)
    if status not in {None, NoteStatus.ACTIVE} and saying is None:
        return Grounded(
            reason="no sentence of that mail says it of this matter: promises, questions and requests end nothing"
        )
    if day is not None:
        saying = next((one for one in sentences_of_mail(mail.text) if deadline_of(one, mail) == day), None)
        if saying is None:
            return Grounded(reason=f"that mail does not name {day}")
    words = saying.text.strip()[:TOLD] if saying else " ".join(mail.text.split())[:TOLD]
    return Grounded(f"sent mail {mail.message_id} of {mail.at.date()}: {words}")


def _saying(note: Note, mail: MemoryMail) -> Iterator[Sentence]:
    """Yield the sentences about the note's matter that say how something is."""
    for sentence in sentences_of_mail(mail.text):
        open_end = sentence.asked or sentence.found("promises", "negations", "conditions", "asks", "reported")
        if not open_end and same_matter(note, words_of(sentence, mail)):
            yield sentence


def _over(note: Note, today: date) -> Grounded:
    """An appointment is over with its day, a promise only when nobody waits for it any more."""
    verdict = expired(note, today)
    if verdict is not None and verdict.status is NoteStatus.EXPIRED:
        return Grounded(verdict.evidence)
    if note.commitment_status and note.deadline and note.deadline < today:
        return Grounded(f"its day {note.deadline} is over")
    return Grounded(reason=f"{note.id} is late at most, and somebody may still wait for it")
