"""`/api/v1/cases/…`: what people change about a case's ticket: its fields, merges, splits, parts of its checklist."""

from collections.abc import Sequence
from typing import TypeVar

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from triage.domain.approvals import Approval
from triage.policy.approvals.amendment import WantedChange
from triage.services.casework.amending import AmendPlan
from triage.services.casework.merging import MergePlan
from triage.services.casework.parting import PartPlan
from web.api.guard import Approver, person
from web.api.problems import NOT_FOUND, STALE
from web.api.routes.cases import CaseId
from web.api.services import Services
from web.api.shapes.parts import Asked, Part

T = TypeVar("T")


class AmendmentRequest(Asked):
    """Who shall have the case's ticket, what type it is, how urgent; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"assignee": "Priya Raman"}]})

    assignee: str = Field("", max_length=200, description="Name, e-mail or id of an assignable person.")
    issue_type: str = Field("", max_length=100)
    priority: str = Field("", max_length=100)
    preview: bool = Field(False, description="Only say what would change.")


class FieldChangeShape(Part):
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


class MergeRequest(Asked):
    """Into which ticket."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"into": "HARB-12"}]})

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


class PartsRequest(Asked):
    """Which parts of the checklist become tickets of their own."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"parts": [2]}]})

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
    affects_versions: list[str] = Field(description="Versions with the fault.")
    due_date: str | None
    description: str
    approval: int = Field(description="Number under which it is recorded; 0 for a preview.")


class PartsShape(BaseModel):
    """What leaves the checklist of a ticket."""

    case: str
    ticket: str = Field(description="The ticket with the checklist.")
    parts: list[PartShape]


routes = APIRouter(tags=["cases"])


@routes.post("/cases/{case}/ticket", status_code=202, responses={**NOT_FOUND, **STALE})
async def amend(at: Services, token: Approver, case: CaseId, asked: AmendmentRequest) -> AmendmentShape:
    """Give the case's ticket another person, type or priority; with `preview` only say what would change.

    Names are resolved against Jira as it is now. A field that has moved on when a worker writes stays as it is then.
    """
    desk = _connected(at.amending)
    wanted = WantedChange(assignee=asked.assignee, issue_type=asked.issue_type, priority=asked.priority)
    plan = await desk.plan(case, wanted)
    ordered = None if asked.preview else await desk.order(plan, person(token))
    return amendment_shape(plan, ordered)


@routes.post("/cases/{case}/merge", status_code=202, responses={**NOT_FOUND, **STALE})
async def merge(at: Services, token: Approver, case: CaseId, asked: MergeRequest) -> MergeShape:
    """Say that the case's ticket duplicates another one; with `preview` only say what would be written."""
    desk = _connected(at.merging)
    plan = await desk.plan(case, asked.into, person(token))
    ordered = None if asked.preview else await desk.merge(plan, person(token))
    return merge_shape(plan, ordered)


@routes.post("/cases/{case}/split", status_code=202, responses={**NOT_FOUND, **STALE})
async def split(at: Services, token: Approver, case: CaseId) -> SplitShape:
    """Take a merge back, or give a mail that joined another one's ticket a ticket of its own."""
    return SplitShape(text=await _connected(at.merging).split(case, person(token)))


@routes.post("/cases/{case}/parts", status_code=202, responses={**NOT_FOUND, **STALE})
async def part(at: Services, token: Approver, case: CaseId, asked: PartsRequest) -> PartsShape:
    """Give parts of a ticket's checklist tickets of their own; with `preview` only say what would be created.

    A mail with several matters made one ticket with a checklist. Each new ticket is linked with it and named there.
    """
    desk = _connected(at.merging)
    plan = await desk.plan_parts(case, asked.parts)
    return parts_shape(plan, () if asked.preview else await desk.part(plan, person(token)))


def _connected(service: T | None) -> T:
    """Return a service that needs Jira. Raises `HTTPException` 409 where there is none."""
    if service is None:
        raise HTTPException(409, "this service knows no Jira")
    return service


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
            affects_versions=list(one.draft.get("affects_versions", ())),
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
    changes = [FieldChangeShape.model_validate(one) for one in plan.changes]
    return AmendmentShape(
        case=plan.case, ticket=plan.ticket, changes=changes, approval=ordered.id if ordered is not None else 0
    )
