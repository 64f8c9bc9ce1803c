"""`/api/v1/cases`: what came in, what became of it, and what a person says about it."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from triage.domain.findings import Disposition
from triage.domain.operations.tokens import AccessScope
from triage.domain.reports import CaseFilter
from web.api.guard import Approver, Reader, Viewer, decider
from web.api.json_response import SAFE
from web.api.pages import Page, cursor_of, place_of
from web.api.problems import NOT_FOUND, STALE
from web.api.services import Services
from web.api.shapes.cases import (
    CaseQuery,
    CaseReport,
    CaseShape,
    CorrectionRequest,
    LessonQuery,
    case_shape,
    report_shape,
)
from web.api.shapes.parts import CaseName, CorrectionShape, LessonShape, Number

CaseId = Annotated[CaseName, Path(description="17 or case-17.", examples=["case-17"])]
MAIL = {"content": {"message/rfc822": {"schema": {"type": "string", "format": "binary"}}}, "description": "The mail."}

routes = APIRouter(tags=["cases"])


@routes.get("/cases")
async def cases(at: Services, _: Viewer, query: Annotated[CaseQuery, Query()]) -> Page[CaseShape]:
    """List cases, newest first."""
    where = CaseFilter(ticket=query.ticket, sender=query.sender, since=query.since, until=query.until)
    place = place_of("cases", query.cursor)
    lines = await at.reports.search(query.limit + 1, query.state or None, place, where)
    shown = lines[: query.limit]
    more = cursor_of("cases", shown[-1].id.rpartition("-")[2]) if len(lines) > len(shown) else None
    return Page(items=[case_shape(line) for line in shown], next=more)


@routes.get("/cases/{case}", responses=NOT_FOUND)
async def case(at: Services, token: Viewer, case: CaseId) -> CaseReport:
    """Return the report of one case; a viewer gets it without the words of mail, prompts and letters."""
    report = await at.reports.report(case)
    return report_shape(report, words=token.scope.covers(AccessScope.READER))


@routes.get("/cases/{case}/raw", response_class=Response, responses={200: MAIL, **NOT_FOUND})
async def raw(at: Services, _: Reader, case: CaseId) -> Response:
    """Return the mail as it came, as a download."""
    mail, name = await at.reports.raw(case), f"case-{case.removeprefix('case-')}.eml"
    return Response(
        mail,
        media_type="message/rfc822",
        headers={**SAFE, "content-disposition": f'attachment; filename="{name}"'},
    )


@routes.post("/cases/{case}/corrections", status_code=202, responses={**NOT_FOUND, **STALE})
async def correct(at: Services, token: Approver, case: CaseId, asked: CorrectionRequest) -> CorrectionShape:
    """Say what becomes of a mail: a worker decides it again, and later mails of the sender are judged by it."""
    wanted = None if asked.becomes == "ignore" else Disposition(asked.becomes)
    corrected = await at.cases.correct(case, wanted, decider(token), asked.ticket)
    return CorrectionShape.model_validate(corrected)


@routes.get("/lessons")
async def lessons(at: Services, _: Reader, query: Annotated[LessonQuery, Query()]) -> list[LessonShape]:
    """List what corrections taught about later mails, the latest first."""
    return [LessonShape.model_validate(one) for one in await at.cases.lessons(query.limit)]


@routes.delete("/lessons/{number}", responses=NOT_FOUND)
async def drop(at: Services, token: Approver, number: Number) -> LessonShape:
    """Judge later mails without what this correction taught; its own case keeps it."""
    return LessonShape.model_validate(await at.cases.unlearn(number, decider(token)))
