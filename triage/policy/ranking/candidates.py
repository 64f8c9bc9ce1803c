"""Makes candidates of the tickets that a search found: probability, evidence in words, and whether the evidence is certain.

A probability says how likely ticket and mail are about the same matter. It is no proof, and only lists and links follow from
it; `certain` names evidence on which a comment needs no further proof (decision 062).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

from triage.domain.findings import Candidate, Cues
from triage.domain.mail import Message
from triage.domain.text.truncation import truncated
from triage.domain.tickets import Ticket
from triage.policy.ranking.documents import TEXT_LIMIT, Document, document_of
from triage.policy.ranking.error_signatures import error_lines, same_error
from triage.policy.ranking.ranker import Contender, Ranked, RankingModel, ranked
from triage.policy.text.author_text import matter_of, subject_of, without_greeting
from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import COMMON_STEMS, WORD, codes_in, quotes_in, terms_of, words_in

EXPLAINED: Final = 10
SHOWN: Final = 4
"""Most words of evidence."""
EVIDENCE_LENGTH: Final = 60
CACHED: Final = 256


def score(
    message: Message,
    tickets: Sequence[Ticket],
    cues: Cues = Cues(),  # noqa: B008 - frozen
    *,
    model: RankingModel | None = None,
) -> tuple[Candidate, ...]:
    """Return all tickets as candidates, most probable first."""
    contenders = [Contender.of(ticket) for ticket in tickets]
    found = {ticket.key: ticket for ticket in tickets}
    return explained(message, found.values(), ranked(mail_document(message), message.date, contenders, model), cues)


def mail_document(message: Message) -> Document:
    """Return the mail as the ranking compares it: without greeting, signature and quotations."""
    return document_of(subject_of(message), _text_of(message))


def explained(
    message: Message, tickets: Iterable[Ticket], ranking: Sequence[Ranked], cues: Cues
) -> tuple[Candidate, ...]:
    """Return the ranked tickets as candidates, in this order; the first ten and those that the mail names carry evidence. Others are left out."""
    known = {ticket.key: ticket for ticket in tickets}
    found = [(known[one.key], one.probability) for one in ranking if one.key in known]
    mail = _terms(subject_of(message), _text_of(message))
    words = f" {' '.join(WORD.findall(plain(mail.whole)))} "
    head = [ticket for at, (ticket, _) in enumerate(found) if at < EXPLAINED or ticket.key in cues.keys]
    weight = _weights(head)
    evidence_of: dict[str, tuple[tuple[str, ...], str]] = {}
    for ticket in head:
        components = _components(ticket, words)
        evidence = (*_evidence(mail, ticket, weight, named=ticket.key in cues.keys), *components)
        evidence_of[ticket.key] = evidence, _certain(mail, ticket) if components and ticket.open else ""
    return tuple(
        Candidate.of(ticket, probability, *evidence_of.get(ticket.key, ((), ""))) for ticket, probability in found
    )


@dataclass(frozen=True, slots=True)
class _Terms:
    """A text as evidence needs it: in words."""

    whole: str
    title: Mapping[str, str]
    """Word in lower case → its first term."""
    text: Mapping[str, str]
    titled: frozenset[str]
    """Terms."""
    terms: frozenset[str]
    codes: frozenset[str]
    quotes: frozenset[str]


@lru_cache(maxsize=CACHED)
def _terms(title: str, text: str) -> _Terms:
    text = text[:TEXT_LIMIT]
    whole, subject, body = f"{title}\n{text}", words_in(title), words_in(text)
    titled = frozenset(chain.from_iterable(map(terms_of, subject)))
    return _Terms(
        whole=whole,
        title=_first_terms(subject),
        text=_first_terms(body),
        titled=titled,
        terms=titled.union(*map(terms_of, body)),
        codes=codes_in(whole),
        quotes=quotes_in(whole),
    )


def _first_terms(words: Iterable[str]) -> dict[str, str]:
    return {word.lower(): terms[0] for word in words if (terms := terms_of(word))}


def _text_of(message: Message) -> str:
    return without_greeting(matter_of(message))


def _certain(mail: _Terms, ticket: Ticket) -> str:
    """Return the error that an open ticket of a component that the mail names reports in the same words."""
    line = same_error(error_lines(mail.whole), error_lines(_terms_of(ticket).whole))
    return f"same error and component ({truncated(line, EVIDENCE_LENGTH, at_word=True)})" if line else ""


def _terms_of(ticket: Ticket) -> _Terms:
    return _terms(ticket.summary, ticket.description)


def _components(ticket: Ticket, words: str) -> tuple[str, ...]:
    """Return the components that the mail names in full."""
    return tuple(
        f"component: {component}"
        for component in ticket.components
        if (name := " ".join(WORD.findall(plain(component)))) and f" {name} " in words
    )


def _weights(tickets: Sequence[Ticket]) -> Callable[[str], tuple[bool, int, int]]:
    """Return what orders the terms of evidence: common words last, then those of many tickets, then short ones."""
    holders = Counter(term for ticket in tickets for term in _terms_of(ticket).terms)
    return lambda term: (term not in COMMON_STEMS, -holders[term], len(term))


def _evidence(
    mail: _Terms, ticket: Ticket, weight: Callable[[str], tuple[bool, int, int]], *, named: bool
) -> Iterator[str]:
    """Yield words that both contain, as the ticket writes them, most significant first."""
    ticket_terms = _terms_of(ticket)
    if named:
        yield f"named in the mail: {ticket.key}"
    if in_title := _shared(ticket_terms.title, mail.terms, weight):
        yield f"title: {', '.join(in_title)}"
    if in_text := _shared(ticket_terms.text, mail.terms - ticket_terms.titled - COMMON_STEMS, weight):
        yield f"text: {', '.join(in_text)}"
    if codes := sorted(mail.codes & ticket_terms.codes):
        yield f"error text: {', '.join(codes[:SHOWN])}"
    if quotes := sorted(mail.quotes & ticket_terms.quotes, key=len):
        yield f"quotation: {truncated(quotes[-1], EVIDENCE_LENGTH, at_word=True)}"


def _shared(
    words: Mapping[str, str], terms: frozenset[str], weight: Callable[[str], tuple[bool, int, int]]
) -> tuple[str, ...]:
    """Return the words whose first term is among these, the most significant ones."""
    weights = {word: weight(term) for word, term in words.items() if term in terms}
    return tuple(sorted(weights, key=lambda word: weights[word], reverse=True)[:SHOWN])
