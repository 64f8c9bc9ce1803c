"""`/api/v1/cases/…`: what people change about a case's ticket: its fields, merges, splits, parts of its checklist."""

from typing import TypeVar

from fastapi import APIRouter
from starlette.exceptions import HTTPException

from triage.policy.approvals.amendment import WantedChange
from web.api.guard import Approver, person
from web.api.problems import NOT_FOUND, STALE
from web.api.routes.cases import CaseId
from web.api.shapes.amendments import (
    AmendmentAsked,
    AmendmentShape,
    MergeAsked,
    MergeShape,
    PartsAsked,
    PartsShape,
    SplitShape,
    amendment_shape,
    merge_shape,
    parts_shape,
)
from web.context import WebContext

T = TypeVar("T")


def case_ticket_routes(at: WebContext) -> APIRouter:
    """Return the routes about the tickets of cases."""
    routes = APIRouter(tags=["cases"])

    @routes.post("/cases/{case}/ticket", status_code=202, responses={**NOT_FOUND, **STALE})
    async def amend(token: Approver, case: CaseId, asked: AmendmentAsked) -> AmendmentShape:
        """Give the case's ticket another person, type or priority; with `preview` only say what would change.

        Names are resolved against Jira as it is now. A field that has moved on when a worker writes stays as it is then.
        """
        desk = _connected(at.amending)
        wanted = WantedChange(assignee=asked.assignee, issue_type=asked.issue_type, priority=asked.priority)
        plan = await desk.plan(case, wanted)
        ordered = None if asked.preview else await desk.order(plan, person(token))
        return amendment_shape(plan, ordered)

    @routes.post("/cases/{case}/merge", status_code=202, responses={**NOT_FOUND, **STALE})
    async def merge(token: Approver, case: CaseId, asked: MergeAsked) -> MergeShape:
        """Say that the case's ticket duplicates another one; with `preview` only say what would be written."""
        desk = _connected(at.merging)
        plan = await desk.plan(case, asked.into, person(token))
        ordered = None if asked.preview else await desk.merge(plan, person(token))
        return merge_shape(plan, ordered)

    @routes.post("/cases/{case}/split", status_code=202, responses={**NOT_FOUND, **STALE})
    async def split(token: Approver, case: CaseId) -> SplitShape:
        """Take a merge back, or give a mail that joined another one's ticket a ticket of its own."""
        return SplitShape(text=await _connected(at.merging).split(case, person(token)))

    @routes.post("/cases/{case}/parts", status_code=202, responses={**NOT_FOUND, **STALE})
    async def part(token: Approver, case: CaseId, asked: PartsAsked) -> PartsShape:
        """Give parts of a ticket's checklist tickets of their own; with `preview` only say what would be created.

        A mail with several matters made one ticket with a checklist. Each new ticket is linked with it and named there.
        """
        desk = _connected(at.merging)
        plan = await desk.plan_parts(case, asked.parts)
        return parts_shape(plan, () if asked.preview else await desk.part(plan, person(token)))

    return routes


def _connected(service: T | None) -> T:
    """Return a service that needs Jira. Raises `HTTPException` 409 where there is none."""
    if service is None:
        raise HTTPException(409, "this service knows no Jira")
    return service
