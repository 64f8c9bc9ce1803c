"""What triage.yaml says of the team and of the worth of each reason to propose somebody."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What each reason is worth; `assignment.weights` in triage.yaml changes them."""

    technology: float = 10.0
    """Each technology of the mail that somebody knows."""
    bug: float = 15.0
    """A developer for a bug."""
    story: float = 15.0
    """A product role for a story."""
    task: float = 10.0
    """An admin for a task."""
    free_hands: float = 20.0
    """Less one for each open ticket, never below 0."""
    senior: float = 10.0
    """Seniority where the priority is Highest."""
    named: float = 25.0
    """Named in the mail by a verified sender."""
    similar: float = 200.0
    """Times the part in earlier tickets like this one."""
    component: float = 100.0
    """Times the part in the recent work on its component."""
    half_life_days: float = 90.0
    """An earlier ticket counts half after so many days."""
    threshold: float = 5.0
    """Who has not more than this is not proposed."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Days on which somebody takes no tickets, both included; without an end until further notice."""

    first: date
    last: date | None = None

    def covers(self, day: date) -> bool:
        """This is one of them."""
        return self.first <= day and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """What the team's file says of somebody."""

    person: str
    """E-mail address, full name or Jira's id, exactly."""
    roles: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    capacity: int | None = None
    """With so many open tickets somebody takes no more."""
    absent: tuple[Absence, ...] = ()

    def away(self, day: date) -> Absence | None:
        """The absence that this day is part of."""
        return next((absence for absence in self.absent if absence.covers(day)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """How tickets find their people here: what triage.yaml says of it."""

    team: tuple[Member, ...] = ()
    weights: Weights = Weights()
