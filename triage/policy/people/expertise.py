"""Learns from earlier tickets who does which work.

`history_of` prepares the assigned tickets once; `expertise_of` compares a mail with its neighbours and counts who worked on
what, with what weight today. Arrays, because each mail is compared with a thousand tickets.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from triage.domain.tickets import Ticket
from triage.policy.people.term_vectors import (
    Corpus,
    TermVector,
    buckets_of,
    corpus_of,
    likeness,
    rarity_of,
    term_vector,
)
from triage.policy.people.votes import LONG_AGO, Votes, Work, touched, votes_of, work_of
from triage.policy.text.technologies import technologies_in

COUNTED: Final = 5_000
"""Newest assigned tickets that say who works on what."""
READ: Final = 1_000
"""Newest assigned tickets whose words are compared, beside those that were found."""
ENOUGH_READ: Final = 200
"""Of them, from which on they alone say how rare a word is."""
SHARPNESS: Final = 3
"""Exponent of the similarity: one close neighbour counts more than many that share a word."""
SHORT: Final = 90.0
LONG: Final = 365.0
"""Days after which a neighbour counts half."""
RECENTLY: Final = (20.0, 60.0, 180.0, 720.0)
"""Days after which work counts half, from what somebody does this month to what he or she has always done."""
ELSEWHERE: Final = 0.05
"""Part of a neighbour's vote that does not depend on its component."""
FAINT: Final = 0.02
"""Components with a smaller probability are ignored."""
FLOOR: Final = 0.003
"""Added to a share before its logarithm: less is noise."""
ONE_MORE: Final = 1.0
"""Tickets of nobody per component, so that one new ticket makes a share of one half."""
NEAREST: Final = 100
"""Closest neighbours that count alike, however old and however close: what somebody has done again and again."""
LISTED: Final = 200
"""Neighbours that can be named as evidence."""
ALIKE: Final = 0.15
"""Likeness from which a reader sees why a neighbour is named; below, both share a word or two."""
SHOWN: Final = 3
KNOWN_FROM: Final = 2
"""Tickets about a technology from which a person knows it."""
FEATURES: Final = (
    *("similar", "similar_ever", "nearest", "joint", "joint_long"),
    *(f"component_{days:g}" for days in RECENTLY),
    *(f"active_{days:g}" for days in RECENTLY),
)
"""Shares per person; each enters the model as it is and as logarithm, beside the closest neighbour and the days since the last ticket."""
MODEL_FEATURES: Final = (*(f"log_{name}" for name in FEATURES), *FEATURES, "closest", "log_days")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class History:
    """The assigned tickets of a project, prepared for many mails."""

    people: Mapping[str, int]
    """Person id → number."""
    votes: Votes
    work: Mapping[float, Work]
    """Half-life → who did how much."""
    last: NDArray[Any]
    """Day of each person's last change, by number."""
    latest: Mapping[str, datetime]
    """Person id → last change of a ticket assigned to the person."""
    technologies: Mapping[str, frozenset[str]]
    """Person id → what the person's tickets name repeatedly."""
    solved: int
    """Number of these tickets that are done."""
    read: tuple[Ticket, ...]
    """The newest of them, whose words are compared."""
    places: Mapping[str, int]
    """Key → place in `read`."""
    vectors: tuple[TermVector, ...]
    """Terms of `read`."""
    titled: Mapping[int, AbstractSet[int]]
    """Term → places in `read` of the tickets that have it in their title."""
    rarity: NDArray[Any]
    corpus: Corpus
    """`vectors`, weighed by this rarity."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Neighbours:
    """Earlier tickets with their likeness to a mail."""

    tickets: tuple[Ticket, ...]
    people: Mapping[str, int]
    """Person id → number; those of the history, and more."""
    votes: Votes
    likeness: NDArray[Any]
    """Cosine, 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Expertise:
    """What earlier tickets say about each person, as shares of all votes; arrays by the person's number."""

    people: Mapping[str, int]
    """Person id → number."""
    shares: Mapping[str, NDArray[Any]]
    """Name of `FEATURES` → share."""
    closest: NDArray[Any]
    """Likeness of the closest neighbour."""
    days: NDArray[Any]
    """Days between the last ticket and everybody's newest one."""
    strength: NDArray[Any]
    """Votes of the neighbours, not shared out."""
    all_strength: float
    """Their sum."""
    worked: Mapping[str, NDArray[Any]]
    """Probable component → share of the recent work on it, times its probability."""
    similar: Mapping[int, tuple[str, ...]]
    """Number → keys of the neighbours that speak most for the person; none if all of them are faintly alike."""
    latest: Mapping[str, datetime]
    """Person id → last change of a ticket assigned to the person."""

    def features(self) -> NDArray[Any]:
        """Return a row of `MODEL_FEATURES` per person."""
        plain = [self.shares[name] for name in FEATURES]
        logs = [np.log(FLOOR + share) for share in plain]
        return np.stack([*logs, *plain, self.closest, np.log1p(self.days)], axis=1)


# --- what does not depend on the mail ------------------------------------------------------------


class _Same:
    """Key of a cache: a list compared by identity, since hashing 5,000 tickets takes longer than the cached computation."""

    __slots__ = ("tickets",)

    def __init__(self, tickets: tuple[Ticket, ...]) -> None:
        self.tickets = tickets

    def __hash__(self) -> int:
        return id(self.tickets)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.tickets is self.tickets


def history_of(assigned: tuple[Ticket, ...]) -> History:
    """Prepare the assigned tickets, newest first; once per list, which the index keeps for minutes."""
    return _history(_Same(assigned))


@lru_cache(maxsize=8)
def _history(same: _Same) -> History:
    assigned = tuple(ticket for ticket in same.tickets[:COUNTED] if ticket.assignee)
    people: dict[str, int] = {}
    read = assigned[:READ]
    vectors = tuple(term_vector(ticket.summary, ticket.description) for ticket in read)
    rarity = rarity_of(vectors)
    votes = votes_of(assigned, people, {})
    last = np.zeros(len(people))
    np.maximum.at(last, votes.owner, votes.day)
    return History(
        people=people,
        votes=votes,
        work={half: work_of(votes, half, len(people)) for half in (*RECENTLY, SHORT)},
        last=last,
        latest=_latest(assigned),
        technologies=_technologies(assigned),
        solved=sum(not ticket.open for ticket in assigned),
        read=read,
        places={ticket.key: place for place, ticket in enumerate(read)},
        vectors=vectors,
        titled=_titled(read),
        rarity=rarity,
        corpus=corpus_of(vectors, rarity),
    )


def _titled(tickets: Sequence[Ticket]) -> dict[int, set[int]]:
    titled: defaultdict[int, set[int]] = defaultdict(set)
    for place, ticket in enumerate(tickets):
        for term in buckets_of(ticket.summary):
            titled[term].add(place)
    return dict(titled)


def _latest(tickets: Sequence[Ticket]) -> dict[str, datetime]:
    latest: dict[str, datetime] = {}
    for ticket in tickets:
        at = touched(ticket)
        if at is not None and ticket.assignee:
            latest[ticket.assignee.id] = max(latest.get(ticket.assignee.id, at), at)
    return latest


def _technologies(tickets: Sequence[Ticket]) -> dict[str, frozenset[str]]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for person, summary in [(ticket.assignee.id, ticket.summary) for ticket in tickets if ticket.assignee]:
        counts[person].update(_named(summary))
    return {
        person: frozenset(name for name, often in of_one.items() if often >= KNOWN_FROM)
        for person, of_one in counts.items()
    }


@lru_cache(maxsize=COUNTED)
def _named(summary: str) -> frozenset[str]:
    return frozenset(cue.value for cue in technologies_in(summary))


# --- what the mail's neighbours say --------------------------------------------------------------


def neighbours_of(title: str, text: str, found: Sequence[Ticket], history: History) -> Neighbours:
    """Compare the mail with the tickets that were found and with the newest assigned ones."""
    vectors = [term_vector(ticket.summary, ticket.description) for ticket in found]
    mail, rarity, read = term_vector(title, text), history.rarity, history.corpus
    if len(history.read) < ENOUGH_READ:
        rarity = rarity_of([*vectors, *history.vectors])
        read = corpus_of(history.vectors, rarity)
    people = dict(history.people)
    votes = votes_of(found, people, dict(history.votes.components)).and_first(history.votes, len(history.read))
    alike = np.concatenate([likeness(mail, corpus_of(vectors, rarity), rarity), likeness(mail, read, rarity)])
    again = [len(found) + history.places[ticket.key] for ticket in found if ticket.key in history.places]
    alike[again], votes.owner[again] = 0.0, -1  # what was found is newer
    return Neighbours(tickets=(*found, *history.read), people=people, votes=votes, likeness=alike)


def newest_of(neighbours: Neighbours, history: History) -> float:
    """Return the day of the latest known change."""
    return max(neighbours.votes.newest, history.votes.newest)


def expertise_of(
    neighbours: Neighbours, history: History, components: Mapping[str, float], there: Container[str]
) -> Expertise:
    """Return what neighbours and history say of the people who are there; the others' part is shared out among them.

    `components` are the probable ones of the new ticket, with their probabilities.
    """
    count, newest = len(neighbours.people), newest_of(neighbours, history)
    here = np.array([*(person in there for person in neighbours.people), False])
    near = neighbours.votes.of(here)
    age = near.ages(newest)
    weight = neighbours.likeness**SHARPNESS
    fresh = weight * 0.5 ** (age / SHORT)
    fitting = ELSEWHERE + near.has @ near.shares_of(components)
    amounts = {
        "similar": fresh,
        "similar_ever": weight,
        "nearest": _nearest(neighbours.likeness),
        "joint": fresh * fitting,
        "joint_long": weight * fitting * 0.5 ** (age / LONG),
    }
    closest, strength = np.zeros(count + 1), near.count(fresh, count)
    np.maximum.at(closest, near.owner, neighbours.likeness)
    work = {half: of_all.amounts(newest, here[:count]) for half, of_all in history.work.items()}
    parts = {half: each / (each.sum(axis=0) + ONE_MORE) for half, (_, each) in work.items()}
    probable = {name: surely for name, surely in components.items() if surely > FAINT}
    surely = history.votes.shares_of(probable)
    return Expertise(
        people={person: number for person, number in neighbours.people.items() if here[number]},
        shares={name: _share(near.count(amount, count)) for name, amount in amounts.items()}
        | {f"component_{half:g}": parts[half] @ surely for half in RECENTLY}
        | {f"active_{half:g}": _share(work[half][0]) for half in RECENTLY},
        closest=closest[:count],
        days=_idle_days(near, age, newest - history.last, count),
        strength=strength,
        all_strength=float(strength.sum()),
        worked=_worked(probable, history.votes.components, parts[SHORT]),
        similar=_keys(neighbours, near, fresh),
        latest=history.latest,
    )


def _idle_days(near: Votes, age: NDArray[Any], since: NDArray[Any], count: int) -> NDArray[Any]:
    """Return the days since each person's last ticket; `since` is what the history says of those it knows."""
    days = np.full(count + 1, LONG_AGO)
    np.minimum.at(days, near.owner, age)
    known = len(since)
    days[:known] = np.minimum(days[:known], np.clip(since, 0.0, LONG_AGO))
    return days[:count]


def _worked(probable: Mapping[str, float], columns: Mapping[str, int], part: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return each person's part of the work on each probable component, times the component's probability."""
    nobody = np.zeros(len(part))
    return {name: chance * part[:, columns[name]] if name in columns else nobody for name, chance in probable.items()}


def _share(amounts: NDArray[Any]) -> NDArray[Any]:
    total = float(amounts.sum())
    return amounts / total if total else amounts


def _nearest(likenesses: NDArray[Any]) -> NDArray[Any]:
    """Return one vote for each of the closest neighbours, as far as they share a word with the mail."""
    votes = np.zeros(len(likenesses))
    votes[np.argsort(-likenesses, kind="stable")[:NEAREST]] = 1.0
    return np.where(likenesses > 0, votes, 0.0)


def _keys(neighbours: Neighbours, near: Votes, amounts: NDArray[Any]) -> dict[int, tuple[str, ...]]:
    """Return the keys of each person's strongest neighbours, by the person's number."""
    keys: defaultdict[int, list[str]] = defaultdict(list)
    rows = (-amounts).argsort(kind="stable")[:LISTED]
    rows = rows[(amounts[rows] > 0) & (near.owner[rows] >= 0)]
    columns = (rows.tolist(), near.owner[rows].tolist(), (neighbours.likeness[rows] >= ALIKE).tolist())
    for row, person, alike in zip(*columns, strict=True):
        keys[person] += [neighbours.tickets[row].key] * alike
    return {person: tuple(of_one[:SHOWN]) for person, of_one in keys.items()}
