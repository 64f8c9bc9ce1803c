"""Corrections and merges of a case's ticket as JSON."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from triage.domain.approvals import Approval
from triage.services.casework.amending import AmendPlan
from triage.services.casework.merging import MergePlan
from triage.services.casework.parting import PartPlan


class AmendmentAsked(BaseModel):
    """Who shall have the case's ticket, what type it is, how urgent; what is left out stays."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"assignee": "Priya Raman"}]})

    assignee: str = Field("", max_length=200, description="Name, e-mail or id of an assignable person.")
    issue_type: str = Field("", max_length=100)
    priority: str = Field("", max_length=100)
    preview: bool = Field(False, description="Only say what would change.")


class FieldChangeShape(BaseModel):
    """A field that changes."""

    field: str = Field(examples=["assignee"])
    was: str
    becomes: str


class AmendmentShape(BaseModel):
    """What changes on the ticket, or would."""

    case: str
    ticket: str
    changes: list[FieldChangeShape]
    approval: int = Field(description="Number under which it is recorded; 0 for a preview.")


class MergeAsked(BaseModel):
    """Into which ticket."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"into": "HARB-12"}]})

    into: str = Field(max_length=60)
    preview: bool = Field(False, description="Only say what would be written.")


class MergeShape(BaseModel):
    """What a merge writes, or would."""

    case: str
    ticket: str = Field(description="The ticket that goes.")
    into: str
    comments: dict[str, str] = Field(description="The comment on each of both.")
    approval: int = Field(description="Number under which it is recorded; 0 for a preview.")


class SplitShape(BaseModel):
    """What is being taken apart."""

    text: str


class PartsAsked(BaseModel):
    """Which parts of the checklist become tickets of their own."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"parts": [2]}]})

    parts: list[int] = Field(min_length=1, max_length=20, description="Lines of the checklist, from 1.")
    preview: bool = Field(False, description="Only say what would be created.")


class PartShape(BaseModel):
    """A ticket that a part becomes, or would."""

    part: int
    title: str = Field(description="The line of the checklist.")
    summary: str
    issue_type: str
    priority: str | None
    components: list[str]
    due_date: str | None
    description: str
    approval: int = Field(description="Number under which it is recorded; 0 for a preview.")


class PartsShape(BaseModel):
    """What leaves the checklist of a ticket."""

    case: str
    ticket: str = Field(description="The ticket with the checklist.")
    parts: list[PartShape]


def parts_shape(plan: PartPlan, ordered: Sequence[Approval]) -> PartsShape:
    """Return a plan, and the orders that were made of it."""
    numbers = [one.id for one in ordered] or [0] * len(plan.parts)
    parts = [
        PartShape(
            part=one.number,
            title=one.title,
            summary=one.draft["summary"],
            issue_type=one.draft["issue_type"],
            priority=one.draft.get("priority"),
            components=list(one.draft.get("components", ())),
            due_date=one.draft.get("due_date"),
            description=one.draft["description"],
            approval=number,
        )
        for one, number in zip(plan.parts, numbers, strict=True)
    ]
    return PartsShape(case=plan.case, ticket=plan.ticket.key, parts=parts)


def merge_shape(plan: MergePlan, ordered: Approval | None) -> MergeShape:
    """Return a plan, and the order that was made of it."""
    return MergeShape(
        case=plan.case,
        ticket=plan.gone.key,
        into=plan.stays.key,
        comments={plan.gone.key: plan.here, plan.stays.key: plan.there},
        approval=ordered.id if ordered is not None else 0,
    )


def amendment_shape(plan: AmendPlan, ordered: Approval | None) -> AmendmentShape:
    """Return a plan, and the order that was made of it."""
    changes = [FieldChangeShape(field=one.field, was=one.was, becomes=one.becomes) for one in plan.changes]
    return AmendmentShape(
        case=plan.case, ticket=plan.ticket, changes=changes, approval=ordered.id if ordered is not None else 0
    )
