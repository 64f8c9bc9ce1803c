"""Cuts tickets and mails into the terms by which the ticket index finds one with the other.

Both pass the same tokenizer: stems, parts of identifiers, and pairs of characters where a script has no blanks.
"""

import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import log
from typing import Final

from triage.domain.retrieval import IndexEntry
from triage.domain.tickets import Ticket
from triage.policy.text.author_text import LIMIT, SUBJECT_LIMIT, author_text
from triage.policy.text.tokenizer import codes_in, terms_in
from triage.policy.ticket.similarity import TEXT_LIMIT

VERSION: Final = 1
"""Raised with every change of the entries; an index of another version is built again."""
TITLE_FACTOR: Final = 3.0
CODE_FACTOR: Final = 1.5
"""Error codes and names of exceptions."""
MOST_TERMS: Final = 400
"""Distinct terms of a mail from which the index chooses the best."""
FACTS: Final = struct.Struct("<qq?")


def entry_of(ticket: Ticket) -> IndexEntry:
    """Return what the index stores of a ticket."""
    title = terms_in(ticket.summary[:SUBJECT_LIMIT])
    text = terms_in(ticket.description[:TEXT_LIMIT])
    return IndexEntry(title=" ".join(title), text=" ".join(title + text), features=features_of(ticket))


def features_of(ticket: Ticket) -> bytes:
    """Return what is known of a ticket besides its words: created, last changed (seconds), whether it is open."""
    return FACTS.pack(_seconds(ticket.created), _seconds(ticket.updated), ticket.open)


def query_of(subject: str, text: str) -> Mapping[str, float]:
    """Return the mail's terms with their weights, heaviest first, whatever the length of the mail."""
    title, said = subject[:SUBJECT_LIMIT], author_text(text)
    counts: Counter[str] = Counter(terms_in(said[:TEXT_LIMIT]))
    codes = {term for code in codes_in(f"{title}\n{said[:LIMIT]}") for term in terms_in(code)}
    titled = Counter(terms_in(title))
    weights = {
        term: (CODE_FACTOR if term in codes else 1.0)
        * log(1 + TITLE_FACTOR * titled[term] + max(counts[term], term in codes))
        for term in titled.keys() | counts.keys() | codes
    }
    return dict(sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_TERMS])


def word_frequencies(words: Sequence[str], frequencies: Mapping[str, int]) -> dict[str, int]:
    """Return the number of tickets that may hold each word, from that of its rarest term; words without a term are left out."""
    return {word: min(frequencies.get(term, 0) for term in terms) for word in words if (terms := terms_in(word))}


def _seconds(at: datetime | None) -> int:
    """Seconds since 1970, 0 if unknown; a time without zone counts as UTC."""
    return 0 if at is None else int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp())
