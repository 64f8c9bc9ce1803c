"""Measures the similarity of a mail and a ticket.

BM25F gives the order: rare terms weigh more, titles three times, long texts less. A logistic regression over a few
signals then turns it into a score; its weights were fitted on three real trackers (tests/bench/test_bench_duplicates).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import exp, log
from typing import Final, NamedTuple

from triage.policy.text.technologies import technologies_in
from triage.policy.text.tokenizer import COMMON_STEMS, codes_in, quotes_in, terms_in

TEXT_LIMIT: Final = 6_000
TITLE_WEIGHT: Final = 3.0
SATURATION: Final = 2.5
"""BM25's k1: how soon a repeated term stops counting."""
TITLE_LENGTH: Final = 0.3
TEXT_LENGTH: Final = 0.8
"""BM25's b: how much the length of a text reduces the score."""
PRIOR_DOCUMENTS: Final = 50
"""The candidates were found by the mail's words, so these look common among them; a prior corrects that."""
PRIOR_COMMON: Final = 0.15
PRIOR_RARE: Final = 0.004
UNKNOWN: Final = 0.25
"""Weight of a term that no candidate has: rare, but often the sender's own expression."""
CACHED: Final = 1024
"""Documents that stay in the cache; frequent tickets are compared with every other mail, fifty at a time."""


@dataclass(frozen=True, slots=True)
class Document:
    """The terms of a mail or a ticket."""

    title: Counter[str]
    text: Counter[str]
    pairs: frozenset[tuple[str, str]]
    """Adjacent terms."""
    codes: frozenset[str]
    quotes: frozenset[str]
    heading: str
    """The title as written."""

    def __contains__(self, term: str) -> bool:
        return term in self.title or term in self.text


@lru_cache(maxsize=CACHED)
def document_of(title: str, text: str) -> Document:
    """Build a document from title and text, with a cache."""
    title_terms, text_terms = terms_in(title), terms_in(text[:TEXT_LIMIT])
    said = f"{title}\n{text[:TEXT_LIMIT]}"
    return Document(
        title=Counter(title_terms),
        text=Counter(text_terms),
        pairs=frozenset(pairwise(title_terms)) | frozenset(pairwise(text_terms)),
        codes=codes_in(said),
        quotes=quotes_in(said),
        heading=title,
    )


class Signals(NamedTuple):
    """Signals for and against, in the order of `WEIGHTS`."""

    match: float
    """Logarithm of the BM25F score."""
    lead: float
    """Distance to the next score; negative behind the first."""
    theirs: float
    """Share of the ticket's title that the mail contains."""
    ours: float
    """Share of the mail's subject that the ticket contains."""
    pairs: float
    """Adjacent terms in both."""
    codes: float
    """Error codes in both; less if many candidates have them."""
    quotes: float
    conflict: float
    """1 if both titles name technologies and share none: iOS here, Android there."""


WEIGHTS: Final = Signals(
    match=0.38, lead=0.88, theirs=3.07, ours=2.26, pairs=0.13, codes=0.6, quotes=0.4, conflict=-0.77
)
BIAS: Final = -5.75
MOST_LEAD: Final = 1.5
"""Limit, since a lone candidate has no rival."""


def signals_of(mail: Document, tickets: Sequence[Document]) -> tuple[Signals, ...]:
    """Return the signals of each ticket among all of them."""
    weight = weights_of(tickets)
    matches = _matches(mail, tickets, weight)
    best = sorted(matches, reverse=True)
    first, second = (*best, 0.0, 0.0)[:2]
    named = _technologies(mail.heading)
    coded = Counter(code for ticket in tickets for code in ticket.codes)
    return tuple(
        Signals(
            match=match,
            lead=min(MOST_LEAD, match - (second if match == first else first)),
            theirs=_share(ticket.title, mail, weight),
            ours=_share(mail.title, ticket, weight),
            pairs=log(1 + sum(min(weight(a), weight(b)) for a, b in mail.pairs & ticket.pairs)),
            codes=min(1.0, sum(1 / coded[code] for code in mail.codes & ticket.codes)),
            quotes=float(not mail.quotes.isdisjoint(ticket.quotes)),
            conflict=float(bool(named) and _conflict(named, _technologies(ticket.heading))),
        )
        for match, ticket in zip(matches, tickets, strict=True)
    )


def worth(signals: Signals, extra: float = 0.0) -> float:
    """Turn signals into a score from 0 to 1; `extra` is further evidence on the logistic scale."""
    return 1 / (1 + exp(-(BIAS + extra + sum(w * value for w, value in zip(WEIGHTS, signals, strict=True)))))


def weights_of(tickets: Sequence[Document]) -> Callable[[str], float]:
    """Return the weight of a term: its inverse document frequency among the candidates, with a prior."""
    within: Counter[str] = Counter(term for ticket in tickets for term in ticket.title.keys() | ticket.text.keys())
    everything = len(tickets) + PRIOR_DOCUMENTS

    @cache
    def weight(term: str) -> float:
        seen = within[term] + PRIOR_DOCUMENTS * (PRIOR_COMMON if term in COMMON_STEMS else PRIOR_RARE)
        known = 1.0 if term in within else UNKNOWN
        return known * log(1 + (everything - seen + 0.5) / (seen + 0.5))

    return weight


def _matches(mail: Document, tickets: Sequence[Document], weight: Callable[[str], float]) -> list[float]:
    """Return the logarithms of the BM25F scores."""
    wanted = {
        term: weight(term) * log(1 + TITLE_WEIGHT * mail.title[term] + mail.text[term])
        for term in mail.title.keys() | mail.text.keys()
    }
    title_length = _mean(ticket.title.total() for ticket in tickets)
    text_length = _mean(ticket.text.total() for ticket in tickets)
    return [
        log(1 + _bm25f(wanted, ticket, ticket.title.total() / title_length, ticket.text.total() / text_length))
        for ticket in tickets
    ]


def _bm25f(wanted: Mapping[str, float], ticket: Document, title_length: float, text_length: float) -> float:
    """Compute BM25F with lengths relative to the mean."""
    in_title = TITLE_WEIGHT / (1 - TITLE_LENGTH + TITLE_LENGTH * title_length)
    in_text = 1 / (1 - TEXT_LENGTH + TEXT_LENGTH * text_length)
    score = 0.0
    for term in wanted.keys() & (ticket.title.keys() | ticket.text.keys()):
        often = ticket.title[term] * in_title + ticket.text[term] * in_text
        score += wanted[term] * often / (often + SATURATION)
    return score


def _share(title: Counter[str], other: Document, weight: Callable[[str], float]) -> float:
    """Return the weighted share of a title that the other document contains."""
    total = sum(weight(term) for term in title)
    return sum(weight(term) for term in title if term in other) / total if total else 0.0


def _technologies(title: str) -> frozenset[str]:
    return frozenset(cue.value for cue in technologies_in(title))


def _conflict(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(other) and one.isdisjoint(other)


def _mean(lengths: Iterable[int]) -> float:
    """Return the mean, never 0, since it is a divisor."""
    known = tuple(lengths)
    return max(1.0, sum(known) / max(1, len(known)))
