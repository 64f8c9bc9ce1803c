"""Makes notes, mails, tickets and passages sources of answers, as far as the asker may read them, and answers from help pages alone where they suffice."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, date, datetime, time
from typing import Final

from triage.config.support.confidence import RESOLVE_FROM
from triage.domain.memory.answers import MemoryAnswer, MemorySource, QuotedSentence, SourceKind
from triage.domain.memory.notes import MemoryMail, Note, NoteKind, NoteStatus
from triage.domain.support.articles import PassageHit
from triage.domain.text.escapes import unescaped
from triage.domain.tickets import Ticket
from triage.domain.untrusted import NOTHING, Untrusted
from triage.policy.knowledge.answer import answer
from triage.policy.memory.asking.questions import MemoryQuestion, WantedAnswer
from triage.policy.text.author_text import author_text, without_greeting
from triage.policy.text.word_patterns import ended

KIND_WORDS: Final = {
    NoteKind.DECISION: "Decision",
    NoteKind.PERSON: "Person",
    NoteKind.COMMITMENT: "Commitment",
    NoteKind.ACTION: "Action",
    NoteKind.INSIGHT: "Insight",
}


def source_of_note(note: Note, *, whole: bool) -> MemorySource:
    """Return a note as a source; without `whole` only what lists show of it: title, owner, deadline, status."""
    return MemorySource(
        kind=SourceKind.NOTE,
        id=note.id,
        title=Untrusted(note.title),
        text=note.text if whole else NOTHING,
        fact=fact_of_note(note),
        people=tuple(dict.fromkeys(filter(None, (note.owner, *note.people)))),
        author=note.owner,
        at=datetime.combine(note.created, time(), UTC) if note.created else None,
        due=note.deadline,
        open=note.status is NoteStatus.ACTIVE,
    )


def _standing(note: Note) -> Iterator[str]:
    """Yield how it stands: a promise by whether it is kept, a task always, other notes once they are no longer active."""
    if note.kind is NoteKind.PERSON:
        return
    if note.commitment_status:
        yield str(note.commitment_status)
    if note.kind in {NoteKind.ACTION, NoteKind.COMMITMENT} or note.status is not NoteStatus.ACTIVE:
        yield str(note.status)


def fact_of_note(note: Note) -> str:
    """Return a note's fields as a sentence: `Action: Send the report; Ann has to do it, by 27 November 2026; active.`."""
    parts = [f"{KIND_WORDS[note.kind]}: {note.title}"]
    done_by = f"by {day(note.deadline)}" if note.deadline else ""
    if note.owner:
        parts.append(", ".join(filter(None, (f"owner {note.owner}", done_by))))
    elif done_by:
        parts.append(done_by)
    parts += _standing(note)
    if note.tickets:
        parts.append(f"tracked by {', '.join(note.tickets)}")
    return _line(ended("; ".join(parts)))


def source_of_mail(mail: MemoryMail, *, whole: bool) -> MemorySource:
    """Return a mail as a source; without `whole` only sender, subject and ticket."""
    ticket = f"; ticket {mail.ticket}" if mail.ticket else ""
    return MemorySource(
        kind=SourceKind.MAIL,
        id=mail.case,
        title=mail.subject,
        text=Untrusted(without_greeting(author_text(mail.text))) if whole else NOTHING,
        fact=_line(ended(f"{mail.sender} wrote on {day(mail.at.date())}: {mail.subject or '(no subject)'}{ticket}")),
        people=(mail.sender, *mail.to),
        author=f"{mail.name} {mail.sender}",
        at=mail.at,
    )


def may_promise_for_us(source: MemorySource, domains: Collection[str]) -> bool:
    """Tell whether a source may hold a promise of one of us: not where who promised, or wrote the mail, has an address outside our domains."""
    promises = source.kind is SourceKind.MAIL or source.id.startswith(f"{NoteKind.COMMITMENT}/")
    domain = source.author.partition("@")[2].rstrip("> ").casefold()
    return not (promises and domain and domains) or domain in domains


def source_of_ticket(ticket: Ticket) -> MemorySource:
    who = f", assigned to {ticket.assignee.name}" if ticket.assignee else ", not assigned"
    names = tuple(person.name for person in (ticket.assignee, ticket.reporter) if person)
    return MemorySource(
        kind=SourceKind.TICKET,
        id=ticket.key,
        title=ticket.summary,
        text=Untrusted(unescaped(ticket.description)),
        fact=_line(ended(f"{ticket.key} is {ticket.status}{who}: {ticket.summary}")),
        people=names,
        at=ticket.updated or ticket.created,
        open=ticket.open,
        url=ticket.url,
    )


def source_of_passage(hit: PassageHit) -> MemorySource:
    """Return a passage of an article as a source."""
    passage = hit.passage
    return MemorySource(
        kind=SourceKind.ARTICLE,
        id=passage.id,
        title=Untrusted(f"{passage.title}: {passage.heading}" if passage.heading else passage.title),
        text=passage.text,
        url=passage.url,
    )


def day(day: date) -> str:
    """Return `27 November 2026`."""
    return f"{day.day} {day:%B %Y}"


def _line(text: str) -> str:
    return " ".join(text.split())


def from_articles(question: MemoryQuestion, hits: Sequence[PassageHit]) -> MemoryAnswer | None:
    """Return what the articles say; None for questions about people, notes and mails, and where they say it unsurely.

    A help page says what holds for everybody; a mail that has the same words tells of one case.
    """
    if question.kinds or question.named or question.wants is WantedAnswer.PERSON:
        return None
    answered = answer(question.whole, hits)
    if answered.refused or answered.confidence < RESOLVE_FROM:
        return None
    sources = {hit.passage.id: source_of_passage(hit) for hit in hits}
    cited = dict.fromkeys(one.passage for one in answered.sentences)
    quoted = (QuotedSentence(text=Untrusted(one.text), source=sources[one.passage].key) for one in answered.sentences)
    named = tuple(sources[passage] for passage in cited)
    return MemoryAnswer(question=question.text, sentences=tuple(quoted), sources=named)
