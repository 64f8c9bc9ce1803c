"""Team members, and the weights of the reasons to propose one, as triage.yaml configures them."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field

from triage.config.shapes.base import Shape

Points = Annotated[float, Field(ge=-1_000, le=10_000)]


class Weights(Shape):
    """Points per reason; `assignment.weights` in triage.yaml changes them."""

    technology: Points = 10.0
    """For each technology of the mail that the person knows."""
    bug: Points = 15.0
    """For a developer on a bug."""
    story: Points = 15.0
    """For a product role on a story."""
    task: Points = 10.0
    """For an admin on a task."""
    free_hands: Points = 20.0
    """Minus one per open ticket, at least 0."""
    senior: Points = 10.0
    """For a senior if the priority is Highest."""
    named: Points = 25.0
    """For a person whom a verified sender names."""
    similar: Points = 200.0
    """Times the person's share in similar tickets."""
    component: Points = 100.0
    """Times the person's share in recent work on the component."""
    handles: Points = 30.0
    """For a member of the team that triage.yaml names for such matters."""
    on_call: Points = 30.0
    """For whoever is on call, if the priority is Highest."""
    threshold: Points = 5.0
    """Points by this file and the mail that a proposal must exceed, unless earlier tickets make the person sure; until 200 are solved."""


@dataclass(frozen=True, slots=True)
class Days:
    """Days of an absence or of duty, both ends included; without an end, until further notice."""

    first: date
    last: date | None = None

    def covers(self, day: date) -> bool:
        return self.first <= day and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A person in the team's file."""

    person: str
    """E-mail address, full name or Jira's id, compared exactly."""
    address: str = ""
    """E-mail address in lower case, where Jira hides it."""
    roles: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    """Matters that go to this person: `support`, `infrastructure`."""
    capacity: int | None = None
    """Number of open tickets at which the person gets no more."""
    absent: tuple[Days, ...] = ()
    on_call: tuple[Days, ...] = ()
    """When tickets of the highest priority go to this person."""

    def away(self, day: date) -> Days | None:
        return next((absence for absence in self.absent if absence.covers(day)), None)

    def on_duty(self, day: date) -> Days | None:
        return next((duty for duty in self.on_call if duty.covers(day)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Team and weights for smart assignment."""

    team: tuple[Member, ...] = ()
    weights: Weights = Weights()
    precision: float = 0.75
    """Share of the proposals that are right: the surer of the others are only named."""
