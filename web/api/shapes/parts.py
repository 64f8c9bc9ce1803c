"""The parts of a case's report as JSON, without the words of anybody's mail."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A part that is read from the domain's noun of the same name."""

    model_config = ConfigDict(from_attributes=True)


class CandidateShape(Part):
    """An existing ticket that may be about the same matter."""

    ticket: str
    probability: float


class StepShape(Part):
    """A step as journalled."""

    at: datetime
    name: str
    ms: float


class RunShape(Part):
    """A run of an agent."""

    run: int
    profile: str
    status: str


class TurnShape(Part):
    """An answer of a model."""

    run: int
    number: int
    model: str
    calls: list[str]
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    ms: float


class EffectShape(Part):
    """A write to another system."""

    key: str
    kind: str
    target: str
    state: str
    result: str


class ApprovalBrief(Part):
    """A parked call, without what it would write."""

    id: int
    tool: str
    ticket: str
    field: str
    state: str
    by: str


class CorrectionShape(Part):
    """What a person said becomes of the mail."""

    id: int
    disposition: str
    ticket: str
    by: str
    at: datetime | None
    was: str


class LessonShape(CorrectionShape):
    """A correction that later mails are judged by."""

    case: str
    sender: str
    """Empty: only mails with nearly the same words are."""
    trust: str


class EventShape(Part):
    """An event of the audit log."""

    at: datetime
    name: str
