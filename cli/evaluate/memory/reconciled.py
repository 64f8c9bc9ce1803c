"""Reads labelled notes with sent mails and tickets, and counts what the reconciliation makes of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Final

from cli.evaluate.memory.labelled import KINDS, records
from triage.domain.memory.notes import MemoryMail, Note, NoteStatus
from triage.domain.untrusted import Untrusted
from triage.policy.memory.proposals.closings import grounded
from triage.policy.memory.reconcile import ReconcileVerdict, TicketState, reconcile

GIVEN: Final = ">> "
TICKET: Final = ">> ticket "
RIGHT: Final = "=> "
SHAPE: Final = "## number | action | owner | created | deadline | asked by | tickets | today"
FOLDER: Final = "reconciliation"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledNote:
    """A note, what was sent and what the tickets say, and what becomes of it by a person's judgement."""

    note: Note
    sent: tuple[MemoryMail, ...]
    tickets: dict[str, TicketState]
    today: date
    right: NoteStatus
    deadline: date | None
    """The new deadline, if there is one."""


@dataclass(slots=True)
class Reconciled:
    """Counts of how the notes were reconciled, against people's judgement."""

    notes: int = 0
    right: int = 0
    closings: int = 0
    """Notes that are to be closed."""
    closed: int = 0
    """Of these, the ones that were."""
    false_closings: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def labelled_notes(folder: Path) -> tuple[LabelledNote, ...]:
    """Return the notes of the `.txt` files in `FOLDER/reconciliation`; none where there is no such folder. Raises `SettingsInvalid`."""
    return tuple(
        note for file in sorted((folder / FOLDER).glob("*.txt")) for note in records(file, "note", SHAPE, _labelled)
    )


def judged(notes: tuple[LabelledNote, ...]) -> Reconciled:
    """Reconcile each note and compare."""
    counts = Reconciled()
    for one in notes:
        verdict = reconcile(one.note, one.sent, one.tickets, one.today)
        _count(counts, one, verdict)
    return counts


def closed_by_anyone(notes: tuple[LabelledNote, ...]) -> tuple[int, int]:
    """Return how many done and how many open notes an agent that closes everything could close, if it offered every mail and ticket as proof."""
    done = open_ones = 0
    for one in notes:
        sent = {mail.message_id: mail for mail in one.sent}
        proofs = [{"status": NoteStatus.CLOSED, "evidence": proof} for proof in (*sent, *one.note.tickets)]
        if any(grounded(one.note, sentence, sent, one.tickets, one.today).evidence for sentence in proofs):
            done += one.right is NoteStatus.CLOSED
            open_ones += one.right is not NoteStatus.CLOSED
    return done, open_ones


def _count(counts: Reconciled, one: LabelledNote, verdict: ReconcileVerdict | None) -> None:
    state = verdict.status if verdict else NoteStatus.ACTIVE
    counts.notes += 1
    counts.closings += one.right is NoteStatus.CLOSED
    counts.closed += one.right is state is NoteStatus.CLOSED
    if state is NoteStatus.CLOSED and one.right is not NoteStatus.CLOSED:
        counts.false_closings.append(f"{one.note.id}: {verdict.evidence if verdict else ''}")
    if state is one.right and (verdict.deadline if verdict else None) == one.deadline:
        counts.right += 1
    else:
        counts.wrong.append(f"{one.note.id}: {state}, right is {one.right}")


def _labelled(lines: list[str]) -> LabelledNote:
    """Read a note with its head, what has happened since, and the right end."""
    *head, today = (part.strip() for part in lines[0].split(" | "))
    body = [line for line in lines[1:] if line]
    first = next(at for at, line in enumerate(body) if line.startswith((GIVEN, RIGHT)))
    right, _, day = next(line for line in body if line.startswith(RIGHT)).removeprefix(RIGHT).partition(" ")
    return LabelledNote(
        note=_note(head, "\n".join(body[:first])),
        sent=tuple(_sent(body[first:])),
        tickets=dict(_tickets(body)),
        today=date.fromisoformat(today),
        right=NoteStatus(right),
        deadline=_day(day or "-"),
    )


def _note(head: list[str], text: str) -> Note:
    number, kind, owner, created, deadline, asker, tickets = head
    keys = tuple(filter(None, (key.strip("- ") if key.strip() == "-" else key.strip() for key in tickets.split(","))))
    return Note(
        id=f"{KINDS[kind].value}/{number}",
        kind=KINDS[kind],
        title=text.splitlines()[0],
        text=Untrusted(text),
        created=date.fromisoformat(created),
        owner="" if owner == "-" else owner,
        deadline=_day(deadline),
        people=(asker,),
        source_senders=(asker,),
        source_emails=("case-1",),
        tickets=keys,
    )


def _day(text: str) -> date | None:
    return None if text == "-" else date.fromisoformat(text)


def _sent(lines: list[str]) -> Iterator[MemoryMail]:
    for at, line in enumerate(lines):
        if line.startswith(GIVEN) and not line.startswith(TICKET):
            day, people, subject = (part.strip() for part in line.removeprefix(GIVEN).split(" | ", 2))
            sender, _, to = people.partition(" > ")
            until = next(end for end in range(at + 1, len(lines)) if lines[end].startswith((GIVEN, RIGHT)))
            yield MemoryMail(
                case=f"sent-{at}@corpus.example",
                message_id=f"sent-{at}@corpus.example",
                sender=sender,
                to=tuple(one.strip() for one in to.split(",")),
                subject=Untrusted(subject),
                text=Untrusted("\n".join(lines[at + 1 : until])),
                at=datetime.fromisoformat(f"{day}T12:00:00+00:00"),
            )


def _tickets(lines: list[str]) -> Iterator[tuple[str, TicketState]]:
    for line in lines:
        if line.startswith(TICKET):
            key, status, state, day = (part.strip() for part in line.removeprefix(TICKET).split(" | "))
            changed = datetime.fromisoformat(f"{day}T12:00:00+00:00")
            yield key, TicketState(key=key, status=status, done=state == "done", changed=changed)
