"""Ranks the people for a new ticket by points, each with its reason.

The documents give points for skills, role, free hands, seniority and being named. None of them knows who does which
work: alone they name the right person less than once in a hundred tickets of a real tracker. So what is learnt leads,
and free hands decide between those who know the matter (docs/decisions/007).
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Final

from triage.config.team import Member, Weights
from triage.domain.cases import LeftOut, Point, Suggestion
from triage.domain.tickets import Person, Ticket, Workload
from triage.policy.people.expertise import Expertise, learn
from triage.policy.text.technologies import technologies_in

FITTING: Final = (
    ("bug", "developer", frozenset({"bug", "defect", "incident"})),
    ("story", "product", frozenset({"story", "feature", "new feature", "improvement"})),
    ("task", "admin", frozenset({"task"})),
)
"""Weight, beginning of a word of the role, issue types that it is good for."""
NOBODY_YET: Final = datetime.min.replace(tzinfo=UTC)
IDLE: Final = Workload()
LEAST: Final = 0.05
"""Smaller points are shown to nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A ticket to be, as far as assigning needs it."""

    title: str
    text: str = ""
    issue_type: str = ""
    priority: str = ""
    technologies: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    """Known ones; where there are none, similar tickets tell."""
    named: tuple[str, ...] = ()
    """People whom a verified sender names, by name or address."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """Everybody there is, and what is known about them."""

    people: tuple[Person, ...]
    """Active and assignable, our own account left out."""
    team: tuple[Member, ...] = ()
    workloads: Mapping[str, Workload] = field(default_factory=dict)
    """By person id."""
    tickets: tuple[Ticket, ...] = ()
    """Earlier ones with an assignee."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Everybody it could go to, the best first, and who is out."""

    ranked: tuple[Suggestion, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    threshold: float = 5.0

    @property
    def proposals(self) -> tuple[Suggestion, ...]:
        """Those who score enough."""
        return tuple(suggestion for suggestion in self.ranked if suggestion.score > self.threshold)


def suggest(task: Task, crew: Crew, weights: Weights = Weights()) -> Ranking:
    """Everybody who could take it, each point explained; equal scores go to whom a ticket came to least recently."""
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
    """The team by person id; who is nobody, or more than one person, is in it not at all."""
    found = {}
    for member in team:
        meant = meant_by(member, people)
        if len(meant) == 1:
            found[meant[0].id] = member
    return found


def meant_by(member: Member, people: Sequence[Person]) -> tuple[Person, ...]:
    """Everybody whom the team's file could mean by this; exactly one where all is well."""
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
    """Why somebody takes no ticket now, empty where nothing is in the way."""
    if member is None:
        return ""
    if absence := member.away(day):
        return f"absent until {absence.last}" if absence.last else f"absent since {absence.first}"
    if member.capacity is not None and load.open >= member.capacity:
        return f"{load.open} open tickets, capacity {member.capacity}"
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judge:
    """Gives points for one task."""

    task: Task
    learnt: Expertise
    known: AbstractSet[str]
    """Those who take part in the project. Of anybody else, idle hands say that his work is elsewhere."""
    weights: Weights

    def suggestion(self, person: Person, member: Member | None, load: Workload) -> Suggestion:
        """The points that count, the most first, and their sum."""
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
        """What roles such as `Senior Developer` are worth for this ticket, each reason once."""
        issue_type = self.task.issue_type
        for weight, beginning, types in FITTING:
            fitting = [role for role in roles if any(word.startswith(beginning) for word in role.casefold().split())]
            if fitting and issue_type.casefold() in types:
                yield f"{fitting[0]} for a {issue_type}", float(getattr(self.weights, weight))
        seniors = [role for role in roles if "senior" in role.casefold().split()]
        if seniors and self.task.priority == "Highest":
            yield f"{seniors[0]} for {self.task.priority}", self.weights.senior


def _canonical(names: Sequence[str]) -> frozenset[str]:
    """Technologies by the one name they have here: `postgres` is PostgreSQL; other skills as they are written."""
    return frozenset(found[0].value if (found := technologies_in(name)) else name.strip().casefold() for name in names)
