"""Learns from recent tickets who has done similar work.

Nearest neighbours vote: each earlier ticket counts for its assignee by similarity and age. The same votes indicate the
component, and recent work on that component counts, too. tests/bench/test_bench_assignment.py measures it on a real tracker.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from math import log, sqrt
from typing import Final

from triage.domain.tickets import Ticket
from triage.policy.text.technologies import technologies_in
from triage.policy.text.tokenizer import terms_in

TEXT_LIMIT: Final = 2_000
TITLE_WEIGHT: Final = 3
MOST_REPEATS: Final = 2
"""A term counts at most so often; stack traces repeat words."""
SHARPNESS: Final = 3
"""Exponent of the similarity: one close neighbour counts more than many that share a word."""
PRIOR_DOCUMENTS: Final = 50
FEW_SIMILAR: Final = 0.01
"""Votes for nobody, so that one weak match is no certainty; a good recent neighbour has five to ten times as much."""
NAMED: Final = 0.03
"""Votes for a component that the mail names (`invoices` for Invoicing): as much as one good neighbour."""
FEW_RECENT: Final = 1.0
"""Votes for nobody per component: one new ticket makes a share of one half."""
FAINT: Final = 0.02
"""Components with a smaller share of votes are ignored."""
SHOWN: Final = 3
KNOWN_FROM: Final = 2
"""Tickets about a technology from which a person knows it."""
CACHED: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """A person's share in similar tickets."""

    share: float
    keys: tuple[str, ...]
    """The tickets that support it, strongest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expertise:
    """What tickets show about people, by person id."""

    similar: Mapping[str, Similar] = field(default_factory=dict)
    components: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Share of recent work per probable component of the new ticket, weighted by its probability."""
    technologies: Mapping[str, frozenset[str]] = field(default_factory=dict)
    latest: Mapping[str, datetime] = field(default_factory=dict)
    """Last change of a ticket assigned to the person."""


@dataclass(frozen=True, slots=True)
class _Vote:
    """One earlier ticket as a vote."""

    ticket: Ticket
    person: str
    likeness: float
    freshness: float


def learn(
    title: str, text: str, tickets: Iterable[Ticket], people: Collection[str], components: Sequence[str], *,
    at: datetime, half_life_days: float,
) -> Expertise:  # fmt: skip
    """Learn from the tickets of these people; if components are unknown, neighbours indicate them."""
    own = {t.key: (t, t.assignee.id) for t in tickets if t.assignee and t.assignee.id in people}
    documents = {key: vector(ticket.summary, ticket.description) for key, (ticket, _) in own.items()}
    mail = vector(title, text)
    likeness = _likeness(mail, documents)
    votes = [
        _Vote(ticket, person, likeness[key] ** SHARPNESS, _freshness(ticket, at, half_life_days))
        for key, (ticket, person) in own.items()
    ]
    return Expertise(
        similar=_similar(votes),
        components=_components(votes, _about(votes, components, mail.keys())),
        technologies=_technologies(votes),
        latest=_latest(votes),
    )


def nearest(title: str, text: str, tickets: Sequence[Ticket], most: int) -> tuple[Ticket, ...]:
    """Return the tickets most similar to a mail, without those that share nothing."""
    likeness = _likeness(vector(title, text), {t.key: vector(t.summary, t.description) for t in tickets})
    alike = sorted((ticket for ticket in tickets if likeness[ticket.key]), key=lambda ticket: -likeness[ticket.key])
    return tuple(alike[:most])


# --- likeness -----------------------------------------------------------------------------------


@lru_cache(maxsize=CACHED)
def vector(title: str, text: str) -> Mapping[str, float]:
    """Return terms with damped counts, with a cache."""
    in_title, in_text = Counter(terms_in(title)), Counter(terms_in(text[:TEXT_LIMIT]))
    counts = {
        term: TITLE_WEIGHT * bool(in_title[term]) + min(in_text[term], MOST_REPEATS) for term in in_title | in_text
    }
    return {term: 1 + log(count) for term, count in counts.items()}


def _likeness(mail: Mapping[str, float], documents: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return the cosine similarity of each document with the mail, 0 to 1, by inverse document frequency."""
    seen = Counter(term for document in documents.values() for term in document)
    rarity = {term: log(1 + (len(documents) + PRIOR_DOCUMENTS) / (n + 1)) for term, n in seen.items()}
    default = log(1 + len(documents) + PRIOR_DOCUMENTS)
    wanted = {term: weight * rarity.get(term, default) for term, weight in mail.items()}
    length = _length(wanted.values())
    return {key: _cosine(wanted, document, rarity, length) for key, document in documents.items()}


def _cosine(
    wanted: Mapping[str, float], document: Mapping[str, float], rarity: Mapping[str, float], length: float
) -> float:
    common = wanted.keys() & document.keys()
    if not common:
        return 0.0
    own = _length(weight * rarity[term] for term, weight in document.items())
    return sum(wanted[term] * document[term] * rarity[term] for term in common) / (length * own)


def _length(weights: Iterable[float]) -> float:
    return sqrt(sum(weight * weight for weight in weights))


def _freshness(ticket: Ticket, at: datetime, half_life_days: float) -> float:
    """Return 1 for a ticket changed today, halved after each half-life; a ticket without a time counts as old."""
    touched = ticket.updated or ticket.created
    if touched is None:
        return 0.0
    return float(0.5 ** (max(0.0, (_aware(at) - _aware(touched)).total_seconds() / 86_400) / half_life_days))


def _aware(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


# --- what the votes say -------------------------------------------------------------------------


def _similar(votes: Sequence[_Vote]) -> dict[str, Similar]:
    """Return each person's share of all similarity, and the tickets behind it."""
    strength: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for vote in votes:
        if vote.likeness:
            strength[vote.person][vote.ticket.key] = vote.likeness * vote.freshness
    total = FEW_SIMILAR + sum(sum(of_one.values()) for of_one in strength.values())
    return {
        person: Similar(
            share=sum(of_one.values()) / total,
            keys=tuple(sorted(of_one, key=lambda key: (-of_one[key], key))[:SHOWN]),
        )
        for person, of_one in strength.items()
    }


def _about(votes: Sequence[_Vote], known: Sequence[str], said: AbstractSet[str]) -> dict[str, float]:
    """Return components with probabilities: known ones, else those of neighbours and those that the mail names."""
    if known:
        return dict.fromkeys(known, 1 / len(known))
    told: defaultdict[str, float] = defaultdict(float)
    for vote in votes:
        for component in vote.ticket.components:
            told[component] += vote.likeness
    for component in told:
        if (name := vector(component, "").keys()) and name <= said:
            told[component] += NAMED
    total = FEW_SIMILAR + sum(told.values())
    return {component: part / total for component, part in told.items() if part > FAINT * total}


def _components(votes: Sequence[_Vote], about: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Return each person's share of the recent work on these components."""
    done: dict[str, defaultdict[str, float]] = {component: defaultdict(float) for component in about}
    for vote in votes:
        for component in about.keys() & set(vote.ticket.components):
            done[component][vote.person] += vote.freshness
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for component, surely in about.items():
        total = FEW_RECENT + sum(done[component].values())
        for person, part in done[component].items():
            found[person][component] = surely * part / total
    return found


def _technologies(votes: Sequence[_Vote]) -> dict[str, frozenset[str]]:
    """Return the technologies that a person's tickets name repeatedly."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for vote in votes:
        counts[vote.person].update(_named(vote.ticket.summary))
    return {
        person: frozenset(name for name, often in of_one.items() if often >= KNOWN_FROM)
        for person, of_one in counts.items()
    }


@lru_cache(maxsize=CACHED)
def _named(summary: str) -> frozenset[str]:
    return frozenset(cue.value for cue in technologies_in(summary))


def _latest(votes: Sequence[_Vote]) -> dict[str, datetime]:
    latest: dict[str, datetime] = {}
    for vote in votes:
        touched = vote.ticket.updated or vote.ticket.created
        if touched is not None:
            latest[vote.person] = max(latest.get(vote.person, _aware(touched)), _aware(touched))
    return latest
