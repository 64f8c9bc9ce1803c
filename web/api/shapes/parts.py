"""What several requests hold, and the parts of a case's report as JSON, without the words of anybody's mail."""

from datetime import datetime
from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict

from triage.config.shapes.base import Form

CaseName = Annotated[str, Form(r"^(case-)?[1-9][0-9]{0,8}$", "send a case's number, such as 17 or case-17")]
AnyCase = Annotated[str, Form(r"^((case-)?[1-9][0-9]{0,8})?$", "send a case's number, such as 17 or case-17")]
AnyTicket = Annotated[
    str, Form(r"^([A-Z][A-Z0-9_]{0,40}-[1-9][0-9]{0,9})?$", "send the key of a ticket, in capitals, such as HARB-27")
]
ShownHash = Annotated[str, Form("^[0-9a-f]{64}$", "send `hash` of the approval as you saw it")]
Words = Annotated[str, Form(r"\S", "send words, not only blanks")]
Number = Annotated[int, Path(ge=1, le=2_000_000_000, examples=[1])]


class Asked(BaseModel):
    """What a request brings; an unknown name in it is an error, since it may be a misspelt one."""

    model_config = ConfigDict(extra="forbid")


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
