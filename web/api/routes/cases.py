"""`/api/v1/cases`: what came in, and what became of it."""

from typing import Annotated

from fastapi import APIRouter, Query

from triage.domain.reports import CaseFilter
from web.api.context import ApiContext
from web.api.guard import Viewer
from web.api.pages import Page, cursor_of, place_of
from web.api.shapes.cases import CaseQuery, CaseShape, case_shape


def case_routes(at: ApiContext) -> APIRouter:
    """Return the routes about cases."""
    routes = APIRouter(tags=["cases"])

    @routes.get("/cases")
    async def cases(_: Viewer, query: Annotated[CaseQuery, Query()]) -> Page[CaseShape]:
        """List cases, newest first."""
        where = CaseFilter(ticket=query.ticket, sender=query.sender, since=query.since, until=query.until)
        place = place_of("cases", query.cursor)
        lines = await at.reports.search(query.limit + 1, query.state or None, place, where)
        shown = lines[: query.limit]
        more = cursor_of("cases", shown[-1].id.rpartition("-")[2]) if len(lines) > len(shown) else None
        return Page(items=[case_shape(line) for line in shown], next=more)

    return routes
