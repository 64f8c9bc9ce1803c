"""Ranks the people for a new ticket by points, each with its reason.

The specification gives points for skills, role, workload, seniority and mentions. None of these says who does which work:
alone they find the right person for less than 1 % of a real tracker's tickets. So experience from earlier tickets leads,
and workload decides between those who have it (docs/decisions/007).
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final

from triage.config.team import Member, Weights
from triage.domain.findings import LeftOut, Point, Suggestion
from triage.domain.tickets import Person, Ticket, Workload
from triage.policy.people.expertise import Expertise, learn
from triage.policy.text.technologies import technologies_in

FITTING: Final = (
    ("bug", "developer", frozenset({"bug", "defect", "incident"})),
    ("story", "product", frozenset({"story", "feature", "new feature", "improvement"})),
    ("task", "admin", frozenset({"task"})),
)
"""Weight, beginning of a word in the role, matching issue types."""
NOBODY_YET: Final = datetime.min.replace(tzinfo=UTC)
IDLE: Final = Workload()
LEAST: Final = 0.05
"""Smaller points are not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What assignment needs to know of the new ticket."""

    title: str
    text: str = ""
    issue_type: str = ""
    priority: str = ""
    technologies: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    """Known components; without any, similar tickets indicate them."""
    named: tuple[str, ...] = ()
    """People whom a verified sender names, by name or address."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """The people to choose from, and what is known about them."""

    people: tuple[Person, ...]
    """Active and assignable people without our own account."""
    team: tuple[Member, ...] = ()
    workloads: Mapping[str, Workload] = field(default_factory=dict)
    """By person id."""
    tickets: tuple[Ticket, ...] = ()
    """Earlier tickets with an assignee."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The possible assignees, best first, and those who are left out."""

    ranked: tuple[Suggestion, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    threshold: float = 5.0

    @property
    def proposals(self) -> tuple[Suggestion, ...]:
        """The people above the threshold."""
        return tuple(suggestion for suggestion in self.ranked if suggestion.score > self.threshold)


def suggest(task: Task, crew: Crew, weights: Weights = Weights()) -> Ranking:
    """Rank the people with explained points; on equal points the least recently assigned comes first."""
    members = members_of(crew.team, crew.people)
    out = {p.id: why for p in crew.people if (why := _out(members.get(p.id), _load(p, crew), task.at.date()))}
    there = tuple(person for person in crew.people if person.id not in out)
    learnt = learn(
        task.title, task.text, crew.tickets, {person.id for person in there}, task.components,
        at=task.at, half_life_days=weights.half_life_days,
    )  # fmt: skip
    part = members.keys() | learnt.latest.keys() | crew.workloads.keys()
    known = frozenset(person.id for person in there if person.id in part) or frozenset(person.id for person in there)
    judge = _Judge(task=task, learnt=learnt, known=known, weights=weights)
    suggestions = [judge.suggestion(person, members.get(person.id), _load(person, crew)) for person in there]
    suggestions.sort(key=lambda s: (-s.score, learnt.latest.get(s.person.id, NOBODY_YET), s.person.name, s.person.id))
    left_out = tuple(LeftOut(str(person.name), out[person.id]) for person in crew.people if person.id in out)
    return Ranking(ranked=tuple(suggestions), left_out=left_out, threshold=weights.threshold)


def members_of(team: Sequence[Member], people: Sequence[Person]) -> dict[str, Member]:
    """Return the team by person id, without entries that match no person or several."""
    found = {}
    for member in team:
        meant = meant_by(member, people)
        if len(meant) == 1:
            found[meant[0].id] = member
    return found


def meant_by(member: Member, people: Sequence[Person]) -> tuple[Person, ...]:
    """Return the people whom an entry of the team's file matches; exactly one if it is correct."""
    wanted = member.person.strip().casefold()
    return tuple(p for p in people if wanted in {p.id.casefold(), p.email.casefold(), p.name.casefold()} - {""})


def unclear(team: Sequence[Member], people: Sequence[Person]) -> Iterator[tuple[str, str]]:
    """Entries that mean nobody, or more than one person, with the cure."""
    for member in team:
        meant = meant_by(member, people)
        if not meant:
            yield member.person, "nobody a ticket can be given to; write the full name as Jira shows it, or its id"
        elif len(meant) > 1:
            yield member.person, f"{len(meant)} people are called so; write the id: {', '.join(p.id for p in meant)}"


def _load(person: Person, crew: Crew) -> Workload:
    return crew.workloads.get(person.id, IDLE)


def _out(member: Member | None, load: Workload, day: date) -> str:
    """Say why a person takes no ticket now; empty if nothing prevents it."""
    if member is None:
        return ""
    if absence := member.away(day):
        return f"absent until {absence.last}" if absence.last else f"absent since {absence.first}"
    if member.capacity is not None and load.open >= member.capacity:
        return f"{load.open} open tickets, capacity {member.capacity}"
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judge:
    """Computes points for one task."""

    task: Task
    learnt: Expertise
    known: AbstractSet[str]
    """People with a part in the project. A low workload of anybody else means that they work elsewhere."""
    weights: Weights

    def suggestion(self, person: Person, member: Member | None, load: Workload) -> Suggestion:
        """Return the person's points, highest first, and their sum."""
        given = self._points(person, member or Member(person=person.id), load)
        points = [Point(why, round(value, 1)) for why, value in given if value >= LEAST]
        points.sort(key=lambda point: -point.value)
        return Suggestion(person=person, score=round(sum(p.value for p in points), 1), points=tuple(points))

    def _points(self, person: Person, member: Member, load: Workload) -> Iterator[tuple[str, float]]:
        yield from self._learnt(person.id)
        knows = _canonical(member.skills) | self.learnt.technologies.get(person.id, frozenset())
        for technology in sorted(_canonical(self.task.technologies) & knows):
            yield f"knows {technology}", self.weights.technology
        yield from self._roles(member.roles)
        if {person.name, person.email} & set(self.task.named):
            yield "named in the mail", self.weights.named
        if person.id in self.known:
            yield f"{load.open} open ticket{'s' * (load.open != 1)}", max(0.0, self.weights.free_hands - load.open)

    def _learnt(self, person: str) -> Iterator[tuple[str, float]]:
        if similar := self.learnt.similar.get(person):
            yield f"similar: {', '.join(similar.keys)}", self.weights.similar * similar.share
        for component, share in self.learnt.components.get(person, {}).items():
            yield f"recent work on {component}", self.weights.component * share

    def _roles(self, roles: Sequence[str]) -> Iterator[tuple[str, float]]:
        """Yield the points of roles such as `Senior Developer`, each reason once."""
        issue_type = self.task.issue_type
        for weight, beginning, types in FITTING:
            fitting = [role for role in roles if any(word.startswith(beginning) for word in role.casefold().split())]
            if fitting and issue_type.casefold() in types:
                yield f"{fitting[0]} for a {issue_type}", float(getattr(self.weights, weight))
        seniors = [role for role in roles if "senior" in role.casefold().split()]
        if seniors and self.task.priority == "Highest":
            yield f"{seniors[0]} for {self.task.priority}", self.weights.senior


def _canonical(names: Sequence[str]) -> frozenset[str]:
    """Normalise names of technologies: `postgres` becomes PostgreSQL; other skills stay as written."""
    return frozenset(found[0].value if (found := technologies_in(name)) else name.strip().casefold() for name in names)
