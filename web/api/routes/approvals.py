"""`/api/v1/approvals`: what waits for a person, and his decision."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.exceptions import HTTPException

from triage.domain.approvals import Approval
from triage.domain.approvals import Approver as Person
from triage.domain.errors import ApprovalClosed
from triage.domain.operations.tokens import ApiToken, Scope
from triage.services.approvals import ApprovalService
from web.api.guard import Approver, Viewer, person
from web.api.pages import Page, PageQuery, cursor_of, place_of
from web.api.problems import NOT_FOUND, STALE
from web.api.shapes.approvals import Accept, ApprovalShape, Decided, Edit, Respond, approval_shape
from web.context import WebContext

Number = Annotated[int, Path(ge=1, le=2_000_000_000, examples=[1])]


def approval_routes(at: WebContext) -> APIRouter:
    """Return the routes about approvals."""
    routes = APIRouter(tags=["approvals"])

    @routes.get("/approvals")
    async def approvals(token: Viewer, query: Annotated[PageQuery, Query()]) -> Page[ApprovalShape]:
        """List what waits, longest waiting first."""
        place = int(place_of("approvals", query.cursor) or 0)
        waiting = [one for one in await at.reports.approvals() if one.id > place]
        shown = waiting[: query.limit]
        more = cursor_of("approvals", str(shown[-1].id)) if len(waiting) > len(shown) else None
        return Page(items=[_shape(one, token) for one in shown], next=more)

    @routes.get("/approvals/{number}", responses=NOT_FOUND)
    async def approval(token: Viewer, number: Number) -> ApprovalShape:
        """Return one, in any state."""
        return _shape(await _known(at, number), token)

    @routes.post("/approvals/{number}/decision", responses={**NOT_FOUND, **STALE})
    async def decide(token: Approver, number: Number, asked: Decided) -> ApprovalShape:
        """Accept, edit, respond or ignore, once and bound to what was shown; a worker carries it out."""
        await _known(at, number)
        if at.approvals is None:
            raise HTTPException(409, "this service knows no Jira: set JIRA_BASE_URL and its token")
        return _shape(await _decided(at.approvals, number, asked, person(token)), token)

    return routes


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
    return approval_shape(approval, words=token.scope.covers(Scope.READER))
