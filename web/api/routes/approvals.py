"""`/api/v1/approvals`: what waits for a person, and his decision."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.exceptions import HTTPException

from triage.domain.approvals import Approval
from triage.domain.approvals import Approver as Person
from triage.domain.errors import ApprovalClosed
from triage.domain.operations.tokens import AccessScope, ApiToken
from triage.services.approvals import ApprovalService
from web.api.guard import Approver, Viewer, person
from web.api.pages import Page, PageQuery, cursor_of, place_of
from web.api.problems import NOT_FOUND, STALE
from web.api.services import Services
from web.api.shapes.parts import ApprovalBrief, Asked, Number, Part, ShownHash, Words
from web.context import WebContext


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


class DecisionBody(Asked):
    """The part that all decisions share: the hash of what the person was shown."""

    shown: ShownHash = Field(description="`hash` of the approval as you saw it.")


class Accept(DecisionBody):
    """Do exactly what waits."""

    answer: Literal["accept"]


class Ignore(DecisionBody):
    """Leave it undone."""

    answer: Literal["ignore"]


class Edit(DecisionBody):
    """Do it with other arguments, which the same rules judge."""

    answer: Literal["edit"]
    changes: dict[str, Any] = Field(min_length=1, max_length=50)


class Respond(DecisionBody):
    """Let the agent go on with an instruction instead."""

    answer: Literal["respond"]
    instruction: Words = Field(max_length=4000)


Decided = Annotated[Accept | Ignore | Edit | Respond, Field(discriminator="answer")]

routes = APIRouter(tags=["approvals"])


@routes.get("/approvals")
async def approvals(at: Services, token: Viewer, query: Annotated[PageQuery, Query()]) -> Page[ApprovalShape]:
    """List what waits, longest waiting first."""
    place = int(place_of("approvals", query.cursor) or 0)
    waiting = [one for one in await at.reports.approvals() if one.id > place]
    shown = waiting[: query.limit]
    more = cursor_of("approvals", str(shown[-1].id)) if len(waiting) > len(shown) else None
    return Page(items=[_shape(one, token) for one in shown], next=more)


@routes.get("/approvals/{number}", responses=NOT_FOUND)
async def approval(at: Services, token: Viewer, number: Number) -> ApprovalShape:
    """Return one, in any state."""
    return _shape(await _known(at, number), token)


@routes.post("/approvals/{number}/decision", responses={**NOT_FOUND, **STALE})
async def decide(at: Services, token: Approver, number: Number, asked: Decided) -> ApprovalShape:
    """Accept, edit, respond or ignore, once and bound to what was shown; a worker carries it out."""
    await _known(at, number)
    if at.approvals is None:
        raise HTTPException(409, "this service knows no Jira: set JIRA_BASE_URL and its token")
    return _shape(await _decided(at.approvals, number, asked, person(token)), token)


async def _known(at: WebContext, number: int) -> Approval:
    """Raises `HTTPException` 404 if there is none."""
    try:
        return await at.reports.approval(number)
    except ApprovalClosed:
        raise HTTPException(404, "there is no approval with this number") from None


async def _decided(service: ApprovalService, number: int, asked: Decided, who: Person) -> Approval:
    if isinstance(asked, Accept):
        return await service.accept(number, who, shown=asked.shown)
    if isinstance(asked, Edit):
        return await service.edit(number, asked.changes, who, shown=asked.shown)
    if isinstance(asked, Respond):
        return await service.respond(number, asked.instruction, who, shown=asked.shown)
    return await service.ignore(number, who, shown=asked.shown)


def _shape(approval: Approval, token: ApiToken) -> ApprovalShape:
    return approval_shape(approval, words=token.scope.covers(AccessScope.READER))


def approval_shape(approval: Approval, *, words: bool) -> ApprovalShape:
    """Return an approval; its `details` only with the right to read words."""
    values = {name: getattr(approval, name) for name in ApprovalShape.model_fields if name != "details"}
    details = ApprovalWords.model_validate(approval) if words else None
    return ApprovalShape.model_validate({**values, "details": details})
