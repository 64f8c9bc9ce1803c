"""Decides what a sent mail or a ticket's state says about an open note: done, later than promised, or expired.

A mail closes a note only if it is later than the note, comes from the note's owner, goes to who asked for it or was promised it, and says of the
same matter that it is done. Any other mail to that person says nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from triage.domain.memory.notes import MemoryMail, Note, NoteKind, NoteStatus
from triage.domain.text.counts import many
from triage.policy.memory.notes.quotation import quote_of
from triage.policy.memory.observations import deadline_of
from triage.policy.memory.reading.owners import same_person
from triage.policy.memory.reading.wording import Sentence, languages_of, pattern, sentences_of_mail
from triage.policy.text.word_patterns import levelled

GRACE: Final = timedelta(days=14)
"""How long after its deadline a note stays active."""
FORGOTTEN: Final = timedelta(days=90)
"""How long a note without a deadline stays active."""
SHARED: Final = 2
"""Words of the matter that note and mail share at least."""
COVERED: Final = 0.6
"""Part of the note's words of the matter that the mail has at least, and so the sentence that says that it is done."""
GREETING: Final = 60
"""Characters of greeting and wishes around the one sentence of a mail."""
STEM: Final = 5
"""Letters by which two forms of a word are the same: `invoice`, `invoices`."""
OPEN: Final = frozenset({NoteKind.ACTION, NoteKind.COMMITMENT})
_WORD: Final = re.compile(r"[^\W\d_]{2,}|\d{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketState:
    """A ticket as the search index knows it."""

    key: str
    status: str
    done: bool
    changed: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconcileVerdict:
    """What becomes of a note, and the evidence in one sentence."""

    status: NoteStatus
    evidence: str
    deadline: date | None = None
    """A new day, if the owner has told one."""
    source: str = ""
    """The mail that says so."""


def reconcile(
    note: Note, sent: Sequence[MemoryMail], tickets: Mapping[str, TicketState], today: date
) -> ReconcileVerdict | None:
    """Return what becomes of an active action or commitment; None if nothing does."""
    if note.status is not NoteStatus.ACTIVE or note.kind not in OPEN:
        return None
    answers = [mail for mail in sorted(sent, key=lambda one: one.at) if answers_note(note, mail)]
    return (
        done_by_ticket(note, tickets)
        or next(filter(None, (_done_by_mail(note, mail) for mail in answers)), None)
        or next(filter(None, (_later(note, mail) for mail in reversed(answers))), None)
        or expired(note, today)
    )


def matter_words(text: str) -> frozenset[str]:
    """Return the words that tell what a text is about, by their first letters."""
    stops = pattern("stops", languages_of(text))
    return frozenset(word[:STEM] for word in _WORD.findall(stops.sub(" ", levelled(text))))


def answers_note(note: Note, mail: MemoryMail, covered: float = COVERED) -> bool:
    """Tell whether a mail is later, from the owner, to somebody who waits for it, and holds that part of the matter's words."""
    if note.created is None or mail.at.date() < note.created or mail.case in note.source_emails:
        return False
    ours = same_person(note.owner, mail.sender) if note.owner else mail.sender not in note.source_senders
    waiting = [who for who in (*note.source_senders, *note.people) if not same_person(who, mail.sender)]
    reaches = any(same_person(who, to) for who in waiting for to in mail.to)
    return ours and reaches and same_matter(note, f"{mail.subject} {mail.text}", covered)


def same_matter(note: Note, text: str, covered: float = COVERED) -> bool:
    """Tell whether a text has that part, and at least so many, of the words that tell what a note is about."""
    wanted = matter_words(quote_of(note.text) or f"{note.title} {note.text}") - _names(note)
    found = wanted & matter_words(text)
    return bool(wanted) and len(found) >= max(min(SHARED, len(wanted)), covered * len(wanted))


def _names(note: Note) -> frozenset[str]:
    """Return the words of the people's names: they are in every mail between the two."""
    text = " ".join(who.partition("@")[0] for who in (*note.people, *note.source_senders, note.owner))
    return frozenset(word[:STEM] for word in _WORD.findall(levelled(text).replace(".", " ")))


def _done_by_mail(note: Note, mail: MemoryMail) -> ReconcileVerdict | None:
    for sentence in sentences_of_mail(mail.text):
        if _mentions_done(sentence) and _is_about(note, sentence, mail):
            evidence = f"sent mail {mail.message_id} of {mail.at.date()}: {sentence.text.strip()[:120]}"
            return ReconcileVerdict(status=NoteStatus.CLOSED, evidence=evidence, source=mail.case)
    return None


def _mentions_done(sentence: Sentence) -> bool:
    done, reported = sentence.found("done"), sentence.found("reported")
    if done is None or sentence.asked or (reported and reported.start() < done.start()):
        return False
    return not sentence.found("promises", "negations", "conditions", "asks")


def _is_about(note: Note, sentence: Sentence, mail: MemoryMail) -> bool:
    """Tell whether the sentence itself names the matter, or is all of a mail whose subject does."""
    return same_matter(note, words_of(sentence, mail))


def words_of(sentence: Sentence, mail: MemoryMail) -> str:
    """Return what a sentence says of, with the subject where it is all of a mail."""
    alone = len(mail.text) <= len(sentence.text) + GREETING
    return f"{mail.subject} {sentence.text}" if alone else sentence.text


def _later(note: Note, mail: MemoryMail) -> ReconcileVerdict | None:
    for sentence in sentences_of_mail(mail.text):
        day = deadline_of(sentence, mail)
        moved = day is not None and (note.deadline is None or day > note.deadline)
        if (
            moved
            and sentence.found("promises")
            and not sentence.found("conditions")
            and not sentence.asked
            and _is_about(note, sentence, mail)
        ):
            evidence = f"sent mail {mail.message_id} of {mail.at.date()}: {sentence.text.strip()[:120]}"
            return ReconcileVerdict(status=NoteStatus.ACTIVE, evidence=evidence, deadline=day, source=mail.case)
    return None


def done_by_ticket(note: Note, tickets: Mapping[str, TicketState]) -> ReconcileVerdict | None:
    """Return that a note is closed because its tickets are done; None if one of them is not."""
    tracking = list(_tracking(note))
    states = [tickets.get(key) for key in tracking]
    if not states or note.created is None:
        return None
    done = [state for state in states if state and state.done and state.changed.date() >= note.created]
    if len(done) < len(states):
        return None
    why = ", ".join(f"{state.key} is {state.status} since {state.changed.date()}" for state in done)
    return ReconcileVerdict(status=NoteStatus.CLOSED, evidence=f"ticket {why}")


def ended_together(
    note: Note, promises: Sequence[Note], actions: Sequence[Note], agent: str
) -> ReconcileVerdict | None:
    """Return that an active action ends with the promises that it was to keep, or that a person has done the action that was to keep this promise.

    `promises` are those that the note was made of, `actions` those that were made of it. What `agent`, the Reconciliation agent, has closed by a
    ticket is no evidence: a promise may outlast its ticket.
    """
    if note.status is not NoteStatus.ACTIVE:
        return None
    if note.kind is NoteKind.ACTION:
        return _ended_with([one for one in promises if one.kind is NoteKind.COMMITMENT])
    return _kept_by(actions, agent) if note.kind is NoteKind.COMMITMENT else None


def _ended_with(promises: Sequence[Note]) -> ReconcileVerdict | None:
    if not promises or any(one.status is NoteStatus.ACTIVE for one in promises):
        return None
    last = next((one for one in promises if one.status is NoteStatus.CLOSED), promises[0])
    return ReconcileVerdict(status=last.status, evidence=f"the promise {last.id} is {last.status}")


def _kept_by(actions: Sequence[Note], agent: str) -> ReconcileVerdict | None:
    done = (one for one in actions if one.status is NoteStatus.CLOSED and one.changes and one.changes[-1].by != agent)
    kept = next(done, None)
    if kept is None:
        return None
    why = f"{kept.changes[-1].by} has closed the action {kept.id}"
    return ReconcileVerdict(status=NoteStatus.CLOSED, evidence=why)


def _tracking(note: Note) -> Iterable[str]:
    """Yield the tickets whose end is the note's end: an action's; a promise may outlast its ticket, unless it names it."""
    words = " ".join((note.title, note.text, *(change.what for change in note.changes)))
    for key in note.tickets:
        if note.kind is NoteKind.ACTION or re.search(rf"\b{re.escape(key)}\b", words):
            yield key


def expired(note: Note, today: date) -> ReconcileVerdict | None:
    """Return that a note is too old to be asked for; None if it is not."""
    if note.deadline and today - note.deadline > GRACE:
        return ReconcileVerdict(
            status=NoteStatus.EXPIRED,
            evidence=f"its deadline {note.deadline} passed {many((today - note.deadline).days, 'day')} ago",
        )
    if note.deadline is None and note.created and today - note.created > FORGOTTEN:
        return ReconcileVerdict(status=NoteStatus.EXPIRED, evidence=f"nothing was heard of it since {note.created}")
    return None
