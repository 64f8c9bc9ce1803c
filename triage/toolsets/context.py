"""What a tool works with."""

from dataclasses import dataclass

from triage.config.team import Assignment
from triage.domain.cases import Case
from triage.domain.ports import Clock, PeopleIndex, TicketIndex, TrackerView
from triage.effects.writer import EffectWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The case that a run is about, what its tools read from, and what they write with."""

    case: Case
    tracker: TrackerView
    """For reading; whatever is written goes through `effects`."""
    index: TicketIndex
    people_index: PeopleIndex
    effects: EffectWriter
    clock: Clock
    assignment: Assignment | None = None
    """None: nobody is proposed."""
    sequence: str = "1"
    """Which one of its kind the call at hand is: part of an effect's key."""
