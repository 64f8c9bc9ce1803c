"""Corrections of a case's ticket as JSON."""

from pydantic import BaseModel, ConfigDict, Field

from triage.domain.approvals import Approval
from triage.services.casework.amending import AmendPlan


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


def amendment_shape(plan: AmendPlan, ordered: Approval | None) -> AmendmentShape:
    """Return a plan, and the order that was made of it."""
    changes = [FieldChangeShape(field=one.field, was=one.was, becomes=one.becomes) for one in plan.changes]
    return AmendmentShape(
        case=plan.case, ticket=plan.ticket, changes=changes, approval=ordered.id if ordered is not None else 0
    )
