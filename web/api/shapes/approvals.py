"""Proposals that wait for a person, as JSON."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from triage.domain.approvals import Approval
from web.api.shapes.forms import ShownHash, Words
from web.api.shapes.parts import ApprovalBrief, Part


class ApprovalWords(Part):
    """What would be written, and for whom; viewers do not get it."""

    arguments: str = Field(description="Canonical JSON.")
    edited: str = Field(description="The same as a person changed it; empty: nobody did.")
    was: str
    becomes: str
    sender: str
    trust: str
    reason: str
    instruction: str


class ApprovalShape(ApprovalBrief):
    """A parked call, with what a decision about it must name."""

    case: str = Field(examples=["case-17"])
    effect: str = Field(examples=["letter"])
    hash: str = Field(description="Of tool and exact arguments; a decision gives it back as `shown`.")
    votes: list[str] = Field(description="Who has accepted it so far.")
    rework: int
    parked_at: datetime | None
    decided_at: datetime | None
    expires_at: datetime | None
    details: ApprovalWords | None = Field(description="Null for viewers.")


class Decision(BaseModel):
    """What every decision names."""

    model_config = ConfigDict(extra="forbid")

    shown: ShownHash = Field(description="`hash` of the approval as you saw it.")


class Accept(Decision):
    """Do exactly what waits."""

    answer: Literal["accept"]


class Ignore(Decision):
    """Leave it undone."""

    answer: Literal["ignore"]


class Edit(Decision):
    """Do it with other arguments, which the same rules judge."""

    answer: Literal["edit"]
    changes: dict[str, Any] = Field(min_length=1, max_length=50)


class Respond(Decision):
    """Let the agent go on with an instruction instead."""

    answer: Literal["respond"]
    instruction: Words = Field(max_length=4000)


Decided = Annotated[Accept | Ignore | Edit | Respond, Field(discriminator="answer")]


def approval_shape(approval: Approval, *, words: bool) -> ApprovalShape:
    """Return an approval; its `details` only with the right to read words."""
    values = {name: getattr(approval, name) for name in ApprovalShape.model_fields if name != "details"}
    details = ApprovalWords.model_validate(approval) if words else None
    return ApprovalShape.model_validate({**values, "details": details})
