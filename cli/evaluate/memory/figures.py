"""Counts what the rules found in labelled mails, what they missed, and what nobody had said."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cli.evaluate.memory.labelled import LabelledMail, MemoryLabel
from triage.domain.memory.notes import NoteKind, Observation
from triage.policy.memory.reading.owners import same_person


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """Precision and recall of one kind of observation."""

    labels: int
    found: int
    right: int
    precision: float
    """Right ones among those found; 1 where none was found."""
    recall: float
    """Right ones among the labels; 1 where there is none."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A label that was missed, or an observation that has none."""

    case: str
    kind: str
    what: str


@dataclass(slots=True)
class Counts:
    """Counters while mails are judged."""

    labels: Counter[NoteKind] = field(default_factory=Counter)
    found: Counter[NoteKind] = field(default_factory=Counter)
    right: Counter[NoteKind] = field(default_factory=Counter)
    owners: list[bool] = field(default_factory=list)
    """For each right observation whose label has an owner: whether it is the same."""
    days_labelled: int = 0
    days_found: int = 0
    days_right: int = 0
    missed: list[Difference] = field(default_factory=list)
    false: list[Difference] = field(default_factory=list)


def counted(mails: Iterable[tuple[LabelledMail, Sequence[Observation]]]) -> Counts:
    """Judge the observations of each mail by its labels; a label takes one observation of its kind whose quote holds its words."""
    counts = Counts()
    for labelled, observations in mails:
        _count(counts, labelled, list(observations))
    return counts


def rate(labels: int, found: int, right: int) -> PrecisionRecall:
    """Return the figures of one kind."""
    return PrecisionRecall(
        labels, found, right, round(right / found, 4) if found else 1.0, round(right / labels, 4) if labels else 1.0
    )


def _count(counts: Counts, labelled: LabelledMail, left: list[Observation]) -> None:
    counts.found.update(one.kind for one in left)
    counts.days_found += sum(one.deadline is not None for one in left if one.kind is not NoteKind.PERSON)
    case = labelled.mail.case
    for label in labelled.labels:
        counts.labels[label.kind] += 1
        counts.days_labelled += label.deadline is not None
        match = next(
            (one for one in left if one.kind is label.kind and _squeezed(label.words) in _squeezed(one.quote)), None
        )
        if match is None:
            counts.missed.append(Difference(case, label.kind.value, label.words))
            continue
        left.remove(match)
        _right(counts, label, match)
    counts.false.extend(Difference(case, one.kind.value, one.title) for one in left)


def _right(counts: Counts, label: MemoryLabel, match: Observation) -> None:
    counts.right[label.kind] += 1
    counts.days_right += label.deadline is not None and label.deadline == match.deadline
    if label.owner:
        counts.owners.append(same_person(label.owner, match.owner))


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()
