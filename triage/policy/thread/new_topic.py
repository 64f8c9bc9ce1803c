"""Tells whether an answer in a thread begins a matter of its own."""

from dataclasses import dataclass
from typing import Final

from triage.domain.mail import Message
from triage.domain.tickets import Ticket
from triage.policy.text.author_text import author_text
from triage.policy.text.tokenizer import COMMON_STEMS, codes_in, terms_in
from triage.policy.text.word_patterns import levelled, words_in
from triage.policy.thread.fingerprint import leading_key

LEAST_TERMS: Final = 6
"""Words of meaning below which an answer is short, and belongs where it stands."""
IN_COMMON: Final = 0.1
"""Share of the answer's words from which it is about the thread's matter."""
WHEN_SAID: Final = 0.25
"""The same, where the answer says that it is about something else."""
OPENING: Final = 300
"""Characters in which an answer says so."""
READ: Final = 6_000


@dataclass(frozen=True, slots=True)
class NewTopic:
    """A matter of its own in an answer."""

    because: str
    """`says 'another topic'`."""
    own_subject: bool = False
    """The answer's subject is about it, too."""


def new_topic_in(mail: Message, ticket: Ticket) -> NewTopic | None:
    """Return the matter of an answer that is about something else than the thread's ticket; None if it is not, or in doubt.

    It must be more than a short answer, name neither the ticket nor one of its error codes, share next to no word with the
    ticket and with what it quotes, and say that it is about something else or have a subject of its own, which does not begin with the ticket's key.
    """
    own = author_text(mail.reply or mail.text)[:READ]
    terms = _terms(own)
    known = f"{ticket.summary}\n{ticket.description[:READ]}\n{mail.quoted[:READ]}"
    if len(terms) < LEAST_TERMS or ticket.key in own or codes_in(own) & codes_in(known):
        return None
    shared = len(terms & _terms(known)) / len(terms)
    found = words_in("matters.another").search(levelled(f"{mail.subject}\n{own[:OPENING]}"))
    subject = _terms(mail.subject)
    own_subject = (
        not leading_key(mail.subject, (ticket.key,)) and len(subject) > 1 and subject.isdisjoint(_terms(known))
    )
    if found and shared < WHEN_SAID:
        return NewTopic(f"says {found.group()!r}", own_subject)
    if own_subject and shared < IN_COMMON:
        return NewTopic("has a subject of its own, and no word of the ticket's", own_subject)
    return None


def _terms(text: str) -> frozenset[str]:
    return frozenset(terms_in(text)) - COMMON_STEMS
