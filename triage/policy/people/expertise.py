"""Learns from earlier tickets who does which work.

`history_of` prepares the assigned tickets once; `expertise_of` compares a mail with its neighbours and counts who worked on
what, with what weight today. Arrays, because each mail is compared with a thousand tickets.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

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
from triage.policy.text.technologies import technologies_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
LONG_AGO: Final = 9_999.0
NEAREST: Final = 100
"""Closest neighbours that count alike, however old and however close: what somebody has done again and again."""
LISTED: Final = 200
"""Neighbours that can be named as evidence."""
ALIKE: Final = 0.15
"""Likeness from which a reader sees why a neighbour is named; below, both share a word or two."""
SHOWN: Final = 3
KNOWN_FROM: Final = 2
"""Tickets about a technology from which a person knows it."""
DAY: Final = 86_400
FEATURES: Final = (
    *("similar", "similar_ever", "nearest", "joint", "joint_long"),
    *(f"component_{days:g}" for days in RECENTLY),
    *(f"active_{days:g}" for days in RECENTLY),
)
"""Shares per person; each enters the model as it is and as logarithm, beside the closest neighbour and the days since the last ticket."""
MODEL_FEATURES: Final = (*(f"log_{name}" for name in FEATURES), *FEATURES, "closest", "log_days")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Votes:
    """Tickets as votes for their assignees and components: one row each."""

    owner: "NDArray[Any]"
    """Number of the assignee; -1 without one."""
    day: "NDArray[Any]"
    """When it was touched last, in days since 1970; 0 if unknown."""
    components: Mapping[str, "NDArray[Any]"]
    """Component → 1 for each ticket that has it."""

    def ages(self, newest: float) -> "NDArray[Any]":
        """Return days before the newest known ticket, so that a gap after it changes no share."""
        import numpy as np  # noqa: PLC0415 - commands that learn nothing start without it

        return np.clip(newest - self.day, 0.0, LONG_AGO)

    def of(self, here: "NDArray[Any]") -> "Votes":
        """Return the same tickets without the assignees who are not here; the array has one more entry, for nobody."""
        import numpy as np  # noqa: PLC0415 - see `ages`

        return replace(self, owner=np.where(here[self.owner], self.owner, -1))

    def and_of(self, others: "Votes", rows: "NDArray[Any]") -> "Votes":
        """Return these tickets and some of the others."""
        import numpy as np  # noqa: PLC0415 - see `ages`

        mine, theirs = np.zeros(len(self.owner)), np.zeros(len(others.owner))
        return Votes(
            owner=np.concatenate([self.owner, others.owner[rows]]),
            day=np.concatenate([self.day, others.day[rows]]),
            components={
                name: np.concatenate([self.components.get(name, mine), others.components.get(name, theirs)[rows]])
                for name in self.components.keys() | others.components.keys()
            },
        )

    def count(self, amounts: "NDArray[Any]", people: int) -> "NDArray[Any]":
        """Sum up the amounts of each person's tickets."""
        import numpy as np  # noqa: PLC0415 - see `ages`

        return np.bincount(self.owner + 1, amounts, people + 1)[1:]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class History:
    """The assigned tickets of a project, prepared for many mails."""

    people: Mapping[str, int]
    """Person id → number."""
    votes: Votes
    latest: Mapping[str, datetime]
    """Person id → last change of a ticket assigned to the person."""
    technologies: Mapping[str, frozenset[str]]
    """Person id → what the person's tickets name repeatedly."""
    solved: int
    """Number of these tickets that are done."""
    read: tuple[Ticket, ...]
    """The newest of them, whose words are compared."""
    vectors: tuple[TermVector, ...]
    titles: tuple[frozenset[int], ...]
    """Terms and titles of `read`."""
    rarity: "NDArray[Any]"
    corpus: Corpus
    """`vectors`, weighed by this rarity."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Neighbours:
    """Earlier tickets with their likeness to a mail."""

    tickets: tuple[Ticket, ...]
    people: Mapping[str, int]
    """Person id → number; those of the history, and more."""
    votes: Votes
    likeness: "NDArray[Any]"
    """Cosine, 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Expertise:
    """What earlier tickets say about each person, as shares of all votes; arrays by the person's number."""

    people: Mapping[str, int]
    """Person id → number."""
    shares: Mapping[str, "NDArray[Any]"]
    """Name of `FEATURES` → share."""
    closest: "NDArray[Any]"
    """Likeness of the closest neighbour."""
    days: "NDArray[Any]"
    """Days between the last ticket and everybody's newest one."""
    strength: "NDArray[Any]"
    """Votes of the neighbours, not shared out."""
    all_strength: float
    """Their sum."""
    worked: Mapping[str, "NDArray[Any]"]
    """Probable component → share of the recent work on it, times its probability."""
    similar: Mapping[int, tuple[str, ...]]
    """Number → keys of the neighbours that speak most for the person; none if all of them are faintly alike."""
    latest: Mapping[str, datetime]
    """Person id → last change of a ticket assigned to the person."""

    def features(self) -> "NDArray[Any]":
        """Return a row of `MODEL_FEATURES` per person."""
        import numpy as np  # noqa: PLC0415 - see `Votes.ages`

        plain = [self.shares[name] for name in FEATURES]
        logs = [np.log(FLOOR + share) for share in plain]
        return np.stack([*logs, *plain, self.closest, np.log1p(self.days)], axis=1)


# --- what does not depend on the mail ------------------------------------------------------------


class _Same:
    """A list as key of a cache by its identity: hashing five thousand tickets would take longer than what is cached."""

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
    return History(
        people=people,
        votes=_votes(assigned, people),
        latest=_latest(assigned),
        technologies=_technologies(assigned),
        solved=sum(not ticket.open for ticket in assigned),
        read=read,
        vectors=vectors,
        titles=tuple(buckets_of(ticket.summary) for ticket in read),
        rarity=rarity,
        corpus=corpus_of(vectors, rarity),
    )


def _votes(tickets: Sequence[Ticket], people: dict[str, int]) -> Votes:
    """Return the tickets as votes; assignees get numbers in `people`."""
    import numpy as np  # noqa: PLC0415 - see `Votes.ages`

    owners = [people.setdefault(t.assignee.id, len(people)) if t.assignee else -1 for t in tickets]
    components: defaultdict[str, list[int]] = defaultdict(list)
    for row, ticket in enumerate(tickets):
        for component in ticket.components:
            components[component].append(row)
    return Votes(
        owner=np.array(owners, dtype=np.int64),
        day=np.array([_day(ticket) for ticket in tickets]),
        components={name: np.bincount(rows, minlength=len(tickets)) for name, rows in components.items()},
    )


def _touched(ticket: Ticket) -> datetime | None:
    touched = ticket.updated or ticket.created
    return touched if touched is None or touched.tzinfo else touched.replace(tzinfo=UTC)


def _day(ticket: Ticket) -> float:
    touched = _touched(ticket)
    return 0.0 if touched is None else touched.timestamp() / DAY


def _latest(tickets: Sequence[Ticket]) -> dict[str, datetime]:
    latest: dict[str, datetime] = {}
    for ticket in tickets:
        touched = _touched(ticket)
        if touched is not None and ticket.assignee:
            latest[ticket.assignee.id] = max(latest.get(ticket.assignee.id, touched), touched)
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
    import numpy as np  # noqa: PLC0415 - see `Votes.ages`

    known = {ticket.key for ticket in found}
    more = np.array([at for at, ticket in enumerate(history.read) if ticket.key not in known], dtype=np.int64)
    vectors = [term_vector(ticket.summary, ticket.description) for ticket in found]
    mail, rarity, read = term_vector(title, text), history.rarity, history.corpus
    if len(history.read) < ENOUGH_READ:
        rarity = rarity_of([*vectors, *history.vectors])
        read = corpus_of(history.vectors, rarity)
    people = dict(history.people)
    return Neighbours(
        tickets=(*found, *(history.read[at] for at in more)),
        votes=_votes(found, people).and_of(history.votes, more),
        people=people,
        likeness=np.concatenate(
            [likeness(mail, corpus_of(vectors, rarity), rarity), likeness(mail, read, rarity)[more]]
        ),
    )


def newest_of(neighbours: Neighbours, history: History) -> float:
    """Return the day of the latest known change."""
    return max((float(votes.day.max()) for votes in (neighbours.votes, history.votes) if len(votes.day)), default=0.0)


def expertise_of(
    neighbours: Neighbours, history: History, components: Mapping[str, float], there: Container[str]
) -> Expertise:
    """Return what neighbours and history say of the people who are there; the others' part is shared out among them.

    `components` are the probable ones of the new ticket, with their probabilities.
    """
    import numpy as np  # noqa: PLC0415 - see `Votes.ages`

    count, newest = len(neighbours.people), newest_of(neighbours, history)
    here = np.array([*(person in there for person in neighbours.people), False])
    near, past = neighbours.votes.of(here), history.votes.of(here)
    work, age = _Work(past, past.ages(newest), count), near.ages(newest)
    weight = neighbours.likeness**SHARPNESS
    fresh = weight * 0.5 ** (age / SHORT)
    fitting = np.full(len(weight), ELSEWHERE)
    for name, surely in components.items():
        if name in near.components:
            fitting += surely * near.components[name]
    amounts = {
        "similar": fresh,
        "similar_ever": weight,
        "nearest": _nearest(neighbours.likeness),
        "joint": fresh * fitting,
        "joint_long": weight * fitting * 0.5 ** (age / LONG),
    }
    closest, days = np.zeros(count + 1), np.full(count + 1, LONG_AGO)
    np.maximum.at(closest, near.owner, neighbours.likeness)
    for votes, ages in ((near, age), (past, work.age)):
        np.minimum.at(days, votes.owner, ages)
    probable = {name: surely for name, surely in components.items() if surely > FAINT}
    return Expertise(
        people={person: number for person, number in neighbours.people.items() if here[number]},
        shares={name: _share(near.count(amount, count)) for name, amount in amounts.items()}
        | {f"component_{half:g}": work.on(probable, half) for half in RECENTLY}
        | {f"active_{half:g}": _share(work.done(half)) for half in RECENTLY},
        closest=closest[:count],
        days=days[:count],
        strength=(strength := near.count(fresh, count)),
        all_strength=float(strength.sum()),
        worked={name: surely * work.of(name, SHORT) for name, surely in probable.items()},
        similar=_keys(neighbours, near, fresh),
        latest=history.latest,
    )


@dataclass(frozen=True, slots=True)
class _Work:
    """Who did how much of the work, weighted by its age."""

    votes: Votes
    age: "NDArray[Any]"
    count: int

    def done(self, half_life: float, component: str = "") -> "NDArray[Any]":
        """Return each person's amount of work, on one component if it is given."""
        fresh = 0.5 ** (self.age / half_life)
        return self.votes.count(fresh * self.votes.components.get(component, 0) if component else fresh, self.count)

    def of(self, component: str, half_life: float) -> "NDArray[Any]":
        """Return each person's share of the work on a component; little work leaves some to nobody."""
        done = self.done(half_life, component)
        share: NDArray[Any] = done / (done.sum() + ONE_MORE)
        return share

    def on(self, components: Mapping[str, float], half_life: float) -> "NDArray[Any]":
        """Return each person's share of the work on the probable components."""
        import numpy as np  # noqa: PLC0415 - see `Votes.ages`

        shares = np.zeros(self.count)
        for name, surely in components.items():
            shares += surely * self.of(name, half_life)
        return shares


def _share(amounts: "NDArray[Any]") -> "NDArray[Any]":
    total = float(amounts.sum())
    return amounts / total if total else amounts


def _nearest(likenesses: "NDArray[Any]") -> "NDArray[Any]":
    """Return one vote for each of the closest neighbours, as far as they share a word with the mail."""
    import numpy as np  # noqa: PLC0415 - see `Votes.ages`

    votes = np.zeros(len(likenesses))
    votes[np.argsort(-likenesses, kind="stable")[:NEAREST]] = 1.0
    return np.where(likenesses > 0, votes, 0.0)


def _keys(neighbours: Neighbours, near: Votes, amounts: "NDArray[Any]") -> dict[int, tuple[str, ...]]:
    """Return the keys of each person's strongest neighbours, by the person's number."""
    keys: defaultdict[int, list[str]] = defaultdict(list)
    for row in (-amounts).argsort(kind="stable")[:LISTED]:
        if amounts[row] > 0 and near.owner[row] >= 0:
            keys[int(near.owner[row])] += [neighbours.tickets[row].key] * bool(neighbours.likeness[row] >= ALIKE)
    return {person: tuple(of_one[:SHOWN]) for person, of_one in keys.items()}
