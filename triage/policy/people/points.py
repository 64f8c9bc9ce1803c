"""Explains a possible assignee by points: the documents' reasons, and what earlier tickets show.

The points explain every proposal. Until enough tickets are solved they also give the order; then a trained model does, and points
only break ties (docs/decisions/065).
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from triage.config.team import Days, Member, Weights
from triage.domain.findings import Point
from triage.domain.tickets import Person, Workload
from triage.policy.decision.playbook import HIGHEST
from triage.policy.people.expertise import Expertise
from triage.policy.people.wishes import Wishes
from triage.policy.text.technologies import technologies_in

FITTING: Final = (
    ("bug", "developer", frozenset({"bug", "defect", "incident"})),
    ("story", "product", frozenset({"story", "feature", "new feature", "improvement"})),
    ("task", "admin", frozenset({"task"})),
)
"""Weight, beginning of a word in the role, matching issue types."""
FEW_SIMILAR: Final = 0.01
"""Votes for nobody, so that one weak match is no certainty; a good recent neighbour has five to ten times as much."""
FAINT: Final = "tickets with some of these words"
LEAST: Final = 0.05
"""Smaller points are not shown."""
NO_MEMBER: Final = Member(person="")
"""For everybody whom triage.yaml does not name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What assignment needs to know of the new ticket."""

    title: str
    text: str = ""
    issue_type: str = ""
    priority: str = ""
    technologies: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    """People whom a verified sender names, by name or address."""
    wishes: Wishes = field(default_factory=Wishes)
    """Whom a verified sender asks for, and wants to avoid."""
    matters: frozenset[str] = frozenset()
    """`support`, `infrastructure`: what triage.yaml may give to a team."""
    at: datetime


class Points(NamedTuple):
    """The reasons for one person; a low workload is none."""

    learnt: tuple[Point, ...] = ()
    """What earlier tickets show, which may be little."""
    documented: tuple[Point, ...] = ()
    """What the team's file and the mail say."""
    workload: tuple[Point, ...] = ()

    @property
    def reasons(self) -> tuple[Point, ...]:
        """Whatever speaks for the person beside free hands."""
        return (*self.learnt, *self.documented)

    @property
    def all(self) -> tuple[Point, ...]:
        """The reasons and the workload, largest first."""
        return tuple(sorted((*self.reasons, *self.workload), key=lambda point: -point.value))

    @property
    def score(self) -> float:
        return round(sum(point.value for point in (*self.reasons, *self.workload)), 1)


@dataclass(frozen=True, kw_only=True)
class Judge:
    """Computes points for one task; what does not depend on the person, once."""

    task: Task
    learnt: Expertise
    technologies: dict[str, frozenset[str]] = field(default_factory=dict)
    """Person id → technologies of earlier tickets."""
    part: AbstractSet[str] = frozenset()
    """People with a part in the project. A low workload of anybody else means that they work elsewhere."""
    weights: Weights = Weights()

    def points(self, person: Person, member: Member | None, load: Workload) -> Points:
        idle = max(0.0, self.weights.free_hands - load.open) if person.id in self.part else 0.0
        known = member or NO_MEMBER
        return Points(
            learnt=_shown(self._learnt(person.id, _canonical(known.skills))),
            documented=_shown(self._told(person, known)),
            workload=_shown([(f"{load.open} open ticket{'s' * (load.open != 1)}", idle)]),
        )

    def _told(self, person: Person, member: Member) -> Iterator[tuple[str, float]]:
        if member.skills:
            yield from self._knows(_canonical(member.skills))
        if member.roles:
            yield from self._roles(member.roles)
        for matter in sorted(self.task.matters.intersection(member.handles)):
            yield f"takes {matter}", self.weights.handles
        if duty := duty_for(self.task, member):
            yield f"on call until {duty.last}" if duty.last else f"on call since {duty.first}", self.weights.on_call
        if person.id in self.task.wishes.asked:
            yield "the mail asks for this person", self.weights.named
        elif person.name in self._named or person.email in self._named:
            yield "named in the mail", self.weights.named

    def _knows(self, technologies: frozenset[str]) -> Iterator[tuple[str, float]]:
        for technology in sorted(self._wanted & technologies):
            yield f"knows {technology}", self.weights.technology

    def _learnt(self, person: str, skills: frozenset[str]) -> Iterator[tuple[str, float]]:
        if self._wanted and person in self.technologies:
            yield from self._knows(self.technologies[person] - skills)
        number = self.learnt.people.get(person)
        if number is None:
            return
        keys = self.learnt.similar.get(number)
        if keys is not None:
            yield f"similar: {', '.join(keys)}" if keys else FAINT, self._similar[number]
        for why, values in self._worked:
            yield why, values[number]

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset(self.task.named) - {""}

    @cached_property
    def _wanted(self) -> frozenset[str]:
        return _canonical(self.task.technologies)

    @cached_property
    def _similar(self) -> list[float]:
        """Points for similar tickets, by the person's number."""
        learnt = self.learnt
        values: list[float] = (self.weights.similar * learnt.strength / (learnt.all_strength + FEW_SIMILAR)).tolist()
        return values

    @cached_property
    def _worked(self) -> list[tuple[str, list[float]]]:
        """Points for work on each component, by the person's number."""
        worked = self.learnt.worked.items()
        return [(f"recent work on {name}", (self.weights.component * shares).tolist()) for name, shares in worked]

    def _roles(self, roles: Sequence[str]) -> Iterator[tuple[str, float]]:
        """Yield the points of roles such as `Senior Developer`, each reason once."""
        issue_type = self.task.issue_type
        for weight, beginning, types in FITTING:
            fitting = [role for role in roles if any(word.startswith(beginning) for word in role.casefold().split())]
            if fitting and issue_type.casefold() in types:
                yield f"{fitting[0]} for a {issue_type}", float(getattr(self.weights, weight))
        seniors = [role for role in roles if "senior" in role.casefold().split()]
        if seniors and self.task.priority == HIGHEST:
            yield f"{seniors[0]} for {self.task.priority}", self.weights.senior


def duty_for(task: Task, member: Member) -> Days | None:
    """Return the duty by which a member takes a ticket of the highest priority now; None if the ticket is none, or nobody is on duty."""
    return member.on_duty(task.at.date()) if task.priority == HIGHEST else None


def _shown(given: Iterator[tuple[str, float]] | Sequence[tuple[str, float]]) -> tuple[Point, ...]:
    return tuple([Point(why, round(value, 1)) for why, value in given if value >= LEAST])


@lru_cache(maxsize=256)
def _canonical(names: tuple[str, ...]) -> frozenset[str]:
    """Normalise names of technologies: `postgres` becomes PostgreSQL; other skills stay as written."""
    return frozenset(found[0].value if (found := technologies_in(name)) else name.strip().casefold() for name in names)
