"""Ranks the people for a new ticket, and says whether the best one is sure enough to get it.

Who did such work before decides: a trained model turns the votes of earlier tickets into the probability that somebody is the
right one (docs/decisions/065). Until 200 solved tickets are known, the documents' points give the order, and who leads by earlier tickets
alone gets the ticket only if the model is sure, too, and a reader sees why (docs/decisions/220). Idle hands break ties between those who know the matter;
they are no reason by themselves.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple

from triage.config.team import Member, Weights
from triage.domain.findings import LeftOut, Suggestion
from triage.domain.tickets import Person, Workload
from triage.policy.classifiers.choice_model import choice_model
from triage.policy.people.expertise import Expertise, History, Neighbours, expertise_of
from triage.policy.people.members import members_of, unavailable
from triage.policy.people.points import Judge, Points, Task, duty_for

MODEL: Final = "assignment"
ENOUGH_SOLVED: Final = 200
"""Solved tickets from which the model gives the order."""
LIKELY: Final = 0.6
"""Probability of a component from which its people may get a ticket that is like none of theirs, while few are solved."""
NEARLY: Final = 0.9
"""People at least as probable as this part of the best one are equals, among whom the points decide."""
SHARE_RIGHT: Final = 0.75
"""Precision of the proposals, unless a setting says otherwise."""
NOBODY: Final = -1
NOBODY_YET: Final = datetime.min.replace(tzinfo=UTC)
IDLE: Final = Workload()


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """The people to choose from, and what is known about them."""

    people: tuple[Person, ...]
    """Active and assignable people without our own account."""
    history: History
    neighbours: Neighbours
    components: Mapping[str, float] = field(default_factory=dict)
    """Components of the new ticket with their probabilities."""
    team: tuple[Member, ...] = ()
    workloads: Mapping[str, Workload] = field(default_factory=dict)
    """By person id."""

    @property
    def by_model(self) -> bool:
        """Whether enough tickets are solved for the model to give the order."""
        return self.history.solved >= ENOUGH_SOLVED

    @property
    def component_likely(self) -> bool:
        """Whether the ticket's component is known well enough for its people to get it."""
        return max(self.components.values(), default=0.0) >= LIKELY


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The possible assignees, best first, and those who are left out."""

    ranked: tuple[Suggestion, ...] = ()
    proposals: tuple[Suggestion, ...] = ()
    """Those of them for whom more speaks than free hands."""
    left_out: tuple[LeftOut, ...] = ()

    @property
    def assignee(self) -> Suggestion | None:
        """The best one, if sure enough to get the ticket."""
        return next((best for best in self.ranked[:1] if best.proposed), None)


class _Candidate(NamedTuple):
    """A person with all that the order depends on."""

    person: Person
    points: Points
    score: float
    """Sum of the points."""
    probability: float | None
    """None while the points give the order."""
    sure: bool
    """The model is sure enough; while the points give the order, a reader sees why, too, or the team's file or the mail says enough."""
    asked: bool
    takes: bool
    """A member of the team that triage.yaml names for such matters, or for the highest priority on call."""
    latest: datetime


def suggest(task: Task, crew: Crew, weights: Weights = Weights(), precision: float = SHARE_RIGHT) -> Ranking:
    """Rank the people; a proposal is right with this precision, as far as the model decides."""
    members = members_of(crew.team, crew.people)
    out = dict(_left_out(task, crew, members))
    there = tuple(person for person in crew.people if person.id not in out)
    learnt = expertise_of(crew.neighbours, crew.history, crew.components, {person.id for person in there})
    chances, enough = _probabilities(learnt), choice_model(MODEL).threshold(precision)
    part = members.keys() | learnt.latest.keys() | crew.workloads.keys()
    judge = Judge(
        task=task,
        learnt=learnt,
        technologies=dict(crew.history.technologies),
        part=frozenset(person.id for person in there if person.id in part) or frozenset(p.id for p in there),
        weights=weights,
    )
    candidates = [_candidate(person, crew, judge, members.get(person.id), chances, enough) for person in there]
    ordered = [(one, _suggestion(one)) for one in _ordered(candidates)]
    return Ranking(
        ranked=tuple(suggestion for _, suggestion in ordered),
        proposals=tuple(
            one_suggestion for one, one_suggestion in ordered if one_suggestion.proposed or one.points.reasons
        ),
        left_out=tuple(LeftOut(str(person.name), out[person.id]) for person in crew.people if person.id in out),
    )


def _candidate(
    person: Person, crew: Crew, judge: Judge, member: Member | None, chances: Mapping[str, float], enough: float
) -> _Candidate:
    """Return the person with points, the model's probability and what the order depends on."""
    task, learnt = judge.task, judge.learnt
    points, chance = judge.points(person, member, crew.workloads.get(person.id, IDLE)), chances.get(person.id, 0.0)
    evident = crew.component_likely or bool(learnt.similar.get(learnt.people.get(person.id, NOBODY)))
    documented = sum(point.value for point in points.documented) > judge.weights.threshold
    return _Candidate(
        person=person,
        points=points,
        score=points.score,
        probability=chance if crew.by_model else None,
        sure=(chance >= enough and (crew.by_model or evident)) or (documented and not crew.by_model),
        asked=person.id in task.wishes.asked,
        takes=member is not None and (bool(task.matters & set(member.handles)) or duty_for(task, member) is not None),
        latest=learnt.latest.get(person.id, NOBODY_YET),
    )


def _left_out(task: Task, crew: Crew, members: Mapping[str, Member]) -> Iterator[tuple[str, str]]:
    """Yield the id of everybody who cannot get the ticket, and why."""
    for person in crew.people:
        if person.id in task.wishes.avoided:
            yield person.id, "the mail asks for somebody else"
        elif why := unavailable(members.get(person.id), crew.workloads.get(person.id, IDLE), task.at.date()):
            yield person.id, why


def _probabilities(learnt: Expertise) -> dict[str, float]:
    """Return the model's probability of each person whom earlier tickets know."""
    features = learnt.features()[list(learnt.people.values())]
    return dict(zip(learnt.people, map(float, choice_model(MODEL).probabilities(features)), strict=True))


def _ordered(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Sort: whom the mail asks for, then the named team, then who knows the matter; equals by points and fairness."""
    best = max((one.probability or 0.0 for one in candidates), default=0.0)

    def key(one: _Candidate) -> tuple[object, ...]:
        return (
            not one.asked,
            not one.takes,
            not (one.sure and one.probability is None),
            -min(one.probability or 0.0, NEARLY * best),
            -one.score,
            one.latest,
            one.person.name,
            one.person.id,
        )

    return sorted(candidates, key=key)


def _suggestion(one: _Candidate) -> Suggestion:
    return Suggestion(
        person=one.person,
        score=one.score,
        points=one.points.all,
        probability=None if one.probability is None else round(one.probability, 3),
        proposed=one.asked or one.takes or one.sure,
    )
