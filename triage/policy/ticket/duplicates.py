"""Scores tickets against a mail: search words, similarity, evidence.

A score of at least 0.55 (DUPLICATE_THRESHOLD) means: probably the same matter. It is no proof. On real trackers most
duplicates score less, and of the mails without a duplicate a few per cent score more. So whatever follows from the score
must be harmless, as a comment is.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from itertools import accumulate
from math import log
from typing import Final

from triage.domain.findings import Candidate, Cues
from triage.domain.mail import Message
from triage.domain.tickets import Ticket
from triage.policy.text.author_text import LIMIT, SUBJECT_LIMIT, author_text, subject_of
from triage.policy.text.sentences import folded, plain
from triage.policy.text.tokenizer import (
    COMMON_STEMS,
    COMMON_WORDS,
    STOP_WORDS,
    WORD,
    codes_in,
    legible,
    stem,
    terms_of,
    words_in,
)
from triage.policy.ticket.similarity import TEXT_LIMIT, Document, document_of, signals_of, weights_of, worth

MOST_WORDS: Final = 8
CONSIDERED: Final = 16
"""Words from which the rarest are chosen."""
ROOM: Final = 100
"""Tickets with one of the words; if more match, the newest 50 that a search returns are arbitrary."""
SEARCHED: Final = 2_000
"""Characters of the mail in which search words are sought."""
TITLE_FACTOR: Final = 5.0
COMMON_FACTOR: Final = 0.6
NUMBER_FACTOR: Final = 0.8
CODE_FACTOR: Final = 8.0
MOST_CODES: Final = 3
"""With more codes than this, they are order numbers."""
FADE: Final = 250
"""A word that follows so many others counts half."""
SHORTEST: Final = 3
SEARCHABLE: Final = re.compile(r"\w+(?:[.\-]\w+)*")
GREETINGS: Final = tuple(folded("letter.greetings"))
LONGEST_GREETING: Final = 50

CLOSED: Final = -0.8
"""On the logistic scale: a done ticket may return, but a new matter is more likely."""
FADING: Final = -0.28
"""Per e-fold of days since the ticket's last change."""
COMPONENT: Final = 0.2
NAMED: Final = 1.5
"""The mail names the ticket. Without similarity this hint does not reach the threshold."""
EXPLAINED: Final = 10
SHOWN: Final = 4
"""Most words of evidence."""
EVIDENCE_LENGTH: Final = 60


# --- what to search for -------------------------------------------------------------------------


def search_words(text: str, most: int = MOST_WORDS) -> tuple[str, ...]:
    """Return the most significant words of a text, best first; its first line is its title."""
    title, _, rest = text[:LIMIT].partition("\n")
    title = title[:SUBJECT_LIMIT]
    said = _without_greeting(author_text(rest))[:SEARCHED]
    scores: dict[str, float] = {}
    for part, factor in ((title, TITLE_FACTOR), (said, 1.0)):
        words = tuple(_searchable(part))
        for word, often in Counter(words).items():
            worth_it = factor * _word_weight(word) * (1 + log(often)) / (1 + words.index(word) / FADE)
            scores[word] = scores.get(word, 0.0) + worth_it
    codes = {code.lower() for code in codes_in(f"{title}\n{said}")} & scores.keys()
    if len(codes) <= MOST_CODES:
        scores |= {code: CODE_FACTOR * scores[code] for code in codes}
    return tuple(_each_once(sorted(scores, key=lambda word: -scores[word])))[:most]


def rarest(words: Sequence[str], frequencies: Mapping[str, int]) -> tuple[str, ...]:
    """Choose at most eight words for a search that returns the newest tickets.

    First the rarest words that known tickets contain, until they match ROOM tickets; then words that no known ticket has,
    most significant first, since only new tickets contain them.
    """
    known = sorted((word for word in words if frequencies.get(word)), key=lambda word: frequencies[word])
    sums = accumulate(frequencies[word] for word in known)
    fitting = [word for word, held in zip(known, sums, strict=True) if held <= ROOM] or known[:1]
    new = (word for word in words if not frequencies.get(word))
    return (*fitting, *new)[:MOST_WORDS]


def _without_greeting(text: str) -> str:
    """Remove a greeting on a line of its own, such as `Hi Marek,`."""
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if (
        first is not None
        and len(lines[first]) <= LONGEST_GREETING
        and plain(lines[first].strip()).startswith(GREETINGS)
    ):
        return "\n".join(lines[first + 1 :])
    return text


def _searchable(text: str) -> Iterator[str]:
    """Yield the words, in lower case, that a search could find."""
    for word in SEARCHABLE.findall(legible(text)):
        folded = plain(word)
        digits = folded.replace(".", "").replace("-", "").isdigit()
        if len(word) >= SHORTEST and not digits and folded not in STOP_WORDS:
            yield word.lower()


def _word_weight(word: str) -> float:
    """Weigh a word before any search."""
    folded = plain(word)
    if folded in COMMON_WORDS or stem(folded) in COMMON_STEMS:
        return COMMON_FACTOR
    return 1.0 if folded.isalpha() else NUMBER_FACTOR


def _each_once(words: Iterable[str]) -> Iterator[str]:
    """Skip words with the stem of an earlier one: `labels` after `label`."""
    stems: set[str] = set()
    for word in words:
        if stem(plain(word)) not in stems:
            stems.add(stem(plain(word)))
            yield word


# --- how sure -----------------------------------------------------------------------------------


def score(
    message: Message,
    tickets: Sequence[Ticket],
    cues: Cues = Cues(),  # noqa: B008 - frozen
    *,
    explained: int = EXPLAINED,
) -> tuple[Candidate, ...]:
    """Return all tickets as candidates, best first; the first ones carry evidence."""
    subject, text = subject_of(message), _without_greeting(author_text(message.reply or message.text))
    said = f" {' '.join(WORD.findall(plain(f'{subject} {text}')))} "
    mail = document_of(subject, text)
    documents = [document_of(ticket.summary, ticket.description) for ticket in tickets]
    components = [_components(ticket, said) for ticket in tickets]
    sure = [
        worth(signals, _extra(ticket, message.date, named=ticket.key in cues.keys, component=bool(known)))
        for ticket, signals, known in zip(tickets, signals_of(mail, documents), components, strict=True)
    ]
    weight = weights_of(documents)
    ranked = sorted(range(len(tickets)), key=lambda at: -sure[at])
    told = {
        at: (*_evidence(mail, tickets[at], documents[at], weight, named=tickets[at].key in cues.keys), *components[at])
        for at in ranked[:explained]
    }
    return tuple(Candidate.of(tickets[at], sure[at], told.get(at, ())) for at in ranked)


def _extra(ticket: Ticket, at: datetime | None, *, named: bool, component: bool) -> float:
    """Weigh what is known besides the words: state, age, component, mention."""
    return FADING * log(1 + _days(ticket, at)) + CLOSED * (not ticket.open) + NAMED * named + COMPONENT * component


def _days(ticket: Ticket, at: datetime | None) -> int:
    """Days from the ticket's last change to the mail; 0 if one of them is unknown."""
    touched = ticket.updated or ticket.created
    if at is None or touched is None:
        return 0
    return max(0, (_aware(at) - _aware(touched)).days)


def _aware(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _components(ticket: Ticket, said: str) -> tuple[str, ...]:
    """Return the components that the mail names in full."""
    return tuple(
        f"component: {component}"
        for component in ticket.components
        if (words := " ".join(WORD.findall(plain(component)))) and f" {words} " in said
    )


def _evidence(
    mail: Document, ticket: Ticket, document: Document, weight: Callable[[str], float], *, named: bool
) -> Iterator[str]:
    """Return words that both contain, as the ticket writes them, most significant first."""
    if named:
        yield f"named in the mail: {ticket.key}"
    if in_title := _shared(ticket.summary, mail, weight, frozenset()):
        yield f"title: {', '.join(in_title)}"
    if in_text := _shared(ticket.description[:TEXT_LIMIT], mail, weight, document.title.keys() | COMMON_STEMS):
        yield f"text: {', '.join(in_text)}"
    if codes := sorted(mail.codes & document.codes):
        yield f"error text: {', '.join(codes[:SHOWN])}"
    if quotes := sorted(mail.quotes & document.quotes, key=len):
        yield f"quotation: {quotes[-1][:EVIDENCE_LENGTH]}"


def _shared(text: str, mail: Document, weight: Callable[[str], float], told: AbstractSet[str]) -> tuple[str, ...]:
    """Return the words of a text that the mail also contains, without those in `told`."""
    weights: dict[str, float] = {}
    for word in words_in(text):
        for term in terms_of(word)[:1]:
            if term in mail and term not in told:
                weights.setdefault(word.lower(), weight(term))
    return tuple(sorted(weights, key=lambda word: -weights[word])[:SHOWN])
